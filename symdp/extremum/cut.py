"""Where a box is cut in two."""

from __future__ import annotations

from symdp.extremum import interval as iv
from symdp.extremum.interval import Ball, Range
from symdp.extremum.objective import Objective
from symdp.extremum.program import Box


def split(box: Box, objective: Objective) -> tuple[Box, Box] | None:
    """The box cut in two across the side that matters most; None when it is a point or too thin to cut."""
    used = [i for i, r in enumerate(box) if r.lo != r.hi and objective.uses(i)]
    bounded = all(box[i].lo.is_finite() and box[i].hi.is_finite() for i in used)
    slopes = objective.gradient(box) if bounded and len(used) > 1 else [None] * len(box)
    best, weight = -1, iv.ZERO
    for i in used:
        size = _size(box[i], slopes[i]) if bounded else _spread(box[i])
        if best < 0 or size > weight:
            best, weight = i, size
    return _cut(box, best) if best >= 0 else None


def _size(side: Range, slope: Range | None) -> Ball:
    """How much the function may change across a side."""
    size = iv.ONE if slope is None else max(abs(slope.lo), abs(slope.hi))
    return side.width * size if size.is_finite() else side.width * (1 << 40)


def _spread(side: Range) -> Ball:
    """The length of a side, where a half line is as long as its distance from the origin is small."""
    if side.lo.is_finite() and side.hi.is_finite():
        return side.width
    near = max(side.lo if side.lo.is_finite() else iv.ZERO, -side.hi if side.hi.is_finite() else iv.ZERO)
    return 16 / (1 + near) if near > 0 else iv.INF


def _cut(box: Box, i: int) -> tuple[Box, Box] | None:
    side = box[i]
    if side.lo.is_finite() and side.hi.is_finite():
        at = ((side.lo + side.hi) / 2).mid()
    elif side.lo.is_finite():
        at = (max(2 * side.lo, side.lo + 1) if side.lo >= 0 else iv.ZERO).mid()
    elif side.hi.is_finite():
        at = (min(2 * side.hi, side.hi - 1) if side.hi <= 0 else iv.ZERO).mid()
    else:
        at = iv.ZERO
    if not (side.lo < at < side.hi):
        return None
    left, right = Range(side.lo, at, side.lo_open, False), Range(at, side.hi, False, side.hi_open)
    return tuple(left if j == i else r for j, r in enumerate(box)), tuple(
        right if j == i else r for j, r in enumerate(box)
    )
