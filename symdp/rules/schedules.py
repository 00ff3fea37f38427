"""Linear SDEs whose coefficients depend on the time: ``dX = (A(t) X + c(t)) dt + v(t) dW``, started at time 0.

With F from ``F' = A(t) F``, F(0) = 1, ``E = F^{-1}``, ``N = v v^T`` and ``z = x - x'``

    P_t(x) = N(F x + m(t), F W F^T),  W(t) = int_0^t E N E^T ds,  R_alpha(P_t(x)||P_t(x')) = (alpha/2) z^T W^{-1} z.

E and W are proposals, accepted by differentiation and by their values at 0. They have to be continuous at 0, where a
coefficient may be singular: so the integrals converge. ``dX = -beta/2 X dt + sqrt(beta) dW`` has ``W = e^B - 1`` with
``B' = beta``, and ``dX = sqrt(2 s s') dW`` has ``W = s(t)^2 - s(0)^2`` (Song et al. 2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, diff, eye, sign, sqrt

from symdp.citations import Citation
from symdp.decide import sign as decided_sign
from symdp.diffusion.linear import components
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import Conservative, Divergence, GaussianDP, HeatFlow, LimitDivergence, RenyiDP, ScheduledKernel
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules import limits  # noqa: F401  (registers the decider of limits)
from symdp.rules.conditions import (
    ALPHA,
    DELTA,
    TIME,
    holds,
    linear_coefficients,
    pair_region,
    regularity,
    smooth,
    time_region,
    vanishes,
)
from symdp.rules.linear import displacement, linear_part, matrix, nothing, quadratic, same_process
from symdp.rules.neighbours import RELATION, largest_eigenvalue, starts_region
from symdp.text import Relation, definedness, to_text

Params = Mapping[str, Any]
SOURCE = (
    Citation("song2021", "appendix B", "the kernels of the variance preserving and variance exploding SDEs"),
    Citation("karatzas1991", "section 5.6", "linear SDEs, by variation of constants"),
)


def from_the_start(process: Diffusion) -> Interval:
    """The times with the start, 0."""
    times = process.times
    return Interval(times.lower, times.upper, True, times.upper_closed)


def continuous(what: str, exprs: Iterable[Expr], region: Region) -> Iterator[Condition]:
    """Each expression is defined on the region, and hence continuous there: of our functions ``sign`` alone jumps."""
    relations: list[Relation] = []
    for e in exprs:
        relations += definedness(e)
        relations += [Relation(jump.args[0], "!=") for jump in sorted(e.atoms(sign), key=str)]
    for r in dict.fromkeys(relations):
        yield holds(f"continuous {what}: {r}", r, region, f"{what} is continuous, from the start on, where {r}")


def integral(name: str, value: Expr, integrand: Expr, process: Diffusion) -> Iterator[Condition]:
    """``value`` is the integral of ``integrand`` from 0 to t: by its derivative, and by its value 0 at 0."""
    region, start = time_region(process), {TIME: Integer(0)}
    yield from smooth(name, [value], region, [TIME])
    yield from continuous(name, [value], process.params.extend({TIME: from_the_start(process)}))
    yield vanishes(f"{name}'", f"the derivative of {name} is the integrand", [diff(value, TIME) - integrand], region)
    yield vanishes(f"{name}(0)", f"{name} is 0 at time 0", [value.subs(start)], process.params)


# --- the kernel -----------------------------------------------------------------------------------------------------


def _kernel_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, backward, gramian = params["process"], matrix(params["backward"]), matrix(params["gramian"])
    yield Condition("whole space", "the domain is the whole space", "whole space", (process,))
    yield from regularity(process, in_time=True)
    yield from linear_coefficients(process)
    a, noise, one = linear_part(process), process.noise, eye(process.dimension)
    origin = {s: Integer(0) for s in process.state}
    times, early = time_region(process), process.params.extend({TIME: from_the_start(process)})
    yield from continuous("drift at 0", [u.subs(origin) for u in process.drift], early)
    yield from smooth("solution", [*backward, *gramian], times, [TIME])
    yield from continuous("solution", [*backward, *gramian], early)
    start = {TIME: Integer(0)}
    ode = (diff(backward, TIME) + backward * a).expand()
    yield vanishes("propagator", "E' = -E A: E is the inverse of the propagator", ode, times)
    growth = (diff(gramian, TIME) - backward * noise * backward.T).expand()
    yield vanishes("Gramian", "W' = E v v^T E^T", growth, times)
    ends = [*(backward.subs(start) - one), *gramian.subs(start)]
    yield vanishes("start", "E = 1 and W = 0 at time 0", ends, process.params)
    for index in components(a, noise):
        yield from _invertible(process, index, gramian)
    yield vanishes("inverse", "P W = 1: P is the inverse of W", matrix(params["precision"]) * gramian - one, times)


def _invertible(process: Diffusion, index: list[int], gramian: Any) -> Iterator[Condition]:
    """W is positive definite at all times: the noise of the block is, or else all leading minors of W are positive."""
    times, names = time_region(process), ", ".join(process.state[i].name for i in index)
    determinant = process.noise.extract(index, index).det()
    if len(index) == 1 or decided_sign(determinant, times) == 1:
        statement = f"the noise of ({names}) vanishes at no time after the start"
        yield holds(f"noise: {names}", Relation(determinant, ">"), times, statement)
        return
    block = gramian.extract(index, index)
    for n in range(1, len(index) + 1):
        minor = block[:n, :n].det(method="berkowitz")
        yield holds(f"positive: {names}, {n}", Relation(minor, ">"), times, "W is positive definite (Sylvester)")


def _kernel(_: tuple[Any, ...], params: Params) -> ScheduledKernel:
    """``P_t(x) = N(F x + m(t), F W F^T)``, ``F' = A(t) F``, ``W = int_0^t F^{-1} v v^T F^{-T} ds``."""
    return ScheduledKernel(params["process"], params["backward"], params["gramian"], params["precision"])


register(
    Rule(
        id="scheduled-kernel",
        title="Gaussian kernel of a linear SDE whose coefficients depend on the time",
        citation=SOURCE,
        premises=(),
        conditions=_kernel_conditions,
        conclude=_kernel,
        tightness="exact",
    )
)

# --- its divergence and privacy -------------------------------------------------------------------------------------


def _divergence(premises: tuple[Any, ...], _: Params) -> Divergence:
    """``R_alpha = (alpha/2) z^T W^{-1} z``, ``z = x - x'``."""
    (kernel,) = premises
    value = quadratic(ALPHA / 2 * matrix(kernel.precision), displacement(kernel.process))
    return Divergence(kernel.process, value, pair_region(kernel.process))


def _eigenvalue(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    known = largest_eigenvalue(premises[0]) is not None
    yield Condition("eigenvalue", "the largest eigenvalue of W^{-1} has a closed form", "fact", (known,))


def _stretch(kernel: Any) -> Expr:
    """``sup z^T W^{-1} z`` over ``|z| <= 1``."""
    value = largest_eigenvalue(kernel)
    assert value is not None  # a condition has said so
    return value


def _rdp(premises: tuple[Any, ...], _: Params) -> RenyiDP:
    """``(alpha/2) Delta^2 sup z^T W^{-1} z`` over ``|z| <= 1``, the largest eigenvalue of ``W^{-1}``."""
    process: Any = premises[0].process
    return RenyiDP(process, ALPHA / 2 * _stretch(premises[0]) * DELTA**2, DELTA, RELATION, starts_region(process))


def _gdp(premises: tuple[Any, ...], _: Params) -> GaussianDP:
    """``mu = Delta sqrt(sup z^T W^{-1} z)`` over ``|z| <= 1``, the largest eigenvalue of ``W^{-1}``."""
    process: Any = premises[0].process
    return GaussianDP(process, DELTA * sqrt(_stretch(premises[0])), starts_region(process), DELTA, RELATION)


def _conservative(premises: tuple[Any, ...], _: Params) -> Conservative:
    """``P_t 1 = 1``: the kernel is a probability law at all times."""
    return Conservative(premises[0].process)


for _id, _title, _citation, _conditions, _conclude in (
    (
        "divergence-scheduled",
        "Renyi divergence of a linear SDE whose coefficients depend on the time",
        Citation("vanerven2014", "section II", "Gaussian laws of one covariance"),
        nothing,
        _divergence,
    ),
    (
        "rdp-scheduled",
        "Renyi differential privacy of a linear SDE whose coefficients depend on the time",
        Citation("balle2019", "Theorem 6, Corollary 7", "the supremum over neighbours"),
        _eigenvalue,
        _rdp,
    ),
    (
        "gdp-scheduled",
        "Gaussian differential privacy of a linear SDE whose coefficients depend on the time",
        Citation("dong2019", "Theorem 1", "two Gaussian laws of one covariance"),
        _eigenvalue,
        _gdp,
    ),
    (
        "conservative-scheduled",
        "No explosion of a linear SDE whose coefficients depend on the time",
        Citation("karatzas1991", "section 5.6", "linear SDEs"),
        nothing,
        _conservative,
    ),
):
    register(
        Rule(
            id=_id,
            title=_title,
            citation=_citation,
            premises=(ScheduledKernel,),
            conditions=_conditions,  # type: ignore[arg-type]
            conclude=_conclude,  # type: ignore[arg-type]
            tightness="exact",
        )
    )

# --- what is left in the end, kappa and Lambda ----------------------------------------------------------------------


def _limit_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    (kernel,) = premises
    precision, limit = matrix(kernel.precision), matrix(params["limit"])
    for i in range(precision.rows):
        for j in range(i + 1):
            args = (precision[i, j], limit[i, j], TIME, time_region(kernel.process))
            statement = f"an entry of the inverse of W tends to {to_text(limit[i, j])}"
            yield Condition(f"limit {i + 1}, {j + 1}", statement, "limit at infinity", args)
    yield Condition("symmetric", "the limit is a symmetric matrix", "fact", (limit == limit.T,))


def _limit(premises: tuple[Any, ...], params: Params) -> LimitDivergence:
    """``R_alpha(oo) = (alpha/2) z^T W(oo)^{-1} z``, zero where W grows without bound."""
    process = premises[0].process
    return LimitDivergence(process, quadratic(ALPHA / 2 * matrix(params["limit"]), displacement(process)))


register(
    Rule(
        id="limit-scheduled",
        title="Limit divergence of a linear SDE whose coefficients depend on the time",
        citation=Citation("vanerven2014", "section II", "Gaussian laws of one covariance"),
        premises=(ScheduledKernel,),
        conditions=_limit_conditions,
        conclude=_limit,
        tightness="exact",
    )
)


def _flow(premises: tuple[Any, ...], _: Params) -> HeatFlow:
    """``kappa = p^T v v^T p/2`` with ``p = E^T W^{-1} z``, ``Lambda = z^T W^{-1} z/2`` less its limit: the logarithm of
    ``p_t(x, .)/p_t(x', .)`` is affine with gradient p, and ``-(W^{-1})' = W^{-1} E v v^T E^T W^{-1}``.
    """
    kernel, limit = premises
    process, precision, backward = kernel.process, matrix(kernel.precision), matrix(kernel.backward)
    z = displacement(process)
    kappa = quadratic(process.noise / 2, backward.T * precision * z)
    return HeatFlow(process, kappa, quadratic(precision / 2, z) - limit.value / ALPHA, pair_region(process))


register(
    Rule(
        id="heat-flow-scheduled",
        title="kappa and Lambda of a linear SDE whose coefficients depend on the time",
        citation=Citation("balle2019", "Theorem 6, Example 5, Corollary 7", "kappa and Lambda, for Gaussian kernels"),
        premises=(ScheduledKernel, LimitDivergence),
        conditions=same_process,
        conclude=_flow,
        tightness="exact",
    )
)
