"""The arguments of the sampled Gaussian as exact rationals, each checked for its range and size."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symdp.errors import InputError
from symdp.rationals import rational, show

MAX_DIGITS = 10_000
MAX_EXPONENT = 400  # a nonzero parameter has a size between 10**-400 and 10**400
MAX_NOISE_EXPONENT = 100  # sigma/sensitivity is between 10**-100 and 10**100
MAX_ORDER = 10**12

RELATIONS = ("add-remove", "replace-one")
DIRECTIONS = ("forward", "reverse", "both")

_INFINITE = {"inf", "+inf", "infinity", "oo"}


@dataclass(frozen=True, slots=True)
class Point:
    """One exact place to evaluate at: ``0 <= q <= 1``, noise ``sigma > 0`` per unit of sensitivity, ``alpha >= 1``.

    ``alpha`` is None for the order infinity.
    """

    q: Fraction
    sigma: Fraction
    alpha: Fraction | None

    def gaussian_rate(self, kind: str) -> Fraction:
        """``R_alpha/alpha`` at q = 1: two Gaussians whose means differ by 1, or by 2 for replace-one."""
        return (4 if kind == "replace-one" else 1) / (2 * self.sigma**2)


def number(value: Any, place: str) -> Fraction:
    """``value`` as an exact rational. Raises InputError, one line, for whatever is no finite number of bounded size."""
    exact = rational(value, place)
    if exact and not -MAX_EXPONENT <= _log10(exact) <= MAX_EXPONENT:
        sizes = f"sizes from 1e-{MAX_EXPONENT} to 1e{MAX_EXPONENT} are read"
        raise InputError("the number is too large or too small", place=place, remedy=sizes)
    return exact


def order(value: Any, place: str = "alpha") -> Fraction | None:
    """An order ``alpha >= 1``, or None for infinity (the float inf or the text "inf")."""
    if _is_infinite(value):
        return None
    exact = number(value, place)
    if exact < 1:
        raise InputError(f"the order is {show(value)}, below 1", place=place, remedy="give a number >= 1, or inf")
    if exact > MAX_ORDER:
        raise InputError(f"the order is above {MAX_ORDER}", place=place, remedy="give a smaller order, or inf")
    return exact


def sampling_rate(value: Any, place: str = "q") -> Fraction:
    """A sampling probability, ``0 <= q <= 1``."""
    exact = number(value, place)
    if not 0 <= exact <= 1:
        raise InputError(f"the sampling rate is {show(value)}", place=place, remedy="give a number from 0 to 1")
    return exact


def positive(value: Any, place: str) -> Fraction:
    """A number > 0 (sigma, sensitivity)."""
    exact = number(value, place)
    if exact <= 0:
        raise InputError(f"{show(value)} is not positive", place=place, remedy="give a number > 0")
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
        raise InputError(f"{show(value)} is not a whole number", place="digits", remedy=f"give 1 to {MAX_DIGITS}")
    if not 1 <= int(value) <= MAX_DIGITS:
        raise InputError(f"{int(value)} digits cannot be had", place="digits", remedy=f"give 1 to {MAX_DIGITS}")
    return int(value)


def choice(value: Any, allowed: Sequence[str], place: str) -> str:
    """``value`` if it is one of the allowed words."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(f"{show(value)} is not known", place=place, remedy=f"give one of {', '.join(allowed)}")
    return value


def _is_infinite(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _INFINITE
    if isinstance(value, bool):
        return False
    if hasattr(value, "_mpf_"):
        return bool(value == math.inf)
    return isinstance(value, float) and value == math.inf


def _log10(exact: Fraction) -> float:
    return (math.log(abs(exact.numerator)) - math.log(exact.denominator)) / math.log(10)
