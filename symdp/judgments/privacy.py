"""Privacy guarantees: both orders of every pair of neighbours.

Each names its neighbours: ``relation`` says which pairs they are ("starts at Euclidean distance at most Delta",
"add/remove", "replace-one"), ``sensitivity`` is the symbol or number that bounds their distance. Guarantees of
different neighbours do not mix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr, S

from symdp import codec
from symdp.judgments.base import Judgment, OrderFree, name_of, where
from symdp.region import Region
from symdp.text import to_text

NEIGHBOURS = "the neighbours of the subject"
"""The relation of a guarantee about a mechanism that says itself who its neighbours are."""


@codec.register
@dataclass(frozen=True)
class RenyiDP(Judgment):
    """``R_alpha <= value`` for both orders of every pair of neighbours."""

    subject: object
    value: Expr
    sensitivity: Expr
    relation: str
    region: Region

    def _line(self) -> str:
        return f"{name_of(self.subject)} is (alpha, {to_text(self.value)})-RDP, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class GaussianDP(OrderFree):
    """Telling two neighbours apart is at least as hard as telling N(0, 1) from N(mu, 1)."""

    subject: object
    mu: Expr
    region: Region
    sensitivity: Expr = S.One
    relation: str = NEIGHBOURS

    def _line(self) -> str:
        return f"{name_of(self.subject)} is {to_text(self.mu)}-GDP, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class ZCDP(OrderFree):
    """``R_alpha <= rho alpha`` for every order above 1, both orders of every pair of neighbours."""

    subject: object
    rho: Expr
    region: Region
    sensitivity: Expr = S.One
    relation: str = NEIGHBOURS

    def _line(self) -> str:
        return f"{name_of(self.subject)} is {to_text(self.rho)}-zCDP, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class TCDP(OrderFree):
    """``R_alpha <= rho alpha`` for orders ``1 < alpha < omega``, both orders of every pair of neighbours."""

    subject: object
    rho: Expr
    omega: Expr
    region: Region
    sensitivity: Expr = S.One
    relation: str = NEIGHBOURS

    def _line(self) -> str:
        pair = f"({to_text(self.rho)}, {to_text(self.omega)})-tCDP"
        return f"{name_of(self.subject)} is {pair}, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class PureDP(OrderFree):
    """``M(E) <= exp(epsilon) M'(E)`` for every event and both orders of every pair of neighbours."""

    subject: object
    epsilon: Expr
    region: Region
    sensitivity: Expr = S.One
    relation: str = NEIGHBOURS

    def _line(self) -> str:
        return f"{name_of(self.subject)} is ({to_text(self.epsilon)}, 0)-DP, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class ApproxDP(Judgment):
    """``M(E) <= exp(epsilon) M'(E) + delta`` for every event and both orders of every pair of neighbours."""

    subject: object
    epsilon: Expr
    delta: Expr
    region: Region
    sensitivity: Expr = S.One
    relation: str = NEIGHBOURS

    def _line(self) -> str:
        pair = f"({to_text(self.epsilon)}, {to_text(self.delta)})-DP"
        return f"{name_of(self.subject)} is {pair}, {self.relation}{where(self.region)}"


def neighbours(guarantee: RenyiDP | GaussianDP | ZCDP | TCDP | PureDP | ApproxDP) -> dict[str, Any]:
    """The neighbours of a guarantee, as fields of another one about the same pairs."""
    return {"sensitivity": guarantee.sensitivity, "relation": guarantee.relation}
