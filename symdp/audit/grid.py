"""Where an accountant is asked: the standard grids, or a CSV file; every number is the double the peer is given."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from symdp.errors import InputError
from symdp.files import read_text

KINDS = ("rdp", "epsilon")
COLUMNS = {"rdp": ("q", "sigma", "alpha"), "epsilon": ("q", "sigma", "steps", "delta")}
MAX_ROWS = 100_000
_MAX_STEPS = 10**6

_RATES = (1e-8, 1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.4, 0.7, 0.99, 1.0)
_NOISES = (0.3, 0.5, 0.8, 1.0, 2.0, 4.0, 10.0, 20.0, 50.0)
_ORDERS = (1.001, 1.1, 1.25, 1.5, 2.0, 2.5, 3.0, 4.5, 8.0, 16.5, 32.0, 63.5, 128.0, 256.5, 1024.0, 2048.0)
_EPSILON = ((1e-4, 1e-3, 0.01, 0.1, 0.5, 1.0), (0.7, 1.0, 2.0, 4.0), (1, 100, 1000), (1e-3, 1e-5, 1e-8))


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the peer: its arguments up to the list of orders, and that list (empty for epsilon)."""

    head: tuple[float, ...]
    orders: tuple[float, ...] = ()

    @property
    def points(self) -> list[tuple[float, ...]]:
        """The inputs it is about, each in the order of ``COLUMNS``."""
        return [(*self.head, order) for order in self.orders] if self.orders else [self.head]


def standard(kind: str) -> list[Call]:
    """The standard grid: sampling rates, noises and orders (or steps and deltas) over the sizes that are in use."""
    if kind == "rdp":
        return [Call((q, sigma), _ORDERS) for q, sigma in product(_RATES, _NOISES)]
    return [Call(point) for point in product(*_EPSILON)]


def read_grid(path: str, kind: str, place: str = "--grid") -> list[Call]:
    """The grid of a CSV file whose first line names at least the columns of ``COLUMNS[kind]``; others are not read.

    Numbers are rounded to the nearest double. Raises InputError that names the line.
    """
    text = read_text(path, place=place, remedy="give 'standard' or a CSV file")
    rows = csv.DictReader(text.splitlines(), skipinitialspace=True)
    names = COLUMNS[kind]
    remedy = f"name the columns in its first line: {','.join(names)}"
    try:
        missing = [name for name in names if name not in (rows.fieldnames or ())]
        if missing:
            raise InputError(f"{path} has no column {missing[0]}", place=place, remedy=remedy)
        points = [_point(row, names, f"{place}, {path} line {rows.line_num}") for row in rows]
    except csv.Error as error:
        raise InputError(f"{path} is not a CSV file ({error})", place=place, remedy=remedy) from None
    if not points:
        raise InputError(f"{path} has no rows", place=place, remedy="give at least one")
    if len(points) > MAX_ROWS:
        raise InputError(f"{path} has {len(points)} rows", place=place, remedy=f"give at most {MAX_ROWS}")
    return calls(points, kind)


def calls(points: Iterable[Sequence[float]], kind: str) -> list[Call]:
    """The points as calls: orders of the same q and sigma go together, each input once."""
    if kind == "epsilon":
        return [Call(point) for point in dict.fromkeys(map(tuple, points))]
    groups: dict[tuple[float, ...], dict[float, None]] = {}
    for *head, order in points:
        groups.setdefault(tuple(head), {})[order] = None
    return [Call(head, tuple(orders)) for head, orders in groups.items()]


def _point(row: Mapping[str, str | None], names: Sequence[str], place: str) -> tuple[float, ...]:
    values = tuple(_double(row[name], name, place) for name in names)
    _check(dict(zip(names, values, strict=True)), place)
    return tuple(int(value) if name == "steps" else value for name, value in zip(names, values, strict=True))


def _double(text: str | None, name: str, place: str) -> float:
    from symdp.rationals import rational

    if not text:
        raise InputError(f"no {name}", place=place, remedy="give every column a number")
    try:
        return float(rational(text, f"{place}, {name}"))
    except OverflowError:
        raise InputError(f"{name} is too large for a double", place=place) from None


def _check(point: Mapping[str, float], place: str) -> None:
    from symdp.mechanisms.sampled_gaussian import inputs

    inputs.sampling_rate(point["q"], f"{place}, q")
    inputs.positive(point["sigma"], f"{place}, sigma")
    try:
        inputs.noise(point["sigma"])
    except InputError as error:
        raise InputError(error.message, place=f"{place}, sigma", remedy=error.remedy) from None
    if "alpha" in point:
        inputs.order(point["alpha"], f"{place}, alpha")
        return
    if point["steps"] != math.floor(point["steps"]) or not 1 <= point["steps"] <= _MAX_STEPS:
        raise InputError(f"steps is {point['steps']:g}", place=place, remedy=f"a whole number from 1 to {_MAX_STEPS}")
    if not 0 < point["delta"] < 1:
        raise InputError(f"delta is {point['delta']:g}", place=place, remedy="give a number between 0 and 1")
