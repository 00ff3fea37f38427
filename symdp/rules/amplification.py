"""Privacy amplified by a mixing kernel: Theorem 1 of Balle et al. (2019) as printed, and Renyi divergences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, S, exp, log, tanh

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import ApproxDP, Dobrushin, Doeblin, LocalDP, RenyiDP, UltraMixing, after, neighbours
from symdp.region import Interval
from symdp.rule import Query, Rule, register
from symdp.rules.asked import about_pair
from symdp.rules.conditions import ALPHA, holds, vanishes
from symdp.rules.profiles import at_least, guarantee_conditions, in_unit
from symdp.rules.regions import joined, with_symbol
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]


def _conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    guarantee, kernel = premises
    yield from guarantee_conditions(guarantee)
    yield from in_unit("gamma", kernel.gamma, kernel.region)


def _result(premises: Premises, epsilon: Expr, delta: Expr) -> ApproxDP:
    guarantee, kernel = premises
    region = joined(guarantee.region, kernel.region)
    return ApproxDP(after(kernel.kernel, guarantee.subject), epsilon, delta, region, **neighbours(guarantee))


def _total_variation(premises: Premises, _: Params) -> Iterator[Condition]:
    yield from _conditions(premises, _)
    yield Condition("ratio", "the condition is about total variation", "fact", (premises[1].ratio == 1,))


def _by_dobrushin(premises: Premises, _: Params) -> ApproxDP:
    """``(epsilon, gamma delta)``: what two laws at ``D_a = delta`` do not share has mass delta; gamma shrinks it."""
    return _result(premises, premises[0].epsilon, premises[1].gamma * premises[0].delta)


def _far_enough(premises: Premises, _: Params) -> Iterator[Condition]:
    """``ratio <= 1 + (e^epsilon - 1)/delta``, multiplied by delta: where that is 0 every finite ratio will do."""
    yield from _conditions(premises, _)
    guarantee, kernel = premises
    if kernel.ratio is S.Infinity:
        yield vanishes("infinite ratio", "delta is 0, the ratio being infinite", [guarantee.delta], guarantee.region)
        return
    region = joined(guarantee.region, kernel.region)
    needed = exp(guarantee.epsilon) - 1 - ((kernel.ratio - 1) * guarantee.delta if kernel.ratio != 1 else 0)
    yield at_least("ratio", needed, 0, region, "the ratio is at most 1 + (e^epsilon - 1)/delta")


def _at_a_ratio(premises: Premises, query: Query) -> Iterator[Params]:
    """Of total variation part (1) says as much."""
    if premises[1].ratio != 1:
        yield from about_pair(premises, query)


def _amplified(premises: Premises) -> Expr:
    """``e^epsilon' = 1 + gamma (e^epsilon - 1)``."""
    return 1 + premises[1].gamma * (exp(premises[0].epsilon) - 1)


def _by_doeblin(premises: Premises, _: Params) -> ApproxDP:
    """``epsilon' = log(1 + gamma (e^epsilon - 1))``, ``delta' = gamma (1 - e^(epsilon'-epsilon) (1-delta))``.

    Both images share ``(1-gamma)`` of one law, as in subsampling. (A gamma-Dobrushin kernel is enough: the master rule
    gives it ``gamma h(e^epsilon')``, and that is at most this delta'.) Delta does not grow if
    ``gamma <= delta e^epsilon/((1-delta)(e^epsilon-1))``, or gamma is 1.
    """
    guarantee, kernel = premises
    ratio = _amplified(premises)
    delta = kernel.gamma * (1 - ratio * exp(-guarantee.epsilon) * (1 - guarantee.delta))
    return _result(premises, log(ratio), delta)


def _by_ultra(premises: Premises, _: Params) -> ApproxDP:
    """``epsilon' = log(1 + gamma (e^epsilon - 1))``, ``delta' = gamma delta e^(epsilon'-epsilon)``: each image is
    itself a law that both share.
    """
    guarantee, kernel = premises
    ratio = _amplified(premises)
    return _result(premises, log(ratio), kernel.gamma * guarantee.delta * ratio * exp(-guarantee.epsilon))


def _theorem_1(
    part: int,
    id: str,
    title: str,
    kind: type,
    conditions: Callable[[Premises, Params], Iterator[Condition]],
    conclude: Callable[[Premises, Params], ApproxDP],
    suggest: Callable[[Premises, Query], Iterator[Params]] = about_pair,
) -> None:
    register(
        Rule(
            id=id,
            title=title,
            citation=Citation("balle2019", f"Theorem 1 ({part})"),
            premises=(ApproxDP, kind),
            conditions=conditions,
            conclude=conclude,
            tightness="upper",
            suggest=suggest,
        )
    )


_theorem_1(1, "dp-after-dobrushin", "Privacy after a Dobrushin kernel", Dobrushin, _total_variation, _by_dobrushin)
_theorem_1(
    2,
    "dp-after-dobrushin-ratio",
    "Privacy after a Dobrushin kernel at a ratio",
    Dobrushin,
    _far_enough,
    _by_dobrushin,
    _at_a_ratio,
)
_theorem_1(3, "dp-after-doeblin", "Privacy after a Doeblin kernel", Doeblin, _conditions, _by_doeblin)
_theorem_1(4, "dp-after-ultra-mixing", "Privacy after an ultra-mixing kernel", UltraMixing, _conditions, _by_ultra)

# --- Renyi divergences ----------------------------------------------------------------------------------------------


def _contracted(premises: Premises, factor: Expr, region: Any) -> RenyiDP:
    rdp, kernel = premises
    value = log(1 + factor * (exp((ALPHA - 1) * rdp.value) - 1)) / (ALPHA - 1)
    return RenyiDP(after(kernel.kernel, rdp.subject), value, rdp.sensitivity, rdp.relation, region)


def _renyi_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    rdp, kernel = premises
    yield Condition("orders", "the bound says for which orders it holds", "fact", (ALPHA in rdp.region.symbols,))
    yield holds("order", Relation(ALPHA - 1, ">"), rdp.region, "the order alpha is above 1")
    yield from in_unit("gamma", kernel.gamma, kernel.region)
    yield Condition("ratio", "the condition is about total variation", "fact", (kernel.ratio == 1,))


def _renyi_after_dobrushin(premises: Premises, _: Params) -> RenyiDP:
    """``log(1 + gamma (e^((alpha-1) R) - 1))/(alpha-1)``: the divergence of the convex ``x^alpha - 1`` contracts by
    total variation's gamma.

    So does every f-divergence: f is an affine function plus a mixture of the kinks ``[x - a]_+`` and ``[a - x]_+``,
    and ``D_a`` falls by ``eta(1 + (a-1)/D_a) <= gamma``, for a < 1 with the two laws exchanged.
    """
    rdp, kernel = premises
    return _contracted(premises, kernel.gamma, joined(rdp.region, kernel.region))


register(
    Rule(
        id="rdp-after-dobrushin",
        title="Renyi differential privacy after a Dobrushin kernel",
        citation=Citation("cohen1993", "Theorem 4.1", "f-divergences contract by the Dobrushin coefficient"),
        premises=(RenyiDP, Dobrushin),
        conditions=_renyi_conditions,
        conclude=_renyi_after_dobrushin,
        tightness="upper",
        suggest=about_pair,
    )
)


def _renyi_ldp_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    rdp, kernel = premises
    yield Condition("orders", "the bound says for which orders it holds", "fact", (ALPHA in rdp.region.symbols,))
    yield holds("order", Relation(ALPHA - 1, ">"), rdp.region, "the order alpha is above 1")
    yield from guarantee_conditions(kernel)
    yield vanishes("delta", "delta is 0", [kernel.delta], kernel.region)


def _renyi_after_ldp(premises: Premises, _: Params) -> RenyiDP:
    """``log(1 + tanh(epsilon/2)^2 (e^((alpha-1) R) - 1))/(alpha-1)`` for orders ``1 < alpha <= 2``, and not above.

    For these orders ``x^alpha`` is an affine function plus a mixture of ``(x-1)^2/(x+s)``, s >= 0, whose divergences
    are multiples of ``chi^2(P||(P+sQ)/(1+s))``. The contraction of ``chi^2`` is that of two inputs, where randomized
    response is the worst kernel: ``l(1-l) t^2/(p q + l(1-l) t^2)`` with ``t = p - q = tanh(epsilon/2)``, ``l = 1/2``.
    """
    rdp, kernel = premises
    region = with_symbol(joined(rdp.region, kernel.region), ALPHA, Interval(S.One, Integer(2), False, True))
    return _contracted(premises, tanh(kernel.epsilon / 2) ** 2, region)


register(
    Rule(
        id="rdp-after-ldp",
        title="Renyi differential privacy of orders up to 2 after a locally private kernel",
        citation=(
            Citation("asoodeh2022", "Theorem 1", "the contraction of chi^2"),
            Citation("raginsky2016", "section III", "it is that of every operator convex divergence"),
        ),
        premises=(RenyiDP, LocalDP),
        conditions=_renyi_ldp_conditions,
        conclude=_renyi_after_ldp,
        tightness="upper",
        suggest=about_pair,
    )
)
