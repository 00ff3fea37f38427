"""The least and the greatest of several numbers as functions of the grammar: ``min(a, b, ...)``, ``max(a, b, ...)``.

They stay as they are written: sympy's own compare their arguments by themselves. They have kinks, and so no slope here.
"""

from __future__ import annotations

from typing import Any

import sympy as sp


class _Extremum(sp.Function):  # type: ignore[misc]
    command = ""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        raised = f"^{{{exp}}}" if exp else ""
        return rf"{self.command}{raised}\left({', '.join(map(printer._print, self.args))}\right)"

    def _eval_is_extended_real(self) -> bool:
        return True


class Min(_Extremum):
    """The least of the arguments."""

    command = r"\min"


class Max(_Extremum):
    """The greatest of the arguments."""

    command = r"\max"


EXTREMA: dict[str, type[sp.Function]] = {"min": Min, "max": Max}
