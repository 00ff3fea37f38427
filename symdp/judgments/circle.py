"""Facts about diffusions with coordinates that run round a circle."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symdp import codec
from symdp.judgments.base import Judgment, name_of
from symdp.text import to_text


@codec.register
@dataclass(frozen=True)
class Unrolled(Judgment):
    """The process is what is seen of ``process.unrolled``, whose coordinates run along lines, modulo the periods.

    Starts that differ by periods are one start: the line's laws from them differ by the same periods.
    """

    process: object

    def _line(self) -> str:
        return f"the coefficients of {name_of(self.process)} have its periods: it is seen of the process on lines"


@codec.register
@dataclass(frozen=True)
class CircleKernel(Judgment):
    """``L = D^2 + c D``, c constant, in the ``coordinate`` y, which runs round a circle of circumference ``length``.

    With ``w = 2 pi/length`` the kernel in y is ``(1 + 2 sum_(k >= 1) exp(-k^2 w^2 t) cos(k w (y + c t - z)))/length``.
    """

    process: object
    coordinate: Expr
    length: Expr

    def _line(self) -> str:
        where = f"of circumference {to_text(self.length)}, y = {to_text(self.coordinate)}"
        return f"{name_of(self.process)} is Brownian motion on a circle {where}"
