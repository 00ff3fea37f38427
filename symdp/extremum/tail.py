"""Behaviour far out on one axis: divide by the leading term, so that infinity minus infinity never appears.

For v >= L > 0 a fraction of polynomials in v, one exponential ``E = exp(c*v**m)`` (c > 0) and quantities free of v is
``v**b * E**a * (C + sum C_j v**(b_j - b) E**(a_j - a))`` with every monomial in the sum vanishing at infinity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy as sp
from flint import arb

from symdp.extremum import interval as iv
from symdp.extremum.interval import Range
from symdp.extremum.program import Box, Program
from symdp.tower import Frac, Outside, TooBig, Tower, build
from symdp.tower.generators import Generator, Sign
from symdp.tower.ring import Poly

#: Terms of a polynomial whose tail is still studied.
MOST_TERMS = 80


@dataclass(frozen=True)
class _Growth:
    """``E = exp(rate * v**degree)`` with a rate that is free of v and positive."""

    index: int
    rate: Program
    degree: int
    flip: bool


@dataclass(frozen=True)
class _Series:
    """One polynomial: the leading exponents (of v, of E), its coefficient, and the terms relative to it."""

    power: int
    order: int
    lead: Program
    rest: tuple[tuple[int, int, Program], ...]


class Tail:
    """The values of an expression where one coordinate is at least a positive bound (at most a negative one)."""

    def __init__(self, expr: sp.Expr, symbols: Sequence[sp.Symbol], axis: int, side: int, sign: Sign) -> None:
        """Raises `Outside` or `TooBig` when the expression has no such form."""
        self.axis, self.side = axis, side
        self.v = symbols[axis]
        self.symbols = tuple(symbols)
        turn = {self.v: side * self.v}  # in the tower v stands for its absolute value

        def turned(e: sp.Expr) -> int | None:
            return sign(e.xreplace(turn))

        tower, [value] = build([expr.xreplace(turn)], turned)
        if tower.multipliers:
            raise Outside("a factor that may vanish identically")
        self.growth, self.pure = self._growth(tower, value, sign)
        # what all terms of the denominator share is divided out term by term: another exponential, which has no bound
        shared = tuple(min(map(int, powers)) for powers in zip(*(m for m, _ in value.den.terms()), strict=True))
        self.above, self.below = self._series(tower, value.num, shared), self._series(tower, value.den, shared)

    def _growth(self, tower: Tower, value: Frac, sign: Sign) -> tuple[_Growth | None, bool]:
        """An exponential of v whose rate has a known sign, and whether nothing else but powers depends on v.

        Other exponentials and erfc are left in the coefficients, where only their range is used; any other function of
        v is refused.
        """
        found: list[_Growth] = []
        others = 0
        for index, g in tower.generators.items():
            if not (tower.degree(value.num, index) or tower.degree(value.den, index)):
                continue
            if g.kind == "symbol" or self.v not in g.expr.free_symbols:
                continue
            if g.kind not in ("exp", "erfc", "sin", "cos"):
                raise Outside(f"{g.expr} far out")
            growth = None if found or g.kind != "exp" else self._exponential(g, sign)
            if growth is None:
                others += 1
            else:
                found.append(growth)
        return (found[0] if found else None), others == 0

    def _exponential(self, g: Generator, sign: Sign) -> _Growth | None:
        argument = sp.expand(g.expr.args[0])
        degree = int(sp.degree(argument, self.v)) if argument.is_polynomial(self.v) else 0
        rate = argument / self.v**degree
        known = sign(rate) if degree >= 1 and self.v not in rate.free_symbols else None
        if known not in (1, -1):
            return None
        return _Growth(g.index, Program(known * rate, self.symbols), degree, known < 0)

    def _series(self, tower: Tower, p: Poly, below: Sequence[int]) -> _Series:
        """A polynomial, divided by a monomial, in powers of E and v."""
        if len(p) > MOST_TERMS:
            raise TooBig("a tail of too many terms")
        place = next((i for i, g in tower.generators.items() if g.expr == self.v), -1)
        grows = self.growth.index if self.growth else -1
        groups: dict[tuple[int, int], list[sp.Expr]] = {}
        for monomial, c in p.terms():
            powers = [int(e) - d for e, d in zip(monomial, below, strict=True)]
            order = powers[grows] if self.growth else 0
            key = (-order if self.growth and self.growth.flip else order, powers[place] if place >= 0 else 0)
            factors = [tower.power_expr(i, e) for i, e in enumerate(powers) if e and i not in (place, grows)]
            groups.setdefault(key, []).append(sp.Mul(int(c), *factors))
        trees = {k: sp.Add(*terms) for k, terms in groups.items()}
        order, power = max(trees)
        rest = tuple(
            (n - power, k - order, Program(tree, self.symbols))
            for (k, n), tree in sorted(trees.items())
            if (k, n) != (order, power)
        )
        return _Series(power, order, Program(trees[order, power], self.symbols), rest)

    # -- evaluation ---------------------------------------------------------------------------------------------
    def __call__(self, box: Box) -> Range | None:
        """The range on a box that is unbounded on this side, or None when the bound is not beyond zero yet."""
        side = box[self.axis] if self.side > 0 else iv.neg(box[self.axis])
        if not side.lo > 0:
            return None
        box = tuple(side if i == self.axis else r for i, r in enumerate(box))
        rate = self.growth.rate(box) if self.growth else None
        if rate is not None and not rate.lo > 0:
            return None
        above, below = self._bracket(self.above, side, rate, box), self._bracket(self.below, side, rate, box)
        front = self._front(side, rate)
        return iv.mul(front, iv.mul(above, iv.reciprocal(below)))

    def _front(self, side: Range, rate: Range | None) -> Range:
        """``v**b * E**a`` of the quotient."""
        power, order = self.above.power - self.below.power, self.above.order - self.below.order
        if order == 0 or rate is None:
            return iv.integer_power(side, power)
        if order < 0:
            return self._monomial(power, order, side, rate)
        return iv.reciprocal(self._monomial(-power, -order, side, rate))

    def _bracket(self, s: _Series, side: Range, rate: Range | None, box: Box) -> Range:
        total = s.lead(box)
        for power, order, coefficient in s.rest:
            total = iv.add(total, iv.mul(coefficient(box), self._monomial(power, order, side, rate)))
        return total

    def _monomial(self, power: int, order: int, side: Range, rate: Range | None) -> Range:
        """``v**power * exp(order*rate*v**m)`` for order < 0, or order 0 and power <= 0, on [L, oo)."""
        if order == 0 or rate is None or self.growth is None:
            return iv.integer_power(side, power)
        lowest, m = side.lo, self.growth.degree
        slope = iv.down(-order * rate.lo)  # the slowest decay: exp(-slope * v**m)
        start = iv.up(lowest**power) * iv.up((-slope * iv.down(lowest**m)).exp())
        if power <= 0 or iv.down(lowest**m) * slope * m >= power:
            return Range(iv.ZERO, iv.up(start), True, side.lo_open)
        share = iv.ONE * power / m  # the largest value, where v**m = share/slope, is (share/(slope*e))**share
        return Range(iv.ZERO, iv.up(((share / (slope * arb.const_e())).log() * share).exp()), True, False)

    def eventually(self, box: Box) -> int:
        """+1 or -1 when the expression has that sign far enough out whatever the other coordinates are; else 0."""
        if not self.pure:
            return 0
        above, below = self.above.lead(box).sign, self.below.lead(box).sign
        if self.growth is not None and not self.growth.rate(box).positive:
            return 0
        return above * below if above is not None and below is not None else 0

    def unbounded(self, box: Box) -> int:
        """+1 or -1 when the expression tends to plus or minus infinity on this side for every value of the others."""
        power, order = self.above.power - self.below.power, self.above.order - self.below.order
        if (order, power) <= (0, 0):
            return 0
        side = box[self.axis] if self.side > 0 else iv.neg(box[self.axis])
        if not side.lo > 0:
            return 0
        box = tuple(side if i == self.axis else r for i, r in enumerate(box))
        rate = self.growth.rate(box) if self.growth else None
        if rate is not None and not rate.lo > 0:
            return 0
        ratio = iv.mul(
            self._bracket(self.above, side, rate, box), iv.reciprocal(self._bracket(self.below, side, rate, box))
        )
        return 1 if ratio.lo > 0 else -1 if ratio.hi < 0 else 0


def tails(
    expr: sp.Expr, symbols: Sequence[sp.Symbol], open_sides: Mapping[int, Sequence[int]], sign: Sign
) -> dict[tuple[int, int], Tail]:
    """The tails that exist, by (axis, side)."""
    found = {}
    for axis, sides in open_sides.items():
        for side in sides:
            try:
                found[axis, side] = Tail(expr, symbols, axis, side, sign)
            except (Outside, TooBig):
                continue
    return found
