"""Rules about Gaussian mechanisms on R^d, against moments from the matrix exponential and against quadrature.

Every conclusion is compared at random admissible parameters with a number that knows nothing of the rule; the same
comparison must catch each mutated conclusion, and a rule without one of its hypotheses must prove something false.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from mpmath import libmp
from sympy import Expr, Integer, Rational, oo

import symdp.rules  # noqa: F401
from symdp import Diffusion, Refused
from symdp.derivation import derive
from symdp.diffusion.operators import Copies
from symdp.enclosure import enclose
from symdp.region import Interval, Region
from symdp.rule import get_rule, register, rules
from symdp.text import Relation, parse, symbol
from symdp.theorem import Theorem, apply, from_json, replay, to_json
from tests.oracle import MP, normal_density, renyi

D, T, S = symbol("d"), symbol("t"), symbol("s")
ORNSTEIN, BROWNIAN = Diffusion("-theta*x", "sqrt(2)*rho"), Diffusion("0", "sqrt(2)")
INSTANCES = 4


@cache
def found(process: Diffusion) -> Any:
    return derive(process)


@cache
def copies(process: Diffusion) -> Theorem:
    return apply("linear-copies", found(process).kernel, dimension=D)


@cache
def at_time_s(process: Diffusion) -> Theorem:
    region = process.params.extend({S: Interval.positive(), D: Interval(Integer(1), oo, True, False)})
    return apply("gaussian-at", copies(process), values=((T, S),), region=region)


@cache
def privacy(process: Diffusion) -> Theorem:
    return apply("gaussian-rdp", copies(process))


@cache
def unbiased(process: Diffusion) -> Theorem:
    return apply("matching-gaussian", privacy(process), copies(process))


def draw(rng: random.Random) -> dict[str, Any]:
    """Small parameters, as mpf."""
    names = ("theta", "rho", "t", "s", "Delta", "x", "y")
    values = {name: MP.mpf(rng.randint(2, 20)) / 8 for name in names}
    return values | {"alpha": 1 + MP.mpf(rng.randint(1, 16)) / 4, "d": MP.mpf(rng.randint(1, 4))}


def number(expr: Expr, values: dict[str, Any]) -> Any:
    exact = {}
    for s in expr.free_symbols:
        exact[s] = Rational(*map(int, libmp.to_rational(MP.mpf(values[s.name])._mpf_)))
    return MP.mpf(enclose(expr, exact, digits=20).mid)


def close(a: Any, b: Any) -> bool:
    return bool(abs(a - b) <= MP.mpf(10) ** -12 * (1 + abs(b)))


def law(process: Diffusion, values: dict[str, Any], t: str = "t") -> tuple[Any, Any]:
    """Scale and variance from ``(m, v)' = (-theta m, -2 theta v + 2 rho^2)``, by the matrix exponential."""
    theta, rho = (values["theta"], values["rho"]) if process is ORNSTEIN else (MP.mpf(0), MP.mpf(1))
    flow = MP.expm(MP.matrix([[-theta, 0, 0], [0, -2 * theta, 2 * rho**2], [0, 0, 0]]) * values[t])
    return flow[0, 0], flow[1, 2]


def density(process: Diffusion, values: dict[str, Any], t: str = "t") -> Callable[[Any, Any], Any]:
    scale, variance = law(process, values, t)
    return lambda x, y: normal_density(scale * x, variance)(y)


def line(integrand: Callable[[Any], Any], width: int = 24) -> Any:
    """The trapezoidal rule, which converges exponentially for these integrands."""
    step = MP.mpf(1) / 16
    return MP.fsum(integrand(k * step) for k in range(-16 * width, 16 * width + 1)) * step


# --- truths: each takes the conclusion and the parameters, and knows only the law of the process ---------------------


def is_law(process: Diffusion, t: str = "t") -> Callable[..., bool]:
    def check(conclusion: Any, values: dict[str, Any]) -> bool:
        truth = law(process, values, t)
        return all(
            close(number(e, values), m) for e, m in zip((conclusion.scale, conclusion.variance), truth, strict=True)
        )

    return check


def is_privacy(conclusion: Any, values: dict[str, Any]) -> bool:
    scale, variance = law(ORNSTEIN, values)
    gap, spread, alpha = scale * values["Delta"], MP.sqrt(variance), values["alpha"]
    near, far = normal_density(0, variance), normal_density(gap, variance)
    peak = (1 - alpha) * gap  # the integrand is a Gaussian around it
    nodes = [peak + spread * k for k in range(-12, 13, 4)]
    return close(number(conclusion.value, values), renyi(near, far, alpha, nodes))


def is_as_private(conclusion: Any, values: dict[str, Any]) -> bool:
    """The exponents of the two Gaussian trade-offs agree, and the mean is f(D) itself."""
    scale, variance = law(ORNSTEIN, values)
    return close(number(conclusion.variance, values), variance / scale**2) and conclusion.scale == 1


def is_sensitivity(process: Diffusion) -> Callable[..., bool]:
    def check(conclusion: Any, values: dict[str, Any]) -> bool:
        noise = values["rho"] ** 2 if process is ORNSTEIN else 1

        def kappa(t: Any) -> Any:
            scale, variance = law(process, values | {"now": t}, "now")
            h, gap = MP.mpf(10) ** -6, scale * values["Delta"]
            ratio = lambda y: (-(y**2) + (y - gap) ** 2) / (2 * variance)  # noqa: E731
            return noise * ((ratio(h) - ratio(-h)) / (2 * h)) ** 2

        h = MP.mpf(10) ** -6
        before, after = (number(conclusion.Lambda, values | {"t": values["t"] + shift}) for shift in (-h, h))
        slope = (after - before) / (2 * h)
        small = close(number(conclusion.kappa, values), kappa(values["t"]))
        late = number(conclusion.Lambda, values | {"t": MP.mpf(10) ** 6})
        return small and bool(abs(slope / kappa(values["t"]) + 1) < MP.mpf(10) ** -8 and abs(late) < MP.mpf(10) ** -5)

    return check


def is_scaled(conclusion: Any, values: dict[str, Any]) -> bool:
    """Mean and variance of the output times theta, by quadrature."""
    p, factor = density(ORNSTEIN, values), values["theta"]
    mean = line(lambda y: factor * y * p(values["x"], y))
    variance = line(lambda y: (factor * y - mean) ** 2 * p(values["x"], y))
    return close(number(conclusion.scale, values) * values["x"], mean) and close(
        number(conclusion.variance, values), variance
    )


def is_composed(conclusion: Any, values: dict[str, Any]) -> bool:
    """The Chapman-Kolmogorov integral at one pair of points and at another."""
    first, second = density(ORNSTEIN, values), density(BROWNIAN, values, "s")
    ours = normal_density(number(conclusion.scale, values) * values["x"], number(conclusion.variance, values))
    whole = lambda y: line(lambda z: first(values["x"], z) * second(z, y))  # noqa: E731
    return all(close(ours(y), whole(y)) for y in (values["y"], -values["y"]))


def is_invariant(conclusion: Any, values: dict[str, Any]) -> bool:
    p = density(ORNSTEIN, values)
    weight = lambda x: number(conclusion.density, values | {"x": x})  # noqa: E731
    moved = lambda y: MP.fsum(weight(MP.mpf(k) / 4) * p(MP.mpf(k) / 4, y) for k in range(-72, 73)) / 4  # noqa: E731
    return abs(moved(values["y"]) / weight(values["y"]) - 1) < MP.mpf(10) ** -6 and conclusion.unique


def is_density(conclusion: Any, values: dict[str, Any]) -> bool:
    return close(number(conclusion.value, values), density(ORNSTEIN, values)(values["x"], values["y"]))


def is_symmetric(process: Diffusion, *, flat: bool = False) -> Callable[..., bool]:
    """Exponents differ as the logarithms of the kernel do, for vectors of three coordinates, in both orders."""

    def check(conclusion: Any, values: dict[str, Any]) -> bool:
        p = density(process, values)
        late = law(process, values | {"late": MP.mpf(400)}, "late")[1]
        weight = normal_density(0, late) if process is ORNSTEIN and not flat else lambda y: MP.mpf(1)
        kernel = lambda x, y: MP.fsum(MP.log(p(a, b) / weight(b)) for a, b in zip(x, y, strict=True))  # noqa: E731
        dot = lambda x, y: MP.fsum(a * b for a, b in zip(x, y, strict=True))  # noqa: E731
        ours = lambda x, y: number(conclusion.exponent, values | {"xx": dot(x, x), "xy": dot(x, y), "yy": dot(y, y)})  # noqa: E731
        x, y, zero = [values[k] for k in "xys"], [values[k] for k in "yst"], [MP.mpf(0)] * 3
        return all(close(ours(*pair), kernel(*pair) - kernel(zero, zero)) for pair in ((x, y), (y, x), (x, zero)))

    return check


CASES: dict[str, tuple[Callable[[], Theorem], Callable[..., bool], dict[str, Callable[[Expr], list[Expr]]]]] = {}
SIGNS = lambda e: [2 * e, e / 2, -e, e + Rational(1, 7)]  # noqa: E731
LAW = {"scale": SIGNS, "variance": SIGNS}
CASES["linear-copies"] = lambda: copies(ORNSTEIN), is_law(ORNSTEIN), LAW
CASES["linear-copies, Brownian"] = lambda: copies(BROWNIAN), is_law(BROWNIAN), LAW
CASES["gaussian-at"] = lambda: at_time_s(ORNSTEIN), is_law(ORNSTEIN, "s"), LAW
CASES["gaussian-rdp"] = lambda: privacy(ORNSTEIN), is_privacy, {"value": SIGNS}
CASES["matching-gaussian"] = lambda: unbiased(ORNSTEIN), is_as_private, LAW
sensitivity = {"kappa": SIGNS, "Lambda": SIGNS}
for process in (ORNSTEIN, BROWNIAN):
    make = lambda p=process: apply("intrinsic-sensitivity", found(p).flow, dimension=D)  # noqa: E731
    CASES[f"intrinsic-sensitivity, {process.drift}"] = make, is_sensitivity(process), sensitivity
CASES["scaled-output"] = lambda: apply("scaled-output", copies(ORNSTEIN), factor=symbol("theta")), is_scaled, LAW
CASES["gaussian-after-gaussian"] = (
    lambda: apply("gaussian-after-gaussian", copies(ORNSTEIN), at_time_s(BROWNIAN)),
    is_composed,
    LAW,
)
INVARIANT = lambda: apply("invariant-gaussian", copies(ORNSTEIN))  # noqa: E731
SQUEEZED = lambda e: [e.subs(symbol("x"), 2 * symbol("x")), e.subs(symbol("x"), symbol("x") / 2), e + 1]  # noqa: E731
CASES["invariant-gaussian"] = INVARIANT, is_invariant, {"density": SQUEEZED}
DENSITY = lambda p=ORNSTEIN: apply("transition-density", copies(p))  # noqa: E731
CASES["transition-density"] = DENSITY, is_density, {"value": SIGNS}
CASES["symmetric-kernel"] = (
    lambda: apply("symmetric-kernel", DENSITY(), INVARIANT()),
    is_symmetric(ORNSTEIN),
    {"exponent": lambda e: [2 * e, -e, e.subs(symbol("xy"), -symbol("xy"))]},
)
CASES["symmetric-kernel, Brownian"] = (
    lambda: apply("symmetric-kernel", DENSITY(BROWNIAN), apply("invariant-lebesgue", copies(BROWNIAN))),
    is_symmetric(BROWNIAN),
    {"exponent": lambda e: [2 * e, -e, e.subs(symbol("xx"), symbol("yy"))]},
)


@pytest.mark.parametrize("name", CASES)
def test_true_at_random_instances_and_caught_when_mutated(name: str) -> None:
    make, check, mutations = CASES[name]
    theorem, rng = make(), random.Random(name)
    assert theorem.status == "proved"
    draws = [draw(rng) for _ in range(INSTANCES)]
    assert all(check(theorem.conclusion, values) for values in draws)
    for field, change in mutations.items():
        for mutant in change(getattr(theorem.conclusion, field)):
            wrong = replace(theorem.conclusion, **{field: mutant})
            assert not all(check(wrong, values) for values in draws), (field, mutant)
    assert replay(theorem) == theorem == from_json(to_json(theorem))


def test_the_rdp_of_copies_is_that_of_one_coordinate() -> None:
    one = found(ORNSTEIN).privacy.conclusion.value
    assert enclose(one - privacy(ORNSTEIN).conclusion.value, dict.fromkeys(one.free_symbols, 2)).upper == 0


def test_lebesgue_measure_is_moved_to_itself_by_brownian_motion_only() -> None:
    assert apply("invariant-lebesgue", copies(BROWNIAN)).conclusion.density == 1
    values = draw(random.Random(5))
    brownian, ornstein = density(BROWNIAN, values), density(ORNSTEIN, values)
    assert close(line(lambda x: brownian(x, values["y"])), 1)
    assert not close(line(lambda x: ornstein(x, values["y"])), 1)
    with pytest.raises(Refused, match="translation"):
        apply("invariant-lebesgue", copies(ORNSTEIN))


# --- hypotheses: without one of them the rule proves something false -------------------------------------------------


def mutant(rule_id: str, name: str) -> str:
    """The rule without the hypotheses whose name begins so."""
    id = f"mutant-{rule_id}-without-{name}"
    if id not in rules():
        rule = get_rule(rule_id)
        kept = lambda p, q: [c for c in rule.conditions(p, q) if not c.name.startswith(name)]  # noqa: E731
        register(replace(rule, id=id, conditions=kept))
    return id


def both(rule_id: str, name: str, *premises: Theorem, **params: Any) -> Any:
    """The conclusion that the rule refuses for want of this hypothesis, and its mutant draws."""
    with pytest.raises(Refused, match=f"'{name}"):
        apply(rule_id, *premises, **params)
    return apply(mutant(rule_id, name), *premises, **params).conclusion


def test_copies_need_a_centred_drift() -> None:
    kernel = derive(Diffusion("mu - theta*x", "sqrt(2)*rho", params="mu real")).kernel
    wrong = both("linear-copies", "centred", kernel, dimension=D)
    assert wrong.scale.subs(T, 0) == 1 and symbol("mu") not in wrong.scale.free_symbols  # the mean is not scale x


def test_the_density_needs_the_fokker_planck_equation() -> None:
    kernel = derive(Diffusion("mu - theta*x", "sqrt(2)*rho", params="mu real")).kernel
    wrong = apply(mutant("linear-copies", "centred"), kernel, dimension=D)
    assert symbol("mu") not in both("transition-density", "Fokker-Planck", wrong).value.free_symbols


def test_copies_need_a_dimension_of_their_own() -> None:
    for dimension in (symbol("theta"), T, Integer(3)):
        with pytest.raises(Refused, match="dimension"):
            apply("linear-copies", found(ORNSTEIN).kernel, dimension=dimension)


def test_copies_need_one_coordinate() -> None:
    plane = derive(Diffusion("-x1, -x2", "1,0;0,1"))
    for rule, theorem in (("linear-copies", plane.kernel), ("intrinsic-sensitivity", plane.flow)):
        with pytest.raises(Refused, match="one dimension"):
            apply(rule, theorem, dimension=D)


def test_the_intrinsic_sensitivity_needs_a_multiple_of_the_squared_distance() -> None:
    flow = derive(Diffusion("x/2", "sqrt(1+x**2)")).flow  # Brownian motion in asinh(x)
    wrong = both("intrinsic-sensitivity", "quadratic", flow, dimension=D)
    pair = {symbol("x"): Rational(1, 10), symbol("xp"): Integer(0), T: Integer(1)}
    truth = enclose(flow.conclusion.kappa, pair)
    assert enclose(wrong.kappa, {symbol("Delta"): Rational(1, 10), T: 1}).upper < truth.lower


def test_the_matching_mechanism_speaks_of_one_mechanism() -> None:
    wrong = both("matching-gaussian", "one mechanism", privacy(BROWNIAN), copies(ORNSTEIN))
    assert not is_as_private(wrong, draw(random.Random(1)))


def test_the_matching_mechanism_needs_a_gaussian_curve_at_every_order() -> None:
    conditions = get_rule("matching-gaussian").conditions
    curve, mechanism = privacy(ORNSTEIN).conclusion, copies(ORNSTEIN).conclusion
    alpha, narrow = symbol("alpha"), curve.region.intersect([Relation(symbol("t") - symbol("alpha"), ">")])
    for wrong, name in (
        (replace(curve, value=curve.value * alpha), "Gaussian curve"),
        (replace(curve, region=narrow), "all orders"),
    ):
        facts = {c.name: c.args[0] for c in conditions((wrong, mechanism), {}) if c.decider == "fact"}
        assert [key for key, value in facts.items() if not value] == [name]
    late = replace(
        curve, region=curve.region.intersect([Relation(T - 1, ">")])
    )  # what holds late only, matches late only
    assert get_rule("matching-gaussian").conclude((late, mechanism), {}).region.interval(T) == Interval.open(1, oo)


def test_a_factor_of_zero_leaves_no_noise() -> None:
    wrong = both("scaled-output", "factor", copies(ORNSTEIN), factor=Integer(0))
    assert wrong.variance == 0


def test_a_mechanism_acts_after_one_of_its_own_dimension() -> None:
    other = apply("linear-copies", found(ORNSTEIN).kernel, dimension=symbol("n"))
    both("gaussian-after-gaussian", "one dimension", other, copies(ORNSTEIN))


def test_values_stay_in_their_range() -> None:
    region = ORNSTEIN.params.extend({D: Interval(Integer(1), oo, True, False)})
    wrong = both("gaussian-at", "range", copies(ORNSTEIN), values=((T, Integer(-1)),), region=region)
    assert wrong.variance.subs({symbol("theta"): 1, symbol("rho"): 1}) < 0
    with pytest.raises(Refused, match="'defined"):
        apply(
            "gaussian-at",
            copies(ORNSTEIN),
            values=((symbol("unused"), parse("log(-theta)")),),
            region=region.extend({T: Interval.positive()}),
        )
    with pytest.raises(Refused, match="symbols"):
        apply("gaussian-at", copies(BROWNIAN), values=((T, S + 1),), region=Region.make({D: Interval.open(1, 2)}))


def test_only_an_attracting_drift_has_an_invariant_law() -> None:
    repelling = copies(Diffusion("a*x", "1"))
    wrong = both("invariant-gaussian", "attracting", repelling)
    assert wrong.density.subs({symbol("a"): 1, symbol("x"): 1}).is_real is False
    with pytest.raises(Refused, match="attracting"):
        apply("invariant-gaussian", copies(BROWNIAN))


def test_the_kernel_is_symmetric_for_its_own_invariant_measure_only() -> None:
    lebesgue = apply("invariant-lebesgue", copies(BROWNIAN))
    with pytest.raises(Refused, match="one process"):
        apply("symmetric-kernel", DENSITY(), lebesgue)
    flat = apply(mutant("invariant-lebesgue", "translation"), copies(ORNSTEIN))
    wrong = both("symmetric-kernel", "symmetric", DENSITY(), flat)
    assert not is_symmetric(ORNSTEIN, flat=True)(wrong, draw(random.Random(2)))


def test_a_mechanism_that_is_no_diffusion_has_no_transition_density() -> None:
    for rule in ("transition-density", "invariant-gaussian", "invariant-lebesgue"):
        with pytest.raises(Refused, match="'diffusion'"):
            apply(rule, unbiased(ORNSTEIN))


def test_every_rule_of_the_chapters_has_a_case() -> None:
    chapters = {f"symdp.rules.{chapter}" for chapter in ("coordinates", "gaussian", "stationary")}
    ours = {id for id, rule in rules().items() if rule.conclude.__module__ in chapters and not id.startswith("mutant")}
    assert ours == {name.split(",")[0] for name in CASES} | {"invariant-lebesgue"}
    assert isinstance(copies(ORNSTEIN).conclusion.subject, Copies) and parse("d") == D
