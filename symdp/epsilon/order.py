"""A Renyi curve and a delta at one order, in balls: ``eps(alpha)`` in the two forms described in ``renyi``."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from symdp.ball import Enclosure, arb_of, current_precision

Curve = Callable[[Fraction], Enclosure]


@dataclass(frozen=True, slots=True)
class Point:
    """``beta = alpha - 1``, the log-moment ``g = beta e`` and eps there, both None if the curve gives no finite bound.

    ``infinite``: the curve is known to be infinite here.
    """

    beta: Fraction
    moment: Any
    epsilon: Any
    infinite: bool = False

    @property
    def alpha(self) -> Fraction:
        """The order."""
        return 1 + self.beta

    @property
    def usable(self) -> bool:
        """Whether the curve is known to be finite here."""
        return self.moment is not None

    @property
    def vanishes(self) -> bool:
        """Whether the divergence is exactly 0, which it is at every order or at none."""
        return self.usable and bool(self.moment == 0)


class Conversion:
    """eps as a function of beta for one curve and one ``L = log(1/delta)``, at the working precision."""

    def __init__(self, curve: Curve, log_inverse_delta: arb, *, cks: bool) -> None:
        self.curve, self.goal, self.cks = curve, log_inverse_delta, cks
        self.best: Point | None = None

    def at(self, beta: Fraction) -> Point:
        """The point of order ``1 + beta``; ``best`` keeps the one of the least upper end so far."""
        value = self.curve(1 + beta)
        if not value.is_finite:
            return Point(beta, None, None, math.isinf(value.lower) and bool(value.lower > 0))
        b = arb_of(beta)
        moment = b * value.to_arb()
        point = Point(beta, moment, self.epsilon(b, moment))
        if self.best is None or point.epsilon.upper() < self.best.epsilon.upper():
            self.best = point
        return point

    def epsilon(self, beta: arb, moment: arb) -> arb:
        """``(g + c + L)/beta``, where ``c = beta log beta - (1 + beta) log(1 + beta)``, or 0 in Mironov's form."""
        entropy = beta * (1 / beta).log1p() + beta.log1p() if self.cks else arb(0)
        return (moment - entropy + self.goal) / beta

    def tilt(self, beta: arb, intercept: arb) -> arb:
        """``beta^2 d eps/d beta`` where g is a line with this value at ``beta = 0``; it increases with beta."""
        return (beta.log1p() if self.cks else 0) - intercept - self.goal

    def optimum(self, curvature: arb) -> arb | None:
        """An unproved minimiser of eps where g is ``p1 beta + curvature beta^2``, if there is one.

        It solves ``curvature beta^2 + log(1 + beta) = L``, without the logarithm in Mironov's form.
        """
        goal = self.goal.mid()
        if not goal > 0 or not (curvature > 0 or self.cks):
            return None
        if not self.cks:
            return (goal / curvature).sqrt().mid()
        curvature = curvature.mid() if curvature > 0 else arb(0)
        high, low = goal.expm1().mid(), (goal / 2).expm1().mid()
        if curvature > 0:
            high = min(high, (goal / curvature).sqrt().mid())
            low = min(low, (goal / (2 * curvature)).sqrt().mid())
        beta, small = high, arb((1, -current_precision() // 2))
        for _ in range(200):
            excess = (curvature * beta * beta + beta.log1p() - goal).mid()
            step = (excess / (2 * curvature * beta + 1 / (1 + beta))).mid()
            low, high = (low, beta) if excess > 0 else (beta, high)
            if abs(step) < small * beta:
                break
            newton = (beta - step).mid()
            beta = newton if low < newton < high else ((low + high) / 2).mid()
        return beta


def dyadic(value: arb, bits: int) -> Fraction:
    """A rational near a ball, with at most ``bits`` bits and a denominator that is a power of two."""
    mantissa, exponent = map(int, value.mid().man_exp())
    excess = max(0, mantissa.bit_length() - bits)
    return Fraction(mantissa >> excess) * Fraction(2) ** (exponent + excess)
