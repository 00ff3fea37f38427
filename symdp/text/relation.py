"""A relation ``expr op 0``: the one form in which hypotheses, domains and definedness conditions are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from symdp.errors import InputError, Undefined
from symdp.text.constants import is_constant, possible_signs, settled
from symdp.text.names import symbol
from symdp.text.printer import relation_sides, to_text

_SIGNS = {">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}
_NEGATED = {">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_FLIPPED = {">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _turned(expr: sp.Expr) -> bool:
    """Whether the opposite of ``expr`` is its canonical form; sums of numbers are compared without evaluating them,
    which takes time exponential in their depth.
    """
    if expr.is_Add and is_constant(expr):
        return bool(expr.compare(settled(-expr)) > 0)
    return bool(expr.could_extract_minus_sign())


@dataclass(frozen=True, slots=True)
class Relation:
    """``expr op 0`` with op one of ``>  >=  ==  !=``; for the last two the sign of ``expr`` is made canonical.

    Raises InputError for another op.
    """

    expr: sp.Expr
    op: str

    def __post_init__(self) -> None:
        if self.op not in _SIGNS:
            raise InputError(f"unknown relation {self.op!r}", remedy="use one of > >= == !=")
        expr = sp.sympify(self.expr, strict=True)
        if self.op in {"==", "!="} and _turned(expr):
            expr = settled(-expr)
        object.__setattr__(self, "expr", expr)

    @property
    def free_symbols(self) -> frozenset[sp.Symbol]:
        """The symbols it speaks about."""
        return frozenset(self.expr.free_symbols)

    def negated(self) -> Relation:
        """The relation that holds exactly where this one (being defined) does not."""
        return Relation(-self.expr if self.op in {">", ">="} else self.expr, _NEGATED[self.op])

    def subs(self, mapping: Mapping[sp.Symbol | str, sp.Expr]) -> Relation:
        """Symbols (or names) of ``mapping`` replaced at once; Undefined where the result has no real value."""
        table = {symbol(k) if isinstance(k, str) else k: sp.sympify(v, strict=True) for k, v in mapping.items()}
        expr = self.expr.xreplace(table)
        if expr.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
            point = ", ".join(f"{k} = {to_text(v)}" for k, v in table.items())
            raise Undefined(f"{self} has no real value at {point}")
        return Relation(expr, self.op)

    def truth(self) -> bool | None:
        """True or False if the form of ``expr`` alone settles it wherever it is defined, else None."""
        signs = possible_signs(self.expr)
        if signs <= _SIGNS[self.op]:
            return True
        return None if signs & _SIGNS[self.op] else False

    def __str__(self) -> str:
        try:
            left, right, flipped = relation_sides(self.expr)
        except InputError:
            # Functions outside the grammar are shown as sympy writes them: this text is for reading only.
            return f"{self.expr} {self.op} 0"
        return f"{left} {_FLIPPED[self.op] if flipped else self.op} {right}"
