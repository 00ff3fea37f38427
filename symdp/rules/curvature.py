"""What positive Bakry-Emery curvature implies: no explosion, and a start that is forgotten.

For constant, invertible noise on the whole space the intrinsic metric is Euclidean, hence complete, and
``Gamma_2(f) >= k Gamma(f)`` says that ``S = -(G J^T + J G)/2`` is at least ``k G``, with ``J = Du`` and ``G = v
v^T/2``. Two
copies driven by the same noise then approach each other like ``e^{-kt}``; the smoothing of the semigroup turns that
into
``R_alpha -> 0`` (Wang 1997, the dimension-free Harnack inequality).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Matrix

from symdp.citations import Citation
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import Conservative, Merging
from symdp.rule import Rule, register
from symdp.rules.conditions import elliptic, holds, regularity, vanishes
from symdp.text import Relation

Params = Mapping[str, Any]


def _minors(process: Diffusion, bound: Expr) -> list[Expr]:
    """The leading principal minors of ``S - k G``: all positive iff the curvature is above k (Sylvester)."""
    form = calculus.curvature_form(process)
    assert form is not None  # a condition has said that the noise is invertible
    excess: Matrix = form - bound * process.noise / 2
    return [excess[:n, :n].det(method="berkowitz") for n in range(1, process.dimension + 1)]


def _conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, bound = params["process"], params["bound"]
    yield Condition("whole space", "the domain is the whole space", "whole space", (process,))
    yield from regularity(process)
    entries = [e.diff(s) for row in process.diffusion for e in row for s in process.state]
    yield vanishes("constant noise", "the noise does not depend on the state", entries, process.region)
    yield elliptic(process)
    yield holds("bound", Relation(bound, ">"), process.params, "the lower bound k of the curvature is positive")
    for n, minor in enumerate(_minors(process, bound), 1):
        yield holds(
            f"curvature {n}", Relation(minor, ">"), process.region, "Gamma_2 > k Gamma, by Sylvester's criterion"
        )


def _no_explosion(_: tuple[Any, ...], params: Params) -> Conservative:
    """``P_t 1 = 1``, where ``Gamma_2 >= k Gamma``: no mass is lost."""
    return Conservative(params["process"])


def _forgets(_: tuple[Any, ...], params: Params) -> Merging:
    """``TV(P_t(x), P_t(x')) -> 0``, where ``Gamma_2 >= k Gamma`` with ``k > 0``."""
    return Merging(params["process"])


register(
    Rule(
        id="conservative-curvature",
        title="No explosion under positive curvature",
        citation=Citation("bakry2014", "section 3.2", "a complete diffusion with curvature bounded below"),
        premises=(),
        conditions=_conditions,
        conclude=_no_explosion,
        tightness="exact",
    )
)
register(
    Rule(
        id="merging-curvature",
        title="Merging by positive curvature",
        citation=Citation("wang1997", "Lemma 2.1", "dimension-free Harnack inequality"),
        premises=(),
        conditions=_conditions,
        conclude=_forgets,
        tightness="exact",
    )
)
