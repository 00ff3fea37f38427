"""The least error for a Renyi budget, against dense grids of Gaussian mechanisms and of diffusions; mutants."""

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from sympy import Integer, Rational

from symdp import Diffusion, Refused
from symdp.derivation import derive
from symdp.derivation.utility import Tuning, tune
from symdp.enclosure import enclose
from symdp.errors import InputError
from symdp.judgments import Mechanism, NoiseMechanism
from symdp.region import Region
from symdp.rule import get_rule, rules
from symdp.text import parse, symbol
from symdp.theorem import Theorem, apply, from_json, replay, to_json
from tests.oracle import MP
from tests.rules.test_gaussian_mechanisms import SIGNS, both, close, number

R, D, THETA, RHO = (symbol(name) for name in ("R", "d", "theta", "rho"))
TINY = MP.mpf(10) ** -15


@cache
def tuned() -> Tuning:
    return tune(derive(Diffusion("-theta*x", "sqrt(2)*rho")).kernel, [THETA, RHO], R, D)


def draw(rng: random.Random) -> dict[str, Any]:
    values = {name: MP.mpf(rng.randint(2, 20)) / 8 for name in ("epsilon", "Delta", "R", "t")}
    return values | {"d": MP.mpf(rng.randint(1, 6))}


def law(theta: Any, rho: Any, t: Any) -> tuple[Any, Any]:
    """Scale and variance from ``(m, v)' = (-theta m, -2 theta v + 2 rho^2)``, by the matrix exponential."""
    flow = MP.expm(MP.matrix([[-theta, 0, 0], [0, -2 * theta, 2 * rho**2], [0, 0, 0]]) * t)
    return flow[0, 0], flow[1, 2]


def budget(scale: Any, variance: Any, values: dict[str, Any]) -> Any:
    """R_alpha/alpha of two neighbours: half the squared distance of the means in widths."""
    return (scale * values["Delta"]) ** 2 / variance / 2


def error(scale: Any, variance: Any, values: dict[str, Any]) -> Any:
    return (1 - scale) ** 2 * values["R"] ** 2 + values["d"] * variance


def grid_of_mechanisms(values: dict[str, Any]) -> Any:
    """The least error of ``b f(D) + N(0, w)`` within the budget, b on a grid that a parabola refines."""
    best = {}
    for k in range(-20, 61):
        b = MP.mpf(k) / 40
        w = (b * values["Delta"]) ** 2 / (2 * values["epsilon"])
        best[k] = error(b, w, values)
    k = min(best, key=best.__getitem__)
    left, middle, right = (best.get(k + side, best[k]) for side in (-1, 0, 1))
    bend = left - 2 * middle + right
    return middle - (right - left) ** 2 / (8 * bend)


def is_least(conclusion: Any, values: dict[str, Any]) -> bool:
    ours = number(conclusion.value, values)
    return close(ours, grid_of_mechanisms(values)) and close(number(conclusion.epsilon, values), values["epsilon"])


def test_the_least_error_is_that_of_a_dense_grid_and_caught_when_mutated() -> None:
    theorem, rng = tuned().least, random.Random(7)
    assert theorem.rule.id == "least-error" and (theorem.status, theorem.tightness) == ("proved", "exact")
    draws = [draw(rng) for _ in range(6)]
    known: Any = theorem.conclusion
    assert all(is_least(known, values) for values in draws)
    for field in ("value", "epsilon"):
        for mutant in SIGNS(getattr(known, field)):
            assert not all(is_least(replace(known, **{field: mutant}), values) for values in draws), mutant
    assert replay(theorem) == theorem == from_json(to_json(theorem))


def test_the_chosen_parameters_attain_it_and_no_other_do_better() -> None:
    """The law of the diffusion by matrix exponentials; a grid of theta and rho, of which those within the budget."""
    rng = random.Random(8)
    for values in (draw(rng) for _ in range(3)):
        theta, rho = (number(expr, values) for _, expr in tuned().values)
        scale, variance = law(theta, rho, values["t"])
        least = error(scale, variance, values)
        assert close(budget(scale, variance, values), values["epsilon"])
        assert close(least, number(tuned().least.conclusion.value, values))  # type: ignore[attr-defined]
        for i in range(-6, 7):
            for j in range(-6, 7):
                other = law(theta * MP.mpf(1.2) ** i, rho * MP.mpf(1.2) ** j, values["t"])
                if budget(*other, values) <= values["epsilon"]:
                    assert error(*other, values) >= least - TINY


def test_the_gaussian_mechanism_of_the_same_privacy_errs_more() -> None:
    rng, ratio = random.Random(9), tuned().ratio.conclusion
    for values in (draw(rng) for _ in range(4)):
        plain = values["d"] * values["Delta"] ** 2 / (2 * values["epsilon"])
        ours = number(ratio.value, values)  # type: ignore[attr-defined]
        assert close(ours, grid_of_mechanisms(values) / plain) and ours < 1


def test_the_public_problem_to_many_digits() -> None:
    numbers = ((symbol("epsilon"), Rational(1, 2)), (symbol("Delta"), Integer(1)), (R, Integer(2)), (D, Integer(3)))
    at = apply("least-error-at-values", tuned().least, values=(*numbers, (symbol("t"), Integer(1))))
    known: Any = at.conclusion
    assert (known.value, known.norm, known.epsilon) == (Rational(12, 7), 2, Rational(1, 2))
    assert enclose(known.value, {}, 25).to_decimal(25)[0].startswith("1.71428571428571428571")
    plain = apply("error-at-values", tuned().error, values=(*numbers, (symbol("t"), Integer(1))))
    assert plain.conclusion.value == Rational(12, 7)  # type: ignore[attr-defined]
    assert replay(at) == at == from_json(to_json(at))


# --- hypotheses ------------------------------------------------------------------------------------------------------


def premises() -> tuple[Theorem, Theorem, Theorem]:
    return tuned().mechanism, tuned().privacy, tuned().error


def test_a_mutated_value_is_refuted() -> None:
    """Of "least-error": a value that is not the error, or an error that is not least."""
    value = tuned().least.conclusion.value  # type: ignore[attr-defined]
    with pytest.raises(Refused, match="'value'"):
        apply("least-error", *premises(), value=2 * value)
    wrong = both("least-error", "value", *premises(), value=value / 2)
    assert not is_least(wrong, draw(random.Random(3)))


def mistuned(factor: Any) -> tuple[Theorem, Theorem, Theorem]:
    """The same budget, met with another drift."""
    kernel = derive(Diffusion("-theta*x", "sqrt(2)*rho")).kernel
    assert kernel is not None
    mechanism = apply("linear-copies", kernel, dimension=D)
    theta = factor * tuned().values[0][1]
    rho = parse("Delta") * (theta / (2 * parse("epsilon") * (parse("exp(2*t*y)") - 1).subs(symbol("y"), theta))) ** (
        Rational(1, 2)
    )
    region = tuned().mechanism.region
    mechanism = apply("gaussian-at", mechanism, values=((THETA, theta), (RHO, rho)), region=region)
    error = apply("mean-squared-error", mechanism, norm=symbol("norm"))
    return mechanism, apply("gaussian-rdp", mechanism), apply("largest-error", error, radius=R)


@pytest.mark.parametrize("factor", [Integer(2), Integer(3)])
def test_another_drift_of_the_same_budget_is_refuted(factor: Any) -> None:
    """Of "least-error": without its hypothesis the rule would call it the best."""
    mechanism, privacy, error = mistuned(factor)
    value = error.conclusion.value  # type: ignore[attr-defined]
    wrong = both("least-error", "least", mechanism, privacy, error, value=value)
    assert number(wrong.value, draw(random.Random(4))) > grid_of_mechanisms(draw(random.Random(4))) + TINY


def test_the_premises_speak_of_one_mechanism_at_every_order() -> None:
    value = tuned().least.conclusion.value  # type: ignore[attr-defined]
    other = mistuned(Integer(2))
    for mixed in ((other[0], *premises()[1:]), (premises()[0], other[1], premises()[2])):
        with pytest.raises(Refused, match="one mechanism"):
            apply("least-error", *mixed, value=value)
    conditions = get_rule("least-error").conditions
    facts = [theorem.conclusion for theorem in premises()]
    mechanism, privacy, error = facts
    for wrong, name in (
        ((mechanism, replace(privacy, value=privacy.value * symbol("alpha")), error), "Gaussian curve"),  # type: ignore[type-var]
        ((mechanism, replace(privacy, sensitivity=Integer(1)), error), "Gaussian curve"),  # type: ignore[type-var]
        ((mechanism, privacy, replace(error, worst=False)), "largest"),  # type: ignore[type-var]
    ):
        failed = [c.name for c in conditions(wrong, {"value": value}) if c.decider == "fact" and not c.args[0]]
        assert failed == [name]


def test_what_is_free_must_set_drift_and_noise() -> None:
    motion = derive(Diffusion("0", "s")).kernel
    with pytest.raises(Refused, match="no choice of s is found"):
        tune(motion, [symbol("s")], R, D)
    with pytest.raises(InputError, match="parameter of the process"):
        tune(derive(Diffusion("-R*x", "s*c")).kernel, [symbol("R"), symbol("s")], symbol("c"), D)


def test_any_names_and_a_mean_zero_drift_are_tuned() -> None:
    found = tune(derive(Diffusion("-k*x/2", "3*s")).kernel, [symbol("s"), symbol("k")], R, D)
    values = draw(random.Random(5))
    (drift, k), (noise, s) = found.values
    assert (drift.name, noise.name) == ("k", "s")
    scale, variance = law(number(k, values) / 2, 3 * number(s, values) / MP.sqrt(2), values["t"])
    assert close(error(scale, variance, values), grid_of_mechanisms(values))


# --- plain Gaussian noise --------------------------------------------------------------------------------------------


def noise(law: str = "gaussian", scale: int = 2, norm: str = "l2") -> Theorem:
    fact = NoiseMechanism(Mechanism("M"), law, Integer(scale), Integer(1), norm, Region())
    return apply("described", fact=fact)


def test_gaussian_noise_is_a_mechanism_and_caught_when_mutated() -> None:
    """Of "gaussian-noise": the mean square of three independent coordinates, by the trapezoidal rule."""
    known: Any = apply("gaussian-noise", noise(), dimension=Integer(3)).conclusion
    density = lambda z: MP.npdf(z, 0, 2)  # noqa: E731
    truth = 3 * MP.fsum(z**2 * density(z) for z in (MP.mpf(k) / 4 for k in range(-120, 121))) / 4
    check = lambda c: close(number(c.dimension * c.variance, {}), truth) and c.scale == 1  # noqa: E731
    assert check(known)
    for field in ("variance", "dimension", "scale"):
        assert not any(check(replace(known, **{field: e})) for e in SIGNS(getattr(known, field)))
    for wrong in (noise("laplace", norm="l1"), noise(norm="l1")):
        conclusion = both("gaussian-noise", "law", wrong, dimension=Integer(1))
        assert conclusion.variance == 4  # Laplace noise of scale 2 has the variance 8
    with pytest.raises(Refused, match="'noise'"):
        apply("gaussian-noise", noise(scale=-2), dimension=Integer(1))
    for dimension in (Integer(0), Rational(1, 2), D):
        with pytest.raises(Refused, match="'dimension'"):
            apply("gaussian-noise", noise(), dimension=dimension)


def test_every_rule_of_the_chapter_is_here() -> None:
    ours = {i for i, rule in rules().items() if rule.conclude.__module__ == "symdp.rules.tuning" and "mutant" not in i}
    assert ours == {"least-error", "gaussian-noise"}
