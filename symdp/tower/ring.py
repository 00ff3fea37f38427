"""Fractions of integer polynomials in generators that obey known relations, with a limit on the work done.

A generator stands for a real function (a symbol, ``exp(u)``, a root, a logarithm, ...). A relation rewrites a power of
one generator by a polynomial in earlier ones (``r**2 = p``, ``s**2 = 1 - c**2``), so reduction modulo all relations,
newest first, is a normal form. Every identity used holds pointwise wherever the expression it came from is defined.
"""

from __future__ import annotations

from typing import Any

import flint

Poly = Any  # flint.fmpz_mpoly; flint ships no types

#: Products of term counts that one conversion may spend. Deterministic: it never looks at a clock.
WORK_LIMIT = 20_000_000
#: Above this many terms a common divisor is no longer looked for (only the numeric and monomial content is cancelled).
GCD_LIMIT = 3_000
#: The same above this degree, which roots such as 3**(1/10**7) reach: sparse polynomials have dense divisors.
DEGREE_LIMIT = 5_000
#: Largest exponent a sum of several terms may be raised to.
EXPONENT_LIMIT = 400
#: Largest total bit size of an integer power.
BIT_LIMIT = 200_000


class TooBig(Exception):
    """The work limit of a normal form was reached: the answer is unknown, never a guess."""


class Outside(Exception):
    """The expression is not one the normal form understands (complex, undefined, or a foreign function)."""


class Frac:
    """A quotient of two polynomials of one tower; ``den`` is not the zero polynomial."""

    __slots__ = ("den", "num")

    def __init__(self, num: Poly, den: Poly) -> None:
        self.num, self.den = num, den

    @property
    def is_zero(self) -> bool:
        """Whether the numerator reduced to the zero polynomial."""
        return not self.num

    def __repr__(self) -> str:
        return f"({self.num})/({self.den})"


class Ring:
    """Polynomial arithmetic in a fixed number of generators, newest generator largest in the lexicographic order."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.ctx = flint.fmpz_mpoly_ctx.get(("g", size), flint.Ordering.lex)
        self.zero: Poly = self.ctx.constant(0)
        self.one: Poly = self.ctx.constant(1)
        self.used = 0
        self.work = 0
        self.kinks: set[int] = set()  # generators that are not analytic: |p| and sign(p)
        self.multipliers: list[Poly] = []
        self.relations: list[tuple[int, int, Poly]] = []  # (variable, degree, monic polynomial that vanishes)

    # -- generators -------------------------------------------------------------------------------------------
    def new_variable(self) -> int:
        """The index of a fresh generator, larger than all earlier ones; OverflowError when the context is full."""
        if self.used == self.size:
            raise OverflowError("context full")
        self.used += 1
        return self.size - self.used

    def gen(self, index: int) -> Poly:
        """The polynomial that is the generator itself."""
        return self.ctx.gen(index)

    def add_relation(self, index: int, degree: int, value: Poly) -> None:
        """State ``generator**degree == value`` where ``value`` uses earlier generators (or a lower power) only."""
        self.relations.append((index, degree, self.gen(index) ** degree - value))
        self.relations.sort(key=lambda r: r[0])  # smallest index is the newest generator: reduced first

    # -- polynomials ------------------------------------------------------------------------------------------
    def spend(self, amount: int) -> None:
        """Charge work; raises `TooBig` beyond the limit."""
        self.work += amount
        if self.work > WORK_LIMIT:
            raise TooBig("the normal form grew beyond its limit")

    def mul(self, a: Poly, b: Poly) -> Poly:
        """The product, charged."""
        self.spend(len(a) * len(b))
        return a * b

    def power(self, a: Poly, n: int) -> Poly:
        """``a**n`` for ``n >= 0``, refused before it explodes."""
        if n <= 1 or not a:
            return self.one if n == 0 else a
        bits = max(abs(int(c)).bit_length() for c in a.coeffs())
        if bits * n > BIT_LIMIT and bits > 1:
            raise TooBig(f"a power of exponent {n}")
        if n.bit_length() > 24:
            raise TooBig(f"a power of exponent {n}")
        if len(a) > 1:
            if n > EXPONENT_LIMIT:
                raise TooBig(f"a power of exponent {n}")
            terms = 1
            for k in range(min(n, len(a) - 1)):  # binomial(n + len - 1, len - 1) bounds the number of terms
                terms = terms * (n + len(a) - 1 - k) // (k + 1)
                self.spend(1)
                if terms > WORK_LIMIT:
                    raise TooBig(f"a power of exponent {n}")
            self.spend(50 * terms)
        return a**n

    def reduce(self, a: Poly) -> Poly:
        """The normal form of a polynomial modulo the relations."""
        if not self.relations or a.is_constant():
            return a
        for index, degree, relation in self.relations:
            top = self.degree(a, index)
            if top >= degree:
                growth = max(1, len(relation) - 1) ** min(top // degree, 12)
                self.spend(len(a) * growth)
                _, a = divmod(a, relation)
                if not a:
                    return a
        return a

    def gcd(self, a: Poly, b: Poly) -> Poly:
        """A common divisor (the greatest one while the operands are small)."""
        if len(a) + len(b) <= GCD_LIMIT and not (self.is_steep(a) or self.is_steep(b)):
            self.spend(4 * (len(a) + len(b)))
            return a.gcd(b)
        return a.term_content().gcd(b.term_content())

    def is_steep(self, a: Poly) -> bool:
        """Whether it has several terms and a degree beyond the limit."""
        return len(a) > 1 and max(map(int, a.degrees())) > DEGREE_LIMIT

    def degree(self, a: Poly, index: int) -> int:
        """The degree in one generator; 0 for the zero polynomial."""
        return max(0, int(a.degrees()[index]))

    def degrees(self, a: Poly) -> list[tuple[int, int]]:
        """The generators that occur, with their degrees."""
        return [(index, int(d)) for index, d in enumerate(a.degrees()) if d > 0]

    # -- fractions --------------------------------------------------------------------------------------------
    def frac(self, num: Poly, den: Poly | None = None) -> Frac:
        """The quotient, reduced, without a common divisor, with a denominator of positive leading coefficient."""
        num = self.reduce(num)
        if den is None or den.is_one():
            return Frac(num, self.one)
        den = self.reduce(den)
        if not den:
            raise Outside("a denominator is identically zero")
        if not num:
            return Frac(num, self.one)
        common = self.gcd(num, den)
        if not common.is_one():
            num, den = divmod(num, common)[0], divmod(den, common)[0]
        if den.leading_coefficient() < 0:
            num, den = -num, -den
        return Frac(num, den)

    def constant(self, p: int, q: int = 1) -> Frac:
        """The rational number p/q."""
        return self.frac(self.ctx.constant(p), self.ctx.constant(q))

    def add(self, a: Frac, b: Frac) -> Frac:
        """The sum."""
        if a.is_zero:
            return b
        if b.is_zero:
            return a
        if a.den == b.den:
            return self.frac(a.num + b.num, a.den)
        common = self.gcd(a.den, b.den)
        left, right = divmod(b.den, common)[0], divmod(a.den, common)[0]
        return self.frac(self.mul(a.num, left) + self.mul(b.num, right), self.mul(a.den, left))

    def neg(self, a: Frac) -> Frac:
        """The negative."""
        return Frac(-a.num, a.den)

    def times(self, a: Frac, b: Frac) -> Frac:
        """The product."""
        if a.is_zero or b.is_zero:
            return Frac(self.zero, self.one)
        return self.frac(self.mul(a.num, b.num), self.mul(a.den, b.den))

    def inverse(self, a: Frac) -> Frac:
        """The reciprocal; `Outside` when ``a`` is identically zero."""
        if a.is_zero:
            raise Outside("division by an expression that is identically zero")
        return self.frac(a.den, a.num)

    def pow(self, a: Frac, n: int) -> Frac:
        """``a**n`` for any integer n."""
        if n < 0:
            return self.pow(self.inverse(a), -n)
        return self.frac(self.power(a.num, n), self.power(a.den, n))

    def rationalize(self, a: Frac) -> Frac:
        """The same value with quadratic generators cleared from the denominator where that is cheap (for comparing).

        The factors multiplied in are kept in ``multipliers``: the result is 0/0 where one of them vanishes.
        """
        if any(self.degree(a.den, i) for i in self.kinks):
            return a
        for index, degree, _ in self.relations:
            top = self.degree(a.den, index)
            if not top:
                continue
            if len(a.den) == 1:
                fill = self.gen(index) ** (degree - top)
                a = self.frac(self.mul(a.num, fill), self.mul(a.den, fill))
            elif degree == 2:
                conjugate = self.conjugate(a.den, index)
                self.multipliers.append(conjugate)
                a = self.frac(self.mul(a.num, conjugate), self.mul(a.den, conjugate))
        return a

    def conjugate(self, a: Poly, index: int) -> Poly:
        """``a`` with one quadratic generator replaced by its negative."""
        return a.compose(*[-g if i == index else g for i, g in enumerate(self.ctx.gens())])
