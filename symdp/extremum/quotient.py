"""Quotients that read 0/0 at the end of a box: Cauchy's mean value theorem replaces them by quotients of slopes.

If N and D vanish at v = a, every value N/D between a and b is N'/D' at a point in between, if D' has no zero there.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from symdp.extremum import interval as iv
from symdp.extremum.interval import Range
from symdp.extremum.program import Box, Program
from symdp.tower import Frac, Outside, TooBig, Tower, build

#: How often both slopes may vanish again.
MOST_STEPS = 4


class Quotient:
    """``N/D`` on boxes whose side along one axis ends at the common zero."""

    def __init__(self, axis: int, at: iv.Ball, above: Program, below: list[Program]) -> None:
        self.axis, self.at, self.above, self.below = axis, at, above, below

    @property
    def size(self) -> int:
        """The number of interval operations of one run."""
        return self.above.size + sum(p.size for p in self.below)

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

    def limit(self, box: Box) -> Range | None:
        """The limit at the zero itself, by l'Hospital's rule, for the values of the other coordinates in the box."""
        place = tuple(Range(self.at, self.at) if i == self.axis else r for i, r in enumerate(box))
        above, below = self.above(place), self.below[-1](place)
        if above.partial or not (below.positive or below.negative):
            return None
        return iv.mul(above, iv.reciprocal(below))


def quotients(tower: Tower, value: Frac, symbols: Sequence[sp.Symbol], box: Box) -> list[Quotient]:
    """The places v = a (zero, and the finite ends of the box) where numerator and denominator both vanish."""
    made = []
    for axis, (s, side) in enumerate(zip(symbols, box, strict=True)):
        places = [iv.ZERO] if side.lo <= 0 <= side.hi else []
        places += [end for end in (side.lo, side.hi) if end.is_finite() and end not in places]
        for at in places:
            if (found := _steps(tower, value, s, axis, symbols, at)) is not None:
                made.append(found)
    return made


def _steps(
    tower: Tower, value: Frac, s: sp.Symbol, axis: int, symbols: Sequence[sp.Symbol], at: iv.Ball
) -> Quotient | None:
    man, exp = at.man_exp()
    place = {s: sp.Integer(int(man)) * sp.Integer(2) ** int(exp)}
    above, below = tower.frac(value.num), tower.frac(value.den)
    slopes: list[Program] = []
    try:
        for _ in range(MOST_STEPS):
            trees = [tower.expr(f).xreplace(place) for f in (above, below)]
            if any(t.has(sp.nan, sp.zoo, sp.oo) for t in trees):
                return None
            _, values = build(trees)
            if not (values[0].is_zero and values[1].is_zero):
                break
            above, below = tower.derive(above, s), tower.derive(below, s)
            slopes.append(Program(tower.factored_expr(below), symbols))
        return Quotient(axis, at, Program(tower.factored_expr(above), symbols), slopes) if slopes else None
    except (Outside, TooBig):
        return None
