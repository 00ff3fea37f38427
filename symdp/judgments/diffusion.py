"""Facts about a diffusion."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symdp import codec
from symdp.judgments.base import Judgment, Matrix, matrix_text, name_of, where
from symdp.region import Region
from symdp.text import to_text


@codec.register
@dataclass(frozen=True)
class Conservative(Judgment):
    """No mass is lost in finite time: ``P_t 1 = 1`` (no explosion, no killing)."""

    process: object

    def _line(self) -> str:
        return f"{name_of(self.process)} is conservative"


@codec.register
@dataclass(frozen=True)
class Merging(Judgment):
    """The start is forgotten: ``R_alpha(P_t(x)||P_t(xp)) -> 0`` as t grows, for every order and pair of starts."""

    process: object

    def _line(self) -> str:
        return f"R_alpha(P_t(x) || P_t(xp)) -> 0 as t -> infinity for {name_of(self.process)}"


@codec.register
@dataclass(frozen=True)
class Reversible(Judgment):
    """The semigroup is symmetric with respect to ``exp(-potential)`` dx."""

    process: object
    potential: Expr

    def _line(self) -> str:
        return f"{name_of(self.process)} is reversible with respect to exp(-V), V = {to_text(self.potential)}"


@codec.register
@dataclass(frozen=True)
class InvariantDensity(Judgment):
    """``density`` dx is an invariant measure, perhaps of infinite mass; ``unique`` up to a factor if so proved."""

    process: object
    density: Expr
    unique: bool

    def _line(self) -> str:
        measure = "the unique" if self.unique else "an"
        return f"{to_text(self.density)} is {measure} invariant density of {name_of(self.process)}"


@codec.register
@dataclass(frozen=True)
class Elliptic(Judgment):
    """``v v^T`` is invertible at every point of the open domain and the coefficients are smooth there."""

    process: object

    def _line(self) -> str:
        return f"{name_of(self.process)} is smooth and elliptic on its domain"


@codec.register
@dataclass(frozen=True)
class GaussianKernel(Judgment):
    """``P_t(x) = N(e^{At} x + m(t), e^{At} W e^{A^T t})``, W positive definite for t > 0.

    ``backward`` is ``e^{-At}``, ``gramian`` is W and ``precision`` its inverse.
    """

    process: object
    backward: Matrix
    gramian: Matrix
    precision: Matrix

    def _line(self) -> str:
        pair = f"exp(-At) = {matrix_text(self.backward)}, W = {matrix_text(self.gramian)}"
        return f"{name_of(self.process)} has a Gaussian kernel: {pair}"


@codec.register
@dataclass(frozen=True)
class ControllableKernel(Judgment):
    """``P_t(x) = N(e^{At} x + m(t), e^{At} W e^{A^T t})`` with ``W = int_0^t e^{-As} N e^{-A^T s} ds`` invertible for t
    > 0.

    ``drift`` is A and ``noise`` is ``N = v v^T``; both are constant.
    """

    process: object
    drift: Matrix
    noise: Matrix

    def _line(self) -> str:
        pair = f"A = {matrix_text(self.drift)}, N = {matrix_text(self.noise)}"
        form = "W = int_0^t exp(-A*s)*N*exp(-A^T*s) ds"
        return f"{name_of(self.process)} has a Gaussian kernel N(exp(A*t)*x + m, exp(A*t)*W*exp(A^T*t)), {form}, {pair}"


@codec.register
@dataclass(frozen=True)
class ScheduledKernel(Judgment):
    """``P_t(x) = N(F x + m(t), F W F^T)`` for a linear SDE whose coefficients depend on the time, W positive definite.

    F solves ``F' = A(t) F`` from the identity, ``backward`` is its inverse E, ``gramian`` is ``W = int_0^t E N E^T ds``
    with ``N = v v^T``, and ``precision`` the inverse of W.
    """

    process: object
    backward: Matrix
    gramian: Matrix
    precision: Matrix

    def _line(self) -> str:
        pair = f"1/F = {matrix_text(self.backward)}, W = {matrix_text(self.gramian)}"
        return f"{name_of(self.process)} has a Gaussian kernel N(F*x + m, F*W*F^T): {pair}"


@codec.register
@dataclass(frozen=True)
class BrownianDoobKernel(Judgment):
    """The kernel is ``exp(-c t) g_t(y(x), y(z)) h(z) / h(x)``, g the kernel of ``d^2/dy^2``, y the unit
    ``coordinate`` on R.

    ``h'' = rate^2 h`` in that coordinate; ``constant``: the drift in it is constant (h is an exponential).
    """

    process: object
    coordinate: Expr
    rate: Expr
    constant: bool

    def _line(self) -> str:
        factor = "an exponential" if self.constant else f"a hyperbolic cosine of rate {to_text(self.rate)}"
        line = f"{name_of(self.process)} is a Doob transform of Brownian motion by {factor}"
        return f"{line}, in the coordinate y = {to_text(self.coordinate)}"


@codec.register
@dataclass(frozen=True)
class MehlerDoobKernel(Judgment):
    """The kernel is ``exp(-c t) g_t(y(x), y(z)) h(z) / h(x)``, g the Mehler kernel of ``d^2/dy^2 - rate^2 y^2``, y on
    R.

    ``h(y) = exp(side * rate * y^2 / 2) p(y)`` with ``side`` -1 or 1 and ``factor = (p_0, p_1, ...)``, coefficients of
    p.
    """

    process: object
    coordinate: Expr
    rate: Expr
    side: int
    factor: tuple[Expr, ...]

    def _line(self) -> str:
        details = f"rate {to_text(self.rate)} in y = {to_text(self.coordinate)}"
        return f"{name_of(self.process)} is a Doob transform of the Mehler kernel, {details}"


@codec.register
@dataclass(frozen=True)
class HeatFlow(Judgment):
    """``Gamma(log p_t(x, y)/p_t(xp, y)) <= kappa`` for every y; ``Lambda`` is the integral of kappa over [t, oo)."""

    process: object
    kappa: Expr
    Lambda: Expr
    region: Region

    def _line(self) -> str:
        pair = f"kappa = {to_text(self.kappa)}, Lambda = {to_text(self.Lambda)}"
        return f"{name_of(self.process)}: {pair}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class LimitDivergence(Judgment):
    """``R_alpha(P_t(x)||P_t(xp)) -> value`` as t -> infinity."""

    process: object
    value: Expr

    def _line(self) -> str:
        return f"R_alpha(P_t(x) || P_t(xp)) -> {to_text(self.value)} as t -> infinity for {name_of(self.process)}"


@codec.register
@dataclass(frozen=True)
class Divergence(Judgment):
    """``R_alpha(P_t(x)||P_t(xp)) <= value``, in this order, on the region."""

    process: object
    value: Expr
    region: Region

    def _line(self) -> str:
        return f"R_alpha(P_t(x) || P_t(xp)) <= {to_text(self.value)} for {name_of(self.process)}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class IndependentCoordinates(Judgment):
    """Each coordinate is a diffusion by itself, ``process.coordinate(i)``, and these are independent."""

    process: object

    def _line(self) -> str:
        return f"the coordinates of {name_of(self.process)} are independent diffusions"
