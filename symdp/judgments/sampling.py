"""The sampled Gaussian mechanism: its dominating pair, and what is known about its moments.

``mu0 = N(0, s^2)``, ``mu1 = N(1, s^2)``, ``mu = (1-q) mu0 + q mu1``, all on the line, ``A = E_{mu0}[(mu/mu0)^alpha]``.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, oo

from symdp import codec
from symdp.judgments.base import Judgment, OrderFree, name_of, where
from symdp.region import Region
from symdp.text import to_text

PARTS = {"A": "A", "A1": "the part of A below z0", "A2": "the part of A from z0 on"}


@codec.register
@dataclass(frozen=True)
class DominatingPair(OrderFree):
    """No neighbours are easier to tell apart than ``(1-weight) N(0, sigma^2) + weight N(shift, sigma^2)``, ``N(0,
    sigma^2)``.

    That is, every hockey-stick divergence of two neighbours, in either order, is at most that of this pair in one of
    its orders, the same for all; two neighbours are this pair.
    """

    subject: object
    weight: Expr
    shift: Expr
    sigma: Expr
    sensitivity: Expr
    relation: str
    region: Region

    def _line(self) -> str:
        weight, shift, variance = to_text(self.weight), to_text(self.shift), to_text(self.sigma**2)
        pair = f"(1 - q) N(0, v) + q N({shift}, v) and N(0, v), q = {weight}, v = {variance}"
        return f"{name_of(self.subject)} is dominated by {pair}, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class HalfLineMoment(Judgment):
    """``E_{mu0}[(mu1/mu0)^k; x < z]`` (side "left") or ``x > z`` ("right"); k and z any real numbers."""

    side: str
    value: Expr
    region: Region

    def _line(self) -> str:
        half = "x < z" if self.side == "left" else "x > z"
        return f"E_mu0[(mu1/mu0)^k; {half}] = {to_text(self.value)}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class MomentSeries(Judgment):
    """``A = sum over k = 0, ..., last of C(alpha, k) term``, for whole alpha if ``last`` is alpha.

    ``C(alpha, k) = alpha (alpha-1) ... (alpha-k+1)/k!``; a series (``last`` is oo) converges absolutely.
    """

    term: Expr
    last: Expr
    region: Region

    def _line(self) -> str:
        last = "oo" if self.last is oo else to_text(self.last)
        return f"A = sum over k = 0, ..., {last} of C(alpha, k) ({to_text(self.term)}){where(self.region)}"


@codec.register
@dataclass(frozen=True)
class MomentBound(Judgment):
    """``A <= value``, or the part of the integral A below ``z0 = 1/2 + s^2 log(1 + 1/(q(alpha-1)))``, or above."""

    part: str
    value: Expr
    region: Region

    def _line(self) -> str:
        return f"{PARTS.get(self.part, self.part)} is at most {to_text(self.value)}{where(self.region)}"
