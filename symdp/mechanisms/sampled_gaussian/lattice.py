"""Which nodes of the trapezoidal rule are summed, and proved bounds of the nodes that are left out.

With ``z = x/s`` and ``l(z) = log(1 + e^y)``, ``y = z/s - w - log((1-q)/q)``, ``w = 1/(2 s^2)``, the summand at
``z = k eta`` is ``(1-q)^(a+b) e^phi``, where

    phi(z) = -z^2/2 + a l(z) + b l(-z),   b <= 0,

covers every divergence here: ``(a, b) = (alpha, 0)`` for A, ``(1-alpha, 0)`` for B, ``(alpha, 1-alpha)`` for
replace-one.

**Bounds.** ``l`` is convex, increasing, and ``0 <= l' <= 1/s``. Split ``phi`` into ``c(z) = max(a, 0) l(z)``, convex,
and the rest ``k(z)``, concave. On a block ``[z0, z1]`` the convex part is below its chord and the concave part below
its tangent at either end, so ``phi`` is below a line through ``(e, phi(e))``, ``e`` that end: its largest value is at
an end of the block and bounds every node in it. Beyond the last block the chord is replaced by the largest slope
``max(a, 0)/s`` on the right and by 0 on the left (``l`` increases): a geometric series. With a factor ``|W|``,
``W = log g`` or ``log g(z) - log g(-z)``, which is monotone with slope at most ``C``: on a block ``|W|`` is largest
at an end, and beyond it ``|W| <= |W(e)| + C |z - e|``.

Floats only guess where the summand is large. What is left out is bounded in ball arithmetic, whatever the guess was.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from flint import arb

from symdp.ball import arb_of, working_precision
from symdp.errors import Undetermined
from symdp.mechanisms.sampled_gaussian.integrand import Integrand

_LEAF = 6
_MAX_BLOCKS = 4_000


@dataclass(frozen=True, slots=True)
class Plan:
    """Ranges ``first <= k < last`` of nodes to sum, each with ``log2`` of how far below the largest summand it stays.

    ``omitted`` bounds ``sum e^phi`` over all other nodes, ``omitted_weighted`` the same with the factor |W|.
    """

    chunks: tuple[tuple[int, int, int], ...]
    omitted: arb
    omitted_weighted: arb

    @property
    def nodes(self) -> int:
        """How many nodes are summed."""
        return sum(last - first for first, last, _ in self.chunks)


@dataclass(frozen=True, slots=True)
class _Node:
    z: arb
    phi: arb
    convex: arb
    slope: arb  # of the concave part
    weight: arb


@dataclass
class _Planner:
    integrand: Integrand
    eta: float
    weighted: bool
    pair: bool
    nodes: dict[int, _Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        f = self.integrand
        self.a, self.b, self.inverse = arb_of(f.a), arb_of(f.b), 1 / arb_of(f.sigma)
        self.step = arb(self.eta)
        self.rate = self.step * self.inverse
        self.shift = arb_of(f.q / (1 - f.q)) * (-arb_of(1 / (2 * f.sigma**2))).exp()
        self.base = arb_of(1 - f.q).log() if self.weighted else arb(0)
        self.growth = self.inverse * (2 if self.pair else 1)

    def node(self, k: int) -> _Node:
        """What is known about phi at ``z = k eta``."""
        if k in self.nodes:
            return self.nodes[k]
        z = self.step * k
        tilt = (self.rate * k).exp()
        odds = self.shift * tilt
        level = odds.log1p()
        value, slope, convex = -z * z / 2, -z, arb(0)
        if self.integrand.a >= 0:
            convex = self.a * level
        else:
            value += self.a * level
            slope += self.a * self.inverse * odds / (1 + odds)
        weight = self.base + level
        if self.pair:
            odds = self.shift / tilt
            level = odds.log1p()
            value += self.b * level
            slope -= self.b * self.inverse * odds / (1 + odds)
            weight = weight - self.base - level
        found = _Node(z, value + convex, convex, slope, abs(weight))
        self.nodes[k] = found
        return found

    def below(self, first: int, last: int) -> arb:
        """An upper bound of phi between two nodes."""
        low, high = self.node(first), self.node(last)
        width = high.z - low.z
        chord = high.convex - low.convex
        from_low = low.phi + _positive(chord + low.slope * width)
        from_high = high.phi + _positive(-chord - high.slope * width)
        return from_low if from_low < from_high else from_high

    def tail(self, k: int, side: int) -> tuple[arb, arb] | None:
        """Bounds of the sums over the nodes k, k + side, k + 2 side, ...; None where they do not decay from k on."""
        end = self.node(k)
        slope = side * end.slope
        if side > 0 and self.integrand.a > 0:
            slope += self.a * self.inverse
        ratio = (slope * self.step).exp()
        if not ratio < 1:
            return None
        gap = 1 - ratio
        plain = end.phi.exp() / gap
        if not self.weighted:
            return plain, arb(0)
        return plain, plain * (end.weight + self.growth * self.step * ratio / gap)


def _positive(x: arb) -> arb:
    return x.max(arb(0))


def plan(
    integrand: Integrand, eta: float, depth: float, *, weighted: bool = False, pair: bool = False, graded: bool = False
) -> Plan:
    """Ranges that hold every node whose summand is within ``e^-depth`` of the largest, and bounds of the rest.

    ``pair``: the weight is ``log g(z) - log g(-z)``; ``graded``: ranges are cut so that each has its own size.
    """
    modes = integrand.modes
    reach = max(abs(z) for z in modes) + abs(float(integrand.a)) / float(integrand.sigma) + 10 * math.sqrt(depth)
    size = reach**2 + abs(float(integrand.a - integrand.b)) * (reach / float(integrand.sigma) + abs(integrand.odds))
    with working_precision(64 + max(0, math.frexp(size)[1])):
        return _plan(_Planner(integrand, eta, weighted, pair or bool(integrand.b)), modes, depth, graded)


def _plan(planner: _Planner, modes: list[float], depth: float, graded: bool) -> Plan:
    eta = planner.eta
    peaks = sorted({round(z / eta) for z in modes})
    top = planner.node(peaks[0]).phi
    for k in peaks[1:]:
        if planner.node(k).phi > top:
            top = planner.node(k).phi
    cut = top - arb(depth)
    near = cut - arb(depth / 16 + 1)
    marks = set(peaks)
    for z in modes:
        half = math.ceil(math.sqrt(2 * depth) * planner.integrand.spread(z) / eta) + 1
        marks |= {round(z / eta) - half, round(z / eta) + half}
    omitted = weighted = arb(0)
    ends = []
    for side, k in ((-1, min(marks)), (1, max(marks))):
        reach = max(8, abs(k - peaks[0]) // 8)
        for _ in range(200):
            sums = planner.tail(k, side)
            if sums is not None and sums[0] < cut.exp():
                break
            k, reach = k + side * reach, 2 * reach
        else:
            raise Undetermined("no place was found beyond which the tails of the trapezoidal rule are negligible")
        omitted, weighted = omitted + sums[0], weighted + sums[1]
        ends.append(k)
    first, last = ends[0] + 1, ends[1]
    points = sorted({first, last, *(k for k in marks if first < k < last)})
    kept: list[tuple[int, int]] = []
    coarse = max(32, (last - first) // 64)
    stack = list(pairwise(points))[::-1]
    blocks = 0
    while stack:
        low, high = stack.pop()
        count = high - low
        blocks += 1
        if blocks > _MAX_BLOCKS:
            kept.append((low, high))
            continue
        heights = planner.node(low).phi, planner.node(high).phi
        inside = heights[0] > near and heights[1] > near
        if inside and count > coarse:
            inside = planner.node((low + high) // 2).phi > near
        if not inside:
            bound = planner.below(low, high)
            if bound + math.log(count) < cut:
                size = bound.exp() * count
                omitted += size
                if planner.weighted:
                    weighted += size * planner.node(low).weight.max(planner.node(high).weight)
                continue
        if inside or count <= _LEAF:
            kept.append((low, high))
        else:
            middle = (low + high) // 2
            stack += [(middle, high), (low, middle)]
    chunks = tuple(_graded(planner, kept, top)) if graded else tuple((low, high, 0) for low, high in _merged(kept))
    return Plan(chunks, omitted, weighted)


def _merged(ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    start, end = ranges[0]
    for low, high in ranges[1:]:
        if low != end:
            yield start, end
            start = low
        end = high
    yield start, end


def _graded(planner: _Planner, kept: list[tuple[int, int]], top: arb) -> Iterator[tuple[int, int, int]]:
    """The ranges cut into pieces, each with the bits by which it stays below the top."""
    most = max(24, sum(high - low for low, high in kept) // 24)
    for start, end in kept:
        pieces = -(-(end - start) // most)
        edges = [start + (end - start) * i // pieces for i in range(pieces + 1)]
        for low, high in pairwise(edges):
            drop = float((top - planner.below(low, high)).mid()) / math.log(2)
            yield low, high, max(0, math.floor(drop))
