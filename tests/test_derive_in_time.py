"""Coefficients that depend on the time, from the command line and from Python: what is printed, replayed, refused."""

import json

import pytest

import symdp
from symdp.codec import decode, encode, same
from symdp.region import Interval
from symdp.text import parse, to_text
from tests.commands import one_line

VP = ["derive", "--drift=-beta(t)/2*x", "--diffusion", "sqrt(beta(t))"]
BETA = ["--let", "beta(t)=1/10+t/2"]
AT = ["--at", "alpha=2,t=1,Delta=1", "--digits", "20"]


def test_the_report(call):
    shown = call(*VP, *BETA, *AT)
    assert (shown.code, shown.err) == (0, "")
    for part in (
        "dx = -x*(t/2 + 1/10)/2 dt + sqrt(t/2 + 1/10) dW",
        "R_alpha(P_t(x) || P_t(xp)) = alpha*(x - xp)**2/(2*(exp(t*(5*t + 2)/20) - 1))",
        "exact, proved; in this order; for t > 0",
        "Gaussian class",
        "0: the start is forgotten",
        "[2.3862501483515965385, 2.3862501483515965386]",
        "the noise of (x) vanishes at no time after the start",
        "Song, Sohl-Dickstein",
    ):
        assert part in shown.out, part
    assert "Invariant density" not in shown.out and "Reversible" not in shown.out


@pytest.mark.parametrize(
    "options",
    [
        [*VP, *BETA],
        [*VP, "--let", "beta(t)=b*r(t)", "--let", "r(t)=1"],
        ["derive", "vp-sde"],
        ["derive", "ve-sde"],
        ["derive", "--drift=2*b(t)*tanh(x)", "--diffusion", "sqrt(2*b(t))", "--let", "b(t)=1+t"],
        ["derive", "--drift=-(x+x**3)/(1+t)", "--diffusion", "sqrt(2)"],
    ],
)
def test_json_is_replayed(call, tmp_path, options):
    if "r(t)=1" in options:  # a definition may call those before it
        options = [*VP, "--let", "r(t)=1", "--let", "beta(t)=b*r(t)"]
    shown = call(*options, "--json")
    data = json.loads(shown.out)
    assert shown.code == 0 and data["status"] == "proved"
    for key in ("generator", "curvature", "divergence", "rdp"):
        assert to_text(parse(data[key])) == data[key]
    file = tmp_path / "proof.json"
    file.write_text(shown.out)
    assert call("replay", str(file)).code == 0
    file.write_text(shown.out.replace('"record": "Diffusion"', '"record": "Copies"'))
    assert call("replay", str(file)).code != 0
    assert call(*options, "--latex").code == 0


def test_a_schedule_replaces_the_catalogues(call):
    mine, typed = call("derive", "vp-sde", *BETA, *AT), call(*VP, *BETA, *AT)
    assert mine.code == 0 and mine.out == typed.out
    hotter = call("derive", "vp-sde", "--let", "beta ( t ) = 1/10 + t", *AT)
    assert hotter.code == 0 and hotter.out != mine.out
    linear = call("derive", "vp-sde", "--at", "alpha=2,t=1,Delta=1,beta0=1/10,beta1=1/2", "--digits", "20")
    assert "[2.3862501483515965385, 2.3862501483515965386]" in linear.out


def test_a_constant_schedule_is_ornstein_uhlenbeck(call):
    constant = call(*VP, "--let", "beta(t)=2*theta", "--json")
    plain = call("derive", "--drift=-theta*x", "--diffusion", "sqrt(2*theta)", "--json")
    assert constant.code == 0 and json.loads(constant.out) == json.loads(plain.out)


def test_the_time_may_end(call):
    options = ["derive", "--drift=-x/(1-t)", "--diffusion", "1", "--domain", "t<1"]
    shown = call(*options, "--at", "alpha=2,t=1/2,Delta=1", "--digits", "5")
    assert shown.code == 0 and "alpha*(1/t - 1)*(x - xp)**2/2" in shown.out and "0 < t < 1" in shown.out
    late = call(*options, "--at", "alpha=2,t=1,Delta=1")
    assert (late.code, one_line(late)) == (1, "--at, t: t = 1 is outside the times 0 < t < 1; ask within them")
    closed = symdp.Diffusion("-b(t)*x", "1", domain="t<=2", let="b(t)=t")
    assert closed.times == Interval(0, 2, False, True) and same(decode(encode(closed)), closed)
    assert symdp.Diffusion("-x", "1").times == Interval.positive()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([*VP], "unknown function 'beta'; define it with --let 'beta(t)=...'"),
        ([*VP, "--let", "bta(t)=1"], "unknown function 'beta'; did you mean bta?"),
        ([*VP, *BETA, "--let", "gamma(t)=1"], "--let: 'gamma' is defined but not used"),
        ([*VP, *BETA, *BETA], "--let, column 1: 'beta' is defined twice"),
        ([*VP, "--let", "beta(s)=s"], "--let, column 6: 'beta' is not a function of t"),
        ([*VP, "--let", "beta(t)=x"], "--let: 'x' is the state, and beta a function of the time"),
        ([*VP, "--let", "beta(t)=1+beta(t)"], "'beta' is defined by itself"),
        ([*VP, "--let", "beta=1"], "this defines no function of the time"),
        ([*VP, "--let", "beta(t)=1+"], "--let, column 11"),
        ([*VP, "--let", "sqrt(t)=1"], "'sqrt' is reserved"),
        (["derive", "--drift=-beta(x)", "--diffusion", "1", *BETA], "'beta' is a function of the time, not of 'x'"),
        (["derive", "--drift=-beta*x", "--diffusion", "1", *BETA], "'beta' is a function of the time; write beta(t)"),
        (["derive", "ornstein-uhlenbeck", *BETA], "'beta' is defined but not used"),
        ([*VP, *BETA, "--param", "t>1"], "'t' is a reserved name"),
        ([*VP, *BETA, "--domain", "t>1"], "the times do not begin at 0"),
        (["derive", "--drift=-x", "--diffusion", "1", "--domain", "t<1"], "no coefficient depends on it"),
        ([*VP, *BETA, "--state", "t"], "reserved name"),
        ([*VP, "--let", "beta(t)=1-t"], "undefined or complex at "),
        ([*VP, "--let", "beta(t)=log(t)"], "undefined or complex at "),
        ([*VP, *BETA, "--at", "alpha=2,t=0,Delta=1"], "a time is above 0"),
        ([*VP, *BETA, "--at", "alpha=2,t=1,Delta=1,beta=1"], "unknown name 'beta'"),
    ],
)
def test_bad_input_is_one_line(call, options, said):
    result = call(*options)
    assert result.code == 1 and said in one_line(result)


@pytest.mark.parametrize(
    ("drift", "diffusion", "said"),
    [
        ("-x", "t-1", "hypothesis 'noise: x' failed: false at t = 1"),
        ("-x/t", "1", "no closed form of the drift's integral"),
        ("-x+1/t", "1", "hypothesis 'continuous drift at 0: t != 0' failed"),
        ("-x", "1/t", "no closed form of the covariance"),
        ("t*x**3", "1", "hypothesis 'curvature 1' failed"),
        ("-x-x**3", "sqrt(2+x**2*t)", "the noise must be a function of the time times a constant matrix"),
    ],
)
def test_what_a_schedule_must_satisfy(call, drift, diffusion, said):
    result = call("derive", "--drift", drift, "--diffusion", diffusion, "--at", "alpha=2,t=1,Delta=1")
    assert result.code == 2 and said in result.out and result.err.startswith("symdp: refused:")


def test_in_python():
    process = symdp.Diffusion("-beta(t)/2*x", "sqrt(beta(t))", let={"beta(t)": "b0+b1*t"})
    bound = symdp.derive(process)
    assert (bound.status, bound.tightness) == ("proved", "exact") and not process.homogeneous
    values = {"alpha": 2, "t": 1, "b0": "1/10", "b1": "1/2"}
    assert bound.evaluate(values, Delta=1, digits=18).to_decimal(18)[0] == "2.38625014835159653"
    one, other = bound.evaluate(values, x=1, xp=0), bound.evaluate(values, Delta=1)
    assert one.overlaps(other)
    assert bound.epsilon("1e-5", values=values, Delta=1).to_decimal(10)[0] == "7.304154494"
    several = symdp.Diffusion("a(t)*x", "b(t)", let=["a(t)=-t", "b(t)=exp(a(t))"])
    assert several.drift == (parse("-t*x"),) and several.diffusion == ((parse("exp(-t)"),),)
    assert symdp.Diffusion("-t*x", "1", domain="x>0, t<3").domain.interval("t").upper == 3


def test_facts_about_a_mechanism_may_name_schedules(call, tmp_path):
    file = tmp_path / "facts.toml"
    noise = 'drift = "-beta(t)/2*x", diffusion = "sqrt(beta(t))"'
    for start, let in ((noise, '"beta(t)=1/10+t/2"'), ('name = "vp-sde"', '["beta(t)=1/10+t/2"]')):
        entries = f"{start}, let = {let}, t = 1, sensitivity = 1"
        query = '[query]\nof = "M"\nask = "rdp"\nalpha = 2\n'
        file.write_text(f"[mechanism.M]\ndiffusion = {{{entries}}}\n{query}")
        shown = call("prove", str(file))
        assert shown.code == 0 and "1/(exp(7/20) - 1)" in shown.out
        file.write_text(file.read_text().replace(let, "3"))
        assert "mechanism.M.diffusion.let: texts are expected" in one_line(call("prove", str(file)))
