"""From one coordinate to R^d: independent copies of a one-dimensional linear SDE, in any number d of coordinates.

Laws of independent coordinates multiply. Gamma of a sum of functions of one coordinate each is the sum of the Gammas,
so kappa and Lambda add up; both are a multiple of (x - x')^2 in each coordinate, hence of |x - x'|^2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, Symbol, oo

from symdp.citations import Citation
from symdp.decide import normal
from symdp.diffusion.operators import Copies
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import GaussianKernel, GaussianMechanism, HeatFlow, IntrinsicSensitivity
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import DELTA, starts, time_region, vanishes

Params = Mapping[str, Any]


def _region(process: Diffusion, dimension: Symbol) -> Region:
    return time_region(process).extend({dimension: Interval(Integer(1), oo, True, False)})


def _one_dimension(process: Diffusion, dimension: Any) -> Iterator[Condition]:
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    free = isinstance(dimension, Symbol) and dimension not in (*time_region(process).symbols, DELTA)
    yield Condition("dimension", "the dimension is a symbol of its own", "fact", (free,))


def _kernel_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = premises[0].process
    yield from _one_dimension(process, params["dimension"])
    if process.dimension == 1:
        (drift,), (state,) = process.drift, process.state
        yield vanishes("centred", "the drift vanishes at 0", [drift.xreplace({state: Integer(0)})], process.params)


def _kernel(premises: tuple[Any, ...], params: Params) -> GaussianMechanism:
    """``e^{at} f(D) + N(0, e^{2at} W I_d)``, for the linear part a of the drift and the Gramian W of one coordinate."""
    kernel, dimension = premises[0], params["dimension"]
    ((backward,),), ((gramian,),) = kernel.backward, kernel.gramian
    law = 1 / backward, normal(gramian / backward**2)
    return GaussianMechanism(Copies(kernel.process, dimension), *law, dimension, _region(kernel.process, dimension))


register(
    Rule(
        id="linear-copies",
        title="Independent copies of a linear SDE",
        citation=Citation("balle2019", "section 5", "Example 4 and section 5.1, in R^d"),
        premises=(GaussianKernel,),
        conditions=_kernel_conditions,
        conclude=_kernel,
        tightness="exact",
    )
)


def _of_unit_distance(flow: HeatFlow) -> tuple[Expr, Expr]:
    """kappa and Lambda for starts 1 and 0."""
    process: Any = flow.process
    (x,), (xp,) = starts(process)
    at = {x: Integer(1), xp: Integer(0)}
    return flow.kappa.xreplace(at), flow.Lambda.xreplace(at)


def _sensitivity_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    flow = premises[0]
    yield from _one_dimension(flow.process, params["dimension"])
    if flow.process.dimension == 1:
        (x,), (xp,) = starts(flow.process)
        gaps = [
            quantity - factor * (x - xp) ** 2
            for quantity, factor in zip((flow.kappa, flow.Lambda), _of_unit_distance(flow), strict=True)
        ]
        yield vanishes("quadratic", "kappa and Lambda are multiples of (x - x')^2", gaps, flow.region)


def _sensitivity(premises: tuple[Any, ...], params: Params) -> IntrinsicSensitivity:
    """``kappa_1 Delta^2`` and ``Lambda_1 Delta^2``, with kappa_1 and Lambda_1 of two starts at distance 1."""
    flow, dimension = premises[0], params["dimension"]
    kappa, total = (factor * DELTA**2 for factor in _of_unit_distance(flow))
    region = _region(flow.process, dimension).extend({DELTA: Interval.nonnegative()})
    return IntrinsicSensitivity(Copies(flow.process, dimension), kappa, total, region)


register(
    Rule(
        id="intrinsic-sensitivity",
        title="Intrinsic sensitivity of independent copies",
        citation=Citation("balle2019", "Theorem 6", "kappa and Lambda, the supremum over neighbours"),
        premises=(HeatFlow,),
        conditions=_sensitivity_conditions,
        conclude=_sensitivity,
        tightness="exact",
    )
)
