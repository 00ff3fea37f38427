"""An unproved guess of the best order: where it would be if ``log g`` were a parabola in ``log beta``.

In these coordinates a power is a line, and so is nearly the steep rise at which a curve of the sampled Gaussian leaves
its quadratic beginning; the parabola ``P`` through three points turns the condition ``tilt = 0`` into

    exp(P(u)) (P'(u) - 1) + log(1 + e^u) = L            (without the second term in Mironov's form)
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from symdp.ball import arb_of
from symdp.epsilon.order import Conversion, Point

_MOST_STEPS = 60


def optimum_through(conversion: Conversion, points: Sequence[Point], low: Point, high: Point, bits: int) -> arb | None:
    """A minimiser of eps between two points, to ``bits`` bits, as three points suggest it; None if they do not."""
    if not all(point.usable and point.moment.mid() > 0 for point in points):
        return None
    u = [arb_of(point.beta).log().mid() for point in points]
    v = [point.moment.mid().log().mid() for point in points]
    first, second = ((v[1] - v[0]) / (u[1] - u[0])).mid(), ((v[2] - v[1]) / (u[2] - u[1])).mid()
    bend = ((second - first) / (u[2] - u[0])).mid()

    def tilt(x: arb) -> tuple[arb, arb]:
        """The tilt and its derivative."""
        size = (v[0] + (x - u[0]) * (first + bend * (x - u[1]))).exp()
        slope = first + bend * (2 * x - u[0] - u[1])
        value, change = size * (slope - 1) - conversion.goal, size * (slope * (slope - 1) + 2 * bend)
        if conversion.cks:
            beta = x.exp()
            value, change = value + beta.log1p(), change + beta / (1 + beta)
        return value.mid(), change.mid()

    left, right = arb_of(low.beta).log().mid(), arb_of(high.beta).log().mid()
    x = min(max(u[1], left), right)
    for _ in range(_MOST_STEPS):
        value, change = tilt(x)
        if not (value.is_finite() and change.is_finite()):
            return None
        left, right = (left, x) if value > 0 else (x, right)
        step = (value / change).mid() if change > 0 else arb("nan")
        if abs(step) < arb((1, -bits)):
            return (x - step).exp()
        x = (x - step).mid() if left < x - step < right else ((left + right) / 2).mid()
    return None
