"""Which method is cheapest, by a fixed model in microseconds: not by a clock, so that every machine chooses alike.

The integer sum and the accelerated series cost terms in proportion to alpha, whatever sigma; the trapezoidal rule
costs nodes like ``digits^1.5/sigma`` at a small sigma and ``digits`` at a large one, whatever alpha. The plateau
bounds cost nothing where they suffice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from symdp.mechanisms.sampled_gaussian import inputs, series
from symdp.mechanisms.sampled_gaussian.integrand import Integrand, log_of, log_of_one_minus
from symdp.mechanisms.sampled_gaussian.trapezoid import estimated_nodes, work

ROUNDS = 8
METHODS = ("integer", "trapezoid", "series", "plateau")


@dataclass(frozen=True)
class Problem:
    """One divergence to compute, 0 < q < 1: ``kind`` is forward, reverse or replace-one."""

    kind: str
    q: Fraction
    sigma: Fraction
    alpha: Fraction

    @cached_property
    def integrand(self) -> Integrand:
        """The function whose mean under mu0 is the moment."""
        if self.kind == "reverse":
            return Integrand(self.q, self.sigma, 1 - self.alpha)
        return Integrand(self.q, self.sigma, self.alpha, 1 - self.alpha if self.kind == "replace-one" else Fraction(0))

    def allows(self, method: str) -> bool:
        """Whether a method covers this problem."""
        if method == "integer":
            return self.kind == "forward" and self.alpha.denominator == 1 and self.alpha > 1
        if method == "series":
            return self.kind == "forward" and self.alpha > 1
        return True


def kind_of(direction: str, relation: str) -> str:
    """What is to be computed; "both" is forward, the larger, and replace-one is symmetric."""
    inputs.choice(direction, inputs.DIRECTIONS, "direction")
    if inputs.choice(relation, inputs.RELATIONS, "relation") == "replace-one":
        return "replace-one"
    return "reverse" if direction == "reverse" else "forward"


def costs(problem: Problem, depth: float) -> dict[str, float]:
    """Modelled microseconds of each method that applies, for a relative error of ``e^-depth`` of the moment."""
    bits = depth / math.log(2) + 40
    nodes = estimated_nodes(problem.integrand, depth)
    found = {"trapezoid": work(nodes, bits, pair=problem.kind == "replace-one")}
    if problem.allows("integer"):
        found["integer"] = 10 + float(problem.alpha) * (0.9 + 0.0012 * bits)
    if problem.allows("series"):
        found["series"] = 30 + series.terms(problem.alpha, depth) * (8 + 0.1 * bits)
    return found


def deeper(depth: float, bits: int, got: int) -> float:
    """The depth for the next round, where one brought ``got`` of the bits asked for (none or fewer: twice as deep)."""
    return depth + (max((bits - got + 4) * math.log(2), 8.0) if got > 0 else depth)


def log_size(problem: Problem) -> float:
    """A guess of the logarithm of ``log A`` (or B), rather too small than too large.

    ``F(v) = (1+v)^p - 1 - p v`` with mean ``A - 1`` (or ``B - 1``) is about ``alpha (alpha-1)/2 v^2`` while
    ``v = g - 1`` is small; it is looked at where mu0 has its mass, where ``mu0 v^2`` is largest, and where v becomes
    1.
    """
    s, order = float(problem.sigma), log_of(problem.alpha - 1) if problem.alpha > 1 else 0.0
    w, rate = 0.5 / s**2, log_of(problem.q)
    curvature = order + log_of(problem.alpha) - math.log(2)
    bulk = max(_log_abs_expm1(side / s - w) for side in (1, -1))
    guesses = [curvature + 2 * min(0.0, rate + bulk) - 2]
    hinge = s * (w + log_of_one_minus(problem.q) - rate)
    if hinge > 2 / s:
        guesses.append(curvature + 2 * rate + _log_abs_expm1(2 * w) - 2)
    elif hinge > 0:
        guesses.append(curvature - hinge**2 / 2 + min(0.0, math.log(s)) - 2 - (2 if s > 1 else 0))
    cap = order + rate if problem.kind == "reverse" else 0.0
    size = min(max(guesses), cap)
    alpha = float(problem.alpha)
    peak = (alpha * alpha - alpha) * w + alpha * rate  # log A is at least that
    return max(size, math.log(peak) - 2) if problem.kind != "reverse" and peak > 1 else size


def _log_abs_expm1(x: float) -> float:
    if x > 30:
        return x
    return math.log(abs(math.expm1(x))) if x else -math.inf
