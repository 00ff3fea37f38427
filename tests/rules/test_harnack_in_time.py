"""Another clock, and curvature that changes with the time: equalities, truths below the bounds, refusals, mutants."""

from dataclasses import replace

import pytest
from sympy import Integer, eye, sin

import symdp
from symdp.decide import is_zero
from symdp.derivation import derive
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.judgments import RenyiDP
from symdp.rule import get_rule
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import given, value
from tests.oracle import MP

VP = Diffusion("-beta(t)/2*x", "sqrt(beta(t))", let="beta(t)=1/10+t/2")
OU = Diffusion("-x/2", "1")
CLOCK = {"process": VP, "rate": parse("1/10+t/2"), "clock": parse("t/10+t**2/4")}
ONE = ((Integer(1),),)
LINEAR = {
    "process": VP,
    "bound": parse("1/20+t/4"),
    "scale": parse("1/10+t/2"),
    "shape": ONE,
    "exponent": parse("t/20+t**2/8"),
    "energy": parse("exp(t/10+t**2/4)-1"),
}
COOLED = Diffusion("-s(t)*(x+x**3)", "sqrt(2)", let="s(t)=1/(1+t)")
CUBIC = {
    "process": COOLED,
    "bound": parse("1/(1+t)"),
    "scale": Integer(2),
    "shape": ONE,
    "exponent": parse("log(1+t)"),
    "energy": parse("2*((1+t)**3-1)/3"),
}


# --- another clock --------------------------------------------------------------------------------------------------


def test_a_clock_gives_the_kernel_of_the_schedule():
    base, direct = derive(OU), derive(VP)
    for rule, premise, other, name in (
        ("time-change", base.divergence, direct.divergence, "value"),
        ("time-change-rdp", base.privacy, direct.privacy, "value"),
        ("time-change-gdp", base.gaussian, direct.gaussian, "mu"),
    ):
        theorem = apply(rule, premise, **CLOCK)
        one, two = theorem.conclusion, other.conclusion
        assert is_zero(getattr(one, name) ** 2 - getattr(two, name) ** 2, two.region)
        assert one.region.interval("t") == two.region.interval("t")
        assert theorem.tightness == "exact" and replay(theorem) == theorem
        assert from_json(to_json(theorem)) == theorem


@pytest.mark.parametrize("rule_id", ["time-change", "time-change-rdp", "time-change-gdp"])
def test_mutated_clocks_are_refuted(rule_id):
    """A conclusion at another time than the clock's is not the divergence of the laws at that time."""
    base, direct = derive(OU), derive(VP)
    fields = {"time-change": "divergence", "time-change-rdp": "privacy", "time-change-gdp": "gaussian"}
    premise, true = (getattr(d, fields[rule_id]).conclusion for d in (base, direct))
    name = "mu" if rule_id.endswith("gdp") else "value"
    values = {"alpha": "3", "t": "1/2", "x": "1", "xp": "0", "Delta": "1"}

    def number(fact):
        expr = getattr(fact, name)
        return value(expr, **{k: v for k, v in values.items() if symbol(k) in expr.free_symbols})

    rule = get_rule(rule_id)
    assert abs(number(rule.conclude((premise,), CLOCK)) - number(true)) < 1e-20
    for wrong in ("t", "t/10+t**2/2", "t/5+t**2/4"):
        mutated = rule.conclude((premise,), CLOCK | {"clock": parse(wrong)})
        assert number(mutated) < number(true) * MP.mpf("0.999"), wrong


@pytest.mark.parametrize(
    ("changed", "failed"),
    [
        ({"clock": parse("t/10+t**2/4+1")}, "clock(0)"),
        ({"clock": parse("t/10+t**2/2")}, "clock'"),
        ({"rate": parse("1/10+t"), "clock": parse("t/10+t**2/2")}, "drift"),
        ({"rate": parse("x"), "clock": parse("x*t")}, "clock"),
        ({"process": Diffusion("-(1/10+t/2)/2*x", "1")}, "noise"),
        ({"process": Diffusion("-b(t)/2*x", "sqrt(b(t))", domain="x>0", let="b(t)=1/10+t/2")}, "one space"),
        ({"process": Diffusion("-(t-1)/2*x", "t-1"), "rate": parse("t-1"), "clock": parse("t**2/2-t")}, "rate"),
        ({"process": Diffusion("-x/t/2", "t**(-1/2)"), "rate": parse("1/t"), "clock": parse("log(t)")}, "continuous"),
    ],
)
def test_a_wrong_clock_is_refused(changed, failed):
    with pytest.raises(Refused) as caught:
        apply("time-change", derive(OU).divergence, **CLOCK | changed)
    assert caught.value.hypotheses[-1].name.startswith(failed)


def test_a_clock_of_a_clock_is_refused():
    with pytest.raises(Refused, match="homogeneous"):
        apply("time-change", derive(VP).divergence, **CLOCK)
    other = replace(derive(OU).privacy.conclusion, relation="add/remove")
    with pytest.raises(Refused, match="neighbours"):
        apply("time-change-rdp", given(other), **CLOCK)


def test_beyond_linear_by_a_clock():
    """Benes by a clock is exact; reflected ends stay reflected; neighbours by the intrinsic distance."""
    benes = derive(Diffusion("2*b(t)*tanh(x)", "sqrt(2*b(t))", let="b(t)=1+t"))
    assert benes.divergence.tightness == "exact" and benes.privacy is not None
    homogeneous = derive(Diffusion("2*tanh(x)", "sqrt(2)")).divergence.conclusion.value
    at_clock = homogeneous.xreplace({symbol("t"): parse("t+t**2/2")})
    assert is_zero(benes.divergence.conclusion.value - at_clock, benes.divergence.conclusion.region)
    two = derive(Diffusion("-b(t)*(x1+x1**3-x2), -b(t)*(x2+x1)", "sqrt(b(t)),0;0,sqrt(b(t))", let="b(t)=1+t"))
    assert two.divergence.rule.id == "time-change" and two.privacy.conclusion.region.interval("t").lower == 0


# --- curvature ------------------------------------------------------------------------------------------------------


def test_linear_drifts_attain_it():
    exact = derive(VP)
    bound = apply("harnack-in-time", **LINEAR)
    assert is_zero(bound.conclusion.value - exact.divergence.conclusion.value, bound.conclusion.region)
    rdp = apply("harnack-in-time-rdp", **LINEAR)
    assert is_zero(rdp.conclusion.value - exact.privacy.conclusion.value, rdp.conclusion.region)
    assert isinstance(rdp.conclusion, RenyiDP) and replay(rdp) == rdp and from_json(to_json(bound)) == bound


def test_constants_give_the_homogeneous_inequality():
    well = Diffusion("x - x**3", "sqrt(2)")
    given = {"process": well, "bound": Integer(-1), "scale": Integer(2), "shape": ONE}
    given |= {"exponent": parse("-t"), "energy": parse("1-exp(-2*t)")}
    old = apply("harnack-space", process=well, bound=Integer(-1)).conclusion
    assert is_zero(apply("harnack-in-time", **given).conclusion.value - old.value, old.region)


def laws(points, weights, t, x, steps):
    """Densities of ``dX = u dt + sqrt2 dW`` by splitting: drift by Runge-Kutta, noise by the Gaussian kernel."""
    import numpy as np

    h = t / steps
    drift = lambda s, y: -(y + y**3) / (1 + s)  # noqa: E731
    kernel = None
    mass = None
    for k in range(steps):
        s = k * h
        start = points if mass is not None else np.array([x])
        k1 = drift(s, start)
        k2 = drift(s + h / 2, start + h / 2 * k1)
        k3 = drift(s + h / 2, start + h / 2 * k2)
        moved = start + h / 6 * (k1 + 2 * k2 + 2 * k3 + drift(s + h, start + h * k3))
        kernel = np.exp(-((points[:, None] - moved[None, :]) ** 2) / (4 * h)) / np.sqrt(4 * np.pi * h)
        mass = kernel @ (weights * mass) if mass is not None else kernel[:, 0]
    return mass


def numerical_truth(alpha, t, x, xp):
    """The Renyi divergence of the two numerical laws."""
    import numpy as np

    points = np.linspace(-6, 6, 601)
    weights = np.full(601, points[1] - points[0])
    p, q = (laws(points, weights, t, start, 100) for start in (x, xp))
    kept = (p > 1e-250) & (q > 1e-250)
    return np.log(np.sum(weights[kept] * p[kept] ** alpha * q[kept] ** (1 - alpha))) / (alpha - 1)


@pytest.mark.parametrize("rule_id", ["harnack-in-time", "harnack-in-time-rdp"])
def test_a_cubic_drift_obeys_it_and_mutants_are_refuted(rule_id):
    """The laws of a cubic drift, numerically, lie below; of bounds that are too small the linear drift is witness."""
    cubic = apply(rule_id, **CUBIC).conclusion.value

    def number(expr, **values):
        return value(expr, **{k: v for k, v in values.items() if symbol(k) in expr.free_symbols})

    for t, x, xp in ((1.0, 0.5, -0.5), (0.5, 1.0, 0.25)):
        values = {"alpha": "2", "t": str(t), "x": str(x), "xp": str(xp), "Delta": str(x - xp)}
        true = numerical_truth(2.0, t, x, xp)
        assert 0 < true < number(cubic, **values) < 3 * true
    exact = derive(VP).divergence.conclusion.value
    values = {"alpha": "2", "t": "3/2", "x": "1", "xp": "0", "Delta": "1"}
    rule = get_rule(rule_id)
    assert number(rule.conclude((), LINEAR).value, **values) >= number(exact, **values) * (1 - MP.mpf(10) ** -20)
    for wrong in ("2*exp(t/10+t**2/4)-2", "exp(t/5+t**2/2)-1", "exp(t/10+t**2/4)"):
        mutated = rule.conclude((), LINEAR | {"energy": parse(wrong)}).value
        assert number(mutated, **values) < number(exact, **values) * MP.mpf("0.99")


@pytest.mark.parametrize(
    ("changed", "failed"),
    [
        ({"bound": parse("2/(1+t)"), "exponent": parse("2*log(1+t)")}, "energy'|curvature"),
        ({"bound": parse("2/(1+t)"), "exponent": parse("2*log(1+t)"), "energy": parse("t")}, "curvature 1"),
        ({"exponent": parse("log(1+t)+1")}, "exponent\\(0\\)"),
        ({"exponent": parse("2*log(1+t)")}, "exponent'"),
        ({"energy": parse("2*((1+t)**3-1)")}, "energy'"),
        ({"energy": parse("2*(1+t)**3/3")}, "energy\\(0\\)"),
        ({"energy": parse("-t")}, "energy"),
        ({"scale": Integer(3)}, "noise"),
        ({"bound": parse("1/(1+t)+x")}, "functions of time"),
        ({"process": Diffusion("-(x+x**3)/t", "sqrt(2)")}, "continuous drift: t != 0"),
        ({"process": Diffusion("-s(t)*(x+x**3)", "sqrt(2)", domain="x>0", let="s(t)=1/(1+t)")}, "whole space"),
        ({"process": Diffusion("-s(t)*(x+x**3)", "sqrt(2+x**2)", let="s(t)=1/(1+t)")}, "noise"),
        ({"process": Diffusion("-s(t)*abs(x)", "sqrt(2)", let="s(t)=1/(1+t)")}, "smooth"),
        ({"process": Diffusion("-x", "sqrt(1/t)"), "scale": parse("1/t"), "bound": Integer(1)}, "continuous noise"),
    ],
)
def test_hypotheses_refuse(changed, failed):
    with pytest.raises(Refused, match=f"hypothesis '{failed}"):
        apply("harnack-in-time", **CUBIC | changed)


def test_several_dimensions():
    process = Diffusion("-x1 - x1**3*t + x2, -x2 - x1", "exp(-t),0;0,exp(-t)")
    found = derive(process)
    assert found.divergence.rule.id == "harnack-in-time"
    assert is_zero(found.privacy.conclusion.value - parse("alpha*Delta**2/(2*t)"))
    shape = tuple(tuple(row) for row in eye(2).tolist())
    given = {"process": process, "bound": Integer(1), "scale": parse("exp(-2*t)"), "shape": shape}
    given |= {"exponent": symbol("t"), "energy": symbol("t")}
    assert apply("harnack-in-time", **given).conclusion == found.divergence.conclusion
    with pytest.raises(Refused, match="isotropic"):
        long = Diffusion("-x1, -x2", "exp(-t),0;0,2*exp(-t)")
        stretched = ((Integer(1), Integer(0)), (Integer(0), Integer(4)))
        apply("harnack-in-time-rdp", **given | {"process": long, "shape": stretched})


def test_a_drift_without_closed_integral_is_bounded_by_a_constant():
    found = derive(Diffusion("-(1+t)*x", "1"))
    assert found.divergence.tightness == "upper" and found.notes == ("by the lower bound 1 of the curvature",)
    truth = 1 / MP.quad(lambda s: MP.exp(2 * s + s**2), [0, 1])  # alpha = 2, z = 1
    assert truth <= value(found.divergence.conclusion.value, alpha="2", t="1", x="1", xp="0")


def test_an_oscillating_curvature():
    found = derive(Diffusion("-x - x**3 + t*sin(t)", "sqrt(2)"))
    assert is_zero(found.privacy.conclusion.value - parse("alpha*Delta**2/(2*(exp(2*t)-1))"))
    assert sin in {type(e) for e in found.process.drift[0].atoms(sin)}


# --- nothing else takes a diffusion in time -------------------------------------------------------------------------

MADE_FOR_IT = {"scheduled-kernel", "time-change", "time-change-rdp", "time-change-gdp"}
MADE_FOR_IT |= {"harnack-in-time", "harnack-in-time-rdp"}
MADE_FOR_IT |= {"unrolled", "independent-coordinates"}  # of laws at one time, whatever they came through


class Anything(dict):
    """Parameters of any rule about a process: the process, and something of the right kind for everything else."""

    KINDS = (
        (("backward", "gramian", "precision", "drift", "noise", "limit", "spectrum"), ONE),
        (("breaks", "values"), ()),
        (("pieces",), (parse("x"),)),
        (("coordinate",), parse("x")),
        (("side",), "lower"),
    )

    def __missing__(self, name):
        return next((value for names, value in self.KINDS if name in names), Integer(1))


def asked_of(rule, process):
    """The names of the conditions, as far as they can be written down for such parameters; whether it asks for one."""
    params, names = Anything(process=process), []
    try:
        for condition in rule.conditions((), params):
            names.append(condition.name)
    except (KeyError, AttributeError, TypeError, ValueError, IndexError, AssertionError, symdp.errors.SymdpError):
        pass
    return names


def takes_a_process(rule):
    import inspect

    source = inspect.getsource(inspect.getmodule(rule.conditions))
    return not rule.premises and 'params["process"]' in source


def test_every_rule_about_a_process_refuses_one_in_time_unless_made_for_it():
    from symdp.rule import rules

    ours = [
        rule for rule in rules().values() if rule.conclude.__module__.startswith("symdp.") and takes_a_process(rule)
    ]
    ours = [rule for rule in ours if rule.id not in MADE_FOR_IT and "mutant" not in rule.id]
    assert len(ours) >= 14
    careless = [rule.id for rule in ours if "homogeneous" not in asked_of(rule, VP)]
    assert careless == []
    assert not any("homogeneous" in asked_of(rule, OU) for rule in ours)


def test_without_the_hypothesis_a_rule_would_be_wrong():
    """The Harnack inequality of the least curvature, applied at each time as if noise were that of this time."""
    process = Diffusion("-x", "exp(-t)")
    with pytest.raises(Refused, match="homogeneous"):
        apply("harnack-space", process=process, bound=Integer(1))
    careless = get_rule("harnack-space").conclude((), {"process": process, "bound": Integer(1)}).value
    exact = derive(process).divergence.conclusion.value
    hot = Diffusion("-x", "exp(t)")
    small = get_rule("harnack-space").conclude((), {"process": hot, "bound": Integer(1)}).value
    true = derive(hot).divergence.conclusion.value
    at = {"alpha": "2", "t": "1", "x": "1", "xp": "0"}
    assert value(small, **at) < value(true, **at) and value(careless, **at) > value(exact, **at)
