"""Dyadic numbers ``man * 2**exp`` to decimal text and to doubles, rounded in a stated direction, by integers only.

No floating point takes part in the rounding and no global precision is read, so these functions may run in any thread.
"""

from __future__ import annotations

import contextlib
import math
import re
import sys

import flint
from mpmath import libmp

# Beyond this many bits of scaling the power of ten is bounded from both sides instead of being written out.
_EXACT_SCALING_BITS = 60_000
_DECIMAL = re.compile(r"(?P<sign>-)?(?P<whole>[0-9]*)(?:[.](?P<rest>[0-9]*))?(?:[eE](?P<power>[+-]?[0-9]+))?\Z")


def round_decimal(man: int, exp: int, digits: int, *, up: bool) -> str:
    """The value ``man * 2**exp`` with ``digits`` significant digits, rounded towards +oo (``up``) or -oo.

    A value that fits in ``digits`` digits is printed exactly, without padding; any other keeps its trailing zeros.
    """
    if digits < 1:
        raise ValueError("at least one significant digit must be asked for")
    if man == 0:
        return "0"
    negative = man < 0
    magnitude_up = up != negative
    man = abs(man)
    top = man.bit_length() + exp - 1
    bits = 64 + top.bit_length()
    log10_of_2 = libmp.mpf_div(libmp.mpf_ln2(bits), libmp.mpf_ln10(bits), bits)  # a guess, corrected below
    leading = int(libmp.to_int(libmp.mpf_mul_int(log10_of_2, top, bits), "f"))
    for _ in range(8):
        low, high = _scaled(man, exp, digits - 1 - leading, digits)
        units = high if magnitude_up else low
        if units >= 10**digits:
            leading += max(1, len(_int_text(units)) - digits)
        elif units < 10 ** (digits - 1):
            leading -= max(1, digits - len(_int_text(units)))
        else:
            break
    return _layout("-" if negative else "", units, leading, digits, exact=low == high)


def _scaled(man: int, exp: int, power: int, digits: int) -> tuple[int, int]:
    """Integers below and above ``man * 2**exp * 10**power``; equal only when both are that number exactly."""
    if abs(exp) + 4 * abs(power) <= _EXACT_SCALING_BITS + 16 * (digits + man.bit_length()):
        numerator = man * (10**power if power > 0 else 1) << max(exp, 0)
        denominator = (10**-power if power < 0 else 1) << max(-exp, 0)
        quotient, remainder = divmod(numerator, denominator)
        return quotient, quotient + (remainder > 0)
    bits = 4 * digits + 64 + 2 * abs(power).bit_length()
    low, high, shift = power_of_ten(abs(power), bits)
    if power >= 0:
        exp += shift
        low, high = man * low, man * high
    else:
        extra = bits + low.bit_length()
        exp -= shift + extra
        low, high = (man << extra) // high, -((-man << extra) // low)
    if exp >= 0:
        return low << exp, max(high << exp, (low << exp) + 1)
    return low >> -exp, max(-((-high) >> -exp), (low >> -exp) + 1)


def power_of_ten(n: int, bits: int) -> tuple[int, int, int]:
    """``(low, high, shift)`` with ``low * 2**shift <= 10**n <= high * 2**shift`` and about ``bits`` bits in low."""
    low, high, shift = 1, 1, 0
    for bit in bin(n)[2:]:
        low, high, shift = low * low, high * high, 2 * shift
        if bit == "1":
            low, high = 10 * low, 10 * high
        excess = high.bit_length() - bits
        if excess > 0:
            low, high, shift = low >> excess, -((-high) >> excess), shift + excess
    return low, high, shift


def _layout(sign: str, units: int, leading: int, digits: int, *, exact: bool) -> str:
    text = _int_text(units)
    if exact:
        text = text.rstrip("0")
    if 0 <= leading < max(digits, len(text)):
        text = text.ljust(leading + 1, "0")
        whole, rest = text[: leading + 1], text[leading + 1 :]
        return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"
    if -6 <= leading < 0:
        return f"{sign}0.{'0' * (-leading - 1)}{text}"
    mantissa = f"{text[0]}.{text[1:]}" if len(text) > 1 else text
    return f"{sign}{mantissa}e{_int_text(leading)}"


def _int_text(n: int) -> str:
    # str(int) is limited to 4300 digits; fmpz is not.
    return str(flint.fmpz(n))


def decimal_bounds(text: str, bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Dyadic numbers ``(man, exp)`` below and above a decimal text such as ``-1.25e-7``, with at least ``bits`` bits.

    They are equal when the decimal is dyadic and short. ValueError if the text is not a decimal number.
    """
    match = _DECIMAL.match(text.strip())
    if not match or not (match["whole"] or match["rest"]):
        raise ValueError(f"not a decimal number: {text[:60]!r}")
    rest = match["rest"] or ""
    units = int(flint.fmpz(((match["whole"] or "") + rest).lstrip("0") or "0"))
    power = int(flint.fmpz((match["power"] or "0").lstrip("+"))) - len(rest)
    if units == 0:
        return (0, 0), (0, 0)
    # scale so that about `bits` bits stand before the binary point
    shift = bits + 4 - units.bit_length() - math.floor(power * 3.3219280948873626) if abs(power) < 10**9 else 0
    if abs(power) < 10**5:
        numerator = units * 10 ** max(power, 0) << max(shift, 0)
        denominator = 10 ** max(-power, 0) << max(-shift, 0)
        low = numerator // denominator
        high = low + (low * denominator != numerator)
        ends = (low, -shift), (high, -shift)
    else:
        wide = bits + 64 + 2 * abs(power).bit_length()
        floor, ceiling, exp = power_of_ten(abs(power), wide)
        if power > 0:
            ends = (units * floor, exp), (units * ceiling, exp)
        else:
            extra = wide + 2 * floor.bit_length()
            ends = ((units << extra) // ceiling, -exp - extra), (-((-units << extra) // floor), -exp - extra)
    if not match["sign"]:
        return ends
    return (-ends[1][0], ends[1][1]), (-ends[0][0], ends[0][1])


def to_double(man: int, exp: int, *, up: bool) -> float:
    """The double next to ``man * 2**exp``: the smallest one not below it (``up``) or the largest one not above it."""
    if man == 0:
        return 0.0
    top = abs(man).bit_length() + exp - 1
    if top < -1080:
        return (5e-324 if man > 0 else -5e-324) if up == (man > 0) else 0.0
    if top <= 1024:
        quantum = max(top - 52, -1074)
        shift = exp - quantum
        # a right shift rounds down; rounding up is rounding the negative down
        units = -_shifted(-man, shift) if up else _shifted(man, shift)
        with contextlib.suppress(OverflowError):
            return math.ldexp(units, quantum)
    size = math.inf if up == (man > 0) else sys.float_info.max
    return size if man > 0 else -size


def _shifted(man: int, shift: int) -> int:
    return man << shift if shift >= 0 else man >> -shift
