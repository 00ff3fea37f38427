"""What to differentiate and along which coordinate: the candidates for a step of a monotonicity proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from symdp.decide.domain import Domain, Point, values_at
from symdp.decide.effort import given
from symdp.decide.signs import Sign, factor_sign, tower_of
from symdp.region import Interval, Region
from symdp.text import Relation
from symdp.tower import Outside, TooBig, Tower, derivative
from symdp.tower.ring import Poly

Certificate = dict[str, Any]


@dataclass
class Budget:
    """What one decision may still spend."""

    steps: int = field(default_factory=lambda: given().steps)
    size: int = field(default_factory=lambda: given().nodes)
    known: dict[tuple[Relation, Region, int], Certificate | None] = field(default_factory=dict)
    slopes: dict[tuple[sp.Expr, sp.Symbol, Region], sp.Expr] = field(default_factory=dict)
    inverted: set[sp.Symbol] = field(default_factory=set)

    def slope(self, domain: Domain, f: sp.Expr, variable: sp.Symbol) -> sp.Expr:
        """The partial derivative as a product of factors; raises `Outside` or `TooBig`."""
        key = (f, variable, domain.region)
        if key not in self.slopes:
            tower, value = derivative(f, variable, domain.order)
            if not domain.alive(tower):
                raise Outside("a factor that may vanish identically")
            self.slopes[key] = tower.factored_expr(value)
        return self.slopes[key]


def slope_signs(
    budget: Budget, domain: Domain, f: sp.Expr, variable: sp.Symbol, points: list[Point]
) -> list[tuple[Point, int]]:
    """The signs of the slope at sample points, where they are clear."""
    try:
        slope = budget.slope(domain, f, variable)
    except (Outside, TooBig):
        return []
    values = [(p, y) for p, y in zip(points, values_at(slope, points), strict=True) if y is not None]
    return [(p, 1 if y.lo > 0 else -1) for p, y in values if y.lo > 0 or y.hi < 0]


def centres(interval: Interval) -> list[sp.Expr]:
    """Zero, one, minus one and the midpoint, where they are inside."""
    marks = [sp.Integer(0), sp.Integer(1), sp.Integer(-1)]
    if interval.is_bounded:
        marks.insert(0, (interval.lower + interval.upper) / 2)
    ends = (interval.lower, interval.upper)
    return [m for m in dict.fromkeys(marks) if m not in ends and m.is_Rational and interval.contains(m)]


def targets(domain: Domain, expr: sp.Expr, strict: bool) -> Iterator[sp.Expr]:
    """Functions of the sign of ``expr``: the open factor of its normal form, plain and divided by what is positive."""
    made = tower_of(domain, expr)
    if made is None:
        yield expr
        return
    tower, [value] = made
    content, parts = tower.split(value)
    sign = 1 if content > 0 else -1
    open_factors: list[Poly] = []
    for p, e in parts:
        known = factor_sign(domain, tower, p)
        if known is None and e % 2 == 0 and not strict and e > 0:
            known = Sign(1, False)
        if known is None or known.sign == 0 or ((strict or e < 0) and not known.strict):
            if e % 2 == 0:
                return
            open_factors.append(p)
        elif e % 2:
            sign *= known.sign
    if len(open_factors) != 1:
        return
    [p] = open_factors
    for divisor in _divisors(domain, tower, p):
        if divisor is None:
            yield sign * tower.poly_expr(p)
        else:
            yield tower.expr(tower.frac(sign * p, divisor))


def _divisors(domain: Domain, tower: Tower, p: Poly) -> Iterator[Poly | None]:
    """None for 1, then powers of exponentials, then the coefficient of a logarithm, where they are positive."""
    yield None
    for index, degree in tower.degrees(p):
        g = tower.generators[index]
        if g.kind == "exp":
            for k in range(1, min(degree, 3) + 1):
                yield tower.gen(index) ** k
        if g.kind in ("log", "atan", "asin") and degree == 1:
            terms = {m: c for m, c in p.terms() if int(m[index])}
            lead = tower.ctx.from_dict(
                {tuple(0 if i == index else int(x) for i, x in enumerate(m)): int(c) for m, c in terms.items()}
            )
            if lead.is_constant():
                continue
            known = factor_sign(domain, tower, lead)
            if known is not None and known.strict and known.sign:
                yield known.sign * lead
