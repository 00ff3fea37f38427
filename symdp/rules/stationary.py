"""A Gaussian mechanism that is a diffusion: its invariant measure, its transition density, and their symmetry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Add, Expr, Integer, Mul, diff, exp, log, pi, sqrt

from symdp.citations import Citation
from symdp.diffusion.operators import Copies
from symdp.evidence import Condition
from symdp.judgments import GaussianMechanism, InvariantDensity, SymmetricKernel, TransitionDensity
from symdp.region import Interval
from symdp.rule import Rule, register
from symdp.rules.conditions import TIME, holds, homogeneous, vanishes
from symdp.rules.regions import without
from symdp.text import Relation, symbol

Params = Mapping[str, Any]
X, Y = symbol("x"), symbol("y")


def _diffusion(mechanism: GaussianMechanism) -> Iterator[Condition]:
    subject = mechanism.subject
    known = isinstance(subject, Copies)
    yield Condition("diffusion", "the mechanism is a diffusion, independent in each coordinate", "fact", (known,))
    if isinstance(subject, Copies):
        yield from homogeneous(*subject.process.drift, *subject.process.noise)


def stationary_variance(process: Copies) -> Expr:
    """``w = noise / (-2 u')``, for which ``2 u' w + noise = 0``."""
    (drift,), (state,) = process.process.drift, process.process.state
    return process.process.noise[0, 0] / (-2 * drift.diff(state))


def _invariant_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    mechanism = premises[0]
    yield from _diffusion(mechanism)
    if isinstance(mechanism.subject, Copies):
        (drift,), (state,) = mechanism.subject.process.drift, mechanism.subject.process.state
        attracting = holds("attracting", Relation(-drift.diff(state), ">"), mechanism.region, "the drift attracts to 0")
        yield attracting
        w = stationary_variance(mechanism.subject)
        defect = mechanism.scale**2 * w + mechanism.variance - w
        yield vanishes("invariant", "scale^2 w + variance = w: N(0, w) is taken to itself", [defect], mechanism.region)


def _invariant(premises: tuple[Any, ...], _: Params) -> InvariantDensity:
    """``lambda = N(0, w)`` in every coordinate, ``w = v^2/(-2u')``, and no other but its multiples."""
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
    yield from _diffusion(mechanism)
    yield vanishes("translation", "scale = 1: the law moves with its start", [mechanism.scale - 1], mechanism.region)


def _lebesgue(premises: tuple[Any, ...], _: Params) -> InvariantDensity:
    """``lambda(dx) = dx``, and no other but its multiples."""
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
    yield from _diffusion(mechanism)
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
    """``p_t(x, y) = N(y - b x; v)`` for ``b f(D) + N(0, v)``."""
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
    """``lambda(x) p_t(x, y) = lambda(y) p_t(y, x)``: the exponent is ``a (|x|^2 + |y|^2) + b <x, y>``."""
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
