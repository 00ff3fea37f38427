"""Exponentials, trigonometric and hyperbolic functions, their arguments taken over a basis of the rationals."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import combinations, product
from math import lcm

import flint
import sympy as sp

from symdp.tower.generators import Generator
from symdp.tower.ring import Frac, TooBig
from symdp.tower.roots import Roots

#: The largest root of a known exponential that becomes a generator, and the largest powers in a combination of them.
COARSEST, SMALL = 12, 8


def _ratio(
    wanted: tuple[Fraction, ...], taken: list[tuple[Fraction, tuple[Fraction, ...]]], last: tuple[Fraction, ...]
) -> Fraction | None:
    """The m with ``wanted == sum n c over taken + m last``, where there is one."""
    rest = [w - sum((n * c[k] for n, c in taken), Fraction(0)) for k, w in enumerate(wanted)]
    ratios = {r / b for b, r in zip(last, rest, strict=True) if b}
    exact = len(ratios) == 1 and all(b or not r for b, r in zip(last, rest, strict=True))
    return ratios.pop() if exact else None


class Angles(Roots):
    """Roots with ``exp``, ``sin`` and ``cos``, ``sinh`` and ``cosh``."""

    def coordinates(self, a: Frac, basis: list[Frac]) -> list[Fraction] | None:
        """Rational coordinates of ``a`` over independent fractions, or None when it is independent of them too."""
        if not basis:
            return None
        fracs = [*basis, a]
        common = self.one
        for f in fracs:
            common = self.mul(common, divmod(f.den, self.gcd(common, f.den))[0])
        vectors = [dict(self.reduce(self.mul(f.num, divmod(common, f.den)[0])).terms()) for f in fracs]
        monomials = sorted({m for v in vectors for m in v})
        self.spend(len(monomials) * len(vectors) ** 2)
        matrix = flint.fmpq_mat(len(monomials), len(vectors), [int(v.get(m, 0)) for m in monomials for v in vectors])
        reduced, rank = matrix.rref()
        last = len(vectors) - 1
        values = [Fraction(0)] * last
        for row in range(rank):
            pivot = next(c for c in range(len(vectors)) if reduced[row, c] != 0)
            if pivot == last:
                return None
            entry = reduced[row, last]
            values[pivot] = Fraction(int(entry.p), int(entry.q))
        return values

    def exp(self, argument: Frac) -> Frac:
        """``exp(argument)``: powers of ``|p|`` for the multiples of ``log|p|`` in it, powers of known exponentials."""
        rest = self.rationalize(argument)
        result = self.constant(1)
        logs = [g for key, g in self.lookup.items() if isinstance(g, Generator) and g.kind == "log"]
        for g in logs:
            c = self.multiple(rest, g)
            if c:
                result = self.times(result, self.log_power(g, c))
                step = self.times(self.constant(-c.numerator, c.denominator), self.frac(self.gen(g.index)))
                rest = self.rationalize(self.add(rest, step))
        if rest.is_zero:
            return result
        spanned = [(self.frac(self.gen(g.index)), g) for g in logs if self.degree(rest.num, g.index)]
        basis = spanned + [(g.argument, g) for g in self.exps if g.argument is not None]
        coordinates = self.coordinates(rest, [a for a, _ in basis])
        if coordinates is None:
            made, fine = self.new_exp(rest)
            return self.times(result, self.pow(self.frac(self.gen(made.index)), fine))
        if not spanned and lcm(*(c.denominator for c in coordinates)) > COARSEST:
            return self.times(result, self.spare_exp(rest, tuple(coordinates)))
        for (_, g), c in zip(basis, coordinates, strict=True):
            if g.kind == "exp" and c.denominator != 1:
                raise self.hints.refine(("exp", g.ordinal), c.denominator)
        for (_, g), c in zip(basis, coordinates, strict=True):
            power = self.log_power(g, c) if g.kind == "log" else self.pow(self.frac(self.gen(g.index)), int(c))
            result = self.times(result, power)
        return result

    def spare_exp(self, argument: Frac, wanted: tuple[Fraction, ...]) -> Frac:
        """``exp(argument)`` where a root of a known exponential would make degrees explode: a product of small powers
        of the exponentials met so far, or a generator of its own, whose relation to the others is then left unused.
        """
        powers = self.small_combination(wanted)
        if powers is None:
            ordinal = len(self.spare)
            fine = self.hints.fine.get(("spare", ordinal), 1)
            argument = self.times(argument, self.constant(1, fine))
            made = self.new("exp", sp.exp(self.expr(argument)), argument=argument, ordinal=-1 - ordinal)
            self.spare.append((made, tuple(c / fine for c in wanted)))
            powers = [(made, ("spare", ordinal), Fraction(fine))]
        result = self.constant(1)
        for _, key, n in powers:
            if n.denominator != 1:
                raise self.hints.refine(key, n.denominator)
        for g, _, n in powers:
            result = self.times(result, self.pow(self.frac(self.gen(g.index)), int(n)))
        return result

    def small_combination(self, wanted: tuple[Fraction, ...]) -> list[tuple[Generator, Hashable, Fraction]] | None:
        """One or two exponentials, with the small powers of them that have the wanted coordinates."""
        size = len(wanted)
        known: list[tuple[Generator, Hashable, tuple[Fraction, ...]]] = [
            (g, ("spare", k), (*c, *([Fraction(0)] * (size - len(c))))) for k, (g, c) in enumerate(self.spare)
        ]
        known += [(g, ("exp", k), tuple(Fraction(int(i == k)) for i in range(size))) for k, g in enumerate(self.exps)]
        halves = [Fraction(n, d) for d in (1, 2) for n in range(-SMALL, SMALL + 1) if n]
        for count, tried in ((1, halves), (2, halves), (3, [n for n in halves if abs(n) in (1, 2)])):
            for *first, (h, other, d) in combinations(known, count):
                for powers in product(tried, repeat=count - 1):
                    m = _ratio(wanted, [(n, c) for n, (_, _, c) in zip(powers, first, strict=True)], d)
                    if m is not None and ((count == 1 and m.denominator <= COARSEST) or m in tried):
                        used = [(g, key, n) for n, (g, key, _) in zip(powers, first, strict=True)]
                        return [*used, (h, other, m)]
        return None

    def multiple(self, a: Frac, g: Generator) -> Fraction:
        """The rational c for which ``a - c*g`` no longer has g times the leading monomial of the denominator."""
        if not self.degree(a.num, g.index):
            return Fraction(0)
        lead = max(a.den.monoms())
        place = tuple(int(e) + (i == g.index) for i, e in enumerate(lead))
        found = dict(a.num.terms()).get(place)
        return Fraction(int(found), int(a.den.leading_coefficient())) if found is not None else Fraction(0)

    def log_power(self, g: Generator, c: Fraction) -> Frac:
        """``exp(c * log|p|)``."""
        assert g.base is not None
        if g.base.is_constant():
            return self.number_power(Fraction(int(g.base.leading_coefficient())), c)
        return self.abs_power(g.base, c)

    def new_exp(self, argument: Frac) -> tuple[Generator, int]:
        """A generator g and the integer n with ``exp(argument) == g**n``."""
        ordinal = len(self.exps)
        fine = self.hints.fine.get(("exp", ordinal), 1)
        if argument.num.leading_coefficient() < 0:
            fine = -fine
        argument = self.times(argument, self.constant(1, fine))
        made = self.new("exp", sp.exp(self.expr(argument)), argument=argument, ordinal=ordinal)
        self.exps.append(made)
        return made, fine

    def sin_cos(self, argument: Frac) -> tuple[Frac, Frac]:
        """``(sin, cos)`` of the argument."""
        argument = self.rationalize(argument)
        special = self.turned(argument)
        if special is not None:
            return special
        for g in list(self.generators.values()):
            if g.kind in ("asin", "atan") and self.degree(argument.num, g.index):
                self.known_angle(g)
        return self.angle_pair(argument, "sin", self.trigs)

    def sinh_cosh(self, argument: Frac) -> tuple[Frac, Frac]:
        """``(sinh, cosh)`` of the argument."""
        return self.angle_pair(self.rationalize(argument), "sinh", self.hypers)

    def angle_pair(self, argument: Frac, kind: str, basis: list[Generator]) -> tuple[Frac, Frac]:
        """The odd and the even function of a sum of integer multiples of known arguments."""
        s, c = self.constant(0), self.constant(1)
        if argument.is_zero:
            return s, c
        coordinates = self.coordinates(argument, [g.argument for g in basis if g.argument is not None])
        if coordinates is None:
            made = self.new_angle(argument, kind, basis)
            coordinates = [Fraction(0)] * len(basis)
            coordinates[-1] = Fraction(self.hints.fine.get((kind, made.ordinal), 1))
        for g, k in zip(basis, coordinates, strict=True):
            if k.denominator != 1:
                raise self.hints.refine((kind, g.ordinal), k.denominator)
            if abs(k) > 60:
                raise TooBig("a trigonometric function of a large multiple")
        for g, k in zip(basis, coordinates, strict=True):
            known = self.angles.get(g.ordinal) if kind == "sin" else None
            sine, cosine = known or (self.frac(self.gen(g.index)), self.frac(self.gen(g.partner)))
            sine = self.neg(sine) if k < 0 else sine
            for _ in range(abs(int(k))):
                cross = self.times(s, sine)
                s = self.add(self.times(s, cosine), self.times(c, sine))
                c = self.add(self.times(c, cosine), cross if kind == "sinh" else self.neg(cross))
        return s, c

    def new_angle(self, argument: Frac, kind: str, basis: list[Generator]) -> Generator:
        """A generator for the odd function, its partner for the even one, and ``s**2 = +-(1 - c**2)``."""
        ordinal = len(basis)
        fine = self.hints.fine.get((kind, ordinal), 1)
        argument = self.times(argument, self.constant(1, fine))
        tree = self.expr(argument)
        odd, even = (sp.sin, sp.cos) if kind == "sin" else (sp.sinh, sp.cosh)
        second = self.new(kind.replace("sin", "cos"), even(tree), argument=argument, ordinal=ordinal)
        first = self.new(kind, odd(tree), argument=argument, ordinal=ordinal, partner=second.index)
        c = self.gen(second.index)
        self.add_relation(first.index, 2, self.one - c * c if kind == "sin" else c * c - self.one)
        basis.append(first)
        return first

    def known_angle(self, g: Generator) -> None:
        """Make asin(u) or atan(u) an angle whose sine and cosine are algebraic."""
        if g.argument is None or any(a.index == g.index for a in self.trigs):
            return
        u, square = g.argument, self.times(g.argument, g.argument)
        if g.kind == "asin":
            pair = u, self.real_power(self.add(self.constant(1), self.neg(square)), Fraction(1, 2))
        else:
            cosine = self.real_power(self.add(self.constant(1), square), Fraction(-1, 2))
            pair = self.times(u, cosine), cosine
        ordinal, angle = len(self.trigs), self.frac(self.gen(g.index))
        fine = self.hints.fine.get(("sin", ordinal), 1)
        if fine != 1:
            raise TooBig("a fraction of an inverse trigonometric function inside a trigonometric one")
        if self.coordinates(angle, [a.argument for a in self.trigs if a.argument is not None]) is None:
            self.trigs.append(Generator(g.kind, g.expr, g.index, argument=angle, ordinal=ordinal))
            self.angles[ordinal] = pair

    def turned(self, argument: Frac) -> tuple[Frac, Frac] | None:
        """sin and cos of an argument with a rational multiple of pi whose own sine is algebraic and known."""
        pi = self.lookup.get("pi")
        if pi is None or not argument.den.is_constant():
            return None
        key = tuple(1 if i == pi.index else 0 for i in range(self.size))
        coefficient = dict(argument.num.terms()).get(key)
        if coefficient is None:
            return None
        turn = sp.Rational(int(coefficient), int(argument.den.leading_coefficient())) * sp.pi
        s, c = sp.sin(turn), sp.cos(turn)
        if s.has(sp.sin, sp.cos) or c.has(sp.sin, sp.cos):
            return None
        rest = self.frac(argument.num - int(coefficient) * self.gen(pi.index), argument.den)
        u, v = self.sin_cos(rest)
        s, c = self.convert(s), self.convert(c)
        return self.add(self.times(u, c), self.times(v, s)), self.add(self.times(v, c), self.neg(self.times(u, s)))
