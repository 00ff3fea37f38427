"""A second opinion: an evaluator of its own on mpmath numbers, without proof. It shares no code with the ball route."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath
from mpmath import libmp
from sympy import Expr, Symbol

from symdp.ball import bits_for, mp_context
from symdp.errors import InputError, Undefined, Undetermined

# Precision is raised up to this many digits (or eight times what is asked for).
_MAX_DIGITS = 12_000


def mp_value(expr: Expr, values: Mapping[Symbol, Expr], digits: int) -> Any:
    """The value of ``expr`` as an mpf: precision is raised until two successive results agree to ``digits`` digits.

    Raises Undefined where the expression has no real value, Undetermined when no two precisions agree.
    """
    working = digits + 20
    previous: Any = None
    while working <= max(_MAX_DIGITS, 8 * digits):
        context = mp_context(working)
        try:
            value = _Evaluator(context, values)(expr)
        except (ZeroDivisionError, OverflowError, ValueError) as error:
            value, failure = None, error
        if value is not None:
            value = context.mpf(value)
            if previous is not None and _agree(context, previous, value, digits):
                return mpmath.mp.make_mpf(libmp.mpf_pos(value._mpf_, bits_for(digits) + 8, "n"))
        elif previous is None and working > 4 * digits + 200:
            raise Undefined(f"{str(expr)[:160]} has no value here: {failure}")
        previous, working = value, 2 * working
    if previous is not None and abs(previous) < mpmath.mp.make_mpf((0, 1, -int(working * 0.8), 1)):
        return mpmath.mp.mpf(0)  # zero as far as the last precision shows
    raise Undetermined(f"two precisions never agreed to {digits} digits on {str(expr)[:160]}")


def _agree(context: Any, a: Any, b: Any, digits: int) -> bool:
    if not (context.isfinite(a) and context.isfinite(b)):
        return False
    a = context.mpf(a)
    return bool(b != 0 and abs(a - b) <= abs(b) * context.mpf(10) ** (-digits - 2))


class _Evaluator:
    def __init__(self, context: Any, values: Mapping[Symbol, Expr]) -> None:
        self.context, self.values = context, values
        self.known: dict[Expr, Any] = {}

    def __call__(self, expr: Expr) -> Any:
        """The value of ``expr``; operands first, without recursion."""
        stack = [expr]
        while stack:
            node = stack[-1]
            if node not in self.known:
                operands = (self.values[node],) if node.is_Symbol else node.args
                missing = [child for child in operands if child not in self.known]
                if missing:
                    stack += missing
                    continue
                self.known[node] = self.compute(node, [self.known[child] for child in operands])
            stack.pop()
        return self.known[expr]

    def compute(self, node: Expr, args: list[Any]) -> Any:
        mp = self.context
        if node.is_Symbol:
            return args[0]
        if node.is_Rational:
            return mp.mpf(int(node.p)) / int(node.q)
        if node.is_Float:
            return mp.mpf(node._mpf_)
        if not args and node.func.__name__ in ("Pi", "Exp1"):
            return +mp.pi if node.func.__name__ == "Pi" else +mp.e
        if node.is_Add:
            return mp.fsum(args)
        if node.is_Mul:
            return mp.fprod(args)
        if node.is_Pow:
            return self.power(args[0], args[1], node)
        name = node.func.__name__
        if name in ("Max", "Min"):
            return max(args) if name == "Max" else min(args)
        function = _table(mp).get(name)
        if function is None:
            raise InputError(f"{name} is not a function this engine knows")
        value = function(*args)
        if not isinstance(value, mp.mpf):
            raise Undefined(f"{str(node)[:160]} is not real here")
        return value

    def power(self, base: Any, exponent: Any, node: Expr) -> Any:
        mp = self.context
        if mp.isint(exponent):
            return base ** int(exponent)
        if base < 0:
            raise Undefined(f"{str(node)[:160]} is not real here")
        return mp.power(base, exponent)


def _table(mp: Any) -> dict[str, Callable[..., Any]]:
    return {
        "exp": mp.exp,
        "log": mp.log,
        "sin": mp.sin,
        "cos": mp.cos,
        "tan": mp.tan,
        "cot": mp.cot,
        "sec": mp.sec,
        "csc": mp.csc,
        "sinh": mp.sinh,
        "cosh": mp.cosh,
        "tanh": mp.tanh,
        "coth": mp.coth,
        "sech": mp.sech,
        "csch": mp.csch,
        "asin": mp.asin,
        "acos": mp.acos,
        "atan": mp.atan,
        "asinh": mp.asinh,
        "acosh": mp.acosh,
        "atanh": mp.atanh,
        "Abs": abs,
        "sign": mp.sign,
        "erf": mp.erf,
        "erfc": mp.erfc,
        "besseli": mp.besseli,
    }
