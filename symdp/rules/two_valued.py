"""Brownian motion with a drift of two opposite values, as under the Laplace law: its kernel.

``L = D^2 + m sign(z) D``. By symmetry the size of the process is Brownian motion with drift m reflected at 0, and once
0 was met the sign is a fair coin that is independent of it: the kernel is half the sum (on the same side) or half the
difference (across 0) of the kernels reflected and killed at 0, which are both known. What comes out is checked here by
itself: from each side of 0 it solves the backward equation ``p_t = L p`` in its start, and it passes 0 with its slope.
For f with bounded support the integral u of ``p_t(z, y) f(y)`` is bounded up to any time, and tends to f as ``t -> 0``,
where what is beside the normal density vanishes; so ``u(T - s, Z_s)`` is a martingale, and p is the kernel.

The supremum of kappa over the outputs is at least ``(d/(2t))^2``, d the distance of the starts: far out the slope of
the log-ratio is that of two normal laws. For ``m <= 0`` the bound of the curvature 0 is ``alpha d^2/(4t)``, the
integral of just that: kappa can give no better one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, diff

from symdp.citations import Citation
from symdp.diffusion import calculus
from symdp.diffusion.line_kernels import (
    OUTPUT,
    START,
    TIME,
    VELOCITY,
    backward_equation,
    two_valued_density,
)
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import TwoValuedDriftKernel
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.bessel import runs_to, unit_length
from symdp.rules.conditions import elliptic, holds, homogeneous, smooth, vanishes
from symdp.text import Relation

Params = Mapping[str, Any]


def whole_line(process: Diffusion, z: Expr) -> Iterator[Condition]:
    """The coordinate runs to infinity at both ends."""
    for side in ("lower", "upper"):
        yield runs_to(process, side, 1 / z, Integer(0), f"{side} end", f"the coordinate is infinite at the {side} end")


def _conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, z, m, kink = (params[key] for key in ("process", "coordinate", "velocity", "kink"))
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    if process.dimension != 1:
        return
    (x,) = process.state
    yield from homogeneous(*process.drift, process.v, *(r.expr for r in process.conditions))
    yield from smooth("noise", [process.v], process.interior, process.state)
    yield elliptic(process)
    for relation in process.conditions:
        yield holds(
            f"defined: {relation}", relation, process.interior, f"the coefficients are defined where {relation}"
        )
    yield from unit_length(process, z, m, kink)
    yield from whole_line(process, z)
    yield vanishes("kink", "the coordinate is 0 at the kink of the drift", [z.subs(x, kink)], process.params)
    drift = calculus.generator(process, z)
    for name, side in (("above", 1), ("below", -1)):
        there = process.interior.intersect([Relation(side * (x - kink), ">")])
        yield holds(f"sign {name}", Relation(side * z, ">"), there, f"z has the sign {side} {name} the kink")
        yield vanishes(f"drift {name}", f"L z = {'m' if side > 0 else '-m'} {name} the kink", [drift - side * m], there)
    yield from _backward()


def _backward() -> Iterator[Condition]:
    """The kernel from a start on either side of 0 to an output ``y > 0``; the other outputs are its mirror image."""
    region = Region.make({OUTPUT: Interval.positive(), TIME: Interval.positive(), VELOCITY: Interval.real()})
    one, other = two_valued_density(1), two_valued_density(-1)
    for name, side, density in (("above", 1, one), ("below", -1, other)):
        parts = backward_equation(density, side * VELOCITY)
        there = region.extend({START: Interval.real()}).intersect([Relation(side * START, ">")])
        yield vanishes(f"equation {name}", f"the kernel solves p_t = L p from starts {name} 0", parts, there)
    jumps = [f.subs(START, 0) for f in (one - other, diff(one - other, START))]
    yield vanishes("passage", "at the start 0 the kernel and its slope are continuous", jumps, region)


def _kernel(_: tuple[Any, ...], params: Params) -> TwoValuedDriftKernel:
    """``p_t(z, y) = g(y - z) e^{m (|y| - |z|)/2 - m^2 t/4} - (m/4) e^{m |y|} erfc((|y| + |z| + m t)/(2 sqrt t))``, with
    g the normal density of variance 2t, for ``L = D^2 + m sign(z) D`` on the line.
    """
    return TwoValuedDriftKernel(params["process"], params["coordinate"], params["velocity"])


register(
    Rule(
        id="two-valued-drift-kernel",
        title="Brownian motion with a drift of two opposite values",
        citation=Citation("karatzas1991", "section 6.5", "Brownian motion with two-valued drift"),
        premises=(),
        conditions=_conditions,
        conclude=_kernel,
        tightness="exact",
    )
)
