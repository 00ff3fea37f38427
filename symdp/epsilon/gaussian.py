"""The privacy profile of two Gaussian laws N(0, 1) and N(mu, 1), and the least epsilon for a delta, certified.

    delta(eps) = Phi(mu/2 - eps/mu) - exp(eps) Phi(-mu/2 - eps/mu)

With ``a = eps/mu - mu/2``, ``b = a + mu``, phi the normal density and ``M(x) = Phi(-x)/phi(x)`` the Mills ratio,
and since ``exp(eps) phi(b) = phi(a)``, this is ``phi(a) (M(a) - M(b))``: no underflow for large a. ``d delta/d eps
= -phi(a) M(b)``. What is left of cancellation (small mu) is met by more precision. delta increases with mu and
decreases with eps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import arb

from symdp.ball import Enclosure, bits_for, from_arb, working_precision
from symdp.epsilon.inputs import MAX_BITS, Real, check_digits, real
from symdp.errors import Undetermined

_GUARD = 64
_INFINITY = float("inf")


def gaussian_delta(mu: Any, epsilon: Any, digits: int = 50) -> Enclosure:
    """The least delta for which a mu-Gaussian-DP mechanism is (epsilon, delta)-DP, to ``digits`` proved digits.

    ``mu >= 0`` and ``epsilon >= 0`` are exact numbers (int, Fraction, float, text, sympy constant) or enclosures;
    for an enclosure the result covers all its numbers. ``mu = 0`` gives 0.

    Raises InputError (negative, nan or infinite arguments, digits) and Undetermined (more than ``MAX_BITS`` bits
    needed).
    """
    mu, epsilon = real(mu, "mu"), real(epsilon, "epsilon")
    digits = check_digits(digits)
    (mu_low, mu_high), (eps_low, eps_high) = mu.ends(), epsilon.ends()
    low = _delta(mu_low, eps_high, digits)
    if mu.is_known and epsilon.is_known:
        return low
    return Enclosure(low.lower, _delta(mu_high, eps_low, digits).upper)


def gaussian_epsilon(mu: Any, delta: Any, digits: int = 50) -> Enclosure:
    """The least ``eps >= 0`` with ``delta(eps) <= delta`` for a mu-Gaussian-DP mechanism.

    The ends are dyadic numbers at which the profile was proved to lie above and not above delta: the upper end is
    an epsilon that may be promised, no smaller one than the lower end may. For a known mu and delta they agree to
    ``digits`` significant digits; where mu or delta is an enclosure the result covers all its numbers. 0 if ``delta
    >= delta(0)``, so for every ``delta >= 1``; infinity if ``delta = 0 < mu``.

    Raises InputError (``mu < 0``, ``delta < 0``, nan) and Undetermined (more than ``MAX_BITS`` bits needed,
    which takes a delta that cannot be told from ``delta(0)``).
    """
    mu, delta = real(mu, "mu"), real(delta, "delta")
    digits = check_digits(digits)
    (mu_low, mu_high), (delta_low, delta_high) = mu.ends(), delta.ends()
    low = _epsilon(mu_low, delta_high, digits)
    if mu.is_known and delta.is_known:
        return low
    return Enclosure(low.lower, _epsilon(mu_high, delta_low, digits).upper)


def _precisions(digits: int) -> Iterator[int]:
    """Working precisions in bits, doubling, up to the cap; Undetermined after the last."""
    bits = bits_for(digits) + _GUARD
    cap = max(MAX_BITS, 8 * bits)
    while bits < cap:
        yield bits
        bits *= 2
    raise Undetermined(f"{digits} digits need more than {cap} bits")


def _delta(mu: Real, epsilon: Real, digits: int) -> Enclosure:
    if mu.compare(0)[0] == 0:
        return Enclosure(0, 0)
    if not mu.enclosure().is_finite or not epsilon.enclosure().is_finite:
        # one of the two limits; both together have none
        return Enclosure(0 if not epsilon.enclosure().is_finite else 1, 0 if mu.enclosure().is_finite else 1)
    at_zero = epsilon.compare(0) == (0, 0)
    for bits in _precisions(digits):
        with working_precision(bits):
            m = mu.ball()
            value = profile_at_zero(m) if at_zero else profile(m, epsilon.ball())[0]
            if value.rel_accuracy_bits() > bits_for(digits):
                found = from_arb(value)
                return Enclosure(max(found.lower, 0), min(found.upper, 1))
    raise AssertionError


def profile_at_zero(mu: arb) -> arb:
    """``delta(0) = 2 Phi(mu/2) - 1 = erf(mu/sqrt(8))``, the total variation distance."""
    return (mu / arb(8).sqrt()).erf()


def profile(mu: arb, epsilon: arb) -> tuple[arb, arb, arb]:
    """Balls around ``delta(eps)``, ``1 - delta(eps)`` and ``-d delta/d eps``, for ``mu > 0``."""
    ratio, half = epsilon / mu, mu / 2
    a, b = ratio - half, ratio + half
    root = arb(2).sqrt()
    density = (-a * a / 2).exp() / (2 * arb.pi()).sqrt()
    slope = density * _mills(b)
    delta = density * (_mills(a) - _mills(b)) if a > 1 else (a / root).erfc() / 2 - slope
    return delta, (-a / root).erfc() / 2 + slope, slope


def _mills(x: arb) -> arb:
    """``Phi(-x)/phi(x)``; by erfc for small x, by Tricomi's ``U(1/2, 1/2, x^2/2)/sqrt 2`` for large x (both erfcx)."""
    half = arb(1) / 2
    square = x * x / 2
    if x > 8:
        return square.hypgeom_u(half, half) / arb(2).sqrt()
    return square.exp() * (x / arb(2).sqrt()).erfc() * (arb.pi() / 2).sqrt()


class _Unsure(Exception):
    """The working precision does not tell."""


def _epsilon(mu: Real, delta: Real, digits: int) -> Enclosure:
    """The least epsilon for two known numbers (or an infinite mu)."""
    if mu.compare(0)[1] == 0 or delta.compare(1)[0] >= 0:
        return Enclosure(0, 0)
    if delta.compare(0)[1] == 0 or not mu.enclosure().is_finite:
        return Enclosure(_INFINITY, _INFINITY)
    for bits in _precisions(digits):
        with working_precision(bits):
            try:
                return _bracket(mu.ball(), delta.ball(), bits_for(digits) + 4)
            except _Unsure:
                continue
    raise AssertionError


def _bracket(mu: arb, delta: arb, target: int) -> Enclosure:
    """The bracket at the working precision, of relative width ``2**-target``; _Unsure if that does not tell."""
    if delta >= profile_at_zero(mu):
        return Enclosure(0, 0)
    if not delta < profile_at_zero(mu) or min(delta.rel_accuracy_bits(), (1 - delta).rel_accuracy_bits()) < target:
        raise _Unsure
    root, gap = _newton(mu, delta, target), arb((1, -target - 1))
    low, high = (root * (1 - gap)).mid(), (root * (1 + gap)).mid()
    above, below = profile(mu, low), profile(mu, high)
    if (above[0] > delta or above[1] < 1 - delta) and (below[0] <= delta or below[1] >= 1 - delta):
        return Enclosure(from_arb(low).lower, from_arb(high).upper)
    raise _Unsure


def _newton(mu: arb, delta: arb, target: int) -> arb:
    """An unproved root of ``delta(eps) = delta``: Newton's method on a logarithm, kept inside a bracket.

    Of delta where it is below 1/2, of ``1 - delta`` elsewhere: both are nearly parabolas. The bracket comes from
    ``delta(eps) <= Phi(-a) <= exp(-a^2/2)`` for ``a >= 0`` and ``1 - delta(eps) <= 2 Phi(a) <= exp(-a^2/2)`` for
    ``a <= 0``.
    """
    small = bool(delta < 0.5)
    goal = (delta if small else 1 - delta).log()
    above, below = ((-2 * value.log()).sqrt() for value in (delta, 1 - delta))
    low, high = (mu * (mu / 2 - below)).mid(), (mu * (mu / 2 + above)).mid()
    low = low if low > 0 else arb(0)
    point = high if small else ((low + high) / 2).mid()
    for _ in range(200):
        delta_here, rest, slope = profile(mu, point)
        value = delta_here if small else rest
        if value.rel_accuracy_bits() < target:
            raise _Unsure
        excess = value.log() - goal if small else goal - value.log()  # positive to the left of the root
        step = excess * value / slope
        if step.abs_upper() < point * arb((1, -target - 8)):
            return point
        if excess.contains(0):
            raise _Unsure
        low, high = (point, high) if excess > 0 else (low, point)
        newton, middle = (point + step).mid(), ((low + high) / 2).mid()
        # far to the right Newton can do no better than a constant factor: halve
        crawls = excess < -1 and newton > middle
        point = newton if low < newton < high and not crawls else middle
    raise _Unsure
