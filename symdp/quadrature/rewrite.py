"""Exact rewriting of an integrand before it is enclosed. Each step is an identity between real functions.

An exponent that is written as a difference of large squares has a range far too wide on any interval; expanded, it does
not. A product of exponentials under a power or a logarithm is taken out of it for the same reason.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy import Dummy, Expr, S, Symbol

from symdp.enclosure.real import text
from symdp.enclosure.zero import affordable
from symdp.errors import Undefined, Undetermined

_MAX_DEGREE = 200
_MAX_EXPONENT = 10_000


def substitute(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """``expr`` with exact values in place of symbols; Undetermined if that would write out enormous numbers.

    Raises Undefined if a constant part has no real value.
    """
    if not affordable(expr, values, _MAX_EXPONENT):
        raise Undetermined("the integrand is too large to be rewritten exactly")
    result = expr.xreplace(dict(values))
    if result.has(S.ImaginaryUnit, S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
        raise Undefined(f"the integrand {text(expr)} has a part without real value")
    return result


def tidy(expr: Expr, symbol: Symbol) -> Expr:
    """The integrand with exponents expanded and exponentials taken out of powers and logarithms."""
    if not expr.has(symbol) or not expr.args:
        return expr
    expr = expr.func(*(tidy(child, symbol) for child in expr.args))
    if isinstance(expr, sympy.exp):
        return sympy.exp(sympy.expand(expr.args[0])) if is_polynomial(expr.args[0], symbol) else expr
    if expr.is_Mul:
        exponents = [factor.args[0] for factor in expr.args if isinstance(factor, sympy.exp)]
        if len(exponents) > 1:
            others = (factor for factor in expr.args if not isinstance(factor, sympy.exp))
            return sympy.Mul(tidy(sympy.exp(sympy.Add(*exponents)), symbol), *others)
    if expr.is_Pow and not expr.exp.is_Integer:
        outside, inside = _positive_factors(expr.base)
        return sympy.Mul(*(factor**expr.exp for factor in outside)) * inside**expr.exp if outside else expr
    if isinstance(expr, sympy.log):
        outside, inside = _positive_factors(expr.args[0])
        if outside:
            return sympy.Add(*(_log_of(factor) for factor in outside), sympy.log(inside))
    return expr


def _positive_factors(expr: Expr) -> tuple[list[Expr], Expr]:
    """The exponentials and positive dummies (and their powers) among the factors, and the product of the others."""
    factors = sympy.Mul.make_args(expr)
    outside = [f for f in factors if isinstance(f, sympy.exp) or (f.as_base_exp()[0].is_Dummy and f.is_positive)]
    if not outside or (len(factors) == 1 and outside[0].is_Dummy):
        return [], expr
    return outside, sympy.Mul(*(f for f in factors if f not in outside))


def _log_of(factor: Expr) -> Expr:
    if isinstance(factor, sympy.exp):
        return factor.args[0]
    base, exponent = factor.as_base_exp()
    return exponent * sympy.log(base)


def is_polynomial(expr: Expr, symbol: Symbol) -> bool:
    """Whether ``expr`` is a polynomial in ``symbol`` of moderate degree with coefficients free of it."""
    return bool(expr.is_polynomial(symbol)) and _degree_bound(expr, symbol) <= _MAX_DEGREE


def _degree_bound(expr: Expr, symbol: Symbol) -> int:
    if not expr.has(symbol):
        return 0
    if expr.is_Add:
        return max(_degree_bound(child, symbol) for child in expr.args)
    if expr.is_Mul:
        return sum(_degree_bound(child, symbol) for child in expr.args)
    if expr.is_Pow:
        return int(expr.exp) * _degree_bound(expr.base, symbol)
    return 1


def coefficients(expr: Expr, symbol: Symbol) -> dict[int, Expr]:
    """The coefficients of a polynomial by power, expanded, without zeros."""
    found: dict[int, list[Expr]] = {}
    for term in sympy.Add.make_args(sympy.expand(expr)):
        factor, rest = term.as_independent(symbol, as_Add=False)
        power = 0 if rest == 1 else int(rest.as_base_exp()[1])
        found.setdefault(power, []).append(factor)
    sums = {power: sympy.Add(*terms) for power, terms in found.items()}
    return {power: value for power, value in sums.items() if value != 0}


def move(expr: Expr, symbol: Symbol, path: Expr, mark: Dummy) -> Expr:
    """``expr`` along ``symbol = path``, where ``path`` is a Laurent polynomial in the positive ``mark``.

    Every polynomial part is expanded exactly and its lowest power of ``mark`` taken out, so that nothing cancels where
    ``mark`` is small. At the end ``mark`` still stands for itself.
    """
    if not expr.has(symbol):
        return expr
    if is_polynomial(expr, symbol):
        return _lowest_out(sympy.expand(expr.xreplace({symbol: path})), mark)
    expr = expr.func(*(move(child, symbol, path, mark) for child in expr.args))
    return tidy(expr, mark)


def _lowest_out(expr: Expr, mark: Dummy) -> Expr:
    terms = []
    for term in sympy.Add.make_args(expr):
        factor, rest = term.as_independent(mark, as_Add=False)
        terms.append((factor, S.Zero if rest == 1 else rest.as_base_exp()[1]))
    lowest = min(power for _, power in terms)
    return mark**lowest * sympy.Add(*(factor * mark ** (power - lowest) for factor, power in terms))
