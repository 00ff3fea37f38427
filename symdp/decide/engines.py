"""The provers of an inequality, cheapest first."""

from __future__ import annotations

from symdp.decide import polynomial
from symdp.decide.branch import by_analysis
from symdp.decide.domain import Domain, witness_certificate
from symdp.decide.signs import expr_sign
from symdp.decide.verdict import Proved, Refuted, Unknown, Verdict
from symdp.decide.witness import from_model
from symdp.errors import InputError
from symdp.text import Relation, definedness


def prove_relation(domain: Domain, relation: Relation) -> Verdict:
    """Proved, Refuted by a model of z3, or Unknown with the reason."""
    try:
        found = expr_sign(domain, relation.expr)
    except InputError as error:
        return Unknown(str(error))
    if found is not None and found.satisfies(relation.op):
        return Proved({"engine": "sign"})
    missing = undefined_condition(domain, relation)
    if missing is not None:
        return Unknown(f"not known to be defined on the region: {missing} is not proved")
    verdict = by_z3(domain, relation)
    if isinstance(verdict, Unknown):
        certificate = by_analysis(domain, relation)
        return verdict if certificate is None else Proved(certificate)
    return verdict


def undefined_condition(domain: Domain, relation: Relation) -> Relation | None:
    """A condition for the relation to be defined that is not proved, or None."""
    for condition in definedness(relation.expr):
        found = expr_sign(domain, condition.expr)
        if found is not None and found.satisfies(condition.op):
            continue
        if not isinstance(by_z3(domain, condition), Proved):
            return condition
    return None


def by_z3(domain: Domain, relation: Relation) -> Verdict:
    """The queries in order of how much they say about the transcendental functions."""
    first = polynomial.query(domain, relation, 0)
    if first is None:
        return Unknown("too large or too deep for the polynomial engine")
    for level in (0, *polynomial.levels(first)):
        query = first if level == 0 else polynomial.query(domain, relation, level)
        if query is None:
            break
        answer = polynomial.ask(query)
        if answer.status == "unsat":
            certificate = {"engine": "z3", "level": level, "query": query.text, "rlimit": polynomial.RLIMIT}
            return Proved(certificate)
        if answer.status == "sat":
            point = from_model(domain, relation, query, answer)
            if point is not None:
                return Refuted(point, witness_certificate(relation, point))
    return Unknown("the polynomial engine neither proves it nor finds a point where it fails")
