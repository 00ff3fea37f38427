"""Which nodes are summed for add/remove neighbours, and proved bounds of those that are not.

On ``u >= 0`` the summand ``mu0 F`` is at most ``e^C``, for ``F <= (alpha a/2) v^2 g^max(alpha-2,0)`` and ``v <= q
e^u``. With ``k = max(alpha - 2, 0)``:

    C(z) = log(alpha a/2) + 2 log q + 2u + k L - z^2/2 + log(eta/sqrt(2 pi)),
    C'(z) = (2 + k S)/s - z,   S = q e^u/g = 1/(1 + e^(-(z-z1)/s)),   z1 = 1/(2s) + s log(1/q - 1).

``C'' = k S(1-S)/s^2 - 1`` has at most two zeros, so ``C'`` has at most three, and C one maximum, or two with a minimum
between. Four plans:

* contiguous: from the far left to beyond ``max(alpha, 2)/s``;
* bulk: ``C' < 0`` from the right edge on, so ``e^C`` at the edge bounds each node beyond;
* pair: ``C' < 0`` at the right edge of a first window and ``> 0`` at the left edge of a second. C' has a zero on
  either side of this gap, hence just one in it, a minimum of C: the larger edge bounds each node in the gap;
* far: ``C' > 0`` up to the left edge of the window. Nodes with ``u >= 0`` before it lie below the edge; those with ``u
  < 0`` have ``F <= a`` (F is convex, ``F(-1) = a``, ``F(0) = 0``), ``e F <= 2 q^2 alpha a`` and a total weight below
  2.

Right of the last node ``C' <= max(alpha, 2)/s - z``; also ``F <= alpha a L g^alpha`` (``g^a - 1 <= a L g^a`` under the
integral), whose log has a slope of at most ``(alpha + 1/L)/s``. Left of the first node ``F <= a max(1, alpha/2) q^2
min(1, u^2)``. All three are geometric series. Where C' has its extrema, ``S(1-S) = s^2/k``: the signs are decided
there, with a margin for rounding. Logs of bounds are raised by 1e-6 and more, their factors by 0.1 %. The choice
itself rests on guesses; the bounds hold whatever was chosen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from symdp.mechanisms.sampled_gaussian.double.arithmetic import Floats, Integers
from symdp.mechanisms.sampled_gaussian.double.rule import Plan

if TYPE_CHECKING:
    from symdp.mechanisms.sampled_gaussian.double.add_remove import AddRemove

_NEAR = 36.0  # what ends before this z is summed without further thought
_DEPTH = 42.0  # minus the log of what may be left out, relative to the whole (a guess; the bound decides)
_MARGIN = 1e-9


@dataclass(frozen=True, slots=True)
class _Bound:
    """The function C for a column of orders, as a function of u."""

    rule: AddRemove
    alpha: Floats
    scale: Floats

    @property
    def power(self) -> Floats:
        """``k = max(alpha - 2, 0)``."""
        return np.maximum(self.alpha - 2.0, 0.0)

    def value(self, u: Floats) -> Floats:
        """C, rounded up."""
        rule = self.rule
        growth = self.power * rule.log_ratio(u)[0][0]
        front = np.log(self.alpha / 2) + np.log(self.scale) + 2 * math.log(rule.case.q) + rule.log_weight
        square = rule.z(u) ** 2 / 2
        slack = 1e-6 + 1e-13 * (np.abs(front) + 2 * np.abs(u) + np.abs(growth) + square)
        total: Floats = front + 2 * u + growth - square + slack
        return total

    def tail(self, u: Floats) -> Floats:
        """The log of a bound of the nodes right of the node u > 0: the lesser of two geometric series, rounded up."""
        rule, s = self.rule, self.rule.case.sigma
        z, ratio = rule.z(u), rule.log_ratio(u)[0][0]
        by_square = self.value(u) - np.log(np.expm1((z - np.maximum(self.alpha, 2.0) / s) * rule.eta))
        by_power = np.log(self.alpha * self.scale * ratio) + self.alpha * ratio - z * z / 2 + rule.log_weight
        by_power += 1e-6 + 1e-13 * (self.alpha * ratio + z * z)
        by_power -= np.log(np.expm1((z - (self.alpha + 1.0 / ratio) / s) * rule.eta))
        least: Floats = np.fmin(by_square, by_power)
        return least

    def slope(self, u: Floats) -> tuple[Floats, Floats]:
        """``dC/dz`` and the margin beyond which its sign is certain."""
        case = self.rule.case
        z = self.rule.z(u)
        rise = 1.0 / (1.0 + case.complement / case.q * np.exp(np.clip(-u, -700.0, 700.0)))
        pull = (2.0 + self.power * rise) / case.sigma
        return pull - z, _MARGIN * (pull + np.abs(z) + 1.0)

    def fixed_point(self, start: Floats) -> Floats:
        """Iterate ``z -> z + C'(z)``, monotone from either end, to the least or the largest zero of C' (a guess)."""
        u = start
        for _ in range(30):
            change, _margin = self.slope(u)
            u = u + change / self.rule.case.sigma
            if np.max(np.abs(change)) < 0.02:
                break
        return u

    def edge(self, top: Floats, at_top: Floats, goal: Floats, side: int) -> Floats:
        """The index of a node beyond ``top`` (right or left) where C has fallen below ``goal`` (a guess).

        ``C'' >= -1``, so C falls no faster than ``z^2/2``.
        """
        reach = np.sqrt(2.0 * np.maximum(at_top - goal, 0.5))
        s = self.rule.case.sigma
        for _ in range(16):
            high = self.value(top + side * reach / s) > goal
            if not high.any():
                break
            reach[high] *= 1.2
        return self.rule.index(self.rule.z(top + side * reach / s)) + (side > 0)  # type: ignore[no-any-return]

    def bends(self) -> tuple[Any, Any, Any]:
        """Whether C is concave, and the u where C' has its minimum and its maximum if not."""
        case = self.rule.case
        ratio = case.sigma**2 / self.power
        root = np.sqrt(np.maximum(1 - 4 * ratio, 0.0))
        spread = np.log((1 + root) / np.maximum(1 - root, 2 * ratio))
        centre = math.log(case.complement / case.q)
        return 4 * ratio >= 1 + _MARGIN, centre - spread, centre + spread


def add_remove_plan(rule: AddRemove, alpha: Floats, scale: Floats) -> Plan:
    """Node ranges for each order and bounds of what they leave out (nan or inf where nothing is known)."""
    q, s, eta = rule.case.q, rule.case.sigma, rule.eta
    bound = _Bound(rule, alpha, scale)
    reach = np.maximum(alpha, 2.0) / s
    depth = _DEPTH + 2 * math.log(max(s, 1.0)) + np.log(np.maximum(alpha * scale / 2, 1.0))
    width = np.sqrt(2 * depth)
    first = int(rule.index(-math.sqrt(2 * _DEPTH))) - 1
    last = rule.index(reach + width) + 2
    with np.errstate(all="ignore"):
        right, left = rule.u(last), rule.u(first)
        z = rule.z(left)
        head = 1e-6 + np.log(scale * np.maximum(1.0, alpha / 2)) + 2 * math.log(q * min(1.0, -left)) - z * z / 2
        head += rule.log_weight - np.log(np.expm1((-z + 2 / (s * left)) * eta))
        tail = bound.tail(right)
        heads = np.array([head, head + math.log(rule.edge(left))])
        tails = np.array([tail, tail + np.log(rule.edge(right))])
        omitted = np.logaddexp(heads, tails)
        plan = Plan(np.full(alpha.shape, first), last, last + 1, last.copy(), omitted[0], omitted[1])
        rows = np.flatnonzero((reach + width > _NEAR) & (alpha > 2.0))
        if rows.size:
            bound = _Bound(rule, alpha[rows], scale[rows])
            _shorten(plan, rows, bound, heads[:, rows], tails[:, rows], depth[rows])
    return plan


def _shorten(plan: Plan, rows: Integers, bound: _Bound, heads: Floats, tails: Floats, depth: Floats) -> None:
    """Replace the contiguous plan of the given rows where a shorter one is proved."""
    rule, scale, alpha = bound.rule, bound.scale, bound.alpha
    s, eta = rule.case.sigma, rule.eta
    reach, width = alpha / s, np.sqrt(2 * depth)
    depth = depth + np.log(reach / eta + 1.0)
    low, high = (
        bound.fixed_point((2.0 / s - rule.offset) / s + 0.0 * reach),
        bound.fixed_point((reach - rule.offset) / s),
    )
    low_top, high_top = bound.value(low), bound.value(high)
    goal = np.maximum(low_top, high_top) - depth
    last, far_first = bound.edge(low, low_top, goal, 1), bound.edge(high, high_top, goal, -1)
    b, c = rule.u(last), rule.u(far_first)
    at_b, at_c = bound.value(b), bound.value(c)
    (slope_b, margin_b), (slope_c, margin_c) = bound.slope(b), bound.slope(c)
    falls, rises = (slope_b < -margin_b) & (last >= 0), slope_c > margin_c
    concave, minimum, maximum = bound.bends()
    (slope_minimum, margin_minimum), (slope_maximum, margin_maximum) = bound.slope(minimum), bound.slope(maximum)

    before = np.array([at_c, at_c + math.log(4.0)]) + np.log(np.maximum(far_first, 0))
    before = np.logaddexp(before, [np.log(2 * scale), np.log(4 * alpha * scale) + 2 * math.log(rule.case.q)])
    negligible = before[0] < high_top - np.log(alpha * scale / 2) - 40.0
    far = rises & (concave | (slope_minimum > margin_minimum)) & (far_first > 0) & negligible
    bulk = ~far & falls & (concave | (slope_maximum < -margin_maximum))
    pair = ~far & ~bulk & falls & rises & (far_first > last + 1)

    # bulk: so many nodes up to reach + width, and from there a geometric series with the slope -width or steeper
    number = np.maximum(np.ceil((reach + width - rule.z(b)) / eta), 0.0) + 2.0 + 1.0 / np.expm1(width * eta)
    near_edge = np.log(rule.edge(b))
    beyond = np.array([at_b, at_b + near_edge]) + np.log(number)
    gap = np.maximum(at_b, at_c) + np.log(np.maximum(far_first - last, 1))
    gap = np.array([gap, gap + near_edge])

    def set_omitted(which: Any, parts: list[Floats]) -> None:
        total = np.logaddexp.reduce(parts)
        plan.log_omitted[rows[which]], plan.log_omitted_edge[rows[which]] = total[:, which]

    set_omitted(far, [before, tails])
    set_omitted(bulk, [beyond, heads])
    set_omitted(pair, [gap, heads, tails])
    plan.first[rows[far]] = far_first[far]
    plan.last[rows[bulk]] = plan.far_last[rows[bulk]] = last[bulk]
    plan.far_first[rows[bulk]] = last[bulk] + 1
    plan.far_last[rows[pair]] = plan.last[rows[pair]]
    plan.last[rows[pair]], plan.far_first[rows[pair]] = last[pair], far_first[pair]
