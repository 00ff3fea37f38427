"""Signs: of exact constants (rationals exactly, the rest by balls) and, where the form alone tells, of expressions."""

from __future__ import annotations

import itertools
import threading
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import NamedTuple

import sympy as sp
from flint import arb, fmpq, fmpz

from symdp import ball as _ball
from symdp.text.extrema import Max, Min
from symdp.text.moment import sampled_moment

_PRECISIONS = (64, 256, 1024, 4096, 16384)
# Constants outside 2**-RANGE_BITS .. 2**RANGE_BITS, and arguments of functions above 2**ARGUMENT_BITS, are refused:
# sympy's own evaluation of cos(exp(10**6)) or tanh(exp(10**11)) takes minutes or all memory.
ARGUMENT_BITS = 1 << 10
NORMAL_BITS = 9  # the same for erfc(x), which is about exp(-x**2)
RANGE_BITS = 1 << 22

_UNARY = {
    sp.exp: "exp",
    sp.log: "log",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.tan: "tan",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.coth: "coth",
    sp.asin: "asin",
    sp.acos: "acos",
    sp.atan: "atan",
    sp.asinh: "asinh",
    sp.acosh: "acosh",
    sp.atanh: "atanh",
    sp.Abs: "__abs__",
    sp.sign: "sgn",
    sp.erfc: "erfc",
}


@lru_cache(maxsize=1 << 16)
def is_constant(expr: sp.Basic) -> bool:
    """Whether there is no symbol in ``expr``; remembered, since it is asked at every level of a tree."""
    return not isinstance(expr, sp.Symbol) and all(map(is_constant, expr.args))


class Extent(NamedTuple):
    """Levels and nodes of a tree, shared parts counted each time, as sympy's recursions do, and its longest number."""

    levels: int
    nodes: int
    bits: int


@lru_cache(maxsize=8192)
def extent(expr: sp.Basic) -> Extent:
    """The size of a tree."""
    if isinstance(expr, sp.Rational):
        return Extent(1, 1, max(int(expr.p).bit_length(), int(expr.q).bit_length()))
    parts = [extent(a) for a in expr.args]
    levels, nodes, bits = zip(*parts, strict=True) if parts else ((0,), (0,), (0,))
    return Extent(1 + max(levels), 1 + sum(nodes), max(bits))


@lru_cache(maxsize=8192)
def settled(expr: sp.Expr) -> sp.Expr:
    """``expr`` rebuilt until sympy no longer changes it: its own products and sums are not always in final form."""
    if not expr.args:
        return expr
    arguments = list(map(settled, expr.args))
    if isinstance(expr, sp.Pow) and isinstance(arguments[0], sp.Rational) and arguments[0].p == 1 < arguments[0].q:
        # sympy keeps (1/2)**x alone but writes 2**(-x) inside a product.
        arguments = [1 / arguments[0], -arguments[1]]
    again = expr.func(*arguments)
    return again if again == expr else settled(again)


def _precision(bits: int) -> AbstractContextManager[None]:
    # flint's precision is process-wide; another thread keeps the ambient one, where balls stay sound but wider.
    main = threading.current_thread() is threading.main_thread()
    return _ball.working_precision(bits) if main else nullcontext()


def _enclose(expr: sp.Expr) -> arb:
    """A ball around a constant at the ambient precision; nan where it may be undefined or is not understood."""
    if isinstance(expr, sp.Rational):
        return arb(fmpq(int(expr.p), int(expr.q)))
    if expr is sp.pi:
        return arb.pi()
    if expr is sp.E:
        return arb(1).exp()
    if isinstance(expr, sp.Add | sp.Mul):
        values = [_enclose(a) for a in expr.args]
        total = values[0]
        for value in values[1:]:
            total = total + value if isinstance(expr, sp.Add) else total * value
        return total
    if isinstance(expr, sp.Pow):
        base, exponent = _enclose(expr.base), expr.exp
        if isinstance(exponent, sp.Integer):
            return base ** fmpz(int(exponent))
        if exponent == sp.S.Half:
            return base.sqrt()
        return base ** _enclose(exponent) if base > 0 else arb.nan()
    if type(expr) in _UNARY and len(expr.args) == 1:
        return arb(getattr(_enclose(expr.args[0]), _UNARY[type(expr)])())
    return arb.nan()


def magnitude_ok(expr: sp.Expr, upper_bits: int = RANGE_BITS) -> bool:
    """Whether a constant is surely within 2**-RANGE_BITS .. 2**upper_bits, or a rational below 2**upper_bits."""
    if isinstance(expr, sp.Rational):
        return int(expr.p).bit_length() - int(expr.q).bit_length() <= upper_bits
    for bits in _PRECISIONS:
        with _precision(bits):
            size = abs(_enclose(expr))
            if size < arb(2) ** upper_bits:
                return not size < 1 / arb(2) ** RANGE_BITS
            if size > arb(2) ** upper_bits:
                return False
    return False


def power_in_range(base: sp.Expr, exponent: sp.Expr) -> bool:
    """Whether ``|base|**exponent`` of two constants is surely within 2**-RANGE_BITS .. 2**RANGE_BITS (or base is 0)."""
    with _precision(256):
        size = abs(_enclose(base))
        return base == 0 or bool(abs(size.log() * _enclose(exponent)) < arb(RANGE_BITS) * arb(2).log())


def sign(expr: sp.Expr) -> int | None:
    """The proved sign of a real constant: -1, 0 or +1; None when it is not decided (or not a constant)."""
    if isinstance(expr, sp.Rational):
        return int(expr.p > 0) - int(expr.p < 0)
    if not is_constant(expr) or expr.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
        return None
    for bits in _PRECISIONS:
        with _precision(bits):
            value = _enclose(expr)
            if value > 0:
                return 1
            if value < 0:
                return -1
    return None


def compare(a: sp.Expr, b: sp.Expr) -> int | None:
    """The sign of ``a - b`` for exact constants or +-oo; equal only if the same tree; None when undecided."""
    if a == b:
        return 0
    for infinite, result in ((sp.oo, 1), (-sp.oo, -1)):
        if a is infinite:
            return result
        if b is infinite:
            return -result
    return sign(a - b)


Signs = frozenset[int]
ANY: Signs = frozenset({-1, 0, 1})
_POSITIVE: Signs = frozenset({1})
_NONNEGATIVE: Signs = frozenset({0, 1})
_ODD = (sp.sinh, sp.tanh, sp.asinh, sp.atan, sp.asin, sp.atanh, sp.sign)


def possible_signs(expr: sp.Expr) -> Signs:
    """The signs ``expr`` can have where it is defined and its symbols are real, as far as its form alone tells."""
    if is_constant(expr) and (known := sign(expr)) is not None:
        return frozenset({known})
    if isinstance(expr, sp.Add):
        return _sum([possible_signs(a) for a in expr.args])
    if isinstance(expr, sp.Mul):
        product = _POSITIVE
        for argument in expr.args:
            signs = possible_signs(argument)
            product = frozenset(a * b for a in product for b in signs)
        return product
    if isinstance(expr, sp.Pow):
        return _power(possible_signs(expr.base), expr.exp)
    if isinstance(expr, sp.exp | sp.cosh | sp.erfc | sampled_moment):
        return _POSITIVE
    if isinstance(expr, sp.Abs):
        return frozenset(abs(s) for s in possible_signs(expr.args[0]))
    if isinstance(expr, sp.acos | sp.acosh):
        return _NONNEGATIVE
    if isinstance(expr, _ODD):
        return possible_signs(expr.args[0])
    if isinstance(expr, sp.coth):
        return possible_signs(expr.args[0]) - {0}
    if isinstance(expr, Min | Max):
        pick = min if isinstance(expr, Min) else max
        return frozenset(map(pick, itertools.product(*map(possible_signs, expr.args))))
    return ANY


def _sum(parts: list[Signs]) -> Signs:
    union = frozenset[int]().union(*parts)
    if {-1, 1} <= union:
        return ANY
    strict = any(0 not in part for part in parts)
    return union - {0} if strict else union


def _power(base: Signs, exponent: sp.Expr) -> Signs:
    if isinstance(exponent, sp.Integer):
        if exponent < 0:
            base = base - {0}
        return frozenset(s**2 for s in base) if exponent % 2 == 0 else base
    if isinstance(exponent, sp.Rational) and exponent > 0:
        return base & _NONNEGATIVE
    return base & _POSITIVE if is_constant(exponent) else _POSITIVE
