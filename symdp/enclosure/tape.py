"""A sympy tree as a tape: instructions in evaluation order, equal sub-expressions written once.

The tape fixes only the structure (and rewritings that avoid cancellation, such as ``log(1 + z)`` and ``exp(z) - 1``);
what an instruction does is up to the arithmetic that runs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy
from flint import fmpq
from sympy import Expr, S

from symdp.errors import InputError
from symdp.text.names import FUNCTIONS_OF_SEVERAL

# sympy class name -> instruction, for functions of one variable
FUNCTIONS: dict[str, str] = {
    "exp": "exp",
    "log": "log",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "cot": "cot",
    "sec": "sec",
    "csc": "csc",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "coth": "coth",
    "sech": "sech",
    "csch": "csch",
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "asinh": "asinh",
    "acosh": "acosh",
    "atanh": "atanh",
    "Abs": "abs",
    "sign": "sign",
    "erf": "erf",
    "erfc": "erfc",
    "Expm1OverX": "expm1_over_x",
    "Log1pOverX": "log1p_over_x",
    "SinhOverX": "sinh_over_x",
    "TanhOverX": "tanh_over_x",
    "ErfcX": "erfcx",
}


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step: ``name`` applied to the results of the steps ``args``; ``node`` is the sympy expression it computes."""

    name: str
    args: tuple[int, ...]
    node: Expr
    constant: Any = None


@dataclass(slots=True)
class Tape:
    """Instructions in evaluation order; the last one is the value."""

    steps: list[Instruction] = field(default_factory=list)


def rational(value: sympy.Rational) -> fmpq:
    """A sympy rational as a flint one."""
    return fmpq(int(value.p), int(value.q))


def compile_tape(expr: Expr, values: Mapping[sympy.Symbol, Expr] | None = None) -> Tape:
    """The tape of ``expr``; a symbol in ``values`` is replaced by the tape of its value, without rebuilding the tree.

    InputError for a function that has no enclosure.
    """
    values = values or {}
    tape = Tape()
    index: dict[Expr, int] = {}
    stack: list[tuple[Expr, tuple[str, tuple[Expr, ...], Any] | None]] = [(expr, None)]
    while stack:
        node, plan = stack.pop()
        if node in index:
            continue
        if plan is None:
            if isinstance(node, sympy.Symbol) and node in values:
                value = values[node]
                if value in index:
                    index[node] = index[value]
                else:
                    stack += [(node, None), (value, None)]
                continue
            plan = _plan(node)
            missing = [child for child in plan[1] if child not in index]
            if missing:
                stack.append((node, plan))
                stack += [(child, None) for child in missing]
                continue
        name, children, constant = plan
        tape.steps.append(Instruction(name, tuple(index[child] for child in children), node, constant))
        index[node] = len(tape.steps) - 1
    last = index[expr]
    if last != len(tape.steps) - 1:
        tape.steps.append(Instruction("same", (last,), expr))
    return tape


def _plan(node: Expr) -> tuple[str, tuple[Expr, ...], Any]:
    """The instruction name, operand expressions and constant data of one node."""
    if node.is_Rational:
        return "rational", (), rational(node)
    if node.is_Symbol:
        return "symbol", (), node
    if node is S.Pi:
        return "pi", (), None
    if node is S.Exp1:
        return "e", (), None
    if node.is_Float:
        sign, man, exp, _ = node._mpf_
        value = fmpq(-int(man) if sign else int(man)) * fmpq(2) ** int(exp)
        return "rational", (), value
    if node.is_Add:
        return _plan_sum(node)
    if node.is_Mul:
        return "mul", node.args, None
    if node.is_Pow:
        base, exponent = node.args
        if exponent.is_Integer:
            return "power", (base,), int(exponent)
        return "pow", (base, exponent), None
    name = type(node).__name__
    if name == "log" and len(node.args) == 1 and node.args[0].is_Add:
        constant, rest = node.args[0].as_coeff_Add()
        if constant == 1:
            return "log1p", (rest,), None
    if name in FUNCTIONS and len(node.args) == 1:
        return FUNCTIONS[name], node.args, None
    if name in ("Max", "Min"):
        return name.lower(), node.args, None
    if name in FUNCTIONS_OF_SEVERAL:
        return name, node.args, None
    if name == "besseli" and len(node.args) == 2:
        return "besseli", node.args, None
    raise InputError(f"{name} has no enclosure: {str(node)[:80]}")


def _plan_sum(node: Expr) -> tuple[str, tuple[Expr, ...], Any]:
    # c*exp(z) - c and the like cancel for small z; each has a form that does not.
    if len(node.args) == 2:
        constant, rest = node.as_coeff_Add()
        factor, core = rest.as_coeff_Mul()
        if constant and factor == -constant and type(core).__name__ in ("exp", "cosh", "cos", "erfc"):
            return f"{type(core).__name__}m1", core.args, rational(factor)
    return "add", node.args, None
