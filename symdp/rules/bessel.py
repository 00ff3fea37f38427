"""Bessel diffusions: Bessel processes, their Ornstein-Uhlenbeck and Cox-Ingersoll-Ross forms, reflected noise.

In a coordinate ``z > 0`` with ``Gamma(z) = 1``, ``L = D^2 + ((2 nu + 1)/z - theta z) D``, ``nu > -1``. Up to factors
that do not mix start and end, the kernel is ``I_nu(a z z')`` with ``a = theta/(2 sinh(theta t))``, 1/(2t) for theta =
0, so that with ``G(x) = x I_(nu+1)(x)/I_nu(x)``

    D log p_t(z, y)/p_t(z', y) = (G(a z y) - G(a z' y))/y,    kappa <= (c_nu a (z - z'))^2,    c_nu = sup G'.

The supremum is attained inside, and above 1, for ``-1 < nu < 1/2``; it is 1 from ``nu = 1/2``, that is dimension 3, on.
For ``nu >= -1/2`` the curvature bound, whose factor is 1, is never larger; below, there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sympy import Expr, Integer, Rational, Symbol, diff, oo

from symdp.citations import Citation
from symdp.decide import Proved, Refuted, Unknown, Verdict, decide
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import SymdpError
from symdp.evidence import Condition, register_decider
from symdp.judgments import BesselKernel, Divergence, HeatFlow, Merging
from symdp.mechanisms.transition.slope import steepest
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import (
    ALPHA,
    TIME,
    elliptic,
    holds,
    pair_region,
    regularity,
    smooth,
    starts,
    vanishes,
)
from symdp.rules.harnack import forgetting
from symdp.text import Relation, symbol, to_text

Params = Mapping[str, Any]
SLOPE_DIGITS = 20
"""Digits to which ``c_nu`` is enclosed where a factor is held against it."""

KERNEL = Citation("borodin2002", "appendix 1", "Bessel and radial Ornstein-Uhlenbeck processes")
BOUND = (
    Citation("balle2019", "Theorem 6", "the heat flow"),
    Citation("symdp", "rules.bessel", "kappa of the Bessel kernel, by the slope of I_(nu+1)/I_nu"),
)

# --- coordinates that run from one end to another -------------------------------------------------------------------


def runner(process: Diffusion) -> Symbol:
    """A symbol of no other meaning for the process: it runs to infinity where the state runs into an end."""
    taken = {s.name for s in process.interior.symbols}
    return symbol(next(name for k in range(len(taken) + 1) if (name := f"w{k}") not in taken))


def toward(process: Diffusion, side: str, f: Expr, w: Symbol) -> Expr:
    """A function of the state as w runs to infinity and the state into its ``"lower"`` or ``"upper"`` end."""
    (x,) = process.state
    interval = process.domain.interval(x)
    end = interval.lower if side == "lower" else interval.upper
    if end in (oo, -oo):
        return f.subs(x, w if end is oo else -w)
    return f.subs(x, end + 1 / w if side == "lower" else end - 1 / w)


def runs_to(process: Diffusion, side: str, f: Expr, value: Expr, name: str, statement: str) -> Condition:
    """``f -> value`` as the state runs into an end."""
    w = runner(process)
    region = process.params.extend({w: Interval.positive()})
    return Condition(name, statement, "limit at infinity", (toward(process, side, f, w), value, w, region))


def unit_length(process: Diffusion, coordinate: Expr, *parameters: Expr) -> Iterator[Condition]:
    """A smooth function of the state with ``Gamma = 1``, beside parameters that do not depend on the state."""
    known = coordinate.free_symbols <= set(process.interior.symbols)
    fixed = all(e.free_symbols <= set(process.params.symbols) for e in parameters)
    yield Condition("coordinate", "the coordinate is a function of the state", "fact", (known and fixed,))
    if known and fixed:
        yield from smooth("coordinate", [coordinate], process.interior, process.state)
        gamma = calculus.carre_du_champ(process, coordinate)
        yield vanishes("unit coordinate", "Gamma of the coordinate is 1", [gamma - 1], process.interior)


# --- the kernel -----------------------------------------------------------------------------------------------------


def _kernel_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, z, nu, theta, side = (params[k] for k in ("process", "coordinate", "index", "rate", "side"))
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    yield Condition("side", "the side is lower or upper", "fact", (side in ("lower", "upper"),))
    if process.dimension != 1 or side not in ("lower", "upper"):
        return
    yield from regularity(process)
    yield elliptic(process)
    yield Condition("ends", "each end is unattainable or reflects", "conservative ends", (process,))
    yield from unit_length(process, z, nu, theta)
    yield holds("positive", Relation(z, ">"), process.interior, "the coordinate is positive")
    far = "upper" if side == "lower" else "lower"
    yield runs_to(process, side, z, Integer(0), "near end", "the coordinate runs to 0 at one end")
    yield runs_to(process, far, 1 / z, Integer(0), "far end", "the coordinate runs to infinity at the other end")
    yield holds("index", Relation(nu + 1, ">"), process.params, "the index is above -1: 0 is no exit")
    drift = calculus.generator(process, z) - (2 * nu + 1) / z + theta * z
    yield vanishes("drift", "L z = (2 nu + 1)/z - theta z", [drift], process.interior)


def _kernel(_: tuple[Any, ...], params: Params) -> BesselKernel:
    """``p_t(x, y) = a y (y/x)^nu exp(..) I_nu(a x y)`` in the coordinate, ``a = theta/(2 sinh(theta t))``, for
    ``L = D^2 + ((2 nu + 1)/z - theta z) D`` on ``z > 0``, reflecting at 0 where it is attained.
    """
    return BesselKernel(params["process"], params["coordinate"], params["index"], params["rate"])


register(
    Rule(
        id="bessel-kernel",
        title="Bessel diffusion on a half line",
        citation=KERNEL,
        premises=(),
        conditions=_kernel_conditions,
        conclude=_kernel,
        tightness="exact",
    )
)

# --- the slope ------------------------------------------------------------------------------------------------------


def _slope_at_most(index: Expr, factor: Expr, region: Region, *, assuming: Sequence[Relation]) -> Verdict:
    """``c_nu <= factor``: for ``nu >= 1/2`` because it is 1, else by a certified search."""
    region = region.intersect(assuming) if assuming else region
    above = decide(Relation(index - Rational(1, 2), ">="), region)
    if isinstance(above, Proved):
        verdict = decide(Relation(factor - 1, ">="), region)
        if isinstance(verdict, Proved):
            checks = [above.certificate, verdict.certificate]
            return Proved({"engine": "normal-form", "reason": "c_nu = 1, as nu >= 1/2", "checks": checks})
        return verdict
    if index.free_symbols or factor.free_symbols:
        return Unknown(f"an index {to_text(index)} that may lie below 1/2 has to be a number")
    try:
        found = steepest(lambda bits: enclose(index, {}, bits // 3).to_arb(), SLOPE_DIGITS)
        given = enclose(factor, {}, 2 * SLOPE_DIGITS)
    except SymdpError as error:
        return Unknown(str(error))
    reason = f"c_nu lies in {found}, by branch and bound with a proved tail"
    if found.upper <= given.lower:
        return Proved({"engine": "ball", "reason": reason})
    return Refuted({}, {"engine": "ball", "reason": reason}) if given.upper < found.lower else Unknown(reason)


register_decider("bessel slope", _slope_at_most)


def _slope_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    (kernel,), factor = premises, params["factor"]
    region = kernel.process.params
    known = factor.free_symbols <= set(region.symbols)
    yield Condition("factor", "the factor is in terms of the parameters", "fact", (known,))
    if known:
        statement = f"sup_x (x I_(nu+1)(x)/I_nu(x))' <= {to_text(factor)} for nu = {to_text(kernel.index)}"
        yield Condition("slope", statement, "bessel slope", (kernel.index, factor, region))
    if kernel.rate != 0:
        statement = "the rate is 0 nowhere, or everywhere"
        yield holds("rate not 0", Relation(kernel.rate, "!="), region, statement)


def _square(kernel: Any) -> Expr:
    """``(z(x) - z(x'))^2``."""
    (state,) = kernel.process.state
    (x,), (xp,) = starts(kernel.process)
    gap: Expr = kernel.coordinate.subs(state, x) - kernel.coordinate.subs(state, xp)
    return gap**2


# --- the bounds -----------------------------------------------------------------------------------------------------


def _divergence(premises: tuple[Any, ...], params: Params) -> Divergence:
    """``R_alpha <= alpha c^2 theta (z(x) - z(x'))^2/(2 (e^{2 theta t} - 1))``, ``alpha c^2 (z(x) - z(x'))^2/(4t)`` for
    theta = 0, ``c >= c_nu``.

    For theta = 0 it is the integral of kappa, and the laws merge: scaled by ``t^{-1/2}`` both tend to the law from 0,
    with their densities. Any theta, of either sign, is theta = 0 at the time ``(e^{2 theta t} - 1)/(2 theta)``.
    """
    (kernel,), factor = premises, params["factor"]
    value = ALPHA * factor**2 * forgetting(kernel.rate) * _square(kernel)
    return Divergence(kernel.process, value, pair_region(kernel.process))


register(
    Rule(
        id="bessel-divergence",
        title="The divergence of two starts of a Bessel diffusion",
        citation=(KERNEL, *BOUND),
        premises=(BesselKernel,),
        conditions=_slope_conditions,
        conclude=_divergence,
        tightness="upper",
    )
)


def _flow_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield from _slope_conditions(premises, params)
    (kernel,) = premises
    yield holds("rate", Relation(kernel.rate, ">="), kernel.process.params, "the drift does not push away from 0")


def _flow(premises: tuple[Any, ...], params: Params) -> HeatFlow:
    """``kappa <= (c theta d/(2 sinh(theta t)))^2``, ``Lambda <= c^2 theta d^2/(2 (e^{2 theta t} - 1))`` with
    ``d = z(x) - z(x')``; ``(c d/(2t))^2`` and ``c^2 d^2/(4t)`` for theta = 0.
    """
    (kernel,), factor = premises, params["factor"]
    lam = factor**2 * forgetting(kernel.rate) * _square(kernel)
    return HeatFlow(kernel.process, -diff(lam, TIME), lam, pair_region(kernel.process))


register(
    Rule(
        id="heat-flow-bessel",
        title="kappa and Lambda of a Bessel diffusion",
        citation=(KERNEL, *BOUND),
        premises=(BesselKernel,),
        conditions=_flow_conditions,
        conclude=_flow,
        tightness="upper",
    )
)


def _merging_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    (kernel,) = premises
    yield holds("rate", Relation(kernel.rate, ">="), kernel.process.params, "the drift does not push away from 0")


def _merges(premises: tuple[Any, ...], _: Params) -> Merging:
    """``TV(P_t(x), P_t(x')) -> 0`` for ``theta >= 0``, in every dimension: P_t is a scaled Bessel law at the time
    ``s = (e^{2 theta t} - 1)/(2 theta) -> oo``, and laws at time s from x, divided by ``s^{1/2}``, have densities that
    tend to the one from 0.
    """
    return Merging(premises[0].process)


register(
    Rule(
        id="merging-bessel",
        title="Bessel diffusions forget their start",
        citation=(KERNEL, Citation("symdp", "rules.bessel", "scaling, and convergence of densities")),
        premises=(BesselKernel,),
        conditions=_merging_conditions,
        conclude=_merges,
        tightness="exact",
    )
)
