"""Curvature that changes with the time: the dimension-free Harnack inequality for ``dX = u(t, X) dt + v(t) dW``.

Let ``v v^T = s(t) N`` with a constant matrix N, and ``-(N J^T + J N)/2 >= k(t) N`` for the slope ``J = Du`` at every
point: in the norm ``|z|^2 = z^T N^{-1} z`` two solutions driven by one noise approach each other at rate k. A push of
size ``eta(r)`` along the gap makes them meet by time t if ``int_0^t eta e^K dr = |x - x'|``, ``K = int_0^r k``. By
Girsanov's theorem this costs ``R_alpha <= (alpha/2) int_0^t eta^2/s dr``, the push being bounded by a function of the
time alone; the cheapest push, ``eta`` proportional to ``s e^K``, gives

    R_alpha(P_t(x)||P_t(x')) <= alpha |x - x'|^2 / (2 C(t)),   C(t) = int_0^t s e^{2K} dr,

with equality for linear drifts. Constant s = 2 and k give Wang's ``alpha k d^2/(2 (e^{2kt} - 1))``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Matrix, diff, exp, eye

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import Divergence, RenyiDP
from symdp.judgments.iteration import STARTS
from symdp.rule import Rule, register
from symdp.rules.conditions import (
    ALPHA,
    DELTA,
    TIME,
    elliptic,
    holds,
    pair_region,
    regularity,
    smooth,
    time_region,
    vanishes,
)
from symdp.rules.linear import displacement, linear_part, matrix, quadratic
from symdp.rules.neighbours import starts_region
from symdp.rules.schedules import continuous, from_the_start, integral
from symdp.text import Relation

Params = Mapping[str, Any]
SOURCE = (
    Citation("wang2014", "section 1.2", "coupling by change of measure"),
    Citation("symdp", "rules.harnack_in_time", "with the cheapest push for a curvature that changes with the time"),
)


def _conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, bound, scale, shape = params["process"], params["bound"], params["scale"], matrix(params["shape"])
    exponent, energy = params["exponent"], params["energy"]
    yield Condition("whole space", "the domain is the whole space", "whole space", (process,))
    yield from regularity(process, in_time=True)
    times, start = time_region(process), {TIME: from_the_start(process)}
    closed = process.params.extend({s: process.domain.interval(s) for s in process.state} | start)
    yield from continuous("drift", process.drift, closed)
    named = (bound, scale, exponent, energy)
    known = all(e.free_symbols <= set(times.symbols) for e in named) and shape.free_symbols <= set(
        process.params.symbols
    )
    yield Condition("functions of time", "k, s, K and C depend on the time alone, N on nothing", "fact", (known,))
    if not known:
        return
    yield vanishes("noise", "v v^T = s(t) N", process.noise - scale * shape, process.region)
    yield elliptic(process)
    yield from continuous("noise", [scale], process.params.extend(start))  # so that the noise is finite
    yield holds("scale", Relation(scale, ">"), times, "s is positive at every time after the start")
    yield from integral("exponent", exponent, bound, process)
    yield from smooth("energy", [energy], times, [TIME])
    yield from continuous("energy", [energy], process.params.extend(start))
    yield vanishes("energy(0)", "C is 0 at time 0", [energy.subs({TIME: 0})], process.params)
    spent = scale * exp(2 * exponent) - diff(energy, TIME)
    yield holds("energy'", Relation(spent, ">="), times, "C' <= s e^{2K}")
    yield holds("energy", Relation(energy, ">"), times, "C is positive after the start")
    slope = linear_part(process)
    excess = -(shape * slope.T + slope * shape) / 2 - bound * shape
    for n, coefficient in enumerate(excess.charpoly().all_coeffs()[1:], 1):
        statement = "two solutions approach each other at rate k (elementary symmetric functions of the excess)"
        yield holds(f"curvature {n}", Relation((-1) ** n * coefficient, ">="), process.region, statement)


def _divergence(_: tuple[Any, ...], params: Params) -> Divergence:
    """``alpha (x-x')^T N^{-1} (x-x')/(2 C(t))``, ``C = int_0^t s e^{2K} dr`` and ``K = int_0^r k``."""
    process = params["process"]
    square = quadratic(matrix(params["shape"]).inv(), displacement(process))
    return Divergence(process, ALPHA * square / (2 * params["energy"]), pair_region(process))


register(
    Rule(
        id="harnack-in-time",
        title="The divergence of two starts under a curvature bound that changes with the time",
        citation=SOURCE,
        premises=(),
        conditions=_conditions,
        conclude=_divergence,
        tightness="upper",
    )
)


def _isotropic_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield from _conditions(premises, params)
    shape: Matrix = matrix(params["shape"])
    off = list(shape - shape[0, 0] * eye(shape.rows))
    yield vanishes("isotropic noise", "the noise is the same in all directions", off, params["process"].params)


def _isotropic(_: tuple[Any, ...], params: Params) -> RenyiDP:
    """``alpha Delta^2/(2 n C(t))`` for noise ``v v^T = s(t) n I``."""
    process = params["process"]
    size: Expr = matrix(params["shape"])[0, 0]
    value = ALPHA * DELTA**2 / (2 * size * params["energy"])
    return RenyiDP(process, value, DELTA, STARTS, starts_region(process))


register(
    Rule(
        id="harnack-in-time-rdp",
        title="Renyi differential privacy under a curvature bound that changes with the time",
        citation=SOURCE,
        premises=(),
        conditions=_isotropic_conditions,
        conclude=_isotropic,
        tightness="upper",
    )
)
