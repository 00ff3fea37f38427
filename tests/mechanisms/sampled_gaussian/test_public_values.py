"""The certified core against 70-digit public values, its methods against each other, and a second engine."""

import csv
import random
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from mpmath import libmp

from symdp.ball import Enclosure
from symdp.errors import InputError, Undetermined
from symdp.mechanisms.sampled_gaussian import evaluate, log_moment, renyi

# public values: q, sigma, alpha (exact doubles), R(mu||mu0) and R(mu0||mu) to 70 digits
with (Path(__file__).parent / "sgm_public.csv").open() as _file:
    ROWS = [tuple(row.values()) for row in csv.DictReader(line for line in _file if not line.startswith("#"))]


def ends(value: Enclosure) -> tuple[Fraction, Fraction]:
    return tuple(Fraction(*map(int, libmp.to_rational(e._mpf_))) for e in (value.lower, value.upper))


def test_there_are_three_hundred_rows() -> None:
    assert len(ROWS) == 300


@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_every_public_row_to_all_its_digits(direction: str) -> None:
    for q, sigma, alpha, forward, reverse in ROWS:
        truth = Fraction(forward if direction == "forward" else reverse)
        low, high = ends(renyi(float(q), float(sigma), float(alpha), 72, direction))
        rounding = abs(truth) / 10**69
        assert low <= truth + rounding and truth - rounding <= high, (q, sigma, alpha)
        assert high - low <= abs(truth) / 10**70


def _points(seed: int, count: int):
    rng = random.Random(seed)
    for _ in range(count):
        q = rng.choice([rng.random(), 10 ** rng.uniform(-12, 0), 1 - 10 ** rng.uniform(-12, -1)])
        alpha = 1 + 10 ** rng.uniform(-6, 2)
        yield q, 10 ** rng.uniform(-1, 2), float(int(alpha) + 1) if rng.random() < 0.4 else alpha


def test_every_two_methods_overlap() -> None:
    seen = set()
    for q, sigma, alpha in _points(1, 80):
        chosen = renyi(q, sigma, alpha, 30)
        for method in ("integer", "series", "trapezoid"):
            try:
                other = renyi(q, sigma, alpha, 30, method=method)
            except (InputError, Undetermined):
                continue
            assert other.overlaps(chosen), (q, sigma, alpha, method)
            seen.add(method)
    assert seen == {"integer", "series", "trapezoid"}


def test_a_is_at_least_b() -> None:
    for q, sigma, alpha in _points(2, 80):
        reverse, forward = (renyi(q, sigma, alpha, 40, d) for d in ("reverse", "forward"))
        assert reverse.lower >= 0 and reverse.lower <= forward.upper
        assert renyi(q, sigma, alpha, 40, "both").overlaps(forward)


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_against_direct_integration(relation: str) -> None:
    """``E_Q[(P/Q)^alpha]`` by the trapezoidal rule in mpmath, at another precision and with twice as many nodes."""
    mp = mpmath.MPContext()
    mp.dps = 40
    for q, sigma, alpha in [("0.3", "0.8", "2.5"), ("0.01", "4", "7.25"), ("0.6", "1.5", "1.01")]:
        a, s, p = mp.mpf(alpha), mp.mpf(sigma), mp.mpf(q)

        def density(x, side, s=s, p=p):
            bell = lambda c: mp.exp(-((x - c) ** 2) / (2 * s * s)) / (s * mp.sqrt(2 * mp.pi))  # noqa: E731
            return (1 - p) * bell(0) + p * bell(side)

        far = 0 if relation == "add-remove" else -1
        for direction, (top, bottom) in {"forward": (1, far), "reverse": (far, 1)}.items():
            step = s / 24
            total = mp.fsum(
                density(k * step, top) ** a * density(k * step, bottom) ** (1 - a) for k in range(-500, 700)
            )
            direct = mp.log(total * step) / (a - 1)
            found = renyi(q, sigma, alpha, 40, direction, relation)
            assert abs(mp.mpf(found.mid) - direct) < mp.mpf(10) ** -30 * abs(direct), (q, sigma, alpha, direction)


def test_the_second_engine() -> None:
    for q, sigma, alpha in [("0.01", 4, "32.5"), ("0.5", 1, 8), ("0.1", 1, "1.1"), ("1e-3", "0.5", "3.7")]:
        for direction in ("forward", "reverse"):
            proved = renyi(q, sigma, alpha, 40, direction)
            second = renyi(q, sigma, alpha, 30, direction, engine="mpmath")
            assert abs(second - proved.mid) <= abs(proved.mid) * mpmath.mpf(10) ** -14
            low, high = ends(proved)
            value = Fraction(*map(int, libmp.to_rational(second._mpf_)))
            assert abs(value - (low + high) / 2) <= high / 10**28


def test_two_directions_that_differ_at_the_twentieth_digit() -> None:
    forward, reverse = (renyi("1e-12", "1e4", "1.0000001", 25, d) for d in ("forward", "reverse"))
    assert forward.to_decimal(22)[0].startswith("5.0000005250000025832")
    assert reverse.to_decimal(22)[0].startswith("5.0000005250000025832")
    assert forward.lower > reverse.upper


def test_known_values() -> None:
    assert str(50 * renyi("0.01", "2.5", "1.5").mid).startswith("0.00065007089718")
    assert log_moment("0.4", 12, "59.5").to_decimal(15) == ("2.14789952851772", "2.14789952851773")
    assert renyi("0.1", 1, "1.1").to_decimal(15)[0].startswith("0.0080985684680738")


def test_limits() -> None:
    assert ends(renyi(0, 1, 5)) == (0, 0)
    low, high = ends(renyi(1, 2, 5))
    assert low <= Fraction(5, 8) <= high
    assert renyi("1/2", 1, "inf").lower == mpmath.inf
    low, high = ends(renyi("1/2", 1, "inf", 30, "reverse"))
    assert abs(low - Fraction("0.693147180559945309417232121458")) < Fraction(1, 10**29) and low <= high
    near = renyi("0.2", 1, Fraction(10**12 + 1, 10**12), 20)
    at_one = renyi("0.2", 1, 1, 20)
    assert abs(near.mid - at_one.mid) < 1e-11
    scaled = renyi("0.2", 3, "2.5", 30, sensitivity=3)
    assert scaled.overlaps(renyi("0.2", 1, "2.5", 30))
    assert renyi(0.01, 4, 2).lower != renyi("0.01", 4, 2).lower  # the double 0.01 is not 1/100


def test_the_method_is_reported_and_can_be_forced() -> None:
    found = evaluate("0.1", 2, "2.5", method="trapezoid")
    assert found.method == "trapezoid" and found.nodes > 10
    assert evaluate("0.1", 2, 8).method == "integer"


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (("1.5", 1, 2), "q"),
        (("-0.1", 1, 2), "q"),
        (("nan", 1, 2), "q"),
        (("0.1", 0, 2), "sigma"),
        (("0.1", "-1", 2), "sigma"),
        (("0.1", float("inf"), 2), "sigma"),
        (("0.1", 1, "0.5"), "alpha"),
        (("0.1", 1, "1e999999"), "alpha"),
        (("0.1", 1, 2, 0), "digits"),
        (("0.1", 1, 2, 10**9), "digits"),
        (("0.1", 1, 2, 50, "sideways"), "direction"),
        (("0.1", 1, 2, 50, "forward", "neighbours"), "relation"),
        (("0.1", 1, "2.5", 50, "forward", "add-remove", 1, "integer"), "method"),
        (("one", 1, 2), "q"),
        ((True, 1, 2), "q"),
    ],
)
def test_bad_input_is_one_line(arguments, place: str) -> None:
    with pytest.raises(InputError) as raised:
        renyi(*arguments)
    assert place in str(raised.value) and "\n" not in str(raised.value)
