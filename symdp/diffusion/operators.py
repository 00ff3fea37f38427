"""Processes and operators that are no diffusion a user would state: independent copies, and vector fields."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Integer, Matrix, Symbol, oo

from symdp import codec
from symdp.diffusion.process import Diffusion
from symdp.region import Interval, Region
from symdp.text import Relation


@codec.register
@dataclass(frozen=True)
class Copies:
    """``dimension`` (a symbol) independent copies of a one-dimensional diffusion, one for each coordinate of R^d."""

    process: Diffusion
    dimension: Symbol

    @property
    def name(self) -> str:
        """What people call it."""
        return f"{self.process.equation()} in each of {self.dimension.name} coordinates"

    @property
    def region(self) -> Region:
        """Domain and parameters of one coordinate, and the dimension, which is at least 1."""
        return self.process.region.extend({self.dimension: Interval(Integer(1), oo, True, False)})


@codec.register
@dataclass(frozen=True)
class VectorField:
    """The first-order operator ``L = sum_i a_i d/dx_i``, in the form of a diffusion without noise."""

    drift: tuple[Expr, ...]
    state: tuple[Symbol, ...]
    params: Region
    conditions: tuple[Relation, ...] = ()

    @property
    def name(self) -> str:
        """What people call it."""
        return " + ".join(f"({a})*d/d{s.name}" for a, s in zip(self.drift, self.state, strict=True))

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return len(self.state)

    @property
    def noise(self) -> Matrix:
        """No noise at all."""
        return Matrix.zeros(self.dimension, self.dimension)

    @property
    def interior(self) -> Region:
        """The whole space times the parameters."""
        return self.params.extend({s: Interval.real() for s in self.state})
