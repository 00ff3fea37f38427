"""Regions of R^n: an interval with exact ends for each symbol, and relations that couple the symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from symdp.errors import InputError, Undefined
from symdp.text import Relation, definedness, exact, symbol, to_text
from symdp.text.constants import compare, sign

_HOLDS = {">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}


@dataclass(frozen=True, slots=True)
class Interval:
    """A non-empty interval of the real line; ends are exact constants or ``-oo``/``oo``, an infinite end is open.

    Raises InputError if it is empty, if an end is not a real constant, or if the order of the ends cannot be decided.
    """

    lower: sp.Expr
    upper: sp.Expr
    lower_closed: bool = False
    upper_closed: bool = False

    def __post_init__(self) -> None:
        lower, upper = _end(self.lower), _end(self.upper)
        if lower is sp.oo or upper is -sp.oo:
            raise InputError("an interval cannot begin at oo or end at -oo")
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)
        object.__setattr__(self, "lower_closed", bool(self.lower_closed) and lower is not -sp.oo)
        object.__setattr__(self, "upper_closed", bool(self.upper_closed) and upper is not sp.oo)
        order = compare(lower, upper)
        if order is None:
            raise InputError(f"cannot decide whether {to_text(lower)} is below {to_text(upper)}")
        if order > 0 or (order == 0 and not (self.lower_closed and self.upper_closed)):
            raise InputError(f"the interval {self} is empty", remedy="the lower end must be below the upper end")

    @classmethod
    def real(cls) -> Interval:
        """The whole line."""
        return cls(-sp.oo, sp.oo)

    @classmethod
    def positive(cls) -> Interval:
        """``(0, oo)``."""
        return cls(sp.S.Zero, sp.oo)

    @classmethod
    def nonnegative(cls) -> Interval:
        """``[0, oo)``."""
        return cls(sp.S.Zero, sp.oo, True)

    @classmethod
    def open(cls, lower: Any, upper: Any) -> Interval:
        """``(lower, upper)``."""
        return cls(lower, upper)

    @classmethod
    def closed(cls, lower: Any, upper: Any) -> Interval:
        """``[lower, upper]``."""
        return cls(lower, upper, True, True)

    @classmethod
    def point(cls, value: Any) -> Interval:
        """The set of one number."""
        return cls(value, value, True, True)

    @property
    def is_point(self) -> bool:
        """Whether it holds one number only."""
        return bool(self.lower == self.upper)

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are finite."""
        return self.lower is not -sp.oo and self.upper is not sp.oo

    def contains(self, value: Any) -> bool | None:
        """Whether the exact number ``value`` lies in it; None if that cannot be decided."""
        number = exact(value)
        above, below = compare(number, self.lower), compare(self.upper, number)
        if (above is not None and above < 0) or (below is not None and below < 0):
            return False
        if above is None or below is None:
            return None
        return (above > 0 or self.lower_closed) and (below > 0 or self.upper_closed)

    def intersect(self, other: Interval) -> Interval | None:
        """The common part, None if there is none; InputError if the order of two ends cannot be decided."""
        low, high = compare(self.lower, other.lower), compare(self.upper, other.upper)
        if low is None or high is None:
            raise InputError(f"cannot decide the order of the ends of {self} and {other}")
        lower = self.lower if low >= 0 else other.lower
        upper = self.upper if high <= 0 else other.upper
        lower_closed = (self.lower_closed or low < 0) and (other.lower_closed or low > 0)
        upper_closed = (self.upper_closed or high > 0) and (other.upper_closed or high < 0)
        order = compare(lower, upper)
        if order is None:
            raise InputError(f"cannot decide whether {self} and {other} meet")
        if order > 0 or (order == 0 and not (lower_closed and upper_closed)):
            return None
        return Interval(lower, upper, lower_closed, upper_closed)

    def relations(self, variable: sp.Symbol) -> tuple[Relation, ...]:
        """The relations that say ``variable`` lies in it; none for the whole line."""
        if self.is_point:
            return (Relation(variable - self.lower, "=="),)
        result = []
        if self.lower is not -sp.oo:
            result.append(Relation(variable - self.lower, ">=" if self.lower_closed else ">"))
        if self.upper is not sp.oo:
            result.append(Relation(self.upper - variable, ">=" if self.upper_closed else ">"))
        return tuple(result)

    def describe(self, name: str) -> str:
        """``name`` in it, as a chain: ``0 < x <= 1``, ``x > 0``, ``x == 2``; "" for the whole line."""
        if self.is_point:
            return f"{name} == {to_text(self.lower)}"
        left, right = "<=" if self.lower_closed else "<", "<=" if self.upper_closed else "<"
        if self.is_bounded:
            return f"{to_text(self.lower)} {left} {name} {right} {to_text(self.upper)}"
        if self.lower is not -sp.oo:
            return f"{name} {left.replace('<', '>')} {to_text(self.lower)}"
        return f"{name} {right} {to_text(self.upper)}" if self.upper is not sp.oo else ""

    def __str__(self) -> str:
        lower = "-oo" if self.lower is -sp.oo else to_text(self.lower)
        upper = "oo" if self.upper is sp.oo else to_text(self.upper)
        return f"{'[' if self.lower_closed else '('}{lower}, {upper}{']' if self.upper_closed else ')'}"


def _end(value: Any) -> sp.Expr:
    if value is sp.oo or value is -sp.oo:
        return value
    return exact(value, place="interval end")


def _bound(relation: Relation) -> tuple[sp.Symbol, Interval] | None:
    """The interval that a relation linear in one symbol with constant coefficients describes, else None."""
    if len(relation.free_symbols) != 1 or relation.op == "!=":
        return None
    (variable,) = relation.free_symbols
    expr = sp.expand(relation.expr)
    slope = expr.coeff(variable, 1)
    rest = expr - slope * variable
    if slope.free_symbols or sp.expand(rest).free_symbols:
        return None
    direction = sign(slope)
    if not direction:
        return None
    end = sp.expand(-rest / slope)
    if relation.op == "==":
        return variable, Interval.point(end)
    closed = relation.op == ">="
    return variable, Interval(end, sp.oo, closed) if direction > 0 else Interval(-sp.oo, end, False, closed)


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
        box, constraints = dict(self.intervals), list(self.constraints)
        relations = tuple(relations)
        _check_symbols(relations, self.symbols)
        for relation in relations:
            if not relation.free_symbols:
                holds = _holds(relation)
                if holds is False:
                    raise InputError(f"the region is empty: {relation} is false")
                if holds is None:
                    constraints.append(relation)
                continue
            bound = _bound(relation)
            if bound is None:
                constraints.append(relation)
                continue
            variable, interval = bound
            try:
                common = box[variable].intersect(interval)
            except InputError:
                constraints.append(relation)
                continue
            if common is None:
                raise InputError(f"the region is empty: {relation} contradicts {variable} in {box[variable]}")
            box[variable] = common
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
        for constraint in self.constraints:
            try:
                verdicts.append(_holds(constraint.subs({s: values[s] for s in constraint.free_symbols})))
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
