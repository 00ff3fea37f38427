"""Inequalities by analysis: monotonicity from an end of an interval, applied again and again.

``f >= 0`` on v in (a, b) follows from ``f >= 0`` at v = a (or at infinity, by the leading term) and a slope of one
sign. What is differentiated is the one irreducible factor of f whose sign is not known, divided by a power that
makes it shorter, so that a few steps remove every logarithm and every exponential. Leaves are settled by structure or
by z3.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sympy as sp

from symdp.ball import working_precision
from symdp.decide import polynomial
from symdp.decide.domain import SIGN_BITS, Domain, nodes, ordered, violated
from symdp.decide.signs import defined, expr_sign, tower_of
from symdp.decide.steps import Budget, Certificate, centres, slope_signs, targets
from symdp.errors import InputError
from symdp.extremum.tail import Tail
from symdp.region import Interval, Region
from symdp.text import Relation, to_text
from symdp.tower import Outside, TooBig

#: Nested steps, and z3's own steps at a leaf.
MOST_DEPTH, LEAF_RLIMIT = 5, 10_000
#: Points at which a goal, or the sign of a slope, is sampled before a proof is tried.
SAMPLES = 7
#: Larger trees are not tried.
MOST_NODES = 400


def by_monotonicity(domain: Domain, relation: Relation, guide: Certificate | None = None) -> Certificate | None:
    """A certificate for ``expr > 0`` or ``expr >= 0`` (known to be defined on the region), or None.

    ``guide`` is a certificate to be gone through again: only the steps it names are taken.
    """
    return prove(domain, relation.expr, relation.op == ">", MOST_DEPTH, Budget(), guide)


def prove(
    domain: Domain, expr: sp.Expr, strict: bool, depth: int, budget: Budget, guide: Any = None
) -> Certificate | None:
    """A certificate that ``expr`` is >= 0 (> 0 if ``strict``) on the region where it is defined, or None."""
    relation = Relation(expr, ">" if strict else ">=")
    key = (relation, domain.region, depth)
    if key not in budget.known:
        budget.known[key] = None  # a goal met again while it is being proved is not proved by itself
        with suppress(Outside, TooBig, InputError):
            budget.known[key] = _prove(domain, relation, depth, budget, guide)
    return budget.known[key]


def _prove(domain: Domain, relation: Relation, depth: int, budget: Budget, guide: Any) -> Certificate | None:
    expr, strict = relation.expr, relation.op == ">"
    size = nodes(expr)
    budget.size -= size
    if size > MOST_NODES or budget.size < 0 or any(violated(relation, p) for p in domain.points(SAMPLES, "goal")):
        return None
    leaf = _leaf(domain, relation)
    if leaf is not None or depth == 0:
        return leaf
    for move in _moves(domain, expr, strict, budget):
        if guide is not None and not _named(move, guide):
            continue
        budget.steps -= 1
        if budget.steps < 0:
            return None
        try:
            found = move.follow(strict, depth, budget, guide)
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

    def follow(self, strict: bool, depth: int, budget: Budget, guide: Any = None) -> Certificate | None:
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
            far = end in (sp.oo, -sp.oo)
            base = self._far(inner) if far else self._start(end, from_strict, depth, budget, _part(guide, "start"))
            if base is None:
                continue
            below = prove(inner, slope, slope_strict, depth - 1, budget, _part(guide, "slope"))
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

    def _start(self, end: sp.Expr, strict: bool, depth: int, budget: Budget, guide: Any) -> Certificate | None:
        """The relation at the end of the interval."""
        start = self.f.xreplace({self.variable: end})
        if start.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
            return None
        if not defined(_restrict(self.domain, self.variable, Interval.point(end)), self.f):
            return None
        return prove(_restrict(self.domain, self.variable, None), start, strict, depth - 1, budget, guide)

    def _far(self, inner: Domain) -> Certificate | None:
        """Positive far out, by the leading term; then a function that decreases to its limit is positive."""
        axis, side = inner.symbols.index(self.variable), -1 if self.rising else 1
        with working_precision(SIGN_BITS):
            tail = Tail(self.f, inner.symbols, axis, side, inner.order)
            positive = tail.eventually(tuple(inner.box[s] for s in inner.symbols)) == 1
        return {"engine": "sign", "claim": f"the leading term of {to_text(self.f)} is positive"} if positive else None


@dataclass(frozen=True)
class Halves:
    """Prove ``f >= 0`` on both sides of a point of one coordinate; on one side only when f is symmetric about it."""

    domain: Domain
    f: sp.Expr
    variable: sp.Symbol
    at: sp.Expr

    def follow(self, strict: bool, depth: int, budget: Budget, guide: Any = None) -> Certificate | None:
        """The certificates of the two sides."""
        v, side = self.variable, self.domain.region.interval(self.variable)
        right = _restrict(self.domain, v, Interval(self.at, side.upper, True, side.upper_closed))
        left = _restrict(self.domain, v, Interval(side.lower, self.at, side.lower_closed, True))
        above = prove(right, self.f, strict, depth - 1, budget, _part(guide, "right"))
        if above is None:
            return None
        certificate = {"variable": v.name, "at": to_text(self.at), "function": to_text(self.f), "right": above}
        mirrored = side.lower + side.upper in (2 * self.at, sp.nan) and (side.upper_closed or not side.lower_closed)
        if mirrored and self._symmetric():
            return {"engine": "symmetric", **certificate}
        below = prove(left, self.f, strict, depth - 1, budget, _part(guide, "left"))
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

    def follow(self, strict: bool, depth: int, budget: Budget, guide: Any = None) -> Certificate | None:
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
        if not defined(near, moved):
            return None
        below = prove(near, moved, strict, depth - 1, budget, _part(guide, "below"))
        if below is None:
            return None
        return {"engine": "inverse", "variable": self.variable.name, "function": to_text(self.f), "below": below}


Move = Slope | Halves | Inverse


def _part(guide: Any, name: str) -> Any:
    """The certificate of a sub-goal inside a guide; an empty one matches no step."""
    if guide is None:
        return None
    part = guide.get(name)
    return part if isinstance(part, dict) else {}


def _named(move: Move, guide: Any) -> bool:
    """Whether a guide names this step."""
    engines = {Slope: ("monotone",), Halves: ("symmetric", "halves"), Inverse: ("inverse",)}[type(move)]
    named = guide.get("engine"), guide.get("variable"), guide.get("function")
    return named[0] in engines and named[1:] == (move.variable.name, to_text(move.f))


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
    for f in targets(domain, expr, strict):
        for variable in variables:
            signs = {s for _, s in slope_signs(budget, domain, f, variable, points)}
            if len(signs) == 1:
                yield Slope(domain, f, variable, signs == {1})
    for variable in variables:
        signs_at = slope_signs(budget, domain, expr, variable, points)
        for at in centres(domain.region.interval(variable)):
            left = {s for p, s in signs_at if p[variable] < at}
            right = {s for p, s in signs_at if p[variable] > at}
            if at == 0 or (len(left) == 1 and len(right) == 1 and left != right):
                yield Halves(domain, expr, variable, at)
    for variable in variables:
        interval = domain.region.interval(variable)
        if interval.upper is sp.oo and domain.box[variable].lo >= 0 and variable not in budget.inverted:
            budget.inverted.add(variable)
            yield Inverse(domain, expr, variable)
