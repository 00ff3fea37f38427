"""Kernels of one-dimensional diffusions on the whole line, in closed form with error functions."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Integer

from symdp import codec
from symdp.judgments.base import Judgment, name_of
from symdp.text import to_text


@codec.register
@dataclass(frozen=True)
class TwoValuedDriftKernel(Judgment):
    """``L = D^2 + velocity sign(z) D`` in the ``coordinate`` z, which runs over the whole line.

    With m the velocity and g the normal density of variance 2t, the kernel in z is ``g(y - z) exp(m (|y| - |z|)/2 - m^2
    t/4) - (m/4) exp(m |y|) erfc((|y| + |z| + m t)/(2 sqrt(t)))``.
    """

    process: object
    coordinate: Expr
    velocity: Expr

    def _line(self) -> str:
        where = f"drift {to_text(self.velocity)}*sign(z) in z = {to_text(self.coordinate)}"
        return f"{name_of(self.process)} is Brownian motion with {where}"


@codec.register
@dataclass(frozen=True)
class TanhDriftKernel(Judgment):
    """``L = D^2 + 2 n k tanh(k z) D`` in the ``coordinate`` z, which runs over the whole line, k the ``rate``.

    n, the ``power``, is whole. With ``l = max(-n, n - 1)``, g the normal density of variance 2t, ``d = y - z`` and the
    normalised eigenfunctions ``psi_j = sqrt(k j (l-j)!/(l+j)!) P_l^(j)(tanh k z) sech^j(k z)`` the kernel in z is
    ``exp(-n^2 k^2 t) (cosh(k y)/cosh(k z))^n (g(d) + sum_(j=1..l) exp(j^2 k^2 t) psi_j(z) psi_j(y) S_j)``, where ``S_j
    = (erf(j k sqrt(t) - d/(2 sqrt(t))) + erf(j k sqrt(t) + d/(2 sqrt(t))))/2``.
    """

    process: object
    coordinate: Expr
    rate: Expr
    power: Integer

    def _line(self) -> str:
        drift = f"{to_text(2 * self.power * self.rate)}*tanh({to_text(self.rate)}*z)"
        return f"{name_of(self.process)} is Brownian motion with drift {drift} in z = {to_text(self.coordinate)}"
