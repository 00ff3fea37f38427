"""An exact zero test for real algebraic numbers: a root separation bound, then one evaluation.

A number built from rationals by sums, products, quotients and real roots is U/L with algebraic integers U, L of degree
at most D (the product of the root orders). Every conjugate of U is at most u in size, and the product of all of them is
an integer, so U is zero or |U| >= u**(1 - D), and |E| = |U|/|L| >= u**(1 - D)/l: a ball inside that is zero.
(Burnikel, Funke, Mehlhorn, Schirra, Schmitt 2001; the proof is the two lines above.)
"""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb
from sympy import Expr, Symbol

from symdp.ball import working_precision
from symdp.enclosure.real import Singular, Unsure, run, to_arb
from symdp.enclosure.tape import Instruction, compile_tape
from symdp.errors import InputError, Undefined

_MAX_DEGREE = 256
_MAX_BITS = 400_000

_Size = tuple[int, int]  # log2 of the bounds u and l, rounded up


def is_algebraic_zero(expr: Expr, values: Mapping[Symbol, Expr]) -> bool:
    """Whether ``expr`` at these values is an algebraic number proved to be zero; False means not proved."""
    try:
        tape = compile_tape(expr, values)
    except InputError:
        return False
    degree = 1
    sizes: list[_Size] = []
    for step in tape.steps:
        operands = [tape.steps[i] for i in step.args]
        order = _root_order(step, operands)
        if order is None:
            return False
        degree *= order
        size = _size(step, operands, [sizes[i] for i in step.args])
        if degree > _MAX_DEGREE or max(size) > _MAX_BITS:
            return False
        sizes.append(size)
    upper, lower = sizes[-1]
    separation = (degree - 1) * upper + lower
    if separation > _MAX_BITS:
        return False
    with working_precision(separation + max(upper, lower) + 64):
        try:
            value = to_arb(run(tape))
        except (Unsure, Singular, Undefined):
            return False
        return bool(value.is_finite() and value.abs_upper() < arb((1, -separation)))


def _root_order(step: Instruction, operands: list[Instruction]) -> int | None:
    """The order of the root an instruction takes (1: none), or None if it is not algebraic."""
    if step.name in ("rational", "add", "mul", "power", "same", "abs"):
        return 1
    if step.name == "pow" and operands[1].name == "rational":
        return int(operands[1].constant.q)
    return None


def _size(step: Instruction, operands: list[Instruction], args: list[_Size]) -> _Size:
    if step.name == "rational":
        return int(step.constant.p).bit_length(), int(step.constant.q).bit_length()
    if step.name in ("same", "abs"):
        return args[0]
    if step.name == "mul":
        return sum(u for u, _ in args), sum(l for _, l in args)
    if step.name == "add":
        upper, lower = args[0]
        for u, l in args[1:]:
            upper, lower = max(upper + l, lower + u) + 1, lower + l
        return upper, lower
    u, l = args[0]
    if step.name == "power":
        n = step.constant
        return (n * u, n * l) if n >= 0 else (-n * l, -n * u)
    exponent = operands[1].constant
    return _root_size(u, l, int(exponent.p), int(exponent.q))


def _root_size(u: int, l: int, p: int, q: int) -> _Size:
    # (U/L)**(1/q) is (U L**(q-1))**(1/q) / L, or U / (U**(q-1) L)**(1/q): both numerator and denominator are integers.
    if u >= l:
        u, l = -(-(u + (q - 1) * l) // q), l
    else:
        u, l = u, -(-(l + (q - 1) * u) // q)
    return (p * u, p * l) if p > 0 else (-p * l, -p * u)
