"""Sums of ``c t^k e^{(a + i b) t}`` with exact coefficients: the functions of time a linear SDE is made of.

Complex numbers are pairs (re, im) of real expressions, so that nothing complex ever reaches the grammar: a real
function prints
with ``exp``, ``cos`` and ``sin``. Products, convolutions and integrals are exact and use no integrator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import factorial

from sympy import Add, Expr, Integer, Symbol, cos, exp, sin

Complex = tuple[Expr, Expr]
Rate = tuple[int, Expr, Expr]
Reduce = Callable[[Expr], Expr]

ZERO, ONE = Integer(0), Integer(1)


def multiply(left: Complex, right: Complex) -> Complex:
    """``(a + ib)(c + id)``."""
    (a, b), (c, d) = left, right
    return a * c - b * d, a * d + b * c


def reciprocal(value: Complex) -> Complex:
    """``1 / (a + ib)``; the caller has made sure that it is not zero."""
    a, b = value
    if b == 0:
        return ONE / a, ZERO
    size = a**2 + b**2
    return a / size, -b / size


class ExpPoly:
    """An immutable sum of ``(re + i im) t^k e^{(a + ib) t}``, keyed by ``(k, a, b)``.

    ``reduce`` is the normal form applied to every coefficient and rate, so that equal rates have one key.
    """

    def __init__(self, terms: Mapping[Rate, Complex], reduce: Reduce) -> None:
        self.terms = {key: value for key, value in terms.items() if value != (ZERO, ZERO)}
        self.reduce = reduce

    @classmethod
    def exponential(cls, rate: Complex, reduce: Reduce) -> ExpPoly:
        """``e^{(a + ib) t}``."""
        return cls({(0, reduce(rate[0]), reduce(rate[1])): (ONE, ZERO)}, reduce)

    def _collect(self, parts: list[tuple[Rate, Complex]]) -> ExpPoly:
        gathered: dict[Rate, list[Complex]] = {}
        for (k, a, b), value in parts:
            gathered.setdefault((k, self.reduce(a), self.reduce(b)), []).append(value)
        return ExpPoly(
            {
                key: (self.reduce(Add(*[v[0] for v in values])), self.reduce(Add(*[v[1] for v in values])))
                for key, values in gathered.items()
            },
            self.reduce,
        )

    def __add__(self, other: ExpPoly) -> ExpPoly:
        return self._collect([*self.terms.items(), *other.terms.items()])

    def __mul__(self, other: ExpPoly) -> ExpPoly:
        return self._collect(
            [
                ((k + m, a + c, b + d), multiply(p, q))
                for (k, a, b), p in self.terms.items()
                for (m, c, d), q in other.terms.items()
            ]
        )

    def scale(self, factor: Complex) -> ExpPoly:
        """The sum times a complex constant."""
        return self._collect([(key, multiply(value, factor)) for key, value in self.terms.items()])

    def integral(self) -> ExpPoly:
        """``int_0^t``, term by term; a rate that is exactly zero gives ``t^{k+1}/(k+1)``."""
        parts: list[tuple[Rate, Complex]] = []
        for (k, a, b), value in self.terms.items():
            if a == 0 and b == 0:
                parts.append(((k + 1, ZERO, ZERO), multiply(value, (ONE / (k + 1), ZERO))))
                continue
            # int_0^t s^k e^{ls} ds = sum_j (-1)^{k-j} k!/j! t^j e^{lt}/l^{k-j+1} - (-1)^k k!/l^{k+1}
            inverse = reciprocal((a, b))
            power: Complex = (ONE, ZERO)
            for j in range(k, -1, -1):
                power = multiply(power, inverse)
                weight = Integer((-1) ** (k - j) * factorial(k) // factorial(j))
                parts.append(((j, a, b), multiply(value, multiply(power, (weight, ZERO)))))
            parts.append(
                ((0, ZERO, ZERO), multiply(value, multiply(power, (Integer(-((-1) ** k) * factorial(k)), ZERO))))
            )
        return self._collect(parts)

    def convolve_exponential(self, rate: Complex) -> ExpPoly:
        """``int_0^t e^{l (t - s)} f(s) ds``."""
        kernel = ExpPoly.exponential(rate, self.reduce)
        return ExpPoly.exponential((-rate[0], -rate[1]), self.reduce).__mul__(self).integral() * kernel

    def real(self, t: Symbol) -> Expr:
        """The real part as an expression of ``t``."""
        return Add(
            *[
                t**k * exp(a * t) * (value[0] * cos(b * t) - value[1] * sin(b * t))
                for (k, a, b), value in self.terms.items()
            ]
        )
