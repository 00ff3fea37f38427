"""Branch and bound for the infimum of a function on a box cut by constraints; deterministic, limited by box count."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symdp.extremum import interval as iv
from symdp.extremum.cut import split
from symdp.extremum.interval import Ball, Range
from symdp.extremum.objective import Objective, meet, middle
from symdp.extremum.program import Box, Program

Constraint = tuple[Program, str]
Enough = Callable[[Ball, bool, Ball], bool]
Settled = Callable[[Ball, bool], bool]

#: Boxes wider than this are not tried with Newton steps.
NEWTON_WIDTH = 1

#: Where points are tried on an unbounded side.
_FAR = (1, 1 << 20, 1 << 200)


@dataclass(frozen=True)
class Limit:
    """How many boxes, and how many interval operations, a search may use."""

    boxes: int
    work: int


@dataclass(frozen=True)
class Problem:
    """One part of the region in coordinates of its own: the objective there, the box and the constraints.

    ``root`` contains the part, ``inner`` lies within it (they differ where an end of the region is irrational).
    """

    objective: Objective
    root: Box
    inner: Box
    constraints: tuple[Constraint, ...] = ()
    touching: tuple[Box, ...] = ()  # points where the function and all its slopes are exactly zero


@dataclass
class Found:
    """Certified bounds of the infimum, and how many boxes were used.

    ``lower_open``: every value is strictly above ``lower``. ``enough``: the aim was reached within the limit.
    """

    lower: Ball
    upper: Ball
    boxes: int
    lower_open: bool
    enough: bool


class Search:
    """One run over all parts of a region."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        self.upper = iv.INF
        self.settled: Settled | None = None
        self.unbounded = False
        self.boxes = 0
        self.order = 0
        self.heap: list[tuple[_Key, int, bool, Problem, Box]] = []
        self.floor, self.floor_open = iv.INF, True  # over boxes that cannot be cut further

    def minimize(self, limit: Limit, enough: Enough, settled: Settled | None = None) -> Found:
        """Split boxes until ``enough(lower, lower_open, upper)`` holds or the limit is reached.

        A box whose lower bound is ``settled`` is not looked at again. Another call goes on where the last one stopped.
        """
        self.settled = settled
        if not self.boxes:
            for problem in self.problems:
                self._push(problem, problem.root)
        while True:
            low, low_open = self._lowest()
            if self.unbounded:
                return Found(iv.NINF, iv.NINF, self.boxes, True, True)
            done = enough(low, low_open, self.upper)
            if done or not self.heap or self.boxes >= limit.boxes or self.work >= limit.work:
                return Found(low, self.upper, self.boxes, low_open, done)
            key, _, is_open, problem, box = heapq.heappop(self.heap)
            halves = split(box, problem.objective)
            if halves is None:
                self._settle(key.value, is_open)
                continue
            for half in halves:
                self._push(problem, half)

    def _lowest(self) -> tuple[Ball, bool]:
        """The smallest lower bound of all boxes that are left, and whether it is excluded."""
        if not self.heap or self.floor < self.heap[0][0].value:
            return self.floor, self.floor_open
        low = self.heap[0][0].value
        ties = [entry[2] for entry in self.heap if entry[0].value == low] if self.heap[0][2] else [False]
        return low, all(ties) and (self.floor_open or self.floor != low)

    def _settle(self, low: Ball, is_open: bool) -> None:
        if low < self.floor:
            self.floor, self.floor_open = low, is_open
        elif low == self.floor:
            self.floor_open = self.floor_open and is_open

    @property
    def work(self) -> int:
        """Interval operations so far."""
        return sum(p.objective.work for p in self.problems)

    def _push(self, problem: Problem, box: Box) -> None:
        self.boxes += 1
        objective, inside = problem.objective, True
        for program, op in problem.constraints:
            objective.work += program.size
            r = program(box)
            if excluded(r, op):
                return
            inside = inside and holds(r, op)
        r = objective.range(box)
        if self._drop(r):
            return
        if objective.defined(box):  # then it is continuous there, and differentiable where the slopes are defined
            gradient = objective.gradient(box)
            reduced = self._reduce(problem, box, gradient) if inside else box
            if reduced is None:
                return
            if reduced is not box:
                box, gradient = reduced, objective.gradient(reduced)
                r = objective.range(box)
            if (centred := objective.mean_value(box, gradient)) is not None:
                r = meet(r, centred)
            if r.lo < 0 and any(_within(p, box) for p in problem.touching) and objective.convex(box):
                r = Range(iv.ZERO, max(r.hi, iv.ZERO))  # a convex function lies above its tangent plane
        self._try_points(problem, box, inside)
        for (axis, side), tail in objective.tails.items():
            end = box[axis].hi if side > 0 else box[axis].lo
            if inside and not end.is_finite() and tail.unbounded(box) < 0:
                self.unbounded = True
        if not self._drop(r):
            self.order += 1
            heapq.heappush(self.heap, (_Key(r.lo), self.order, r.lo_open, problem, box))

    def _drop(self, r: Range) -> bool:
        """Whether a box need not be looked at again."""
        if self.settled is not None and self.settled(r.lo, r.lo_open):
            self._settle(r.lo, r.lo_open)
            return True
        return bool(r.lo > self.upper)

    def _reduce(self, problem: Problem, box: Box, gradient: Sequence[Range | None]) -> Box | None:
        """Use monotonicity (collapse onto a face of the region, or drop the box), else Newton steps on the gradient."""
        sides = list(box)
        for i, slope in enumerate(gradient):
            side = box[i]
            if side.lo == side.hi:
                continue
            if slope is None or slope.partial or (slope.lo < 0 < slope.hi):
                slope = problem.objective.slope_near(box, i)
            if slope is None or slope.partial:
                continue
            if slope.lo >= 0 and side.lo.is_finite():
                end, edge, strict = side.lo, problem.root[i].lo, slope.positive
            elif slope.hi <= 0 and side.hi.is_finite():
                end, edge, strict = side.hi, problem.root[i].hi, slope.negative
            else:
                continue
            if end == edge:
                sides[i] = Range(end, end)
            elif strict:
                return None  # smaller values lie in the neighbour
        reduced = tuple(sides)
        if all(a is b for a, b in zip(reduced, box, strict=True)):
            return self._newton(problem, box, gradient)
        if problem.objective.defined(reduced):  # the function must reach its limit on the face
            return reduced
        return None if self._limits(problem, box, reduced) else box

    def _limits(self, problem: Problem, box: Box, reduced: Box) -> bool:
        """Settle a box along one axis whose infimum is the limit of a 0/0 at its end."""
        moved = [i for i, (a, b) in enumerate(zip(reduced, box, strict=True)) if a is not b]
        others = [r for i, r in enumerate(reduced) if i not in moved and problem.objective.uses(i) and r.lo != r.hi]
        if len(moved) != 1 or others:
            return False
        limit = problem.objective.form.limit(box, moved[0], reduced[moved[0]].lo)
        if limit is None:
            return False
        self.upper = min(self.upper, limit.hi)
        self._settle(limit.lo, limit.lo == limit.hi and box[moved[0]].lo_open)
        return True

    def _newton(self, problem: Problem, box: Box, gradient: Sequence[Range | None]) -> Box | None:
        """Gauss-Seidel interval Newton on the slopes that must vanish at an interior minimum."""
        centre = middle(box)
        if centre is None or any(r.width > NEWTON_WIDTH for r in box):
            return box
        sides = list(box)
        changed = False
        for i, side in enumerate(box):
            if side.lo == side.hi or side.lo == problem.root[i].lo or side.hi == problem.root[i].hi:
                continue
            slope, second = problem.objective.slopes[i], problem.objective.curvature(i, i)
            known = gradient[i]
            if slope is None or second is None or known is None:
                continue
            if known.lo > 0 or known.hi < 0:
                return None
            bend = second(box)
            problem.objective.work += second.size
            if bend.partial or not (bend.lo > 0 or bend.hi < 0):
                continue
            total = slope(centre)
            for j, other in enumerate(box):
                if j == i or other.lo == other.hi:
                    continue
                cross = problem.objective.curvature(i, j)
                if cross is None:
                    break
                total = iv.add(total, iv.mul(cross(box), iv.add(other, iv.neg(centre[j]))))
            else:
                step = iv.mul(total, iv.reciprocal(bend))
                if step.partial or not (step.lo.is_finite() and step.hi.is_finite()):
                    continue
                target = iv.add(centre[i], iv.neg(step))
                lo, hi = max(side.lo, target.lo), min(side.hi, target.hi)
                if lo > hi:
                    return None
                if hi - lo < (side.hi - side.lo) / 2:
                    sides[i] = Range(lo, hi)
                    changed = True
        return tuple(sides) if changed else box

    def _try_points(self, problem: Problem, box: Box, inside: bool) -> None:
        """Upper bounds of the infimum from points of the box (points of the region, or limits of such points)."""
        far = any(not (r.lo.is_finite() and r.hi.is_finite()) for r in box)
        for distance in _FAR if far else _FAR[:1]:
            place = tuple(_pick(r, i, distance) for r, i in zip(box, problem.inner, strict=True))
            if not inside and not all(holds(p(place), op) for p, op in problem.constraints):
                continue
            value = problem.objective.at(place)
            if not value.partial and value.hi < self.upper:
                self.upper = value.hi


class _Key:
    """Orders exact balls."""

    __slots__ = ("value",)

    def __init__(self, value: Ball) -> None:
        self.value = value

    def __lt__(self, other: _Key) -> bool:
        return bool(self.value < other.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and bool(self.value == other.value)

    __hash__ = None  # type: ignore[assignment]


def _within(point: Box, box: Box) -> bool:
    return all(r.lo <= p.lo and p.hi <= r.hi for p, r in zip(point, box, strict=True))


def _pick(r: Range, inner: Range, far: int) -> Range:
    """A point of a side, kept within the true interval."""
    if r.lo.is_finite() and r.hi.is_finite():
        x = ((r.lo + r.hi) / 2).mid()
    elif r.lo.is_finite():
        x = (r.lo + far).mid()
    elif r.hi.is_finite():
        x = (r.hi - far).mid()
    else:
        x = iv.ZERO
    return iv.point(min(max(x, inner.lo), inner.hi))


def holds(r: Range, op: str) -> bool:
    """Whether ``value op 0`` for every value of a range."""
    if op == ">":
        return r.positive
    if op == ">=":
        return r.nonnegative
    if op == "!=":
        return r.positive or r.negative
    return not r.partial and bool(r.lo == 0 and r.hi == 0)


def excluded(r: Range, op: str) -> bool:
    """Whether ``value op 0`` for no value of a range."""
    if op == ">":
        return bool(r.hi <= 0)
    if op == ">=":
        return bool(r.hi < 0) or bool(r.hi == 0 and r.hi_open)
    if op == "!=":
        return bool(r.lo == 0 and r.hi == 0)
    return bool(r.lo > 0 or r.hi < 0)
