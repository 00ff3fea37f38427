"""The paper's finite sum at an integer order, arranged so that nothing cancels.

``A = sum_k C(alpha,k) (1-q)^(alpha-k) q^k e^((k^2-k) w)``, ``w = 1/(2 s^2)``, is the expansion of
``E_{mu0}[g^alpha]``. The binomial weights sum to 1, hence ``A - 1 = sum_{k>=2} C(alpha,k) (1-q)^(alpha-k) q^k
(e^((k^2-k) w) - 1)``: every term is >= 0, so the relative error of the sum is that of its terms, however small the
loss is.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from symdp.ball import arb_of, working_precision


def excess(q: Fraction, sigma: Fraction, alpha: int, bits: int) -> arb:
    """``A - 1`` with about ``bits`` proved bits, 0 < q < 1, ``alpha >= 1`` an integer."""
    w = 1 / (2 * sigma**2)
    # each recurrence loses at most 2 log2(alpha) bits, the subtraction of 1 the bits of a small w
    guard = 3 * alpha.bit_length() + max(0, math.ceil(-math.log2(2 * float(w)))) + 8
    exponent = max(1.0, float(alpha) ** 2 * float(w))
    with working_precision(bits + guard + math.ceil(math.log2(exponent))):
        odds = arb_of(q / (1 - q))
        weight = arb_of(1 - q) ** alpha * odds * alpha  # k = 1
        base = arb_of(w).exp() ** 2
        power = jump = base  # e^((k^2-k) w) and e^(2 (k-1) w), at k = 2
        total = arb(0)
        for k in range(2, alpha + 1):
            weight = weight * odds * (alpha - k + 1) / k
            total += weight * (power - 1)
            jump *= base
            power *= jump
        return total
