"""Coefficients that depend on the time: a Gaussian kernel, another clock, or curvature that changes with the time."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Matrix

from symdp.derivation.clock import Search, derive_by_clock
from symdp.derivation.curvature_in_time import derive_by_curvature_in_time
from symdp.derivation.record import Assuming, Derivation, attempt, region_of
from symdp.diffusion.linear import NoClosedForm
from symdp.diffusion.process import Diffusion
from symdp.diffusion.scheduled import rows, solve
from symdp.errors import Refused
from symdp.theorem import apply


def derive_in_time(process: Diffusion, assuming: Assuming, linear: bool, search: Search) -> Derivation:
    """The best theorems for a diffusion whose coefficients depend on the time; ``search`` derives homogeneous ones.

    Raises :class:`Refused` with what each way lacks where none is found.
    """
    ways: list[Callable[[], Derivation]] = [lambda: derive_by_clock(process, assuming, search)]
    if linear:
        ways.insert(0, lambda: _by_kernel(process, assuming))
    ways.append(lambda: derive_by_curvature_in_time(process, assuming))
    failed: list[Refused] = []
    for way in ways:
        try:
            return way()
        except Refused as refusal:
            failed.append(refusal)
    reasons = dict.fromkeys(str(refusal) for refusal in failed)
    hypotheses = dict.fromkeys(item for refusal in failed for item in refusal.hypotheses)
    raise Refused("the coefficients depend on the time: " + "; ".join(reasons), tuple(hypotheses))


def _by_kernel(process: Diffusion, assuming: Assuming) -> Derivation:
    try:
        parts = solve(process, region_of(process, assuming))
    except NoClosedForm as error:
        raise Refused(str(error)) from error
    kernel = apply("scheduled-kernel", assuming=assuming, process=process, **parts)
    divergence = apply("divergence-scheduled", kernel, assuming=assuming)
    privacy, missing = attempt("rdp-scheduled", kernel, assuming=assuming)
    gaussian, _ = attempt("gdp-scheduled", kernel, assuming=assuming)
    limit = flow = heat_flow = None
    try:
        zero = rows(Matrix.zeros(process.dimension, process.dimension))
        limit = apply("limit-scheduled", kernel, assuming=assuming, limit=zero)
        flow = apply("heat-flow-scheduled", kernel, limit, assuming=assuming)
        conservative = apply("conservative-scheduled", kernel, assuming=assuming)
        heat_flow = apply("heat-flow", conservative, flow, limit, assuming=assuming)
    except Refused:
        pass  # the start is not forgotten, or not for ever observed: the divergence itself does not need it
    return Derivation(process, kernel, divergence, flow, limit, heat_flow, privacy, gaussian, (), missing)
