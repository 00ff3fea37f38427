"""Certified infimum and supremum of an expression on a region: boxes, half lines, whole spaces, constraints.

Branch and bound with interval arithmetic, monotonicity, Newton steps, and tails divided by their leading term. The
result always contains the true value; it is as narrow as asked for where the box limit allows.
"""

from __future__ import annotations

from typing import Any

import mpmath
import sympy as sp
from flint import arb

from symdp.ball import Enclosure, bits_for, from_arb, working_precision
from symdp.errors import InputError, Undefined, Undetermined
from symdp.extremum import interval as iv
from symdp.extremum.charts import problems
from symdp.extremum.interval import Ball, Range
from symdp.extremum.one_period import one_period
from symdp.extremum.program import Box, Program
from symdp.extremum.search import Found, Limit, Search
from symdp.region import Region
from symdp.text import definedness
from symdp.tower import Outside

__all__ = ["infimum", "region_box", "supremum"]

#: Boxes one search may look at, boxes before singular ends are looked for, and interval operations (200,000 a second).
MAX_BOXES = 4_000
FIRST_BOXES = 200
MAX_WORK = 400_000


def infimum(expr: sp.Expr, region: Region, *, digits: int = 15, max_boxes: int = MAX_BOXES) -> Enclosure:
    """An enclosure of the infimum of ``expr`` over the points of ``region`` where it is defined.

    Width at most ``10**-digits * max(1, |inf|)`` where the box limit allows, otherwise wider but still certified; both
    ends are ``-inf`` when the expression is proved to be unbounded below. Raises InputError (a symbol the region lacks,
    a foreign function), Undefined (nowhere defined) and Undetermined (no finite bound was found on either side).
    """
    found, bits = _search(expr, region, digits, max_boxes)
    with working_precision(bits):
        return _enclosure(found.lower, found.upper)


def supremum(expr: sp.Expr, region: Region, *, digits: int = 15, max_boxes: int = MAX_BOXES) -> Enclosure:
    """An enclosure of the supremum, as `infimum` gives one of the infimum."""
    found, bits = _search(-expr, region, digits, max_boxes)
    with working_precision(bits):
        return _enclosure(-found.upper, -found.lower)


def region_box(region: Region) -> tuple[Box, Box]:
    """The intervals of a region with ends rounded outward, and inward, at the working precision."""
    outer, inner = [], []
    for _, side in region.intervals:
        low, high = _end(side.lower), _end(side.upper)
        outer.append(Range(low.lo, high.hi, not side.lower_closed, not side.upper_closed))
        inner.append(Range(low.hi, high.lo) if low.hi <= high.lo else outer[-1])
    return tuple(outer), tuple(inner)


def _end(value: sp.Expr) -> Range:
    if value in (sp.oo, -sp.oo):
        end = iv.INF if value is sp.oo else iv.NINF
        return Range(end, end)
    return Program(value, ())(())


def _search(expr: sp.Expr, region: Region, digits: int, max_boxes: int) -> tuple[Found, int]:
    if missing := expr.free_symbols - set(region.symbols):
        names = ", ".join(sorted(s.name for s in missing))
        raise InputError(f"the region has no range for {names}", place="extremum")
    points = {s: side.lower for s, side in region.intervals if side.is_point}
    expr, bits = expr.xreplace(points), bits_for(digits) + 64
    region = one_period(expr, region)
    try:
        with working_precision(bits):
            tolerance = iv.down(arb(10) ** -digits)

            def enough(low: Ball, _: bool, high: Ball) -> bool:
                return bool(high <= low or (high.is_finite() and high - low <= tolerance * max(iv.ONE, abs(high))))

            conditions = [*region.constraints, *definedness(expr)]
            relations = [(c.expr, c.op) for c in conditions]
            outer, inner = region_box(region)
            search = Search(problems(expr, region.symbols, outer, inner, relations))
            found = search.minimize(Limit(min(FIRST_BOXES, max_boxes), MAX_WORK), enough)
            if not found.enough and not found.lower.is_finite():
                parts = problems(expr, region.symbols, outer, inner, relations, ends=True)
                search = Search(parts) if len(parts) > len(search.problems) else search
            found = search.minimize(Limit(max_boxes, MAX_WORK), enough)
    except Outside as error:
        raise InputError(str(error), place="extremum") from None
    if found.lower == iv.INF:
        raise Undefined(f"{expr} has no value at any point of the region")
    if not found.lower.is_finite() and not found.upper.is_finite() and not found.upper == found.lower:
        raise Undetermined(f"no bound of the infimum of {expr} was found in {max_boxes} boxes")
    return found, bits


def _enclosure(low: Ball, high: Ball) -> Enclosure:
    def endpoint(x: Ball) -> Any:
        if not x.is_finite():
            return mpmath.mp.inf if x > 0 else -mpmath.mp.inf
        return from_arb(x).lower

    return Enclosure(endpoint(low), endpoint(high))
