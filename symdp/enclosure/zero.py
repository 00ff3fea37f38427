"""Proofs that a constant expression is exactly zero.

A ball can show that a number is not zero, never that it is by its width alone. What shows it here is exact: a root
separation bound for algebraic numbers; otherwise the expression is written as a fraction of two sums of products over
the rationals (exponential form, logarithms of primes, expanded), and the numerator cancels to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import sympy
from sympy import Expr, S

from symdp.enclosure.algebraic import is_algebraic_zero

# Integer powers larger than this are not written out, nor are sums with more terms.
_MAX_EXPONENT = 64
_MAX_OPERATIONS = 2000
_MAX_TERMS = 20_000
_MAX_FACTORED = 10**12


def is_exact_zero(expr: Expr, values: Mapping[sympy.Symbol, Expr] | None = None) -> bool:
    """Whether ``expr`` with the symbols replaced by their values is proved to be zero; False means not proved."""
    if not affordable(expr, values or {}):
        return False
    try:
        value = expr.xreplace(dict(values)) if values else expr
        if value == 0:
            return True
        if value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
            return False
        if values and is_algebraic_zero(expr, values):
            return True
        value = value.rewrite(sympy.exp)
        value = value.xreplace({term: _prime_logs(term) for term in value.atoms(sympy.log)})
        numerator, _ = _fraction(value)
        return _terms(numerator) <= _MAX_TERMS and bool(sympy.expand(numerator) == 0)
    except (RecursionError, MemoryError):
        return False


def affordable(expr: Expr, values: Mapping[sympy.Symbol, Expr], largest: int = _MAX_EXPONENT) -> bool:
    """Whether the numbers that appear when values are put in stay of moderate size."""
    for count, node in enumerate(sympy.preorder_traversal(expr)):
        if count > _MAX_OPERATIONS:
            return False
        if node.is_Pow:
            exponent = values.get(node.exp, node.exp)
            if exponent.is_Rational and abs(exponent.p) > largest:
                return False
            if not exponent.is_Rational and exponent.free_symbols:
                if not affordable(exponent, values, largest):
                    return False
                substituted = exponent.xreplace(dict(values))
                if substituted.is_Rational and abs(substituted.p) > largest:
                    return False
    return True


def _terms(expr: Expr) -> int:
    """A bound for the number of terms when ``expr`` is expanded."""
    if expr.is_Add:
        return sum(_terms(child) for child in expr.args)
    if expr.is_Mul:
        return math.prod(min(_terms(child), _MAX_TERMS + 1) for child in expr.args)
    if expr.is_Pow and expr.exp.is_Integer and expr.exp > 0:
        n, k = int(expr.exp), _terms(expr.base)
        return math.comb(n + k - 1, n) if k <= _MAX_TERMS else k
    return max((_terms(child) for child in expr.args), default=1)


def _prime_logs(term: Expr) -> Expr:
    """The logarithm of a small positive rational as a sum over primes, so that equal numbers look equal."""
    argument = term.args[0]
    if not (argument.is_Rational and argument > 0 and max(argument.p, argument.q) < _MAX_FACTORED):
        return term
    return sympy.Add(
        *(n * sympy.log(p) for p, n in sympy.factorint(argument.p).items()),
        *(-n * sympy.log(p) for p, n in sympy.factorint(argument.q).items()),
    )


def _fraction(expr: Expr) -> tuple[Expr, Expr]:
    """Numerator and denominator without cancelling anything."""
    if expr.is_Add:
        numerator, denominator = S.Zero, S.One
        for term in expr.args:
            top, bottom = _fraction(term)
            if bottom == denominator:
                numerator += top
            else:
                numerator, denominator = numerator * bottom + top * denominator, denominator * bottom
        return numerator, denominator
    if expr.is_Mul:
        parts = [_fraction(factor) for factor in expr.args]
        return sympy.Mul(*(top for top, _ in parts)), sympy.Mul(*(bottom for _, bottom in parts))
    if expr.is_Pow and expr.exp.is_Integer:
        top, bottom = _fraction(expr.base)
        n = int(expr.exp)
        return (top**n, bottom**n) if n > 0 else (bottom**-n, top**-n)
    if expr.is_Rational:
        return sympy.Integer(expr.p), sympy.Integer(expr.q)
    return expr, S.One
