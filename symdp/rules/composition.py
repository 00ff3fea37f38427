"""Adaptive composition: Renyi divergences and epsilons add, Gaussian trade-offs add in squares.

Epsilons and deltas are in ``epsilon_composition``, many runs of one mechanism in ``optimal_composition``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

from sympy import Integer, sqrt

from symdp import codec
from symdp.citations import Citation
from symdp.errors import InputError
from symdp.evidence import Condition
from symdp.judgments import TCDP, ZCDP, GaussianDP, RenyiDP
from symdp.rule import Query, Rule, register
from symdp.rules.asked import pieces, same_subject

Params = Mapping[str, Any]
Premises = tuple[Any, ...]


@codec.register
@dataclass(frozen=True)
class Composition:
    """The mechanism that runs its ``parts`` in turn, ``steps`` times over; each may depend on what came out before.

    What is repeated is one thing: several parts repeated are their composition repeated.

    Raises ``InputError`` if there is no part or ``steps`` is not a positive whole number.
    """

    parts: tuple[object, ...]
    steps: int = 1

    def __post_init__(self) -> None:
        if not self.parts:
            raise InputError("at least one part is needed", place="composition")
        if type(self.steps) is not int or self.steps < 1:
            raise InputError("a positive whole number of steps is needed", place="composition")
        if self.steps > 1 and len(self.parts) > 1:
            object.__setattr__(self, "parts", (Composition(self.parts),))

    @property
    def name(self) -> str:
        """The composition as people call it."""
        parts = ", ".join(str(getattr(part, "name", None) or part) for part in self.parts)
        return f"the {self.steps}-fold composition of {parts}" if self.steps > 1 else f"the composition of {parts}"


def one_setting(premises: Premises, _: Params) -> Iterator[Condition]:
    """Guarantees compose if they are about the same neighbours, and here if they hold on the same region."""
    first, *others = premises
    for name in ("relation", "sensitivity", "region"):
        same = all(codec.same(getattr(other, name), getattr(first, name)) for other in others)
        yield Condition(name, f"the parts have one {name}", "fact", (same,))


def these_parts(premises: Premises, query: Query) -> Iterator[Params]:
    """For sums: something the query is made of runs the premises' subjects in turn."""
    subjects = [premise.subject for premise in premises]
    for piece in pieces(query.subject):
        parts = piece.parts if isinstance(piece, Composition) and piece.steps == 1 else ()
        if len(parts) == len(subjects) and all(map(same_subject, parts, subjects)):
            yield {}
            return


def repeated(premises: Premises, query: Query) -> Iterator[int]:
    """How often a part of what the query is made of repeats the premise's subject."""
    subject = premises[0].subject
    for piece in pieces(query.subject):
        if isinstance(piece, Composition) and len(piece.parts) == 1 and same_subject(piece.parts[0], subject):
            yield piece.steps


def so_many_steps(premises: Premises, query: Query) -> Iterator[Params]:
    """For repetitions: what the query is made of repeats the premise's subject."""
    for steps in repeated(premises, query):
        yield {"steps": steps}


def whole_steps(_: Premises, params: Params) -> Iterator[Condition]:
    """The parameter ``steps`` is a positive whole number."""
    steps = params["steps"]
    fine = type(steps) is int and steps >= 1
    yield Condition("steps", "the number of steps is a positive whole number", "fact", (fine,))


def _rdp_sum(premises: Premises, _: Params) -> RenyiDP:
    """``R_1(alpha) + ... + R_n(alpha)``, order by order."""
    subject = Composition(tuple(premise.subject for premise in premises))
    total: RenyiDP = replace(premises[0], subject=subject, value=reduce(add, (p.value for p in premises)))
    return total


def _rdp_steps(premises: Premises, params: Params) -> RenyiDP:
    """``k R(alpha)`` after k steps, order by order."""
    subject = Composition((premises[0].subject,), params["steps"])
    total: RenyiDP = replace(premises[0], subject=subject, value=Integer(params["steps"]) * premises[0].value)
    return total


def _zcdp_steps(premises: Premises, params: Params) -> ZCDP:
    """``k rho`` after k steps."""
    subject = Composition((premises[0].subject,), params["steps"])
    total: ZCDP = replace(premises[0], subject=subject, rho=Integer(params["steps"]) * premises[0].rho)
    return total


def _zcdp_sum(premises: Premises, _: Params) -> ZCDP:
    """``rho = rho_1 + ... + rho_n``."""
    subject = Composition(tuple(premise.subject for premise in premises))
    total: ZCDP = replace(premises[0], subject=subject, rho=reduce(add, (p.rho for p in premises)))
    return total


def _tcdp_steps(premises: Premises, params: Params) -> TCDP:
    """``(k rho, omega)`` after k steps."""
    subject = Composition((premises[0].subject,), params["steps"])
    total: TCDP = replace(premises[0], subject=subject, rho=Integer(params["steps"]) * premises[0].rho)
    return total


def _gdp_sum(premises: Premises, _: Params) -> GaussianDP:
    """``mu = sqrt(mu_1^2 + ... + mu_n^2)``."""
    subject = Composition(tuple(premise.subject for premise in premises))
    total: GaussianDP = replace(premises[0], subject=subject, mu=sqrt(reduce(add, (p.mu**2 for p in premises))))
    return total


def _gdp_steps(premises: Premises, params: Params) -> GaussianDP:
    """``sqrt(k) mu`` after k steps."""
    subject = Composition((premises[0].subject,), params["steps"])
    total: GaussianDP = replace(premises[0], subject=subject, mu=sqrt(Integer(params["steps"])) * premises[0].mu)
    return total


register(
    Rule(
        # upper: the worst neighbours of one part need not be the worst of another
        id="rdp-composition",
        title="Renyi differential privacy adds",
        citation=Citation("mironov2017", "Proposition 1"),
        premises=(RenyiDP, ...),
        conditions=one_setting,
        conclude=_rdp_sum,
        tightness="upper",
        suggest=these_parts,
    )
)
register(
    Rule(
        id="rdp-steps",
        title="Renyi differential privacy of a repeated mechanism",
        citation=Citation("mironov2017", "Proposition 1"),
        premises=(RenyiDP,),
        conditions=whole_steps,
        conclude=_rdp_steps,
        tightness="exact",
        suggest=so_many_steps,
        carries=True,
    )
)
register(
    Rule(
        id="zcdp-steps",
        title="Zero-concentrated differential privacy of a repeated mechanism",
        citation=Citation("bun2016", "Lemma 1.7"),
        premises=(ZCDP,),
        conditions=whole_steps,
        conclude=_zcdp_steps,
        tightness="exact",
        suggest=so_many_steps,
        carries=True,
    )
)
register(
    Rule(
        id="tcdp-steps",
        title="Truncated concentrated differential privacy of a repeated mechanism",
        citation=Citation("bun2018", "Lemma 2"),
        premises=(TCDP,),
        conditions=whole_steps,
        conclude=_tcdp_steps,
        tightness="exact",
        suggest=so_many_steps,
    )
)
register(
    Rule(
        id="gdp-composition",
        title="Gaussian differential privacy adds in squares",
        citation=Citation("dong2019", "Corollary 3.3"),
        premises=(GaussianDP, ...),
        conditions=one_setting,
        conclude=_gdp_sum,
        tightness="upper",
        suggest=these_parts,
    )
)
register(
    Rule(
        id="gdp-steps",
        title="Gaussian differential privacy of a repeated mechanism",
        citation=Citation("dong2019", "Corollary 3.3"),
        premises=(GaussianDP,),
        conditions=whole_steps,
        conclude=_gdp_steps,
        tightness="exact",
        suggest=so_many_steps,
        carries=True,
    )
)
register(
    Rule(
        id="zcdp-composition",
        title="Zero-concentrated differential privacy adds",
        citation=Citation("bun2016", "Lemma 1.7"),
        premises=(ZCDP, ...),
        conditions=one_setting,
        conclude=_zcdp_sum,
        tightness="upper",
        suggest=these_parts,
    )
)
