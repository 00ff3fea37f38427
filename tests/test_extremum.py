"""Infimum and supremum: the truth lies inside, narrow where it should be, infinite only when proved."""

import mpmath
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import mark, raises

from symdp.ball import from_arb, working_precision
from symdp.decide.domain import Domain, value_at
from symdp.errors import InputError, Undefined, Undetermined
from symdp.extremum import infimum, region_box, supremum
from symdp.extremum import interval as iv
from symdp.extremum.charts import problems
from symdp.extremum.program import evaluate
from symdp.region import Interval, Region
from symdp.text import parse, parse_relations, symbol

X, Y = symbol("x"), symbol("y")


def region(text, *more):
    relations = parse_relations(text, place="region") if text else ()
    names = sorted({s for r in relations for s in r.free_symbols} | set(more), key=lambda s: s.name)
    return Region.from_relations(relations, names)


def lowest(text, where="", **options):
    expr = parse(text)
    return infimum(expr, region(where, *expr.free_symbols), **options)


def highest(text, where="", **options):
    expr = parse(text)
    return supremum(expr, region(where, *expr.free_symbols), **options)


INFIMA = [
    ("3*x**2 - 1", "", "-1"),
    ("cosh(x)", "", "1"),
    ("x**4/4 - x**2/2", "", "-1/4"),
    ("exp(x) - x", "", "1"),
    ("exp(-x)", "x>0", "0"),
    ("x*log(x)", "x>0", "-exp(-1)"),
    ("x*exp(-x)", "x>=0", "0"),
    ("x**2 + y**2 - x*y + x", "", "-1/3"),
    ("(x - 1)**2 + (y - x**2)**2", "", "0"),
    ("x**4 + y**4 - 3*x*y", "", "-9/8"),
    ("x**2 + y**2", "x>=-3, y>=2", "4"),
    ("x + y**2", "x>=-3", "-3"),
    ("x", "x>=sqrt(2)", "sqrt(2)"),
    ("x**2", "x>pi", "pi**2"),
    ("x**2", "x==pi", "pi**2"),
    ("tanh(x)", "", "-1"),
    ("atan(1/x)", "-1<=x<=1", "-pi/2"),
    ("exp(x)*sin(y)", "x<=1", "-exp(1)"),
    ("cosh(x) - x**2/3", "", "1"),
    ("1 - 5*cos(5*x)*exp(-x**2) + 2*x*sin(5*x)*exp(-x**2)", "", "-4"),
    ("x**2*(3 + cos(x)) + x*sin(x)", "", "0"),
    ("x**4*exp(-x)*(2 + sin(x))", "x>=0", "0"),
    ("1 - x**2*exp(-x**2/2)", "", "1 - 2*exp(-1)"),
    ("x*coth(x)", "x>0", "1"),
    ("-(1 - exp(-x))/x", "x>0", "-1"),
    ("x - log(x)", "x>0", "1"),
    ("abs(x) + x*y", "x<0, 0<y<1/2", "0"),
    ("sqrt(x)*(sqrt(x) - 1)", "x>=0", "-1/4"),
    ("x + y", "x>=1, y>=1, x*y>=1", "2"),
    ("4/5*x", "x>=1, x<=1", "4/5"),
]

SUPREMA = [
    ("x*exp(-x)", "x>0", "exp(-1)"),
    ("x/(1 + x)", "x>0", "1"),
    ("x**2/(1 + x**4)", "", "1/2"),
    ("sin(x)", "0<=x<=1", "sin(1)"),
    ("2/cosh(x)**2", "", "2"),
    ("tanh(x)/x", "x>0", "1"),
    ("log(1 + x)/x", "x>0", "1"),
    ("theta/(exp(2*theta*t) - 1)", "0<theta<1, 1<=t<=2", "1/2"),
    ("k/(2*(exp(2*k*t) - 1))", "1<=k<=2, 1<=t<=3", "1/(2*(exp(2) - 1))"),
    ("1/(1 + x**2 + y**2)", "", "1"),
]


def contains(found, text):
    point = evaluate(parse(text), {})
    low, high = from_arb(point.lo), from_arb(point.hi)
    return (found.lower <= low.lower and high.upper <= found.upper) or found.overlaps(low.hull(high))


@mark.parametrize(("text", "where", "value"), INFIMA)
def test_infima_are_enclosed_and_narrow(text, where, value):
    found = lowest(text, where, digits=12)
    with working_precision(200):
        assert contains(found, value)
    assert found.width <= mpmath.mpf(10) ** -11


@mark.parametrize(("text", "where", "value"), SUPREMA)
def test_suprema_are_enclosed_and_narrow(text, where, value):
    found = highest(text, where, digits=9)
    with working_precision(200):
        assert contains(found, value)
    assert found.width <= mpmath.mpf(10) ** -8


def test_many_digits():
    found = lowest("x**4/4 - x**2/2 - x/10", digits=60)
    assert found.proved_digits >= 59
    coarse = lowest("x**4/4 - x**2/2 - x/10", digits=10)
    assert coarse.contains(found)


@mark.parametrize(
    ("text", "where"),
    [("x**3", ""), ("-x**2", ""), ("-1/x", "0<x<1"), ("-x*y", "x>=-3, y>=-2"), ("-exp(x) + x**9", "")],
)
def test_unbounded_below_is_proved(text, where):
    found = lowest(text, where)
    assert found.lower == found.upper == -mpmath.mp.inf


def test_unbounded_above_is_proved():
    assert highest("1/x", "x>0").lower == mpmath.mp.inf
    assert highest("exp(x) - x**5").lower == mpmath.mp.inf


def test_a_jump_is_not_taken_for_a_monotone_function():
    assert lowest("atan(1/x)", "-1<=x<=1").lower <= -1.57
    assert lowest("tanh(1/x)", "-1<=x<=1").lower <= -0.99
    assert lowest("sign(x) + x", "0<x<1").lower <= 1


def test_constraints_cut_the_region():
    found = lowest("x + y", "x>0, y>0, x*y>=1", digits=4)
    assert found.contains(2)
    assert found.width < 0.1
    assert lowest("x", "0<x<5, x**2>=2").lower > 1.41


def test_the_limit_on_boxes_gives_a_wide_but_true_answer():
    wide = lowest("sin(5*x)*cos(3*y) + x*y/9", "-3<=x<=3, -3<=y<=3", max_boxes=5)
    narrow = lowest("sin(5*x)*cos(3*y) + x*y/9", "-3<=x<=3, -3<=y<=3", digits=6)
    assert wide.lower <= narrow.lower <= narrow.upper <= wide.upper
    assert wide.width > narrow.width


def test_errors():
    with raises(InputError, match="y"):
        infimum(X + Y, region("x>0"))
    with raises(InputError):
        infimum(sp.gamma(X), region("x>0"))
    with raises(Undefined):
        infimum(sp.log(-1 - X**2), region("x>0"))


# -- ranges ---------------------------------------------------------------------------------------------------------
def test_open_ends_are_remembered():
    positive = {X: iv.Range(iv.ZERO, iv.INF, True)}
    assert evaluate(1 - sp.exp(-X), positive).positive
    assert evaluate(sp.exp(X) - 1, positive).positive
    assert evaluate(1 / X, positive).positive
    assert not evaluate(X, {X: iv.Range(iv.ZERO, iv.INF)}).positive
    assert evaluate(1 / X, {X: iv.Range(iv.ZERO, iv.INF)}).partial
    assert evaluate(X * Y, {X: iv.Range(iv.ZERO, iv.ONE, True), Y: iv.Range(iv.ZERO, iv.ONE)}).lo_open is False


leaves = st.one_of(
    st.sampled_from([X, X, Y]),
    st.fractions(-3, 3, max_denominator=3).map(lambda q: sp.Rational(q.numerator, q.denominator)),
)
functions = [
    sp.exp,
    sp.log,
    sp.sqrt,
    sp.sin,
    sp.cos,
    sp.tan,
    sp.sinh,
    sp.cosh,
    sp.tanh,
    sp.coth,
    sp.atan,
    sp.asinh,
    sp.Abs,
]


def grown(inner):
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, st.sampled_from([2, 3, 4, -1, -2, sp.Rational(1, 2)])).map(lambda p: p[0] ** p[1]),
        st.tuples(st.sampled_from(functions), inner).map(lambda p: p[0](p[1])),
    )


trees = st.recursive(leaves, grown, max_leaves=5).filter(
    lambda e: not e.has(sp.nan, sp.zoo, sp.oo, sp.I) and bool(e.free_symbols)
)
sides = st.sampled_from(
    [
        Interval.real(),
        Interval.positive(),
        Interval(-sp.oo, 0),
        Interval.open(0, 1),
        Interval.closed(-1, 1),
        Interval(1, sp.oo),
    ]
)


def away(value, found):
    return value is not None and (bool(value.hi < found.lo) or bool(value.lo > found.hi))


@settings(max_examples=50, deadline=None, derandomize=True)
@given(trees, sides, sides, st.lists(st.integers(1, 63), min_size=6, max_size=6), st.booleans())
def test_every_form_of_a_range_contains_the_values(tree, first, second, cuts, ends):
    """Raw trees, normal forms, 0/0 ends, tails, mean values and slopes, on parts of every chart."""
    place = Region.make({X: first, Y: second})
    with working_precision(128):
        for problem in problems(tree, place.symbols, *region_box(place), ends=ends):
            objective, low = problem.objective, cuts[0]
            box = tuple(part(r, low, cuts[1]) for r in problem.root)
            found, gradient = objective.range(box), objective.gradient(box)
            centred = objective.mean_value(box, gradient) if objective.defined(box) else None
            slopes = [sp.diff(objective.expr, s) for s in objective.symbols]
            for cut in cuts[2:]:
                point = tuple(inside(r, cut) for r in box)
                value = objective.at(point)
                if value.partial:
                    continue
                assert not away(value, found)
                assert centred is None or not away(value, centred)
                for i, slope in enumerate(slopes):
                    known, near = gradient[i], objective.slope_near(box, i)
                    if slope.has(sp.DiracDelta, sp.sign) or (known is None and near is None):
                        continue
                    exact = evaluate(slope, dict(zip(objective.symbols, point, strict=True)))
                    if not exact.partial:
                        assert known is None or known.partial or not away(exact, known)
                        assert near is None or near.partial or not away(exact, near)


def part(r, low, width):
    """A piece of a side; it keeps an end, infinite ends included, now and then."""
    if width > 40:
        return r
    start = r.lo if r.lo.is_finite() else (r.hi - 100 if r.hi.is_finite() else iv.ZERO - 50)
    stop = r.hi if r.hi.is_finite() else start + 100
    a = r.lo if low < 16 else (start + (stop - start) * low / 64).mid()
    b = r.hi if low > 56 else (start + (stop - start) * (low + (64 - low) * iv.ONE * width / 64) / 64).mid()
    return iv.Range(a, b, a == r.lo and r.lo_open, b == r.hi and r.hi_open) if a < b else r


def inside(r, cut):
    """A point of a side, far out when it is unbounded."""
    start = r.lo if r.lo.is_finite() else (r.hi - cut**3 if r.hi.is_finite() else iv.ZERO - cut**2)
    stop = r.hi if r.hi.is_finite() else start + cut**3
    return iv.point((start + (stop - start) * cut / 64).mid())


@settings(max_examples=40, deadline=None, derandomize=True)
@given(trees, sides, sides)
def test_no_sampled_value_is_below_the_infimum(tree, first, second):
    place = Region.make({X: first, Y: second})
    try:
        found = infimum(tree, place, digits=6, max_boxes=150)
    except (Undefined, Undetermined):
        return
    for point in Domain(place).points(25, "extremum"):
        value = value_at(tree, point)
        assert value is None or from_arb(value.hi).upper >= found.lower
