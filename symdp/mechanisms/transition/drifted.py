"""Renyi divergences between the laws at one time of two Brownian motions with drift, reflected at 0.

For ``L = D^2 + mu D`` on ``z >= 0``, in units of ``sqrt(2t)``, with ``a = z/sqrt(2t)`` and ``m = mu sqrt(t/2)``, the
density at y from a is

    phi(y - a - m) B(a, y),    B(a, y) = 1 + e^{-2 a y} (1 - sqrt(2 pi) m erfcx((a + y + m)/sqrt2)),

phi the standard normal density and ``erfcx(s) = e^{s^2} erfc(s)`` (Borodin and Salminen 2002, appendix 1). Hence, with
``M = alpha a + (1 - alpha) b``,

    log int p_a^alpha p_b^(1-alpha) = alpha (alpha-1) (a-b)^2/2
                                      + log int phi(y - m - M) B(a, y)^alpha B(b, y)^(1-alpha) dy.

Where ``a + y + m >= 0``, ``0 <= erfcx(s) <= min(1, 1/(s sqrt pi))`` gives ``1 - e^{-2 b y} <= B(b, y)`` and
``B(a, y) <= 2 + sqrt(2 pi) |m|``: the tail is that of phi.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import acb, arb

from symdp.ball import Enclosure, working_precision
from symdp.errors import Undetermined
from symdp.mechanisms.transition.integrate import Piece, erfcx, integrate, largest, real_value, until

_GUARD = 12


@dataclass(frozen=True)
class DriftedPair:
    """The ``order`` alpha above 1, the ``drift`` m, and the starts a, b > 0 in units of ``sqrt(2t)``: balls."""

    order: arb
    drift: arb
    start: arb
    other: arb


def renyi(pair: Callable[[int], DriftedPair], digits: int = 50) -> Enclosure:
    """``R_alpha`` with ``digits`` proved digits; ``pair(bits)`` gives the data as balls of so many bits.

    Raises :class:`Undetermined` where the digits cannot be proved.
    """

    def attempt(bits: int) -> arb:
        data = pair(bits)
        return data.order * (data.start - data.other) ** 2 / 2 + _log_rest(data, bits) / (data.order - 1)

    return until(digits, attempt)


def _log_rest(data: DriftedPair, bits: int) -> arb:
    alpha, m = data.order, data.drift
    middle = m + alpha * data.start + (1 - alpha) * data.other

    def log_integrand(y: acb, analytic: bool) -> acb:
        one, two = (_factor(at, m, y).log(analytic=analytic) for at in (data.start, data.other))
        return alpha * one + (1 - alpha) * two - (y - middle) ** 2 / 2

    reach = (2 * bits * arb.const_log2()).sqrt() + 2
    cut = (arb(0).max(middle).max(-m) + reach).abs_upper().ceil().mid() + 1
    with working_precision(64):
        at = largest(log_integrand, arb(0), cut)
        level = real_value(log_integrand, at).mid()
    total = sum(
        (integrate(Piece(log_integrand, *ends), level, bits - _GUARD) for ends in ((arb(0), at), (at, cut))), arb(0)
    )
    low = 1 - (-2 * data.other * cut).exp()
    if not low > 0:
        raise Undetermined("the tail of the integrand is not seen to fall")
    above = alpha * (2 + (2 * arb.pi()).sqrt() * abs(m)).log() + (1 - alpha) * low.log()
    rest = (above - (cut - middle) ** 2 / 2 - level).exp() / (cut - middle)
    total += rest * arb(0.5, 0.5)
    return total.log() + level - (2 * arb.pi()).log() / 2


def _factor(start: arb, drift: arb, y: acb) -> acb:
    """``B(start, y)``."""
    value = 1 + (-2 * start * y).exp() * (
        1 - (2 * arb.pi()).sqrt() * drift * erfcx((start + y + drift) / arb(2).sqrt())
    )
    return acb(value.real) if y.imag.is_zero() else acb(value)
