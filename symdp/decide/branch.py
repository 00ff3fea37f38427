"""Inequalities that need analysis: monotonicity from an end of an interval, applied again and again, then boxes.

``f >= 0`` on v in (a, b) follows from ``f >= 0`` at v = a (or at infinity, by the leading term) and a slope of one
sign. What is differentiated is the one irreducible factor of f whose sign is not known, divided by a power that
makes it shorter, so that a few steps remove every logarithm and every exponential. Leaves are settled by structure or
by z3; what is left goes to branch and bound with ball arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from symdp.ball import working_precision
from symdp.decide import polynomial
from symdp.decide.domain import SIGN_BITS, Domain, Point, nodes, ordered, value_at, violated
from symdp.decide.signs import Sign, defined, expr_sign, factor_sign, tower_of
from symdp.errors import InputError
from symdp.extremum import region_box
from symdp.extremum.charts import problems
from symdp.extremum.interval import Ball
from symdp.extremum.search import Limit, Search
from symdp.extremum.tail import Tail
from symdp.region import Interval, Region
from symdp.text import Relation, to_text
from symdp.tower import Outside, TooBig, Tower, derivative
from symdp.tower.ring import Poly

#: Nested monotonicity steps, steps in all, and z3's steps at a leaf.
MOST_DEPTH, MOST_STEPS, LEAF_RLIMIT = 5, 60, 10_000
#: Boxes and interval operations of the branch and bound that comes last.
BOXES, WORK = 2_000, 150_000
#: Points at which the sign of a slope is sampled before a proof of it is tried.
SAMPLES = 7
MOST_NODES = 1_500

Certificate = dict[str, Any]


@dataclass
class Budget:
    """What one decision may still spend."""

    steps: int = MOST_STEPS
    known: dict[tuple[Relation, Region, int], Certificate | None] = field(default_factory=dict)
    slopes: dict[tuple[sp.Expr, sp.Symbol], sp.Expr] = field(default_factory=dict)
    inverted: set[sp.Symbol] = field(default_factory=set)

    def slope(self, domain: Domain, f: sp.Expr, variable: sp.Symbol) -> sp.Expr:
        """The partial derivative as a product of factors; raises `Outside` or `TooBig`."""
        key = (f, variable)
        if key not in self.slopes:
            tower, value = derivative(f, variable, domain.sign)
            self.slopes[key] = tower.factored_expr(value)
        return self.slopes[key]


def by_analysis(domain: Domain, relation: Relation) -> Certificate | None:
    """A certificate for ``expr > 0`` or ``expr >= 0`` (known to be defined on the region), or None."""
    if relation.op not in (">", ">="):
        return None
    return prove(domain, relation.expr, relation.op == ">", MOST_DEPTH, Budget()) or by_boxes(domain, relation)


def by_boxes(domain: Domain, relation: Relation) -> Certificate | None:
    """Branch and bound on the whole region."""
    strict = relation.op == ">"

    def proved(low: Ball, low_open: bool) -> bool:
        return bool(low > 0) or (bool(low == 0) and (low_open or not strict))

    try:
        with working_precision(SIGN_BITS):
            conditions = [(c.expr, c.op) for c in domain.region.constraints]
            parts = problems(relation.expr, domain.symbols, *region_box(domain.region), conditions)
            limit = Limit(BOXES, WORK)
            found = Search(parts).minimize(
                limit, lambda low, is_open, high: proved(low, is_open) or bool(high < 0), proved
            )
            done = proved(found.lower, found.lower_open)
    except (Outside, TooBig):
        return None
    return {"engine": "boxes", "boxes": found.boxes, "limit": BOXES} if done else None


# -- monotonicity ---------------------------------------------------------------------------------------------------
def prove(domain: Domain, expr: sp.Expr, strict: bool, depth: int, budget: Budget) -> Certificate | None:
    """A certificate that ``expr`` is >= 0 (> 0 if ``strict``) on the region where it is defined, or None."""
    relation = Relation(expr, ">" if strict else ">=")
    key = (relation, domain.region, depth)
    if key not in budget.known:
        budget.known[key] = None  # a goal met again while it is being proved is not proved by itself
        with suppress(Outside, TooBig, InputError):
            budget.known[key] = _prove(domain, relation, depth, budget)
    return budget.known[key]


def _prove(domain: Domain, relation: Relation, depth: int, budget: Budget) -> Certificate | None:
    expr, strict = relation.expr, relation.op == ">"
    if nodes(expr) > MOST_NODES or any(violated(relation, p) for p in domain.points(SAMPLES, "goal")):
        return None
    leaf = _leaf(domain, relation)
    if leaf is not None or depth == 0:
        return leaf
    for move in _moves(domain, expr, strict, budget):
        budget.steps -= 1
        if budget.steps < 0:
            return None
        try:
            found = move.follow(strict, depth, budget)
        except (Outside, TooBig, InputError):
            continue
        if found is not None:
            return found
    return None


def _leaf(domain: Domain, relation: Relation) -> Certificate | None:
    claim = str(relation)
    found = expr_sign(domain, relation.expr)
    if found is not None:
        return {"engine": "sign", "claim": claim} if found.satisfies(relation.op) else None
    for level in (0, 1):
        query = polynomial.query(domain, relation, level)
        if query is None or (level and not polynomial.levels(query)):
            break
        if polynomial.ask(query, LEAF_RLIMIT).status == "unsat":
            return {"engine": "z3", "claim": claim, "level": level, "query": query.text, "rlimit": LEAF_RLIMIT}
    return None


@dataclass(frozen=True)
class Slope:
    """Prove ``f >= 0`` from its value at an end of one coordinate, or far out, and the sign of its slope."""

    domain: Domain
    f: sp.Expr
    variable: sp.Symbol
    rising: bool

    def follow(self, strict: bool, depth: int, budget: Budget) -> Certificate | None:
        """The certificate of this step and of the steps below it."""
        interval = self.domain.region.interval(self.variable)
        end = interval.lower if self.rising else interval.upper
        closed = interval.lower_closed if self.rising else interval.upper_closed
        inner = _restrict(self.domain, self.variable, Interval(interval.lower, interval.upper))
        slope = budget.slope(self.domain, self.f, self.variable) * (1 if self.rising else -1)
        if not _continuous(self.f, self.variable) or not defined(inner, self.f) or not defined(inner, slope):
            return None
        for from_strict, slope_strict in (
            ((True, False), (False, True)) if strict and not closed else ((strict, False),)
        ):
            base = self._far(inner) if end in (sp.oo, -sp.oo) else self._start(end, from_strict, depth, budget)
            if base is None:
                continue
            below = prove(inner, slope, slope_strict, depth - 1, budget)
            if below is not None:
                return {
                    "engine": "monotone",
                    "function": to_text(self.f),
                    "variable": self.variable.name,
                    "from": str(end),
                    "start": base,
                    "slope": below,
                }
        return None

    def _start(self, end: sp.Expr, strict: bool, depth: int, budget: Budget) -> Certificate | None:
        """The relation at the end of the interval."""
        start = self.f.xreplace({self.variable: end})
        if start.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
            return None
        if not defined(_restrict(self.domain, self.variable, Interval.point(end)), self.f):
            return None
        return prove(_restrict(self.domain, self.variable, None), start, strict, depth - 1, budget)

    def _far(self, inner: Domain) -> Certificate | None:
        """Positive far out, by the leading term; then a function that decreases to its limit is positive."""
        axis, side = inner.symbols.index(self.variable), -1 if self.rising else 1
        with working_precision(SIGN_BITS):
            tail = Tail(self.f, inner.symbols, axis, side, inner.sign)
            positive = tail.eventually(tuple(inner.box[s] for s in inner.symbols)) == 1
        return {"engine": "sign", "claim": f"the leading term of {to_text(self.f)} is positive"} if positive else None


@dataclass(frozen=True)
class Halves:
    """Prove ``f >= 0`` on both sides of a point of one coordinate; on one side only when f is symmetric about it."""

    domain: Domain
    f: sp.Expr
    variable: sp.Symbol
    at: sp.Expr

    def follow(self, strict: bool, depth: int, budget: Budget) -> Certificate | None:
        """The certificates of the two sides."""
        v, side = self.variable, self.domain.region.interval(self.variable)
        right = _restrict(self.domain, v, Interval(self.at, side.upper, True, side.upper_closed))
        left = _restrict(self.domain, v, Interval(side.lower, self.at, side.lower_closed, True))
        above = prove(right, self.f, strict, depth - 1, budget)
        if above is None:
            return None
        certificate = {"variable": v.name, "at": to_text(self.at), "function": to_text(self.f), "right": above}
        mirrored = side.lower + side.upper in (2 * self.at, sp.nan) and (side.upper_closed or not side.lower_closed)
        if mirrored and self._symmetric():
            return {"engine": "symmetric", **certificate}
        below = prove(left, self.f, strict, depth - 1, budget)
        return None if below is None else {"engine": "halves", **certificate, "left": below}

    def _symmetric(self) -> bool:
        mirrored = self.f.xreplace({self.variable: 2 * self.at - self.variable})
        made = tower_of(self.domain, mirrored - self.f)
        return made is not None and made[1][0].is_zero


@dataclass(frozen=True)
class Inverse:
    """Prove ``f >= 0`` on a half line v > a >= 0 in the coordinate 1/v."""

    domain: Domain
    f: sp.Expr
    variable: sp.Symbol

    def follow(self, strict: bool, depth: int, budget: Budget) -> Certificate | None:
        """The certificate in the new coordinate."""
        interval = self.domain.region.interval(self.variable)
        if interval.lower == 0 and interval.lower_closed:
            return None
        top = sp.oo if interval.lower == 0 else 1 / interval.lower
        near = _restrict(self.domain, self.variable, Interval(0, top, False, interval.lower_closed))
        made = tower_of(near, self.f.xreplace({self.variable: 1 / self.variable}))
        if made is None:
            return None
        moved = made[0].expr(made[1][0])
        below = prove(near, moved, strict, depth - 1, budget) if defined(near, moved) else None
        if below is None:
            return None
        return {"engine": "inverse", "variable": self.variable.name, "function": to_text(self.f), "below": below}


Move = Slope | Halves | Inverse


def _restrict(domain: Domain, variable: sp.Symbol, interval: Interval | None) -> Domain:
    """The region with one coordinate freed from all constraints and put into an interval, or left out."""
    kept = [c for c in domain.region.constraints if variable not in c.free_symbols]
    sides = {s: interval if s == variable else i for s, i in domain.region.intervals}
    return Domain(Region(tuple((s, i) for s, i in sides.items() if i is not None), tuple(kept)))


def _continuous(f: sp.Expr, variable: sp.Symbol) -> bool:
    """Whether f is continuous wherever it is defined (every function of the grammar but sign is)."""
    return not any(variable in node.free_symbols for node in f.atoms(sp.sign))


def _moves(domain: Domain, expr: sp.Expr, strict: bool, budget: Budget) -> Iterator[Move]:
    """The steps worth trying: slopes that seem to have one sign, then cuts where a slope changes its sign, then 1/v."""
    points = list(domain.points(SAMPLES, "slope"))
    variables = ordered(expr.free_symbols & set(domain.symbols))
    for f in _targets(domain, expr, strict):
        for variable in variables:
            signs = {s for _, s in _slope_signs(budget, domain, f, variable, points)}
            if len(signs) == 1:
                yield Slope(domain, f, variable, signs == {1})
    for variable in variables:
        signs_at = _slope_signs(budget, domain, expr, variable, points)
        for at in _centres(domain.region.interval(variable)):
            left = {s for p, s in signs_at if p[variable] < at}
            right = {s for p, s in signs_at if p[variable] > at}
            if at == 0 or (len(left) == 1 and len(right) == 1 and left != right):
                yield Halves(domain, expr, variable, at)
    for variable in variables:
        interval = domain.region.interval(variable)
        if interval.upper is sp.oo and domain.box[variable].lo >= 0 and variable not in budget.inverted:
            budget.inverted.add(variable)
            yield Inverse(domain, expr, variable)


def _slope_signs(
    budget: Budget, domain: Domain, f: sp.Expr, variable: sp.Symbol, points: list[Point]
) -> list[tuple[Point, int]]:
    """The signs of the slope at sample points, where they are clear."""
    try:
        slope = budget.slope(domain, f, variable)
    except (Outside, TooBig):
        return []
    values = [(p, y) for p in points if (y := value_at(slope, p)) is not None]
    return [(p, 1 if y.lo > 0 else -1) for p, y in values if y.lo > 0 or y.hi < 0]


def _centres(interval: Interval) -> list[sp.Expr]:
    """Zero, one, minus one and the midpoint, where they are inside."""
    marks = [sp.Integer(0), sp.Integer(1), sp.Integer(-1)]
    if interval.is_bounded:
        marks.insert(0, (interval.lower + interval.upper) / 2)
    ends = (interval.lower, interval.upper)
    return [m for m in dict.fromkeys(marks) if m not in ends and m.is_Rational and interval.contains(m)]


def _targets(domain: Domain, expr: sp.Expr, strict: bool) -> Iterator[sp.Expr]:
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
    for index, degree in enumerate(int(d) for d in p.degrees()):
        if not degree:
            continue
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
