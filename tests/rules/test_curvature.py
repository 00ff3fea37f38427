"""Positive curvature: accepted where it holds on the whole space, refused with a witness where it does not."""

from dataclasses import replace

import pytest
from sympy import Rational

from symdp.derivation import derive
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.judgments import Conservative, Merging
from symdp.rule import get_rule, register
from symdp.text import parse, symbol
from symdp.theorem import apply, replay

CONVEX = {
    "quartic": (Diffusion("-x-x**3", "sqrt(2)"), "1/2"),
    "cosh": (Diffusion("-sinh(x)", "sqrt(2)"), "1/2"),
    "linear with parameters": (Diffusion("-theta*x", "sqrt(2)*rho"), "theta/2"),
    "coupled in the plane": (Diffusion("-x1**3-2*x1+x2, -2*x2+x1", "sqrt(2),0;0,sqrt(2)"), "1/2"),
    "turning": (Diffusion("-x1-5*x2, 5*x1-x2", "1,0;0,1"), "1/2"),
}


@pytest.mark.parametrize("name", CONVEX)
@pytest.mark.parametrize("rule, kind", [("merging-curvature", Merging), ("conservative-curvature", Conservative)])
def test_convex_potentials_merge(name: str, rule: str, kind: type) -> None:
    process, bound = CONVEX[name]
    theorem = apply(rule, process=process, bound=parse(bound))
    assert isinstance(theorem.conclusion, kind) and theorem.status == "proved"
    assert replay(theorem) == theorem


NOT_CONVEX = {
    "double well": (Diffusion("x-x**3", "sqrt(2)"), "1/2", "curvature 1"),
    "repelling": (Diffusion("x", "1"), "1/2", "curvature 1"),
    "bound too large": (Diffusion("-x-x**3", "sqrt(2)"), "2", "curvature 1"),
    "bound not positive": (Diffusion("-x-x**3", "sqrt(2)"), "-1", "bound"),
    "coupling too strong": (Diffusion("-x1+2*x2, -x2+2*x1", "1,0;0,1"), "1/10", "curvature 2"),
    "half line": (Diffusion("-x", "1", domain="x>0"), "1/2", "whole space"),
    "kink": (Diffusion("-x-abs(x)*x", "1"), "1/2", "smooth"),
    "degenerate": (Diffusion("-x1, -x2", "1;1"), "1/2", "elliptic"),
    "noise that varies": (Diffusion("-3*x", "sqrt(1+x**2)"), "1/2", "constant noise"),
}


@pytest.mark.parametrize("name", NOT_CONVEX)
def test_the_hypothesis_that_fails_is_named(name: str) -> None:
    process, bound, words = NOT_CONVEX[name]
    with pytest.raises(Refused) as caught:
        apply("merging-curvature", process=process, bound=parse(bound))
    assert caught.value.hypotheses[-1].name.startswith(words)


def test_a_mutant_without_the_curvature_would_contradict_the_exact_value() -> None:
    """The repelling linear drift never forgets: its divergence tends to a positive limit."""
    rule = get_rule("merging-curvature")
    register(
        replace(
            rule,
            id="mutant-merging-curvature",
            conditions=lambda p, q: [c for c in rule.conditions(p, q) if not c.name.startswith("curvature")],
        )
    )
    process = Diffusion("x", "1")
    assert isinstance(apply("mutant-merging-curvature", process=process, bound=Rational(1, 2)).conclusion, Merging)
    limit = derive(process).limit
    assert limit is not None
    assert limit.conclusion.value.subs({symbol("x"): 1, symbol("xp"): 0, symbol("alpha"): 2}) > 0
