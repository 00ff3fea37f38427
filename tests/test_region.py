"""Regions: exact ends, coupling constraints, membership that says when it cannot tell."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from symdp.decide import Refuted, decide
from symdp.errors import InputError
from symdp.region import Interval, Region
from symdp.text import Relation, parse, parse_relations, symbol

x, y, a, sigma = map(symbol, ("x", "y", "a", "sigma"))
QUIET = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True)
RATIONALS = st.fractions(-3, 3, max_denominator=4).map(lambda f: sp.Rational(f.numerator, f.denominator))
# sqrt(2) + sqrt(3) = sqrt(5 + 2*sqrt(6)), which no evaluation to finitely many digits can show.
SAME = parse("sqrt(2) + sqrt(3)"), parse("sqrt(5 + 2*sqrt(6))")


def region(text, *symbols):
    return Region.from_relations(parse_relations(text), symbols or (x,))


# Intervals


def test_ends_are_exact_and_infinite_ends_open():
    interval = Interval("1/3", sp.oo, True, True)
    assert interval == Interval(Fraction(1, 3), sp.oo, True)
    assert interval.lower == sp.Rational(1, 3) and interval.lower_closed and not interval.upper_closed
    assert Interval(0.1, 1).lower == sp.Rational(3602879701896397, 36028797018963968)
    assert Interval.positive() == Interval.open(0, sp.oo) != Interval.nonnegative()
    assert Interval.real() == Interval(-sp.oo, sp.oo, True, True)
    assert len({Interval.closed(0, 1), Interval(0, 1, True, True), Interval.open(0, 1)}) == 2


@pytest.mark.parametrize(
    "ends",
    [(1, 0), (0, 0), (0, 0, True), (sp.oo, 1), (0, -sp.oo), (sp.nan, 1), (sp.I, 1), (x, 1), (True, 2), ("2x", 3), SAME],
    ids=repr,
)
def test_empty_and_meaningless_intervals_are_refused(ends):
    with pytest.raises(InputError):
        Interval(*ends)


@pytest.mark.parametrize(
    ("interval", "printed", "chain"),
    [
        (Interval.real(), "(-oo, oo)", ""),
        (Interval.positive(), "(0, oo)", "x > 0"),
        (Interval.nonnegative(), "[0, oo)", "x >= 0"),
        (Interval(-sp.oo, "pi/4"), "(-oo, pi/4)", "x < pi/4"),
        (Interval(-1, "sqrt(2)", True), "[-1, sqrt(2))", "-1 <= x < sqrt(2)"),
        (Interval.closed(0, 1), "[0, 1]", "0 <= x <= 1"),
        (Interval.point(2), "[2, 2]", "x == 2"),
    ],
)
def test_intervals_are_printed_and_read_back(interval, printed, chain):
    assert str(interval) == printed and interval.describe("x") == chain
    read = parse_relations(chain) if chain else ()
    assert interval.relations(x) == read
    assert Region.from_relations(read, [x]).interval("x") == interval


def test_membership_in_an_interval():
    half = Interval(0, 1, True, False)
    assert half.contains(0) is True and half.contains(1) is False
    assert half.contains("sqrt(2)/2") is True and half.contains("pi/3") is False
    assert Interval.open(0, SAME[0]).contains(SAME[1]) is None
    assert Interval.open(SAME[0], 4).contains(SAME[0]) is False
    assert Interval.open(2, 3).contains(SAME[1]) is False


@given(RATIONALS, RATIONALS, RATIONALS, RATIONALS, RATIONALS, st.lists(st.booleans(), min_size=4, max_size=4))
@settings(QUIET, max_examples=300)
def test_intersection_is_membership_in_both(p, q, r, s, point, closed):
    assume(p < q and r < s)
    one, two = Interval(p, q, *closed[:2]), Interval(r, s, *closed[2:])
    both = one.intersect(two)
    for at in (point, p, q, r, s):
        assert (both is not None and both.contains(at)) == (one.contains(at) and two.contains(at))


# Regions


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("x>0", Interval.positive()),
        ("0<x<1", Interval.open(0, 1)),
        ("2*x>1", Interval("1/2", sp.oo)),
        ("1-x>0", Interval(-sp.oo, 1)),
        ("x/(-2)>=3", Interval(-sp.oo, -6, False, True)),
        ("sqrt(2)*x<1", Interval(-sp.oo, "sqrt(2)/2")),
        ("x<pi/4", Interval(-sp.oo, "pi/4")),
        ("(x-1)*2 + 3*x >= 0", Interval("2/5", sp.oo, True)),
        ("x>=1, x<=1", Interval.point(1)),
        ("2*x==1", Interval.point("1/2")),
        ("x>0, x>1, x>1/2", Interval(1, sp.oo)),
        ("x>=0, x!=0", Interval.positive()),
        ("x!=0, x>=0", Interval.positive()),
        ("x!=2, x>3", Interval(3, sp.oo)),
        ("x**2>=0, 1<2, x>0", Interval.positive()),
        ("0*x>=0", Interval.real()),
    ],
)
def test_bounds_on_one_symbol_become_ends(text, interval):
    assert region(text) == Region(((x, interval),))


@pytest.mark.parametrize(
    "text",
    [
        "x>1, x<0",
        "x>1, x<=1",
        "x==1, x!=1",
        "x==1, x==2",
        "1>2",
        "x-x>0",
        "x**2<0",
        "x**2 + 1 <= 0",
        "exp(x)<0",
        "abs(x)<0, x>0",
        "x>sqrt(2), x<7/5",
    ],
)
def test_a_visibly_empty_region_is_an_error(text):
    with pytest.raises(InputError, match="the region is empty"):
        region(text)


@pytest.mark.parametrize("text", ["x!=2", "x**2<1", "1/x>2", "x*(1-x)>0", "acosh(x)>=0", "sqrt(x)>1"])
def test_what_is_no_bound_stays_a_constraint(text):
    assert region(text).constraints and region(text).is_empty() is None


def test_undecided_ends_are_kept_as_constraints():
    kept = Region.make({x: Interval(SAME[0], sp.oo)}, [Relation(SAME[1] - x, ">")])
    assert kept.constraints == (Relation(SAME[1] - x, ">"),)
    assert kept.contains({x: 3}) is False and kept.contains({x: 4}) is False


def test_coupling_constraints_and_text():
    both = region("x>0, 4*a>=sigma**2, 0<a<=1", x, a, sigma)
    assert str(both) == "x > 0, 0 < a <= 1, sigma real, 4*a >= sigma**2"
    assert both.to_text() == "x > 0, 0 < a <= 1, 4*a >= sigma**2"
    assert region(both.to_text(), x, a, sigma) == both
    assert both.symbols == (x, a, sigma) and both.interval("sigma") == Interval.real()
    assert both.relations == parse_relations("x>0, 0<a<=1, 4*a>=sigma**2")
    assert Region.from_relations(both.relations, both.symbols) == both
    assert hash(region(both.to_text(), x, a, sigma)) == hash(both)


def test_membership():
    both = region("x>0, 4*a>=sigma**2, x!=1", x, a, sigma)
    assert both.contains({x: 2, a: 1, sigma: 2}) is True
    assert both.contains({"x": "1/2", "a": 1, "sigma": -2}) is True
    assert both.contains({x: 1, a: 1, sigma: 2}) is False
    assert both.contains({x: 0, a: 1, sigma: 2}) is False
    assert both.contains({x: 2, a: 1, sigma: "2.000001"}) is False
    assert both.contains({x: 2, a: 1, sigma: 0.1, y: 7}) is True
    with pytest.raises(InputError, match="no value for sigma"):
        both.contains({x: 2, a: 1})
    assert region("x > y", x, y).contains({x: SAME[0], y: SAME[1]}) is None


def test_a_constraint_undefined_at_a_point_does_not_hold_there():
    for text in ("1/x>-1", "log(x)<1", "sqrt(x)>-1"):
        plain = Region.make({x: Interval.real()}, [parse_relations(text)[-1]])
        assert plain.contains({x: {"1/x>-1": 0}.get(text, -1)}) is False
        assert plain.contains({x: 1}) is True


def test_intersect_and_extend():
    start = region("x>0")
    assert start.intersect(parse_relations("x<1")) == region("0<x<1")
    assert start.intersect([]) == start
    wider = start.extend({y: Interval.real()})
    assert wider.symbols == (x, y) and wider.intersect(parse_relations("y>x")).constraints == (Relation(y - x, ">"),)
    with pytest.raises(InputError, match="twice"):
        start.extend({x: Interval.real()})
    with pytest.raises(InputError, match="y"):
        start.intersect(parse_relations("y>0"))
    with pytest.raises(InputError, match="y"):
        Region(((x, Interval.real()),), (Relation(y, ">"),))
    with pytest.raises(InputError, match="coordinates"):
        start.interval("y")


def test_emptiness_is_said_only_where_it_is_plain():
    assert region("x>0").is_empty() is False
    assert Region().is_empty() is False
    point = Region.make({x: Interval.point(1), y: Interval.point(2)}, [Relation(x - y, ">")])
    assert point.is_empty() is True
    assert Region.make({x: Interval.point(1), y: Interval.point(2)}, [Relation(y - x, ">")]).is_empty() is False


def test_a_region_is_immutable():
    with pytest.raises(AttributeError):
        region("x>0").constraints = ()


RELATIONS = st.builds(
    "{}*x + {} {} {}".format,
    st.sampled_from(["1", "-2", "1/2", "-3/4"]),
    RATIONALS.map("({})".format),
    st.sampled_from([">", ">=", "<", "<=", "!=", "=="]),
    RATIONALS.map("({})".format),
)


@given(st.lists(RELATIONS, min_size=1, max_size=4), st.lists(RATIONALS, min_size=4, max_size=4))
@example(["1*x + (0) != (1)", "1*x + (0) >= (1)"], [sp.Integer(1), sp.Integer(2), sp.Integer(0), sp.Integer(3)])
@settings(QUIET, max_examples=300)
def test_a_region_is_the_set_of_points_where_its_relations_hold(texts, points):
    relations = parse_relations(", ".join(texts))
    holds = {">": lambda v: v > 0, ">=": lambda v: v >= 0, "==": lambda v: v == 0, "!=": lambda v: v != 0}
    expected = [all(holds[r.op](r.expr.xreplace({x: p})) for r in relations) for p in points]
    try:
        made = Region.from_relations(relations, [x])
    except InputError:
        assert not any(expected)
        return
    assert [made.contains({x: p}) for p in points] == expected
    assert Region.from_relations(made.relations, [x]) == made
    if made.to_text():
        assert Region.from_relations(parse_relations(made.to_text()), [x]) == made


def test_a_point_where_a_constraint_is_undefined_lies_outside():
    """At numbers ``sqrt(x)*sqrt(y)`` looks real where neither root is; decide once took such a point for a witness."""
    where = Region.make({x: Interval.real(), y: Interval.real()}, [Relation(sp.sqrt(x) * sp.sqrt(y) + 5, ">")])
    assert where.contains({x: -1, y: -1}) is False
    assert where.contains({x: 1, y: 1}) is True
    assert not isinstance(decide(Relation(x + y, ">="), where), Refuted)
