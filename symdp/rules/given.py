"""What the user says about named mechanisms and kernels: descriptions, and guarantees that are taken for granted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import (
    BoundedIteration,
    FiniteMatrix,
    Judgment,
    Kernel,
    Mechanism,
    NoiseKernel,
    NoiseMechanism,
    NoisyIteration,
    NoisySGD,
    UniformIteration,
)
from symdp.rule import Rule, register
from symdp.rules.asked import subject_of

Params = Mapping[str, Any]

DESCRIPTIONS = (
    BoundedIteration,
    FiniteMatrix,
    NoiseKernel,
    NoiseMechanism,
    NoisyIteration,
    NoisySGD,
    UniformIteration,
)
GIVEN = "given"


def describes(fact: object) -> bool:
    """Whether a fact says what something with a name of its own does.

    What is made of others, or is a mechanism known here, does what they do: whatever is said about it is a claim.
    """
    return isinstance(fact, DESCRIPTIONS) and isinstance(subject_of(fact), str | Mechanism | Kernel)


def _described(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    statement = "it says what a mechanism or kernel of some name does, not what it guarantees"
    yield Condition("description", statement, "fact", (describes(params["fact"]),))


def _given(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield Condition(GIVEN, params["fact"].statement(), "none")


def _description(_: tuple[Any, ...], params: Params) -> Judgment:
    """The description itself: it says what is done, and guarantees nothing."""
    fact: Judgment = params["fact"]
    return fact


def _taken(_: tuple[Any, ...], params: Params) -> Judgment:
    """The guarantee itself, under the assumption that it holds, which every theorem built on it lists."""
    fact: Judgment = params["fact"]
    return fact


register(
    Rule(
        id="described",
        title="A mechanism or kernel as the user describes it",
        citation=Citation("symdp", "rules.given"),
        premises=(),
        conditions=_described,
        conclude=_description,
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
        conclude=_taken,
        tightness="exact",
    )
)
