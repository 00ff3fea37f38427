"""The closed vocabulary: everything a theorem of this project can say.

A judgment is a frozen record of values (see ``codec``). To add one, declare it here; nothing outside this module can.
Symbols shared by all: ``alpha`` the Rényi order, ``t`` the time, ``x`` and ``xp`` the two starts (``x1, x2, ...,
xp1, ...`` in R^d), ``Delta`` the sensitivity. ``R_alpha(P||Q) = log E_Q[(dP/dQ)^alpha] / (alpha - 1)``, and ``P_t(x)``
is the law at time t of the process started at x. A region says where, for which values of its symbols, it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr

from symdp import codec
from symdp.region import Region
from symdp.text import Relation, to_text

Matrix = tuple[tuple[Expr, ...], ...]


class Judgment:
    """Base of the vocabulary. ``statement()`` is one line for people; equality and hash are by content."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__module__ != __name__:
            raise TypeError(f"{cls.__name__}: the vocabulary is closed, declare it in {__name__}")

    def statement(self) -> str:
        """The judgment as one line of plain text."""
        return " ".join(self._line().split())

    def _line(self) -> str:
        raise NotImplementedError


def _name(subject: object) -> str:
    return subject if isinstance(subject, str) else str(getattr(subject, "name", None) or subject)


def _matrix(rows: Matrix) -> str:
    return "[" + "; ".join(", ".join(to_text(entry) for entry in row) for row in rows) + "]"


def _where(region: Region) -> str:
    text = str(region)
    return f" for {text}" if text else ""


# Facts about a diffusion.


@codec.register
@dataclass(frozen=True)
class Conservative(Judgment):
    """No mass is lost in finite time: ``P_t 1 = 1`` (no explosion, no killing)."""

    process: object

    def _line(self) -> str:
        return f"{_name(self.process)} is conservative"


@codec.register
@dataclass(frozen=True)
class Merging(Judgment):
    """The start is forgotten: ``R_alpha(P_t(x)||P_t(xp)) -> 0`` as t grows, for every order and pair of starts."""

    process: object

    def _line(self) -> str:
        return f"R_alpha(P_t(x) || P_t(xp)) -> 0 as t -> infinity for {_name(self.process)}"


@codec.register
@dataclass(frozen=True)
class Reversible(Judgment):
    """The semigroup is symmetric with respect to ``exp(-potential)`` dx."""

    process: object
    potential: Expr

    def _line(self) -> str:
        return f"{_name(self.process)} is reversible with respect to exp(-V), V = {to_text(self.potential)}"


@codec.register
@dataclass(frozen=True)
class InvariantDensity(Judgment):
    """``density`` dx is an invariant measure, perhaps of infinite mass; ``unique`` up to a factor if so proved."""

    process: object
    density: Expr
    unique: bool

    def _line(self) -> str:
        measure = "the unique" if self.unique else "an"
        return f"{to_text(self.density)} is {measure} invariant density of {_name(self.process)}"


@codec.register
@dataclass(frozen=True)
class Elliptic(Judgment):
    """``v v^T`` is invertible at every point of the open domain and the coefficients are smooth there."""

    process: object

    def _line(self) -> str:
        return f"{_name(self.process)} is smooth and elliptic on its domain"


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
        pair = f"exp(-At) = {_matrix(self.backward)}, W = {_matrix(self.gramian)}"
        return f"{_name(self.process)} has a Gaussian kernel: {pair}"


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
        line = f"{_name(self.process)} is a Doob transform of Brownian motion by {factor}"
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
        return f"{_name(self.process)} is a Doob transform of the Mehler kernel, {details}"


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
        return f"{_name(self.process)}: {pair}{_where(self.region)}"


@codec.register
@dataclass(frozen=True)
class LimitDivergence(Judgment):
    """``R_alpha(P_t(x)||P_t(xp)) -> value`` as t -> infinity."""

    process: object
    value: Expr

    def _line(self) -> str:
        return f"R_alpha(P_t(x) || P_t(xp)) -> {to_text(self.value)} as t -> infinity for {_name(self.process)}"


@codec.register
@dataclass(frozen=True)
class Divergence(Judgment):
    """``R_alpha(P_t(x)||P_t(xp)) <= value``, in this order, on the region."""

    process: object
    value: Expr
    region: Region

    def _line(self) -> str:
        return f"R_alpha(P_t(x) || P_t(xp)) <= {to_text(self.value)} for {_name(self.process)}{_where(self.region)}"


# Privacy guarantees: both orders of every pair of neighbours.


@codec.register
@dataclass(frozen=True)
class RenyiDP(Judgment):
    """``R_alpha <= value`` for both orders of every pair of neighbours.

    ``relation`` names the neighbours ("starts at distance Delta", "add/remove", "replace-one"), ``sensitivity`` is the
    symbol or number that bounds their distance.
    """

    subject: object
    value: Expr
    sensitivity: Expr
    relation: str
    region: Region

    def _line(self) -> str:
        return f"{_name(self.subject)} is (alpha, {to_text(self.value)})-RDP, {self.relation}{_where(self.region)}"


@codec.register
@dataclass(frozen=True)
class GaussianDP(Judgment):
    """Telling two neighbours apart is at least as hard as telling N(0, 1) from N(mu, 1)."""

    subject: object
    mu: Expr
    region: Region

    def _line(self) -> str:
        return f"{_name(self.subject)} is {to_text(self.mu)}-GDP{_where(self.region)}"


@codec.register
@dataclass(frozen=True)
class ZCDP(Judgment):
    """``R_alpha <= rho alpha`` for every order above 1, both orders of every pair of neighbours."""

    subject: object
    rho: Expr
    region: Region

    def _line(self) -> str:
        return f"{_name(self.subject)} is {to_text(self.rho)}-zCDP{_where(self.region)}"


@codec.register
@dataclass(frozen=True)
class PureDP(Judgment):
    """``M(E) <= exp(epsilon) M'(E)`` for every event and both orders of every pair of neighbours."""

    subject: object
    epsilon: Expr
    region: Region

    def _line(self) -> str:
        return f"{_name(self.subject)} is ({to_text(self.epsilon)}, 0)-DP{_where(self.region)}"


@codec.register
@dataclass(frozen=True)
class ApproxDP(Judgment):
    """``M(E) <= exp(epsilon) M'(E) + delta`` for every event and both orders of every pair of neighbours."""

    subject: object
    epsilon: Expr
    delta: Expr
    region: Region

    def _line(self) -> str:
        return f"{_name(self.subject)} is ({to_text(self.epsilon)}, {to_text(self.delta)})-DP{_where(self.region)}"


# Plain mathematics, for derivations.


@codec.register
@dataclass(frozen=True)
class Identity(Judgment):
    """``left == right`` everywhere on the region."""

    left: Expr
    right: Expr
    region: Region

    def _line(self) -> str:
        return f"{to_text(self.left)} == {to_text(self.right)}{_where(self.region)}"


@codec.register
@dataclass(frozen=True)
class Inequality(Judgment):
    """The relation holds everywhere on the region."""

    relation: Relation
    region: Region

    def _line(self) -> str:
        return f"{self.relation}{_where(self.region)}"
