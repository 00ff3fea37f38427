"""Bias and variance of linear diffusions, against matrix exponentials at 30 digits and against grids; their mutants.

Nothing here uses a formula of the rules: means come from the exponential of the drift with a constant coordinate
added, covariances from the exponential of Van Loan's block matrix.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from sympy import Integer, Rational

from symdp import Diffusion, Refused
from symdp.derivation import derive
from symdp.derivation.utility import derive_utility, raw_output
from symdp.errors import InputError
from symdp.rule import rules
from symdp.text import parse, symbol
from symdp.theorem import Theorem, apply, from_json, replay, to_json
from tests.oracle import MP
from tests.rules.test_gaussian_mechanisms import SIGNS, both, close, number

R = symbol("R")
PROCESSES = {
    "ornstein": Diffusion("mu-theta*x", "s", params="mu real"),
    "drifted": Diffusion("mu", "s", params="mu real"),
    "integrated": Diffusion("x2, 0", "0; s"),
    "triangular": Diffusion("-theta*x1+x2+1, -3*theta*x2", "1,0;s,1"),
    "rotating": Diffusion("x2, -2*x2-5*x1", "0; s"),
    "centred": Diffusion("-theta*x1+x2, -3*theta*x2", "1,0;s,1"),
}


@cache
def kernel(name: str) -> Theorem:
    found = derive(PROCESSES[name]).kernel
    assert found is not None
    return found


@cache
def raw(name: str) -> Theorem:
    return raw_output(kernel(name))


@cache
def unbiased(name: str) -> Theorem:
    return apply("unbiased-output", kernel(name))


def draw(rng: random.Random) -> dict[str, Any]:
    names = ("theta", "s", "t", "R", "x", "x1", "x2")
    values = {name: MP.mpf(rng.randint(2, 16)) / 8 for name in names}
    return values | {"mu": MP.mpf(rng.randint(-16, 16)) / 8, "x2": -values["x2"]}


def law(name: str, values: dict[str, Any]) -> tuple[Any, Any, Any]:
    """``e^{At}``, the mean from 0, and the covariance, as matrices of mpf."""
    process = PROCESSES[name]
    n = process.dimension
    origin = dict.fromkeys(process.state, Integer(0))
    entry = lambda e: number(e, values)  # noqa: E731
    u = [entry(e.xreplace(origin)) for e in process.drift]
    a = [[entry(e.diff(s)) for s in process.state] for e in process.drift]
    noise = [[entry(process.noise[i, j]) for j in range(n)] for i in range(n)]
    flow = MP.expm(MP.matrix([[*row, c] for row, c in zip(a, u, strict=True)] + [[0] * (n + 1)]) * values["t"])
    block = MP.zeros(2 * n)
    for i in range(n):
        for j in range(n):
            block[i, j], block[i, n + j], block[n + i, n + j] = -a[i][j], noise[i][j], a[j][i]
    whole = MP.expm(block * values["t"])
    transition = MP.matrix([[flow[i, j] for j in range(n)] for i in range(n)])
    covariance = transition * MP.matrix([[whole[i, n + j] for j in range(n)] for i in range(n)])
    return transition, MP.matrix([flow[i, n] for i in range(n)]), covariance


def seen(name: str, values: dict[str, Any], *, fair: bool) -> tuple[Any, Any, Any]:
    """Matrix, shift and covariance of the output, or of what undoes its bias: ``e^{-At} (X_t - m)``."""
    transition, shift, covariance = law(name, values)
    if not fair:
        return transition, shift, covariance
    back = transition**-1
    return back * transition, shift * 0, back * covariance * back.T


def trace(m: Any) -> Any:
    return MP.fsum(m[i, i] for i in range(m.rows))


def square(v: Any) -> Any:
    return MP.fsum(e**2 for e in v)


def error_at(parts: tuple[Any, Any, Any], x: list[Any]) -> Any:
    scale, shift, covariance = parts
    return square(scale * MP.matrix(x) + shift - MP.matrix(x)) + trace(covariance)


def sphere(n: int, radius: Any, points: int) -> list[list[Any]]:
    if n == 1:
        return [[radius], [-radius]]
    angles = [2 * MP.pi * k / points for k in range(points)]
    return [[radius * MP.cos(angle), radius * MP.sin(angle)] for angle in angles]


def largest(parts: tuple[Any, Any, Any], radius: Any, points: int = 240) -> Any:
    return max(error_at(parts, x) for x in sphere(parts[0].rows, radius, points))


def entries(rows: Any, values: dict[str, Any]) -> list[Any]:
    return [number(e, values) for row in rows for e in row]


def is_output(name: str, *, fair: bool) -> Callable[..., bool]:
    def check(conclusion: Any, values: dict[str, Any]) -> bool:
        scale, shift, covariance = seen(name, values, fair=fair)
        ours = [entries(conclusion.matrix, values), entries([conclusion.shift], values)]
        ours.append(entries(conclusion.covariance, values))
        theirs = list(scale), list(shift), list(covariance)
        return all(
            close(a, b) for mine, true in zip(ours, theirs, strict=True) for a, b in zip(mine, true, strict=True)
        )

    return check


def is_error(name: str, *, fair: bool) -> Callable[..., bool]:
    def check(conclusion: Any, values: dict[str, Any]) -> bool:
        n = PROCESSES[name].dimension
        x = [values["x"]] if n == 1 else [values["x1"], values["x2"]]
        parts = seen(name, values, fair=fair)
        bias = parts[0] * MP.matrix(x) + parts[1] - MP.matrix(x)
        right = all(close(number(e, values), b) for e, b in zip(conclusion.bias, bias, strict=True))
        return right and close(number(conclusion.variance, values), trace(parts[2]))

    return check


def is_largest(name: str, *, fair: bool) -> Callable[..., bool]:
    def check(conclusion: Any, values: dict[str, Any]) -> bool:
        ours, truth = number(conclusion.value, values), largest(seen(name, values, fair=fair), values["R"])
        return bool(-(MP.mpf(10) ** -15) < ours - truth < MP.mpf(10) ** -3 * (1 + truth))

    return check


def is_bound(name: str) -> Callable[..., bool]:
    """Never below the truth, and no more than twice the bias above it."""

    def check(conclusion: Any, values: dict[str, Any]) -> bool:
        parts = seen(name, values, fair=False)
        ours, truth = number(conclusion.value, values), largest(parts, values["R"])
        return bool(truth <= ours <= 4 * (truth - trace(parts[2])) + trace(parts[2]))

    return check


def is_best(name: str) -> Callable[..., bool]:
    """The largest error is a parabola in the factor; no factor of a grid does better than the value."""

    def check(conclusion: Any, values: dict[str, Any]) -> bool:
        scale, shift, covariance = seen(name, values, fair=True)
        times = lambda b: largest((b * scale, shift, b**2 * covariance), values["R"], 8)  # noqa: E731
        a, b, c = (times(MP.mpf(k) / 2) for k in range(3))
        bend, slope = 2 * (a - 2 * b + c), -3 * a + 4 * b - c
        ours = number(conclusion.value, values)
        return close(ours, a - slope**2 / (4 * bend)) and all(times(MP.mpf(k) / 9) >= ours for k in range(12))

    return check


CASES: dict[str, tuple[Callable[[], Theorem], Callable[..., bool], tuple[str, ...]]] = {}
for who in PROCESSES:
    CASES[f"output-of-kernel, {who}"] = (lambda n=who: raw(n), is_output(who, fair=False), ())
    CASES[f"unbiased-output, {who}"] = (lambda n=who: unbiased(n), is_output(who, fair=True), ())
    make = lambda n=who: apply("output-error", raw(n))  # noqa: E731
    CASES[f"output-error, {who}"] = (make, is_error(who, fair=False), ("variance",))
for who in ("ornstein", "drifted", "integrated", "rotating", "centred"):
    make = lambda n=who: apply("largest-output-error", raw(n), radius=R)  # noqa: E731
    CASES[f"largest-output-error, {who}"] = (make, is_largest(who, fair=False), ("value",))
make = lambda: apply("largest-output-error-shifted", raw("triangular"), radius=R)  # noqa: E731
CASES["largest-output-error-shifted"] = (make, is_bound("triangular"), ("value",))
for who in ("ornstein", "integrated"):
    make = lambda n=who: apply("best-multiple-output", unbiased(n), radius=R)  # noqa: E731
    CASES[f"best-multiple-output, {who}"] = (make, is_best(who), ("value",))


@pytest.mark.parametrize("name", CASES)
def test_true_at_random_instances_and_caught_when_mutated(name: str) -> None:
    make, check, fields = CASES[name]
    theorem, rng = make(), random.Random(name)
    draws = [draw(rng) for _ in range(2)]
    assert theorem.status == "proved"
    assert theorem.tightness == ("upper" if "shifted" in name else "exact")
    assert all(check(theorem.conclusion, values) for values in draws)
    known: Any = theorem.conclusion
    mutants = [replace(known, **{f: e}) for f in fields for e in SIGNS(getattr(known, f)) if f != "value" or e != 0]
    if not fields:
        for part in ("matrix", "covariance"):
            rows = getattr(known, part)
            mutants += [
                replace(known, **{part: ((e, *rows[0][1:]), *rows[1:])}) for e in SIGNS(rows[0][0]) if e != rows[0][0]
            ]
        mutants.append(replace(known, shift=(known.shift[0] + 1, *known.shift[1:])))
    if "shifted" in name:  # a bound may be larger
        mutants = [replace(known, value=known.value / 2), replace(known, value=known.value - R**2)]
    assert mutants and not any(all(check(mutant, values) for values in draws) for mutant in mutants)
    assert replay(theorem) == theorem == from_json(to_json(theorem))


def proposals(name: str) -> dict[str, Any]:
    known: Any = raw(name).conclusion
    return {"forward": known.matrix, "shift": known.shift, "covariance": known.covariance}


def test_a_mutated_proposal_is_refused_and_without_the_hypothesis_believed() -> None:
    """Of "output-of-kernel": each matrix is checked, and a rule that does not check it proves a falsehood."""
    good = proposals("ornstein")
    ((scale,),), (shift,), ((spread,),) = good["forward"], good["shift"], good["covariance"]
    values = draw(random.Random(1))
    for hypothesis, wrong in (
        ("inverse", {"forward": ((2 * scale,),), "covariance": ((4 * spread,),)}),
        ("shift", {"shift": (shift + 1,)}),
        ("covariance", {"covariance": ((2 * spread,),)}),
    ):
        conclusion = both("output-of-kernel", hypothesis, kernel("ornstein"), **(good | wrong))
        assert not is_output("ornstein", fair=False)(conclusion, values)


def test_the_shape_is_checked() -> None:
    with pytest.raises(Refused, match="shape"):
        apply("output-of-kernel", kernel("integrated"), **proposals("ornstein"))


def test_a_solution_is_smooth() -> None:
    """A form of the exponential that reads 0/0 at some times is not taken: here ``sin(2t)`` is below the line."""
    good = proposals("rotating")
    (first, second), row = good["forward"]
    assert second == parse("exp(-t)*sin(2*t)/2")
    odd = ((first, parse("exp(-t)*(1-cos(4*t))/(4*sin(2*t))")), row)
    with pytest.raises(Refused, match="smooth output"):
        apply("output-of-kernel", kernel("rotating"), **(good | {"forward": odd}))


def test_the_hypotheses_of_the_largest_error_are_needed_and_refuted_where_they_fail() -> None:
    """For "largest-output-error" a shift matters; "best-multiple-output" is about unbiased outputs."""
    values = draw(random.Random(5))
    wrong = both("largest-output-error", "centred", raw("triangular"), radius=R)
    assert number(wrong.value, values) < largest(seen("triangular", values, fair=False), values["R"])
    wrong = both("best-multiple-output", "unbiased", raw("ornstein"), radius=R)
    assert not is_best("ornstein")(wrong, values)


def test_the_radius_and_the_answer_are_symbols_of_their_own() -> None:
    for radius in (symbol("s"), Integer(2)):
        for rule in ("largest-output-error", "largest-output-error-shifted", "best-multiple-output"):
            with pytest.raises(Refused, match="radius"):
                apply(rule, unbiased("ornstein"), radius=radius)
    taken = replace(raw("ornstein").conclusion, region=apply("output-error", raw("ornstein")).conclusion.region)
    (condition,) = rules()["output-error"].conditions((taken,), {})
    assert (condition.name, condition.args) == ("answer", (False,))


@pytest.mark.parametrize("mutated", [Rational(0), Rational(1), Rational(1, 2)])
def test_another_multiple_is_refuted(monkeypatch: pytest.MonkeyPatch, mutated: Any) -> None:
    import symdp.rules.outputs

    monkeypatch.setattr(symdp.rules.outputs, "shrinkage", lambda noise, radius: mutated)
    with pytest.raises(Refused, match="'minimal'") as caught:
        apply("best-multiple-output", unbiased("ornstein"), radius=R)
    assert caught.value.hypotheses[-1].verdict == "refuted"


@pytest.mark.parametrize("case", ["vp", "moved"])
def test_coefficients_that_depend_on_the_time_and_mutants_are_caught(case: str) -> None:
    """Of "output-of-kernel" and "unbiased-output": means and variances by quadrature of the rates."""
    if case == "vp":
        process = Diffusion("-beta(t)/2*x", "sqrt(beta(t))", let="beta(t)=1/10+t/2")
        rate, drift, noise = (lambda t: (MP.mpf(1) / 10 + t / 2) / 2), (lambda t: 0), (lambda t: MP.mpf(1) / 10 + t / 2)
    else:
        process = Diffusion("t", "exp(t)")
        rate, drift, noise = (lambda t: 0), (lambda t: t), (lambda t: MP.exp(2 * t))
    kernel = derive(process).kernel
    assert kernel is not None
    released, fair = raw_output(kernel), apply("unbiased-output", kernel)
    for t in (MP.mpf(1) / 2, MP.mpf(2)):
        decay = lambda s, t=t: MP.exp(-MP.quad(rate, [s, t]))  # noqa: E731
        scale, shift = decay(0), MP.quad(lambda s: decay(s) * drift(s), [0, t])  # noqa: B023
        variance = MP.quad(lambda s: decay(s) ** 2 * noise(s), [0, t])  # noqa: B023
        for theorem, truth in ((released, (scale, shift, variance)), (fair, (1, 0, variance / scale**2))):
            known: Any = theorem.conclusion
            ours = [number(e, {"t": t}) for e in (known.matrix[0][0], known.shift[0], known.covariance[0][0])]
            assert all(close(a, b) for a, b in zip(ours, truth, strict=True))
            assert not close(2 * ours[2], truth[2])
    assert replay(released) == released == from_json(to_json(released))
    with pytest.raises(Refused, match="do not depend on the time"):
        derive_utility(kernel, R, symbol("d"))


# --- the search ------------------------------------------------------------------------------------------------------


def test_no_closed_form_is_said() -> None:
    found = derive(Diffusion("x2, -gamma*x2 - k*x1", "0; sqrt(2*gamma)*s")).kernel
    with pytest.raises(Refused, match="no closed form holds"):
        derive_utility(found)
    with pytest.raises(Refused, match="linear drift and constant noise"):
        derive_utility(None)


def test_names_in_use() -> None:
    with pytest.raises(InputError, match="s is already in use"):
        derive_utility(kernel("ornstein"), symbol("s"))


def test_everything_that_is_derived_is_named() -> None:
    found = derive_utility(kernel("triangular"), R)
    assert {theorem.rule.id for theorem in found.theorems.values()} == {
        "output-of-kernel",
        "largest-output-error-shifted",
        "largest-output-error",
        "best-multiple-output",
    }
    assert symbol("x") in derive_utility(kernel("ornstein")).error.conclusion.region.symbols


def test_every_rule_of_the_chapter_has_a_case() -> None:
    ours = {i for i, rule in rules().items() if rule.conclude.__module__ == "symdp.rules.outputs" and "mutant" not in i}
    assert ours == {name.split(",")[0] for name in CASES}
