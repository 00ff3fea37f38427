"""The trapezoidal rule for add/remove neighbours: ``mu+ = (1-q) N(0, s^2) + q N(1, s^2)`` against ``mu- = N(0, s^2)``.

``u = (x - 1/2)/s^2``, ``1 + v = g = 1 - q + q e^u``, so ``L = log g``. On ``x + i s^2 tau``: ``1 + tv = (1 - tq) + tq
e^(u + i tau)`` has a modulus of at most ``1 + tv`` and (``tau < pi``) at least ``cos(tau/2) (1 + tv)``, for ``|A + B
e^(i tau)|^2 = (A + B)^2 cos(tau/2)^2 + (A - B)^2 sin(tau/2)^2``; ``|v|^2 = 4 q^2 e^u (sinh(u/2)^2 + sin(tau/2)^2)``;
``|mu-|`` grows by ``e^(tau^2 s^2/2)``. Hence

    G = e^(tau^2 s^2/2) sec(tau/2)^max(2 - alpha, 0),     e(u) = sin(tau/2)^2/sinh(u/2)^2 <= min(tau^2, 4)/u^2.

For whole alpha ``F`` is a polynomial in ``v`` and any tau will do; otherwise ``tau <= 3``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from symdp.mechanisms.sampled_gaussian.double.arithmetic import Floats, log_pair, two_sum
from symdp.mechanisms.sampled_gaussian.double.rule import Case, Pair, Plan, Rule, dyadic_step
from symdp.mechanisms.sampled_gaussian.double.windows import add_remove_plan

_TARGET = 39.8  # minus the log of the aliasing aimed at; only the bound computed from it counts
_HIGHEST_TAU = 3.0


@dataclass(frozen=True, slots=True)
class AddRemove(Rule):
    """The rule whose step suits all orders, or all whole orders."""

    whole: bool

    @classmethod
    def choose(cls, case: Case, *, whole: bool) -> AddRemove:
        """The widest step whose aliasing is about ``e^-_TARGET``."""
        tau, needed = math.sqrt(2 * _TARGET) / case.sigma, 2 * _TARGET
        if not whole and tau > _HIGHEST_TAU:
            tau = _HIGHEST_TAU
            needed = _TARGET + (tau * case.sigma) ** 2 / 2 - math.log(math.cos(tau / 2))
        return cls(case, tau, dyadic_step(2 * math.pi * tau / needed), whole)

    @staticmethod
    def whole_orders_differ(case: Case) -> bool:
        """Whether whole orders allow a wider step than others."""
        return math.sqrt(2 * _TARGET) / case.sigma > _HIGHEST_TAU

    @property
    def offset(self) -> float:
        """``z = 1/(2s)`` at ``u = 0``."""
        return 0.5 / self.case.sigma

    def log_growth(self, alpha: Floats) -> Floats:
        """``log G``."""
        growth = (self.tau * self.case.sigma) ** 2 / 2
        if self.whole:
            return np.full_like(alpha, growth)
        return growth - math.log(math.cos(self.tau / 2)) * np.maximum(2.0 - alpha, 0.0)

    def edge(self, u: Any) -> Any:
        """``min(tau^2, 4)/u^2 >= e(u)``."""
        return min(self.tau**2, 4.0) / (u * u)

    def ratio(self, u: Floats) -> tuple[Pair, Floats, Pair, Floats]:
        """``L`` and ``log(mu+/mu0)``, which are the same here."""
        pair, error = self.log_ratio(u)
        return pair, error, pair, error

    def log_ratio(self, u: Floats) -> tuple[Pair, Floats]:
        """``L = log(1 - q + q e^u)`` as a pair of doubles, and its absolute error in UNIT, at most ``26 |L|``.

        ``v = q expm1(u)`` has relative error 10. If ``v > 1``, ``L = u + log q + log1p(t)`` with ``t = (1-q)/q e^-u <
        1`` (12): only the last function errs, by ``8 log1p(t) + 12 t/(1+t)``; u is exact and log q is known to 106
        bits. If ``0 <= v <= 1``, ``L = log1p(v)``: ``8 L + 10 v/(1+v) <= 18 L``. If ``v >= -1/2``, ``|v|/((1+v)|L|) <=
        1.45``: 8 + 14.5. If ``v < -1/2``, ``g`` has 11 and ``|L| >= 0.693``: 8 + 15.9. A rounded q adds 1.5.
        """
        case = self.case
        v = case.q * np.expm1(np.minimum(u, 690.0))
        high = np.log1p(np.clip(v, -0.5, 1.0))
        if case.q > 0.5:
            g = case.complement + case.q * np.exp(np.minimum(u, 0.0))
            high = np.where(v < -0.5, np.log(g), high)
        error = np.where(v < 0.0, 26.0, 20.0) * np.abs(high)
        low = np.zeros_like(high)
        large = np.flatnonzero(v > 1.0)
        if large.size:
            exact = u[large]
            t = case.complement / case.q * np.exp(-exact)
            rest = np.log1p(t)
            error[large] = 8.0 * rest + 12.0 * t + 2.0
            log_q = log_pair(case.q)
            rest, lost = two_sum(log_q[0], rest)
            total, more = two_sum(exact, rest)
            high[large], low[large] = two_sum(total, more + (lost + log_q[1]))
        return (high, low), error

    def plan(self, alpha: Floats, scale: Floats) -> Plan:
        """See ``windows``."""
        return add_remove_plan(self, alpha, scale)
