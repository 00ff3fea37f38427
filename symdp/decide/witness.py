"""Exact points: from a model of z3, on the zero set of a polynomial, and one that shows a region not to be empty."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from symdp.decide import polynomial
from symdp.decide.domain import Domain, Point, quadratic_roots, violated
from symdp.decide.polynomial import Answer, Query, exponent_target
from symdp.decide.signs import tower_of
from symdp.region import Interval, Region
from symdp.text import Relation, symbol
from symdp.tower import TooBig

#: Denominators to which the values of a model are rounded.
DENOMINATORS = (None, 10**12, 10**6, 1000)
#: Points whose coordinates are moved onto the zero set.
EDGE_POINTS, EDGE_TERMS = 6, 40
INSIDE = symbol("inside")


def from_model(domain: Domain, relation: Relation, query: Query, answer: Answer) -> Point | None:
    """A point of the region near the model where the relation is proved to fail, or None."""
    for point in _candidates(domain, query, answer):
        if domain.region.contains(point) is True and violated(relation, point):
            return point
    return None


def _candidates(domain: Domain, query: Query, answer: Answer) -> Iterator[Point]:
    symbols = {
        query.tower.generators[i].expr: v for i, v in answer.model.items() if query.tower.generators[i].kind == "symbol"
    }
    defaults = next(domain.points(1, "model"), None) or {s: _inside(i) for s, i in domain.region.intervals}
    for limit in DENOMINATORS:
        point: Point = dict(defaults)
        for s, v in symbols.items():
            w = v if limit is None else v.limit_denominator(limit)
            point[s] = sp.Rational(w.numerator, w.denominator)
        if set(point) != set(domain.symbols):
            return
        yield domain.repaired(point)
        yield _aimed(query, answer, point, set(symbols), limit or 10**9)


def _inside(interval: Interval) -> sp.Expr:
    """Some rational of an interval, whatever the constraints say."""
    box = Domain(Region(((INSIDE, interval),)))
    return next(box.points(1, "inside"))[INSIDE]


def _aimed(query: Query, answer: Answer, point: Point, fixed: set[sp.Symbol], limit: int) -> Point:
    """Choose the coordinates that occur only inside exponentials so that these take the values of the model."""
    point = dict(point)
    for g in query.tower.exps:
        target = exponent_target(answer.model[g.index]) if g.index in answer.model else None
        if target is None or g.argument is None:
            continue
        try:
            argument = query.tower.expr(g.argument)
        except TooBig:
            continue
        for s in sorted(argument.free_symbols - fixed, key=str):
            rest = sp.together(argument.xreplace({k: v for k, v in point.items() if k != s}))
            slope = sp.diff(rest, s)
            if slope.is_Rational and slope != 0 and (start := rest.xreplace({s: sp.Integer(0)})).is_Rational:
                value = (target - Fraction(int(start.p), int(start.q))) / Fraction(int(slope.p), int(slope.q))
                value = value.limit_denominator(limit)
                point[s] = sp.Rational(value.numerator, value.denominator)
                fixed.add(s)
                break
    return point


def edge_points(domain: Domain, relation: Relation) -> Iterator[Point]:
    """Points where a factor of the relation vanishes: it is linear or quadratic there in one coordinate."""
    made = tower_of(domain, relation.expr)
    if made is None or made[1][0].is_zero:
        return
    tower, value = made[0], made[1][0]
    try:
        _, parts = tower.split(value)
    except TooBig:
        return
    for p in [p for p, e in parts if e > 0 and len(p) <= EDGE_TERMS]:
        used = [tower.generators[i] for i, _ in tower.degrees(p)]
        for g in used:
            others = [h for h in used if h is not g]
            if g.kind != "symbol" or tower.degree(p, g.index) > 2 or any(h.expr.has(g.expr) for h in others):
                continue
            for point in domain.points(EDGE_POINTS, "edge"):
                rest = tower.poly_expr(p).xreplace({k: v for k, v in point.items() if k != g.expr})
                for root in quadratic_roots(rest, g.expr):
                    moved = {**point, g.expr: root}
                    if domain.region.contains(moved) is True:
                        yield moved


def inhabited(domain: Domain) -> bool:
    """False when the constraints are proved to exclude every point; a point from z3 becomes a seed of the domain."""
    if not domain.region.constraints or next(domain.points(1, "first"), None) is not None:
        return True
    never = Relation(sp.Integer(-1), ">")  # fails everywhere: a model of its query is a point of the region
    query = polynomial.query(domain, never, 0)
    if query is None:
        return True
    answer = polynomial.ask(query)
    if answer.status == "sat":
        for point in _candidates(domain, query, answer):
            if domain.region.contains(point) is True:
                domain.seeds.append(point)
                break
    return answer.status != "unsat"
