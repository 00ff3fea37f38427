"""Half of the trusted kernel: how one hypothesis is settled, and how its certificate is checked again later.

A condition names a decider and its arguments. The decider answers Proved with a certificate, Refuted with a witness, or
Unknown. A refuted hypothesis is never accepted; an unknown one only if the user assumes it by name. Relations the user
assumes narrow the region on which a decider works; a proof that needed them says so for ever.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Integer

from symdp import codec
from symdp.decide import Proved, Refuted, Unknown, Verdict, decide, recheck
from symdp.errors import Forged, InputError
from symdp.region import Interval, Region
from symdp.text import Relation, to_text

ACCEPTED = ("proved", "certified", "assumed")
FALSEHOOD = Relation(Integer(-1), ">")
_MOST_SETTLED = 4096
_settled: dict[tuple[Relation, Region, tuple[Relation, ...]], Verdict] = {}  # searches ask the same again and again
_NUMERIC_ENGINES = frozenset({"boxes", "ball", "arb"})  # a proof by ball arithmetic counts as certified


@dataclass(frozen=True)
class Condition:
    """A hypothesis of one application of a rule, to be settled by the decider called ``decider`` on ``args``."""

    name: str
    statement: str
    decider: str
    args: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """How a condition was settled. ``verdict``: proved, certified, assumed (accepted); refuted, unknown (not).

    ``proof`` is the certificate as JSON text, ``under`` the relations assumed by the user that the verdict needed.
    """

    name: str
    statement: str
    verdict: str
    reason: str
    proof: str = "null"
    under: tuple[Relation, ...] = ()

    @property
    def certificate(self) -> Any:
        """The certificate, as fresh JSON data; None where there is none."""
        return json.loads(self.proof)

    @property
    def accepted(self) -> bool:
        """Whether a theorem may rest on it."""
        return self.verdict in ACCEPTED


@dataclass(frozen=True)
class Decider:
    """``decide(*args, assuming=...)`` gives a Verdict, ``recheck(certificate, *args, assuming=...)`` a bool."""

    decide: Callable[..., Verdict]
    recheck: Callable[..., bool] | None


_DECIDERS: dict[str, Decider] = {}


def register_decider(id: str, decide_fn: Callable[..., Verdict], recheck_fn: Callable[..., bool] | None = None) -> None:
    """Admit a decider under its id, for good. Both functions take the condition's ``args`` and ``assuming=``.

    Without ``recheck_fn``, rechecking is deciding again and getting the very same evidence. A certificate is JSON data;
    its "engine" entries say who proved it ("boxes" anywhere: certified), its "reason", if any, is shown to people.
    Raises ``InputError`` if the id is taken.
    """
    if id in _DECIDERS:
        raise InputError("a decider of this id is already registered", place=f"decider {id}")
    _DECIDERS[id] = Decider(decide_fn, recheck_fn)


def settle(condition: Condition, assuming: tuple[str | Relation, ...], stored: Evidence | None = None) -> Evidence:
    """Settle a condition; with ``stored`` evidence, check that it is what settling gives by its certificate.

    Raises ``Forged`` if the stored certificate does not prove the condition, ``InputError`` for an unknown decider.
    """
    if condition.decider not in _DECIDERS:
        raise InputError(f"no decider is called {condition.decider}", place=f"condition {condition.name}")
    decider, args = _DECIDERS[condition.decider], condition.args
    relations = tuple(item for item in assuming if isinstance(item, Relation))
    if stored is not None:
        if not set(stored.under) <= set(relations):
            raise Forged(f"'{condition.name}' rests on a relation that is not assumed")
        relations = stored.under
        if stored.verdict in ("proved", "certified") and decider.recheck is not None:
            if _contradictory(relations) or not decider.recheck(stored.certificate, *args, assuming=relations):
                raise Forged(f"the stored certificate does not prove '{condition.name}'")
            return _evidence(condition, Proved(stored.certificate), relations)
    under: tuple[Relation, ...] = ()
    verdict = decider.decide(*args, assuming=under)
    if relations and not isinstance(verdict, Proved):
        base, under = verdict, relations
        verdict = decider.decide(*args, assuming=under)
        if isinstance(verdict, Proved) and stored is None:
            verdict, under = _fewest(decider, args, verdict, under)
            if _contradictory(under):
                verdict = Unknown("the assumptions contradict each other")
        elif isinstance(verdict, Unknown) and isinstance(base, Unknown):
            under = ()
    if isinstance(verdict, Unknown) and condition.name in assuming:
        reason = f"assumed by the user; the engine: {verdict.reason}"
        return Evidence(condition.name, condition.statement, "assumed", reason, under=under)
    return _evidence(condition, verdict, under)


def _fewest(
    decider: Decider, args: tuple[Any, ...], verdict: Verdict, under: tuple[Relation, ...]
) -> tuple[Verdict, tuple[Relation, ...]]:
    """Drop the relations, one by one, that the proof does without: only what it rests on is to be shown."""
    for extra in under:
        fewer = tuple(item for item in under if item != extra)
        attempt = decider.decide(*args, assuming=fewer) if fewer else verdict
        if fewer and isinstance(attempt, Proved):
            verdict, under = attempt, fewer
    return verdict, under


def _contradictory(relations: tuple[Relation, ...], region: Region | None = None) -> bool:
    """Whether no point (of the region) satisfies the relations: from them everything would follow, falsehood too."""
    free = sorted({name for relation in relations for name in relation.free_symbols}, key=str)
    region = Region.make({name: Interval.real() for name in free}) if region is None else region
    try:
        return bool(relations) and isinstance(decide(FALSEHOOD, region, assuming=relations), Proved)
    except InputError:
        return True


def _evidence(condition: Condition, verdict: Verdict, under: tuple[Relation, ...]) -> Evidence:
    if isinstance(verdict, Unknown):
        return Evidence(condition.name, condition.statement, "unknown", verdict.reason, under=under)
    certificate = verdict.certificate
    proof = json.dumps(certificate, sort_keys=True, allow_nan=False)
    certificate = json.loads(proof)  # in the order in which it will be read again: the reason must come out the same
    engines = dict.fromkeys(_engines(certificate))
    if isinstance(verdict, Refuted):
        kind = "refuted"
        point = ", ".join(f"{symbol} = {to_text(value)}" for symbol, value in verdict.witness.items())
        reason = f"false at {point}" if point else "refuted"
    else:
        kind = "certified" if _NUMERIC_ENGINES.intersection(engines) else "proved"
        reason = f"{kind} by {', '.join(engines)}" if engines else kind
    if isinstance(certificate, Mapping) and certificate.get("reason"):
        reason = str(certificate["reason"])
    return Evidence(condition.name, condition.statement, kind, reason, proof, under)


def _engines(certificate: object) -> Iterator[str]:
    """Every "engine" named anywhere in a certificate, outermost first."""
    if isinstance(certificate, Mapping):
        if isinstance(certificate.get("engine"), str):
            yield certificate["engine"]
        certificate = list(certificate.values())
    if isinstance(certificate, list | tuple):
        for item in certificate:
            yield from _engines(item)


def write_evidence(item: Evidence) -> dict[str, Any]:
    """The evidence as JSON data."""
    stored = {name: getattr(item, name) for name in ("name", "statement", "verdict", "reason")}
    return stored | {"certificate": item.certificate, "under": codec.encode(item.under)}


def read_evidence(data: object) -> Evidence:
    """Evidence from JSON data, unchecked (``settle`` checks it). Raises ``Forged`` if it has another shape."""
    match data:
        case {
            "name": str(name),
            "statement": str(statement),
            "verdict": str(verdict),
            "reason": str(reason),
            "certificate": certificate,
            "under": list(under),
            **rest,
        } if not rest:
            proof = json.dumps(certificate, sort_keys=True)
            return Evidence(name, statement, verdict, reason, proof, codec.decode(under))
    raise Forged("the evidence has missing or unknown fields")


def _decide_relation(relation: Relation, region: Region, *, assuming: tuple[Relation, ...]) -> Verdict:
    assuming = _about(region, assuming)
    if _contradictory(assuming, region):
        return Unknown("the assumptions contradict the region or each other")
    key = relation, region, assuming
    verdict = _settled.get(key) or decide(relation, region, assuming=assuming)
    if not isinstance(verdict, Unknown):  # one that ran out of time may be found when asked again
        if len(_settled) >= _MOST_SETTLED:
            _settled.clear()
        _settled[key] = verdict
    return verdict


def _recheck_relation(certificate: Any, relation: Relation, region: Region, *, assuming: tuple[Relation, ...]) -> bool:
    assuming = _about(region, assuming)
    return not _contradictory(assuming, region) and recheck(certificate, relation, region, assuming=assuming)


def _about(region: Region, assuming: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """The assumptions that speak of the region's symbols only; the others say nothing about it."""
    return tuple(item for item in assuming if item.free_symbols <= set(region.symbols))


def _decide_nothing(*, assuming: tuple[Relation, ...]) -> Verdict:
    return Unknown("no engine decides this hypothesis")


register_decider("relation", _decide_relation, _recheck_relation)
register_decider("none", _decide_nothing)
