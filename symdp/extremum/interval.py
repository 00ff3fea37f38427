"""Interval arithmetic with endpoints that know whether they are attained, infinite ones included.

An endpoint is an exact ball (a dyadic number or an infinity), rounded outward; ``open`` means the set does not contain
it. That alone proves ``1 - exp(-2*k*t) > 0`` for k, t > 0: the exponential lies in the open interval (0, 1).
``partial`` says that the function may be undefined somewhere on the box; nothing is proved from a partial range.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb

from symdp.ball import arb_of

Ball = Any  # flint.arb; flint ships no types

ZERO, ONE, TWO = arb(0), arb(1), arb(2)
INF, NINF = arb("inf"), arb("-inf")


def down(x: Ball) -> Ball:
    """The lower endpoint of a ball (minus infinity when it says nothing)."""
    return NINF if x.is_nan() else x if x.is_exact() else x.lower()


def up(x: Ball) -> Ball:
    """The upper endpoint of a ball (infinity when it says nothing)."""
    return INF if x.is_nan() else x if x.is_exact() else x.upper()


class Range:
    """The set of values: between ``lo`` and ``hi``, ends excluded where ``lo_open``, ``hi_open``."""

    __slots__ = ("hi", "hi_open", "lo", "lo_open", "partial")

    def __init__(self, lo: Ball, hi: Ball, lo_open: bool = False, hi_open: bool = False, partial: bool = False) -> None:
        self.lo, self.hi = lo, hi
        self.lo_open = lo_open or not lo.is_finite()
        self.hi_open = hi_open or not hi.is_finite()
        self.partial = partial

    def __repr__(self) -> str:
        left, right = "(" if self.lo_open else "[", ")" if self.hi_open else "]"
        return f"{left}{self.lo}, {self.hi}{right}{'?' if self.partial else ''}"

    @property
    def positive(self) -> bool:
        """Every value is defined and > 0."""
        return not self.partial and (bool(self.lo > 0) or (bool(self.lo == 0) and self.lo_open))

    @property
    def nonnegative(self) -> bool:
        """Every value is defined and >= 0."""
        return not self.partial and bool(self.lo >= 0)

    @property
    def negative(self) -> bool:
        """Every value is defined and < 0."""
        return not self.partial and (bool(self.hi < 0) or (bool(self.hi == 0) and self.hi_open))

    @property
    def nonpositive(self) -> bool:
        """Every value is defined and <= 0."""
        return not self.partial and bool(self.hi <= 0)

    @property
    def sign(self) -> int | None:
        """+1 or -1 when strictly of that sign everywhere, else None."""
        return 1 if self.positive else -1 if self.negative else None

    @property
    def order(self) -> int | None:
        """As ``sign``, and +2 or -2 when everywhere >= 0 or <= 0."""
        if self.sign is not None:
            return self.sign
        return 2 if self.nonnegative else -2 if self.nonpositive else None

    @property
    def width(self) -> Ball:
        """The length, infinite for an unbounded range."""
        return up(self.hi - self.lo)


def whole(partial: bool = False) -> Range:
    """The real line."""
    return Range(NINF, INF, partial=partial)


def point(x: Ball) -> Range:
    """The closed range of a ball."""
    return Range(down(x), up(x))


def rational(value: Fraction) -> Range:
    """A rational constant."""
    return point(arb_of(value))


def add(a: Range, b: Range) -> Range:
    """The sum."""
    return Range(
        down(a.lo + b.lo), up(a.hi + b.hi), a.lo_open or b.lo_open, a.hi_open or b.hi_open, a.partial or b.partial
    )


def neg(a: Range) -> Range:
    """The negative."""
    return Range(-a.hi, -a.lo, a.hi_open, a.lo_open, a.partial)


def mul(a: Range, b: Range) -> Range:
    """The product."""
    if a.lo >= 0 and b.lo >= 0:  # the usual case, two products instead of four
        low, high = _corner(a.lo, a.lo_open, b.lo, b.lo_open), _corner(a.hi, a.hi_open, b.hi, b.hi_open)
        return Range(down(low[0]), up(high[0]), low[1], high[1], a.partial or b.partial)
    corners = [
        _corner(x, xo, y, yo)
        for x, xo in ((a.lo, a.lo_open), (a.hi, a.hi_open))
        for y, yo in ((b.lo, b.lo_open), (b.hi, b.hi_open))
    ]
    lo, lo_open = corners[0]
    hi, hi_open = corners[0]
    lo, hi = down(lo), up(hi)
    for value, is_open in corners[1:]:
        low, high = down(value), up(value)
        if low < lo:
            lo, lo_open = low, is_open
        elif low == lo:
            lo_open = lo_open and is_open
        if high > hi:
            hi, hi_open = high, is_open
        elif high == hi:
            hi_open = hi_open and is_open
    if lo == 0 and lo_open and _attains_zero(a, b):
        lo_open = False
    if hi == 0 and hi_open and _attains_zero(a, b):
        hi_open = False
    return Range(lo, hi, lo_open, hi_open, a.partial or b.partial)


def _corner(x: Ball, x_open: bool, y: Ball, y_open: bool) -> tuple[Ball, bool]:
    """The product of two ends; an end at zero times an infinite end bounds nothing but zero."""
    if x == 0 or y == 0:
        return ZERO, not ((x == 0 and not x_open) or (y == 0 and not y_open))
    return x * y, x_open or y_open


def _attains_zero(a: Range, b: Range) -> bool:
    return attains(a, ZERO) or attains(b, ZERO)


def attains(r: Range, x: Ball) -> bool:
    """Whether a number is in a range."""
    return bool(r.lo < x or (r.lo == x and not r.lo_open)) and bool(x < r.hi or (r.hi == x and not r.hi_open))


def square(a: Range) -> Range:
    """The square."""
    return integer_power(a, 2)


def integer_power(a: Range, n: int) -> Range:
    """``a**n`` for any integer n; partial when a negative power may meet zero."""
    if n == 0:
        return Range(ONE, ONE, partial=a.partial)
    if n < 0:
        return reciprocal(integer_power(a, -n))
    if n % 2 == 0 and a.lo < 0:
        if a.hi <= 0:
            a = neg(a)
        else:
            low, high = -a.lo, a.hi
            top = (
                max((low, a.lo_open), (high, a.hi_open), key=lambda e: (e[0], not e[1]))
                if low != high
                else (low, a.lo_open and a.hi_open)
            )
            return Range(ZERO, up(top[0] ** n), False, top[1], a.partial)
    return Range(down(a.lo**n), up(a.hi**n), a.lo_open, a.hi_open, a.partial)


def reciprocal(a: Range) -> Range:
    """``1/a``; the whole line, partial, when zero is inside."""
    if a.lo > 0 or (a.lo == 0 and a.hi > 0):
        hi = INF if a.lo == 0 else up(1 / a.lo)
        lo = ZERO if not a.hi.is_finite() else down(1 / a.hi)
        return Range(lo, hi, a.hi_open, a.lo_open, a.partial or bool(a.lo == 0 and not a.lo_open))
    if a.hi < 0 or (a.hi == 0 and a.lo < 0):
        return neg(reciprocal(neg(a)))
    return whole(partial=True)


def rational_power(a: Range, p: int, q: int) -> Range:
    """``a**(p/q)`` for q > 1 on the non-negative part of ``a``; partial when ``a`` may be negative."""
    if p < 0:
        return reciprocal(rational_power(a, -p, q))
    a = clip(a, ZERO)
    root = Range(down(_root(a.lo, q)), up(_root(a.hi, q)), a.lo_open, a.hi_open, a.partial)
    return integer_power(root, p)


def _root(x: Ball, q: int) -> Ball:
    return x if x == 0 or not x.is_finite() else x.root(q)


def clip(a: Range, lo: Ball | None, hi: Ball | None = None, *, lo_open: bool = False, hi_open: bool = False) -> Range:
    """The part within a domain; partial when something was cut off."""
    partial = a.partial
    low, low_open, high, high_open = a.lo, a.lo_open, a.hi, a.hi_open
    if lo is not None and (low < lo or (low == lo and lo_open and not low_open)):
        low, low_open, partial = lo, lo_open, True
    if hi is not None and (high > hi or (high == hi and hi_open and not high_open)):
        high, high_open, partial = hi, hi_open, True
    if high < low:  # nowhere defined: any range will do, as long as it is partial
        return Range(low, low, False, False, True)
    return Range(low, high, low_open, high_open, partial)


def increasing(f: Callable[[Ball], Ball], at_minus: Ball, at_plus: Ball) -> Callable[[Range], Range]:
    """The range function of an increasing ``f`` with the given limits at the infinities."""

    def value(a: Range) -> Range:
        lo = at_minus if a.lo == NINF else down(f(a.lo))
        hi = at_plus if a.hi == INF else up(f(a.hi))
        return Range(lo, hi, a.lo_open, a.hi_open, a.partial)

    return value


def log(a: Range) -> Range:
    """The logarithm of the positive part."""
    a = clip(a, ZERO, lo_open=True)
    lo = NINF if a.lo == 0 else down(a.lo.log())
    hi = INF if a.hi == INF else NINF if a.hi == 0 else up(a.hi.log())
    return Range(lo, hi, a.lo_open, a.hi_open, a.partial or bool(a.hi == 0))


def absolute(a: Range) -> Range:
    """The absolute value."""
    if a.lo >= 0:
        return a
    if a.hi <= 0:
        return neg(a)
    if -a.lo == a.hi:
        return Range(ZERO, a.hi, False, a.lo_open and a.hi_open, a.partial)
    if -a.lo > a.hi:
        return Range(ZERO, -a.lo, False, a.lo_open, a.partial)
    return Range(ZERO, a.hi, False, a.hi_open, a.partial)


def cosh(a: Range) -> Range:
    """The hyperbolic cosine: increasing in the absolute value."""
    return increasing(lambda x: x.cosh(), ONE, INF)(absolute(a))


def sign(a: Range) -> Range:
    """The sign."""
    lo = ONE if a.lo > 0 or (a.lo == 0 and a.lo_open) else ZERO if a.lo == 0 else -ONE
    hi = -ONE if a.hi < 0 or (a.hi == 0 and a.hi_open) else ZERO if a.hi == 0 else ONE
    return Range(lo, hi, False, False, a.partial)


def periodic(f: Callable[[Ball], Ball]) -> Callable[[Range], Range]:
    """Sine or cosine."""

    def value(a: Range) -> Range:
        if not (a.lo.is_finite() and a.hi.is_finite()):
            return Range(-ONE, ONE, partial=a.partial)
        y = f(a.lo.union(a.hi))
        lo, hi = down(y), up(y)
        return Range(max(lo, -ONE), min(hi, ONE), partial=a.partial)

    return value


def tangent(a: Range) -> Range:
    """The tangent; partial when a pole may be inside."""
    if not (a.lo.is_finite() and a.hi.is_finite()):
        return whole(partial=True)
    y = a.lo.union(a.hi).tan()
    return Range(down(a.lo.tan()), up(a.hi.tan()), a.lo_open, a.hi_open, a.partial) if y.is_finite() else whole(True)


def maximum(a: Range, b: Range) -> Range:
    """The larger of two."""
    lo, lo_open = max(((a.lo, a.lo_open), (b.lo, b.lo_open)), key=lambda e: (e[0], e[1]))
    hi, hi_open = max(((a.hi, a.hi_open), (b.hi, b.hi_open)), key=lambda e: (e[0], not e[1]))
    return Range(lo, hi, lo_open, hi_open, a.partial or b.partial)
