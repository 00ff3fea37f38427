"""A relation on a region: Proved with a certificate, Refuted with an exact witness, or Unknown.

Engines in turn: exact values and the normal form; signs by structure; z3 for what is polynomial once the transcendental
functions are variables with proved facts. A refutation always comes with an exact point of the region.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import sympy as sp

from symdp.decide.domain import Domain, nodes, violated, witness_certificate
from symdp.decide.engines import prove_relation
from symdp.decide.normal import normal
from symdp.decide.verdict import Proved, Refuted, Unknown, Verdict
from symdp.decide.witness import edge_points, inhabited
from symdp.decide.zero import zero_verdict
from symdp.errors import InputError
from symdp.region import Interval, Region
from symdp.text import Relation, parse

__all__ = [
    "Proved",
    "Refuted",
    "Unknown",
    "Verdict",
    "decide",
    "implies",
    "is_zero",
    "normal",
    "recheck",
    "recheck_refutation",
    "sign",
]

#: Points tried before the provers and after them.
FIRST_POINTS, MORE_POINTS = 6, 60
#: Nodes of an expression beyond which nothing is tried.
MOST_NODES = 20_000


def decide(relation: Relation, region: Region, *, assuming: Sequence[Relation] = ()) -> Verdict:
    """Whether ``relation`` holds at every point of ``region`` (cut down by ``assuming``).

    Proved: it is defined and true everywhere (``==``: equal wherever defined). Refuted: it fails at the exact witness.
    Nothing is proved of a region that is seen to be empty, except that a false relation between constants holds on it.
    Raises InputError for a relation about a symbol the region does not have, or a region that is visibly empty.
    """
    domain = _domain(relation, region, assuming)
    if nodes(relation.expr) > MOST_NODES:
        return Unknown("the expression is too large")
    if relation.free_symbols and not inhabited(domain):
        return Unknown("the region is empty, so that nothing is proved of it")
    if relation.op == "==":
        return _bound(zero_verdict(domain, relation.expr), relation, domain.region)
    first, more = (FIRST_POINTS, MORE_POINTS) if relation.free_symbols else (1, 0)  # a constant is the same everywhere
    for point in domain.points(first, "first"):
        if violated(relation, point):
            return _bound(Refuted(point, witness_certificate(relation, point)), relation, domain.region)
    verdict = prove_relation(domain, relation)
    if isinstance(verdict, Unknown):
        for point in chain(domain.points(more, "more"), edge_points(domain, relation)):
            if violated(relation, point):
                verdict = Refuted(point, witness_certificate(relation, point))
                break
    return _bound(verdict, relation, domain.region)


def _domain(relation: Relation, region: Region, assuming: Sequence[Relation]) -> Domain:
    narrowed = region.intersect(assuming) if assuming else region
    if missing := relation.free_symbols - set(region.symbols):
        raise InputError(
            f"{relation} speaks about {', '.join(sorted(s.name for s in missing))}",
            place="decide",
            remedy="extend the region by it",
        )
    return Domain(narrowed)


def _bound(verdict: Verdict, relation: Relation, region: Region) -> Verdict:
    """Write into the certificate what it is a certificate of."""
    if isinstance(verdict, Unknown):
        return verdict
    certificate = verdict.certificate | {"relation": str(relation), "region": str(region)}
    return Proved(certificate) if isinstance(verdict, Proved) else Refuted(verdict.witness, certificate)


def recheck(
    certificate: Mapping[str, Any], relation: Relation, region: Region, assuming: Sequence[Relation] = ()
) -> bool:
    """Whether a certificate proves this relation on this region: what it names is run again and must say the same.

    The certificate of a refutation proves nothing; :func:`recheck_refutation` is for those.
    """
    domain = _domain(relation, region, assuming)
    if nodes(relation.expr) > MOST_NODES or (relation.free_symbols and not inhabited(domain)):
        return False
    if certificate.get("engine") == "witness":
        return False
    again = (
        zero_verdict(domain, relation.expr) if relation.op == "==" else prove_relation(domain, relation, certificate)
    )
    return _says(again, Proved, certificate, relation, domain)


def recheck_refutation(
    certificate: Mapping[str, Any], relation: Relation, region: Region, assuming: Sequence[Relation] = ()
) -> bool:
    """Whether a certificate refutes this relation: the relation fails at the point of the region that it names."""
    domain = _domain(relation, region, assuming)
    return _says(_witnessed(certificate, relation, domain), Refuted, certificate, relation, domain)


def _says(verdict: Verdict, kind: type, certificate: Mapping[str, Any], relation: Relation, domain: Domain) -> bool:
    bound = _bound(verdict, relation, domain.region)
    return isinstance(bound, kind) and not isinstance(bound, Unknown) and bound.certificate == dict(certificate)


def _witnessed(certificate: Mapping[str, Any], relation: Relation, domain: Domain) -> Verdict:
    """The refutation at the point that a certificate names."""
    try:
        point = {s: parse(certificate["point"][s.name], place="stored point") for s in domain.symbols}
    except (KeyError, TypeError, InputError):
        return Unknown("the certificate names no point")
    if domain.region.contains(point) is not True or not violated(relation, point):
        return Unknown("the relation does not fail there")
    return Refuted(point, witness_certificate(relation, point))


def is_zero(expr: sp.Expr, region: Region | None = None) -> bool | None:
    """True when ``expr`` is proved to be zero wherever it is defined, False when a point shows otherwise, else None."""
    if region is None:
        region = Region.make({s: Interval.real() for s in sorted(expr.free_symbols, key=str)})
    verdict = decide(Relation(expr, "=="), region)
    return None if isinstance(verdict, Unknown) else isinstance(verdict, Proved)


def sign(expr: sp.Expr, region: Region) -> int | None:
    """The sign +1, -1 or 0 that ``expr`` has at every point of the region, or None when none is proved."""
    for op, value, result in ((">", expr, 1), (">", -expr, -1), ("==", expr, 0)):
        if isinstance(decide(Relation(value, op), region), Proved):
            return result
    return None


def implies(premises: Sequence[Relation], conclusion: Relation, region: Region) -> Verdict:
    """Whether the conclusion holds at the points of the region where all premises do."""
    return decide(conclusion, region, assuming=premises)
