"""Privacy regions: what a test can tell of two laws, exactly, and how that shrinks under post-processing.

A test of two laws P, Q is an event S, seen as the point ``(P(S), Q(S))``; randomised tests fill the convex hull. Its
upper edge, from (0, 0) to (1, 1), is the privacy region of the pair, and the privacy profile (hockey-stick divergence)

    h(a) = sup_S P(S) - a Q(S),   a = e^epsilon >= 1,

is the largest of the lines ``u - a v`` through its vertices (u, v). For several pairs the profile is the largest of
theirs, and the region the hull of all. Everything here is rational and exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symdp.ball import Enclosure, arb_of, bits_for, from_arb, working_precision
from symdp.errors import InputError
from symdp.rationals import rational, show

Vertex = tuple[Fraction, Fraction]
_GUARD = 64


@dataclass(frozen=True, slots=True)
class PrivacyRegion:
    """The vertices ``(P(S), Q(S))`` with ``P(S) >= Q(S)`` that matter for ``a >= 1``, by rising Q(S), rise falling.

    Made by ``of_laws``, ``of_guarantee`` and ``hull``.
    """

    vertices: tuple[Vertex, ...]

    def delta(self, ratio: Any) -> Fraction:
        """The privacy profile at ``ratio = e^epsilon >= 1``, an exact rational: the least delta. Raises InputError."""
        a = _ratio(ratio)
        return max(u - a * v for u, v in self.vertices)

    def delta_at(self, epsilon: Any, digits: int = 50) -> Enclosure:
        """The least delta for an exact ``epsilon >= 0``. Raises InputError."""
        exact = rational(epsilon, "epsilon")
        if exact < 0:
            raise InputError(f"{show(epsilon)} is below 0", place="epsilon")
        if exact == 0:
            return Enclosure.from_fraction(self.delta(1), bits_for(digits))
        bits = bits_for(digits) + _GUARD
        while True:
            with working_precision(bits):
                a = arb_of(exact).exp()
                lines = [arb_of(u) - a * arb_of(v) for u, v in self.vertices]
                best = max(lines, key=lambda line: line.mid())
                for line in lines:
                    best = best.max(line)
                if best.is_zero() or best.rel_accuracy_bits() >= bits_for(digits):
                    return from_arb(best.max(arb_of(Fraction(0))))
            bits *= 2

    def ratio(self, delta: Any) -> Fraction | None:
        """The least ``a = e^epsilon >= 1`` with ``h(a) <= delta``, exactly, or None. Raises InputError."""
        goal = rational(delta, "delta")
        if goal < 0:
            raise InputError(f"{show(delta)} is below 0", place="delta")
        least = Fraction(1)
        for u, v in self.vertices:
            if u > goal:
                if v == 0:
                    return None
                least = max(least, (u - goal) / v)
        return least

    def epsilon(self, delta: Any, digits: int = 50) -> Enclosure:
        """The least ``epsilon >= 0`` for a delta, infinite if there is none. Raises InputError."""
        least = self.ratio(delta)
        if least is None:
            return Enclosure(float("inf"), float("inf"))
        if least == 1:
            return Enclosure(0, 0)
        with working_precision(bits_for(digits) + _GUARD):
            return from_arb(arb_of(least - 1).log1p())

    def after(self, kernel: PrivacyRegion) -> PrivacyRegion:
        """The region of a mechanism with this one, followed by a Markov kernel whose rows have the region ``kernel``.

        ``h'(a) = h(a) eta(1 + (a-1)/h(a))`` with the kernel's profile eta: two laws at ``h(a)`` share a part of mass
        ``1 - h(a)``, and what they do not share is at worst at two points of the kernel. It is the least profile that
        holds for all mechanisms with this h and is attained by one of them. Of a line ``u - a v`` of h and a line
        ``U - g V`` of eta it makes the line through ``(U - V) (u, v) + (V, V)``.
        """
        points = (
            ((big - small) * u + small, (big - small) * v + small)
            for big, small in kernel.vertices
            for u, v in self.vertices
        )
        return hull(points)

    def __or__(self, other: PrivacyRegion) -> PrivacyRegion:
        """The region of both: its profile is the larger of the two."""
        return hull((*self.vertices, *other.vertices))


def hull(points: Iterable[Vertex]) -> PrivacyRegion:
    """The region of events ``(P(S), Q(S))``: the vertices of their upper hull with (0, 0) and (1, 1), slope at least 1.

    Raises InputError for a point outside the unit square.
    """
    candidates = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))}
    for u, v in points:
        if not (0 <= u <= 1 and 0 <= v <= 1):
            raise InputError(f"({show(u)}, {show(v)}) is not a pair of probabilities", place="privacy region")
        if u >= v:
            candidates.add((u, v))
    ordered = sorted(candidates, key=lambda point: (point[1], point[0]))
    upper: list[Vertex] = []
    for point in ordered:
        while upper and upper[-1][1] == point[1]:
            upper.pop()  # the same Q(S), a smaller P(S)
        while len(upper) >= 2 and not _turns_down(upper[-2], upper[-1], point):
            upper.pop()
        upper.append(point)
    # beyond slope 1 a vertex is never the best for a >= 1
    while len(upper) >= 2 and upper[-1][0] - upper[-2][0] <= upper[-1][1] - upper[-2][1]:
        upper.pop()
    return PrivacyRegion(tuple(upper))


def _turns_down(first: Vertex, middle: Vertex, last: Vertex) -> bool:
    """Whether the slope falls at the middle of three points of rising Q(S)."""
    rise = (middle[0] - first[0]) * (last[1] - middle[1])
    return rise > (last[0] - middle[0]) * (middle[1] - first[1])


def of_laws(p: Sequence[Fraction], q: Sequence[Fraction]) -> PrivacyRegion:
    """The region of two laws on one finite set: the best tests are the sets where ``p/q`` is large (Neyman-Pearson)."""
    pairs = [(a, b) for a, b in zip(p, q, strict=True) if a > b]
    pairs.sort(key=lambda pair: pair[1] / pair[0])
    u = v = Fraction(0)
    points = []
    for a, b in pairs:
        u, v = u + a, v + b
        points.append((u, v))
    return hull(points)


def of_guarantee(ratio: Any, delta: Any, *, both: bool = True) -> PrivacyRegion:
    """The largest region of an (epsilon, delta)-DP mechanism, ``ratio = e^epsilon`` or None for an infinite epsilon.

    ``both``: the guarantee holds in both orders of the two laws (Kairouz, Oh and Viswanath 2015), else only in this
    one. Raises InputError for ``ratio < 1`` and delta outside [0, 1].
    """
    d = rational(delta, "delta")
    if not 0 <= d <= 1:
        raise InputError(f"{show(delta)} is not in [0, 1]", place="delta")
    if ratio is None:
        return hull([(Fraction(1), Fraction(0))])
    b = _ratio(ratio)
    corner = (d + (1 - d) * b / (1 + b), (1 - d) / (1 + b)) if both else (Fraction(1), (1 - d) / b)
    return hull([(d, Fraction(0)), corner])


def _ratio(value: Any) -> Fraction:
    exact = rational(value, "ratio")
    if exact < 1:
        raise InputError(f"e^epsilon is {show(value)}, below 1", place="ratio")
    return exact
