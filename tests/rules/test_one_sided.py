"""Drifts with kinks and jumps: bounds above a chain on a grid; upward jumps and false pieces refused; mutants."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from sympy import Rational

import symdp.rules  # noqa: F401
from symdp.claims.chain import Chain
from symdp.decide import is_zero
from symdp.derivation.kinks import breaks_and_pieces, has_kinks
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.rule import get_rule
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import conclude, value

ROOT2 = 2**0.5
LAPLACE = Diffusion("-sign(x)", "sqrt(2)")


def pieces(process):
    breaks, parts = breaks_and_pieces(process, process.params)
    return {"breaks": breaks, "pieces": parts}


def bounded(process, bound, rule="harnack-one-sided"):
    return apply(rule, process=process, bound=parse(bound), **pieces(process))


@pytest.mark.parametrize(
    ("drift", "domain", "bound", "breaks"),
    [
        ("-sign(x)", None, "0", ["0"]),
        ("-a*x-b*sign(x-c)", None, "a", ["c"]),
        ("-x*abs(x)", None, "0", ["0"]),
        ("-x-abs(x)", "x>=-2", "0", ["0"]),
        ("-sign(x)-sign(x-1)-x", "0<=x<=2", "1", ["1"]),
        ("-x-abs(x**2-1)/8", None, "1/2", ["-1", "1"]),
    ],
)
def test_downward_jumps_and_kinks(drift, domain, bound, breaks):
    process = Diffusion(drift, "sqrt(2)", None, domain)
    if "x**2" in drift:
        with pytest.raises(Refused, match="curvature"):
            bounded(process, bound)
        return
    assert has_kinks(process) and list(map(str, pieces(process)["breaks"])) == breaks
    theorem = bounded(process, bound)
    assert theorem.status == "proved" and theorem.tightness == "upper"
    assert replay(theorem) == theorem and from_json(to_json(theorem)) == theorem
    smooth = apply("harnack-space", process=Diffusion(f"-({bound})*x", "sqrt(2)"), bound=parse(bound))
    assert is_zero(theorem.conclusion.value - smooth.conclusion.value, theorem.region)


@pytest.mark.parametrize(
    ("drift", "diffusion", "domain", "bound", "failed"),
    [
        ("sign(x)-x", "1", None, "1", "jump 1"),  # curvature 1 almost everywhere, and yet
        ("-sign(x)", "1", None, "1/100", "curvature 1"),
        ("x*abs(x)", "1", None, "0", "curvature"),
        ("-sign(x)", "1", "x>-1", "0", "ends"),  # killed or worse at an open end
        ("-sqrt(abs(x))*sign(x)", "1", None, "0", "smooth piece"),
        ("-sign(x)", "1+x**2", None, "0", "constant noise"),
        ("-sign(x)", "1", None, "x", "bound"),
    ],
)
def test_hypotheses(drift, diffusion, domain, bound, failed):
    with pytest.raises(Refused, match=failed):
        bounded(Diffusion(drift, diffusion, None, domain), bound)


def test_pieces_must_be_the_drift():
    for wrong, failed in (
        ({"breaks": (parse("0"),), "pieces": (parse("1"), parse("-x"))}, "piece 2"),
        ({"breaks": (), "pieces": (parse("-sign(x)"),)}, "smooth piece 1"),
        ({"breaks": (parse("1"), parse("0")), "pieces": (parse("1"), parse("-1"), parse("-1"))}, "order"),
        ({"breaks": (parse("0"),), "pieces": (parse("1"),)}, "pieces"),
    ):
        with pytest.raises(Refused, match=failed):
            apply("harnack-one-sided", process=LAPLACE, bound=parse("0"), **wrong)


def test_what_has_no_breaks_that_are_found():
    for drift, said in (("-abs(sin(x))", "is not found"), ("-abs(x-c)-abs(x-d)", "not decided")):
        with pytest.raises(Refused, match=said):
            pieces(Diffusion(drift, "1", None, None, ["c real", "d real"] if "c" in drift else ()))


CASES = [
    (LAPLACE, "0", (lambda x: -np.sign(x), lambda x: ROOT2 + 0 * x, -12, 12)),
    (Diffusion("-x-sign(x)", "1"), "1", (lambda x: -x - np.sign(x), lambda x: 1 + 0 * x, -5, 5)),
    (Diffusion("-x*abs(x)+x", "sqrt(2)"), "-1", (lambda x: x - x * abs(x), lambda x: ROOT2 + 0 * x, -5, 5)),
    (Diffusion("-abs(x-1)", "sqrt(2)", None, "0<=x<=2"), "-1", (lambda x: -abs(x - 1), lambda x: ROOT2 + 0 * x, 0, 2)),
]


def violations(rule, process, bound, chain, fake=False):
    """How many of thirty random pairs, times and orders the bound lies below the truth of a chain."""
    claim = conclude(rule, process=process, bound=parse(bound), **pieces(process)).value
    rng, found = Random(5), 0
    for i, j in chain.pairs(rng, max(-1.5, chain.nodes[0]), min(1.9, chain.nodes[-1]), 30):
        t, alpha = rng.uniform(0.05, 1), rng.choice((1.5, 2.0, 3.0))
        point = {"t": t, "alpha": alpha, "x": chain.nodes[i], "xp": chain.nodes[j]}
        point["Delta"] = abs(point["x"] - point["xp"])
        exact = {name: Rational(float(v)) for name, v in point.items() if symbol(name) in claim.free_symbols}
        found += float(value(claim, **exact)) < chain.divergence(i, j, t, alpha) * 0.998
    return found


@pytest.mark.parametrize("rule_id", ["harnack-one-sided", "one-sided-rdp"])
def test_no_instance_violates_and_mutants_do(rule_id):
    rule, t = get_rule(rule_id), symbol("t")

    def mutant(change):
        return replace(
            rule, id=f"{rule_id} (mutant)", conclude=lambda facts, params: change(rule.conclude(facts, params))
        )

    halved = mutant(lambda fact: replace(fact, value=fact.value / 2))
    later = mutant(lambda fact: replace(fact, value=fact.value.subs(t, 3 * t)))
    caught = 0
    for process, bound, made in CASES:
        chain = Chain(*made)
        assert violations(rule, process, bound, chain) == 0
        caught += violations(halved, process, bound, chain) > 0 and violations(later, process, bound, chain) > 0
    assert caught == len(CASES)


def test_an_upward_jump_left_out_is_caught():
    """Almost everywhere ``-u' >= 0``; the rule without its jumps would claim the bound of Brownian motion."""
    process = Diffusion("2*sign(x)", "sqrt(2)")
    chain = Chain(lambda x: 2 * np.sign(x), lambda x: ROOT2 + 0 * x, -9, 9)
    assert violations(get_rule("harnack-one-sided"), process, "0", chain) > 0
