"""A claimed formula against a theorem: equal, above, implied, refuted, or unknown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from sympy import Expr, Symbol

from symdp.claims.items import Claim, ClaimError
from symdp.evidence import Condition, Evidence, settle
from symdp.judgments import Identity, Inequality
from symdp.region import Region
from symdp.text import Relation, parse, parse_matrix, parse_relations
from symdp.text.extrema import Max
from symdp.theorem import Theorem


def is_relation(claim: Claim) -> bool:
    """Whether the claim's formula is a relation."""
    return any(sign in claim.text for sign in "<>=")


def compare(theorem: Theorem, claim: Claim, *, tight: bool) -> tuple[str, str, str]:
    """(verdict, reason, witness) of a claim against a theorem, the theorem itself taken as given.

    A tight claim must equal a bound derived by exact steps, an upper one lie on or above the derived one; a relation
    must follow from the derived one. Where a bound differs the claim is refuted only if the derived value is exact,
    else unknown. The theorem must hold wherever the paper claims the result. Raises ``InputError`` for unreadable text,
    ``ClaimError`` for a claim that speaks of something else than the theorem.
    """
    region, outside = claimed_region(theorem, claim)
    defined = () if is_relation(claim) else _definedness(claim)
    for who, relation in (*(("theorem", needed) for needed in outside), *(("formula", needed) for needed in defined)):
        _known(relation.free_symbols, region)
        if relation in region.relations:
            continue
        inside = decided("range", relation, region)
        if not inside.accepted:
            return "unknown", f"the {who} needs {relation}, which the claim does not give: {inside.reason}", ""
    fact = theorem.conclusion
    if isinstance(fact, Identity) and is_relation(claim):
        fact = Inequality(Relation(fact.left - fact.right, "=="), fact.region)
    if isinstance(fact, Inequality):
        return _summary([_follows(claimed, fact.relation, region) for claimed in _relations(claim, region)])
    pieces = [decided("claim", relation, region) for relation in _gaps(fact, claim, tight, region)]
    if theorem.tightness == "exact" and not claim.unsupposed(theorem):
        return _summary(pieces)
    verdict, reason, _ = _summary(pieces)
    if verdict == "refuted":
        return "unknown", f"not derived, nor is the derived value proved exact: {reason}", ""
    if tight and theorem.tightness != "exact" and verdict in ("proved", "certified"):
        return "unknown", "the formula is the derived one, but some step of its derivation is not exact", ""
    return verdict, reason, ""


def derived(theorem: Theorem, claim: Claim) -> tuple[Expr, Region]:
    """The theorem's expression that a claim is compared with, and where it is.

    Raises ``ClaimError`` if it is not one expression.
    """
    return expression(theorem, claim.field), claimed_region(theorem, claim)[0]


def expression(theorem: Theorem, name: str | None = None) -> Expr:
    """A field of the theorem's conclusion, by default its first expression; ``ClaimError`` if it is none."""
    value = field_of(theorem.conclusion, name)
    if not isinstance(value, Expr):
        raise ClaimError(f"{type(theorem.conclusion).__name__} has no single expression to compare with")
    return value


def _summary(pieces: list[Evidence]) -> tuple[str, str, str]:
    """The worst of several verdicts: one refuted refutes, one unknown leaves unknown, one certified makes certified."""
    for kind in ("refuted", "unknown"):
        for piece in pieces:
            if piece.verdict == kind:
                witness = piece.reason.removeprefix("false at ") if kind == "refuted" else ""
                return kind, f"{piece.statement}: {piece.reason}", witness
    kind = "certified" if any(piece.verdict == "certified" for piece in pieces) else "proved"
    return kind, "; ".join(dict.fromkeys(piece.reason for piece in pieces)), ""


def decided(name: str, relation: Relation, region: Region) -> Evidence:
    """A relation on a region, settled as a hypothesis of that name."""
    return settle(Condition(name, str(relation), "relation", (relation, region)), ())


def claimed_region(theorem: Theorem, claim: Claim) -> tuple[Region, list[Relation]]:
    """The claim's own region, and what the theorem asks for that is not granted by construction."""
    relations = parse_relations(claim.where, place="where") if claim.where else ()
    named = sorted({free for relation in relations for free in relation.free_symbols}, key=str)
    process = getattr(theorem.conclusion, "process", None)
    theirs = theorem.region or getattr(process, "region", None) or Region()
    region = Region.from_relations(relations, named)
    region = region.extend({free: theirs.interval(free) for free in theirs.symbols if free not in named})
    needed = [bound for free in named if free in theirs.symbols for bound in theirs.interval(free).relations(free)]
    return region, needed + list(theirs.constraints)


def _definedness(claim: Claim) -> tuple[Relation, ...]:
    """What the formula as typed needs to be defined and real."""
    rows = parse_matrix(claim.text, place="claim")
    return tuple(condition for row in rows for entry in row for condition in entry.conditions)


def _relations(claim: Claim, region: Region) -> tuple[Relation, ...]:
    relations = parse_relations(claim.text, place="claim")
    for relation in relations:
        _known(relation.free_symbols, region)
    return relations


def _known(free: Iterable[Symbol], region: Region) -> None:
    if strangers := sorted(str(name) for name in set(free) - set(region.symbols)):
        raise ClaimError(f"the claim speaks of {', '.join(strangers)}, unknown to the theorem and to where")


def _follows(claimed: Relation, derived: Relation, region: Region) -> Evidence:
    """The claimed relation, from the derived one if they differ by something that is easily decided, else by itself."""
    weaker = {">": (">", ">=", "!="), ">=": (">=",), "==": ("==", ">="), "!=": ("!=",)}
    if claimed.op in weaker[derived.op]:
        ordered = derived.op in (">", ">=") and claimed.op in (">", ">=")
        step = decided("claim", Relation(claimed.expr - derived.expr, ">=" if ordered else "=="), region)
        if step.accepted:
            return step
    return decided("claim", claimed, region)


def _gaps(fact: Any, claim: Claim, tight: bool, region: Region) -> list[Relation]:
    """Claimed minus derived, entry by entry, and what it has to be."""
    found = field_of(fact, claim.field)
    if isinstance(found, Expr):
        claimed = parse(claim.text, place="claim")
        _known(claimed.free_symbols, region)
        if isinstance(found, Max) and not tight:
            return [Relation(claimed - part, ">=") for part in found.args]  # at least the greatest: at least each
        return [Relation(claimed - found, "==" if tight else ">=")]
    rows = parse_matrix(claim.text, place="claim")
    if [len(row) for row in rows] != [len(row) for row in found]:
        raise ClaimError(f"the claim is a matrix of another shape than that of {type(fact).__name__}")
    pairs = [(c.expr, d) for row, ours in zip(rows, found, strict=True) for c, d in zip(row, ours, strict=True)]
    _known({free for claimed, _ in pairs for free in claimed.free_symbols}, region)
    return [Relation(claimed - ours, "==") for claimed, ours in pairs]


def field_of(fact: Any, name: str | None) -> Any:
    """A field of a conclusion, by default its first expression or matrix; ``ClaimError`` if it is neither."""
    candidates = {field.name: getattr(fact, field.name) for field in fields(fact)}
    if name is None:
        name = next((key for key, value in candidates.items() if isinstance(value, Expr) or _is_matrix(value)), "")
    value = candidates.get(name)
    if not isinstance(value, Expr) and not _is_matrix(value):
        raise ClaimError(f"{type(fact).__name__} has no expression or matrix called {name or 'anything'}")
    return value


def _is_matrix(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(row, tuple) for row in value)
