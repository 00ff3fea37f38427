"""Quotients that read 0/0 at the end of a box: Cauchy's mean value theorem replaces them by quotients of slopes.

If N and D vanish at v = a, every value N/D between a and b is N'/D' at a point in between, if D' has no zero there.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from symdp.extremum import interval as iv
from symdp.extremum.interval import Range
from symdp.extremum.program import Box, Program
from symdp.tower import Outside, TooBig, build

#: How often both slopes may vanish again.
MOST_STEPS = 4


class Quotient:
    """``N/D`` on boxes whose side along one axis ends at the common zero."""

    def __init__(self, axis: int, at: iv.Ball, above: Program, below: list[Program]) -> None:
        self.axis, self.at, self.above, self.below = axis, at, above, below

    def __call__(self, box: Box) -> Range | None:
        """The range, or None when the box does not end at the zero or a slope may vanish inside."""
        side = box[self.axis]
        if not (side.lo == self.at or side.hi == self.at) or side.lo == side.hi:
            return None
        inside = tuple(Range(side.lo, side.hi, True, True) if i == self.axis else r for i, r in enumerate(box))
        slopes = [p(inside) for p in self.below]
        if not all(s.positive or s.negative for s in slopes):
            return None
        above = self.above(inside)
        return None if above.partial else iv.mul(above, iv.reciprocal(slopes[-1]))


def quotients(above: sp.Expr, below: sp.Expr, symbols: Sequence[sp.Symbol], box: Box) -> list[Quotient]:
    """The places v = a (zero, and the finite ends of the box) where numerator and denominator both vanish."""
    made = []
    for axis, (s, side) in enumerate(zip(symbols, box, strict=True)):
        if s not in below.free_symbols:
            continue
        for at in {0: iv.ZERO, **{k: e for k, e in ((1, side.lo), (2, side.hi)) if e.is_finite()}}.values():
            if side.lo <= at <= side.hi and (found := _steps(above, below, s, axis, symbols, at)) is not None:
                made.append(found)
    return made


def _steps(
    above: sp.Expr, below: sp.Expr, s: sp.Symbol, axis: int, symbols: Sequence[sp.Symbol], at: iv.Ball
) -> Quotient | None:
    man, exp = at.man_exp()
    place = {s: sp.Integer(int(man)) * sp.Integer(2) ** int(exp)}
    slopes: list[Program] = []
    try:
        for _ in range(MOST_STEPS):
            _, values = build([above.xreplace(place), below.xreplace(place)])
            if not values[1].is_zero or not values[0].is_zero:
                break
            above, below = sp.diff(above, s), sp.diff(below, s)
            slopes.append(Program(below, symbols))
        return Quotient(axis, at, Program(above, symbols), slopes) if slopes else None
    except (Outside, TooBig):
        return None
