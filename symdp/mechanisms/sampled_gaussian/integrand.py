"""The density whose mean is the moment, and float guesses of where it is large: no proof rests on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


def log_of(value: Fraction) -> float:
    """The natural logarithm of a positive rational of any size, as a float."""
    return math.log(value.numerator) - math.log(value.denominator)


def log_of_one_minus(q: Fraction) -> float:
    """``log(1 - q)`` as a float, also for a tiny q."""
    return math.log1p(-float(q)) if q < Fraction(1, 2) else log_of(1 - q)


@dataclass(frozen=True)
class Integrand:
    """``mu0 g(x)^a g(-x)^b``, ``g(x) = (1-q) + q e^((2x-1) w)``, 0 < q < 1, ``b <= 0``."""

    q: Fraction
    sigma: Fraction
    a: Fraction
    b: Fraction = Fraction(0)

    @property
    def steepness(self) -> Fraction:
        """The sum of the negative exponents, without its sign."""
        return max(-self.a, Fraction(0)) + max(-self.b, Fraction(0))

    @cached_property
    def odds(self) -> float:
        """``w + log((1-q)/q)``: minus y at the origin."""
        return 0.5 / float(self.sigma) ** 2 + log_of_one_minus(self.q) - log_of(self.q)

    @cached_property
    def modes(self) -> list[float]:
        """Guesses where, in units of sigma, the summand is largest."""
        s, a, b, odds = float(self.sigma), float(self.a), float(self.b), self.odds

        def slope(z: float) -> float:
            return (a * _logistic(z / s - odds) - b * _logistic(-z / s - odds)) / s

        if a < 0:
            low, high = a / s, 0.0
            while high - low > 0.01 * max(1.0, -high):
                middle = (low + high) / 2
                low, high = (middle, high) if slope(middle) > middle else (low, middle)
            return [low]
        modes = []
        for z in (0.0, (a - b) / s):
            for _ in range(12):
                z = slope(z)
            modes.append(z)
        return modes

    def phi(self, z: float) -> float:
        """The logarithm of the summand in units of ``(1-q)^(a+b)``, a float."""
        up, down = (_softplus(side * z / float(self.sigma) - self.odds) for side in (1, -1))
        return -z * z / 2 + float(self.a) * up + float(self.b) * down

    def dip(self) -> float:
        """A guess of ``log(C/I)``, C the mean I with ``1-q`` for g in the negative powers."""
        without = Integrand(self.q, self.sigma, max(self.a, Fraction(0)))
        return max(map(without.phi, without.modes)) - max(map(self.phi, self.modes))

    def spread(self, z: float) -> float:
        """How much wider than the Gaussian the summand is around z, a guess from its curvature."""
        s = float(self.sigma)
        up, down = (_logistic(side * z / s - self.odds) for side in (1, -1))
        bend = 1 - (float(self.a) * up * (1 - up) + float(self.b) * down * (1 - down)) / s**2
        return 1 / math.sqrt(min(max(bend, 0.05), 400.0))


def _logistic(y: float) -> float:
    return 1 / (1 + math.exp(-y)) if y > -700 else 0.0


def _softplus(y: float) -> float:
    return max(y, 0.0) + math.log1p(math.exp(-abs(y)))
