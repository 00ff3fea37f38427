"""erfc: grammar, values at any argument, ranges, exact zeros, and what can be decided about it."""

import mpmath
import pytest
import sympy as sp
from flint import arb
from hypothesis import assume, example, given
from hypothesis import strategies as st

from symdp.ball import mp_context, working_precision
from symdp.ballfunctions import erfcx
from symdp.codec import decode, encode
from symdp.decide import Proved, Refuted, Unknown, decide, is_zero, recheck, sign
from symdp.enclosure import compile_range, enclose, evaluate_mp
from symdp.enclosure.scaled import ErfcX, scaled
from symdp.errors import InputError
from symdp.extremum import infimum, supremum
from symdp.quadrature import integral
from symdp.region import Interval, Region
from symdp.text import parse, parse_relations, parse_with_conditions, symbol, to_text
from symdp.tower import derivative

x, y = symbol("x"), symbol("y")
LINE = Region.make({x: Interval.real()})


def region(text: str) -> Region:
    relations = parse_relations(text)
    symbols = sorted({s for r in relations for s in r.free_symbols}, key=str)
    return Region.make({s: Interval.real() for s in symbols}).intersect(relations)


def decided(relation: str, where: str) -> object:
    *_, wanted = parse_relations(relation)
    verdict = decide(wanted, region(where))
    if isinstance(verdict, Proved):
        assert recheck(verdict.certificate, wanted, region(where))
    return verdict


# -- grammar -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("erfc(x)", "erfc(x)"),
        ("erfc(-x)", "2 - erfc(x)"),
        ("2*erfc(1/2) - erfc(y - x)**2/erfc(x)", None),
        ("exp(x**2)*erfc(x)", "erfc(x)*exp(x**2)"),
        ("erfc(0)", "1"),
        ("erfc(sqrt(2)*x/2 - log(y))", None),
    ],
)
def test_read_back_as_written(text: str, shown: str | None) -> None:
    expr = parse(text)
    assert parse(to_text(expr)) == expr == decode(encode(expr))
    assert shown is None or to_text(expr) == shown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("erf(x)", "write 1 - erfc"),
        ("Phi(x)", "erfc.-x/sqrt.2.."),
        ("erfcx(x)", "exp.x..2..erfc"),
        ("erfc(x, y)", "takes one argument"),
        ("erfc", "needs an argument"),
        ("erfc(2000)", "too large or too small"),
        ("erfc(-2000)", "too large or too small"),
        ("log(erfc(1) - 2)", "not a real number"),
    ],
)
def test_bad_calls_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(text)


def test_it_is_positive_by_its_form() -> None:
    assert parse_with_conditions("1/erfc(x) + log(erfc(x))").conditions == ()
    assert [str(c) for c in parse_with_conditions("log(erfc(-x))").conditions] == ["erfc(x) < 2"]


# -- values ------------------------------------------------------------------------------------------------------------


@given(st.fractions(min_value=-40, max_value=40, max_denominator=1000))
@example(sp.Rational(30))
@example(sp.Rational(-30))
def test_against_mpmath(at) -> None:
    for text in ("erfc(x)", "1 - erfc(x)", "erfc(x)*exp(x**2)"):
        found = enclose(parse(text), {"x": at}, 40)
        other = evaluate_mp(parse(text), {"x": at}, 50)
        assert found.proved_digits >= 40 and abs(other - found.mid) <= abs(found.mid) * mpmath.mpf(10) ** -39


def test_far_out_and_near_its_zero() -> None:
    found = enclose(parse("erfc(x)"), {"x": 10**6}, 30)
    assert found.lower > 0 and found.proved_digits >= 30  # about 10^-434294481912
    small = enclose(parse("(1 - erfc(x))/x"), {"x": "1e-200"}, 40)
    mp = mp_context(60)
    assert abs(mp.mpf(small.mid) - 2 / mp.sqrt(mp.pi)) < mp.mpf(10) ** -40
    assert enclose(parse("(1 - erfc(x))/x"), {"x": 0}, 40).overlaps(small)  # by continuity
    assert enclose(parse("(erfc(x) - erfc(2*x))/(exp(x) - 1)"), {"x": 0}, 30).overlaps(
        enclose(parse("2/sqrt(pi)"), {}, 30)
    )


@given(st.floats(min_value=-30, max_value=1e6), st.integers(min_value=0, max_value=40))
def test_the_scaled_function_is_enclosed(at: float, width: int) -> None:
    with working_precision(200):
        point = arb(at)
        ball = erfcx(point.union(point + arb(2) ** -width))
        context = mp_context(80)
        for value in (context.mpf(at), context.mpf(at) + context.mpf(2) ** -width):
            v = value
            if v < 1e4:
                true = context.exp(v**2) * context.erfc(v)
            else:  # 1/(v sqrt(pi)) (1 - 1/(2v^2) + 3/(4v^4) - 15/(8v^6) ...)
                s = sum((-1) ** k * context.fac2(2 * k - 1) / (2 * v * v) ** k for k in range(8))
                true = s / (v * context.sqrt(context.pi))
            assert ball.overlaps(arb(str(true)) * (1 + arb(0, 1e-45)))


@given(
    st.sampled_from(
        ["erfc(x)", "erfc(x)*exp(x**2)", "1 - erfc(x)", "erfc(x)**2*exp(2*x**2 + x)", "exp(-x**2)/erfc(x)"]
    ),
    st.fractions(min_value=-5, max_value=9, max_denominator=64),
    st.fractions(min_value=0, max_value=3, max_denominator=64),
    st.floats(min_value=0, max_value=1),
)
def test_a_range_holds_the_values_inside(text: str, low, width, share: float) -> None:
    expr = parse(text)
    with working_precision(128):
        ends = arb(low.numerator) / low.denominator, arb(low.numerator) / low.denominator
        found = compile_range(expr, [x])([(ends[0].lower(), (ends[1] + arb(float(width))).upper())])
        at = sp.Rational(low.numerator, low.denominator) + sp.Rational(share) * sp.Rational(float(width))
        value = enclose(expr, {"x": at}, 20).to_arb()
        assert found.defined and not value < found.lower and not value > found.upper


def test_scaled_products() -> None:
    assert scaled(parse("exp(x**2 + y)*erfc(x)")) == sp.exp(y) * ErfcX(x)
    assert scaled(parse("y*exp(x**2 + 2*x*y + y**2)*erfc(x + y)")) == y * ErfcX(x + y)
    assert scaled(parse("exp(-2*x**2)/erfc(x)**2")) == ErfcX(x) ** -2
    for untouched in ("exp(-x**2)*erfc(x)", "exp(2*x**2)*erfc(y)", "x*erfc(x)"):
        assert scaled(parse(untouched)) is parse(untouched) or scaled(parse(untouched)) == parse(untouched)


# -- calculus ----------------------------------------------------------------------------------------------------------


def test_its_slope() -> None:
    expr = parse("erfc(x*y)")
    assert expr.diff(x) == parse("-2*y*exp(-x**2*y**2)/sqrt(pi)")
    tower, slope = derivative(expr, x)
    assert is_zero(tower.expr(slope) - expr.diff(x)) is True


@pytest.mark.parametrize(
    "text",
    ["erfc(x - y) + erfc(y - x) - 2", "erfc(x*(1 + y)) - erfc(x + x*y)", "erfc((x**2 - 1)/(x - 1)) - erfc(x + 1)"],
)
def test_equal_whatever_the_form(text: str) -> None:
    assert is_zero(parse(text)) is True
    assert is_zero(parse(f"({text}) + erfc(y)**2*exp(x)")) is False


@given(st.fractions(min_value=-3, max_value=3, max_denominator=16))
def test_integrals(upper) -> None:
    """``int_0^u erfc = u erfc(u) + (1 - exp(-u^2))/sqrt(pi)``."""
    assume(upper > 0)
    found = integral(parse("erfc(x)"), x, 0, sp.Rational(upper.numerator, upper.denominator), digits=20)
    closed = enclose(parse("u*erfc(u) + (1 - exp(-u**2))/sqrt(pi)"), {"u": upper}, 25)
    assert found.overlaps(closed) and found.proved_digits >= 20


def test_an_integral_to_infinity() -> None:
    assert integral(parse("erfc(x)"), x, 0, sp.oo, digits=15).overlaps(enclose(parse("1/sqrt(pi)"), {}, 30))


# -- decisions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relation", "where"),
    [
        ("erfc(x) > 0", "x != 3"),
        ("2 - erfc(x) > 0", "x != 3"),
        ("erfc(x) <= 1", "x >= 0"),
        ("erfc(x) > 1", "x < 0"),
        ("erfc(x) <= exp(-x**2)", "x >= 0"),
        ("erfc(x)/2 <= exp(-x**2)/2", "x > 0"),
        ("erfc(x) > erfc(x + y)", "x != 0, y > 0"),
        ("erfc(x/sqrt(2))/2 >= exp(z)*erfc((x + y)/sqrt(2))/2", "x >= 0, y > 0, z < 0"),
        ("erfc(x) + erfc(-x) == 2", "x > 0"),
    ],
)
def test_proved(relation: str, where: str) -> None:
    assert isinstance(decided(relation, where), Proved)


@pytest.mark.parametrize(
    ("relation", "where"),
    [
        ("2*erfc(x) <= exp(-x**2)", "x >= 0"),
        ("erfc(x) <= exp(-x**2)", "x >= -1"),
        ("erfc(x) > exp(-x)", "x > 0"),
        ("erfc(x) == erfc(y)", "x > 0, y > 0"),
    ],
)
def test_refuted_with_an_exact_witness(relation: str, where: str) -> None:
    verdict = decided(relation, where)
    assert isinstance(verdict, Refuted) and region(where).contains(verdict.witness) is True


def test_nothing_false_is_proved_where_both_sides_vanish() -> None:
    assert isinstance(decided("erfc(x) <= exp(-x**2)/(2*x)", "x > 0"), Refuted | Unknown)


def test_signs_and_extrema() -> None:
    assert sign(parse("erfc(x)"), LINE) == 1 and sign(parse("erfc(x) - 2"), LINE) == -1
    low = infimum(parse("erfc(x)"), LINE)
    assert low.lower == 0 and low.upper < 1e-15
    assert supremum(parse("erfc(x)"), region("x >= 1/2")).overlaps(enclose(parse("erfc(1/2)"), {}, 30))
    assert supremum(parse("exp(x**2)*erfc(x)"), region("x >= 0")).overlaps(enclose(sp.Integer(1), {}, 20))
    top = supremum(parse("x*erfc(x)"), region("x >= 0"))
    assert float(top.mid) == pytest.approx(0.24037558683101, abs=1e-12)
