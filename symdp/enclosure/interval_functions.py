"""Elementary functions on intervals: the monotone ones at the endpoints, so that each is as tight as the rounding."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

from symdp.ballfunctions import erfcx, expm1_over_x, log1p_over_x, sinh_over_x, tanh_over_x
from symdp.enclosure.interval import (
    INF,
    LINE,
    NEG_INF,
    ONE,
    ZERO,
    Pair,
    add,
    clip,
    down,
    exp_of,
    general_power,
    log,
    log1p,
    magnitude,
    mul,
    negate,
    power,
    up,
)
from symdp.enclosure.moment import bounds
from symdp.errors import Undefined


def monotone(function: Callable[[arb], arb], at_minus: arb, at_plus: arb) -> Callable[[list[bool], Pair], Pair]:
    """An increasing function on the line with its limits at both ends."""

    def value(gaps: list[bool], x: Pair) -> Pair:
        lower, upper = x
        low = at_minus if lower is NEG_INF else down(function(lower))
        high = at_plus if upper is INF else up(function(upper))
        return (low if low > at_minus else at_minus), (high if high < at_plus else at_plus)

    return value


def _decreasing(function: Callable[[arb], arb], at_minus: arb, at_plus: arb) -> Callable[[list[bool], Pair], Pair]:
    def value(gaps: list[bool], x: Pair) -> Pair:
        lower, upper = x
        low = at_plus if upper is INF else down(function(upper))
        high = at_minus if lower is NEG_INF else up(function(lower))
        return (low if low > at_plus else at_plus), (high if high < at_minus else at_minus)

    return value


def _clipped(
    name: str, function: Callable[[arb], arb], ends: tuple[arb, arb], *, rising: bool = True, open_ends: bool = False
) -> Callable[[list[bool], Pair], Pair]:
    """A monotone function defined between two ends only."""

    def at(x: arb, rounded: Callable[[arb], arb], limit: arb) -> arb:
        if not x.is_finite() or (open_ends and (x == ends[0] or x == ends[1])):
            return limit
        return rounded(function(x))

    def value(gaps: list[bool], x: Pair) -> Pair:
        lower, upper = clip(gaps, x, *ends, name, open_ends=open_ends)
        first, last = (lower, upper) if rising else (upper, lower)
        return at(first, down, NEG_INF), at(last, up, INF)

    return value


def _atan(gaps: list[bool], x: Pair) -> Pair:
    lower, upper = x
    low = down(-arb.pi() / 2) if lower is NEG_INF else down(lower.atan())
    return low, up(arb.pi() / 2) if upper is INF else up(upper.atan())


_sinh = monotone(arb.sinh, NEG_INF, INF)
_half_cosh = monotone(arb.cosh, ONE, INF)
_half_sech = _decreasing(arb.sech, ONE, ZERO)


def _cosh(gaps: list[bool], x: Pair) -> Pair:
    return _half_cosh(gaps, magnitude(x))


def _sech(gaps: list[bool], x: Pair) -> Pair:
    return _half_sech(gaps, magnitude(x))


def _odd_with_pole(function: Callable[[arb], arb], limit: arb) -> Callable[[list[bool], Pair], Pair]:
    """coth and csch: odd, decreasing on each side of a pole at zero, with ``limit`` at +oo."""

    def value(gaps: list[bool], x: Pair) -> Pair:
        lower, upper = x
        if upper <= ZERO and not (lower.is_zero() and upper.is_zero()):
            return negate(value(gaps, negate(x)))
        if lower > ZERO:
            low = limit if upper is INF else down(function(upper))
            return (low if low > limit else limit), up(function(lower))
        gaps.append(True)
        if upper.is_zero():
            raise Undefined("hyperbolic function at its pole")
        if lower.is_zero():
            return (limit if upper is INF else max(down(function(upper)), limit)), INF
        return LINE

    return value


def _periodic(function: Callable[[arb], arb]) -> Callable[[list[bool], Pair], Pair]:
    def value(gaps: list[bool], x: Pair) -> Pair:
        lower, upper = x
        if lower is NEG_INF or upper is INF:
            return -ONE, ONE
        ball = function(lower.union(upper) if lower != upper else lower)
        if not ball.is_finite():
            return -ONE, ONE
        return max(ball.lower(), -ONE), min(ball.upper(), ONE)

    return value


def _meromorphic(function: Callable[[arb], arb]) -> Callable[[list[bool], Pair], Pair]:
    """tan, cot, sec, csc: what flint says of the ball, or nothing where it meets a pole."""

    def value(gaps: list[bool], x: Pair) -> Pair:
        lower, upper = x
        if lower is not NEG_INF and upper is not INF:
            ball = function(lower.union(upper) if lower != upper else lower)
            if ball.is_finite():
                return ball.lower(), ball.upper()
        gaps.append(True)
        return LINE

    return value


_sin = _periodic(arb.sin)


def _halved(x: Pair) -> Pair:
    return (x[0] if x[0] is NEG_INF else x[0] / 2), (x[1] if x[1] is INF else x[1] / 2)


expm1 = monotone(arb.expm1, -ONE, INF)
_erf = monotone(arb.erf, -ONE, ONE)


def coshm1(gaps: list[bool], x: Pair) -> Pair:
    """``cosh(x) - 1`` without cancellation."""
    return mul(gaps, (arb(2), arb(2)), power(gaps, _sinh(gaps, _halved(magnitude(x))), 2))


def cosm1(gaps: list[bool], x: Pair) -> Pair:
    """``cos(x) - 1`` without cancellation."""
    return mul(gaps, (arb(-2), arb(-2)), power(gaps, _sin(gaps, _halved(x)), 2))


def erfcm1(gaps: list[bool], x: Pair) -> Pair:
    """``erfc(x) - 1`` without cancellation."""
    return negate(_erf(gaps, x))


def _abs(gaps: list[bool], x: Pair) -> Pair:
    return magnitude(x)


def _sign(gaps: list[bool], x: Pair) -> Pair:
    lower, upper = x
    low = ONE if lower > ZERO else ZERO if lower.is_zero() else -ONE
    high = -ONE if upper < ZERO else ZERO if upper.is_zero() else ONE
    return low, high


def _max(gaps: list[bool], *args: Pair) -> Pair:
    return max(low for low, _ in args), max(high for _, high in args)


def _min(gaps: list[bool], *args: Pair) -> Pair:
    return min(low for low, _ in args), min(high for _, high in args)


def _besseli(gaps: list[bool], order: Pair, x: Pair) -> Pair:
    (nu, same), (lower, upper) = order, x
    if nu == same and nu >= ZERO and lower >= ZERO:
        # I_nu increases on [0, oo) for nu >= 0.
        low = ZERO if lower is INF else max(down(lower.bessel_i(nu)), ZERO)
        return low, INF if upper is INF else up(upper.bessel_i(nu))
    if not (lower > ZERO or (nu == same and nu.is_integer())):
        gaps.append(True)
    if lower is NEG_INF or upper is INF or not nu.is_finite() or not same.is_finite():
        return LINE
    ball = (lower.union(upper) if lower != upper else lower).bessel_i(nu.union(same) if nu != same else nu)
    return (ball.lower(), ball.upper()) if ball.is_finite() else LINE


def _sampled_moment(gaps: list[bool], p: Pair, q: Pair, s: Pair) -> Pair:
    q = clip(gaps, q, ZERO, ONE, "a sampling rate outside 0 and 1")
    s = clip(gaps, s, ZERO, INF, "a standard deviation below 0", open_ends=True)
    return bounds(p, q, s)


def _same(gaps: list[bool], x: Pair) -> Pair:
    return x


_half_sinh_over_x = monotone(sinh_over_x, ONE, INF)
_half_tanh_over_x = _decreasing(tanh_over_x, ONE, ZERO)


def _sinh_over_x(gaps: list[bool], x: Pair) -> Pair:
    return _half_sinh_over_x(gaps, magnitude(x))


def _tanh_over_x(gaps: list[bool], x: Pair) -> Pair:
    return _half_tanh_over_x(gaps, magnitude(x))


def _log1p_over_x(gaps: list[bool], x: Pair) -> Pair:
    lower, upper = clip(gaps, x, -ONE, INF, "logarithm", open_ends=True)
    low = ZERO if upper is INF else max(down(log1p_over_x(upper)), ZERO)
    return low, INF if lower == -ONE else up(log1p_over_x(lower))


_HALF_LINE = (ONE, INF)
_SEGMENT = (-ONE, ONE)
TABLE: dict[str, Callable[..., Pair]] = {
    "same": _same,
    "add": add,
    "mul": mul,
    "pow": general_power,
    "exp": lambda gaps, x: exp_of(x),
    "log": log,
    "log1p": log1p,
    "sin": _sin,
    "cos": _periodic(arb.cos),
    "tan": _meromorphic(arb.tan),
    "cot": _meromorphic(arb.cot),
    "sec": _meromorphic(arb.sec),
    "csc": _meromorphic(arb.csc),
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": monotone(arb.tanh, -ONE, ONE),
    "coth": _odd_with_pole(arb.coth, ONE),
    "sech": _sech,
    "csch": _odd_with_pole(arb.csch, ZERO),
    "asin": _clipped("asin", arb.asin, _SEGMENT),
    "acos": _clipped("acos", arb.acos, _SEGMENT, rising=False),
    "atan": _atan,
    "asinh": monotone(arb.asinh, NEG_INF, INF),
    "acosh": _clipped("acosh", arb.acosh, _HALF_LINE),
    "atanh": _clipped("atanh", arb.atanh, _SEGMENT, open_ends=True),
    "erf": _erf,
    "erfc": _decreasing(arb.erfc, arb(2), ZERO),
    "erfcx": _decreasing(erfcx, INF, ZERO),
    "expm1_over_x": monotone(expm1_over_x, ZERO, INF),
    "log1p_over_x": _log1p_over_x,
    "sinh_over_x": _sinh_over_x,
    "tanh_over_x": _tanh_over_x,
    "abs": _abs,
    "sign": _sign,
    "max": _max,
    "min": _min,
    "besseli": _besseli,
    "sampled_moment": _sampled_moment,
}
