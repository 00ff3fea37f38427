"""The logarithm of ``int exp(l(y)) dy`` over ``(0, oo)`` or a bounded range, certified, for integrands that are sharp.

The largest value is looked for first and divided out, so that nothing overflows; where it lies decides only how much
work is done. The integral itself is one of balls, with the tails that are left out added as an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

from flint import acb, arb, ctx

from symdp.ball import Enclosure, bits_for, from_arb, working_precision
from symdp.ballfunctions import path_integral
from symdp.errors import Undetermined

LogIntegrand = Callable[[acb, bool], acb]
"""``l(y)``; the flag asks for a value that is not finite where l is not seen to be analytic on the ball."""

_SCALES = 48
_STEPS = 40
_EVALUATIONS = 40_000
_FAR = 64
_MOST_BITS = 1 << 12
_FEWEST_BITS = 32
_MOST_WORK = 60_000_000
_WORK_PER_SQUARED_BIT = 400


class _Budget:
    """What the integrals of one value may still take: evaluations, times the bits of each."""

    def __init__(self, target: int) -> None:
        self.left = _MOST_WORK + _WORK_PER_SQUARED_BIT * target**2

    def spend(self, times: int) -> None:
        """As much as so many evaluations take; raises Undetermined where there is not enough for it."""
        self.left -= ctx.prec * times
        if self.left < 0:
            raise Undetermined(
                "the divergence is an integral that takes too many evaluations here; "
                "ask for fewer digits or, with `symdp derive`, for a bound"
            )


_BUDGET: ContextVar[_Budget | None] = ContextVar("budget", default=None)


def spend(times: int = 1) -> None:
    """An evaluation of an integrand, or one of its parts that takes as much as so many."""
    budget = _BUDGET.get()
    if budget is not None:
        budget.spend(times)


@dataclass(frozen=True)
class Piece:
    """``int_low^high exp(function)``, for exact ends."""

    function: LogIntegrand
    low: arb
    high: arb


def real_value(function: LogIntegrand, at: arb) -> arb:
    """``l`` at a real point."""
    return function(acb(at), False).real


def largest(function: LogIntegrand, low: arb, high: arb) -> arb:
    """A point near the largest value on ``[low, high]``: a guess, which no bound rests on."""
    width = high - low
    points = [low + width * k / _SCALES for k in range(1, _SCALES)]
    points += [low + width * arb((1, -k)) for k in range(3, _SCALES)]
    points.sort(key=float)
    values = [_guess(function, point) for point in points]
    best = max(range(len(points)), key=values.__getitem__)
    left = points[best - 1] if best else low
    right = points[best + 1] if best + 1 < len(points) else high
    for _ in range(_STEPS):
        one, two = (2 * left + right) / 3, (left + 2 * right) / 3
        if _guess(function, one) < _guess(function, two):
            left = one.mid()
        else:
            right = two.mid()
    return ((left + right) / 2).mid()


def _guess(function: LogIntegrand, point: arb) -> float:
    value = real_value(function, point.mid())
    return float(value.mid()) if value.is_finite() else float("-inf")


def integrate(piece: Piece, level: arb, target: int) -> arb:
    """``int exp(l - level)`` over the piece, to about ``2^-target``; not finite where l is not seen to be analytic."""

    def value(y: acb, analytic: bool) -> acb:
        spend()
        return (piece.function(y, analytic) - level).exp()

    tolerance = arb((1, -target))
    found = path_integral(value, (piece.low, piece.high), tolerance, tolerance, _EVALUATIONS + 200 * target)
    return found.real if found.is_finite() else arb("nan")


def until(digits: int, attempt: Callable[[int], arb], most: int = 0) -> Enclosure:
    """A divergence, ``attempt(bits)`` at growing precision until it has so many significant ``digits``.

    Raises :class:`Undetermined` where that needs more than 4096 bits, than ``most``, and than four times the target, or
    more evaluations of an integrand than anybody waits for.
    """
    target = bits_for(digits) + 2
    token = _BUDGET.set(_Budget(target))
    try:
        return from_arb(_until(target, attempt, max(_MOST_BITS, 4 * target, most)))
    finally:
        _BUDGET.reset(token)


def _until(target: int, attempt: Callable[[int], arb], most: int) -> arb:
    bits = target + 32
    while bits <= most:
        with working_precision(bits + 32):
            value = attempt(bits)
            known = value.rel_accuracy_bits() if value.is_finite() else 0
            if known >= target:
                return value
        bits = bits + target - known + 16 if known > 0 else 2 * bits
    raise Undetermined(f"the divergence is not enclosed to the digits asked for with {most} bits")


def enough(bits: int, log_size: arb) -> int:
    """The precision that a factor of a term of this size deserves, where ``bits`` are wanted beside 1."""
    size = float(log_size.mid()) / math.log(2)
    return max(_FEWEST_BITS, min(bits, bits + math.ceil(size))) + 32 if math.isfinite(size) else bits + 32


def tilted_tail(middle: arb, variance: arb, slope: arb, cut: arb) -> arb:
    """An upper bound of ``int_cut^oo exp(slope y - (y - middle)^2/(2 variance)) dy``, whose exponent is concave.

    Raises :class:`Undetermined` where the integrand is not seen to fall beyond the cut.
    """
    fall = (cut - middle) / variance - slope
    if not fall > 0:
        raise Undetermined("the tail of the integrand is not seen to fall")
    return (slope * cut - (cut - middle) ** 2 / (2 * variance)).exp() / fall


def erfcx(s: acb) -> acb:
    """``exp(s^2) erfc(s)``, by Tricomi's function where s is far to the right: no large factor is needed there."""
    far = s.real > _FAR
    return acb((s * s).hypgeom_u(acb(0.5), acb(0.5)) / arb.pi().sqrt() if far else (s * s).exp() * s.erfc())
