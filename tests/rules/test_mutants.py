"""Every rule about a diffusion, checked from first principles; the same check must catch a mutated copy.

The checks know the kernel from the literature only. A rule that is in none of them fails the last test.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import pytest
from sympy import Expr, Integer, Rational

import symdp.rules  # noqa: F401
from symdp.derivation import derive
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import Refused
from symdp.judgments import Divergence, GaussianDP, HeatFlow, Judgment, LimitDivergence, RenyiDP
from symdp.rule import get_rule, register, rules
from symdp.text import parse, symbol
from symdp.theorem import Theorem, apply
from tests.oracle import MP, benes, normal_density, ornstein_uhlenbeck

ALPHA, T, X, XP = MP.mpf(5) / 2, MP.mpf(1) / 2, MP.mpf(3) / 4, MP.mpf(-1) / 4
VALUES = {"alpha": "5/2", "t": "1/2", "x": "3/4", "xp": "-1/4", "Delta": "1"}


def number(expr: Expr, **changed: str) -> Any:
    table = {symbol(k): parse(v) for k, v in {**VALUES, **changed}.items() if symbol(k) in expr.free_symbols}
    return MP.mpf(enclose(expr, table, digits=25).mid)


def close(a: Any, b: Any) -> bool:
    return abs(a - b) <= MP.mpf(10) ** -9 * (1 + abs(b))


class Truth:
    """A diffusion with a known kernel: ``start(t)(x)`` is the density at time t."""

    def __init__(self, start: Callable[[Any], Callable[[Any], Any]], reach: int) -> None:
        self.start, self.reach = start, reach

    def divergence(self, t: Any, x: Any, xp: Any, alpha: Any = ALPHA) -> Any:
        """By the trapezoidal rule, which converges exponentially for these densities."""
        p, q = self.start(t)(x), self.start(t)(xp)
        nodes = (MP.mpf(k) / 8 for k in range(-8 * self.reach, 8 * self.reach + 1))
        return MP.log(MP.fsum(p(y) ** alpha * q(y) ** (1 - alpha) for y in nodes) / 8) / (alpha - 1)

    def kappa(self, t: Any) -> Any:
        """``sup_y`` of the squared slope of the log-ratio (Gamma(f) = f'^2 here), by a central difference on a grid."""
        law, h = self.start(t), MP.mpf(10) ** -8
        p, q = law(X), law(XP)
        ratio = lambda y: MP.log(p(y) / q(y))  # noqa: E731
        return max(((ratio(y + h) - ratio(y - h)) / (2 * h)) ** 2 for y in (MP.mpf(-2), MP.mpf(0), MP.mpf(1)))

    @cached_property
    def privacy(self) -> Any:
        """The largest divergence of two starts at distance 1, over a grid of starts and both orders."""
        starts = [MP.mpf(k) / 4 for k in range(-6, 7)]
        return max(self.divergence(T, *pair) for a in starts for pair in ((a + 1, a), (a, a + 1)))


def coins(x: Any, xp: Any) -> Any:
    """A Benes process goes to +oo or to -oo: what it never forgets is a coin of bias ``(1 + tanh x)/2``."""
    p, q = (1 + MP.tanh(x)) / 2, (1 + MP.tanh(xp)) / 2
    return MP.log(p**ALPHA * q ** (1 - ALPHA) + (1 - p) ** ALPHA * (1 - q) ** (1 - ALPHA)) / (ALPHA - 1)


def brownian(t: Any) -> Callable[[Any], Any]:
    return lambda x: normal_density(x, 2 * t)


def repelling(t: Any) -> Callable[[Any], Any]:
    """``dX = X dt + sqrt2 dW``."""
    return lambda x: normal_density(MP.exp(t) * x, MP.expm1(2 * t))


ORNSTEIN = Truth(lambda t: ornstein_uhlenbeck(MP.mpf(1), MP.mpf(1), t), 12)
BROWNIAN = Truth(brownian, 30)
BENES = Truth(lambda t: benes(MP.mpf(1), t), 40)
REPELLING = Truth(repelling, 14)
PROCESSES = {
    "Ornstein-Uhlenbeck": (Diffusion("-x", "sqrt(2)"), ORNSTEIN),
    "Brownian": (Diffusion("0", "sqrt(2)"), BROWNIAN),
    "Benes": (Diffusion("2*tanh(x)", "sqrt(2)"), BENES),
    "repelling": (Diffusion("x", "sqrt(2)"), REPELLING),
}


def holds(conclusion: Judgment, truth: Truth) -> bool:
    """Whether what a rule concluded is true, by numbers that know nothing of the rule."""
    match conclusion:
        case Divergence(value=value):
            return close(number(value), truth.divergence(T, X, XP))
        case LimitDivergence(value=value):
            if truth is REPELLING:  # at t = 40 the law is wider than any grid: e^{-t} X_t converges instead
                return close(number(value), ALPHA * (X - XP) ** 2 / 2)
            return close(number(value), coins(X, XP) if truth is BENES else MP.mpf(0))
        case HeatFlow(kappa=kappa, Lambda=total):
            h = MP.mpf(1) / 1000
            slope = (number(total, t="501/1000") - number(total, t="499/1000")) / (2 * h)
            spread = abs(number(kappa) - truth.kappa(T)) < MP.mpf("1e-6")
            return bool(spread and abs(slope + number(kappa)) < MP.mpf("1e-4") and number(total, t="60") < 0.01)
        case RenyiDP(value=value):
            best = truth.privacy
            return bool(best <= number(value) + MP.mpf("1e-9") and abs(best / number(value) - 1) < MP.mpf("0.02"))
        case GaussianDP(mu=mu):
            return close(ALPHA * number(mu) ** 2 / 2, truth.divergence(T, X, XP))
    raise AssertionError(type(conclusion))


def theorems(name: str) -> list[Theorem]:
    """Every theorem of the derivation whose conclusion is a number, one for each rule."""
    found = derive(PROCESSES[name][0])
    tops = [found.divergence, found.flow, found.limit, found.privacy, found.gaussian, found.heat_flow]
    nodes = {node.rule.id: node for top in tops if top is not None for node in top.walk()}
    kinds = (Divergence, HeatFlow, LimitDivergence, RenyiDP, GaussianDP)
    return [node for node in nodes.values() if isinstance(node.conclusion, kinds)]


def mehler() -> list[Theorem]:
    """The rules of the Mehler class, on Ornstein-Uhlenbeck (which the search takes as linear)."""
    process = PROCESSES["Ornstein-Uhlenbeck"][0]
    kernel = apply("mehler-doob-kernel", process=process, coordinate=parse("x"), rate=Rational(1, 2), side=-1, degree=0)
    flow = apply("heat-flow-mehler", kernel)
    limit = apply("mehler-doob-limit", kernel)
    conservative = apply("conservative-1d", process=process)
    return [
        apply("mehler-doob-divergence", kernel),
        flow,
        limit,
        apply("rdp-mehler-doob", kernel),
        apply("heat-flow", conservative, flow, limit),
    ]


def controlled(name: str) -> list[Theorem]:
    """The rules of the control energy, on processes that the search takes in closed form."""
    process, slope = PROCESSES[name][0], Integer(1 if name == "repelling" else -1)
    kernel = apply("controllable-kernel", process=process, drift=((slope,),), noise=((Integer(2),),))
    divergence = apply("divergence-controlled", kernel)
    if name == "repelling":  # W(oo) = 2 int_0^oo e^{-2s} ds
        limit = apply("limit-controlled-repelling", kernel, limit=((Integer(1),),), precision=((Integer(1),),))
    else:
        limit = apply("limit-of-merging", apply("merging-controlled", kernel), divergence)
    flow = apply("heat-flow-controlled", kernel, limit)
    return [divergence, limit, flow, apply("rdp-controlled", kernel), apply("gdp-controlled", kernel)]


CASES = [(name, node) for name in PROCESSES for node in theorems(name)]
CASES += [("Ornstein-Uhlenbeck", node) for node in mehler()]
CASES += [(name, node) for name in ("Ornstein-Uhlenbeck", "repelling") for node in controlled(name)]


@pytest.mark.parametrize("name, node", CASES, ids=[f"{name}-{node.rule.id}" for name, node in CASES])
def test_true_as_it_is_and_caught_when_mutated(name: str, node: Theorem) -> None:
    truth = PROCESSES[name][1]
    conclusion: Any = node.conclusion
    assert holds(conclusion, truth)
    for field in ("value", "kappa", "Lambda", "mu"):
        expr = getattr(conclusion, field, None)
        if expr is None:
            continue
        mutants = [expr + 1] if expr == 0 else [expr / 2, 2 * expr, -expr]
        if field == "mu":
            mutants.remove(-expr)  # a Gaussian trade-off depends on |mu| alone
        for mutant in mutants:
            assert not holds(replace(conclusion, **{field: mutant}), truth), (field, mutant)


# --- hypotheses: without one of them the rule proves something false -------------------------------------------------


def without(rule_id: str, name: str) -> str:
    rule = get_rule(rule_id)
    mutant = f"mutant-{rule_id}-without-{name.replace(' ', '-')}"
    register(
        replace(
            rule, id=mutant, conditions=lambda p, q: [c for c in rule.conditions(p, q) if not c.name.startswith(name)]
        )
    )
    return mutant


def test_conservative_needs_its_ends() -> None:
    process = Diffusion("x**3", "1")  # reaches infinity in finite time
    with pytest.raises(Refused, match="ends"):
        apply("conservative-1d", process=process)
    assert apply(without("conservative-1d", "ends"), process=process).status == "proved"


def test_conservative_linear_needs_an_affine_drift() -> None:
    process = Diffusion("x1**3, x2", "1,0;0,1")
    with pytest.raises(Refused, match="affine"):
        apply("conservative-linear", process=process)
    assert apply(without("conservative-linear", "affine"), process=process).status == "proved"


def test_merging_needs_recurrence() -> None:
    process, truth = PROCESSES["Benes"]
    with pytest.raises(Refused, match="recurrent"):
        apply("merging-recurrent", process=process)
    wrong = apply(without("merging-recurrent", "recurrent"), process=process)
    divergence = derive(process).divergence
    limit = apply("limit-of-merging", wrong, divergence).conclusion
    assert not holds(limit, truth)


def test_merging_needs_eigenvalues_that_do_not_repel() -> None:
    process, truth = PROCESSES["repelling"]
    kernel = derive(process).kernel
    spectrum = ((Integer(1), Integer(0), 1),)
    with pytest.raises(Refused, match="eigenvalue"):
        apply("merging-linear", kernel, spectrum=spectrum)
    wrong = apply(without("merging-linear", "eigenvalue"), kernel, spectrum=spectrum)
    limit = apply("limit-of-merging", wrong, derive(process).divergence).conclusion
    assert not holds(limit, truth)


def test_controlled_merging_needs_hurwitz_determinants() -> None:
    process, truth = PROCESSES["repelling"]
    kernel = apply("controllable-kernel", process=process, drift=((Integer(1),),), noise=((Integer(2),),))
    with pytest.raises(Refused, match="Hurwitz"):
        apply("merging-controlled", kernel)
    wrong = apply(without("merging-controlled", "Hurwitz"), kernel)
    assert not holds(apply("limit-of-merging", wrong, derive(process).divergence).conclusion, truth)


def test_a_controllable_kernel_needs_its_matrices() -> None:
    process, truth = PROCESSES["Ornstein-Uhlenbeck"]
    wrong = {"process": process, "drift": ((Integer(-2),),), "noise": ((Integer(2),),)}
    with pytest.raises(Refused, match="drift matrix"):
        apply("controllable-kernel", **wrong)
    kernel = apply(without("controllable-kernel", "drift matrix"), **wrong)
    assert not holds(apply("divergence-controlled", kernel).conclusion, truth)


def test_the_limit_of_a_repelling_drift_needs_its_equation() -> None:
    process, truth = PROCESSES["repelling"]
    kernel = derive(process).kernel
    wrong = {"spectrum": ((Integer(1), Integer(0), 1),), "limit": ((Integer(3),),), "precision": ((Rational(1, 3),),)}
    with pytest.raises(Refused, match="Lyapunov"):
        apply("limit-linear-repelling", kernel, **wrong)
    limit = apply(without("limit-linear-repelling", "Lyapunov"), kernel, **wrong).conclusion
    assert not holds(limit, truth)
    kernel = apply("controllable-kernel", process=process, drift=((Integer(1),),), noise=((Integer(2),),))
    del wrong["spectrum"]
    with pytest.raises(Refused, match="Lyapunov"):
        apply("limit-controlled-repelling", kernel, **wrong)
    assert not holds(apply(without("limit-controlled-repelling", "Lyapunov"), kernel, **wrong).conclusion, truth)


def test_neighbours_need_constant_noise() -> None:
    """Geometric Brownian motion: with the Euclidean distance the bound would be below the truth near 0."""
    process = Diffusion("0", "x", domain="x>0")
    kernel = derive(process).kernel
    with pytest.raises(Refused, match="constant noise"):
        apply("rdp-brownian-doob", kernel)
    wrong = apply(without("rdp-brownian-doob", "constant noise"), kernel).conclusion.value
    pair = derive(process).divergence.conclusion.value
    assert number(wrong.subs(symbol("x"), 1)) < number(pair.subs({symbol("x"): 1, symbol("xp"): Rational(1, 1000)}))


# --- coverage --------------------------------------------------------------------------------------------------------

ELSEWHERE = {
    "brownian-doob-kernel",
    "controllable-kernel",
    "conservative-curvature",
    "identity",
    "inequality",
    "linear-kernel",
    "mehler-doob-kernel",
    "merging-curvature",
}
"""Rules whose conclusions are no numbers: their hypotheses are mutated in the tests of their chapters."""

HYPOTHESES = {"conservative-1d", "conservative-linear", "merging-controlled", "merging-linear", "merging-recurrent"}


def test_every_rule_of_the_diffusion_chapters_is_mutated_somewhere() -> None:
    chapters = {
        "symdp.rules." + c
        for c in ("controlled", "curvature", "doob", "heat_flow", "linear", "mathematics", "neighbours")
    }
    ours = {
        id
        for id, rule in rules().items()
        if rule.conclude.__module__ in chapters and not id.startswith(("mutant", "toy"))
    }
    assert ours - {node.rule.id for _, node in CASES} - ELSEWHERE - HYPOTHESES == set()
