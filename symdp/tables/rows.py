"""Rows of a plan: the inputs as exact text, the value rounded outward, how it was found, or why there is none."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from symdp import __version__
from symdp.ball import Enclosure
from symdp.errors import SymdpError
from symdp.render.sampled_gaussian import exact_text
from symdp.tables.grid import Item
from symdp.tables.plan import RESULT, Plan, Row

_LONGEST_NOTE = 300


class Source(Protocol):
    """What the rows of a kind of table are about."""

    columns: tuple[str, ...]

    def check(self) -> None:
        """Raise InputError for a grid that makes no sense here."""

    def inputs(self, point: dict[str, Item]) -> dict[str, Item]:
        """The exact inputs of a row, by column."""

    def value(self, given: dict[str, Item], digits: int) -> tuple[Enclosure, str]:
        """The enclosure of the value, and the method. Raises SymdpError where there is none."""


def source_of(plan: Plan) -> Source:
    """The source that a plan names."""
    if plan.kind == "sgm":
        from symdp.tables.sampled import SampledGaussian

        return SampledGaussian(plan)
    if plan.kind == "diffusion":
        from symdp.tables.diffusions import OfDiffusion

        return OfDiffusion(plan)
    from symdp.tables.proofs import OfFacts

    return OfFacts(plan)


def columns_of(plan: Plan) -> tuple[str, ...]:
    """The names of a row's entries."""
    return (*source_of(plan).columns, *RESULT)


def compute(text: str, chunk: int) -> list[Row]:
    """The rows of a chunk of the plan that ``Plan.to_json`` wrote, in whatever process this is."""
    plan, source = _prepared(text)
    return [_row(plan, source, plan.point(row)) for row in plan.rows_of(chunk)]


@lru_cache(maxsize=4)
def _prepared(text: str) -> tuple[Plan, Source]:
    plan = Plan.from_json(text)
    return plan, source_of(plan)


def _row(plan: Plan, source: Source, point: dict[str, Item]) -> Row:
    given = source.inputs(point)
    inputs = (str(item) if isinstance(item, str) else exact_text(item) for item in given.values())
    found: tuple[str | None, str | None, str | None] = (None, None, None)
    note = None
    try:
        value, method = source.value(given, plan.digits)
        found = (*value.to_decimal(plan.digits), method)
    except SymdpError as error:  # the other rows are not to be lost with it
        note = str(error)[:_LONGEST_NOTE]
    return (*inputs, *found, str(plan.digits), __version__, note)
