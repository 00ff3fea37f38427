"""Running a tape in real ball arithmetic, for values that are single numbers."""

from __future__ import annotations

from collections.abc import Collection

from flint import fmpq
from sympy import Expr, Symbol

from symdp.enclosure.numbers import Number, Signs, Singular, Unsure, text, to_arb
from symdp.enclosure.operations import apply
from symdp.enclosure.tape import Tape

__all__ = ["Number", "Singular", "Unsure", "constant_results", "run", "text", "to_arb"]


def run(tape: Tape, zeros: Collection[Expr] = ()) -> Number:
    """The value of a tape without symbols; ``zeros`` are expressions proved to be exactly zero.

    Raises Unsure, Singular, or Undefined where the expression surely has no real value.
    """
    results: list[Number] = []
    signs = Signs(zeros)
    for step in tape.steps:
        if step.node in signs.zeros:
            results.append(fmpq(0))
        else:
            results.append(apply(signs, step, [results[i] for i in step.args]))
    return results[-1]


def constant_results(tape: Tape, symbol: Symbol) -> list[Number | None]:
    """The values of the steps that do not depend on ``symbol``; None for those that do."""
    results: list[Number | None] = []
    signs = Signs(())
    for step in tape.steps:
        args = [results[i] for i in step.args]
        moving = any(x is None for x in args) or (step.name == "symbol" and step.constant == symbol)
        results.append(None if moving else apply(signs, step, args))
    return results
