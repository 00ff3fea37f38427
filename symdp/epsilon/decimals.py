"""The least decimal that meets a target, proved: it does, and the next smaller one does not.

A search that is not trusted finds where what is attained equals the target; two neighbouring decimals are then proved
to lie on its two sides.
"""

from __future__ import annotations

import decimal
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath

from symdp.ball import Enclosure, mp_context
from symdp.errors import Undetermined
from symdp.rationals import MAX_DIGITS

_GUARD_DIGITS = 6
_MOST_STEPS = 400
_ROUNDS = 5
_FARTHEST = 228  # log(1e99)
_INFINITY = float("inf")


class Goal:
    """What a positive number, called ``name``, has to meet: ``at(number)`` at most ``target``.

    ``falls``: whether what is attained falls as the number grows, else it grows, and the largest number is sought.
    ``unit`` is the scale of the number, ``scale`` its name.
    """

    name = "sigma"
    scale = "the sensitivity"
    falls = True
    unit = Fraction(1)
    target: Fraction

    def at(self, number: Fraction, digits: int) -> Any:
        """What one number attains; its ``epsilon`` is the enclosure that is compared with the target."""
        raise NotImplementedError

    def start(self, context: Any) -> Any:
        """A first guess (mpf)."""
        return mpf_of(context, self.unit)

    def met(self, found: Any) -> bool:
        """Whether the upper end is at most the target."""
        return Enclosure(found.epsilon.upper, _INFINITY).contains(self.target)

    def missed(self, found: Any) -> bool:
        """Whether the lower end is above the target."""
        return not Enclosure(found.epsilon.lower, _INFINITY).contains(self.target)

    def decided(self, sigma: Decimal, digits: int) -> Any:
        """What one number attains, sharp enough to lie on one side of the target."""
        for extra in (_GUARD_DIGITS, digits + _GUARD_DIGITS, 3 * digits + 30):
            found = self.at(Fraction(sigma), min(digits + extra, MAX_DIGITS))
            if self.met(found) or self.missed(found):
                return found
        raise Undetermined(f"whether {self.name} = {sigma} meets the target is not decided by {4 * digits + 30} digits")

    def root(self, digits: int) -> Any:
        """An unproved number, to a digit or two more than ``digits``, at which the target is attained (mpf).

        The secant method on ``log epsilon`` as a function of ``log number``, or on epsilon itself for the target 0,
        kept inside a bracket once there is one.
        """
        side = 1 if self.falls else -1
        context = mp_context(digits + 20)
        number, unit = self.start(context), side * context.log(mpf_of(context, self.unit))
        low = high = None  # logarithms of numbers, too small and large enough
        before, known, most, slow = None, 2, context.mpf(1), 0
        slope = -context.one if self.target > 0 else None  # epsilon is about 1/number
        for _ in range(_MOST_STEPS):
            here = side * context.log(number)
            if abs(here - unit) > _FARTHEST:
                said = "none of those tried meets" if high is None else "each of those tried meets"
                place = f"is not between 1e-99 and 1e99 times {self.scale}"
                raise Undetermined(f"the {'least' if self.falls else 'largest'} {self.name} {place}: {said} the target")
            sharp = min(digits + _GUARD_DIGITS, 2 * known + 8)
            excess = self.excess(context, number, sharp)
            if excess is not None:
                if abs(excess) <= context.mpf(10) ** (2 - sharp) and sharp < digits + _GUARD_DIGITS:
                    known = sharp  # on which side of the target it lies takes more digits
                    continue
                # a difference that the digits computed do not tell from 0 says nothing of the slope
                if before is not None and abs(excess - before[1]) > context.mpf(10) ** (2 - min(sharp, before[2])):
                    slope = (excess - before[1]) / (here - before[0])
                before = here, excess, sharp
            step = -excess / slope if excess is not None and slope else None
            width: Any = None if low is None or high is None else high - low
            way = 1 if excess is not None and excess > 0 else -1
            low, high = (here, high) if way > 0 else (low, here)
            if low is None or high is None:
                if step is None or not 0 < step * way <= most:
                    step = way * most
                most *= 2
            else:
                slow = 0 if width is None or 2 * (high - low) < width else slow + 1
                if step is None or not low < here + step < high or slow > 2:
                    step, slow = (low + high) / 2 - here, 0
            # no more is known than was computed
            known = max(2, min(sharp, int(-context.log10(abs(step) + context.mpf(10) ** (-digits - 5)))))
            number = context.exp(side * (here + step))
            if known > digits + 1:
                return number
        raise Undetermined(f"no {self.name} was found in {_MOST_STEPS} steps")

    def excess(self, context: Any, sigma: Any, digits: int) -> Any:
        """``log(epsilon/target)``, or epsilon for the target 0; None where epsilon is 0."""
        found = self.at(Fraction(context.nstr(sigma, digits + 4)), digits).epsilon
        if found.upper == 0:
            return None
        value = context.mpf(found.mid)
        return context.log(value / mpf_of(context, self.target)) if self.target else value


def least_decimal(goal: Goal, digits: int) -> tuple[Decimal, Any, Decimal, Any]:
    """The least number of so many digits that meets the goal with what it attains, and the next smaller with its.

    Where what is attained grows with the number, the largest one and the next larger. Raises Undetermined where digits
    are out of reach, or no such number is found.
    """
    rounding = decimal.ROUND_CEILING if goal.falls else decimal.ROUND_FLOOR
    decimals = decimal.Context(prec=digits, rounding=rounding)
    safer, riskier = decimals.next_plus, decimals.next_minus
    if not goal.falls:
        safer, riskier = riskier, safer
    number = decimals.create_decimal(mpmath.nstr(goal.root(digits), digits + 10))
    for _ in range(_ROUNDS):  # the search may be off by a decimal
        here, beyond = goal.decided(number, digits), riskier(number)
        if not goal.met(here):
            number = safer(number)
            continue
        there = goal.decided(beyond, digits)
        if goal.missed(there):
            return number, here, beyond, there
        number = beyond
    raise Undetermined(f"the search for {goal.name} ended far from its goal, at {number}")


def mpf_of(context: Any, value: Fraction) -> Any:
    """A fraction, rounded to the context."""
    return context.mpf(value.numerator) / value.denominator
