"""Inequalities by branch and bound with ball arithmetic: what structure, z3 and monotonicity do not tell."""

from __future__ import annotations

from itertools import product
from typing import Any

import sympy as sp

from symdp.ball import working_precision
from symdp.decide.domain import SIGN_BITS, Domain, Point, ordered, sign_at
from symdp.decide.effort import FULL, given
from symdp.extremum import region_box
from symdp.extremum.charts import problems
from symdp.extremum.interval import Ball
from symdp.extremum.one_period import one_period
from symdp.extremum.program import Box, Program
from symdp.extremum.search import Limit, Search
from symdp.text import Relation
from symdp.tower import Outside, TooBig, derivative

#: Coordinates of the points where equality is looked for, and for how many symbols.
MARKS, MOST_COORDINATES = (sp.Integer(0), sp.Integer(1), sp.Integer(-1)), 3


def by_boxes(domain: Domain, relation: Relation) -> dict[str, Any] | None:
    """A certificate that ``expr > 0`` or ``expr >= 0`` (known to be defined) holds on every box of a cover, or None."""
    strict = relation.op == ">"

    def proved(low: Ball, low_open: bool) -> bool:
        return bool(low > 0) or (bool(low == 0) and (low_open or not strict))

    try:
        with working_precision(SIGN_BITS):
            region = one_period(relation.expr, domain.region)
            conditions = [(c.expr, c.op) for c in region.constraints]
            whole = region == domain.region and not strict
            touching = [box_of(p, domain) for p in touching_points(domain, relation.expr)] if whole else []
            sides = region_box(region)
            parts = problems(relation.expr, domain.symbols, *sides, conditions, touching=touching)
            limit = Limit(given().boxes, given().work)
            found = Search(parts).minimize(
                limit, lambda low, is_open, high: proved(low, is_open) or bool(high < 0), proved
            )
            done = proved(found.lower, found.lower_open)
    except (Outside, TooBig):
        return None
    return {"engine": "boxes", "boxes": found.boxes, "limit": FULL.boxes} if done else None


def touching_points(domain: Domain, expr: sp.Expr) -> list[Point]:
    """Points with coordinates 0, 1, -1 where the value and every slope are proved to be zero."""
    used = ordered(expr.free_symbols)
    if not 2 <= len(used) <= MOST_COORDINATES:
        return []
    try:
        slopes = [derivative(expr, s, domain.order) for s in used]
        trees = [expr, *(tower.factored_expr(value) for tower, value in slopes)]
    except (Outside, TooBig):
        return []
    rest = next(domain.points(1, "touch"), None)
    found = []
    for marks in product(MARKS, repeat=len(used)):
        point = {**(rest or {}), **dict(zip(used, marks, strict=True))}
        if set(point) == set(domain.symbols) and all(sign_at(tree, point) == 0 for tree in trees):
            found.append(point)
    return found


def box_of(point: Point, domain: Domain) -> Box:
    """A point as a box."""
    return tuple(Program(point[s], ())(()) for s in domain.symbols)
