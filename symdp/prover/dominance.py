"""Which of two facts of one kind about one subject is useless beside the other, as far as the query is concerned.

A proposal, as all of the search: what is dropped here is not built upon, nothing is proved by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from flint import arb, fmpq
from sympy import Expr, Rational

from symdp import codec
from symdp.ball import working_precision
from symdp.enclosure import ball, compile_ball
from symdp.errors import SymdpError
from symdp.judgments import (
    ZCDP,
    ApproxDP,
    Dobrushin,
    Doeblin,
    GaussianDP,
    KernelProfile,
    LocalDP,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    UltraMixing,
    links,
)
from symdp.prover.answers import at_most
from symdp.rule import Query
from symdp.rules.asked import pieces, subject_of
from symdp.rules.conditions import ALPHA
from symdp.rules.lines import NOTHING, fewest
from symdp.text.constants import is_constant
from symdp.theorem import Theorem

_SMALLER = {
    ApproxDP: ("epsilon", "delta"),
    Dobrushin: ("gamma", "ratio"),
    Doeblin: ("gamma",),
    GaussianDP: ("mu",),
    LocalDP: ("epsilon", "delta"),
    PureDP: ("epsilon",),
    UltraMixing: ("gamma",),
    ZCDP: ("rho",),
}
_ORDERS = tuple(Rational(1) + Rational(2) ** k for k in range(-6, 13)) + tuple(map(Rational, (2.5, 4, 7, 12, 24, 48)))
_WEAKER = dict.fromkeys(("delta", "epsilon", "gdp"), (RenyiDP, ZCDP, GaussianDP)) | {"rdp": (ZCDP, GaussianDP)}
_GUARANTEES = (ApproxDP, PureDP, PrivacyProfile)
_BITS = 200


def dominates(one: Any, other: Any, query: Query) -> bool:
    """Whether ``one`` says at least as much as ``other``; the same kind, subject, neighbours and region needed."""
    if type(one) is not type(other) or not _same_setting(one, other):
        return False
    kind = type(one)
    if kind is RenyiDP:
        return _smaller_curve(one, other, query)
    if not codec.same(one.region, other.region) if hasattr(one, "region") else False:
        return False
    if kind in _SMALLER:
        return all(at_most(getattr(one, name), getattr(other, name)) for name in _SMALLER[kind])
    if kind is PrivacyProfile and other.both and not one.both:
        return False
    return kind in (PrivacyProfile, KernelProfile) and _below(one.lines, other.lines)


def implied(theorem: Theorem, query: Query) -> bool:
    """Whether a fact about a proper part of a chain says no more, for what is asked, than the differential privacy it
    was derived from.

    What follows for the chain from a profile of the part is the most that follows from that privacy. Renyi divergences
    made of it contract by rules of their own, so they count where a divergence is asked for, and all add something
    where mechanisms are composed, which is not after other links.
    """
    if type(theorem.conclusion) not in _WEAKER.get(query.ask, ()) or not theorem.premises:
        return False
    return _part(subject_of(theorem.conclusion), query) and _from_privacy(theorem)


def _part(subject: object, query: Query) -> bool:
    """Whether it is a chain that goes on, in all that the query is made of."""
    own = links(subject)
    return len(own) > 1 and all(own != links(piece) for piece in pieces(query.subject))


def _from_privacy(theorem: Theorem) -> bool:
    """Whether all that it says of a mechanism comes from (epsilon, delta) guarantees or profiles."""
    if type(theorem.conclusion) in _GUARANTEES:
        return True
    about = [premise for premise in theorem.premises if hasattr(premise.conclusion, "subject")]
    return bool(about) and all(map(_from_privacy, about))


def _same_setting(one: Any, other: Any) -> bool:
    if links(subject_of(one)) != links(subject_of(other)):
        return False
    return all(codec.same(getattr(one, name, None), getattr(other, name, None)) for name in ("sensitivity", "relation"))


def _below(one: Sequence[tuple[Expr, Expr]], other: Sequence[tuple[Expr, Expr]]) -> bool:
    """Whether one profile is nowhere above the other: it adds no line."""
    if not all(is_constant(e) for line in (*one, *other) for e in line):
        return False
    return set(fewest((*other, *one))) <= {NOTHING, *other}


def _smaller_curve(one: RenyiDP, other: RenyiDP, query: Query) -> bool:
    """Whether one bound is below the other at the order asked for, or at many; an infinite one is where none holds."""
    if one.value == other.value and codec.same(one.region, other.region):
        return True
    if set(one.region.symbols) | set(other.region.symbols) != {ALPHA}:
        return False
    if query.ask == "rdp" and query.alpha is None and (one.value / ALPHA).free_symbols:
        return False  # only multiples of the order are answers
    if query.alpha == 1:
        return False  # a bound may have no value there though it has one at every order above
    orders: tuple[Expr, ...] = _ORDERS
    if query.ask == "rdp" and query.alpha is not None:
        orders = (query.alpha,)
    elif query.orders is not None:
        orders = query.orders
    return all(_no_larger(left, right) for left, right in zip(_curve(one, orders), _curve(other, orders), strict=True))


def _no_larger(one: arb | None, other: arb | None) -> bool:
    return other is None or (one is not None and bool(one.mid() <= other.mid()))


@lru_cache(maxsize=8192)
def _curve(fact: RenyiDP, orders: tuple[Expr, ...]) -> tuple[arb | None, ...]:
    """The bound at each order, None where it does not hold."""
    try:
        with working_precision(_BITS):
            at = compile_ball(fact.value, [ALPHA])
            return tuple(
                _value(at, order) if fact.region.contains({ALPHA: order}) is True else None for order in orders
            )
    except SymdpError:
        return (None,) * len(orders)


def _value(at: Callable[[Sequence[arb]], arb], order: Expr) -> arb | None:
    try:
        value = at([arb(fmpq(int(order.p), int(order.q))) if isinstance(order, Rational) else ball(order, {})])
    except SymdpError:
        return None
    return value if value.is_finite() else None
