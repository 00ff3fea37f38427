"""Absolute values, roots and logarithms: one generator for each irreducible polynomial under them."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import sympy as sp

from symdp.tower.generators import Generators
from symdp.tower.ring import Frac, Outside, Poly, TooBig

#: Integers are split into primes up to this bound; what remains is one generator.
TRIAL_PRIMES = 1_000


class Roots(Generators):
    """Generators with ``|p|``, ``|p|**(1/n)``, ``log|p|`` and ``sign(p)``."""

    def absolute(self, p: Poly) -> Frac:
        """``|p|`` for an irreducible p."""
        sign = self.poly_sign(p)
        alone = self.single(p)
        if alone is not None and alone.kind in ("abs", "root"):
            return self.frac(p)
        if sign is not None:
            return self.frac(p if sign > 0 else -p)
        key = ("abs", str(p))
        if key not in self.lookup:
            made = self.new("abs", sp.Abs(self.poly_expr(p)), base=p)
            self.lookup[key] = made
            self.add_relation(made.index, 2, self.mul(p, p))
        return self.frac(self.gen(self.lookup[key].index))

    def abs_power(self, p: Poly, exponent: Fraction) -> Frac:
        """``|p|**exponent`` for an irreducible p (or a generator)."""
        alone = self.single(p)
        if alone is not None and alone.kind == "exp":
            if exponent.denominator != 1:
                raise self.hints.refine(("exp", alone.ordinal), exponent.denominator)
            return self.pow(self.frac(p), int(exponent))
        if alone is not None and alone.kind == "root":
            if exponent.denominator != 1:
                raise self.hints.refine(("root", str(alone.base)), exponent.denominator)
            return self.pow(self.frac(p), int(exponent))
        if exponent.denominator == 1:
            return self.pow(self.absolute(p), int(exponent))
        return self.pow(self.root(p, exponent.denominator), exponent.numerator)

    def root(self, p: Poly, n: int) -> Frac:
        """``|p|**(1/n)`` for an irreducible p or a positive integer without small prime factors in common."""
        key = ("root", str(p))
        fine = self.hints.fine.setdefault(key, n)
        if fine % n:
            raise self.hints.refine(key, n // (fine * n // lcm(fine, n)))
        if key not in self.lookup:
            size = self.absolute(p)
            made = self.new("root", self.poly_expr(size.num) ** sp.Rational(1, fine), base=p, order=fine)
            self.lookup[key] = made
            self.add_relation(made.index, fine, size.num)
        return self.frac(self.power(self.gen(self.lookup[key].index), fine // n))

    def integer_factors(self, n: int) -> list[tuple[int, int]]:
        """A positive integer as powers of primes and at most one large cofactor."""
        out = []
        for p in sp.primerange(2, TRIAL_PRIMES):
            e = 0
            while n % p == 0:
                n, e = n // p, e + 1
            if e:
                out.append((p, e))
            if p * p > n:
                break
        if n > 1:
            root: Any = sp.perfect_power(n) if n.bit_length() < 512 else False
            out.append((int(root[0]), int(root[1])) if root else (n, 1))
        return out

    def note_positive(self, content: Fraction, parts: list[tuple[Poly, int]]) -> None:
        """Use that the product is non-negative where defined: it gives the sign of a last unknown odd factor."""
        sign, unknown = (1 if content > 0 else -1), []
        for p, e in parts:
            if e % 2 == 0 or ((alone := self.single(p)) is not None and alone.kind in ("abs", "root")):
                continue
            known = self.poly_sign(p)
            if known is None or not self.strict(p):
                unknown.append(p)
            else:
                sign *= known
        if len(unknown) == 1:
            self.learn(unknown[0], sign)
        elif not unknown and sign < 0:
            raise Outside("a root or a logarithm of a negative quantity")

    def real_power(self, u: Frac, exponent: Fraction) -> Frac:
        """``u**exponent`` for a base that is non-negative wherever the expression is defined."""
        if u.is_zero:
            if exponent > 0:
                return u
            raise Outside("a negative power of zero")
        content, parts = self.split(u)
        odd = [p for p, e in parts if e % 2 and self.poly_sign(p) is None]
        odd = [p for p in odd if (g := self.single(p)) is None or g.kind not in ("abs", "root")]
        if len(odd) > 1 and exponent.denominator == 2:
            return self.whole_root(content, parts, exponent)
        self.note_positive(content, parts)
        result = self.number_power(abs(content), exponent)
        for p, e in parts:
            result = self.times(result, self.abs_power(p, e * exponent))
        return result

    def number_power(self, value: Fraction, exponent: Fraction) -> Frac:
        """A positive rational to a rational power."""
        result = self.constant(1)
        for n, side in ((value.numerator, 1), (value.denominator, -1)):
            for p, e in self.integer_factors(n):
                power = side * e * exponent
                whole = power.numerator // power.denominator
                if abs(whole) * p.bit_length() > 100_000:
                    raise TooBig("a number with too many digits")
                result = self.times(result, self.pow(self.constant(p), whole))
                rest = power - whole
                if rest:
                    result = self.times(
                        result, self.pow(self.root(self.ctx.constant(p), rest.denominator), rest.numerator)
                    )
        return result

    def whole_root(self, content: Fraction, parts: list[tuple[Poly, int]], exponent: Fraction) -> Frac:
        """A square root whose factors have unknown signs: one generator for the square-free part that is not signed."""
        q, result = self.one, self.number_power(abs(content), exponent)
        sign = 1 if content > 0 else -1
        for p, e in parts:
            known = self.poly_sign(p)
            alone = self.single(p)
            if known is not None or e % 2 == 0 or (alone is not None and alone.kind in ("abs", "root")):
                result = self.times(result, self.abs_power(p, e * exponent))
                sign *= known if known is not None and e % 2 else 1
            else:
                q = self.mul(q, p)
                self.unsigned.add(str(p))
                if e != 1:  # p**e = p * p**(e-1), the even part leaves the root as a power of |p|
                    result = self.times(result, self.pow(self.absolute(p), (e - 1) * exponent.numerator // 2))
        q = q if sign > 0 else -q
        key = ("whole", str(q))
        if key not in self.lookup:
            made = self.new("root", sp.sqrt(self.poly_expr(q)), base=q, order=2)
            self.lookup[key] = made
            self.add_relation(made.index, 2, q)
        return self.times(result, self.pow(self.frac(self.gen(self.lookup[key].index)), exponent.numerator))

    def log(self, u: Frac) -> Frac:
        """``log(u)`` where u > 0, as a sum over irreducible factors of ``log|p|``."""
        if u.is_zero:
            raise Outside("the logarithm of zero")
        u = self.rationalize(u)
        self.note_positive(*self.split(u))
        return self.log_absolute(u)

    def log_absolute(self, u: Frac) -> Frac:
        """``log|u|``."""
        content, parts = self.split(u)
        total = self.constant(0)
        for n, side in ((abs(content.numerator), 1), (content.denominator, -1)):
            for p, e in self.integer_factors(n):
                total = self.add(total, self.times(self.constant(side * e), self.log_generator(self.ctx.constant(p))))
        for p, e in parts:
            total = self.add(total, self.times(self.constant(e), self.log_generator(p)))
        return total

    def log_generator(self, p: Poly) -> Frac:
        """``log|p|`` for an irreducible polynomial or a prime."""
        alone = self.single(p)
        if alone is not None and alone.kind == "exp":
            assert alone.argument is not None
            return alone.argument
        if alone is not None and alone.kind in ("root", "abs") and alone.base is not None:
            return self.times(self.constant(1, alone.order), self.log_absolute(self.frac(alone.base)))
        key = ("log", str(p))
        if key in self.lookup:
            return self.frac(self.gen(self.lookup[key].index))
        for index, degree, _ in self.relations:
            if degree == 2 and self.degree(p, index) == 1:
                other = self.conjugate(p, index)
                other = -other if other.leading_coefficient() < 0 else other
                if ("log", str(other)) in self.lookup:
                    norm = self.frac(self.mul(p, other))
                    mate = self.frac(self.gen(self.lookup[("log", str(other))].index))
                    return self.add(self.log_absolute(norm), self.neg(mate))
        sign, tree = self.poly_sign(p), self.poly_expr(p)
        made = self.new("log", sp.log(sp.Abs(tree) if sign is None else sign * tree), base=p)
        self.lookup[key] = made
        return self.frac(self.gen(made.index))

    def absolute_frac(self, u: Frac) -> Frac:
        """``|u|``."""
        if u.is_zero:
            return u
        content, parts = self.split(u)
        result = self.constant(abs(content.numerator), content.denominator)
        for p, e in parts:
            part = self.frac(p) if e % 2 == 0 else self.absolute(p)
            result = self.times(result, self.pow(part, e))
        return result

    def signum(self, u: Frac) -> Frac:
        """``sign(u)``, with ``s**3 = s`` where nothing better is known."""
        if u.is_zero:
            return u
        content, parts = self.split(u)
        result = self.constant(1 if content > 0 else -1)
        for p, e in parts:
            known = self.poly_sign(p) if self.strict(p) else None
            if known is not None:
                result = self.times(result, self.constant(known if e % 2 else 1))
                continue
            key = ("sign", str(p))
            if key not in self.lookup:
                made = self.new("sign", sp.sign(self.poly_expr(p)), base=p)
                self.lookup[key] = made
                self.add_relation(made.index, 3, self.gen(made.index))
            result = self.times(result, self.pow(self.frac(self.gen(self.lookup[key].index)), abs(e)))
        return result
