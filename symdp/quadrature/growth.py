"""How fast the parts of an integrand grow or decay towards +oo: bounds found over the tree."""

from __future__ import annotations

import math
from typing import Any

import sympy
from flint import arb
from sympy import Expr, Symbol

from symdp.enclosure.interval import INF
from symdp.enclosure.real import run, text, to_arb
from symdp.enclosure.tape import compile_tape
from symdp.enclosure.wide import compile_range
from symdp.errors import Undefined
from symdp.quadrature.bounds import Bound, NoBound, upper
from symdp.quadrature.rewrite import coefficients, is_polynomial

_EVERYWHERE = (
    "exp",
    "sin",
    "cos",
    "sinh",
    "cosh",
    "tanh",
    "sech",
    "atan",
    "asinh",
    "Abs",
    "sign",
    "erf",
    "erfc",
    "Max",
    "Min",
)


class Growth:
    """Bounds for ``symbol >= start``, where ``start >= 1``."""

    def __init__(self, symbol: Symbol, start: arb) -> None:
        self.symbol, self.start = symbol, start

    def number(self, expr: Expr) -> arb:
        """The value of a constant."""
        return to_arb(run(compile_tape(expr)))

    def range(self, expr: Expr) -> Any:
        """The range of ``expr`` for ``x >= start``."""
        try:
            return compile_range(expr, [self.symbol])([(self.start, INF)])
        except Undefined as error:
            raise NoBound(str(error)) from None

    def check(self, expr: Expr) -> None:
        """NoBound unless ``expr`` is seen to have a real value at every ``x >= start``."""
        for node in sympy.preorder_traversal(expr):
            if not node.args or not node.has(self.symbol):
                continue
            if isinstance(node, sympy.log) or (node.is_Pow and not node.exp.is_Integer):
                defined = self.sign(node.args[0]) > 0
            elif node.is_Pow:
                defined = node.exp > 0 or self.sign(node.base) != 0
            else:
                defined = node.is_Add or node.is_Mul or type(node).__name__ in _EVERYWHERE or self.range(node).defined
            if not defined:
                raise NoBound(f"{text(node)} is not seen to have a value all the way")

    def sign(self, expr: Expr) -> int:
        """The sign ``expr`` is seen to keep for ``x >= start``, 0 if none is."""
        if not expr.has(self.symbol):
            value = self.number(expr)
            return 1 if value > 0 else -1 if value < 0 else 0
        if expr == self.symbol or isinstance(expr, sympy.exp | sympy.cosh | sympy.erfc):
            return 1
        if expr.is_Mul:
            return math.prod(self.sign(factor) for factor in expr.args)
        if expr.is_Pow:
            sign = self.sign(expr.base)
            return sign if not (expr.exp.is_Integer and expr.exp % 2 == 0) else abs(sign)
        if is_polynomial(expr, self.symbol):
            try:
                return 1 if self._leading(expr)[1] > 0 else -1
            except NoBound:
                return 0
        if expr.is_Add:
            signs = {self.sign(term) for term in expr.args}
            if len(signs) == 1:
                return signs.pop()
            for term in expr.args:
                others = sympy.Add(*(other / term for other in expr.args if other != term))
                if isinstance(term.as_independent(self.symbol, as_Add=False)[1], sympy.exp):
                    ratio = self.range(others)
                    if ratio.defined and ratio.lower > -1:
                        return self.sign(term)
        found = self.range(expr)
        if not found.defined:
            return 0
        return 1 if found.lower > 0 else -1 if found.upper < 0 else 0

    def size(self, expr: Expr) -> Bound:
        """A bound of ``log|expr|``."""
        if not expr.has(self.symbol):
            value = self.number(expr)
            if value.is_zero():
                return Bound(constant=arb(-1) * 10**9)
            return Bound(constant=upper(upper(abs(value)).log()))
        if expr == self.symbol:
            return Bound(log_factor=arb(1))
        if expr.is_Mul:
            result = Bound()
            for child in expr.args:
                result = result.plus(self.size(child))
            return result
        if expr.is_Add:
            return self._sum(expr)
        if expr.is_Pow:
            return self._power(expr)
        return self._function(expr)

    def _sum(self, expr: Expr) -> Bound:
        constant, rest = expr.as_coeff_Add()
        factor, core = rest.as_coeff_Mul()
        if constant and factor == -constant and isinstance(core, sympy.exp):
            # |exp(u) - 1| <= |u|*exp(max(u, 0))
            near = self.size(core.args[0])
            if near.decays and (most := self.range(core).upper).is_finite():
                return near.plus(Bound(constant=upper((most.max(arb(1)) * abs(self.number(constant))).log())))
        result = self.size(expr.args[0])
        for child in expr.args[1:]:
            result = result.highest(self.size(child))
        return result.plus(Bound(constant=upper(arb(len(expr.args)).log())))

    def _power(self, expr: Expr) -> Bound:
        base, exponent = expr.args
        if exponent.has(self.symbol):
            return self.size(sympy.exp(exponent * sympy.log(base)))
        if exponent.is_nonnegative:
            return self.size(base).times(self.number(exponent))
        return self._inverse(base).times(-self.number(exponent))

    def _inverse(self, base: Expr) -> Bound:
        """A bound of ``-log|base|``."""
        if base == self.symbol:
            return Bound(log_factor=arb(-1))
        if isinstance(base, sympy.exp):
            return self.size(sympy.exp(-base.args[0]))
        if base.is_Mul:
            result = Bound()
            for child in base.args:
                result = result.plus(self._inverse(child) if child.has(self.symbol) else self.size(1 / child))
            return result
        if base.is_Pow and base.exp.is_Rational:
            inner = base.base
            return self.size(1 / base) if base.exp < 0 else self._inverse(inner).times(self.number(base.exp))
        if is_polynomial(base, self.symbol):
            degree, least = self._leading(base)
            return Bound(constant=upper(-abs(least).lower().log()), log_factor=arb(-degree))
        if isinstance(base, sympy.cosh):
            # 1/cosh(u) <= 2 exp(u) and <= 2 exp(-u): whichever is seen to decay
            bounds = (self._as_bound(self.above(way * base.args[0])) for way in (1, -1))
            double = Bound(constant=upper(arb(2).log()))
            if (bound := next((b for b in bounds if b.decays), None)) is not None:
                return bound.plus(double)
        if base.is_Add and (bound := self._dominant(base)) is not None:
            return bound
        found = self.range(base)
        if found.defined and (found.lower > 0 or found.upper < 0):
            least = found.lower if found.lower > 0 else -found.upper
            return Bound(constant=upper(-least.log()))
        raise NoBound("a denominator is not seen to stay away from zero")

    def _dominant(self, base: Expr) -> Bound | None:
        """From ``|A + R| >= |A|*(1 + R/A)`` with an exponential A that grows."""
        for term in base.args:
            if not isinstance(term.as_independent(self.symbol, as_Add=False)[1], sympy.exp):
                continue
            bound = self._inverse(term)
            ratio = self.range(sympy.Add(*(other / term for other in base.args if other != term)))
            if bound.decays and ratio.defined and ratio.lower > -1:
                return bound.plus(Bound(constant=upper(-(1 + ratio.lower.min(arb(0))).log())))
        return None

    def _leading(self, base: Expr) -> tuple[int, arb]:
        """(d, c) with ``|base| >= |c| x**d``, c of one sign, for a polynomial."""
        found = coefficients(base, self.symbol)
        degree = max(found)
        ratio = sympy.Add(*(c * self.symbol ** (j - degree) for j, c in found.items()))
        values = self.range(ratio)
        if values.lower > 0:
            return degree, values.lower
        if values.upper < 0:
            return degree, values.upper
        raise NoBound("a polynomial is not seen to keep its sign from here on")

    def _function(self, expr: Expr) -> Bound:
        name, argument = type(expr).__name__, expr.args[0]
        if name == "exp":
            return self._as_bound(self.above(argument))
        if name in ("cosh", "sinh"):
            return self._as_bound(self.above(argument)).highest(self._as_bound(self.above(-argument)))
        if name == "erfc" and self.range(argument).lower >= 0:
            return self._as_bound(self.above(sympy.expand(-(argument**2))))  # erfc(u) <= exp(-u^2) for u >= 0
        if name in ("Abs", "asinh"):
            return self.size(argument)  # |asinh(x)| <= |x|
        if name in ("sin", "tanh", "atan"):
            try:
                bound = self.size(argument)  # |f(x)| <= |x|, the better bound where the argument tends to zero
            except NoBound:
                bound = Bound()
            if bound.decays:
                return bound
        if name == "log" and (near := self._log_near_one(argument)) is not None:
            return near
        if name == "log":
            up, down = self._as_value(self.above(expr)), self._as_value(self.above(-expr))
            return up.highest(down)
        found = self.range(expr)
        most = abs(found.lower).max(abs(found.upper))
        if not most.is_finite():
            raise NoBound(f"{name} is not seen to stay bounded")
        return Bound(constant=upper(most.max(arb(1)).log()))

    def _log_near_one(self, argument: Expr) -> Bound | None:
        """``|log(1 + v)| <= |v|/(1 + min(v, 0))`` where v is seen to decay."""
        excess = argument - 1
        if not argument.is_Add or (least := self.range(excess).lower) <= -1:
            return None
        bound = self.size(excess)
        if not bound.decays:
            return None
        return bound.plus(Bound(constant=upper(-(1 + least.min(arb(0))).log())))

    def above(self, expr: Expr) -> dict[int, arb]:
        """Coefficients of a polynomial in x above ``expr`` for ``x >= start``."""
        if not expr.has(self.symbol):
            return {0: upper(self.number(expr))}
        if is_polynomial(expr, self.symbol):
            return {j: upper(self.number(c)) for j, c in coefficients(expr, self.symbol).items()}
        if expr.is_Add:
            total: dict[int, arb] = {}
            for child in expr.args:
                for j, b in self.above(child).items():
                    total[j] = upper(total[j] + b) if j in total else b
            return total
        factor, core = expr.as_independent(self.symbol, as_Add=False)
        if factor != 1 and factor.is_number:
            value = self.number(factor)
            part = self.above(core) if value > 0 else self._below(core) if value < 0 else None
            if part is not None:
                return {j: upper(value * b) for j, b in part.items()}
        if isinstance(expr, sympy.log):
            return self._log_above(expr.args[0])
        return self._flat(self.range(expr).upper)

    def _flat(self, end: arb) -> dict[int, arb]:
        if not end.is_finite():
            raise NoBound("a part is not seen to stay bounded")
        return {0: end}

    def _below(self, core: Expr) -> dict[int, arb]:
        """Coefficients of a polynomial below ``core``."""
        name = type(core).__name__
        if name == "cosh" and is_polynomial(core.args[0], self.symbol):
            return {j: self.number(c).lower() for j, c in coefficients(1 + core.args[0] ** 2 / 2, self.symbol).items()}
        if name == "exp" and is_polynomial(core.args[0], self.symbol) and self.range(core.args[0]).lower >= 0:
            u = core.args[0]
            below = coefficients(1 + u + u**2 / 2 + u**3 / 6, self.symbol)
            return {j: self.number(c).lower() for j, c in below.items()}
        if core.is_Pow and core.exp.is_Rational and core.exp > 0 and is_polynomial(core.base, self.symbol):
            degree, least = self._leading(core.base)
            if least > 0:
                # x**r >= x**floor(r) from 1 on
                return {int(sympy.floor(degree * core.exp)): (least.log() * self.number(core.exp)).exp().lower()}
        if name == "log":
            return {j: -b for j, b in self._log_above(1 / core.args[0]).items()}
        if name == "Abs" and is_polynomial(core.args[0], self.symbol):
            degree, least = self._leading(core.args[0])
            return {degree: abs(least).lower()}
        return self._flat(self.range(core).lower)

    def _log_above(self, argument: Expr) -> dict[int, arb]:
        """A polynomial above ``log(argument)``; log(x) itself is at most x."""
        bound = self.size(argument)
        powers = dict(bound.powers)
        powers[0] = upper(powers.get(0, arb(0)) + bound.constant)
        if bound.log_factor > 0:
            powers[1] = upper(powers.get(1, arb(0)) + bound.log_factor)
        return powers

    def _as_bound(self, polynomial: dict[int, arb]) -> Bound:
        """The bound of the exponential of a polynomial."""
        return Bound(constant=polynomial.get(0, arb(0)), powers={j: b for j, b in polynomial.items() if j != 0})

    def _as_value(self, polynomial: dict[int, arb]) -> Bound:
        """The bound of a value that lies below a polynomial, from ``sum(b_j*x**j) <= sum(max(b_j, 0))*x**degree``."""
        degree = max(polynomial)
        total = sum((b.max(arb(0)) for b in polynomial.values()), arb(0))
        return Bound(constant=upper(total.max(arb(1)).log()), log_factor=arb(degree))
