"""Why there is no answer: what nothing is known of, what was reached instead, which kinds of facts rules wait for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symdp.judgments import links
from symdp.judgments.base import name_of
from symdp.rule import Query, Rule
from symdp.rules.asked import pieces, same_subject, subject_of
from symdp.rules.composition import Composition
from symdp.theorem import Theorem

_WANTED = {
    "delta": "ApproxDP",
    "epsilon": "ApproxDP",
    "rdp": "RenyiDP",
    "gdp": "GaussianDP",
    "error": "MeanSquaredError",
}
_SHOWN = 3  # refusals


def missing(query: Query, known: Sequence[Theorem], rules: Sequence[Rule], refusals: Sequence[str]) -> str:
    """One line that says what would have led to an answer."""
    return "; ".join(_reasons(query, known, rules, refusals))


def _reasons(query: Query, known: Sequence[Theorem], rules: Sequence[Rule], refusals: Sequence[str]) -> Iterator[str]:
    yield f"no rule leads from the facts to {query.ask} of {name_of(query.subject)}"
    facts: list[Any] = [
        t.conclusion for t in known if hasattr(t.conclusion, "subject") or hasattr(t.conclusion, "kernel")
    ]
    about = {links(subject_of(fact)) for fact in facts}
    parts = dict.fromkeys(link for piece in pieces(query.subject) for link in links(piece))
    bare = [name_of(part) for part in parts if (part,) not in about and not isinstance(part, Composition)]
    if bare:
        yield f"nothing is known of {', '.join(bare)}"
    there = [fact for fact in facts if same_subject(subject_of(fact), query.subject)]
    wanted = _WANTED.get(query.ask, query.ask)
    if there:
        kinds = ", ".join(dict.fromkeys(type(fact).__name__ for fact in there))
        at = "" if all(type(fact).__name__ != wanted for fact in there) else " that says so much"
        yield f"a fact of the kind {wanted}{at} is missing, known are {kinds}"
    elif not bare:
        waiting = _waiting(known, rules)
        apart = _apart(query, facts)
        if apart:
            yield f"no kind of guarantee is known of every part: {apart}"
        elif waiting:
            yield f"rules wait for a fact of the kind {' or '.join(waiting)}"
    if refusals:
        yield f"refused: {' | '.join(list(dict.fromkeys(refusals))[-_SHOWN:])}"


def _apart(query: Query, facts: Sequence[Any]) -> str:
    """What is known of the parts of the first composition whose parts have no kind of guarantee in common."""
    for piece in pieces(query.subject):
        if isinstance(piece, Composition):
            kinds = [
                dict.fromkeys(
                    type(f).__name__ for f in facts if hasattr(f, "relation") and same_subject(subject_of(f), part)
                )
                for part in piece.parts
            ]
            if not set.intersection(*map(set, kinds)):
                parts = zip(piece.parts, kinds, strict=True)
                return ", ".join(f"{name_of(part)} has {' and '.join(found) or 'none'}" for part, found in parts)
    return ""


def _waiting(known: Sequence[Theorem], rules: Sequence[Rule]) -> list[str]:
    """Kinds of facts that rules with another premise at hand wait for."""
    have = {type(theorem.conclusion) for theorem in known}
    wanted: dict[str, None] = {}
    for rule in rules:
        kinds = [kind for kind in rule.premises if kind is not Ellipsis]
        absent = [kind.__name__ for kind in kinds if kind not in have]
        if len(kinds) > 1 and len(absent) == 1:
            wanted[absent[0]] = None
    return list(wanted)
