"""What the sums of the float64 path need to know about a neighbouring relation: nodes, aliasing, what is left out.

For two densities ``mu+`` and ``mu-``, ``L = log(mu+/mu-)`` and ``a = alpha - 1``, since ``E_mu+[e^-L] = 1``, with
``r(y) = e^y - 1 - y >= 0``

    e^(a R) - 1 = E_mu-[F] = E_mu+[r(a L)] + a E_mu+[r(-L)],     F = (1+v)^alpha - 1 - alpha v,  1 + v = mu+/mu-.

Every term is non-negative and nothing cancels, however small the loss or ``a`` (at ``a = 0`` the second mean is the
Kullback-Leibler divergence). The means are trapezoidal sums on nodes ``u_j = (j + 1/2) step``, ``x = s^2 u +
constant``; steps have 16 bits, so nodes are exact doubles.

Aliasing. ``F = alpha a v^2 int_0^1 (1-t)(1+tv)^(alpha-2) dt`` with ``1 + tv`` a mixture of exponentials. If on ``x + i
s^2 tau`` the modulus of ``mu- F`` is at most ``G (1 + e(u))`` times its real value, then the sum over all nodes is off
by at most (Trefethen and Weideman 2014, Theorem 5.1)

    alias * E_mu-[F (1 + e(u))],     alias = 2 G / expm1(2 pi tau/step).

Here ``e(u)`` comes from ``|sinh(y + i c)|^2 = sinh(y)^2 + sin(c)^2`` alone, so ``mu- F e`` grows by G at most, and its
mean is at most its own sum over ``1 - alias``. The bound is thus computed from the nodes themselves; nothing is
estimated.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from symdp.mechanisms.sampled_gaussian.double.arithmetic import Floats, Integers, two_product, two_sum

Pair = tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class Case:
    """The mechanism: q, 1 - q and sigma/sensitivity, each rounded to nearest; ``rounded`` if any input is no double."""

    q: float
    complement: float
    sigma: float
    rounded: bool = False


@dataclass(frozen=True, slots=True)
class Nodes:
    """Node data: u, ``e(u)``, and L and the log of the weight under mu+, pairs with absolute errors in UNIT."""

    u: Floats
    ratio: Floats
    ratio_low: Floats
    ratio_error: Floats
    weight: Floats
    weight_low: Floats
    weight_error: Floats
    edge: Floats

    def take(self, k: Integers) -> Nodes:
        """The nodes at positions k."""
        return Nodes(*(getattr(self, field.name)[k] for field in fields(self)))


@dataclass(frozen=True, slots=True)
class Plan:
    """Node ranges ``first..last`` and ``far_first..far_last`` (either may be empty) for each order, and what they omit.

    ``log_omitted`` bounds the left-out part of ``sum mu- F``, ``log_omitted_edge`` that of ``sum mu- F e``; nan or inf
    if nothing is known.
    """

    first: Integers
    last: Integers
    far_first: Integers
    far_last: Integers
    log_omitted: Floats
    log_omitted_edge: Floats


@dataclass(frozen=True, slots=True)
class Rule(ABC):
    """The trapezoidal rule of one relation, mechanism and step."""

    case: Case
    tau: float
    step: float

    @property
    @abstractmethod
    def offset(self) -> float:
        """``z = x/s`` at ``u = 0``."""

    @abstractmethod
    def ratio(self, u: Floats) -> tuple[Pair, Floats, Pair, Floats]:
        """``L`` and ``log(mu+/mu0)``, ``mu0 = N(0, s^2)``, each as a pair and its error.

        A pair is a double nearest to the sum of both and the rest, at most a UNIT of it.
        """

    @abstractmethod
    def log_growth(self, alpha: Floats) -> Floats:
        """``log G``."""

    @abstractmethod
    def edge(self, u: Any) -> Any:
        """``e(u)`` or a bound of it that falls with ``|u|``."""

    @abstractmethod
    def plan(self, alpha: Floats, scale: Floats) -> Plan:
        """The nodes to sum for each order; ``scale`` is a, or 1 at alpha = 1, where all sums are of ``F/a``."""

    @property
    def eta(self) -> float:
        """The step in z."""
        return self.case.sigma * self.step

    @property
    def log_weight(self) -> float:
        """``log(eta/sqrt(2 pi))``."""
        return math.log(self.eta / math.sqrt(2 * math.pi))

    def u(self, j: Any) -> Any:
        """The node u_j."""
        return (2 * j + 1) * (self.step / 2)

    def z(self, u: Any) -> Any:
        """``x/s`` to a few UNIT of ``|z| + 1/s``."""
        return self.case.sigma * u + self.offset

    def index(self, z: Any) -> Any:
        """The index of the last node not above z (about)."""
        return np.floor((z - self.offset) / self.eta - 0.5).astype(np.int64)

    def alias(self, alpha: Floats) -> Floats:
        """The factor ``alias``, rounded up."""
        return 2.001 * np.exp(self.log_growth(alpha)) / math.expm1(2 * math.pi * self.tau / self.step)

    def half_square(self, u: Floats) -> tuple[Floats, Floats, Floats]:
        """``z``, and ``z^2/2`` as a pair with an error below ``2**-98 (z^2 + |z|/s)``."""
        product, lost = two_product(self.case.sigma, u)
        z, rest = two_sum(product, self.offset)
        if self.offset:  # 1/(2s), with the remainder of its division
            back, back_lost = two_product(self.offset, self.case.sigma)
            rest += ((0.5 - back) - back_lost) / self.case.sigma
        rest += lost
        square, square_lost = two_product(z, z)
        return z, square / 2, square_lost / 2 + z * rest

    def nodes(self, j: Integers) -> Nodes:
        """The nodes with indices j.

        ``weight = log(mu+/mu0) - z^2/2 + log(eta/sqrt(2 pi))`` errs by the first one's error, 40 for the constant,
        ``2**-40`` of all that is added up (second order), and by ``z^2 + |z|/s`` if sigma is rounded.
        """
        u = self.u(j)
        (ratio, ratio_low), ratio_error, (front, front_low), front_error = self.ratio(u)
        z, half, half_low = self.half_square(u)
        weight, lost = two_sum(front, -half)
        weight, more = two_sum(weight, self.log_weight)
        error = front_error + 40.0 + 2.0**-40 * (np.abs(front) + half)
        if self.case.rounded:
            error += (np.abs(z) + 1.0 / self.case.sigma) * np.abs(z)
        weight, weight_low = two_sum(weight, lost + more + front_low - half_low)
        return Nodes(u, ratio, ratio_low, ratio_error, weight, weight_low, error, self.edge(u))


def dyadic_step(step: float) -> float:
    """The step rounded down to 16 bits."""
    mantissa, exponent = math.frexp(step)
    return math.ldexp(math.floor(mantissa * 2**16), exponent - 16)
