"""Ordinary diffusions that have a bound, whatever form their coefficients and the functions beside the bound take."""

from typing import Any

import pytest
import sympy

from symdp.bound import derive
from symdp.claims.chain import Chain
from symdp.decide import sign
from symdp.derivation import derive as search
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError, Refused
from symdp.region import Interval, Region
from symdp.text import parse, symbol


@pytest.mark.parametrize(
    ("drift", "noise", "domain", "divergence"),
    [
        ("1/sqrt(x)", "sqrt(2)", "x>=0", "alpha*(x-xp)**2/(4*t)"),
        ("-x/sqrt(x)", "sqrt(2)", "x>=0", "alpha*(x-xp)**2/(4*t)"),
        ("-sign(x)**2*x", "sqrt(2)", None, "alpha*(x-xp)**2/(2*(exp(2*t)-1))"),
        ("-sign(x)*abs(x)", "sqrt(2)", None, "alpha*(x-xp)**2/(2*(exp(2*t)-1))"),
        ("cos(x)/sin(x)", "sqrt(2)", "0<x<pi", "alpha*(x-xp)**2/(2*(exp(2*t)-1))"),
        ("-tan(x)", "sqrt(2)", "-pi/2<x<pi/2", "alpha*(x-xp)**2/(2*(exp(2*t)-1))"),
        ("-tan(x)/4", "sqrt(2)", "-pi/2<=x<=pi/2", "alpha*(x-xp)**2/(4*(exp(t/2)-1))/2"),
        ("0", "1/sqrt(x)", "x>=0", "2*alpha*(x**(3/2)-xp**(3/2))**2/(9*t)"),
        ("-x*(2+sin(t))", "sqrt(2+sin(t))", None, "alpha*(x-xp)**2/(exp(4*t-2*cos(t)+2)-1)"),
        ("-x**3/(1-t)", "1/sqrt(1-t)", "t<1", "-alpha*(x-xp)**2/(2*log(1-t))"),
        ("-x**3", "1/sqrt(1-t)", "t<1", "-alpha*(x-xp)**2/(2*log(1-t))"),
        ("(1-t)*(2-x)", "sqrt(x*(1-t))", "x>0, t<1", "2*alpha*(sqrt(x)-sqrt(xp))**2/(exp(t-t**2/2)-1)"),
    ],
)
def test_a_bound_is_found(drift: str, noise: str, domain: str | None, divergence: str) -> None:
    found: Any = search(Diffusion(drift, noise, domain=domain)).divergence
    assert found is not None
    numbers = {"alpha": "2", "t": "1/3", "x": "1/2", "xp": "3/4"}
    at = {s: parse(numbers[s.name]) for s in found.conclusion.value.free_symbols}
    assert abs(float(found.conclusion.value.subs(at)) - float(parse(divergence).subs(at))) < 1e-12


@pytest.mark.parametrize(
    ("drift", "domain"),
    [("-tan(x)/4", "-pi/2<x<pi/2"), ("-tan(x)", "0<x<pi"), ("cos(x)/sin(x)", "0<x<4"), ("-tan(x)", "-pi/2<=x<=2")],
)
def test_attained_ends_and_poles_of_the_tangent_are_refused(drift: str, domain: str) -> None:
    with pytest.raises((Refused, InputError)):
        search(Diffusion(drift, "sqrt(2)", domain=domain))


@pytest.mark.parametrize(
    ("expr", "interval", "expected"),
    [
        ("sin(x)", Interval.open(0, sympy.pi), 1),
        ("sin(x)", Interval.open(sympy.pi, 2 * sympy.pi), -1),
        ("sin(x)", Interval.open(-sympy.pi / 3, sympy.pi / 2), None),
        ("sin(x)", Interval.closed(0, sympy.pi), None),
        ("sin(x)", Interval.closed(sympy.pi / 7, 6 * sympy.pi / 7), 1),
        ("sin(x)", Interval(sympy.S(0), sympy.pi / 2, False, True), 1),
        ("cos(x)", Interval.open(-sympy.pi / 2, sympy.pi / 2), 1),
        ("cos(x)", Interval.open(sympy.pi / 2, 3 * sympy.pi / 2), -1),
        ("cos(x)", Interval(-sympy.pi / 2, sympy.pi / 3, True, True), None),
        ("cos(x)", Interval.open(0, sympy.pi), None),
        ("cos(x)", Interval.open(-7 * sympy.pi / 2, -5 * sympy.pi / 2), -1),
        ("cos(x)", Interval.open(-5 * sympy.pi / 2, -3 * sympy.pi / 2), 1),
    ],
)
def test_signs_between_zeros_of_sine_and_cosine(expr: str, interval: Interval, expected: int | None) -> None:
    assert sign(parse(expr), Region.make({symbol("x"): interval})) == expected


@pytest.mark.parametrize("drift", ["-x**3+sin(x**2)", "exp(-x**2)-x", "-x**3+cos(x**2)"])
def test_a_density_without_a_closed_form_of_ours_is_no_obstacle(drift: str) -> None:
    """Its logarithm is a Fresnel integral or an error function."""
    bound = derive(Diffusion(drift, "sqrt(2)"))
    value = bound.evaluate(alpha=2, t="1/2", x="1/2", xp="-1/2", digits=10)
    expr = parse(drift)
    (x,) = expr.free_symbols
    chain = Chain(sympy.lambdify(x, expr, "numpy"), lambda y: 2**0.5, -5.0, 5.0, 200)
    i, j = (min(range(200), key=lambda k: abs(chain.nodes[k] - s)) for s in (0.5, -0.5))
    assert float(value.upper) > 0.99 * chain.divergence(i, j, 0.5, 2.0)
    assert bound.facts.reversible
