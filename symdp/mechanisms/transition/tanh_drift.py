"""Renyi divergences between the laws at one time of two diffusions with the drift ``2 n tanh(z)``, n whole.

For ``L = D^2 + 2 n tanh(z) D`` on the line, ``h = cosh^n`` and ``l = max(-n, n - 1)``, the density at y from a at time
s is (``rules.tanh_drift``)

    (h(y)/h(a)) e^{-n^2 s} g_s(y - a) C(a, y),   C = 1 + sum_{m=1}^l psi_m(a) psi_m(y) e^{m^2 s} S_m(y - a)/g_s(y - a),

g_s the normal density of variance 2s, ``psi_m`` the normalised eigenfunctions of ``D^2 + l (l+1) sech^2`` and ``S_m(d)
= (erf(m sqrt s - d/(2 sqrt s)) + erf(m sqrt s + d/(2 sqrt s)))/2``. With ``erfcx(r) = e^{r^2} erfc(r)`` and ``delta =
d/(2 sqrt s)``

    e^{m^2 s} S_m/g_s = sqrt(pi s) (e^{md} erfcx(delta - m sqrt s) - e^{-md} erfcx(delta + m sqrt s)),

which is even in d and used where ``d >= 0``. Hence, with ``M = alpha a + (1 - alpha) b``,

    log int p_a^alpha p_b^(1-alpha) = alpha (alpha-1) (a-b)^2/(4s) - n^2 s - n (alpha log cosh a + (1-alpha) log cosh b)
                                      + log int g_s(y - M) cosh^n(y) C(a, y)^alpha C(b, y)^(1-alpha) dy.

**The tails.** ``g_s C`` is the kernel of ``D^2 + l (l+1) sech^2``, whose potential is between 0 and ``l (l+1)``: by the
Feynman-Kac formula ``1 <= C <= e^{l (l+1) s}``. And ``cosh^n y <= e^{n |y|}``, times ``2^|n|`` for negative n.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial

from flint import acb, arb, fmpq, fmpq_poly

from symdp.ball import Enclosure, working_precision
from symdp.mechanisms.transition.integrate import (
    Piece,
    enough,
    erfcx,
    integrate,
    largest,
    real_value,
    tilted_tail,
    until,
)

_GUARD = 12


@dataclass(frozen=True)
class TanhPair:
    """The ``power`` n, and as balls the ``order`` alpha above 1, the ``time`` s > 0 and the starts a, b."""

    power: int
    order: arb
    time: arb
    start: arb
    other: arb


def renyi(pair: Callable[[int], TanhPair], digits: int = 50) -> Enclosure:
    """``R_alpha`` with ``digits`` proved digits; ``pair(bits)`` gives the data as balls of so many bits.

    Raises :class:`Undetermined` where the digits cannot be proved.
    """

    def attempt(bits: int) -> arb:
        data = pair(bits)
        alpha, n, a, b = data.order, data.power, data.start, data.other
        factor = -(n**2) * data.time - n * (alpha * a.cosh().log() + (1 - alpha) * b.cosh().log())
        return alpha * (a - b) ** 2 / (4 * data.time) + (factor + _log_rest(data, bits)) / (alpha - 1)

    return until(digits, attempt)


def wells(power: int) -> int:
    """``l``, with ``l (l + 1) = n (n - 1)``: how many eigenfunctions there are."""
    return max(-power, power - 1)


def _log_rest(data: TanhPair, bits: int) -> arb:
    alpha, s, n = data.order, data.time, data.power
    middle = alpha * data.start + (1 - alpha) * data.other
    depth, level = wells(n) * (wells(n) + 1) * s, arb(0)
    factors = [_factor(at, data) for at in (data.start, data.other)]

    def log_integrand(y: acb, analytic: bool) -> acb:
        sech, tanh = y.sech(), y.tanh()
        rest = -n * sech.log(analytic=analytic) - (y - middle) ** 2 / (4 * s)
        with working_precision(enough(bits, rest.real + alpha * depth - level)):
            functions = _eigenfunctions(wells(n), sech, tanh)
            one, two = (factor(y, functions).log(analytic=analytic) for factor in factors)
        return alpha * one + (1 - alpha) * two + rest

    reach = 2 * (s * (bits * arb.const_log2() + 2 * alpha * depth)).sqrt() + 2 * s.sqrt()
    low, high = ((arb(0).max(side * middle + 2 * n * s) + reach).abs_upper().mid() for side in (-1, 1))
    with working_precision(64):
        at = largest(log_integrand, -low, high)
        level = real_value(log_integrand, at).mid()
    total = integrate(Piece(log_integrand, -low, at), level, bits - _GUARD)
    total += integrate(Piece(log_integrand, at, high), level, bits - _GUARD)
    above = (alpha * depth + max(0, -n) * arb.const_log2() - level).exp()
    for side, cut in ((-1, low), (1, high)):
        total += tilted_tail(side * middle, 2 * s, arb(n), cut) * above * arb(0.5, 0.5)
    return total.log() + level - (4 * arb.pi() * s).log() / 2


def _factor(start: arb, data: TanhPair) -> Callable[[acb, list[acb]], acb]:
    """``C(start, y)`` as a function of y and of the eigenfunctions there."""
    root, count = data.time.sqrt(), wells(data.power)
    here = _eigenfunctions(count, acb(start).sech(), acb(start).tanh())
    weights = [
        (arb.pi() * data.time).sqrt() * fmpq(m * factorial(count - m), factorial(count + m)) * psi
        for m, psi in enumerate(here, 1)
    ]

    def value(y: acb, functions: list[acb]) -> acb:
        d = y - start
        if d.real.mid() < 0:
            d = -d
        delta, growth, total = d / (2 * root), d.exp(), acb(1)
        for m, (weight, psi) in enumerate(zip(weights, functions, strict=True), 1):
            up = growth**m
            total += weight * psi * (up * erfcx(delta - m * root) - erfcx(delta + m * root) / up)
        return acb(total.real) if y.imag.is_zero() else total

    return value


def _eigenfunctions(count: int, sech: acb, tanh: acb) -> list[acb]:
    """The associated Legendre functions ``sech^m P_count^(m)(tanh)``, m = 1, ..., count, which are not normalised."""
    found = []
    for m in range(1, count + 1):
        value = acb(0)
        for coefficient in reversed(_derivative(count, m)):
            value = value * tanh + coefficient
        found.append(value * sech**m)
    return found


@lru_cache(maxsize=64)
def _derivative(degree: int, m: int) -> tuple[fmpq, ...]:
    """The coefficients of the m-th derivative of the Legendre polynomial, by rising powers."""
    coefficients = [fmpq(0)] * (degree + 1)
    for j in range(degree // 2 + 1):
        coefficients[degree - 2 * j] = fmpq((-1) ** j * comb(degree, j) * comb(2 * (degree - j), degree), 2**degree)
    poly = fmpq_poly(coefficients)
    for _ in range(m):
        poly = poly.derivative()
    return tuple(poly[k] for k in range(degree - m + 1))
