"""Numbers while an expression is evaluated at a point, and what stops the evaluation.

Rationals stay exact (flint fmpq) as long as they are small, so that an exact zero is seen as one; everything else is an
``arb`` at the working precision. Where a ball is too wide to tell on which side of a definition gap it lies, ``Unsure``
names the expression whose sign is needed; the caller raises the precision or proves that it is zero.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import flint
from flint import arb, fmpq
from sympy import Expr

from symdp.enclosure.tape import Instruction
from symdp.errors import Undefined

Number = Any  # fmpq | arb

#: Rationals longer than this (and than four times the precision) become balls.
EXACT_BITS = 1 << 14


class Unsure(Exception):
    """The sign of ``expr`` is needed and this precision does not show it."""

    def __init__(self, expr: Expr) -> None:
        super().__init__(str(expr)[:200])
        self.expr = expr


class Singular(Exception):
    """A division by an exact zero (or a logarithm of it) at ``node``; ``zero`` is the expression that vanishes."""

    def __init__(self, node: Expr, zero: Expr, message: str) -> None:
        super().__init__(message)
        self.node, self.zero, self.message = node, zero, message


def to_arb(x: Number) -> arb:
    """A ball at the working precision."""
    return arb(x) if isinstance(x, fmpq) else x


def small(x: Any) -> Number:
    """An exact rational, given up for a ball when it grows too long."""
    if int(x.p).bit_length() + int(x.q).bit_length() > max(EXACT_BITS, 4 * flint.ctx.prec):
        return arb(x)
    return x


def text(node: Expr) -> str:
    """A short rendering for messages."""
    try:
        shown = str(node)
    except RecursionError:
        return "a deeply nested expression"
    return shown if len(shown) <= 160 else shown[:157] + "..."


class Signs:
    """The signs of values; ``zeros`` are expressions proved to be exactly zero."""

    def __init__(self, zeros: Collection[Expr]) -> None:
        self.zeros = frozenset(zeros)

    def sign(self, x: Number, expr: Expr) -> int:
        """The sign of a value whose expression is ``expr``."""
        if isinstance(x, fmpq):
            return int(x > 0) - int(x < 0)
        if x > 0:
            return 1
        if x < 0:
            return -1
        if x.is_zero() or expr in self.zeros:
            return 0
        raise Unsure(expr)

    def undefined(self, step: Instruction, why: str) -> Undefined:
        """The error for a step without real value."""
        return Undefined(f"{why} in {text(step.node)}")

    def singular(self, step: Instruction, zero: Expr, why: str = "division by zero") -> Singular:
        """The error for a step where ``zero`` vanishes and must not."""
        return Singular(step.node, zero, f"{why} in {text(step.node)}")
