"""What the user says about named mechanisms and kernels: descriptions, and guarantees that are taken for granted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import (
    BoundedIteration,
    DominatingPair,
    FiniteMatrix,
    Judgment,
    NoiseKernel,
    NoiseMechanism,
    NoisyIteration,
    NoisySGD,
    UniformIteration,
)
from symdp.rule import Rule, register

Params = Mapping[str, Any]

DESCRIPTIONS = (
    BoundedIteration,
    DominatingPair,
    FiniteMatrix,
    NoiseKernel,
    NoiseMechanism,
    NoisyIteration,
    NoisySGD,
    UniformIteration,
)
GIVEN = "given"


def _described(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    description = isinstance(params["fact"], DESCRIPTIONS)
    yield Condition(
        "description", "it says what a mechanism or kernel does, not what it guarantees", "fact", (description,)
    )


def _given(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield Condition(GIVEN, params["fact"].statement(), "none")


def _fact(_: tuple[Any, ...], params: Params) -> Judgment:
    fact: Judgment = params["fact"]
    return fact


register(
    Rule(
        id="described",
        title="A mechanism or kernel as the user describes it",
        citation=Citation("symdp", "rules.given"),
        premises=(),
        conditions=_described,
        conclude=_fact,
        tightness="exact",
    )
)
register(
    Rule(
        # nothing decides it: who applies the rule must assume it, and the theorem says so
        id="given",
        title="A guarantee that the user takes for granted",
        citation=Citation("symdp", "rules.given"),
        premises=(),
        conditions=_given,
        conclude=_fact,
        tightness="exact",
    )
)
