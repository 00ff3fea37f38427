"""One pass of ball arithmetic at the working precision, for balls of any width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb
from sympy import Expr, Symbol

from symdp.enclosure.real import coshm1, cosm1
from symdp.enclosure.tape import Instruction, compile_tape
from symdp.errors import Undefined

NAN = arb("nan")


def _pow(step: Instruction, x: arb, y: arb) -> arb:
    if y.is_exact() and y.is_integer():
        return x ** int(y.unique_fmpz())
    if x < 0:
        raise Undefined(f"negative base in {step.node}")
    exponent = step.node.args[1]
    if exponent.is_Rational and exponent > 0:
        if not x.is_finite():
            return NAN
        return x.nonnegative_part().root(int(exponent.q)) ** int(exponent.p)
    return (x.log() * y).exp() if x > 0 else NAN


def compile_ball(expr: Expr, symbols: Sequence[Symbol]) -> Callable[[Sequence[arb]], arb]:
    """A callable that encloses ``expr`` on a box of balls given in the order of ``symbols``."""
    tape = compile_tape(expr)
    places = {symbol: k for k, symbol in enumerate(symbols)}

    def evaluate(balls: Sequence[arb]) -> arb:
        results: list[Any] = []
        for step in tape.steps:
            args = [results[i] for i in step.args]
            name = step.name
            if name == "symbol":
                value = balls[places[step.constant]]
            elif name == "rational":
                value = arb(step.constant)
            elif name == "pi":
                value = arb.pi()
            elif name == "e":
                value = arb.const_e()
            elif name == "add":
                value = sum(args[1:], args[0])
            elif name == "mul":
                value = args[0]
                for x in args[1:]:
                    value = value * x
            elif name == "power":
                value = args[0] ** step.constant
            elif name == "pow":
                value = _pow(step, *args)
            elif name == "expm1":
                value = args[0].expm1() * arb(step.constant)
            elif name == "coshm1":
                value = coshm1(args[0]) * arb(step.constant)
            elif name == "cosm1":
                value = cosm1(args[0]) * arb(step.constant)
            elif name == "same":
                value = args[0]
            elif name == "abs":
                value = abs(args[0])
            elif name == "sign":
                value = args[0].sgn()
            elif name in ("max", "min"):
                value = args[0]
                for x in args[1:]:
                    value = getattr(value, name)(x)
            elif name == "besseli":
                value = args[1].bessel_i(args[0])
            else:
                if name == "log" and args[0] <= 0:
                    raise Undefined(f"logarithm of a number that is not positive in {step.node}")
                value = getattr(args[0], name)()
            results.append(value)
        return results[-1]

    return evaluate
