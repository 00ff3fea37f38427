"""Rows of the sampled Gaussian mechanism: the proved divergence of a direction at exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symdp.ball import Enclosure
from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import evaluate, inputs
from symdp.rationals import show
from symdp.tables.grid import Item, nearest_double
from symdp.tables.plan import Plan

COLUMNS = ("q", "sigma", "alpha", "direction", "relation", "sensitivity")
_NEEDED = ("q", "sigma", "alpha")
_DEFAULTS: dict[str, Item] = {"direction": "forward", "relation": "add-remove", "sensitivity": Fraction(1)}
_DIRECTIONS = ("forward", "reverse")


class SampledGaussian:
    """``R_alpha(mu||mu0)`` (forward) or ``R_alpha(mu0||mu)`` (reverse), as ``sampled_gaussian.renyi`` defines them."""

    columns: tuple[str, ...] = COLUMNS

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def check(self) -> None:
        """InputError for an unknown or missing name, and for the ends of an axis that are out of range."""
        axes = self.plan.axes
        for name in axes:
            if name not in COLUMNS:
                raise InputError(
                    f"'{show(name)}' is not known", place="--grid", remedy=f"the names are {', '.join(COLUMNS)}"
                )
        for name in _NEEDED:
            if name not in axes:
                raise InputError(f"there is no {name}", place="--grid", remedy=f"add {name}, for example '{name}=2'")
        for name, axis in axes.items():
            for item in axis.corners():
                self._read(name, item)

    def inputs(self, point: dict[str, Item]) -> dict[str, Item]:
        """The exact inputs of a row, by column."""
        given = _DEFAULTS | point
        return {name: self._read(name, given[name]) for name in COLUMNS}

    def value(self, given: dict[str, Item], digits: int) -> tuple[Enclosure, str]:
        """The divergence and the method that found it."""
        point: Any = given
        found = evaluate(
            point["q"],
            point["sigma"],
            point["alpha"],
            digits,
            direction=point["direction"],
            relation=point["relation"],
            sensitivity=point["sensitivity"],
        )
        return found.renyi, found.method

    def _read(self, name: str, item: Item) -> Item:
        place = f"--grid, {name}"
        if name == "direction":
            return inputs.choice(item, _DIRECTIONS, place)
        if name == "relation":
            return inputs.choice(item, inputs.RELATIONS, place)
        if name == "alpha":
            order = inputs.order(item, place)
            return "inf" if order is None else self._rounded(order, place)
        if name == "q":
            return self._rounded(inputs.sampling_rate(item, place), place)
        return self._rounded(inputs.positive(item, place), place)

    def _rounded(self, number: Fraction, place: str) -> Fraction:
        return nearest_double(number, place) if self.plan.double else number
