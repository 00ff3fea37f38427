"""Gaussian mechanisms ``N(scale f(D), variance I)`` on R^d: privacy, post-processing, invariant law and density."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Add, Expr, Integer, Mul, diff, exp, log, oo, pi, sqrt

from symdp.citations import Citation
from symdp.diffusion.operators import Copies
from symdp.evidence import Condition
from symdp.judgments import (
    GaussianMechanism,
    InvariantDensity,
    RenyiDP,
    SymmetricKernel,
    TransitionDensity,
)
from symdp.judgments.base import name_of
from symdp.region import Interval
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA, DELTA, TIME, holds, vanishes
from symdp.rules.regions import joined, with_symbol, without
from symdp.text import Relation, symbol, to_text

Params = Mapping[str, Any]
NEIGHBOURS = "f(D) and f(D') at Euclidean distance at most Delta"
X, Y = symbol("x"), symbol("y")


def nothing(_: tuple[Any, ...], __: Params) -> Iterator[Condition]:
    """The conditions of a rule whose premises say it all."""
    return iter(())


# --- privacy --------------------------------------------------------------------------------------------------------


def _rdp(premises: tuple[Any, ...], _: Params) -> RenyiDP:
    mechanism = premises[0]
    value = ALPHA * (mechanism.scale * DELTA) ** 2 / (2 * mechanism.variance)
    region = with_symbol(mechanism.region, ALPHA, Interval.open(1, oo))
    return RenyiDP(mechanism.subject, value, DELTA, NEIGHBOURS, with_symbol(region, DELTA, Interval.nonnegative()))


register(
    Rule(
        # attained by two neighbours whose queries are Delta apart
        id="gaussian-rdp",
        title="Renyi differential privacy of a Gaussian mechanism",
        citation=Citation("mironov2017", "Corollary 3", "alpha Delta^2/(2 sigma^2)"),
        premises=(GaussianMechanism,),
        conditions=nothing,
        conclude=_rdp,
        tightness="exact",
    )
)


def _matching_variance(privacy: RenyiDP) -> Expr:
    return ALPHA * DELTA**2 / (2 * privacy.value)


def _matching_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    privacy, mechanism = premises
    variance = _matching_variance(privacy)
    free = not variance.free_symbols & {ALPHA, DELTA}
    yield Condition(
        "one mechanism", "the premises speak of one mechanism", "fact", (privacy.subject == mechanism.subject,)
    )
    yield Condition(
        "Gaussian curve", "R_alpha is alpha Delta^2 times a factor without alpha and Delta", "fact", (free,)
    )
    if free:
        yield holds("variance", Relation(variance, ">"), mechanism.region)


def _matching(premises: tuple[Any, ...], _: Params) -> GaussianMechanism:
    privacy, mechanism = premises
    subject = f"the unbiased Gaussian mechanism as private as {name_of(mechanism.subject)}"
    variance = _matching_variance(privacy)
    return GaussianMechanism(subject, Integer(1), variance, mechanism.dimension, mechanism.region)


register(
    Rule(
        id="matching-gaussian",
        title="The unbiased Gaussian mechanism of the same privacy",
        citation=Citation("balle2019", "section 5.1", "the variance sigma~^2"),
        premises=(RenyiDP, GaussianMechanism),
        conditions=_matching_conditions,
        conclude=_matching,
        tightness="exact",
    )
)

# --- changing a mechanism -------------------------------------------------------------------------------------------


def _scaled_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield holds("factor", Relation(params["factor"], "!="), premises[0].region)


def _scaled(premises: tuple[Any, ...], params: Params) -> GaussianMechanism:
    mechanism, factor = premises[0], params["factor"]
    subject = f"({to_text(factor)}) times {name_of(mechanism.subject)}"
    law = factor * mechanism.scale, factor**2 * mechanism.variance
    return GaussianMechanism(subject, *law, mechanism.dimension, mechanism.region)


register(
    Rule(
        id="scaled-output",
        title="A Gaussian mechanism with its output multiplied",
        citation=Citation("balle2019", "section 5.1", "the post-processed Gaussian mechanism"),
        premises=(GaussianMechanism,),
        conditions=_scaled_conditions,
        conclude=_scaled,
        tightness="exact",
    )
)


def _after_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    first, second = premises
    same = first.dimension == second.dimension
    yield Condition("one dimension", "both act on the same R^d", "fact", (same,))


def _after(premises: tuple[Any, ...], _: Params) -> GaussianMechanism:
    first, second = premises
    subject = f"{name_of(second.subject)} after {name_of(first.subject)}"
    variance = second.scale**2 * first.variance + second.variance
    region = joined(first.region, second.region)
    return GaussianMechanism(subject, second.scale * first.scale, variance, first.dimension, region)


register(
    Rule(
        id="gaussian-after-gaussian",
        title="One Gaussian mechanism applied to the output of another",
        citation=Citation("balle2019", "section 5", "P_s after P_t"),
        premises=(GaussianMechanism, GaussianMechanism),
        conditions=_after_conditions,
        conclude=_after,
        tightness="exact",
    )
)


def _instance_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    mechanism, values, region = premises[0], dict(params["values"]), params["region"]
    used = set().union(*(e.xreplace(values).free_symbols for e in (mechanism.scale, mechanism.variance)))
    yield Condition("symbols", "every symbol left has its range", "fact", (used <= set(region.symbols),))
    for relation in mechanism.region.relations:
        yield holds(f"range: {relation}", relation.subs(values), region, f"{relation} at the values")


def _instance(premises: tuple[Any, ...], params: Params) -> GaussianMechanism:
    mechanism, values = premises[0], dict(params["values"])
    listed = ", ".join(f"{name} = {to_text(value)}" for name, value in params["values"])
    scale, variance, dimension = (
        e.xreplace(values) for e in (mechanism.scale, mechanism.variance, mechanism.dimension)
    )
    subject = f"{name_of(mechanism.subject)} with {listed}"
    return GaussianMechanism(subject, scale, variance, dimension, params["region"])


register(
    Rule(
        id="gaussian-at",
        title="A Gaussian mechanism at values of its parameters",
        citation=Citation("balle2019", "Theorem 8", "theta and rho chosen for a privacy budget"),
        premises=(GaussianMechanism,),
        conditions=_instance_conditions,
        conclude=_instance,
        tightness="exact",
    )
)

# --- invariant measure and density ----------------------------------------------------------------------------------


def _diffusion(mechanism: GaussianMechanism) -> Condition:
    known = isinstance(mechanism.subject, Copies)
    return Condition("diffusion", "the mechanism is a diffusion, independent in each coordinate", "fact", (known,))


def stationary_variance(process: Copies) -> Expr:
    """``w = noise / (-2 u')``, for which ``2 u' w + noise = 0``."""
    (drift,), (state,) = process.process.drift, process.process.state
    return process.process.noise[0, 0] / (-2 * drift.diff(state))


def _invariant_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    mechanism = premises[0]
    yield _diffusion(mechanism)
    if isinstance(mechanism.subject, Copies):
        (drift,), (state,) = mechanism.subject.process.drift, mechanism.subject.process.state
        attracting = holds("attracting", Relation(-drift.diff(state), ">"), mechanism.region, "the drift attracts to 0")
        yield attracting
        w = stationary_variance(mechanism.subject)
        defect = mechanism.scale**2 * w + mechanism.variance - w
        yield vanishes("invariant", "scale^2 w + variance = w: N(0, w) is taken to itself", [defect], mechanism.region)


def _invariant(premises: tuple[Any, ...], _: Params) -> InvariantDensity:
    # The density of P_t is positive everywhere, so the chain is irreducible, and with an invariant probability law it
    # is recurrent: no other invariant measure, finite or not.
    process = premises[0].subject
    w, (state,) = stationary_variance(process), process.process.state
    return InvariantDensity(process, exp(-(state**2) / (2 * w)) / sqrt(2 * pi * w), True)


register(
    Rule(
        id="invariant-gaussian",
        title="The invariant law of an attracting linear SDE",
        citation=(
            Citation("balle2019", "section 5.1", "the invariant measure N(0, rho^2/theta)"),
            Citation("khasminskii2012", "chapter 4", "one invariant measure of a recurrent diffusion"),
        ),
        premises=(GaussianMechanism,),
        conditions=_invariant_conditions,
        conclude=_invariant,
        tightness="exact",
    )
)


def _lebesgue_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    mechanism = premises[0]
    yield _diffusion(mechanism)
    yield vanishes("translation", "scale = 1: the law moves with its start", [mechanism.scale - 1], mechanism.region)


def _lebesgue(premises: tuple[Any, ...], _: Params) -> InvariantDensity:
    # An invariant measure of Brownian motion has a non-negative harmonic density, and by Liouville that is constant.
    return InvariantDensity(premises[0].subject, Integer(1), True)


register(
    Rule(
        id="invariant-lebesgue",
        title="Lebesgue measure is invariant for Brownian motion",
        citation=Citation("balle2019", "Example 4", "Lebesgue measure is the invariant measure"),
        premises=(GaussianMechanism,),
        conditions=_lebesgue_conditions,
        conclude=_lebesgue,
        tightness="exact",
    )
)


def _density(mechanism: GaussianMechanism) -> Expr:
    variance = mechanism.variance
    return exp(-((Y - mechanism.scale * X) ** 2) / (2 * variance)) / sqrt(2 * pi * variance)


def _density_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    """dp/dt = L* p in y, and p tends to the point mass at x as t -> 0."""
    mechanism = premises[0]
    yield _diffusion(mechanism)
    if isinstance(mechanism.subject, Copies):
        process = mechanism.subject.process
        (state,) = process.state
        clash = {X, Y} & set(mechanism.region.symbols)
        yield Condition("names", "x and y are no parameters", "fact", (not clash,))
        if clash:
            return
        drift, noise = process.drift[0].xreplace({state: Y}), process.noise[0, 0].xreplace({state: Y})
        logarithm = -((Y - mechanism.scale * X) ** 2) / (2 * mechanism.variance) - log(mechanism.variance) / 2
        slope = diff(logarithm, Y)
        flux = diff(noise, Y) / 2 + noise * slope / 2 - drift
        residual = diff(logarithm, TIME) - diff(flux, Y) - flux * slope
        region = mechanism.region.extend({X: Interval.real(), Y: Interval.real()})
        yield vanishes("Fokker-Planck", "dp/dt = -(u p)' + (v^2 p)''/2, divided by p", [residual], region)
        start = {TIME: Integer(0)}
        ends = [mechanism.scale.xreplace(start) - 1, mechanism.variance.xreplace(start)]
        yield vanishes("start", "at t = 0 the scale is 1 and the variance 0", ends, without(mechanism.region, [TIME]))


def _transition(premises: tuple[Any, ...], _: Params) -> TransitionDensity:
    mechanism = premises[0]
    region = mechanism.region.extend({X: Interval.real(), Y: Interval.real()})
    return TransitionDensity(mechanism.subject, _density(mechanism), region)


register(
    Rule(
        id="transition-density",
        title="The transition density solves the Fokker-Planck equation",
        citation=Citation("pavliotis2014", "section 4.1", "Fokker-Planck equation of the Ornstein-Uhlenbeck process"),
        premises=(GaussianMechanism,),
        conditions=_density_conditions,
        conclude=_transition,
        tightness="exact",
    )
)


def _exponential(density: Expr) -> tuple[Expr, Expr]:
    """``(e, c)`` with ``density = c exp(e)``."""
    factors = density.as_ordered_factors()
    exponents = [factor.args[0] for factor in factors if isinstance(factor, exp)]
    return Add(*exponents), Mul(*[factor for factor in factors if not isinstance(factor, exp)])


def _exponent(density: TransitionDensity, invariant: InvariantDensity) -> tuple[Expr, Expr]:
    """``(e, c)``: the density with respect to the invariant measure is ``c exp(e)``, and e = 0 at x = y = 0."""
    process: Any = invariant.process
    (state,) = process.process.state
    (above, factor), (below, divisor) = _exponential(density.value), _exponential(invariant.density)
    exponent = above - below.xreplace({state: Y})
    at_zero = exponent.xreplace({X: Integer(0), Y: Integer(0)})
    return exponent - at_zero, factor / divisor.xreplace({state: Y}) * exp(at_zero)


def _symmetric_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    density, invariant = premises
    yield Condition("one process", "the premises speak of one process", "fact", (density.process == invariant.process,))
    exponent, factor = _exponent(density, invariant)
    yield Condition("constant", "the factor does not depend on x and y", "fact", (not factor.free_symbols & {X, Y},))
    swapped = exponent.xreplace({X: Y, Y: X})
    yield vanishes("symmetric", "log p_t(x, y) = log p_t(y, x)", [exponent - swapped], density.region)
    third = [diff(exponent, s, 3) for s in (X, Y)] + [diff(exponent, X, 2, Y)]
    at_zero = {X: Integer(0), Y: Integer(0)}
    linear = [diff(exponent, s).xreplace(at_zero) for s in (X, Y)]
    yield vanishes("quadratic", "it is a quadratic form in x and y", [*third, *linear], density.region)


def _symmetric(premises: tuple[Any, ...], _: Params) -> SymmetricKernel:
    density, invariant = premises
    exponent, _ = _exponent(density, invariant)
    squares, products = diff(exponent, X, 2) / 2, diff(exponent, X, Y)
    xx, xy, yy = (symbol(name) for name in ("xx", "xy", "yy"))
    region = without(density.region, [X, Y]).extend(
        {xx: Interval.nonnegative(), xy: Interval.real(), yy: Interval.nonnegative()}
    )
    return SymmetricKernel(density.process, squares * (xx + yy) + products * xy, region)


register(
    Rule(
        # the coordinates are independent: the quadratic forms add up to |x|^2, <x, y>, |y|^2
        id="symmetric-kernel",
        title="The kernel is symmetric with respect to the invariant measure",
        citation=Citation("balle2019", "section 5.1", "symmetry of the Ornstein-Uhlenbeck kernel"),
        premises=(TransitionDensity, InvariantDensity),
        conditions=_symmetric_conditions,
        conclude=_symmetric,
        tightness="exact",
    )
)
