"""Rows of a diffusion: its proved bound, or with ``truth`` the divergence itself, at exact numbers.

``plan.source`` holds the texts of the command line: name, or drift, diffusion, state and domain; param, let, assume;
truth.
"""

from __future__ import annotations

from collections import OrderedDict
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symdp.ball import Enclosure
from symdp.diffusion.catalogue import lookup
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError, Refused
from symdp.found import read_assumptions
from symdp.question import Question, ask
from symdp.rationals import exact
from symdp.tables.grid import Item, nearest_double
from symdp.tables.plan import Plan
from symdp.text import parse_values

if TYPE_CHECKING:
    from symdp.bound import Bound
    from symdp.derivation.truth import Truth

_MOST_KEPT = 16  # derivations at parameter values


class OfDiffusion:
    """The bound on ``R_alpha(P_t(x) || P_t(xp))``, of a distance ``Delta`` or of two starts, as ``Bound.evaluate``."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.columns = tuple(plan.axes)
        self.truth = bool(plan.source.get("truth"))
        self._assume = tuple(plan.source.get("assume", ()))
        self._kept: OrderedDict[Any, Any] = OrderedDict()

    @cached_property
    def process(self) -> Diffusion:
        """The diffusion typed or named. Raises InputError."""
        source = self.plan.source
        param, let = list(source.get("param", ())), list(source.get("let", ()))
        if source.get("name"):
            return lookup(source["name"]).build(param, let)
        drift, matrix, state, domain = (source.get(key) for key in ("drift", "diffusion", "state", "domain"))
        return Diffusion(drift, matrix, state, domain, param, let=let)

    def check(self) -> None:
        """InputError for names that are unknown or missing, and for the ends of an axis that are out of range."""
        first = self.plan.point(0)
        if self.truth and not {"x", "xp"} <= set(first):
            raise InputError("--truth is about two starts", place="--grid", remedy="add x and xp instead of Delta")
        self._ask(self.inputs(first))
        for name, axis in self.plan.axes.items():
            for item in axis.corners()[:8]:
                self._ask(self.inputs(first | {name: item}))

    def inputs(self, point: dict[str, Item]) -> dict[str, Item]:
        """The exact inputs of a row, by column."""
        return {name: self._rounded(name, item) for name, item in point.items()}

    def value(self, given: dict[str, Item], digits: int) -> tuple[Enclosure, str]:
        """The value and how it is known: exact or an upper bound, and the rule of the theorem."""
        question = self._ask(given)
        if self.truth:
            known: Truth = self._keep(("truth", *question.parameters.items()), lambda: self._truth(question))
            where = question.on(known.process)
            return known.value(where.assignment(), digits), f"truth by {known.theorem.rule.id}"
        bound = self._bound(given, question)
        again = bound.ask(_values(given))
        theorem = bound.theorem if question.starts is not None else bound.privacy or bound.theorem
        value, method = bound.found.value(again, digits), f"{theorem.tightness} by {theorem.rule.id}"
        return value, f"{method}, derived at these parameters" if bound.found.note(again) else method

    def _truth(self, question: Question) -> Truth:
        from symdp.render.truth import truth_at

        return truth_at(question, read_assumptions(self.process, self._assume))

    @cached_property
    def _general(self) -> Bound | None:
        """The bound for all parameters, if one can be derived."""
        from symdp.bound import derive

        try:
            return derive(self.process, self._assume)
        except Refused:
            return None

    def _bound(self, given: dict[str, Item], question: Question) -> Bound:
        if self._general is not None:
            return self._general
        from symdp.bound import derive

        key = ("bound", *question.parameters.items())
        bound: Bound = self._keep(key, lambda: derive(self.process, self._assume, at=_values(given)))
        return bound

    def _keep(self, key: Any, make: Any) -> Any:
        """``make()``, or what it gave, a refusal included, for the same key not long ago."""
        if key not in self._kept:
            try:
                self._kept[key] = make()
            except Refused as refusal:
                self._kept[key] = refusal
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        if isinstance(self._kept[key], Refused):
            raise self._kept[key]
        return self._kept[key]

    def _ask(self, given: dict[str, Item]) -> Question:
        assuming = read_assumptions(self.process, self._assume)
        return ask(self.process, _values(given), assuming=assuming, place="--grid")

    def _rounded(self, name: str, item: Item) -> Item:
        if not self.plan.double:
            return item
        place = f"--grid, {name}"
        number = item if isinstance(item, Fraction) or item.startswith("(") else exact(item, place)
        if not isinstance(number, Fraction):
            raise InputError(f"'{item}' is not rational", place=place, remedy="leave out --double")
        return nearest_double(number, place)


def _values(given: dict[str, Item]) -> dict[str, Any]:
    """What ``ask`` takes: starts in R^d are written ``(1, 0)``."""
    return {
        name: parse_values(f"{name}={item}", place=f"--grid, {name}")[name] if isinstance(item, str) else item
        for name, item in given.items()
    }
