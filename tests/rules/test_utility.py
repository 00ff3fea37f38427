"""Rules about mean squared errors, against quadrature and grids; their mutants and the rules without a hypothesis."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from sympy import Expr, Integer

import symdp.rules
from symdp import Refused
from symdp.decide import Proved, Refuted, Unknown, decide
from symdp.region import Interval, Region
from symdp.rule import rules
from symdp.rules.limits import tends_to
from symdp.text import Relation, parse, parse_relations, symbol
from symdp.theorem import Theorem, apply, from_json, replay, to_json
from tests.oracle import MP, normal_density
from tests.rules.test_gaussian_mechanisms import ORNSTEIN, SIGNS, both, close, copies, draw, law, line, number, unbiased

NORM, R, T = symbol("norm"), symbol("R"), symbol("t")
ZERO, ONE = Integer(0), Integer(1)


@cache
def error(biased: bool) -> Theorem:
    return apply("mean-squared-error", copies(ORNSTEIN) if biased else unbiased(ORNSTEIN), norm=NORM)


@cache
def largest(biased: bool) -> Theorem:
    return apply("largest-error", error(biased), radius=R)


@cache
def best() -> Theorem:
    return apply("best-multiple", unbiased(ORNSTEIN), radius=R)


@cache
def ratio() -> Theorem:
    return apply("error-ratio", largest(True), largest(False))


def condition(text: str) -> Region:
    return ratio().conclusion.region.intersect(parse_relations(text))


def truth(values: dict[str, Any], norm: Any, *, biased: bool, factor: Any = 1) -> Any:
    """E |factor M - f|^2 of one coordinate that carries the whole norm, and d - 1 that carry nothing, by quadrature."""
    scale, variance = law(ORNSTEIN, values)
    scale, variance = (scale, variance) if biased else (MP.mpf(1), variance / scale**2)
    first, other = normal_density(scale * norm, variance), normal_density(0, variance)
    one = line(lambda y: (factor * y - norm) ** 2 * first(y))
    return one + (values["d"] - 1) * line(lambda y: (factor * y) ** 2 * other(y))


def grid(n: int, end: Any) -> list[Any]:
    return [end * k / n for k in range(n + 1)]


def is_error(biased: bool) -> Callable[..., bool]:
    return lambda conclusion, values: close(
        number(conclusion.value, values | {"norm": values["s"]}), truth(values, values["s"], biased=biased)
    )


def is_largest(biased: bool) -> Callable[..., bool]:
    def check(conclusion: Any, values: dict[str, Any]) -> bool:
        ours = number(conclusion.value, values | {"R": values["s"]})
        return close(ours, max(truth(values, norm, biased=biased) for norm in grid(4, values["s"])))

    return check


def is_best(conclusion: Any, values: dict[str, Any]) -> bool:
    """The largest error is a parabola in the factor: its least value from three points, by quadrature."""
    a, b, c = (truth(values, values["s"], biased=False, factor=MP.mpf(k) / 2) for k in range(3))
    curvature, slope = 2 * (a - 2 * b + c), -3 * a + 4 * b - c
    return close(number(conclusion.value, values | {"R": values["s"]}), a - slope**2 / (4 * curvature))


def is_ratio(conclusion: Any, values: dict[str, Any]) -> bool:
    above, below = (truth(values, values["s"], biased=biased) for biased in (True, False))
    return close(number(conclusion.value, values | {"R": values["s"]}), above / below)


CASES: dict[str, tuple[Callable[[], Theorem], Callable[..., bool]]] = {
    "mean-squared-error": (lambda: error(True), is_error(True)),
    "mean-squared-error, unbiased": (lambda: error(False), is_error(False)),
    "largest-error": (lambda: largest(True), is_largest(True)),
    "best-multiple": (best, is_best),
    "error-ratio": (ratio, is_ratio),
}


def admissible(seed: str) -> list[dict[str, Any]]:
    """Parameters for which the densities fit on the grid of ``line``."""
    rng = random.Random(seed)
    draws = (draw(rng) for _ in range(1000))
    kept = (
        v for v in draws if MP.mpf("0.05") < law(ORNSTEIN, v)[1] and law(ORNSTEIN, v)[1] / law(ORNSTEIN, v)[0] ** 2 < 6
    )
    return [next(kept) for _ in range(3)]


@pytest.mark.parametrize("name", CASES)
def test_true_at_random_instances_and_caught_when_mutated(name: str) -> None:
    make, check = CASES[name]
    theorem, draws = make(), admissible(name)
    assert theorem.status == "proved" and theorem.tightness == "exact"
    assert all(check(theorem.conclusion, values) for values in draws)
    for mutant in SIGNS(theorem.conclusion.value):
        assert not all(check(replace(theorem.conclusion, value=mutant), values) for values in draws), mutant
    assert replay(theorem) == theorem == from_json(to_json(theorem))


def test_the_bound_on_the_ratio_is_decided() -> None:
    printed = condition("theta*R**2 <= 4*d*rho**2")
    theorem = apply("at-most", ratio(), bound=ONE, region=printed)
    assert theorem.conclusion.relation == Relation(1 - ratio().conclusion.value, ">=")
    for text in ("theta*R**2 <= 8*d*rho**2", "theta*R**2 <= 4*d*rho**2 + 1/10"):  # the mutated hypothesis is too weak
        with pytest.raises(Refused, match="'bound'") as caught:
            apply("at-most", ratio(), bound=ONE, region=condition(text))
        assert caught.value.hypotheses[-1].verdict == "refuted"
    with pytest.raises(Refused, match="'bound'"):
        apply("at-most", ratio(), bound=ONE / 2, region=printed)
    early = Region.make({s: Interval.real() if s == T else printed.interval(s) for s in printed.symbols})
    both("at-most", "range: t", ratio(), bound=ratio().conclusion.value + 1, region=early)


def test_where_the_condition_fails_the_ratio_is_above_one() -> None:
    late = "theta*R**2*exp(-2*theta*t) > d*rho**2*(1+exp(-theta*t))**2"
    theorem = apply("above", ratio(), bound=ONE, region=condition(late))
    assert theorem.conclusion.relation == Relation(ratio().conclusion.value - 1, ">")
    assert replay(theorem) == theorem == from_json(to_json(theorem))
    for text in ("theta*R**2 > 4*d*rho**2", late.replace(">", ">=")):  # later, and at that time, it is not
        with pytest.raises(Refused, match="'bound'") as caught:
            apply("above", ratio(), bound=ONE, region=condition(text))
        assert caught.value.hypotheses[-1].verdict != "proved"


LIMITS = [
    ("exp(-2*theta*t)", "0", Proved),
    ("exp(-2*theta*t)", "1", Refuted),
    ("exp(2*theta*t)/(exp(2*theta*t)-1)", "1", Proved),
    ("exp(2*theta*t)/(exp(theta*t)-1)", "1", Refuted),
    ("t*log(1+rho/t)", "rho", Proved),
    ("t*log(1+rho/t)", "2*rho", Refuted),
    ("tanh(theta*t)", "1", Proved),
    ("(t+rho)**2/(t**2+1)", "1", Proved),
    ("sin(t)", "0", Unknown),
    ("sin(t)/t", "0", Unknown),
    ("t", "t", Refuted),
    ("exp(c*t)", "0", Unknown),
    ("exp(-c**2*t)", "0", Unknown),
    ("theta", "theta", Proved),
]


@pytest.mark.parametrize("expr, value, expected", LIMITS)
def test_limits_are_decided_or_left_open(expr: str, value: str, expected: type) -> None:
    region = Region.make(
        {symbol(n): Interval.positive() for n in ("theta", "rho", "t")} | {symbol("c"): Interval.real()}
    )
    verdict = tends_to(parse(expr), parse(value), T, region)
    assert isinstance(verdict, expected)
    if isinstance(verdict, Proved):  # the falsifier: a late point
        late = number(parse(expr) - parse(value), {"theta": MP.mpf(1), "rho": MP.mpf(3), "t": MP.mpf(400), "c": 1})
        assert abs(late) < MP.mpf("0.02")
    bounded = Region.make({s: region.interval(s) if s != T else Interval.open(0, 1) for s in region.symbols})
    assert isinstance(tends_to(parse(expr), parse(value), T, bounded), Refuted)


def test_a_limit_is_a_theorem() -> None:
    theorem = apply("limit-at-infinity", ratio(), factor=ONE, value=ZERO, variable=T)
    assert theorem.conclusion.value == 0 and replay(theorem) == theorem == from_json(to_json(theorem))
    wrong = both("limit-at-infinity", "limit", ratio(), factor=ONE, value=ONE, variable=T)
    late = {"theta": 1, "rho": 1, "d": 1, "R": 1, "t": MP.mpf(50)}
    assert abs(number(wrong.expr, late) - wrong.value) > MP.mpf("0.9")


# --- hypotheses ------------------------------------------------------------------------------------------------------


def test_the_norm_is_a_symbol_of_its_own() -> None:
    for norm in (symbol("theta"), symbol("d"), Integer(1)):
        with pytest.raises(Refused, match="'norm'"):
            apply("mean-squared-error", copies(ORNSTEIN), norm=norm)
        with pytest.raises(Refused, match="'radius'"):
            apply("best-multiple", unbiased(ORNSTEIN), radius=norm)


def test_the_largest_error_is_taken_once_and_over_a_radius() -> None:
    with pytest.raises(Refused, match="one norm"):
        apply("largest-error", largest(True), radius=symbol("Q"))
    for radius in (NORM, Integer(2)):
        with pytest.raises(Refused, match="radius"):
            apply("largest-error", error(True), radius=radius)


def test_only_an_unbiased_mechanism_has_this_best_multiple() -> None:
    wrong = both("best-multiple", "unbiased", copies(ORNSTEIN), radius=R)
    values = admissible("biased")[0]
    claimed = number(wrong.value, values | {"R": values["s"]})
    least = min(truth(values, values["s"], biased=True, factor=MP.mpf(k) / 8) for k in range(8, 60, 4))
    assert not close(claimed, least)


@pytest.mark.parametrize("mutated", [ZERO, ONE, ONE / 2])
def test_another_multiple_is_not_minimal(monkeypatch: pytest.MonkeyPatch, mutated: Expr) -> None:
    """A mutated optimum is refuted by the rule's own hypothesis."""
    monkeypatch.setattr(symdp.rules.utility, "best_multiple", lambda mechanism, radius: mutated)
    with pytest.raises(Refused, match="'minimal'") as caught:
        apply("best-multiple", unbiased(ORNSTEIN), radius=R)
    assert caught.value.hypotheses[-1].verdict == "refuted"


def test_a_ratio_is_of_errors_over_the_same_queries() -> None:
    other = apply("largest-error", error(False), radius=symbol("Q"))
    for pair in ((error(True), error(False)), (largest(True), error(False)), (largest(True), other)):
        with pytest.raises(Refused, match="same queries"):
            apply("error-ratio", *pair)


def test_a_ratio_needs_an_error_that_is_positive() -> None:
    """At rho = 0 the Ornstein-Uhlenbeck process would not err for f = 0, and neither would the Gaussian mechanism."""
    zero = replace(largest(False).conclusion, value=ZERO)
    positive = list(rules()["error-ratio"].conditions((largest(True).conclusion, zero), {}))[-1]
    assert positive.name == "positive" and positive.args[0] == Relation(ZERO, ">")
    assert isinstance(decide(*positive.args), Refuted)


def test_every_rule_of_the_chapter_has_a_case() -> None:
    ours = {i for i, rule in rules().items() if rule.conclude.__module__ == "symdp.rules.utility" and "mutant" not in i}
    assert ours == {name.split(",")[0] for name in CASES} | {"at-most", "above", "limit-at-infinity"}
