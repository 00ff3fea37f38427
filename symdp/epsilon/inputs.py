"""Exact numbers in: what the user gives as a number or an enclosure, as balls at any precision."""

from __future__ import annotations

import math
import numbers
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from flint import arb, fmpq
from mpmath import libmp

from symdp.ball import Enclosure, current_precision
from symdp.errors import InputError

#: Precision is not raised beyond this many bits, or eight times what the digits asked for need.
MAX_BITS = 1 << 17
#: At most so many digits can be asked for, and so many may an exact number have before or behind its point.
MAX_DIGITS = 4_000
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?(?:/[0-9]+)?\Z")


@dataclass(frozen=True, slots=True)
class Real:
    """A real number known exactly (a rational, or a constant sympy tree) or only up to an enclosure."""

    value: Any

    def ball(self) -> arb:
        """A ball that contains it, at the working precision."""
        if isinstance(self.value, Fraction):
            return arb(fmpq(self.value.numerator, self.value.denominator))
        return self.enclosure().to_arb()

    def enclosure(self) -> Enclosure:
        """An enclosure of it, as tight as the working precision allows."""
        bits = current_precision()
        if isinstance(self.value, Enclosure):
            return self.value
        if isinstance(self.value, Fraction):
            return Enclosure.from_fraction(self.value, bits)
        from symdp.enclosure import enclose  # sympy is there already: the user gave us a sympy object

        return enclose(self.value, {}, digits=max(1, int(bits * 0.30102)))

    @property
    def is_known(self) -> bool:
        """Whether it is one number rather than a range."""
        return not isinstance(self.value, Enclosure) or self.value.is_exact

    def ends(self) -> tuple[Real, Real]:
        """The two ends of a range; a number that is known is both."""
        if self.is_known:
            return self, self
        low, high = self.value.lower, self.value.upper
        return Real(Enclosure(low, low)), Real(Enclosure(high, high))

    def compare(self, bound: int) -> tuple[int, int]:
        """Signs of the lower and of the upper end minus ``bound``."""
        if isinstance(self.value, Fraction):
            sign = (self.value > bound) - (self.value < bound)
            return sign, sign
        low, high = self.enclosure().lower, self.enclosure().upper
        return int(low > bound) - int(low < bound), int(high > bound) - int(high < bound)


def real(value: Any, place: str, *, least: int = 0, most: int | None = None) -> Real:
    """Read a number: int, Fraction, float (the double it is), Decimal, mpf, text, sympy constant, or an Enclosure.

    Raises InputError naming the place for anything else, for nan and infinities, and for what is not provably within
    ``least <= value <= most``. An Enclosure may have an infinite upper end where ``most`` is None.
    """
    result = Real(value if isinstance(value, Enclosure) else _exact(value, place))
    if result.compare(least)[0] < 0:
        raise InputError(f"{_show(value)} is below {least}", place=place)
    if most is not None and result.compare(most)[1] > 0:
        raise InputError(f"{_show(value)} is above {most}", place=place)
    return result


def rational(value: Any, place: str) -> Fraction:
    """Read a number that must be rational; errors as ``real``."""
    number = _exact(value, place)
    if not isinstance(number, Fraction):
        raise InputError(f"{_show(value)} is not a rational number", place=place)
    return number


def check_digits(digits: Any) -> int:
    """``digits`` as an int between 1 and ``MAX_DIGITS``; else InputError."""
    if isinstance(digits, bool) or not isinstance(digits, numbers.Integral) or not 1 <= int(digits) <= MAX_DIGITS:
        raise InputError(f"a whole number from 1 to {MAX_DIGITS} expected", place="digits")
    return int(digits)


def _show(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _exact(value: Any, place: str) -> Any:
    """A Fraction, or a sympy constant that is not rational."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        raise InputError("a truth value is not a number", place=place, remedy="write 0 or 1")
    if isinstance(value, str):
        return _text(value.strip(), place)
    if isinstance(value, numbers.Rational):
        return _sized(Fraction(int(value.numerator), int(value.denominator)), place)
    if hasattr(value, "free_symbols"):
        from symdp.text import exact

        constant = exact(value, place=place)
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
        from symdp.text import exact

        return _exact(exact(text, place=place), place)
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
