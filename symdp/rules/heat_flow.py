"""Theorem 6 of Balle et al. 2019, with the term its printed form leaves out.

For a conservative diffusion without flux through its ends ``d/ds R_alpha = -alpha E[Gamma(log p_s(x,.)/p_s(x',.))]``
under the
tilted law, so that

    R_alpha(P_t(x) || P_t(x')) <= alpha Lambda(t) + R_alpha(oo),    Lambda(t) = int_t^oo kappa(s) ds.

The printed theorem has no second term. It is zero when the process merges, and a rule has to have decided that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Integer

from symdp.citations import Citation
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import Conservative, Divergence, HeatFlow, LimitDivergence, Merging
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA, elliptic, linear_coefficients, one_process, regularity

Params = Mapping[str, Any]


def _merging_limit(premises: tuple[Any, ...], _: Params) -> LimitDivergence:
    """``R_alpha(oo) = 0``."""
    return LimitDivergence(premises[0].process, Integer(0))


def _finite(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    merging, divergence = premises
    yield one_process(merging.process, divergence.process)


register(
    Rule(
        # TV -> 0 and R finite at one time for every order: the densities are uniformly integrable, so R -> 0.
        id="limit-of-merging",
        title="A merging diffusion forgets its start",
        citation=Citation("balle2019", "Theorem 6", "the hypothesis its proof needs"),
        premises=(Merging, Divergence),
        conditions=_finite,
        conclude=_merging_limit,
        tightness="exact",
        circles=True,
    )
)


def _heat_flow_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    conservative, flow, limit = premises
    yield one_process(conservative.process, flow.process, limit.process)


def _heat_flow(premises: tuple[Any, ...], _: Params) -> Divergence:
    """``R_alpha(P_t(x)||P_t(x')) <= alpha Lambda(t) + R_alpha(oo)``."""
    _, flow, limit = premises
    return Divergence(flow.process, ALPHA * flow.Lambda + limit.value, flow.region)


register(
    Rule(
        id="heat-flow",
        title="Renyi divergence by the heat flow",
        citation=Citation("balle2019", "Theorem 6", "with the limit term that the proof gives"),
        premises=(Conservative, HeatFlow, LimitDivergence),
        conditions=_heat_flow_conditions,
        conclude=_heat_flow,
        tightness="upper",
        circles=True,
    )
)

# --- conservative, and merging by recurrence, in one dimension ------------------------------------------------------


def _one_dimension(process: Diffusion) -> Iterator[Condition]:
    yield Condition("one dimension", "the state is a real number", "fact", (process.dimension == 1,))
    if process.dimension == 1:
        yield from regularity(process)
        yield elliptic(process)


def _conservative(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = params["process"]
    yield from _one_dimension(process)
    if process.dimension == 1:
        yield Condition("ends", "each end is unattainable or reflects", "conservative ends", (process,))


def _no_explosion(_: tuple[Any, ...], params: Params) -> Conservative:
    """``P_t 1 = 1``: no mass is lost, at an end or at infinity."""
    return Conservative(params["process"])


register(
    Rule(
        id="conservative-1d",
        title="No explosion in one dimension, by Feller's test",
        citation=Citation("karlin1981", "chapter 15, section 6", "boundary classification"),
        premises=(),
        conditions=_conservative,
        conclude=_no_explosion,
        tightness="exact",
    )
)


def _conservative_linear(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = params["process"]
    yield Condition("whole space", "the domain is the whole space", "whole space", (process,))
    yield from regularity(process)
    yield from linear_coefficients(process)


register(
    Rule(
        id="conservative-linear",
        title="No explosion of a linear SDE",
        citation=Citation("karlin1981", "chapter 15, section 6", "Lipschitz coefficients"),
        premises=(),
        conditions=_conservative_linear,
        conclude=_no_explosion,
        tightness="exact",
    )
)


def _merging_1d(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = params["process"]
    yield from _conservative(_, params)
    if process.dimension == 1:
        yield Condition(
            "recurrent",
            "the scale function is unbounded at each end that does not reflect",
            "recurrent ends",
            (process,),
        )


def _forgets(_: tuple[Any, ...], params: Params) -> Merging:
    """``TV(P_t(x), P_t(x')) -> 0``: the process forgets its start."""
    return Merging(params["process"])


register(
    Rule(
        # Two independent copies of a recurrent one-dimensional diffusion meet; after that they can be run together.
        id="merging-recurrent",
        title="Merging by recurrence in one dimension",
        citation=Citation("lindvall1992", "chapter VI", "coupling of one-dimensional diffusions"),
        premises=(),
        conditions=_merging_1d,
        conclude=_forgets,
        tightness="exact",
    )
)
