"""From one kind of divergence guarantee to another: pure, Gaussian, Renyi, zero-concentrated and truncated privacy.

Each premise covers both orders of every pair of neighbours, and so does each conclusion. To (epsilon, delta): the rules
are in ``approximate``, the certified numbers in ``symdp.epsilon``, whose functions are at hand here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, exp, log, oo, tanh

from symdp.citations import Citation
from symdp.epsilon import (
    Calibration,
    RenyiEpsilon,
    compose,
    gaussian_delta,
    gaussian_epsilon,
    renyi_epsilon,
    sampled_gaussian_epsilon,
    sampled_gaussian_sigma,
)
from symdp.evidence import Condition
from symdp.judgments import TCDP, ZCDP, GaussianDP, Inequality, PureDP, RenyiDP, neighbours
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.asked import about_parts
from symdp.rules.conditions import ALPHA, holds, vanishes
from symdp.rules.regions import joined
from symdp.text import Relation

__all__ = [
    "Calibration",
    "RenyiEpsilon",
    "compose",
    "gaussian_delta",
    "gaussian_epsilon",
    "renyi_epsilon",
    "sampled_gaussian_epsilon",
    "sampled_gaussian_sigma",
]

Params = Mapping[str, Any]
Premises = tuple[Any, ...]


def _all_orders(region: Region) -> Region:
    """The region with the order in it."""
    return region if ALPHA in region.symbols else region.extend({ALPHA: Interval.open(1, oo)})


def _orders_above_one(premises: Premises, _: Params) -> Iterator[Condition]:
    yield holds("order", Relation(ALPHA - 1, ">"), _all_orders(premises[0].region), "the order alpha is above 1")


def _renyi(premise: Any, value: Expr) -> RenyiDP:
    return RenyiDP(premise.subject, value, premise.sensitivity, premise.relation, _all_orders(premise.region))


def _rdp_of_gdp(premises: Premises, _: Params) -> RenyiDP:
    """``alpha mu^2/2``."""
    return _renyi(premises[0], ALPHA * premises[0].mu ** 2 / 2)


def _rdp_of_zcdp(premises: Premises, _: Params) -> RenyiDP:
    """``rho alpha``."""
    return _renyi(premises[0], ALPHA * premises[0].rho)


def _rdp_of_pure(premises: Premises, _: Params) -> RenyiDP:
    """``log((e^(alpha epsilon) + e^((1-alpha) epsilon))/(1 + e^epsilon))/(alpha-1)``: randomized response has the
    largest divergence of every order.
    """
    eps = premises[0].epsilon
    return _renyi(premises[0], log((exp(ALPHA * eps) + exp((1 - ALPHA) * eps)) / (1 + exp(eps))) / (ALPHA - 1))


def _rdp_of_pure_quadratic(premises: Premises, _: Params) -> RenyiDP:
    """``alpha epsilon^2/2``."""
    return _renyi(premises[0], ALPHA * premises[0].epsilon ** 2 / 2)


register(
    Rule(
        id="rdp-of-gdp",
        title="Renyi from Gaussian differential privacy",
        citation=Citation("dong2019", "Corollary B.6", "equality for two Gaussian laws, then data processing"),
        premises=(GaussianDP,),
        conditions=_orders_above_one,
        conclude=_rdp_of_gdp,
        tightness="exact",
        suggest=about_parts,
    )
)
register(
    Rule(
        id="rdp-of-zcdp",
        title="Renyi from zero-concentrated differential privacy",
        citation=Citation("bun2016", "Definition 1.1"),
        premises=(ZCDP,),
        conditions=_orders_above_one,
        conclude=_rdp_of_zcdp,
        tightness="upper",
        suggest=about_parts,
    )
)
register(
    Rule(
        id="rdp-of-pure",
        title="Renyi from pure differential privacy",
        citation=(
            Citation("bun2016", "Proposition 3.3", "its proof: randomized response is the worst case"),
            Citation("mironov2017", "Proposition 5", "the divergence of randomized response"),
        ),
        premises=(PureDP,),
        conditions=_orders_above_one,
        conclude=_rdp_of_pure,
        tightness="upper",
        suggest=about_parts,
    )
)
register(
    Rule(
        id="rdp-of-pure-quadratic",
        title="Renyi from pure differential privacy, quadratic form",
        citation=Citation("bun2016", "Proposition 3.3"),
        premises=(PureDP,),
        conditions=_orders_above_one,
        conclude=_rdp_of_pure_quadratic,
        tightness="upper",
    )
)


def _weaker_rdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    rdp, larger = premises
    wanted = Relation(params["value"] - rdp.value, ">=")
    yield Condition("sign", "the second premise is not an equation", "fact", (larger.relation.op in (">", ">="),))
    yield vanishes("difference", f"the premise says {wanted}", [larger.relation.expr - wanted.expr], larger.region)


def _weaker_rdp(premises: Premises, params: Params) -> RenyiDP:
    """``R_alpha <= value``, where the second premise says ``value >= R(alpha)``."""
    rdp, larger = premises
    region = joined(rdp.region, larger.region)
    return RenyiDP(rdp.subject, params["value"], rdp.sensitivity, rdp.relation, region)


register(
    Rule(
        id="weaker-rdp",
        title="A larger value bounds the Renyi divergence too",
        citation=Citation("symdp", "rules.conversion"),
        premises=(RenyiDP, Inequality),
        conditions=_weaker_rdp_conditions,
        conclude=_weaker_rdp,
        tightness="upper",
    )
)

# --- to zero-concentrated differential privacy ----------------------------------------------------------------------


def _nothing(_: Premises, __: Params) -> Iterator[Condition]:
    yield from ()


def _zcdp_of_pure(premises: Premises, _: Params) -> ZCDP:
    """``rho = epsilon tanh(epsilon/2)``.

    With ``y = (alpha - 1/2)^2`` randomized response has ``(alpha-1) R = log cosh(eps sqrt y) - log cosh(eps/2)`` and
    ``alpha (alpha-1) = y - 1/4``. The function of y is concave, so the quotient ``R/alpha`` is at most its derivative
    at ``y = 1/4``, which is ``eps tanh(eps/2)``.
    """
    eps = premises[0].epsilon
    return ZCDP(premises[0].subject, eps * tanh(eps / 2), premises[0].region, **neighbours(premises[0]))


def _zcdp_of_gdp(premises: Premises, _: Params) -> ZCDP:
    """``rho = mu^2/2``."""
    return ZCDP(premises[0].subject, premises[0].mu ** 2 / 2, premises[0].region, **neighbours(premises[0]))


def without_order(region: Region) -> Region:
    """The region without the order and without what it says about the order."""
    kept = tuple(r for r in region.constraints if ALPHA not in r.free_symbols)
    return Region(tuple(pair for pair in region.intervals if pair[0] != ALPHA), kept)


def all_orders(region: Region) -> bool:
    """Whether the region has every order above 1, and says nothing else about the order."""
    every = ALPHA in region.symbols and region.interval(ALPHA) == Interval.open(1, oo)
    return every and not any(ALPHA in relation.free_symbols for relation in region.constraints)


def _zcdp_of_rdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    (rdp,), rho = premises, params["rho"]
    yield Condition("all orders", "the bound holds for every order above 1", "fact", (all_orders(rdp.region),))
    yield Condition("rho", "rho does not depend on the order", "fact", (ALPHA not in rho.free_symbols,))
    yield holds("linear", Relation(rho * ALPHA - rdp.value, ">="), rdp.region, "the Renyi bound is at most rho alpha")


def _zcdp_of_rdp(premises: Premises, params: Params) -> ZCDP:
    """``rho``, where ``R(alpha) <= rho alpha`` at every order above 1."""
    return ZCDP(premises[0].subject, params["rho"], without_order(premises[0].region), **neighbours(premises[0]))


register(
    Rule(
        id="zcdp-of-pure",
        title="Zero-concentrated from pure differential privacy",
        citation=Citation("symdp", "rules.conversion", "concavity; at most the eps^2/2 of Bun and Steinke"),
        premises=(PureDP,),
        conditions=_nothing,
        conclude=_zcdp_of_pure,
        tightness="upper",
        suggest=about_parts,
    )
)
register(
    Rule(
        id="zcdp-of-gdp",
        title="Zero-concentrated from Gaussian differential privacy",
        citation=Citation("dong2019", "Corollary B.6"),
        premises=(GaussianDP,),
        conditions=_nothing,
        conclude=_zcdp_of_gdp,
        tightness="exact",
        suggest=about_parts,
        summary=True,
    )
)
register(
    Rule(
        id="zcdp-of-rdp",
        title="Zero-concentrated from Renyi differential privacy",
        citation=Citation("bun2016", "Definition 1.1"),
        premises=(RenyiDP,),
        conditions=_zcdp_of_rdp_conditions,
        conclude=_zcdp_of_rdp,
        tightness="upper",
    )
)

# --- truncated concentrated differential privacy --------------------------------------------------------------------


def _truncated(region: Region, omega: Expr) -> Region:
    """The region with orders ``1 < alpha < omega``."""
    return without_order(region).extend({ALPHA: Interval.open(1, oo)}).intersect([Relation(omega - ALPHA, ">")])


def _omega(omega: Expr, region: Region) -> Iterator[Condition]:
    yield Condition("free", "omega does not depend on the order", "fact", (ALPHA not in omega.free_symbols,))
    yield holds("omega", Relation(omega - 1, ">"), region, "omega is above 1")


def _tcdp_of_rdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    (rdp,), rho, omega = premises, params["rho"], params["omega"]
    yield from _omega(omega, without_order(rdp.region))
    yield Condition("rho", "rho does not depend on the order", "fact", (ALPHA not in rho.free_symbols,))
    yield Condition("orders", "the bound says for which orders it holds", "fact", (ALPHA in rdp.region.symbols,))
    target = _truncated(rdp.region, omega)
    for relation in rdp.region.relations:
        if ALPHA in relation.free_symbols:
            yield holds(f"orders below omega: {relation}", relation, target)
    yield holds("linear", Relation(rho * ALPHA - rdp.value, ">="), target, "the Renyi bound is at most rho alpha")


def _tcdp_of_rdp(premises: Premises, params: Params) -> TCDP:
    """``(rho, omega)``, where ``R(alpha) <= rho alpha`` for ``1 < alpha < omega``."""
    fact = premises[0]
    return TCDP(fact.subject, params["rho"], params["omega"], without_order(fact.region), **neighbours(fact))


def _rdp_of_tcdp_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield from _omega(premises[0].omega, premises[0].region)


def _rdp_of_tcdp(premises: Premises, _: Params) -> RenyiDP:
    """``rho alpha`` for orders ``1 < alpha < omega``."""
    fact = premises[0]
    region = _truncated(fact.region, fact.omega)
    return RenyiDP(fact.subject, fact.rho * ALPHA, fact.sensitivity, fact.relation, region)


def _tcdp_of_zcdp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _omega(params["omega"], premises[0].region)


def _tcdp_of_zcdp(premises: Premises, params: Params) -> TCDP:
    """``(rho, omega)`` for every ``omega > 1``."""
    fact = premises[0]
    return TCDP(fact.subject, fact.rho, params["omega"], fact.region, **neighbours(fact))


register(
    Rule(
        id="tcdp-of-rdp",
        title="Truncated concentrated from Renyi differential privacy",
        citation=Citation("bun2018", "Definition 2"),
        premises=(RenyiDP,),
        conditions=_tcdp_of_rdp_conditions,
        conclude=_tcdp_of_rdp,
        tightness="upper",
    )
)
register(
    Rule(
        id="rdp-of-tcdp",
        title="Renyi from truncated concentrated differential privacy",
        citation=Citation("bun2018", "Definition 2"),
        premises=(TCDP,),
        conditions=_rdp_of_tcdp_conditions,
        conclude=_rdp_of_tcdp,
        tightness="upper",
        suggest=about_parts,
    )
)
register(
    Rule(
        id="tcdp-of-zcdp",
        title="Truncated from zero-concentrated differential privacy",
        citation=Citation("bun2018", "Definition 2", "zero-concentrated is omega = infinity"),
        premises=(ZCDP,),
        conditions=_tcdp_of_zcdp_conditions,
        conclude=_tcdp_of_zcdp,
        tightness="upper",
    )
)
