"""Limits of expressions, and of their quotients: by which factor one bound is asymptotically above another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symdp.citations import Citation
from symdp.errors import InputError
from symdp.evidence import Condition
from symdp.judgments import Limit
from symdp.rule import Rule, register
from symdp.rules.conditions import holds
from symdp.rules.regions import joined
from symdp.text import Relation, to_text

Params = Mapping[str, Any]


def _expansion_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    expr, value = params["expr"], params["value"]
    args = (expr, value, params["variable"], params["region"])
    yield Condition("limit", f"{to_text(expr)} tends to {to_text(value)}", "limit at infinity", args)


def _expansion(_: tuple[Any, ...], params: Params) -> Limit:
    """``expr -> value`` as the variable grows."""
    return Limit(params["expr"], params["value"], params["variable"], params["region"])


register(
    Rule(
        id="expansion",
        title="The limit of an expression by an exact expansion",
        citation=Citation("symdp", "symdp.diffusion.asymptotics", "exact expansions, every sign decided"),
        premises=(),
        conditions=_expansion_conditions,
        conclude=_expansion,
        tightness="exact",
    )
)


def _quotient_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    first, second = premises
    if first.variable != second.variable:
        raise InputError(f"{first.variable} and {second.variable} grow", place="premises", remedy="take one variable")
    region = joined(first.region, second.region)
    yield holds("divisor", Relation(second.value, "!="), region, "what is divided by does not tend to 0")


def _quotient(premises: tuple[Any, ...], _: Params) -> Limit:
    """``e_1/e_2 -> v_1/v_2`` for premises ``e_i -> v_i``, ``v_2`` not 0."""
    first, second = premises
    region = joined(first.region, second.region)
    return Limit(first.expr / second.expr, first.value / second.value, first.variable, region)


register(
    Rule(
        id="limit-quotient",
        title="The limit of a quotient",
        citation=Citation("symdp", "rules.quotients", "a quotient is continuous where its divisor is not 0"),
        premises=(Limit, Limit),
        conditions=_quotient_conditions,
        conclude=_quotient,
        tightness="exact",
    )
)
