"""Grids as text, ``q=1e-8,0.01; sigma=0.5:20:log40; alpha=1.1:64:0.1``: exact points, made one at a time.

An axis is a list of items; an item is a number, an expression or a word, or a range: ``first:last`` in steps of 1,
``first:last:step``, ``first:last:lin40`` and ``first:last:log40`` (40 points at equal distances or ratios, both ends
included). Points of a logarithmic range are rational: rounded to six significant digits, or to so many more that the
rounding is below a thousandth of the distance to the next one.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol

from symdp.ball import mp_context
from symdp.errors import InputError
from symdp.rationals import rational, show

MOST_ROWS = 10**8
Item = Fraction | str
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?(?:/[0-9]+)?\Z")
_COUNTED = re.compile(r"(lin|log)([0-9]{1,9})\Z")
_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*\Z")
_LEAST_DIGITS = 6
_LEAST_GROWTH = Fraction(1, 10**12)


class Points(Protocol):
    """Some consecutive points of an axis."""

    @property
    def count(self) -> int:
        """How many there are."""

    def at(self, index: int) -> Item:
        """The point of that index, from 0."""


@dataclass(frozen=True)
class One:
    """A single item."""

    item: Item
    count: int = 1

    def at(self, index: int) -> Item:
        """The item."""
        return self.item


@dataclass(frozen=True)
class Steps:
    """``first + index step``."""

    first: Fraction
    step: Fraction
    count: int

    def at(self, index: int) -> Item:
        """The point of that index."""
        return self.first + index * self.step


@dataclass(frozen=True)
class Ratios:
    """``first (last/first)^(index/(count-1))``, rounded to ``digits`` significant digits; both ends are exact."""

    first: Fraction
    last: Fraction
    count: int

    @cached_property
    def digits(self) -> int:
        """Significant digits of the points between the ends."""
        growth = (_log10(self.last) - _log10(self.first)) / (self.count - 1)
        return max(_LEAST_DIGITS, math.ceil(-math.log10(growth)) + 4)

    @cached_property
    def _powers(self) -> tuple[Any, Any, Any]:
        """Arithmetic with digits to spare, the first point, and the logarithm of the ratio of two neighbours."""
        mp = mp_context(self.digits + 30)
        first, last = (mp.mpf(end.numerator) / end.denominator for end in (self.first, self.last))
        return mp, first, mp.log(last / first) / (self.count - 1)

    def at(self, index: int) -> Item:
        """The point of that index."""
        if index in (0, self.count - 1):
            return self.last if index else self.first
        mp, start, ratio = self._powers
        _, mantissa, exponent, _ = (start * mp.exp(index * ratio))._mpf_
        exact = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
        unit = Fraction(10) ** (math.floor(_log10(exact)) + 1 - self.digits)
        return round(exact / unit) * unit


@dataclass(frozen=True)
class Axis:
    """The points that one name of the grid takes, in the order typed."""

    name: str
    parts: tuple[Points, ...]
    double: bool = False

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(part.count for part in self.parts))

    @property
    def count(self) -> int:
        """How many points."""
        return self._ends[-1]

    def at(self, index: int) -> Item:
        """The point of that index, from 0; the double nearest to it if ``double``."""
        part = bisect_right(self._ends, index)
        item = self.parts[part].at(index - (self._ends[part - 1] if part else 0))
        return item if isinstance(item, str) or not self.double else nearest_double(item, f"--grid, {self.name}")

    def corners(self) -> list[Item]:
        """The first and last point of every item: where a range check can fail first."""
        return list(dict.fromkeys(self.at(i) for end, part in self._spans() for i in (end - part.count, end - 1)))

    def _spans(self) -> list[tuple[int, Points]]:
        return list(zip(self._ends, self.parts, strict=True))


def nearest_double(number: Fraction, place: str) -> Fraction:
    """The double nearest to a number, exactly. Raises InputError where there is none."""
    try:
        return Fraction(float(number))
    except OverflowError:
        raise InputError("the number is too large for a double", place=place, remedy="leave out --double") from None


def read_grid(text: str, *, double: bool = False) -> tuple[Axis, ...]:
    """The axes of a grid, in the order typed. Raises InputError, one line that names the axis and the remedy."""
    axes: dict[str, Axis] = {}
    for part in text.split(";"):
        if not part.strip():
            continue
        name, equals, items = part.partition("=")
        name = name.strip()
        if not equals or not _NAME.match(name):
            raise _bad("--grid", f"'{show(part.strip())}' is not name=values", "write 'q=0.01; sigma=1:4; alpha=2:64'")
        if name in axes:
            raise _bad("--grid", f"'{show(name)}' is given twice", "write all its values after one name")
        place = f"--grid, {show(name)}"
        axes[name] = Axis(name, tuple(_points(item, place) for item in _split(items, place)), double)
    if not axes:
        raise _bad("--grid", "the grid is empty", "write 'q=0.01; sigma=1:4; alpha=2:64'")
    if math.prod(axis.count for axis in axes.values()) > MOST_ROWS:
        raise _bad("--grid", f"the grid has more than {MOST_ROWS} rows", "split it into several tables")
    return tuple(axes.values())


def point_of(axes: Mapping[str, Axis], index: int) -> dict[str, Item]:
    """The point of a row: the last axis runs fastest."""
    point: dict[str, Item] = {}
    for name, axis in reversed(list(axes.items())):
        index, place = divmod(index, axis.count)
        point[name] = axis.at(place)
    return {name: point[name] for name in axes}


def _split(text: str, place: str) -> list[str]:
    """The items between commas outside parentheses."""
    items, depth, start = [], 0, 0
    for index, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            items.append(text[start:index])
            start = index + 1
    items.append(text[start:])
    if any(not item.strip() for item in items):
        raise _bad(place, "a value is missing", "write numbers or ranges, separated by commas")
    return [item.strip() for item in items]


def _points(text: str, place: str) -> Points:
    if ":" not in text:
        return One(rational(text, place) if _NUMBER.match(text) else text)
    parts = [part.strip() for part in text.split(":")]
    if len(parts) > 3 or not all(parts):
        raise _bad(place, f"'{show(text)}' is not a range", "write first:last, first:last:step or first:last:log40")
    first, last = (rational(part, place) for part in parts[:2])
    if last < first:
        raise _bad(place, f"the range {show(text)} is empty", "write the smaller number first")
    counted = _COUNTED.match(parts[2]) if len(parts) == 3 else None
    if counted is None:
        return _steps(first, last, rational(parts[2], place) if len(parts) == 3 else Fraction(1), place)
    count = int(counted[2])
    if not 2 <= count <= MOST_ROWS or first == last:
        raise _bad(place, f"'{show(text)}' has not two different ends", "write 2 points or more, from end to end")
    if counted[1] == "lin":
        return Steps(first, (last - first) / (count - 1), count)
    if first <= 0:
        raise _bad(place, f"the range {show(text)} begins at or below 0", "a logarithmic range is of numbers > 0")
    if last / first - 1 < count * _LEAST_GROWTH:
        raise _bad(place, f"the points of {show(text)} are too close together", "write lin for log")
    return Ratios(first, last, count)


def _steps(first: Fraction, last: Fraction, step: Fraction, place: str) -> Steps:
    if step <= 0:
        raise _bad(place, "the step of a range is not positive", "give a step > 0")
    count = (last - first) // step + 1
    if count > MOST_ROWS:
        raise _bad(place, f"a range has more than {MOST_ROWS} points", "give a larger step")
    return Steps(first, step, int(count))


def _log10(number: Fraction) -> float:
    return (math.log(number.numerator) - math.log(number.denominator)) / math.log(10)


def _bad(place: str, message: str, remedy: str) -> InputError:
    return InputError(message, place=place, remedy=remedy)
