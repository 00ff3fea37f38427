"""The log moment with its derivative in the order, from the same nodes: what a search for the best order needs."""

from __future__ import annotations

import math
from typing import Any

from flint import arb

from symdp.ball import Enclosure, bits_for, from_arb, working_precision
from symdp.errors import InputError, Undetermined
from symdp.mechanisms.sampled_gaussian import inputs, trapezoid
from symdp.mechanisms.sampled_gaussian.choose import ROUNDS, Problem, costs, deeper, kind_of, log_size


def moment_and_slope(
    q: Any,
    sigma: Any,
    alpha: Any,
    digits: int = 15,
    direction: str = "forward",
    relation: str = "add-remove",
    sensitivity: Any = 1,
) -> tuple[Enclosure, Enclosure]:
    """``L = (alpha-1) R`` and ``dL/dalpha``, each enclosed with ``digits`` proved digits; arguments as for ``renyi``.

    ``dL/dalpha = E[f W]/E[f]`` with f the density whose mean is the moment and W its logarithmic derivative in alpha:
    ``log g``, ``-log g`` for the reverse direction, ``log g - log g(-.)`` for replace-one. At alpha = 1 it is the
    Kullback-Leibler divergence. Raises InputError (an infinite order has no slope) and Undetermined.
    """
    point, wanted = inputs.point(q, sigma, alpha, sensitivity), inputs.digits_asked(digits)
    kind = kind_of(direction, relation)
    if point.alpha is None:
        raise InputError("the log moment has no slope at infinity", place="alpha", remedy="give a finite order")
    if point.q == 0:
        return Enclosure(0, 0), Enclosure(0, 0)
    bits = bits_for(wanted) + 1
    if point.q == 1:
        unit = point.gaussian_rate(kind)
        exact = point.alpha * (point.alpha - 1) * unit, (2 * point.alpha - 1) * unit
        return Enclosure.from_fraction(exact[0], bits + 16), Enclosure.from_fraction(exact[1], bits + 16)
    problem = Problem(kind, point.q, point.sigma, point.alpha)
    need = bits * math.log(2)
    depth = max(need - min(log_size(problem), 0.0), 4.0)
    for _ in range(ROUNDS):
        if 2 * costs(problem, depth)["trapezoid"] > trapezoid.MOST_WORK:
            raise Undetermined(f"{wanted} digits of the slope would take too many nodes: ask for fewer digits")
        found = trapezoid.moments(problem.integrand, depth, weighted=True, pair=kind == "replace-one")
        size = math.ceil(2 * math.log2(2 + float(point.alpha) / float(point.sigma)))
        with working_precision(math.ceil(depth / math.log(2)) + 64 + size):
            moment = found.plain.log()
            slope = (-found.weighted if kind == "reverse" else found.weighted) / found.plain
            if point.alpha == 1:
                moment, slope = arb(0), slope * found.plain
        got = min(bits if point.alpha == 1 else moment.rel_accuracy_bits(), slope.rel_accuracy_bits())
        if got >= bits:
            return from_arb(moment), from_arb(slope)
        depth = deeper(depth, bits, got)
    raise Undetermined(f"{wanted} digits of the slope were not proved in {ROUNDS} rounds")
