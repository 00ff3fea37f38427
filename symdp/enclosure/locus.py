"""Where an expression that is zero at a point vanishes near that point: coordinates for its expansion.

These are proposals; an expansion along a coordinate is a proof by itself. What is checked here is that the coordinate
passes through the point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sympy
from sympy import Dummy, Expr, S, Symbol

from symdp.enclosure.zero import is_exact_zero

_ZERO_WITH_ARGUMENT = ("sinh", "tanh", "sin", "tan", "asin", "asinh", "atan", "atanh", "erf", "Abs", "sign")


@dataclass(frozen=True, slots=True)
class Locus:
    """The symbols in ``moved`` are rewritten; then ``symbol`` is ``limit + eps``, and the set is ``eps = 0``."""

    symbol: Symbol
    limit: Expr
    moved: dict[Symbol, Expr]


def loci(zero: Expr, point: Mapping[Symbol, Expr]) -> Iterator[Locus]:
    """Coordinates whose zero set may be that of ``zero``, the likeliest first."""
    seen: list[tuple[Symbol, Expr]] = []
    for core in _cores(zero, point):
        for symbol, limit in _solved(core, point):
            if (symbol, limit) not in seen:
                seen.append((symbol, limit))
                yield Locus(symbol, limit, {symbol: symbol})
    for symbol in sorted(zero.free_symbols, key=lambda s: s.name):
        if (symbol, point[symbol]) not in seen:
            yield Locus(symbol, point[symbol], {symbol: symbol})
    yield from _products(zero.free_symbols, point)


def _solved(core: Expr, point: Mapping[Symbol, Expr]) -> Iterator[tuple[Symbol, Expr]]:
    """``s = L(the other symbols)`` for the symbols in which ``core`` is linear."""
    if core.is_Symbol:
        yield core, point[core]
        return
    for symbol in sorted(core.free_symbols, key=lambda s: s.name):
        slope = core.diff(symbol)
        if slope.has(symbol) or is_exact_zero(slope, point):
            continue
        limit = sympy.expand(symbol - core / slope)
        if not limit.has(symbol) and is_exact_zero(limit - point[symbol], point):
            yield symbol, limit


def _products(involved: set[Symbol], point: Mapping[Symbol, Expr]) -> Iterator[Locus]:
    """Where several symbols vanish at once, their product as the coordinate: ``s = u/(the others)``."""
    vanishing = [s for s in sorted(point, key=lambda s: s.name) if point[s] == 0]
    product = Dummy("u", real=True)
    for symbol in vanishing if len(vanishing) > 1 and involved.intersection(vanishing) else ():
        others = sympy.Mul(*(s for s in vanishing if s != symbol))
        yield Locus(product, S.Zero, {symbol: product / others})


def _cores(zero: Expr, point: Mapping[Symbol, Expr]) -> Iterator[Expr]:
    """The innermost expressions whose vanishing makes ``zero`` vanish."""
    name = type(zero).__name__
    if zero.is_Mul:
        for factor in zero.args:
            if is_exact_zero(factor, point):
                yield from _cores(factor, point)
    elif zero.is_Pow and zero.exp.is_positive:
        yield from _cores(zero.base, point)
    elif name in _ZERO_WITH_ARGUMENT and is_exact_zero(zero.args[0], point):
        yield from _cores(zero.args[0], point)
    elif name == "log":
        yield from _cores(zero.args[0] - 1, point)
    elif zero.is_Add:
        inner = _difference(zero)
        if inner is not None and inner != zero and is_exact_zero(inner, point):
            yield from _cores(inner, point)
        elif zero.is_polynomial() and (factored := sympy.factor(zero)).is_Mul:
            yield from _cores(factored, point)
        yield zero
    else:
        yield zero


def _difference(zero: Expr) -> Expr | None:
    """``u - v`` for ``c*f(u) - c*f(v)``, and ``u`` for ``c*f(u) - c`` with ``f(0) = 1``."""
    if len(zero.args) != 2:
        return None
    head, rest = zero.as_coeff_Add()
    factor, core = rest.as_coeff_Mul()
    if head:
        return core.args[0] if factor == -head and type(core).__name__ in ("exp", "cosh", "cos", "erfc") else None
    (a, left), (b, right) = (term.as_coeff_Mul() for term in zero.args)
    if a == -b and left.func == right.func and len(left.args) == len(right.args) == 1:
        return left.args[0] - right.args[0]
    return None
