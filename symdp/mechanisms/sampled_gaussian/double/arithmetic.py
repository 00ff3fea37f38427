"""Float64 arithmetic with known errors: the unit, exact sums and products, ``e^y - 1 - y``.

Errors are counted in UNIT, the relative error of one operation rounded to nearest. The one assumption of the float64
path is FUNCTION_ERROR.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from mpmath import libmp
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

UNIT = 2.0**-53
FUNCTION_ERROR = 8
"""Assumed: numpy's float64 exp, expm1, log and log1p (and libm's) err by at most 4 ulp, 8 UNIT relatively."""

_TAYLOR = [2.0 / math.factorial(k + 2) for k in range(14)]


def second_remainder(y: Floats) -> Floats:
    """``e^y - 1 - y`` for ``y <= 700``, relative error at most 102 UNIT.

    Taylor for ``|y| <= 1/2``: the 14 coefficients leave out 6e-18 of the value, Horner's rule adds less than 20 UNIT.
    Beyond, the difference of ``e^y`` (8 UNIT) and ``1 + y`` (1 UNIT) costs at most ``(8 e^y + |1 + y|)/(e^y - 1 - y) +
    1 <= 101`` UNIT, reached at y = 1/2.
    """
    t = np.clip(y, -0.5, 0.5)
    near = np.full_like(t, _TAYLOR[-1])
    for coefficient in _TAYLOR[-2::-1]:
        near *= t
        near += coefficient
    near *= t
    near *= t
    near *= 0.5
    return np.where(t == y, near, np.exp(y) - (1.0 + y))


def two_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """``fl(x + y)`` and what the rounding lost, exactly (Knuth)."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def two_product(x: Any, y: Any) -> tuple[Any, Any]:
    """``fl(x y)`` and what the rounding lost, exactly while nothing underflows and ``|x|, |y| < 1e290`` (Dekker)."""
    product = x * y
    (a, b), (c, d) = _split(x), _split(y)
    return product, ((a * c - product) + a * d + b * c) + b * d


def _split(x: Any) -> tuple[Any, Any]:
    """Two numbers of at most 26 bits whose sum is x (Veltkamp)."""
    scaled = 134217729.0 * x
    high = scaled - (scaled - x)
    return high, x - high


@lru_cache(maxsize=64)
def log_pair(x: float) -> tuple[float, float]:
    """``log x`` to 106 bits, as a sum of two doubles."""
    value = libmp.mpf_log(libmp.from_float(x), 160)
    high = libmp.to_float(value)
    return high, libmp.to_float(libmp.mpf_sub(value, libmp.from_float(high), 53))
