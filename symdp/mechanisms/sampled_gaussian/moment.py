"""The moment ``E_{mu0}[g^p]`` itself, for any real p, to a relative accuracy: A at p = alpha, B at p = 1 - alpha."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from flint import arb

from symdp.ball import working_precision
from symdp.errors import Undetermined
from symdp.mechanisms.sampled_gaussian import integer, plateau, series, trapezoid
from symdp.mechanisms.sampled_gaussian.choose import ROUNDS, Problem, costs, deeper
from symdp.mechanisms.sampled_gaussian.integrand import Integrand

_SMALL_SIGMA = Fraction(1, 12)  # the plateau bounds are worth a try below


@lru_cache(maxsize=4096)
def moment(q: Fraction, sigma: Fraction, p: Fraction, bits: int) -> arb:
    """A ball around ``E[g^p]`` with ``bits`` relative bits, ``0 < q < 1``, ``sigma > 0``, p not 0 or 1.

    Raises Undetermined where that takes too long.
    """
    if sigma < _SMALL_SIGMA and not 0 < p < 1 and (found := _plateau(q, sigma, p, bits)) is not None:
        return found
    depth = (bits + 2) * math.log(2)
    for _ in range(ROUNDS):
        found = _integral(q, sigma, p, bits, depth)
        got = found.rel_accuracy_bits() if found.is_finite() else 0
        if got >= bits:
            return found
        depth = deeper(depth, bits, got)
    raise Undetermined(f"a moment of the sampled Gaussian was not proved to {bits} bits in {ROUNDS} rounds")


def _problem(q: Fraction, sigma: Fraction, p: Fraction) -> Problem:
    return Problem("forward", q, sigma, p) if p > 1 else Problem("reverse", q, sigma, 1 - p)


def _plateau(q: Fraction, sigma: Fraction, p: Fraction, bits: int) -> arb | None:
    problem = _problem(q, sigma, p)
    size = 2 * math.log2(float(problem.alpha)) + 4 * abs(math.log2(float(sigma)))
    with working_precision(bits + math.ceil(size) + 64):
        found = plateau.log_moment(problem.kind, q, sigma, problem.alpha).exp()
    return found if found.is_finite() and found.rel_accuracy_bits() >= bits else None


def _integral(q: Fraction, sigma: Fraction, p: Fraction, bits: int, depth: float) -> arb:
    if 0 < p < 1:
        return trapezoid.moments(Integrand(q, sigma, p), depth).plain
    problem = _problem(q, sigma, p)
    found = costs(problem, depth)
    method = min(found, key=found.__getitem__)
    if found[method] > trapezoid.MOST_WORK:
        raise Undetermined(f"a moment of the sampled Gaussian would take about {found[method] / 1e6:.0f} s here")
    if method == "integer":
        excess = integer.excess(q, sigma, int(p), bits)
        with working_precision(bits + 64):
            return 1 + excess
    if method == "series":
        return series.moment(q, sigma, p, depth)
    return trapezoid.moments(problem.integrand, depth).plain
