"""The verdict on a claim, computed: replay the theorem, compare the formula, try to falsify it, check the digits."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from mpmath import libmp, mpf

from symdp.claims.comparison import compare, derived, is_relation
from symdp.claims.falsify import points_in
from symdp.claims.items import Approximate, Claim, ClaimError, Counterexample, Item
from symdp.enclosure import enclose
from symdp.errors import Refused
from symdp.rules.given import GIVEN
from symdp.text import parse, parse_relations, parse_values, to_text
from symdp.theorem import Theorem, from_json, replay, to_json

NO_ANSWER = "no theorem: "
REPAIRED, SHARPER = ":repaired", ":sharper"
_TRIES = 60


@dataclass(frozen=True)
class ClaimVerdict:
    """What became of a claim. ``verdict``: proved, certified, conditional, asymptotic (its leading term is proved),
    consistent (a definition, with our judgments on the instances tried), holds (on the instances tried, nothing more),
    refuted (then with ``witness``) or unknown.

    ``repair``: what it takes besides to prove a claim that is not proved as printed. ``sharper``: a better bound, with
    its rule and where it holds; ``needless``: hypotheses that are not needed. ``seed`` and ``instances`` say how
    it was attacked, ``source`` is the digest of the file the verdict is about. Of a claim of several formulas the worst
    verdict and the fewest instances.
    """

    id: str
    file: str
    statement: str
    bound: str
    citation: str
    verdict: str
    reason: str
    witness: str
    repair: str
    sharper: str
    needless: str
    assumptions: tuple[str, ...]
    seed: int
    instances: int
    source: str


def check(item: Item, seed: int | None = None) -> tuple[ClaimVerdict, ...]:
    """The verdicts of ``examine``."""
    return examine(item, seed)[0]


def examine(
    item: Item, seed: int | None = None
) -> tuple[tuple[ClaimVerdict, ...], dict[str, Theorem | Refused | None]]:
    """The verdicts on the claims of one file, in the order of their ids, and the theorem behind each formula.

    ``seed``: of the falsifier, by default made from the file's name.

    Raises ``ClaimError`` if the falsifier tried nothing, or contradicts a proof, a reference point disagrees, a repair
    is not needed, a hypothesis said to be needless is needed, or a sharper bound is not; ``Forged`` if a theorem does
    not replay.
    """
    seed = seed_of(item.name) if seed is None else seed
    theorems = _theorems(item)
    attacked = _attack(item, seed)
    outcome = {key: _outcome(item, key, theorems[key], attacked[key]) for key in item.claims}
    for key, found in attacked.items():
        if isinstance(found, Counterexample) and key in outcome:
            outcome[key] = _refuted(item, outcome[key], found, seed)
    for key, claim in item.claims.items():
        theorem, better = theorems[key], theorems.get(key + SHARPER)
        if claim.repair and theorem is not None:
            outcome[key] = _repaired(item, key, theorem, outcome[key], attacked, seed)
        if claim.needless and isinstance(theorem, Theorem):
            outcome[key] = replace(outcome[key], needless=_needless(item, key, theorem))
        if isinstance(better, Theorem):
            weakened = outcome[key].accepted and _weakened(theorem, better)
            outcome[key] = replace(outcome[key], sharper=_sharper(item, key, better, seed, weakened))
    _check_digits(item)
    return tuple(_verdict(item, id, outcome, attacked, seed) for id in sorted(item.ids)), theorems


def seed_of(name: str, seed: int = 0) -> int:
    """The seed of a file's falsifier: made from its name, and changed by the seed of the whole run."""
    return zlib.crc32(name.encode()) ^ seed


@dataclass(frozen=True)
class _Outcome:
    verdict: str
    reason: str
    witness: str = ""
    assumptions: tuple[str, ...] = ()
    repair: str = ""
    sharper: str = ""
    needless: str = ""

    @property
    def accepted(self) -> bool:
        return self.verdict in PROVED


PROVED = ("proved", "certified", "conditional", "asymptotic")
_WORST_FIRST = ("refuted", "unknown", "holds", "consistent", "asymptotic", "conditional", "certified", "proved")
_UNCOMPARED = {"definition": "consistent", "statement": "holds"}


def _outcome(item: Item, key: str, theorem: Theorem | Refused | None, tried: int | Counterexample) -> _Outcome:
    """What a theorem says of a formula, or, where none is compared, the falsifier."""
    claim = item.claims[key]
    if claim.compared:
        assert theorem is not None
        return _compared(item, claim, theorem)
    if isinstance(tried, Counterexample):
        return _refuted(item, _Outcome("unknown", ""), tried)
    return _Outcome(_UNCOMPARED[claim.kind], f"on {tried} instances")


def _verdict(
    item: Item, id: str, outcome: Mapping[str, _Outcome], attacked: Mapping[str, int | Counterexample], seed: int
) -> ClaimVerdict:
    """One row for the claim, of the outcomes of its formulas."""
    keys = item.formulas(id)
    parts = [outcome[key] for key in keys]
    reasons: dict[str, list[str]] = {}
    for key, part in zip(keys, parts, strict=True):
        reasons.setdefault(part.reason, []).append(key[len(id) + 1 :])
    texts = (f"{', '.join(names)}: {reason}" if len(keys) > 1 else reason for reason, names in reasons.items())
    return ClaimVerdict(
        id=id,
        file=item.name,
        statement=item.statement(id),
        bound=item.parts["Bound"].strip("*"),
        citation=item.parts["Citation"],
        verdict=min((part.verdict for part in parts), key=_WORST_FIRST.index),
        reason="; ".join(texts),
        witness="; ".join(dict.fromkeys(part.witness for part in parts if part.witness)),
        repair=", ".join(dict.fromkeys(part.repair for part in parts if part.repair)),
        sharper="; ".join(dict.fromkeys(part.sharper for part in parts if part.sharper)),
        needless=", ".join(dict.fromkeys(part.needless for part in parts if part.needless)),
        assumptions=tuple(dict.fromkeys(assumption for part in parts for assumption in part.assumptions)),
        seed=seed,
        instances=min(_count(attacked[key]) for key in keys),
        source=item.digest,
    )


def _refuted(item: Item, outcome: _Outcome, found: Counterexample, seed: int = 0) -> _Outcome:
    """What a counterexample makes of an outcome; one that is not certified refutes nothing."""
    if outcome.accepted:
        raise ClaimError(f"{item.name}: {found}, but it was proved (seed {seed}); one of the two is wrong")
    if not isinstance(found, Approximate):
        return _Outcome("refuted", found.why, found.witness)
    if outcome.verdict == "refuted":
        return outcome
    return _Outcome(
        "unknown", f"a counterexample speaks against it, which is not certified: {found.why}", found.witness
    )


def _repaired(
    item: Item,
    key: str,
    theorem: Theorem | Refused,
    printed: _Outcome,
    attacked: Mapping[str, int | Counterexample],
    seed: int,
) -> _Outcome:
    """The outcome of the claim as printed, with its repair if that makes it a theorem."""
    claim = item.claims[key]
    if printed.accepted:
        raise ClaimError(f"{item.name}: {key} is proved as printed and needs no repair")
    again = _compared(item, claim.repaired, theorem)
    found = attacked[key + REPAIRED]
    if isinstance(found, Counterexample):
        again = _refuted(item, again, found, seed)
    if again.accepted:
        return replace(printed, repair=claim.remedy, assumptions=again.assumptions)
    return replace(printed, reason=f"{printed.reason}; with {claim.remedy} it is {again.verdict}: {again.reason}")


def _needless(item: Item, key: str, theorem: Theorem) -> str:
    """The hypotheses of a claim, repaired if need be, that its theorem does without, once that is proved."""
    claim = item.claims[key].repaired
    dropped = parse_relations(claim.needless, place="needless")
    printed = parse_relations(claim.where, place="where")
    if strangers := [relation for relation in dropped if relation not in printed]:
        raise ClaimError(f"{item.name}: {key} has no hypothesis {strangers[0]} that could be needless")
    kept = ", ".join(str(relation) for relation in printed if relation not in dropped)
    without = _compared(item, replace(claim, where=kept, needless=""), theorem)
    if not without.accepted:
        raise ClaimError(f"{item.name}: without {claim.needless} {key} is {without.verdict}: {without.reason}")
    return ", ".join(map(str, dropped))


def _weakened(theorem: Theorem | Refused | None, better: Theorem) -> bool:
    """Whether a theorem is the better one with a larger value, which one of its premises proves to be larger."""
    return isinstance(theorem, Theorem) and theorem.rule.id == "weaker-rdp" and theorem.premises[0] == better


def _sharper(item: Item, key: str, theorem: Theorem, seed: int, weakened: bool) -> str:
    """A better bound than the claimed one: never above it where it is claimed, and below it somewhere.

    ``weakened``: the first is known, since the claim lies on or above a theorem that was made from this one.
    """
    claim = item.claims[key]
    if extra := claim.unsupposed(theorem):
        raise ClaimError(f"{item.name}: {key}{SHARPER} supposes more than the paper: {extra[0]}")
    verdict, reason, _ = ("proved", "", "") if weakened else compare(theorem, claim, tight=False)
    if verdict not in ("proved", "certified"):
        raise ClaimError(f"{item.name}: {key}{SHARPER} is not proved to be at most the claimed bound: {reason}")
    value, region = derived(theorem, claim)
    gap = parse(claim.text, place="claim") - value
    for point in points_in(region, random.Random(seed), _TRIES):
        if enclose(gap, {s: v for s, v in point.items() if s in gap.free_symbols}, 10).lower > 0:
            return f"{to_text(value)} by {theorem.rule.id} where {region}"
    raise ClaimError(f"{item.name}: {key}{SHARPER} is nowhere seen to be below the claimed bound")


def _theorems(item: Item) -> dict[str, Theorem | Refused | None]:
    """The theorem behind each claim, replayed from memory and from its own JSON; None where none is compared."""
    needed = [key for key, claim in item.claims.items() if claim.compared]
    try:
        found = item.derive()
    except Refused as refusal:
        return dict.fromkeys(item.claims) | dict.fromkeys(needed, refusal)
    named = found if isinstance(found, dict) else dict.fromkeys(needed or item.claims, found)
    known = {*needed, *(key + SHARPER for key in needed)}
    if not set(needed) <= set(named) or not set(named) <= known:
        answers = ", ".join(named) or "nothing"
        raise ClaimError(f"{item.name}: derive() answers for {answers}, CLAIMS has {', '.join(needed)}")
    theorems = [theorem for theorem in named.values() if isinstance(theorem, Theorem)]
    if any(theorem.rule.id == GIVEN for theorem in theorems):
        raise ClaimError(f"{item.name}: what is claimed may not be taken for granted")
    for theorem in {id(theorem): theorem for theorem in theorems}.values():
        if replay(theorem) != theorem or from_json(to_json(theorem)) != theorem:
            raise ClaimError(f"{item.name}: the theorem is not the one its rules rebuild")
    return dict.fromkeys(item.claims) | named


def _compared(item: Item, claim: Claim, theorem: Theorem | Refused) -> _Outcome:
    if isinstance(theorem, Refused):
        return _Outcome("unknown", NO_ANSWER + str(theorem))
    verdict, reason, witness = compare(theorem, claim, tight=item.tight)
    if verdict in ("proved", "certified"):
        if any(piece.verdict == "certified" for piece in theorem.hypotheses):
            verdict = "certified"
        if claim.kind == "asymptotic":
            verdict = "asymptotic"
        if claim.unsupposed(theorem):
            verdict = "conditional"
    return _Outcome(verdict, reason, witness, claim.unsupposed(theorem))


def _attack(item: Item, seed: int) -> dict[str, int | Counterexample]:
    """For each formula, and each one repaired, how many admissible instances the falsifier tried, or what it found."""
    repaired = [key + REPAIRED for key, claim in item.claims.items() if claim.repair]
    due = [*item.claims, *repaired]
    try:
        answer = item.falsify(random.Random(seed))
    except Counterexample as found:
        answer, due = dict.fromkeys(item.claims, 0) | {found.id: found}, repaired  # it stopped at the first one
    tried: Mapping[str, Any] = answer if isinstance(answer, dict) else dict.fromkeys(due, answer)
    if strangers := sorted(set(tried) - set(item.claims) - set(repaired)):
        raise ClaimError(f"{item.name}: the falsifier answers for {strangers[0]}, which the file does not claim")
    for key in due:
        result = tried.get(key)
        if not isinstance(result, Counterexample) and (type(result) is not int or result <= 0):
            raise ClaimError(f"{item.name}: the falsifier tried no admissible instance of {key} (seed {seed})")
    return dict(tried)


def _count(tried: int | Counterexample) -> int:
    return 1 if isinstance(tried, Counterexample) else tried


def _check_digits(item: Item) -> None:
    missing = {
        id for id, claim in item.claims.items() if claim.compared and not is_relation(claim) and ";" not in claim.text
    }
    for id, values, digits in item.reference_points():
        if id not in item.claims:
            raise ClaimError(f"{item.name}: a reference point for {id}, which the file does not claim")
        missing.discard(id)
        claim = item.claims[id]
        relations = parse_relations(claim.text, place="claim") if is_relation(claim) else ()
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


def _exact(end: mpf) -> Fraction:
    top, bottom = libmp.to_rational(end._mpf_)
    return Fraction(int(top), int(bottom))
