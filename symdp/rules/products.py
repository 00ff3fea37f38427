"""Independent coordinates: the law of the whole is the product of theirs, and Renyi divergences of products add up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

from sympy import Add, Expr, Symbol

from symdp.citations import Citation
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import Divergence, IndependentCoordinates, RenyiDP
from symdp.judgments.iteration import STARTS
from symdp.region import Region
from symdp.rule import Rule, register
from symdp.rules.conditions import DELTA, pair_region, smooth, starts, vanishes
from symdp.rules.regions import joined
from symdp.text import symbol

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
SOURCE = Citation("vanerven2014", "Theorem 28", "additivity")


def _independent_conditions(_: Premises, params: Params) -> Iterator[Condition]:
    process: Diffusion = params["process"]
    yield Condition("several", "there are two coordinates at least", "fact", (process.dimension > 1,))
    n, noise = process.dimension, process.noise
    off = [noise[i, j] for i in range(n) for j in range(i)]
    yield vanishes("own noise", "no two coordinates share noise", off, process.region)
    foreign: list[Expr] = []
    for i, own in enumerate(process.state):
        others = [s for s in process.state if s != own]
        mixed = [e for e in (process.drift[i], noise[i, i]) if e.has(*others)]
        yield from smooth(f"coefficient of {own}", mixed, process.region, others)
        foreign += [e.diff(s) for e in mixed for s in others]
    yield vanishes("own coefficients", "drift and noise of a coordinate depend on no other", foreign, process.region)


def _independent(_: Premises, params: Params) -> IndependentCoordinates:
    """``P_t(x) = P^1_t(x_1) x ... x P^d_t(x_d)`` where ``u_i`` and ``(vv^T)_ii`` depend on ``x_i`` alone, and ``vv^T``
    is diagonal.
    """
    return IndependentCoordinates(params["process"])


register(
    Rule(
        id="independent-coordinates",
        title="Coordinates that are independent",
        citation=Citation("pavliotis2014", "chapter 2", "the generator is a sum, so the kernel is a product"),
        premises=(),
        conditions=_independent_conditions,
        conclude=_independent,
        tightness="exact",
        circles=True,
    )
)


def _parts(premises: Premises) -> Iterator[Condition]:
    independent, *facts = premises
    process: Diffusion = independent.process
    about = [getattr(fact, "process", None) or fact.subject for fact in facts]
    same = about == [process.coordinate(i) for i in range(process.dimension)]
    yield Condition("parts", "there is a premise about each coordinate, in their order", "fact", (same,))


def _renamed(process: Diffusion, i: int) -> dict[Symbol, Symbol]:
    """The starts of a coordinate by itself as those coordinates of the starts of the whole."""
    x, xp = starts(process)
    return {symbol("x"): x[i], symbol("xp"): xp[i]}  # type: ignore[dict-item]


def _moved(region: Region, names: Mapping[Symbol, Symbol]) -> Region:
    box = {names.get(s, s): interval for s, interval in region.intervals}
    return Region.make(box, [c.subs(names) for c in region.constraints])


def _divergence_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield from _parts(premises)


def _divergence(premises: Premises, _: Params) -> Divergence:
    """``R_alpha(P_t(x)||P_t(x')) = sum_i R_alpha(P^i_t(x_i)||P^i_t(x'_i))`` for independent coordinates."""
    independent, *facts = premises
    process: Diffusion = independent.process
    names = [_renamed(process, i) for i in range(process.dimension)]
    value = Add(*[fact.value.xreplace(n) for fact, n in zip(facts, names, strict=True)])
    moved = [_moved(fact.region, n) for fact, n in zip(facts, names, strict=True)]
    return Divergence(process, value, reduce(joined, moved, pair_region(process)))


register(
    Rule(
        id="independent-divergence",
        title="The divergence of independent coordinates",
        citation=SOURCE,
        premises=(IndependentCoordinates, Divergence, ...),
        conditions=_divergence_conditions,
        conclude=_divergence,
        tightness="exact",
        circles=True,
    )
)


def _privacy_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield from _parts(premises)
    plain = all(fact.relation == STARTS and fact.sensitivity == DELTA for fact in premises[1:])
    yield Condition("neighbours", "the neighbours are starts at distance at most Delta", "fact", (plain,))


def _privacy(premises: Premises, _: Params) -> RenyiDP:
    """``(alpha, sum_i F_i(Delta))`` for coordinates with ``(alpha, F_i(Delta))``: no coordinate of two starts differs
    by more than the starts do.
    """
    independent, *facts = premises
    process: Diffusion = independent.process
    region = reduce(joined, (fact.region for fact in facts))
    return RenyiDP(process, Add(*[fact.value for fact in facts]), DELTA, STARTS, joined(region, process.params))


register(
    Rule(
        id="independent-rdp",
        title="Renyi differential privacy of independent coordinates",
        citation=SOURCE,
        premises=(IndependentCoordinates, RenyiDP, ...),
        conditions=_privacy_conditions,
        conclude=_privacy,
        tightness="upper",
        circles=True,
    )
)
