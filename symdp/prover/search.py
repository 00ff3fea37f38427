"""Forward chaining to a fixed point: rules on facts, facts that others make useless left alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from sympy import Expr

import symdp.rules  # noqa: F401  (registers the rules)
from symdp import codec
from symdp.enclosure import enclose
from symdp.errors import InputError, Refused, SymdpError
from symdp.judgments import ApproxDP, Judgment, links
from symdp.prover.answers import Answer, NoAnswer, Proof, answer
from symdp.prover.dominance import dominates
from symdp.rule import Query, Rule, rules
from symdp.rules.asked import pieces, same_subject, subject_of
from symdp.rules.composition import Composition
from symdp.rules.given import GIVEN, describes
from symdp.theorem import Theorem, apply

MOST_THEOREMS = 4000


def prove(facts: Iterable[Judgment | Theorem], query: Query, digits: int = 50) -> Proof:
    """The least bound for the query that the rules derive from the facts, with its proof, and the runners-up.

    ``facts``: judgments on named mechanisms and kernels (what they guarantee is taken for granted and listed in the
    theorem's assumptions), or theorems. Adding a rule with a suggestion is all it takes to have it tried.

    Raises InputError for facts that are neither, NoAnswer (a Refused) naming what is missing if nothing answers.
    """
    search = _Search(query)
    for fact in facts:
        search.add(_as_theorem(fact))
    search.run()
    found = [answered for theorem in search.known if (answered := answer(theorem, query, digits)) is not None]
    if not found:
        raise NoAnswer(search.missing(), ())
    order = {id(item): place for place, item in enumerate(found)}
    found.sort(key=lambda item: (item.value.upper, _size(item), order[id(item)]))
    best, *others = found
    return Proof(query, best, tuple(_distinct(best, others)), search.tried)


def _size(item: Answer) -> int:
    """Steps of a proof: the shorter of two equal answers comes first."""
    return sum(1 for _ in item.theorem.walk())


def _distinct(best: Answer, others: Sequence[Answer]) -> Iterator[Answer]:
    """The runners-up: one for each last rule and bound."""
    seen = {(best.theorem.rule.id, best.bound)}
    for item in others:
        key = (item.theorem.rule.id, item.bound)
        if key not in seen:
            seen.add(key)
            yield item


def _as_theorem(fact: Judgment | Theorem) -> Theorem:
    if isinstance(fact, Theorem):
        return fact
    if not isinstance(fact, Judgment):
        raise InputError(f"a judgment or a theorem expected, not {type(fact).__name__}", place="facts")
    if describes(fact):
        return apply("described", fact=fact)
    return apply("given", assuming=(GIVEN,), fact=fact)


def _close(one: Expr, other: Expr) -> bool:
    """Whether two numbers agree to 15 digits; a proposal, nothing rests on it."""
    if one == other:
        return True
    try:
        gap, size = enclose(one - other, {}, 3), enclose(other, {}, 3)
    except SymdpError:
        return False
    return bool(max(abs(gap.lower), abs(gap.upper)) <= abs(size.upper) * 1e-15)


class _Search:
    def __init__(self, query: Query) -> None:
        self.query = query
        self.known: list[Theorem] = []
        self.by_type: dict[type, list[Theorem]] = {}
        self.seen: set[str] = set()
        self.applied: set[str] = set()
        self.agenda: deque[Theorem] = deque()
        self.tried = 0
        self.refusals: list[str] = []
        self.rules = [rule for rule in rules().values() if rule.suggest is not None]

    def add(self, theorem: Theorem) -> None:
        """Take a theorem in, unless its conclusion is known; one that is dominated is kept but not built upon."""
        try:
            key = codec.canonical(theorem.conclusion)
        except InputError as error:
            self.refusals.append(f"{theorem.rule.id}: {error}")
            return
        if key in self.seen:
            return
        self.seen.add(key)
        kind = type(theorem.conclusion)
        rivals = self.by_type.setdefault(kind, [])
        self.known.append(theorem)
        if self._final(theorem.conclusion):
            return
        if any(dominates(rival.conclusion, theorem.conclusion, self.query) for rival in rivals):
            return
        rivals[:] = [rival for rival in rivals if not dominates(theorem.conclusion, rival.conclusion, self.query)]
        rivals.append(theorem)
        self.agenda.append(theorem)

    def _final(self, fact: Any) -> bool:
        """Whether it is about all that is asked, at the epsilon or delta asked for: nothing better comes of it."""
        if not isinstance(fact, ApproxDP) or not same_subject(fact.subject, self.query.subject):
            return False
        if self.query.ask == "delta" and self.query.epsilon is not None:
            return _close(fact.epsilon, self.query.epsilon)
        return self.query.ask == "epsilon" and self.query.delta is not None and _close(fact.delta, self.query.delta)

    def run(self) -> None:
        """Apply the rules until nothing new comes of it."""
        while self.agenda:
            newest = self.agenda.popleft()
            for rule in self.rules:
                for premises in self._premises(rule, newest):
                    self._try(rule, premises)
                    if len(self.known) > MOST_THEOREMS:
                        raise Refused(f"more than {MOST_THEOREMS} theorems follow from the facts: give fewer")

    def _premises(self, rule: Rule, newest: Theorem) -> Iterator[tuple[Theorem, ...]]:
        """The ways to fill the rule's premises in which the newest theorem has a part."""
        if rule.premises and rule.premises[-1] is Ellipsis:
            yield from self._sums(rule.premises[0], newest)
            return
        kind = type(newest.conclusion)
        if kind not in rule.premises:
            return
        pools = [list(self.by_type.get(wanted, ())) for wanted in rule.premises]
        for chosen in product(*pools):
            if any(theorem is newest for theorem in chosen):
                yield chosen

    def _sums(self, kind: type, newest: Theorem) -> Iterator[tuple[Theorem, ...]]:
        """One theorem for each part of a composition that the query is made of."""
        if not isinstance(newest.conclusion, kind):
            return
        for piece in pieces(self.query.subject):
            if isinstance(piece, Composition) and piece.steps == 1:
                pools = [
                    [
                        known
                        for known in self.by_type.get(kind, ())
                        if links(subject_of(known.conclusion)) == links(part)
                    ]
                    for part in piece.parts
                ]
                for chosen in product(*pools):
                    if any(theorem is newest for theorem in chosen):
                        yield chosen

    def _try(self, rule: Rule, premises: tuple[Theorem, ...]) -> None:
        assert rule.suggest is not None
        facts = tuple(premise.conclusion for premise in premises)
        key = rule.id + "".join(str(id(premise)) for premise in premises)
        if key in self.applied:
            return
        self.applied.add(key)
        try:
            suggestions = list(rule.suggest(facts, self.query))
        except SymdpError as error:
            self.refusals.append(f"{rule.id}: {error}")
            return
        for params in suggestions:
            self.tried += 1
            try:
                theorem = apply(rule.id, *premises, **params)
            except SymdpError as error:
                self.refusals.append(f"{rule.id}: {error}")
                continue
            if self._relevant(theorem.conclusion):
                self.add(theorem)

    def _relevant(self, fact: Any) -> bool:
        """Whether the conclusion is about a part of what is asked, met on the way from left to right."""
        if not hasattr(fact, "subject") and not hasattr(fact, "kernel"):
            return True
        wanted = links(subject_of(fact))
        for piece in pieces(self.query.subject):
            chain = links(piece)
            starts = range(len(chain)) if len(wanted) == 1 else (0, 1)
            if any(chain[i : i + len(wanted)] == wanted for i in starts):
                return True
        return False

    def missing(self) -> str:
        """Why there is no answer: parts without a fact, and the last refusals."""
        about = [
            links(subject_of(t.conclusion))
            for t in self.known
            if hasattr(t.conclusion, "subject") or hasattr(t.conclusion, "kernel")
        ]
        parts = [piece for whole in pieces(self.query.subject) for piece in links(whole)]
        bare = [
            str(getattr(part, "name", part))
            for part in dict.fromkeys(parts)
            if (part,) not in about and not isinstance(part, Composition)
        ]
        text = f"no rule leads from the facts to {self.query.ask}"
        if bare:
            text += f"; nothing is known of {', '.join(bare)}"
        wanting = self._wanting()
        if wanting:
            text += f"; {wanting}"
        if self.refusals:
            text += f"; refused: {' | '.join(dict.fromkeys(self.refusals[-3:]))}"
        return text

    def _wanting(self) -> str:
        """Kinds of facts that rules with another premise at hand wait for."""
        have = {type(theorem.conclusion) for theorem in self.known}
        wanted: dict[str, None] = {}
        for rule in self.rules:
            kinds = [kind for kind in rule.premises if kind is not Ellipsis]
            absent = [kind.__name__ for kind in kinds if kind not in have]
            if len(kinds) > 1 and len(absent) == 1:
                wanted[absent[0]] = None
        return f"rules wait for a fact of the kind {' or '.join(wanted)}" if wanted else ""
