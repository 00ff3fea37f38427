"""Signs by structure: interval arithmetic on the tree and on its irreducible factors, and shifted coefficients.

Most conditions fall here (``sigma**2/2 > 0``, ``theta/(exp(2*theta*t) - 1) > 0``) in a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from symdp.decide.domain import Domain
from symdp.extremum import interval as iv
from symdp.extremum.interval import Range
from symdp.text import definedness
from symdp.tower import Frac, Outside, TooBig, Tower, build
from symdp.tower.ring import Poly

#: Polynomials longer than this are not shifted.
MOST_TERMS = 200
#: Largest number of terms a shift may produce.
MOST_SHIFTED = 4_000


@dataclass(frozen=True)
class Sign:
    """The value is ``sign`` times a quantity that is >= 0, or > 0 where ``strict``; sign 0 means zero."""

    sign: int
    strict: bool

    def satisfies(self, op: str) -> bool:
        """Whether ``value op 0`` follows."""
        if self.sign == 0:
            return op in (">=", "==")
        if op == "!=":
            return self.strict
        return self.sign > 0 and (self.strict or op == ">=")


def of_range(r: Range | None) -> Sign | None:
    """The sign that a range shows."""
    if r is None or r.partial:
        return None
    if r.lo == 0 and r.hi == 0:
        return Sign(0, True)
    if r.nonnegative:
        return Sign(1, r.positive)
    if r.nonpositive:
        return Sign(-1, r.negative)
    return None


def product(parts: list[tuple[Sign, int]]) -> Sign:
    """The sign of a product of powers."""
    sign, strict = 1, True
    for s, e in parts:
        if s.sign == 0:
            return Sign(0, True)
        sign *= s.sign if e % 2 else 1
        strict = strict and s.strict
    return Sign(sign, strict)


def tower_of(domain: Domain, *exprs: sp.Expr) -> tuple[Tower, list[Frac]] | None:
    """The expressions as fractions in one tower that knows the region's signs, or None."""
    try:
        made = build(exprs, domain.order)
    except (TooBig, Outside):
        return None
    return made if domain.alive(made[0]) else None


def expr_sign(domain: Domain, expr: sp.Expr) -> Sign | None:
    """The sign of an expression on the region; None when structure does not show it (or it may be undefined)."""
    direct = of_range(domain.range(expr))
    if direct is not None:
        return direct
    whole = domain.range(expr)
    if whole is not None and whole.partial and not defined(domain, expr):
        return None
    made = tower_of(domain, expr)
    return None if made is None else frac_sign(domain, made[0], made[1][0])


def defined(domain: Domain, expr: sp.Expr) -> bool:
    """Whether the expression is known, from structure alone, to be defined on the whole region."""
    r = domain.range(expr)
    if r is not None and not r.partial:
        return True
    for condition in definedness(expr):
        r = domain.range(condition.expr)
        if (s := of_range(r)) is not None and s.satisfies(condition.op):
            continue
        made = tower_of(domain, condition.expr)
        found = None if made is None else frac_sign(domain, made[0], made[1][0])
        if found is None or not found.satisfies(condition.op):
            return False
    return True


def frac_sign(domain: Domain, tower: Tower, value: Frac) -> Sign | None:
    """The sign of a fraction from its irreducible factors."""
    if value.is_zero:
        return Sign(0, True)
    try:
        content, parts = tower.split(value)
    except TooBig:
        return None
    signs: list[tuple[Sign, int]] = []
    for p, e in parts:
        found = factor_sign(domain, tower, p)
        if found is None:
            if e % 2 or e < 0:
                return None
            found = Sign(1, False)
        if e < 0 and not found.strict:
            return None
        signs.append((found, e))
    total = product(signs)
    return Sign(total.sign * (1 if content > 0 else -1), total.strict)


def factor_sign(domain: Domain, tower: Tower, p: Poly) -> Sign | None:
    """The sign of one polynomial in the generators."""
    if len(p) > MOST_TERMS:
        return None
    found = of_range(domain.range(tower.poly_expr(p)))
    return found if found is not None else shifted_sign(domain, tower, p)


@dataclass(frozen=True)
class Bounds:
    """Rational bounds of a generator (None: unbounded) and whether they are excluded."""

    lower: Fraction | None
    upper: Fraction | None
    lower_open: bool
    upper_open: bool


def generator_bounds(domain: Domain, tower: Tower, index: int) -> Bounds:
    """Bounds of a generator; the ends of a coordinate are exact, others are rounded outward to 32 bits."""
    g = tower.generators[index]
    r = domain.range(g.expr)
    if r is None:
        positive = g.kind in ("exp", "erfc", "sampled_moment")
        return Bounds(Fraction(0) if positive or g.kind in ("root", "abs") else None, None, positive, True)
    if g.kind in ("root", "abs") and r.lo < 0:
        r = iv.clip(r, iv.ZERO)
    lower = coarse(r.lo, up=False) if r.lo.is_finite() else None
    upper = coarse(r.hi, up=True) if r.hi.is_finite() else None
    if g.kind == "symbol":
        side = domain.region.interval(g.expr)
        lower = Fraction(int(side.lower.p), int(side.lower.q)) if side.lower.is_Rational else lower
        upper = Fraction(int(side.upper.p), int(side.upper.q)) if side.upper.is_Rational else upper
    return Bounds(lower, upper, r.lo_open, r.hi_open)


def shifted_sign(domain: Domain, tower: Tower, p: Poly) -> Sign | None:
    """The sign when each generator is put on a half line and all coefficients then have one sign.

    A generator becomes ``lower + h``, ``upper - h`` or ``(lower + upper*h)/(1 + h)`` with h >= 0; one that is unbounded
    both ways must occur in even powers only.
    """
    strict_gens: set[int] = set()
    free: set[int] = set()
    attained = False  # an upper end of a bounded generator, which is h = oo and not seen by the coefficients
    for index, degree in tower.degrees(p):
        bounds = generator_bounds(domain, tower, index)
        if bounds.lower is None and bounds.upper is None:
            free.add(index)
            continue
        shifted = shift(tower, p, index, degree, bounds)
        if shifted is None:
            return None
        p = shifted
        attained = attained or (bounds.lower is not None and bounds.upper is not None and not bounds.upper_open)
        if bounds.lower_open if bounds.lower is not None else bounds.upper_open:
            strict_gens.add(index)
    signs = {1 if c > 0 else -1 for c in p.coeffs()}
    if len(signs) != 1:
        return None
    if any(int(e) % 2 for monomial in p.monoms() for i, e in enumerate(monomial) if i in free):
        return None
    strict = not attained and any(all(i in strict_gens for i, e in enumerate(m) if e) for m in p.monoms())
    return Sign(signs.pop(), strict)


def coarse(x: iv.Ball, *, up: bool) -> Fraction:
    """An exact ball rounded outward to a fraction of few bits."""
    value = exact_fraction(x)
    if value.denominator <= 1 << 20:
        return value
    scaled = value * (1 << 32)
    whole = scaled.numerator // scaled.denominator
    return Fraction(whole + up, 1 << 32)


def exact_fraction(x: iv.Ball) -> Fraction:
    """An exact ball as a fraction."""
    man, exp = x.man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def shift(tower: Tower, p: Poly, index: int, degree: int, bounds: Bounds) -> Poly | None:
    """``p`` with one generator moved to the half line h >= 0, scaled by a positive factor; None when too large."""
    lower, upper, h = bounds.lower, bounds.upper, tower.gen(index)
    if lower == 0 and upper is None:
        return p
    if degree > 40:
        return None
    if lower is not None and upper is not None:
        d = lower.denominator * upper.denominator
        top, below = int(lower * d) + int(upper * d) * h, d + d * h
    else:
        end = lower if lower is not None else upper
        assert end is not None
        d = end.denominator
        top, below = int(end * d) + (d if lower is not None else -d) * h, tower.ctx.constant(d)
    groups: dict[int, dict[tuple[int, ...], int]] = {}
    for monomial, c in p.terms():
        rest = tuple(0 if i == index else int(x) for i, x in enumerate(monomial))
        groups.setdefault(int(monomial[index]), {})[rest] = int(c)
    total = tower.zero
    for e, terms in groups.items():
        total = total + tower.ctx.from_dict(terms) * top**e * below ** (degree - e)
        if len(total) > MOST_SHIFTED:
            return None
    return total
