"""Queries: checked before a search begins, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mpmath import mpf
from sympy import Expr, Integer, S

from symdp.enclosure import enclose
from symdp.errors import InputError, SymdpError
from symdp.rule import Query
from symdp.text import exact

GIVEN = {"delta": "epsilon", "epsilon": "delta", "rdp": "alpha", "gdp": "", "error": ""}
"""What is asked, and what is given for it; alpha may be left out. ``error`` is the mean squared error."""
LARGEST, SMALLEST = 10**6, mpf("1e-400")  # of numbers that are given: what is computed from them stays within reach
LARGEST_EPSILON = 1000  # of which the exponential is taken
RANGES: dict[str, tuple[int, int | None]] = {"epsilon": (0, LARGEST_EPSILON), "delta": (0, 1), "alpha": (1, None)}
_LONGEST = 60  # characters of a value in a message
_INFINITE = ("inf", "oo", "infinity")


def shown(value: Any) -> str:
    """A value for a message: short, on one line."""
    try:
        text = " ".join(str(value).split())
    except ValueError:  # Python's limit for whole numbers
        return "a long number"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def order(value: Any, place: str) -> Expr:
    """An order: a number of at least 1, or infinity ("inf", "oo"). Raises InputError."""
    if isinstance(value, str) and value.strip().removeprefix("+") in _INFINITE:
        return S.Infinity
    if value is S.Infinity or (isinstance(value, float) and value == float("inf")):
        return S.Infinity
    return within(exact(value, place=place), value, place, 1)


def within(
    found: Expr, value: Any, place: str, least: int | None, most: int | None = None, *, above: bool = False
) -> Expr:
    """The constant, if it is in range; ``above``: not equal to the least. Raises InputError naming the value."""
    try:
        ends = enclose(found, {}, 20)
    except (SymdpError, ValueError) as error:
        raise InputError(str(error), place=place) from None
    if ends.lower > LARGEST or ends.upper < -LARGEST:
        raise InputError("the number is too large", place=place, remedy=f"numbers up to {LARGEST} are read")
    if ends.lower != 0 and max(abs(ends.lower), abs(ends.upper)) < SMALLEST:
        raise InputError("the number is too small", place=place, remedy="give 0, or a number above 1e-400")
    low = least is not None and (ends.upper < least or (above and ends.upper <= least))
    if low or (most is not None and ends.lower > most):
        bounds = [f"{'above' if above else 'at least'} {least}"] if least is not None else []
        bounds += [f"at most {most}"] if most is not None else []
        raise InputError(f"{shown(value)} is out of range", place=place, remedy=f"give a number {' and '.join(bounds)}")
    return found


def checked(query: Query) -> Query:
    """The query with exact numbers. Raises InputError: it cannot be asked, a number is missing or out of range."""
    if not isinstance(query.ask, str) or query.ask not in GIVEN:
        raise InputError(f"{shown(query.ask)} cannot be asked", place="query.ask", remedy=f"one of {', '.join(GIVEN)}")
    needed = GIVEN[query.ask]
    if needed and needed != "alpha" and getattr(query, needed) is None:
        raise InputError(f"there is no {needed}", place="query", remedy=f"add {needed}: {query.ask} is asked for")
    values: dict[str, Any] = {}
    for name, (least, most) in RANGES.items():
        given, place = getattr(query, name), f"query.{name}"
        if name == "alpha" and given is not None:
            values[name] = order(given, place)
        elif given is not None:
            values[name] = within(exact(given, place=place), given, place, least, most)
    if query.orders is not None:
        listed = enumerate(_listed(query.orders))
        values["orders"] = tuple(_rational(value, f"query.orders[{index}]") for index, value in listed)
    return replace(query, **values)


def _listed(orders: Any) -> Sequence[Any]:
    if not isinstance(orders, list | tuple) or not orders:
        raise InputError("a list of orders is expected", place="query.orders")
    return orders


def _rational(value: Any, place: str) -> Expr:
    found = within(exact(value, place=place), value, place, 1, above=True)
    if not found.is_Rational:
        raise InputError("a rational number is expected", place=place)
    return found


def meant(query: Query) -> Query:
    """What is searched for: the Renyi divergence of order infinity is the least epsilon of pure privacy."""
    if query.ask == "rdp" and query.alpha is S.Infinity:
        return Query(query.subject, "epsilon", delta=Integer(0))
    return query
