"""Brownian motion and walls: kappa on an interval by the cosine series, at times that are not small.

With ``w = pi/l`` and ``q = e^{-w^2 t}`` the kernel is ``u/l``, ``u(x, y) = 1 + 2 sum q^(k^2) cos(kwx) cos(kwy)``. Let
``A_j = 2 sum k^j q^(k^2)``. Then ``u >= 1 - A_0``, ``|u_x|, |u_y| <= w A_1`` and ``|u_xy| <= w^2 A_2``; as
``A_1^2 <= A_0 A_2``,

    |d_x d_y log u| <= w^2 (A_2/(1 - A_0) + A_1^2/(1 - A_0)^2) <= w^2 A_2/(1 - A_0)^2 <= w^2 r/(1 - r)^2

with ``r = (32/15) q``, where ``q <= 1/4``: there ``A_0 <= A_2 <= 2q (1 + 4/4^3 + 9/4^8 + ...) <= r < 1``. Hence
``kappa <= (w^2 r d/(1 - r)^2)^2``, and its integral is ``w^2 d^2 r^2 (3 - r)/(6 (1 - r)^3)``. It decays like
``e^{-2 w^2 t}``, which no curvature bound does.

With ``(1 - r/3)/(1 - r)^3 <= (1 - q)^-8`` there it gives ``R_alpha <= (512/225) alpha w^2 d^2 q^2/(1 - q)^8``. That is
true for ``q > 1/4`` too, as it lies above ``alpha d^2/(4t)``, the bound of the curvature 0: with ``s = w^2 t < log 4``,
``4s (512/225) q^2 >= 0.56 s`` and ``(1 - q)^8 <= (3/4)^7 s``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, Rational, exp, log, oo, pi

from symdp.citations import Citation
from symdp.diffusion import calculus
from symdp.evidence import Condition
from symdp.judgments import Divergence, HeatFlow, ReflectedDriftKernel, ReflectedIntervalKernel
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.bessel import runs_to, unit_length
from symdp.rules.conditions import ALPHA, TIME, elliptic, holds, pair_region, regularity, starts, vanishes
from symdp.text import Relation, symbol

Params = Mapping[str, Any]
KERNEL = Citation("borodin2002", "appendix 1", "Brownian motion reflected at two ends")


def _kernel_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, y, length = params["process"], params["coordinate"], params["length"]
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    if process.dimension != 1:
        return
    yield from regularity(process)
    yield elliptic(process)
    domain = process.domain.interval(process.state[0])
    closed = domain.lower_closed and domain.upper_closed and oo not in (-domain.lower, domain.upper)
    yield Condition("closed", "both ends are finite and belong to the domain: they reflect", "fact", (bool(closed),))
    yield from unit_length(process, y, length)
    yield holds("length", Relation(length, ">"), process.params, "the length of the interval is positive")
    if closed:
        yield runs_to(process, "lower", y, Integer(0), "lower end", "the coordinate is 0 at the lower end")
        yield runs_to(process, "upper", y, length, "upper end", "the coordinate is the length at the upper end")
    yield vanishes("no drift", "L y = 0", [calculus.generator(process, y)], process.interior)


def _kernel(_: tuple[Any, ...], params: Params) -> ReflectedIntervalKernel:
    """``p_t(y, z) = (1 + 2 sum e^{-k^2 w^2 t} cos(kwy) cos(kwz))/l``, ``w = pi/l``, in the coordinate y on [0, l]."""
    return ReflectedIntervalKernel(params["process"], params["coordinate"], params["length"])


register(
    Rule(
        id="reflected-interval-kernel",
        title="Brownian motion reflected at both ends of an interval",
        citation=KERNEL,
        premises=(),
        conditions=_kernel_conditions,
        conclude=_kernel,
        tightness="exact",
    )
)


def _drift_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, z, mu, side = (params[k] for k in ("process", "coordinate", "velocity", "side"))
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    yield Condition("side", "the side is lower or upper", "fact", (side in ("lower", "upper"),))
    if process.dimension != 1 or side not in ("lower", "upper"):
        return
    yield from regularity(process)
    yield elliptic(process)
    domain = process.domain.interval(process.state[0])
    closed, end = (domain.lower_closed, domain.lower) if side == "lower" else (domain.upper_closed, domain.upper)
    wall = bool(closed and end not in (oo, -oo))
    yield Condition("wall", "the end is finite and belongs to the domain: it reflects", "fact", (wall,))
    yield from unit_length(process, z, mu)
    yield holds("positive", Relation(z, ">"), process.interior, "the coordinate is positive")
    far = "upper" if side == "lower" else "lower"
    yield runs_to(process, side, z, Integer(0), "near end", "the coordinate runs to 0 at the wall")
    yield runs_to(process, far, 1 / z, Integer(0), "far end", "the coordinate runs to infinity at the other end")
    yield vanishes("drift", "L z is constant", [calculus.generator(process, z) - mu], process.interior)


def _drift_kernel(_: tuple[Any, ...], params: Params) -> ReflectedDriftKernel:
    """``p_t(z, y) = g(y - z - mu t) + e^{-mu z} g(y + z - mu t) - (mu/2) e^{mu y} erfc((y + z + mu t)/(2 sqrt t))``, g
    the normal density of variance 2t, for ``L = D^2 + mu D`` on ``z >= 0``, reflected at 0.
    """
    return ReflectedDriftKernel(params["process"], params["coordinate"], params["velocity"])


register(
    Rule(
        id="reflected-drift-kernel",
        title="Brownian motion with drift, reflected at a wall",
        citation=Citation("borodin2002", "appendix 1", "reflected Brownian motion with drift"),
        premises=(),
        conditions=_drift_conditions,
        conclude=_drift_kernel,
        tightness="exact",
    )
)


def gap(kernel: Any) -> Expr:
    """``d = y(x) - y(x')``."""
    (state,) = kernel.process.state
    (x,), (xp,) = starts(kernel.process)
    value: Expr = kernel.coordinate.subs(state, x) - kernel.coordinate.subs(state, xp)
    return value


def _no_conditions(_: tuple[Any, ...], __: Params) -> Iterator[Condition]:
    yield from ()


def _flow(premises: tuple[Any, ...], _: Params) -> HeatFlow:
    """``kappa <= (w^2 r d/(1 - r)^2)^2``, ``Lambda <= w^2 d^2 r^2 (3 - r)/(6 (1 - r)^3)`` for ``t >= log(4)/w^2``, with
    ``w = pi/l``, ``r = (32/15) e^{-w^2 t}`` and ``d = y(x) - y(x')``.
    """
    (kernel,) = premises
    square = (pi / kernel.length) ** 2
    r = Rational(32, 15) * exp(-square * TIME)
    kappa = (square * r / (1 - r) ** 2) ** 2 * gap(kernel) ** 2
    total = square * gap(kernel) ** 2 * r**2 * (3 - r) / (6 * (1 - r) ** 3)
    later = Relation(TIME - log(4) / square, ">=")
    return HeatFlow(kernel.process, kappa, total, pair_region(kernel.process).intersect([later]))


register(
    Rule(
        id="heat-flow-reflected-interval",
        title="kappa and Lambda of Brownian motion on an interval, at times that are not small",
        citation=(
            Citation("balle2019", "Theorem 6", "the heat flow"),
            Citation("symdp", "rules.reflected", "kappa of the kernel's cosine series"),
        ),
        premises=(ReflectedIntervalKernel,),
        conditions=_no_conditions,
        conclude=_flow,
        tightness="upper",
    )
)


def _late(_: tuple[Any, ...], __: Params) -> Iterator[Condition]:
    q = symbol("q")
    r = Rational(32, 15) * q
    relation = Relation((1 - r) ** 3 - (1 - r / 3) * (1 - q) ** 8, ">=")
    region = Region.make({q: Interval(Integer(0), Rational(1, 4), False, True)})
    yield holds("late", relation, region, "where q <= 1/4 the bound lies above the integral of kappa")


def _divergence(premises: tuple[Any, ...], _: Params) -> Divergence:
    """``R_alpha <= (512/225) alpha w^2 d^2 q^2/(1 - q)^8`` at every time, with ``d = y(x) - y(x')``, ``w = pi/l`` and
    ``q = e^{-w^2 t}``.

    For ``q <= 1/4`` by the heat flow, as the laws merge; before that it lies above the bound of the curvature 0.
    """
    (kernel,) = premises
    square = (pi / kernel.length) ** 2
    q = exp(-square * TIME)
    value = Rational(512, 225) * ALPHA * square * gap(kernel) ** 2 * q**2 / (1 - q) ** 8
    return Divergence(kernel.process, value, pair_region(kernel.process))


register(
    Rule(
        id="reflected-interval-divergence",
        title="The divergence of two starts of Brownian motion on an interval",
        citation=(
            Citation("balle2019", "Theorem 6", "the heat flow"),
            Citation("symdp", "rules.reflected", "one formula for all times"),
        ),
        premises=(ReflectedIntervalKernel,),
        conditions=_late,
        conclude=_divergence,
        tightness="upper",
    )
)
