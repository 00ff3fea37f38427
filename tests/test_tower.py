"""The normal form: it equals the expression it came from, finds identities, and stops at its limits."""

import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import mark, raises

from symdp.decide.domain import Domain, value_at
from symdp.region import Interval, Region
from symdp.text import parse, symbol
from symdp.tower import Outside, TooBig, build, derivative

X, Y = symbol("x"), symbol("y")

IDENTITIES = [
    "exp(2*x) - exp(x)**2",
    "exp(x + y) - exp(x)*exp(y)",
    "cosh(x)**2 - sinh(x)**2 - 1",
    "tanh(2*x) - 2*tanh(x)/(1 + tanh(x)**2)",
    "coth(x)*tanh(x) - 1",
    "sin(3*x) - 3*sin(x) + 4*sin(x)**3",
    "cos(x/2)**2 - (1 + cos(x))/2",
    "sin(x + y) - sin(x)*cos(y) - cos(x)*sin(y)",
    "sin(x + pi/4) - (sin(x) + cos(x))/sqrt(2)",
    "sqrt(x)*sqrt(y) - sqrt(x*y)",
    "sqrt(x*y)*sqrt(x*y + 1) - sqrt(x**2*y**2 + x*y)",
    "x**(1/3)*x**(1/2) - x**(5/6)",
    "sqrt(x**2*y) - abs(x)*sqrt(y)",
    "log(x*y) - log(x) - log(y)",
    "log(x**2) - 2*log(x)",
    "log(1 + exp(-2*x)) + x - log(2*cosh(x))",
    "x**(2*a/s**2)*x**(1 - 2*a/s**2) - x",
    "2**x*2**y - 2**(x + y)",
    "exp(1/(1 + x))*exp(x/(1 + x)) - exp(1)",
    "asinh(x) + log(sqrt(x**2 + 1) - x)",
    "asin(x) + acos(x) - pi/2",
    "sin(2*asin(x)) - 2*x*sqrt(1 - x**2)",
    "cos(2*atan(x)) - (1 - x**2)/(1 + x**2)",
    "atanh(x) - log((1 + x)/(1 - x))/2",
    "acosh(x) - log(x + sqrt(x**2 - 1))",
    "exp(-x)*(exp(2*x) - 1)/(exp(x) - exp(-x)) - 1",
    "sqrt(x + y)**3/sqrt(x + y) - x - y",
]

NOT_IDENTITIES = [
    "exp(2*x) - exp(x)",
    "exp(2*x) - exp(x)**3",
    "cosh(x)**2 - sinh(x)**2 + 1",
    "tanh(2*x) - 2*tanh(x)",
    "sin(2*x) - sin(x)*cos(x)",
    "cos(x/2)**2 - (1 - cos(x))/2",
    "sqrt(x)*sqrt(y) + sqrt(x*y)",
    "x**(1/3)*x**(1/2) - x**(1/6)",
    "log(x*y) - log(x) + log(y)",
    "log(x**3) - 2*log(x)",
    "2**x*3**y - 6**(x + y)",
    "asin(x) + acos(x) - pi",
    "abs(x) - x",
    "sign(x) - 1",
]


def fraction(text):
    return build([parse(text)])[1][0]


@mark.parametrize("text", IDENTITIES)
def test_identities_reduce_to_zero(text):
    assert fraction(text).is_zero


@mark.parametrize("text", NOT_IDENTITIES)
def test_what_is_not_zero_does_not_reduce(text):
    assert not fraction(text).is_zero


@mark.parametrize("text", [t for t in IDENTITIES if "**(2*a" not in t])
def test_a_disturbed_identity_does_not_reduce(text):
    assert not fraction(f"{text} + x*y/1000").is_zero


def test_fineness_is_learned_in_either_order():
    for text in ("exp(6*x) - exp(2*x)*exp(4*x)", "exp(x/3)**2*exp(x/2)**2 - exp(5*x/3)", "exp(3*x)**2 - exp(2*x)**3"):
        assert fraction(text).is_zero
    assert not fraction("exp(2*x) + exp(3*x) - exp(5*x)").is_zero


@mark.parametrize("text", ["(1 + x + y + a + b)**300", "(1 + x)**390*(1 + y)**390*(1 + a)**390", "sin(1000*x)*cos(x)"])
def test_what_would_explode_is_refused(text):
    with raises(TooBig):
        build([parse(text)])


def test_complex_and_foreign_trees_are_outside():
    for tree in (sp.sqrt(-1 - X**2), sp.I * X, sp.gamma(X), sp.log(-1 - X**2)):
        with raises(Outside):
            build([tree], Domain(Region.make({X: Interval.real()})).order)


def test_signs_of_the_region_simplify_roots():
    positive = Domain(Region.make({X: Interval.positive(), Y: Interval.positive()}))
    assert build([parse("sqrt(x**2*y) - x*sqrt(y)")], positive.order)[1][0].is_zero
    assert build([parse("abs(x) - x")], positive.order)[1][0].is_zero
    real = Domain(Region.make({X: Interval.real(), Y: Interval.positive()}))
    assert not build([parse("sqrt(x**2*y) - x*sqrt(y)")], real.order)[1][0].is_zero


leaves = st.one_of(
    st.sampled_from([X, Y, sp.pi]),
    st.fractions(-3, 3, max_denominator=4).map(lambda q: sp.Rational(q.numerator, q.denominator)),
)
unary = st.sampled_from(
    [sp.exp, sp.log, sp.sqrt, sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.atan, sp.asinh, sp.Abs]
)
powers = st.sampled_from([2, 3, -1, sp.Rational(1, 2), sp.Rational(1, 3), sp.Rational(-3, 2)])


def grown(inner):
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, powers).map(lambda p: p[0] ** p[1]),
        st.tuples(unary, inner).map(lambda p: p[0](p[1])),
    )


trees = st.recursive(leaves, grown, max_leaves=6).filter(lambda e: not e.has(sp.nan, sp.zoo, sp.oo, sp.I))


def agree(left, right):
    return left is None or right is None or not (left.hi < right.lo or right.hi < left.lo)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(trees)
def test_the_normal_form_has_the_values_of_the_expression(tree):
    domain = Domain(Region.make({X: Interval.real(), Y: Interval.positive()}))
    try:
        tower, [value] = build([tree], domain.order)
    except (Outside, TooBig):
        return
    back = tower.expr(value)
    for point in domain.points(5, "tower"):
        assert agree(value_at(tree, point), value_at(back, point))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(trees)
def test_derivatives_agree_with_sympy(tree):
    domain = Domain(Region.make({X: Interval.real(), Y: Interval.positive()}))
    try:
        tower, slope = derivative(tree, X, domain.order)
    except (Outside, TooBig):
        return
    theirs, ours = sp.diff(tree, X), tower.expr(slope)
    for point in domain.points(5, "slope"):
        assert agree(value_at(theirs, point), value_at(ours, point))
