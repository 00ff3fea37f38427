"""Every way of showing a bound: JSON that holds its proof, LaTeX without packages, notebooks and text."""

import json
import re
from fractions import Fraction

import pytest

import symdp
from symdp.errors import Forged
from symdp.render.json import replayed
from symdp.text import parse, parse_relations
from symdp.theorem import from_json

OU = symdp.derive(symdp.Diffusion("-theta*x", "sqrt(2)*rho"))
TANH = symdp.derive(symdp.Diffusion("2*tanh(x)", "sqrt(2)"))
GEOMETRIC = symdp.derive(symdp.Diffusion("mu*x", "sigma*x", domain="x>0", params="mu real"))
PLANE = symdp.derive(symdp.Diffusion("-a*x1-w*x2, w*x1-a*x2", "s,0;0,s"))
OSCILLATOR = symdp.derive(symdp.Diffusion("x2, -gamma*x2-k*x1", "0; sqrt(2*gamma)"))

KEYS = {
    *("schema", "status", "tightness", "generator", "carre_du_champ", "curvature", "invariant_density", "reversible"),
    *("kernel_class", "kappa", "Lambda", "divergence", "rdp", "region", "hypotheses", "assumptions", "citations"),
}
EXPRESSIONS = (
    *("generator", "carre_du_champ", "curvature", "invariant_density", "kappa", "Lambda"),
    *("divergence", "rdp", "gdp", "limit", "heat_flow"),
)


@pytest.mark.parametrize("bound", [OU, TANH, GEOMETRIC, PLANE, OSCILLATOR], ids=lambda b: b.process.equation()[:20])
def test_json_holds_the_theorem(bound):
    data = json.loads(json.dumps(bound.to_json()))
    assert set(data) >= KEYS
    assert data["schema"] == 1 and data["status"] == "proved" and data["tightness"] == "exact"
    for key in EXPRESSIONS:
        assert data[key] is None or symdp.to_text(parse(data[key])) == data[key]
    assert parse(data["divergence"]) == bound.divergence
    assert {tuple(sorted(h)) for h in data["hypotheses"]} <= {("name", "reason", "statement", "verdict")}
    assert all(h["verdict"] in ("proved", "certified") for h in data["hypotheses"])
    parse_relations(data["region"])
    assert from_json(data["theorem"]) == bound.theorem
    assert replayed(data)["divergence"] == bound.theorem


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("divergence", "alpha*(x - xp)**2/(400*t)"),
        ("rdp", "0"),
        ("Lambda", "0"),
        ("tightness", "upper"),
        ("status", "conditional"),
        ("region", "alpha > 0"),
        ("assumptions", ["x"]),
        ("citations", []),
        ("hypotheses", []),
        ("theorem", None),
        ("theorems", 3),
    ],
)
def test_edited_json_is_rejected(key, value):
    with pytest.raises(Forged):
        replayed(OU.to_json() | {key: value})


def test_an_edited_proof_is_rejected():
    text = json.dumps(OU.to_json())
    edited = text.replace("exp(2*t*theta) - 1", "exp(3*t*theta) - 1")
    assert edited != text
    with pytest.raises(Forged):
        replayed(json.loads(edited))


def test_json_of_values():
    data = TANH.to_json(alpha=2, t="1/2", x=1, xp=0, digits=30, delta="1e-5")
    assert data["at"] == {"alpha": "2", "t": "1/2", "x": "1", "xp": "0"}
    assert data["value_directions"] == {
        "value": "R_alpha(P_t(x) || P_t(xp))",
        "value_reverse": "R_alpha(P_t(xp) || P_t(x))",
        "value_rdp": "the larger of both orders",
    }
    for name in ("value", "value_reverse", "value_rdp", "epsilon"):
        assert set(data[name]) == {"lower", "upper"} and Fraction(data[name]["lower"]) < Fraction(data[name]["upper"])
    assert data["steps"] == 1 and data["delta"] == "1/100000" and Fraction(data["order"]) > 1


PLAIN = {
    *("left", "right", "frac", "sqrt", "le", "ge", "ne", "mathrm", "mbox", "begin", "end"),
    *("mathcal", "overline", "top", "int"),
    *("alpha", "beta", "gamma", "theta", "rho", "sigma", "mu", "omega", "Delta", "varepsilon"),
    *("log", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "coth"),
}


@pytest.mark.parametrize("bound", [OU, TANH, GEOMETRIC, PLANE, OSCILLATOR], ids=lambda b: b.process.equation()[:20])
def test_latex_needs_no_package(bound):
    text = bound.latex()
    assert set(re.findall(r"\\([A-Za-z]+)", text)) <= PLAIN
    assert set(re.findall(r"\\begin\{(\w+)\}", text)) <= {"array"}
    assert text.count("{") == text.count("}") and text.count(r"\left") == text.count(r"\right")
    assert text.count(r"\[") == text.count(r"\]") and text.count("$") % 2 == 0
    assert not re.search(r"'\s*\^|\^\{[^{}]*\}\s*\^", text)  # no double superscript
    assert r"R_{\alpha}\left(P_t(x) \,\|\, P_t(x')\right) =" in text
    assert r"\alpha > 1" in text and text.isascii()


def test_latex_names():
    from symdp.render.latex import expression

    odd = parse("lambda*I + long_name_2 + x12 - xp3 + asinh(e) + abs(Delta) + Omega_0")
    text = expression(odd)
    for part in (r"\lambda", r"\mathrm{long\_name}_{2}", "x_{12}", "{x'_{3}}", r"\mathrm{asinh}", r"\Omega_{0}"):
        assert part in text


def test_notebook_and_text():
    assert OU._repr_latex_().startswith("$") and r"\frac" in OU._repr_latex_()
    page = TANH._repr_html_()
    assert "What it rests on" in page and "<script" not in page and "||" in page
    assert "R_alpha(P_t(x) || P_t(xp)) = " in str(OU) and "What it rests on" in str(OU)
    assert repr(OU).startswith("<Bound R_alpha(P_t(x) || P_t(xp)) = alpha*theta")


def test_latex_of_a_control_energy_shows_its_matrices():
    from symdp.render.latex import bound_latex, expression
    from symdp.text import parse

    shown = expression(parse("control_energy(t, a, b, 0, d, 1, 0, 1, x, y)**2"))
    assert shown.startswith(r"\mathcal{E}_{t}^{2}\left(\left(\begin{array}{cc} a & b \\ 0 & d \end{array}\right)")
    found = symdp.derive(symdp.Diffusion("-2*x1+x2, x1-3*x2+x3, x2-x3", "1,0,0;0,1,0;0,0,1"))
    assert "W_t" in bound_latex(found) and bound_latex(found).count("{") == bound_latex(found).count("}")
