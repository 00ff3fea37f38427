"""Drifts with kinks and downward jumps: curvature in its one-sided Lipschitz form, with constant noise on an interval.

``(u(x) - u(y)) (x - y) <= -k (x - y)^2`` says of a smooth drift that its curvature is at least k. Mollified, a drift
that satisfies it satisfies it still, with the same k, and a reflecting end is the limit of drifts that push back; the
divergence is lower semicontinuous, so the bound of the smooth case passes to the limit. A jump upwards satisfies it for
no k, and a curvature that holds almost everywhere is not enough.

The drift is given in pieces. Between two breaks it is smooth up to them with ``-u' >= k``, and at a break it does not
jump upwards: the increments add up to the one-sided form, and what the drift is at a break itself does not matter, for
the process spends no time there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from sympy import Expr, oo

from symdp.citations import Citation
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import Divergence, RenyiDP
from symdp.judgments.iteration import STARTS
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import (
    ALPHA,
    DELTA,
    elliptic,
    holds,
    homogeneous,
    order_region,
    pair_region,
    smooth,
    starts,
    vanishes,
)
from symdp.rules.harnack import curvature_bound, forgetting
from symdp.text import Relation

Params = Mapping[str, Any]
SOURCE = (
    Citation("wang2014", "section 2.3", "the Harnack inequality, where the drift is smooth"),
    Citation("symdp", "rules.one_sided", "drifts of one one-sided Lipschitz constant, by mollification"),
)


def piece_regions(process: Diffusion, breaks: tuple[Expr, ...], *, closed: bool) -> list[Region]:
    """The domain between the breaks, one region a piece, with or without the breaks themselves."""
    (x,) = process.state
    around, op = process.region if closed else process.interior, ">=" if closed else ">"
    low = [[], *([Relation(x - b, op)] for b in breaks)]
    high = [*([Relation(b - x, op)] for b in breaks), []]
    return [around.intersect([*a, *b]) for a, b in zip(low, high, strict=True)]


def _interval(process: Diffusion) -> bool:
    """Whether each finite end reflects."""
    d = process.domain.interval(process.state[0])
    return bool((d.lower == -oo or d.lower_closed) and (d.upper == oo or d.upper_closed))


def _conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, bound, breaks, pieces = params["process"], params["bound"], params["breaks"], params["pieces"]
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    yield from homogeneous(*process.drift, *process.noise)
    (x,), (u,) = process.state, process.drift
    yield Condition("ends", "each finite end reflects", "fact", (_interval(process),))
    yield vanishes("constant noise", "the noise does not depend on the state", [process.v.diff(x)], process.region)
    yield elliptic(process)
    yield from curvature_bound(process, bound)
    for relation in process.conditions:
        yield holds(f"defined: {relation}", relation, process.region, f"the coefficients are defined where {relation}")
    known = len(pieces) == len(breaks) + 1 and all(b.free_symbols <= set(process.params.symbols) for b in breaks)
    yield Condition("pieces", "one piece of the drift between each two breaks", "fact", (known,))
    d = process.domain.interval(x)
    inner = [e for e in (d.lower, *breaks, d.upper) if e not in (oo, -oo)]
    for n, (a, b) in enumerate(pairwise(inner), 1) if breaks else ():
        yield holds(f"order {n}", Relation(b - a, ">"), process.params, "the breaks lie in order inside the domain")
    opened, closed = (piece_regions(process, breaks, closed=c) for c in (False, True))
    for n, piece in enumerate(pieces, 1):
        yield vanishes(f"piece {n}", f"the drift is piece {n} between its breaks", [u - piece], opened[n - 1])
        yield from smooth(f"piece {n}", [piece], closed[n - 1], process.state)
        gap = -piece.diff(x) - bound
        yield holds(f"curvature {n}", Relation(gap, ">="), closed[n - 1], "-u' >= k on this piece, up to its ends")
    for n, (b, (below, above)) in enumerate(zip(breaks, pairwise(pieces), strict=True), 1):
        fall = below.subs(x, b) - above.subs(x, b)
        yield holds(f"jump {n}", Relation(fall, ">="), process.params, "the drift does not jump upwards at this break")


def _divergence(_: tuple[Any, ...], params: Params) -> Divergence:
    """``2 alpha c(k, t) (x-x')^2/v^2`` for a drift with ``(u(x)-u(y))(x-y) <= -k (x-y)^2`` and constant noise v."""
    process = params["process"]
    (x,), (xp,) = starts(process)
    value = 2 * ALPHA * forgetting(params["bound"]) * (x - xp) ** 2 / process.noise[0, 0]
    return Divergence(process, value, pair_region(process))


def _privacy(_: tuple[Any, ...], params: Params) -> RenyiDP:
    """``2 alpha c(k, t) Delta^2/v^2`` for a drift with ``(u(x)-u(y))(x-y) <= -k (x-y)^2`` and constant noise v."""
    process = params["process"]
    value = 2 * ALPHA * forgetting(params["bound"]) * DELTA**2 / process.noise[0, 0]
    return RenyiDP(process, value, DELTA, STARTS, order_region(process).extend({DELTA: Interval.nonnegative()}))


register(
    Rule(
        id="harnack-one-sided",
        title="The divergence of two starts under a one-sided Lipschitz drift",
        citation=SOURCE,
        premises=(),
        conditions=_conditions,
        conclude=_divergence,
        tightness="upper",
    )
)
register(
    Rule(
        id="one-sided-rdp",
        title="Renyi differential privacy under a one-sided Lipschitz drift",
        citation=SOURCE,
        premises=(),
        conditions=_conditions,
        conclude=_privacy,
        tightness="upper",
    )
)
