"""min and max of the grammar: read, printed, enclosed, decided; no slope is made up at their kinks."""

from itertools import product

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational

from symdp import Diffusion, InputError, Region, parse, to_text
from symdp.decide import Proved, Refuted, decide
from symdp.enclosure import enclose, evaluate_mp
from symdp.region import Interval
from symdp.rules.conditions import smooth
from symdp.text import parse_relations, symbol

X, Y = symbol("x"), symbol("y")
PLANE = Region.make({X: Interval.real(), Y: Interval.real()})
NUMBERS = st.fractions(min_value=-9, max_value=9, max_denominator=9).map(lambda q: Rational(q.numerator, q.denominator))


def test_read_and_printed():
    for text in ("min(x, y)", "max(x, 2, y)", "3*min(x**2, 1/(4*y))", "sqrt(max(0, x))", "min(x, max(y, 1))"):
        assert to_text(parse(text)) == text and parse(to_text(parse(text))) == parse(text)
    assert parse("min(1, 2)") != 1, "nothing is compared while it is read"
    assert sympy.latex(parse("min(x, y)**2")) == r"\min^{2}\left(x, y\right)"


@pytest.mark.parametrize(
    ("text", "said"),
    [("min(1)", "has one argument"), ("max()", "write max(x, y)"), ("min x", "write min("), ("min", "write min(x, y)")],
)
def test_errors(text, said):
    with pytest.raises(InputError, match=said.replace("(", r"\(").replace(")", r"\)")):
        parse(text)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_values(a, b, c):
    values = {X: a, Y: b}
    for text, expected in (
        (f"min(x, y, {c})", min(a, b, c)),
        (f"max(x*y, x - y, {c})", max(a * b, a - b, c)),
        ("min(exp(x), exp(y))", sympy.exp(min(a, b))),
        ("max(x, -x)", abs(a)),
    ):
        enclosure = enclose(parse(text), values, 30)
        assert enclosure.lower <= evaluate_mp(sympy.sympify(expected), {}, 50) <= enclosure.upper
        assert abs(evaluate_mp(parse(text), values, 30) - enclosure.mid) < 1e-25


@pytest.mark.parametrize(
    ("relation", "verdict"),
    [
        ("min(x, y) <= x", Proved),
        ("max(x, -x) >= 0", Proved),
        ("min(x, y) + max(x, y) == x + y", Proved),
        ("min(x**2, y**2) > 0", Refuted),
        ("max(x, y) >= 0", Refuted),
        ("min(x**2, 1 + y**2, 2) >= 0", Proved),
    ],
)
def test_decided(relation, verdict):
    assert isinstance(decide(parse_relations(relation)[-1], PLANE), verdict)


def test_kinks_are_seen():
    for extremum in (parse("min(x, y)"), sympy.Min(X, Y, evaluate=False)):
        (condition,) = smooth("it", [extremum], PLANE, (X, Y))
        assert isinstance(decide(*condition.args), Refuted)
    apart = Region.make({X: Interval.positive()})
    (condition,) = smooth("it", [parse("max(x, -1)")], apart, (X,))
    assert isinstance(decide(*condition.args), Proved)
    with pytest.raises(InputError):
        to_text(parse("min(x, y)").diff(X))


@pytest.mark.parametrize("function", [sympy.Min, sympy.Max])
def test_coefficients_have_none(function):
    with pytest.raises(InputError, match="no function of a coefficient"):
        Diffusion(f"{function.__name__.lower()}(-x, -2*x)", "1")
    with pytest.raises(InputError, match="has no form in the grammar"):
        Diffusion(function(-X, -2 * X, evaluate=False), "1")


def test_signs_read_off_the_form():
    from symdp.text.constants import possible_signs

    positive, anything, negative = parse("exp(x)"), X, parse("-exp(x)")
    for left, right in product((positive, anything, negative), repeat=2):
        for name, pick in (("min", min), ("max", max)):
            expected = {pick(a, b) for a in possible_signs(left) for b in possible_signs(right)}
            assert possible_signs(parse(f"{name}({to_text(left)}, {to_text(right)})")) == expected
