"""Generator, carre du champ and Gamma_2 against their definitions on concrete functions; curvatures that are known."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, Integer, Matrix, Rational, Symbol, exp, expand, simplify, sin

from symdp.diffusion.calculus import (
    Jets,
    adjoint,
    carre_du_champ,
    carre_du_champ_jet,
    curvature,
    curvature_1d,
    curvature_form,
    generator,
    generator_jet,
    iterated_carre_du_champ,
    maximum,
    minimum,
    potential,
    unit_derivative,
    unit_drift,
)
from symdp.diffusion.process import Diffusion
from symdp.text import symbol

X, X1, X2 = symbol("x"), symbol("x1"), symbol("x2")
ONE = Diffusion("-theta*x+sin(x)", "sqrt(1+x**2)")
TWO = Diffusion("x2-x1**3, sin(x1)", "1, x2; 0, x1")

coefficients = st.lists(st.integers(-3, 3), min_size=6, max_size=6)


def polynomial(c: list[int]) -> Expr:
    return c[0] * X1**2 + c[1] * X1 * X2 + c[2] * X2**2 + c[3] * X1 + c[4] * X2 + c[5] * X1**2 * X2


@given(coefficients, coefficients, coefficients)
@settings(max_examples=20, deadline=None)
def test_gamma_is_symmetric_bilinear_and_the_defect_of_the_product_rule(a, b, c) -> None:
    f, g, h = polynomial(a), polynomial(b), polynomial(c)
    gamma = lambda p, q: carre_du_champ(TWO, p, q)  # noqa: E731
    assert expand(gamma(f, g) - gamma(g, f)) == 0
    assert expand(gamma(f + 2 * h, g) - gamma(f, g) - 2 * gamma(h, g)) == 0
    defect = generator(TWO, f * g) - f * generator(TWO, g) - g * generator(TWO, f)
    assert expand(defect / 2 - gamma(f, g)) == 0


@given(coefficients, st.tuples(st.integers(-5, 5), st.integers(-5, 5)))
@settings(max_examples=40, deadline=None)
def test_gamma_is_non_negative(a, point) -> None:
    value = carre_du_champ(TWO, polynomial(a)).subs({X1: point[0], X2: point[1]})
    assert value >= 0


@given(coefficients, coefficients)
@settings(max_examples=20, deadline=None)
def test_the_adjoint_is_the_formal_adjoint(a, b) -> None:
    """``g L f - f L* g`` is the divergence of ``u f g + (g N grad f - f div(N g))/2``, N = v v^T."""
    f, g, x, n = polynomial(a), polynomial(b), (X1, X2), TWO.noise
    field = [
        TWO.drift[i] * f * g + sum(g * n[i, j] * f.diff(x[j]) - f * (n[i, j] * g).diff(x[j]) for j in range(2)) / 2
        for i in range(2)
    ]
    difference = g * generator(TWO, f) - f * adjoint(TWO, g) - sum(field[i].diff(x[i]) for i in range(2))
    assert expand(difference) == 0


def jets_of(process: Diffusion, f: Expr) -> dict[Symbol, Expr]:
    jets = Jets(process.state, 3)
    return {s: f.diff(*[process.state[i] for i in index]) if index else f for index, s in jets.names.items()}


@pytest.mark.parametrize("process, f", [(ONE, sin(X) * X), (ONE, exp(X)), (TWO, X1**2 * X2 + sin(X2)), (TWO, X1 * X2)])
def test_jets_agree_with_the_definitions(process: Diffusion, f: Expr) -> None:
    table = jets_of(process, f)
    point = {s: Rational(k + 2, 5) for k, s in enumerate((*process.state, symbol("theta")))}

    def at(e: Expr) -> Expr:
        return e.subs(point).evalf(40)

    gamma = carre_du_champ(process, f)
    image = generator(process, f)
    second = generator(process, gamma) / 2 - carre_du_champ(process, f, image)
    assert abs(at(generator_jet(process).subs(table) - image)) < 1e-30
    assert abs(at(carre_du_champ_jet(process).subs(table) - gamma)) < 1e-30
    assert abs(at(iterated_carre_du_champ(process).subs(table) - second)) < 1e-30


def test_one_dimension_is_the_general_formula() -> None:
    process = Diffusion("a*x-x**3", "1+x**2")
    form = curvature_form(process)
    assert form is not None
    assert simplify(form[0, 0] / (process.noise[0, 0] / 2) - curvature_1d(process)) == 0
    assert simplify(curvature_1d(process) + unit_derivative(process, unit_drift(process))) == 0
    assert simplify(potential(process) - (unit_drift(process) ** 2 / 4 - curvature_1d(process) / 2)) == 0


def test_a_first_order_operator_has_no_carre_du_champ() -> None:
    degenerate = Diffusion("x2, -x1", "0; 1")
    assert carre_du_champ(degenerate, X1**2) == 0
    assert curvature(degenerate) is None


KNOWN = {
    "hyperbolic plane": (Diffusion("0, 0", "x2, 0; 0, x2", domain="x2>0"), Rational(-1, 2)),
    "hyperbolic space": (Diffusion("0, 0, -x3/2", "x3,0,0;0,x3,0;0,0,x3", domain="x3>0"), Integer(-1)),
    "Ornstein-Uhlenbeck": (Diffusion("-theta*x", "rho"), symbol("theta")),
    "Langevin": (Diffusion("-3*x1+x2, x1-3*x2", "sqrt(2),0;0,sqrt(2)"), Integer(2)),
    "rotating": (Diffusion("-a*x1-w*x2, w*x1-a*x2", "1,0;0,1"), symbol("a")),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_curvatures(name: str) -> None:
    process, expected = KNOWN[name]
    found = curvature(process)
    assert found is not None and simplify(found - expected) == 0


def test_sphere_chart() -> None:
    """Half the Laplacian of the unit sphere in the stereographic chart, conformal factor 2/(1+r^2): Gamma_2 >=
    Gamma/2.
    """
    c = "(1+x1**2+x2**2)/2"
    process = Diffusion("0, 0", f"{c}, 0; 0, {c}")
    found = curvature(process)
    assert found is not None and simplify(found - Rational(1, 2)) == 0


def test_the_least_curvature_of_a_coupled_potential_is_the_least_eigenvalue() -> None:
    process = Diffusion("-x1**3-x1+x2, -x2+x1", "sqrt(2),0;0,sqrt(2)")
    found = curvature(process)
    assert found is not None
    hessian = Matrix([[3 * X1**2 + 1, -1], [-1, 1]])
    for value in (0, 1, Rational(-3, 2)):
        least = min(e.evalf(30) for e in hessian.subs(X1, value).eigenvals())
        assert abs(found.subs(X1, value).evalf(30) - least) < 1e-25


@given(st.lists(st.fractions(min_value=-5, max_value=5), min_size=1, max_size=5))
def test_minimum_and_maximum(values) -> None:
    exact = [Rational(v.numerator, v.denominator) for v in values]
    assert minimum(exact) == min(exact)
    assert maximum(exact) == max(exact)
