"""What cannot be true together, or would answer for the wrong neighbours: refused before a search begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symdp import codec
from symdp.errors import InputError
from symdp.judgments import links
from symdp.judgments.base import name_of
from symdp.rules.asked import subject_of
from symdp.rules.given import describes
from symdp.theorem import Theorem

_REMEDY = "give each thing a name of its own"


def no_contradiction(theorems: Sequence[Theorem]) -> None:
    """InputError if one thing is described in two ways, or its guarantees are about different neighbours."""
    described: dict[tuple[object, ...], Any] = {}
    guarantees: dict[tuple[object, ...], Any] = {}
    for theorem in theorems:
        fact: Any = theorem.conclusion
        if not hasattr(fact, "subject") and not hasattr(fact, "kernel"):
            continue
        name, subject = name_of(subject_of(fact)), links(subject_of(fact))
        if describes(fact):
            first = described.setdefault(subject, fact)
            if not codec.same(first, fact):
                said = f"{name} is described twice: {first.statement()}; {fact.statement()}"
                raise InputError(said, place="facts", remedy=_REMEDY)
        elif hasattr(fact, "relation") and hasattr(fact, "sensitivity"):
            first = guarantees.setdefault(subject, fact)
            if not all(codec.same(getattr(first, key), getattr(fact, key)) for key in ("relation", "sensitivity")):
                said = f"the neighbours of {name} differ: {first.statement()}; {fact.statement()}"
                raise InputError(said, place="facts", remedy=_REMEDY)
