"""The least delta of an epsilon from Gaussian differential privacy, as a formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, erfc, exp, sqrt

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import ApproxDP, GaussianDP, neighbours
from symdp.region import Interval
from symdp.rule import Rule, register
from symdp.rules.best_orders import at_the_query
from symdp.rules.conditions import holds
from symdp.rules.profile_values import ranged
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]


def gaussian_profile(mu: Expr, epsilon: Expr) -> Expr:
    """``Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)``, Phi the normal distribution function."""
    above, below = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    return erfc(above / sqrt(2)) / 2 - exp(epsilon) * erfc(below / sqrt(2)) / 2


def _dp_of_gdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    gdp, region = premises[0], ranged(premises[0].region, params["epsilon"], Interval.nonnegative())
    yield holds("mu", Relation(gdp.mu, ">"), region, "mu is positive")
    yield holds("epsilon", Relation(params["epsilon"], ">="), region, "epsilon is not negative")


def _dp_of_gdp(premises: Premises, params: Params) -> ApproxDP:
    """``delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)``, for mu > 0."""
    gdp, epsilon = premises[0], params["epsilon"]
    region = ranged(gdp.region, epsilon, Interval.nonnegative())
    return ApproxDP(gdp.subject, epsilon, gaussian_profile(gdp.mu, epsilon), region, **neighbours(gdp))


register(
    Rule(
        id="delta-of-gdp",
        title="The delta of an epsilon from Gaussian differential privacy",
        citation=(
            Citation("balle2018", "Theorem 8", "the profile of the Gaussian mechanism"),
            Citation("dong2019", "Corollary 2.13"),
        ),
        premises=(GaussianDP,),
        conditions=_dp_of_gdp_conditions,
        conclude=_dp_of_gdp,
        tightness="exact",
        suggest=at_the_query("epsilon", parts=True),
        summary=True,
    )
)
