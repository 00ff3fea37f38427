"""Numbers in: Python, numpy, mpmath and sympy numbers, and text, as exact sympy constants."""

from __future__ import annotations

import math
import numbers
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy as sp

from symdp.errors import InputError
from symdp.text.conditions import definedness
from symdp.text.constants import magnitude_ok
from symdp.text.meaning import MAX_BITS, bits
from symdp.text.reading import parse
from symdp.text.tokens import MAX_DIGITS


def exact(value: Any, *, place: str = "value") -> sp.Expr:
    """``value`` as an exact real constant; a float is the binary number it is, text is read by ``parse``.

    Raises InputError for bool, nan, infinities, complex numbers and anything with a symbol in it.
    """
    if isinstance(value, str):
        result = parse(value, place=place, names=())
    elif isinstance(value, sp.Basic):
        result = _tree(value, place)
    elif isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        raise InputError("a truth value is not a number", place=place, remedy="write 0 or 1")
    else:
        result = _rational(value, place)
    if isinstance(result, sp.Rational) and bits(result) > MAX_BITS:
        raise InputError("the number is too large", place=place, remedy=f"at most {MAX_DIGITS} digits are read")
    return result


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
        if not math.isfinite(float(value)):
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


def _tree(value: sp.Basic, place: str) -> sp.Expr:
    if not isinstance(value, sp.Expr):
        raise InputError(f"a number expected, got {type(value).__name__}", place=place)
    if value.free_symbols:
        names = ", ".join(sorted(str(s) for s in value.free_symbols))
        raise InputError(f"not a constant: it contains {names}", place=place, remedy="give a number")
    if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
        raise InputError(f"{value} is not a finite real number", place=place)
    value = value.xreplace({f: _binary(f, place) for f in value.atoms(sp.Float)})
    for condition in definedness(value):
        if condition.truth() is False:
            raise InputError(f"{value} is undefined or complex", place=place, remedy=f"it needs {condition}")
    if isinstance(value, sp.Pow | sp.Function) and not magnitude_ok(value):
        raise InputError("the number is too large or too small", place=place)
    return value


def _not_finite(value: Any, place: str) -> None:
    raise InputError(f"{value} is not a finite number", place=place, remedy="give a finite number")
