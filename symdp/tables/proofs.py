"""Rows of a file of facts: the best bound for its query, with numbers of the grid in their places.

``plan.source["facts"]`` is the parsed file. A name of the grid is a key of the query (``epsilon``, ``delta``,
``alpha``) or the path of a number in the file (``kernel.K.doeblin``, ``mechanism.M.dp.epsilon``).
"""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

from symdp.ball import Enclosure
from symdp.errors import InputError
from symdp.prover import prove
from symdp.prover.facts import read_facts
from symdp.rationals import show
from symdp.tables.grid import Item
from symdp.tables.plan import Plan

_QUERY = ("epsilon", "delta", "alpha")


class OfFacts:
    """The least bound that ``symdp prove`` finds; the method is the chain of rules that proves it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.columns = tuple(plan.axes)
        if plan.double:
            raise InputError(
                "--double is not for facts", place="--double", remedy="write the numbers as they are meant"
            )

    def check(self) -> None:
        """InputError for paths that lead nowhere, and for the first row's facts and query."""
        first = self.plan.point(0)
        for name, axis in self.plan.axes.items():
            for item in axis.corners()[:8]:
                read_facts(self._filled(first | {name: item}))

    def inputs(self, point: dict[str, Item]) -> dict[str, Item]:
        """The exact inputs of a row, by column."""
        return point

    def value(self, given: dict[str, Item], digits: int) -> tuple[Enclosure, str]:
        """The bound and its rules."""
        best = prove(*read_facts(self._filled(given)), digits).best
        return best.value, f"{best.tightness}: {' > '.join(best.rule_chain)}"

    def _filled(self, given: dict[str, Item]) -> dict[str, Any]:
        facts = deepcopy(dict(self.plan.source["facts"]))
        for name, item in given.items():
            path = ["query", name] if name in _QUERY else name.split(".")
            table: Any = facts
            for key in path[:-1]:
                table = table.get(key) if isinstance(table, dict) else None
            known = isinstance(table, dict) and (name in _QUERY or path[-1] in table)
            if not known or isinstance(table.get(path[-1]), dict | list):
                remedy = f"give {', '.join(_QUERY)}, or the path of a number such as kernel.K.doeblin"
                raise InputError(f"the facts have no number '{show(name)}'", place="--grid", remedy=remedy)
            count = isinstance(table.get(path[-1]), int) and isinstance(item, Fraction) and item.denominator == 1
            table[path[-1]] = int(item) if count else str(item)
        return facts
