"""What cannot be true together, or would answer for the wrong neighbours: refused before a search begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr

from symdp import codec
from symdp.ball import working_precision
from symdp.enclosure import ball
from symdp.errors import InputError, SymdpError
from symdp.judgments import links
from symdp.judgments.base import name_of
from symdp.rules.asked import subject_of
from symdp.rules.given import describes
from symdp.theorem import Theorem

_REMEDY = "give each thing a name of its own"
_LIMITS = "none of these is negative, and delta and gamma are at most 1"
_RANGES = {"epsilon": None, "delta": 1, "mu": None, "rho": None, "gamma": 1}
_BITS = 128


def _in_range(fact: Any) -> None:
    """InputError for a number that no mechanism or kernel has."""
    for name, most in _RANGES.items():
        value = getattr(fact, name, None)
        if not isinstance(value, Expr) or value.free_symbols:
            continue
        try:
            with working_precision(_BITS):
                found = ball(value, {})
        except SymdpError:
            continue
        if found < 0 or (most is not None and found > most):
            raise InputError(f"the {name} is out of range: {fact.statement()}", place="facts", remedy=_LIMITS)


def no_contradiction(theorems: Sequence[Theorem]) -> None:
    """InputError for numbers out of range, two descriptions of one thing, guarantees about different neighbours."""
    described: dict[tuple[object, ...], Any] = {}
    guarantees: dict[tuple[object, ...], Any] = {}
    for theorem in theorems:
        fact: Any = theorem.conclusion
        if not hasattr(fact, "subject") and not hasattr(fact, "kernel"):
            continue
        name, subject = name_of(subject_of(fact)), links(subject_of(fact))
        _in_range(fact)
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
