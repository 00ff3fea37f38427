"""Noisy maps on an interval, projected on it at every step: laws and divergences for falsifiers, by quadrature.

A law has two atoms, at the ends, and a density that is smooth where the noise is not small beside the interval: it is
kept at Gauss-Legendre nodes. It is floating point and proves nothing; it never looks at what is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import erf, pi, sqrt
from typing import Any

import numpy as np

Map = Callable[[Any], Any]

_NODES = 60
_SMALLEST = 1e-60


class Projected:
    """``x -> Proj(psi(x) + s Z)``, Z normal, on ``[lower, upper]``; psi takes and returns arrays."""

    def __init__(self, lower: float, upper: float) -> None:
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        half = (upper - lower) / 2
        self.places = np.concatenate([[lower, upper], lower + half * (nodes + 1)])
        self.weights = np.concatenate([[1.0, 1.0], half * weights])

    def law(self, start: float, steps: Iterable[tuple[Map, float]]) -> Any:
        """The law after the steps (psi, s): the masses of the two ends, then the density at the nodes."""
        points, masses = np.array([start]), np.array([1.0])
        found = masses
        for psi, noise in steps:
            scaled = (self.places[:, None] - psi(points)[None, :]) / noise
            below = np.array([[(1 + erf(z / sqrt(2))) / 2 for z in row] for row in scaled[:2]])
            density = np.exp(-(scaled[2:] ** 2) / 2) / (noise * sqrt(2 * pi))
            found = np.concatenate([[below[0] @ masses, (1 - below[1]) @ masses], density @ masses])
            points, masses = self.places, found * self.weights
        return found

    def divergence(self, p: Any, q: Any, alpha: float) -> float:
        """``R_alpha(p||q)`` of two laws; where q is too small for a float nothing is counted."""
        seen = q > _SMALLEST
        terms = self.weights[seen] * p[seen] ** alpha * q[seen] ** (1 - alpha)
        return float(np.log(np.sum(terms)) / (alpha - 1))
