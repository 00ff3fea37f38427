"""An integrand as a function of a complex ball, for certified integration along the real line.

Gauss quadrature needs the integrand on a complex neighbourhood of each piece of the path, and may use it only where it
is analytic. Each such ball contains a piece of the real line, so a function with a branch cut on the line is accepted
only where its argument stays off the cut; the result is not finite otherwise. That also proves that the integrand is
real and defined where it was accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flint import acb, arb
from sympy import Expr, Symbol

from symdp.enclosure.real import constant_results, to_arb
from symdp.enclosure.tape import Instruction, compile_tape
from symdp.errors import Undetermined
from symdp.text.names import FUNCTIONS_OF_SEVERAL

NAN = acb("nan")
Integrand = Callable[[acb, bool], acb]


def integrand(expr: Expr, symbol: Symbol, values: Mapping[Symbol, Expr]) -> Integrand:
    """``f(z, analytic)`` for ``acb.integral`` at the working precision of the moment it is made.

    Parts without ``symbol`` are computed once, in real arithmetic (Unsure, Singular or Undefined as there).
    """
    tape = compile_tape(expr, values)
    fixed = constant_results(tape, symbol)
    ready: list[acb | None] = [None if x is None else acb(to_arb(x)) for x in fixed]
    program = [
        (k, _operation(step, [fixed[i] for i in step.args]), step.args)
        for k, step in enumerate(tape.steps)
        if fixed[k] is None
    ]

    def function(z: acb, analytic: bool) -> acb:
        results: list[Any] = list(ready)
        for k, operation, args in program:
            results[k] = operation(z, analytic, *[results[i] for i in args])
        return results[-1]

    return function


def _operation(step: Instruction, fixed: list[Any]) -> Callable[..., acb]:
    name = step.name
    if name == "power":
        n = step.constant
        return lambda z, analytic, x: x**n
    if name == "pow":
        exponent = fixed[1]
        if exponent is not None and not isinstance(exponent, arb) and exponent.q <= 64:
            p, q = int(exponent.p), int(exponent.q)
            if q == 1:
                return lambda z, analytic, x, y: x**p
            if q == 2:
                return lambda z, analytic, x, y: x.sqrt() ** p if x.real > 0 else NAN
            return lambda z, analytic, x, y: x.root(q) ** p if x.real > 0 else NAN
        return lambda z, analytic, x, y: (x.log() * y).exp() if x.real > 0 else NAN
    if name in _MINUS_ONE:
        factor = acb(arb(step.constant))
        core = _MINUS_ONE[name]
        return lambda z, analytic, x: factor * core(x)
    if name == "besseli":
        whole = fixed[0] is not None and not isinstance(fixed[0], arb) and fixed[0].q == 1
        return lambda z, analytic, nu, x: x.bessel_i(nu) if whole or x.real > 0 else NAN
    if name in FUNCTIONS_OF_SEVERAL:
        raise Undetermined(f"{name} cannot be integrated over its arguments")
    return _TABLE[name]


def _entire(function: Callable[[acb], acb]) -> Callable[..., acb]:
    """A function without branch cuts; at its poles flint answers with a ball that is not finite."""
    return lambda z, analytic, x: function(x)


def _between(function: Callable[[acb], acb], low: int | None, high: int | None) -> Callable[..., acb]:
    """A function with cuts along the real line outside ``(low, high)``."""

    def value(z: acb, analytic: bool, x: acb) -> acb:
        real = x.real
        if (low is None or real > low) and (high is None or real < high):
            return function(x)
        return NAN

    return value


def _beside(function: Callable[[acb], acb]) -> Callable[..., acb]:
    """A function with cuts along the imaginary axis outside ``(-i, i)``."""

    def value(z: acb, analytic: bool, x: acb) -> acb:
        imag = x.imag
        return function(x) if (imag > -1 and imag < 1) or x.real > 0 or x.real < 0 else NAN

    return value


def _add(z: acb, analytic: bool, *args: acb) -> acb:
    total = args[0]
    for x in args[1:]:
        total = total + x
    return total


def _mul(z: acb, analytic: bool, *args: acb) -> acb:
    total = args[0]
    for x in args[1:]:
        total = total * x
    return total


def _fold(name: str) -> Callable[..., acb]:
    def value(z: acb, analytic: bool, *args: acb) -> acb:
        total = args[0]
        for x in args[1:]:
            total = getattr(total, name)(x, analytic=analytic)
        return total

    return value


_MINUS_ONE: dict[str, Callable[[acb], acb]] = {
    "expm1": acb.expm1,
    "coshm1": lambda x: 2 * (x / 2).sinh() ** 2,
    "cosm1": lambda x: -2 * (x / 2).sin() ** 2,
    "erfcm1": lambda x: -x.erf(),
}
_TABLE: dict[str, Callable[..., acb]] = {
    "symbol": lambda z, analytic: z,
    "same": lambda z, analytic, x: x,
    "add": _add,
    "mul": _mul,
    "max": _fold("real_max"),
    "min": _fold("real_min"),
    "abs": lambda z, analytic, x: x.real_abs(analytic=analytic),
    "sign": lambda z, analytic, x: x.real_sgn(analytic=analytic),
    "log": _between(acb.log, 0, None),
    "log1p": _between(acb.log1p, -1, None),
    "asin": _between(acb.asin, -1, 1),
    "acos": _between(acb.acos, -1, 1),
    "atanh": _between(acb.atanh, -1, 1),
    "acosh": _between(acb.acosh, 1, None),
    "atan": _beside(acb.atan),
    "asinh": _beside(acb.asinh),
    **{
        name: _entire(getattr(acb, name))
        for name in (
            *("exp", "sin", "cos", "tan", "cot", "sec", "csc", "erf", "erfc"),
            *("sinh", "cosh", "tanh", "coth", "sech", "csch"),
        )
    },
}
