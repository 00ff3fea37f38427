"""Independent truths for noisy iterations: linear Gaussian chains in closed form, projected chains by quadrature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erfc, exp, log, pi, sqrt

import numpy as np

Map = Callable[[np.ndarray], np.ndarray]


def linear_mu(slopes: Sequence[float], sigma: Sequence[float], gap: float, shifts: Sequence[float] = ()) -> float:
    """The distance in deviations of the two last iterates of ``x -> slope x (+ shift) + N(0, sigma^2)``.

    Starts ``gap`` apart; the shift is in one of the two runs alone.
    """
    variance = 0.0
    for slope, noise, shift in zip(slopes, sigma, shifts or [0.0] * len(slopes), strict=True):
        gap, variance = slope * gap + shift, slope**2 * variance + noise**2
    return abs(gap) / sqrt(variance)


class Projected:
    """The law of ``x -> clip(psi(x) + N(0, sigma^2), low, high)`` step by step: two atoms and a density on nodes."""

    def __init__(self, low: float, high: float, nodes: int = 240) -> None:
        x, w = np.polynomial.legendre.leggauss(nodes)
        self.low, self.high, self.weights = low, high, (high - low) / 2 * w
        self.nodes = low + (high - low) * (x + 1) / 2

    def run(self, start: float, steps: Sequence[tuple[Map, float]]) -> np.ndarray:
        """Masses at the two ends and, between, at the nodes."""
        points, masses = np.array([start]), np.array([1.0])
        everywhere = np.concatenate(([self.low], self.nodes, [self.high]))
        for psi, sigma in steps:
            means = psi(points)
            z = (self.nodes[:, None] - means[None, :]) / sigma
            inside = self.weights * (np.exp(-(z**2) / 2) / (sigma * sqrt(2 * pi)) @ masses)
            below = np.array([erfc((m - self.low) / (sigma * sqrt(2))) / 2 for m in means]) @ masses
            above = np.array([erfc((self.high - m) / (sigma * sqrt(2))) / 2 for m in means]) @ masses
            points, masses = everywhere, np.concatenate(([below], inside, [above]))
        return masses


def renyi(p: np.ndarray, q: np.ndarray, alpha: float) -> float:
    """``R_alpha`` of two laws on the same points."""
    return float(log(np.sum(p**alpha * q ** (1 - alpha))) / (alpha - 1))


def hockey_stick(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    """The least delta at epsilon."""
    return float(np.sum(np.maximum(0, p - exp(epsilon) * q)))


def gaussian_profile(mu: float, epsilon: float) -> float:
    """The least delta at epsilon of two Gaussian laws at distance mu; none at mu = 0."""
    if mu == 0:
        return 0.0
    low, high = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    return erfc(low / sqrt(2)) / 2 - exp(epsilon) * erfc(high / sqrt(2)) / 2


def exceeds(p: np.ndarray, q: np.ndarray, mu: float) -> bool:
    """Whether two projected laws, in either order, are easier to tell apart than mu-GDP allows."""
    for first, second in ((p, q), (q, p)):
        if any(renyi(first, second, a) > a * mu**2 / 2 + 1e-9 for a in (1.5, 2, 5)):
            return True
        if any(hockey_stick(first, second, e) > gaussian_profile(mu, e) + 1e-4 for e in (0, 0.3, 1)):
            return True
    return False
