"""A region made ready for deciding: the box around it, what its constraints say, and exact points inside it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import sympy as sp
from mpmath import libmp

from symdp.ball import from_arb, working_precision
from symdp.enclosure import enclose
from symdp.extremum import interval as iv
from symdp.extremum.interval import Range
from symdp.extremum.program import Program
from symdp.region import Interval, Region
from symdp.text import Relation, to_text
from symdp.tower import Outside, TooBig, Tower, build

Point = dict[sp.Symbol, sp.Expr]

#: Bits of one sign query, and of one evaluation at a point (60 digits and a second, longer try).
SIGN_BITS = 128
POINT_BITS = (232, 1200)
#: Points tried to see that a factor does not vanish identically.
ALIVE_POINTS = 24
#: Nodes beyond which a tree is not looked at.
MOST_NODES = 60_000

ALLOWED = {">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}


def end_range(value: sp.Expr) -> Range:
    """An exact end of an interval as a range."""
    if value is sp.oo:
        return Range(iv.INF, iv.INF)
    if value is -sp.oo:
        return Range(iv.NINF, iv.NINF)
    return Program(value, ())(())


def box_side(interval: Interval) -> Range:
    """The range of one coordinate."""
    lower, upper = end_range(interval.lower), end_range(interval.upper)
    return Range(lower.lo, upper.hi, not interval.lower_closed, not interval.upper_closed)


def trigonometric_signs(s: sp.Symbol, interval: Interval) -> Iterator[tuple[sp.Expr, Range]]:
    """The sign of ``sin(s)`` and ``cos(s)`` on an interval between two neighbouring zeros: no ball of pi shows it."""
    ends = [end / sp.pi for end in (interval.lower, interval.upper)]
    if not all(end.is_Rational for end in ends):
        return
    for function, first in ((sp.sin, sp.Integer(0)), (sp.cos, -sp.Rational(1, 2))):  # positive after the first zero
        arch = sp.floor(ends[0] - first)
        if ends[1] > first + arch + 1:
            continue
        zeros = first + arch, first + arch + 1
        met = (interval.lower_closed and ends[0] == zeros[0]) or (interval.upper_closed and ends[1] == zeros[1])
        found = Range(iv.ZERO, iv.INF, not met)
        yield function(s), found if arch % 2 == 0 else iv.neg(found)


class Domain:
    """What the engines need to know about a region."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self.symbols = region.symbols
        self.facts: dict[sp.Expr, Range] = {}
        self._signs: dict[sp.Expr, Range | None] = {}
        self.settled: dict[Relation, bool] = {}  # conditions for being defined: proved or not
        self.seeds: list[Point] = []  # points of the region found by other means, tried first
        with working_precision(SIGN_BITS):
            self.box = {s: box_side(i) for s, i in region.intervals}
        for s, interval in region.intervals:
            self.facts.update(trigonometric_signs(s, interval))
            for end, gap, closed in (
                (interval.lower, s - interval.lower, interval.lower_closed),
                (interval.upper, interval.upper - s, interval.upper_closed),
            ):
                if end.is_finite and end != 0:  # a ball of an end like 7/10 holds points beyond it
                    self._note(Relation(gap, ">=" if closed else ">"))
        for constraint in region.constraints:
            self._note(constraint)

    def _note(self, constraint: Relation) -> None:
        fact = {">": Range(iv.ZERO, iv.INF, True), ">=": Range(iv.ZERO, iv.INF), "==": Range(iv.ZERO, iv.ZERO)}
        if constraint.op not in fact:
            return
        positive = fact[constraint.op]
        for tree in {constraint.expr, sp.expand(constraint.expr)}:
            content, part = tree.primitive() if isinstance(tree, sp.Add) else tree.as_coeff_Mul()
            self.facts[part] = positive if content > 0 else iv.neg(positive)
            self.facts[-part] = iv.neg(self.facts[part])

    def range(self, expr: sp.Expr) -> Range | None:
        """An enclosure of the values of ``expr`` on the region; None when one cannot be formed."""
        if expr not in self._signs:
            try:
                with working_precision(SIGN_BITS):
                    self._signs[expr] = Program(expr, self.symbols, self.facts)([self.box[s] for s in self.symbols])
            except (Outside, RecursionError):
                self._signs[expr] = None
        return self._signs[expr]

    def sign(self, expr: sp.Expr) -> int | None:
        """+1 or -1 when ``expr`` is defined and strictly of that sign on the whole region, by interval arithmetic."""
        found = self.range(expr)
        return None if found is None else found.sign

    def order(self, expr: sp.Expr) -> int | None:
        """As `sign`, and +2 or -2 when >= 0 or <= 0 everywhere: what a tower is built with."""
        found = self.range(expr)
        return None if found is None else found.order

    def alive(self, tower: Tower) -> bool:
        """Whether each factor that the normal form multiplied into a denominator is seen not to vanish identically."""
        for m in tower.multipliers:
            try:
                tree = tower.poly_expr(m)
            except TooBig:
                return False
            values = (value_at(tree, point) for point in self.points(ALIVE_POINTS, "multiplier"))
            if not any(y is not None and (y.lo > 0 or y.hi < 0) for y in values):
                return False
        return True

    # -- points -----------------------------------------------------------------------------------------------
    def points(self, count: int, salt: str = "") -> Iterator[Point]:
        """Up to ``count`` exact rational points of the region, the same ones on every machine."""
        yield from self.seeds[:count]
        given = len(self.seeds)
        if given >= count:
            return
        draw = random.Random(f"{salt}|{self.region}")
        for attempt in range(12 * count if self.region.constraints else count):
            if attempt % 6 == 5:
                point = {s: _special(i, draw) for s, i in self.region.intervals}
            else:
                point = {s: _draw(i, draw, attempt) for s, i in self.region.intervals}
            point = self.repaired(point)
            if self.region.constraints and self.region.contains(point) is not True:
                continue
            yield point
            given += 1
            if given == count:
                return

    def repaired(self, point: Point) -> Point:
        """The point moved onto equality constraints that are linear or quadratic in a coordinate, one for each."""
        moved: set[sp.Symbol] = set()
        for constraint in self.region.constraints:
            if constraint.op != "==":
                continue
            for s in ordered(constraint.free_symbols - moved):
                if self.region.interval(s).is_point:
                    continue
                rest = constraint.expr.xreplace({k: v for k, v in point.items() if k != s})
                side = self.region.interval(s)
                value = next((v for v in quadratic_roots(rest, s) if side.contains(v)), None)
                if value is not None:
                    point = {**point, s: value}
                    moved.add(s)
                    break
        return point


def quadratic_roots(p: sp.Expr, s: sp.Symbol) -> Iterator[sp.Expr]:
    """The real zeros of a polynomial of degree one or two with rational coefficients; nothing for any other tree."""
    if not p.is_polynomial(s):
        return
    expanded = sp.expand(p)
    c = [expanded.coeff(s, k) for k in range(3)]
    if not all(x.is_Rational for x in c) or expanded != c[0] + c[1] * s + c[2] * s**2:
        return
    if c[2] == 0:
        if c[1] != 0:
            yield -c[0] / c[1]
        return
    discriminant = c[1] ** 2 - 4 * c[0] * c[2]
    if discriminant >= 0:
        for side in (1, -1):
            yield (-c[1] + side * sp.sqrt(discriminant)) / (2 * c[2])


def _draw(interval: Interval, draw: random.Random, attempt: int) -> sp.Expr:
    """A rational of the interval: round numbers first, then all sizes, and now and then very near an end."""
    lower, upper = _rational_end(interval.lower, 1), _rational_end(interval.upper, -1)
    if interval.is_point:
        return interval.lower
    if lower is not None and upper is not None:
        share = Fraction(draw.randint(1, 31), 32)
        if attempt % 4 == 3:
            share = Fraction(1, 4 ** draw.randint(1, 12))
            share = share if draw.random() < 0.5 else 1 - share
        value = lower + (upper - lower) * share
    else:
        size = Fraction(draw.randint(1, 12), draw.choice((1, 2, 3, 4)))
        if attempt % 4 >= 2:
            size = Fraction(draw.randint(8, 16), 8) * Fraction(2) ** draw.randint(-10 * (attempt % 4 - 1), 7)
        if lower is not None:
            value = lower + size
        elif upper is not None:
            value = upper - size
        else:
            value = size if draw.random() < 0.5 else -size
    return sp.Rational(value.numerator, value.denominator)


def _special(interval: Interval, draw: random.Random) -> sp.Expr:
    """One of 0, 1, -1 and the attained ends: where equality holds and functions break."""
    ends = [
        e for e, closed in ((interval.lower, interval.lower_closed), (interval.upper, interval.upper_closed)) if closed
    ]
    marks = [sp.Integer(n) for n in (0, 1, -1) if interval.contains(n)]
    choices = [e for e in ends if e.is_Rational and e not in marks] + marks
    return draw.choice(choices) if choices else _draw(interval, draw, 0)


def _rational_end(end: sp.Expr, inward: int) -> Fraction | None:
    """A finite end as a rational, moved inward a little when it is irrational."""
    if end in (sp.oo, -sp.oo):
        return None
    if isinstance(end, sp.Rational):
        return Fraction(int(end.p), int(end.q))
    found = enclose(end, {}, 20)
    edge = found.upper if inward > 0 else found.lower
    top, bottom = libmp.to_rational(edge._mpf_)
    return Fraction(int(top), int(bottom)) + inward * Fraction(1, 10**15)


def value_at(expr: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> Range | None:
    """A finite range of the value at an exact point (60 digits or more), or None when undefined or not clear."""
    return values_at(expr, [point])[0]


def values_at(expr: sp.Expr, points: Sequence[Mapping[sp.Symbol, sp.Expr]]) -> list[Range | None]:
    """``value_at`` at several points of the same symbols; the expression is compiled once."""
    symbols = ordered({s for point in points for s in point})
    try:
        program = Program(expr, symbols)
        return [_run(program, [point[s] for s in symbols]) for point in points]
    except (Outside, RecursionError):
        return [None] * len(points)


def _run(program: Program, values: Sequence[sp.Expr]) -> Range | None:
    try:
        for bits in POINT_BITS:
            with working_precision(bits):
                y = program([Program(value, ())(()) for value in values])
            if y.partial or not (y.lo.is_finite() and y.hi.is_finite()):
                continue
            if y.lo > 0 or y.hi < 0 or y.lo == y.hi:
                break
        return None if y.partial or not (y.lo.is_finite() and y.hi.is_finite()) else y
    except (Outside, RecursionError):
        return None


def sign_at(expr: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> int | None:
    """The exact sign of the value at an exact point, 0 only when proved, None when undefined or not clear."""
    y = value_at(expr, point)
    if y is None:
        return None
    if y.lo > 0 or y.hi < 0:
        return 1 if y.lo > 0 else -1
    if y.lo == y.hi:
        return 0
    try:
        _, [value] = build([expr.xreplace(dict(point))])
    except (Outside, TooBig):
        return None
    return 0 if value.is_zero else None


def violated(relation: Relation, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether the relation is proved to fail at an exact point."""
    sign = sign_at(relation.expr, point)
    return sign is not None and sign not in ALLOWED[relation.op]


def witness_certificate(relation: Relation, point: Mapping[sp.Symbol, sp.Expr]) -> dict[str, Any]:
    """What is kept with a refutation: the point and the enclosure of the left side there."""
    certificate: dict[str, Any] = {
        "engine": "witness",
        "point": {s.name: to_text(v) for s, v in point.items()},
        "sign": sign_at(relation.expr, point),
    }
    y = value_at(relation.expr, point)
    if y is not None:
        with suppress(ValueError):  # a value of thousands of digits is not written out
            low, high = from_arb(y.lo).to_decimal(20)[0], from_arb(y.hi).to_decimal(20)[1]
            certificate["value"] = {"lower": low, "upper": high}
    return certificate


def nodes(expr: sp.Expr) -> int:
    """The number of nodes of a tree, counted no further than the limit."""
    count = 0
    for _ in sp.preorder_traversal(expr):
        count += 1
        if count > MOST_NODES:
            break
    return count


def ordered(symbols: Iterable[sp.Symbol]) -> list[sp.Symbol]:
    """Symbols by name."""
    return sorted(symbols, key=lambda s: s.name)
