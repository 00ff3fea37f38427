"""Independent truths for privacy guarantees: divergences of finite and Gaussian laws, in mpmath, from definitions."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

from mpmath import MPContext
from sympy import Expr, Rational

from symdp.enclosure import evaluate_mp
from symdp.judgments import Judgment
from symdp.rule import Params, Rule, register
from symdp.theorem import Theorem, apply

MP = MPContext()
MP.dps = 40

Law = list[Any]

GIVEN = register(
    Rule(
        id="test.given",
        title="A guarantee taken for granted",
        citation=(),
        premises=(),
        conditions=lambda _, params: (),
        conclude=lambda _, params: params["fact"],
        tightness="exact",
    )
)


def given(fact: Judgment) -> Theorem:
    """A theorem with this conclusion, so that a rule has a premise."""
    return apply("test.given", fact=fact)


def conclude(rule: Rule, *facts: Judgment, **params: Any) -> Any:
    """What a rule concludes, its conditions left out: for mutated copies, which are in no registry."""
    return rule.conclude(facts, Params(params))


def value(expr: Expr, **values: Any) -> Any:
    """An expression at numbers (mpf or text), 30 digits."""
    exact = {name: Rational(str(number)) if isinstance(number, str) else number for name, number in values.items()}
    return MP.mpf(evaluate_mp(expr, exact, 30))


def renyi(p: Law, q: Law, alpha: Any) -> Any:
    """``log(sum p^alpha q^(1-alpha))/(alpha - 1)`` of two laws on a finite set of common support."""
    return MP.log(MP.fsum(a**alpha * b ** (1 - alpha) for a, b in zip(p, q, strict=True))) / (alpha - 1)


def hockey_stick(p: Law, q: Law, epsilon: Any) -> Any:
    """The least delta: ``sum max(0, p - e^eps q)``."""
    return MP.fsum(max(0, a - MP.exp(epsilon) * b) for a, b in zip(p, q, strict=True))


def pure(p: Law, q: Law) -> Any:
    """The largest privacy loss, in either order."""
    return max(abs(MP.log(a / b)) for a, b in zip(p, q, strict=True))


def product(p: Law, q: Law) -> Law:
    """The law of two independent draws."""
    return [a * b for a in p for b in q]


def random_law(source: random.Random, size: int, spread: float = 3) -> Law:
    """A law with masses over ``e^(2 spread)``."""
    weights = [MP.exp(source.uniform(-spread, spread)) for _ in range(size)]
    return [w / MP.fsum(weights) for w in weights]


def response(epsilon: Any) -> tuple[Law, Law]:
    """Randomized response: the worst pair for pure differential privacy."""
    high = 1 / (1 + MP.exp(-epsilon))
    return [high, 1 - high], [1 - high, high]


def rare_leak(probability: Any, loss: Any) -> tuple[Law, Law]:
    """A rare outcome of a large loss: the pair for which the conversion of Renyi divergence is nearly tight."""
    small = probability * MP.exp(-loss)
    return [probability, 1 - probability], [small, 1 - small]


def normal(x: Any) -> Any:
    """The normal distribution function."""
    return MP.erfc(-x / MP.sqrt(2)) / 2


def gaussian_renyi(mu: Any, alpha: Any) -> Any:
    """``R_alpha(N(mu, 1)||N(0, 1))`` by quadrature around the peak of the integrand at ``alpha mu``."""

    def integrand(x: Any) -> Any:
        return MP.exp((-alpha * (x - mu) ** 2 - (1 - alpha) * x**2) / 2) / MP.sqrt(2 * MP.pi)

    peak = alpha * mu
    return MP.log(MP.quad(integrand, [peak - 15 + 5 * k for k in range(7)])) / (alpha - 1)


def gaussian_profile(mu: Any, epsilon: Any) -> Any:
    """``P(E) - e^eps Q(E)`` on the half line ``E = {x >= eps/mu + mu/2}`` of N(mu, 1), N(0, 1); any real epsilon."""
    edge = epsilon / mu + mu / 2
    return normal(mu - edge) - MP.exp(epsilon) * normal(-edge)


def cut_gaussians(source: random.Random, mu: Any, cuts: int) -> tuple[Law, Law]:
    """Two Gaussian laws at distance mu seen through a histogram: a mechanism that is mu-GDP."""
    edges = sorted(source.uniform(-3, 3 + float(mu)) for _ in range(cuts))

    def masses(mean: Any) -> Law:
        below = [MP.mpf(0), *(normal(MP.mpf(edge) - mean) for edge in edges), MP.mpf(1)]
        return [b - a for a, b in pairwise(below)]

    return masses(mu), masses(0)
