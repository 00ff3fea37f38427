"""Sums of the float64 path: ``a R`` from both sides, every error counted.

``e^(a R) - 1 = sum over nodes of w (r(a L) + a r(-L))`` (``rule``), plus what the plan leaves out, plus aliasing. Each
term carries its own relative error, so that a bound of the sum's error costs one more sum. In UNIT, with ``y = a L``,
relative error of L at most 47:

* ``w``: the absolute error of its exponent (``Nodes.weight_error``), 1 for each rounding of that exponent times its
  size then, 8 for exp;
* ``r(y)``: 102, and ``|y r'(y)/r(y)| <= 2 + max(y, 0)`` times the relative error of y, since ``2 e^y - 2 - 2y - y^2 >=
  0`` for y >= 0 and ``(2 - y) e^y >= 2 + y`` for y < 0. That error is L's, and 1 each for a, the product, and L's
  lower half: ``2 * 50`` and ``a ratio_error + 3 |y|``;
* above 40, ``r(y)`` is written ``e^(y-40) r(40)``, 1.6 UNIT below the truth at most. ``y - 40`` (exact) and the lower
  halves of all products join the exponent of w, whose rounding then costs its own small size instead of ``|y|``;
* 10 for the few products and sums that make a term. Together 222 and what depends on the node.

A sum in blocks adds as many roundings as a block and the number of blocks, in whatever order they are made. Sums above
e^600 are scaled by ``e^-shift``. Terms that underflow are covered by 1e-280 a node, far below any sum here (``double``
hands smaller losses to ball arithmetic).
"""

from __future__ import annotations

import numpy as np

from symdp.mechanisms.sampled_gaussian.double.arithmetic import (
    UNIT,
    Floats,
    Integers,
    second_remainder,
    two_product,
    two_sum,
)
from symdp.mechanisms.sampled_gaussian.double.rule import Nodes, Plan, Rule

_CUT = 40.0
_MOST_NODES = 6000
_CHUNK = 10_000
_BLOCK = 128


def log_moments(rule: Rule, alpha: Floats, a: Floats) -> tuple[Floats, Floats]:
    """Doubles ``lower <= a R <= upper`` for each order (``lower <= R <= upper`` where ``a = 0``).

    ``nan`` where nothing is known or too many nodes.
    """
    scale = np.where(a > 0, a, 1.0)
    plan = rule.plan(alpha, scale)
    count = np.maximum(plan.last - plan.first + 1, 0) + np.maximum(plan.far_last - plan.far_first + 1, 0)
    lower, upper = np.full(alpha.shape, np.nan), np.full(alpha.shape, np.nan)
    known = np.isfinite(plan.log_omitted) & np.isfinite(plan.log_omitted_edge)
    rows = np.flatnonzero((count > 0) & (count <= _MOST_NODES) & known)
    total = np.cumsum(count[rows])
    start = 0
    while start < rows.size:
        done = total[start - 1] if start else 0
        stop = max(int(np.searchsorted(total, done + _CHUNK)), start + 1)
        part = rows[start:stop]
        lower[part], upper[part] = _chunk(rule, plan, part, alpha[part], a[part], scale[part], count[part])
        start = stop
    return lower, upper


def _indices(plan: Plan, rows: Integers, count: Integers) -> Integers:
    """All node indices of the rows, one row after the other."""
    near = np.maximum(plan.last[rows] - plan.first[rows] + 1, 0)
    starts = np.cumsum(count) - count
    position = np.arange(int(count.sum())) - np.repeat(starts, count)
    jump = np.repeat(plan.far_first[rows] - plan.first[rows] - near, count)
    return np.repeat(plan.first[rows], count) + position + np.where(position >= np.repeat(near, count), jump, 0)


def _nodes(rule: Rule, j: Integers) -> Nodes:
    """The nodes j, each computed once if they lie close together."""
    low, high = int(j.min()), int(j.max())
    if high - low < j.size:
        return rule.nodes(np.arange(low, high + 1)).take(j - low)
    return rule.nodes(j)


def _chunk(
    rule: Rule, plan: Plan, rows: Integers, alpha: Floats, a: Floats, scale: Floats, count: Integers
) -> tuple[Floats, Floats]:
    starts = np.cumsum(count) - count
    nodes = _nodes(rule, _indices(plan, rows, count))
    order = np.repeat(a, count)
    y = order * nodes.ratio
    shift = np.zeros(alpha.shape)
    if y.max() <= _CUT:
        exponent, capped = nodes.weight, y
        base = np.exp(exponent)
        term = base * second_remainder(y)
        base_error = np.abs(exponent)
    else:
        capped = np.minimum(y, _CUT)
        top = np.maximum.reduceat(nodes.weight + y, starts)
        shift = np.where(top > 600.0, np.floor(top), 0.0)
        moved = np.repeat(shift, count)
        exponent, lost = two_sum(nodes.weight, y - capped)
        exponent = (exponent - moved) + (
            lost + two_product(order, nodes.ratio)[1] + order * nodes.ratio_low + nodes.weight_low
        )
        term = np.exp(exponent) * second_remainder(capped)
        base = np.exp(nodes.weight - moved)
        base_error = 2.0 * np.abs(nodes.weight) + moved
    known = 222.0 + nodes.weight_error
    error = known + order * nodes.ratio_error + 3.0 * np.abs(capped) + np.abs(exponent) + 2.0**-40 * np.abs(y)
    if rule.case.rounded:
        error += np.abs(y)
    linear = np.repeat(scale, count) * (base * second_remainder(-nodes.ratio))
    linear_error = known + nodes.ratio_error + 3.0 * np.abs(nodes.ratio) + base_error
    error *= UNIT
    if error.max() < 1e-3:
        spread = _row_sums(term * error + linear * (linear_error * UNIT), starts, count)
        low = high = _row_sums(term + linear, starts, count)
        low, high = low - 1.001 * spread, high + 1.001 * spread
    else:
        linear_error *= UNIT
        low = _row_sums(term * np.exp(-error) + linear * (1.0 - linear_error), starts, count)
        linear *= 1.0 + linear_error
        term *= np.exp(error)
        high = _row_sums(term + linear, starts, count)
    edge = _row_sums((term + linear) * nodes.edge, starts, count)

    rounding = (_BLOCK + count / _BLOCK + 8) * (1.001 * UNIT)
    omitted, omitted_edge = (
        np.exp(log - shift) * 1.001 for log in (plan.log_omitted[rows], plan.log_omitted_edge[rows])
    )
    alias = rule.alias(alpha)
    alias = np.where(alias < 0.5, alias, np.nan)
    aliased = alias * (1.01 * edge + omitted_edge) / (1.0 - alias)
    high = (high * (1.0 + rounding) + omitted + aliased + count * 1e-280) / (1.0 - alias)
    low = (low * (1.0 - rounding) - aliased) / (1.0 + alias)
    return _finish(low, a, shift, -1), _finish(high, a, shift, 1)


def _row_sums(values: Floats, starts: Integers, count: Integers) -> Floats:
    """The sum of each row, in blocks: at most ``_BLOCK + count/_BLOCK + 1`` roundings touch a term."""
    if count.max() <= _BLOCK:
        return np.add.reduceat(values, starts)
    blocks = -(-count // _BLOCK)
    first = np.cumsum(blocks) - blocks
    offset = np.arange(int(blocks.sum())) - np.repeat(first, blocks)
    return np.add.reduceat(np.add.reduceat(values, np.repeat(starts, blocks) + _BLOCK * offset), first)


def _finish(total: Floats, a: Floats, shift: Floats, side: int) -> Floats:
    """``log(1 + total e^shift)``, or total itself at a = 0, rounded to the given side."""
    with np.errstate(all="ignore"):
        value = np.where(shift > 0, shift + np.log(total), np.log1p(np.maximum(total, 0.0)))
        return np.where(a > 0, value, total) * (1.0 + side * 16 * UNIT)
