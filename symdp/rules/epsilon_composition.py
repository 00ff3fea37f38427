"""Adaptive composition of epsilons and deltas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

from sympy import Integer, Mul

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import ApproxDP, PureDP
from symdp.rule import Query, Rule, register
from symdp.rules.composition import Composition, one_setting, so_many_steps, these_parts, whole_steps
from symdp.rules.profiles import guarantee_conditions

Params = Mapping[str, Any]
Premises = tuple[Any, ...]


def _parts_of_dp(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from one_setting(premises, params)
    for index, premise in enumerate(premises):
        for condition in guarantee_conditions(premise):
            name = f"part {index}: {condition.name}"
            yield Condition(name, condition.statement, condition.decider, condition.args)


def _dp_sum(premises: Premises, _: Params) -> ApproxDP:
    """``(sum of epsilons, sum of deltas)``."""
    subject = Composition(tuple(premise.subject for premise in premises))
    total: ApproxDP = replace(
        premises[0],
        subject=subject,
        epsilon=reduce(add, (p.epsilon for p in premises)),
        delta=reduce(add, (p.delta for p in premises)),
    )
    return total


def _dp_product(premises: Premises, params: Params) -> ApproxDP:
    """``(sum of epsilons, 1 - product of (1 - delta))``.

    A part is at worst an (epsilon, 0) pair of laws, but with probability delta it tells all (Kairouz, Oh, Viswanath);
    where no part does, the ratios multiply.
    """
    total: ApproxDP = replace(_dp_sum(premises, params), delta=1 - Mul(*(1 - p.delta for p in premises)))
    return total


def _dp_steps_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from whole_steps(premises, params)
    yield from guarantee_conditions(premises[0])


def _steps_of_dp(premises: Premises, query: Query) -> Iterator[Params]:
    """Where delta is 0 pure privacy adds up: what is exact stays so there."""
    if premises[0].delta != 0:
        yield from so_many_steps(premises, query)


def _dp_steps(premises: Premises, params: Params) -> ApproxDP:
    """``(k epsilon, 1 - (1 - delta)^k)``."""
    fact, steps = premises[0], Integer(params["steps"])
    subject = Composition((fact.subject,), params["steps"])
    total: ApproxDP = replace(fact, subject=subject, epsilon=steps * fact.epsilon, delta=1 - (1 - fact.delta) ** steps)
    return total


def _dp_steps_sums(premises: Premises, params: Params) -> ApproxDP:
    """``(k epsilon, k delta)``: a number that stays short, where the power of ``1 - delta`` has too many digits."""
    steps = Integer(params["steps"])
    fact, subject = premises[0], Composition((premises[0].subject,), params["steps"])
    total: ApproxDP = replace(fact, subject=subject, epsilon=steps * fact.epsilon, delta=steps * fact.delta)
    return total


def _pure_sum(premises: Premises, _: Params) -> PureDP:
    """``epsilon = epsilon_1 + ... + epsilon_n``."""
    subject = Composition(tuple(premise.subject for premise in premises))
    total: PureDP = replace(premises[0], subject=subject, epsilon=reduce(add, (p.epsilon for p in premises)))
    return total


def _pure_steps(premises: Premises, params: Params) -> PureDP:
    """``k epsilon`` after k steps."""
    subject = Composition((premises[0].subject,), params["steps"])
    total: PureDP = replace(premises[0], subject=subject, epsilon=Integer(params["steps"]) * premises[0].epsilon)
    return total


register(
    Rule(
        id="dp-composition-sums",
        title="Epsilons and deltas add",
        citation=Citation("dwork2014", "Theorem 3.16"),
        premises=(ApproxDP, ...),
        conditions=_parts_of_dp,
        conclude=_dp_sum,
        tightness="upper",
        suggest=these_parts,
    )
)
register(
    Rule(
        id="dp-composition",
        title="Epsilons add, and so do the chances of a full disclosure, but for their product",
        citation=Citation("kairouz2015", "section 3"),
        premises=(ApproxDP, ...),
        conditions=_parts_of_dp,
        conclude=_dp_product,
        tightness="upper",
        suggest=these_parts,
    )
)
register(
    Rule(
        id="dp-steps",
        title="Epsilon and delta of a repeated mechanism",
        citation=Citation("kairouz2015", "section 3"),
        premises=(ApproxDP,),
        conditions=_dp_steps_conditions,
        conclude=_dp_steps,
        tightness="exact",
        suggest=_steps_of_dp,
        summary=True,
    )
)
register(
    Rule(
        id="dp-steps-sums",
        title="Epsilon and delta of a repeated mechanism, added up",
        citation=Citation("dwork2014", "Theorem 3.16"),
        premises=(ApproxDP,),
        conditions=_dp_steps_conditions,
        conclude=_dp_steps_sums,
        tightness="upper",
        suggest=_steps_of_dp,
    )
)
register(
    Rule(
        id="pure-composition",
        title="Pure epsilons add",
        citation=Citation("dwork2014", "Theorem 3.14"),
        premises=(PureDP, ...),
        conditions=one_setting,
        conclude=_pure_sum,
        tightness="upper",
        suggest=these_parts,
    )
)
register(
    Rule(
        id="pure-steps",
        title="Pure epsilon of a repeated mechanism",
        citation=Citation("dwork2014", "Theorem 3.14"),
        premises=(PureDP,),
        conditions=whole_steps,
        conclude=_pure_steps,
        tightness="exact",
        suggest=so_many_steps,
        summary=True,
        carries=True,
    )
)
