"""The least error that a privacy budget allows, among all Gaussian mechanisms ``N(b f(D), w I)`` on R^d.

A mechanism of this form is (alpha, epsilon alpha)-RDP if and only if ``w >= b^2 v`` with ``v = Delta^2/(2 epsilon)``.
Its largest error over ``|f(D)| <= R`` is ``(1 - b)^2 R^2 + d w``, so the best has ``w = b^2 v`` and
``b = R^2/(R^2 + d v)``, and errs by ``d v R^2/(R^2 + d v)``. A diffusion whose drift and noise are free reaches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, oo

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import GaussianMechanism, LeastError, MeanSquaredError, NoiseMechanism, RenyiDP
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA, DELTA, holds, vanishes
from symdp.rules.regions import joined, without
from symdp.text import Relation, symbol

Params = Mapping[str, Any]
SCALE, EXCESS = symbol("b"), symbol("w")


def _rate(privacy: RenyiDP) -> Expr:
    """``epsilon`` of an (alpha, epsilon alpha)-RDP guarantee."""
    return privacy.value / ALPHA


def _region(premises: tuple[Any, ...]) -> Region:
    mechanism, privacy, error = premises
    return joined(joined(mechanism.region, without(privacy.region, [ALPHA])), error.region)


def excess(mechanism: GaussianMechanism, privacy: RenyiDP, norm: Expr, value: Expr) -> Expr:
    """How much more than ``value`` the mechanism ``N(b f(D), (b^2 v + w) I)`` errs, ``v = Delta^2/(2 epsilon)``."""
    variance = privacy.sensitivity**2 / (2 * _rate(privacy))
    return (1 - SCALE) ** 2 * norm**2 + mechanism.dimension * (SCALE**2 * variance + EXCESS) - value


def _conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    mechanism, privacy, error = premises
    same = mechanism.subject == privacy.subject == error.subject
    yield Condition("one mechanism", "the premises speak of one mechanism", "fact", (same,))
    yield Condition("largest", "the error is the largest over queries of bounded norm", "fact", (error.worst,))
    free = ALPHA not in _rate(privacy).free_symbols and privacy.sensitivity == DELTA
    yield Condition("Gaussian curve", "R_alpha is alpha times a factor without alpha", "fact", (free,))
    uncoupled = not any(ALPHA in c.free_symbols for c in privacy.region.constraints)
    uncoupled = uncoupled and ALPHA in privacy.region.symbols and privacy.region.interval(ALPHA) == _ORDERS
    yield Condition("all orders", "it holds for the same parameters at every order", "fact", (uncoupled,))
    region = _region(premises)
    own = not {SCALE, EXCESS} & set(region.symbols)
    yield Condition("names", "no parameter is called b or w", "fact", (own,))
    if own:
        difference = error.value - params["value"]
        yield vanishes("value", "the error is the value, written anew", [difference], region)
        yield holds("budget", Relation(_rate(privacy), ">"), region, "epsilon is positive")
        everything = region.extend({SCALE: Interval.real(), EXCESS: Interval.nonnegative()})
        statement = "no N(b f(D), w I) of this guarantee has a smaller largest error"
        more = excess(mechanism, privacy, error.norm, params["value"])
        yield holds("least", Relation(more, ">="), everything, statement)


def _least(premises: tuple[Any, ...], params: Params) -> LeastError:
    """``E = inf (1 - b)^2 R^2 + d w`` over all b and ``w >= b^2 Delta^2/(2 epsilon)``; the mechanism attains it."""
    _, privacy, error = premises
    rate, region = _rate(privacy), _region(premises)
    return LeastError(error.subject, params["value"], error.norm, rate, privacy.sensitivity, region)


_ORDERS = Interval.open(1, oo)

register(
    Rule(
        id="least-error",
        title="A Gaussian mechanism errs least of all with its Renyi guarantee",
        citation=(
            Citation("balle2019", "Theorem 8", "theta and rho chosen for a privacy budget"),
            Citation("symdp", "rules.tuning", "optimal among all multiples of f(D) with Gaussian noise"),
        ),
        premises=(GaussianMechanism, RenyiDP, MeanSquaredError),
        conditions=_conditions,
        conclude=_least,
        tightness="exact",
    )
)

# --- the plain Gaussian mechanism -----------------------------------------------------------------------------------


def _noise_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    mechanism, dimension = premises[0], params["dimension"]
    gaussian = (mechanism.law, mechanism.norm) == ("gaussian", "l2")
    yield Condition("law", "the noise is Gaussian, measured in l2", "fact", (gaussian,))
    yield holds("noise", Relation(mechanism.scale, ">"), mechanism.region, "the noise is positive")
    whole = isinstance(dimension, Integer) and dimension >= 1
    yield Condition("dimension", "the dimension is a whole number, at least 1", "fact", (bool(whole),))


def _noise(premises: tuple[Any, ...], params: Params) -> GaussianMechanism:
    """``f(D) + N(0, sigma^2 I)`` in R^d."""
    mechanism = premises[0]
    return GaussianMechanism(mechanism.subject, Integer(1), mechanism.scale**2, params["dimension"], mechanism.region)


register(
    Rule(
        id="gaussian-noise",
        title="Independent Gaussian noise in every coordinate is a Gaussian mechanism",
        citation=Citation("mironov2017", "Corollary 3", "the Gaussian mechanism"),
        premises=(NoiseMechanism,),
        conditions=_noise_conditions,
        conclude=_noise,
        tightness="exact",
    )
)
