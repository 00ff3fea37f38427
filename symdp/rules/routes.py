"""Several bounds of one divergence: the least of them bounds it at every time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import chain
from typing import Any

from sympy import Expr

from symdp import codec
from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import Divergence, RenyiDP
from symdp.region import Region
from symdp.rule import Rule, register
from symdp.rules.conditions import one_process
from symdp.rules.regions import joined
from symdp.text.extrema import Min

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
SOURCE = Citation("symdp", "rules.routes")


def _several(premises: Premises) -> Condition:
    return Condition("several", "there are two bounds at least", "fact", (len(premises) > 1,))


def _divergence_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    first, *others = premises
    yield _several(premises)
    yield one_process(first.process, *(other.process for other in others))


def _everywhere(premises: Premises) -> Region:
    """Where each of the bounds holds."""
    whole: Region = reduce(joined, (premise.region for premise in premises))
    return whole


def _least(premises: Premises) -> Expr:
    """The least of the values; of one that is the least of several these."""
    values = (p.value.args if isinstance(p.value, Min) else (p.value,) for p in premises)
    return Min(*chain.from_iterable(values))


def _least_divergence(premises: Premises, _: Params) -> Divergence:
    """``R_alpha(P_t(x)||P_t(xp)) <= min(b_1, ..., b_n)`` for bounds b_i, where all of them hold."""
    return Divergence(premises[0].process, _least(premises), _everywhere(premises))


def _privacy_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    first, *others = premises
    yield _several(premises)
    for name in ("subject", "sensitivity", "relation"):
        same = all(codec.same(getattr(other, name), getattr(first, name)) for other in others)
        yield Condition(name, f"the guarantees have one {name}", "fact", (same,))


def _least_privacy(premises: Premises, _: Params) -> RenyiDP:
    """``(alpha, min(b_1, ..., b_n))``-RDP for guarantees ``(alpha, b_i)``, where all of them hold."""
    first = premises[0]
    return RenyiDP(first.subject, _least(premises), first.sensitivity, first.relation, _everywhere(premises))


for _id, _kind, _conditions, _conclude, _what in (
    ("least-divergence", Divergence, _divergence_conditions, _least_divergence, "a divergence"),
    ("least-rdp", RenyiDP, _privacy_conditions, _least_privacy, "Renyi differential privacy"),
):
    register(
        Rule(
            id=_id,
            title=f"The least of several bounds of {_what}",
            citation=SOURCE,
            premises=(_kind, ...),
            conditions=_conditions,
            conclude=_conclude,
            tightness="upper",
            circles=True,
        )
    )
