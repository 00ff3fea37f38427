"""The errors a user can meet. Each prints as one line that names the place and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class SymdpError(Exception):
    """Base of every error raised on purpose."""


class InputError(SymdpError, ValueError):
    """Bad input: one line with the place, what is wrong and how to mend it (exit code 1).

    ``place`` is what was being read ("drift", "--at, x"), ``column`` the 1-based column in it.
    """

    def __init__(
        self, message: str, *, place: str | None = None, column: int | None = None, remedy: str | None = None
    ) -> None:
        self.message, self.place, self.column, self.remedy = message, place, column, remedy
        where = ", ".join(filter(None, [place, f"column {column}" if column is not None else None]))
        line = f"{where}: {message}" if where else message
        super().__init__(" ".join((f"{line}; {remedy}" if remedy else line).split()))


class Undefined(SymdpError, ArithmeticError):
    """A real value was asked of an expression at a point where it has none (division by zero, log of a negative)."""


class Undetermined(SymdpError, ArithmeticError):
    """The digits asked for could not be proved within the stated limits: the honest "unknown" of a number."""


class Refused(SymdpError):
    """No theorem: a hypothesis was refuted or could not be decided (exit code 2).

    ``hypotheses`` holds every hypothesis that was looked at, with its verdict and reason.
    """

    def __init__(self, message: str, hypotheses: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.hypotheses = tuple(hypotheses)


class Forged(SymdpError):
    """A theorem that its own rules and certificates do not rebuild."""
