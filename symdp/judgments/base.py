"""What all judgments share, and the gate that keeps the vocabulary closed."""

from __future__ import annotations

from typing import Any

from sympy import Expr

from symdp.region import Region
from symdp.text import to_text

PACKAGE = "symdp.judgments"
Matrix = tuple[tuple[Expr, ...], ...]


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
