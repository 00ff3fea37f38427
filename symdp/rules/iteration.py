"""Privacy amplification by iteration: noisy Lipschitz steps, from two starts a distance apart.

The proof behind all of it. Run the two iterations on one sequence of noises, but let the noise of step i of the first
have a mean ``h_i`` that moves its iterate towards the other one by at most ``a_i``. Where the iterates are at distance
``d``, the maps bring them to ``L_i d`` at most, the shift to ``L_i d - a_i``, and a projection on a convex set to no
more. If the shifts bring the distance to 0, then the last iterate of both is one function of noises that differ only
by their means: as an adaptive composition of Gaussian mechanisms, telling them apart is as hard as telling N(0, 1) from
N(mu, 1), ``mu^2 = sum a_i^2/s_i^2``. All statements are for both orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Add, Expr, Integer, oo, sqrt

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import GaussianDP, NoisyIteration, RenyiDP, UniformIteration
from symdp.judgments.base import name_of
from symdp.judgments.iteration import NORMS, pairs
from symdp.region import Interval, Region
from symdp.rule import Query, Rule, no_parameters, register
from symdp.rules.conditions import ALPHA, holds
from symdp.rules.noise import each, geometric, one_law, power, ratio, whole
from symdp.rules.regions import with_symbol
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
_MANY = 64  # steps, up to which a search tries paths


def orders(region: Region) -> Region:
    """The region with the order above 1."""
    return with_symbol(region, ALPHA, Interval.open(1, oo))


def iteration_conditions(fact: NoisyIteration, law: str) -> Iterator[Condition]:
    """Noise of one law at every step, Lipschitz constants and sensitivity not negative."""
    yield one_law(law, [(name_of(fact.subject), fact.law, NORMS[fact.law])])
    yield from each("noise", fact.sigma, ">", fact.region)
    yield from each("Lipschitz constant", fact.lipschitz, ">=", fact.region)
    yield holds("sensitivity", Relation(fact.sensitivity, ">="), fact.region, "the sensitivity is not negative")


def stretches(lipschitz: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """How far each step moves apart what the start moves apart by 1: ``L_1, L_1 L_2, ...``."""
    found: list[Expr] = []
    for constant in lipschitz:
        found.append(constant * (found[-1] if found else Integer(1)))
    return tuple(found)


# --- Theorem 4 along a path, and its optimum ------------------------------------------------------------------------


def path_conditions(fact: NoisyIteration, lengths: tuple[Expr, ...], law: str) -> Iterator[Condition]:
    """A path from one start to the other, in as many segments as there are steps."""
    yield from iteration_conditions(fact, law)
    fits = len(lengths) == len(fact.sigma)
    yield Condition("segments", "the path has as many segments as there are steps", "fact", (fits,))
    region = orders(fact.region)
    yield from each("length", lengths, ">=", region)
    total = Relation(Add(*lengths) - fact.sensitivity, ">=")
    yield holds("whole path", total, region, "the segments reach from one start to the other")


def segment_costs(fact: NoisyIteration, lengths: tuple[Expr, ...]) -> list[Expr]:
    """What each segment still measures where its noise has to hide it, over that noise: ``prod L_j W_i/s``.

    Segment i from the first start is the one that the first ``r - i + 1`` steps carry along.
    """
    carried = reversed(tuple(zip(stretches(fact.lipschitz), fact.sigma, strict=True)))
    return [stretch * length / sigma for (stretch, sigma), length in zip(carried, lengths, strict=True)]


def _path_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from path_conditions(premises[0], params["lengths"], "gaussian")


def _path(premises: Premises, params: Params) -> RenyiDP:
    """``alpha/2 sum (prod_{j <= r-i+1} L_j W_i/s_{r-i+1})^2``.

    With one L and one s that is ``alpha L^2/(2 s^2) sum L^(2(r-i)) W_i^2``.
    Between two starts on the path at distance ``W_i`` apply the proof above with one shift, at step ``r - i + 1``.
    """
    fact = premises[0]
    value = ALPHA / 2 * Add(*(cost**2 for cost in segment_costs(fact, params["lengths"])))
    return RenyiDP(fact.subject, value, region=orders(fact.region), **pairs(fact))


def best_lengths(fact: NoisyIteration) -> tuple[Expr, ...]:
    """The lengths for which Theorem 4 (2) is least: in the ratios ``(s/prod L_j)^2``, all on one segment if a product
    is 0."""
    carried = list(zip(stretches(fact.lipschitz), fact.sigma, strict=True))[::-1]
    lost = [i for i, (stretch, _) in enumerate(carried) if stretch == 0]
    if lost:
        return tuple(fact.sensitivity if i == lost[0] else Integer(0) for i in range(len(carried)))
    weights = [(sigma / stretch) ** 2 for stretch, sigma in carried]
    return tuple(fact.sensitivity * weight / Add(*weights) for weight in weights)


def _path_suggestion(premises: Premises, _: Query) -> Iterator[Mapping[str, Any]]:
    fact = premises[0]
    if fact.law == "gaussian" and len(fact.sigma) <= _MANY:
        yield {"lengths": best_lengths(fact)}
        if len(fact.sigma) > 1:
            yield {"lengths": (fact.sensitivity / len(fact.sigma),) * len(fact.sigma)}


def _optimum_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield from iteration_conditions(premises[0], "gaussian")


def _optimum(premises: Premises, _: Params) -> GaussianDP:
    """``mu = Delta P_r/sqrt(sum (s_i P_r/P_i)^2)`` with ``P_i = L_1 ... L_i``.

    Shifts ``a_i`` end the distance if ``sum a_i/P_i = Delta``; then ``sum a_i^2/s_i^2`` is least, by Cauchy-Schwarz,
    for ``a_i`` in the ratios ``s_i^2/P_i``: ``Delta^2/sum (s_i/P_i)^2``. It is multiplied out, so that an L of 0 gives
    0. Linear maps without projection attain it: Gaussian laws of means ``P_r Delta`` apart and that variance.
    """
    fact = premises[0]
    rest, variance, last = Integer(1), Integer(0), fact.sigma[-1]
    for constant, sigma in reversed(tuple(zip(fact.lipschitz, fact.sigma, strict=True))):
        variance += (sigma / last * rest) ** 2
        rest *= constant
    mu = fact.sensitivity * rest / (last * sqrt(variance))
    return GaussianDP(fact.subject, mu, fact.region, **pairs(fact))


register(
    Rule(
        id="iteration-path",
        title="Renyi differential privacy of a noisy iteration along a path",
        citation=Citation("balle2019", "Theorem 4 (2)", "each step with a Lipschitz constant and a noise of its own"),
        premises=(NoisyIteration,),
        conditions=_path_conditions,
        conclude=_path,
        tightness="upper",
        suggest=_path_suggestion,
    )
)
register(
    Rule(
        id="path-optimum",
        title="Gaussian differential privacy of a noisy iteration, the best path",
        citation=(
            Citation("balle2019", "Theorem 4 (2)", "at the best path, any Lipschitz constants"),
            Citation("dong2019", "Corollary 3.3", "adaptive composition of Gaussian trade-offs"),
        ),
        premises=(NoisyIteration,),
        conditions=_optimum_conditions,
        conclude=_optimum,
        tightness="exact",
        suggest=no_parameters,
    )
)

# --- equal steps, their number a symbol if need be ------------------------------------------------------------------


def _uniform_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    fact = premises[0]
    yield whole("steps", fact.steps, fact.region)
    yield holds("noise", Relation(fact.sigma, ">"), fact.region, "the noise is positive")
    yield holds("sensitivity", Relation(fact.sensitivity, ">="), fact.region, "the sensitivity is not negative")
    yield from ratio("L", fact.lipschitz, fact.steps, fact.region)


def _uniform(premises: Premises, _: Params) -> GaussianDP:
    """``mu = Delta L^r/(s sqrt(sum_{j<r} L^(2j)))``, that is ``Delta/(s sqrt(sum_{j=1}^r L^(-2j)))`` for L > 0.

    The sum is r at L = 1 and ``(1 - L^(2r))/(1 - L^2)`` elsewhere.
    """
    f = premises[0]
    deviation = f.sigma * sqrt(geometric(f.lipschitz, f.steps, f.region, 2))
    mu = f.sensitivity * power(f.lipschitz, f.steps, f.region) / deviation
    return GaussianDP(f.subject, mu, f.region, **pairs(f))


def _rate_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    fact = premises[0]
    yield from _uniform_conditions(premises, _)
    yield holds("contraction", Relation(1 - fact.lipschitz, ">="), fact.region, "L is at most 1")


def _rate(premises: Premises, _: Params) -> RenyiDP:
    """``alpha Delta^2 L^(r+1)/(2 r s^2)``: the lengths in the ratios ``L^i`` make each term of (2) a power of L, and
    the mean of ``L^(-2j)``, j = 1, ..., r, is at least ``L^-(r+1)``, its geometric mean.
    """
    f = premises[0]
    decay = power(f.lipschitz, f.steps + 1, f.region)
    value = ALPHA * f.sensitivity**2 * decay / (2 * f.steps * f.sigma**2)
    return RenyiDP(f.subject, value, region=orders(f.region), **pairs(f))


register(
    Rule(
        id="path-optimum-uniform",
        title="Gaussian differential privacy of equal noisy steps, the best path",
        citation=(
            Citation("balle2019", "Theorem 4 (2)", "at the best path, any Lipschitz constant"),
            Citation("dong2019", "Corollary 3.3", "adaptive composition of Gaussian trade-offs"),
        ),
        premises=(UniformIteration,),
        conditions=_uniform_conditions,
        conclude=_uniform,
        tightness="exact",
        suggest=no_parameters,
    )
)
register(
    Rule(
        id="iteration-rate",
        title="Renyi differential privacy of equal noisy contractions",
        citation=Citation("balle2019", "Theorem 4 (3)"),
        premises=(UniformIteration,),
        conditions=_rate_conditions,
        conclude=_rate,
        tightness="upper",
        suggest=no_parameters,
    )
)
