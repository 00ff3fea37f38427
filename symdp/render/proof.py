"""What the prover found, as JSON data and as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from sympy import S

from symdp.errors import Forged
from symdp.judgments.base import name_of
from symdp.prover import Answer, Proof
from symdp.prover.answers import answer
from symdp.prover.queries import checked, meant
from symdp.render.text import Line, field, interval
from symdp.rule import Query
from symdp.rules.conditions import ALPHA
from symdp.text import to_text
from symdp.theorem import Theorem, from_json, to_json

_RUNNERS_UP = 5
_CHECKED = 30  # digits of a value that is read back
_WIDEST = 400  # longer exact texts are left to the JSON


def proof_data(proof: Proof, digits: int, *, all_answers: bool = False) -> dict[str, Any]:
    """The best answer with its proof, and the runners-up (all of them, or the first five)."""
    query, best = proof.query, proof.best
    others = proof.runners_up if all_answers else proof.runners_up[:_RUNNERS_UP]
    data: dict[str, Any] = {
        "schema": 1,
        "of": name_of(getattr(best.theorem.conclusion, "subject", query.subject)),
        "ask": query.ask,
    }
    for name in ("epsilon", "delta", "alpha"):
        given = getattr(query, name)
        if given is not None:
            data[name] = "oo" if given is S.Infinity else to_text(given)
    return data | {
        **_answer(best, query, digits),
        "status": best.theorem.status,
        "statement": best.theorem.conclusion.statement(),
        "assumptions": list(best.theorem.assumptions),
        "citations": [str(citation) for citation in best.theorem.citations],
        "runners_up": [_answer(other, query, digits) for other in others],
        "tried": proof.tried,
        "proof": to_json(best.theorem),
    }


def _answer(found: Answer, query: Query, digits: int) -> dict[str, Any]:
    exact = found.bound * ALPHA if query.ask == "rdp" and query.alpha is None else found.bound
    return {
        "answer": to_text(exact),
        "value": found.value.to_json(digits),
        "tightness": found.tightness,
        "rule_chain": list(found.rule_chain),
    }


def report(data: Mapping[str, Any]) -> list[Line]:
    """The best answer, how it is proved, what it rests on, and the runners-up."""
    return list(_lines(data))


def _lines(data: Mapping[str, Any]) -> Iterator[Line]:
    given = ", ".join(f"{name} = {data[name]}" for name in ("epsilon", "delta", "alpha") if name in data)
    yield "head", field("Query", f"least {data['ask']} of {data['of']}" + (f" at {given}" if given else ""))
    unit = " alpha" if data["ask"] == "rdp" and "alpha" not in data else ""
    yield "good", field("Answer", f"{interval(data['value'])}{unit}, {data['status']}, {data['tightness']}")
    if len(data["answer"]) <= _WIDEST:
        yield "", field("", data["answer"])
    for place, rule in enumerate(data["rule_chain"]):
        yield "", field("  by" if place == 0 else "", rule)
    for assumption in data["assumptions"]:
        yield "open", field("  you assumed", assumption)
    for citation in data["citations"]:
        yield "", field("  cites", citation)
    for other in data["runners_up"]:
        yield "", field("Runner-up", f"{interval(other['value'])}{unit}, by {other['rule_chain'][-1]}")


def replayed_proof(data: Mapping[str, Any]) -> Theorem:
    """The theorem behind the data, rebuilt from its rules. Raises Forged if what is printed beside it is not it."""
    theorem = from_json(data["proof"])
    said = {
        "of": name_of(getattr(theorem.conclusion, "subject", None)),
        "rule_chain": list(dict.fromkeys(node.rule.id for node in theorem.walk())),
        "status": theorem.status,
        "statement": theorem.conclusion.statement(),
        "assumptions": list(theorem.assumptions),
    }
    found = _found(theorem, data)
    said |= {key: found[key] for key in ("answer", "tightness")}
    for name, value in said.items():
        if data.get(name) != value:
            raise Forged(f"the {name} beside the proof is not what the proof says")
    try:
        ours, theirs = ([Fraction(pair[end]) for end in ("lower", "upper")] for pair in (found["value"], data["value"]))
    except (KeyError, TypeError, ValueError):
        raise Forged("the value beside the proof is not an interval") from None
    if theirs[0] > ours[1] or theirs[1] < ours[0]:
        raise Forged("the value beside the proof is not what the proof says")
    return theorem


def _found(theorem: Theorem, data: Mapping[str, Any]) -> dict[str, Any]:
    """The answer that the theorem gives to the question beside it."""
    given = {name: str(data[name]) for name in ("epsilon", "delta", "alpha") if name in data}
    query = checked(Query(getattr(theorem.conclusion, "subject", None), str(data.get("ask")), **given))  # type: ignore[arg-type]
    found = answer(theorem, meant(query), _CHECKED)
    if found is None:
        raise Forged("the proof does not answer the question beside it")
    return _answer(found, query, _CHECKED)
