"""One value against the truth: two exact numbers compared, no float in between.

The truth is an enclosure ``[low, high]``. For Rényi divergences it is the value itself with 30 digits. For epsilon the
lower end is a proved lower bound of the least epsilon of the mechanism, the upper end a proved guarantee; what lies
between is not contradicted.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction

from symdp.ball import Enclosure

#: Kinds of findings, the gravest first, with what they mean.
MEANING = {
    "below": "below the truth: more privacy is promised than there is",
    "negative": "negative",
    "nan": "not a number",
    "infinite": "infinite where the truth is not",
    "above": "above the truth by more than is allowed",
    "exception": "an exception",
    "hang": "no answer within the time limit",
    "died": "the peer's process ended",
    "shape": "not the numbers that were asked for",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A value's kind of finding ("" if there is none), its distance from the enclosure as a fraction of the nearer end
    (None where the value is no finite number, inf where that end is 0), and whether it is proved to be below.
    """

    kind: str
    error: Fraction | float | None
    below: bool


def judge(value: float, truth: Enclosure, tolerance: Fraction, excess: Fraction | None) -> Judged:
    """Compare a peer's double with the enclosure.

    Below by more than ``tolerance`` of the truth is a finding, as is above by more than ``excess`` of it (None: any
    upper bound will do).
    """
    if math.isnan(value):
        return Judged("nan", None, False)
    low, high = exact(truth.lower), exact(truth.upper)
    if value == math.inf:
        finite = high is not None and high <= Fraction(sys.float_info.max)
        return Judged("infinite" if finite else "", None, False)
    if value == -math.inf:
        return Judged("negative", None, True)
    number = Fraction(value)
    if low is None or number < low:
        error = math.inf if not low else (low - number) / low
        kind = "negative" if number < 0 else "below" if error > tolerance else ""
        return Judged(kind, error, True)
    if high is not None and number > high:
        error = (number - high) / high if high else math.inf
        return Judged("above" if excess is not None and error > excess else "", error, False)
    return Judged("", Fraction(0), False)


def exact(end: object) -> Fraction | None:
    """An end of an enclosure as a rational number; None for infinity."""
    sign, mantissa, exponent, bits = end._mpf_  # type: ignore[attr-defined]
    if not mantissa and bits:  # mpmath's infinities have a count of bits without any
        return None
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent)
