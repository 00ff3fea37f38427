"""A user's numbers as exact rationals: a float is the double it is, text is the decimal or fraction it says."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import flint

from symdp.errors import InputError

MAX_DIGITS = 10_000
MAX_EXPONENT = 400  # a nonzero parameter has a size between 10**-400 and 10**400
MAX_NOISE_EXPONENT = 100  # sigma/sensitivity is between 10**-100 and 10**100
MAX_ORDER = 10**12
_MAX_TEXT = 2_000

RELATIONS = ("add-remove", "replace-one")
DIRECTIONS = ("forward", "reverse", "both")

_DECIMAL = r"[0-9]+(?:[.][0-9]*)?(?:[eE][+-]?[0-9]{1,6})?|[.][0-9]+(?:[eE][+-]?[0-9]{1,6})?"
_NUMBER = re.compile(rf"(?P<sign>[+-])?(?P<top>{_DECIMAL})(?:\s*/\s*(?P<bottom>{_DECIMAL}))?\Z")
_INFINITE = {"inf", "+inf", "infinity", "oo"}


@dataclass(frozen=True, slots=True)
class Point:
    """One exact place to evaluate at: ``0 <= q <= 1``, noise ``sigma > 0`` per unit of sensitivity, ``alpha >= 1``.

    ``alpha`` is None for the order infinity.
    """

    q: Fraction
    sigma: Fraction
    alpha: Fraction | None


def number(value: Any, place: str) -> Fraction:
    """``value`` as an exact rational. Raises InputError, one line, for whatever is no finite number of bounded size."""
    exact = _read(value, place) if isinstance(value, str) else _convert(value, place)
    if exact and not -MAX_EXPONENT <= _log10(exact) <= MAX_EXPONENT:
        raise _unsized(place)
    return exact


def order(value: Any, place: str = "alpha") -> Fraction | None:
    """An order ``alpha >= 1``, or None for infinity (the float inf or the text "inf")."""
    if _is_infinite(value):
        return None
    exact = number(value, place)
    if exact < 1:
        raise InputError(f"the order is {_show(value)}, below 1", place=place, remedy="give a number >= 1, or inf")
    if exact > MAX_ORDER:
        raise InputError(f"the order is above {MAX_ORDER}", place=place, remedy="give a smaller order, or inf")
    return exact


def sampling_rate(value: Any, place: str = "q") -> Fraction:
    """A sampling probability, ``0 <= q <= 1``."""
    exact = number(value, place)
    if not 0 <= exact <= 1:
        raise InputError(f"the sampling rate is {_show(value)}", place=place, remedy="give a number from 0 to 1")
    return exact


def positive(value: Any, place: str) -> Fraction:
    """A number > 0 (sigma, sensitivity)."""
    exact = number(value, place)
    if exact <= 0:
        raise InputError(f"{_show(value)} is not positive", place=place, remedy="give a number > 0")
    return exact


def noise(sigma: Any, sensitivity: Any = 1) -> Fraction:
    """The noise per unit of sensitivity, ``sigma / sensitivity``: the only way either enters a divergence."""
    scale = positive(sensitivity, "sensitivity")
    ratio = positive(sigma, "sigma") / scale
    if not -MAX_NOISE_EXPONENT <= _log10(ratio) <= MAX_NOISE_EXPONENT:
        raise InputError(
            "sigma/sensitivity is too large or too small",
            place="sigma",
            remedy=f"1e-{MAX_NOISE_EXPONENT} to 1e{MAX_NOISE_EXPONENT}",
        )
    return ratio


def point(q: Any, sigma: Any, alpha: Any, sensitivity: Any = 1) -> Point:
    """The exact place a user means. Raises InputError that names the argument at fault."""
    return Point(sampling_rate(q), noise(sigma, sensitivity), order(alpha))


def digits_asked(value: Any) -> int:
    """The number of significant digits asked for, from 1 to ``MAX_DIGITS``."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise InputError(f"{_show(value)} is not a whole number", place="digits", remedy=f"give 1 to {MAX_DIGITS}")
    if not 1 <= int(value) <= MAX_DIGITS:
        raise InputError(f"{int(value)} digits cannot be had", place="digits", remedy=f"give 1 to {MAX_DIGITS}")
    return int(value)


def choice(value: Any, allowed: Iterable[str], place: str) -> str:
    """``value`` if it is one of the allowed words."""
    if not isinstance(value, str) or value not in (words := tuple(allowed)):
        raise InputError(f"{_show(value)} is not known", place=place, remedy=f"give one of {', '.join(allowed)}")
    return words[words.index(value)]


def _is_infinite(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _INFINITE
    if isinstance(value, bool):
        return False
    if hasattr(value, "_mpf_"):
        return bool(value == math.inf)
    return isinstance(value, float) and value == math.inf


def _read(text: str, place: str) -> Fraction:
    body = text.strip()
    if len(body) > _MAX_TEXT:
        raise InputError(f"{len(body)} characters are too many", place=place, remedy=f"at most {_MAX_TEXT} are read")
    match = _NUMBER.match(body)
    if not match:
        raise InputError(f"{_show(text)} is not a number", place=place, remedy="write it like 0.01, 1e-8 or 1/3")
    top, bottom = _decimal(match["top"], place), _decimal(match["bottom"] or "1", place)
    if not bottom:
        raise InputError(f"{_show(text)} divides by zero", place=place, remedy="write a number like 1/3")
    return -top / bottom if match["sign"] == "-" else top / bottom


def _decimal(text: str, place: str) -> Fraction:
    mantissa, _, power = text.lower().partition("e")
    whole, _, rest = mantissa.partition(".")
    exponent = int(power or 0)
    if abs(exponent) > MAX_EXPONENT + _MAX_TEXT:
        raise _unsized(place)
    units = int(flint.fmpz((whole + rest).lstrip("0") or "0"))  # str -> int alone is limited in Python
    return Fraction(units) * Fraction(10) ** (exponent - len(rest))


def _convert(value: Any, place: str) -> Fraction:
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        raise InputError("a truth value is not a number", place=place, remedy="write 0 or 1")
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if hasattr(value, "_mpf_"):
        sign, man, exp, _ = value._mpf_
        if not man and exp:
            raise InputError(f"{value} is not finite", place=place, remedy="give a finite number")
        if abs(exp) > 10 * _MAX_TEXT + man.bit_length():
            raise _unsized(place)
        return Fraction(-int(man) if sign else int(man)) * Fraction(2) ** int(exp)
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) > MAX_EXPONENT:
        raise _unsized(place)
    if isinstance(value, Decimal | numbers.Real) and hasattr(value, "as_integer_ratio"):
        try:
            return Fraction(*(int(part) for part in value.as_integer_ratio()))
        except (OverflowError, ValueError):
            raise InputError(f"{_show(value)} is not finite", place=place, remedy="give a finite number") from None
    raise InputError(
        f"a {type(value).__name__} is not a number", place=place, remedy="give an int, a float, a Fraction or text"
    )


def _unsized(place: str) -> InputError:
    sizes = f"sizes from 1e-{MAX_EXPONENT} to 1e{MAX_EXPONENT} are read"
    return InputError("the number is too large or too small", place=place, remedy=sizes)


def _log10(exact: Fraction) -> float:
    return (math.log(abs(exact.numerator)) - math.log(exact.denominator)) / math.log(10)


def _show(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."
