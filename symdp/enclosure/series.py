"""Truncated Laurent series in one variable eps, with sympy expressions as coefficients.

A series is ``eps**start * (c0 + c1*eps + ... ) + O(eps**end)``; ``end`` None means that nothing is missing. The
coefficients stay symbolic, so that "this one vanishes" can be proved as an identity; the ``Ground`` decides it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import sympy
from sympy import Expr, S


class Refusal(Exception):
    """The series route cannot prove anything here (a message for the user)."""


class Short(Exception):
    """More terms are needed."""


class Ground(Protocol):
    """What is known about coefficients."""

    def sign(self, coefficient: Expr) -> int:
        """0 if it vanishes identically, else its sign at the point; Refusal if neither is proved."""
        ...

    def check(self, part: Expr) -> None:
        """Refusal if a part that is not expanded has no value at the point."""
        ...


@dataclass(frozen=True, slots=True)
class Series:
    """``sum(coefficients[k] * eps**(start + k))``, and ``O(eps**(start + len(coefficients)))`` unless it is exact."""

    start: int
    coefficients: tuple[Expr, ...]
    exact: bool

    @property
    def end(self) -> int | None:
        """The order of the first unknown term."""
        return None if self.exact else self.start + len(self.coefficients)

    def __getitem__(self, power: int) -> Expr:
        """The coefficient of ``eps**power``; Short if it is not known."""
        k = power - self.start
        if 0 <= k < len(self.coefficients):
            return self.coefficients[k]
        if k >= 0 and not self.exact:
            raise Short
        return S.Zero


def constant(value: Expr) -> Series:
    """A value that does not depend on eps."""
    return Series(0, (value,), True)


class Algebra:
    """Arithmetic on series kept to ``terms`` terms.

    With ``squared`` eps is only taken above zero and stands for the square root of the coordinate: an expression that
    starts with ``eps**(4*n)`` is then an even power of the coordinate, defined on both sides of the point, and one that
    starts with ``eps**(4*n + 2)`` has a root on one side only.
    """

    def __init__(self, ground: Ground, terms: int, *, squared: bool = False) -> None:
        self.ground, self.terms, self.squared = ground, terms, squared

    def make(self, start: int, coefficients: list[Expr], exact: bool) -> Series:
        """A series without leading structural zeros, cut to the number of terms kept."""
        first = next((k for k, c in enumerate(coefficients) if c != 0), None)
        if first is None:
            return Series(0, (), True) if exact else Series(start + len(coefficients), (), False)
        start, coefficients = start + first, coefficients[first:]
        if len(coefficients) > self.terms:
            coefficients, exact = coefficients[: self.terms], False
        if exact:
            while coefficients[-1] == 0:
                coefficients = coefficients[:-1]
        return Series(start, tuple(coefficients), exact)

    def trim(self, a: Series) -> Series:
        """The series with a leading coefficient that is not zero at the point; Short if no term is left.

        The exact zero series comes back empty.
        """
        k = 0
        while k < len(a.coefficients) and self.ground.sign(a.coefficients[k]) == 0:
            k += 1
        if k == len(a.coefficients):
            if a.exact:
                return Series(0, (), True)
            raise Short
        return Series(a.start + k, a.coefficients[k:], a.exact)

    def add(self, a: Series, b: Series) -> Series:
        """The sum."""
        if not a.coefficients and a.exact:
            return b
        if not b.coefficients and b.exact:
            return a
        start = min(a.start, b.start)
        ends = [s.end for s in (a, b) if s.end is not None]
        last = max(a.start + len(a.coefficients), b.start + len(b.coefficients))
        stop = min([last, *ends])
        return self.make(start, [a[k] + b[k] for k in range(start, stop)], not ends)

    def mul(self, a: Series, b: Series) -> Series:
        """The product."""
        if (a.exact and not a.coefficients) or (b.exact and not b.coefficients):
            return Series(0, (), True)
        n, m = len(a.coefficients), len(b.coefficients)
        count = n + m - 1 if a.exact and b.exact else min([s for s, e in ((n, a.exact), (m, b.exact)) if not e])
        exact = a.exact and b.exact
        if count > self.terms:
            count, exact = self.terms, False
        coefficients = [
            sympy.Add(*(a.coefficients[i] * b.coefficients[k - i] for i in range(max(0, k - m + 1), min(k, n - 1) + 1)))
            for k in range(max(count, 0))
        ]
        return self.make(a.start + b.start, coefficients, exact)

    def scale(self, a: Series, factor: Expr) -> Series:
        """A constant multiple."""
        return self.make(a.start, [factor * c for c in a.coefficients], a.exact)

    def _padded(self, a: Series) -> list[Expr]:
        """The coefficients from the leading one on, with the zeros of an exact series written out."""
        known = list(a.coefficients[: self.terms])
        return known + [S.Zero] * (self.terms - len(known)) if a.exact else known

    def inverse(self, a: Series) -> Series:
        """``1/a``; Refusal where a vanishes identically."""
        a = self.trim(a)
        if not a.coefficients:
            raise Refusal("division by an expression that is zero all along")
        if a.exact and len(a.coefficients) == 1:
            return Series(-a.start, (1 / a.coefficients[0],), True)
        c = self._padded(a)
        result = [1 / c[0]]
        for k in range(1, len(c)):
            result.append(-sympy.Add(*(c[j] * result[k - j] for j in range(1, k + 1))) * result[0])
        return self.make(-a.start, result, False)

    def power(self, a: Series, n: int) -> Series:
        """An integer power."""
        if n < 0:
            return self.power(self.inverse(a), -n)
        if n > 8 and len(a.coefficients) > 1:
            return self.real_power(a, sympy.Integer(n))
        result = constant(S.One)
        for _ in range(n):
            result = self.mul(result, a)
        return result

    def real_power(self, a: Series, exponent: Expr) -> Series:
        """``a**exponent`` by the recurrence of J. C. P. Miller; Refusal unless the result is analytic."""
        a = self.trim(a)
        if not a.coefficients:
            if exponent.is_positive:
                return a
            raise Refusal("a power of an expression that is zero all along")
        start = sympy.expand(a.start * exponent)
        if not exponent.is_Integer:
            if self.ground.sign(a.coefficients[0]) < 0:
                raise Refusal("a root of a negative number")
            if not start.is_Integer or not self.analytic(a.start, int(start)):
                raise Refusal("a root that is not analytic at the point")
        c = self._padded(a)
        result = [c[0] ** exponent]
        for k in range(1, len(c)):
            terms = ((exponent * j - (k - j)) * c[j] * result[k - j] for j in range(1, k + 1))
            result.append(sympy.Add(*terms) / (k * c[0]))
        alone = a.exact and len(a.coefficients) == 1
        return Series(int(start), (result[0],), True) if alone else self.make(int(start), result, False)

    def analytic(self, base: int, result: int) -> bool:
        """Whether a fractional power takes ``eps**base`` to ``eps**result`` on the whole domain of the root."""
        if self.squared:
            return base % 4 != 0 or result % 4 == 0
        return base % 2 == 0 and result % 2 == 0

    def split(self, a: Series) -> tuple[Expr, Series]:
        """``(c0, a - c0)`` for a series without negative powers; Refusal if it has one."""
        for power in range(a.start, 0):
            if self.ground.sign(a[power]) != 0:
                raise Refusal("a function of an expression that is infinite at the point")
        if a.end is not None and a.end < 1:
            raise Short
        stop = a.start + len(a.coefficients)
        return a[0], self.make(1, [a[k] for k in range(1, stop)], a.exact)

    def exp(self, a: Series) -> Series:
        """The exponential."""
        c0, rest = self.split(a)
        head = sympy.exp(c0)
        if rest.exact and not rest.coefficients:
            return constant(head)
        h = self._steps(rest)
        result = [S.One]
        for k in range(1, len(h)):
            result.append(sympy.Add(*(j * h[j] * result[k - j] for j in range(1, k + 1))) / k)
        return self.make(0, [head * c for c in result], False)

    def sin_cos(self, a: Series, *, hyperbolic: bool) -> tuple[Series, Series]:
        """(sin, cos) or (sinh, cosh)."""
        c0, rest = self.split(a)
        sine, cosine = (sympy.sinh, sympy.cosh) if hyperbolic else (sympy.sin, sympy.cos)
        s, c = [sine(c0)], [cosine(c0)]
        if rest.exact and not rest.coefficients:
            return constant(s[0]), constant(c[0])
        h, way = self._steps(rest), 1 if hyperbolic else -1
        for k in range(1, len(h)):
            s.append(sympy.Add(*(j * h[j] * c[k - j] for j in range(1, k + 1))) / k)
            c.append(way * sympy.Add(*(j * h[j] * s[k - j] for j in range(1, k + 1))) / k)
        return self.make(0, s, False), self.make(0, c, False)

    def _steps(self, rest: Series) -> list[Expr]:
        """Coefficients of eps**0, eps**1, ... as far as they are known and kept."""
        stop = self.terms if rest.exact else min(self.terms, rest.end or 0)
        return [rest[k] for k in range(stop)]

    def integrate_from(self, head: Expr, a: Series, derivative: Callable[[Series], Series]) -> Series:
        """``f(a)`` with ``f(c0) = head`` and ``f' = derivative``: the integral of ``derivative(a) * a'``."""
        _, rest = self.split(a)
        if rest.exact and not rest.coefficients:
            return constant(head)
        slope = self.make(rest.start - 1, [(rest.start + k) * c for k, c in enumerate(rest.coefficients)], rest.exact)
        product = self.mul(derivative(a), slope)
        if product.start < 0:
            raise Refusal("an inverse function at the end of its range")
        raised = [c / (product.start + k + 1) for k, c in enumerate(product.coefficients)]
        return self.add(constant(head), self.make(product.start + 1, raised, product.exact))
