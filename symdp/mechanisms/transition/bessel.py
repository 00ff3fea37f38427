"""Renyi divergences between the laws at one time of two Bessel processes that differ in their starts.

For ``L = D^2 + ((2 nu + 1)/y) D`` on the half line, ``nu > -1``, reflecting at 0 where 0 is attained, the law at time s
from y is, in units of ``sqrt(2s)`` and with ``a = y/sqrt(2s)``,

    p_a(z) = c z^(2 nu + 1) exp(-(z^2 + a^2)/2) F(a z),   F(x) = 0F1(; nu + 1; x^2/4),   c = 2^-nu/Gamma(nu + 1).

Borodin and Salminen 2002, appendix 1. F is even with ``F(0) = 1``, and it is at least 1 on the real line.
With ``m = alpha a + (1 - alpha) b`` and ``f(x) = exp(-x) F(x)``

    log int p_a^alpha p_b^(1 - alpha) = alpha (alpha - 1) (a - b)^2/2
                                        + log(c int z^(2 nu + 1) e^(-(z - m)^2/2) f(az)^alpha f(bz)^(1 - alpha) dz).

**The tail.** ``x f'(x)/f(x) = G(x) - x`` with ``G = x I_(nu+1)/I_nu``, which solves ``x G' = x^2 - 2 nu G - G^2``.
Where G first meets the line ``x - k`` from above, ``G' <= 1`` gives ``x (2k - 2nu - 1) <= k (k - 2nu)``, which fails
for ``x > k`` if ``k = max(1, nu + 1)``; hence ``G >= x - k``. Where it first meets ``x + j`` from below, ``G' >= 1``
gives ``-x (1 + 2nu + 2j) >= j (j + 2nu)``, which fails for ``j = 0`` if ``nu > -1/2`` and for ``j = -2nu`` if
``-1 < nu < 0``; hence ``G <= x + j`` (``G = x tanh x`` at ``nu = -1/2``). The logarithm of the integrand so has a slope
of at most

    -(z - m) + (2 nu + 1 + alpha j + (alpha - 1) k)/z.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import acb, arb, ctx

from symdp.ball import Enclosure, working_precision
from symdp.errors import Undetermined
from symdp.mechanisms.transition.integrate import Piece, integrate, largest, real_value, spend, until

_SERIES_UP_TO = 12
_GUARD = 12
_NODE = 16
_LOST = 32
_TIMES = 15


@dataclass(frozen=True)
class BesselPair:
    """``index`` nu above -1, the ``order`` alpha above 1, and the starts a, b > 0 in units of ``sqrt(2 s)``: balls."""

    index: arb
    order: arb
    start: arb
    other: arb


def renyi(pair: Callable[[int], BesselPair], digits: int = 50) -> Enclosure:
    """``R_alpha(p_a || p_b)`` with ``digits`` proved digits; ``pair(bits)`` gives the data as balls of so many bits.

    Raises :class:`Undetermined` where the digits cannot be proved.
    """

    def attempt(bits: int) -> arb:
        data = pair(bits)
        gap = (data.start - data.other) ** 2
        return data.order * gap / 2 + _log_rest(data, bits) / (data.order - 1)

    return until(digits, attempt)


def _log_rest(data: BesselPair, bits: int) -> arb:
    """``log(c int z^(2 nu + 1) e^(-(z-m)^2/2) f(az)^alpha f(bz)^(1-alpha) dz)``."""
    nu, alpha, a, b = data.index, data.order, data.start, data.other
    middle = alpha * a + (1 - alpha) * b

    def smooth(z: acb, analytic: bool) -> acb:
        """The logarithm of the integrand without its power of z."""
        one, two = log_scaled(nu, a * z, analytic), log_scaled(nu, b * z, analytic)
        return alpha * one + (1 - alpha) * two - (z - middle) ** 2 / 2

    def whole(z: acb, analytic: bool) -> acb:
        return (2 * nu + 1) * z.log(analytic=analytic) + smooth(z, analytic)

    def near_zero(w: acb, analytic: bool) -> acb:
        """With ``z = e^-w``."""
        return smooth((-w).exp(), analytic) - (2 * nu + 2) * w

    cut = _far_cut(data, middle, bits)
    with working_precision(64):
        at = largest(whole, arb(0), cut)
        level = real_value(whole, at).mid()
    power = 2 * nu + 2
    first = (arb(bits) * arb.const_log2() / power.abs_lower()).mid().ceil() + 1
    if not power > 0 or not first.is_finite():
        raise Undetermined("the index is not seen to be above -1")
    pieces = [Piece(near_zero, arb(0), first), *_halves(whole, arb(1), at, cut)]
    total = sum((integrate(piece, level, bits - _GUARD) for piece in pieces), arb(0))
    small = (-first).exp()
    rest = small**power / power * (smooth(acb(arb(0).union(small)), False).real - level).exp()
    slope = cut - middle - _push(data) / cut
    if not slope > 0:
        raise Undetermined("the tail of the integrand is not seen to fall")
    rest += (real_value(whole, cut) - level).exp() / slope
    total += rest * arb(0.5, 0.5)
    return total.log() + level - nu * arb.const_log2() - (nu + 1).lgamma()


def _halves(function: Callable[[acb, bool], acb], low: arb, at: arb, high: arb) -> list[Piece]:
    if at > low:
        return [Piece(function, low, at), Piece(function, at, high)]
    return [Piece(function, low, high)]


def _push(data: BesselPair) -> arb:
    """``max(0, 2 nu + 1 + alpha j + (alpha - 1) k)``."""
    nu, alpha = data.index, data.order
    up = arb(0) if nu >= arb(-0.5) else arb(0).max(-2 * nu)
    return arb(0).max(2 * nu + 1 + alpha * up + (alpha - 1) * arb(1).max(nu + 1))


def _far_cut(data: BesselPair, middle: arb, bits: int) -> arb:
    """A point from which the integrand is small beside its largest value."""
    reach = (2 * bits * arb.const_log2()).sqrt() + 2 + 2 * _push(data).sqrt()
    return (arb(0).max(middle) + reach).abs_upper().ceil().mid() + 1


def log_scaled(nu: arb, x: acb, analytic: bool) -> acb:
    """``log f(x)``, ``f(x) = exp(-x) 0F1(; nu + 1; x^2/4)``, right of the imaginary axis, real on the real one."""
    if x.abs_upper() < _SERIES_UP_TO:
        if not x.imag.contains(arb(0)):  # the principal logarithm may be another branch there
            return acb("nan")
        return acb((x * x / 4).hypgeom_0f1(acb(nu + 1)).log(analytic=analytic) - x)
    if not x.real > 0:
        return acb("nan")
    centre = x.real.mid()
    value = _log_positive(nu, centre)
    shift = x - centre
    reach, most = shift.abs_upper(), _most_growth(nu, x.abs_upper())
    near = x.real.abs_lower()
    if reach < arb((1, _NODE - ctx.prec)):
        return acb(value - x + _disc(reach * most / near))
    slope = centre / (2 * nu + 2) * (_log_positive(nu + 1, centre) - value).exp()
    return acb(value - x + shift * slope + _disc((reach / near) ** 2 * most / 2))


def _log_positive(nu: arb, x: arb) -> arb:
    """``log F(x)`` at ``x > 0``: the series is the faster, but its expansion far out asks for x beyond nu^2."""
    value = (x * x / 4).hypgeom_0f1(nu + 1)
    if value.rel_accuracy_bits() > ctx.prec - _LOST:
        return value.log()
    spend(_TIMES)
    return x.bessel_i(nu, scaled=True).log() + x - nu * (x / 2).log() + (nu + 1).lgamma()


def _most_growth(nu: arb, radius: arb) -> arb:
    """An upper bound of ``G(r) = r I_(nu+1)(r)/I_nu(r)``."""
    up = arb(0) if nu >= arb(-0.5) else arb(0).max(-2 * nu)
    return (radius + up).min(radius**2 / (2 * nu + 2)).abs_upper()


def _disc(radius: arb) -> acb:
    """A square around the disc about 0."""
    error = arb(0, radius.abs_upper())
    return acb(error, error)
