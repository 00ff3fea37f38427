"""Ball arithmetic without sympy: enclosures of real numbers, the working precision, and ball functions flint lacks.

This is the only module that sets flint's global precision.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import mpmath
from flint import arb, fmpq
from mpmath import libmp

from symdp import dyadic

_GUARD_BITS = 64
# Endpoints of a ball are formed exactly unless that needs more bits than this.
_EXACT_ENDPOINT_BITS = 1 << 22


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Run the block with flint computing at ``bits`` bits; the former precision returns on every way out.

    Raises RuntimeError outside the main thread: flint's precision belongs to the whole process.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("ball arithmetic sets a precision shared by the whole process: call it from the main thread")
    saved = flint.ctx.prec
    flint.ctx.prec = int(bits)
    try:
        yield
    finally:
        flint.ctx.prec = saved


def current_precision() -> int:
    """The number of bits flint computes with now."""
    return int(flint.ctx.prec)


def bits_for(digits: int) -> int:
    """Bits that hold ``digits`` decimal digits."""
    return math.ceil(digits * 3.3219280948873626) + 1


def mp_context(digits: int) -> Any:
    """A fresh ``mpmath.MPContext`` that works with ``digits`` decimal digits; the global ``mpmath.mp`` is untouched."""
    context = mpmath.MPContext()
    context.dps = int(digits)
    return context


def _raw(value: Any) -> tuple[int, int, int, int]:
    """The exact libmp tuple of an int, float or mpf."""
    if isinstance(value, bool):
        raise TypeError("an endpoint must be a number")
    if isinstance(value, int):
        return libmp.from_int(value)  # type: ignore[no-any-return]
    if isinstance(value, float):
        return libmp.from_float(value)  # type: ignore[no-any-return]
    if hasattr(value, "_mpf_"):
        return value._mpf_  # type: ignore[no-any-return]
    raise TypeError(f"an endpoint must be an int, a float or an mpf, not {type(value).__name__}")


def _mpf(raw: tuple[int, int, int, int]) -> Any:
    return mpmath.mp.make_mpf(raw)


def _man_exp(value: Any) -> tuple[int, int]:
    sign, man, exp, _ = value._mpf_
    return (-int(man) if sign else int(man)), int(exp)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A closed interval ``[lower, upper]`` that provably contains a real number.

    The endpoints are mpmath mpf with their full mantissa (exact numbers; an int or float given is converted exactly).
    ``lower <= upper``; either may be infinite; nan is a ValueError.
    """

    lower: Any
    upper: Any

    def __post_init__(self) -> None:
        low, high = _raw(self.lower), _raw(self.upper)
        if libmp.fnan in (low, high):
            raise ValueError("an enclosure has no nan endpoint")
        if libmp.mpf_gt(low, high):
            raise ValueError("the lower endpoint of an enclosure is above the upper one")
        object.__setattr__(self, "lower", _mpf(low))
        object.__setattr__(self, "upper", _mpf(high))

    @classmethod
    def from_fraction(cls, value: Fraction | int, bits: int = 256) -> Enclosure:
        """The tightest enclosure of a rational number with ``bits``-bit endpoints (a point if it is dyadic)."""
        value = Fraction(value)
        low, high = (libmp.from_rational(value.numerator, value.denominator, bits, rnd) for rnd in "fc")
        return cls(_mpf(low), _mpf(high))

    @property
    def mid(self) -> Any:
        """A number halfway between the endpoints, to a few bits more than they have (mpf)."""
        low, high = self.lower._mpf_, self.upper._mpf_
        bits = max(low[3], high[3]) + _GUARD_BITS
        return _mpf(libmp.mpf_shift(libmp.mpf_add(low, high, bits, "n"), -1))

    @property
    def width(self) -> Any:
        """``upper - lower`` rounded up to 64 bits (mpf)."""
        return _mpf(libmp.mpf_sub(self.upper._mpf_, self.lower._mpf_, _GUARD_BITS, "c"))

    @property
    def is_finite(self) -> bool:
        """Whether both endpoints are finite."""
        return not any(end._mpf_ in (libmp.finf, libmp.fninf) for end in (self.lower, self.upper))

    @property
    def is_exact(self) -> bool:
        """Whether the enclosure is a single number."""
        return bool(self.lower == self.upper)

    @property
    def proved_digits(self) -> float:
        """Significant digits proved: the largest d with ``width <= 10**-d * |x|`` on the enclosure; inf for a point."""
        if self.is_exact:
            return math.inf
        if not self.is_finite or self.contains(0):
            return 0
        near = min(libmp.mpf_abs(self.lower._mpf_), libmp.mpf_abs(self.upper._mpf_), key=_mpf)
        _, man, exp, _ = libmp.mpf_div(near, self.width._mpf_, _GUARD_BITS, "f")
        return float(max(0, math.floor(math.log10(int(man)) + int(exp) * math.log10(2) - 1e-9)))

    def contains(self, value: Any) -> bool:
        """Whether an int, Fraction, float, mpf or another Enclosure lies inside, exactly compared."""
        if isinstance(value, Enclosure):
            return bool(self.lower <= value.lower and value.upper <= self.upper)
        if isinstance(value, Fraction) and value.denominator != 1:
            return _compare(self.lower, value) <= 0 <= _compare(self.upper, value)
        raw = _mpf(_raw(int(value) if isinstance(value, Fraction) else value))
        return bool(self.lower <= raw <= self.upper)

    def overlaps(self, other: Enclosure) -> bool:
        """Whether the two intervals have a number in common."""
        return bool(self.lower <= other.upper and other.lower <= self.upper)

    def hull(self, other: Enclosure) -> Enclosure:
        """The smallest enclosure that contains both."""
        return Enclosure(min(self.lower, other.lower), max(self.upper, other.upper))

    def to_decimal(self, digits: int) -> tuple[str, str]:
        """``(lower, upper)`` as decimal text with ``digits`` significant digits, rounded outward.

        An endpoint that fits in ``digits`` digits is printed exactly. Infinite endpoints print as ``-inf``, ``inf``.
        """
        return _decimal(self.lower, digits, up=False), _decimal(self.upper, digits, up=True)

    def lower_float(self) -> float:
        """The largest double that is not above the lower endpoint."""
        return _double(self.lower, up=False)

    def upper_float(self) -> float:
        """The smallest double that is not below the upper endpoint (inf if there is none)."""
        return _double(self.upper, up=True)

    def to_json(self, digits: int = 50) -> dict[str, str]:
        """``{"lower": ..., "upper": ...}`` as decimal text rounded outward."""
        low, high = self.to_decimal(digits)
        return {"lower": low, "upper": high}

    @classmethod
    def from_json(cls, data: Mapping[str, str]) -> Enclosure:
        """The enclosure a JSON record means; decimals are rounded outward again. ValueError if it is not one."""
        low, high = data["lower"], data["upper"]
        return cls(_read(low, "f"), _read(high, "c"))

    def to_arb(self) -> arb:
        """A ball that contains the enclosure (a point if it is one); needs finite endpoints."""
        low, high = _arb_point(self.lower), _arb_point(self.upper)
        return low if self.is_exact else low.union(high)

    def __str__(self) -> str:
        low, high = self.to_decimal(20)
        return low if low == high else f"[{low}, {high}]"


def _arb_point(value: Any) -> arb:
    if not mpmath.isfinite(value):
        return arb("+inf") if value > 0 else arb("-inf")
    return arb(_man_exp(value))


def _decimal(value: Any, digits: int, *, up: bool) -> str:
    if value._mpf_ == libmp.finf:
        return "inf"
    if value._mpf_ == libmp.fninf:
        return "-inf"
    return dyadic.round_decimal(*_man_exp(value), digits, up=up)


def _double(value: Any, *, up: bool) -> float:
    if value._mpf_ in (libmp.finf, libmp.fninf):
        return math.copysign(math.inf, 1 if value > 0 else -1)
    return dyadic.to_double(*_man_exp(value), up=up)


def _read(text: str, rounding: str) -> Any:
    if text in ("inf", "-inf"):
        return _mpf(libmp.finf if text == "inf" else libmp.fninf)
    low, high = dyadic.decimal_bounds(text, bits_for(len(text)) + _GUARD_BITS)
    return _mpf(libmp.from_man_exp(*(low if rounding == "f" else high)))


def _compare(value: Any, fraction: Fraction) -> int:
    """The sign of ``value - fraction``, exact."""
    if value._mpf_ in (libmp.finf, libmp.fninf):
        return 1 if value > 0 else -1
    bits = fraction.numerator.bit_length() + fraction.denominator.bit_length() + _GUARD_BITS
    low, high = (_mpf(libmp.from_rational(fraction.numerator, fraction.denominator, bits, way)) for way in "fc")
    if low == high:  # the fraction is dyadic
        return int(value > low) - int(value < low)
    if value <= low or value >= high:
        return 1 if value >= high else -1
    man, exp = _man_exp(value)
    difference = Fraction(man) * Fraction(2) ** exp - fraction
    return (difference > 0) - (difference < 0)


def from_arb(x: arb) -> Enclosure:
    """The enclosure with the exact endpoints ``mid - rad`` and ``mid + rad`` of a ball.

    Endpoints that would need millions of bits are rounded outward. A ball that is not finite gives ``[-inf, inf]``.
    """
    if not x.is_finite():
        return Enclosure(_mpf(libmp.fninf), _mpf(libmp.finf))
    if x.is_exact():
        point = _mpf(libmp.from_man_exp(*_parts(x)))
        return Enclosure(point, point)
    man, exp = _parts(x.mid())
    rad, rexp = _parts(x.rad())
    if man and abs(exp - rexp) > _EXACT_ENDPOINT_BITS:
        low, high = (libmp.from_man_exp(*_parts(end)) for end in (x.lower(), x.upper()))
        return Enclosure(_mpf(low), _mpf(high))
    mid, radius = libmp.from_man_exp(man, exp), libmp.from_man_exp(rad, rexp)
    return Enclosure(_mpf(libmp.mpf_sub(mid, radius)), _mpf(libmp.mpf_add(mid, radius)))


def _parts(x: arb) -> tuple[int, int]:
    man, exp = x.man_exp()
    return int(man), int(exp)


def arb_of(value: Fraction | int) -> arb:
    """A ball around a rational number, at the working precision."""
    value = Fraction(value)
    return arb(fmpq(value.numerator, value.denominator))


def from_rational(value: fmpq, bits: int) -> Enclosure:
    """The tightest ``bits``-bit enclosure of a rational number."""
    return Enclosure.from_fraction(Fraction(int(value.p), int(value.q)), bits)
