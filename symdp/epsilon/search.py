"""The best order of a Renyi curve: an untrusted search, then the lower bound that convexity gives (see ``renyi``).

bracket   orders in growing steps around a guess until the middle one is no worse than its neighbours
refine    the optimum of an interpolant through the last three orders, until its steps are small
edge      where the curve becomes infinite to the right of the best order: bisection
bound     lines through neighbouring orders, each valid outside its own chord
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from symdp.ball import arb_of
from symdp.epsilon.interpolate import optimum_through
from symdp.epsilon.order import Conversion, Point, dyadic

#: The bracket stays within these powers of two of beta.
FARTHEST = 1 << 12
_MINUS_INFINITY = arb("-inf")
_MOST_LINES = 64
_PATIENCE = 3  # steps that do not halve the bracket, before it is halved


@dataclass(frozen=True, slots=True)
class Best:
    """The best point met, and a number below the minimum over all orders if g is convex (perhaps minus infinity)."""

    point: Point
    bound: arb


@dataclass(slots=True)
class _Triple:
    """``middle`` is no worse than its neighbours; ``right`` may be infinite, or None if nothing worse was found."""

    left: Point
    middle: Point
    right: Point | None

    @property
    def points(self) -> tuple[Point | None, ...]:
        """The three, from left to right."""
        return self.left, self.middle, self.right


def best_order(conversion: Conversion, target: int, *, bounded: bool) -> Best | None:
    """The order with the least eps to ``target`` bits (if the curve has as many); None if the curve is never finite.

    The bound is minus infinity unless ``bounded``.
    """
    first = _finite(conversion)
    if first is None:
        return None
    triple = _bracket(conversion, first, target)
    if triple is not None:
        triple = _refine(conversion, triple, target)
    best = conversion.best
    assert best is not None  # the first point is finite
    if not bounded or triple is None or best.vanishes or best.epsilon <= 0:
        return Best(best, _MINUS_INFINITY)
    middle, right = triple.middle, triple.right
    bound = _MINUS_INFINITY
    width = Fraction(1, 4) if right is None else Fraction(2) ** (3 - _accuracy(triple.points, target) // 2)
    for _ in range(6):
        if right is None or not right.usable:
            found = _edge_bound(conversion, middle, right, width)
        else:
            found = _inner_bound(conversion, middle, width)
        if found < bound:
            break
        bound = max(bound, found)
        if best.epsilon - bound < best.epsilon * arb((1, -target)):
            break
        width = min(4 * width, Fraction(1, 4))
    assert conversion.best is not None
    return Best(conversion.best, bound)


def _finite(conversion: Conversion) -> Point | None:
    """A point where the curve is finite, looked for at alpha = 2 and then towards 1."""
    power, step = 0, 1
    while power < FARTHEST:
        point = conversion.at(Fraction(1, 1 << power))
        if point.usable:
            return point
        power, step = power + step, 2 * step
    return None


def _bracket(conversion: Conversion, first: Point, target: int) -> _Triple | None:
    """Three orders around the optimum; None when one was met that nothing can improve on (eps <= 0)."""
    beta = arb_of(first.beta)
    guess = conversion.optimum(first.moment / (beta * (1 + beta)))
    middle = first if guess is None else conversion.at(dyadic(guess, 8))
    if not middle.usable:
        middle = first
    right: Point | None = None
    for sign in (1, -1):
        step = 1
        while True:
            if middle.vanishes or middle.epsilon <= 0:
                return None
            point = conversion.at(middle.beta * Fraction(2) ** (sign * step))
            # to the left a tie goes on: digits that the curve does not show may hide that eps still falls
            if not (_better(point, middle) or (sign < 0 and point.usable and point.epsilon.overlaps(middle.epsilon))):
                break
            if sign > 0 and conversion.goal / arb_of(point.beta) < point.epsilon * arb((1, -target - 4)):
                return _Triple(middle, _far(conversion, point, target), None)
            if abs(point.beta.numerator.bit_length() - point.beta.denominator.bit_length()) > FARTHEST:
                return _Triple(middle, point, None) if sign > 0 else None
            if sign < 0:
                right = middle
            middle, step = point, 2 * step
        if sign > 0:
            right = point
    return _Triple(point, middle, right)


def _far(conversion: Conversion, point: Point, target: int) -> Point:
    """An order so high that what is left to gain is less than the digits, but no higher than the curve can show."""
    bits = min(target + 4, _accuracy([point], target) - 6)
    return conversion.at(dyadic(conversion.goal / point.epsilon * (1 << bits), 8))


def _better(point: Point, than: Point) -> bool:
    return point.usable and bool(point.epsilon.mid() < than.epsilon.mid())


def _accuracy(points: Iterable[Point | None], target: int) -> int:
    """Bits of the curve that can be used, as its values at some points show."""
    found = (int(point.moment.rel_accuracy_bits()) for point in points if point is not None and point.usable)
    return max(16, min([target + 16, *found]))


def _refine(conversion: Conversion, triple: _Triple, target: int) -> _Triple | None:
    """The triple around the optimum to half the bits, where eps is flat; None as in ``_bracket``."""
    met = [point for point in triple.points if point is not None]
    slow = 0
    for _ in range(4 * target):
        left, middle, right = triple.left, triple.middle, triple.right
        if middle.epsilon <= 0:
            return None
        if right is None:
            return triple
        if not right.usable:
            if (right.beta - middle.beta) * (1 << (target + 4)) < middle.beta:
                return triple
            met = [*met[-2:], conversion.at((middle.beta + right.beta) / 2)]
            _insert(triple, met[-1])
            continue
        bits = _accuracy(triple.points, target)
        candidate = None if slow > _PATIENCE else optimum_through(conversion, met, left, right, bits // 2 + 8)
        beta = None if candidate is None else dyadic(candidate, bits // 2 + 16)
        if beta is None or not left.beta < beta < right.beta or any(beta == point.beta for point in met):
            beta = _halfway(left, middle, right)
        met = [*met[-2:], conversion.at(beta)]
        _insert(triple, met[-1])
        if candidate is not None and abs(beta - middle.beta) * (1 << (bits // 2 - 2)) < middle.beta:
            return triple
        assert triple.right is not None
        shrunk = 2 * (triple.right.beta - triple.left.beta) < right.beta - left.beta
        slow = 0 if shrunk or candidate is None else slow + 1
    return triple


def _halfway(left: Point, middle: Point, right: Point) -> Fraction:
    """An order in the wider part of a bracket, halfway in the scale that suits it."""
    low, high = (left, middle) if middle.beta * middle.beta > left.beta * right.beta else (middle, right)
    if high.beta < 4 * low.beta:
        return (low.beta + high.beta) / 2
    return dyadic((arb_of(low.beta) * arb_of(high.beta)).sqrt(), 8)


def _insert(triple: _Triple, point: Point) -> None:
    """Take a new point into the triple; one outside of it is ignored."""
    middle, right = triple.middle, triple.right
    assert right is not None
    if not triple.left.beta < point.beta < right.beta or point.beta == middle.beta:
        return
    if _better(point, middle):
        if point.beta > middle.beta:
            triple.left = middle
        else:
            triple.right = middle
        triple.middle = point
    elif point.beta > middle.beta:
        triple.right = point
    else:
        triple.left = point


# --- the lower bound -------------------------------------------------------------------------------------------------


def _inner_bound(conversion: Conversion, middle: Point, width: Fraction) -> arb:
    """Chords through ``middle`` and its neighbours; each range of orders uses the line of a chord it does not meet."""
    left, right = (conversion.at(middle.beta * (1 + side * width)) for side in (-1, 1))
    if not (left.usable and right.usable):
        return _MINUS_INFINITY
    first, second = _Line(conversion, left, middle), _Line(conversion, middle, right)
    return min(
        _left_bound(conversion, first, left.beta),
        second.least(left.beta, middle.beta),
        first.least(middle.beta, right.beta),
        second.least(right.beta, None),
    )


def _edge_bound(conversion: Conversion, middle: Point, edge: Point | None, width: Fraction) -> arb:
    """The same with two chords to the left of ``middle``, beyond which the curve is infinite from ``edge`` on."""
    before, left = (conversion.at(middle.beta * (1 - times * width)) for times in (2, 1))
    if not (before.usable and left.usable):
        return _MINUS_INFINITY
    first, second = _Line(conversion, before, left), _Line(conversion, left, middle)
    end = edge.beta if edge is not None and edge.infinite else None
    return min(
        _left_bound(conversion, second, left.beta),
        first.least(left.beta, middle.beta),
        second.least(middle.beta, end),
    )


def _left_bound(conversion: Conversion, line: _Line, high: Fraction) -> arb:
    """A number below eps on ``(0, high]``, for a line through two orders from ``high`` on.

    Where the line's intercept is too blurred to tell, as at huge orders, lines through lower orders take over.
    """
    bound = arb("inf")
    for _ in range(_MOST_LINES):
        found = line.least(None, high)
        if found > _MINUS_INFINITY:
            return min(bound, found)
        low = high / 16
        start, end = conversion.at(low), conversion.at(2 * low)
        if not (start.usable and end.usable):
            break
        bound = min(bound, line.least(low, high))
        line, high = _Line(conversion, start, end), low
    return _MINUS_INFINITY


class _Line:
    """The line through the log-moment at two orders."""

    def __init__(self, conversion: Conversion, start: Point, end: Point) -> None:
        self.conversion, self.end = conversion, end
        self.pin = arb_of(end.beta)
        self.slope = (end.moment - start.moment) / (self.pin - arb_of(start.beta))
        self.intercept = end.moment - self.slope * self.pin

    def epsilon(self, beta: arb) -> arb:
        """eps with the line in the place of g, written so that the error of the slope is small near the end."""
        return self.conversion.epsilon(beta, self.end.moment + self.slope * (beta - self.pin))

    def least(self, low: Fraction | None, high: Fraction | None) -> arb:
        """A number below eps on ``[low, high]`` (None: 0, infinity); eps falls there, then rises."""
        tilt = self.conversion.tilt
        if high is not None and tilt(arb_of(high), self.intercept) <= 0:
            return self.epsilon(arb_of(high)).lower()
        if low is not None and tilt(arb_of(low), self.intercept) >= 0:
            return self.epsilon(arb_of(low)).lower()
        if low is not None and high is not None:
            start, span = arb_of(low), arb_of(high).union(arb_of(low))
            change = tilt(span, self.intercept) / (span * span) * arb(0).union(arb_of(high - low))
            return (self.epsilon(start) + change).lower()
        depth = self.intercept + self.conversion.goal
        if not self.conversion.cks:  # eps is slope + depth/beta
            if high is None and depth.is_finite() and (low is not None or depth >= 0):
                return (self.slope + (min(arb(0), depth.lower()) / arb_of(low) if low is not None else 0)).lower()
            return _MINUS_INFINITY
        return (self.slope + (-(-depth).exp()).log1p()).lower() if depth > 0 else _MINUS_INFINITY
