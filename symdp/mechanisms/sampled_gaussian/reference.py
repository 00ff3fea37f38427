"""The second computation, in mpmath and without proof: the paper's own formulas at any precision.

Forward: the finite sum at an integer order, else the signed erfc series, its alternating part summed by mpmath's
Cohen-Villegas-Zagier accelerator. The paper has no series for B or for replace-one: they, and order 1, are sums of
Gauss-Legendre rules over pieces that are short where the density ratio turns, of a fixed degree (the adaptive
``mpmath.quad`` stops too early on some of them). No ball, bound or node of the proved computation is used.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from mpmath.calculus.quadrature import GaussLegendre

from symdp.ball import mp_context
from symdp.errors import Undetermined
from symdp.mechanisms.sampled_gaussian.choose import Problem, log_size
from symdp.mechanisms.sampled_gaussian.inputs import Point

_MOST_TERMS = 20_000
_MOST_PIECES = 2_000


def renyi(kind: str, point: Point, digits: int) -> Any:
    """The divergence as an mpf with about ``digits`` correct digits. Undetermined where it would take too long."""
    mp = mp_context(digits + 10)
    if point.q == 0:
        return mp.mpf(0)
    if point.alpha is None:
        return mp.inf if kind != "reverse" or point.q == 1 else -mp.log1p(-_number(mp, point.q))
    if point.q == 1:
        return _number(mp, point.alpha * (4 if kind == "replace-one" else 1) / (2 * point.sigma**2))
    problem = Problem(kind, point.q, point.sigma, point.alpha)
    lost = max(0.0, -log_size(problem)) / math.log(10)
    spread = 2 * math.log10(2 + float(point.alpha)) + 2 * max(0.0, -math.log10(float(point.sigma)))
    mp = mp_context(digits + 15 + math.ceil(lost + spread))
    if kind == "forward" and point.alpha > 1:
        _limited(float(point.alpha), _MOST_TERMS, "terms")
        moment = _integer(mp, problem) if point.alpha.denominator == 1 else _fractional(mp, problem)
        value = mp.log1p(moment) / _number(mp, point.alpha - 1)
    else:
        value = _integral(mp, problem)
        if point.alpha > 1:
            value = mp.log(value) / _number(mp, point.alpha - 1)
    return mp_context(digits + 5).mpf(value)


def _limited(size: float, most: int, what: str) -> None:
    if size > most:
        raise Undetermined(f"the mpmath engine would take about {size:.0f} {what}; engine='arb' is the way here")


def _number(mp: Any, value: Any) -> Any:
    return mp.mpf(value.numerator) / value.denominator


def _integer(mp: Any, problem: Problem) -> Any:
    """A - 1 from the finite sum; the terms k = 0 and 1 and the weights' total 1 are taken out."""
    q, w, alpha = _number(mp, problem.q), 1 / (2 * _number(mp, problem.sigma) ** 2), int(problem.alpha)
    return mp.fsum(
        mp.binomial(alpha, k) * (1 - q) ** (alpha - k) * q**k * mp.expm1((k * k - k) * w) for k in range(2, alpha + 1)
    )


def _fractional(mp: Any, problem: Problem) -> Any:
    """A - 1 from the erfc series."""
    q, s, alpha = (_number(mp, part) for part in (problem.q, problem.sigma, problem.alpha))
    whole = int(problem.alpha)
    z1 = mp.mpf(1) / 2 + s**2 * mp.log(1 / q - 1)

    def term(k: int) -> Any:
        j = alpha - k
        low = (1 - q) ** j * q**k * mp.exp((k * k - k) / (2 * s**2)) * mp.erfc((k - z1) / (mp.sqrt(2) * s))
        high = (1 - q) ** k * q**j * mp.exp((j * j - j) / (2 * s**2)) * mp.erfc((z1 - j) / (mp.sqrt(2) * s))
        return mp.binomial(alpha, k) * (low + high) / 2

    head = mp.fsum(term(k) for k in range(whole + 1))
    accelerator = mp.cohen_alt()
    count = math.ceil(1.31 * mp.dps) + 4
    tail, _ = accelerator.update([term(whole + 1 + j) for j in range(count)])
    return head + tail - 1


def _integral(mp: Any, problem: Problem) -> Any:
    """The integral over the line, in ``z = x/s``, of the moment's density, at order 1 times the logarithm."""
    integrand = problem.integrand
    q, s, a, b = (_number(mp, part) for part in (problem.q, problem.sigma, integrand.a, integrand.b))
    shift = 1 / (2 * s**2)
    pair = problem.kind == "replace-one"

    def log_g(z: Any) -> Any:
        return mp.log((1 - q) + q * mp.exp(z / s - shift))

    def density(z: Any) -> Any:
        up = log_g(z)
        down = log_g(-z) if pair else 0
        value = mp.exp(-z * z / 2 + a * up + b * down)
        if problem.alpha > 1:
            return value
        return value * (up - down) * (-1 if problem.kind == "reverse" else 1)

    ends = [mp.mpf(z) for z in _pieces(problem, mp.dps)]
    _limited(len(ends), _MOST_PIECES, "pieces")
    # a piece is at least 3/2 of its length away from the branch points: a node gains 1.5 digits
    degree = math.ceil(math.log2((0.7 * mp.dps + 16) / 3)) + 1
    nodes = GaussLegendre(mp).calc_nodes(degree, mp.prec)
    total = mp.mpf(0)
    for low, high in pairwise(ends):
        middle, half = (low + high) / 2, (high - low) / 2
        total += half * mp.fsum(weight * density(middle + half * node) for node, weight in nodes)
    return total / mp.sqrt(2 * mp.pi)


def _pieces(problem: Problem, digits: int) -> list[float]:
    """Ends of pieces, short near the turning points ``g = 2(1-q)`` and no longer than 2 elsewhere."""
    integrand, s = problem.integrand, float(problem.sigma)
    reach = math.sqrt(2 * digits * math.log(10)) + 2
    modes = integrand.modes
    turns = (s * integrand.odds, -s * integrand.odds)
    low, high = min(modes), max(*modes, (max(float(integrand.a), 0.0) - float(integrand.b)) / s)
    z, last = low - reach * max(1.0, integrand.spread(low)), high + reach
    ends = [z]
    while z < last and len(ends) <= _MOST_PIECES:
        z += min(2.0, max(2 * s, min(abs(z - turn) for turn in turns)))
        ends.append(z)
    return ends
