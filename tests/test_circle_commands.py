"""Circles at the command line and in Python: how they are typed, what is refused, numbers, proofs that are stored."""

import json

import pytest
from sympy import pi

import symdp
from symdp import codec
from symdp.diffusion.facts import facts
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError, Refused
from symdp.text import symbol

HERE = ["--drift", "0", "--diffusion", "sqrt(2)", "--domain", "x mod 2*pi"]


def test_how_a_circle_is_typed():
    process = Diffusion("0", "sigma", domain="x mod L")
    assert process.periods == ((symbol("x"), symbol("L")),) and process.space == "x mod L"
    assert [s.name for s in process.params.symbols] == ["L", "sigma"]
    assert codec.decode(codec.encode(process)) == process != process.unrolled
    assert process == Diffusion("0", "sigma", periods=((symbol("x"), symbol("L")),))
    assert "periods" not in codec.parts(process.unrolled)
    with_end = Diffusion("0,0", "1,0;0,1", domain="0<=x1<=1, x2 mod 2")
    assert with_end.space == "x2 mod 2, 0 <= x1 <= 1"
    assert process.at({symbol("L"): 2 * pi}).periods == ((symbol("x"), 2 * pi),)


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        ("x mod", "has no period"),
        ("x mod 0", "not positive"),
        ("x mod -1", "not positive"),
        ("x mod x", "depends on 'x'"),
        ("x mod t", "depends on 't'"),
        ("y mod 1", "is no coordinate"),
        ("x mod 1, x mod 2", "two periods"),
        ("x mod 1, x>=0", "has an end"),
        ("x mod 1,", "beside a comma"),
        ("x mod 1/0", "division by 0"),
    ],
)
def test_what_is_no_circle_is_an_error_of_one_line(domain, message):
    with pytest.raises(InputError, match=message) as error:
        Diffusion("0", "1", domain=domain)
    assert "\n" not in str(error.value) and "--domain" in str(error.value)


def test_a_drift_that_is_not_periodic_is_refused():
    with pytest.raises(Refused, match="periodic drift, x"):
        symdp.derive(Diffusion("-x", "1", domain="x mod 2*pi"))
    with pytest.raises(Refused, match="periodic noise, x"):
        symdp.derive(Diffusion("0", "2+sin(x)", domain="x mod pi"))


def test_a_drift_round_the_circle():
    found = symdp.derive(Diffusion("-sin(x)", "sqrt(2)", domain="x mod 2*pi"))
    assert found.status == "proved"
    at = {"alpha": 2, "t": "1/2"}
    for starts in ({"x": 1, "xp": 0}, {"x": 1 + 2 * pi, "xp": 0}, {"x": -1, "xp": 6 * pi}, {"Delta": 1}):
        assert abs(found.evaluate({**at, **starts}).mid - 1.5819767068693265) < 1e-12  # alpha/(2(1 - e^(-2t)))
    assert found.evaluate({**at, "x": 1, "xp": 1 - 2 * pi}).upper == 0
    far = found.evaluate({**at, "Delta": 50})
    assert far.mid == found.evaluate({**at, "Delta": pi}).mid == found.evaluate({**at, "x": 1, "xp": 1 + pi}).mid
    symbolic = symdp.derive(Diffusion("c - a*sin(2*pi*x/L)", "s", domain="x mod L", params="c real"))
    at = {"alpha": 2, "t": "1/2", "a": 1, "c": 3, "s": "sqrt(2)", "L": 2 * pi, "x": 7, "xp": 0}
    assert abs(symbolic.evaluate(at).mid - 1.5819767068693265 * (7 - float(2 * pi)) ** 2) < 1e-9


def test_a_clock_on_the_circle_and_what_is_known_of_it():
    found = symdp.derive(Diffusion("0", "sqrt(2*t)", domain="x mod 2*pi"))
    still = symdp.derive(Diffusion("0", "sqrt(2)", domain="x mod 2*pi"))
    for t in (1, 4):
        one = found.evaluate({"alpha": 2, "t": t, "x": 3, "xp": 0})
        assert abs(one.mid - still.evaluate({"alpha": 2, "t": f"{t}**2/2", "x": 3, "xp": 0}).mid) < 1e-12
    known = facts(Diffusion("c - sin(x)", "sqrt(2)", domain="x mod 2*pi"))
    assert (known.invariant_density, known.reversible) == (None, False)
    assert facts(Diffusion("-sin(x)", "sqrt(2)", domain="x mod 2*pi")).reversible is True


def test_bound_and_truth_at_the_command_line(call):
    at = ["--at", "alpha=2,t=12,x=2,xp=-100", "--digits", "20", "--truth", "--json"]
    result = call("derive", *HERE, *at)
    data = json.loads(result.out)
    assert result.code == 0 and data["status"] == "proved" and data["process"]["domain"] == "x mod 2*pi"
    assert data["kernel_class"] == "circle" and float(data["ratio"]["lower"]) > 0.999
    result = call("renyi", *HERE, "--at", "alpha=3/2,t=1,x=1,xp=1-4*pi", "--json")
    assert result.code == 0 and float(json.loads(result.out)["value"]["upper"]) == 0
    result = call("renyi", "--drift=-sin(x)", *HERE[2:], "--at", "alpha=2,t=1,x=1,xp=0")
    assert result.code != 0 and "constant drift" in result.err


def test_a_stored_proof_tells_its_circle(call, tmp_path):
    out = call("derive", *HERE, "--json").out
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(out)
    assert call("replay", str(good)).code == 0
    data = json.loads(out)
    data["process"]["domain"] = "x mod 4*pi"
    bad.write_text(json.dumps(data))
    assert call("replay", str(bad)).code != 0
