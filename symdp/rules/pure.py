"""Laplace noise, and Gaussian from pure differential privacy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from sympy import Expr, Integer, Rational, S, erfc, exp, sqrt

from symdp.ball import mp_context
from symdp.citations import Citation
from symdp.enclosure import evaluate_mp
from symdp.errors import SymdpError
from symdp.evidence import Condition
from symdp.judgments import ZCDP, GaussianDP, NoiseMechanism, PureDP, neighbours
from symdp.region import Interval, Region
from symdp.rule import Query, Rule, register
from symdp.rules.asked import about_parts, asked
from symdp.rules.conditions import holds
from symdp.rules.profile_values import ranged
from symdp.rules.profiles import at_least, guarantee_conditions
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
_DIGITS = 40

# --- Laplace noise --------------------------------------------------------------------------------------------------


def _laplace(premises: Premises, _: Params) -> Iterator[Condition]:
    fact = premises[0]
    fits = fact.law == "laplace" and fact.norm == "l1"
    yield Condition("Laplace noise", "the noise is Laplace, the sensitivity in the l1 norm", "fact", (fits,))
    yield holds("scale", Relation(fact.scale, ">"), fact.region, "the scale is positive")
    yield at_least("sensitivity", fact.sensitivity, 0, fact.region, "the sensitivity is not negative")


def _pure_of_laplace(premises: Premises, _: Params) -> PureDP:
    """``epsilon = Delta/scale``: densities of coordinates at distance d have a ratio of at most ``e^(d/scale)``."""
    fact = premises[0]
    return PureDP(fact.subject, fact.sensitivity / fact.scale, fact.region, **neighbours(fact))


def _zcdp_of_laplace(premises: Premises, _: Params) -> ZCDP:
    """``rho = epsilon + e^-epsilon - 1``, the Kullback-Leibler divergence.

    With ``y = (alpha - 1/2)^2`` and ``F(y) = cosh(epsilon sqrt y) + sinh(epsilon sqrt y)/(2 sqrt y)`` one coordinate
    has ``(alpha-1) R = log F(y) - epsilon/2`` and ``alpha (alpha-1) = y - 1/4``. F is of order 1/2 with negative zeros
    only (those of ``cos(epsilon w) + sin(epsilon w)/(2w)`` are real), so that log F is concave, and ``R/alpha`` is at
    most its value at order 1. In epsilon that is convex and 0 at 0: several coordinates together lose no more.
    """
    fact = premises[0]
    epsilon = fact.sensitivity / fact.scale
    return ZCDP(fact.subject, epsilon + exp(-epsilon) - 1, fact.region, **neighbours(fact))


register(
    Rule(
        id="pure-of-laplace",
        title="Pure differential privacy of Laplace noise",
        citation=Citation("dwork2014", "Theorem 3.6"),
        premises=(NoiseMechanism,),
        conditions=_laplace,
        conclude=_pure_of_laplace,
        tightness="exact",
        suggest=about_parts,
        summary=True,
    )
)
register(
    Rule(
        # the least rho: it is attained in the limit of order 1
        id="zcdp-of-laplace",
        title="Zero-concentrated differential privacy of Laplace noise",
        citation=Citation("symdp", "rules.pure", "concavity"),
        premises=(NoiseMechanism,),
        conditions=_laplace,
        conclude=_zcdp_of_laplace,
        tightness="exact",
        suggest=about_parts,
        summary=True,
    )
)

# --- Gaussian from pure ---------------------------------------------------------------------------------------------


def _gdp_region(premises: Premises, params: Params) -> Region:
    return ranged(premises[0].region, params["mu"], Interval.nonnegative())


def _gdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, mu, region = premises[0], params["mu"], _gdp_region(premises, params)
    yield from guarantee_conditions(fact)
    yield at_least("mu", mu, 0, region, "mu is not negative")
    normal = erfc(-mu / (2 * sqrt(Integer(2)))) / 2
    enough = normal - exp(fact.epsilon) / (1 + exp(fact.epsilon))
    yield at_least("corner", enough, 0, region, "Phi(mu/2) >= e^epsilon/(1 + e^epsilon)")


def _gdp_of_pure(premises: Premises, params: Params) -> GaussianDP:
    """``mu`` with ``Phi(mu/2) >= e^epsilon/(1+e^epsilon)``.

    The region of pure privacy is the polygon of randomized response; that of two Gaussian laws is convex and symmetric
    and holds the polygon's corner, hence the polygon.
    """
    return GaussianDP(premises[0].subject, params["mu"], _gdp_region(premises, params), **neighbours(premises[0]))


def _least_mu(premises: Premises, query: Query) -> Iterator[Params]:
    """``2 Phi^-1(e^epsilon/(1+e^epsilon)) = 2 sqrt2 erfinv(tanh(epsilon/2))``, a little above."""
    fact = premises[0]
    if not asked(fact.subject, query) or fact.epsilon.free_symbols:
        return
    if fact.epsilon == 0:
        yield {"mu": S.Zero}
        return
    mp: Any = mp_context(_DIGITS)
    try:
        mu = 2 * mp.sqrt(2) * mp.erfinv(mp.tanh(mp.mpf(evaluate_mp(fact.epsilon, {}, _DIGITS)) / 2))
    except (SymdpError, ValueError):
        return
    yield {"mu": _above(mu * (1 + mp.mpf(10) ** (10 - _DIGITS)))}


def _above(value: Any) -> Expr:
    """A decimal number of some 30 digits that is not smaller."""
    scale = 10**30
    exact = Fraction(int(value.man) * (2 ** max(0, int(value.exp))), 2 ** max(0, -int(value.exp)))
    return Rational(-((-exact.numerator * scale) // exact.denominator), scale)


register(
    Rule(
        id="gdp-of-pure",
        title="Gaussian from pure differential privacy",
        citation=Citation("dong2019", "section 2.1", "the trade-off of pure privacy; here its best Gaussian bound"),
        premises=(PureDP,),
        conditions=_gdp_conditions,
        conclude=_gdp_of_pure,
        tightness="upper",
        suggest=_least_mu,
    )
)
