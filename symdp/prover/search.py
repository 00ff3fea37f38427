"""Forward chaining to a fixed point: rules on facts, facts that others make useless left alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Any

from sympy import Expr, Rational

import symdp.rules  # noqa: F401  (registers the rules)
from symdp import codec
from symdp.ball import working_precision
from symdp.enclosure import ball
from symdp.errors import InputError, Refused, SymdpError
from symdp.judgments import ApproxDP, Judgment, links
from symdp.prover.answers import Answer, NoAnswer, Proof, answer
from symdp.prover.contradictions import no_contradiction
from symdp.prover.dominance import dominates, implied
from symdp.prover.missing import missing
from symdp.prover.queries import checked, meant
from symdp.rule import Query, Rule, rules
from symdp.rules.asked import pieces, same_subject, subject_of
from symdp.rules.composition import Composition
from symdp.rules.given import GIVEN, describes
from symdp.theorem import Theorem, apply

MOST_THEOREMS = 4000
MOST_ALIKE = 24  # derived facts of one kind that are built upon, over the length of the chain asked about, and
LEAST_ALIKE = 2  # so many about each part of it at least
LONGEST = 3980  # bits of a number: no more than 1200 digits are read
_BITS = 200
MOST_SUMS = 256  # ways to choose one fact for each part of a composition
# a suggestion or a conclusion that fails says no more than one that is refused
_FAILURES = (SymdpError, ValueError, ArithmeticError)


def prove(facts: Iterable[Judgment | Theorem], query: Query, digits: int = 50) -> Proof:
    """The least bound for the query that the rules derive from the facts, with its proof, and the runners-up.

    ``facts``: judgments on named mechanisms and kernels (what they guarantee is taken for granted and listed in the
    theorem's assumptions), or theorems. Adding a rule with a suggestion is all it takes to have it tried.

    Raises InputError for facts that are neither or contradict each other, NoAnswer (a Refused) naming what is
    missing if nothing answers, Refused if too much follows from the facts.
    """
    query = checked(query)
    wanted = meant(query)
    search = _Search(wanted)
    leaves = [_as_theorem(fact) for fact in facts]
    no_contradiction(leaves)
    for theorem in leaves:
        search.add(theorem)
    search.run()
    found = [answered for theorem in search.known if (answered := answer(theorem, wanted, digits)) is not None]
    if not found:
        raise NoAnswer(missing(wanted, search.known, search.rules, search.refusals), ())
    order = {id(item): place for place, item in enumerate(found)}
    found.sort(key=lambda item: (item.value.upper, item.tightness != "exact", _size(item), order[id(item)]))
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
        with working_precision(_BITS):
            return bool(abs(ball(one - other, {})).upper() <= abs(ball(other, {})).lower() * 1e-15)
    except SymdpError:
        return False


class _Search:
    def __init__(self, query: Query) -> None:
        self.query = query
        self.known: list[Theorem] = []
        self.active: dict[type, list[Theorem]] = {}
        self.seen: set[Judgment] = set()
        self.exact: set[Judgment] = set()
        self.applied: set[tuple[str, tuple[int, ...]]] = set()
        self.agenda: deque[Theorem] = deque()
        self.tried = 0
        self.refusals: list[str] = []
        self.rules = [rule for rule in rules().values() if rule.suggest is not None]
        self.runs = _runs(query)
        self.most_alike = max(LEAST_ALIKE, MOST_ALIKE // max(map(len, self.runs)))

    def add(self, theorem: Theorem) -> None:
        """Take a theorem in, unless its conclusion is known; one that is dominated is kept but not built upon."""
        if theorem.conclusion in self.seen:
            if self._sharper(theorem):
                self.known.append(theorem)
            return
        if not _writable(theorem.conclusion):
            self.refusals.append(f"{theorem.rule.id}: a number of the conclusion is too long")
            return
        self.seen.add(theorem.conclusion)
        self.known.append(theorem)
        if self._final(theorem) or implied(theorem, self.query):
            return
        rivals = self.active.setdefault(type(theorem.conclusion), [])
        about = links(subject_of(theorem.conclusion)) if _has_subject(theorem.conclusion) else ()
        alike = [r for r in rivals if _has_subject(r.conclusion) and links(subject_of(r.conclusion)) == about]
        if any(dominates(rival.conclusion, theorem.conclusion, self.query) for rival in alike):
            return
        useless = {id(r) for r in alike if dominates(theorem.conclusion, r.conclusion, self.query)}
        derived = [r for r in alike if r.premises and id(r) not in useless]
        if theorem.premises and len(derived) >= self.most_alike:
            return
        rivals[:] = [rival for rival in rivals if id(rival) not in useless]
        rivals.append(theorem)
        self.agenda.append(theorem)

    def _sharper(self, theorem: Theorem) -> bool:
        """Whether a known conclusion about what is asked is for the first time proved to be exact."""
        fact: Any = theorem.conclusion
        asked = _has_subject(fact) and same_subject(subject_of(fact), self.query.subject)
        if not asked or fact in self.exact or theorem.tightness != "exact":
            return False
        self.exact.add(fact)
        return True

    def _final(self, theorem: Theorem) -> bool:
        """Whether it was derived for what is asked, at the epsilon or delta asked for: nothing better comes of it."""
        fact: Any = theorem.conclusion
        if not theorem.premises or not isinstance(fact, ApproxDP) or not same_subject(fact.subject, self.query.subject):
            return False
        ask, epsilon, delta = self.query.ask, self.query.epsilon, self.query.delta
        there = (ask == "delta" and epsilon is not None and _close(fact.epsilon, epsilon)) or (
            ask == "epsilon" and delta is not None and _close(fact.delta, delta)
        )
        return there and answer(theorem, self.query, 3) is not None

    def run(self) -> None:
        """Apply the rules until nothing new comes of it."""
        while self.agenda:
            newest = self.agenda.popleft()
            if not any(newest is theorem for theorem in self.active[type(newest.conclusion)]):
                continue  # something better has come since
            for rule in self.rules:
                for premises in self._premises(rule, newest):
                    self._try(rule, premises)
                    if len(self.known) > MOST_THEOREMS:
                        raise Refused(f"more than {MOST_THEOREMS} theorems follow from the facts: give fewer", ())

    def _premises(self, rule: Rule, newest: Theorem) -> Iterator[tuple[Theorem, ...]]:
        """The ways to fill the rule's premises in which the newest theorem has a part."""
        if rule.premises and rule.premises[-1] is Ellipsis:
            yield from self._sums(rule.premises[0], newest)
            return
        kind = type(newest.conclusion)
        for place, wanted in enumerate(rule.premises):
            if wanted is kind:
                pools = [list(self.active.get(other, ())) for other in rule.premises]
                pools[place] = [newest]
                yield from filter(_meet, product(*pools))

    def _sums(self, kind: type, newest: Theorem) -> Iterator[tuple[Theorem, ...]]:
        """One theorem for each part of a composition that the query is made of."""
        if type(newest.conclusion) is not kind:
            return
        for piece in pieces(self.query.subject):
            if isinstance(piece, Composition) and piece.steps == 1:
                own = links(subject_of(newest.conclusion))
                pools = [
                    [t for t in self.active.get(kind, ()) if links(subject_of(t.conclusion)) == links(part)]
                    for part in piece.parts
                ]
                if any(links(part) == own for part in piece.parts):
                    chosen = (facts for facts in product(*pools) if any(fact is newest for fact in facts))
                    yield from islice(chosen, MOST_SUMS)

    def _try(self, rule: Rule, premises: tuple[Theorem, ...]) -> None:
        assert rule.suggest is not None
        key = rule.id, tuple(id(premise) for premise in premises)
        if key in self.applied:
            return
        self.applied.add(key)
        try:
            suggestions = list(rule.suggest(tuple(premise.conclusion for premise in premises), self.query))
        except _FAILURES as error:
            self.refusals.append(f"{rule.id}: {error}")
            return
        for params in suggestions:
            self.tried += 1
            try:
                theorem = apply(rule.id, *premises, **params)
            except _FAILURES as error:
                self.refusals.append(f"{rule.id}: {error}")
                continue
            if not _has_subject(theorem.conclusion) or links(subject_of(theorem.conclusion)) in self.runs:
                self.add(theorem)


def _writable(value: object) -> bool:
    """Whether every number in it is short enough to be written and read again."""
    if isinstance(value, Expr):
        return _short(value)
    if codec.is_record(value):
        return all(map(_writable, codec.parts(value).values()))
    return not isinstance(value, tuple) or all(map(_writable, value))


@lru_cache(maxsize=1 << 16)
def _short(value: Expr) -> bool:
    if isinstance(value, Rational):
        return max(abs(int(value.p)), int(value.q)).bit_length() <= LONGEST
    return all(map(_short, value.args))


def _meet(premises: Iterable[Theorem]) -> bool:
    """Whether at most one subject among them is a chain: what is met is a chain and a link, also where links repeat."""
    about = {links(subject_of(t.conclusion)) for t in premises if _has_subject(t.conclusion)}
    return sum(len(chain) > 1 for chain in about) <= 1


def _has_subject(fact: Judgment) -> bool:
    return hasattr(fact, "subject") or hasattr(fact, "kernel")


def _runs(query: Query) -> set[tuple[object, ...]]:
    """What may be met from left to right: each link alone, and runs of links from the first or the second."""
    found: set[tuple[object, ...]] = set()
    for piece in pieces(query.subject):
        chain = links(piece)
        found |= {(link,) for link in chain}
        found |= {chain[start:end] for start in (0, 1) for end in range(start + 1, len(chain) + 1)}
    return found
