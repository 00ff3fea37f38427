"""Curvature in several dimensions with any noise: Wang's Harnack inequality on a complete manifold, seen in a chart.

``G = v v^T/2`` is an inverse Riemannian metric on an open box. Where it is complete and ``Gamma_2(f) >= k Gamma(f)``,

    R_alpha(P_t(x)||P_t(x')) <= alpha c(k, t) d(x, x')^2,   c = k/(2 (e^{2kt}-1)), 1/(4t) for k = 0,

d the intrinsic distance. Nothing explodes: along a shortest curve ``L d <= C - k d`` away from the start (Bakry 1986).
The distance is bounded by the energy of a path, ``d^2 <= int_0^1 <g', G^{-1} g'> ds``, or by a gauge.

A gauge is ``w(x, x') = p |x - x'|^2`` with ``p > 0`` and, in x, ``Gamma(w) = 4 w``, ``c^2 w (w + 2)`` or ``c^2 w (2 -
w)``. Then ``rho = sqrt(w)``, ``acosh(1 + w)/c`` or ``acos(1 - w)/c`` has a gradient of length 1 and vanishes only at
x', so the curve along which rho falls fastest arrives there at length rho: the distance is at most rho.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sympy import Add, Expr, Matrix, acos, acosh

from symdp.citations import Citation
from symdp.decide import Proved, Refuted, Unknown, Verdict, decide
from symdp.diffusion import calculus
from symdp.diffusion.completeness import closes_up_too, closing_up, exhaustion, open_box
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition, register_decider
from symdp.judgments import Divergence
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA, elliptic, holds, pair_region, regularity, smooth, starts, vanishes
from symdp.rules.eigenvalues import no_negative_eigenvalue
from symdp.rules.harnack import curvature_bound, forgetting
from symdp.text import Relation, symbol

Params = Mapping[str, Any]
SOURCE = (
    Citation("wang2014", "section 2.3", "the dimension-free Harnack inequality, any drift"),
    Citation("gordon1973", "the criterion", "completeness by a proper function of bounded gradient"),
    Citation("bakry1986", "the criterion", "no explosion under a lower curvature bound"),
    Citation("symdp", "rules.charts", "its power form at the best exponent; distances by paths and gauges"),
)

SHAPES: Mapping[str, tuple[Callable[[Expr, Expr], Expr], Callable[[Expr, Expr], Expr]]] = {
    "flat": (lambda w, c: 4 * w, lambda w, c: w),
    "hyperbolic": (lambda w, c: c**2 * w * (w + 2), lambda w, c: acosh(1 + w) ** 2 / c**2),
    "spherical": (lambda w, c: c**2 * w * (2 - w), lambda w, c: acos(1 - w) ** 2 / c**2),
}
"""For each shape of a gauge w with rate c: what ``Gamma(w)`` has to be, and the squared distance."""


def _decide_complete(
    process: Diffusion, w: Expr | None = None, pairs: Region | None = None, *, assuming: Sequence[Relation]
) -> Verdict:
    """``w``: a gauge, which has to be smooth and positive at a missing point too; ``pairs``: where it lives."""
    if not open_box(process):
        return Refuted({}, {"engine": "structure", "reason": "an end of the domain reflects: the chart has a boundary"})
    inside, params = process.interior, process.params
    if assuming:
        inside, params = inside.intersect(assuming), params.intersect(assuming)
    if (certificate := exhaustion(process, inside)) is not None:
        return Proved(certificate)
    if (certificate := closing_up(process, params)) is not None:
        if w is None or pairs is None:
            return Proved(certificate)
        x, _ = starts(process)
        others = Region.make({s: i for s, i in pairs.intervals if s not in x}, constraints=params.constraints)
        if closes_up_too(process, w, tuple(x), others):  # type: ignore[arg-type]
            return Proved(certificate)
        return Unknown("the gauge is not seen to be smooth and positive at the point that the chart leaves out")
    return Unknown("no exhaustion with a bounded gradient was found, and space does not close up at infinity")


register_decider("complete", _decide_complete)


def _decide_form(process: Diffusion, *, assuming: Sequence[Relation]) -> Verdict:
    """The zero test of Bochner's formula in jets; the certificate leaves out the two sides, which are long."""
    defect = calculus.bochner_defect(process)
    jets = defect.free_symbols - set(process.interior.symbols)
    region = process.interior.extend({s: Interval.real() for s in sorted(jets, key=str)})
    verdict = decide(Relation(defect, "=="), region)
    if isinstance(verdict, Proved):
        return Proved({"engine": "normal-form", "reason": "proved by the zero test in jets"})
    return Unknown("the zero test does not show it")


register_decider("curvature form", _decide_form)


def _conditions(process: Diffusion, bound: Expr, *of_gauge: Any) -> Iterator[Condition]:
    yield from regularity(process)
    yield elliptic(process)
    yield from curvature_bound(process, bound)
    form = calculus.curvature_form(process)
    if form is None:  # the noise is degenerate, and the condition above has said so
        return
    statement = "Gamma_2(f) = |Hess f + C(Df)|^2 + <Df, S Df> by the definition of Gamma_2"
    yield Condition("curvature form", statement, "curvature form", (process,))
    yield no_negative_eigenvalue(form - bound * process.noise / 2, process.interior)
    yield Condition("complete", "the intrinsic metric is complete, without boundary", "complete", (process, *of_gauge))


def _moved(process: Diffusion, to: Sequence[Expr]) -> dict[Any, Expr]:
    return dict(zip(process.state, to, strict=True))


# --- by the energy of a path ----------------------------------------------------------------------------------------


def speed(process: Diffusion, path: Sequence[Expr], s: Expr) -> Expr:
    """``<g', G(g)^{-1} g'>`` for a path ``g(s)``: its squared speed in the intrinsic metric."""
    step = Matrix([g.diff(s) for g in path])
    metric = (process.noise / 2).inv().xreplace(_moved(process, path))
    return (step.T * metric * step)[0, 0]


def _path_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, path, energy, s = params["process"], params["path"], params["energy"], params["parameter"]
    yield from _conditions(process, params["bound"])
    x, xp = starts(process)
    pairs = pair_region(process)
    known = len(path) == process.dimension and s not in pairs.symbols and s == symbol(s.name)
    yield Condition("path", "a path in the coordinates, with a parameter of its own", "fact", (known,))
    along = pairs.extend({s: Interval.closed(0, 1)})
    ends = [g.subs(s, 0) - b for g, b in zip(path, xp, strict=True)]
    ends += [g.subs(s, 1) - a for g, a in zip(path, x, strict=True)]
    yield vanishes("path from start to start", "the path leads from x' to x", ends, pairs)
    for state, g in zip(process.state, path, strict=True):
        d = process.domain.interval(state)
        for n, relation in enumerate(Interval(d.lower, d.upper, False, False).relations(state)):
            inside = Relation(relation.expr.xreplace({state: g}), relation.op)
            yield holds(f"path inside {state.name} {n}", inside, along, "the path stays in the domain")
    yield from smooth("path and energy", [*path, energy], along, [s])
    yield vanishes(
        "energy", "the energy grows like the squared speed", [energy.diff(s) - speed(process, path, s)], along
    )


def _by_path(_: tuple[Any, ...], params: Params) -> Divergence:
    """``alpha c(k, t) E`` for the energy E of a path from x' to x in the intrinsic metric: ``d(x, x')^2 <= E``."""
    process, energy, s = params["process"], params["energy"], params["parameter"]
    square = energy.subs(s, 1) - energy.subs(s, 0)
    return Divergence(process, ALPHA * forgetting(params["bound"]) * square, pair_region(process))


# --- by a gauge -----------------------------------------------------------------------------------------------------


def _gauge_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, factor, shape, rate = params["process"], params["factor"], params["shape"], params["rate"]
    pairs, w = pair_region(process), gauge(process, factor)
    yield from _conditions(process, params["bound"], w, pairs)
    known = shape in SHAPES and rate.free_symbols <= set(process.params.symbols)
    yield Condition("gauge", f"the shape is one of {', '.join(SHAPES)}, the rate a parameter", "fact", (known,))
    yield holds("rate", Relation(rate, ">"), process.params, "the rate of the gauge is positive")
    yield holds("gauge positive", Relation(factor, ">"), pairs, "the gauge vanishes only where x = x'")
    x, _xp = starts(process)
    yield from smooth("gauge", [factor], pairs, x)
    slope = Matrix([w.diff(a) for a in x])
    gamma = (slope.T * process.noise.xreplace(_moved(process, x)) * slope)[0, 0] / 2
    wanted, _distance = SHAPES[shape]
    yield vanishes(
        "gradient", "the distance that the gauge gives has a gradient of length 1", [gamma - wanted(w, rate)], pairs
    )


def gauge(process: Diffusion, factor: Expr) -> Expr:
    """``w = p |x - x'|^2`` in the symbols of the two starts."""
    x, xp = starts(process)
    return factor * Add(*[(a - b) ** 2 for a, b in zip(x, xp, strict=True)])


def _by_gauge(_: tuple[Any, ...], params: Params) -> Divergence:
    """``alpha c(k, t) rho^2``, rho the intrinsic distance: ``sqrt(w)``, ``acosh(1+w)/c`` or ``acos(1-w)/c``."""
    process = params["process"]
    _wanted, distance = SHAPES[params["shape"]]
    square = distance(gauge(process, params["factor"]), params["rate"])
    return Divergence(process, ALPHA * forgetting(params["bound"]) * square, pair_region(process))


for _id, _title, _hypotheses, _conclude in (
    ("harnack-path", "by the energy of a path", _path_conditions, _by_path),
    ("harnack-gauge", "by its intrinsic distance", _gauge_conditions, _by_gauge),
):
    register(
        Rule(
            id=_id,
            title=f"The divergence of two starts under a curvature bound, with any noise, {_title}",
            citation=SOURCE,
            premises=(),
            conditions=_hypotheses,
            conclude=_conclude,
            tightness="upper",
        )
    )
