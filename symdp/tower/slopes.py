"""Derivatives inside a tower: the chain rule on generators, without building trees."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from symdp.tower.angles import Angles
from symdp.tower.generators import Generator
from symdp.tower.ring import Frac, Outside, Poly


class Slopes(Angles):
    """Angles with partial derivatives; where a function has a kink the derivative is that of its two sides."""

    def derive(self, a: Frac, s: sp.Symbol) -> Frac:
        """The partial derivative of a fraction."""
        above = self.derive_poly(a.num, s)
        if a.den.is_constant():
            return self.times(above, self.frac(self.one, a.den))
        below = self.derive_poly(a.den, s)  # (n/d)' = (n' - (n/d) d')/d
        inner = self.add(above, self.neg(self.times(a, below)))
        return self.times(inner, self.frac(self.one, a.den))

    def derive_poly(self, p: Poly, s: sp.Symbol) -> Frac:
        """The partial derivative of a polynomial."""
        total = self.constant(0)
        for index, _ in self.degrees(p):
            slope = self.derive_generator(self.generators[index], s)
            if not slope.is_zero:
                total = self.add(total, self.times(self.frac(p.derivative(index)), slope))
        return total

    def derive_generator(self, g: Generator, s: sp.Symbol) -> Frac:
        """The partial derivative of one generator."""
        key = ("slope", g.index, s)
        if key not in self.lookup:
            self.lookup[key] = self._generator(g, s)
        found: Frac = self.lookup[key]
        return found

    def _generator(self, g: Generator, s: sp.Symbol) -> Frac:
        if g.kind in ("symbol", "pi"):
            return self.constant(1 if g.expr == s else 0)
        me = self.frac(self.gen(g.index))
        if g.kind in ("root", "abs", "log") and g.base is not None:
            order = {"root": g.order, "abs": 1, "log": 1}[g.kind]
            ratio = self.times(self.derive_poly(g.base, s), self.inverse(self.frac(g.base)))  # p'/p
            return self.times(self.constant(1, order), ratio if g.kind == "log" else self.times(me, ratio))
        if g.kind == "sign":
            return self.constant(0)
        if g.argument is None:
            if s not in g.expr.free_symbols:
                return self.constant(0)
            raise Outside(f"no derivative of {g.expr}")
        inner = self.derive(g.argument, s)
        if inner.is_zero:
            return inner
        return self.times(inner, self._outer(g, me))

    def _outer(self, g: Generator, me: Frac) -> Frac:
        """The derivative of the function of a generator at its argument."""
        if g.kind == "exp":
            return me
        if g.kind in ("sin", "sinh"):
            return self.frac(self.gen(g.partner))
        if g.kind in ("cos", "cosh"):
            basis = self.trigs if g.kind == "cos" else self.hypers
            sine = self.frac(self.gen(next(b.index for b in basis if b.partner == g.index)))
            return self.neg(sine) if g.kind == "cos" else sine
        assert g.argument is not None
        square = self.times(g.argument, g.argument)
        if g.kind == "atan":
            return self.inverse(self.add(self.constant(1), square))
        if g.kind == "asin":
            return self.real_power(self.add(self.constant(1), self.neg(square)), Fraction(-1, 2))
        if g.kind == "erfc":
            scale = self.real_power(self.convert(sp.pi), Fraction(-1, 2))
            return self.times(self.times(self.constant(-2), scale), self.exp(self.neg(square)))
        raise Outside(f"no derivative of {g.expr}")
