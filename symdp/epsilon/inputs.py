"""Exact numbers in: what the user gives as a number or an enclosure, as balls at any precision."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from symdp.ball import Enclosure, arb_of, current_precision
from symdp.errors import InputError
from symdp.rationals import MAX_DIGITS, exact, show

#: Precision is not raised beyond this many bits, or eight times what the digits asked for need.
MAX_BITS = 1 << 17
#: The longest composition.
MAX_STEPS = 10**12


@dataclass(frozen=True, slots=True)
class Real:
    """A real number known exactly (a rational, or a constant sympy tree) or only up to an enclosure."""

    value: Any

    def ball(self) -> arb:
        """A ball that contains it, at the working precision."""
        if isinstance(self.value, Fraction):
            return arb_of(self.value)
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


def real(value: Any, place: str, *, least: int = 0) -> Real:
    """Read a number: int, Fraction, float (the double it is), Decimal, mpf, text, sympy constant, or an Enclosure.

    Raises InputError naming the place for anything else, for nan and infinities, and for what is not provably at
    least ``least``. An Enclosure may have an infinite upper end.
    """
    result = Real(value if isinstance(value, Enclosure) else exact(value, place))
    if result.compare(least)[0] < 0:
        raise InputError(f"{show(value)} is below {least}", place=place)
    return result


def check_digits(digits: Any) -> int:
    """``digits`` as an int between 1 and ``MAX_DIGITS``; else InputError."""
    if isinstance(digits, bool) or not isinstance(digits, numbers.Integral) or not 1 <= int(digits) <= MAX_DIGITS:
        raise InputError(f"a whole number from 1 to {MAX_DIGITS} expected", place="digits")
    return int(digits)


def check_steps(steps: Any) -> int:
    """``steps`` as an int between 1 and ``MAX_STEPS``; else InputError."""
    if isinstance(steps, bool) or not isinstance(steps, numbers.Integral) or not 1 <= int(steps) <= MAX_STEPS:
        raise InputError(f"a whole number from 1 to {MAX_STEPS} expected", place="steps")
    return int(steps)
