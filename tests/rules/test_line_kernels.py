"""Kernels on the line: what is accepted and refused; divergences against chains that know only drift and noise."""

import random
from dataclasses import replace

import numpy as np
import pytest
from sympy import Integer, Rational

import symdp.rules  # noqa: F401
from symdp.claims.chain import Chain
from symdp.decide import is_zero
from symdp.derivation.line_kernels import kernel_on_the_line
from symdp.derivation.truth import Truth, find_truth
from symdp.diffusion import line_kernels
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.judgments import TanhDriftKernel, TwoValuedDriftKernel
from symdp.region import Interval, Region
from symdp.rule import get_rule, register
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json

LAPLACE = Diffusion("-sign(x)", "sqrt(2)")
LOGISTIC = Diffusion("-tanh(x/2)", "sqrt(2)")


def two_valued(process, coordinate="x", velocity="-1", kink="0", rule="two-valued-drift-kernel"):
    params = {"coordinate": parse(coordinate), "velocity": parse(velocity), "kink": parse(kink)}
    return apply(rule, process=process, **params)


def tanh_drift(process, coordinate="x", rate="1/2", power=-1, rule="tanh-drift-kernel"):
    params = {"coordinate": parse(coordinate), "rate": parse(rate), "power": Integer(power)}
    return apply(rule, process=process, **params)


@pytest.mark.parametrize(
    ("process", "coordinate", "velocity"),
    [
        (LAPLACE, "x", "-1"),
        (Diffusion("b*sign(x-m)", "s", None, None, "m real, b real"), "sqrt(2)*(x-m)/s", "sqrt(2)*b/s"),
        (Diffusion("-3/10*sign(x-7/10)", "sqrt(2)"), "x-7/10", "-3/10"),
        (Diffusion("x/2 - c*x*sign(x-1)", "x", None, "x>0"), "sqrt(2)*log(x)", "-sqrt(2)*c"),
        (Diffusion("-3*abs(x)", "sqrt(2)"), None, None),
        (Diffusion("x*abs(x-1)/(x-1)", "1"), None, None),
        (Diffusion("-sign(x) - sign(x-1)", "1"), None, None),
        (Diffusion("1/2 - sign(x)", "1"), None, None),
        (Diffusion("-sign(x)", "1", None, "x>=-1"), None, None),
        (Diffusion("-sign(x)", "2+sin(x)"), None, None),
        (Diffusion("-t*sign(x)", "1"), None, None),
    ],
)
def test_which_drifts_have_two_values(process, coordinate, velocity):
    if coordinate is None:
        with pytest.raises(Refused):
            kernel_on_the_line(process, ())
        return
    found = kernel_on_the_line(process, ())
    known = found.conclusion
    assert isinstance(known, TwoValuedDriftKernel) and found.status == "proved" and found.tightness == "exact"
    assert is_zero(known.coordinate - parse(coordinate), process.interior)
    assert is_zero(known.velocity - parse(velocity), process.params)
    assert replay(found) == found and from_json(to_json(found)) == found


@pytest.mark.parametrize(
    ("process", "coordinate", "rate", "power"),
    [
        (LOGISTIC, "x", "1/2", -1),
        (Diffusion("-tanh((x-m)/2)", "sqrt(2)", None, None, "m real"), "x-m", "1/2", -1),
        (Diffusion("(1-exp(x))/(1+exp(x))", "-sqrt(2)"), "x", "1/2", -1),
        (Diffusion("-2*a*tanh(a*x)", "1"), "sqrt(2)*x", "a/sqrt(2)", -2),
        (Diffusion("4*k*tanh(k*x)", "sqrt(2)"), "x", "k", 2),
        (Diffusion("x + x*(1-x)/(1+x)", "sqrt(2)*x", None, "x>0"), "log(x)", "1/2", -1),
    ],
)
def test_which_drifts_are_hyperbolic_tangents(process, coordinate, rate, power):
    found = kernel_on_the_line(process, ())
    known = found.conclusion
    assert isinstance(known, TanhDriftKernel) and found.status == "proved" and known.power == power
    assert is_zero(known.coordinate - parse(coordinate), process.interior)
    assert is_zero(known.rate - parse(rate), process.params)
    assert replay(found) == found and from_json(to_json(found)) == found


@pytest.mark.parametrize(
    ("drift", "said"),
    [
        ("-3/2*tanh(x)", "n = -3/4, and the kernel is closed for whole n only"),
        ("-a*tanh(x)", "n = -a/2"),
        ("-10*tanh(x)", "n = -5"),
        ("12*tanh(x)", "n = 6"),
        ("-tan(x)", "not seen to be positive"),
        ("-sinh(x)", "is not 2 n k tanh"),
        ("-x - tanh(x)", "is not 2 n k tanh"),
    ],
)
def test_other_ratios_are_refused_and_say_why(drift, said):
    process = Diffusion(drift, "sqrt(2)", None, "-1<x<1" if "tan(" in drift else None)
    with pytest.raises(Refused) as refused:
        find_truth(process)
    assert "the divergence itself is not known" in str(refused.value) and said in str(refused.value)


@pytest.mark.parametrize(
    ("call", "failed"),
    [
        (lambda: two_valued(LAPLACE, velocity="1"), "drift above"),
        (lambda: two_valued(LAPLACE, kink="1"), "kink"),
        (lambda: two_valued(LAPLACE, "-x"), "sign above"),
        (lambda: two_valued(LAPLACE, "2*x"), "unit coordinate"),
        (lambda: two_valued(LAPLACE, velocity="x"), "coordinate"),
        (lambda: two_valued(Diffusion("-sign(x)", "sqrt(2)", None, "x>-2")), "lower end"),
        (lambda: two_valued(Diffusion("-sign(x)", "sqrt(2)", None, "x<2")), "upper end"),
        (lambda: two_valued(Diffusion("-sign(x)-x", "sqrt(2)")), "drift above"),
        (lambda: two_valued(Diffusion("1-2*sign(x)", "sqrt(2)")), "drift below"),
        (lambda: two_valued(Diffusion("-abs(x)/x", "sqrt(2)")), "defined"),
        (lambda: two_valued(Diffusion("-sign(x)", "sqrt(2)*x")), "elliptic"),
        (lambda: two_valued(Diffusion("-sign(x)", "sqrt(2*t)")), "homogeneous"),
        (lambda: tanh_drift(LOGISTIC, power=1), "drift"),
        (lambda: tanh_drift(LOGISTIC, power=-5), "power"),
        (lambda: tanh_drift(LOGISTIC, rate="1"), "drift"),
        (lambda: tanh_drift(LOGISTIC, "x-1"), "drift"),
        (lambda: tanh_drift(LOGISTIC, "x/2"), "unit coordinate"),
        (lambda: tanh_drift(Diffusion("tanh(x/2)", "sqrt(2)"), rate="-1/2", power=1), "rate"),
        (lambda: tanh_drift(Diffusion("-tanh(x/2)", "sqrt(2)", None, "x>=0")), "lower end"),
    ],
)
def test_each_hypothesis_is_decided(call, failed):
    with pytest.raises(Refused, match=f"'{failed}"):
        call()


def test_a_false_kernel_does_not_solve_its_equation():
    """The condition that proves the formulas: each wrong factor, sign or eigenvalue leaves a residual."""
    z, k, m = line_kernels.START, line_kernels.RATE, line_kernels.VELOCITY
    region = Region.make(
        {
            s: Interval.real() if s in (z, m) else Interval.positive()
            for s in (z, line_kernels.OUTPUT, k, m, symbol("t"))
        }
    )
    tangent = parse("tanh(k*z)")

    def solves(density, drift):
        return all(is_zero(part, region) for part in line_kernels.backward_equation(density, drift))

    for power in (-2, -1, 2):
        assert solves(line_kernels.tanh_density(power), 2 * power * k * tangent)
        assert not solves(line_kernels.tanh_density(power), (2 * power + 1) * k * tangent)
    for side in (1, -1):
        assert solves(line_kernels.two_valued_density(side), side * m)
        assert not solves(line_kernels.two_valued_density(side), -side * m)
    assert not solves(line_kernels.tanh_density(-1) + line_kernels.tanh_density(-2), -2 * k * tangent)


# --- against chains -------------------------------------------------------------------------------------------------

CHAINS = {
    "attracted": ("-sign(x)", "sqrt(2)", lambda x: -np.sign(x), 2**0.5, 10),
    "strongly attracted": ("-3*sign(x)", "1", lambda x: -3 * np.sign(x), 1.0, 6),
    "repelled": ("sign(x)/2", "1", lambda x: np.sign(x) / 2, 1.0, 9),
    "logistic": ("-tanh(x/2)", "sqrt(2)", lambda x: -np.tanh(x / 2), 2**0.5, 12),
    "hyperbolic secant": ("-4*tanh(x)", "sqrt(2)", lambda x: -4 * np.tanh(x), 2**0.5, 6),
    "three wells": ("-3*tanh(x)", "1", lambda x: -3 * np.tanh(x), 1.0, 6),
    "pushed apart": ("2*tanh(x/2)", "sqrt(2)", lambda x: 2 * np.tanh(x / 2), 2**0.5, 14),
}


def chain_of(name, cells=320):
    _, _, drift, noise, reach = CHAINS[name]
    return Chain(drift, lambda x: noise + 0 * x, -reach, reach, cells)


def disagreements(truth, chain, seed, count, tolerance=1e-2):
    """Random pairs, times and orders at which a divergence that is said to be exact is not that of the chain."""
    rng, found = random.Random(seed), []
    for i, j in chain.pairs(rng, -1, 1, count):
        t, alpha = rng.choice(("1/2", "1", "3/2")), rng.choice(("5/4", "2"))
        exact = {"alpha": alpha, "t": t, "x": str(chain.nodes[i]), "xp": str(chain.nodes[j])}
        value = float(truth.value({symbol(s): Rational(v) for s, v in exact.items()}, 4).mid)
        true = chain.divergence(i, j, float(Rational(t)), float(Rational(alpha)))
        if abs(value - true) > tolerance * (true + 0.05):
            found.append((exact, value, true))
    return found


@pytest.mark.parametrize("name", CHAINS)
def test_divergences_are_those_of_chains(name):
    drift, noise, *_ = CHAINS[name]
    assert (
        disagreements(find_truth(Diffusion(drift, noise)), chain_of(name), name, 2 if name == "three wells" else 6)
        == []
    )


RULES = {two_valued: "two-valued-drift-kernel", tanh_drift: "tanh-drift-kernel"}


def believing(rule, make, process, params, *dropped):
    """The truth by a rule without these hypotheses, with wrong parameters."""
    mutant = replace(
        rule,
        id=f"{rule.id} (mutant: {process} {params})",
        conditions=lambda facts, given: [c for c in rule.conditions(facts, given) if not c.name.startswith(dropped)],
    )
    register(mutant)
    theorem = make(process, **params, rule=mutant.id)
    assert theorem.status == "proved"
    return Truth(process, theorem)


@pytest.mark.parametrize(
    ("name", "make", "dropped", "params"),
    [
        ("attracted", two_valued, ("drift",), {"velocity": "-3/2"}),
        ("attracted", two_valued, ("drift",), {"velocity": "1"}),
        ("attracted", two_valued, ("drift", "unit"), {"coordinate": "5*x/4"}),
        ("attracted", two_valued, ("drift", "kink", "sign"), {"coordinate": "x+1/2"}),
        ("repelled", two_valued, ("drift",), {"coordinate": "sqrt(2)*x", "velocity": "0"}),
        ("logistic", tanh_drift, ("drift",), {"power": -2}),
        ("logistic", tanh_drift, ("drift",), {"rate": "1"}),
        ("logistic", tanh_drift, ("drift",), {"power": 2}),
        ("logistic", tanh_drift, ("drift",), {"coordinate": "x+1"}),
        ("logistic", tanh_drift, ("drift", "unit"), {"coordinate": "5*x/4", "rate": "2/5"}),
    ],
)
def test_mutants_are_refuted(name, make, dropped, params):
    """``two-valued-drift-kernel`` and ``tanh-drift-kernel`` without a hypothesis, against the chain of the process."""
    drift, noise, *_ = CHAINS[name]
    wrong = believing(get_rule(RULES[make]), make, Diffusion(drift, noise), params, *dropped)
    assert disagreements(wrong, chain_of(name), 1, 3)
