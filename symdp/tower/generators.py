"""Generators of a tower: known functions with their trees, signs, and the polynomials in them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from symdp.tower.ring import Frac, Outside, Poly, Ring, TooBig

#: Longer polynomials, and those of a higher degree, are not factored.
FACTOR_TERMS, FACTOR_DEGREE = 400, 120
#: Longer polynomials are not turned into trees.
TREE_TERMS = 1_000

Sign = Callable[[sp.Expr], int | None]


def factored(a: Poly) -> tuple[Any, list[tuple[Poly, Any]]]:
    """Content and factors with their exponents, irreducible where python-flint can sort them.

    It takes coefficients that it compares for machine integers: with longer ones in factors that are alike, the factors
    are those without squares, or the polynomial itself.
    """
    for way in (a.factor, a.factor_squarefree):
        try:
            content, parts = way()
        except OverflowError:
            continue
        return content, list(parts)
    return 1, [(a, 1)]


class Restart(Exception):
    """A generator must be refined (or a sign fact applied from the start)."""


@dataclass
class Hints:
    """What earlier passes learned: how fine each generator must be, and signs that definedness implies."""

    fine: dict[Hashable, int] = field(default_factory=dict)
    signs: dict[str, int] = field(default_factory=dict)

    def refine(self, key: Hashable, factor: int) -> Restart:
        """Ask for a generator to be finer by a factor from the next pass on."""
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


class Generators(Ring):
    """A ring whose generators are known functions of the symbols."""

    def __init__(self, size: int, hints: Hints, sign: Sign, hyperbolic: bool = False) -> None:
        super().__init__(size)
        self.hints, self.sign, self.hyperbolic = hints, sign, hyperbolic
        self.generators: dict[int, Generator] = {}
        self.lookup: dict[Hashable, Any] = {}
        self.memo: dict[sp.Basic, Frac] = {}
        self.exps: list[Generator] = []
        self.spare: list[tuple[Generator, tuple[Fraction, ...]]] = []
        self.trigs: list[Generator] = []
        self.hypers: list[Generator] = []
        self.powers: dict[tuple[int, int], sp.Expr] = {}
        self.sign_memo: dict[str, int | None] = {}
        self.unsigned: set[str] = set()  # factors left inside a root because their sign was not known
        self.angles: dict[int, tuple[Frac, Frac]] = {}  # sine and cosine of an inverse function, by ordinal

    # -- back to trees ----------------------------------------------------------------------------------------
    def poly_expr(self, a: Poly) -> sp.Expr:
        """The tree of a polynomial; raises `TooBig` when it is too long to be of use."""
        if len(a) > TREE_TERMS:
            raise TooBig("a polynomial too long to write out")
        terms = []
        for monomial, coefficient in a.terms():
            factors = [self.power_expr(i, int(e)) for i, e in enumerate(monomial) if e]
            terms.append(sp.Mul(sp.Integer(int(coefficient)), *factors))
        return sp.Add(*terms)

    def power_expr(self, index: int, exponent: int) -> sp.Expr:
        """The tree of a power of a generator."""
        key = (index, exponent)
        if key not in self.powers:
            self.powers[key] = self.generators[index].expr ** exponent
        return self.powers[key]

    def expr(self, a: Frac) -> sp.Expr:
        """The tree of a fraction."""
        return self.poly_expr(a.num) / self.poly_expr(a.den)

    def terms_expr(self, a: Frac) -> sp.Expr | None:
        """The tree of a fraction term by term, each over the whole denominator; None unless that is one monomial."""
        if len(a.den) != 1 or len(a.num) < 2:
            return None
        below = self.poly_expr(a.den)
        return sp.Add(*(self.poly_expr(self.ctx.from_dict({m: c})) / below for m, c in a.num.terms()))

    def collected_expr(self, a: Frac, s: sp.Symbol) -> sp.Expr | None:
        """The tree of a fraction over a monomial with the numerator collected in powers of one symbol."""
        place = next((i for i, g in self.generators.items() if g.expr == s), None)
        if place is None or len(a.den) != 1:
            return None
        groups: dict[int, dict[tuple[int, ...], int]] = {}
        for monomial, c in a.num.terms():
            rest = tuple(0 if i == place else int(e) for i, e in enumerate(monomial))
            groups.setdefault(int(monomial[place]), {})[rest] = int(c)
        if len(groups) == len(a.num):
            return None
        below = self.poly_expr(a.den)
        parts = [
            s**k * sp.Add(*(self.poly_expr(self.ctx.from_dict({m: c})) / below for m, c in terms.items()))
            for k, terms in sorted(groups.items())
        ]
        return sp.Add(*parts)

    def factored_expr(self, a: Frac) -> sp.Expr:
        """The tree of a fraction as a product of irreducible factors; a plain quotient when too long to factor."""
        try:
            content, parts = self.split(a) if not a.is_zero else (Fraction(0), [])
        except TooBig:
            return self.expr(a)
        return sp.Mul(sp.Rational(content.numerator, content.denominator), *(self.poly_expr(p) ** e for p, e in parts))

    def factors(self, a: Poly) -> tuple[int, list[tuple[Poly, int]]]:
        """Integer content and irreducible factors, each with a positive leading coefficient.

        Of a polynomial too long or of too high a degree only the powers of single generators are split off.
        """
        self.spend(50 * len(a))
        if len(a) <= FACTOR_TERMS and int(a.total_degree()) <= FACTOR_DEGREE:
            content, parts = factored(a)
        else:
            common = a.term_content()
            content, parts = common.leading_coefficient(), [(self.gen(i), d) for i, d in self.degrees(common)]
            parts.append((divmod(a, common)[0], 1))
        content, out = int(content), []
        for part, e in parts:
            if part.leading_coefficient() < 0:
                part, content = -part, content * (-1) ** int(e)
            if not part.is_one():
                out.append((part, int(e)))
        return content, sorted(out, key=lambda pe: str(pe[0]))

    def convert(self, e: sp.Expr) -> Frac:
        """The fraction of a tree."""
        raise NotImplementedError

    def new(self, kind: str, expr: sp.Expr, **info: Any) -> Generator:
        """Register a generator of a kind that stands for a tree."""
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
        return self.generators[self.degrees(p)[0][0]]

    def poly_sign(self, p: Poly) -> int | None:
        """+1 (>= 0) or -1 (<= 0) where that is known of an irreducible polynomial, or implied by definedness."""
        key = str(p)
        if key in self.hints.signs:
            return self.hints.signs[key]
        if p.is_constant():
            return 1 if p.leading_coefficient() > 0 else -1
        if key not in self.sign_memo:
            alone = self.single(p)
            if alone is not None and alone.kind in ("exp", "pi", "erfc", "sampled_moment"):
                self.sign_memo[key] = 1
            else:
                self.sign_memo[key] = self.sign(self.poly_expr(p)) if len(p) <= 40 else None
        known = self.sign_memo[key]
        return None if known is None else 1 if known > 0 else -1

    def strict(self, p: Poly) -> bool:
        """Whether ``p`` is known never to vanish."""
        if str(p) in self.hints.signs or self.poly_sign(p) is None:
            return False
        return p.is_constant() or abs(self.sign_memo[str(p)] or 0) == 1

    def learn(self, p: Poly, sign: int) -> None:
        """Record a sign that definedness implies; start again if ``|p|`` was already used without it."""
        key = str(p)
        if self.hints.signs.get(key, sign) != sign:
            raise Outside("undefined: two parts need opposite signs of one expression")
        if key not in self.hints.signs and self.poly_sign(p) != sign:
            self.hints.signs[key] = sign
            if ("abs", key) in self.lookup or ("root", key) in self.lookup or key in self.unsigned:
                raise Restart()

    def split(self, u: Frac) -> tuple[Fraction, list[tuple[Poly, int]]]:
        """Rational content and irreducible factors (negative exponents from the denominator)."""
        top, above = self.factors(u.num)
        bottom, below = self.factors(u.den)
        return Fraction(top, bottom), above + [(p, -e) for p, e in below]
