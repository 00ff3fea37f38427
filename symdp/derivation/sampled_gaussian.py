"""The sampled Gaussian mechanism as trees of rules: its exact curve, and closed forms above it.

In the symbols q (rate), s (noise per unit of sensitivity) and alpha. Each theorem is derived once.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sympy import Expr, Integer, Rational, S, oo

import symdp.rules  # noqa: F401  (registers the rules)
from symdp.derivation.inequalities import pointwise_domination, quadratic_bound, tail_below, tail_step
from symdp.errors import Refused
from symdp.region import Interval, Region
from symdp.rules.conditions import ALPHA
from symdp.rules.sampled_concentration import convexity
from symdp.rules.sampled_gaussian import NOISE, RATE, bun_conditions
from symdp.rules.sampled_moments import R
from symdp.text import Relation, parse_relations
from symdp.theorem import Theorem, apply

CLOSED_FORMS = ("sampled-gaussian-theorem-11", "sampled-gaussian-bun", "sampled-gaussian-unconditional")


def _parameters() -> Region:
    return Region.make({RATE: Interval.closed(0, 1), NOISE: Interval.positive()})


@cache
def dominating_pair() -> Theorem:
    """The worst neighbours for sensitivity 1, noise s and rate q in [0, 1] (Theorem 4)."""
    return apply("sampled-gaussian-pair", q=RATE, sigma=NOISE, sensitivity=Integer(1), region=_parameters())


@cache
def larger_direction() -> Theorem:
    """``A >= B`` (Corollary 7), from the pointwise inequality of Lemma 6."""
    return apply("sampled-gaussian-larger-direction", pointwise_domination())


def exact_curve(pair: Theorem | None = None) -> Theorem:
    """The exact Renyi curve ``log A/(alpha-1)`` of a dominating pair, by default the one in symbols."""
    return apply("sampled-gaussian-rdp", pair or dominating_pair(), larger_direction())


@cache
def bulk_moment() -> Theorem:
    """The part of A below z0 (Lemma 9)."""
    return apply("sampled-gaussian-bulk", quadratic_bound(), apply("gaussian-ratio-moment"))


@cache
def exact_tail_moment() -> Theorem:
    """The part of A above z0, for every order, with the Gaussian tail as erfc."""
    return apply("sampled-gaussian-tail", tail_step(), apply("gaussian-half-line-moment", side="right"))


@cache
def tail_moment() -> Theorem:
    """The part of A above z0 under the conditions of Lemma 10."""
    value = Rational(9, 10) * RATE**2 * ALPHA * (ALPHA - 1) / NOISE**2
    return apply("weaker-moment-bound", exact_tail_moment(), tail_below(), value=value)


@cache
def unconditional() -> Theorem:
    """A bound for every order and all parameters: Lemma 9 and the tail with erfc."""
    whole = apply("sampled-gaussian-moment-bound", bulk_moment(), exact_tail_moment())
    return apply("sampled-gaussian-rdp-of-bound", dominating_pair(), larger_direction(), whole)


@cache
def theorem_11() -> Theorem:
    """``2 q^2 alpha/s^2`` under the conditions of Theorem 11."""
    whole = apply("sampled-gaussian-moment-bound", bulk_moment(), tail_moment())
    excess = 2 * RATE**2 * ALPHA * (ALPHA - 1) / NOISE**2
    simple = _weaker("weaker-moment-bound", whole, 1 + excess)
    privacy = apply("sampled-gaussian-rdp-of-bound", dominating_pair(), larger_direction(), simple)
    return _weaker("weaker-rdp", privacy, excess / (ALPHA - 1))


def _weaker(rule_id: str, theorem: Theorem, value: Expr) -> Theorem:
    """The theorem with a larger value, by the decision procedures, where its own region lets them."""
    fact: Any = theorem.conclusion
    larger = apply("inequality", relation=Relation(value - fact.value, ">="), region=fact.region)
    return apply(rule_id, theorem, larger, value=value)


@cache
def bun() -> Theorem:
    """``6 q^2 alpha/s^2`` in the range of Table 1."""
    relations = [r for _, r in bun_conditions(RATE, NOISE)]
    orders = Region.make({ALPHA: Interval.open(1, oo), RATE: Interval.open(0, 1), NOISE: Interval.positive()})
    return apply("sampled-gaussian-bun", dominating_pair(), region=orders.intersect(relations))


@cache
def concentrated() -> Theorem:
    """``1/(2 s^2)``-zCDP at every rate: sampling does not lose what the Gaussian mechanism has."""
    inside = "r > 0, q > 0, q < 1, alpha > 1"
    region = Region.from_relations(parse_relations(inside, place="region"), (R, RATE, ALPHA))
    pointwise = apply("inequality", relation=convexity(), region=region)
    whole = apply("sampled-gaussian-convexity", pointwise, apply("gaussian-ratio-moment"))
    privacy = apply("sampled-gaussian-rdp-of-bound", dominating_pair(), larger_direction(), whole)
    return apply("zcdp-of-rdp", _weaker("weaker-rdp", privacy, ALPHA / (2 * NOISE**2)), rho=1 / (2 * NOISE**2))


@cache
def moment_from_below() -> Theorem:
    """``A >= q^alpha e^((alpha^2-alpha)/(2 s^2))``."""
    return apply("sampled-gaussian-from-below", apply("gaussian-ratio-moment"))


@cache
def small_rate() -> Theorem:
    """The curve divided by q^2, as q goes to 0."""
    return apply("sampled-gaussian-small-rate", apply("gaussian-ratio-moment"))


def closed_forms(q: Expr, sigma: Expr, alpha: Expr, sensitivity: Expr = S.One) -> dict[str, Theorem | Refused]:
    """Each closed form at exact numbers: a theorem, or the refusal that names the violated condition.

    Raises ``Refused`` if the numbers are not those of a mechanism.
    """
    pair = apply("sampled-gaussian-pair", q=q, sigma=sigma, sensitivity=sensitivity, region=Region())
    order = Region.make({ALPHA: Interval.point(alpha)})
    found: dict[str, Theorem | Refused] = {}
    for name in CLOSED_FORMS:
        try:
            found[name] = apply(name, pair, region=order)
        except Refused as refusal:
            found[name] = refusal
    return found
