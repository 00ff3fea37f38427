"""Gaussian mechanisms and diffusion mechanisms on R^d: what they release, how sensitive they are, how far they err.

``f`` is the query, ``D`` the data, d the dimension of ``f(D)``; norms are Euclidean.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symdp import codec
from symdp.judgments.base import Judgment, Matrix, matrix_text, name_of, where
from symdp.region import Region
from symdp.text import to_text


@codec.register
@dataclass(frozen=True)
class GaussianMechanism(Judgment):
    """The mechanism releases ``N(scale f(D), variance I)`` in R^dimension; a diffusion does, started at f(D)."""

    subject: object
    scale: Expr
    variance: Expr
    dimension: Expr
    region: Region

    def _line(self) -> str:
        law = f"N(({to_text(self.scale)}) f(D), ({to_text(self.variance)}) I)"
        return f"{name_of(self.subject)} releases {law}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class GaussianOutput(Judgment):
    """The mechanism releases ``N(matrix x + shift, covariance)`` in R^n, where ``f(D) = x = (x1, ..., xn)``."""

    subject: object
    matrix: Matrix
    shift: tuple[Expr, ...]
    covariance: Matrix
    region: Region

    def _line(self) -> str:
        mean = f"{matrix_text(self.matrix)} f(D) + ({', '.join(map(to_text, self.shift))})"
        return f"{name_of(self.subject)} releases N({mean}, {matrix_text(self.covariance)}){where(self.region)}"


@codec.register
@dataclass(frozen=True)
class OutputError(Judgment):
    """``E |M(D) - f(D)|^2 = |bias|^2 + variance`` in R^n, where ``f(D) = x = (x1, ..., xn)`` (x itself for n = 1)."""

    subject: object
    bias: tuple[Expr, ...]
    variance: Expr
    region: Region

    def _line(self) -> str:
        bias = f"({', '.join(map(to_text, self.bias))})"
        error = f"bias {bias} where f(D) = x, variance {to_text(self.variance)}"
        return f"{name_of(self.subject)} errs by {error}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class TransitionDensity(Judgment):
    """``p_t(x, y)``, the density at y of the law at time t of the process started at x; of one coordinate of copies."""

    process: object
    value: Expr
    region: Region

    def _line(self) -> str:
        return f"{name_of(self.process)} has the transition density {to_text(self.value)}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class SymmetricKernel(Judgment):
    """With respect to the invariant measure ``p_t(x, y)`` is a constant times ``exp(exponent)``, symmetric in x and y.

    The exponent is written in ``xx = |x|^2``, ``xy = <x, y>`` and ``yy = |y|^2``.
    """

    process: object
    exponent: Expr
    region: Region

    def _line(self) -> str:
        kernel = f"p_t(x, y) = p_t(y, x) = c(t) exp({to_text(self.exponent)})"
        return f"{kernel} with respect to the invariant measure for {name_of(self.process)}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class IntrinsicSensitivity(Judgment):
    """``Gamma(log p_t(x, y)/p_t(x', y)) <= kappa`` for every y and all starts x, x' at distance at most Delta.

    ``Lambda`` is the integral of kappa over [t, oo).
    """

    process: object
    kappa: Expr
    Lambda: Expr
    region: Region

    def _line(self) -> str:
        pair = f"kappa = {to_text(self.kappa)}, Lambda = {to_text(self.Lambda)}"
        return f"{name_of(self.process)} has intrinsic sensitivity {pair}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class MeanSquaredError(Judgment):
    """``E |M(D) - f(D)|^2 = value`` where ``|f(D)| = norm``; with ``worst``, its supremum over ``|f(D)| <= norm``."""

    subject: object
    value: Expr
    norm: Expr
    worst: bool
    region: Region

    def _line(self) -> str:
        relation = "at most" if self.worst else "equal to"
        query = f"{'largest ' if self.worst else ''}mean squared error, |f(D)| {relation} {to_text(self.norm)}"
        return f"{name_of(self.subject)}: {query}: {to_text(self.value)}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class ErrorRatio(Judgment):
    """The largest mean squared error of one mechanism divided by that of another, over the same queries: ``value``."""

    subject: object
    other: object
    value: Expr
    region: Region

    def _line(self) -> str:
        pair = f"{name_of(self.subject)} and {name_of(self.other)}"
        return f"ratio of the mean squared errors of {pair}: {to_text(self.value)}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class LeastError(Judgment):
    """A mechanism is (alpha, epsilon alpha)-RDP at every order, and errs least of all that are: by ``value``.

    Its largest mean squared error over ``|f(D)| <= norm`` is ``value``, and every mechanism ``N(b f(D), w I)``, b real,
    w > 0, of that guarantee for every query of this sensitivity has a largest error of at least ``value``.
    """

    subject: object
    value: Expr
    norm: Expr
    epsilon: Expr
    sensitivity: Expr
    region: Region

    def _line(self) -> str:
        guarantee = f"(alpha, ({to_text(self.epsilon)}) alpha)-RDP at sensitivity {to_text(self.sensitivity)}"
        error = f"largest mean squared error, |f(D)| at most {to_text(self.norm)}: {to_text(self.value)}"
        least = "the least of all N(b f(D), w I) of that guarantee"
        return f"{name_of(self.subject)}: {guarantee}; {error}, {least}{where(self.region)}"
