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


@codec.register
@dataclass(frozen=True)
class ExchangedLaws(Judgment):
    """``E_P[(M/P)^alpha] >= E_M[(P/M)^alpha]``, ``M = (1-q) P + q Q``, hence ``R_alpha(M||P) >= R_alpha(P||M)``.

    For laws with densities such that ``P(x) = Q(nu(x))``, ``nu(nu(x)) = x``, and by whatever ``jacobian`` on the region
    nu changes the measure. ``larger`` and ``smaller``: the two integrands where the densities are u and v.
    """

    larger: Expr
    smaller: Expr
    region: Region

    def _line(self) -> str:
        integrals = f"the integral of {to_text(self.larger)} is at least that of {to_text(self.smaller)}"
        return f"{integrals} for densities u, v that an involution exchanges{where(self.region)}"
