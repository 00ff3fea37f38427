"""Ball functions flint lacks: smooth functions that are written as 0/0 at zero, and log-cosh. No sympy.

Each is monotone on a half line, so it is evaluated at the exact endpoints of the ball, where nothing cancels; the
results are enclosures for balls of any width. A ball that is not finite, or leaves the domain, gives one that is not
finite. And integrals of functions of complex balls along the real line.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import acb, arb

_WHOLE = arb(0, arb("inf"))


def _between(function: Callable[[arb], arb], low: arb, high: arb) -> arb:
    """The ball spanned by the values at two exact points."""
    first = function(low)
    return first if low == high else first.union(function(high))


def _even(function: Callable[[arb], arb], x: arb) -> arb:
    """An even function that is monotone on ``[0, oo)``."""
    return _between(function, x.abs_lower(), x.abs_upper()) if x.is_finite() else _WHOLE


def expm1_over_x(x: arb) -> arb:
    """``(exp(x) - 1)/x``, 1 at 0; increasing."""
    return _between(_expm1_over_x, x.lower(), x.upper()) if x.is_finite() else _WHOLE


def _expm1_over_x(x: arb) -> arb:
    return arb(1) if x.is_zero() else x.expm1() / x


def log1p_over_x(x: arb) -> arb:
    """``log(1 + x)/x``, 1 at 0; decreasing on ``(-1, oo)``."""
    if not x.is_finite() or not x > -1:
        return _WHOLE
    return _between(_log1p_over_x, x.lower(), x.upper())


def _log1p_over_x(x: arb) -> arb:
    return arb(1) if x.is_zero() else x.log1p() / x


def sinh_over_x(x: arb) -> arb:
    """``sinh(x)/x``, 1 at 0; even, increasing on ``[0, oo)``."""
    return _even(lambda y: arb(1) if y.is_zero() else y.sinh() / y, x)


def tanh_over_x(x: arb) -> arb:
    """``tanh(x)/x``, 1 at 0; even, decreasing on ``[0, oo)``."""
    return _even(lambda y: arb(1) if y.is_zero() else y.tanh() / y, x)


def erfcx(x: arb) -> arb:
    """``exp(x^2) erfc(x)``; decreasing."""
    return _between(_erfcx, x.lower(), x.upper()) if x.is_finite() else _WHOLE


def _erfcx(x: arb) -> arb:
    if x > 64:  # Tricomi's function, which needs neither of the two factors
        half = arb(1) / 2
        return (x * x).hypgeom_u(half, half) / arb.pi().sqrt()
    return (x * x).exp() * x.erfc()


def x_coth_x(x: arb) -> arb:
    """``x*coth(x)``, 1 at 0; even, increasing on ``[0, oo)``."""
    return _even(lambda y: arb(1) if y.is_zero() else y * y.coth(), x)


def log_cosh(x: arb) -> arb:
    """``log(cosh(x))`` without overflow or cancellation; even, increasing on ``[0, oo)``."""
    return _even(_log_cosh, x)


def _log_cosh(y: arb) -> arb:
    if y > 1:
        return y + (-2 * y).exp().log1p() - arb.const_log2()
    # cosh(y) - 1 = 2 sinh(y/2)**2
    return (2 * (y / 2).sinh() ** 2).log1p()


def path_integral(
    function: Callable[[acb, bool], acb], ends: tuple[arb, arb], relative: arb, absolute: arb, evaluations: int
) -> acb:
    """``int f`` over a bounded range, not finite where f is not seen to be analytic; what f raises is raised here.

    Flint's integration goes on after an exception in the integrand (an interrupt from the keyboard too) and then fails
    with another one.
    """
    raised: list[BaseException] = []

    def value(z: acb, analytic: bool) -> acb:
        if not raised:
            try:
                return function(z, analytic)
            except BaseException as error:
                raised.append(error)
        return acb("nan")

    low, high = ends
    found = acb.integral(value, acb(low), acb(high), rel_tol=relative, abs_tol=absolute, eval_limit=evaluations)
    if raised:
        raise raised[0]
    return found
