"""From a model of z3 to an exact point of the region at which the relation is proved to fail."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from symdp.decide.domain import Domain, Point, violated
from symdp.decide.polynomial import Answer, Query, exponent_target
from symdp.text import Relation

#: Denominators to which the values of a model are rounded.
DENOMINATORS = (None, 10**12, 10**6, 1000)


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
    defaults = next(domain.points(1, "model"), None) or {}
    for limit in DENOMINATORS:
        point: Point = dict(defaults)
        for s, v in symbols.items():
            w = v if limit is None else v.limit_denominator(limit)
            point[s] = sp.Rational(w.numerator, w.denominator)
        if set(point) != set(domain.symbols):
            return
        yield point
        yield _aimed(query, answer, point, set(symbols), limit or 10**9)


def _aimed(query: Query, answer: Answer, point: Point, fixed: set[sp.Symbol], limit: int) -> Point:
    """Choose the coordinates that occur only inside exponentials so that these take the values of the model."""
    point = dict(point)
    for g in query.tower.exps:
        target = exponent_target(answer.model[g.index]) if g.index in answer.model else None
        if target is None or g.argument is None:
            continue
        argument = query.tower.expr(g.argument)
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
