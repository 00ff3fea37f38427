"""A user's own formula against what is proved: equal, looser by a factor, sharper than proved, refuted, or unknown."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sympy import Expr, Symbol

from symdp.ball import Enclosure
from symdp.claims.comparison import decided, expression
from symdp.claims.falsify import points_in
from symdp.claims.items import ClaimError
from symdp.decide import Proved, Refuted, decide, normal
from symdp.enclosure import enclose
from symdp.errors import InputError, SymdpError
from symdp.region import Interval, Region
from symdp.text import Relation, parse_relations, parse_with_conditions, to_text
from symdp.theorem import Theorem

Truth = Callable[[Mapping[Symbol, Expr]], Enclosure]
"""An enclosure of the true value at a point; raises a SymdpError where there is none."""

_DIGITS, _TRIES = 15, 40


@dataclass(frozen=True)
class OwnVerdict:
    """What became of a formula. ``derived``: the proved bound, ``region``: where they were compared.

    ``verdict``: "equal"; "looser" (true and larger, ``factor`` says by how much); "sharper" (below the proved bound at
    ``witness``, which refutes nothing as that is only an upper bound); "refuted" (below the truth at ``witness``);
    "unknown".
    """

    verdict: str
    reason: str
    derived: str
    tightness: str
    region: str
    witness: str = ""
    factor: str = ""

    @property
    def holds(self) -> bool:
        """Whether the formula is proved to be a bound."""
        return self.verdict in ("equal", "looser")


def judge_formula(
    text: str, theorem: Theorem, *, where: str = "", field: str | None = None, truth: Truth | None = None, seed: int = 0
) -> OwnVerdict:
    """Judge the formula ``text`` where ``where`` holds and the theorem does.

    ``field``: the part of the conclusion that it is about, by default the first expression. ``truth``: the true value,
    where it can be had, for points at which the formula is below an upper bound.

    Raises InputError for text that is no formula, or speaks of symbols that the theorem and ``where`` do not know.
    """
    parsed = parse_with_conditions(text, place="--claim")
    try:
        value = expression(theorem, field)
    except ClaimError as error:
        raise InputError(str(error), place="--field" if field else "--against") from None
    region = _region(theorem, where)
    if strangers := sorted({s.name for s in parsed.expr.free_symbols} - {s.name for s in region.symbols}):
        names = ", ".join(sorted(s.name for s in region.symbols))
        raise InputError(f"{', '.join(strangers)}: unknown here", place="--claim", remedy=f"the symbols are {names}")
    told = to_text(value), theorem.tightness, str(region)
    for needed in parsed.conditions:
        if not decided("defined", needed, region).accepted:
            return OwnVerdict("unknown", f"the formula needs {needed}, which is not given", *told)
    gap = parsed.expr - value
    if isinstance(decide(Relation(gap, "=="), region), Proved):
        return OwnVerdict("equal", "the formula is the proved bound", *told, factor="1")
    above = decide(Relation(gap, ">="), region)
    if isinstance(above, Proved):
        return OwnVerdict(
            "looser",
            "the formula is nowhere below the proved bound",
            *told,
            factor=_factor(parsed.expr, value, region, seed),
        )
    if not isinstance(above, Refuted):
        return OwnVerdict("unknown", above.reason, *told)
    point = dict(above.witness)
    if theorem.tightness == "exact" and not _more_than_given(theorem):
        return OwnVerdict(
            "refuted",
            f"the exact value there is {_shown(value, point)}, the formula {_shown(parsed.expr, point)}",
            *told,
            _listed(point),
        )
    for place in (point, *_lower(gap, region, seed)):
        found = _true(truth, place)
        if found is not None and _value(parsed.expr, place).upper < found.lower:
            reason = (
                f"the truth there is at least {found.to_decimal(_DIGITS)[0]}, the formula {_shown(parsed.expr, place)}"
            )
            return OwnVerdict("refuted", reason, *told, _listed(place))
    reason = f"{_shown(parsed.expr, point)} where the proved upper bound is {_shown(value, point)}"
    return OwnVerdict("sharper", reason, *told, _listed(point))


def _region(theorem: Theorem, where: str) -> Region:
    """Where the theorem holds and ``where`` does; what only ``where`` speaks of is a number."""
    region = theorem.region or Region()
    relations = parse_relations(where, place="--where") if where else ()
    new = {s: Interval.real() for relation in relations for s in sorted(relation.free_symbols, key=str)}
    return region.extend({s: i for s, i in new.items() if s not in region.symbols}).intersect(relations)


def _more_than_given(theorem: Theorem) -> bool:
    """Whether something was assumed besides the premises that are taken for granted."""
    return any(assumption != "given" for assumption in theorem.assumptions)


def _true(truth: Truth | None, point: Mapping[Symbol, Expr]) -> Enclosure | None:
    """The true value at a point, where it can be had."""
    try:
        return truth(point) if truth is not None else None
    except SymdpError:
        return None


def _lower(gap: Expr, region: Region, seed: int) -> list[dict[Symbol, Expr]]:
    """Points of the region where the formula is below the proved bound."""
    found = []
    try:
        for point in points_in(region, random.Random(seed), _TRIES):
            if enclose(gap, {s: v for s, v in point.items() if s in gap.free_symbols}, 5).upper < 0:
                found.append(point)
    except SymdpError:
        pass
    return found


def _factor(formula: Expr, value: Expr, region: Region, seed: int) -> str:
    """How much larger the formula is: a number where the quotient is one, else the ends of what is seen."""
    try:
        quotient = normal(formula / value, region)
    except SymdpError:
        quotient = formula / value
    if not quotient.free_symbols:
        return to_text(quotient)
    seen: list[Enclosure] = []
    try:
        for point in points_in(region, random.Random(seed), _TRIES):
            try:
                seen.append(_value(quotient, point))
            except SymdpError:
                continue
    except SymdpError:
        pass
    if not seen:
        return ""
    least, most = min(seen, key=lambda e: e.mid), max(seen, key=lambda e: e.mid)
    return f"{least.to_decimal(4)[0]} to {most.to_decimal(4)[1]} at {len(seen)} points"


def _value(expr: Expr, point: Mapping[Symbol, Expr]) -> Enclosure:
    return enclose(expr, {s: v for s, v in point.items() if s in expr.free_symbols}, _DIGITS)


def _shown(expr: Expr, point: Mapping[Symbol, Expr]) -> str:
    return _value(expr, point).to_decimal(_DIGITS)[0]


def _listed(point: Mapping[Symbol, Expr]) -> str:
    return ", ".join(
        f"{name} = {to_text(value)}" for name, value in sorted(point.items(), key=lambda item: item[0].name)
    )
