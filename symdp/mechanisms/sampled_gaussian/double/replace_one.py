"""The trapezoidal rule for replace-one neighbours: ``mu+- = (1-q) N(0, s^2) + q N(+-1, s^2)``, mu+ against mu-.

``u = x/s^2``, ``w = 1/(2 s^2)``, ``g(y) = 1 - q + q e^(y-w)``, ``g+ = g(u)``, ``g- = g(-u)``, ``L = log g+ - log g-``,
an odd function. With ``mu- F = mu0 alpha a (g+ - g-)^2 int_0^1 (1-t) G_t^(alpha-2) dt g-^-a`` and ``G_t = (1-t) g- + t
g+`` on ``x + i s^2 tau``: ``|g-| >= cos(tau/2) g-``, ``|G_t| <= G_t``, ``|G_t| >= Re G_t >= cos(tau) G_t`` (``tau <
pi/2``, needed for alpha < 2), ``|g+ - g-|^2 = 4 q^2 e^(-2w) (sinh(u)^2 + sin(tau)^2)``. Hence

    G = e^(tau^2 s^2/2) sec(tau/2)^a sec(tau)^max(2 - alpha, 0),     e(u) = sin(tau)^2/sinh(u)^2 <= min(tau^2, 1)/u^2.

What is left out, with ``S+- = d log g(+-u)/d(+-u)`` and, for u > 0, ``S+ <= 1`` and ``S- <= S0 = S-(0)``:
* right: ``F <= (alpha a/2) v^2 (1+v)^max(alpha-2,0)`` times ``mu- = mu0 g-`` has a log whose slope in z is at most
  ``(2 coth(u) + S0 + max(alpha-2,0) (1 + S0))/s - z``; ``F <= alpha a L e^(alpha L)`` times ``mu-`` has ``(alpha +
  1/L)(1 + S0)/s - z``;
* left: ``F <= a max(1, alpha/2) v^2`` times ``mu-`` falls to the left at the rate ``|z| - 2 coth|u|/s`` or faster.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from symdp.mechanisms.sampled_gaussian.double.arithmetic import Floats, log_pair, two_sum
from symdp.mechanisms.sampled_gaussian.double.rule import Case, Pair, Plan, Rule, dyadic_step

_TARGET = 39.8  # minus the log of the aliasing aimed at
_DEPTH = 42.0  # and of what may be left out; only the bounds computed from them count


@dataclass(frozen=True, slots=True)
class ReplaceOne(Rule):
    """The rule whose step suits all orders up to a highest one."""

    half: tuple[float, float]  # w as a pair
    log_q: tuple[float, float]
    log_complement: tuple[float, float]

    @classmethod
    def choose(cls, case: Case, highest: float, *, below_two: bool) -> ReplaceOne:
        """The widest step whose aliasing is about ``e^-_TARGET`` at the order ``highest``."""
        guess = math.sqrt(2 * _TARGET / (case.sigma**2 + (highest - 1) / 4))
        taus = np.minimum(guess * np.linspace(0.5, 1.2, 60), 1.3 if below_two else 3.0)
        width = Fraction(1, 2) / Fraction(case.sigma) ** 2
        half = float(width)
        low = float(width - Fraction(half))
        rules = cls(case, 0.0, 0.0, (half, low), log_pair(case.q), log_pair(case.complement))
        order = np.array([1.0 if below_two else highest, highest])
        growth = np.array([max(rules._log_growth(tau, order)) for tau in taus])
        steps = 2 * math.pi * taus / (_TARGET + growth)
        best = int(np.argmax(steps))
        return cls(
            case, float(taus[best]), dyadic_step(float(steps[best])), rules.half, rules.log_q, rules.log_complement
        )

    @property
    def offset(self) -> float:
        """``z = 0`` at ``u = 0``."""
        return 0.0

    def log_growth(self, alpha: Floats) -> Floats:
        """``log G``."""
        return self._log_growth(self.tau, alpha)

    def _log_growth(self, tau: float, alpha: Floats) -> Floats:
        growth = (tau * self.case.sigma) ** 2 / 2 - math.log(math.cos(tau / 2)) * (alpha - 1.0)
        if tau >= 1.5:  # then no order is below 2
            return growth
        return growth - math.log(math.cos(tau)) * np.maximum(2.0 - alpha, 0.0)

    def edge(self, u: Any) -> Any:
        """``min(tau^2, 1)/u^2 >= e(u)``."""
        return min(self.tau**2, 1.0) / (u * u)

    def log_density(self, u: Floats) -> Pair:
        """``log(1 - q + q e^(u-w))`` as a pair of doubles with an absolute error below 16 UNIT.

        Either ``u - w + log q + log1p(t)`` or ``log(1-q) + log1p(1/t)``, whichever has the argument below 1 (about),
        ``t = (1-q)/q e^(w-u)``, relative error 14: exponents and logarithms are pairs, so only log1p errs: ``8 log1p +
        14 t/(1+t)``. What ``|u - w| > 700`` cuts off is below 1e-200.
        """
        case = self.case
        y, lost = two_sum(u, -self.half[0])
        lost = lost - self.half[1]
        grows = y + (self.log_q[0] - self.log_complement[0]) > 0.0
        odds = np.where(grows, case.complement / case.q, case.q / case.complement)
        sign = np.where(grows, -1.0, 1.0)
        t = odds * (np.exp(np.clip(sign * y, -700.0, 700.0)) * (1.0 + sign * lost))
        rest, more = two_sum(np.where(grows, self.log_q[0], self.log_complement[0]), np.log1p(t))
        more = more + np.where(grows, self.log_q[1] + lost, self.log_complement[1])
        high, last = two_sum(np.where(grows, y, 0.0), rest)
        return two_sum(high, last + more)

    def ratio(self, u: Floats) -> tuple[Pair, Floats, Pair, Floats]:
        """``L``, relative error at most 47 UNIT, and ``log g+``.

        For ``v = (g+ - g-)/g- <= 1`` at ``m = |u|``: ``v = q e^(m-w) (1 - e^(-2m))/g-`` has 10 + 8 + 13 + 4 and
        ``log1p(v)`` 43. Beyond, the difference of two logarithms has 32 absolutely, ``L >= 0.69``.
        """
        case = self.case
        m = np.abs(u)
        plus, minus = self.log_density(m), self.log_density(-m)
        y, lost = two_sum(m, -self.half[0])
        rise = np.exp(np.minimum(y, 600.0)) * (1.0 + (lost - self.half[1]))
        v = case.q * rise * -np.expm1(-2.0 * m) / (case.complement + case.q * np.exp(-m - self.half[0]))
        near = np.log1p(v)
        far, rest = two_sum(plus[0], -minus[0])
        far, rest = two_sum(far, rest + (plus[1] - minus[1]))
        high = np.where(v <= 1.0, near, far)
        low = np.where(v <= 1.0, 0.0, rest)
        error = np.where(v <= 1.0, 43.0 * near, 32.0)
        front_error = np.full_like(u, 16.0)
        if (
            case.rounded
        ):  # q, 1 - q (1 UNIT) and w (2): v moves by 4 + 4 w relatively, the difference of logarithms by no more
            error += (4.0 + 4.0 * self.half[0]) * np.minimum(1.5 * high, 1.0)
            front_error += 4.0 + 2.0 * self.half[0]
        right = u > 0.0
        sign = np.where(right, 1.0, -1.0)
        front = np.where(right, plus[0], minus[0]), np.where(right, plus[1], minus[1])
        return (sign * high, sign * low), error, front, front_error

    def plan(self, alpha: Floats, scale: Floats) -> Plan:
        """All nodes from the far left to beyond the last place where the integrand can peak."""
        s, q, eta = self.case.sigma, self.case.q, self.eta
        small = q * math.exp(-self.half[0])
        small = 1.0000001 * small / (self.case.complement + small)
        power = np.maximum(alpha - 2.0, 0.0)
        reach = np.maximum(alpha, 2.0) * (1.0 + small) / s
        width = np.sqrt(2 * (_DEPTH + 2 * math.log(max(s, 1.0)) + np.log(np.maximum(alpha * scale / 2, 1.0))))
        last = self.index(reach + width) + 2
        first = self.index(-2.0 / s - width) - 1
        with np.errstate(all="ignore"):
            u = self.u(last)
            z, ratio = self.z(u), self.ratio(u)[0][0]
            common = self.log_density(-u)[0] - z * z / 2 + self.log_weight
            square = np.log(alpha * scale / 2) + 2 * (ratio + np.log(-np.expm1(-ratio))) + power * ratio + common
            slope = z - (2 / np.tanh(u) + small + power * (1.0 + small)) / s
            square -= np.log(np.expm1(slope * eta))
            exponential = np.log(alpha * scale * ratio) + alpha * ratio + common
            exponential -= np.log(np.expm1((z - (alpha + 1 / ratio) * (1.0 + small) / s) * eta))
            tail = np.fmin(square, exponential) + 1e-6 + 1e-13 * (alpha * ratio + z * z + np.abs(common))
            tail_edge = tail + np.log(self.edge(u))
            u = self.u(first)
            z, ratio = self.z(u), self.ratio(u)[0][0]
            common = self.log_density(-u)[0] - z * z / 2 + self.log_weight
            head = np.log(scale * np.maximum(1.0, alpha / 2)) + 2 * np.log(-np.expm1(ratio)) + common
            head -= np.log(np.expm1((-z - 2 / np.tanh(-u) / s) * eta))
            head += 1e-6 + 1e-13 * (z * z + np.abs(common))
            head_edge = head + np.log(self.edge(u))
        return Plan(first, last, last + 1, last.copy(), np.logaddexp(tail, head), np.logaddexp(tail_edge, head_edge))
