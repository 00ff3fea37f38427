"""Diffusions with an end whose kernel is known although its divergence has no closed form: a bound of kappa."""

from __future__ import annotations

from sympy import Expr, Integer, Rational, log, pi

from symdp.ball import Enclosure
from symdp.decide import Proved, decide, is_zero, normal
from symdp.derivation.defined import defined_on
from symdp.derivation.record import Assuming, Derivation, region_of
from symdp.diffusion.half_line import DriftProposal, IntervalProposal, propose_end
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import Refused, SymdpError
from symdp.evidence import Evidence
from symdp.judgments import BesselKernel, ReflectedDriftKernel, ReflectedIntervalKernel
from symdp.mechanisms.transition.slope import steepest
from symdp.text import Relation, to_text
from symdp.theorem import Theorem, apply

FACTOR_DIGITS = 8
"""Significant digits of the factor ``c_nu``, rounded up."""


def derive_by_kernel_bound(process: Diffusion, assuming: Assuming, refusal: Refused | None = None) -> Derivation:
    """The bound that the supremum of kappa gives for a Bessel diffusion or a reflected interval.

    Raises :class:`Refused` for every other process; ``refusal`` is why there is no exact divergence.
    """
    kernel = kernel_with_end(process, assuming)
    if isinstance(kernel.conclusion, ReflectedDriftKernel):
        raise _none("of a wall with a constant drift the kernel is known, but no bound of kappa")
    conservative = apply("conservative-1d", assuming=assuming, process=process)
    if isinstance(kernel.conclusion, BesselKernel):
        return _bessel(process, kernel, conservative, assuming)
    return _interval(process, kernel, conservative, assuming)


def kernel_with_end(process: Diffusion, assuming: Assuming) -> Theorem:
    """The kernel of a diffusion on a half line or an interval; :class:`Refused` where none of ours is it."""
    if process.dimension != 1 or not process.homogeneous:
        raise _none("the process has several coordinates or depends on the time")
    inside = region_of(process, assuming, interior=True)

    proposal = propose_end(process, defined_on(inside), lambda e: is_zero(e, inside), normal)
    if isinstance(proposal, str):
        raise _none(proposal)
    if isinstance(proposal, DriftProposal):
        params = {"coordinate": proposal.coordinate, "velocity": proposal.velocity, "side": proposal.side}
        return apply("reflected-drift-kernel", assuming=assuming, process=process, **params)
    if isinstance(proposal, IntervalProposal):
        params = {"coordinate": proposal.coordinate, "length": proposal.length}
        return apply("reflected-interval-kernel", assuming=assuming, process=process, **params)
    params = {"coordinate": proposal.coordinate, "index": proposal.index, "rate": proposal.rate, "side": proposal.side}
    return apply("bessel-kernel", assuming=assuming, process=process, **params)


def _none(reason: str) -> Refused:
    statement = "a Bessel diffusion, or constant drift and a wall, or two walls and no drift"
    return Refused(f"no kernel with an end: {reason}", (Evidence("kernel with an end", statement, "unknown", reason),))


def _bessel(process: Diffusion, kernel: Theorem, conservative: Theorem, assuming: Assuming) -> Derivation:
    assert isinstance(kernel.conclusion, BesselKernel)
    index = kernel.conclusion.index
    factor = _factor(index, process, assuming)
    divergence = apply("bessel-divergence", kernel, assuming=assuming, factor=factor)
    notes = (f"by the supremum of kappa over the Bessel kernel of index {index}",)
    try:
        flow = apply("heat-flow-bessel", kernel, assuming=assuming, factor=factor)
        merges = apply("merging-bessel", kernel, assuming=assuming)
        limit = apply("limit-of-merging", merges, divergence, assuming=assuming)
        heat_flow = apply("heat-flow", conservative, flow, limit, assuming=assuming)
    except Refused as refusal:  # a drift that pushes away from 0: the start is not forgotten, and the bound stands
        return Derivation(process, kernel, divergence, merging=tuple(refusal.hypotheses), notes=notes)
    return Derivation(process, kernel, divergence, flow, limit, heat_flow, merging=merges.evidence, notes=notes)


def _factor(index: Expr, process: Diffusion, assuming: Assuming) -> Expr:
    """A decimal that is at least ``c_nu``."""
    if isinstance(decide(Relation(index - Rational(1, 2), ">="), region_of(process, assuming)), Proved):
        return Integer(1)
    if index.free_symbols:
        raise _none(f"the index {index} may lie below 1/2, where the supremum is known for numbers only")
    try:
        found: Enclosure = steepest(lambda bits: enclose(index, {}, bits // 3).to_arb(), FACTOR_DIGITS + 6)
    except SymdpError as error:
        raise _none(str(error)) from None
    return Rational(found.to_decimal(FACTOR_DIGITS)[1])


def _interval(process: Diffusion, kernel: Theorem, conservative: Theorem, assuming: Assuming) -> Derivation:
    divergence = apply("reflected-interval-divergence", kernel, assuming=assuming)
    flow = apply("heat-flow-reflected-interval", kernel, assuming=assuming)
    merges = apply("merging-recurrent", assuming=assuming, process=process)
    limit = apply("limit-of-merging", merges, divergence, assuming=assuming)
    heat_flow = apply("heat-flow", conservative, flow, limit, assuming=assuming)
    assert isinstance(kernel.conclusion, ReflectedIntervalKernel)
    later = to_text(log(4) * (kernel.conclusion.length / pi) ** 2)
    notes = (f"kappa, Lambda and Theorem 6 are those of the cosine series, for t >= {later}; the bound is for t > 0",)
    return Derivation(process, kernel, divergence, flow, limit, heat_flow, merging=merges.evidence, notes=notes)
