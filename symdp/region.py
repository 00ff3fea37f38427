"""Regions of R^n: an interval with exact ends for each symbol, and relations that couple the symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from symdp.errors import InputError, Undefined
from symdp.interval import Interval as Interval
from symdp.interval import cut
from symdp.text import Relation, definedness, exact, symbol
from symdp.text.constants import is_constant, sign

_HOLDS = {">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}


def _solved(relation: Relation) -> tuple[sp.Symbol, sp.Expr, int] | None:
    """For a relation linear in one symbol with constant coefficients: the symbol, its value where the two sides meet,
    and the sign of its slope; else None."""
    if len(relation.free_symbols) != 1:
        return None
    (variable,) = relation.free_symbols
    expr = sp.expand(relation.expr)
    slope = expr.coeff(variable, 1)
    rest = sp.expand(expr - slope * variable)
    direction = None if slope.free_symbols or rest.free_symbols else sign(slope)
    return (variable, sp.expand(-rest / slope), direction) if direction else None


def _holds(relation: Relation) -> bool | None:
    """Whether a relation between constants holds; one that is undefined does not."""
    for condition in definedness(relation.expr):
        known = sign(condition.expr)
        if known is None:
            return None
        if known not in _HOLDS[condition.op]:
            return False
    known = sign(relation.expr)
    return None if known is None else known in _HOLDS[relation.op]


def _is_hole(relation: Relation) -> bool:
    return relation.op == "!="


def _everywhere(relation: Relation) -> bool | None:
    """True if the relation visibly holds at every real point, False if at none."""
    truth = relation.truth()
    return None if truth and definedness(relation.expr) else truth


@dataclass(frozen=True, slots=True)
class Region:
    """The points of R^n whose coordinates lie in ``intervals`` and satisfy all ``constraints``.

    Immutable and hashable. Raises InputError for a symbol listed twice or a constraint on a symbol not listed.
    """

    intervals: tuple[tuple[sp.Symbol, Interval], ...] = ()
    constraints: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "intervals", tuple((s, i) for s, i in self.intervals))
        object.__setattr__(self, "constraints", tuple(dict.fromkeys(self.constraints)))
        if len(set(self.symbols)) != len(self.symbols):
            raise InputError("a symbol is listed twice in a region")
        _check_symbols(self.constraints, self.symbols)

    @classmethod
    def make(cls, intervals: Mapping[sp.Symbol, Interval], constraints: Iterable[Relation] = ()) -> Region:
        """The box ``intervals`` cut by ``constraints`` (bounds on one symbol among them become ends)."""
        return cls(tuple(intervals.items())).intersect(constraints)

    @classmethod
    def from_relations(cls, relations: Iterable[Relation], symbols: Iterable[sp.Symbol]) -> Region:
        """The points of R^n (coordinates ``symbols``) that satisfy ``relations``; InputError if visibly empty."""
        return cls(tuple((s, Interval.real()) for s in symbols)).intersect(relations)

    @property
    def symbols(self) -> tuple[sp.Symbol, ...]:
        """The coordinates, in order."""
        return tuple(s for s, _ in self.intervals)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Everything that describes the region: the ends as relations, then the constraints."""
        return tuple(r for s, i in self.intervals for r in i.relations(s)) + self.constraints

    def interval(self, variable: sp.Symbol | str) -> Interval:
        """The interval of one coordinate; InputError if it is not a coordinate."""
        wanted = symbol(variable) if isinstance(variable, str) else variable
        for s, interval in self.intervals:
            if s == wanted:
                return interval
        raise InputError(f"{wanted} is not a coordinate of the region", remedy=f"coordinates: {_names(self.symbols)}")

    def intersect(self, relations: Iterable[Relation]) -> Region:
        """The part where ``relations`` hold too; InputError if it is visibly empty."""
        relations = tuple(relations)
        _check_symbols(relations, self.symbols)
        # Holes last, old ones too: whether a point is inside or an end shows once the ends are known.
        box, constraints = dict(self.intervals), [c for c in self.constraints if not _is_hole(c)]
        for relation in sorted((*filter(_is_hole, self.constraints), *relations), key=_is_hole):
            holds = _holds(relation) if is_constant(relation.expr) else _everywhere(relation)
            solved = _solved(relation)
            if holds is False:
                raise InputError(f"the region is empty: {relation} never holds", remedy="drop or mend that relation")
            if solved and holds is None:
                variable, end, direction = solved
                try:
                    part = cut(box[variable], relation.op, end, direction)
                except InputError as error:
                    place = box[variable].describe(variable.name) or f"{variable} real"
                    raise InputError(
                        f"the region is empty: {relation} contradicts {place}", remedy="drop or mend one of them"
                    ) from error
                if part is not None:
                    box[variable] = part
                    continue
            if holds is None:
                constraints.append(relation)
        return Region(tuple(box.items()), tuple(constraints))

    def extend(self, intervals: Mapping[sp.Symbol, Interval]) -> Region:
        """The product with further coordinates; InputError if one is there already."""
        return Region(self.intervals + tuple(intervals.items()), self.constraints)

    def contains(self, point: Mapping[sp.Symbol | str, Any]) -> bool | None:
        """Whether the exact ``point`` lies in the region; None if that cannot be decided.

        InputError if a coordinate is missing. A constraint that is undefined at the point does not hold there.
        """
        values = {symbol(k) if isinstance(k, str) else k: exact(v) for k, v in point.items()}
        if missing := [s for s in self.symbols if s not in values]:
            raise InputError(f"the point has no value for {_names(missing)}")
        verdicts = [interval.contains(values[s]) for s, interval in self.intervals]
        if False in verdicts:
            return False
        for constraint in self.constraints:
            # what it takes to be defined first: at numbers sqrt(x)*sqrt(y) may look real where it is not
            for relation in (*definedness(constraint.expr), constraint):
                try:
                    verdicts.append(_holds(relation.subs({s: values[s] for s in relation.free_symbols})))
                except Undefined:
                    verdicts.append(False)
        if False in verdicts:
            return False
        return None if None in verdicts else True

    def is_empty(self) -> bool | None:
        """True or False where it is plain (a box is never empty), None where only the constraints can tell."""
        if not self.constraints:
            return False
        if all(interval.is_point for _, interval in self.intervals):
            inside = self.contains({s: interval.lower for s, interval in self.intervals})
            return None if inside is None else not inside
        return None

    def to_text(self) -> str:
        """The region as text that ``parse_relations`` reads; "" for the whole space."""
        parts = [interval.describe(s.name) for s, interval in self.intervals]
        return ", ".join([p for p in parts if p] + [str(c) for c in self.constraints])

    def __str__(self) -> str:
        parts = [interval.describe(s.name) or f"{s.name} real" for s, interval in self.intervals]
        return ", ".join(parts + [str(c) for c in self.constraints])


def _names(symbols: Iterable[sp.Symbol]) -> str:
    return ", ".join(s.name for s in symbols)


def _check_symbols(relations: Iterable[Relation], symbols: tuple[sp.Symbol, ...]) -> None:
    for relation in relations:
        if unknown := sorted(s.name for s in relation.free_symbols - set(symbols)):
            raise InputError(
                f"{relation} speaks about {', '.join(unknown)}", remedy=f"the region has coordinates {_names(symbols)}"
            )
