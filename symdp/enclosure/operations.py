"""The operations of a tape on single numbers, exact where the operands are rational and the result is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import flint
import sympy
from flint import arb, fmpq
from sympy import Expr

from symdp.ballfunctions import erfcx, expm1_over_x, log1p_over_x, sinh_over_x, tanh_over_x
from symdp.enclosure import control, moment
from symdp.enclosure.numbers import EXACT_BITS, Number, Signs, small, to_arb
from symdp.enclosure.tape import Instruction


def apply(real: Signs, step: Instruction, args: list[Number]) -> Number:
    """The result of one instruction; raises Unsure, Singular or Undefined."""
    special = _SPECIAL.get(step.name)
    if special is not None:
        return special(real, step, args)
    x = args[0]
    if isinstance(x, fmpq):
        exact = _EXACT_VALUES.get((step.name, x.p if x.q == 1 else None))
        if exact is not None:
            return exact
    return _PLAIN[step.name](to_arb(x))


def _constant(name: str) -> Callable[[Signs, Instruction, list[Number]], Number]:
    def value(_: Signs, step: Instruction, args: list[Number]) -> Number:
        if name == "rational":
            return step.constant
        return arb.pi() if name == "pi" else arb.const_e()

    return value


def _symbol(_: Signs, step: Instruction, args: list[Number]) -> Number:
    raise KeyError(step.node)


def _same(_: Signs, step: Instruction, args: list[Number]) -> Number:
    return args[0]


def _add(_: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    exact, total = fmpq(0), None
    for x in args:
        if isinstance(x, fmpq):
            exact += x
        else:
            total = x if total is None else total + x
    if total is None:
        return small(exact)
    return total + arb(exact) if exact else total


def _mul(_: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    exact, total = fmpq(1), None
    for x in args:
        if isinstance(x, fmpq):
            exact *= x
        else:
            total = x if total is None else total * x
    if not exact:
        return exact
    if total is None:
        return small(exact)
    if exact.q == 1:
        return total * arb(exact.p)
    return total * arb(exact.p) / arb(exact.q)


def _integer_power(real: Signs, step: Instruction, x: Number, n: int, base: Expr) -> Number:
    if n < 0 and real.sign(x, base) == 0:
        raise real.singular(step, base)
    if isinstance(x, fmpq):
        size = int(x.p).bit_length() + int(x.q).bit_length()
        if x == 1 or n == 0:
            return fmpq(1)
        if size * abs(n) <= max(EXACT_BITS, 4 * flint.ctx.prec):
            return x**n
    return to_arb(x) ** n


def _power(real: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    return _integer_power(real, step, args[0], step.constant, step.node.args[0])


def _pow(real: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    x, y = args
    base, exponent = step.node.args
    if isinstance(y, fmpq):
        if y.q == 1:
            return _integer_power(real, step, x, int(y.p), base)
        return _rational_power(real, step, x, y, base)
    sign = real.sign(x, base)
    if sign < 0:
        if (whole := _integer_inside(y)) is not None and real.sign(y - whole, exponent - whole) == 0:
            return _integer_power(real, step, x, whole, base)
        raise real.undefined(step, "negative base of a power that is not an integer")
    if sign == 0:
        if real.sign(y, exponent) > 0:
            return fmpq(0)
        raise real.singular(step, base)
    if isinstance(x, fmpq) and x == 1:
        return fmpq(1)
    return (to_arb(x).log() * y).exp()


def _rational_power(real: Signs, step: Instruction, x: Number, y: fmpq, base: Expr) -> Number:
    sign = real.sign(x, base)
    if sign < 0:
        raise real.undefined(step, "square root of a negative number" if y.q == 2 else "root of a negative number")
    if sign == 0:
        if y > 0:
            return fmpq(0)
        raise real.singular(step, base)
    p, q = int(y.p), int(y.q)
    if isinstance(x, fmpq):
        root = _exact_root(x, q)
        if root is not None:
            return _integer_power(real, step, root, p, base)
    if q == 2:
        root = to_arb(x).sqrt() if p > 0 else to_arb(x).rsqrt()
        return root if abs(p) == 1 else root ** abs(p)
    if q <= 64:
        return to_arb(x).root(q) ** p
    return (to_arb(x).log() * arb(y)).exp()


def _integer_inside(y: arb) -> int | None:
    """An integer that a ball contains, the lowest one."""
    return int(y.lower().ceil().unique_fmpz()) if y.is_finite() and y.contains_integer() else None


def _exact_root(x: fmpq, q: int) -> fmpq | None:
    if q > 64 or int(x.p).bit_length() + int(x.q).bit_length() > EXACT_BITS:
        return None
    top, exact = sympy.integer_nthroot(int(x.p), q)
    if not exact:
        return None
    bottom, exact = sympy.integer_nthroot(int(x.q), q)
    return fmpq(int(top), int(bottom)) if exact else None


def _log(real: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    x, argument = args[0], step.node.args[0]
    sign = real.sign(x, argument)
    if sign < 0:
        raise real.undefined(step, "logarithm of a negative number")
    if sign == 0:
        raise real.singular(step, argument, "logarithm of zero")
    return fmpq(0) if isinstance(x, fmpq) and x == 1 else to_arb(x).log()


def _log1p(real: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    x, argument = args[0], step.node.args[0]
    sign = real.sign(x + 1 if isinstance(x, fmpq) else x + arb(1), argument)
    if sign < 0:
        raise real.undefined(step, "logarithm of a negative number")
    if sign == 0:
        raise real.singular(step, argument, "logarithm of zero")
    return fmpq(0) if isinstance(x, fmpq) and not x else to_arb(x).log1p()


def _log1p_over_x(real: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    x, argument = args[0], step.node.args[0]
    if real.sign(x + 1 if isinstance(x, fmpq) else x + arb(1), argument + 1) <= 0:
        raise real.undefined(step, "logarithm of a number that is not positive")
    return log1p_over_x(to_arb(x))


def _minus_one(core: Callable[[arb], arb]) -> Callable[[Signs, Instruction, list[Number]], Number]:
    def value(_: Signs, step: Instruction, args: list[Number]) -> Number:
        if isinstance(args[0], fmpq) and not args[0]:
            return fmpq(0)
        return _mul(_, step, [step.constant, core(to_arb(args[0]))])

    return value


def _with_pole(function: Callable[[arb], arb], divisor: str, whole: Callable[[arb], arb]) -> Any:
    """A function that is undefined where ``divisor`` (a sympy function name) of its argument vanishes."""

    def value(real: Signs, step: Instruction, args: Sequence[Number]) -> Number:
        x, argument = args[0], step.node.args[0]
        vanishing = getattr(sympy, divisor)(argument) if divisor != "itself" else argument
        if isinstance(x, fmpq) and not x and divisor in ("itself", "sin"):
            raise real.singular(step, argument)
        if isinstance(x, fmpq) and not x and step.name == "tan":
            return fmpq(0)
        ball = whole(to_arb(x))
        if real.sign(ball, vanishing) == 0:
            raise real.singular(step, vanishing)
        return function(to_arb(x))

    return value


def _bounded(function: Callable[[arb], arb], ends: dict[int, Any], lowest: int | None, highest: int | None) -> Any:
    """A function defined between ``lowest`` and ``highest``; ``ends`` holds its values there (None: no value)."""

    def value(real: Signs, step: Instruction, args: Sequence[Number]) -> Number:
        x, argument = args[0], step.node.args[0]
        for end, side in ((lowest, 1), (highest, -1)):
            if end is None:
                continue
            gap = x - end if isinstance(x, fmpq) else x - arb(end)
            sign = real.sign(gap, argument - end) * side
            if sign < 0 or (sign == 0 and ends[end] is None):
                raise real.undefined(step, f"{step.name} outside its range")
            if sign == 0:
                return ends[end]()
        if isinstance(x, fmpq) and not x and step.name in ("asin", "atanh"):
            return fmpq(0)
        return function(to_arb(x))

    return value


def _abs(_: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    return abs(args[0]) if not isinstance(args[0], fmpq) else max(args[0], -args[0])


def _sign(real: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    return fmpq(real.sign(args[0], step.node.args[0]))


def _extreme(name: str) -> Callable[[Signs, Instruction, list[Number]], Number]:
    def value(_: Signs, step: Instruction, args: list[Number]) -> Number:
        if all(isinstance(x, fmpq) for x in args):
            return max(args) if name == "max" else min(args)
        result = to_arb(args[0])
        for x in args[1:]:
            result = getattr(result, name)(to_arb(x))
        return result

    return value


def _besseli(real: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    order, x = args
    if real.sign(x, step.node.args[1]) < 0 and not (isinstance(order, fmpq) and order.q == 1):
        raise real.undefined(step, "Bessel function of a negative number")
    return to_arb(x).bessel_i(to_arb(order))


def erfc(x: arb) -> arb:
    """The complementary error function with small relative error: flint's own error term is absolute."""
    return x.erfc() if x.is_exact() else x.lower().erfc().union(x.upper().erfc())


def coshm1(x: arb) -> arb:
    """cosh(x) - 1 without cancellation."""
    return 2 * (x / 2).sinh() ** 2


def cosm1(x: arb) -> arb:
    """cos(x) - 1 without cancellation."""
    return -2 * (x / 2).sin() ** 2


def erfcm1(x: arb) -> arb:
    """erfc(x) - 1 without cancellation."""
    return -x.erf()


_PLAIN: dict[str, Callable[[arb], arb]] = {
    "exp": arb.exp,
    "sin": arb.sin,
    "cos": arb.cos,
    "sinh": arb.sinh,
    "cosh": arb.cosh,
    "tanh": arb.tanh,
    "sech": arb.sech,
    "atan": arb.atan,
    "asinh": arb.asinh,
    "erf": arb.erf,
    "erfc": erfc,
    "erfcx": erfcx,
    "expm1_over_x": expm1_over_x,
    "sinh_over_x": sinh_over_x,
    "tanh_over_x": tanh_over_x,
}
_EXACT_VALUES: dict[tuple[str, Any], fmpq] = {
    **{(name, 0): fmpq(0) for name in ("sin", "sinh", "tanh", "atan", "asinh", "erf")},
    **{(name, 0): fmpq(1) for name in ("exp", "cos", "cosh", "sech", "erfc")},
}
_SPECIAL: dict[str, Callable[[Signs, Instruction, list[Number]], Number]] = {
    "rational": _constant("rational"),
    "pi": _constant("pi"),
    "e": _constant("e"),
    "symbol": _symbol,
    "same": _same,
    "add": _add,
    "mul": _mul,
    "power": _power,
    "pow": _pow,
    "log": _log,
    "log1p": _log1p,
    "log1p_over_x": _log1p_over_x,
    "expm1": _minus_one(arb.expm1),
    "coshm1": _minus_one(coshm1),
    "cosm1": _minus_one(cosm1),
    "erfcm1": _minus_one(erfcm1),
    "tan": _with_pole(arb.tan, "cos", arb.cos),
    "sec": _with_pole(arb.sec, "cos", arb.cos),
    "cot": _with_pole(arb.cot, "sin", arb.sin),
    "csc": _with_pole(arb.csc, "sin", arb.sin),
    "coth": _with_pole(arb.coth, "itself", lambda x: x),
    "csch": _with_pole(arb.csch, "itself", lambda x: x),
    "asin": _bounded(arb.asin, {-1: lambda: -arb.pi() / 2, 1: lambda: arb.pi() / 2}, -1, 1),
    "acos": _bounded(arb.acos, {-1: arb.pi, 1: lambda: fmpq(0)}, -1, 1),
    "acosh": _bounded(arb.acosh, {1: lambda: fmpq(0)}, 1, None),
    "atanh": _bounded(arb.atanh, {-1: None, 1: None}, -1, 1),
    "abs": _abs,
    "sign": _sign,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "besseli": _besseli,
    "control_energy": control.energy,
    "control_power": control.power,
    "largest_control_energy": control.largest_energy,
    "sampled_moment": moment.sampled_moment,
}
