"""What a theorem says about a query: the bound it gives, enclosed, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr, Integer

from symdp.ball import Enclosure, working_precision
from symdp.decide import Proved, decide
from symdp.enclosure import enclose
from symdp.errors import Refused, SymdpError
from symdp.judgments import ApproxDP, GaussianDP, LeastError, MeanSquaredError, RenyiDP
from symdp.region import Region
from symdp.rule import Query
from symdp.rules.asked import same_subject
from symdp.rules.conditions import ALPHA
from symdp.rules.conversion import all_orders
from symdp.rules.lines import as_ball
from symdp.text import Relation
from symdp.text.constants import is_constant
from symdp.theorem import Theorem

_BITS, _MOST_BITS, _LONG = 512, 4096, 200


class NoAnswer(Refused):
    """No rule leads from the facts to what is asked; the message says what would."""


@dataclass(frozen=True)
class Answer:
    """A theorem, the bound that it gives for the query as an exact expression, and the enclosure of that.

    Where a Rényi bound is asked for without an order, ``bound`` is the factor of alpha in it. ``there``: the theorem
    is about the very epsilon or delta asked for.
    """

    theorem: Theorem
    bound: Expr
    value: Enclosure
    there: bool = True

    @property
    def tightness(self) -> str:
        """Exact if the theorem is, at the epsilon or delta asked for, or the bound is 0; else upper."""
        if self.bound == 0:
            return "exact"
        return self.theorem.tightness if self.there else "upper"

    @property
    def rule_chain(self) -> tuple[str, ...]:
        """The ids of the rules, from the facts to the answer, each once."""
        return tuple(dict.fromkeys(node.rule.id for node in self.theorem.walk()))


@dataclass(frozen=True)
class Proof:
    """The best answer and the others, from the least bound to the largest; ``tried`` rules were applied in vain."""

    query: Query
    best: Answer
    runners_up: tuple[Answer, ...]
    tried: int


def answer(theorem: Theorem, query: Query, digits: int) -> Answer | None:
    """What the theorem gives for the query; None if it is about something else, or not at numbers."""
    fact: Any = theorem.conclusion
    if not same_subject(getattr(fact, "subject", None), query.subject):
        return None
    region = getattr(fact, "region", None)
    if region is not None and set(region.symbols) - {ALPHA, getattr(fact, "norm", None)}:
        return None  # it holds for some values of a symbol that the query does not have
    if region is not None and region.is_empty():
        return None  # it says nothing
    bound = _bound(fact, query)
    if bound is None or bound.free_symbols:
        return None
    try:
        value = enclose(bound, {}, digits)
    except SymdpError:
        return None
    if value.upper < 0:
        bound, value = Integer(0), Enclosure(0, 0)
    return Answer(theorem, bound, value, _there(fact, query))


def _there(fact: Any, query: Query) -> bool:
    """Whether a guarantee is about the epsilon or delta asked for, not about one that is stricter."""
    if not isinstance(fact, ApproxDP):
        return True
    said, wanted = (fact.epsilon, query.epsilon) if query.ask == "delta" else (fact.delta, query.delta)
    return wanted is None or at_most(wanted, said)


def _bound(fact: Any, query: Query) -> Expr | None:
    found: Expr | None = None
    match query.ask:
        case "delta" if isinstance(fact, ApproxDP) and query.epsilon is not None:
            found = fact.delta if at_most(fact.epsilon, query.epsilon) else None
        case "epsilon" if isinstance(fact, ApproxDP) and query.delta is not None:
            found = fact.epsilon if at_most(fact.delta, query.delta) else None
        case "rdp" if isinstance(fact, RenyiDP) and query.alpha is not None:
            region = fact.region
            known = ALPHA not in region.symbols or (
                set(region.symbols) == {ALPHA} and region.contains({ALPHA: query.alpha}) is True
            )
            found = fact.value.subs(ALPHA, query.alpha) if known else None
        case "rdp" if isinstance(fact, RenyiDP) and query.alpha is None:
            # an answer if it is a number, for every order
            found = fact.value / ALPHA if all_orders(fact.region) else None
        case "gdp" if isinstance(fact, GaussianDP):
            found = fact.mu
        case "error" if isinstance(fact, LeastError | MeanSquaredError):
            found = fact.value  # at every norm, if it is a number
    return found


def at_most(left: Expr, right: Expr) -> bool:
    """Whether ``left <= right`` is proved, for numbers: by balls, or where these do not tell by an exact zero test.

    Long expressions that balls do not tell apart are not tested: the answer is no.
    """
    if left == right:
        return True
    if not (is_constant(left) and is_constant(right)):
        return False
    try:
        with working_precision(_BITS):
            between = as_ball(right) - as_ball(left)
        if between.is_finite() and (between >= 0 or between < 0):
            return bool(between >= 0)
        gap = right - left
        if gap.count_ops() > _LONG:
            return False
        return bool(enclose(gap, {}, 1, max_bits=_MOST_BITS).lower >= 0)
    except SymdpError:
        return isinstance(decide(Relation(right - left, ">="), Region()), Proved)
