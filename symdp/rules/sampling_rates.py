"""The sampled Gaussian mechanism at the two ends of the rates: nothing is sampled, everything is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import S

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import DominatingPair, GaussianDP, PureDP
from symdp.rule import Query, Rule, register
from symdp.rules.asked import asked
from symdp.rules.conditions import holds, vanishes
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
OWN = Citation("symdp", "rules.sampling_rates", "the dominating pair at this rate")


def _never(premises: Premises, _: Params) -> Iterator[Condition]:
    yield vanishes("rate", "the sampling rate is 0", [premises[0].weight], premises[0].region)


def _never_sampled(premises: Premises, _: Params) -> PureDP:
    """Both laws of the pair are ``N(0, sigma^2)``: no test tells neighbours apart."""
    pair: DominatingPair = premises[0]
    return PureDP(pair.subject, S.Zero, pair.region, pair.sensitivity, pair.relation)


def _always(premises: Premises, _: Params) -> Iterator[Condition]:
    pair: DominatingPair = premises[0]
    yield vanishes("rate", "the sampling rate is 1", [pair.weight - 1], pair.region)
    yield holds("sigma", Relation(pair.sigma, ">"), pair.region, "sigma is positive")
    yield holds("shift", Relation(pair.shift, ">="), pair.region, "the shift is not negative")


def _always_sampled(premises: Premises, _: Params) -> GaussianDP:
    """The pair is ``N(shift, sigma^2)`` and ``N(0, sigma^2)``, which is ``N(mu, 1)`` and ``N(0, 1)``, scaled."""
    pair: DominatingPair = premises[0]
    return GaussianDP(pair.subject, pair.shift / pair.sigma, pair.region, pair.sensitivity, pair.relation)


def _rate(value: int) -> Any:
    def suggest(premises: Premises, query: Query) -> Iterator[Params]:
        if premises[0].weight == value and asked(premises[0].subject, query):
            yield {}

    return suggest


register(
    Rule(
        id="sampled-gaussian-none",
        title="Pure differential privacy of the sampled Gaussian mechanism at the rate 0",
        citation=OWN,
        premises=(DominatingPair,),
        conditions=_never,
        conclude=_never_sampled,
        tightness="exact",
        suggest=_rate(0),
    )
)
register(
    Rule(
        id="sampled-gaussian-all",
        title="Gaussian differential privacy of the sampled Gaussian mechanism at the rate 1",
        citation=OWN,
        premises=(DominatingPair,),
        conditions=_always,
        conclude=_always_sampled,
        tightness="exact",
        suggest=_rate(1),
    )
)
