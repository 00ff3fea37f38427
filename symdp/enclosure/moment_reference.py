"""The moment of the sampled Gaussian by mpmath alone: Gauss-Legendre rules on short pieces, without proof.

In ``z = x/s`` the integrand ``e^{-z^2/2} g^p`` falls off faster than ``e^{-d^2/2}`` at the distance d from the interval
between 0 and ``p/s``, and is smooth on pieces that are short near the branch points of g.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import Any

from mpmath.calculus.quadrature import GaussLegendre

from symdp.ball import mp_context
from symdp.errors import Undefined, Undetermined

_MOST_PIECES = 4_000


def sampled_moment(mp: Any, p: Any, q: Any, s: Any) -> Any:
    """The moment in the precision of a context; Undefined, or Undetermined where it would take too long."""
    if not 0 <= q <= 1 or s <= 0:
        raise Undefined("a sampled moment needs 0 <= q <= 1 and s > 0")
    w = 1 / (2 * s**2)
    if q in (0, 1):
        return mp.exp(p * (p - 1) * w) if q else mp.mpf(1)

    def log_density(z: Any) -> Any:
        return p * mp.log((1 - q) + q * mp.exp(z / s - w)) - z * z / 2

    ends = _pieces(mp, p, q, s)
    sizes = [float(log_density(mp.mpf(z))) for z in ends]
    least = max(sizes) - mp.dps * math.log(10) - 40
    total = mp.mpf(0)
    for (low, high), (first, second) in zip(pairwise(ends), pairwise(sizes), strict=True):
        if max(first, second) < least:
            continue
        middle, half = (mp.mpf(low) + mp.mpf(high)) / 2, (mp.mpf(high) - mp.mpf(low)) / 2
        total += half * mp.fsum(weight * mp.exp(log_density(middle + half * node)) for node, weight in _nodes(mp.dps))
    return total / mp.sqrt(2 * mp.pi)


def _pieces(mp: Any, p: Any, q: Any, s: Any) -> list[float]:
    """Ends of pieces around ``[0, p/s]``: no longer than 2, and at most 2 s where g turns from flat to steep."""
    scale, far = float(s), float(p / s)
    turn = float(s * (mp.log((1 - q) / q) + 1 / (2 * s**2)))
    reach = math.sqrt(2 * mp.dps * math.log(10)) + 3
    z, last = min(0.0, far) - reach, max(0.0, far) + reach
    ends = [z]
    while z < last:
        z += min(2.0, max(2 * scale, abs(z - turn)))
        ends.append(z)
        if len(ends) > _MOST_PIECES:
            raise Undetermined("the second engine would take too long for this moment")
    return ends


@lru_cache(maxsize=16)
def _nodes(digits: int) -> list[tuple[Any, Any]]:
    context = mp_context(digits)
    # a piece is at least 3/2 of its length away from the branch points: a node gains 1.5 digits
    degree = math.ceil(math.log2((0.7 * digits + 16) / 3)) + 1
    nodes: list[tuple[Any, Any]] = GaussLegendre(context).calc_nodes(degree, context.prec)
    return nodes
