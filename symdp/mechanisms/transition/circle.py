"""Renyi divergences between the laws at one time of Brownian motions on a circle.

For ``L = D^2`` on a circle of length l, in the angle ``y = 2 pi z/l`` and the time ``s = 4 pi^2 t/l^2``, the law from
the angle p has the density ``u(y - p)/(2 pi)``, a theta function:

    u(z) = 1 + 2 sum_(k >= 1) exp(-k^2 s) cos(kz) = sqrt(pi/s) sum_k exp(-(z - 2 pi k)^2/(4s)).

So ``exp((alpha - 1) R_alpha)`` is the mean of ``f(y) = u(y)^alpha u(y - d)^(1 - alpha)`` over the circle, d the angle
between the starts: that of ``R_alpha`` in the other order too, as u is even.

From time 1/2 on it is taken at N equidistant points. The zeros of u are ``pi + 2 pi j + i s (2m + 1)``, so that f is
analytic and periodic on ``|Im y| <= a = s/2``, and the error of the mean is at most ``2 max|f|/(e^(aN) - 1)``
(Trefethen and Weideman 2014, Theorem 3.2). There, by the Fourier series of ``log u`` (``rules.circle``),

    |log u(y)| <= sum_k q^(2k)/(1 - q^(2k)) + sum_k cosh(ka)/(k sinh(ks)),   q = e^(-s),

with ``cosh(ka)/sinh(ks) = e^(-ka)/(1 - q^k)``. Before, and where the order is so large that too many points would be
needed, f is integrated with the Gaussian of the nearest image taken out of each sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import acb, arb

from symdp.ball import Enclosure, working_precision
from symdp.mechanisms.transition.integrate import LogIntegrand, Piece, integrate, largest, real_value, until

_GUARD = 12
_MOST_POINTS = 200_000
_MOST_BITS = 1 << 18
"""At large times the divergence is about ``e^(-2s)``, and the mean is 1 up to that: it takes 3s bits more."""


@dataclass(frozen=True)
class CirclePair:
    """The ``order`` alpha above 1, the ``time`` ``4 pi^2 t/l^2``, and the ``angle`` between the starts: balls."""

    order: arb
    time: arb
    angle: arb


def renyi(pair: Callable[[int], CirclePair], digits: int = 50) -> Enclosure:
    """``R_alpha`` with ``digits`` proved digits; ``pair(bits)`` gives the data as balls of so many bits.

    Raises :class:`Undetermined` where the digits cannot be proved.
    """

    def attempt(bits: int) -> arb:
        data = _reduced(pair(bits))
        count = _points(data, bits) if 2 * data.time > 1 else _MOST_POINTS
        return (_late(data, count, bits) if count < _MOST_POINTS else _early(data, bits)) / (data.order - 1)

    with working_precision(64):
        most = min(_MOST_BITS, int(float((8 * pair(64).time).upper())))
    return until(digits, attempt, most)


def _reduced(data: CirclePair) -> CirclePair:
    """The same pair with an angle in about ``[-pi, pi]``."""
    turns = (data.angle / (2 * arb.pi())).mid() + arb(0.5)
    return CirclePair(data.order, data.time, data.angle - 2 * arb.pi() * int(turns.floor().unique_fmpz() or 0))


# --- times that are not small ---------------------------------------------------------------------------------------


def _size(data: CirclePair) -> arb:
    """A bound of ``log |f|`` in the strip."""
    q, fall = (-data.time).exp(), (-data.time / 2).exp()
    return (2 * data.order - 1) * (q**2 / (1 - q**2) ** 2 - (1 - fall).log() / (1 - q))


def _points(data: CirclePair, bits: int) -> int:
    """How many points give the mean to ``2^-bits``."""
    with working_precision(64):
        return 4 + int(min(float(2 * (bits * arb.const_log2() + _size(data)) / data.time), float(_MOST_POINTS)))


def _late(data: CirclePair, count: int, bits: int) -> arb:
    """``(alpha - 1) R_alpha`` by the trapezoidal rule."""
    alpha, time = data.order, data.time
    step, weights, total = 2 * arb.pi() / count, _weights(time, bits), arb(0)
    for j in range(count):
        one, two = (_by_cosines(weights, y) for y in (step * j, step * j - data.angle))
        total += (alpha * one.log() + (1 - alpha) * two.log()).exp()
    error = 2 * _size(data).exp() / ((time / 2 * count).exp() - 1)
    return (total / count + arb(0, error.upper())).log()


def _weights(time: arb, bits: int) -> list[arb]:
    """``2 exp(-k^2 s)`` for k from 1, and a ball around 0 for the rest: beyond, terms fall by more than a half for
    times from 1/2 on.
    """
    found: list[arb] = []
    k = 1
    while True:
        weight = 2 * (-k * k * time).exp()
        if weight < arb((1, -bits - 8)):
            return [*found, arb(0, 2 * weight.upper())]
        found.append(weight)
        k += 1


def _by_cosines(weights: list[arb], z: arb) -> arb:
    """``u(z)`` for real z: ``cos(kz)`` by its recurrence in k would lose digits, so each is taken by itself."""
    *terms, rest = weights
    return sum((w * (k * z).cos() for k, w in enumerate(terms, 1)), arb(1)) + rest


# --- small times ----------------------------------------------------------------------------------------------------


def _early(data: CirclePair, bits: int) -> arb:
    """``(alpha - 1) R_alpha`` by integration of the images over ``[-pi, pi]``, cut where the image of the other start
    that is nearest to y changes: else the image that is taken out is far below the others, whose phases turn fast.
    """
    alpha, time, pi = data.order, data.time, arb.pi()
    near, far = (data.angle, data.angle - 2 * pi) if data.angle.mid() > 0 else (data.angle + 2 * pi, data.angle)
    cut = min(max((near - pi).mid(), arb(-3)), arb(3))

    def taken_out(other: arb) -> LogIntegrand:
        # alpha y^2 + (1 - alpha) (y - other)^2, as one square
        middle, rest = (1 - alpha) * other, alpha * (1 - alpha) * other**2

        def log_integrand(y: acb, analytic: bool) -> acb:
            one, two = (_by_images(time, at, y, bits).log(analytic=analytic) for at in (arb(0), other))
            return alpha * one + (1 - alpha) * two - ((y - middle) ** 2 + rest) / (4 * time)

        return log_integrand

    pieces: list[Piece] = []
    levels: list[arb] = []
    for other, low, high in ((far, -pi, cut), (near, cut, pi)):
        function = taken_out(other)
        with working_precision(64):
            at = largest(function, low.mid(), high.mid())
            levels.append(real_value(function, at).mid())
        pieces += [Piece(function, low, at), Piece(function, at, high)]
    level = max(levels)
    total = sum((integrate(piece, level, bits - _GUARD) for piece in pieces), arb(0))
    return (total / (2 * pi)).log() + level + (pi / time).log() / 2


def _by_images(time: arb, start: arb, y: acb, bits: int) -> acb:
    """``u(y - start) sqrt(time/pi) exp((y - start)^2/(4 time))`` where ``r = |Re y - start| < 3 pi``.

    An image k turns away has ``|..| <= exp((r^2 - (2 pi k - r)^2)/(4 time))``, which falls by more than a half from one
    k >= 4 to the next for times below 80.
    """
    pi = arb.pi()
    if not (abs(y.real - start) < 3 * pi and time < 80):
        return acb("nan")
    total, k = acb(1), 1
    while True:
        for image in (start + 2 * pi * k, start - 2 * pi * k):
            total += acb(((start - image) * (image + start - 2 * y) / (4 * time)).exp())
        k += 1
        size = 2 * ((9 * pi**2 - (2 * k * pi - 3 * pi) ** 2) / (4 * time)).exp().upper()
        if k >= 4 and size < arb((1, -bits - 8)):
            return total + acb(arb(0, 2 * size), arb(0, 2 * size))
