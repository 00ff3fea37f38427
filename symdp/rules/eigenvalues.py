"""The hypothesis that a symmetric matrix has no negative eigenvalue at any point of a region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Matrix, S

from symdp.decide import Proved, Unknown, Verdict, decide
from symdp.diffusion.calculus import symmetric_sums
from symdp.evidence import Condition, register_decider
from symdp.region import Region
from symdp.text import Relation

Rows = tuple[tuple[Expr, ...], ...]
Parts = tuple[tuple[Expr, Rows], ...]
"""Functions and constant matrices: the matrix is the sum of their products."""


def no_negative_eigenvalue(matrix: Matrix, region: Region, parts: Parts = ()) -> Condition:
    """``Gamma_2 - k Gamma >= 0``; ``parts``: the same matrix in parts, where that is known."""
    statement = "no eigenvalue of Gamma_2 - k Gamma is negative"
    rows = tuple(map(tuple, matrix.tolist()))
    return Condition("curvature", statement, "no negative eigenvalue", (rows, region, parts))


def _decide(rows: Rows, region: Region, parts: Parts, *, assuming: Sequence[Relation]) -> Verdict:
    """By parts ``f M`` with f and M not negative; else by the elementary symmetric functions of the eigenvalues."""
    region = region.intersect(assuming) if assuming else region
    certificates = _by_parts(parts, region) if parts and _is_sum(rows, parts, region) else None
    if certificates is not None:
        return Proved({"engine": "parts", "checks": certificates})
    certificates = []
    for n, total in enumerate(symmetric_sums(Matrix([list(row) for row in rows])), 1):
        verdict = decide(Relation(total, ">="), region)
        if isinstance(verdict, Unknown):
            return Unknown(f"the elementary symmetric function {n} of the eigenvalues: {verdict.reason}")
        if not isinstance(verdict, Proved):
            return verdict
        certificates.append(verdict.certificate)
    return Proved({"engine": "symmetric functions", "checks": certificates})


def _is_sum(rows: Rows, parts: Parts, region: Region) -> bool:
    """Whether the parts are proved to add up to the matrix."""
    rest = Matrix([list(row) for row in rows])
    for f, part in parts:
        rest -= f * Matrix([list(row) for row in part])
    gaps = (entry.expand() for entry in rest)
    return all(gap == 0 or isinstance(decide(Relation(gap, "=="), region), Proved) for gap in gaps)


def _by_parts(parts: Parts, region: Region) -> list[Any] | None:
    certificates: list[Any] = []
    for f, rows in parts:
        side, known = S.One, decide(Relation(f, ">="), region)
        if not isinstance(known, Proved):
            side, known = S.NegativeOne, decide(Relation(-f, ">="), region)
        if not isinstance(known, Proved):
            return None
        certificates.append(known.certificate)
        for total in symmetric_sums(side * Matrix([list(row) for row in rows])):
            verdict = decide(Relation(total, ">="), region)
            if not isinstance(verdict, Proved):
                return None
            certificates.append(verdict.certificate)
    return certificates


register_decider("no negative eigenvalue", _decide)
