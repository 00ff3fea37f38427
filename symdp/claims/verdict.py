"""The verdict on a claim, computed: replay the theorem, compare the formula, try to falsify it, check the digits."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any

from mpmath import mpf
from sympy import Expr, Symbol

from symdp.claims.items import Claim, ClaimError, Counterexample, Item
from symdp.enclosure import enclose
from symdp.errors import Refused
from symdp.evidence import Condition, Evidence, settle
from symdp.judgments import Identity, Inequality
from symdp.region import Region
from symdp.text import Relation, parse, parse_matrix, parse_relations, parse_values
from symdp.theorem import Theorem, from_json, replay, to_json

NO_ANSWER = "no theorem: "


@dataclass(frozen=True)
class ClaimVerdict:
    """What became of a claim. ``verdict``: proved, certified, conditional, refuted (then with ``witness``) or unknown.

    ``seed`` and ``instances`` say how it was attacked, ``source`` is the digest of the file the verdict is about.
    """

    id: str
    file: str
    statement: str
    bound: str
    citation: str
    verdict: str
    reason: str
    witness: str
    assumptions: tuple[str, ...]
    seed: int
    instances: int
    source: str


def check(item: Item, seed: int | None = None) -> tuple[ClaimVerdict, ...]:
    """The verdicts on the claims of one file, in the order of their ids. The falsifier's seed is printed.

    Raises ``ClaimError`` if the falsifier tried nothing, or contradicts a proof, or a reference point disagrees;
    ``Forged`` if the theorem does not replay.
    """
    seed = zlib.crc32(item.name.encode()) if seed is None else seed
    outcome = {id: _compared(item, id, theorem) for id, theorem in _theorems(item).items()}
    print(f"{item.name}: falsifier seed {seed}")
    tried, found = _attack(item, seed)
    if found is not None:
        if outcome[found.id].verdict in ("proved", "certified", "conditional"):
            raise ClaimError(f"{item.name}: {found}, but it was proved (seed {seed}); one of the two is wrong")
        outcome[found.id] = _Outcome("refuted", found.why, found.witness)
    _check_digits(item)
    return tuple(
        ClaimVerdict(
            id=id,
            file=item.name,
            statement=item.statement(id),
            bound=item.parts["Bound"].strip("*"),
            citation=item.parts["Citation"],
            verdict=result.verdict,
            reason=result.reason,
            witness=result.witness,
            assumptions=result.assumptions,
            seed=seed,
            instances=tried[id],
            source=item.digest,
        )
        for id, result in sorted(outcome.items())
    )


@dataclass(frozen=True)
class _Outcome:
    verdict: str
    reason: str
    witness: str = ""
    assumptions: tuple[str, ...] = ()


def _theorems(item: Item) -> dict[str, Theorem | Refused]:
    """The theorem behind each claim, replayed from memory and from its own JSON."""
    try:
        derived = item.derive()
    except Refused as refusal:
        return dict.fromkeys(item.claims, refusal)
    named = derived if isinstance(derived, dict) else dict.fromkeys(item.claims, derived)
    if set(named) != set(item.claims):
        raise ClaimError(f"{item.name}: derive() answers for {', '.join(named)}, CLAIMS has {', '.join(item.claims)}")
    for theorem in {id(theorem): theorem for theorem in named.values()}.values():
        if replay(theorem) != theorem or from_json(to_json(theorem)) != theorem:
            raise ClaimError(f"{item.name}: the theorem is not the one its rules rebuild")
    return named


def _compared(item: Item, id: str, theorem: Theorem | Refused) -> _Outcome:
    if isinstance(theorem, Refused):
        return _Outcome("unknown", NO_ANSWER + str(theorem))
    verdict, reason, witness = compare(theorem, item.claims[id], tight=item.tight)
    if verdict in ("proved", "certified"):
        if any(piece.verdict == "certified" for piece in theorem.hypotheses):
            verdict = "certified"
        if theorem.assumptions:
            verdict = "conditional"
    return _Outcome(verdict, reason, witness, theorem.assumptions)


def compare(theorem: Theorem, claim: Claim, *, tight: bool) -> tuple[str, str, str]:
    """(verdict, reason, witness) of a claim against a theorem, the theorem itself taken as given.

    A tight claim must equal a bound derived by exact steps, an upper one lie on or above the derived one; a relation
    must follow from the derived one. Where a bound differs the claim is refuted only if the derived value is exact,
    else unknown. The theorem must hold wherever the paper claims the result. Raises ``InputError`` for unreadable text,
    ``ClaimError`` for a claim that speaks of something else than the theorem.
    """
    region, outside = _claimed_region(theorem, claim)
    defined = () if _is_relation(claim) else _definedness(claim)
    for who, relation in (*(("theorem", needed) for needed in outside), *(("formula", needed) for needed in defined)):
        _known(relation.free_symbols, region)
        inside = _decided("range", relation, region)
        if not inside.accepted:
            return "unknown", f"the {who} needs {relation}, which the claim does not give: {inside.reason}", ""
    fact = theorem.conclusion
    if isinstance(fact, Identity):
        fact = Inequality(Relation(fact.left - fact.right, "=="), fact.region)
    if isinstance(fact, Inequality):
        return _summary([_follows(claimed, fact.relation, region) for claimed in _relations(claim, region)])
    pieces = [_decided("claim", relation, region) for relation in _gaps(fact, claim, tight, region)]
    if theorem.tightness == "exact" and not theorem.assumptions:
        return _summary(pieces)
    verdict, reason, _ = _summary(pieces)
    if verdict == "refuted":
        return "unknown", f"not derived, nor is the derived value proved exact: {reason}", ""
    if tight and theorem.tightness != "exact" and verdict in ("proved", "certified"):
        return "unknown", "the formula is the derived one, but some step of its derivation is not exact", ""
    return verdict, reason, ""


def _summary(pieces: list[Evidence]) -> tuple[str, str, str]:
    """The worst of several verdicts: one refuted refutes, one unknown leaves unknown, one certified makes certified."""
    for kind in ("refuted", "unknown"):
        for piece in pieces:
            if piece.verdict == kind:
                return kind, f"{piece.statement}: {piece.reason}", piece.reason if kind == "refuted" else ""
    kind = "certified" if any(piece.verdict == "certified" for piece in pieces) else "proved"
    return kind, "; ".join(dict.fromkeys(piece.reason for piece in pieces)), ""


def _decided(name: str, relation: Relation, region: Region) -> Evidence:
    return settle(Condition(name, str(relation), "relation", (relation, region)), ())


def _claimed_region(theorem: Theorem, claim: Claim) -> tuple[Region, list[Relation]]:
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
        step = _decided("claim", Relation(claimed.expr - derived.expr, ">=" if ordered else "=="), region)
        if step.accepted:
            return step
    return _decided("claim", claimed, region)


def _gaps(fact: Any, claim: Claim, tight: bool, region: Region) -> list[Relation]:
    """Claimed minus derived, entry by entry, and what it has to be."""
    derived = _field(fact, claim.field)
    if isinstance(derived, Expr):
        claimed = parse(claim.text, place="claim")
        _known(claimed.free_symbols, region)
        return [Relation(claimed - derived, "==" if tight else ">=")]
    rows = parse_matrix(claim.text, place="claim")
    if [len(row) for row in rows] != [len(row) for row in derived]:
        raise ClaimError(f"the claim is a matrix of another shape than that of {type(fact).__name__}")
    pairs = [(c.expr, d) for row, ours in zip(rows, derived, strict=True) for c, d in zip(row, ours, strict=True)]
    _known({free for claimed, _ in pairs for free in claimed.free_symbols}, region)
    return [Relation(claimed - ours, "==") for claimed, ours in pairs]


def _field(fact: Any, name: str | None) -> Any:
    candidates = {field.name: getattr(fact, field.name) for field in fields(fact)}
    if name is None:
        name = next((key for key, value in candidates.items() if isinstance(value, Expr) or _is_matrix(value)), "")
    value = candidates.get(name)
    if not isinstance(value, Expr) and not _is_matrix(value):
        raise ClaimError(f"{type(fact).__name__} has no expression or matrix called {name or 'anything'}")
    return value


def _is_matrix(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(row, tuple) for row in value)


def _attack(item: Item, seed: int) -> tuple[dict[str, int], Counterexample | None]:
    """How many admissible instances the falsifier tried for each claim, and what it found."""
    try:
        counted = item.falsify(random.Random(seed))
    except Counterexample as found:
        if found.id not in item.claims:
            raise ClaimError(f"{item.name}: the falsifier refutes {found.id}, which the file does not claim") from found
        return dict.fromkeys(item.claims, 0) | {found.id: 1}, found
    tried: Mapping[str, int] = counted if isinstance(counted, dict) else dict.fromkeys(item.claims, counted)
    for id in item.claims:
        if type(tried.get(id)) is not int or tried[id] <= 0:
            raise ClaimError(f"{item.name}: the falsifier tried no admissible instance of {id} (seed {seed})")
    return dict(tried), None


def _check_digits(item: Item) -> None:
    missing = {id for id, claim in item.claims.items() if not _is_relation(claim) and ";" not in claim.text}
    for id, values, digits in item.reference_points():
        if id not in item.claims:
            raise ClaimError(f"{item.name}: a reference point for {id}, which the file does not claim")
        missing.discard(id)
        claim = item.claims[id]
        relations = parse_relations(claim.text, place="claim") if _is_relation(claim) else ()
        expr = relations[-1].expr if relations else parse(claim.text, place="claim")
        expected = Decimal(digits)
        exponent = expected.as_tuple().exponent
        if not isinstance(exponent, int):
            raise ClaimError(f"{item.name}: {digits} is not a decimal number")
        found = enclose(expr, parse_values(values), digits=len(expected.as_tuple().digits) + 5)
        ends = _exact(found.lower) - Fraction(expected), _exact(found.upper) - Fraction(expected)
        if max(map(abs, ends)) > Fraction(10) ** exponent:
            raise ClaimError(f"{item.name}: at {values} the claim {id} is {found.to_decimal(20)[0]}..., not {digits}")
    if missing:
        raise ClaimError(f"{item.name}: no reference point for {', '.join(sorted(missing))}")


def _is_relation(claim: Claim) -> bool:
    return any(sign in claim.text for sign in "<>=")


def _exact(end: mpf) -> Fraction:
    mantissa, exponent = end.man_exp
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
