"""The Laurent series of a sympy expression in which one symbol is itself a series."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr, S, Symbol

from symdp.enclosure.series import Algebra, Refusal, Series, constant


class Expansion:
    """The series of every sub-expression when ``symbol`` is the given series."""

    def __init__(self, algebra: Algebra, symbol: Symbol, base: Series) -> None:
        self.algebra, self.symbol, self.base = algebra, symbol, base
        self.known: dict[Expr, Series] = {}

    def __call__(self, node: Expr) -> Series:
        """The series of ``node``; Refusal or Short as the algebra raises them."""
        if node not in self.known:
            self.known[node] = self._compute(node)
        return self.known[node]

    def _compute(self, node: Expr) -> Series:
        if node == self.symbol:
            return self.base
        if not node.has(self.symbol):
            self.algebra.ground.check(node)
            return constant(node)
        if node.is_Add or node.is_Mul:
            combine = self.algebra.add if node.is_Add else self.algebra.mul
            result = self(node.args[0])
            for child in node.args[1:]:
                result = combine(result, self(child))
            return result
        if node.is_Pow:
            return self._power(node)
        rule = _RULES.get(type(node).__name__)
        if rule is None or len(node.args) != 1:
            raise Refusal(f"no expansion of {type(node).__name__}")
        return rule(self.algebra, self(node.args[0]))

    def _power(self, node: Expr) -> Series:
        base, exponent = self(node.base), node.exp
        if exponent.is_Integer:
            return self.algebra.power(base, int(exponent))
        if not exponent.has(self.symbol):
            return self.algebra.real_power(base, exponent)
        return self.algebra.exp(self.algebra.mul(self(exponent), _log(self.algebra, base)))


def _log(algebra: Algebra, a: Series) -> Series:
    a = algebra.trim(a)
    if not a.coefficients or a.start != 0:
        raise Refusal("the logarithm of an expression that is zero or infinite at the point")
    if algebra.ground.sign(a.coefficients[0]) < 0:
        raise Refusal("the logarithm of a negative number")
    return algebra.integrate_from(sympy.log(a.coefficients[0]), a, algebra.inverse)


def _quotient(first: int, second: int, *, hyperbolic: bool) -> Callable[[Algebra, Series], Series]:
    def rule(algebra: Algebra, a: Series) -> Series:
        pair = (constant(S.One), *algebra.sin_cos(a, hyperbolic=hyperbolic))
        return algebra.mul(pair[first], algebra.inverse(pair[second]))

    return rule


def _inverse_function(
    function: Callable[[Expr], Expr], quadratic: tuple[int, int], exponent: Expr, sign: int
) -> Callable[[Algebra, Series], Series]:
    """f with ``f'(u) = sign * (q0 + q1 u**2)**exponent``."""

    def rule(algebra: Algebra, a: Series) -> Series:
        def derivative(u: Series) -> Series:
            inner = algebra.add(constant(S(quadratic[0])), algebra.scale(algebra.mul(u, u), S(quadratic[1])))
            return algebra.scale(algebra.real_power(inner, exponent), S(sign))

        return algebra.integrate_from(function(algebra.split(a)[0]), a, derivative)

    return rule


def _erf(sign: int, function: Callable[[Expr], Expr]) -> Callable[[Algebra, Series], Series]:
    def rule(algebra: Algebra, a: Series) -> Series:
        def derivative(u: Series) -> Series:
            return algebra.scale(
                algebra.exp(algebra.scale(algebra.mul(u, u), S.NegativeOne)), sign * 2 / sympy.sqrt(sympy.pi)
            )

        return algebra.integrate_from(function(algebra.split(a)[0]), a, derivative)

    return rule


def _abs(algebra: Algebra, a: Series) -> Series:
    a = algebra.trim(a)
    if a.coefficients and a.start % (4 if algebra.squared else 2):
        raise Refusal("the absolute value of an expression that changes sign at the point")
    return algebra.scale(a, S(algebra.ground.sign(a.coefficients[0]))) if a.coefficients else a


_HALF = S.Half
_RULES: dict[str, Callable[[Algebra, Series], Series]] = {
    "exp": lambda algebra, a: algebra.exp(a),
    "log": _log,
    "sin": lambda algebra, a: algebra.sin_cos(a, hyperbolic=False)[0],
    "cos": lambda algebra, a: algebra.sin_cos(a, hyperbolic=False)[1],
    "sinh": lambda algebra, a: algebra.sin_cos(a, hyperbolic=True)[0],
    "cosh": lambda algebra, a: algebra.sin_cos(a, hyperbolic=True)[1],
    "tan": _quotient(1, 2, hyperbolic=False),
    "cot": _quotient(2, 1, hyperbolic=False),
    "sec": _quotient(0, 2, hyperbolic=False),
    "csc": _quotient(0, 1, hyperbolic=False),
    "tanh": _quotient(1, 2, hyperbolic=True),
    "coth": _quotient(2, 1, hyperbolic=True),
    "sech": _quotient(0, 2, hyperbolic=True),
    "csch": _quotient(0, 1, hyperbolic=True),
    "asin": _inverse_function(sympy.asin, (1, -1), -_HALF, 1),
    "acos": _inverse_function(sympy.acos, (1, -1), -_HALF, -1),
    "atan": _inverse_function(sympy.atan, (1, 1), S.NegativeOne, 1),
    "asinh": _inverse_function(sympy.asinh, (1, 1), -_HALF, 1),
    "acosh": _inverse_function(sympy.acosh, (-1, 1), -_HALF, 1),
    "atanh": _inverse_function(sympy.atanh, (1, -1), S.NegativeOne, 1),
    "erf": _erf(1, sympy.erf),
    "erfc": _erf(-1, sympy.erfc),
    "Abs": _abs,
}
