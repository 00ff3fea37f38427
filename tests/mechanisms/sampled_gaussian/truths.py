"""Independent truths for the sampled Gaussian in mpmath: the paper's sums; plain quadrature for replace-one."""

from __future__ import annotations

from typing import Any

from mpmath import MPContext


def context(q: float, sigma: float, excess: float, digits: int) -> Any:
    """A context with enough digits for a loss of about ``q^2 excess/sigma^2`` taken as a difference from 1."""
    mp = MPContext()
    mp.dps = digits + 20 + int(max(0, -2 * mp.log10(q) + 2 * mp.log10(max(sigma, 1)) - mp.log10(min(excess, 1))))
    return mp


def add_remove(q: float, sigma: float, alpha: float, digits: int = 25) -> Any:
    """``R_alpha(mu||mu0)`` for ``0 < q < 1``, ``alpha > 1``: the binomial sum, or the erfc series.

    The series' alternating tail is accelerated (Cohen, Rodriguez Villegas and Zagier 2000, Algorithm 1).
    """
    mp = context(q, sigma, alpha - 1, digits)
    q, sigma, alpha = mp.mpf(q), mp.mpf(sigma), mp.mpf(alpha)
    w, whole = 1 / (2 * sigma**2), int(alpha)
    binomial, total = mp.mpf(1), mp.mpf(0)
    if alpha == whole:
        for k in range(whole + 1):
            total += binomial * (1 - q) ** (whole - k) * q**k * mp.expm1((k * k - k) * w)
            binomial = binomial * (whole - k) / (k + 1)
        return mp.log1p(total) / (alpha - 1)
    centre, unit = mp.mpf(1) / 2 + sigma**2 * mp.log(1 / q - 1), mp.sqrt(2) * sigma
    tail = []
    for k in range(whole + 1 + int(1.31 * mp.dps) + 6):
        j = alpha - k
        term = (1 - q) ** j * q**k * mp.exp((k * k - k) * w) * mp.erfc((k - centre) / unit)
        term += (1 - q) ** k * q**j * mp.exp((j * j - j) * w) * mp.erfc((centre - j) / unit)
        if k <= whole:
            total += binomial * term / 2
        else:
            tail.append(binomial * term / 2)
        binomial = binomial * (alpha - k) / (k + 1)
    return mp.log(total + _alternating(mp, tail)) / (alpha - 1)


def _alternating(mp: Any, terms: list[Any]) -> Any:
    n = len(terms)
    d = (3 + mp.sqrt(8)) ** n
    d = (d + 1 / d) / 2
    b, c, total = mp.mpf(-1), -d, mp.mpf(0)
    for k, term in enumerate(terms):
        c = b - c
        total += c * term * (-1) ** k
        b = b * (k + n) * (k - n) / ((k + mp.mpf(1) / 2) * (k + 1))
    return total / d


def replace_one(q: float, sigma: float, alpha: float, digits: int = 20) -> Any:
    """``R_alpha`` of the two mixtures with means +1 and -1, by quadrature on intervals a standard deviation long."""
    mp = context(q, sigma, alpha - 1, digits)
    q, sigma, alpha = mp.mpf(q), mp.mpf(sigma), mp.mpf(alpha)

    def integrand(x: Any) -> Any:
        zero, plus, minus = (mp.exp(-((x - m) ** 2) / (2 * sigma**2)) for m in (0, 1, -1))
        up, down = (1 - q) * zero + q * plus, (1 - q) * zero + q * minus
        return up * mp.exp((alpha - 1) * mp.log(up / down))

    reach = sigma * mp.sqrt(5 * mp.dps)
    low, high = -2 - reach, 2 * alpha + reach
    n = int(mp.ceil((high - low) / sigma))
    value = mp.quad(integrand, [low + (high - low) * k / n for k in range(n + 1)])
    return mp.log(value / (sigma * mp.sqrt(2 * mp.pi))) / (alpha - 1)


def divergence(q: float, sigma: float, *, replace: bool, digits: int = 25) -> Any:
    """The Kullback-Leibler divergence of mu from mu0, or of the two mixtures of ``replace_one``."""
    mp = context(q, sigma, 1, digits)
    q, sigma = mp.mpf(q), mp.mpf(sigma)

    def integrand(x: Any) -> Any:
        zero, plus, minus = (mp.exp(-((x - m) ** 2) / (2 * sigma**2)) for m in (0, 1, -1))
        up, down = (1 - q) * zero + q * plus, ((1 - q) * zero + q * minus) if replace else zero
        return up * mp.log(up / down)

    reach = sigma * mp.sqrt(5 * mp.dps)
    n = int(mp.ceil((2 * reach + 4) / sigma))
    value = mp.quad(integrand, [-reach - 2 + (2 * reach + 4) * k / n for k in range(n + 1)])
    return value / (sigma * mp.sqrt(2 * mp.pi))
