"""The pieces of an integral: ranges from a regular end to a regular end or to +oo, integrands rewritten for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Dummy, Expr, S, Symbol

from symdp.enclosure import enclose
from symdp.errors import Undefined, Undetermined
from symdp.quadrature.dominant import crossings, lean
from symdp.quadrature.rewrite import move, tidy
from symdp.quadrature.tails import NoBound


@dataclass(frozen=True, slots=True)
class Piece:
    """``sign * int_lower^upper expr d symbol``; ``upper`` None is +oo."""

    expr: Expr
    symbol: Symbol
    lower: Expr
    upper: Expr | None
    sign: int = 1


def pieces(expr: Expr, symbol: Symbol, lower: Expr, upper: Expr) -> Iterator[Piece]:
    """Ranges from a finite regular end to a finite regular end or to +oo."""
    if lower == S.Infinity or upper == S.NegativeInfinity or _above(lower, upper):
        yield from (Piece(p.expr, p.symbol, p.lower, p.upper, -p.sign) for p in pieces(expr, symbol, upper, lower))
    elif lower == S.NegativeInfinity:
        middle = S.Zero if upper == S.Infinity else upper
        yield from pieces(tidy(expr.xreplace({symbol: -symbol}), symbol), symbol, -middle, S.Infinity)
        if upper == S.Infinity:
            yield from pieces(expr, symbol, middle, upper)
    elif upper == S.Infinity:
        if _vanishes_at(expr, symbol, lower):
            yield _end_piece(expr, symbol, lower, S.One)
            lower = lower + 1
        yield from _split(Piece(expr, symbol, lower, None))
    else:
        left, right = _vanishes_at(expr, symbol, lower), _vanishes_at(expr, symbol, upper)
        half = (upper - lower) / 2 if left and right else upper - lower
        if left:
            yield _end_piece(expr, symbol, lower, half)
        if right:
            yield _end_piece(expr, symbol, upper, -half)
        if not left and not right:
            yield from _split(Piece(expr, symbol, lower, upper))


def _split(piece: Piece) -> Iterator[Piece]:
    """The piece cut where another term of a sum of exponentials becomes the largest."""
    lower = piece.lower
    for cut in crossings(piece.expr, piece.symbol):
        if _above(cut, lower) and (piece.upper is None or _above(piece.upper, cut)):
            yield Piece(lean(piece.expr, piece.symbol, (lower + cut) / 2), piece.symbol, lower, cut)
            lower = cut
    inside = lower + 1 if piece.upper is None else (lower + piece.upper) / 2
    yield Piece(lean(piece.expr, piece.symbol, inside), piece.symbol, lower, piece.upper)


def _above(lower: Expr, upper: Expr) -> bool:
    if upper == S.Infinity or lower == S.NegativeInfinity:
        return False
    return bool(enclose(lower - upper, {}, 5).lower > 0)


_VANISHING = {"log": (0,), "acosh": (1,), "asin": (1, -1), "acos": (1, -1), "atanh": (1, -1)}


def _vanishes_at(expr: Expr, symbol: Symbol, end: Expr) -> bool:
    """Whether the argument of a logarithm or root, or a denominator, vanishes at an end of the range."""
    for node in sympy.preorder_traversal(expr):
        if node.is_Pow and not (node.exp.is_Integer and node.exp > 0):
            gaps = [node.base]
        else:
            gaps = [node.args[0] - level for level in _VANISHING.get(type(node).__name__, ())]
        for gap in gaps:
            if gap.has(symbol):
                try:
                    value = enclose(gap, {symbol: end}, 5)
                except (Undefined, Undetermined):
                    return True
                if value.contains(0):
                    return True
    return False


def _end_piece(expr: Expr, symbol: Symbol, end: Expr, step: Expr) -> Piece:
    """The integral over ``[end, end + step]`` (``[end + step, end]`` if negative) as ``x = end + step*exp(-s)``."""
    mark = Dummy("mark", positive=True)
    return _exponential(move(expr, symbol, end + step * mark, mark) * abs(step) * mark, mark)


def far_piece(piece: Piece) -> Piece:
    """A half line with an algebraic tail, ``x = lower - 1 + exp(s)``."""
    mark = Dummy("mark", positive=True)
    moved = move(piece.expr, piece.symbol, piece.lower - 1 + 1 / mark, mark)
    return _exponential(moved / mark, mark)


def _exponential(expr: Expr, mark: Dummy) -> Piece:
    if expr.has(S.ImaginaryUnit, S.NaN, S.ComplexInfinity):
        raise NoBound("the integrand is not seen to be real near an end of the range")
    s = Dummy("s", real=True)
    return Piece(tidy(tidy(expr, mark).xreplace({mark: sympy.exp(-s)}), s), s, S.Zero, None)
