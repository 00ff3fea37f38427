"""Moments of the sampled Gaussian in ball and interval arithmetic (the function is defined in ``symdp.text.moment``).

``M(p, q, s) = E[g^p]``, ``g = 1 + q v``, ``v = r - 1``, ``r = e^{(2x-1)w}``, ``w = 1/(2 s^2)``, ``E v = 0``. An
argument that is not one rational number is an interval, and the moment is bounded by its values at corners, as it is

* for ``p >= 1`` or ``p <= 0``, where ``t^p`` is convex: increasing in q (``E (1 + q v)^p`` is convex in q with slope
  ``p E v = 0`` at q = 0) and decreasing in s (it is the f-divergence of ``(1-q) N(0, s^2) + q N(1, s^2)`` from
  ``N(0, s^2)`` for ``f = t^p``; a larger s adds the same independent noise to both, which processes data);
* for ``0 < p < 1``, where ``t^p`` is concave: the opposite of both;
* ``L = log M`` is convex in p (Hölder) and 0 at p = 0 and 1: so M is at least 1 and increasing for ``p >= 1``, at least
  1 and decreasing for ``p <= 0``, at most 1 between. There ``-q w <= L' <= q w``, because ``L'`` increases,
  ``L'(0) = E log g >= q E log r = -q w`` (log is concave) and ``L'(1) = E g log g <= q E r log r = q w`` (t log t is
  convex).

Where an integral would take too long, these serve in boxes: ``e = E r^p = e^{p(p-1)w}``; ``g^p <= 1 - q + q r^p`` for a
convex power and ``>=`` for a concave one; ``g^p >= (1-q)^p + q^p r^p`` for ``p >= 1`` (superadditive); ``g >= 1 - q``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import flint
from flint import arb, fmpq

from symdp.ball import arb_of
from symdp.enclosure.numbers import Number, Signs, to_arb
from symdp.enclosure.tape import Instruction
from symdp.errors import Undetermined

Real = Fraction | float  # a float is an infinity
Side = tuple[Real, Real]
Bounds = tuple[arb, arb]

_ONE, _INF = arb(1), arb("inf")
_FAR = 2000  # numbers beyond 2**_FAR, or closer to zero than its inverse, are rounded outward
# beyond these no integral is tried; a float holds what lies within
_LARGEST, _LEAST = Fraction(10**12), Fraction(1, 10**300)
_NOISE = Fraction(10**100)
_COARSE_BITS = 53


def sampled_moment(signs: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    """The moment at one point."""
    p, q, s = args
    _, rate, scale = step.node.args
    at_zero, at_one = signs.sign(q, rate), signs.sign(1 - q if isinstance(q, fmpq) else arb(1) - q, 1 - rate)
    if at_zero < 0 or at_one < 0:
        raise signs.undefined(step, "a sampling rate that is not between 0 and 1")
    if signs.sign(s, scale) <= 0:
        raise signs.undefined(step, "a standard deviation that is not positive")
    if at_zero == 0 or (isinstance(p, fmpq) and p in (0, 1)):
        return fmpq(1)
    if at_one == 0:
        return (to_arb(p) * (to_arb(p) - 1) / (2 * to_arb(s) ** 2)).exp()
    if not all(isinstance(x, fmpq) or x.is_finite() for x in args):
        return arb("nan")
    sides = _ends(p), _ends(q), _ends(s)
    exact = all(isinstance(x, fmpq) for x in args)
    low, high = _bounds(sides, flint.ctx.prec, strict=exact)
    return low.union(high) if high.is_finite() else arb("nan")


def bounds(p: Bounds, q: Bounds, s: Bounds) -> Bounds:
    """The least and the greatest moment on a box of exact ends, perhaps infinite, ``0 <= q <= 1`` and ``0 <= s``."""
    sides = _outward(p), _outward(q), _outward(s)
    return _bounds(sides, _bits(sides), strict=False)


def _ends(x: Number) -> Side:
    if isinstance(x, fmpq):
        value = Fraction(int(x.p), int(x.q))
        return value, value
    return _outward((x.lower(), x.upper()))


def _outward(ends: Bounds) -> Side:
    return _number(ends[0], up=False), _number(ends[1], up=True)


def _number(x: arb, *, up: bool) -> Real:
    """An exact ball as a rational, rounded outward where it is far too large or too small."""
    if not x.is_finite():
        return math.inf if x > 0 else -math.inf
    mantissa, exponent = (int(part) for part in x.man_exp())
    size = exponent + abs(mantissa).bit_length()
    if mantissa and abs(size) > _FAR:
        sign = 1 if mantissa > 0 else -1
        outward = up == (sign > 0)
        if size > 0:
            return sign * math.inf if outward else sign * Fraction(2) ** (_FAR - 1)
        return sign * Fraction(1, 2 ** (_FAR - 1)) if outward else Fraction(0)
    return mantissa * Fraction(2) ** exponent


def _bits(sides: Sequence[Side]) -> int:
    """Accuracy that is worth its cost: some bits more than the box is narrow."""
    gap = 0.0
    for low, high in sides:
        if not (isinstance(low, Fraction) and isinstance(high, Fraction)):
            gap = 1.0
        elif low != high:
            gap = max(gap, float((high - low) / (abs(low) + abs(high))))
    bits: int = flint.ctx.prec
    return bits if gap == 0 else min(bits, max(_COARSE_BITS, math.ceil(-math.log2(gap)) + 32))


def _finite(*values: Real) -> bool:
    return all(isinstance(v, Fraction) for v in values)


def _bounds(sides: tuple[Side, Side, Side], bits: int, *, strict: bool) -> Bounds:
    """Lower and upper bound on a box; ``strict``: raise Undetermined rather than give wide ones."""
    p, q, s = sides
    found: list[Bounds] = []
    if p[0] <= 0:
        inner = min(p[1], Fraction(0))
        found.append((_at(inner, q[0], s[1], bits, strict)[0], _at(p[0], q[1], s[0], bits, strict)[1]))
    if p[1] >= 1:
        inner = max(p[0], Fraction(1))
        found.append((_at(inner, q[0], s[1], bits, strict)[0], _at(p[1], q[1], s[0], bits, strict)[1]))
    if p[0] < 1 and p[1] > 0:
        found.append(_between(max(p[0], Fraction(0)), min(p[1], Fraction(1)), q, s, bits, strict))
    lower, upper = found[0]
    for low, high in found[1:]:
        lower, upper = min(lower, low), max(upper, high)
    return lower, upper


def _between(first: Real, last: Real, q: Side, s: Side, bits: int, strict: bool) -> Bounds:
    """For p in a part of [0, 1]: from its middle, with the bound of the slope of ``log M``."""
    middle, half = (Fraction(first) + Fraction(last)) / 2, (Fraction(last) - Fraction(first)) / 2
    low, high = _at(middle, q[1], s[0], bits, strict)[0], _at(middle, q[0], s[1], bits, strict)[1]
    lowest = arb_of(1 - Fraction(q[1])).lower()
    if half and s[0] > 0:
        slope = _rate(q[1], s[0])
        low = (low * (-arb_of(half) * slope).exp()).lower()
        lowest = max(lowest, (-slope / 2).exp().lower())
    elif half:
        low = arb(0)
    if half and s[1] > 0:
        high = (high * (arb_of(half) * _rate(q[0], s[1])).exp()).upper()
    return max(low, lowest), min(high, _ONE)


def _rate(q: Real, s: Real) -> arb:
    """``q w``."""
    return arb_of(Fraction(q) / (2 * Fraction(s) ** 2)) if _finite(s) else arb(0)


def _at(p: Real, q: Real, s: Real, bits: int, strict: bool) -> Bounds:
    """Bounds at a corner, as exact numbers; an infinite p or s, and s = 0, stand for limits."""
    if q == 0 or p in (0, 1) or s == math.inf:
        return _ONE, (_ONE if _finite(p) else _INF)
    if not _finite(p):
        return _ONE, _INF
    assert isinstance(p, Fraction) and isinstance(q, Fraction) and isinstance(s, Fraction)
    if s == 0:
        least = _ends_of(arb_of(1 - Fraction(q)) ** arb_of(p)) if q < 1 else (arb(0), _INF)
        return (least[0], _ONE) if 0 < p < 1 else (_ONE, least[1] if p < 0 else _INF)
    if q == 1:
        return _ends_of((arb_of(p * (p - 1) / (2 * Fraction(s) ** 2))).exp())
    if _usual(p, q, s):
        from symdp.mechanisms.sampled_gaussian.moment import moment

        try:
            return _ends_of(moment(q, s, p, bits))
        except Undetermined:
            if strict:
                raise
    return _elementary(p, q, s)


def _usual(p: Fraction, q: Fraction, s: Fraction) -> bool:
    """Whether the numbers are of a size at which an integral is tried."""
    return min(abs(p), abs(p - 1), q, 1 - q) >= _LEAST and abs(p) <= _LARGEST and 1 / _NOISE <= s <= _NOISE


def _elementary(p: Fraction, q: Fraction, s: Fraction) -> Bounds:
    """Bounds without an integral."""
    stay, rate, power = arb_of(1 - q), arb_of(q), arb_of(p)
    whole = (arb_of(p * (p - 1) / (2 * s**2))).exp()
    chord, alone = stay + rate * whole, stay**power
    if p > 1:
        return _ends_of(alone + rate**power * whole)[0].max(_ONE), _ends_of(chord)[1]
    if p < 0:
        return _ONE, min(_ends_of(chord)[1], _ends_of(alone)[1])
    return max(_ends_of(chord)[0], _ends_of(alone)[0]), _ONE


def _ends_of(x: arb) -> Bounds:
    """The ends of a ball around a positive number; zero and infinity where it says nothing."""
    return (max(x.lower(), arb(0)), x.upper()) if x.is_finite() else (arb(0), _INF)
