"""Plain mathematics as rules, for derivations: identities and inequalities that the engine decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import Identity, Inequality
from symdp.rule import Rule, register
from symdp.rules.conditions import holds, vanishes

Params = Mapping[str, Any]


def _identity_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield vanishes("identity", "left - right is zero", [params["left"] - params["right"]], params["region"])


def _identity(_: tuple[Any, ...], params: Params) -> Identity:
    """``left = right`` everywhere on the region."""
    return Identity(params["left"], params["right"], params["region"])


register(
    Rule(
        id="identity",
        title="Identity by the zero test",
        citation=Citation("symdp", "symdp.decide", "normal form modulo the relations of the functions"),
        premises=(),
        conditions=_identity_conditions,
        conclude=_identity,
        tightness="exact",
    )
)


def _inequality_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield holds("inequality", params["relation"], params["region"])


def _inequality(_: tuple[Any, ...], params: Params) -> Inequality:
    """``left >= right``, or another relation, everywhere on the region."""
    return Inequality(params["relation"], params["region"])


register(
    Rule(
        id="inequality",
        title="Inequality by the decision procedures",
        citation=Citation("symdp", "symdp.decide", "sign calculus, z3, or ball arithmetic"),
        premises=(),
        conditions=_inequality_conditions,
        conclude=_inequality,
        tightness="exact",
    )
)
