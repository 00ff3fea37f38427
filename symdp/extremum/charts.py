"""A region in parts with coordinates of their own, so that every infinity is a tail along one axis.

Far out along two or more axes the largest coordinate becomes the axis and the others its multiples in [-1, 1]; an open
end where the function is not bounded becomes an infinity by ``v = a +- 1/w``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import sympy as sp

from symdp.extremum import interval as iv
from symdp.extremum.interval import Range
from symdp.extremum.objective import Objective
from symdp.extremum.program import Box, Program
from symdp.extremum.search import Problem

Conditions = Sequence[tuple[sp.Expr, str]]

#: Half width of the inner cube, and how near an end counts as near; odd, so that no natural point lies on a seam.
CUBE = sp.Rational(37, 8)
NEAR = sp.Rational(5, 64)
#: Unbounded axes that are treated together.
MOST_AXES = 3


def problems(
    expr: sp.Expr,
    symbols: Sequence[sp.Symbol],
    box: Box,
    conditions: Conditions = (),
    facts: Mapping[sp.Expr, Range] | None = None,
    *,
    ends: bool = False,
) -> list[Problem]:
    """The parts of a region, each with its objective; ``ends``: with singular ends moved to infinity.

    Raises `Outside` when the expression cannot be enclosed.
    """
    used = [i for i, s in enumerate(symbols) if s in expr.free_symbols]
    far = [i for i in used if not (box[i].lo.is_finite() and box[i].hi.is_finite())]
    if 2 <= len(far) <= MOST_AXES:
        return [
            _problem(expr.xreplace(move), symbols, part, [(c.xreplace(move), op) for c, op in conditions], {})
            for move, part in _outer(symbols, box, far)
        ]
    whole = _problem(expr, symbols, box, conditions, facts)
    if not ends:
        return [whole]
    for move, part, rest in _ends(expr, symbols, box, used, whole.objective):
        moved = [(c.xreplace(move), op) for c, op in conditions]
        return [
            _problem(expr, symbols, rest, conditions, facts),
            _problem(expr.xreplace(move), symbols, part, moved, {}),
        ]
    return [whole]


def _problem(
    expr: sp.Expr,
    symbols: Sequence[sp.Symbol],
    box: Box,
    conditions: Conditions,
    facts: Mapping[sp.Expr, Range] | None,
) -> Problem:
    def sign(e: sp.Expr) -> int | None:
        return Program(e, symbols, facts)(box).sign if e.free_symbols <= set(symbols) else None

    compiled = tuple((Program(c, symbols), op) for c, op in conditions)
    return Problem(Objective(expr, symbols, box, facts, sign), box, compiled)


def _number(x: sp.Rational) -> iv.Ball:
    return iv.rational(x).lo


def _outer(
    symbols: Sequence[sp.Symbol], box: Box, far: Sequence[int]
) -> Iterator[tuple[dict[sp.Symbol, sp.Expr], Box]]:
    """The inner cube, then for each far axis and side the cone where that coordinate is the largest."""
    edge = _number(CUBE)
    inner = {i: Range(max(box[i].lo, -edge), min(box[i].hi, edge), box[i].lo_open, box[i].hi_open) for i in far}
    if all(r.lo <= r.hi for r in inner.values()):
        yield {}, tuple(inner.get(i, r) for i, r in enumerate(box))
    for i in far:
        for side, end in ((1, box[i].hi), (-1, box[i].lo)):
            if end.is_finite():
                continue
            move, part = {}, list(box)
            part[i] = Range(edge, iv.INF) if side > 0 else Range(iv.NINF, -edge)
            for j in far:
                if j != i:
                    move[symbols[j]] = side * symbols[i] * symbols[j]
                    part[j] = Range(
                        -iv.ONE if not box[j].lo.is_finite() else iv.ZERO,
                        iv.ONE if not box[j].hi.is_finite() else iv.ZERO,
                    )
            yield move, tuple(part)


def _ends(
    expr: sp.Expr, symbols: Sequence[sp.Symbol], box: Box, used: Sequence[int], objective: Objective
) -> Iterator[tuple[dict[sp.Symbol, sp.Expr], Box, Box]]:
    """Open finite ends where the function looks unbounded: the substitution, the part near the end, and the rest."""
    near = _number(NEAR)
    for i in used:
        r = box[i]
        for side, end, is_open in ((1, r.lo, r.lo_open), (-1, r.hi, r.hi_open)):
            if not (is_open and end.is_finite() and (r.hi - r.lo > 2 * near)):
                continue
            seam = (end + side * near).mid()
            strip = Range(end, seam, True, False) if side > 0 else Range(seam, end, False, True)
            looks = objective.range(tuple(strip if j == i else q for j, q in enumerate(box)))
            if looks.lo.is_finite():
                continue
            man, exp = end.man_exp()
            at = sp.Integer(int(man)) * sp.Integer(2) ** int(exp)
            rest = Range(seam, r.hi, False, r.hi_open) if side > 0 else Range(r.lo, seam, r.lo_open, False)
            far = Range(iv.up(iv.ONE / near), iv.INF)
            yield (
                {symbols[i]: at + side / symbols[i]},
                tuple(far if j == i else q for j, q in enumerate(box)),
                tuple(rest if j == i else q for j, q in enumerate(box)),
            )
