"""How much work one decision may take: counted in steps, boxes and operations, so that no answer depends on a clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """What the provers of an inequality may spend.

    ``steps`` and ``nodes``: steps of a proof by monotonicity, and nodes of all the goals it looks at. ``boxes`` and
    ``work``: boxes of branch and bound, and interval operations on them. ``hard``: whether z3 is asked again with a
    large limit, in a process of its own.
    """

    steps: int = 60
    nodes: int = 2_000
    boxes: int = 2_000
    work: int = 150_000
    hard: bool = True


FULL = Effort()
LIGHT = Effort(steps=12, nodes=500, boxes=300, work=15_000, hard=False)
_GIVEN: ContextVar[Effort] = ContextVar("effort", default=FULL)


def given() -> Effort:
    """What the caller grants to the decisions that are being made."""
    return _GIVEN.get()


@contextmanager
def granted(effort: Effort) -> Iterator[None]:
    """Within it every decision spends at most this. Less effort leaves more unknown and changes no other answer."""
    token = _GIVEN.set(effort)
    try:
        yield
    finally:
        _GIVEN.reset(token)
