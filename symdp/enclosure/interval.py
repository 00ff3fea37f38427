"""Interval arithmetic with exact ``arb`` endpoints: sums, products, powers and logarithms.

A mid-radius ball cannot hold ``[0, 1]`` without dipping below zero, nor a half line. Here an interval is a pair of
endpoints, each rounded outward at the working precision; either may be infinite (always one of the two constants).
Every operation takes a list ``gaps`` first, and appends to it when the interval reaches where it is not defined.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

from symdp.errors import Undefined

INF, NEG_INF = arb("inf"), arb("-inf")
ZERO, ONE = arb(0), arb(1)

Pair = tuple[arb, arb]
LINE: Pair = (NEG_INF, INF)


def down(x: arb) -> arb:
    """A number not above ``x``."""
    return x.lower() if x.is_finite() else NEG_INF


def up(x: arb) -> arb:
    """A number not below ``x``."""
    return x.upper() if x.is_finite() else INF


def add(gaps: list[bool], *terms: Pair) -> Pair:
    """A sum of intervals."""
    lower, upper = terms[0]
    for low, high in terms[1:]:
        lower = NEG_INF if lower is NEG_INF or low is NEG_INF else lower + low
        upper = INF if upper is INF or high is INF else upper + high
    return down(lower), up(upper)


def _product(x: arb, y: arb) -> arb:
    """A product of endpoints; an infinite endpoint is a limit that is never reached, so 0 * inf is 0."""
    if x.is_zero() or y.is_zero():
        return ZERO
    if x.is_finite() and y.is_finite():
        return x * y
    return INF if (x > ZERO) == (y > ZERO) else NEG_INF


def mul(gaps: list[bool], *factors: Pair) -> Pair:
    """A product of intervals; an infinite endpoint is never reached, so ``0 * inf`` is 0."""
    lower, upper = factors[0]
    for low, high in factors[1:]:
        if lower >= ZERO:
            least = _product(lower if low >= ZERO else upper, low)
            most = _product(upper if high >= ZERO else lower, high)
        elif upper <= ZERO:
            least = _product(lower if high >= ZERO else upper, high)
            most = _product(upper if low >= ZERO else lower, low)
        elif low >= ZERO:
            least, most = _product(lower, high), _product(upper, high)
        elif high <= ZERO:
            least, most = _product(upper, low), _product(lower, low)
        else:
            least = min(down(_product(lower, high)), down(_product(upper, low)))
            most = max(up(_product(lower, low)), up(_product(upper, high)))
        lower, upper = down(least), up(most)
    return lower, upper


def inverse(gaps: list[bool], x: Pair) -> Pair:
    """``1/x``; a half line where 0 is an endpoint, the line where it is inside."""
    lower, upper = x
    if lower > ZERO or upper < ZERO:
        return _reciprocal(upper, down), _reciprocal(lower, up)
    gaps.append(True)
    if lower.is_zero() and upper.is_zero():
        raise Undefined("division by zero")
    if lower.is_zero():
        return _reciprocal(upper, down), INF
    if upper.is_zero():
        return NEG_INF, _reciprocal(lower, up)
    return LINE


def _reciprocal(x: arb, rounded: Callable[[arb], arb]) -> arb:
    return rounded(ONE / x) if x.is_finite() else ZERO


def _whole_power(x: arb, n: int) -> arb:
    if x.is_finite():
        return x**n
    return INF if x is INF or n % 2 == 0 else NEG_INF


def power(gaps: list[bool], x: Pair, n: int) -> Pair:
    """``x**n`` for an integer n."""
    if n < 0:
        return inverse(gaps, power(gaps, x, -n))
    if n == 0:
        return ONE, ONE
    lower, upper = x
    if n % 2 and not lower >= ZERO:
        return down(_whole_power(lower, n)), up(_whole_power(upper, n))
    lower, upper = magnitude(x)
    # An even power and a power of a non-negative number are never negative, whatever the rounding says.
    return max(down(_whole_power(lower, n)), ZERO), up(_whole_power(upper, n))


def magnitude(x: Pair) -> Pair:
    """``|x|``."""
    lower, upper = x
    if lower >= ZERO:
        return x
    if upper <= ZERO:
        return negate(x)
    low = INF if lower is NEG_INF else -lower
    return ZERO, INF if upper is INF else max(low, upper)


def negate(x: Pair) -> Pair:
    """``-x``."""
    lower, upper = x
    return (NEG_INF if upper is INF else -upper), (INF if lower is NEG_INF else -lower)


def clip(gaps: list[bool], x: Pair, lowest: arb, highest: arb, name: str, *, open_ends: bool = False) -> Pair:
    """The part of an interval where a function is defined."""
    lower, upper = x
    if upper < lowest or lower > highest or (open_ends and (upper <= lowest or lower >= highest)):
        raise Undefined(f"{name} of a number outside its range")
    if lower < lowest or upper > highest or (open_ends and not (lower > lowest and upper < highest)):
        gaps.append(True)
    return (lower if lower > lowest else lowest), (upper if upper < highest else highest)


def _root(x: arb, q: int) -> arb:
    if x.is_zero() or not x.is_finite():
        return x
    if q >= 1 << 32:  # more than FLINT's roots take
        return (x.log() / q).exp() if x > 0 else x.union(ZERO).union(arb(1))
    return x.sqrt() if q == 2 else x.root(q)


def root_power(gaps: list[bool], x: Pair, p: int, q: int) -> Pair:
    """``x**(p/q)``, the real root of a non-negative number."""
    lower, upper = clip(gaps, x, ZERO, INF, "root")
    if upper.is_finite() or upper is INF:
        lower, upper = max(down(_root(lower, q)), ZERO), up(_root(upper, q))
    return power(gaps, (lower, upper), p)


def general_power(gaps: list[bool], x: Pair, y: Pair) -> Pair:
    """``x**y``: an integer power where y is an integer, else ``exp(y*log(x))``."""
    low, high = y
    if low == high and low.is_integer():
        return power(gaps, x, int(low.unique_fmpz()))
    lower, upper = x
    if lower < ZERO:
        # Below zero only integer exponents have a value, and it is |x|**y up to sign.
        if upper < ZERO and not _holds_integer(low, high):
            raise Undefined("power of a negative number")
        gaps.append(True)
        _, most = general_power(gaps, magnitude(x), y)
        return (NEG_INF if most is INF else -most), most
    if lower.is_zero():
        if not low > ZERO:
            gaps.append(True)
        if upper.is_zero():
            return (ZERO, ZERO) if low > ZERO else (ZERO, INF)
    logarithm = (NEG_INF if lower.is_zero() else down(lower.log())), (INF if upper is INF else up(upper.log()))
    return exp_of(mul(gaps, y, logarithm))


def _holds_integer(low: arb, high: arb) -> bool:
    return not (low.is_finite() and high.is_finite()) or bool(low.ceil() <= high.floor())


def log(gaps: list[bool], x: Pair) -> Pair:
    """The natural logarithm."""
    lower, upper = clip(gaps, x, ZERO, INF, "logarithm")
    if upper.is_zero():
        raise Undefined("logarithm of zero")
    if lower.is_zero():
        gaps.append(True)
        low = NEG_INF
    else:
        low = down(lower.log())
    return low, INF if upper is INF else up(upper.log())


def log1p(gaps: list[bool], x: Pair) -> Pair:
    """``log(1 + x)``."""
    lower, upper = clip(gaps, x, -ONE, INF, "logarithm", open_ends=False)
    if upper == -ONE:
        raise Undefined("logarithm of zero")
    if lower == -ONE:
        gaps.append(True)
        low = NEG_INF
    else:
        low = down(lower.log1p())
    return low, INF if upper is INF else up(upper.log1p())


def exp_of(x: Pair) -> Pair:
    """The exponential of an interval."""
    lower, upper = x
    low = ZERO if lower is NEG_INF else max(down(lower.exp()), ZERO)
    return low, INF if upper is INF else up(upper.exp())
