"""Kernels of one-dimensional diffusions that live on a half line or on an interval."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symdp import codec
from symdp.judgments.base import Judgment, name_of
from symdp.text import to_text


@codec.register
@dataclass(frozen=True)
class BesselKernel(Judgment):
    """``L = D^2 + ((2 index + 1)/z - rate z) D`` in the ``coordinate`` z, which runs over the half line ``z > 0``.

    ``index > -1``; the process reflects at 0 where it comes there. With ``s = (e^(2 rate t) - 1)/(2 rate)``, t if the
    rate is 0, z at time t is ``e^(-rate t)`` times a Bessel process of dimension ``2 index + 2`` at time s.
    """

    process: object
    coordinate: Expr
    index: Expr
    rate: Expr

    def _line(self) -> str:
        details = f"index {to_text(self.index)} and rate {to_text(self.rate)}"
        return f"{name_of(self.process)} is a Bessel diffusion of {details} in z = {to_text(self.coordinate)} > 0"


@codec.register
@dataclass(frozen=True)
class ReflectedIntervalKernel(Judgment):
    """``L = D^2`` in the ``coordinate`` y, which runs over ``[0, length]``, reflected at both ends.

    With ``w = pi/length`` the kernel in y is ``(1 + 2 sum_(k >= 1) exp(-k^2 w^2 t) cos(k w y) cos(k w z))/length``.
    """

    process: object
    coordinate: Expr
    length: Expr

    def _line(self) -> str:
        where = f"0 <= y <= {to_text(self.length)}, y = {to_text(self.coordinate)}"
        return f"{name_of(self.process)} is Brownian motion reflected at both ends of {where}"


@codec.register
@dataclass(frozen=True)
class ReflectedDriftKernel(Judgment):
    """``L = D^2 + velocity D`` in the ``coordinate`` z, which runs over ``z >= 0``, reflected at 0.

    With m the velocity and g the normal density of variance 2t, the kernel in z is ``g(y - z - m t) + exp(-m z) g(y + z
    - m t) - (m/2) exp(m y) erfc((y + z + m t)/(2 sqrt(t)))``.
    """

    process: object
    coordinate: Expr
    velocity: Expr

    def _line(self) -> str:
        where = f"drift {to_text(self.velocity)} reflected at 0 in z = {to_text(self.coordinate)} >= 0"
        return f"{name_of(self.process)} is Brownian motion with {where}"
