"""Reflection at both ends: kernels accepted and refused, kappa against the images of the start, mutants."""

from dataclasses import replace
from functools import lru_cache

import pytest
from sympy import Rational, diff, exp, pi

import symdp.rules  # noqa: F401
from symdp.ball import mp_context
from symdp.decide import is_zero
from symdp.derivation.bessel import derive_by_kernel_bound
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.judgments import ReflectedDriftKernel, ReflectedIntervalKernel
from symdp.rule import get_rule
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import conclude, value
from tests.rules.test_mutants import without

MP = mp_context(25)
T = symbol("t")
UNIT = Diffusion("0", "sqrt(2)", None, "0<=x<=1")


def kernel(process, coordinate="x", length="1", rule="reflected-interval-kernel"):
    return apply(rule, process=process, coordinate=parse(coordinate), length=parse(length))


def density(t, x):
    """Brownian motion ``dX = sqrt2 dW`` on [0, 1]: the images of the start at ``2k + x`` and ``2k - x``."""
    reach = int(4 * MP.sqrt(t)) + 4

    def p(y):
        images = (2 * k + side * x for k in range(-reach, reach + 1) for side in (1, -1))
        return MP.fsum(MP.exp(-((y - c) ** 2) / (4 * t)) for c in images) / MP.sqrt(4 * MP.pi * t)

    return p


def kappa(t, x, xp):
    p, q, h = density(t, x), density(t, xp), MP.mpf(10) ** -9
    ratio = lambda y: MP.log(p(y) / q(y))  # noqa: E731
    return max(((ratio(y + h) - ratio(y - h)) / (2 * h)) ** 2 for y in (MP.mpf(k) / 12 for k in range(1, 12)))


@lru_cache
def divergence(t, x, xp, alpha):
    p, q = density(t, x), density(t, xp)
    return MP.log(MP.quad(lambda y: p(y) ** alpha * q(y) ** (1 - alpha), MP.linspace(0, 1, 5))) / (alpha - 1)


@pytest.mark.parametrize(
    ("process", "coordinate", "length"),
    [
        (UNIT, "x", "1"),
        (Diffusion("0", "v", None, "-1<=x<=2"), "sqrt(2)*(x+1)/v", "3*sqrt(2)/v"),
        (Diffusion("x/2", "x", None, "1<=x<=4"), "sqrt(2)*log(x)", "2*sqrt(2)*log(2)"),
    ],
)
def test_kernels(process, coordinate, length):
    found = kernel(process, coordinate, length)
    assert isinstance(found.conclusion, ReflectedIntervalKernel) and found.status == "proved"
    assert replay(found) == found and from_json(to_json(found)) == found


@pytest.mark.parametrize(
    ("process", "coordinate", "length", "failed"),
    [
        (UNIT, "x", "2", "upper end"),
        (UNIT, "1-x", "1", "lower end"),
        (UNIT, "2*x", "2", "unit coordinate"),
        (UNIT, "x", "x", "coordinate"),
        (Diffusion("0", "sqrt(2)", None, "0<=x<1"), "x", "1", "closed"),
        (Diffusion("0", "sqrt(2)", None, "x>=0"), "x", "1", "closed"),
        (Diffusion("1", "sqrt(2)", None, "0<=x<=1"), "x", "1", "drift"),
        (Diffusion("0", "sqrt(2*t)", None, "0<=x<=1"), "x", "1", "homogeneous"),
    ],
)
def test_what_is_no_reflected_interval_is_refused(process, coordinate, length, failed):
    with pytest.raises(Refused, match=failed):
        kernel(process, coordinate, length)


# --- a wall and a drift ---------------------------------------------------------------------------------------------

PUSHED = Diffusion("3", "sqrt(2)", None, "x<=1")


def wall(process, coordinate="1-x", velocity="-3", side="upper", rule="reflected-drift-kernel"):
    return apply(rule, process=process, coordinate=parse(coordinate), velocity=parse(velocity), side=side)


def test_a_wall_and_a_drift():
    found = wall(PUSHED)
    assert isinstance(found.conclusion, ReflectedDriftKernel) and found.status == "proved"
    assert replay(found) == found and from_json(to_json(found)) == found
    scaled = Diffusion("m", "s", None, "x>=0", "m real")
    assert wall(scaled, "sqrt(2)*x/s", "sqrt(2)*m/s", "lower").status == "proved"


@pytest.mark.parametrize(
    ("process", "changed", "failed"),
    [
        (PUSHED, {"velocity": "3"}, "drift"),
        (PUSHED, {"coordinate": "x"}, "positive"),
        (PUSHED, {"coordinate": "2-x"}, "near end"),
        (PUSHED, {"side": "lower"}, "wall"),
        (PUSHED, {"side": "left"}, "side"),
        (Diffusion("3", "sqrt(2)", None, "x<1"), {}, "wall"),
        (Diffusion("3", "sqrt(2)", None, "0<=x<=1"), {}, "far end"),
        (Diffusion("-x", "sqrt(2)", None, "x<=1"), {}, "drift"),
    ],
)
def test_what_is_no_wall_with_a_drift_is_refused(process, changed, failed):
    with pytest.raises(Refused, match=failed):
        wall(process, **changed)


def test_a_wall_without_its_hypothesis_is_refuted():
    """``reflected-drift-kernel`` with the drift the other way: the mean it says is far from that of the process."""
    rule = without("reflected-drift-kernel", "drift")
    wrong = wall(PUSHED, velocity="3", rule=rule).conclusion
    mu, z, t = MP.mpf(int(wrong.velocity)), MP.mpf(1), MP.mpf(4)
    g = lambda u: MP.exp(-u * u / (4 * t)) / MP.sqrt(4 * MP.pi * t)  # noqa: E731

    def kernel(y, mu):
        rest = mu / 2 * MP.exp(mu * y) * MP.erfc((y + z + mu * t) / (2 * MP.sqrt(t)))
        return g(y - z - mu * t) + MP.exp(-mu * z) * g(y + z - mu * t) - rest

    grid = [0, 1, 2, 4, 8, 12, 16, 24, 32]
    means = [MP.quad(lambda y, mu=mu: y * kernel(y, mu), grid) for mu in (mu, -mu)]
    assert means[0] > 12 and means[1] < 0.4  # the stationary mean of the true process is 1/3


# --- kappa ----------------------------------------------------------------------------------------------------------

POINTS = [
    ("1/5", "0.5", "0.49"),
    ("3/10", "0.45", "0.55"),
    ("1/2", "0.2", "0.9"),
    ("1", "0.5", "0.51"),
    ("3/2", "0.4", "0.6"),
]


def violations(rule, length="1"):
    """Where kappa is below the slopes of the kernel, or Lambda is not its integral, or misses a time it speaks of."""
    premise = ReflectedIntervalKernel(UNIT, symbol("x"), parse(length))
    fact, found = conclude(rule, premise), []
    if not is_zero(diff(fact.Lambda, T) + fact.kappa, fact.region):
        found.append("Lambda")
    for t, x, xp in POINTS:
        at = {"t": Rational(t), "x": Rational(x), "xp": Rational(xp), "alpha": Rational(2)}
        if fact.region.contains(at) is True and value(fact.kappa, t=t, x=x, xp=xp) < kappa(
            MP.mpf(at["t"]), MP.mpf(x), MP.mpf(xp)
        ):
            found.append((t, x, xp))
    return found


def test_kappa_and_its_mutants():
    rule = get_rule("heat-flow-reflected-interval")
    assert violations(rule) == []
    shrink = exp(-(pi**2) * T)
    for change in (
        lambda fact: replace(fact, Lambda=fact.Lambda * 2),
        lambda fact: replace(fact, kappa=fact.kappa.subs(shrink, shrink * Rational(3, 4))),
        lambda fact: replace(fact, kappa=fact.kappa * Rational(4, 5)),
        lambda fact: replace(fact, kappa=fact.kappa.subs(T, 2 * T)),
    ):
        mutant = replace(
            rule,
            id="heat-flow-reflected-interval (mutant)",
            conclude=lambda facts, params, change=change: change(rule.conclude(facts, params)),
        )
        assert violations(mutant)


def test_a_kernel_of_the_wrong_length_or_with_a_drift_is_refuted():
    """``reflected-interval-kernel`` without a hypothesis: a shorter interval forgets faster than the true one."""
    wrong = kernel(UNIT, "x", "1/2", rule=without("reflected-interval-kernel", "upper end"))
    assert wrong.status == "proved" and violations(get_rule("heat-flow-reflected-interval"), length="1/2")
    drifting = Diffusion("20", "sqrt(2)", None, "0<=x<=1")
    assert kernel(drifting, rule=without("reflected-interval-kernel", "no drift")).status == "proved"
    # at large times the true law is exp(20 y), the kernel's is uniform
    assert abs(density(MP.mpf(2), MP.mpf("0.5"))(MP.mpf("0.9")) - 1) < 1e-6


def below(rule):
    """Points where a bound for all times is below the truth."""
    bound = conclude(rule, ReflectedIntervalKernel(UNIT, symbol("x"), parse("1"))).value
    found = []
    for t, x, xp in [*POINTS, ("1/10", "0.5", "0.4"), ("2", "0.5", "0.499")]:
        truth = divergence(MP.mpf(Rational(t).p) / Rational(t).q, MP.mpf(x), MP.mpf(xp), 2)
        if value(bound, t=t, x=x, xp=xp, alpha="2") < truth:
            found.append((t, x, xp))
    return found


def test_the_bound_for_all_times_and_its_mutants():
    rule = get_rule("reflected-interval-divergence")
    assert below(rule) == []
    for change in (
        lambda e: e.subs(T, 2 * T),
        lambda e: e * Rational(2, 5),  # the truth is half of the bound at large times, in the middle
        lambda e: e.subs(pi**2, 4 * pi**2),
    ):
        mutant = replace(
            rule,
            id="reflected-interval-divergence (mutant)",
            conclude=lambda facts, params, change=change: replace(
                rule.conclude(facts, params), value=change(rule.conclude(facts, params).value)
            ),
        )
        assert below(mutant)


def test_the_bound_for_all_times_is_above_both_that_it_comes_from():
    for k in range(1, 60):
        s, w = MP.mpf(k) / 10, MP.pi
        q = MP.exp(-s)
        r = 32 * q / 15
        one = MP.mpf(512) / 225 * w**2 * q**2 / (1 - q) ** 8
        late = w**2 * r**2 * (3 - r) / (6 * (1 - r) ** 3)
        assert one >= (late if q <= 0.25 else w**2 / (4 * s))


def test_the_search_and_the_truth():
    found = derive_by_kernel_bound(UNIT, ())
    assert found.divergence.status == "proved" and found.divergence.tightness == "upper"
    for bound in (found.divergence.conclusion, found.heat_flow.conclusion):
        for alpha in (2, 5):
            for t, x, xp in POINTS:
                at = {"t": Rational(t), "x": Rational(x), "xp": Rational(xp), "alpha": Rational(alpha)}
                assert bound.region.contains(at) is True
                truth = divergence(MP.mpf(at["t"]), MP.mpf(x), MP.mpf(xp), alpha)
                assert truth < value(bound.value, t=t, x=x, xp=xp, alpha=str(alpha))
    early = {"t": Rational(1, 10), "x": Rational(1, 2), "xp": Rational(1, 3), "alpha": Rational(2)}
    assert found.divergence.region.contains(early) is True and found.heat_flow.region.contains(early) is False
    assert "t >= " in found.notes[0]
