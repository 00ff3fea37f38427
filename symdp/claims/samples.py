"""Where a formula is tried: exact points of a region, and what a text says there as sides with a relation between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from random import Random

from sympy import Expr, Integer, Rational, Symbol, oo

from symdp.ball import Enclosure
from symdp.claims.falsify import draw
from symdp.claims.mutants import is_relation_text
from symdp.decide.domain import Domain
from symdp.decide.witness import edge_points
from symdp.enclosure import enclose
from symdp.errors import InputError, SymdpError
from symdp.region import Interval, Region
from symdp.text import Relation, parse, parse_relations, to_text

DRAWS, _DIGITS, _BITS, _MOVED, _EDGE = 30, 12, 1024, 16, 12
_CLOSE, _FINE = 6, 1000
Point = Mapping[Symbol, Expr]
Sides = list[tuple[Expr, str, Expr]]


def region_of(where: str) -> Region:
    """The region that relations describe."""
    relations = parse_relations(where, place="where") if where else ()
    return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


def drawn(region: Region, rng: Random, count: int) -> list[Point]:
    """Up to ``count`` exact points of a region, some near its ends, and of the first ones what lies further out."""
    found: list[Point] = []
    bound = _bound(region)
    for number in range(count):
        for _ in range(DRAWS):
            point: Point = {s: _coordinate(region.interval(s), rng, number % 3 == 2) for s in region.symbols}
            if number % 2 and bound is not None:
                point = _between(region, bound, point, rng)
            if region.contains(point) is True:
                found.append(point)
                break
        else:
            if not found and number > 2:
                break
    if not found:
        found = _solved(region, rng)
    found += _close(region, found[:_CLOSE])
    most = len(found) + _MOVED
    for start in list(found):
        moves = [(name, further) for name in region.symbols for further in _further(start[name], region.interval(name))]
        for _ in range(3):
            rng.shuffle(moves)
            moved: Point = {**start, **dict(moves[: 1 + len(region.symbols) // 2])}
            if len(found) < most and region.contains(moved) is True:
                found.append(moved)
    return found


def _solved(region: Region, rng: Random) -> list[Point]:
    """Points of a region that random ones miss: on one of its equations."""
    for equation in (c for c in region.constraints if c.op == "=="):
        rest = Region(region.intervals, tuple(c for c in region.constraints if c != equation))
        if points := [point for point in edge(rest, equation, rng) if region.contains(point) is True]:
            return points
    return []


def _bound(region: Region) -> Symbol | None:
    """A coordinate that the inequalities between coordinates bound, each of which is linear in it."""
    for name in region.symbols:
        about = [c for c in region.constraints if name in c.free_symbols]
        if len(about) > 1 and all(c.op in (">", ">=") and not c.expr.diff(name).has(name) for c in about):
            return name
    return None


def _between(region: Region, name: Symbol, point: Point, rng: Random) -> Point:
    """The point with this coordinate put between its bounds at the others, if there is room."""
    lower: list[Expr] = []
    upper: list[Expr] = []
    for constraint in (c for c in region.constraints if name in c.free_symbols):
        slope = constraint.expr.diff(name)
        start = {s: v for s, v in {**point, name: Integer(0)}.items() if s in constraint.free_symbols}
        try:
            side = enclose(slope, {s: v for s, v in start.items() if s in slope.free_symbols}, 2, max_bits=_BITS)
            root = enclose(-constraint.expr / slope, start, _DIGITS, max_bits=_BITS).mid
        except SymdpError:
            return point
        (lower if side.lower > 0 else upper).append(Rational(int(root * _FINE**3), _FINE**3))
    if not lower or not upper or max(lower) > min(upper):
        return point
    share = Rational(rng.choice((1, 25, 49)), 50)
    return {**point, name: max(lower) + (min(upper) - max(lower)) * share}


def _close(region: Region, points: list[Point]) -> list[Point]:
    """Each point moved along one coordinate to where a constraint that is linear in it almost fails."""
    found: list[Point] = []
    for point in points:
        for constraint in (c for c in region.constraints if c.op in (">", ">=")):
            for name in sorted(constraint.free_symbols, key=str):
                slope = constraint.expr.diff(name)
                if slope.has(name) or slope == 0:
                    continue
                start = {**point, name: Integer(0)}
                try:
                    root = enclose(-constraint.expr / slope, {s: start[s] for s in constraint.free_symbols}, _DIGITS)
                except SymdpError:
                    continue
                near = Rational(int(root.mid * _FINE), _FINE)
                for moved in ({**point, name: near + step} for step in (Rational(1, _FINE), -Rational(1, _FINE))):
                    if region.contains(moved) is True:
                        found.append(moved)
    return found


def edge(region: Region, relation: Relation, rng: Random) -> list[Point]:
    """Exact points of a region where both sides of a relation are equal."""
    equal = Relation(relation.expr, "==")
    found: list[Point] = []
    with suppress(SymdpError):
        found += islice(edge_points(Domain(region), equal), _EDGE)
    with suppress(SymdpError):
        narrowed = region.intersect([equal])
        found += drawn(narrowed, rng, _EDGE) if equal not in narrowed.constraints else []
    return found


def _further(value: Expr, interval: Interval) -> Iterator[Expr]:
    """Towards the ends of the interval, or to zero and away from it."""
    lower, upper = interval.lower, interval.upper
    for part in (Rational(1, 2), Rational(1, 8)):
        yield value * part if lower is -oo else lower + (value - lower) * part
    if upper is oo:
        yield (value - lower) * 4 + lower if lower is not -oo else value * 4
    else:
        yield upper - (upper - value) / 8


def relation_sides(text: str) -> Sides:
    """What relations say, each as its two sides."""
    sides: Sides = []
    for piece in _top_level(text):
        parts = _split(piece)
        for position in range(0, len(parts) - 2, 2):
            left, op, right = parts[position : position + 3]
            sides.append((parse(left, place="mutant"), op, parse(right, place="mutant")))
    return sides


def _split(piece: str) -> list[str]:
    return re.split(r"(<=|>=|==|!=|<|>)", piece)


def _top_level(text: str) -> Iterator[str]:
    """What stands between commas outside of parentheses."""
    depth, start = 0, 0
    for position, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            yield text[start:position]
            start = position + 1
    yield text[start:]


def pieces(text: str) -> list[str]:
    """The formulas of a text: its two sides if it is a relation."""
    if not is_relation_text(text):
        return [text]
    return [side for piece in _top_level(text) for side in _split(piece)[::2]]


def value_at(expr: Expr, point: Point) -> Enclosure:
    """A formula enclosed at a point."""
    return enclose(expr, {s: v for s, v in point.items() if s in expr.free_symbols}, _DIGITS, max_bits=_BITS)


def _coordinate(interval: Interval, rng: Random, extreme: bool) -> Expr:
    """A number of the interval: a moderate one, or in the ``extreme`` one close to an end, or large."""
    if not extreme:
        return draw(interval, rng)
    ends = [
        e for e, closed in ((interval.lower, interval.lower_closed), (interval.upper, interval.upper_closed)) if closed
    ]
    if ends and rng.random() < 0.3:
        return rng.choice(ends)
    small, large = Rational(1, rng.choice((10, 50))), Rational(rng.choice((12, 40)))
    lower, upper = interval.lower, interval.upper
    if lower is -oo:
        return rng.choice((small, -small, large, -large)) if upper is oo else upper - rng.choice((small, large))
    if upper is oo:
        return lower + rng.choice((small, small, large))
    return rng.choice((lower + (upper - lower) * small, upper - (upper - lower) * small))


def overlaps(region: Region, relation: Relation) -> bool:
    """Whether the relation visibly leaves something of the region."""
    try:
        region.intersect([relation])
    except InputError:
        return False
    return True


def listed(point: Point) -> str:
    """The point as text."""
    return ", ".join(
        f"{name} = {to_text(value)}" for name, value in sorted(point.items(), key=lambda pair: str(pair[0]))
    )
