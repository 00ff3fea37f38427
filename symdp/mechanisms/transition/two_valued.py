"""Renyi divergences between the laws at one time of two Brownian motions with a two-valued drift.

For ``L = D^2 + mu sign(z) D`` on the line, in units of ``sqrt(2t)``, with ``a = z/sqrt(2t)`` and ``m = mu sqrt(t/2)``,
the density at y from a is (Karatzas and Shreve 1991, section 6.5; ``rules.two_valued``)

    phi(y - a) e^{m(|y| - |a|) - m^2/2} B(a, y),
    B(a, y) = 1 - sqrt(pi/2) m e^{-2 max(0, a y)} erfcx((|a| + |y| + m)/sqrt2),

phi the standard normal density and ``erfcx(s) = e^{s^2} erfc(s)``. Hence, with ``M = alpha a + (1 - alpha) b``,

    log int p_a^alpha p_b^(1-alpha) = alpha (alpha-1) (a-b)^2/2 - m (alpha |a| + (1-alpha) |b|) - m^2/2
                                      + log int phi(y - M) e^{m |y|} B(a, y)^alpha B(b, y)^(1-alpha) dy.

The integrand has a kink at 0: each half line is integrated for itself.

**The tails.** Where ``|y| + m >= 0``, ``0 <= erfcx(s) <= min(1, 1/(s sqrt pi))`` gives ``1 <= B <= 1 + sqrt(pi/2) |m|``
for ``m <= 0`` and ``|y|/(|y| + m) <= B <= 1`` for ``m >= 0``: they are those of ``phi(y - M) e^{m |y|}``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import acb, arb

from symdp.ball import Enclosure, working_precision
from symdp.mechanisms.transition.integrate import (
    LogIntegrand,
    Piece,
    erfcx,
    integrate,
    largest,
    real_value,
    tilted_tail,
    until,
)

_GUARD = 12


@dataclass(frozen=True)
class TwoValuedPair:
    """The ``order`` alpha above 1, the ``drift`` m away from 0, and the starts a, b in units of ``sqrt(2t)``: balls."""

    order: arb
    drift: arb
    start: arb
    other: arb


def renyi(pair: Callable[[int], TwoValuedPair], digits: int = 50) -> Enclosure:
    """``R_alpha`` with ``digits`` proved digits; ``pair(bits)`` gives the data as balls of so many bits.

    Raises :class:`Undetermined` where the digits cannot be proved.
    """

    def attempt(bits: int) -> arb:
        data = pair(bits)
        alpha, m, a, b = data.order, data.drift, data.start, data.other
        factor = -m * (alpha * abs(a) + (1 - alpha) * abs(b)) - m**2 / 2
        return alpha * (a - b) ** 2 / 2 + (factor + _log_rest(data, bits)) / (alpha - 1)

    return until(digits, attempt)


def _log_rest(data: TwoValuedPair, bits: int) -> arb:
    alpha, m = data.order, data.drift
    middle = alpha * data.start + (1 - alpha) * data.other
    reach = (2 * bits * arb.const_log2()).sqrt() + 2
    halves = []
    with working_precision(64):
        for side in (1, -1):
            cut = (arb(0).max(side * middle + m).max(-m) + reach).abs_upper().ceil().mid() + 1
            function = _log_integrand(data, middle, side)
            halves.append((side, function, largest(function, arb(0), cut), cut))
        level = max((real_value(f, at).mid() for _, f, at, _ in halves), key=float)
    total = arb(0)
    for side, function, at, cut in halves:
        for ends in ((arb(0), at), (at, cut)):
            total += integrate(Piece(function, *ends), level, bits - _GUARD)
        rest = tilted_tail(side * middle, arb(1), m, cut) * (_log_factors(data, cut) - level).exp()
        total += rest * arb(0.5, 0.5)
    return total.log() + level - (2 * arb.pi()).log() / 2


def _log_integrand(data: TwoValuedPair, middle: arb, side: int) -> LogIntegrand:
    """On the half line ``side w``, ``w > 0``, without ``1/sqrt(2 pi)``."""
    alpha, m = data.order, data.drift

    def value(w: acb, analytic: bool) -> acb:
        one, two = (_factor(at, m, w, side).log(analytic=analytic) for at in (data.start, data.other))
        return alpha * one + (1 - alpha) * two + m * w - (w - side * middle) ** 2 / 2

    return value


def _factor(start: arb, drift: arb, w: acb, side: int) -> acb:
    """``B(start, side w)``."""
    same = (side * start).max(arb(0))
    value = 1 - (arb.pi() / 2).sqrt() * drift * (-2 * same * w).exp() * erfcx((abs(start) + w + drift) / arb(2).sqrt())
    return acb(value.real) if w.imag.is_zero() else acb(value)


def _log_factors(data: TwoValuedPair, cut: arb) -> arb:
    """An upper bound of ``log(B(a, y)^alpha B(b, y)^(1-alpha))`` beyond the cut, which is above ``-m``."""
    push, pull = data.drift.max(arb(0)), (-data.drift).max(arb(0))
    above = data.order * (1 + (arb.pi() / 2).sqrt() * pull).log()
    return above + (data.order - 1) * (1 + push / cut).log()
