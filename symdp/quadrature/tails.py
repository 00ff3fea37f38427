"""Proved bounds for the tail of an integral, ``int_S^oo |f|``.

From ``log|f(x)| <= B(x)`` for every ``x >= S >= 1``, where B decreases at a rate of at least r > 0 from S on, the tail
is at most ``exp(B(S))/r``.
"""

from __future__ import annotations

from flint import arb
from sympy import Expr, Symbol

from symdp.quadrature.bounds import NoBound
from symdp.quadrature.growth import Growth

__all__ = ["NoBound", "tail"]


def tail(expr: Expr, symbol: Symbol, start: arb) -> arb:
    """An upper bound for the integral of ``|expr|`` from ``start >= 1`` to +oo; NoBound if none is proved."""
    growth = Growth(symbol, start)
    growth.check(expr)
    bound = growth.size(expr)
    falling = [j for j, b in bound.powers.items() if b < 0]
    if not falling:
        raise NoBound("the integrand is not seen to decay at infinity")
    # rate = -(d/dx) bound <= -x**(d-1) * (d*b_d + sum over rising terms, largest at x = start)
    top = max(falling)
    rate = top * bound.powers[top] + bound.log_factor.max(arb(0)) / start**top
    for j, b in bound.powers.items():
        if j != top and not b <= 0:
            if j > top:
                raise NoBound("the integrand is not seen to decay at infinity")
            rate = rate + j * b.max(arb(0)) / start ** (top - j)
    rate = -rate * start ** (top - 1)
    if not rate > 0:
        raise NoBound("the integrand does not decay yet")
    value = bound.constant + bound.log_factor * start.log()
    for j, b in bound.powers.items():
        value = value + b * start**j
    return (value.exp() / rate).upper()
