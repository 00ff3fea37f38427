"""What a generator does to functions. ``f``, ``f_x``, ``f_xx``, ... stand for an unknown function and its derivatives.

Where the subject is a number of independent copies of a one-dimensional process, the value is the part of one
coordinate, and the whole is the sum of these parts over the coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symdp import codec
from symdp.judgments.base import Judgment, name_of, where
from symdp.region import Region
from symdp.text import to_text


@codec.register
@dataclass(frozen=True)
class Generator(Judgment):
    """``L f = value`` for smooth f, L the generator of the process."""

    process: object
    value: Expr
    region: Region

    def _line(self) -> str:
        return f"L f = {to_text(self.value)} for {name_of(self.process)}"


@codec.register
@dataclass(frozen=True)
class CarreDuChamp(Judgment):
    """``Gamma(f, g) = (L(fg) - f Lg - g Lf)/2 = value``."""

    process: object
    value: Expr
    region: Region

    def _line(self) -> str:
        return f"(L(f g) - f L g - g L f)/2 = {to_text(self.value)} for {name_of(self.process)}"


@codec.register
@dataclass(frozen=True)
class DiffusionProperty(Judgment):
    """``L phi(f) = value`` in terms of ``phi1 = phi'(f)``, ``phi2 = phi''(f)``, ``Lf`` and ``Gamma = Gamma(f, f)``.

    ``smoothness`` says how many continuous derivatives phi has.
    """

    process: object
    value: Expr
    region: Region

    def _line(self) -> str:
        return f"L phi(f) = {to_text(self.value)} for {name_of(self.process)}{where(self.region)}"
