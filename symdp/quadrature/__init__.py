"""Certified integrals over finite and infinite ranges.

The integrand is rewritten exactly, an infinite range is cut where a bound of the tail is proved, and an end where a
logarithm or a root vanishes is moved to infinity (``x = a + h*exp(-s)``); the rest is integrated by
:func:`symdp.ballfunctions.path_integral`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import sympy
from flint import acb, arb
from sympy import Expr, S, Symbol

from symdp.ball import Enclosure, bits_for, from_arb, working_precision
from symdp.ballfunctions import path_integral
from symdp.enclosure import enclose, exact_values
from symdp.enclosure.real import Singular, Unsure, run, text, to_arb
from symdp.enclosure.tape import compile_tape
from symdp.enclosure.zero import is_exact_zero
from symdp.errors import Undefined, Undetermined
from symdp.quadrature.pieces import Piece, far_piece, pieces
from symdp.quadrature.rewrite import substitute, tidy
from symdp.quadrature.tails import NoBound, tail
from symdp.quadrature.walk import Integrand, integrand
from symdp.text import exact

__all__ = ["integral"]

_PROBE_BITS = 64
_PROBE_EVALUATIONS = 4_000
_MAX_PROBES = 6
_LAST_CUT = 1 << 24
_ROUNDS = 3
_SAMPLES = 32


def integral(
    expr: Expr,
    symbol: Symbol,
    lower: Any,
    upper: Any,
    values: Mapping[Symbol | str, Any] | None = None,
    digits: int = 50,
) -> Enclosure:
    """An enclosure of ``int_lower^upper expr d symbol`` with ``digits`` proved significant digits.

    The ends are exact numbers or ``±sympy.oo``; ``values`` holds the exact values of the other symbols.

    Raises InputError (a symbol without value), Undefined (an integrand without real values on the range) and
    Undetermined where convergence or the digits are not proved.
    """
    ends = [end if end in (S.Infinity, S.NegativeInfinity) else exact(end, place="end") for end in (lower, upper)]
    chosen = exact_values(expr, {**(values or {}), symbol: S.Zero})
    chosen.pop(symbol, None)
    function = tidy(substitute(expr, chosen), symbol)
    if function == 0 or ends[0] == ends[1]:
        return Enclosure(0, 0)
    _check_points(function, symbol, *ends)
    try:
        return _enclosed(list(pieces(function, symbol, *ends)), digits)
    except NoBound as error:
        if _odd(function, symbol, *ends):
            return Enclosure(0, 0)
        raise Undetermined(f"the integral of {text(expr)} is not enclosed: {error}") from None
    except Singular as error:
        raise Undefined(f"the integrand {text(expr)} has a part without value: {error.message}") from None
    except Unsure as error:
        raise Undetermined(f"it is not decided whether {error.expr} is zero in the integrand {text(expr)}") from None


def _enclosed(parts: list[Piece], digits: int) -> Enclosure:
    target = bits_for(digits) + 2
    bits = target + 64
    total = arb(0)
    for _ in range(_ROUNDS):
        with working_precision(bits):
            total = sum((piece.sign * _piece(piece, target + 8) for piece in parts), arb(0))
            if total.is_finite() and total.rel_accuracy_bits() >= target:
                return from_arb(total)
        bits *= 2
    if not total.is_finite():
        raise NoBound("the integrand is not seen to be analytic or bounded on the whole range")
    raise NoBound(f"{digits} digits are not reached with {bits // 2} bits")


def _odd(expr: Expr, symbol: Symbol, lower: Expr, upper: Expr) -> bool:
    """Whether the integral is exactly zero: a continuous odd function on a bounded symmetric range."""
    if not (lower.is_finite and upper.is_finite and is_exact_zero(lower + upper)):
        return False
    if not is_exact_zero(expr + expr.xreplace({symbol: -symbol})):
        return False
    with working_precision(_PROBE_BITS):
        return bool(_finite(Piece(expr, symbol, lower, upper), _number(upper), _PROBE_BITS // 4).is_finite())


def _check_points(expr: Expr, symbol: Symbol, lower: Expr, upper: Expr) -> None:
    """Undefined if the integrand has no real value at one of a few points of the range."""
    for k in range(1, 8):
        if lower.is_finite and upper.is_finite:
            point = lower + (upper - lower) * sympy.Rational(k, 8)
        else:
            end = next((end for end in (lower, upper) if end.is_finite), S.Zero)
            point = end + (k if upper == S.Infinity or lower == S.Infinity else -k) * sympy.Rational(17, 16)
        with contextlib.suppress(Undetermined):
            enclose(expr, {symbol: point}, 1)


def _piece(piece: Piece, target: int) -> arb:
    if piece.upper is not None:
        return _finite(piece, _number(piece.upper), target)
    try:
        return _half_line(piece, target)
    except NoBound as error:
        try:
            return _half_line(far_piece(piece), target)
        except NoBound:
            raise error from None


def _half_line(piece: Piece, target: int) -> arb:
    start = _number(piece.lower)
    cut, probed, probes, scale = 2, 0, 0, arb(0)
    reason = NoBound("the integrand is not seen to decay at infinity")
    while cut <= _LAST_CUT:
        if start < cut:
            try:
                rest = tail(piece.expr, piece.symbol, arb(cut))
            except NoBound as error:
                reason = error
            else:
                if cut >= 2 * probed:
                    scale, probed, probes = scale.max(_probe(piece, cut)), cut, probes + 1
                    if scale.is_zero() and probes == _MAX_PROBES:
                        break
                if rest.is_zero() or rest < scale * arb((1, -target)):
                    return _finite(piece, arb(cut), target) + arb(0, rest)
                reason = NoBound("the tail is not seen to be small")
        cut += (cut + 1) // 2
    raise reason


def _probe(piece: Piece, cut: int) -> arb:
    """A number below the size of the integral up to the cut (zero if nothing is seen)."""
    with working_precision(_PROBE_BITS):
        value = _finite(piece, arb(cut), _PROBE_BITS // 4, _PROBE_EVALUATIONS)
        return value.abs_lower() if value.is_finite() else arb(0)


def _finite(piece: Piece, upper: arb, target: int, evaluations: int = 20_000) -> arb:
    """The integral up to a finite end, not finite where the integrand is not seen to be analytic or bounded."""
    function, lower = integrand(piece.expr, piece.symbol, {}), _number(piece.lower)
    small = _size(function, lower, upper) * arb((1, -target - 8))
    value = path_integral(function, (lower, upper), arb((1, -target)), small, evaluations + 100 * target)
    return value.real if value.is_finite() else arb("nan")


def _size(function: Integrand, lower: arb, upper: arb) -> arb:
    """How large the integral may be, from a few points: only a goal for the work, nothing is proved with it."""
    width = upper - lower
    points = [lower + width * k / _SAMPLES for k in range(1, _SAMPLES)]
    points += [lower + width * arb((1, -k)) for k in range(2, _SAMPLES)]
    values = [abs(function(acb(x.mid()), False)) for x in points]
    finite = [value.upper() for value in values if value.is_finite()]
    return max(finite, default=arb(0)) * width.upper() / _SAMPLES


def _number(expr: Expr) -> arb:
    return to_arb(run(compile_tape(expr)))
