"""From two starts to neighbours at Euclidean distance Delta, where the intrinsic distance is not the Euclidean one.

On an interval the intrinsic distance of two starts is ``|y(x) - y(x')|`` for the unit coordinate y, ``y' = sqrt2/v``.
A bound of the divergence by a multiple of its square becomes Renyi differential privacy once that distance is bounded
for ``|x - x'| <= Delta``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Symbol, oo

from symdp.citations import Citation
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import Divergence, RenyiDP
from symdp.judgments.iteration import STARTS
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import DELTA, TIME, holds, order_region, smooth, starts, vanishes
from symdp.text import Relation
from symdp.text.extrema import Max

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
SOURCE = Citation("symdp", "rules.sensitivity")


def _distance_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    """The bound is ``factor (y(x) - y(x'))^2``, y the unit coordinate."""
    divergence, coordinate, factor = premises[0], params["coordinate"], params["factor"]
    process: Diffusion = divergence.process
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    if process.dimension != 1:
        return
    (state,), inside = process.state, process.interior
    still = TIME not in process.v.free_symbols and coordinate.free_symbols <= set(inside.symbols)
    yield Condition("coordinate", "noise and coordinate are functions of the state", "fact", (still,))
    ((x,), (xp,)) = starts(process)
    known = not factor.free_symbols & {x, xp} and factor.free_symbols <= set(divergence.region.symbols)
    yield Condition("factor", "the factor does not depend on the starts", "fact", (known,))
    if not (still and known):
        return
    yield holds("noise", Relation(process.v, ">"), inside, "the noise v is positive inside the domain")
    yield from smooth("coordinate", [coordinate], inside, process.state)
    slope = calculus.unit_derivative(process, coordinate) - 1
    yield vanishes("unit coordinate", "Gamma of the coordinate is 1", [slope], inside)
    gap = coordinate.subs(state, x) - coordinate.subs(state, xp)
    form = "the bound is the factor times the square of the intrinsic distance"
    yield vanishes("form", form, [divergence.value - factor * gap**2], divergence.region)
    order = order_region(process)
    yield holds("factor not negative", Relation(factor, ">="), order, "the factor is not negative")
    for relation in divergence.region.relations:  # that it holds for every pair of starts, and every order
        yield holds(f"every start: {relation}", relation, _pairs(process, (x, xp)))


def _pairs(process: Diffusion, symbols: tuple[Symbol, Symbol]) -> Region:
    domain = process.domain.interval(process.state[0])
    inner = Interval(domain.lower, domain.upper, False, False)
    return order_region(process).extend(dict.fromkeys(symbols, inner))


def _neighbours(process: Diffusion, value: Expr, sensitivity: Interval) -> RenyiDP:
    return RenyiDP(process, value, DELTA, STARTS, order_region(process).extend({DELTA: sensitivity}))


# --- noise that is bounded below ------------------------------------------------------------------------------------


def _bounded_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _distance_conditions(premises, params)
    process, least = premises[0].process, params["least"]
    known = least.free_symbols <= set(process.params.symbols)
    yield Condition("least", "the bound of the noise is in terms of the parameters", "fact", (known,))
    if known and process.dimension == 1:
        yield holds("least positive", Relation(least, ">"), process.params, "the bound of the noise is positive")
        yield holds("least noise", Relation(process.v - least, ">="), process.interior, f"v >= {least} in the domain")


def _bounded(premises: Premises, params: Params) -> RenyiDP:
    """``2 F Delta^2/v_0^2`` for a bound ``F d(x, x')^2`` and noise ``v >= v_0``: ``d <= sqrt2 |x - x'|/v_0``."""
    value = 2 * params["factor"] * DELTA**2 / params["least"] ** 2
    return _neighbours(premises[0].process, value, Interval.nonnegative())


register(
    Rule(
        id="rdp-of-bounded-noise",
        title="Renyi differential privacy from an intrinsic distance, noise bounded below",
        citation=SOURCE,
        premises=(Divergence,),
        conditions=_bounded_conditions,
        conclude=_bounded,
        tightness="upper",
    )
)

# --- noise that vanishes at an end of the domain --------------------------------------------------------------------


def _ends_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _distance_conditions(premises, params)
    process, coordinate, turn = premises[0].process, params["coordinate"], params["turn"]
    if process.dimension != 1:
        return
    (x,), inside = process.state, process.interior
    domain = process.domain.interval(x)
    rising, falling = turn != domain.lower, turn != domain.upper
    anchored = (not rising or domain.lower != -oo) and (not falling or domain.upper != oo)
    yield Condition("turn", "the ends that the noise falls towards are finite", "fact", (anchored,))
    if not anchored:
        return
    slope = process.v.diff(x)
    if rising:
        part = inside.intersect([Relation(turn - x, ">")]) if falling else inside
        yield holds("rising noise", Relation(slope, ">="), part, "the noise does not fall before the turn")
        low = Relation(coordinate - params["low"], ">=")
        yield holds("low", low, inside, "the coordinate stays above its value at the lower end")
    if falling:
        part = inside.intersect([Relation(x - turn, ">")]) if rising else inside
        yield holds("falling noise", Relation(-slope, ">="), part, "the noise does not rise after the turn")
        high = Relation(params["high"] - coordinate, ">=")
        yield holds("high", high, inside, "the coordinate stays below its value at the upper end")


def _ends(premises: Premises, params: Params) -> RenyiDP:
    """``F D^2`` for a bound ``F d^2``, ``D = max(y(l + Delta) - y(l), y(r) - y(r - Delta))`` on a domain (l, r).

    Where v rises up to a point and falls after it, ``1/v(x + Delta) - 1/v(x)`` changes sign at most once, from minus to
    plus: ``y(x + Delta) - y(x)`` is largest at an end of its range. Only the end whose side is there counts.
    """
    process, coordinate, turn = premises[0].process, params["coordinate"], params["turn"]
    (x,) = process.state
    domain = process.domain.interval(x)
    ends: list[Expr] = []
    if turn != domain.lower:
        ends.append(coordinate.subs(x, domain.lower + DELTA) - params["low"])
    if turn != domain.upper:
        ends.append(params["high"] - coordinate.subs(x, domain.upper - DELTA))
    ends = list(dict.fromkeys(ends))
    farthest = ends[0] if len(ends) == 1 else Max(*ends)
    return _neighbours(process, params["factor"] * farthest**2, Interval.open(0, domain.upper - domain.lower))


register(
    Rule(
        id="rdp-of-ends",
        title="Renyi differential privacy from an intrinsic distance, noise that is least at an end",
        citation=SOURCE,
        premises=(Divergence,),
        conditions=_ends_conditions,
        conclude=_ends,
        tightness="upper",
    )
)
