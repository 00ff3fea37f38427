"""A user's numbers as exact rationals: a float is the double it is, text is the decimal or fraction it says.

sympy is loaded only for what needs it: text that is an expression, and sympy's own constants.
"""

from __future__ import annotations

import math
import numbers
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from mpmath import libmp

from symdp.errors import InputError

#: So many digits may an exact number have before or behind its point, and so many can be asked of an epsilon.
MAX_DIGITS = 4_000
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?(?:/[0-9]+)?\Z")


def rational(value: Any, place: str) -> Fraction:
    """Read a number that must be rational: int, Fraction, float, Decimal, mpf, text or sympy constant.

    Raises InputError naming the place for anything else, for nan and infinities, and for what is too large.
    """
    number = exact(value, place)
    if not isinstance(number, Fraction):
        raise InputError(f"{show(value)} is not a rational number", place=place)
    return number


def exact(value: Any, place: str) -> Any:
    """A Fraction, or a sympy constant that is not rational; errors as ``rational``."""
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        raise InputError("a truth value is not a number", place=place, remedy="write 0 or 1")
    if isinstance(value, str):
        return _text(value.strip(), place)
    if isinstance(value, numbers.Rational):
        return _sized(Fraction(int(value.numerator), int(value.denominator)), place)
    if hasattr(value, "free_symbols"):
        from symdp.text import exact as constant_of

        constant = constant_of(value, place=place)
        return Fraction(int(constant.p), int(constant.q)) if constant.is_Rational else constant
    if hasattr(value, "_mpf_"):
        return _binary(value, place)
    if isinstance(value, numbers.Real | Decimal):
        if not math.isfinite(value):
            raise InputError(f"{value} is not a finite number", place=place, remedy="give a finite number")
        if isinstance(value, Decimal) and abs(value.adjusted()) > MAX_DIGITS:
            raise InputError("the number is too large or too small", place=place)
        return _sized(Fraction(*value.as_integer_ratio()), place)  # type: ignore[union-attr]
    raise InputError(
        f"a number expected, got {type(value).__name__}", place=place, remedy="pass an int, Fraction, float or text"
    )


def _text(text: str, place: str) -> Any:
    if not _DECIMAL.match(text):
        from symdp.text import exact as constant_of

        return exact(constant_of(text, place=place), place)
    number, _, below = text.partition("/")
    mantissa, _, power = number.lower().partition("e")
    if len(text) > MAX_DIGITS or abs(int(power or "0")) > MAX_DIGITS:
        raise InputError(
            "the number is too large or too small", place=place, remedy=f"at most {MAX_DIGITS} digits are read"
        )
    if below and not int(below):
        raise InputError("division by zero", place=place)
    return _sized(Fraction(mantissa) * Fraction(10) ** int(power or "0") / int(below or "1"), place)


def _binary(value: Any, place: str) -> Fraction:
    if value._mpf_ in (libmp.finf, libmp.fninf, libmp.fnan):
        raise InputError(f"{value} is not a finite number", place=place, remedy="give a finite number")
    sign, mantissa, exponent, _ = value._mpf_
    if abs(int(exponent)) > 4 * MAX_DIGITS:
        raise InputError("the number is too large or too small", place=place)
    return _sized(Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent), place)


def _sized(value: Fraction, place: str) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 8 * MAX_DIGITS:
        raise InputError("the number is too large or too small", place=place)
    return value


def show(value: Any) -> str:
    """A value for a message, shortened."""
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
