"""Doob transforms of the Brownian and the Mehler kernel: one dimension, exact.

In the unit coordinate y, ``L = D^2 + b D = h^{-1} (D^2 - q) h`` with ``D log h = b/2`` and ``q = b^2/4 + (D b)/2``.
Where y runs
over the whole line and q is constant (Brownian) or ``w^2 y^2 + c`` (Mehler), the kernel is ``e^{-ct} g_t(y, y')
h(y')/h(y)``.
With ``d = y - y'`` and ``y_a = alpha y + (1 - alpha) y'``

    Brownian: R_alpha = alpha d^2/(4t) + l,      Mehler: R_alpha = (alpha w/2) coth(2wt) d^2 + l,
    l = log[h(y_a) / (h(y)^alpha h(y')^{1-alpha})] / (alpha - 1).

Why it is conservative: s = b/2 solves ``s' = q - s^2`` on the whole line, so ``y s(y)`` is at most ``C(1 + y^2)`` and
``1 + y^2`` is a Lyapunov function. Source: re-derived; Borodin and Salminen 2002, appendix 1, has the kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Add, Expr, Integer, Rational, cosh, diff, exp, log, sinh

from symdp.citations import Citation
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import BrownianDoobKernel, Divergence, HeatFlow, LimitDivergence, MehlerDoobKernel
from symdp.rule import Rule, register
from symdp.rules.conditions import (
    ALPHA,
    TIME,
    elliptic,
    holds,
    natural_ends,
    pair_region,
    regularity,
    smooth,
    starts,
    vanishes,
)
from symdp.rules.linear import nothing
from symdp.text import Relation

Params = Mapping[str, Any]
CITATION = (
    Citation("borodin2002", "appendix 1", "Brownian and Ornstein-Uhlenbeck kernels"),
    Citation("bakry2014", "section 1.15", "Doob h-transforms"),
)


def _common(process: Diffusion, coordinate: Expr) -> Iterator[Condition]:
    """What both classes need: regular coefficients, noise everywhere, ends infinitely far away, and the unit
    coordinate.
    """
    yield from regularity(process)
    yield elliptic(process)
    yield natural_ends(process)
    yield from smooth("coordinate", [coordinate], process.interior, process.state)
    unit = calculus.unit_derivative(process, coordinate) - 1
    yield vanishes("unit coordinate", "D y = 1", [unit], process.interior)


def _at(process: Diffusion, f: Expr) -> tuple[Expr, Expr]:
    """A function of the state at the two starts."""
    (state,) = process.state
    (x,), (xp,) = starts(process)
    return f.subs(state, x), f.subs(state, xp)


def _distance(kernel: BrownianDoobKernel | MehlerDoobKernel) -> Expr:
    """``d = y(x) - y(x')``, without the constants of y that cancel."""
    process: Any = kernel.process
    moving = kernel.coordinate.expand().as_independent(*process.state, as_Add=True)[1]
    factor, shape = moving.as_independent(*process.state, as_Add=False)
    y, yp = _at(process, shape)
    return factor * (y - yp)


# --- the Brownian class ---------------------------------------------------------------------------------------------


def _brownian_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, rate = params["process"], params["rate"]
    yield from _common(process, params["coordinate"])
    b, q = calculus.unit_drift(process), calculus.potential(process)
    if params["constant"]:
        yield vanishes("constant drift", "D b = 0", [calculus.unit_derivative(process, b)], process.interior)
        yield vanishes("rate", "rate = b/2", [b / 2 - rate], process.interior)
    else:
        yield vanishes("potential", "q = b^2/4 + (D b)/2 is the constant rate^2", [q - rate**2], process.interior)
        yield holds("rate", Relation(rate, ">"), process.params)


def _brownian(_: tuple[Any, ...], params: Params) -> BrownianDoobKernel:
    """``p_t(x, y) = e^{-k^2 t} (h(y)/h(x)) N(y - x; 2t)`` in the unit coordinate, ``h'' = k^2 h``, k the rate."""
    return BrownianDoobKernel(params["process"], params["coordinate"], params["rate"], params["constant"])


register(
    Rule(
        id="brownian-doob-kernel",
        title="Doob transform of Brownian motion",
        citation=CITATION,
        premises=(),
        conditions=_brownian_conditions,
        conclude=_brownian,
        tightness="exact",
    )
)


def brownian_memory(kernel: BrownianDoobKernel) -> Expr:
    """``l``, without inverting the coordinate: ``h(y' + s)/h(y') = cosh(ks) + (b(x')/2k) sinh(ks)`` solves ``h'' =
    k^2 h``.
    """
    if kernel.constant:
        return Integer(0)
    process: Any = kernel.process
    k, d = kernel.rate, _distance(kernel)
    slope = _at(process, calculus.unit_drift(process))[1] / (2 * k)

    def h(s: Expr) -> Expr:
        return cosh(k * s) + slope * sinh(k * s)

    return (log(h(ALPHA * d)) - ALPHA * log(h(d))) / (ALPHA - 1)


def _brownian_divergence(premises: tuple[Any, ...], _: Params) -> Divergence:
    """``R_alpha = alpha d^2/(4t) + R_alpha(oo)``, ``d = y(x) - y(x')`` in the unit coordinate."""
    (kernel,) = premises
    value = ALPHA * _distance(kernel) ** 2 / (4 * TIME) + brownian_memory(kernel)
    return Divergence(kernel.process, value, pair_region(kernel.process))


register(
    Rule(
        id="brownian-doob-divergence",
        title="Renyi divergence of a Doob transform of Brownian motion",
        citation=CITATION,
        premises=(BrownianDoobKernel,),
        conditions=nothing,
        conclude=_brownian_divergence,
        tightness="exact",
    )
)


def _brownian_limit(premises: tuple[Any, ...], _: Params) -> LimitDivergence:
    """``R_alpha(oo) = (log(h(y' + alpha d)/h(y')) - alpha log(h(y)/h(y')))/(alpha-1)``, ``d = y - y'``."""
    return LimitDivergence(premises[0].process, brownian_memory(premises[0]))


register(
    Rule(
        id="brownian-doob-limit",
        title="What a Doob transform of Brownian motion never forgets",
        citation=CITATION,
        premises=(BrownianDoobKernel,),
        conditions=nothing,
        conclude=_brownian_limit,
        tightness="exact",
    )
)


def _brownian_flow(premises: tuple[Any, ...], _: Params) -> HeatFlow:
    """``kappa = d^2/(4t^2)``, ``Lambda = d^2/(4t)``: the factor h cancels in ``p_t(x, .)/p_t(x', .)``, whose logarithm
    is affine in y with slope ``d/(2t)``.
    """
    (kernel,) = premises
    d2 = _distance(kernel) ** 2
    return HeatFlow(kernel.process, d2 / (4 * TIME**2), d2 / (4 * TIME), pair_region(kernel.process))


register(
    Rule(
        id="heat-flow-brownian",
        title="kappa and Lambda of a Doob transform of Brownian motion",
        citation=Citation("balle2019", "Example 5", "kappa and Lambda of Brownian motion; the Doob factor cancels"),
        premises=(BrownianDoobKernel,),
        conditions=nothing,
        conclude=_brownian_flow,
        tightness="exact",
    )
)

# --- the Mehler class -----------------------------------------------------------------------------------------------


def mehler_factor(rate: Expr, degree: int) -> tuple[Expr, ...]:
    """The coefficients of the even p with ``p'' + 2 w y p' = 2 n w p``, p(0) = 1: positive on the line, as w > 0 and
    n is even.
    """
    coefficients: list[Expr] = [Integer(1)]
    for j in range(0, degree, 2):
        coefficients += [Integer(0), 2 * rate * (degree - j) * coefficients[j] / ((j + 2) * (j + 1))]
    return tuple(coefficients)


def _polynomial(coefficients: tuple[Expr, ...], y: Expr) -> Expr:
    return Add(*[c * y**j for j, c in enumerate(coefficients)])


def _mehler_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, y, rate, side, degree = (params[k] for k in ("process", "coordinate", "rate", "side", "degree"))
    yield from _common(process, y)
    even = degree % 2 == 0 and degree >= 0 and (side == 1 or degree == 0)
    yield Condition(
        "degree", "the factor is positive: an even degree, zero on the attracting side", "fact", (bool(even),)
    )
    yield holds("rate", Relation(rate, ">"), process.params)
    p = mehler_factor(rate, degree)
    slope = side * rate * y + _polynomial(tuple(j * c for j, c in enumerate(p))[1:], y) / _polynomial(p, y)
    yield vanishes(
        "Doob factor",
        "b/2 = D log h, h = exp(side w y^2/2) p(y)",
        [calculus.unit_drift(process) / 2 - slope],
        process.interior,
    )


def _mehler(_: tuple[Any, ...], params: Params) -> MehlerDoobKernel:
    """The Mehler kernel of rate w times ``h(y)/h(x)``, ``h = e^(side w y^2/2) p(y)`` in the unit coordinate,
    normalized.
    """
    factor = mehler_factor(params["rate"], params["degree"])
    return MehlerDoobKernel(params["process"], params["coordinate"], params["rate"], params["side"], factor)


register(
    Rule(
        id="mehler-doob-kernel",
        title="Doob transform of the Mehler kernel",
        citation=CITATION,
        premises=(),
        conditions=_mehler_conditions,
        conclude=_mehler,
        tightness="exact",
    )
)


def _mehler_polynomial_memory(kernel: MehlerDoobKernel) -> Expr:
    """The part of ``l`` that the polynomial factor leaves."""
    y, yp = _at(kernel.process, kernel.coordinate)  # type: ignore[arg-type]
    if len(kernel.factor) == 1:
        return Integer(0)
    middle = ALPHA * y + (1 - ALPHA) * yp
    p, pp, pa = (_polynomial(kernel.factor, at) for at in (y, yp, middle))
    return (log(pa) - ALPHA * log(p) - (1 - ALPHA) * log(pp)) / (ALPHA - 1)


def mehler_memory(kernel: MehlerDoobKernel) -> Expr:
    """``R_alpha(oo) = (1 + side) alpha w d^2/2 + (l of the polynomial)``, the Gaussian parts of l and of the kernel
    together.
    """
    gaussian = Rational(1 + kernel.side, 2) * ALPHA * kernel.rate * _distance(kernel) ** 2
    return gaussian + _mehler_polynomial_memory(kernel)


def _mehler_lambda(kernel: MehlerDoobKernel) -> Expr:
    """``Lambda = (w/2)(coth(2wt) - 1) d^2``, written so that nothing cancels for large t."""
    w = kernel.rate
    return w * _distance(kernel) ** 2 / (exp(4 * w * TIME) - 1)


def _mehler_divergence(premises: tuple[Any, ...], _: Params) -> Divergence:
    """``R_alpha = alpha w d^2/(e^(4wt) - 1) + R_alpha(oo)``, ``d = y(x) - y(x')`` in the unit coordinate."""
    (kernel,) = premises
    value = ALPHA * _mehler_lambda(kernel) + mehler_memory(kernel)
    return Divergence(kernel.process, value, pair_region(kernel.process))


register(
    Rule(
        id="mehler-doob-divergence",
        title="Renyi divergence of a Doob transform of the Mehler kernel",
        citation=CITATION,
        premises=(MehlerDoobKernel,),
        conditions=nothing,
        conclude=_mehler_divergence,
        tightness="exact",
    )
)


def _mehler_limit(premises: tuple[Any, ...], _: Params) -> LimitDivergence:
    """``R_alpha(oo) = (1 + side) alpha w d^2/2`` and ``(log p(alpha y + (1-alpha) y') - alpha log p(y) - (1-alpha) log
    p(y'))/(alpha-1)`` added.
    """
    return LimitDivergence(premises[0].process, mehler_memory(premises[0]))


register(
    Rule(
        id="mehler-doob-limit",
        title="What a Doob transform of the Mehler kernel never forgets",
        citation=CITATION,
        premises=(MehlerDoobKernel,),
        conditions=nothing,
        conclude=_mehler_limit,
        tightness="exact",
    )
)


def _mehler_flow(premises: tuple[Any, ...], _: Params) -> HeatFlow:
    """``Lambda = w d^2/(e^(4wt) - 1)``, kappa minus its derivative: the logarithm of ``p_t(x, .)/p_t(x', .)`` is affine
    in y with slope ``w d/sinh(2wt)``.
    """
    (kernel,) = premises
    lam = _mehler_lambda(kernel)
    return HeatFlow(kernel.process, -diff(lam, TIME), lam, pair_region(kernel.process))


register(
    Rule(
        id="heat-flow-mehler",
        title="kappa and Lambda of a Doob transform of the Mehler kernel",
        citation=Citation(
            "balle2019", "Corollary 7", "kappa and Lambda of Ornstein-Uhlenbeck; the Doob factor cancels"
        ),
        premises=(MehlerDoobKernel,),
        conditions=nothing,
        conclude=_mehler_flow,
        tightness="exact",
    )
)
