"""``c_nu = sup_(z > 0) (z I_(nu+1)(z)/I_nu(z))'``: how fast two starts can be told apart under a Bessel kernel.

With ``G = z I_(nu+1)/I_nu``, ``F = G'`` and ``S = G + nu``, for ``nu > -1``,

    z F = z^2 + nu^2 - S^2,      z F' = 2 z - (2 S + 1) F,      F -> 1 as z -> oo,      0 <= F <= max(1, 1/(nu+1)) z,

the last as ``I_(nu+1)/I_nu <= z/(2 nu + 2)``; ``z F/4`` is the variance of the law on the integers with the weights
``(z/2)^(2k)/(k! Gamma(nu + k + 1))``, of which ``G/2`` is the mean.

* For ``nu >= 1/2`` it is 1: where F first reaches 1 from below, ``F' >= 0`` gives ``S + 1/2 <= z`` and ``F = 1`` gives
  ``S^2 = z^2 - z + nu^2``, so that ``nu^2 <= 1/4``; at ``nu = 1/2`` by continuity.
* At a critical point ``F^2 = (S^2 - nu^2)/(S^2 - 1/4)``, and S increases: beyond a point with ``S > 1/2`` no critical
  value of ``F^2`` is above ``1 + max(0, 1/4 - nu^2)/(S^2 - 1/4)`` there.

In between F is enclosed on short intervals, whose ends bound S, and those on which F' has a sign are dropped.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import acb, arb

from symdp.ball import Enclosure, bits_for, from_arb, working_precision
from symdp.errors import Undetermined

_MOST_INTERVALS = 4_000
_LAST_END = 1 << 10
_SAMPLES = 64


def steepest(index: Callable[[int], arb], digits: int = 15) -> Enclosure:
    """An enclosure of ``c_nu`` of about ``digits`` digits; ``index(bits)`` gives nu > -1 as a ball of so many bits.

    Raises :class:`Undetermined` for an index that is not seen to be above -1, or where the search does not end.
    """
    bits = 2 * bits_for(digits) + 64
    with working_precision(bits):
        nu = index(bits)
        if not nu > -1:
            raise Undetermined("the index is not seen to be above -1")
        if nu >= arb(0.5):
            return Enclosure(1, 1)
        low, end = _attained(nu)
        high = _search(nu, low, end, arb((1, -bits_for(digits) - 2)))
        return from_arb(low.union(high))


def slope(nu: arb, z: arb) -> tuple[arb, arb]:
    """``(S, F)`` at a point ``z > 0``."""
    ratio = (acb(z).bessel_i(acb(nu + 1), scaled=True) / acb(z).bessel_i(acb(nu), scaled=True)).real
    total = z * ratio + nu
    return total, (z**2 + nu**2 - total**2) / z


def _attained(nu: arb) -> tuple[arb, arb]:
    """A value of F that is nearly its largest, or 1, and an end beyond which F is proved to be below it."""
    best, at = arb(1), arb(1)
    for k in range(_SAMPLES):
        z = (nu + 1).mid() * arb(1 << 12) ** (arb(k) / _SAMPLES).mid() / 4
        value = slope(nu, z.mid())[1]
        if value.mid() > best.mid():
            best, at = value, z.mid()
    step = at / 8
    while step > at * arb((1, -bits_for(20))):  # a climb: any value of F is a lower bound
        around = [(slope(nu, (at + side * step).mid())[1], (at + side * step).mid()) for side in (-1, 1)]
        value, place = max(around, key=lambda pair: pair[0].mid())
        if value.mid() > best.mid():
            best, at = value, place
        else:
            step = (step / 2).mid()
    low, end = best.lower().max(arb(1)), (2 * at + 2).mid()
    while end < _LAST_END:
        total, value = slope(nu, end)
        above = arb(0).max(arb(0.25) - nu**2)
        if total > arb(0.5) and value < low and 1 + above / (total**2 - arb(0.25)) < low**2:
            return low, end
        end = 2 * end
    raise Undetermined("the slope of the Bessel kernel is not bounded: the index is too close to 1/2 or -1")


def _search(nu: arb, low: arb, end: arb, tolerance: arb) -> arb:
    """An upper bound of F on ``(0, end]``, at most ``tolerance`` above the largest of ``low`` and the values seen."""
    start = arb(1).min((nu + 1).lower())  # F <= 1 before it
    high, todo, count = low, [(start, slope(nu, start), end, slope(nu, end))], 0
    for _, ends, _, other in todo:
        high = high.max(ends[1].upper()).max(other[1].upper())
    while todo:
        left, first, right, last = todo.pop()
        count += 1
        if count > _MOST_INTERVALS:
            raise Undetermined("the slope of the Bessel kernel is not enclosed")
        value, rise = _between(nu, left, first, right, last)
        if value <= high or rise >= 0 or rise <= 0:  # where F is monotone its ends are already below high
            continue
        reach = first[1].upper() + (right - left) * abs(rise).upper()
        if reach <= high + tolerance:
            high = high.max(reach)
            continue
        middle = ((left + right) / 2).mid()
        between = slope(nu, middle)
        high = high.max(between[1].upper())
        todo += [(left, first, middle, between), (middle, between, right, last)]
    return high


def _between(nu: arb, left: arb, first: tuple[arb, arb], right: arb, last: tuple[arb, arb]) -> tuple[arb, arb]:
    """F and F' on an interval. With ``E = z - S``: ``E' = 1 - F``, ``z F = E (z + S) + nu^2`` and

    ``z F' = 2 z (1 - F) + (2 E - 1) F``, in which little cancels.
    """
    z, total, way = left.union(right), first[0].union(last[0]), arb(0).union(right - left)
    gap = z - total
    value = (gap * (z + total) + nu**2) / z
    for _ in range(2):
        gap = left - first[0] + way * (1 - value)
        value = (gap * (z + total) + nu**2) / z
    return value, 2 * (1 - value) + (2 * gap - 1) * value / z
