"""Boundary classes against the textbook table, and against the scale integral computed numerically."""

import pytest
from sympy import Expr, Rational, Symbol, exp, log, sin, sqrt, tanh

import symdp.rules  # noqa: F401
from symdp import evidence
from symdp.decide import Proved, Refuted, Unknown, decide
from symdp.decide import sign as decided_sign
from symdp.diffusion.asymptotics import Expander, Unclear
from symdp.diffusion.measure import classify_end, curl, log_density_gradient
from symdp.diffusion.process import Diffusion
from symdp.text import Relation

# drift, diffusion, domain, (attained, infinite scale) at the lower and at the upper end
TABLE = {
    "Brownian motion": ("0", "1", None, (False, True), (False, True)),
    "Brownian motion on a half line": ("0", "1", "x>0", (True, False), (False, True)),
    "reflected on an interval": ("0", "1", "0<=x<=1", (True, False), (True, False)),
    "drifted": ("1", "1", None, (False, True), (False, False)),
    "Ornstein-Uhlenbeck": ("-x", "sqrt(2)", None, (False, True), (False, True)),
    "unstable linear": ("x", "1", None, (False, False), (False, False)),
    "double well": ("x-x**3", "sqrt(2)", None, (False, True), (False, True)),
    "explosive cubic": ("x**3", "1", None, (True, False), (True, False)),
    "explosive on one side": ("x**2", "1", None, (False, True), (True, False)),
    "Benes": ("2*tanh(x)", "sqrt(2)", None, (False, False), (False, False)),
    "repelling sinh": ("sinh(x)", "1", None, (True, False), (True, False)),
    "attracting sinh": ("-sinh(x)", "1", None, (False, True), (False, True)),
    "x log x": ("x*log(1+x**2)", "1", None, (False, False), (False, False)),
    "x log^2 x": ("x*log(1+x**2)**2", "1", None, (True, False), (True, False)),
    "Bessel of dimension 3": ("1/x", "1", "x>0", (False, True), (False, False)),
    "Bessel of dimension 2": ("1/(2*x)", "1", "x>0", (False, True), (False, True)),
    "Bessel of dimension 3/2": ("1/(4*x)", "1", "x>0", (True, False), (False, True)),
    "CIR above": ("1-x", "sqrt(x)", "x>0", (False, True), (False, True)),
    "CIR at the edge": ("1/2-x", "sqrt(x)", "x>0", (False, True), (False, True)),
    "CIR below": ("1/3-x", "sqrt(x)", "x>0", (True, False), (False, True)),
    "Jacobi": ("1/2-x", "sqrt(x*(1-x))", "0<x<1", (False, True), (False, True)),
    "Jacobi below": ("1/3-x", "sqrt(x*(1-x))", "0<x<1", (True, False), (False, True)),
    "geometric, falling": ("0", "x", "x>0", (False, False), (False, True)),
    "geometric, rising": ("x", "x", "x>0", (False, True), (False, False)),
    "CEV 3/4": ("0", "x**(3/4)", "x>0", (True, False), (False, True)),
    "CEV 3/2": ("0", "x**(3/2)", "x>0", (False, False), (False, True)),
    "3/2 model": ("x*(1-x)", "x**(3/2)", "x>0", (False, True), (False, True)),
    "drift through a degenerate end": ("-1", "x", "x>0", (True, False), (False, True)),
    "arctangent of infinity": ("-atan(x)", "1", None, (False, True), (False, True)),
    "hyperbolic": ("-x/sqrt(1+x**2)", "1", None, (False, True), (False, True)),
}


def constant_sign(e: Expr) -> int | None:
    value = e.evalf(40)
    if not value.is_number:
        return None
    return 0 if abs(value) < 1e-30 else (1 if value > 0 else -1)


@pytest.mark.parametrize("name", TABLE)
def test_the_textbook_table(name: str) -> None:
    drift, diffusion, domain, lower, upper = TABLE[name]
    process = Diffusion(drift, diffusion, domain=domain)
    for side, (attained, infinite) in (("lower", lower), ("upper", upper)):
        end = classify_end(process, side, constant_sign)
        assert (end.attainable, end.infinite_scale) == (attained, infinite), (name, side, end)


def test_an_oscillating_drift_is_unclear() -> None:
    with pytest.raises(Unclear):
        classify_end(Diffusion("sin(x)", "1"), "upper", constant_sign)


def test_an_open_sign_is_named() -> None:
    process = Diffusion("a-k*x", "s*sqrt(x)", domain="x>0")
    with pytest.raises(Unclear) as caught:
        classify_end(process, "lower", lambda e: constant_sign(e) if e.is_number else 1 if "-" not in str(e) else None)
    a, s = Symbol("a", real=True), Symbol("s", real=True)
    assert caught.value.undecided is not None
    assert (caught.value.undecided - (2 * a / s**2 - 1)).expand() == 0


def test_a_weak_inequality_is_enough_at_the_critical_exponent() -> None:
    process = Diffusion("a-k*x", "s*sqrt(x)", domain="x>0", params="2*a>=s**2")
    positive = lambda e: decided_sign(e, process.params)  # noqa: E731
    weakly = lambda e: isinstance(decide(Relation(e, ">="), process.params), Proved)  # noqa: E731
    end = classify_end(process, "lower", positive, weakly)
    assert (end.attainable, end.infinite_scale) == (False, True)
    with pytest.raises(Unclear):
        classify_end(process, "lower", positive)


def test_intrinsic_distance_of_an_end() -> None:
    far = {"1": False, "x": True, "sqrt(x)": False, "x**(3/2)": True}
    for v, infinite in far.items():
        end = classify_end(Diffusion("x", v, domain="x>0"), "lower", constant_sign)
        assert end.infinite_distance is infinite, v


Z = Symbol("z", real=True)
EXPANSIONS = [
    sin(Z) / Z,
    (exp(Z) - 1 - Z) / Z**2,
    log(1 + Z) / Z,
    sqrt(1 + Z) - sqrt(1 - Z),
    tanh(1 / Z) * Z,
    (1 / sin(Z) - 1 / Z),
    log(exp(1 / Z) + Z) * Z**2,
    Z ** Rational(1, 3) / (1 + Z),
    exp(log(Z) / 2 + Z),
    sqrt(1 / Z**2 + 1) - 1 / Z,
]


@pytest.mark.parametrize("f", EXPANSIONS, ids=str)
def test_expansions_agree_with_the_function_near_the_end(f: Expr) -> None:
    germ = Expander(Z, constant_sign).expand(f)
    point = Rational(1, 10**4)

    def at(scale):
        value = point**scale.power * (-log(point)) ** scale.logs
        for q, a in scale.growth:
            value *= exp(a * point**-q)
        return value

    total = sum((c * at(s) for c, s in germ.terms), 0 * point).evalf(60)
    exact = f.subs(Z, point).evalf(60)
    bound = abs(total) * 1e-50 if germ.remainder is None else abs(at(germ.remainder).evalf(60)) * 1000
    assert germ.terms and abs(total - exact) <= bound + abs(exact) * 1e-50


def test_reversibility_is_closedness() -> None:
    turning = Diffusion("-x1-x2,x1-x2", "1,0;0,1")
    field = log_density_gradient(turning)
    assert field is not None and any(curl(field, turning.state))
    gradient = Diffusion("-x1-x2,-x1-3*x2", "1,0;0,1")
    field = log_density_gradient(gradient)
    assert field is not None and not any(curl(field, gradient.state))
    assert log_density_gradient(Diffusion("x2,-x1", "0;1")) is None


@pytest.mark.parametrize(
    ("drift", "v", "attained", "enterable"),
    [
        ("0", "1", True, True),
        ("0", "x**(1/4)", True, True),
        ("0", "x**(3/4)", True, False),  # absorbed
        ("-1/10", "sqrt(x)", True, False),
        ("1/10", "sqrt(x)", True, True),
        ("-3/(2*x)", "1", True, False),  # dimension -2
        ("-1/(4*x)", "1", True, True),  # dimension 1/2
    ],
)
def test_what_is_left_again(drift, v, attained, enterable):
    process = Diffusion(drift, v, domain="x>=0")
    end = classify_end(process, "lower", constant_sign)
    assert (end.attainable, end.enterable) == (attained, enterable)
    verdict = apply_decider("conservative ends", process)
    assert isinstance(verdict, Proved if enterable else Refuted)


def test_whether_it_is_attained_need_not_be_known_where_it_reflects():
    process = Diffusion("a-k*x", "s*sqrt(x)", domain="x>=0", params="4*a>=s**2")
    assert isinstance(apply_decider("conservative ends", process), Proved)
    assert isinstance(apply_decider("natural ends", process), Unknown)
    open_end = Diffusion("a-k*x", "s*sqrt(x)", domain="x>0", params="4*a>=s**2")
    assert isinstance(apply_decider("conservative ends", open_end), Unknown)


def apply_decider(name, process):
    return evidence._DECIDERS[name].decide(process, assuming=())
