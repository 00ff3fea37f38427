"""Linear SDEs in time: variance preserving and exploding, against moments by numerical integration; mutants."""

import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational

import symdp
from symdp.decide import is_zero
from symdp.derivation import derive
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.judgments import GaussianDP, GaussianKernel, HeatFlow, ScheduledKernel
from symdp.region import Interval
from symdp.rule import get_rule
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import value
from tests.oracle import MP

VP = Diffusion("-beta(t)/2*x", "sqrt(beta(t))", let="beta(t)=1/10+t/2")
VE = Diffusion("0", "sqrt(2*c)*s(t)", let="s(t)=s0*exp(c*t)")
COSINE = Diffusion("-beta(t)/2*x", "sqrt(beta(t))", domain="t<=9/10", let="beta(t)=pi*tan(pi*t/2)")
MIXED = Diffusion("-x1 + cos(t), -2*x2", "s(t), 0; s(t)/2, s(t)", let="s(t)=1+exp(-t)")
T = symbol("t")

SYSTEMS = {
    "variance preserving": (VP, lambda t: [[-(MP.mpf(1) / 10 + t / 2) / 2]], lambda t: [[MP.mpf(1) / 10 + t / 2]]),
    "variance exploding": (
        Diffusion("0", "sqrt(2*t)"),
        lambda t: [[0]],
        lambda t: [[2 * t]],
    ),
    "repelling at first": (
        Diffusion("(1-t)*x", "sqrt(2)*exp(t-t**2/2)"),
        lambda t: [[1 - t]],
        lambda t: [[2 * MP.exp(2 * t - t**2)]],
    ),
    "singular at 0": (
        Diffusion("-x/sqrt(t)", "t**(-1/4)"),
        lambda t: [[-1 / MP.sqrt(t)]],
        lambda t: [[1 / MP.sqrt(t)]],
    ),
    "a bridge": (Diffusion("-x/(1-t)", "1", domain="t<1"), lambda t: [[-1 / (1 - t)]], lambda t: [[1]]),
    "two coordinates": (
        MIXED,
        lambda t: [[-1, 0], [0, -2]],
        lambda t: [[(1 + MP.exp(-t)) ** 2 * e for e in row] for row in ((1, 0.5), (0.5, 1.25))],
    ),
    "kinetic, cooled": (
        Diffusion("x2, -x1-2*x2", "0; sqrt(2*s(t))", let="s(t)=1+exp(-t)"),
        lambda t: [[0, 1], [-1, -2]],
        lambda t: [[0, 0], [0, 2 + 2 * MP.exp(-t)]],
    ),
}


def moments(drift, noise, t, steps=150):
    """``F' = A F`` and ``S' = A S + S A^T + N`` by the classical Runge-Kutta method in ``r^4 = time``."""

    def slope(r, state):
        f, s = state
        now = r**4
        a, n = MP.matrix(drift(now)), MP.matrix(noise(now))
        return 4 * r**3 * (a * f), 4 * r**3 * (a * s + s * a.T + n)

    d = len(drift(t))
    state, end = (MP.eye(d), MP.zeros(d)), MP.root(t, 4)
    start = MP.mpf(10) ** -9
    h = (end - start) / steps
    move = lambda state, k, c: tuple(x + c * y for x, y in zip(state, k, strict=True))  # noqa: E731
    for n in range(steps):
        r = start + n * h
        k1 = slope(r, state)
        k2 = slope(r + h / 2, move(state, k1, h / 2))
        k3 = slope(r + h / 2, move(state, k2, h / 2))
        k4 = slope(r + h, move(state, k3, h))
        state = tuple(x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4, strict=True))
    return state


def truth(name, t, z, alpha):
    f, s = moments(*SYSTEMS[name][1:], MP.mpf(t.p) / t.q)
    moved = f * MP.matrix([MP.mpf(e.p) / e.q for e in z])
    return alpha / MP.mpf(2) * (moved.T * MP.inverse(s) * moved)[0, 0]


def numbers(process, t, z, **more):
    names = ["x"] if process.dimension == 1 else [f"x{i + 1}" for i in range(process.dimension)]
    starts = {name: str(e) for name, e in zip(names, z, strict=True)}
    return {"t": str(t), "alpha": "3", **starts, **{n.replace("x", "xp"): "0" for n in names}, **more}


def at(expr, values):
    return value(expr, **{name: v for name, v in values.items() if symbol(name) in expr.free_symbols})


def agrees(name, expr):
    """Whether the expression is the divergence of the two Gaussian laws at random points."""
    process, draw = SYSTEMS[name][0], random.Random(name)
    for _ in range(2):
        t = Rational(draw.randint(1, 9), 10)
        z = [Rational(draw.randint(1, 6), 3) for _ in process.state]
        true = truth(name, t, z, 3)
        if abs(at(expr, numbers(process, t, z)) - true) > 1e-5 * true:
            return False
    return True


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_divergence_is_that_of_the_moments(name):
    found = derive(SYSTEMS[name][0])
    assert isinstance(found.kernel.conclusion, ScheduledKernel)
    assert (found.divergence.tightness, found.divergence.status) == ("exact", "proved")
    assert agrees(name, found.divergence.conclusion.value)
    for theorem in (found.divergence, found.privacy, found.gaussian):
        assert replay(theorem) == theorem and from_json(to_json(theorem)) == theorem


@pytest.mark.parametrize("name", ["variance preserving", "two coordinates"])
@pytest.mark.parametrize("factor", [Rational(99, 100), Integer(2)])
def test_a_mutated_divergence_is_caught(name, factor):
    rule = get_rule("divergence-scheduled")
    kernel = derive(SYSTEMS[name][0]).kernel.conclusion
    assert agrees(name, rule.conclude((kernel,), {}).value)
    assert not agrees(name, factor * rule.conclude((kernel,), {}).value)
    wrong = replace(kernel, precision=tuple(tuple(factor * e for e in row) for row in kernel.precision))
    assert not agrees(name, rule.conclude((wrong,), {}).value)


def test_the_formulas_of_the_field():
    vp = derive(Diffusion("-beta(t)/2*x", "sqrt(beta(t))", let="beta(t)=b0+b1*t"))
    assert is_zero(vp.divergence.conclusion.value - parse("alpha*(x-xp)**2/(2*(exp(b0*t+b1*t**2/2)-1))"))
    ve = derive(VE).divergence.conclusion.value
    assert is_zero(ve - parse("alpha*(x-xp)**2/(2*((s0*exp(c*t))**2-s0**2))"))
    cosine = derive(COSINE).divergence.conclusion
    assert is_zero(cosine.value - parse("alpha*(x-xp)**2/(2*(cos(pi*t/2)**(-2)-1))"), cosine.region)
    assert cosine.region.interval("t") == Interval(0, Rational(9, 10), False, True)


@pytest.mark.parametrize(
    ("in_time", "still"),
    [
        (("-beta(t)/2*x", "sqrt(beta(t))"), ("-x", "sqrt(2)")),
        (("0", "sqrt(beta(t))"), ("0", "sqrt(2)")),
        (("beta(t)*x", "beta(t)"), ("2*x", "2")),
    ],
)
def test_constant_schedules_are_the_homogeneous_diffusion(in_time, still):
    one, other = Diffusion(*in_time, let="beta(t)=2"), Diffusion(*still)
    assert one == other and one.homogeneous
    exact = derive(other)
    parts = {name: getattr(exact.kernel.conclusion, name) for name in ("backward", "gramian", "precision")}
    kernel = apply("scheduled-kernel", process=other, **parts)  # the rule for coefficients in time admits constants
    for rule, theorem in (("divergence", exact.divergence), ("rdp", exact.privacy), ("gdp", exact.gaussian)):
        again = apply(f"{rule}-scheduled", kernel).conclusion
        name = "mu" if isinstance(again, GaussianDP) else "value"
        assert getattr(again, name) == getattr(theorem.conclusion, name)


@pytest.mark.parametrize("rule_id", ["rdp-scheduled", "gdp-scheduled"])
def test_neighbours_and_mutated_guarantees(rule_id):
    """The supremum over a circle of starts at distance 1 is the guarantee; anything less is refuted."""
    kernel = derive(MIXED).kernel.conclusion
    divergence = get_rule("divergence-scheduled").conclude((kernel,), {}).value
    claim = get_rule(rule_id).conclude((kernel,), {})
    bound = claim.mu**2 * symbol("alpha") / 2 if isinstance(claim, GaussianDP) else claim.value
    t = Rational(7, 10)
    circle = [(MP.cos(MP.pi * k / 90), MP.sin(MP.pi * k / 90)) for k in range(90)]
    pairs = [[Rational(str(MP.nstr(e, 12))) for e in pair] for pair in circle]
    largest = max(at(divergence, numbers(MIXED, t, pair)) for pair in pairs)
    said = at(bound, {"t": str(t), "alpha": "3", "Delta": "1"})
    assert largest <= said * (1 + MP.mpf(10) ** -9) and said < largest * MP.mpf("1.001")
    assert largest > said * MP.mpf("0.99") and largest > at(bound, {"t": str(t), "alpha": "3", "Delta": "9/10"})


def test_kappa_and_lambda():
    found = derive(VP)
    flow = found.flow.conclusion
    assert isinstance(flow, HeatFlow) and found.limit.conclusion.value == 0
    assert is_zero(found.heat_flow.conclusion.value - found.divergence.conclusion.value, flow.region)
    assert is_zero(flow.Lambda.diff(T) + flow.kappa, flow.region)
    # Gamma of log p/p' by differences, at two points y: it does not depend on y
    t, x, xp = MP.mpf(3) / 4, MP.mpf(2), MP.mpf(-1)
    scale, variance = (m[0, 0] for m in moments(*SYSTEMS["variance preserving"][1:], t))
    for y in (-1, 3):
        ratio = lambda y: ((y - scale * xp) ** 2 - (y - scale * x) ** 2) / (2 * variance)  # noqa: E731
        gamma = (MP.mpf(1) / 10 + t / 2) / 2 * (ratio(MP.mpf(y) + 1) - ratio(MP.mpf(y))) ** 2
        assert abs(gamma - value(flow.kappa, t="3/4", x="2", xp="-1")) < 1e-5 * gamma


def test_what_is_left_in_the_end_and_mutated_limits():
    """``dX = e^{-t} dW`` never moves far: W tends to 1/2, so zero is refused as a limit, and 2 is right."""
    process = Diffusion("0", "exp(-t)")
    found = derive(process)
    assert found.limit is None and found.flow is None
    with pytest.raises(Refused, match="limit 1, 1"):
        apply("limit-scheduled", found.kernel, limit=((Integer(0),),))
    limit = apply("limit-scheduled", found.kernel, limit=((Integer(2),),))
    assert is_zero(limit.conclusion.value - parse("alpha*(x-xp)**2"))
    flow = apply("heat-flow-scheduled", found.kernel, limit)
    conservative = apply("conservative-scheduled", found.kernel)
    whole = apply("heat-flow", conservative, flow, limit).conclusion
    exact = found.divergence.conclusion
    assert is_zero(whole.value - exact.value, exact.region)
    # without the limit, which a mutated rule forgets, the heat flow says less than the truth
    forgetful = replace(limit.conclusion, value=Integer(0))
    wrong = get_rule("heat-flow-scheduled").conclude((found.kernel.conclusion, forgetful), {})
    assert not is_zero(symbol("alpha") * wrong.Lambda + limit.conclusion.value - exact.value, exact.region)
    with pytest.raises(Refused, match="one process"):
        apply("heat-flow-scheduled", derive(VP).kernel, limit)


def test_wrong_matrices_are_refuted():
    kernel = derive(VP).kernel.conclusion
    parts = {name: getattr(kernel, name) for name in ("backward", "gramian", "precision")}
    one = ((Integer(1),),)

    def scaled(name, factor, shift=0):
        return parts | {name: tuple(tuple(factor * e + shift for e in row) for row in parts[name])}

    for wrong, failed in (
        (scaled("backward", 2), "Gramian"),
        (parts | {"backward": one}, "propagator"),
        (scaled("gramian", 2), "Gramian"),
        (scaled("gramian", 1, 1), "start"),
        (scaled("precision", 2), "inverse"),
    ):
        with pytest.raises(Refused) as caught:
            apply("scheduled-kernel", process=VP, **wrong)
        assert caught.value.hypotheses[-1].name == failed


@pytest.mark.parametrize(
    ("drift", "diffusion", "parts", "failed"),
    [
        ("-x", "t-1", ("exp(t)", "t", "1/t"), "Gramian"),
        ("0", "t-1", ("1", "t**3/3-t**2+t", "1/(t**3/3-t**2+t)"), "noise: x"),
        ("0", "1/t", ("1", "-1/t", "-t"), "continuous solution: t != 0"),
        ("-x+1/t", "1", ("exp(t)", "exp(2*t)/2-1/2", "2/(exp(2*t)-1)"), "continuous drift at 0: t != 0"),
        ("-x*t**2*x", "1", ("1", "t", "1/t"), "affine drift"),
        ("-x", "1+x*t", ("1", "t", "1/t"), "constant noise"),
        ("0", "sign(t-1)", ("1", "t", "1/t"), "Gramian"),
        ("sign(t-1)*x", "1", ("exp(1-abs(t-1))", "t", "1/t"), "smooth solution: t != 1"),
        ("0", "sqrt(t-1)", ("1", "t**2/2-t", "1/(t**2/2-t)"), "smooth: t >= 1"),
    ],
)
def test_hypotheses_refuse(drift, diffusion, parts, failed):
    process = Diffusion(drift, diffusion)
    names = ("backward", "gramian", "precision")
    given = {name: ((parse(text),),) for name, text in zip(names, parts, strict=True)}
    with pytest.raises(Refused) as caught:
        apply("scheduled-kernel", process=process, **given)
    assert caught.value.hypotheses[-1].name == failed


def test_a_kernel_of_one_kind_is_none_of_the_other():
    scheduled = derive(VP).kernel
    spectrum = ((Integer(-1), Integer(0), 1),)
    with pytest.raises(symdp.InputError, match="premises"):
        apply("merging-linear", scheduled, spectrum=spectrum)
    # a Gaussian kernel that the user takes for granted does not make the spectrum of a drift in time meaningful
    parts = {name: getattr(scheduled.conclusion, name) for name in ("backward", "gramian", "precision")}
    taken = GaussianKernel(VP, **parts)
    names = [c.name for c in get_rule("merging-linear").conditions((taken,), {"spectrum": spectrum})]
    assert names[0] == "homogeneous"
