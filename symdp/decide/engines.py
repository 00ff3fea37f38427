"""The provers of an inequality, cheapest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symdp.decide import polynomial
from symdp.decide.branch import by_boxes
from symdp.decide.domain import Domain, sign_at, witness_certificate
from symdp.decide.effort import given
from symdp.decide.monotone import by_monotonicity
from symdp.decide.signs import expr_sign
from symdp.decide.verdict import Proved, Refuted, Unknown, Verdict
from symdp.decide.witness import from_model
from symdp.errors import InputError
from symdp.text import Relation, definedness

#: Points at which the side of a `!=` is looked for.
SAMPLES = 5


def prove_relation(domain: Domain, relation: Relation, guide: Mapping[str, Any] | None = None) -> Verdict:
    """Proved, Refuted by a model of z3, or Unknown with the reason.

    ``guide`` is a certificate to be gone through again: only what it names is run.
    """
    engine = None if guide is None else guide.get("engine")
    if engine in (None, "sign"):
        try:
            found = expr_sign(domain, relation.expr)
        except InputError as error:
            return Unknown(str(error))
        if found is not None and found.satisfies(relation.op):
            return Proved({"engine": "sign"})
        if engine == "sign":
            return Unknown("structure does not show it")
    missing = undefined_condition(domain, relation)
    if missing is not None:
        return Unknown(f"not known to be defined on the region: {missing} is not proved")
    if guide is not None:
        return _follow(domain, relation, guide)
    verdict, pending = by_z3(domain, relation)
    if not isinstance(verdict, Unknown):
        return verdict
    goal = positive_form(domain, relation)
    if goal is not None:
        certificate = by_monotonicity(domain, goal) or by_boxes(domain, goal)
        if certificate is not None:
            return Proved(certificate)
    return by_worker(domain, relation, pending) if pending is not None and given().hard else verdict


def _follow(domain: Domain, relation: Relation, guide: Mapping[str, Any]) -> Verdict:
    """Go through a certificate again."""
    if guide.get("engine") != "z3":
        goal, boxes = positive_form(domain, relation), guide.get("engine") == "boxes"
        if goal is None:
            return Unknown("the certificate does not fit the relation")
        certificate = by_boxes(domain, goal) if boxes else by_monotonicity(domain, goal, dict(guide))
        return Unknown("the certificate does not lead to a proof") if certificate is None else Proved(certificate)
    query = polynomial.query(domain, relation, guide["level"]) if guide.get("level") in (0, 1, 2) else None
    if query is None or query.text != guide.get("query"):
        return Unknown("the query is not the one of this relation")
    hard = guide.get("rlimit") == polynomial.HARD_RLIMIT
    answer = polynomial.ask_worker(query) if hard else polynomial.ask(query)
    limit = polynomial.HARD_RLIMIT if hard else polynomial.RLIMIT
    return _verdict(domain, relation, query, answer, guide["level"], limit) or Unknown("z3 does not prove it")


def positive_form(domain: Domain, relation: Relation) -> Relation | None:
    """The relation itself, or for ``!=`` the strict inequality that a sample suggests and that implies it."""
    if relation.op != "!=":
        return relation if relation.op in (">", ">=") else None
    signs = {sign_at(relation.expr, point) for point in domain.points(SAMPLES, "side")} - {None}
    return Relation(relation.expr * signs.pop(), ">") if signs in ({1}, {-1}) else None


def undefined_condition(domain: Domain, relation: Relation) -> Relation | None:
    """A condition for the relation to be defined that is not proved, or None."""
    for condition in definedness(relation.expr):
        if condition not in domain.settled:
            domain.settled[condition] = isinstance(prove_relation(domain, condition), Proved)
        if not domain.settled[condition]:
            return condition
    return None


def by_z3(domain: Domain, relation: Relation) -> tuple[Verdict, polynomial.Query | None]:
    """The queries in order of how much they say about the transcendental functions, and one left open by the limit."""
    first = polynomial.query(domain, relation, 0)
    if first is None:
        return Unknown("too large or too deep for the polynomial engine"), None
    pending = None
    for level in (0, *polynomial.levels(first)):
        query = first if level == 0 else polynomial.query(domain, relation, level)
        if query is None:
            break
        answer = polynomial.ask(query)
        verdict = _verdict(domain, relation, query, answer, level, polynomial.RLIMIT)
        if verdict is not None:
            return verdict, None
        if level == 0 and answer.status == "unknown" and not polynomial.levels(first):
            pending = query
    return Unknown("no engine proves it or finds a point where it fails"), pending


def by_worker(domain: Domain, relation: Relation, query: polynomial.Query) -> Verdict:
    """A query without transcendental functions, with a large limit in a process of its own, last of all."""
    verdict = _verdict(domain, relation, query, polynomial.ask_worker(query), 0, polynomial.HARD_RLIMIT)
    return verdict or Unknown("no engine proves it or finds a point where it fails within the limits")


def _verdict(
    domain: Domain, relation: Relation, query: polynomial.Query, answer: polynomial.Answer, level: int, rlimit: int
) -> Verdict | None:
    if answer.status == "unsat":
        return Proved({"engine": "z3", "level": level, "query": query.text, "rlimit": rlimit})
    if answer.status == "sat" and (point := from_model(domain, relation, query, answer)) is not None:
        return Refuted(point, witness_certificate(relation, point))
    return None
