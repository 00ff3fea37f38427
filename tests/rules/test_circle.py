"""Brownian motion on a circle: kernels accepted and refused, bounds against the theta function, mutants."""

import random
from dataclasses import replace
from functools import lru_cache

import pytest
from sympy import Integer, Rational, diff, pi

import symdp.rules  # noqa: F401
from symdp.ball import mp_context
from symdp.decide import is_zero
from symdp.derivation import derive
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.judgments import CircleKernel, Merging
from symdp.judgments.privacy import RenyiDP
from symdp.rule import get_rule
from symdp.rules.circle import BOUNDS
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import conclude, value
from tests.rules.test_mutants import without

MP = mp_context(25)
T = symbol("t")
UNIT = Diffusion("0", "sqrt(2)", None, "x mod 2*pi")


def kernel(process, coordinate="x", length="2*pi", rule="circle-kernel", unrolled="unrolled"):
    seen = apply(unrolled, process=process)
    return apply(rule, seen, coordinate=parse(coordinate), length=parse(length))


def theta(s, z):
    """``1 + 2 sum exp(-k^2 s) cos(kz)``, by images where s is small."""
    if s > 1:
        return 1 + 2 * MP.fsum(MP.exp(-k * k * s) * MP.cos(k * z) for k in range(1, 12))
    return MP.sqrt(MP.pi / s) * MP.fsum(MP.exp(-((z - 2 * MP.pi * k) ** 2) / (4 * s)) for k in range(-4, 5))


@lru_cache
def divergence(s, angle, alpha):
    """``R_alpha`` of two wrapped normal laws of variance 2s, by the mean over equidistant points."""
    s, angle, alpha = map(MP.mpf, (s, angle, alpha))
    ys = [2 * MP.pi * j / 160 for j in range(160)]
    return MP.log(MP.fsum(theta(s, y) ** alpha * theta(s, y - angle) ** (1 - alpha) for y in ys) / 160) / (alpha - 1)


def kappa(s, angle):
    """The largest squared slope of the logarithm of the ratio of the laws."""
    s, angle, h = MP.mpf(s), MP.mpf(angle), MP.mpf(10) ** -9
    ratio = lambda y: MP.log(theta(s, y) / theta(s, y - angle))  # noqa: E731
    ys = [2 * MP.pi * j / 40 + angle / 2 for j in range(40)]
    return max(((ratio(y + h) - ratio(y - h)) / (2 * h)) ** 2 for y in ys)


@pytest.mark.parametrize(
    ("process", "coordinate", "length"),
    [
        (UNIT, "x", "2*pi"),
        (Diffusion("0", "v", None, "x mod L"), "sqrt(2)*x/v", "sqrt(2)*L/v"),
        (Diffusion("c", "v", None, "x mod L", "c real"), "sqrt(2)*x/v", "sqrt(2)*L/v"),
        (Diffusion("-cos(x)/(2+sin(x))**3/2", "1/(2+sin(x))", None, "x mod 2*pi"), None, "4*sqrt(2)*pi"),
    ],
)
def test_kernels(process, coordinate, length):
    found = kernel(process, coordinate or "sqrt(2)*(2*x - cos(x))", length)
    assert isinstance(found.conclusion, CircleKernel) and found.status == "proved"
    assert replay(found) == found and from_json(to_json(found)) == found


@pytest.mark.parametrize(
    ("process", "coordinate", "length", "failed"),
    [
        (UNIT, "x", "pi", "turn"),
        (UNIT, "-x", "2*pi", "turn"),
        (UNIT, "x", "x", "length known"),
        (UNIT, "2*x", "4*pi", "unit coordinate"),
        (UNIT, "y", "2*pi", "coordinate"),
        (Diffusion("0", "sqrt(2)"), "x", "2*pi", "circles"),
        (Diffusion("0", "sqrt(2)", None, "x mod L", "L real"), "x", "L", "period"),
        (Diffusion("-x", "sqrt(2)", None, "x mod 2*pi"), "x", "2*pi", "periodic drift"),
        (Diffusion("0", "2+sin(x/2)", None, "x mod 2*pi"), "x", "2*pi", "periodic noise"),
        (Diffusion("-sin(x)", "sqrt(2)", None, "x mod 2*pi"), "x", "2*pi", "constant drift"),
        (Diffusion("0", "sqrt(2*t)", None, "x mod 2*pi"), "x", "2*pi", "homogeneous"),
        (Diffusion("0,0", "1,0;0,1", None, "x1 mod 1"), "x", "1", "one dimension"),
    ],
)
def test_what_is_no_circle_is_refused(process, coordinate, length, failed):
    with pytest.raises(Refused, match=failed):
        kernel(process, coordinate, length)


def test_the_kernel_without_a_hypothesis_is_refuted():
    """``circle-kernel`` and ``unrolled`` with a hypothesis left out say what is false."""
    short = kernel(UNIT, "x", "pi", rule=without("circle-kernel", "turn")).conclusion
    assert below(get_rule("circle-divergence"), short)  # a shorter circle forgets faster
    pulled = Diffusion("-20*sin(x)", "sqrt(2)", None, "x mod 2*pi")
    wrong = kernel(pulled, rule=without("circle-kernel", "constant drift"))
    # it says that the law tends to the uniform one, but exp(20 cos x) is invariant
    x, density = pulled.state[0], parse("exp(20*cos(x))")
    assert wrong.status == "proved" and is_zero(diff(density, x, 2) + diff(20 * parse("sin(x)") * density, x))
    attracted = Diffusion("-x", "sqrt(2)", None, "x mod 2*pi")
    seen = apply(without("unrolled", "periodic drift"), process=attracted)
    line = derive(attracted.unrolled).divergence
    params = {"gaps": (symbol("d1"),), "coordinates": attracted.state, "lengths": (2 * pi,)}
    factor = line.conclusion.value / parse("(x-xp)**2")
    same = apply("wrapped-divergence", seen, line, form=factor.cancel() * symbol("d1") ** 2, **params).conclusion
    # from 0 and from 2 pi, one point if starts had representatives, the angles are apart by 2 pi/e at t = 1
    told = value(same.value, t="1", alpha="2", x=2 * MP.pi, xp="0")
    assert told < 1e-9 < divergence((1 - MP.exp(-2)) / 2, 2 * MP.pi / MP.e, 2)


# --- bounds ---------------------------------------------------------------------------------------------------------

POINTS = [
    ("1/4", "1/2", "3"),
    ("1", "3", "0"),
    ("1", "1/10", "0"),
    ("2", "3", "0"),
    ("3", "2", "8"),
    ("4", "-5", "1"),
    ("6", "3", "-1/8"),
    ("10", "2", "0"),
]
ORDERS = ("11/10", "2", "5", "40")


def fact_of(rule, premise=None, by=None):
    return conclude(rule, premise or CircleKernel(UNIT, symbol("x"), 2 * pi), **({"by": by} if by else {}))


def below(rule, premise=None, by="mean"):
    """Where one of the bounds is below the truth."""
    fact, found = fact_of(rule, premise, by), []
    for t, x, xp in POINTS:
        for alpha in ORDERS:
            truth = divergence(*(MP.mpf(r.p) / r.q for r in map(Rational, (t, Rational(x) - Rational(xp), alpha))))
            if isinstance(fact, RenyiDP):
                gap = abs(Rational(x) - Rational(xp))
                told = value(fact.value, t=t, alpha=alpha, Delta=str(gap))
            else:
                told = value(fact.value, t=t, alpha=alpha, x=x, xp=xp)
            if told < truth:
                found.append((t, x, xp, alpha))
    return found


def violations(rule):
    """Where kappa is below the slopes of the kernel, or Lambda is not its integral."""
    fact = fact_of(rule)
    found = [] if is_zero(diff(fact.Lambda, T) + fact.kappa, fact.region) else ["Lambda"]
    for t, x, xp in POINTS:
        slope = kappa(*(MP.mpf(r.p) / r.q for r in (Rational(t), Rational(x) - Rational(xp))))
        if value(fact.kappa, t=t, x=x, xp=xp) < slope:
            found.append((t, x, xp))
    return found


def mutated(rule, name, change):
    return replace(
        rule,
        id=f"{rule.id} (mutant)",
        conclude=lambda facts, params: replace(
            fact := rule.conclude(facts, params), **{name: change(getattr(fact, name))}
        ),
    )


@pytest.mark.parametrize("rule", ["circle-divergence", "circle-rdp"])
def test_bounds_and_their_mutants(rule):
    rule = get_rule(rule)
    assert [below(rule, by=by) for by in BOUNDS] == [[], [], []]
    for by, change in (
        ("mean", lambda e: e * Rational(99, 100)),  # it is attained at large times
        ("mean", lambda e: e.subs(T, Rational(11, 10) * T)),
        ("range", lambda e: e * Rational(2, 5)),
        ("range", lambda e: e.subs(T, Rational(3, 2) * T)),
        ("ratio", lambda e: e * Rational(3, 5)),
        ("ratio", lambda e: e.subs(T, 2 * T)),
    ):
        assert below(mutated(rule, "value", change), by=by)
    with pytest.raises(Refused, match="known bound"):
        apply(rule.id, kernel(UNIT), by="chance")


def test_the_heat_flow_and_its_mutants():
    rule = get_rule("heat-flow-circle")
    assert violations(rule) == []
    for name, change in (
        ("Lambda", lambda e: 2 * e),
        ("kappa", lambda e: e * Rational(16, 25)),  # 64/pi^4 of it is true at large times
        ("kappa", lambda e: e.subs(T, Rational(11, 10) * T)),
    ):
        assert violations(mutated(rule, name, change))


def test_merging_and_a_mutant_that_is_caught():
    """``merging-circle`` is about the process of its premise, whose divergences fall like ``e^{-2t}``."""

    def false(rule):
        fact = fact_of(rule)
        assert isinstance(fact, Merging)
        return fact.process != UNIT  # of no other process anything is known

    assert not false(get_rule("merging-circle")) and divergence(14, 2, 2) < 1e-10
    repelled = Diffusion("x", "sqrt(2)")
    assert false(mutated(get_rule("merging-circle"), "process", lambda _: repelled))
    assert derive(repelled).limit.conclusion.value != 0


def test_neighbours_need_constant_noise():
    bent = Diffusion("-cos(x)/(2+sin(x))**3/2", "1/(2+sin(x))", None, "x mod 2*pi")
    found = kernel(bent, "sqrt(2)*(2*x - cos(x))", "4*sqrt(2)*pi")
    with pytest.raises(Refused, match="proportional"):
        apply("circle-rdp", found, by="mean")
    refuted = apply(without("circle-rdp", "proportional"), found, by="mean").conclusion
    # near pi/2, where the noise is least, starts at distance 1 are 3 times as far apart as near -pi/2
    angle = (2 * 1 + MP.cos(MP.pi / 2 - 0.5) - MP.cos(MP.pi / 2 + 0.5)) / 2
    s = 16 / MP.mpf(32)
    assert value(refuted.value, t="16", alpha="2", Delta="1") < divergence(s, angle, 2)


def test_random_instances():
    source = random.Random(7)
    process = Diffusion("c", "v", None, "x mod L", "c real")
    found = derive(process).divergence.conclusion
    for _ in range(40):
        length, v = Rational(source.randint(1, 30), 8), Rational(source.randint(2, 12), 8)
        s = Rational(source.randint(2, 60), 10)  # (2 pi/L)^2 v^2 t/2
        w = 2 * MP.pi * length.q / length.p
        t = Rational(int(MP.mpf(s.p) / s.q / (w * w * v.p**2 / v.q**2 / 2) * 10**9) + 1, 10**9)
        x, xp = (Rational(source.randint(-40, 40), 16) for _ in range(2))
        alpha = Rational(source.choice((21, 30, 40, 80, 400)), 20)
        told = value(found.value, t=str(t), alpha=str(alpha), x=str(x), xp=str(xp), L=str(length), v=str(v), c="1")
        truth = divergence(
            w * w * v.p**2 / v.q**2 / 2 * t.p / t.q, w * (x - xp).p / (x - xp).q, MP.mpf(alpha.p) / alpha.q
        )
        assert told >= truth * (1 - MP.mpf(10) ** -12) - MP.mpf(10) ** -19


def test_large_times_and_large_orders():
    found = derive(UNIT).divergence.conclusion
    at = {"x": "3", "xp": "0"}
    late = value(found.value, t="10", alpha="2", **at)
    assert 1 <= late / divergence(10, 3, 2) < 1.001
    assert value(found.value, t="2", alpha="1000000", **at) < 1
    assert value(found.value, t="1/1000000", alpha="2", x="1", xp="0") == 2 * Integer(10) ** 6 / 4


def test_the_sign_of_the_drift_does_not_matter():
    of_unknown_sign = derive(Diffusion("c", "sqrt(2)", None, "x mod 2*pi", "c real"))
    without_drift = derive(Diffusion("0", "sqrt(2)", None, "x mod 2*pi"))
    assert of_unknown_sign.privacy.conclusion.value == without_drift.privacy.conclusion.value
    assert of_unknown_sign.divergence.conclusion.value == without_drift.divergence.conclusion.value
