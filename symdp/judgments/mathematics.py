"""Plain mathematics, for derivations."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symdp import codec
from symdp.judgments.base import Judgment, where
from symdp.region import Region
from symdp.text import Relation, to_text


@codec.register
@dataclass(frozen=True)
class Identity(Judgment):
    """``left == right`` everywhere on the region."""

    left: Expr
    right: Expr
    region: Region

    def _line(self) -> str:
        return f"{to_text(self.left)} == {to_text(self.right)}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class Inequality(Judgment):
    """The relation holds everywhere on the region."""

    relation: Relation
    region: Region

    def _line(self) -> str:
        return f"{self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class Limit(Judgment):
    """``expr`` tends to ``value`` as ``variable`` tends to infinity, whatever the other symbols are on the region."""

    expr: Expr
    value: Expr
    variable: Expr
    region: Region

    def _line(self) -> str:
        arrow = f"as {to_text(self.variable)} -> infinity"
        return f"{to_text(self.expr)} -> {to_text(self.value)} {arrow}{where(self.region)}"
