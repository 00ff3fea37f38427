"""Bessel diffusions: kernels accepted and refused, kappa against the kernel, divergences against noncentral laws."""

import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, diff

import symdp.rules  # noqa: F401
from symdp.ball import mp_context
from symdp.decide import is_zero
from symdp.derivation.bessel import derive_by_kernel_bound
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.judgments import BesselKernel, Merging
from symdp.rule import get_rule
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import conclude, value
from tests.rules.test_mutants import without

MP = mp_context(25)
T = symbol("t")

COX = Diffusion("1/20 - x", "sqrt(x)", None, "x>=0")
"""Cox-Ingersoll-Ross of dimension 1/5: index -9/10."""
COX_PARAMS = {"coordinate": "2*sqrt(2)*sqrt(x)", "index": "-9/10", "rate": "1/2"}
WALL = Diffusion("0", "sqrt(2)", None, "x>=0")
REPELLED = Diffusion("2/x + x", "sqrt(2)", None, "x>0")


def kernel(process, coordinate, index, rate, side="lower", rule="bessel-kernel"):
    params = {"coordinate": parse(coordinate), "index": parse(index), "rate": parse(rate), "side": side}
    return apply(rule, process=process, **params)


def slope(nu, x):
    return x * MP.besseli(nu + 1, x) / MP.besseli(nu, x)


def kappa(nu, theta, t, z, zp):
    """``sup_y (d/dy log p_t(z, y)/p_t(z', y))^2`` over a grid: from the recurrence ``I_nu' = I_(nu+1) + nu I_nu/x``."""
    a = theta / (2 * MP.sinh(theta * t)) if theta else 1 / (2 * t)
    grid = (MP.mpf(1.1) ** k / 20 for k in range(90))
    return max(((slope(nu, a * z * y) - slope(nu, a * zp * y)) / y) ** 2 for y in grid)


def divergence(nu, theta, t, z, zp, alpha):
    """From the density ``(y/s)(y/z)^nu exp(-(y^2+z^2)/(2s)) I_nu(yz/s)``, at the time s that the drift leaves of 2t."""
    nu, theta, t, alpha = map(MP.mpf, (nu, theta, t, alpha))
    s = (MP.exp(2 * theta * t) - 1) / theta if theta else 2 * t

    def log_density(start):
        return lambda y: (
            (
                (nu + 1) * MP.log(y)
                - nu * MP.log(start)
                - (y * y + start * start) / (2 * s)
                + MP.log(MP.besseli(nu, y * start / s))
            )
            - MP.log(s)
        )

    p, q, power = log_density(z), log_density(zp), 1 / (nu + 1)

    def integrand(y):
        return MP.exp(alpha * p(y) + (1 - alpha) * q(y))

    middle = max(alpha * z + (1 - alpha) * zp, MP.mpf(0))
    one = MP.sqrt(s) / 4
    near = MP.quad(lambda w: integrand(w**power * one) * power * w ** (power - 1) * one, [0, 0.3, 1])
    points = sorted({one, *(max(one, middle + k * MP.sqrt(s)) for k in (-6, -3, -1, 0, 1, 3, 6, 10))})
    return MP.log(near + MP.quad(integrand, points)) / (alpha - 1)


# --- the kernel -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("process", "coordinate", "index", "rate", "side"),
    [
        (COX, *COX_PARAMS.values(), "lower"),
        (WALL, "x", "-1/2", "0", "lower"),
        (Diffusion("0", "sqrt(2)", None, "x<=3"), "3-x", "-1/2", "0", "upper"),
        (REPELLED, "x", "1/2", "-1", "lower"),
        (Diffusion("x*(2-x)", "x**(3/2)", None, "x>0"), "2*sqrt(2)/sqrt(x)", "3", "1", "upper"),
        (Diffusion("(2*n+1)/x", "sqrt(2)", None, "x>0"), "x", "n", "0", "lower"),
    ],
)
def test_kernels(process, coordinate, index, rate, side):
    found = kernel(process, coordinate, index, rate, side)
    assert isinstance(found.conclusion, BesselKernel) and found.status == "proved"
    assert replay(found) == found and from_json(to_json(found)) == found


@pytest.mark.parametrize(
    ("process", "changed", "failed"),
    [
        (COX, {"index": "-8/10"}, "drift"),
        (COX, {"rate": "1"}, "drift"),
        (COX, {"coordinate": "sqrt(x)"}, "unit coordinate"),
        (COX, {"coordinate": "2*sqrt(2)*sqrt(x)+1"}, "near end"),
        (COX, {"coordinate": "-2*sqrt(2)*sqrt(x)"}, "positive"),
        (COX, {"side": "upper"}, "near end|far end"),
        (COX, {"side": "left"}, "side"),
        (COX, {"index": "-9/10 + 0*x + x"}, "coordinate"),
        (Diffusion("1/20 - x", "sqrt(x)", None, "x>0"), {}, "ends"),
        (Diffusion("-x", "sqrt(x)", None, "x>=0"), {"index": "-1"}, "ends|index"),
        (Diffusion("2/x", "sqrt(2)", None, "x>=1"), {"coordinate": "x", "index": "1/2", "rate": "0"}, "near end"),
        (Diffusion("0", "sqrt(2)", None, "0<=x<=1"), {"coordinate": "x", "index": "-1/2", "rate": "0"}, "far end"),
        (
            Diffusion("(2*n+1)/x", "sqrt(2)", None, "x>=0", "n real"),
            {"coordinate": "x", "index": "n", "rate": "0"},
            "ends|index",
        ),
        (Diffusion("1/20 - t*x", "sqrt(x)", None, "x>=0"), {}, "homogeneous"),
    ],
)
def test_what_is_no_bessel_diffusion_is_refused(process, changed, failed):
    with pytest.raises(Refused, match=failed):
        kernel(process, **{**COX_PARAMS, **changed})


def test_a_kernel_without_a_hypothesis_is_refuted():
    """What ``bessel-kernel`` demands, left out: the bound that follows is below the truth."""
    wrong = kernel(COX, "2*sqrt(2)*sqrt(x)", "1/2", "1/2", rule=without("bessel-kernel", "drift"))
    bound = apply("bessel-divergence", wrong, factor=Integer(1)).conclusion.value
    assert cox_violations(bound)
    inside = Diffusion("0", "sqrt(2)", None, "0<=x<=1")
    wrong = kernel(inside, "x", "-1/2", "0", rule=without("bessel-kernel", "far end"))
    assert not wrong.conclusion.process.whole_space  # a kernel of the half line, whose mass is not 1 on [0, 1]
    mass = MP.quad(
        lambda y: (MP.exp(-((y - 0.5) ** 2) / 4) + MP.exp(-((y + 0.5) ** 2) / 4)) / MP.sqrt(4 * MP.pi), [0, 1]
    )
    assert mass < 0.6


# --- the bounds -----------------------------------------------------------------------------------------------------


def cox_violations(bound):
    """Points at which a bound on the divergence of ``COX`` is below the truth."""
    found = []
    for alpha, t, x, xp in (
        (8, 1, "0.1", "0.003"),
        (8, "1/2", "0.05", "0.002"),
        (2, 1, "0.2", "0.01"),
        (2, 2, "1", "2"),
    ):
        z, zp = (MP.sqrt(8 * MP.mpf(s)) for s in (x, xp))
        time = MP.mpf(Rational(t))
        truth = divergence(MP.mpf("-0.9"), MP.mpf("0.5"), time, z, zp, alpha)
        if value(bound, alpha=str(alpha), t=str(t), x=x, xp=xp) < truth:
            found.append((alpha, t, x, xp))
    return found


def divergence_rule(rule):
    factor = Rational("2.1838239")
    return conclude(rule, kernel(COX, **COX_PARAMS).conclusion, factor=factor).value


def test_divergence_below_dimension_one_and_mutants():
    rule = get_rule("bessel-divergence")
    assert cox_violations(divergence_rule(rule)) == []
    for change in (
        lambda e: e / Rational("2.1838239") ** 2,  # the curvature bound, which is false here: factor 1
        lambda e: e.subs(T, 2 * T),
        lambda e: e / 4,
    ):
        mutant = replace(
            rule,
            id="bessel-divergence (mutant)",
            conclude=lambda facts, params, change=change: replace(
                rule.conclude(facts, params), value=change(rule.conclude(facts, params).value)
            ),
        )
        assert cox_violations(divergence_rule(mutant))


@pytest.mark.parametrize(
    ("index", "factor", "accepted"),
    [
        ("-9/10", "2.1838239", True),
        ("-9/10", "2.18382", False),
        ("-9/10", "1", False),
        ("-1/2", "1.1996787", True),
        ("-1/2", "1.1996786", False),
        ("0", "1.037", True),
        ("0", "1.0369", False),
        ("0", "1", False),
        ("1/2", "1", True),
        ("1/2", "0.999", False),
    ],
)
def test_factors(index, factor, accepted):
    process = Diffusion(f"(2*({index})+1)/x", "sqrt(2)", None, "x>=0")
    found = kernel(process, "x", index, "0")
    if accepted:
        assert apply("bessel-divergence", found, factor=parse(factor)).status == "proved"
    else:
        with pytest.raises(Refused, match="slope"):
            apply("bessel-divergence", found, factor=parse(factor))


def test_an_index_that_may_lie_below_one_half_has_to_be_a_number():
    found = kernel(Diffusion("(2*n+1)/x", "sqrt(2)", None, "x>0"), "x", "n", "0")
    with pytest.raises(Refused, match="slope"):
        apply("bessel-divergence", found, factor=Integer(2))
    with pytest.raises(Refused, match="factor"):
        apply("bessel-divergence", found, factor=symbol("x"))
    assert apply("bessel-divergence", found, factor=Integer(2), assuming=[*parse_assumption("n >= 1/2")])


def parse_assumption(text):
    from symdp.text import parse_relations

    return parse_relations(text, place="test")


FLOWS = [(WALL, "x", "-1/2", "0", "1.1996787"), (COX, *COX_PARAMS.values(), "2.1838239")]


def flow_violations(rule):
    """Close starts, where kappa nearly attains its bound, and a Lambda that is not the integral of kappa."""
    draw, found = random.Random(3), []
    for process, coordinate, index, rate, factor in FLOWS:
        premise = kernel(process, coordinate, index, rate).conclusion
        fact = conclude(rule, premise, factor=Rational(factor))
        if not is_zero(diff(fact.Lambda, T) + fact.kappa, fact.region):
            found.append("Lambda")
        for _ in range(4):
            t, x = Rational(draw.randint(1, 8), 4), Rational(draw.randint(1, 12), 4)
            xp = x * Rational(101, 100)
            z, zp = (value(premise.coordinate, x=s) for s in (x, xp))
            nu, theta, time = (MP.mpf(Rational(s)) for s in (index, rate, t))
            if value(fact.kappa, t=t, x=x, xp=xp) < kappa(nu, theta, time, MP.mpf(z), MP.mpf(zp)):
                found.append((index, t, x))
    return found


def test_kappa_and_its_mutants():
    rule = get_rule("heat-flow-bessel")
    assert flow_violations(rule) == []
    for change in (
        lambda fact: replace(fact, kappa=fact.kappa * Rational(95, 100), Lambda=fact.Lambda * Rational(95, 100)),
        lambda fact: replace(fact, Lambda=fact.Lambda / 2),
        lambda fact: replace(fact, kappa=fact.kappa.subs(T, 2 * T)),
    ):
        mutant = replace(
            rule,
            id="heat-flow-bessel (mutant)",
            conclude=lambda facts, params, change=change: change(rule.conclude(facts, params)),
        )
        assert flow_violations(mutant)


def test_merging_and_a_mutant_that_believes_in_it():
    """``merging-bessel``: in dimension 3 the start is forgotten, though the process escapes; not if it is pushed."""
    free = kernel(Diffusion("2/x", "sqrt(2)", None, "x>0"), "x", "1/2", "0")
    assert isinstance(apply("merging-bessel", free).conclusion, Merging)
    late = [divergence(MP.mpf("0.5"), MP.mpf(0), time, MP.mpf(1), MP.mpf(2), 2) for time in (10, 1000)]
    assert late[1] < late[0] / 50
    pushed = kernel(REPELLED, "x", "1/2", "-1")
    with pytest.raises(Refused, match="rate"):
        apply("merging-bessel", pushed)
    assert isinstance(apply(without("merging-bessel", "rate"), pushed).conclusion, Merging)
    late = [divergence(MP.mpf("0.5"), MP.mpf(-1), time, MP.mpf(1), MP.mpf(2), 2) for time in (5, 10)]
    assert late[1] > 0.4 and abs(late[1] / late[0] - 1) < 1e-3


def test_the_search_derives_what_curvature_does_not():
    found = derive_by_kernel_bound(COX, ())
    assert found.divergence.status == "proved" and found.divergence.tightness == "upper"
    assert cox_violations(found.divergence.conclusion.value) == []
    assert is_zero(found.heat_flow.conclusion.value - found.divergence.conclusion.value, found.divergence.region)
    pushed = derive_by_kernel_bound(REPELLED, ())
    assert pushed.limit is None and pushed.merging
    for process in (
        Diffusion("x - x**3", "sqrt(2)"),
        Diffusion("-x", "1", None, "x>=1"),
        Diffusion("-x1,-x2", "1,0;0,1"),
    ):
        with pytest.raises(Refused, match="kernel with an end"):
            derive_by_kernel_bound(process, ())
