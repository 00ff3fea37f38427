"""The least noise of sampled Gaussian mechanisms that meets (epsilon, delta), rounded up, with proof on both sides.

Noise is monotone: ``N(0, sigma^2)`` plus independent Gaussian noise is ``N(0, sigma'^2)`` with a larger ``sigma'``,
a post-processing, so the Renyi curve falls at every order, and with it epsilon. A search that is not trusted finds
where epsilon meets its target; two neighbouring decimals are then proved to lie on its two sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from symdp.ball import from_arb, working_precision
from symdp.epsilon.decimals import Goal, least_decimal, mpf_of
from symdp.epsilon.inputs import check_digits, check_steps, real
from symdp.epsilon.renyi import RenyiEpsilon, check_form
from symdp.epsilon.sampled_gaussian import least_epsilon
from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import inputs


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
    return Calibration(*least_decimal(goal, check_digits(digits)))


class _Goal(Goal):
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

    def start(self, context: Any) -> Any:
        """A first guess: ``q sqrt(2 steps log(1/delta))/epsilon``, in bounds where the mechanism is easy."""
        with working_precision(64):
            goal = mpf_of(context, Fraction(str(from_arb(-self.delta.ball().log()).upper_float())))
        guess = mpf_of(context, self.q) * context.sqrt(2 * self.steps * goal) / (mpf_of(context, self.target) or 1)
        return mpf_of(context, self.unit) * min(max(guess, context.mpf(1) / 2), context.mpf(10) ** 4)
