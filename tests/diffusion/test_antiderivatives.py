"""Integrals from 0 in closed form against numerical ones; what has none is not proposed."""

import pytest

from symdp.diffusion.antiderivatives import from_zero
from symdp.diffusion.process import Diffusion
from symdp.diffusion.scheduled import solve
from symdp.region import Interval, Region
from symdp.text import parse, symbol
from tests.guarantees import value
from tests.oracle import MP

POSITIVE = Region.make({symbol(name): Interval.positive() for name in ("t", "a", "b", "theta")})
BEFORE_ONE = Region.make({symbol("t"): Interval.open(0, 1)})


@pytest.mark.parametrize(
    "integrand",
    [
        "0",
        "a",
        "(a+b*t)*exp(2*theta*t)",
        "t**3*exp(-t)",
        "t**2*exp(-t)*sin(2*t+1)",
        "exp(2*theta*t)*cos(a*t)",
        "cos(t)**2*exp(-t)",
        "t*cos(a*t)",
        "1/(1+t)",
        "t/(1+t)**2",
        "t*exp(t**2)",
        "(a+b*t)*exp(a*t+b*t**2/2)",
        "1/(1+t**2)",
        "tanh(t)",
        "log(1+t)",
    ],
)
def test_integrals(integrand):
    f = parse(integrand)
    found = from_zero(f, POSITIVE)
    fixed = {"a": "1/3", "b": "3/2", "theta": "2/5"}

    def number(expr, t):
        values = fixed | {"t": t}
        return value(expr, **{name: v for name, v in values.items() if symbol(name) in expr.free_symbols})

    for t in ("1/2", "7/5"):
        upper = MP.mpf(1) * fraction(t)
        true = MP.quad(lambda s: number(f, s), [0, upper], method="gauss-legendre")
        assert abs(number(found, t) - true) < 1e-12 * max(1, abs(true))


def fraction(text):
    top, bottom = text.split("/")
    return MP.mpf(top) / MP.mpf(bottom)


@pytest.mark.parametrize("integrand", ["1/t", "exp(t**2)", "abs(t-1)", "1/t**2", "log(t)/t", "sin(t)/t", "exp(1/t)"])
def test_no_closed_form_or_none_from_0_on(integrand):
    assert from_zero(parse(integrand), POSITIVE) is None


def test_logarithms_of_what_is_negative():
    """An integrator may say log(t - 1); before time 1 the real one is log(1 - t)."""
    found = from_zero(parse("1/(t-1)"), BEFORE_ONE)
    assert abs(value(found, t="1/2") - MP.log(MP.mpf(1) / 2)) < 1e-25


def test_a_root_that_is_singular_at_0():
    assert from_zero(parse("a/sqrt(t)"), POSITIVE) == parse("2*a*sqrt(t)")


def test_a_hint_is_one():
    integrand, hint = parse("pi*sin(pi*t/2)/cos(pi*t/2)**3"), parse("cos(pi*t/2)**(-2)")
    found = from_zero(integrand, BEFORE_ONE, hint)
    assert abs(value(found, t="1/2") - 1) < 1e-25


def test_the_parts_of_a_kernel():
    process = Diffusion("-beta(t)/2*x", "sqrt(beta(t))", let="beta(t)=a+b*t")
    parts = solve(process, process.params)
    assert set(parts) == {"backward", "gramian", "precision"}
    ((gramian,),), ((precision,),) = parts["gramian"], parts["precision"]
    assert abs(value(gramian * precision, a=2, b=3, t=1) - 1) < 1e-25
