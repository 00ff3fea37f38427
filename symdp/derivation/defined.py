"""Whether the coefficients of a diffusion, as they were typed, are real numbers inside its domain."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Symbol

from symdp.decide import Refuted, Unknown, decide
from symdp.derivation.record import Assuming, region_of
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError
from symdp.region import Region
from symdp.text import Relation, to_text


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
