"""Whether coefficients, as they were typed, and proposals are real numbers inside the domain of a diffusion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from sympy import Expr, Symbol

from symdp.decide import Proved, Refuted, Unknown, decide, is_zero, normal
from symdp.derivation.record import Assuming, region_of
from symdp.diffusion.kernels import unit_coordinate
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError
from symdp.region import Region
from symdp.text import Relation, definedness, to_text


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


def defined_on(inside: Region) -> Callable[[Expr], bool]:
    """Whether an expression is proved to be defined everywhere on a region, as a function of it."""
    return lambda e: all(isinstance(decide(r, inside), Proved) for r in definedness(e))


@lru_cache(maxsize=32)
def coordinate_on(process: Diffusion, inside: Region) -> Expr | None:
    """The unit coordinate of a process, defined on a region; None if no usual function is one."""
    return unit_coordinate(process, defined_on(inside), lambda e: is_zero(e, inside), normal)


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
