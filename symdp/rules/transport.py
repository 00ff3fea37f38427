"""Theorem 2 of Balle et al. in general: a divergence after a kernel, by any coupling of any third law with the first.

Proof. ``mu K = omega H K``, so that both sides are the second marginals of pairs (x, y): x from omega and y from
``(H K)(x)``, or x from nu and y from ``K(x)``. A divergence does not grow by forgetting x, and that of the pairs is by
the chain rule at most that of x, and the largest one of y given x, over the x that both laws charge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import oo

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import LawDivergence, Transport, after
from symdp.region import Interval
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA
from symdp.rules.regions import joined, with_symbol

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
_ORDERS = Interval(1, oo, True, False)


def _conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    start, moved = premises
    same = (start.first, start.second) == (moved.omega, moved.nu)
    yield Condition("laws", "the transport starts at omega, and what it costs is seen from nu", "fact", (same,))


def _conclude(premises: Premises, _: Params) -> LawDivergence:
    """``R_alpha(mu K||nu K) <= R_alpha(omega||nu) + sup_x R_alpha((H K)(x)||K(x))``, alpha >= 1.

    Equality where K keeps a part of x that tells omega from nu, and H moves another part.
    """
    start, moved = premises
    pair = after(moved.kernel, moved.mu), after(moved.kernel, moved.nu)
    region = with_symbol(joined(start.region, moved.region), ALPHA, _ORDERS)
    return LawDivergence(*pair, start.value + moved.value, region)


register(
    Rule(
        id="coupling",
        title="A divergence after a kernel, by a coupling",
        citation=(
            Citation("balle2019", "Theorem 2"),
            Citation("vanerven2014", "Theorem 9", "the data processing inequality"),
        ),
        premises=(LawDivergence, Transport),
        conditions=_conditions,
        conclude=_conclude,
        tightness="exact",
    )
)
