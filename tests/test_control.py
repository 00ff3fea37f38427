"""Control energies: grammar, where they are defined, and values against closed forms and a second engine."""

import random
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer, Matrix, Symbol, diag

from symdp.ball import mp_context
from symdp.enclosure import enclose, evaluate_mp
from symdp.errors import InputError, Undefined
from symdp.text import parse, parse_vector, parse_with_conditions, symbol, to_text
from symdp.text.control import MAX_DIMENSION, control_energy, counts, kalman_determinants, packed, reachable, unpacked
from tests.oracle import MP, gaussian_renyi

# a drift whose characteristic polynomial s^3 + 6 s^2 + 9 s + 3 is irreducible, with identity noise
CUBIC = "-2, 1, 0, 1, -3, 1, 0, 1, -1, 1, 0, 0, 1, 0, 1"


def text_of(name: str, system: str, *state: str) -> str:
    return f"{name}(t, {', '.join([system, *state])})"


@pytest.mark.parametrize(
    "text",
    [
        "control_energy(t, -theta, 2*rho**2, x - xp)",
        text_of("control_power", CUBIC, "x1 - y1", "x2", "0"),
        "alpha/2*Delta**2*largest_control_energy(t, a, b, c, d, s**2, 0, r**2)",
    ],
)
def test_read_back_as_written(text: str) -> None:
    expr = parse(text)
    assert parse(to_text(expr)) == expr


def test_arguments_go_where_they_belong() -> None:
    assert counts(True) == {4: 1, 10: 2, 19: 3, 31: 4, 46: 5, 64: 6, 85: 7, 109: 8} and MAX_DIMENSION == 8
    system = unpacked(list("tabcdnmkxy"), True)
    assert system.drift == [["a", "b"], ["c", "d"]] and system.noise == [["n", "m"], ["m", "k"]]
    assert system.time == "t" and system.state == ["x", "y"]
    node = parse("control_energy(t, a, b, c, d, n, m, k, x, y)")
    again = node.system

    assert control_energy(*packed(again.time, Matrix(again.drift), Matrix(again.noise), again.state)) == node
    with pytest.raises(ValueError, match="no dimension"):
        unpacked([1, 2], True)


def test_a_comma_inside_belongs_to_the_call() -> None:
    assert len(parse_vector("control_energy(t, a, 1, x), 2")) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("control_energy(t, 1)", "has 2 arguments"),
        ("largest_control_energy(1, 0, -1)", "positive semidefinite"),
        ("control_energy(-1, 0, 1, 2)", "not a real number"),
        ("control_energy(1, 0, 0, 2)", "controllable"),
        ("control_energy", "needs an argument"),
        ("contrl_energy(t, 0, 1, x)", "did you mean control_energy"),
        ("exp(1, 2)", "takes one argument"),
        ("control_energy(t, 0, 1,)", "operand"),
    ],
)
def test_bad_calls_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(text)


def test_conditions_are_time_and_kalman() -> None:
    conditions = parse_with_conditions("control_energy(t, 0, c, 0, 0, 0, 0, 1, x, y)").conditions
    assert [str(r) for r in conditions] == ["t > 0", "c**2 > 0"]


def _generic(d: int) -> tuple[Matrix, list[Symbol]]:
    drift = Matrix(d, d, lambda i, j: symbol(f"a{i}{j}"))
    return drift, list(drift)


@pytest.mark.parametrize("noise", [(1, 0, 0), (0, 0, 2), (1, 3, 0), (1, 1, 1)])
def test_kalman_determinants_are_positive_only_where_the_condition_holds(noise: tuple[int, ...]) -> None:
    """With nine symbols the last one may be short; with numbers it has the sign of the full determinant."""
    drift, names = _generic(3)
    rng = random.Random(str(noise))
    seen = set()
    for _ in range(40):
        values = {s: Integer(rng.choice([-1, 0, 0, 1, 2])) for s in names}
        at = drift.xreplace(values)
        *_, full = (total.det() for total in reachable(at, diag(*noise), 3))
        *_, exact = kalman_determinants(at, diag(*noise))
        assert (exact > 0) == (full > 0)
        assert all(full > 0 for e in kalman_determinants(drift, diag(*noise)) if e.xreplace(values) > 0)
        seen.add(bool(full > 0))
    assert True in seen and (seen == {True, False} or all(noise))


def test_a_symbol_in_every_entry_is_read_and_evaluated() -> None:
    """Kalman's determinant of such a system has thousands of terms in R^3 and more beyond: it is not written out."""
    for d in (3, 4):
        names = [*(f"a{i}{j}" for i in range(d) for j in range(d)), *(f"n{i}" for i in range(d))]
        upper = ", ".join(f"n{i}**2" if i == j else "0" for i in range(d) for j in range(i, d))
        expr = parse(f"largest_control_energy(t, {', '.join(names[: d * d])}, {upper})")
        values = {name: Fraction(k % 5 - 2, 1 + k % 3) for k, name in enumerate(names)}
        ones = {f"n{i}": 1 for i in range(d)}
        found = enclose(expr, values | {"t": 1} | ones, 20)
        numbers = ", ".join([*(f"({values[n]})" for n in names[: d * d]), upper.replace("**2", "")])
        assert found.overlaps(
            enclose(parse(f"largest_control_energy(1, {numbers})"), {f"n{i}": 1 for i in range(d)}, 20)
        )


def test_one_dimension_has_a_closed_form() -> None:
    for a in (Fraction(-3, 2), Fraction(2, 5)):
        found = enclose(parse("control_energy(t, a, n, x)"), {"t": "7/3", "a": a, "n": 5, "x": "1/3"}, 60)
        closed = enclose(parse("2*a*x**2/(n*(1 - exp(-2*a*t)))"), {"t": "7/3", "a": a, "n": 5, "x": "1/3"}, 60)
        assert found.overlaps(closed) and found.proved_digits >= 60
    at_zero = enclose(parse("largest_control_energy(t, a, n)"), {"t": 4, "a": 0, "n": 2}, 30)
    assert at_zero.lower <= mpmath.mpf(1) / 8 <= at_zero.upper


def test_the_power_is_minus_the_slope() -> None:
    t = symbol("t")
    energy, power = (
        parse(text_of("control_energy", CUBIC, "1", "2", "3")),
        parse(text_of("control_power", CUBIC, "1", "2", "3")),
    )
    assert energy.diff(t) == -power
    step = Fraction(1, 10**12)
    before, after = (enclose(energy, {"t": 1 + s}, 60).mid for s in (-step, step))
    mp = mp_context(60)
    slope = (mp.mpf(before) - mp.mpf(after)) / (2 * mp.mpf(10) ** -12)
    assert abs(slope - mp.mpf(enclose(power, {"t": 1}, 60).mid)) < mp.mpf(10) ** -22


@pytest.mark.parametrize("system", ["-2, 0, 0, -2, 1, 0, 1", "0, 1, -1, 0, 1, 0, 1"])
def test_equal_eigenvalues_of_the_gramian_lose_nothing(system: str) -> None:
    found = enclose(parse(text_of("largest_control_energy", system)), {"t": 1}, 200)
    along = enclose(parse(text_of("control_energy", system, "3/5", "4/5")), {"t": 1}, 200)
    assert found.overlaps(along) and found.proved_digits >= 200


entries = st.fractions(min_value=-2, max_value=2, max_denominator=5)


@settings(max_examples=25, deadline=None)
@given(st.lists(entries, min_size=9, max_size=9), st.lists(entries, min_size=3, max_size=3), entries)
def test_against_one_exponential_and_the_second_engine(a, z, time) -> None:
    """Random drifts in R^3 with identity noise, against Van Loan's covariance at another precision."""
    t = abs(time) + Fraction(1, 5)
    system = ", ".join([*(f"({e})" for e in a), "1, 0, 0, 1, 0, 1"])
    expr = parse(text_of("control_energy", system, *(f"({e})" for e in z)))
    found = enclose(expr, {"t": t}, 30)
    mp = lambda q: MP.mpf(q.numerator) / q.denominator  # noqa: E731
    rows = [[mp(a[3 * i + j]) for j in range(3)] for i in range(3)]
    identity = [[MP.mpf(i == j) for j in range(3)] for i in range(3)]
    direct = gaussian_renyi(rows, identity, mp(t), [mp(e) for e in z], MP.mpf(2))
    assert abs(MP.mpf(found.mid) - direct) <= MP.mpf(10) ** -20 * (1 + abs(direct))
    assert abs(evaluate_mp(expr, {"t": t}, 40) - found.mid) <= mpmath.mpf(10) ** -28 * (1 + abs(found.mid))
    largest = enclose(parse(text_of("largest_control_energy", system)), {"t": t}, 30)
    length = mpmath.mpf(sum(e * e for e in z).numerator) / sum(e * e for e in z).denominator
    assert found.lower <= largest.upper * length * (1 + mpmath.mpf(10) ** -25)


def test_undefined_at_a_point_that_is_not_controllable() -> None:
    expr = parse("control_energy(t, a, b, c, d, 1, 0, 0, x, y)")
    values = {"t": 3, "x": 1, "y": 1, "a": 1, "b": 0, "c": 0, "d": 0}
    with pytest.raises(Undefined, match="not controllable"):
        enclose(expr, values, 20)
    assert enclose(expr, values | {"c": "sqrt(2)"}, 20).lower > 0
    with pytest.raises(Undefined, match="not controllable"):  # zero, but not seen as an exact one by arithmetic
        enclose(expr, values | {"c": "sqrt(2)*sqrt(3) - sqrt(6)"}, 20)
    with pytest.raises(Undefined, match="time"):
        enclose(parse("largest_control_energy(t - 3, 1, 1)"), {"t": 2}, 20)
