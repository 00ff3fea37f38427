"""What all judgments share, and the gate that keeps the vocabulary closed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from sympy import Basic, Expr

from symdp.errors import InputError
from symdp.region import Region
from symdp.text import symbol, to_text

PACKAGE = "symdp.judgments"
Matrix = tuple[tuple[Expr, ...], ...]
_ORDER = symbol("alpha")


class Judgment:
    """Base of the vocabulary. ``statement()`` is one line for people; equality and hash are by content."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.__module__.startswith(f"{PACKAGE}."):
            raise TypeError(f"{cls.__name__}: the vocabulary is closed, declare it in {PACKAGE}")

    def statement(self) -> str:
        """The judgment as one line of plain text."""
        return " ".join(self._line().split())

    def _line(self) -> str:
        raise NotImplementedError


class OrderFree(Judgment):
    """A judgment in which alpha, the Renyi order, has no place: about a mechanism, or all orders at once.

    Raises ``InputError`` if the symbol is met, in the subject too. As a parameter it would be taken for the order in
    each bound that follows, and replaced by the number that is chosen for that.
    """

    def __post_init__(self) -> None:
        if any(_ORDER in e.free_symbols for e in _expressions(self)):
            raise InputError(
                "alpha is the order of Renyi divergences here",
                place=type(self).__name__,
                remedy="give the parameter another name",
            )


def _expressions(value: object) -> Iterator[Basic]:
    """Every expression of a record, its region apart."""
    if isinstance(value, Basic):
        yield value
    elif isinstance(value, tuple):
        for entry in value:
            yield from _expressions(entry)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name != "region":
                yield from _expressions(getattr(value, field.name))


def name_of(subject: object) -> str:
    """What people call a process or a mechanism."""
    return subject if isinstance(subject, str) else str(getattr(subject, "name", None) or subject)


def matrix_text(rows: Matrix) -> str:
    """A matrix on one line."""
    return "[" + "; ".join(", ".join(to_text(entry) for entry in row) for row in rows) + "]"


def where(region: Region) -> str:
    """The end of a statement that holds on a region."""
    text = str(region)
    return f" for {text}" if text else ""
