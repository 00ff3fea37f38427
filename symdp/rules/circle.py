"""Brownian motion on a circle: its divergences by the Fourier series of the logarithm of its kernel.

With ``w = 2 pi/l``, ``s = w^2 t`` and ``q = e^{-s}`` the law of the angle, from the angle a, has the density
``u(z - a)/(2 pi)``, ``u(z) = 1 + 2 sum q^(k^2) cos(kz)``, a theta function. By Jacobi's triple product

    log u(z) = sum_n log(1 - q^(2n)) + sum_k (-1)^(k+1) cos(kz)/(k sinh(ks)),

and as ``|sin(kd/2)| <= k |sin(d/2)|`` the logarithm g of the ratio of two laws whose starts are the angle d apart has

    |g| <= 2 |sin(d/2)| S,  S = sum 1/sinh(ks);    mean of g^2 <= 2 sin(d/2)^2 T,  T = sum 1/sinh(ks)^2;
    |g'| <= 2 |sin(d/2)| M,  M = sum k/sinh(ks).

From ``sinh(ks) >= sinh(s) e^((k-1)s)`` follow ``S <= 2q/((1 + q)(1 - q)^2)`` and ``T <= 4q^2/(1 - q^2)^3``; summed over
the odd m, with ``sinh(ms/2) >= m sinh(s/2)``, ``M = 2 sum q^m/(1 - q^m)^2 <= (pi^2/4) q/(1 - q)^2``.

Let ``K(a) = log int p^a p'^(1-a)``, so that ``K(0) = K(1) = 0`` and ``(alpha - 1) R_alpha = K(alpha)``. ``K''(a)`` is
the variance of g under the law of density proportional to ``p^a p'^(1-a)``; where it is at most V on ``[0, alpha]``,
``R_alpha <= alpha V/2``. It is at most the square of the largest |g| (Popoviciu), and at most the mean of g^2 times the
largest density, ``e^(2S + 2 (alpha - 1) max|g|)``: the logarithm of u varies by at most 2S. At large times the latter
gives ``R_alpha ~ 4 alpha q^2 sin(d/2)^2``, which is true, and ``R_alpha <= max g`` is the better one for large orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Abs, Expr, exp, pi, sin

from symdp.citations import Citation
from symdp.diffusion import calculus
from symdp.diffusion.periods import moved
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import CircleKernel, Divergence, HeatFlow, Merging, RenyiDP, Unrolled
from symdp.judgments.iteration import STARTS
from symdp.region import Interval
from symdp.rule import Rule, register
from symdp.rules.bessel import unit_length
from symdp.rules.conditions import (
    ALPHA,
    DELTA,
    TIME,
    elliptic,
    holds,
    order_region,
    pair_region,
    regularity,
    starts,
    vanishes,
)
from symdp.text import Relation
from symdp.text.extrema import Min

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
KERNEL = Citation("borodin2002", "appendix 1", "Brownian motion on a circle")
BOUND = Citation("symdp", "rules.circle", "the Fourier series of the logarithm of the kernel")

# --- the kernel -----------------------------------------------------------------------------------------------------


def _kernel_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    process: Diffusion = premises[0].process
    y, length = params["coordinate"], params["length"]
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    if process.dimension != 1:
        return
    line = process.unrolled
    yield from regularity(line)
    yield elliptic(line)
    known = length.free_symbols <= set(process.params.symbols)
    yield Condition("length known", "the length is in terms of the parameters", "fact", (known,))
    if known:
        yield from unit_length(line, y)
        ((s, period),) = process.periods
        yield holds("length", Relation(length, ">"), process.params, "the circumference is positive")
        turn = [moved(y, s, period) - y - length]
        yield vanishes("turn", "the coordinate grows by the circumference in a period", turn, process.region)
        speed = calculus.generator(line, y)
        yield vanishes("constant drift", "L y is constant", [speed.diff(s)], process.region)


def _kernel(premises: Premises, params: Params) -> CircleKernel:
    """``p_t(y, z) = (1 + 2 sum e^{-k^2 w^2 t} cos(kw(y + ct - z)))/l``, ``w = 2 pi/l``, in a coordinate y that grows by
    l in a period, ``L = D^2 + c D`` in it.
    """
    return CircleKernel(premises[0].process, params["coordinate"], params["length"])


register(
    Rule(
        id="circle-kernel",
        title="Brownian motion on a circle",
        citation=KERNEL,
        premises=(Unrolled,),
        conditions=_kernel_conditions,
        conclude=_kernel,
        tightness="exact",
        circles=True,
    )
)


def half_angle(kernel: Any) -> Expr:
    """``w (y(x) - y(x'))/2``: half the angle between the starts."""
    (state,) = kernel.process.state
    (x,), (xp,) = starts(kernel.process)
    angle = (pi * kernel.coordinate / kernel.length).expand()
    value: Expr = angle.subs(state, x) - angle.subs(state, xp)
    return value


def rate(kernel: Any) -> Expr:
    """``w^2 = (2 pi/l)^2``."""
    value: Expr = (2 * pi / kernel.length) ** 2
    return value


def _no_conditions(_: Premises, __: Params) -> Iterator[Condition]:
    yield from ()


def _forgets(premises: Premises, _: Params) -> Merging:
    """``R_alpha(P_t(x)||P_t(x')) -> 0``: every law tends to the uniform one, with its density."""
    return Merging(premises[0].process)


register(
    Rule(
        id="merging-circle",
        title="Brownian motion on a circle forgets its start",
        citation=KERNEL,
        premises=(CircleKernel,),
        conditions=_no_conditions,
        conclude=_forgets,
        tightness="exact",
        circles=True,
    )
)

# --- bounds ---------------------------------------------------------------------------------------------------------


def _flow(premises: Premises, _: Params) -> HeatFlow:
    """``kappa <= (pi^4/4) w^2 sin(d/2)^2 q^2/(1-q)^4``, ``Lambda <= (pi^4/24) sin(d/2)^2 q^2 (3-q)/(1-q)^3`` with
    ``q = e^{-w^2 t}`` and the angle d between the starts.
    """
    (kernel,) = premises
    q, chord = exp(-rate(kernel) * TIME), sin(half_angle(kernel)) ** 2
    kappa = pi**4 / 4 * rate(kernel) * chord * q**2 / (1 - q) ** 4
    total = pi**4 / 24 * chord * q**2 * (3 - q) / (1 - q) ** 3
    return HeatFlow(kernel.process, kappa, total, pair_region(kernel.process))


register(
    Rule(
        id="heat-flow-circle",
        title="kappa and Lambda of Brownian motion on a circle",
        citation=(Citation("balle2019", "Theorem 6", "the heat flow"), BOUND),
        premises=(CircleKernel,),
        conditions=_no_conditions,
        conclude=_flow,
        tightness="upper",
        circles=True,
    )
)


BOUNDS = ("range", "mean", "ratio")
"""By the largest |g|, by the mean of g^2 with the largest density, and the largest g itself."""


def bound(by: str, sine: Expr, q: Expr) -> Expr:
    """One of ``BOUNDS``, for the absolute value ``sine`` of the sine of half the angle."""
    total, squares = 2 * q / ((1 + q) * (1 - q) ** 2), 4 * q**2 / (1 - q**2) ** 3
    if by == "range":
        return 2 * ALPHA * sine**2 * total**2
    if by == "mean":
        return ALPHA * sine**2 * squares * exp((2 + 4 * (ALPHA - 1) * sine) * total)
    return 2 * sine * total


def _known(_: Premises, params: Params) -> Iterator[Condition]:
    statement = f"the bound is one of {', '.join(BOUNDS)}"
    yield Condition("known bound", statement, "fact", (params["by"] in BOUNDS,))


def _divergence(premises: Premises, params: Params) -> Divergence:
    """``R_alpha <= 2 alpha sin(d/2)^2 S^2`` by "range", ``alpha sin(d/2)^2 T e^{(2 + 4 (alpha - 1) |sin(d/2)|) S}`` by
    "mean", ``2 |sin(d/2)| S`` by "ratio", with ``S = 2q/((1+q)(1-q)^2)``, ``T = 4q^2/(1-q^2)^3``, ``q = e^{-w^2 t}``
    and the angle d between the starts.
    """
    (kernel,) = premises
    value = bound(params["by"], Abs(sin(half_angle(kernel))), exp(-rate(kernel) * TIME))
    return Divergence(kernel.process, value, pair_region(kernel.process))


register(
    Rule(
        id="circle-divergence",
        title="The divergence of two starts of Brownian motion on a circle",
        citation=BOUND,
        premises=(CircleKernel,),
        conditions=_known,
        conclude=_divergence,
        tightness="upper",
        circles=True,
    )
)


def _privacy_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    (kernel,) = premises
    yield from _known(premises, params)
    ((s, period),) = kernel.process.periods
    slope = [kernel.coordinate.diff(s) * period - kernel.length]
    statement = "the noise is constant: angles are proportional to distances"
    yield vanishes("proportional", statement, slope, kernel.process.region)


def _privacy(premises: Premises, params: Params) -> RenyiDP:
    """The bound of two starts at the angle ``2 pi min(Delta, L/2)/L`` for a circle of the period L."""
    (kernel,) = premises
    process: Diffusion = kernel.process
    ((_state, period),) = process.periods
    value = bound(params["by"], sin(pi * Min(DELTA, period / 2) / period), exp(-rate(kernel) * TIME))
    region = order_region(process).extend({DELTA: Interval.nonnegative()})
    return RenyiDP(process, value, DELTA, STARTS, region)


register(
    Rule(
        id="circle-rdp",
        title="Renyi differential privacy of Brownian motion on a circle",
        citation=BOUND,
        premises=(CircleKernel,),
        conditions=_privacy_conditions,
        conclude=_privacy,
        tightness="upper",
        circles=True,
    )
)
