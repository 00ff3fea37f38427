"""From a diffusion to its theorems: an untrusted search that proposes parameters and lets the rules accept them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sympy import Add, Expr, Integer, Matrix, Symbol, factor_list

import symdp.rules  # noqa: F401  (registers the rules)
from symdp.decide import Proved, Refuted, Unknown, decide, is_zero, normal, sign
from symdp.diffusion.kernels import Proposal, propose
from symdp.diffusion.linear import LinearBlock, NoClosedForm, solve_block, stationary_covariance
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError, Refused
from symdp.evidence import Evidence
from symdp.region import Region
from symdp.rules.conditions import TIME
from symdp.rules.linear import blocks, linear_part
from symdp.text import Relation, definedness, to_text
from symdp.text.control import MEANING
from symdp.theorem import Theorem, apply

Assuming = Sequence[str | Relation]


@dataclass(frozen=True)
class Derivation:
    """The theorems found for one diffusion; ``divergence`` is the best bound for a pair of starts.

    ``privacy`` and ``gaussian`` are the Renyi and the Gaussian guarantee for neighbours at distance Delta; where
    there is none,
    ``missing`` says why. ``flow``, ``limit`` and ``heat_flow`` are Theorem 6: kappa and Lambda, what is never
    forgotten, and
    the bound they give. ``merging`` is the evidence on whether the start is forgotten.
    """

    process: Diffusion
    kernel: Theorem
    divergence: Theorem
    flow: Theorem | None = None
    limit: Theorem | None = None
    heat_flow: Theorem | None = None
    privacy: Theorem | None = None
    gaussian: Theorem | None = None
    merging: tuple[Evidence, ...] = ()
    missing: str | None = None
    notes: tuple[str, ...] = field(default=())


def region_of(process: Diffusion, assuming: Assuming, *, interior: bool = False) -> Region:
    """Parameters (and the open domain) with the assumed relations."""
    region = process.interior if interior else process.params
    relations = [item for item in assuming if isinstance(item, Relation)]
    return region.intersect(relations) if relations else region


def check_defined(process: Diffusion, assuming: Assuming = ()) -> None:
    """Raise :class:`InputError` with a point where a coefficient, as it was typed, is undefined or complex inside the
    domain.
    """
    region = region_of(process, assuming, interior=True)
    for relation in process.conditions:
        verdict = decide(relation, region)
        if isinstance(verdict, Refuted):
            where = f"at {_point(verdict.witness)}"
        elif isinstance(verdict, Unknown) and relation.op == "!=" and (pair := _sign_change(relation.expr, region)):
            where = f"between {_point(pair[0])} and {_point(pair[1])}"
        else:
            continue
        raise InputError(
            f"undefined or complex {where}, where {relation} fails",
            place="drift or diffusion",
            remedy="restrict the domain (--domain) or the parameters (--param)",
        )


def _point(witness: Mapping[Symbol, Expr]) -> str:
    return ", ".join(f"{s} = {to_text(value)}" for s, value in witness.items())


def _sign_change(expr: Expr, region: Region) -> tuple[Mapping[Symbol, Expr], Mapping[Symbol, Expr]] | None:
    """Two points of a box where ``expr`` has opposite signs: between them it vanishes or is undefined."""
    if region.constraints:
        return None
    below, above = (decide(Relation(side * expr, ">"), region) for side in (1, -1))
    if isinstance(below, Refuted) and isinstance(above, Refuted):
        return below.witness, above.witness
    return None


def derive(process: Diffusion, assuming: Assuming = ()) -> Derivation:
    """The best theorems the rules give for a diffusion.

    ``assuming``: names of hypotheses and relations between parameters that the user vouches for; those that were
    needed are listed
    in the theorems' assumptions. Raises :class:`InputError` for coefficients that are undefined inside the domain and
    :class:`Refused`, with every hypothesis looked at, where no theorem is found.
    """
    check_defined(process, assuming)
    if _is_linear(process):
        return _linear(process, assuming)
    if process.dimension == 1:
        return _one_dimension(process, assuming)
    raise Refused(
        "no kernel class: in several dimensions the drift must be linear and the noise constant, on the whole space",
        (
            Evidence(
                "kernel class",
                "linear drift, constant noise, whole space",
                "refuted",
                "the coefficients are not of this form",
            ),
        ),
    )


# --- linear ---------------------------------------------------------------------------------------------------------


def _is_linear(process: Diffusion) -> bool:
    """Constant noise, and ``u = u(0) + sum_i x_i (u(e_i) - u(0))`` on the whole space: no derivative of a long drift
    is taken.
    """
    if not process.whole_space or any(e.has(*process.state) for row in process.diffusion for e in row):
        return False
    origin = {s: Integer(0) for s in process.state}
    for u in process.drift:
        at_origin = u.xreplace(origin)
        slopes = {s: u.xreplace(origin | {s: Integer(1)}) - at_origin for s in process.state if u.has(s)}
        if not is_zero(u - at_origin - Add(*[s * slope for s, slope in slopes.items()]), process.region):
            return False
    return True


def _linear(process: Diffusion, assuming: Assuming) -> Derivation:
    """In closed form where the matrix exponential has one for all parameters, else through the control energy."""
    region = region_of(process, assuming)
    a = linear_part(process).applyfunc(normal)
    try:
        solved = [solve_block(a, process.noise, index, TIME, lambda e: sign(e, region)) for index in blocks(process)]
    except NoClosedForm as error:
        where = "" if error.undecided is None else f" (where {Relation(-error.undecided, '>')} there is one)"
        return _controlled(process, a, f"no closed form: {error}{where}", assuming)
    n = process.dimension
    formulas = [e for block in solved for rows in (block.backward, block.gramian) for row in rows for e in row]
    undefined = [r for r in _parameter_conditions(formulas) if not isinstance(decide(r, region), Proved)]
    if undefined:
        where = ", ".join(map(str, undefined))
        return _controlled(process, a, f"a closed form holds only where {where}, and reads 0/0 elsewhere", assuming)
    parts = {part: _assemble(n, solved, part) for part in ("backward", "gramian", "precision")}
    kernel = apply("linear-kernel", assuming=assuming, process=process, **parts)
    divergence = apply("gaussian-divergence", kernel, assuming=assuming)
    conservative = apply("conservative-linear", assuming=assuming, process=process)
    limit, merging = _linear_limit(process, kernel, divergence, solved, assuming)
    flow = heat_flow = None
    if limit is not None:
        flow = apply("heat-flow-linear", kernel, limit, assuming=assuming)
        heat_flow = apply("heat-flow", conservative, flow, limit, assuming=assuming)
    privacy, missing = _try("rdp-linear", kernel, assuming=assuming)
    gaussian, _ = _try("gdp-linear", kernel, assuming=assuming)
    return Derivation(process, kernel, divergence, flow, limit, heat_flow, privacy, gaussian, merging, missing)


def _parameter_conditions(exprs: Sequence[Expr]) -> list[Relation]:
    """What the parameters must satisfy for the expressions to be defined at all times; a product that must not vanish
    is taken factor by factor.
    """
    found: dict[Relation, None] = {}
    for relation in dict.fromkeys(r for e in exprs for r in definedness(e) if TIME not in r.free_symbols):
        if relation.op != "!=" or not relation.free_symbols:
            found[relation] = None
            continue
        for part, _ in factor_list(relation.expr)[1]:
            found[Relation(part, "!=")] = None
    return list(found)


def _controlled(process: Diffusion, a: Matrix, why: str, assuming: Assuming) -> Derivation:
    """The theorems in terms of the control energy, and a note why they are not in closed form."""
    matrices = {"drift": _rows(a), "noise": _rows(process.noise.applyfunc(normal))}
    kernel = apply("controllable-kernel", assuming=assuming, process=process, **matrices)
    divergence = apply("divergence-controlled", kernel, assuming=assuming)
    privacy = apply("rdp-controlled", kernel, assuming=assuming)
    gaussian = apply("gdp-controlled", kernel, assuming=assuming)
    limit, merging = _controlled_limit(process, a, kernel, divergence, assuming)
    flow = heat_flow = None
    if limit is not None:
        conservative = apply("conservative-linear", assuming=assuming, process=process)
        flow = apply("heat-flow-controlled", kernel, limit, assuming=assuming)
        heat_flow = apply("heat-flow", conservative, flow, limit, assuming=assuming)
    return Derivation(
        process, kernel, divergence, flow, limit, heat_flow, privacy, gaussian, merging, None, (f"{why}; {MEANING}",)
    )


def _controlled_limit(
    process: Diffusion, a: Matrix, kernel: Theorem, divergence: Theorem, assuming: Assuming
) -> tuple[Theorem | None, tuple[Evidence, ...]]:
    """What is left as t grows: zero, or a quadratic form when every eigenvalue repels; None when it is neither or
    undecided.
    """
    try:
        merging = apply("merging-controlled", kernel, assuming=assuming)
        return apply("limit-of-merging", merging, divergence, assuming=assuming), merging.evidence
    except Refused as refusal:
        evidence = tuple(item for item in refusal.hypotheses if item.name.startswith("Hurwitz"))
    limit = stationary_covariance(-a, process.noise)
    if limit is None:
        return None, evidence
    try:
        matrices = {"limit": _rows(limit), "precision": _rows(limit.inv().applyfunc(normal))}
        return apply("limit-controlled-repelling", kernel, assuming=assuming, **matrices), evidence
    except (Refused, ValueError):  # ValueError: a singular solution belongs to no repelling drift
        return None, evidence


def _rows(matrix: Matrix) -> tuple[tuple[Expr, ...], ...]:
    return tuple(tuple(matrix.row(i)) for i in range(matrix.rows))


def _assemble(n: int, solved: Sequence[LinearBlock], part: str) -> tuple[tuple[Expr, ...], ...]:
    whole = Matrix.zeros(n, n)
    for block in solved:
        rows = getattr(block, part)
        for i, row in zip(block.index, rows, strict=True):
            for j, entry in zip(block.index, row, strict=True):
                whole[i, j] = entry
    return _rows(whole)


def _linear_limit(
    process: Diffusion, kernel: Theorem, divergence: Theorem, solved: Sequence[LinearBlock], assuming: Assuming
) -> tuple[Theorem | None, tuple[Evidence, ...]]:
    """What is left as t grows: zero, or a quadratic form when every eigenvalue repels; None when it is neither or
    undecided.
    """
    # of a conjugate pair one is listed, as the rule wants it
    spectrum = tuple((e.re, e.im, e.multiplicity) for b in solved for e in _one_of_each_pair(b))
    try:
        merging = apply("merging-linear", kernel, assuming=assuming, spectrum=spectrum)
        return apply("limit-of-merging", merging, divergence, assuming=assuming), merging.evidence
    except Refused as refusal:
        evidence = tuple(item for item in refusal.hypotheses if item.name.startswith("eigenvalue"))
    limit = _assemble(process.dimension, solved, "limit")
    try:
        inverse = Matrix([list(row) for row in limit]).inv().applyfunc(normal)
        precision = _rows(inverse)
        return (
            apply(
                "limit-linear-repelling", kernel, assuming=assuming, spectrum=spectrum, limit=limit, precision=precision
            ),
            evidence,
        )
    except (
        Refused,
        ValueError,
    ):  # ValueError: the constant part of the Gramian is singular, so not every eigenvalue repels
        return None, evidence


def _one_of_each_pair(block: LinearBlock) -> list:  # type: ignore[type-arg]
    kept = []
    for k, e in enumerate(block.spectrum):
        if e.im == 0 or not any(f.im == -e.im and f.re == e.re for f in block.spectrum[:k]):
            kept.append(e)
    return kept


def _try(rule: str, *premises: Theorem, assuming: Assuming, **params: object) -> tuple[Theorem | None, str | None]:
    try:
        return apply(rule, *premises, assuming=assuming, **params), None
    except Refused as refusal:
        return None, str(refusal)


# --- one dimension --------------------------------------------------------------------------------------------------


def _one_dimension(process: Diffusion, assuming: Assuming) -> Derivation:
    region, inside = region_of(process, assuming), region_of(process, assuming, interior=True)
    conservative = apply(
        "conservative-1d", assuming=assuming, process=process
    )  # first: an explosion is the better refusal

    def defined(e: Expr) -> bool:
        return all(isinstance(decide(r, inside), Proved) for r in definedness(e))

    proposal = propose(process, defined, lambda e: is_zero(e, inside), lambda e: sign(e, region), normal)
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
    privacy, missing = _try(f"rdp-{proposal.kind}-doob", kernel, assuming=assuming)
    return Derivation(process, kernel, divergence, flow, limit, heat_flow, privacy, None, merging, missing)


def _kernel(process: Diffusion, proposal: Proposal, assuming: Assuming) -> Theorem:
    common = {"process": process, "coordinate": proposal.coordinate, "rate": proposal.rate}
    if proposal.kind == "brownian":
        return apply("brownian-doob-kernel", assuming=assuming, constant=proposal.constant, **common)
    return apply("mehler-doob-kernel", assuming=assuming, side=proposal.side, degree=proposal.degree, **common)
