"""The least epsilon of a composition of sampled Gaussian mechanisms, over all real orders, certified.

The curve is the Renyi divergence of one step (``symdp.mechanisms.sampled_gaussian``, the larger of both directions),
times the number of steps; its log-moment is convex, finite at every order, and grows faster than any line, so that the
best order exists and ``renyi_epsilon`` certifies it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symdp.ball import Enclosure
from symdp.epsilon.inputs import Real, check_digits, check_steps, real
from symdp.epsilon.renyi import RenyiEpsilon, check_form, compose, renyi_epsilon
from symdp.errors import Undetermined
from symdp.mechanisms.sampled_gaussian import inputs, renyi

_ROUNDS = 6
_INFINITY = float("inf")


def sampled_gaussian_epsilon(
    q: Any,
    sigma: Any,
    delta: Any,
    steps: int = 1,
    digits: int = 50,
    *,
    relation: str = "add-remove",
    sensitivity: Any = 1,
    form: str = "cks",
) -> RenyiEpsilon:
    """The least epsilon for which ``steps`` sampled Gaussian mechanisms are (epsilon, delta)-DP by their Renyi curve.

    ``q`` is the sampling rate, ``sigma`` the standard deviation of the noise, ``sensitivity`` the bound on the norm of
    one record's contribution; both directions of ``relation`` ("add-remove" or "replace-one") are covered. ``form`` as
    in ``renyi_epsilon``. Numbers are exact: a float is the double it is, text a decimal or a fraction.

    The upper end is proved at ``.order``; no real order above 1 gives less than the lower end; the two agree to
    ``digits`` significant digits. Never negative: 0 for ``q = 0`` and for ``delta >= 1``; infinity for ``delta = 0``
    otherwise.

    Raises InputError, and Undetermined where the digits would take too much work or the best order lies beyond what
    the mechanism computes (``MAX_ORDER``).
    """
    point = inputs.point(q, sigma, 2, sensitivity)
    inputs.choice(relation, inputs.RELATIONS, "relation")
    return least_epsilon(point, real(delta, "delta"), check_steps(steps), check_digits(digits), relation, form)


def least_epsilon(point: inputs.Point, delta: Real, steps: int, digits: int, relation: str, form: str) -> RenyiEpsilon:
    """The same of checked arguments: ``point`` has the sampling rate and the noise per unit of sensitivity."""
    check_form(form)
    if point.q == 0:
        return RenyiEpsilon(Enclosure(0, 0), None, True)
    more = 6
    for _ in range(_ROUNDS):
        curve = _Curve(point, relation, min(digits + more, inputs.MAX_DIGITS))
        found = renyi_epsilon(compose(curve, steps=steps), delta.value, digits, form=form)
        proved = found.epsilon.proved_digits
        if proved >= digits or not delta.is_known:
            return found
        if curve.trouble is not None:
            raise Undetermined(f"the best order is not proved: {curve.trouble}")
        # epsilon is a difference of larger terms: the curve must prove more digits than that
        more += digits - int(proved) + 4 if proved > 0 else more + digits
    raise Undetermined(f"{digits} digits of epsilon were not proved, only {found.epsilon}")


class _Curve:
    """The Renyi divergence of one step; where it is out of reach, all that is known is that it is not negative."""

    def __init__(self, point: inputs.Point, relation: str, digits: int) -> None:
        self.point, self.relation, self.digits = point, relation, digits
        self.trouble: str | None = None

    def __call__(self, order: Fraction) -> Enclosure:
        if order > inputs.MAX_ORDER:
            self.trouble = f"it may lie above {inputs.MAX_ORDER}"
            return Enclosure(0, _INFINITY)
        try:
            value: Enclosure = renyi(
                self.point.q, self.point.sigma, order, self.digits, direction="both", relation=self.relation
            )
        except Undetermined as error:
            self.trouble = str(error)
            return Enclosure(0, _INFINITY)
        return value
