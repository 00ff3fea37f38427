"""Proposals for neighbours at distance Delta: the bound of a pair of starts, at the largest intrinsic distance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import Expr, Integer, Symbol, cancel, factor_terms, oo, solve, together

from symdp.derivation.defined import coordinate_on
from symdp.derivation.record import Assuming, region_of
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import Refused, SymdpError
from symdp.extremum import infimum
from symdp.judgments import Divergence
from symdp.rules.conditions import starts
from symdp.text.constants import settled
from symdp.theorem import Theorem, apply

_MOST_OPERATIONS = 40


def from_divergence(divergence: Theorem, assuming: Assuming) -> tuple[Theorem | None, str | None]:
    """Renyi differential privacy from the bound of a pair of starts on an interval, or why there is none."""
    fact = divergence.conclusion
    assert isinstance(fact, Divergence)
    process: Any = fact.process
    if process.dimension != 1:
        return None, "the intrinsic distance of starts at distance Delta is looked for in one dimension"
    if process.periods:
        return None, "on a circle the arc of starts at distance Delta is known for constant noise"
    inside = region_of(process, assuming, interior=True)

    coordinate = coordinate_on(process, inside)
    if coordinate is None:
        return None, "the intrinsic coordinate, an antiderivative of sqrt2/v, is none of the usual functions"
    ((x,), (xp,)), (state,) = starts(process), process.state
    gap = coordinate.subs(state, x) - coordinate.subs(state, xp)
    factor = fact.value / gap**2
    if factor.free_symbols & {x, xp}:
        factor = cancel(together(factor))
    factor = settled(factor_terms(factor))
    reasons: list[str] = []
    for rule, params in (*_bounded(process), *_ended(process, coordinate)):
        try:
            return apply(rule, divergence, assuming=assuming, coordinate=coordinate, factor=factor, **params), None
        except Refused as refusal:
            reasons.append(str(refusal))
        except SymdpError as error:
            reasons.append(str(error))
    if far := _runs_away(process, coordinate):
        return None, far
    return None, reasons[-1] if reasons else "the noise has no positive lower bound, and its least end is not known"


def _bounded(process: Diffusion) -> Iterator[tuple[str, dict[str, Expr]]]:
    """Lower bounds of the noise: itself, its values where its slope vanishes, its certified infimum."""
    (x,) = process.state
    v = process.v
    if x not in v.free_symbols:
        yield "rdp-of-bounded-noise", {"least": v}
        return
    for point in _turns(v, x):
        if _is_inside(process, x, point):
            yield "rdp-of-bounded-noise", {"least": v.subs(x, point)}
    if not process.params.symbols:
        try:
            low = infimum(v, process.interior, digits=9).lower
        except SymdpError:
            return
        if low > 0:
            yield "rdp-of-bounded-noise", {"least": Integer(int(low * 10**9)) / 10**9}


def _ended(process: Diffusion, coordinate: Expr) -> Iterator[tuple[str, dict[str, Expr]]]:
    """Where the noise turns: at an end of the domain, or between."""
    (x,) = process.state
    domain = process.domain.interval(x)
    inner = [point for point in _turns(process.v, x) if _is_inside(process, x, point)]
    values = {"low": _at(coordinate, x, domain.lower), "high": _at(coordinate, x, domain.upper)}
    for turn in (domain.upper, domain.lower, *inner):
        ends = [side for side, end in (("low", domain.lower), ("high", domain.upper)) if turn != end]
        needed = {side: value for side in ends if (value := values[side]) is not None}
        if len(needed) == len(ends):
            yield "rdp-of-ends", {"turn": turn, **needed}


def _at(coordinate: Expr, x: Symbol, end: Expr) -> Expr | None:
    """The coordinate at a finite end, if it has a value there."""
    if end in (oo, -oo):
        return None
    value = coordinate.subs(x, end)
    return value if value.is_finite is not False and not value.has(oo, -oo) else None


def _turns(v: Expr, x: Symbol) -> list[Expr]:
    """Points where the slope of the noise may vanish."""
    if v.count_ops() > _MOST_OPERATIONS:
        return []
    try:
        return [point for point in solve(together((v**2).diff(x)), x) if not point.free_symbols and point.is_real]
    except (NotImplementedError, ValueError, TypeError):
        return []


def _is_inside(process: Diffusion, x: Symbol, point: Expr) -> bool:
    """Whether a point is proved to lie inside the domain."""
    domain = process.domain.interval(x)
    return all(
        end in (oo, -oo) or side * enclose(point - end, {}, 9).mid > 0
        for end, side in ((domain.lower, 1), (domain.upper, -1))
    )


def _runs_away(process: Diffusion, coordinate: Expr) -> str | None:
    """Says where the intrinsic distance is unbounded, if the coordinate is seen to be infinite at a finite end."""
    (x,) = process.state
    domain = process.domain.interval(x)
    for end in (domain.lower, domain.upper):
        if end not in (oo, -oo) and _at(coordinate, x, end) is None:
            return f"starts at distance Delta lie as far apart as one likes in the intrinsic metric near {x} = {end}"
    return None
