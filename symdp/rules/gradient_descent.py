"""Noisy projected stochastic gradient descent: what the last iterate tells about one element.

Up to step i two neighbours run alike; at step i the gradients differ by 2C at most, which puts the iterates
``2 C eta`` apart; then ``n - i`` steps with the same maps follow, each with noise of deviation ``eta sigma``.

A gradient step ``x - eta grad l`` contracts by ``c = max(|1 - eta rho|, |1 - eta beta|)``: the Hessian of the loss,
where it exists, has its eigenvalues in ``[rho, beta]``, so that they bound the map along almost every segment of the
convex set. For ``eta (beta + rho) <= 2`` the first is the larger one, ``c = 1 - eta rho``; else ``c = eta beta - 1``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, sqrt

from symdp.citations import Citation
from symdp.decide import is_zero
from symdp.evidence import Condition
from symdp.judgments import GaussianDP, Kernel, NoiseKernel, NoisySGD, RenyiDP
from symdp.judgments.base import name_of
from symdp.rule import Query, Rule, no_parameters, register
from symdp.rules.conditions import ALPHA, holds
from symdp.rules.iteration import orders
from symdp.rules.noise import geometric, kind, power, ratio, whole
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]


def _run(fact: NoisySGD) -> Iterator[Condition]:
    region = fact.region
    yield whole("index", fact.index, region)
    yield whole("steps after the index", fact.n - fact.index, region, 0)
    for name in ("step_size", "sigma"):
        yield holds(name, Relation(getattr(fact, name), ">"), region, f"{name} is positive")
    constant = Relation(fact.lipschitz_constant, ">=")
    yield holds("lipschitz_constant", constant, region, "lipschitz_constant is not negative")


def _curvature(fact: NoisySGD) -> Iterator[Condition]:
    convex = Relation(fact.strong_convexity, ">=")
    yield holds("strong_convexity", convex, fact.region, "strong_convexity is not negative")
    gap = Relation(fact.smoothness - fact.strong_convexity, ">=")
    yield holds("smoothness", gap, fact.region, "the smoothness is at least the strong convexity")


def _setting(fact: NoisySGD) -> Iterator[Condition]:
    yield from _run(fact)
    yield from _curvature(fact)


def _small_steps(fact: NoisySGD) -> Condition:
    room = Relation(2 - fact.step_size * (fact.smoothness + fact.strong_convexity), ">=")
    return holds("step size", room, fact.region, "the step size is at most 2/(beta + rho)")


def _positive_later(fact: NoisySGD) -> Iterator[Condition]:
    """A symbolic number of later steps that a formula needs to be at least 1."""
    later = fact.n - fact.index
    if later.free_symbols:
        yield holds("later steps", Relation(later - 1, ">="), fact.region, "the index is before the last step")


def _contraction(fact: NoisySGD, steep: bool) -> Expr:
    """c, by which of its two terms is the larger one."""
    return fact.step_size * fact.smoothness - 1 if steep else 1 - fact.step_size * fact.strong_convexity


def _sides(fact: NoisySGD, steep: bool) -> Condition:
    """Which of the two terms of c is the larger one."""
    if not steep:
        return _small_steps(fact)
    room = Relation(fact.step_size * (fact.smoothness + fact.strong_convexity) - 2, ">=")
    return holds("step size", room, fact.region, "the step size is at least 2/(beta + rho)")


def _step_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _setting(premises[0])
    yield _sides(premises[0], params["steep"])


def _step(premises: Premises, params: Params) -> NoiseKernel:
    """``x - eta grad l(x)`` is c-Lipschitz, c = max(|1 - eta rho|, |1 - eta beta|), and the noise has deviation
    ``eta sigma``. Quadratic losses attain it.
    """
    fact = premises[0]
    noise = fact.step_size * fact.sigma
    name = Kernel(f"a step of {name_of(fact.subject)}")
    return NoiseKernel(name, "gaussian", noise, _contraction(fact, params["steep"]), "l2", fact.region)


def _optimum_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, steep = premises[0], params["steep"]
    yield from _setting(fact)
    yield _sides(fact, steep)
    c = _contraction(fact, steep)
    yield from ratio("c", c, fact.n - fact.index, fact.region)
    if kind(c, fact.region) == "zero":
        yield from _positive_later(fact)


def _optimum(premises: Premises, params: Params) -> GaussianDP:
    """``mu = (2C/sigma) c^m/sqrt(sum_{j=0}^m c^(2j))``, m = n - i: the best path, the noise of step i first on it."""
    fact = premises[0]
    c, later = _contraction(fact, params["steep"]), fact.n - fact.index
    decay = power(c, later, fact.region) / sqrt(geometric(c, later + 1, fact.region, 2))
    mu = 2 * fact.lipschitz_constant * decay / fact.sigma
    return GaussianDP(fact.subject, mu, fact.region, relation=fact.relation)


def _suggest(_: Premises, __: Query) -> Iterator[Mapping[str, Any]]:
    yield {"steep": False}
    yield {"steep": True}


def _factor(fact: NoisySGD) -> Expr:
    """The square of the printed contraction; 1 for linear losses, where beta and rho are 0."""
    beta, rho = fact.smoothness, fact.strong_convexity
    if is_zero(beta + rho, fact.region):
        return Integer(1)
    return 1 - 2 * fact.step_size * beta * rho / (beta + rho)


def _printed_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    fact = premises[0]
    yield from _run(fact)
    later = fact.n - fact.index
    if is_zero(later, fact.region):
        return  # no map follows that could spread what step i puts between two runs
    yield from _curvature(fact)
    yield _small_steps(fact)
    curved = fact.smoothness + fact.strong_convexity
    if not is_zero(curved, fact.region):
        yield holds("curved", Relation(curved, ">"), fact.region, "beta + rho is positive, or it is 0")
    yield from _positive_later(fact)
    if later.free_symbols and kind(_factor(fact), fact.region) == "other":
        yield holds("factor", Relation(_factor(fact), ">"), fact.region, "the contraction is not 0, a case apart")


def _printed(premises: Premises, _: Params) -> RenyiDP:
    """``2 alpha C^2/sigma^2`` at i = n, for any differentiable loss; before, that times ``q^((m+1)/2)/m``, m = n - i.

    Here ``q = 1 - 2 eta beta rho/(beta + rho)``, at least ``c^2``; this is Theorem 4 (3) for the m later steps.
    """
    fact = premises[0]
    value, later = 2 * ALPHA * fact.lipschitz_constant**2 / fact.sigma**2, fact.n - fact.index
    if not is_zero(later, fact.region):
        value *= power(_factor(fact), (later + 1) / 2, fact.region) / later
    return RenyiDP(fact.subject, value, Integer(1), fact.relation, orders(fact.region))


register(
    Rule(
        id="gradient-step",
        title="A noisy step of gradient descent",
        citation=(
            Citation("balle2019", "Algorithm 1 and Theorem 5"),
            Citation("symdp", "rules.gradient_descent", "with the best constant"),
        ),
        premises=(NoisySGD,),
        conditions=_step_conditions,
        conclude=_step,
        tightness="exact",
    )
)
register(
    Rule(
        id="sgd-path-optimum",
        title="Gaussian differential privacy of noisy gradient descent at an index, the best path",
        citation=(
            Citation("balle2019", "Theorem 5", "with the noise of step i kept, and the contraction of a gradient step"),
            Citation("dong2019", "Corollary 3.3", "adaptive composition of Gaussian trade-offs"),
        ),
        premises=(NoisySGD,),
        conditions=_optimum_conditions,
        conclude=_optimum,
        tightness="upper",
        suggest=_suggest,
    )
)
register(
    Rule(
        id="sgd-rate",
        title="Renyi differential privacy of noisy gradient descent at an index",
        citation=Citation("balle2019", "Theorem 5"),
        premises=(NoisySGD,),
        conditions=_printed_conditions,
        conclude=_printed,
        tightness="upper",
        suggest=no_parameters,
    )
)
