"""A mechanism on a random sample of the records, and groups of records in place of one.

A Poisson sample goes with neighbours that differ by one record added or removed, a sample of fixed size without
replacement with neighbours that differ in the value of one record. The two do not mix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, Integer, S, exp, log

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import ZCDP, ApproxDP, GaussianDP, PrivacyProfile, PureDP, Sampled, neighbours
from symdp.region import Interval, Region
from symdp.rule import Query, Rule, register
from symdp.rules.asked import pieces, same_subject
from symdp.rules.lines import fewest
from symdp.rules.profile_values import ranged
from symdp.rules.profiles import guarantee_conditions, in_unit

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
Conditions = Callable[[Premises, Params], Iterator[Condition]]
RELATION = {"poisson": "add/remove", "without replacement": "replace-one"}

# --- samples --------------------------------------------------------------------------------------------------------


def _sample_region(premises: Premises, params: Params) -> Region:
    return ranged(premises[0].region, params["rate"], Interval.closed(0, 1))


def _sample(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, scheme = premises[0], params["scheme"]
    yield Condition("scheme", "the sample is poisson or without replacement", "fact", (scheme in RELATION,))
    wanted = RELATION.get(scheme, "")
    yield Condition(
        "relation", f"the neighbours are those of this sample: {wanted}", "fact", (fact.relation == wanted,)
    )
    yield from in_unit("rate", params["rate"], _sample_region(premises, params))


def _sample_of_dp(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from guarantee_conditions(premises[0])
    yield from _sample(premises, params)


def _sampled(premises: Premises, params: Params) -> ApproxDP:
    """``(log(1 + q (e^epsilon - 1)), q delta)``.

    The record in question is outside the sample with probability 1-q, and then both laws are the same: ``D_a'`` of the
    mixtures is q times a ``D_a`` of the parts with ``a' = 1 + q (a-1)``.
    """
    fact, rate = premises[0], params["rate"]
    subject = Sampled(fact.subject, params["scheme"], rate)
    epsilon = log(1 + rate * (exp(fact.epsilon) - 1))
    region = _sample_region(premises, params)
    return ApproxDP(subject, epsilon, rate * fact.delta, region, **neighbours(fact))


def _sampled_profile(premises: Premises, params: Params) -> PrivacyProfile:
    """``h'(a) = q h(1 + (a-1)/q)``: the line (u, v) becomes ``(q u + (1-q) v, v)``."""
    fact, rate = premises[0], params["rate"]
    lines = fewest((rate * u + (1 - rate) * v, v) for u, v in fact.lines)
    subject, region = Sampled(fact.subject, params["scheme"], rate), _sample_region(premises, params)
    return PrivacyProfile(subject, lines, True, region, **neighbours(fact))


def _samples(premises: Premises, query: Query) -> Iterator[Params]:
    for piece in pieces(query.subject):
        if isinstance(piece, Sampled) and same_subject(piece.mechanism, premises[0].subject):
            yield {"scheme": piece.scheme, "rate": piece.rate}


_SUBSAMPLING = Citation("balle2018sampling", "Theorems 8 and 9", "Poisson and without replacement")

register(
    Rule(
        id="sampled-dp",
        title="Approximate privacy of a sampled mechanism",
        citation=_SUBSAMPLING,
        premises=(ApproxDP,),
        conditions=_sample_of_dp,
        conclude=_sampled,
        tightness="exact",
        suggest=_samples,
        summary=True,
    )
)


def _sample_of_profile(premises: Premises, params: Params) -> Iterator[Condition]:
    yield Condition("both orders", "the profile holds in both orders of each pair", "fact", (premises[0].both,))
    yield from _sample(premises, params)


register(
    Rule(
        id="sampled-profile",
        title="The privacy profile of a sampled mechanism",
        citation=_SUBSAMPLING,
        premises=(PrivacyProfile,),
        conditions=_sample_of_profile,
        conclude=_sampled_profile,
        tightness="upper",
        suggest=_samples,
    )
)

# --- groups ---------------------------------------------------------------------------------------------------------

GROUP = "at most {size} steps of: {relation}"


def group_relation(relation: str, size: int) -> str:
    """Pairs that a chain of at most ``size`` neighbours joins."""
    return GROUP.format(size=size, relation=relation)


def _size(_: Premises, params: Params) -> Iterator[Condition]:
    size = params["size"]
    yield Condition("size", "the size is a positive whole number", "fact", (type(size) is int and 1 <= size <= 10_000,))


def _size_of_dp(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _size(premises, params)
    yield from guarantee_conditions(premises[0])


def _group(fact: Any, size: int, **values: Expr) -> Any:
    return replace(fact, relation=group_relation(fact.relation, size), **values)


def _group_dp(premises: Premises, params: Params) -> ApproxDP:
    """``(k epsilon, delta (1 + e^epsilon + ... + e^((k-1) epsilon)))``, one neighbour after the other.

    The sum is ``(e^(k epsilon) - 1)/(e^epsilon - 1)``, k at epsilon 0; it is written without a quotient.
    """
    fact, size = premises[0], params["size"]
    total: Expr = Integer(size) if fact.epsilon == 0 else _geometric(exp(fact.epsilon), size)
    return _group(fact, size, epsilon=size * fact.epsilon, delta=fact.delta * total)  # type: ignore[no-any-return]


def _geometric(ratio: Expr, size: int) -> Expr:
    """``1 + r + ... + r^(size-1)``, halved again and again so that it stays short."""
    if size == 1:
        return S.One
    half, odd = divmod(size, 2)
    pairs = (1 + ratio**half) * _geometric(ratio, half)
    return pairs + ratio ** (size - 1) if odd else pairs


def _group_pure(premises: Premises, params: Params) -> PureDP:
    """``k epsilon``, k the size of the group."""
    return _group(premises[0], params["size"], epsilon=params["size"] * premises[0].epsilon)  # type: ignore[no-any-return]


def _group_zcdp(premises: Premises, params: Params) -> ZCDP:
    """``k^2 rho``, k the size of the group."""
    return _group(premises[0], params["size"], rho=params["size"] ** 2 * premises[0].rho)  # type: ignore[no-any-return]


def _group_gdp(premises: Premises, params: Params) -> GaussianDP:
    """``k mu``, k the size of the group."""
    return _group(premises[0], params["size"], mu=params["size"] * premises[0].mu)  # type: ignore[no-any-return]


def _groups(
    id: str, title: str, kind: type, source: Citation, conclude: Callable[..., Any], conditions: Conditions = _size
) -> None:
    register(
        Rule(
            id=id,
            title=title,
            citation=source,
            premises=(kind,),
            conditions=conditions,
            conclude=conclude,
            tightness="exact",
        )
    )


_groups(
    "group-dp", "Approximate privacy of groups", ApproxDP, Citation("dwork2014", "Theorem 2.2 and its extension"),
    _group_dp, _size_of_dp,
)  # fmt: skip
_groups("group-pure", "Pure privacy of groups", PureDP, Citation("dwork2014", "Theorem 2.2"), _group_pure, _size_of_dp)
_groups("group-zcdp", "Zero-concentrated privacy of groups", ZCDP, Citation("bun2016", "Proposition 1.9"), _group_zcdp)
_groups("group-gdp", "Gaussian privacy of groups", GaussianDP, Citation("dong2019", "Theorem 2.14"), _group_gdp)
