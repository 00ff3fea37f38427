"""A function to be bounded on boxes: several forms of it, its slopes, and its tails."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import sympy as sp

from symdp.extremum import interval as iv
from symdp.extremum.interval import Range
from symdp.extremum.program import Box, Program
from symdp.extremum.quotient import Quotient, quotients
from symdp.extremum.tail import Tail, tails
from symdp.tower import Frac, Outside, TooBig, Tower, build, derivative
from symdp.tower.generators import Sign

#: Terms of a normal form beyond which it is not used.
MOST_TERMS = 200
#: How far from a 0/0 the slope is still taken from there.
NEAR = 1


def no_sign(_: sp.Expr) -> int | None:
    """Knows no signs."""
    return None


def meet(a: Range, b: Range) -> Range:
    """The common part of two ranges that both contain all values (defined where either says so)."""
    lo, lo_open = (a.lo, a.lo_open or b.lo_open) if a.lo == b.lo else max((a.lo, a.lo_open), (b.lo, b.lo_open))
    hi, hi_open = (a.hi, a.hi_open or b.hi_open) if a.hi == b.hi else min((a.hi, a.hi_open), (b.hi, b.hi_open))
    return Range(lo, hi, lo_open, hi_open, a.partial and b.partial)


class Form:
    """One expression with its normal form (each generator then occurs less often) and its 0/0 ends."""

    def __init__(
        self,
        tree: sp.Expr,
        made: tuple[Tower, Frac] | None,
        symbols: Sequence[sp.Symbol],
        box: Box,
    ) -> None:
        """``made``: the normal form of ``tree``, where there is one."""
        self.raw = Program(tree, symbols)
        self.programs, self.tree = [self.raw], tree
        self.quotients: list[Quotient] = []
        if made is None or len(made[1].num) + len(made[1].den) > MOST_TERMS:
            return
        with suppress(TooBig):  # the raw tree then has to do
            self._normal_forms(*made, box, symbols)

    def _normal_forms(self, tower: Tower, value: Frac, box: Box, symbols: Sequence[sp.Symbol]) -> None:
        tree = self.tree
        self.tree = tower.factored_expr(value)
        far = [s for s, r in zip(symbols, box, strict=True) if not (r.lo.is_finite() and r.hi.is_finite())]
        others = [self.tree, tower.terms_expr(value), *(tower.collected_expr(value, s) for s in far)]
        self.programs += [Program(t, symbols) for t in dict.fromkeys(others) if t is not None and t != tree]
        if not value.den.is_constant():
            self.quotients = quotients(tower, value, symbols, box)

    @property
    def size(self) -> int:
        """The number of interval operations of one run."""
        return sum(p.size for p in self.programs) + sum(q.size for q in self.quotients)

    def __call__(self, box: Box) -> Range:
        """The intersection of what all of them say."""
        r = self.raw(box)
        for program in self.programs[1:]:
            r = meet(r, program(box))
        for quotient in self.quotients:
            if (limit := quotient(box)) is not None:
                r = meet(r, limit)
        return r

    def limit(self, box: Box, axis: int, at: iv.Ball) -> Range | None:
        """The limit of a 0/0 at an end of a side, where there is one."""
        for quotient in self.quotients:
            if quotient.axis == axis and quotient.at == at:
                return quotient.limit(box)
        return None


class Objective:
    """Ranges of an expression and of its first and second derivatives over boxes; derivatives are made when wanted."""

    def __init__(self, expr: sp.Expr, symbols: Sequence[sp.Symbol], box: Box, sign: Sign = no_sign) -> None:
        """Raises `Outside` when the expression has a function that cannot be enclosed."""
        self.symbols, self.expr = tuple(symbols), expr
        self._continuous = not expr.has(sp.sign)
        self._box, self._sign = box, sign
        try:
            tower, [value] = build([expr], sign)
            made = None if tower.multipliers else (tower, value)  # they may vanish, and nothing here looks
        except (TooBig, Outside):
            made = None
        self.form = Form(expr, made, self.symbols, box)
        self._slopes: list[Form | None] | None = None
        self._curvatures: dict[tuple[int, int], Form | None] = {}
        self.work = 0
        sides = {
            i: [side for side, end in ((-1, r.lo), (1, r.hi)) if not end.is_finite()]
            for i, r in enumerate(box)
            if self.symbols[i] in expr.free_symbols
        }
        self.tails: dict[tuple[int, int], Tail] = tails(expr, self.symbols, sides, sign)

    def at(self, place: Box) -> Range:
        """The value at a point, from the expression as it was given."""
        self.work += self.form.raw.size
        return self.form.raw(place)

    def uses(self, axis: int) -> bool:
        """Whether the expression depends on a coordinate."""
        return self.symbols[axis] in self.expr.free_symbols

    def defined(self, box: Box) -> bool:
        """Whether the expression, as it was given, is defined and continuous on the whole box.

        Every function of the grammar is continuous where it is defined, except sign.
        """
        self.work += self.form.raw.size
        return self._continuous and not self.form.raw(box).partial

    @property
    def slopes(self) -> list[Form | None]:
        """The first derivatives."""
        if self._slopes is None:
            self._slopes = [self._derivative(self.form.tree, s) for s in self.symbols]
        return self._slopes

    def _derivative(self, expr: sp.Expr, s: sp.Symbol) -> Form | None:
        try:
            tower, slope = derivative(expr, s, self._sign)
            if tower.kinks or tower.multipliers or len(slope.num) + len(slope.den) > MOST_TERMS:
                return None
            return Form(tower.factored_expr(slope), (tower, slope), self.symbols, self._box)
        except (TooBig, Outside):
            return None

    def curvature(self, i: int, j: int) -> Form | None:
        """The second derivative along two axes, compiled when first wanted."""
        key = (min(i, j), max(i, j))
        if key not in self._curvatures:
            slope = self.slopes[key[0]]
            self._curvatures[key] = None if slope is None else self._derivative(slope.tree, self.symbols[key[1]])
        return self._curvatures[key]

    def convex(self, box: Box) -> bool:
        """Whether the matrix of second derivatives is positive definite on a box, by elimination with ranges."""
        used = [i for i in range(len(box)) if self.uses(i)]
        rows: list[list[Range]] = []
        for i in used:
            forms = [self.curvature(i, j) for j in used]
            if any(f is None for f in forms):
                return False
            self.work += sum(f.size for f in forms if f is not None)
            rows.append([f(box) for f in forms if f is not None])
        for k, pivot_row in enumerate(rows):
            pivot = pivot_row[k]
            if not pivot.positive:
                return False
            for row in rows[k + 1 :]:
                factor = iv.mul(row[k], iv.reciprocal(pivot))
                row[:] = [iv.add(a, iv.neg(iv.mul(factor, b))) for a, b in zip(row, pivot_row, strict=True)]
        return True

    def slope_near(self, box: Box, i: int) -> Range | None:
        """The slope on a side not far from a 0/0 of it: its limit there plus the second derivative times the way."""
        form, side = self.slopes[i], box[i]
        for quotient in form.quotients if form is not None else ():
            at = quotient.at
            reach = Range(min(at, side.lo), max(at, side.hi), True, True)
            if quotient.axis != i or (at != reach.lo and at != reach.hi) or reach.width > NEAR:
                continue
            start, second = quotient.limit(box), self.curvature(i, i)
            if start is None or second is None:
                continue
            self.work += second.size
            bend = second(tuple(reach if j == i else r for j, r in enumerate(box)))
            way = Range(side.lo - at, side.hi - at, side.lo == at, side.hi == at)
            return None if bend.partial else iv.add(start, iv.mul(bend, way))
        return None

    def gradient(self, box: Box) -> list[Range | None]:
        """The ranges of the slopes."""
        self.work += sum(f.size for f in self.slopes if f is not None)
        return [None if f is None else f(box) for f in self.slopes]

    def range(self, box: Box) -> Range:
        """The intersection of what the forms and the tails say about the values on a box."""
        self.work += self.form.size
        r = self.form(box)
        for (axis, side), tail in self.tails.items():
            end = box[axis].hi if side > 0 else box[axis].lo
            if not end.is_finite() and (far := tail(box)) is not None:
                r = meet(r, far)
        return r

    def mean_value(self, box: Box, gradient: Sequence[Range | None]) -> Range | None:
        """``f(m) + sum f_i(box) * (box_i - m_i)`` on a bounded box where all slopes are defined."""
        centre = middle(box)
        if centre is None:
            return None
        total = self.form(centre)
        self.work += self.form.size
        for slope, side, m in zip(gradient, box, centre, strict=True):
            if side.lo == side.hi:
                continue
            if slope is None or slope.partial:
                return None
            total = iv.add(total, iv.mul(slope, iv.add(side, iv.neg(m))))
        return None if total.partial else Range(total.lo, total.hi, False, False)


def middle(box: Box) -> Box | None:
    """The midpoint of a bounded box, as a box of points."""
    if not all(r.lo.is_finite() and r.hi.is_finite() for r in box):
        return None
    return tuple(iv.point(((r.lo + r.hi) / 2).mid()) for r in box)
