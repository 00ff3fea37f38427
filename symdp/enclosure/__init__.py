"""From a sympy tree to an enclosure: every digit proved by ball arithmetic, the precision raised until they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Expr, Symbol

from symdp.ball import Enclosure, bits_for, from_arb, from_rational, working_precision
from symdp.enclosure import real
from symdp.enclosure.continuity import extensions
from symdp.enclosure.reference import mp_value
from symdp.enclosure.series import Refusal
from symdp.enclosure.tape import compile_tape
from symdp.enclosure.wide import Range, compile_ball, compile_range
from symdp.enclosure.zero import is_exact_zero
from symdp.errors import InputError, Undefined, Undetermined
from symdp.text import exact

__all__ = ["MAX_BITS", "Range", "ball", "compile_ball", "compile_range", "enclose", "evaluate_mp"]

#: Precision is never raised beyond this many bits (or eight times what the digits asked for need, if that is more).
MAX_BITS = 1 << 20
_MAX_EXTENSIONS = 8


def exact_values(expr: Expr, values: Mapping[Symbol | str, Any]) -> dict[Symbol, Expr]:
    """The exact value of every free symbol of ``expr``; InputError names the symbols that have none."""
    by_name = {key if isinstance(key, str) else key.name: value for key, value in values.items()}
    free = sorted(expr.free_symbols, key=lambda symbol: symbol.name)
    missing = [symbol.name for symbol in free if symbol.name not in by_name]
    if missing:
        raise InputError(f"no value for {', '.join(missing)}", remedy=f"give {missing[0]}=...")
    return {symbol: exact(by_name[symbol.name], place=symbol.name) for symbol in free}


def enclose(
    expr: Expr, values: Mapping[Symbol | str, Any] | None = None, digits: int = 50, *, max_bits: int = MAX_BITS
) -> Enclosure:
    """An enclosure of ``expr`` at exact values of its symbols with ``digits`` proved significant digits.

    The precision is doubled until the digits are proved. A value that is exactly zero gives ``[0, 0]``. Where the
    expression is 0/0 at the point and the singularity is removable, its value is the one by continuity (see
    ``symdp.enclosure.continuity`` for what is proved then).

    Raises InputError (a symbol without value), Undefined (no real value at this point: division by zero, logarithm of a
    negative number, ...) and Undetermined (not provable within ``max_bits``, or eight times the bits of the digits).
    """
    if digits < 1:
        raise InputError("at least one digit must be asked for", place="digits")
    chosen = exact_values(expr, values or {})
    try:
        return _continued(expr, chosen, digits, _MAX_EXTENSIONS, max_bits)
    except Undefined as error:
        raise Undefined(f"{error}{_at(chosen)}") from None
    except Refusal as error:
        raise Undetermined(f"{error}{_at(chosen)}") from None


def _continued(expr: Expr, values: Mapping[Symbol, Expr], digits: int, depth: int, max_bits: int) -> Enclosure:
    """The enclosure, continued through removable singularities at the point; Refusal if that is not proved."""
    try:
        return _raise_precision(expr, values, digits, max_bits)
    except real.Singular as error:
        singular = error
    reason = "too many singularities at one point"
    try:
        for extended, point in extensions(expr, singular, values) if depth else ():
            try:
                return _continued(extended, point, digits, depth - 1, max_bits)
            except Refusal as error:
                reason = str(error)
    except Undefined:
        raise Undefined(singular.message) from None
    except Refusal as error:
        if not singular.zero.free_symbols or singular.node.func is sympy.log:
            raise Undefined(singular.message) from None
        reason = str(error)
    raise Refusal(f"{singular.message}, and {reason}")


def _at(values: Mapping[Symbol, Expr]) -> str:
    return " at " + ", ".join(f"{symbol}={value}" for symbol, value in values.items()) if values else ""


def _raise_precision(expr: Expr, values: Mapping[Symbol, Expr], digits: int, max_bits: int) -> Enclosure:
    tape = compile_tape(expr, values)
    target = bits_for(digits) + 2
    bits = target + 64
    cap = max(max_bits, 8 * bits)
    zeros: set[Expr] = set()
    asked: set[Expr] = set()
    reached = 0  # bits proved so far
    while True:
        doubtful: Expr | None = None
        with working_precision(min(bits, cap)):
            try:
                value = real.run(tape, zeros)
                if isinstance(value, fmpq):
                    return from_rational(value, bits)
                if value.is_finite() and (value.is_exact() or value.rel_accuracy_bits() >= target):
                    return from_arb(value)
                if value.is_finite() and value.contains(0):
                    doubtful = expr
                proved = value.rel_accuracy_bits() if value.is_finite() and not value.contains(0) else 0
                # where more precision proved no more, what is lost is not known: it may be all
                loss = bits - proved if proved > reached else 0
                reached = max(reached, proved)
            except real.Unsure as unsure:
                doubtful, loss = unsure.expr, 0
        if doubtful is not None and doubtful not in asked:
            asked.add(doubtful)
            if is_exact_zero(doubtful, values):
                zeros.add(doubtful)
                continue
        if bits >= cap:
            raise Undetermined(
                f"{digits} digits of {real.text(expr)}{_at(values)} need more than {cap} bits"
                if doubtful is None
                else f"it is not decided whether {real.text(doubtful)} is zero{_at(values)} ({cap} bits do not tell)"
            )
        bits = max(2 * bits if not loss else 0, target + loss + 64)


def ball(expr: Expr, env: Mapping[Symbol, arb]) -> arb:
    """``expr`` on balls of any width, one pass at the working precision.

    Raises Undefined only where the expression has no real value anywhere on the box; a ball that is not finite means
    that this pass cannot tell.
    """
    symbols = sorted(expr.free_symbols, key=lambda symbol: symbol.name)
    missing = [symbol.name for symbol in symbols if symbol not in env]
    if missing:
        raise InputError(f"no ball for {', '.join(missing)}")
    return compile_ball(expr, symbols)([env[symbol] for symbol in symbols])


def evaluate_mp(expr: Expr, values: Mapping[Symbol | str, Any] | None = None, digits: int = 50) -> Any:
    """The value by mpmath (mpf), an independent code path without proof.

    Precision is raised until two successive precisions agree to ``digits`` digits. Raises as ``enclose`` does.
    """
    chosen = exact_values(expr, values or {})
    return mp_value(expr, chosen, digits)
