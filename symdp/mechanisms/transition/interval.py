"""Renyi divergences between the laws at one time of Brownian motions reflected at both ends of an interval.

For ``L = D^2`` on ``[0, l]``, in the angle ``y = pi z/l`` and the time ``s = pi^2 t/l^2``, the law from the angle p has
the density ``u(p, y)/pi`` on ``[0, pi]``,

    u(p, y) = 1 + 2 sum_(k >= 1) exp(-k^2 s) cos(kp) cos(ky) = sqrt(pi/s)/2 sum_c exp(-(y - c)^2/(4s)),

c running over the images ``2 pi k + p`` and ``2 pi k - p`` of p (Poisson's formula; Borodin and Salminen 2002, appendix
1). It is entire in y and positive on the real line, and ``(1/pi) int u(p, y)^alpha u(p', y)^(1 - alpha) dy`` has no
tails. The first sum serves large times; in the second, for small ones, the Gaussian of p is taken out:

    (y - c)^2 - (y - p)^2 = (c - p)(c + p - 2y).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import acb, arb

from symdp.ball import Enclosure, working_precision
from symdp.mechanisms.transition.integrate import Piece, integrate, largest, real_value, until

_GUARD = 12


@dataclass(frozen=True)
class IntervalPair:
    """The ``order`` alpha above 1, the ``time`` ``pi^2 t/l^2``, and the starts as angles in ``(0, pi)``: balls."""

    order: arb
    time: arb
    start: arb
    other: arb


def renyi(pair: Callable[[int], IntervalPair], digits: int = 50) -> Enclosure:
    """``R_alpha`` with ``digits`` proved digits; ``pair(bits)`` gives the data as balls of so many bits.

    Raises :class:`Undetermined` where the digits cannot be proved.
    """

    def attempt(bits: int) -> arb:
        data = pair(bits)
        alpha, pi = data.order, arb.pi()

        middle = alpha * data.start + (1 - alpha) * data.other
        large = bool(data.time > 1)

        def log_integrand(y: acb, analytic: bool) -> acb:
            density = _by_cosines if large else _by_images
            one, two = (density(data.time, at, y, bits).log(analytic=analytic) for at in (data.start, data.other))
            rest = alpha * one + (1 - alpha) * two
            return rest if large else rest - (y - middle) ** 2 / (4 * data.time)

        with working_precision(64):
            at = largest(log_integrand, arb(0), arb(3.125))
            level = real_value(log_integrand, at).mid()
        pieces = [Piece(log_integrand, arb(0), at), Piece(log_integrand, at, pi)]
        total = sum((integrate(piece, level, bits - _GUARD) for piece in pieces), arb(0))
        value = (total / pi).log() + level
        if not large:
            value += (pi / data.time).log() / 2 - arb.const_log2()
            value += alpha * (alpha - 1) * (data.start - data.other) ** 2 / (4 * data.time)
        return value / (alpha - 1)

    return until(digits, attempt)


def _by_cosines(time: arb, start: arb, y: acb, bits: int) -> acb:
    """``u(start, y)`` for times above 1; beyond k the terms fall by more than a half while ``|Im y| <= 2``."""
    height = abs(y.imag).upper()
    if not height <= 2:
        return acb("nan")
    total, k = acb(1), 1
    while True:
        size = 2 * (k * height - k * k * time).exp().upper()
        if size < arb((1, -bits - 8)):
            return total + _disc(2 * size)
        total += 2 * (-k * k * time).exp() * (k * start).cos() * (k * y).cos()
        k += 1


def _by_images(time: arb, start: arb, y: acb, bits: int) -> acb:
    """``u(start, y) sqrt(4 time/pi) exp((y - start)^2/(4 time))`` for times up to 1 and Re y in ``(-pi/2, 3 pi/2)``.

    The four images of k and -k are at least ``2 pi k - 5 pi/2`` away from Re y and start is at most ``3 pi/2`` away;
    from one k >= 3 to the next the bound falls by more than a half.
    """
    pi = arb.pi()
    if not (y.real > -pi / 2 and y.real < 3 * pi / 2):
        return acb("nan")
    total, k = acb(1) + _ratio(-start, time, start, y), 1
    while True:
        for image in (2 * pi * k + start, 2 * pi * k - start, -2 * pi * k + start, -2 * pi * k - start):
            total += _ratio(image, time, start, y)
        k += 1
        size = 4 * ((9 * pi**2 / 4 - (2 * k * pi - 5 * pi / 2) ** 2) / (4 * time)).exp().upper()
        if k >= 3 and size < arb((1, -bits - 8)):
            return total + _disc(2 * size)


def _ratio(image: arb, time: arb, start: arb, y: acb) -> acb:
    return acb(((start - image) * (image + start - 2 * y) / (4 * time)).exp())


def _disc(radius: arb) -> acb:
    return acb(arb(0, radius), arb(0, radius))
