"""Python values in: numbers of Python, numpy, mpmath and sympy as exact constants, sympy trees as our expressions."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy as sp

from symdp.errors import InputError
from symdp.text.conditions import definedness
from symdp.text.constants import extent, is_constant, magnitude_ok
from symdp.text.meaning import MAX_BITS, OPAQUE, Parsed
from symdp.text.names import name_remedy, symbol
from symdp.text.printer import to_text
from symdp.text.reading import parse, parse_with_conditions
from symdp.text.tokens import MAX_DIGITS


def exact(value: Any, *, place: str = "value") -> sp.Expr:
    """``value`` as an exact real constant; a float is the binary number it is, text is read by ``parse``.

    Raises InputError for bool, nan, infinities, complex numbers and anything with a symbol in it.
    """
    if isinstance(value, str):
        return parse(value, place=place, names=())
    if isinstance(value, sp.Rational):
        return _sized(value, place)
    if isinstance(value, sp.Basic):
        if names := sorted(str(s) for s in value.free_symbols):
            raise InputError(f"not a constant: it contains {', '.join(names)}", place=place, remedy="give a number")
        return _tree(value, place).expr
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        raise InputError("a truth value is not a number", place=place, remedy="write 0 or 1")
    return _sized(_rational(value, place), place)


def adopt(value: Any, *, place: str = "expression", names: Iterable[str] | None = None) -> Parsed:
    """Text, a number or a sympy tree as an expression of our symbols with its conditions.

    A symbol of the tree becomes ours by its name; one that carries an assumption beyond being real is an InputError,
    because sympy has used that assumption where we would have to prove it. Floats become the exact numbers they are.
    """
    if isinstance(value, str):
        return parse_with_conditions(value, place=place, names=names)
    if not isinstance(value, sp.Basic):
        return Parsed(exact(value, place=place), ())
    allowed = None if names is None else set(names)
    for used in sorted(value.free_symbols, key=str):
        if set(used.assumptions0) - set(symbol("x").assumptions0):
            raise InputError(
                f"the symbol {used} carries assumptions", place=place, remedy="state them as a domain or a relation"
            )
        if allowed is not None and used.name not in allowed:
            raise InputError(f"unknown name {used.name!r}", place=place, remedy=name_remedy(used.name, allowed))
    parsed = _tree(value.xreplace({s: symbol(s.name) for s in value.free_symbols}), place)
    to_text(parsed.expr)
    return parsed


def _sized(number: sp.Rational, place: str) -> sp.Rational:
    if extent(number).bits > MAX_BITS:
        raise InputError("the number is too large", place=place, remedy=f"at most {MAX_DIGITS} digits are read")
    return number


def _rational(value: Any, place: str) -> sp.Rational:
    if isinstance(value, numbers.Rational):
        return sp.Rational(int(value.numerator), int(value.denominator))
    if hasattr(value, "_mpf_"):
        return _binary(value, place)
    if isinstance(value, Decimal):
        if not value.is_finite():
            _not_finite(value, place)
        if abs(value.adjusted()) > MAX_DIGITS:
            raise InputError("the number is too large", place=place, remedy=f"at most {MAX_DIGITS} digits are read")
        return sp.Rational(*Fraction(value).as_integer_ratio())
    if isinstance(value, numbers.Real) and hasattr(value, "as_integer_ratio"):
        if value != value or abs(value) == math.inf:
            _not_finite(value, place)
        numerator, denominator = value.as_integer_ratio()
        return sp.Rational(int(numerator), int(denominator))
    if isinstance(value, numbers.Complex):
        raise InputError(f"{value} is complex", place=place, remedy="only real numbers are read")
    raise InputError(
        f"a number expected, got {type(value).__name__}", place=place, remedy="pass an int, Fraction, float or text"
    )


def _binary(value: Any, place: str) -> sp.Rational:
    negative, mantissa, exponent, _ = value._mpf_
    if not mantissa and exponent:
        _not_finite(value, place)
    if abs(int(exponent)) > MAX_BITS:
        raise InputError("the number is too large", place=place, remedy=f"at most {MAX_DIGITS} digits are read")
    return sp.Rational(-int(mantissa) if negative else int(mantissa)) * sp.Rational(2) ** int(exponent)


def _tree(value: sp.Basic, place: str) -> Parsed:
    if not isinstance(value, sp.Expr):
        raise InputError(f"a number expected, got {type(value).__name__}", place=place, remedy="pass an expression")
    if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
        raise InputError(f"{value} is not a finite real number", place=place, remedy="only real finite values are read")
    value = value.xreplace({f: _binary(f, place) for f in value.atoms(sp.Float)})
    for number in value.atoms(sp.Rational):
        _sized(number, place)
    conditions = definedness(value)
    for condition in conditions:
        if condition.truth() is False:
            raise InputError("the value is undefined or complex", place=place, remedy=f"it needs {condition}")
    if (
        isinstance(value, sp.Pow | sp.Function)
        and not value.has(*OPAQUE)
        and is_constant(value)
        and not magnitude_ok(value)
    ):
        raise InputError("the number is too large or too small", place=place, remedy="give a smaller one")
    return Parsed(value, conditions)


def _not_finite(value: Any, place: str) -> None:
    raise InputError(f"{value} is not a finite number", place=place, remedy="give a finite number")
