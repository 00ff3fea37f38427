"""Privacy profiles, and how much a Markov kernel forgets of its input.

``D_a(P||Q) = sup_E P(E) - a Q(E)`` for ``a = e^epsilon >= 1``. A profile is bounded by finitely many lines ``(u, v)``:
``D_a <= max (u - a v)``. A vertex (u, v) of a privacy region, the probabilities of an event under P and Q, is such a
line. ``K(x)`` is the law of what the kernel makes of the input x. That ``K(x) >= (1-gamma) w`` for a law w is also
called a blanket of mass ``1-gamma``.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, S

from symdp import codec
from symdp.judgments.base import Judgment, OrderFree, matrix_text, name_of, where
from symdp.judgments.privacy import NEIGHBOURS
from symdp.region import Region
from symdp.text import to_text

Line = tuple[Expr, Expr]
Lines = tuple[Line, ...]


def lines_text(lines: Lines) -> str:
    """The largest of the lines, for people."""
    if len(lines) > 4:
        return f"the largest of {len(lines)} lines u - a v"
    texts = [to_text(u) if v == 0 else f"{to_text(u)} - a ({to_text(v)})" for u, v in lines]
    return texts[0] if len(texts) == 1 else f"max({', '.join(texts)})"


@codec.register
@dataclass(frozen=True)
class PrivacyProfile(Judgment):
    """``D_a <= max (u - a v)`` over the lines, for every ``a >= 1`` and every pair of neighbours.

    ``both``: in both orders of each pair, else in the order (D, D') only.
    """

    subject: object
    lines: Lines
    both: bool
    region: Region
    sensitivity: Expr = S.One
    relation: str = NEIGHBOURS

    def _line(self) -> str:
        order = "" if self.both else " in one order"
        profile = f"D_a <= {lines_text(self.lines)} for a >= 1{order}"
        return f"{name_of(self.subject)}: {profile}, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class KernelProfile(Judgment):
    """``D_g(K(x)||K(x')) <= max (u - g v)`` over the lines, for every ``g >= 1`` and all inputs x, x'."""

    kernel: object
    lines: Lines
    region: Region

    def _line(self) -> str:
        profile = f"D_a(K(x)||K(x')) <= {lines_text(self.lines)} for a >= 1, all x, x'"
        return f"{name_of(self.kernel)}: {profile}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class Dobrushin(OrderFree):
    """``D_ratio(K(x)||K(x')) <= gamma`` for all inputs x, x'.

    The ratio is ``e^epsilon``: 1 is the total variation, and at infinity ``D`` is the mass of K(x) where K(x') has
    none.
    """

    kernel: object
    gamma: Expr
    ratio: Expr
    region: Region

    def _line(self) -> str:
        ratio = "oo" if self.ratio is S.Infinity else to_text(self.ratio)
        level = "" if self.ratio == 1 else f" at the ratio {ratio}"
        return f"{name_of(self.kernel)} is {to_text(self.gamma)}-Dobrushin{level}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class Doeblin(OrderFree):
    """There is a law w with ``K(x) >= (1-gamma) w`` for every input x."""

    kernel: object
    gamma: Expr
    region: Region

    def _line(self) -> str:
        return f"{name_of(self.kernel)} is {to_text(self.gamma)}-Doeblin{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class UltraMixing(OrderFree):
    """``K(x) >= (1-gamma) K(x')``, and K(x) has a density with respect to K(x'), for all inputs x, x'."""

    kernel: object
    gamma: Expr
    region: Region

    def _line(self) -> str:
        return f"{name_of(self.kernel)} is {to_text(self.gamma)}-ultra-mixing{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class LocalDP(OrderFree):
    """``K(x)(E) <= exp(epsilon) K(x')(E) + delta`` for every event and all inputs x, x'."""

    kernel: object
    epsilon: Expr
    delta: Expr
    region: Region

    def _line(self) -> str:
        pair = f"({to_text(self.epsilon)}, {to_text(self.delta)})-locally DP"
        return f"{name_of(self.kernel)} is {pair}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class FiniteMatrix(OrderFree):
    """The kernel has finitely many inputs and outputs; row x, rational numbers, is the law ``K(x)``."""

    kernel: object
    rows: tuple[tuple[Expr, ...], ...]
    region: Region

    def _line(self) -> str:
        return f"{name_of(self.kernel)} has the matrix {matrix_text(self.rows)}{where(self.region)}"
