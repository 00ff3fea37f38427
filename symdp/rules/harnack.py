"""Curvature bounds privacy without a kernel: Wang's dimension-free Harnack inequality as a Renyi divergence.

Where ``Gamma_2(f) >= k Gamma(f)``, k of any sign, and no mass is lost,

    R_alpha(P_t(x)||P_t(x')) <= alpha c(k, t) d(x, x')^2,   c = k/(2 (e^{2kt}-1)), 1/(4t) for k = 0,

d the intrinsic distance. Reversibility is not needed, and Ornstein-Uhlenbeck attains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sympy import Expr, Matrix, S, exp, eye, oo, zeros

from symdp.citations import Citation
from symdp.decide import Proved, Refuted, Verdict
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition, register_decider
from symdp.judgments import Divergence, RenyiDP
from symdp.judgments.iteration import STARTS
from symdp.region import Interval
from symdp.rule import Rule, register
from symdp.rules.conditions import (
    ALPHA,
    DELTA,
    TIME,
    elliptic,
    holds,
    order_region,
    pair_region,
    regularity,
    smooth,
    starts,
    vanishes,
)
from symdp.rules.eigenvalues import Parts, no_negative_eigenvalue
from symdp.text import Relation, to_text

Params = Mapping[str, Any]
SOURCE = (
    Citation("wang1997", "Theorem 1.1", "the dimension-free Harnack inequality"),
    Citation("symdp", "rules.harnack", "its power form at the best exponent is the Renyi divergence"),
)


def forgetting(bound: Expr) -> Expr:
    """``c(k, t)``."""
    return 1 / (4 * TIME) if bound == 0 else bound / (2 * (exp(2 * bound * TIME) - 1))


def curvature_bound(process: Diffusion, bound: Expr) -> Iterator[Condition]:
    """The bound is a number or speaks of parameters, and is 0 nowhere or everywhere: ``c(k, t)`` has one form."""
    known = bound.free_symbols <= set(process.params.symbols)
    yield Condition("bound", "the curvature bound k is in terms of the parameters", "fact", (known,))
    if known and bound != 0:
        yield holds("bound not 0", Relation(bound, "!="), process.params, "k is 0 nowhere, or everywhere")


# --- one dimension, any noise ---------------------------------------------------------------------------------------


def _line_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, bound, coordinate = params["process"], params["bound"], params["coordinate"]
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    yield from regularity(process)
    yield elliptic(process)
    statement = "each end is unattainable or reflects"
    yield Condition("ends", statement, "conservative ends", (process,))
    yield from curvature_bound(process, bound)
    known = coordinate.free_symbols <= set(process.interior.symbols)
    yield Condition("coordinate", "the coordinate is a function of the state", "fact", (known,))
    if known:
        yield from smooth("coordinate", [coordinate], process.interior, process.state)
        slope = calculus.unit_derivative(process, coordinate) - 1
        yield vanishes("unit coordinate", "Gamma of the coordinate is 1", [slope], process.interior)
    gap = calculus.curvature_1d(process) - bound
    yield holds("curvature", Relation(gap, ">="), process.interior, "-u' + u v'/v + v v''/2 >= k")


def _line(_: tuple[Any, ...], params: Params) -> Divergence:
    """``alpha c(k, t) (y(x) - y(x'))^2`` for a coordinate y with ``(v/sqrt2) y' = 1``: it is the intrinsic distance."""
    process, coordinate = params["process"], params["coordinate"]
    ((x,), (xp,)), (state,) = starts(process), process.state
    distance = coordinate.subs(state, x) - coordinate.subs(state, xp)
    return Divergence(process, ALPHA * forgetting(params["bound"]) * distance**2, pair_region(process))


register(
    Rule(
        id="harnack-line",
        title="The divergence of two starts under a curvature bound, on an interval",
        citation=SOURCE,
        premises=(),
        conditions=_line_conditions,
        conclude=_line,
        tightness="upper",
    )
)

# --- R^d, constant noise --------------------------------------------------------------------------------------------


def _decide_box(process: Diffusion, *, assuming: Sequence[Relation]) -> Verdict:
    """Whether each finite end of a coordinate belongs to the domain."""
    for s in process.state:
        d = process.domain.interval(s)
        for end, closed, op in ((d.lower, d.lower_closed, ">="), (d.upper, d.upper_closed, "<=")):
            if end not in (oo, -oo) and not closed:
                closing = f"{s.name}{op}{to_text(end)}"
                reason = f"the domain is open at {s.name} = {to_text(end)}; written {closing}, the end reflects"
                return Refuted({}, {"engine": "structure", "reason": reason})
    return Proved({"engine": "structure", "reason": "each finite end reflects"})


register_decider("reflecting box", _decide_box)


def _space_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, bound = params["process"], params["bound"]
    statement = "the domain is the whole space, or a box whose finite ends reflect"
    yield Condition("reflecting box", statement, "reflecting box", (process,))
    yield from regularity(process)
    entries = [e.diff(s) for row in process.diffusion for e in row for s in process.state]
    yield vanishes("constant noise", "the noise does not depend on the state", entries, process.region)
    yield elliptic(process)
    if not process.whole_space:  # the box is convex, and smooth up to its ends; at each the reflection is normal
        n = process.dimension
        off = [process.noise[i, j] for i in range(n) for j in range(i)]
        statement = "the noises of the coordinates are independent: each end reflects along its normal"
        yield vanishes("normal reflection", statement, off, process.region)
        yield from smooth("drift up to the ends", process.drift, process.region, process.state)
    yield from curvature_bound(process, bound)
    form = calculus.curvature_form(process)
    if form is not None:  # else the noise is degenerate, which a condition above says
        yield no_negative_eigenvalue(form - bound * process.noise / 2, process.region, _parts(process, bound))


def _parts(process: Diffusion, bound: Expr) -> Parts:
    parts = calculus.slope_parts(process)
    constant = parts.pop(S.One, zeros(process.dimension)) - bound * process.noise / 2
    return tuple((f, tuple(map(tuple, m.tolist()))) for f, m in [(S.One, constant), *parts.items()])


def _space(_: tuple[Any, ...], params: Params) -> Divergence:
    """``2 alpha c(k, t) (x-x')^T (v v^T)^{-1} (x-x')``, on R^d or a box with reflecting ends."""
    process = params["process"]
    x, xp = starts(process)
    gap = Matrix([a - b for a, b in zip(x, xp, strict=True)])
    square = (gap.T * process.noise.inv() * gap)[0, 0]
    return Divergence(process, 2 * ALPHA * forgetting(params["bound"]) * square, pair_region(process))


register(
    Rule(
        id="harnack-space",
        title="The divergence of two starts under a curvature bound, with constant noise",
        citation=SOURCE,
        premises=(),
        conditions=_space_conditions,
        conclude=_space,
        tightness="upper",
    )
)


def _isotropic_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = params["process"]
    yield from _space_conditions(premises, params)
    off = list(process.noise - process.noise[0, 0] * eye(process.dimension))
    yield vanishes("isotropic noise", "the noise is the same in all directions", off, process.region)


def _isotropic(_: tuple[Any, ...], params: Params) -> RenyiDP:
    """``2 alpha c(k, t) Delta^2/s^2`` for noise ``v v^T = s^2 I``."""
    process = params["process"]
    value = 2 * ALPHA * forgetting(params["bound"]) * DELTA**2 / process.noise[0, 0]
    region = order_region(process).extend({DELTA: Interval.nonnegative()})
    return RenyiDP(process, value, DELTA, STARTS, region)


register(
    Rule(
        id="harnack-rdp",
        title="Renyi differential privacy under a curvature bound, with isotropic noise",
        citation=SOURCE,
        premises=(),
        conditions=_isotropic_conditions,
        conclude=_isotropic,
        tightness="upper",
    )
)
