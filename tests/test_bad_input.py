"""Bad input on the command line: each mistake is one line that says what to mend, and the exit code is 1."""

import os
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.cli import main
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError
from symdp.region import Interval, Region
from symdp.text import parse_relations, symbol
from tests.commands import AT, OU, one_line

X = ["derive", "--drift", "-x", "--diffusion", "1"]


def drift(text, *more):
    return ["derive", "--drift", text, "--diffusion", "1", *more]


def at(text):
    return [*OU, "--at", text]


BAD = [
    (drift("-theta*x+"), "drift, column 10"),
    (drift("-x^2"), "write ** for powers"),
    (drift("2x"), "write 2*x"),
    (drift("tanhh(x)"), "unknown function 'tanhh'; did you mean tanh?"),
    (drift("__import__('os').system('touch /tmp/symdp-injected')"), "drift, column"),
    (drift("x.__class__"), "drift, column 2"),
    (drift("lambda: x"), "drift, column"),
    (drift("(" * 5000 + "x" + ")" * 5000), "drift"),
    (drift("x**9**9**9**9"), "too large"),
    (drift("x**(10**10)"), "too large"),
    (drift("-θ*x"), "write theta"),
    (drift("sqrt(-1)*x"), "drift"),
    (drift("x/0"), "drift"),
    (drift(""), "drift"),
    (drift("-alpha*x"), "'alpha' is a reserved name"),
    (drift("-Delta*x"), "'Delta' is a reserved name"),
    (drift("-t*x", "--param", "t>1"), "'t' is a reserved name"),
    (drift("sqrt(x)"), "undefined or complex at x = "),
    (drift("log(x)"), "undefined or complex at x = "),
    (drift("1/x"), "undefined or complex at x = 0"),
    (["derive", "--drift", "-x,-y", "--diffusion", "1"], "diffusion"),
    (["derive", "--drift", "-x", "--diffusion", "1;1"], "diffusion"),
    (["derive", "--drift", "-x1,-x2", "--diffusion", "1,0;0"], "make rows equally long"),
    (["derive", "--drift", "-x", "--diffusion", "0"], "identically zero"),
    (["derive", "--drift", "-x", "--diffusion", "x-x"], "identically zero"),
    ([*X, "--domain", "x>1, x<0"], "empty"),
    ([*X, "--domain", "0<"], "--domain"),
    ([*X, "--domain", "y>0"], "unknown name 'y'"),
    ([*X, "--state", "x,y"], "--state"),
    ([*X, "--param", "c real"], "'c' is declared but not used"),
    ([*OU, "--param", "theta complex"], "declares nothing"),
    ([*OU, "--assume", "thta>0"], "did you mean theta?"),
    ([*OU, "--assume", "theta<0"], "empty"),
    ([*OU, "--assume", "spectrun"], "did you mean 'spectrum'?"),
    ([*OU, "--assume", "theta>2", "--at", AT], "theta > 2, which is assumed, is false at theta = 1"),
    ([*X, "--domain", "x>-1/2", "--at", "alpha=2,t=1,x=-1,xp=0"], "--at, x: -1 is outside the domain"),
    (at("alpha=8,t=1/2,Delta=1,theta=1"), "--at: no value for rho; give rho=..."),
    (at("alpha=8"), "no value for t, rho, theta, Delta"),
    (at("alpha=8,t=1/2,x=1,theta=1,rho=1"), "no value for xp"),
    (at("alpha=8,t=1/2,Delta=1,x=1,xp=0,theta=1,rho=1"), "both Delta and starts"),
    (at("alpha=1,t=1/2,Delta=1,theta=1,rho=1"), "--at, alpha: alpha = 1 is not allowed"),
    (at("alpha=8,t=0,Delta=1,theta=1,rho=1"), "--at, t: t = 0 is not allowed"),
    (at("alpha=8,t=1,Delta=-1,theta=1,rho=1"), "--at, Delta: Delta = -1 is not allowed"),
    (at("alpha=8,t=1,Delta=1,theta=-1,rho=1"), "--at, theta: theta = -1 is outside theta > 0"),
    (at("alpha=8,t=1,Delta=1,theta=1,rho=1,foo=1"), "unknown name 'foo'"),
    (at("alpha=8,t=1,Delta=1,theta=1,rh=1,rho=1"), "did you mean rho?"),
    (at("alpha=nan,t=1,Delta=1,theta=1,rho=1"), "'nan' is not a number"),
    (at("alpha=inf,t=1,Delta=1,theta=1,rho=1"), "'inf' is not a number"),
    (at("alpha=9**9**9**9,t=1,Delta=1,theta=1,rho=1"), "too large"),
    (at("alpha=1e999999,t=1,Delta=1,theta=1,rho=1"), "too large"),
    (at("alpha=sqrt(-1),t=1,Delta=1,theta=1,rho=1"), "--at"),
    (at("alpha=1/0,t=1,Delta=1,theta=1,rho=1"), "--at"),
    (at("alpha=8,alpha=8"), "'alpha' is given twice"),
    (at("alpha=8,t=1,x=(1,0),xp=(0,0),theta=1,rho=1"), "a start is a number"),
    (at("y=1,alpha=8,t=1,Delta=1,theta=1,rho=1"), "unknown name 'y'"),
    (at("delta=1e-5," + AT), "delta goes with --delta"),
    (at(""), "--at"),
    ([*OU, "--digits", "0"], "--digits: 0 digits"),
    ([*OU, "--digits", "100001"], "ask for 1 to 100000"),
    ([*OU, "--digits", "many"], "--digits"),
    ([*OU, "--steps", "3"], "--steps is given without --delta"),
    ([*OU, "--delta", "1e-5"], "--delta is given without --at"),
    ([*OU, "--at", AT, "--delta", "-1e-9"], "--delta: delta = -1/1000000000 is not allowed"),
    ([*OU, "--at", AT, "--delta", "1e-5", "--steps", "1/2"], "--steps"),
    ([*OU, "--drift", "x"], "--drift is given 2 times"),
    ([*OU, "--json", "--latex"], "--json and --latex are both given"),
    ([*OU, "--nope"], "--nope"),
    ([*OU, "--at"], "--at"),
    (["derive", "--drift", "--diffusion", "1"], "--drift has no value"),
    (["derive"], "no --drift and no --diffusion"),
    (["derive", "--drift", "-x"], "no --diffusion"),
    (["derive", "ornstein-uhlenbek"], "did you mean ornstein-uhlenbeck?"),
    (["derive", "xyzzy"], "there are: brownian-motion"),
    (["derive", "brownian-motion", "benes"], "2 names are given"),
    (["derive", "benes", "--drift", "x"], "both a name and --drift"),
    (["derive", "benes", "--domain", "x>0"], "both a name and --domain"),
    (["derve"], "derve"),
    (["--nope"], "--nope"),
    (["replay"], "FILE"),
]


@pytest.mark.parametrize(("args", "message"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_bad_input_is_one_line(call, args, message):
    result = call(*args)
    assert result.code == 1
    assert message in one_line(result)


def test_nothing_was_injected():
    assert not os.path.exists("/tmp/symdp-injected")


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="x-+*/^()., ;=<>'\"\\\x00\n\x1b\té∞0123456789abct", max_size=30))
def test_no_text_brings_a_traceback(text):
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["derive", "--drift", "-x", "--diffusion", "1", f"--at={text}"])
    assert code == 1
    assert err.getvalue().startswith("symdp: ") and err.getvalue().count("\n") == 1
    assert err.getvalue().strip().isprintable() and out.getvalue() == ""


def test_a_region_that_is_no_product_of_intervals_is_no_domain():
    """What is proved of a process rests on the ends of its intervals: a constraint beside them would be forgotten."""
    x = symbol("x")
    place = Region.make({x: Interval.real()}, list(parse_relations("x**2<1")))
    with pytest.raises(InputError, match="not an end of one coordinate"):
        Diffusion("-x", "1", domain=place)
