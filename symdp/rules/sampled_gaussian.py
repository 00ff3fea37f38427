"""The sampled Gaussian mechanism: its dominating pair, its exact Renyi curve, and closed forms above it.

The mechanism adds ``N(0, sigma^2 I)`` to the sum of f over a Poisson sample of rate q; neighbours differ by one record,
``|f| <= sensitivity``. With ``s = sigma/sensitivity``, ``mu0 = N(0, s^2)``, ``mu = (1-q) mu0 + q N(1, s^2)`` the curve
is ``R_alpha = log A/(alpha-1)``, ``A = E_{mu0}[(mu/mu0)^alpha] = sampled_moment(alpha, q, s)``. How A is bounded and
summed is in ``sampled_moments``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Integer, Rational, erfc, exp, log, oo, sqrt

from symdp import codec
from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import DominatingPair, Inequality, MomentBound, RenyiDP
from symdp.region import Interval, Region
from symdp.rule import Rule, no_parameters, register
from symdp.rules.conditions import ALPHA, holds
from symdp.rules.regions import joined, with_symbol
from symdp.text import Relation, symbol, to_text
from symdp.text.moment import sampled_moment

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
RATE, NOISE = symbol("q"), symbol("s")
NEIGHBOURS = "add/remove"


@codec.register
@dataclass(frozen=True)
class SampledGaussian:
    """The mechanism: the sum of f over a Poisson sample of rate ``q``, plus ``N(0, sigma^2 I)``."""

    q: Expr
    sigma: Expr

    @property
    def name(self) -> str:
        """The mechanism as people call it."""
        return f"the sampled Gaussian mechanism (q = {to_text(self.q)}, sigma = {to_text(self.sigma)})"


# --- the dominating pair --------------------------------------------------------------------------------------------


def _pair_conditions(_: Premises, params: Params) -> Iterator[Condition]:
    q, region = params["q"], params["region"]
    yield holds("rate", Relation(q, ">="), region, "the sampling rate is not negative")
    yield holds("rate at most 1", Relation(1 - q, ">="), region, "the sampling rate is at most 1")
    yield holds("sigma", Relation(params["sigma"], ">"), region, "sigma is positive")
    yield holds("sensitivity", Relation(params["sensitivity"], ">"), region, "the sensitivity is positive")


def _pair(_: Premises, params: Params) -> DominatingPair:
    """``(1-q) N(0, sigma^2) + q N(Delta, sigma^2)`` and ``N(0, sigma^2)``: one record is sampled or not, and whatever
    else was sampled is the same for both neighbours.

    Given the rest, the two outputs are ``(1-q) N(0, sigma^2 I) + q N(u, sigma^2 I)``, ``|u| <= sensitivity``, and
    ``N(0, sigma^2 I)``, moved by the same vector; a hockey-stick divergence of two mixtures with the same weights is at
    most the mixture of the divergences. For a set S with ``mu0(S) = m`` the two are ``(1-q-c) m + q N_u(S)`` and
    ``m - c((1-q) m + q N_u(S))``, where by Neyman and Pearson N_u(S) is largest and smallest on half-spaces
    orthogonal to u, and the more so the longer u is. So ``|u| = sensitivity`` on the line is the worst, and occurs.
    """
    subject = SampledGaussian(params["q"], params["sigma"])
    size = params["sensitivity"]
    return DominatingPair(subject, params["q"], size, params["sigma"], size, NEIGHBOURS, params["region"])


register(
    Rule(
        id="sampled-gaussian-pair",
        title="The dominating pair of the sampled Gaussian mechanism",
        citation=(
            Citation("mironov2019", "Theorem 4"),
            Citation(
                "symdp", "rules.sampled_gaussian", "by hockey-stick divergences, for any dimension and sensitivity"
            ),
        ),
        premises=(),
        conditions=_pair_conditions,
        conclude=_pair,
        tightness="exact",
    )
)


def noise_ratio(pair: DominatingPair) -> Expr:
    """``s = sigma/shift``: a divergence of the pair depends on the two only through it."""
    return pair.sigma / pair.shift


def _curve(pair: DominatingPair, value: Expr, region: Region) -> RenyiDP:
    return RenyiDP(pair.subject, value, pair.sensitivity, pair.relation, region)


# --- which direction is larger, and the exact curve -----------------------------------------------------------------


def larger_direction(q: Expr, s: Expr) -> Relation:
    """``A >= B``: ``B = E_mu[(mu0/mu)^alpha] = E_{mu0}[(mu/mu0)^(1-alpha)]``."""
    return Relation(sampled_moment(ALPHA, q, s) - sampled_moment(1 - ALPHA, q, s), ">=")


def _orders(pair: DominatingPair) -> Region:
    return with_symbol(pair.region, ALPHA, Interval.open(1, oo))


def _exact_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    pair, larger = premises
    wanted = codec.same(larger.relation, larger_direction(RATE, NOISE))
    yield Condition("larger direction", "the second premise is A >= B in the symbols q, s, alpha", "fact", (wanted,))
    values = {RATE: pair.weight, NOISE: noise_ratio(pair)}
    for relation in larger.region.relations:
        yield holds(f"A >= B where {relation}", relation.subs(values), _orders(pair))


def _exact(premises: Premises, _: Params) -> RenyiDP:
    """``log(A)/(alpha-1)``, ``A = E_mu0[(mu/mu0)^alpha]`` at the noise ``s = sigma/Delta``."""
    pair = premises[0]
    value = log(sampled_moment(ALPHA, pair.weight, noise_ratio(pair))) / (ALPHA - 1)
    return _curve(pair, value, _orders(pair))


register(
    Rule(
        id="sampled-gaussian-rdp",
        title="The Renyi curve of the sampled Gaussian mechanism",
        citation=Citation("mironov2019", "Theorem 4 and Corollary 7"),
        premises=(DominatingPair, Inequality),
        conditions=_exact_conditions,
        conclude=_exact,
        tightness="exact",
        suggest=no_parameters,
    )
)


def _bounded_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    pair, _, bound = premises
    canonical = pair.weight == RATE and noise_ratio(pair) == NOISE
    yield Condition("symbols", "the pair has weight q and noise s per unit of its shift", "fact", (canonical,))
    yield Condition("whole", "the bound is one of A", "fact", (bound.part == "A",))
    yield from _exact_conditions(premises[:2], params)


def _bounded(premises: Premises, _: Params) -> RenyiDP:
    """``log(bound)/(alpha-1)``, for a bound of the moment A."""
    pair, _larger, bound = premises
    return _curve(pair, log(bound.value) / (ALPHA - 1), joined(_orders(pair), bound.region))


register(
    Rule(
        id="sampled-gaussian-rdp-of-bound",
        title="Renyi differential privacy from a bound of the moment A",
        citation=Citation("mironov2019", "Theorem 4 and Corollary 7"),
        premises=(DominatingPair, Inequality, MomentBound),
        conditions=_bounded_conditions,
        conclude=_bounded,
        tightness="upper",
    )
)

# --- closed forms, each with its conditions -------------------------------------------------------------------------

Row = Callable[[Expr, Expr], Iterator[tuple[str, Relation]]]


def log_ratio(q: Expr) -> Expr:
    """``L = log r0``, ``r0 = 1 + 1/(q (alpha-1))``."""
    return log(1 + 1 / (q * (ALPHA - 1)))


def bulk(q: Expr, s: Expr, chi: Expr | None = None) -> Expr:
    """``1 + q^2 alpha (alpha-1)(chi - 1)``, ``chi = e^(1/s^2)`` unless given: at least the part of A below z0."""
    return 1 + q**2 * ALPHA * (ALPHA - 1) * ((exp(1 / s**2) if chi is None else chi) - 1)


def tail(q: Expr, s: Expr) -> Expr:
    """``(alpha/((alpha-1) r0))^alpha e^((alpha^2-alpha)/(2 s^2)) erfc((z0-alpha)/(sqrt2 s))/2``: at least the rest."""
    r0 = 1 + 1 / (q * (ALPHA - 1))
    above = (Rational(1, 2) + s**2 * log_ratio(q) - ALPHA) / (sqrt(2) * s)
    return (ALPHA / ((ALPHA - 1) * r0)) ** ALPHA * exp((ALPHA**2 - ALPHA) / (2 * s**2)) * erfc(above) / 2


def lemma_10_conditions(q: Expr, s: Expr) -> Iterator[tuple[str, Relation]]:
    """The conditions of Lemma 10 and Theorem 11 with their names; (4) and (5) are the paper's numbers."""
    L = log_ratio(q)
    yield "the sampling rate is at most 1/5", Relation(Rational(1, 5) - q, ">=")
    yield "the noise is at least 4", Relation(s - 4, ">=")
    yield "order, condition (4): alpha <= s^2 L/2 - 2 log s", Relation(s**2 * L / 2 - 2 * log(s) - ALPHA, ">=")
    most = (s**2 * L**2 / 2 - log(5) - 2 * log(s)) / (L + log(q * ALPHA) + 1 / (2 * s**2))
    text = "order, condition (5): alpha <= (s^2 L^2/2 - log 5 - 2 log s)/(L + log(q alpha) + 1/(2 s^2))"
    yield text, Relation(most - ALPHA, ">=")


def bun_conditions(q: Expr, s: Expr) -> Iterator[tuple[str, Relation]]:
    """The conditions of Table 1's row of Bun et al. with their names."""
    yield "the sampling rate is at most 1/10", Relation(Rational(1, 10) - q, ">=")
    yield "the noise is at least sqrt(5)", Relation(s - sqrt(5), ">=")
    yield "the order is at most s^2 log(1/q)/2", Relation(s**2 * log(1 / q) / 2 - ALPHA, ">=")


def _no_conditions(_: Expr, __: Expr) -> Iterator[tuple[str, Relation]]:
    return iter(())


def _closed_form(
    id: str, title: str, source: Citation, row: Row, value: Callable[[Expr, Expr], Expr], formula: str
) -> None:
    """A bound of the curve where the row's conditions hold; the parameter ``region`` says for which orders."""

    def conditions(premises: Premises, params: Params) -> Iterator[Condition]:
        pair = premises[0]
        region = joined(pair.region, params["region"])
        yield Condition("orders", "the region has the order alpha", "fact", (ALPHA in region.symbols,))
        yield holds("order", Relation(ALPHA - 1, ">"), region, "the order is above 1")
        yield holds("rate", Relation(pair.weight, ">"), region, "the sampling rate is positive")
        for name, relation in row(pair.weight, noise_ratio(pair)):
            yield holds(name, relation, region, name)

    def conclude(premises: Premises, params: Params) -> RenyiDP:
        pair = premises[0]
        return _curve(pair, value(pair.weight, noise_ratio(pair)), joined(pair.region, params["region"]))

    conclude.__doc__ = formula
    register(
        Rule(
            id=id,
            title=title,
            citation=source,
            premises=(DominatingPair,),
            conditions=conditions,
            conclude=conclude,
            tightness="upper",
        )
    )


_closed_form(
    "sampled-gaussian-theorem-11",
    "Closed form 2 q^2 alpha/s^2 of the sampled Gaussian mechanism",
    Citation("mironov2019", "Theorem 11"),
    lemma_10_conditions,
    lambda q, s: 2 * q**2 * ALPHA / s**2,
    "``2 q^2 alpha/s^2``, where q, s and alpha are in the range of the theorem.",
)
_closed_form(
    "sampled-gaussian-bun",
    "Closed form 6 q^2 alpha/s^2 of the sampled Gaussian mechanism",
    Citation("bun2018", "Theorem 11", "with the constants of Mironov, Talwar and Zhang 2019, Table 1"),
    bun_conditions,
    lambda q, s: Integer(6) * q**2 * ALPHA / s**2,
    "``6 q^2 alpha/s^2``, where q, s and alpha are in the range of the theorem.",
)
_closed_form(
    "sampled-gaussian-unconditional",
    "Closed form of the sampled Gaussian mechanism for every order",
    Citation("symdp", "derivation.sampled_gaussian", "Lemma 9 of Mironov, Talwar and Zhang 2019 and the tail exactly"),
    _no_conditions,
    lambda q, s: log(bulk(q, s) + tail(q, s)) / (ALPHA - 1),
    "``log(1 + q^2 alpha (alpha-1)(e^(1/s^2) - 1) + tail)/(alpha-1)``, ``tail = (alpha/((alpha-1) r0))^alpha "
    "e^((alpha^2-alpha)/(2s^2)) erfc((z0-alpha)/(sqrt2 s))/2``, "
    "``z0 = 1/2 + s^2 log(r0)``, ``r0 = 1 + 1/(q (alpha-1))``.",
)
