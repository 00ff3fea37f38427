"""Inequalities by branch and bound with ball arithmetic: what structure, z3 and monotonicity do not tell."""

from __future__ import annotations

from typing import Any

from symdp.ball import working_precision
from symdp.decide.domain import SIGN_BITS, Domain
from symdp.extremum import region_box
from symdp.extremum.charts import problems
from symdp.extremum.interval import Ball
from symdp.extremum.search import Limit, Search
from symdp.text import Relation
from symdp.tower import Outside, TooBig

#: Boxes and interval operations one decision may use.
BOXES, WORK = 2_000, 150_000


def by_boxes(domain: Domain, relation: Relation) -> dict[str, Any] | None:
    """A certificate that ``expr > 0`` or ``expr >= 0`` (known to be defined) holds on every box of a cover, or None."""
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
