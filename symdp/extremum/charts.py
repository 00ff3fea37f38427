"""A region in parts with coordinates of their own, so that every infinity is a tail along one axis.

Far out along two or more axes the largest coordinate becomes the axis and the others its multiples in [-1, 1]; an open
end where the function is not bounded becomes an infinity by ``v = a +- 1/w``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import sympy as sp

from symdp.extremum import interval as iv
from symdp.extremum.interval import Range
from symdp.extremum.objective import Objective
from symdp.extremum.program import Box, Program
from symdp.extremum.search import Problem

Conditions = Sequence[tuple[sp.Expr, str]]
Move = Mapping[sp.Symbol, sp.Expr]

#: Half width of the inner cube, and how near an end counts as near; odd, so that no natural point lies on a seam.
CUBE = sp.Rational(37, 8)
NEAR = sp.Rational(5, 64)
#: Unbounded axes that are treated together.
MOST_AXES = 3


def problems(
    expr: sp.Expr,
    symbols: Sequence[sp.Symbol],
    box: Box,
    inner: Box,
    conditions: Conditions = (),
    *,
    ends: bool = False,
    touching: Sequence[Box] = (),
) -> list[Problem]:
    """The parts of a region, each with its objective; ``ends``: with singular ends moved to infinity.

    ``box`` contains the region's intervals, ``inner`` lies within them: they differ where an end is irrational.
    ``touching``: points where the expression and its slopes are exactly zero. Raises `Outside` when the expression
    cannot be enclosed.
    """
    used = [i for i, s in enumerate(symbols) if s in expr.free_symbols]
    far = [i for i in used if not (box[i].lo.is_finite() and box[i].hi.is_finite())]
    whole = replace(_problem(expr, symbols, box, inner, conditions, {}), touching=tuple(touching))
    if whole.objective.range(box).lo.is_finite():
        return [whole]
    if 2 <= len(far) <= MOST_AXES and all(_rational(box[i], inner[i]) for i in far):
        return list(_outer(expr, symbols, box, inner, far, conditions, touching))
    if ends:
        for i in used:
            for side in (1, -1):
                if _singular(whole.objective, box, inner, i, side):
                    return _split_end(expr, symbols, box, inner, conditions, i, side)
    return [whole]


def _problem(
    expr: sp.Expr, symbols: Sequence[sp.Symbol], box: Box, inner: Box, conditions: Conditions, move: Move
) -> Problem:
    def order(e: sp.Expr) -> int | None:
        return Program(e, symbols)(box).order if e.free_symbols <= set(symbols) else None

    compiled = tuple((Program(c.xreplace(dict(move)), symbols), op) for c, op in conditions)
    return Problem(Objective(expr.xreplace(dict(move)), symbols, box, order), box, inner, compiled)


def _rational(r: Range, inner: Range) -> bool:
    return bool(r.lo == inner.lo and r.hi == inner.hi)


def _number(x: sp.Rational) -> iv.Ball:
    return iv.rational(x).lo


def _exact(x: iv.Ball) -> sp.Expr:
    man, exp = x.man_exp()
    return sp.Integer(int(man)) * sp.Integer(2) ** int(exp)


def _with(box: Box, changes: Mapping[int, Range]) -> Box:
    return tuple(changes.get(i, r) for i, r in enumerate(box))


def _outer(
    expr: sp.Expr,
    symbols: Sequence[sp.Symbol],
    box: Box,
    inner: Box,
    far: Sequence[int],
    conditions: Conditions,
    touching: Sequence[Box],
) -> Iterator[Problem]:
    """The inner cube, then for each far axis and side the cone where that coordinate is the largest."""
    edge = _number(CUBE)
    cube = {i: Range(max(box[i].lo, -edge), min(box[i].hi, edge), box[i].lo_open, box[i].hi_open) for i in far}
    if all(r.lo <= r.hi for r in cube.values()):
        middle = _problem(expr, symbols, _with(box, cube), _with(inner, cube), conditions, {})
        yield replace(middle, touching=tuple(touching))
    for i in far:
        for side, end in ((1, box[i].hi), (-1, box[i].lo)):
            if end.is_finite():
                continue
            move: dict[sp.Symbol, sp.Expr] = {}
            part = {i: Range(max(edge, box[i].lo), iv.INF) if side > 0 else Range(iv.NINF, min(-edge, box[i].hi))}
            more: list[tuple[sp.Expr, str]] = []  # keeps the other coordinates within their intervals
            for j in (j for j in far if j != i):
                low, high = box[j].lo, box[j].hi
                move[symbols[j]] = side * symbols[i] * symbols[j]
                part[j] = Range(iv.ZERO if low >= 0 else -iv.ONE, iv.ZERO if high <= 0 else iv.ONE)
                if low.is_finite() and low != 0:
                    more.append((symbols[j] - _exact(low), ">" if box[j].lo_open else ">="))
                if high.is_finite() and high != 0:
                    more.append((_exact(high) - symbols[j], ">" if box[j].hi_open else ">="))
            yield _problem(expr, symbols, _with(box, part), _with(inner, part), [*conditions, *more], move)


def _strip(r: Range, side: int) -> tuple[Range, Range]:
    """The part of an interval near its lower (side +1) or upper end, and the rest."""
    near = _number(NEAR)
    if side > 0:
        seam = r.lo + near
        return Range(r.lo, seam, r.lo_open, False), Range(seam, r.hi, False, r.hi_open)
    seam = r.hi - near
    return Range(seam, r.hi, False, r.hi_open), Range(r.lo, seam, r.lo_open, False)


def _singular(objective: Objective, box: Box, inner: Box, i: int, side: int) -> bool:
    """Whether the function looks unbounded below at an open rational end."""
    r = box[i]
    end, within, is_open = (r.lo, inner[i].lo, r.lo_open) if side > 0 else (r.hi, inner[i].hi, r.hi_open)
    if not (is_open and end.is_finite() and end == within and r.hi - r.lo > 2 * _number(NEAR)):
        return False
    return not objective.range(_with(box, {i: _strip(r, side)[0]})).lo.is_finite()


def _split_end(
    expr: sp.Expr, symbols: Sequence[sp.Symbol], box: Box, inner: Box, conditions: Conditions, i: int, side: int
) -> list[Problem]:
    """The region without a strip at an end, and the strip in the coordinate w of ``v = end +- 1/w``."""
    r, s = box[i], symbols[i]
    end, (_, rest) = (r.lo if side > 0 else r.hi), _strip(r, side)
    low, high = max(rest.lo, inner[i].lo), min(rest.hi, inner[i].hi)
    far = {i: Range(iv.down(iv.ONE / _number(NEAR)), iv.INF)}
    return [
        _problem(expr, symbols, _with(box, {i: rest}), _with(inner, {i: Range(low, high)}), conditions, {}),
        _problem(expr, symbols, _with(box, far), _with(inner, far), conditions, {s: _exact(end) + side / s}),
    ]
