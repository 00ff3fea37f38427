"""The exact zero test: a normal form proves, a point of the region refutes.

"Zero" means: equal to 0 wherever the expression is defined; nothing is proved of one that is never seen to be defined.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from sympy.core.function import AppliedUndef

from symdp.decide.domain import Domain, Point, nodes, value_at, witness_certificate
from symdp.decide.verdict import Proved, Refuted, Unknown, Verdict
from symdp.text import Relation
from symdp.tower import Outside, TooBig, build

#: Points tried before and after the normal form.
FIRST_POINTS, MORE_POINTS = 3, 30
#: Absolute values and signs that are split into cases.
MOST_CASES = 3
MOST_NODES = 50_000


def zero_verdict(domain: Domain, expr: sp.Expr) -> Verdict:
    """Whether ``expr`` is identically zero on the region."""
    if expr == 0:
        return Proved({"engine": "normal-form", "generators": 0})
    if nodes(expr) > MOST_NODES:
        return Unknown("the expression is too large")
    abstract = expr.has(AppliedUndef)
    seen: list[Point] = []
    if not abstract:
        refuted = _look(domain, expr, FIRST_POINTS, seen)
        if refuted is not None:
            return refuted
    reason = "the normal form is not zero, and no point of the region shows a value other than zero"
    try:
        count = normal_form_generators(domain, expr, seen)
    except (TooBig, Outside) as limit:
        count, reason = None, f"no normal form: {limit}"
    if count is not None:
        if abstract or seen or (_look(domain, expr, MORE_POINTS, seen) is None and seen):
            return Proved({"engine": "normal-form", "generators": count})
        return Unknown("the expression is nowhere seen to be defined on the region")
    return (None if abstract else _look(domain, expr, MORE_POINTS, seen)) or Unknown(reason)


def _look(domain: Domain, expr: sp.Expr, count: int, seen: list[Point]) -> Refuted | None:
    """A point where the value is proved not to be zero; points where it is merely defined are added to ``seen``."""
    relation = Relation(expr, "==")
    for point in domain.points(count, "zero"):
        y = value_at(expr, point)
        if y is None:
            continue
        if y.lo > 0 or y.hi < 0:
            return Refuted(point, witness_certificate(relation, point))
        seen.append(point)
    return None


def normal_form_generators(domain: Domain, expr: sp.Expr, seen: list[Point]) -> int | None:
    """The number of generators of the tower in which ``expr`` reduces to zero, or None when it does not reduce."""
    tower, [value] = build([expr], domain.order)
    if value.is_zero:
        return tower.used if domain.alive(tower) else None
    kinks = [tower.generators[i] for i in sorted(tower.kinks, reverse=True)]
    if not kinks or len(kinks) > MOST_CASES:
        return None
    tree = kinks[-1].expr.args[0]
    used = 0
    for side in (1, -1, 0):  # |p| and sign(p): three cases, each without that kink

        def signed(e: sp.Expr, side: int = side) -> int | None:
            known = domain.order(e)
            if known is None and side and e in (tree, -tree):
                return side if e == tree else -side
            return known

        case = expr
        if side == 0:
            zero = _vanishing(tree)
            if zero is None:
                return None
            case = expr.xreplace(zero)
            if case.has(sp.nan, sp.zoo, sp.oo):
                continue  # undefined there
            if case == 0:
                continue
        branch = _Case(domain, signed) if side else domain
        count = normal_form_generators(branch, case, seen)
        if count is None:
            return None
        used = max(used, count)
    return used


class _Case(Domain):
    """The same region, with one more sign known."""

    def __init__(self, domain: Domain, signed: Callable[[sp.Expr], int | None]) -> None:
        self.__dict__.update(domain.__dict__)
        self.order = signed  # type: ignore[method-assign,assignment]


def _vanishing(tree: sp.Expr) -> dict[sp.Symbol, sp.Expr] | None:
    """A substitution that describes the zero set of a tree linear in one of its symbols with a constant slope."""
    for s in sorted(tree.free_symbols, key=str):
        slope = sp.diff(tree, s)
        if not slope.free_symbols and slope != 0:
            return {s: sp.expand(s - tree / slope)}
    return None
