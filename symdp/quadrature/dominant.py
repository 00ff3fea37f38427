"""Sums of exponentials under a power or a logarithm: the range is split where another term becomes the largest.

``(1 - q + q*exp(u))**a * exp(-x**2/2)`` is a product of two factors that vary by thousands of orders of magnitude where
the product hardly does; enclosed one by one they are far too wide. With the largest term taken out, ``exp(a*u)`` joins
the other exponent and what is left under the power stays between 1 and the number of terms.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr, Rational, S, Symbol

from symdp.enclosure import enclose
from symdp.errors import Undefined, Undetermined
from symdp.quadrature.rewrite import coefficients, is_polynomial, tidy

_MAX_TERMS = 12
_Line = tuple[Expr, Expr]  # log of a term: intercept, slope


def crossings(expr: Expr, symbol: Symbol) -> list[Rational]:
    """Rational points near those where two terms of such a sum are equal, in order."""
    found: set[Rational] = set()
    for terms in (lines for _, lines in _sums(expr, symbol)):
        for k, (intercept, slope) in enumerate(terms):
            for other, steeper in terms[:k]:
                try:
                    where = enclose((intercept - other) / (steeper - slope), {}, 6)
                except (Undefined, Undetermined):  # parallel
                    continue
                found.add(Rational(int(where.mid * 1024), 1024))
    return sorted(found)


def lean(expr: Expr, symbol: Symbol, at: Expr) -> Expr:
    """``expr`` with the term that is largest at ``at`` taken out of each such sum: equal everywhere, lean there."""
    changes: dict[Expr, Expr] = {}
    for node, terms in _sums(expr, symbol):
        sizes = [enclose(intercept + slope * at, {}, 6).mid for intercept, slope in terms]
        summands = node.args[0].args
        largest = summands[sizes.index(max(sizes))]
        rest = sympy.Add(*(tidy(summand / largest, symbol) for summand in summands))
        if node.is_Pow:
            changes[node] = _power(largest, node.exp, symbol) * rest**node.exp
        else:
            changes[node] = tidy(sympy.log(largest), symbol) + sympy.log(rest)
    return tidy(expr.xreplace(changes), symbol) if changes else expr


def _power(term: Expr, exponent: Expr, symbol: Symbol) -> Expr:
    factor, rest = term.as_independent(symbol, as_Add=False)
    return factor**exponent * (sympy.exp(exponent * rest.args[0]) if rest != 1 else S.One)


def _sums(expr: Expr, symbol: Symbol) -> Iterator[tuple[Expr, list[_Line]]]:
    """Powers and logarithms of sums of positive multiples of exponentials of linear functions."""
    for node in sympy.preorder_traversal(expr):
        if (node.is_Pow and node.args[0].is_Add and not node.exp.has(symbol)) or isinstance(node, sympy.log):
            inner = node.args[0]
            if inner.is_Add and len(inner.args) <= _MAX_TERMS and inner.has(symbol):
                lines = [_line(term, symbol) for term in inner.args]
                if None not in lines:
                    yield node, [line for line in lines if line is not None]


def _line(term: Expr, symbol: Symbol) -> _Line | None:
    """The logarithm of ``c*exp(linear)``, c > 0."""
    factor, rest = term.as_independent(symbol, as_Add=False)
    if not factor.is_positive:
        return None
    exponent = S.Zero if rest == 1 else rest.args[0] if isinstance(rest, sympy.exp) else None
    if exponent is None or not is_polynomial(exponent, symbol):
        return None
    found = coefficients(exponent, symbol)
    if any(power > 1 for power in found):
        return None
    return sympy.log(factor) + found.get(0, S.Zero), found.get(1, S.Zero)
