"""Linear drift and constant noise in R^d: in closed form, or through the control energy."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Abs, Add, Expr, Integer, Matrix, factor_list
from sympy import sign as sign_function

from symdp.decide import Proved, decide, is_zero, normal, sign
from symdp.derivation.record import Assuming, Derivation, attempt, region_of
from symdp.diffusion.linear import LinearBlock, NoClosedForm, solve_block
from symdp.diffusion.lyapunov import stationary_covariance
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.evidence import Evidence
from symdp.rules.conditions import TIME
from symdp.rules.linear import blocks, linear_part
from symdp.text import Relation, definedness
from symdp.text.control import MEANING
from symdp.theorem import Theorem, apply


def is_linear(process: Diffusion) -> bool:
    """Constant noise, and ``u = u(0) + sum_i x_i (u(e_i) - u(0))`` on the whole space: no derivative of a long drift
    is taken. A drift typed with kinks is not, even where they cancel: its derivatives have no closed form.
    """
    if not process.whole_space or any(e.has(*process.state) for row in process.diffusion for e in row):
        return False
    if any(a.has(*process.state) for u in process.drift for a in u.atoms(Abs, sign_function)):
        return False
    origin = {s: Integer(0) for s in process.state}
    for u in process.drift:
        at_origin = u.xreplace(origin)
        slopes = {s: u.xreplace(origin | {s: Integer(1)}) - at_origin for s in process.state if u.has(s)}
        if not is_zero(u - at_origin - Add(*[s * slope for s, slope in slopes.items()]), process.region):
            return False
    return True


def derive_linear(process: Diffusion, assuming: Assuming) -> Derivation:
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
    privacy, missing = attempt("rdp-linear", kernel, assuming=assuming)
    gaussian, _ = attempt("gdp-linear", kernel, assuming=assuming)
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
