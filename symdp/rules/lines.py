"""Profiles as the largest of lines ``(u, v)``, meaning ``u - a v`` for ``a >= 1``: making, chaining and thinning them.

Written with ``s = a - 1 >= 0`` a line is ``(u - v) - s v``. Lines with rational or other constant entries are thinned
to those that are the largest somewhere; a line goes only if that is proved, by exact or ball arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

from flint import arb, fmpq
from sympy import Add, Expr, Mul, Rational, S

from symdp.ball import working_precision
from symdp.enclosure import ball
from symdp.errors import SymdpError
from symdp.judgments.mixing import Line, Lines
from symdp.text.constants import is_constant

NOTHING: Line = (S.Zero, S.Zero)
_BITS = 512
_DEEPEST = 20  # sums in products in sums


def guarantee_lines(ratio: Expr, delta: Expr, both: bool = True) -> Lines:
    """The largest profile of an (epsilon, delta) guarantee, ``ratio = e^epsilon >= 1`` (Kairouz, Oh, Viswanath).

    Both orders: ``delta + (1-delta) (b-a)/(1+b)`` up to b, then delta. One order: ``1 - (1-delta) a/b``, then delta.
    """
    level = (delta, S.Zero)
    if ratio is S.Infinity:
        return ((S.One, S.Zero),)
    if both and ratio == 1:
        return (level,)
    corner = (delta + (1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio))
    return fewest((level, corner if both else (S.One, (1 - delta) / ratio)))


def chained(first: Lines, then: Lines) -> Lines:
    """The profile ``h(a) eta(1 + (a-1)/h(a))`` of what has the lines of h, followed by what has the lines of eta.

    ``h (U - V (1 + (a-1)/h)) = (U-V) h + V - a V`` rises with h if ``U >= V``, and is never positive where h is 0.
    """
    lines = [NOTHING]
    for big, small in then:
        for u, v in first:
            if (u, v) != NOTHING:
                lines.append(((big - small) * u + small, (big - small) * v + small))
    return fewest(lines)


def at(line: Line, ratio: Expr) -> Expr:
    """The line at ``a = ratio``."""
    return line[0] - ratio * line[1]


def fewest(lines: Iterable[Line]) -> Lines:
    """Lines whose largest, or 0, is the largest of these or 0 at every ``a >= 1``, by rising v."""
    every = list(dict.fromkeys(lines))
    if not all(is_constant(e) for line in every for e in line):
        return tuple(every)
    every = list(dict.fromkeys([NOTHING, *every]))
    numbers = _rationals(every)
    if numbers is not None:
        return tuple(every[index] for index in _envelope(numbers, float))
    with working_precision(_BITS):
        balls = [(as_ball(u) - as_ball(v), as_ball(v)) for u, v in every]
        return tuple(every[index] for index in _envelope(balls, lambda x: float(x.mid())))


@lru_cache(maxsize=1 << 14)
def as_ball(number: Expr) -> arb:
    """A constant as a ball at the precision of this module; a search meets its parts many times."""
    with working_precision(_BITS):
        if isinstance(number, Rational):
            return arb(fmpq(int(number.p), int(number.q)))
        if isinstance(number, Add):
            return sum(map(as_ball, number.args), arb(0))
        if isinstance(number, Mul):
            return prod(map(as_ball, number.args), start=arb(1))
        return ball(number, {})


def _rationals(lines: Sequence[Line]) -> list[tuple[Any, Any]] | None:
    if not all(e.is_Rational for line in lines for e in line):
        return None
    exact = [(Fraction(int(u.p), int(u.q)), Fraction(int(v.p), int(v.q))) for u, v in lines]
    return [(u - v, v) for u, v in exact]


def _envelope(points: Sequence[tuple[Any, Any]], near: Callable[[Any], float]) -> list[int]:
    """Indices of the points (w, v) that may be the largest of ``w - s v`` at some ``s >= 0``, by rising v.

    Comparisons of balls are true only where they are proved; ``near(x)`` is x for sorting.
    """
    kept: list[int] = []

    def below(lower: int, upper: int) -> bool:
        (w, v), (top, slope) = points[lower], points[upper]
        return bool(top - w >= 0 and v - slope >= 0)

    def under_chord(left: int, middle: int, right: int) -> bool:
        (w0, v0), (w1, v1), (w2, v2) = points[left], points[middle], points[right]
        inside = v1 - v0 >= 0 and v2 - v1 >= 0 and v2 - v0 > 0
        return bool(inside and (w2 - w0) * (v1 - v0) - (w1 - w0) * (v2 - v0) >= 0)

    for index in sorted(range(len(points)), key=lambda i: (near(points[i][1]), -near(points[i][0]), i)):
        if any(below(index, other) for other in kept[-2:]):
            continue
        while kept and below(kept[-1], index):
            kept.pop()
        while len(kept) >= 2 and under_chord(kept[-2], kept[-1], index):
            kept.pop()
        kept.append(index)
    return kept


def largest(values: Sequence[Expr]) -> Sequence[int]:
    """Which of the numbers is probably the largest; all indices if they are not numbers. A guess, for a search."""
    try:
        with working_precision(_BITS):
            near = [as_ball(value).mid() for value in values]
    except (SymdpError, KeyError, ValueError):
        return range(len(values))
    return [max(range(len(near)), key=near.__getitem__)] if near else []


def latest(lines: Lines, level: Expr) -> Sequence[int]:
    """Which of the falling lines probably meets the level last; all of them if they are not numbers.

    None of them if that line is nested too deeply for sympy, which evaluates each factor twice.
    """
    falling = [index for index, (_, v) in enumerate(lines) if v != 0]
    try:
        with working_precision(_BITS):
            top = as_ball(level)
            met = {index: ((as_ball(lines[index][0]) - top) / as_ball(lines[index][1])).mid() for index in falling}
    except (SymdpError, KeyError, ValueError):
        return falling
    best = max(met, key=met.__getitem__, default=None)
    return [best] if best is not None and max(map(_depth, lines[best])) <= _DEEPEST else []


def _depth(number: Expr) -> int:
    return 1 + max(map(_depth, number.args), default=0) if isinstance(number, (Add, Mul)) else 0


def rational_lines(vertices: Iterable[tuple[Fraction, Fraction]]) -> Lines:
    """The vertices of a privacy region as lines."""
    return tuple((Rational(u.numerator, u.denominator), Rational(v.numerator, v.denominator)) for u, v in vertices)
