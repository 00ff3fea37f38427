"""Independent truths for diffusions, by mpmath quadrature of kernels written from the literature, never by our own
formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import MPContext

MP = MPContext()
MP.dps = 30

Density = Callable[[Any], Any]


def number(text: str) -> Any:
    """A decimal or fraction as an mpf of the oracle."""
    top, _, bottom = text.partition("/")
    return MP.mpf(top) / MP.mpf(bottom or 1)


def normal_density(mean: Any, variance: Any) -> Density:
    """The density of N(mean, variance)."""
    return lambda y: MP.exp(-((y - mean) ** 2) / (2 * variance)) / MP.sqrt(2 * MP.pi * variance)


def renyi(p: Density, q: Density, alpha: Any, points: list[Any]) -> Any:
    """``log(int p^alpha q^{1-alpha}) / (alpha - 1)`` over consecutive intervals between ``points``."""
    return MP.log(MP.quad(lambda y: p(y) ** alpha * q(y) ** (1 - alpha), points)) / (alpha - 1)


def grid(low: Any, high: Any, n: int = 24) -> list[Any]:
    """A partition of [low, high]."""
    return [low + (high - low) * k / n for k in range(n + 1)]


def ornstein_uhlenbeck(theta: Any, rho: Any, t: Any) -> Callable[[Any], Density]:
    """``dX = -theta X dt + sqrt2 rho dW``."""
    variance = rho**2 / theta * -MP.expm1(-2 * theta * t)
    return lambda x: normal_density(MP.exp(-theta * t) * x, variance)


def benes(k: Any, t: Any) -> Callable[[Any], Density]:
    """``dX = 2k tanh(kX) dt + sqrt2 dW``: a mixture of the drifts +-2k, with weights (1 +- tanh kx)/2."""

    def start(x: Any) -> Density:
        up, down = normal_density(x + 2 * k * t, 2 * t), normal_density(x - 2 * k * t, 2 * t)
        weight = (1 + MP.tanh(k * x)) / 2
        return lambda y: weight * up(y) + (1 - weight) * down(y)

    return start


def bessel3(t: Any) -> Callable[[Any], Density]:
    """``dX = (1/X) dt + dW`` on x > 0: Brownian motion killed at 0, conditioned to survive."""

    def start(x: Any) -> Density:
        direct, mirrored = normal_density(x, t), normal_density(-x, t)
        return lambda y: (direct(y) - mirrored(y)) * y / x

    return start


def reflected(t: Any) -> Callable[[Any], Density]:
    """Brownian motion ``dX = dW`` reflected at 0."""

    def start(x: Any) -> Density:
        direct, mirrored = normal_density(x, t), normal_density(-x, t)
        return lambda y: direct(y) + mirrored(y)

    return start


def geometric(mu: Any, sigma: Any, t: Any) -> Callable[[Any], Density]:
    """``dX = mu X dt + sigma X dW`` on x > 0: log-normal."""

    def start(x: Any) -> Density:
        p = normal_density(MP.log(x) + (mu - sigma**2 / 2) * t, sigma**2 * t)
        return lambda y: p(MP.log(y)) / y

    return start


def gaussian_renyi(a: list[list[Any]], b: list[list[Any]], t: Any, z: list[Any], alpha: Any) -> Any:
    """``(alpha/2) (e^{At} z)^T Sigma^{-1} (e^{At} z)``, Sigma from one larger exponential (Van Loan 1978)."""
    am, bm = MP.matrix(a), MP.matrix(b)
    noise, n = bm * bm.T, am.rows
    block = MP.zeros(2 * n)
    for i in range(n):
        for j in range(n):
            block[i, j], block[i, n + j], block[n + i, n + j] = -am[i, j], noise[i, j], am[j, i]
    image = MP.expm(block * t)
    transition = MP.matrix([[image[n + j, n + i] for j in range(n)] for i in range(n)])
    sigma = transition * MP.matrix([[image[i, n + j] for j in range(n)] for i in range(n)])
    moved = transition * MP.matrix(z)
    return alpha / 2 * (moved.T * MP.inverse(sigma) * moved)[0, 0]
