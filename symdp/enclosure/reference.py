"""A second opinion: an evaluator of its own on mpmath numbers, without proof. It shares no code with the ball route."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import mpmath
from mpmath import libmp
from sympy import Expr, Rational, Symbol

from symdp.ball import bits_for, mp_context
from symdp.enclosure.moment_reference import sampled_moment
from symdp.errors import InputError, Undefined, Undetermined
from symdp.text.control import CONTROL_FUNCTIONS, System, unpacked

# Precision is raised up to this many digits (or eight times what is asked for).
_MAX_DIGITS = 12_000


def mp_value(expr: Expr, values: Mapping[Symbol, Expr], digits: int) -> Any:
    """The value of ``expr`` as an mpf: precision is raised until two successive results agree to ``digits`` digits.

    Where the expression is 0/0, values at a few points very near are taken instead, if they agree.

    Raises Undefined where the expression has no real value, Undetermined when no two precisions agree.
    """
    try:
        value = _settled(expr, values, digits)
        # 0 times something huge is 0 at every precision too, so zero has to be seen around the point as well
        return value if value != 0 or not values else _nearby(expr, values, digits, size=mpmath.mpf(10) ** -digits)
    except ZeroDivisionError:
        pass
    except (OverflowError, ValueError) as error:
        raise Undefined(f"{str(expr)[:160]} has no value here: {error}") from None
    return _nearby(expr, values, digits)


def _settled(expr: Expr, values: Mapping[Symbol, Expr], digits: int) -> Any:
    working = digits + 20
    previous: Any = None
    while working <= max(_MAX_DIGITS, 8 * digits):
        context = mp_context(working)
        try:
            value = context.mpf(_Evaluator(context, values)(expr))
        except (ZeroDivisionError, OverflowError, ValueError):
            if working > 4 * digits + 200:
                raise
            value = None
        if value is not None and previous is not None and _agree(context, previous, value, digits):
            return _rounded(value, digits)
        previous, last, working = value, working, 2 * working
    if previous is not None and abs(previous) < context.mpf(10) ** (-last * 4 // 5):
        return mpmath.mp.mpf(0)  # zero as far as the last precision shows
    raise Undetermined(f"two precisions never agreed to {digits} digits on {str(expr)[:160]}")


def _nearby(expr: Expr, values: Mapping[Symbol, Expr], digits: int, size: Any = 0) -> Any:
    """The common value at points that differ from the given one beyond the digits asked for; 0 if all are ``size``."""
    step = Rational(1, 10 ** (digits + 10))
    found: list[Any] = []
    for way, far in ((1, 2), (-1, 2), (1, 5), (-1, 5)):
        near = {s: v + way * step * (far + k % 3) for k, (s, v) in enumerate(values.items())}
        with contextlib.suppress(ZeroDivisionError, OverflowError, ValueError, Undefined):
            found.append(_settled(expr, near, digits + 10))
    if found and all(abs(value) < size for value in found):
        return mpmath.mp.mpf(0)
    if len(found) > 1 and all(_agree(mpmath.mp, found[0], value, digits) for value in found[1:]):
        return _rounded(found[0], digits)
    if size:
        raise Undetermined(f"{str(expr)[:160]} is zero here as far as can be seen, but not near here")
    raise Undefined(f"{str(expr)[:160]} divides by zero here")


def _rounded(value: Any, digits: int) -> Any:
    return mpmath.mp.make_mpf(libmp.mpf_pos(value._mpf_, bits_for(digits) + 8, "n"))


def _agree(context: Any, a: Any, b: Any, digits: int) -> bool:
    if not (context.isfinite(a) and context.isfinite(b)):
        return False
    gap = mpmath.mp.make_mpf(libmp.mpf_abs(libmp.mpf_sub(a._mpf_, b._mpf_)))
    return bool(b != 0 and gap <= abs(b) * context.mpf(10) ** (-digits - 2))


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
        if name in CONTROL_FUNCTIONS:
            return _control(mp, name, unpacked(args, node.takes_state))
        if name == "sampled_moment":
            return sampled_moment(mp, *args)
        if name in ("Max", "Min"):
            return max(args) if name == "Max" else min(args)
        function = _table(mp).get(name)
        if function is None:
            raise InputError(f"{name} is not a function this engine knows")
        value = function(*args)
        if not mp.isfinite(value):
            raise ZeroDivisionError
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


def _control(mp: Any, name: str, system: System) -> Any:
    """A control energy; the Gramian by doubling the time: ``W(2t) = W(t) + e^{-At} W(t) e^{-A^T t}``.

    At a short time both matrices are Taylor sums: ``W = sum_k W_k``, ``W_0 = Nt``, ``W_k = -(A W_{k-1} + W_{k-1} A^T)
    t/(k+1)``.
    """
    d = len(system.drift)
    a, n, t = mp.matrix(system.drift), mp.matrix(system.noise), system.time
    if t <= 0:
        raise Undefined("a control energy needs a time above 0")
    size = max(1, mp.mnorm(a, 1)) * t
    doublings = max(0, int(mp.ceil(mp.log(size, 2))) + 4)
    t = t / mp.mpf(2) ** doublings
    backward, term = mp.eye(d), mp.eye(d)
    gramian = growth = n * t
    k = 0
    while mp.mnorm(term, 1) > mp.eps**2 or mp.mnorm(growth, 1) > mp.eps**2 * mp.mnorm(gramian, 1):
        k += 1
        term = -a * term * t / k
        backward = backward + term
        growth = -(a * growth + growth * a.T) * t / (k + 1)
        gramian = gramian + growth
    for _ in range(doublings):
        gramian = gramian + backward * gramian * backward.T
        backward = backward * backward
    if name == "largest_control_energy":
        return 1 / min(mp.eigsy(gramian, eigvals_only=True))
    z = mp.matrix(system.state)
    p = mp.lu_solve(gramian, z)
    if name == "control_energy":
        return (z.T * p)[0]
    p = backward.T * p
    return (p.T * n * p)[0]


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
