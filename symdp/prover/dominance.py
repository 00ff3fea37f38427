"""Which of two facts of one kind about one subject is useless beside the other, as far as the query is concerned."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Rational

from symdp import codec
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
from symdp.mechanisms.privacy_region import hull
from symdp.prover.answers import at_most
from symdp.rule import Query
from symdp.rules.asked import subject_of
from symdp.rules.conditions import ALPHA

_SMALLER = {
    ApproxDP: ("epsilon", "delta"),
    Doeblin: ("gamma",),
    GaussianDP: ("mu",),
    LocalDP: ("epsilon", "delta"),
    PureDP: ("epsilon",),
    UltraMixing: ("gamma",),
    ZCDP: ("rho",),
}


def dominates(one: Any, other: Any, query: Query) -> bool:
    """Whether ``one`` says at least as much as ``other``; the same kind, subject, neighbours and region needed."""
    if type(one) is not type(other) or not _same_setting(one, other):
        return False
    kind = type(one)
    if kind in _SMALLER:
        return all(at_most(getattr(one, name), getattr(other, name)) for name in _SMALLER[kind])
    if kind is Dobrushin:
        return codec.same(one.ratio, other.ratio) and at_most(one.gamma, other.gamma)
    if kind is RenyiDP and query.ask == "rdp" and query.alpha is not None:
        return at_most(one.value.subs(ALPHA, query.alpha), other.value.subs(ALPHA, query.alpha))
    if kind in (PrivacyProfile, KernelProfile):
        if kind is PrivacyProfile and other.both and not one.both:
            return False
        return _below(one.lines, other.lines)
    return False


def _same_setting(one: Any, other: Any) -> bool:
    if links(subject_of(one)) != links(subject_of(other)):
        return False
    names = ("region", "sensitivity", "relation")
    return all(codec.same(getattr(one, name, None), getattr(other, name, None)) for name in names)


def _below(one: tuple[tuple[Expr, Expr], ...], other: tuple[tuple[Expr, Expr], ...]) -> bool:
    """Whether one profile is nowhere above the other: rational lines only."""
    if not all(isinstance(e, Rational) for line in (*one, *other) for e in line):
        return False
    first, second = (_region(lines) for lines in (one, other))
    return bool((first | second) == second)


def _region(lines: tuple[tuple[Expr, Expr], ...]) -> Any:
    from fractions import Fraction

    return hull((Fraction(u.p, u.q), Fraction(v.p, v.q)) for u, v in lines)
