"""Finite Markov kernels with exact rational entries: divergences of their rows and the mixing conditions they meet.

The row ``K(x)`` is the law of what the kernel makes of the input x.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from flint import arb

from symdp.ball import Enclosure, arb_of, bits_for, from_arb, working_precision
from symdp.errors import InputError
from symdp.mechanisms.privacy_region import PrivacyRegion, hull, of_laws
from symdp.rationals import rational, show

Law = tuple[Fraction, ...]
_GUARD = 64


@dataclass(frozen=True, slots=True)
class FiniteKernel:
    """A stochastic matrix. ``rows`` may be lists of exact numbers (int, Fraction, text such as "3/4") or a numpy array.

    Floats are the doubles they are: a row of them must sum to 1 exactly. Raises InputError naming the row at fault.
    """

    rows: tuple[Law, ...]

    def __init__(self, rows: Iterable[Iterable[Any]]) -> None:
        if isinstance(rows, str) or not hasattr(rows, "__iter__"):
            raise InputError("a matrix is expected", place="rows", remedy="give a list of rows")
        laws = tuple(law(row, f"row {index}") for index, row in enumerate(rows))
        if not laws:
            raise InputError("there is no row", place="rows")
        for index, row in enumerate(laws):
            if len(row) != len(laws[0]):
                raise InputError(f"has {len(row)} entries, row 0 has {len(laws[0])}", place=f"row {index}")
        object.__setattr__(self, "rows", laws)

    @property
    def shape(self) -> tuple[int, int]:
        """How many inputs and how many outputs."""
        return len(self.rows), len(self.rows[0])

    def __matmul__(self, first: FiniteKernel) -> FiniteKernel:
        """``self @ first``: first, then self, as in ``K ∘ M``. Raises InputError if the sizes do not fit."""
        if not isinstance(first, FiniteKernel):
            return NotImplemented
        if first.shape[1] != self.shape[0]:
            raise InputError(
                f"takes {self.shape[0]} inputs, what comes before it has {first.shape[1]} outputs", place="kernel"
            )
        return FiniteKernel([_image(row, self.rows) for row in first.rows])

    def pairs(self) -> Iterator[tuple[Law, Law]]:
        """Every ordered pair of different rows."""
        distinct = tuple(dict.fromkeys(self.rows))
        return ((p, q) for p in distinct for q in distinct if p is not q)

    def region(self) -> PrivacyRegion:
        """The privacy region of the worst rows: its profile is ``eta(g) = sup_{x,x'} D_g(K(x)||K(x'))``."""
        return hull(vertex for p, q in self.pairs() for vertex in of_laws(p, q).vertices)

    def dobrushin(self, ratio: Any = 1) -> Fraction:
        """The least gamma for which the kernel is (gamma, log ratio)-Dobrushin: ``eta(ratio)``.

        At ratio 1 the largest total variation distance of two rows.
        """
        return self.region().delta(ratio)

    def doeblin(self) -> Fraction:
        """The least gamma for which ``K(x) >= (1-gamma) w`` for some law w: 1 - sum of the columns' least entries."""
        return 1 - sum(map(min, zip(*self.rows, strict=True)), Fraction(0))

    def ultra_mixing(self) -> Fraction | None:
        """The least gamma for which ``K(x) >= (1-gamma) K(x')`` for all x, x'; None if two rows' supports differ."""
        least = Fraction(1)
        for column in zip(*self.rows, strict=True):
            if max(column) > 0:
                least = min(least, min(column) / max(column))
        return 1 - least if least > 0 else None

    def renyi(self, alpha: Any, digits: int = 50) -> Enclosure:
        """The largest Rényi divergence of two rows, of order ``alpha >= 1`` or "inf"."""
        values = [renyi(p, q, alpha, digits) for p, q in self.pairs()]
        if not values:
            return Enclosure(0, 0)
        return Enclosure(max(value.lower for value in values), max(value.upper for value in values))


def law(weights: Iterable[Any], place: str = "law") -> Law:
    """A law on a finite set as exact rationals. Raises InputError unless it is one."""
    if isinstance(weights, str) or not hasattr(weights, "__iter__"):
        raise InputError(f"{show(weights)} is not a list of probabilities", place=place)
    exact = tuple(rational(_plain(w), f"{place}, entry {index}") for index, w in enumerate(weights))
    for index, weight in enumerate(exact):
        if weight < 0:
            raise InputError(f"{show(weight)} is negative", place=f"{place}, entry {index}")
    if not exact or sum(exact) != 1:
        total = show(sum(exact, Fraction(0)))
        raise InputError(f"sums to {total}, not to 1", place=place, remedy='give fractions or text such as "1/3"')
    return exact


def _plain(value: Any) -> Any:
    """A numpy scalar as the Python number it holds."""
    return value.item() if hasattr(value, "item") and hasattr(value, "dtype") else value


def _image(start: Law, rows: Sequence[Law]) -> Law:
    return tuple(
        sum((w * row[y] for w, row in zip(start, rows, strict=True)), Fraction(0)) for y in range(len(rows[0]))
    )


def hockey_stick(p: Sequence[Any], q: Sequence[Any], ratio: Any) -> Fraction:
    """``sum_y max(0, p_y - ratio q_y)`` for two laws on one finite set and ``ratio = e^epsilon >= 0``, exactly."""
    first, second, a = law(p, "p"), law(q, "q"), rational(ratio, "ratio")
    if a < 0:
        raise InputError(f"{show(ratio)} is negative", place="ratio")
    _one_set(first, second)
    return sum((max(Fraction(0), x - a * y) for x, y in zip(first, second, strict=True)), Fraction(0))


def total_variation(p: Sequence[Any], q: Sequence[Any]) -> Fraction:
    """``sum_y max(0, p_y - q_y)``, exactly."""
    return hockey_stick(p, q, 1)


def renyi(p: Sequence[Any], q: Sequence[Any], alpha: Any, digits: int = 50) -> Enclosure:
    """``R_alpha(p||q) = log(sum_y p_y^alpha q_y^(1-alpha))/(alpha-1)`` with ``digits`` proved digits.

    Order 1 is the Kullback-Leibler divergence, order "inf" the largest ``log(p_y/q_y)``. Infinite if q misses a point
    of p. Raises InputError (laws, ``alpha < 1``).
    """
    first, second = law(p, "p"), law(q, "q")
    _one_set(first, second)
    pairs = [(x, y) for x, y in zip(first, second, strict=True) if x > 0]
    if any(y == 0 for _, y in pairs):
        return Enclosure(float("inf"), float("inf"))
    if first == second:
        return Enclosure(0, 0)
    order = None if alpha in ("inf", float("inf")) else rational(alpha, "alpha")
    if order is not None and order < 1:
        raise InputError(f"the order is {show(alpha)}, below 1", place="alpha")
    bits = bits_for(digits) + _GUARD
    while True:
        with working_precision(bits):
            value = _renyi(pairs, order)
            if value.rel_accuracy_bits() > bits_for(digits):
                return from_arb(value)
        bits *= 2


def _renyi(pairs: Sequence[tuple[Fraction, Fraction]], order: Fraction | None) -> arb:
    if order is None:
        return arb_of(max(x / y for x, y in pairs)).log()
    logs = [(arb_of(x), arb_of(x / y).log()) for x, y in pairs]
    if order == 1:
        return reduce(lambda total, term: total + term[0] * term[1], logs, arb(0))
    slope = arb_of(order - 1)
    # sum p ((p/q)^(alpha-1) - 1) keeps its digits when the two laws are close
    excess = reduce(lambda total, term: total + term[0] * (slope * term[1]).expm1(), logs, arb(0))
    missing = arb_of(sum((x for x, _ in pairs), Fraction(0)) - 1)
    return (excess + missing).log1p() / slope


def _one_set(p: Law, q: Law) -> None:
    if len(p) != len(q):
        raise InputError(f"p has {len(p)} entries, q has {len(q)}", place="laws")
