"""Amplification by coupling: Theorem 2 with translations, for Gaussian and for Laplace noise.

Theorem 2: for any law omega and any coupling of omega with mu, ``R_alpha(mu K||nu K) <= R_alpha(omega||nu) + sup_x
R_alpha((H K)(x)||K(x))``, H the transport of the coupling. Here mu and nu are what a mechanism releases on two
neighbours, at u and v; omega is the same noise at a point w between them, and the coupling is the translation by
``u - w``. A translation moves what K does by L times its length at most, and both laws have a divergence that grows
with the distance. In several dimensions w lies on the segment from v to u: the lengths of the two parts add up, also
in l1, where the costs of the coordinates do not exceed that of their sum, log g being convex and 0 at 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sympy import Expr, Integer

from symdp.citations import Citation
from symdp.errors import InputError
from symdp.evidence import Condition
from symdp.judgments import NoiseMechanism, NoisyIteration, PureDP, RenyiDP
from symdp.judgments.base import name_of
from symdp.judgments.iteration import NoiseKernel, pairs
from symdp.judgments.subjects import after
from symdp.mechanisms.laplace import best_split, cost
from symdp.region import Region
from symdp.rule import Query, Rule, no_parameters, register
from symdp.rules.asked import asked, pieces, same_subject
from symdp.rules.conditions import ALPHA, holds
from symdp.rules.iteration import iteration_conditions, orders, path_conditions, segment_costs, stretches
from symdp.rules.noise import each, one_law
from symdp.rules.regions import joined
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
_ORDERS = tuple(map(Integer, (2, 4, 8, 16, 32, 64)))  # at which a search splits a distance when no order is asked for
_FEW_ORDERS = _ORDERS[1::4]  # and where it is split among many
_MANY = 4
_DIGITS, _GUESS = 26, 12  # of a split: near the best one the bound has twice as many


def _region(premises: Premises) -> Region:
    return orders(joined(premises[0].region, premises[1].region))


def _pair(premises: Premises, law: str) -> Iterator[Condition]:
    mechanism, kernel = premises
    noises = [(name_of(mechanism.subject), mechanism.law, mechanism.norm)]
    yield one_law(law, [*noises, (name_of(kernel.kernel), kernel.law, kernel.norm)])
    region = _region(premises)
    yield from each("noise", (mechanism.scale, kernel.scale), ">", region)
    yield holds("Lipschitz constant", Relation(kernel.lipschitz, ">="), region)
    yield holds("sensitivity", Relation(mechanism.sensitivity, ">="), region, "the sensitivity is not negative")


def _renyi(premises: Premises, value: Expr) -> RenyiDP:
    mechanism, kernel = premises
    return RenyiDP(after(kernel.kernel, mechanism.subject), value, region=_region(premises), **pairs(mechanism))


def _gaussian_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    theta, region = params["theta"], _region(premises)
    yield from _pair(premises, "gaussian")
    yield holds("theta", Relation(theta, ">="), region, "theta is not negative")
    yield holds("theta at most 1", Relation(1 - theta, ">="), region, "theta is at most 1")


def _gaussian(premises: Premises, params: Params) -> RenyiDP:
    """``alpha/2 (theta^2 Delta^2/s1^2 + L^2 (1 - theta)^2 Delta^2/s2^2)``, ``w = theta u + (1 - theta) v``."""
    mechanism, kernel = premises
    first = params["theta"] * mechanism.sensitivity / mechanism.scale
    second = kernel.lipschitz * (1 - params["theta"]) * mechanism.sensitivity / kernel.scale
    return _renyi(premises, ALPHA / 2 * (first**2 + second**2))


def best_theta(mechanism: NoiseMechanism, kernel: NoiseKernel) -> Expr:
    """``L^2 s1^2/(L^2 s1^2 + s2^2)``, where the sum of the two squares is least; it gives Examples 1 and 3."""
    moved = (kernel.lipschitz * mechanism.scale) ** 2
    return moved / (moved + kernel.scale**2)


def _in_turn(premises: Premises, query: Query, law: str) -> bool:
    """Whether the kernel follows the mechanism in what is asked about, and both have noise of this law."""
    mechanism, kernel = premises
    return mechanism.law == kernel.law == law and asked(after(kernel.kernel, mechanism.subject), query)


def _gaussian_suggestion(premises: Premises, query: Query) -> Iterator[Mapping[str, Any]]:
    if _in_turn(premises, query, "gaussian"):
        yield {"theta": best_theta(*premises)}


register(
    Rule(
        # the best theta is exact (path-optimum says so), others are not
        id="coupling-gaussian",
        title="Gaussian noise after Gaussian noise, by a translation",
        citation=Citation("balle2019", "Theorem 2, Examples 1 and 3", "the translation to theta u + (1 - theta) v"),
        premises=(NoiseMechanism, NoiseKernel),
        conditions=_gaussian_conditions,
        conclude=_gaussian,
        tightness="upper",
        suggest=_gaussian_suggestion,
    )
)

# --- Laplace noise --------------------------------------------------------------------------------------------------


def _laplace_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    shift, region = params["shift"], _region(premises)
    yield from _pair(premises, "laplace")
    yield holds("shift", Relation(shift, ">="), region, "the shift is not negative")
    reach = Relation(premises[0].sensitivity - shift, ">=")
    yield holds("shift at most Delta", reach, region, "the shift is at most the sensitivity")


def _laplace(premises: Premises, params: Params) -> RenyiDP:
    """``log(g(w/l1) g(L (Delta - w)/l2))/(alpha - 1)`` for w the distance of omega from nu.

    ``g(z) = (alpha e^(z(alpha-1)) + (alpha-1) e^(-z alpha))/(2 alpha - 1)``.
    """
    mechanism, kernel = premises
    rest = kernel.lipschitz * (mechanism.sensitivity - params["shift"])
    return _renyi(premises, cost((params["shift"] / mechanism.scale, rest / kernel.scale), ALPHA))


def _splits(rates: Sequence[Expr], sensitivity: Expr, query: Query) -> Iterator[tuple[Expr, ...]]:
    """Splits worth a try: the best ones at the orders asked for, or where there are symbols, equal and one-sided ones.

    Two noises of one rate share a distance equally, for every order.
    """
    if len(set(rates)) == 1:
        yield (sensitivity / len(rates),) * len(rates)
        return
    wanted = (query.alpha,) if query.alpha is not None else query.orders
    digits = _DIGITS if wanted else _GUESS
    wanted = wanted or (_ORDERS if len(rates) <= _MANY else _FEW_ORDERS)
    numbers = [e for e in wanted if not e.free_symbols and e > 1]
    if not any(e.free_symbols for e in (*rates, sensitivity)):
        try:
            yield from dict.fromkeys(best_split(order, rates, sensitivity, digits).lengths for order in numbers)
        except InputError:
            return
        return
    for chosen in range(len(rates)):
        yield tuple(sensitivity if k == chosen else Integer(0) for k in range(len(rates)))


def _laplace_suggestion(premises: Premises, query: Query) -> Iterator[Mapping[str, Any]]:
    mechanism, kernel = premises
    if _in_turn(premises, query, "laplace"):
        rates = (1 / mechanism.scale, kernel.lipschitz / kernel.scale)
        for split in _splits(rates, mechanism.sensitivity, query):
            yield {"shift": split[0]}


def _single_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    mechanism = premises[0]
    yield one_law("laplace", [(name_of(mechanism.subject), mechanism.law, mechanism.norm)])
    yield holds("noise", Relation(mechanism.scale, ">"), mechanism.region, "the noise is positive")
    yield holds("sensitivity", Relation(mechanism.sensitivity, ">="), mechanism.region)


def _single(premises: Premises, _: Params) -> RenyiDP:
    """``log g(Delta/scale)/(alpha - 1)``, the divergence of two Laplace laws at that distance."""
    m = premises[0]
    return RenyiDP(m.subject, cost((m.sensitivity / m.scale,), ALPHA), region=orders(m.region), **pairs(m))


def _path_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from path_conditions(premises[0], params["lengths"], "laplace")


def _path(premises: Premises, params: Params) -> RenyiDP:
    """``log(prod_i g(prod_{j <= r-i+1} L_j W_i/l_{r-i+1}))/(alpha - 1)``: Theorem 2 once for each segment."""
    fact = premises[0]
    value = cost(segment_costs(fact, params["lengths"]), ALPHA)
    return RenyiDP(fact.subject, value, region=orders(fact.region), **pairs(fact))


def _path_suggestion(premises: Premises, query: Query) -> Iterator[Mapping[str, Any]]:
    fact = premises[0]
    whole = any(same_subject(fact.subject, piece) for piece in pieces(query.subject))
    if fact.law == "laplace" and (whole or len(fact.sigma) <= _MANY):  # a long path is split where it ends only
        rates = [stretch / scale for stretch, scale in zip(stretches(fact.lipschitz), fact.sigma, strict=True)]
        for split in _splits(rates[::-1], fact.sensitivity, query):
            yield {"lengths": split}


def _pure_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, step = premises[0], params["step"]
    yield from iteration_conditions(fact, "laplace")
    known = type(step) is int and 1 <= step <= len(fact.sigma)
    yield Condition("step", "the step is one of the iteration", "fact", (known,))
    if known:
        losses = _losses(fact)
        for other, loss in enumerate(losses, 1):
            if other != step:
                name = f"step {other} hides no better"
                yield holds(name, Relation(loss - losses[step - 1], ">="), fact.region)


def _losses(fact: NoisyIteration) -> list[Expr]:
    steps = zip(stretches(fact.lipschitz), fact.sigma, strict=True)
    return [stretch * fact.sensitivity / scale for stretch, scale in steps]


def _pure(premises: Premises, params: Params) -> PureDP:
    """``min_i L_1 ... L_i Delta/l_i``; Lemma 3 for two steps along the identity: ``Delta/max(l1, l2)``.

    The noises before step i taken alike, step i alone hides the distance. For linear maps on the line the sum of the
    noises has the tail of the widest one, so that far out the loss tends to this value: none smaller will do.
    """
    fact = premises[0]
    return PureDP(fact.subject, _losses(fact)[params["step"] - 1], fact.region, **pairs(fact))


def _pure_suggestion(premises: Premises, _: Query) -> Iterator[Mapping[str, Any]]:
    fact = premises[0]
    if fact.law == "laplace":
        yield from ({"step": step} for step in range(1, len(fact.sigma) + 1))


register(
    Rule(
        id="coupling-laplace",
        title="Laplace noise after Laplace noise, by a translation",
        citation=Citation("balle2019", "Theorem 2, Example 2", "the shift w free"),
        premises=(NoiseMechanism, NoiseKernel),
        conditions=_laplace_conditions,
        conclude=_laplace,
        tightness="upper",
        suggest=_laplace_suggestion,
    )
)
register(
    Rule(
        id="laplace-rdp",
        title="Renyi differential privacy of a Laplace mechanism",
        citation=Citation("mironov2017", "Proposition 6"),
        premises=(NoiseMechanism,),
        conditions=_single_conditions,
        conclude=_single,
        tightness="exact",
        suggest=no_parameters,
    )
)
register(
    Rule(
        id="laplace-path",
        title="Renyi differential privacy of Laplace noise added step by step, along a path",
        citation=Citation("balle2019", "Theorem 2, Example 2", "once for each step"),
        premises=(NoisyIteration,),
        conditions=_path_conditions,
        conclude=_path,
        tightness="upper",
        suggest=_path_suggestion,
    )
)
register(
    Rule(
        id="laplace-pure",
        title="Pure differential privacy of Laplace noise added step by step",
        citation=Citation("balle2019", "Lemma 3", "the widest noise decides"),
        premises=(NoisyIteration,),
        conditions=_pure_conditions,
        conclude=_pure,
        tightness="exact",
        suggest=_pure_suggestion,
        summary=True,
    )
)
