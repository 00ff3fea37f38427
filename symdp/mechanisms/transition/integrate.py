"""The logarithm of ``int exp(l(y)) dy`` over ``(0, oo)`` or a bounded range, certified, for integrands that are sharp.

The largest value is looked for first and divided out, so that nothing overflows; where it lies decides only how much
work is done. The integral itself is one of balls, with the tails that are left out added as an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import acb, arb

from symdp.ball import working_precision
from symdp.errors import Undetermined

LogIntegrand = Callable[[acb, bool], acb]
"""``l(y)``; the flag asks for a value that is not finite where l is not seen to be analytic on the ball."""

_SCALES = 48
_STEPS = 40
_EVALUATIONS = 40_000
_FAR = 8
_MOST_BITS = 1 << 12


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
        return (piece.function(y, analytic) - level).exp()

    tolerance = arb((1, -target))
    found = acb.integral(
        value,
        acb(piece.low),
        acb(piece.high),
        rel_tol=tolerance,
        abs_tol=tolerance,
        eval_limit=_EVALUATIONS + 200 * target,
    )
    return found.real if found.is_finite() else arb("nan")


def until(target: int, attempt: Callable[[int], arb], what: str) -> arb:
    """``attempt(bits)`` at growing precision until it has ``target`` significant bits.

    Raises :class:`Undetermined` where that needs more than 4096 bits and more than four times the target.
    """
    bits, most = target + 32, max(_MOST_BITS, 4 * target)
    while bits <= most:
        with working_precision(bits + 32):
            value = attempt(bits)
            if value.is_finite() and value.rel_accuracy_bits() >= target:
                return value
        bits *= 2
    raise Undetermined(f"{what} is not enclosed to the digits asked for with {most} bits")


def erfcx(s: acb) -> acb:
    """``exp(s^2) erfc(s)``, by Tricomi's function where s is far to the right: no large factor is needed there."""
    far = s.real > _FAR
    return acb((s * s).hypgeom_u(acb(0.5), acb(0.5)) / arb.pi().sqrt() if far else (s * s).exp() * s.erfc())
