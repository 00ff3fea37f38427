"""Coefficients that oscillate on the whole line: no explosion by their growth, infima over one period, bounds."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.bound import derive
from symdp.claims.chain import TOLERANCE, Chain
from symdp.derivation.defined import coordinate_on
from symdp.diffusion.antiderivatives import antiderivative
from symdp.diffusion.completeness import slow_growth
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.extremum import infimum
from symdp.extremum.one_period import one_period
from symdp.region import Interval, Region
from symdp.text import parse, symbol

X = symbol("x")
LINE = Region.make({X: Interval.real()})


@pytest.mark.parametrize(
    ("drift", "noise"),
    [
        ("sin(x)", "1/(2+sin(x))"),
        ("sin(2*x)/3", "1/(2+cos(x))"),
        ("cos(x/2)-sin(x)/4", "1/(3+sin(x/2))"),
    ],
)
def test_a_bound_is_above_the_divergence_of_a_chain(drift: str, noise: str) -> None:
    bound = derive(Diffusion(drift, noise))
    u, v = (sympy.lambdify(X, parse(text), "numpy") for text in (drift, noise))
    chain, rng = Chain(u, v, -9.0, 9.0, 360), random.Random(f"{drift} {noise}")
    for i, j in chain.pairs(rng, -2.0, 2.0, 6):
        t, alpha = rng.choice(("1/5", "1/2", "1")), rng.choice(("3/2", "2", "3"))
        at = {"alpha": alpha, "t": t, "x": str(Fraction(float(chain.nodes[i]))), "xp": str(Fraction(chain.nodes[j]))}
        proved = bound.evaluate(**at, digits=10).upper_float()
        true = chain.divergence(i, j, float(Fraction(t)), float(Fraction(alpha)))
        assert true <= proved * (1 + TOLERANCE) + 1e-9


def test_noise_that_varies_round_a_circle() -> None:
    bound = derive(Diffusion("0", "1/(2+sin(x))", domain="x mod 2*pi"))
    near, far = (
        float(bound.evaluate(alpha=2, t="1/2", x=x, xp=xp, digits=10).mid) for x, xp in (("0", "1"), ("-3", "3"))
    )
    length = lambda a, b: math.sqrt(2) * abs(2 * (b - a) - math.cos(b) + math.cos(a))  # noqa: E731
    whole = length(0, 2 * math.pi)
    rate = 1 / (4 * (1 - math.exp(-0.5)))
    arcs = [min(length(0, 1), whole - length(0, 1)), min(length(-3, 3), whole - length(-3, 3))]
    for found, arc in ((near, arcs[0]), (far, arcs[1])):
        assert found >= 2 * rate * arc**2 * (1 - 1e-9)  # the sine of an angle is put for the angle, not below it
        assert found <= 2 * rate * arc**2 * (1 + 1e-9) * (math.pi / 2) ** 2


@pytest.mark.parametrize(
    ("drift", "noise", "found"),
    [
        ("x*sin(x)", "2+cos(x)", True),
        ("-a*x+b*x*cos(w*x)", "1", True),
        ("1000*sin(x)", "1", True),
        ("x**2*sin(x)**2", "1", False),
        ("x**3*(2+sin(x))", "1", False),
        ("0", "1+x**2*sin(x)**2", False),
    ],
)
def test_slow_growth(drift: str, noise: str, found: bool) -> None:
    process = Diffusion(drift, noise)
    certificate = slow_growth(process, process.interior)
    assert (certificate is not None) == found


def test_any_names_of_parameters() -> None:
    process = Diffusion("wave1*sin(x)", "1")
    assert slow_growth(process, process.interior) is not None
    with pytest.raises(Refused):
        derive(Diffusion("wave1*x**3*sin(x)+waves1", "wavess1"))


def test_the_coordinate_of_noise_with_a_parameter() -> None:
    process = Diffusion("0", "1+x**2*a", params=("0<a<4",))
    found = coordinate_on(process, process.interior)
    assert found is not None
    at = {symbol("a"): sympy.Rational(1, 4)}
    gap = float((found.subs({**at, X: 1}) - found.subs({**at, X: 0})).evalf())
    assert abs(abs(gap) - math.sqrt(2) * 2 * math.atan(0.5)) < 1e-12


def test_a_drift_that_oscillates_and_explodes_is_refused() -> None:
    with pytest.raises(Refused, match="oscillates"):
        derive(Diffusion("x**3*(2+sin(x))", "1"))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["sin", "cos"]), st.integers(1, 6), st.integers(1, 3), st.integers(-3, 3)),
        min_size=1,
        max_size=3,
    )
)
def test_the_infimum_of_a_sum_of_waves_is_that_over_one_period(waves: list[tuple[str, int, int, int]]) -> None:
    expr = parse(" + ".join(f"{size}*{name}({k}*x/{n})" for name, k, n, size in waves) + " + 5")
    grid = np.linspace(0, 12 * math.pi, 40_001)
    least = float(np.min(sympy.lambdify(X, expr, "numpy")(grid) * np.ones_like(grid)))
    low = infimum(expr, LINE, digits=9)
    assert float(low.lower) <= least + 1e-9 and least - 1e-4 <= float(low.upper)


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("sin(x)*cos(3*x/2)", sympy.Rational(88, 7)),
        ("sin(2*pi*x/3)+cos(pi*x)", sympy.Integer(6)),
        ("exp(tan(x/5))", sympy.Rational(220, 7)),
        ("sin(x)+x", None),
        ("sin(x)+cos(pi*x)", None),
        ("sin(x**2)", None),
        ("sin(sqrt(2)*x)+cos(x)", None),
        ("cos(x+acos(x)+asin(x))", None),
        ("cos(x+log(-x)-log(-2*x))", None),
        ("sin(x+sin(x))", None),
        ("abs(sin(x/2))*exp(cos(2*x-1))", sympy.Rational(88, 7)),
    ],
)
def test_one_period(text: str, period: sympy.Expr | None) -> None:
    folded = one_period(parse(text), LINE)
    assert folded == (LINE if period is None else Region.make({X: Interval.closed(0, period)}))
    wider = LINE.intersect([])
    half = Region.make({X: Interval.open(0, sympy.oo)})
    assert one_period(parse(text), half) == half and wider == LINE


@pytest.mark.parametrize(
    ("integrand", "known"),
    [
        ("-2*x*(2*x**2+2*y**2+3)/(1+x**2+y**2)**2", True),
        ("(x+2)/(x**2+y**2)**3", True),
        ("(x**4+y**2)/((x-5)*(x+y)**2*(x**2+x+1))", True),
        ("1/(1+x**4)", None),
        ("x**3/(x**8+x+1)", False),
        ("2+sin(x)", True),
        ("sin(x**2)", False),
    ],
)
def test_antiderivatives_differentiate_back(integrand: str, known: bool | None) -> None:
    expr = parse(integrand)
    found = antiderivative(expr, X, lambda e: sympy.simplify(e) == 0)
    if known is not None:
        assert (found is not None) == known
    if found is not None:
        at = {s: sympy.Rational(1, 3) for s in expr.free_symbols}
        assert abs(float((found.diff(X) - expr).subs(at))) < 1e-12
