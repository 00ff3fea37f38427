"""Gaussian mechanisms ``N(scale f(D), variance I)`` on R^d: their privacy, and what they become when changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, oo

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import GaussianMechanism, RenyiDP
from symdp.judgments.base import name_of
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA, DELTA, holds
from symdp.rules.regions import joined, with_symbol, without
from symdp.text import Relation, definedness, to_text

Params = Mapping[str, Any]
NEIGHBOURS = "f(D) and f(D') at Euclidean distance at most Delta"


def nothing(_: tuple[Any, ...], __: Params) -> Iterator[Condition]:
    """The conditions of a rule whose premises say it all."""
    return iter(())


# --- privacy --------------------------------------------------------------------------------------------------------


def _rdp(premises: tuple[Any, ...], _: Params) -> RenyiDP:
    """``alpha (b Delta)^2/(2v)`` for ``b f(D) + N(0, v)``."""
    mechanism = premises[0]
    value = ALPHA * (mechanism.scale * DELTA) ** 2 / (2 * mechanism.variance)
    region = with_symbol(mechanism.region, ALPHA, Interval.open(1, oo))
    return RenyiDP(mechanism.subject, value, DELTA, NEIGHBOURS, with_symbol(region, DELTA, Interval.nonnegative()))


register(
    Rule(
        # attained by two neighbours whose queries are Delta apart
        id="gaussian-rdp",
        title="Renyi differential privacy of a Gaussian mechanism",
        citation=Citation("mironov2017", "Corollary 3", "alpha Delta^2/(2 sigma^2)"),
        premises=(GaussianMechanism,),
        conditions=nothing,
        conclude=_rdp,
        tightness="exact",
    )
)


def _matching_variance(privacy: RenyiDP) -> Expr:
    return ALPHA * DELTA**2 / (2 * privacy.value)


def _matching_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    privacy, mechanism = premises
    variance = _matching_variance(privacy)
    free = not variance.free_symbols & {ALPHA, DELTA}
    uncoupled = not any(c.free_symbols & {ALPHA, DELTA} for c in privacy.region.constraints)
    same = privacy.subject == mechanism.subject
    yield Condition("one mechanism", "the premises speak of one mechanism", "fact", (same,))
    yield Condition(
        "Gaussian curve", "R_alpha is alpha Delta^2 times a factor without alpha and Delta", "fact", (free,)
    )
    yield Condition("all orders", "it holds for the same parameters at every order", "fact", (uncoupled,))
    yield holds("variance", Relation(variance, ">"), _matching_region(privacy, mechanism))


def _matching_region(privacy: RenyiDP, mechanism: GaussianMechanism) -> Region:
    return joined(mechanism.region, without(privacy.region, [ALPHA, DELTA]))


def _matching(premises: tuple[Any, ...], _: Params) -> GaussianMechanism:
    """``f(D) + N(0, alpha Delta^2/(2R))``, where the Renyi bound R is linear in ``alpha Delta^2``."""
    privacy, mechanism = premises
    subject = f"the unbiased Gaussian mechanism as private as {name_of(mechanism.subject)}"
    region = _matching_region(privacy, mechanism)
    return GaussianMechanism(subject, Integer(1), _matching_variance(privacy), mechanism.dimension, region)


register(
    Rule(
        id="matching-gaussian",
        title="The unbiased Gaussian mechanism of the same privacy",
        citation=Citation("balle2019", "section 5.1", "the variance sigma~^2"),
        premises=(RenyiDP, GaussianMechanism),
        conditions=_matching_conditions,
        conclude=_matching,
        tightness="exact",
    )
)

# --- changing a mechanism -------------------------------------------------------------------------------------------


def _scaled_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield holds("factor", Relation(params["factor"], "!="), premises[0].region)


def _scaled(premises: tuple[Any, ...], params: Params) -> GaussianMechanism:
    """``c b f(D) + N(0, c^2 v)``, c the factor."""
    mechanism, factor = premises[0], params["factor"]
    subject = f"({to_text(factor)}) times {name_of(mechanism.subject)}"
    law = factor * mechanism.scale, factor**2 * mechanism.variance
    return GaussianMechanism(subject, *law, mechanism.dimension, mechanism.region)


register(
    Rule(
        id="scaled-output",
        title="A Gaussian mechanism with its output multiplied",
        citation=Citation("balle2019", "section 5.1", "the post-processed Gaussian mechanism"),
        premises=(GaussianMechanism,),
        conditions=_scaled_conditions,
        conclude=_scaled,
        tightness="exact",
    )
)


def _after_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    first, second = premises
    same = first.dimension == second.dimension
    yield Condition("one dimension", "both act on the same R^d", "fact", (same,))


def _after(premises: tuple[Any, ...], _: Params) -> GaussianMechanism:
    """``b2 b1 f(D) + N(0, b2^2 v1 + v2)`` from ``b1 f(D) + N(0, v1)``, multiplied by b2, plus ``N(0, v2)``."""
    first, second = premises
    subject = f"{name_of(second.subject)} after {name_of(first.subject)}"
    variance = second.scale**2 * first.variance + second.variance
    region = joined(first.region, second.region)
    return GaussianMechanism(subject, second.scale * first.scale, variance, first.dimension, region)


register(
    Rule(
        id="gaussian-after-gaussian",
        title="One Gaussian mechanism applied to the output of another",
        citation=Citation("balle2019", "section 5", "P_s after P_t"),
        premises=(GaussianMechanism, GaussianMechanism),
        conditions=_after_conditions,
        conclude=_after,
        tightness="exact",
    )
)


def _instance_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    mechanism, values, region = premises[0], dict(params["values"]), params["region"]
    used = set().union(*(e.xreplace(values).free_symbols for e in (mechanism.scale, mechanism.variance)))
    known = used <= set(region.symbols) and len(values) == len(params["values"])
    yield Condition("symbols", "every symbol left has its range, every other one value", "fact", (known,))
    conditions = dict.fromkeys(relation for value in values.values() for relation in definedness(value))
    for relation in conditions:
        yield holds(f"defined: {relation}", relation, region, f"the values are defined where {relation}")
    for relation in mechanism.region.relations:
        yield holds(f"range: {relation}", relation.subs(values), region, f"{relation} at the values")


def _instance(premises: tuple[Any, ...], params: Params) -> GaussianMechanism:
    """``b f(D) + N(0, v)`` with values put for its parameters."""
    mechanism, values = premises[0], dict(params["values"])
    listed = ", ".join(f"{name} = {to_text(value)}" for name, value in params["values"])
    scale, variance, dimension = (
        e.xreplace(values) for e in (mechanism.scale, mechanism.variance, mechanism.dimension)
    )
    subject = f"{name_of(mechanism.subject)} with {listed}"
    return GaussianMechanism(subject, scale, variance, dimension, params["region"])


register(
    Rule(
        id="gaussian-at",
        title="A Gaussian mechanism at values of its parameters",
        citation=Citation("balle2019", "Theorem 8", "theta and rho chosen for a privacy budget"),
        premises=(GaussianMechanism,),
        conditions=_instance_conditions,
        conclude=_instance,
        tightness="exact",
    )
)
