"""Where no kernel is known: a lower bound of the curvature is proposed, and the rules prove what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sympy import Abs, Expr
from sympy import sign as sign_function

from symdp.decide import is_zero, normal
from symdp.derivation.charts import divergence_in_a_chart
from symdp.derivation.curvature_bounds import MOST_TRIES, bounds_of, proposals
from symdp.derivation.defined import coordinate_on
from symdp.derivation.kinks import breaks_and_pieces, has_kinks
from symdp.derivation.record import Assuming, Derivation, region_of
from symdp.derivation.runaway import runaway
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused, SymdpError
from symdp.evidence import Evidence
from symdp.rules.one_sided import piece_regions
from symdp.text import to_text
from symdp.theorem import Theorem, apply

Found = tuple[Theorem, Theorem | None, str | None]
"""The divergence, the guarantee for neighbours at distance Delta, and why there is none."""


def derive_by_curvature(process: Diffusion, assuming: Assuming, refusal: Refused) -> Derivation:
    """The bound of the largest curvature bound that is proved among those proposed.

    Raises :class:`Refused` where none is proved: ``refusal``, with what was tried after it, and where the curvature
    runs away if it does.
    """
    if has_kinks(process):
        return _with_kinks(process, assuming, refusal)
    if any(e.has(Abs, sign_function) for e in (*process.drift, *process.noise)):
        reason = "by curvature: at a kink in several dimensions, or of the noise, it is not a function"
        raise Refused(f"{refusal}; {reason}", refusal.hypotheses)

    if process.dimension > 1 and is_zero(process.noise.det(), process.interior):
        reason = "by curvature: the noise leaves a direction out, and there the curvature is minus infinity"
        raise Refused(f"{refusal}; {reason}", refusal.hypotheses)

    def prove(bound: Expr) -> Found:
        return _divergence(process, bound, assuming), *_privacy(process, bound, assuming)

    return _first(process, proposals(process), prove, refusal, lambda: runaway(process))


def _first(
    process: Diffusion,
    bounds: Iterable[Expr],
    prove: Callable[[Expr], Found],
    refusal: Refused,
    where: Callable[[], str | None],
) -> Derivation:
    failed: Refused | None = None
    for bound in bounds:
        try:
            divergence, privacy, missing = prove(bound)
        except Refused as error:
            failed = failed or error
            continue
        except SymdpError:
            continue
        note = f"no kernel class; by the lower bound {to_text(bound)} of the curvature"
        return Derivation(process, None, divergence, privacy=privacy, missing=missing, notes=(note,))
    curvature_failed = failed is None or "curvature" in str(failed)
    reason = where() if curvature_failed else None
    reason = reason or ("no lower bound of the curvature was found" if failed is None else str(failed))
    evidence = Evidence("curvature bound", "Gamma_2(f) >= k Gamma(f) for a constant k", "unknown", reason)
    raise Refused(
        f"{refusal}; by curvature: {reason}",
        (*refusal.hypotheses, *(failed.hypotheses if failed is not None else ()), evidence),
    )


def _divergence(process: Diffusion, bound: Expr, assuming: Assuming) -> Theorem:
    constant = not any(e.has(*process.state) for row in process.diffusion for e in row)
    if constant and (process.dimension > 1 or process.whole_space):
        return apply("harnack-space", assuming=assuming, process=process, bound=bound)
    if process.dimension > 1:
        return divergence_in_a_chart(process, bound, assuming)
    coordinate = coordinate_on(process, region_of(process, assuming, interior=True))
    if coordinate is None:
        raise Refused("the intrinsic coordinate, an antiderivative of sqrt2/v, is none of the usual functions")
    return apply("harnack-line", assuming=assuming, process=process, bound=bound, coordinate=coordinate)


def _privacy(process: Diffusion, bound: Expr, assuming: Assuming) -> tuple[Theorem | None, str | None]:
    try:
        return apply("harnack-rdp", assuming=assuming, process=process, bound=bound), None
    except Refused as refusal:
        far = "the intrinsic distance of starts at distance Delta is not bounded on this domain"
        return None, str(refusal) if process.whole_space else far


def _with_kinks(process: Diffusion, assuming: Assuming, refusal: Refused) -> Derivation:
    """By the one-sided Lipschitz form, with a bound that fits every piece between the kinks."""
    params = region_of(process, assuming)
    try:
        breaks, pieces = breaks_and_pieces(process, params)
    except Refused as error:
        raise Refused(f"{refusal}; by the one-sided form: {error}", refusal.hypotheses) from None
    given: Mapping[str, Any] = {"process": process, "breaks": breaks, "pieces": pieces}
    (x,), found = process.state, []
    for piece, region in zip(pieces, piece_regions(process, breaks, closed=True), strict=True):
        found += bounds_of(normal(-piece.diff(x)), x, region, params)

    def prove(bound: Expr) -> Found:
        divergence = apply("harnack-one-sided", assuming=assuming, bound=bound, **given)
        return divergence, apply("one-sided-rdp", assuming=assuming, bound=bound, **given), None

    return _first(process, list(dict.fromkeys(found))[: 2 * MOST_TRIES], prove, refusal, lambda: None)
