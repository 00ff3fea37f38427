"""One dimension: Doob transforms of the Brownian and of the Mehler kernel."""

from __future__ import annotations

from symdp.decide import is_zero, normal, sign
from symdp.derivation.defined import defined_on
from symdp.derivation.record import Assuming, Derivation, attempt, region_of
from symdp.diffusion.kernels import Proposal, propose
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.evidence import Evidence
from symdp.theorem import Theorem, apply


def derive_on_the_line(process: Diffusion, assuming: Assuming) -> Derivation:
    """The theorems of the kernel class that is proposed; :class:`Refused` where there is none."""
    region, inside = region_of(process, assuming), region_of(process, assuming, interior=True)
    conservative = apply(
        "conservative-1d", assuming=assuming, process=process
    )  # first: an explosion is the better refusal

    proposal = propose(process, defined_on(inside), lambda e: is_zero(e, inside), lambda e: sign(e, region), normal)
    if isinstance(proposal, str):
        evidence = Evidence(
            "kernel class", "the kernel is a Doob transform of the Brownian or the Mehler kernel", "unknown", proposal
        )
        raise Refused(f"no kernel class: {proposal}", (*conservative.hypotheses, evidence))
    kernel = _kernel(process, proposal, assuming)
    divergence = apply(f"{proposal.kind}-doob-divergence", kernel, assuming=assuming)
    flow = apply(f"heat-flow-{proposal.kind}", kernel, assuming=assuming)
    try:
        merges = apply("merging-recurrent", assuming=assuming, process=process)
        merging = merges.evidence
        limit = apply("limit-of-merging", merges, divergence, assuming=assuming)
    except Refused as refusal:
        merging = tuple(refusal.hypotheses)
        limit = apply(f"{proposal.kind}-doob-limit", kernel, assuming=assuming)
    heat_flow = apply("heat-flow", conservative, flow, limit, assuming=assuming)
    privacy, missing = attempt(f"rdp-{proposal.kind}-doob", kernel, assuming=assuming)
    return Derivation(process, kernel, divergence, flow, limit, heat_flow, privacy, None, merging, missing)


def _kernel(process: Diffusion, proposal: Proposal, assuming: Assuming) -> Theorem:
    common = {"process": process, "coordinate": proposal.coordinate, "rate": proposal.rate}
    if proposal.kind == "brownian":
        return apply("brownian-doob-kernel", assuming=assuming, constant=proposal.constant, **common)
    return apply("mehler-doob-kernel", assuming=assuming, side=proposal.side, degree=proposal.degree, **common)
