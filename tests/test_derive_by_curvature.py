"""Diffusions without a known kernel: the bound of a proved curvature, or a refusal that says what failed."""

import json

import pytest

import symdp
from symdp.decide import is_zero
from symdp.enclosure import enclose
from symdp.render.truth import truth_at, truth_values
from symdp.text import parse
from tests.guarantees import MP

LANGEVIN = {
    "x - x**3": "-1",
    "-sinh(x)": "1",
    "-tanh(x) - x": "1",
    "a*x - b*x**3": "-a",
    "-x/(1+x**2)": "-1/8",
    "-x**3 + sin(3*x)": "-3",
    "-x + exp(-x**2)*sin(5*x)": "-4",
    "-x**3 + x*cos(x)": "-1",
    "tanh(50*x) - x**3 + sin(7*x)*exp(-x**2)": "-57",
    "tanh(2*x)*exp(-x**2) - x**3": "-2",
}


@pytest.mark.parametrize(("drift", "bound"), LANGEVIN.items())
def test_langevin_diffusions_get_their_curvature(drift, bound):
    found = symdp.derive(symdp.Diffusion(drift, "sqrt(2)"))
    assert (found.status, found.tightness) == ("proved", "upper")
    wanted = parse(f"alpha*({bound})*(x-xp)**2/(2*(exp(2*({bound})*t)-1))")
    assert is_zero(found.divergence - wanted, found.region)
    assert is_zero(
        found.rdp - wanted.subs({symdp.symbol("x"): parse("Delta"), symdp.symbol("xp"): 0}), found.privacy.region
    )
    assert any("lower bound" in note for note in found.notes)


@pytest.mark.parametrize(
    ("drift", "truth"), [("x - x**3", "1.128134240661715192606"), ("-sinh(x)", "0.7399233353699168318284")]
)
def test_the_bound_lies_above_the_truth(drift, truth):
    found = symdp.derive(symdp.Diffusion(drift, "sqrt(2)"))
    value = found.evaluate(alpha=2, t="2/5", x="1/2", xp="-1/2", digits=20)
    assert MP.mpf(truth) < MP.mpf(value.lower) < 2 * MP.mpf(truth)


def test_cox_ingersoll_ross_with_symbols():
    process = symdp.Diffusion("a - k*x", "s*sqrt(x)", None, "x>0")
    found = symdp.derive(process, ["2*a>=s**2"])
    wanted = parse("2*alpha*k*(sqrt(x)-sqrt(xp))**2/(s**2*(exp(k*t)-1))")
    assert is_zero(found.divergence - wanted, found.region)
    assert is_zero(found.rdp - parse("2*alpha*k*Delta/(s**2*(exp(k*t)-1))"), found.privacy.region)


@pytest.mark.parametrize(
    ("drift", "diffusion", "state"),
    [
        ("-x1-3*x2-x1**3, 3*x1-2*x2", "sqrt(2),0;0,sqrt(2)", "x1,x2"),
        ("x1-x1**3-x2/2, -x1/2-x2-sinh(x2)", "sqrt(2),0;0,sqrt(2)", "x1,x2"),
        ("-x1**3-x2, x1-x2-x2**3, -x3+x1/10", "1,0,0;0,1,0;0,0,1", "x1,x2,x3"),
    ],
)
def test_in_several_dimensions(drift, diffusion, state):
    found = symdp.derive(symdp.Diffusion(drift, diffusion, state))
    assert found.status == "proved" and found.rdp is not None
    assert found.found.derivation.kernel is None


@pytest.mark.parametrize(
    ("drift", "diffusion", "domain", "said"),
    [
        ("x**3", "1", None, "attained in finite time"),
        ("-x+x**2*sin(x)", "sqrt(2)", None, "ends"),
    ],
)
def test_what_has_no_curvature_bound_is_refused(drift, diffusion, domain, said):
    with pytest.raises(symdp.Refused, match=said):
        symdp.derive(symdp.Diffusion(drift, diffusion, None, domain))


def test_what_is_printed(call):
    args = ("derive", "--drift", "x - x**3", "--diffusion", "sqrt(2)")
    shown = call(*args, "--at", "alpha=2,t=2/5,Delta=1", "--digits", "12")
    assert shown.code == 0 and "1.81596622091" in shown.out
    data = json.loads(call(*args, "--json").out)
    assert (data["kernel"], data["kernel_class"], data["status"]) == (None, None, "proved")
    assert "rdp" in data["theorems"]
    assert call(*args, "--latex").code == 0


def test_below_dimension_one_the_kernel_bounds_where_the_curvature_does_not():
    """Cox-Ingersoll-Ross below dimension 1: the curvature form is false there, what is printed is above the truth."""
    process = symdp.Diffusion("1/10-x", "sqrt(x)", None, "x>=0")
    found = symdp.derive(process)
    assert "bessel-divergence" in {node.rule.id for node in found.theorem.walk()}
    curvature = parse("2*alpha*(sqrt(x)-sqrt(xp))**2/(exp(t)-1)")
    near = {"alpha": 2, "t": "1/10", "x": "1/1000000", "xp": "1/2"}
    true = truth_values(truth_at(found.ask(near)), found.ask(near), 15)
    claimed = enclose(curvature, {symdp.symbol(name): parse(str(value)) for name, value in near.items()}, 15)
    assert claimed.upper < max(one.lower for one in true)
    assert found.values(near, digits=15)["value_rdp"].lower > max(one.upper for one in true)


@pytest.mark.parametrize(
    ("drift", "diffusion", "domain", "rule", "bound"),
    [
        ("0, -x2", "sqrt(2)*x2, 0; 0, sqrt(2)*x2", "x2>0", "harnack-gauge", "-2"),
        ("0, 0", "(1+x1**2+x2**2)/2, 0; 0, (1+x1**2+x2**2)/2", None, "harnack-gauge", "1/2"),
        ("x1, -x2", "r*x1, 0; 0, q*x2", "x1>0, x2>0", "harnack-path", "0"),
        ("-x1, -x2-x2**3", "1, 0; 0, 1", "x1>=0, -1<=x2<=1", "harnack-space", "1"),
    ],
)
def test_charts_and_boxes(drift, diffusion, domain, rule, bound):
    found = symdp.derive(symdp.Diffusion(drift, diffusion, "x1, x2", domain))
    theorem = found.found.derivation.divergence
    assert (found.status, theorem.rule.id) == ("proved", rule)
    assert any(f"lower bound {bound} of the curvature" in note for note in found.notes)


def test_completeness_may_be_vouched_for():
    process = symdp.Diffusion("0, 0", "x1+2*x2, 0; 0, x1+2*x2", "x1, x2", "x1>0, x2>0")
    with pytest.raises(symdp.Refused, match="no exhaustion"):
        symdp.derive(process)
    found = symdp.derive(process, ["complete"])
    assert found.status == "conditional" and "complete" in found.found.derivation.divergence.assumptions[0]


@pytest.mark.parametrize(
    ("drift", "said"),
    [
        ("-x - abs(sin(x))", "changes its sign"),
        ("-abs(x-c)-abs(x-d)", "is not decided"),
        ("x*abs(x)", "curvature"),
    ],
)
def test_kinks_that_are_refused(drift, said):
    with pytest.raises(symdp.Refused, match=said):
        symdp.derive(symdp.Diffusion(drift, "1", None, None, ["c real", "d real"] if "c" in drift else ()))
