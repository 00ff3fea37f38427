"""Intervals of the real line with exact ends, and what a relation in one variable leaves of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from symdp.errors import InputError
from symdp.text import Relation, exact, to_text
from symdp.text.constants import compare


def _beyond(one: sp.Expr, other: sp.Expr, closed: bool) -> bool:
    """``one > other``, or ``>=`` where closed, for rational numbers, the larger or smaller of which may be infinite."""
    if one is sp.oo or other is -sp.oo:
        return True
    gap = one.p * other.q - other.p * one.q
    return bool(gap > 0 or (closed and gap == 0))


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

    @property
    def _rational(self) -> bool:
        """Whether both ends are rational or infinite."""
        return all(
            isinstance(end, sp.Rational | sp.core.numbers.Infinity | sp.core.numbers.NegativeInfinity)
            for end in (self.lower, self.upper)
        )

    def contains(self, value: Any) -> bool | None:
        """Whether the exact number ``value`` lies in it; None if that cannot be decided."""
        number = exact(value)
        if isinstance(number, sp.Rational) and self._rational:
            return _beyond(number, self.lower, self.lower_closed) and _beyond(self.upper, number, self.upper_closed)
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


def without_point(interval: Interval, point: sp.Expr) -> Interval | None:
    """The interval without ``point`` where that is an interval again; None where a hole must be kept as a constraint.

    Raises InputError if nothing is left.
    """
    low, high = compare(interval.lower, point), compare(point, interval.upper)
    if low is None or high is None:
        return None
    if low > 0 or high > 0:
        return interval
    if low < 0 and high < 0:
        return None
    return Interval(
        interval.lower, interval.upper, interval.lower_closed and low < 0, interval.upper_closed and high < 0
    )


def cut(interval: Interval, op: str, end: sp.Expr, direction: int) -> Interval | None:
    """The part of ``interval`` on the right side of ``end``; None where the order of ends cannot be decided.

    Raises InputError if nothing is left.
    """
    if op == "!=":
        return without_point(interval, end)
    if op == "==":
        half = Interval.point(end)
    else:
        half = Interval(end, sp.oo, op == ">=") if direction > 0 else Interval(-sp.oo, end, False, op == ">=")
    try:
        common = interval.intersect(half)
    except InputError:
        return None
    if common is None:
        raise InputError(f"nothing of {interval} is left")
    return common
