"""The least noise of sampled Gaussian mechanisms that meets (epsilon, delta), rounded up, with proof on both sides.

Noise is monotone: ``N(0, sigma^2)`` plus independent Gaussian noise is ``N(0, sigma'^2)`` with a larger ``sigma'``,
a post-processing, so the Renyi curve falls at every order, and with it epsilon. A search that is not trusted finds
where epsilon meets its target; two neighbouring decimals are then proved to lie on its two sides.
"""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath

from symdp.ball import Enclosure, from_arb, mp_context, working_precision
from symdp.epsilon.inputs import check_digits, check_steps, real
from symdp.epsilon.renyi import RenyiEpsilon, check_form
from symdp.epsilon.sampled_gaussian import least_epsilon
from symdp.errors import InputError, Undetermined
from symdp.mechanisms.sampled_gaussian import inputs
from symdp.rationals import MAX_DIGITS

_GUARD_DIGITS = 6
_MOST_STEPS = 400
_ROUNDS = 5
_FARTHEST = 228  # log(1e99)
_INFINITY = float("inf")


@dataclass(frozen=True, slots=True)
class Calibration:
    """The least sigma of so many digits, with the epsilon there, and the next smaller decimal, whose epsilon is above.

    ``epsilon.epsilon.upper`` is at most the target, by the order ``epsilon.order``; ``smaller_epsilon.epsilon.lower``
    is above it, at every order.
    """

    sigma: Decimal
    epsilon: RenyiEpsilon
    smaller: Decimal
    smaller_epsilon: RenyiEpsilon


def sampled_gaussian_sigma(
    q: Any,
    epsilon: Any,
    delta: Any,
    steps: int = 1,
    digits: int = 15,
    *,
    relation: str = "add-remove",
    sensitivity: Any = 1,
    form: str = "cks",
) -> Calibration:
    """The least ``sigma``, rounded up to ``digits`` digits, with which ``steps`` steps are (epsilon, delta)-DP.

    Least for the conversion of ``sampled_gaussian_epsilon`` (its best order; the other arguments are described
    there). ``q = 1`` is the Gaussian mechanism. Proved: ``sigma`` meets the target, the next smaller number of
    ``digits`` digits does not.

    Raises InputError where there is no least sigma (``q = 0`` and ``delta >= 1``: every sigma does; ``delta = 0``, and
    ``epsilon = 0`` in Mironov's form: none does), and Undetermined where digits or orders are out of reach.
    """
    goal = _Goal(q, epsilon, delta, steps, relation, sensitivity, form)
    wanted = check_digits(digits)
    decimals = decimal.Context(prec=wanted, rounding=decimal.ROUND_CEILING)
    root = goal.root(wanted)
    sigma = decimals.create_decimal(mpmath.nstr(root, wanted + 10))
    for _ in range(_ROUNDS):  # the search may be off by a decimal
        here, smaller = goal.decided(sigma, wanted), decimals.next_minus(sigma)
        if not goal.met(here):
            sigma = decimals.next_plus(sigma)
            continue
        there = goal.decided(smaller, wanted)
        if goal.missed(there):
            return Calibration(sigma, here, smaller, there)
        sigma = smaller
    raise Undetermined(f"the search for sigma ended far from its goal, at {sigma}")


class _Goal:
    """What sigma has to meet, and the epsilon of each sigma tried."""

    def __init__(
        self, q: Any, epsilon: Any, delta: Any, steps: int, relation: str, sensitivity: Any, form: str
    ) -> None:
        self.q, self.unit = inputs.sampling_rate(q), inputs.positive(sensitivity, "sensitivity")
        self.target, self.delta = inputs.number(epsilon, "epsilon"), real(delta, "delta")
        self.steps = check_steps(steps)
        self.relation, self.form = inputs.choice(relation, inputs.RELATIONS, "relation"), form
        check_form(form)
        if self.target < 0:
            raise InputError("epsilon is negative", place="epsilon", remedy="give a number >= 0")
        if not self.delta.is_known:
            raise InputError("a range is given", place="delta", remedy="give one number")
        if self.q == 0:
            raise InputError("nothing is sampled: every sigma does", place="q", remedy="give a number above 0")
        if self.delta.compare(1)[0] >= 0:
            raise InputError("every sigma does from delta = 1 on", place="delta", remedy="give a number below 1")
        if self.delta.compare(0)[1] <= 0:
            raise InputError("no sigma gives a finite epsilon at delta = 0", place="delta", remedy="give a number > 0")
        if self.target == 0 and form == "mironov":
            raise InputError(
                "no sigma reaches epsilon = 0 in Mironov's form", place="epsilon", remedy="give a number > 0"
            )

    def at(self, sigma: Fraction, digits: int) -> RenyiEpsilon:
        """The least epsilon of one sigma."""
        point = inputs.Point(self.q, inputs.noise(sigma, self.unit), Fraction(2))
        return least_epsilon(point, self.delta, self.steps, digits, self.relation, self.form)

    def met(self, found: RenyiEpsilon) -> bool:
        """Whether the upper end is at most the target."""
        return Enclosure(found.epsilon.upper, _INFINITY).contains(self.target)

    def missed(self, found: RenyiEpsilon) -> bool:
        """Whether the lower end is above the target."""
        return not Enclosure(found.epsilon.lower, _INFINITY).contains(self.target)

    def decided(self, sigma: Decimal, digits: int) -> RenyiEpsilon:
        """The epsilon of one sigma, sharp enough to lie on one side of the target."""
        for extra in (_GUARD_DIGITS, digits + _GUARD_DIGITS, 3 * digits + 30):
            found = self.at(Fraction(sigma), min(digits + extra, MAX_DIGITS))
            if self.met(found) or self.missed(found):
                return found
        raise Undetermined(f"whether sigma = {sigma} meets the target is not decided by {4 * digits + 30} digits")

    def root(self, digits: int) -> Any:
        """An unproved sigma, to a digit or two more than ``digits``, at which epsilon is the target (mpf).

        The secant method on ``log epsilon`` as a function of ``log sigma``, or on epsilon itself for the target 0,
        kept inside a bracket once there is one.
        """
        context = mp_context(digits + 20)
        number, unit = self.start(context), context.log(_mpf(context, self.unit))
        low = high = None  # logarithms of sigma, too small and large enough
        before, known, most, slow = None, 2, context.mpf(1), 0
        for _ in range(_MOST_STEPS):
            here = context.log(number)
            if abs(here - unit) > _FARTHEST:
                raise Undetermined("the least sigma is not between 1e-99 and 1e99 times the sensitivity")
            excess = self.excess(context, number, min(digits + _GUARD_DIGITS, 2 * known + 8))
            step = _secant(here, excess, before, log_scale=self.target > 0)
            before = before if excess is None else (here, excess)
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
            known = max(2, int(-context.log10(abs(step) + context.mpf(10) ** (-digits - 5))))
            number = context.exp(here + step)
            if known > digits + 1:
                return number
        raise Undetermined(f"no sigma was found in {_MOST_STEPS} steps")

    def start(self, context: Any) -> Any:
        """A first guess: ``q sqrt(2 steps log(1/delta))/epsilon``, in bounds where the mechanism is easy."""
        with working_precision(64):
            goal = _mpf(context, Fraction(str(from_arb(-self.delta.ball().log()).upper_float())))
        guess = _mpf(context, self.q) * context.sqrt(2 * self.steps * goal) / (_mpf(context, self.target) or 1)
        return _mpf(context, self.unit) * min(max(guess, context.mpf(1) / 2), context.mpf(10) ** 4)

    def excess(self, context: Any, sigma: Any, digits: int) -> Any:
        """``log(epsilon/target)``, or epsilon for the target 0; None where epsilon is 0."""
        found = self.at(Fraction(context.nstr(sigma, digits + 4)), digits).epsilon
        if found.upper == 0:
            return None
        value = context.mpf(found.mid)
        return context.log(value / _mpf(context, self.target)) if self.target else value


def _secant(here: Any, excess: Any, before: Any, *, log_scale: bool) -> Any:
    """The step to where the excess vanishes by the last two points; None if nothing suggests one."""
    if excess is None:
        return None
    if before is None or excess == before[1]:
        return excess if log_scale else None  # epsilon is about 1/sigma
    return -excess * (here - before[0]) / (excess - before[1])


def _mpf(context: Any, value: Fraction) -> Any:
    return context.mpf(value.numerator) / value.denominator
