"""Expressions as fractions in a tower of generators.

Exponentials and trigonometric functions take their arguments over a Q-basis, so ``exp(2*a)`` is a square and
``exp(a+b)`` a product; hyperbolic functions are written through exp; ``|p|**(1/n)``, ``log|p|`` have one generator for
each irreducible p. The tower is rebuilt when a generator turns out to be too coarse (``exp(a)`` after ``exp(2*a)``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

import flint
import sympy as sp

from symdp.tower.ring import Frac, Outside, Poly, Ring, TooBig

Sign = Callable[[sp.Expr], int | None]

#: How often a conversion may start again with finer generators.
RESTARTS = 24
#: Integers are split into primes up to this bound; what remains is one generator.
TRIAL_PRIMES = 1_000


class Restart(Exception):
    """A generator must be refined (or a sign fact applied from the start)."""


@dataclass
class Hints:
    """What earlier passes learned: how fine each generator must be, and signs that definedness implies."""

    fine: dict[Hashable, int] = field(default_factory=dict)
    signs: dict[str, int] = field(default_factory=dict)

    def refine(self, key: Hashable, factor: int) -> Restart:
        self.fine[key] = self.fine.get(key, 1) * factor
        if self.fine[key] > 5040:
            raise TooBig("a root of too high an order")
        return Restart()


@dataclass(frozen=True)
class Generator:
    """One generator: its kind, the tree it stands for, and what its kind needs (argument, base, order)."""

    kind: str
    expr: sp.Expr
    index: int
    argument: Frac | None = None
    base: Poly | None = None
    order: int = 1
    ordinal: int = 0
    partner: int = -1


class Tower(Ring):
    """A ring whose generators are known functions; `convert` takes sympy trees to fractions."""

    def __init__(self, size: int, hints: Hints, sign: Sign) -> None:
        super().__init__(size)
        self.hints, self.sign = hints, sign
        self.generators: dict[int, Generator] = {}
        self.lookup: dict[Hashable, Any] = {}
        self.memo: dict[sp.Basic, Frac] = {}
        self.exps: list[Generator] = []
        self.trigs: list[Generator] = []
        self.sign_memo: dict[str, int | None] = {}
        self.unsigned: set[str] = set()  # factors left inside a root because their sign was not known
        self.angles: dict[int, tuple[Frac, Frac]] = {}  # sine and cosine of an inverse function, by ordinal

    # -- back to trees ----------------------------------------------------------------------------------------
    def poly_expr(self, a: Poly) -> sp.Expr:
        """The tree of a polynomial."""
        exprs = {i: g.expr for i, g in self.generators.items()}
        terms = []
        for monomial, coefficient in a.terms():
            factors = [exprs[i] ** int(e) for i, e in enumerate(monomial) if e]
            terms.append(sp.Mul(sp.Integer(int(coefficient)), *factors))
        return sp.Add(*terms)

    def expr(self, a: Frac) -> sp.Expr:
        """The tree of a fraction."""
        return self.poly_expr(a.num) / self.poly_expr(a.den)

    def factors(self, a: Poly) -> tuple[int, list[tuple[Poly, int]]]:
        """Integer content and irreducible factors, each with a positive leading coefficient."""
        if len(a) > 400:
            raise TooBig("a polynomial too long to factor")
        self.spend(50 * len(a))
        content, parts = a.factor()
        content, out = int(content), []
        for part, e in parts:
            if part.leading_coefficient() < 0:
                part, content = -part, content * (-1) ** int(e)
            out.append((part, int(e)))
        return content, sorted(out, key=lambda pe: str(pe[0]))

    def new(self, kind: str, expr: sp.Expr, **info: Any) -> Generator:
        index = self.new_variable()
        made = Generator(kind, expr, index, **info)
        self.generators[index] = made
        if kind in ("abs", "sign"):
            self.kinks.add(index)
        return made

    def single(self, p: Poly) -> Generator | None:
        """The generator that ``p`` is, if it is just one."""
        if len(p) != 1 or int(p.leading_coefficient()) != 1 or int(p.total_degree()) != 1:
            return None
        return self.generators[next(i for i, e in enumerate(p.degrees()) if e)]

    def poly_sign(self, p: Poly) -> int | None:
        """The strict sign of an irreducible polynomial where that is known (or a sign implied by definedness)."""
        key = str(p)
        if key in self.hints.signs:
            return self.hints.signs[key]
        if p.is_constant():
            return 1 if p.leading_coefficient() > 0 else -1
        if key not in self.sign_memo:
            alone = self.single(p)
            if alone is not None and alone.kind in ("exp", "pi"):
                self.sign_memo[key] = 1
            else:
                self.sign_memo[key] = self.sign(self.poly_expr(p)) if len(p) <= 40 else None
        return self.sign_memo[key]

    def strict(self, p: Poly) -> bool:
        """Whether ``p`` is known never to vanish."""
        return str(p) not in self.hints.signs and self.poly_sign(p) is not None

    def learn(self, p: Poly, sign: int) -> None:
        """Record a sign that definedness implies; start again if ``|p|`` was already used without it."""
        key = str(p)
        if self.hints.signs.get(key, sign) != sign:
            raise Outside("undefined: two parts need opposite signs of one expression")
        if key not in self.hints.signs and self.poly_sign(p) != sign:
            self.hints.signs[key] = sign
            if ("abs", key) in self.lookup or ("root", key) in self.lookup or key in self.unsigned:
                raise Restart()

    # -- absolute values, roots, logarithms ---------------------------------------------------------------------
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
            root = sp.perfect_power(n) if n.bit_length() < 512 else False
            out.append((int(root[0]), int(root[1])) if root else (n, 1))
        return out

    def split(self, u: Frac) -> tuple[Fraction, list[tuple[Poly, int]]]:
        """Rational content and irreducible factors (negative exponents from the denominator)."""
        top, above = self.factors(u.num)
        bottom, below = self.factors(u.den)
        return Fraction(top, bottom), above + [(p, -e) for p, e in below]

    def note_positive(self, content: Fraction, parts: list[tuple[Poly, int]]) -> None:
        """Use that the product is non-negative where defined: it gives the sign of a last unknown odd factor."""
        sign, unknown = (1 if content > 0 else -1), []
        for p, e in parts:
            if e % 2 == 0 or (alone := self.single(p)) is not None and alone.kind in ("abs", "root"):
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
            if degree == 2 and not p.is_constant() and int(p.degrees()[index]) == 1:
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

    # -- exponentials and trigonometric functions -----------------------------------------------------------------
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
        spanned = [(self.frac(self.gen(g.index)), g) for g in logs if int(rest.num.degrees()[g.index])]
        basis = spanned + [(g.argument, g) for g in self.exps if g.argument is not None]
        coordinates = self.coordinates(rest, [a for a, _ in basis])
        if coordinates is None:
            made, fine = self.new_exp(rest)
            return self.times(result, self.pow(self.frac(self.gen(made.index)), fine))
        for (_, g), c in zip(basis, coordinates, strict=True):
            if g.kind == "exp" and c.denominator != 1:
                raise self.hints.refine(("exp", g.ordinal), c.denominator)
        for (_, g), c in zip(basis, coordinates, strict=True):
            power = self.log_power(g, c) if g.kind == "log" else self.pow(self.frac(self.gen(g.index)), int(c))
            result = self.times(result, power)
        return result

    def multiple(self, a: Frac, g: Generator) -> Fraction:
        """The rational c for which ``a - c*g`` no longer has g times the leading monomial of the denominator."""
        if not int(a.num.degrees()[g.index]):
            return Fraction(0)
        lead = max(a.den.monoms())
        place = tuple(int(e) + (i == g.index) for i, e in enumerate(lead))
        found = dict(a.num.terms()).get(place)
        return Fraction(int(found), int(a.den.leading_coefficient())) if found is not None else Fraction(0)

    def log_power(self, g: Generator, c: Fraction) -> Frac:
        """``exp(c * log|p|)``."""
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
        if argument.is_zero:
            return self.constant(0), self.constant(1)
        special = self.turned(argument)
        if special is not None:
            return special
        for g in list(self.generators.values()):
            if g.kind in ("asin", "atan") and int(argument.num.degrees()[g.index]):
                self.known_angle(g)
        coordinates = self.coordinates(argument, [g.argument for g in self.trigs if g.argument is not None])
        if coordinates is None:
            made = self.new_trig(argument)
            coordinates = [Fraction(0)] * len(self.trigs)
            coordinates[-1] = Fraction(self.hints.fine.get(("trig", made.ordinal), 1))
        for g, c in zip(self.trigs, coordinates, strict=True):
            if c.denominator != 1:
                raise self.hints.refine(("trig", g.ordinal), c.denominator)
        s, c = self.constant(0), self.constant(1)
        for g, k in zip(self.trigs, coordinates, strict=True):
            if abs(k) > 60:
                raise TooBig("a trigonometric function of a large multiple")
            one = self.angles.get(g.ordinal) or (self.frac(self.gen(g.index)), self.frac(self.gen(g.partner)))
            if k < 0:
                one = (self.neg(one[0]), one[1])
            for _ in range(abs(int(k))):
                s, c = (
                    self.add(self.times(s, one[1]), self.times(c, one[0])),
                    self.add(self.times(c, one[1]), self.neg(self.times(s, one[0]))),
                )
        return s, c

    def new_trig(self, argument: Frac) -> Generator:
        ordinal = len(self.trigs)
        fine = self.hints.fine.get(("trig", ordinal), 1)
        argument = self.times(argument, self.constant(1, fine))
        tree = self.expr(argument)
        cosine = self.new("cos", sp.cos(tree), argument=argument, ordinal=ordinal)
        sine = self.new("sin", sp.sin(tree), argument=argument, ordinal=ordinal, partner=cosine.index)
        c = self.gen(cosine.index)
        self.add_relation(sine.index, 2, self.one - c * c)
        self.trigs.append(sine)
        return sine

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
        fine = self.hints.fine.get(("trig", ordinal), 1)
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

    # -- trees --------------------------------------------------------------------------------------------------
    def convert(self, e: sp.Expr) -> Frac:
        """The fraction of a tree; raises `TooBig` or `Outside`."""
        known = self.memo.get(e)
        if known is None:
            from symdp.tower.trees import convert_node

            self.spend(1)
            known = self.memo[e] = convert_node(self, e)
        return known
