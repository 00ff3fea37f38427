"""The paper's series for A at any real order, accelerated: about ``alpha + 1.31 digits`` terms, whatever q and sigma.

**Terms.** ``g = (1-q)(1+u)``, ``u = e^((x-z1)/s^2)``, ``z1 = 1/2 + s^2 log(1/q - 1)``. Expand ``(1+u)^alpha`` in u
below z1 and in 1/u above; completing squares, ``E_{mu0}[u^k; x < z1] = e^(-z1^2 w) erfcx((k - z1)/(sqrt2
s))/2`` and ``E_{mu0}[u^(alpha-k); x > z1] = e^(-z1^2 w) erfcx((k - alpha + z1)/(sqrt2 s))/2``, ``erfcx(t) = e^(t^2)
erfc(t)``. So

    A = (1-q)^alpha sum_k C(alpha,k) m_k,   m_k = the sum of the two.

At an integer order the sum ends at ``k = alpha``.

**Moments.** For ``k >= n0 = floor(alpha) + 1`` (alpha not an integer) the signs of ``C(alpha,k)`` alternate and
``|C(alpha,k)| = const B(k-alpha, alpha+1) = const int_0^1 t^(k-alpha-1) (1-t)^alpha dt``; ``E[u^k; u <
1]`` and ``E[u^alpha u^-k; u > 1]`` are moments of positive measures on [0, 1] too, and so are products and sums of
moment sequences. Hence ``a_j = |C(alpha, n0+j)| m_(n0+j) = int t^j dnu(t)``, nu >= 0.

**Acceleration** (Cohen, Rodriguez Villegas, Zagier 2000, Algorithm 1). ``S = sum (-1)^j a_j = int dnu/(1+t)``. With
``P(t) = T_n(1-2t)``, ``d = P(-1) = T_n(3) = ((3+sqrt8)^n + (3-sqrt8)^n)/2`` and
``S_n = int (d - P(t))/(d (1+t)) dnu``, a combination of ``a_0 .. a_(n-1)``,
``|S - S_n| = |int P/(d (1+t)) dnu| <= a_0/d``, because ``|P| <= 1`` on [0, 1] and ``int dnu = a_0``.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from flint import arb

from symdp.ball import arb_of, working_precision
from symdp.mechanisms.sampled_gaussian.integrand import log_of, log_of_one_minus

_RATE = math.log(3 + math.sqrt(8))


@lru_cache(maxsize=64)
def weights(n: int) -> tuple[int, tuple[int, ...]]:
    """``d = T_n(3)`` and the integers ``c_j`` with ``S_n = sum_j c_j a_j / d`` (signs included)."""
    d, before = 3, 1
    for _ in range(n - 1):
        d, before = 6 * d - before, d
    b, c = -1, -d
    out = []
    for j in range(n):
        c = b - c
        out.append(c)
        b = b * (j + n) * (j - n) * 2 // ((2 * j + 1) * (j + 1))
    return d, tuple(out)


def terms(alpha: Fraction, depth: float) -> int:
    """How many terms the sum takes for a relative error of about ``e^-depth``."""
    return math.floor(alpha) + 1 + _accelerated(depth)


def _accelerated(depth: float) -> int:
    return math.ceil((depth + 1) / _RATE) + 1


def moment(q: Fraction, sigma: Fraction, alpha: Fraction, depth: float) -> arb:
    """A as a ball of relative error about ``e^-depth``, 0 < q < 1, alpha > 0."""
    whole, n = math.floor(alpha), _accelerated(depth)
    s = float(sigma)
    crossing = 0.5 + s * s * (log_of_one_minus(q) - log_of(q))
    largest = ((abs(crossing) + float(alpha) + n) / s) ** 2
    bits = math.ceil(depth / math.log(2)) + 2 * math.ceil(math.log2(2 + largest)) + whole.bit_length() + 24
    with working_precision(bits):
        width, order = arb_of(sigma), arb_of(alpha)
        square = width * width
        z1 = arb(0.5) + square * arb_of(1 / q - 1).log()
        scale = 1 / (width * arb(2).sqrt())
        low, high = -z1 * scale, (z1 - order) * scale
        binomial, total = arb(1), arb(0)
        for k in range(whole + 1):
            total += binomial * _pair(low, high, scale, k)
            binomial *= (order - k) / (k + 1)
        d, factors = weights(n) if alpha.denominator > 1 else (1, ())
        size, rest, first = abs(binomial), arb(0), arb(0)
        for j, factor in enumerate(factors):
            k = whole + 1 + j
            value = size * _pair(low, high, scale, k)
            first = first if j else value
            rest += value * factor
            size *= (k - order) / (k + 1)
        rest = rest / d + arb(0, (first / d).upper())
        # the first term of the alternating part has the sign of C(alpha, floor(alpha)+1) > 0
        total += rest
        return (arb_of(1 - q).log() * order - z1 * z1 / (2 * square)).exp() * total / 2


def _pair(low: arb, high: arb, scale: arb, k: int) -> arb:
    below, above = low + scale * k, high + scale * k
    return (below * below).exp() * below.erfc() + (above * above).exp() * above.erfc()
