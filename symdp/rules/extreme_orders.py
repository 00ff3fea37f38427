"""The two ends of the orders: Renyi divergence of order 1 (Kullback-Leibler) and of order infinity (pure privacy)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Integer, S, oo, sign

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import PureDP, RenyiDP, neighbours
from symdp.region import Interval, Region
from symdp.rule import Query, Rule, register
from symdp.rules.asked import asked
from symdp.rules.conditions import ALPHA, holds
from symdp.rules.conversion import without_order
from symdp.text import Relation, definedness

Params = Mapping[str, Any]
Premises = tuple[Any, ...]


def _free(region: Region) -> bool:
    return ALPHA in region.symbols and not any(ALPHA in relation.free_symbols for relation in region.constraints)


def _from_one(fact: RenyiDP) -> bool:
    """Whether the bound holds for all orders of an interval that begins at 1."""
    interval = fact.region.interval(ALPHA) if _free(fact.region) else None
    return interval is not None and interval.lower == 1 and interval.upper != 1


def _near_one(region: Region) -> Region:
    """The region with orders ``1 <= alpha <= upper``, upper the largest order of the bound, or 2."""
    upper = region.interval(ALPHA).upper
    closed = Interval.closed(1, Integer(2) if upper is S.Infinity else upper)
    return without_order(region).extend({ALPHA: closed})


def _at_one_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    fact = premises[0]
    yield Condition("orders", "the bound holds for all orders from 1 on", "fact", (_from_one(fact),))
    if _from_one(fact):
        yield Condition("no jump", "the bound has no sign in it, which jumps", "fact", (not fact.value.has(sign),))
        region = _near_one(fact.region)
        for relation in definedness(fact.value):
            statement = f"the bound is defined and continuous at order 1: {relation}"
            yield holds(f"continuous: {relation}", relation, region, statement)


def _at_one(premises: Premises, _: Params) -> RenyiDP:
    """``R_1 <= R_alpha <= value`` for every order above 1, hence ``R_1`` is at most the limit of the value from above.

    The functions of the grammar are continuous where they are defined, so that the limit is the value at 1.
    """
    fact = premises[0]
    region = without_order(fact.region).extend({ALPHA: Interval.point(1)})
    return RenyiDP(fact.subject, fact.value.subs(ALPHA, 1), fact.sensitivity, fact.relation, region)


def _order_one_asked(premises: Premises, query: Query) -> Iterator[Params]:
    if query.ask == "rdp" and query.alpha == 1 and _from_one(premises[0]) and asked(premises[0].subject, query):
        yield {}


register(
    Rule(
        id="rdp-at-one",
        title="The Renyi divergence of order 1, from those above",
        citation=Citation("vanerven2014", "Theorem 3", "the Renyi divergence does not fall in the order"),
        premises=(RenyiDP,),
        conditions=_at_one_conditions,
        conclude=_at_one,
        tightness="upper",
        suggest=_order_one_asked,
    )
)


def _pure_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, epsilon = premises[0], params["epsilon"]
    every = _free(fact.region) and fact.region.interval(ALPHA).upper is oo
    yield Condition("orders", "the bound holds for arbitrarily large orders", "fact", (every,))
    yield Condition("epsilon", "epsilon does not depend on the order", "fact", (ALPHA not in epsilon.free_symbols,))
    yield holds("bounded", Relation(epsilon - fact.value, ">="), fact.region, "the Renyi bound is at most epsilon")


def _pure(premises: Premises, params: Params) -> PureDP:
    """``R_alpha`` rises to the divergence of order infinity, the logarithm of the largest ratio."""
    fact = premises[0]
    return PureDP(fact.subject, params["epsilon"], without_order(fact.region), **neighbours(fact))


def _bounded(premises: Premises, query: Query) -> Iterator[Params]:
    fact = premises[0]
    if ALPHA not in fact.value.free_symbols and asked(fact.subject, query):
        yield {"epsilon": fact.value}


register(
    Rule(
        id="pure-of-rdp",
        title="Pure from Renyi differential privacy that is bounded over all orders",
        citation=Citation("vanerven2014", "Theorem 6", "the divergence of order infinity is the limit"),
        premises=(RenyiDP,),
        conditions=_pure_conditions,
        conclude=_pure,
        tightness="exact",
        suggest=_bounded,
        carries=True,
    )
)
