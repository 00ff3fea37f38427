"""How fast the Renyi curve of the sampled Gaussian mechanism grows with the order: A between two exponentials.

``A = E_mu0[((1-q) + q r)^alpha]``, ``r = mu1/mu0``, where ``E_mu0[r^alpha] = e^((alpha^2-alpha)/(2 s^2))``: at least
what r alone contributes, at most what convexity gives. So ``R_alpha/alpha`` tends to ``1/(2 s^2)`` and stays below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, oo

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import Identity, Inequality, MomentBound
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA, holds
from symdp.rules.sampled_gaussian import NOISE, RATE
from symdp.rules.sampled_moments import POWER, R, is_ratio_moment, says
from symdp.text import Relation
from symdp.text.moment import sampled_moment

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
_ORDERS = Interval(Integer(1), oo, True, False)
_RATES = Interval(Integer(0), Integer(1), False, True)


def _power(moment: Any) -> Expr:
    """``E_mu0[r^alpha]``."""
    value: Expr = moment.right.subs(POWER, ALPHA)
    return value


def _below_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield is_ratio_moment(premises[0])
    rates = Region.make({RATE: _RATES})
    yield holds("unsampled", Relation(1 - RATE, ">="), rates, "what is added to q r is not negative")


def _below(premises: Premises, _: Params) -> Inequality:
    """``A >= q^alpha e^((alpha^2-alpha)/(2s^2))``: the integrand is at least ``(q r)^alpha``."""
    value = RATE**ALPHA * _power(premises[0])
    region = Region.make({RATE: _RATES, NOISE: Interval.positive(), ALPHA: _ORDERS})
    return Inequality(Relation(sampled_moment(ALPHA, RATE, NOISE) - value, ">="), region)


register(
    Rule(
        id="sampled-gaussian-from-below",
        title="The moment A is at least what the shifted law alone contributes",
        citation=Citation("symdp", "rules.sampled_concentration", "monotonicity of the power"),
        premises=(Identity,),
        conditions=_below_conditions,
        conclude=_below,
        tightness="upper",
    )
)


def convexity() -> Relation:
    """``((1-q) + q r)^alpha <= (1-q) + q r^alpha``."""
    return Relation((1 - RATE) + RATE * R**ALPHA - ((1 - RATE) + RATE * R) ** ALPHA, ">=")


def _convex_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    pointwise, moments = premises
    region = Region.make({R: Interval.positive(), RATE: Interval.open(0, 1), ALPHA: Interval.open(1, oo)})
    yield from says("pointwise", pointwise, convexity(), region)
    yield is_ratio_moment(moments)


def _convex(premises: Premises, _: Params) -> MomentBound:
    """``A <= (1-q) + q e^((alpha^2-alpha)/(2s^2))``: the pointwise inequality under the integral.

    It is an equality for ``q = 0``, ``q = 1`` and ``alpha = 1``.
    """
    value = (1 - RATE) + RATE * _power(premises[1])
    intervals = {RATE: Interval.closed(0, 1), NOISE: Interval.positive(), ALPHA: _ORDERS}
    return MomentBound("A", value, Region.make(intervals))


register(
    Rule(
        id="sampled-gaussian-convexity",
        title="The moment A is at most the mixture of the moments",
        citation=Citation("symdp", "rules.sampled_concentration", "convexity of the power"),
        premises=(Inequality, Identity),
        conditions=_convex_conditions,
        conclude=_convex,
        tightness="upper",
    )
)
