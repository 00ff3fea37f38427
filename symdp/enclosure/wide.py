"""Ranges of an expression over boxes, for inputs of any width: one pass of interval arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import flint
from flint import arb
from sympy import Expr, Symbol

from symdp.enclosure import interval_functions as functions
from symdp.enclosure.interval import INF, LINE, NEG_INF, Pair, mul, power, root_power
from symdp.enclosure.removable import smooth
from symdp.enclosure.tape import Instruction, compile_tape
from symdp.text.control import CONTROL_FUNCTIONS

WHOLE = arb(0, arb("inf"))


class Range(NamedTuple):
    """``lower <= f <= upper`` at every point of the box where f is defined; ``defined``: it is at all of them.

    The endpoints are exact numbers, possibly infinite.
    """

    lower: arb
    upper: arb
    defined: bool


def compile_range(expr: Expr, symbols: Sequence[Symbol]) -> Callable[[Sequence[tuple[arb, arb]]], Range]:
    """A callable from one ``(lower, upper)`` pair of exact ``arb`` for each symbol to the ``Range`` of ``expr``.

    Removable quotients are read as their continuous extension. An infinite endpoint stands for a half line. Raises
    Undefined where ``expr`` is defined at no point of the box.
    """
    tape = compile_tape(smooth(expr))
    places = {symbol: k for k, symbol in enumerate(symbols)}
    program = [(_operation(step, places), step.args) for step in tape.steps]

    def evaluate(box: Sequence[tuple[arb, arb]]) -> Range:
        box = [_clean(pair) for pair in box]
        gaps: list[bool] = []
        results: list[Pair] = []
        for operation, args in program:
            if args:
                results.append(operation(gaps, *[results[i] for i in args]))
            else:
                results.append(operation(gaps, box))
        lower, upper = results[-1]
        return Range(lower, upper, not gaps)

    return evaluate


def compile_ball(expr: Expr, symbols: Sequence[Symbol]) -> Callable[[Sequence[arb]], arb]:
    """A callable that encloses ``expr`` on balls given in the order of ``symbols``.

    A result that is not finite means "unbounded, or not defined everywhere on the box". Raises Undefined where the
    expression is defined nowhere on it.
    """
    ranges = compile_range(expr, symbols)

    def evaluate(balls: Sequence[arb]) -> arb:
        lower, upper, defined = ranges([(x.lower(), x.upper()) if x.is_finite() else LINE for x in balls])
        if not defined or lower is NEG_INF or upper is INF:
            return WHOLE
        return lower if lower == upper else lower.union(upper)

    return evaluate


def _clean(pair: tuple[arb, arb]) -> Pair:
    lower, upper = pair
    if not lower.is_finite():
        lower = NEG_INF
    elif not lower.is_exact():
        lower = lower.lower()
    if not upper.is_finite():
        upper = INF
    elif not upper.is_exact():
        upper = upper.upper()
    return lower, upper


def _operation(step: Instruction, places: dict[Symbol, int]) -> Callable[..., Pair]:
    name = step.name
    if name == "symbol":
        place = places[step.constant]
        return lambda gaps, box: box[place]
    if name in ("rational", "pi", "e"):
        make = {"rational": lambda: arb(step.constant), "pi": arb.pi, "e": arb.const_e}[name]

        known: dict[int, Pair] = {}

        def constant(gaps: list[bool], box: Any) -> Pair:
            bits = flint.ctx.prec
            if bits not in known:
                value = make()
                known[bits] = (value.lower(), value.upper())
            return known[bits]

        return constant
    if name == "power":
        exponent = step.constant
        return lambda gaps, x: power(gaps, x, exponent)
    if name == "pow" and step.node.args[1].is_Rational:
        ratio = step.node.args[1]
        return lambda gaps, x, y: root_power(gaps, x, int(ratio.p), int(ratio.q))
    if name in ("expm1", "coshm1", "cosm1", "erfcm1"):
        factor = arb(step.constant)
        scale = (factor.lower(), factor.upper())
        core = {
            "expm1": functions.expm1,
            "coshm1": functions.coshm1,
            "cosm1": functions.cosm1,
            "erfcm1": functions.erfcm1,
        }[name]
        return lambda gaps, x: mul(gaps, core(gaps, x), scale)
    if name in CONTROL_FUNCTIONS:  # matrices of wide balls say too little: nothing is claimed
        return _unknown
    return functions.TABLE[name]


def _unknown(gaps: list[bool], *_: Pair) -> Pair:
    gaps.append(True)
    return NEG_INF, INF
