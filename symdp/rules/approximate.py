"""To (epsilon, delta): from Renyi, zero-concentrated and Gaussian differential privacy.

The conclusions hold for every event and both orders of every pair of neighbours. An epsilon below 0 is as true as any
other, and never better than 0 in use. The best order as a number, with proof, comes from ``symdp.epsilon``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, Symbol, log, sqrt

from symdp.citations import Citation
from symdp.decide import Proved, Refuted, Unknown, Verdict
from symdp.enclosure import enclose
from symdp.epsilon import gaussian_delta
from symdp.errors import SymdpError
from symdp.evidence import Condition, register_decider
from symdp.judgments import TCDP, ZCDP, ApproxDP, GaussianDP, RenyiDP, neighbours
from symdp.region import Interval, Region
from symdp.rule import Query, Rule, register
from symdp.rules.best_orders import at_the_query, best_orders, least_gaussian_epsilon
from symdp.rules.conditions import ALPHA, holds
from symdp.rules.conversion import without_order
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
_PROFILE_DIGITS = (20, 60, 200, 600)


def _with_delta(region: Region, delta: Expr) -> Region:
    """The region with delta in (0, 1) if delta is a symbol that it does not have."""
    if isinstance(delta, Symbol) and delta not in region.symbols:
        return region.extend({delta: Interval.open(0, 1)})
    return region


def _dp_region(premises: Premises, params: Params) -> Region:
    """Where the conclusion holds: without the order, if one is chosen."""
    region = _with_delta(premises[0].region, params["delta"])
    return region if params.get("order") is None else without_order(region)


def _dp_of_rdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    region, order, target = premises[0].region, params.get("order"), _dp_region(premises, params)
    yield holds("delta", Relation(params["delta"], ">"), target, "delta is positive")
    yield Condition("orders", "the bound says for which orders it holds", "fact", (ALPHA in region.symbols,))
    if order is None:
        yield holds("order", Relation(ALPHA - 1, ">"), target, "the order alpha is above 1")
        return
    yield holds("order", Relation(order - 1, ">"), target, "the chosen order is above 1")
    for relation in region.relations:
        if ALPHA in relation.free_symbols and relation != Relation(ALPHA - 1, ">"):
            wanted = relation.subs({ALPHA: order})
            yield holds(f"order in range: {relation}", wanted, target, f"the chosen order satisfies {relation}")


def _at_order(premises: Premises, params: Params, epsilon: Expr) -> ApproxDP:
    order = params.get("order")
    epsilon = epsilon if order is None else epsilon.subs(ALPHA, order)
    return ApproxDP(
        premises[0].subject, epsilon, params["delta"], _dp_region(premises, params), **neighbours(premises[0])
    )


def _dp_of_rdp(premises: Premises, params: Params) -> ApproxDP:
    """``epsilon = R + log((alpha-1)/alpha) - (log(delta) + log(alpha))/(alpha-1)`` at an order alpha.

    ``1 - e^{-z} <= c e^{(alpha-1) z}``, ``c = (1 - 1/alpha)^alpha/(alpha-1)``, z the privacy loss less epsilon.
    """
    gain = log((ALPHA - 1) / ALPHA) - (log(params["delta"]) + log(ALPHA)) / (ALPHA - 1)
    return _at_order(premises, params, premises[0].value + gain)


def _dp_of_rdp_mironov(premises: Premises, params: Params) -> ApproxDP:
    """``epsilon = R + log(1/delta)/(alpha-1)`` at an order alpha."""
    return _at_order(premises, params, premises[0].value - log(params["delta"]) / (ALPHA - 1))


def _dp_of_zcdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    delta, region = params["delta"], _dp_region(premises, params)
    yield holds("delta", Relation(delta, ">"), region, "delta is positive")
    yield holds("delta at most 1", Relation(1 - delta, ">="), region, "delta is at most 1")
    yield holds("rho", Relation(premises[0].rho, ">="), region, "rho is not negative")


def _dp_of_zcdp(premises: Premises, params: Params) -> ApproxDP:
    """``epsilon = rho + 2 sqrt(rho log(1/delta))``: Mironov's form at its best order ``1 + sqrt(log(1/delta)/rho)``."""
    zcdp, delta = premises[0], params["delta"]
    epsilon, region = zcdp.rho + 2 * sqrt(-zcdp.rho * log(delta)), _dp_region(premises, params)
    return ApproxDP(zcdp.subject, epsilon, delta, region, **neighbours(zcdp))


def _dp_of_tcdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _dp_of_zcdp_conditions(premises, params)
    (tcdp,), region, goal = premises, _dp_region(premises, params), -log(params["delta"])
    yield holds("omega", Relation(tcdp.omega - 1, ">"), region, "omega is above 1")
    if not params["at_omega"]:
        room = Relation((tcdp.omega - 1) ** 2 * tcdp.rho - goal, ">")
        yield holds("best order below omega", room, region, "1 + sqrt(log(1/delta)/rho) is below omega")


def _dp_of_tcdp(premises: Premises, params: Params) -> ApproxDP:
    """``epsilon = rho + 2 sqrt(rho log(1/delta))``, or ``rho omega + log(1/delta)/(omega-1)``: Mironov's form at the
    best order, or at omega, to which it extends by continuity.
    """
    if not params["at_omega"]:
        return _dp_of_zcdp(premises, params)
    tcdp, delta = premises[0], params["delta"]
    epsilon = tcdp.rho * tcdp.omega - log(delta) / (tcdp.omega - 1)
    return ApproxDP(tcdp.subject, epsilon, delta, _dp_region(premises, params), **neighbours(tcdp))


def _cases(premises: Premises, query: Query) -> Iterator[Params]:
    for at_omega in (False, True):
        yield from at_the_query("delta", at_omega=at_omega)(premises, query)


register(
    Rule(
        id="dp-of-rdp",
        title="Approximate from Renyi differential privacy",
        citation=(
            Citation("canonne2020", "Proposition 12"),
            Citation("balle2020", "Theorem 21"),
        ),
        premises=(RenyiDP,),
        conditions=_dp_of_rdp_conditions,
        conclude=_dp_of_rdp,
        tightness="upper",
        suggest=best_orders("cks"),
    )
)
register(
    Rule(
        id="dp-of-rdp-mironov",
        title="Approximate from Renyi differential privacy, Mironov's form",
        citation=Citation("mironov2017", "Proposition 3"),
        premises=(RenyiDP,),
        conditions=_dp_of_rdp_conditions,
        conclude=_dp_of_rdp_mironov,
        tightness="upper",
        suggest=best_orders("mironov"),
    )
)
register(
    Rule(
        id="dp-of-zcdp",
        title="Approximate from zero-concentrated differential privacy",
        citation=Citation("bun2016", "Proposition 1.3"),
        premises=(ZCDP,),
        conditions=_dp_of_zcdp_conditions,
        conclude=_dp_of_zcdp,
        tightness="upper",
        suggest=at_the_query("delta"),
    )
)

register(
    Rule(
        id="dp-of-tcdp",
        title="Approximate from truncated concentrated differential privacy",
        citation=Citation("bun2018", "Lemma 6", "two cases; at_omega says which"),
        premises=(TCDP,),
        conditions=_dp_of_tcdp_conditions,
        conclude=_dp_of_tcdp,
        tightness="upper",
        suggest=_cases,
    )
)

# --- the Gaussian profile at numbers, without the cancellation of its formula -----------------------------------------


def _point(premises: Premises, params: Params) -> dict[Symbol, Expr]:
    """The values given, with some order if the region has one that mu does not depend on."""
    point = dict(params["at"])
    if ALPHA in premises[0].region.symbols and ALPHA not in point and ALPHA not in premises[0].mu.free_symbols:
        point[ALPHA] = Integer(2)
    return point


def _dp_of_gdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    (gdp,), point = premises, _point(premises, params)
    complete = set(point) == set(gdp.region.symbols)
    yield Condition("values", "every symbol has one value, and nothing else has", "fact", (complete,))
    if complete:
        values = tuple((s, point[s]) for s in gdp.region.symbols)
        yield Condition("region", "the values lie where the bound is proved", "point in region", (gdp.region, values))
        numbers = gdp.mu.subs(point), params["epsilon"], params["delta"]
        yield Condition(
            "profile", "delta(epsilon) <= delta for two Gaussian laws at distance mu", "gaussian profile", numbers
        )


def _dp_of_gdp(premises: Premises, params: Params) -> ApproxDP:
    """``(epsilon, delta)`` where ``Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) <= delta``."""
    values = tuple((s, Interval.point(value)) for s, value in params["at"])
    return ApproxDP(premises[0].subject, params["epsilon"], params["delta"], Region(values), **neighbours(premises[0]))


def _decide_point(
    region: Region, values: tuple[tuple[Symbol, Expr], ...], *, assuming: tuple[Relation, ...]
) -> Verdict:
    inside = region.contains(dict(values))
    if inside is None:
        return Unknown("it is not decided whether the values lie in the region")
    certificate = {"engine": "exact values"}
    return Proved(certificate) if inside else Refuted(dict(values), certificate)


def _decide_profile(mu: Expr, epsilon: Expr, delta: Expr, *, assuming: tuple[Relation, ...]) -> Verdict:
    """Whether ``Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) <= delta``, by balls."""
    try:
        for digits in _PROFILE_DIGITS:
            profile, wanted = gaussian_delta(abs(mu), epsilon, digits), enclose(delta, {}, digits)
            certificate = {"engine": "ball", "delta(epsilon)": profile.to_json(20)}
            if profile.upper <= wanted.lower:
                return Proved(certificate)
            if profile.lower > wanted.upper:
                reason = f"delta(epsilon) is {profile.to_decimal(10)[0]}"
                return Refuted({}, certificate | {"reason": reason})
    except SymdpError as error:
        return Unknown(str(error))
    return Unknown(f"{_PROFILE_DIGITS[-1]} digits do not tell delta(epsilon) from delta")


register_decider("point in region", _decide_point)
register_decider("gaussian profile", _decide_profile)

register(
    Rule(
        id="dp-of-gdp",
        title="Approximate from Gaussian differential privacy, at numbers",
        citation=(
            Citation("balle2018", "Theorem 8", "the profile of the Gaussian mechanism"),
            Citation("dong2019", "Corollary 2.13"),
        ),
        premises=(GaussianDP,),
        conditions=_dp_of_gdp_conditions,
        conclude=_dp_of_gdp,
        tightness="upper",
        suggest=least_gaussian_epsilon,
    )
)
