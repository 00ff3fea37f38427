"""What an audit found: every input with the peer's value, the enclosure of the truth and the verdict, and the sums."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from symdp.audit.judge import MEANING
from symdp.ball import Enclosure

QUANTILES = (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), Fraction(1))


@dataclass(frozen=True, slots=True)
class Row:
    """One input. ``value`` is None where the peer gave none; ``kind`` is "" for a value that is not found at fault,
    a kind of ``MEANING``, "not asked" or "undetermined" (no truth within the limits of work).
    """

    inputs: tuple[float, ...]
    value: float | None
    kind: str
    remark: str
    truth: Enclosure | None
    error: Fraction | float | None
    below: bool


@dataclass(frozen=True)
class Report:
    """The rows of an audit and what it was about."""

    peer: str
    version: str
    python: str
    interpreter: str
    kind: str
    timeout: float
    tolerance: Fraction
    excess: Fraction | None
    rows: tuple[Row, ...]
    exact: Callable[[tuple[float, ...]], Enclosure]
    """The truth of an input with the digits that are shown."""

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many inputs of each kind of finding, in the order of ``MEANING``; only those that occur."""
        found = {kind: sum(row.kind == kind for row in self.rows) for kind in MEANING}
        return {kind: count for kind, count in found.items() if count}

    @property
    def below(self) -> int:
        """How many values are proved to be below the truth, by however little; negative ones are among them."""
        return sum(row.below for row in self.rows)

    def of_kind(self, kind: str) -> int:
        """How many rows are of a kind that is no finding."""
        return sum(row.kind == kind for row in self.rows)

    @property
    def findings(self) -> int:
        """How many inputs something is wrong with."""
        return sum(self.counts.values())

    @cached_property
    def quantiles(self) -> dict[Fraction, Fraction | float]:
        """Quantiles of the relative error of the finite values: the least error that such a part does not exceed."""
        errors = sorted(row.error for row in self.rows if row.error is not None)
        return {part: errors[max(0, math.ceil(part * len(errors)) - 1)] for part in QUANTILES} if errors else {}

    def worst(self, count: int = 10) -> list[Row]:
        """The worst findings: the worst of every kind, the gravest kind first, then the second of every kind, etc."""
        piles = {
            kind: sorted((row for row in self.rows if row.kind == kind), key=lambda row: -(row.error or 0))
            for kind in self.counts
        }
        deals = range(max((len(pile) for pile in piles.values()), default=0))
        return [pile[turn] for turn in deals for pile in piles.values() if turn < len(pile)][:count]
