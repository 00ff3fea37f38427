"""Laplace noise added more than once: the best split of a distance over the noises, with its value certified.

``g(z) = (alpha e^((alpha-1) z) + (alpha-1) e^(-alpha z))/(2 alpha - 1)`` is the moment ``E_Q[(P/Q)^alpha]`` of two
Laplace laws of scale 1 at distance z. A distance Delta that is split over noises, part ``w_k`` of it seen at the rate
``r_k = L/scale``, costs ``F(w) = sum log g(r_k w_k)/(alpha - 1)``: the couplings of Balle et al., Example 2.

log g is convex, as the logarithm of a sum of exponentials, so that F lies above its tangents: its slopes at any split
give a lower bound over all splits. At the best split they are equal, which is one equation in one unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Add, Expr, Integer, Rational, exp, log

from symdp.ball import Enclosure, bits_for, from_arb, mp_context, working_precision
from symdp.enclosure import ball, enclose, evaluate_mp
from symdp.errors import InputError
from symdp.text import exact

_GUARD = 15


def moment(z: Expr, alpha: Expr) -> Expr:
    """``g(z)``; 1 at z = 0."""
    return (alpha * exp(z * (alpha - 1)) + (alpha - 1) * exp(-z * alpha)) / (2 * alpha - 1)


def cost(distances: Sequence[Expr], alpha: Expr) -> Expr:
    """``log(prod g(z_k))/(alpha - 1)``, the distances measured in scales."""
    product: Expr = Integer(1)
    for z in distances:
        product *= moment(z, alpha)
    return log(product) / (alpha - 1)


@dataclass(frozen=True)
class Split:
    """A split of a distance: the ``lengths``, which add up to it exactly, and the ``value`` of the best one.

    The upper end of ``value`` is what these lengths give, the lower end is proved for every split.
    """

    lengths: tuple[Expr, ...]
    value: Enclosure


def best_split(alpha: Any, rates: Sequence[Any], sensitivity: Any, digits: int = 50) -> Split:
    """The lengths ``w_k >= 0``, ``sum w_k = sensitivity``, of least ``sum log g(r_k w_k)/(alpha - 1)``.

    Raises ``InputError`` unless alpha is above 1, there is a rate, and rates and sensitivity are not negative.
    """
    order, whole = exact(alpha, place="alpha"), exact(sensitivity, place="sensitivity")
    slopes = [exact(rate, place="rate") for rate in rates]
    sizes = [enclose(e, {}, 20) for e in (order - 1, whole, *slopes)]
    if not slopes:
        raise InputError("there is no noise", place="rates")
    if sizes[0].lower <= 0 or any(size.lower < 0 for size in sizes[1:]):
        raise InputError("alpha is above 1, rates and sensitivity are not negative", place="split")
    free = [k for k, size in enumerate(sizes[2:]) if size.upper == 0]
    if free or sizes[1].upper == 0:
        lengths = tuple(whole if k == (free or [0])[0] else Integer(0) for k in range(len(slopes)))
        return Split(lengths, Enclosure.from_fraction(0))
    shares = _shares(order, slopes, whole, digits + _GUARD)
    lengths = tuple(whole * Rational(share.numerator, share.denominator) for share in shares)
    return Split(lengths, _certify(order, slopes, lengths, whole, digits))


def best_laplace_shift(alpha: Any, l1: Any, l2: Any, Delta: Any, digits: int = 50) -> Split:
    """The best shift w for noise of scale l1, then l2: ``log(g(w/l1) g((Delta - w)/l2))/(alpha - 1)`` is least.

    ``lengths`` is (w, Delta - w). Raises ``InputError`` for parameters out of range.
    """
    first, second = exact(l1, place="l1"), exact(l2, place="l2")
    if min(enclose(first, {}, 20).lower, enclose(second, {}, 20).lower) <= 0:
        raise InputError("the scales are positive", place="scale")
    return best_split(alpha, (1 / first, 1 / second), Delta, digits)


def _shares(order: Expr, rates: list[Expr], whole: Expr, digits: int) -> list[Fraction]:
    """What part of the distance goes to each noise, rational and summing to 1."""
    if len(set(rates)) == 1:
        return [Fraction(1, len(rates))] * len(rates)
    mp = mp_context(digits + _GUARD)
    a, delta, *r = (mp.mpf(evaluate_mp(e, {}, digits + _GUARD)) for e in (order, whole, *rates))
    least = min(r)

    def lengths(u: Any) -> list[Any]:
        """Where every slope is ``(alpha - 1) least (1 - e^-u)``."""
        rest, found = mp.exp(-u), []
        for rate in r:
            slope = (a - 1) * (1 - rest) * least / rate
            room = (a - 1) * ((rate - least) + rest * least) / rate  # alpha - 1 - slope, without its cancellation
            found.append(mp.log1p((2 * a - 1) * slope / (a * room)) / ((2 * a - 1) * rate))
        return found

    low, high = mp.mpf(0), (2 * a - 1) * least * delta
    for _ in range(bits_for(digits) + 32):
        middle = (low + high) / 2
        if mp.fsum(lengths(middle)) < delta:
            low = middle
        else:
            high = middle
    scale = 10**digits
    found = lengths(low)
    total = mp.fsum(found)
    shares = [Fraction(int(mp.nint(w / total * scale)), scale) for w in found[:-1]]
    rest = Fraction(1) - sum(shares, Fraction(0))
    return [*shares, rest] if rest >= 0 else [*shares[:-1], shares[-1] + rest, Fraction(0)]


def _certify(order: Expr, rates: list[Expr], lengths: tuple[Expr, ...], whole: Expr, digits: int) -> Enclosure:
    """F at the lengths, and ``F + Delta min_k F_k - sum F_k w_k``, below which F lies nowhere."""
    slopes = []
    for rate, length in zip(rates, lengths, strict=True):
        rising, falling = exp(rate * length * (order - 1)), exp(-rate * length * order)
        slopes.append(order * rate * (rising - falling) / (order * rising + (order - 1) * falling))
    here = Add(*(slope * length for slope, length in zip(slopes, lengths, strict=True)))
    value = cost([rate * length for rate, length in zip(rates, lengths, strict=True)], order)
    with working_precision(bits_for(2 * digits + 4 * _GUARD) + _bits(order, rates, whole)):
        top = ball(value, {})
        bottom = min((from_arb(top + ball(slope * whole - here, {})) for slope in slopes), key=lambda e: e.lower)
    return Enclosure(max(bottom.lower, 0 * bottom.lower), from_arb(top).upper)


def _bits(order: Expr, rates: list[Expr], whole: Expr) -> int:
    """Bits that the exponents take."""
    largest = max(float(enclose(order * rate * whole, {}, 5).upper) for rate in rates)
    return int(max(largest, 1)).bit_length() + 8
