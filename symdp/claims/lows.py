"""Where a bound of a diffusion's divergence is tried: exact points at which the divergence is proved to be no less than
a number, though no theorem gives it in closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from sympy import Expr, Rational, Symbol, oo

from symdp.claims.samples import Point
from symdp.derivation.lower import Least, least_divergence
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused, SymdpError
from symdp.judgments import Divergence, RenyiDP
from symdp.judgments.iteration import STARTS
from symdp.region import Interval, Region
from symdp.rules.conditions import ALPHA, TIME, starts
from symdp.theorem import Theorem

_POOL, _DRAWS = 200, 30
_ASKED, _OUTSIDE, _EARLY = 7, 12, Rational(1, 20)
_TIMES = tuple(Rational(n) for n in ("1/5000", "1/100", "1/50", "1/20", "1/5", "1", "4", "16"))
_ORDERS = (Rational(9, 8), Rational(3, 2), Rational(2), Rational(5))
_SIZES = (Rational(1, 2), Rational(1), Rational(2))
_NEAR = Rational(1, 10**6)
_GAPS = (Rational(1, 8), Rational(1, 2), Rational(2), Rational(6))
_SHARES = (Rational(1, 50), Rational(1, 4), Rational(1, 2), Rational(49, 50))


@dataclass(frozen=True)
class Low:
    """The divergence at ``point`` is at least ``value`` (mpf)."""

    point: Point
    value: Any


class Lows:
    """The points for one theorem, which bounds a divergence where ``region`` says.

    The relations between the parameters of its process are left to the region: the divergence may be known beyond them.
    Raises :class:`Refused` where nothing is known, or the theorem is about something else.
    """

    def __init__(self, theorem: Theorem, region: Region, rng: Random) -> None:
        self._fact: Any = theorem.conclusion
        self._region, self._rng = region, rng
        given = _process(self._fact)
        params = Region.make({s: given.params.interval(s) for s in given.params.symbols})
        self._process = Diffusion(
            given.drift, given.diffusion, given.state, given.domain, params, given.conditions, given.periods
        )
        self._least: Least = least_divergence(self._process)
        self._pools: dict[Region, list[Point]] = {}
        self._found: dict[int, Low | None] = {}

    @property
    def reach(self) -> Expr | None:
        """How far apart two starts can be, if they lie in one interval with two ends."""
        side = self._process.domain.interval(self._process.state[0])
        return side.upper - side.lower if self._process.dimension == 1 and side.is_bounded else None

    def lowest(self, ratio: Callable[[Point], Any], region: Region | None = None) -> Iterator[Low]:
        """What is known at the points where ``ratio``, of a formula to what is proved, is least.

        Points where it is None or not below 1 are left out; ``region``: another one than that of the theorem.
        """
        place = self._region if region is None else region
        if place not in self._pools:
            self._pools[place] = self._points(place)
        rated = [(value, point) for point in self._pools[place] if (value := ratio(point)) is not None and value < 1]
        rated.sort(key=lambda pair: pair[0])
        below = [point for _, point in rated]
        early = [point for point in below if point[TIME] <= _EARLY]
        known = [point for point in below if id(point) in self._found]
        spread = below[:: max(1, len(below) // (_ASKED if region is None else _OUTSIDE))]
        some = [*early[:_ASKED], *below[:_ASKED], *spread]
        for point in {id(point): point for point in [*known, *some]}.values():
            if (low := self._low(point)) is not None:
                yield low

    def _low(self, point: Point) -> Low | None:
        if id(point) not in self._found:
            try:
                self._found[id(point)] = Low(point, self._least(point))
            except SymdpError:
                self._found[id(point)] = None
        return self._found[id(point)]

    def _points(self, region: Region) -> list[Point]:
        """Different points of the region, as many of the pool's size as are found."""
        found: dict[tuple[Expr, ...], Point] = {}
        for number in range(_POOL * _DRAWS):
            point = self._point()
            if region.contains({s: v for s, v in point.items() if s in region.symbols}) is True:
                found.setdefault(tuple(point.values()), point)
            if len(found) == _POOL or (not found and number > _POOL):
                break
        return list(found.values())

    def _point(self) -> Point:
        process, rng = self._process, self._rng
        point: dict[Symbol, Expr] = {ALPHA: rng.choice(_ORDERS), TIME: rng.choice(_TIMES)}
        point |= {s: _size(process.params.interval(s), rng) for s in process.params.symbols}
        sides = [process.domain.interval(s) for s in process.state]
        moved = rng.randrange(len(sides))
        places = [_pair(side, rng) if i == moved else (_pair(side, rng)[0],) * 2 for i, side in enumerate(sides)]
        if rng.random() < 0.5:
            places = [(b, a) for a, b in places]
        for x, xp, (a, b) in zip(*starts(process), places, strict=True):  # type: ignore[misc]
            point |= {x: a, xp: b}
        if isinstance(self._fact, RenyiDP):
            (a, b) = places[moved]
            point[self._fact.sensitivity] = abs(a - b)  # type: ignore[index]
        return point


def _process(fact: Any) -> Diffusion:
    """The diffusion that a conclusion is about."""
    if isinstance(fact, Divergence) and isinstance(fact.process, Diffusion):
        return fact.process
    near = isinstance(fact, RenyiDP) and fact.relation == STARTS and isinstance(fact.sensitivity, Symbol)
    if near and isinstance(fact.subject, Diffusion):
        return fact.subject
    raise Refused("it bounds no divergence of two starts of a diffusion")


def _size(interval: Interval, rng: Random) -> Expr:
    """A number of the size of one, measured from the end of its range."""
    size = rng.choice(_SIZES)
    if interval.is_bounded:
        return interval.lower + (interval.upper - interval.lower) * rng.choice(_SHARES)
    if interval.lower is not -oo:
        return interval.lower + size
    return interval.upper - size if interval.upper is not oo else rng.choice((size, -size))


def _pair(side: Interval, rng: Random) -> tuple[Expr, Expr]:
    """Two numbers of a range: close or far, near its ends or not."""
    gap = rng.choice(_GAPS)
    if side.is_bounded:
        length = side.upper - side.lower
        lower = side.lower + length * rng.choice((_NEAR, Rational(1, 8), Rational(2, 5)))
        return lower, lower + (side.upper - lower) * rng.choice((Rational(1, 8), Rational(1, 2), Rational(99, 100)))
    if side.lower is not -oo:
        lower = side.lower + rng.choice((_NEAR, Rational(1, 4), Rational(2)))
        return lower, lower + gap
    if side.upper is not oo:
        upper = side.upper - rng.choice((_NEAR, Rational(1, 4), Rational(2)))
        return upper - gap, upper
    lower = rng.choice((Rational(0), Rational(-1), -gap / 2))
    return lower, lower + gap
