"""A verdict on a claim is computed: replayed, compared, attacked, checked in its digits, recorded; never typed."""

from random import Random

import pytest
from sympy import Integer, exp, oo

import symdp.claims
from symdp.claims import (
    Claim,
    ClaimError,
    attack,
    compare,
    points,
)
from symdp.errors import InputError, SymdpError
from symdp.judgments import RenyiDP
from symdp.region import Interval
from symdp.text import Relation
from symdp.theorem import apply
from tests.guarantees import given
from tests.toy import PLANE, POSITIVE, RANGE, a, alpha, exact, s, square, x, y


def verdict(theorem, text, tight=True, **where):
    return compare(theorem, Claim(text, **where), tight=tight)[0]


# Comparing a theorem with a formula


@pytest.mark.parametrize(
    ("text", "tight", "expected"),
    [
        ("alpha*d**2/(4*t)", True, "proved"),
        ("d*d*alpha/(2*t+2*t)", True, "proved"),
        ("alpha*d**2/(4*t)", False, "proved"),
        ("alpha*d**2/(2*t)", True, "refuted"),
        ("alpha*d**2/(2*t)", False, "proved"),
        ("alpha*d**2/(8*t)", False, "refuted"),
        ("alpha**2*d**2/(4*t)", True, "refuted"),
        ("alpha**2*d**2/(4*t)", False, "proved"),
        ("-alpha*d**2/(4*t)", False, "refuted"),
    ],
)
def test_a_formula_against_an_exact_bound(text, tight, expected):
    assert verdict(exact(), text, tight) == expected


def test_a_refutation_has_a_witness_and_a_reason():
    kind, reason, witness = compare(exact(), Claim("alpha*d**2/(8*t)"), tight=False)
    assert kind == "refuted"
    assert "d = " in witness
    assert witness in reason


@pytest.mark.parametrize(
    ("text", "tight", "expected"),
    [
        ("2*(x-y)**2", False, "proved"),
        ("3*(x-y)**2", False, "proved"),
        ("(x-y)**2", False, "unknown"),
        ("2*(x-y)**2", True, "unknown"),
        ("3*(x-y)**2", True, "unknown"),
    ],
)
def test_a_bound_that_may_lose_something_neither_refutes_nor_is_tight(text, tight, expected):
    theorem = apply("toy.rdp", square(), factor=Integer(2))
    assert verdict(theorem, text, tight) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("", "proved"),
        ("alpha>1, alpha<=10", "proved"),
        ("2<alpha<3, t>1", "proved"),
        ("alpha>1", "unknown"),
        ("alpha>=1, alpha<2", "unknown"),
        ("t>=0, alpha>2, alpha<3", "unknown"),
        ("t<-1", "unknown"),
    ],
)
def test_the_theorem_must_hold_wherever_the_paper_claims(where, expected):
    assert verdict(exact(), "alpha*d**2/(4*t)", where=where) == expected


def test_a_theorem_at_one_order_asks_for_what_the_claim_says():
    rdp = RenyiDP("M", a, Integer(1), "pairs", POSITIVE.extend({alpha: Interval.point(1)}))
    theorem = given(rdp)
    assert verdict(theorem, "a", where="alpha==1, a>0") == "proved"
    assert verdict(theorem, "a", where="alpha>=1, a>0") == "unknown"


def test_the_formula_must_be_defined_wherever_it_is_claimed():
    theorem = exact("d**2", region=RANGE)
    kind, reason, _ = compare(theorem, Claim("d**3/d"), tight=True)
    assert kind == "unknown"
    assert "d != 0" in reason
    assert verdict(theorem, "d**3/d", where="d>0") == "proved"


def test_a_claim_may_be_narrower_than_false():
    theorem = exact("alpha*d**2", region=RANGE)
    assert verdict(theorem, "2*d**2", tight=False) == "refuted"
    assert verdict(theorem, "2*d**2", tight=False, where="1<alpha<2") == "proved"


def test_a_conditional_theorem_refutes_nothing():
    feller = Relation(4 * a - s**2, ">=")
    theorem = apply("toy.exact-rdp", value=8 * a - s**2, region=POSITIVE, assuming=(feller,))
    assert theorem.status == "conditional"
    assert verdict(theorem, "8*a - s**2") == "proved"
    assert verdict(theorem, "7*a - s**2") == "unknown"


def test_names_and_text_are_checked():
    with pytest.raises(ClaimError, match="beta"):
        verdict(exact(), "beta*d**2/(4*t)")
    with pytest.raises(InputError, match="column"):
        verdict(exact(), "alpha*d**2/(4*t")
    with pytest.raises(InputError, match="empty"):
        verdict(exact(), "alpha", where="alpha>3, alpha<2")
    with pytest.raises(ClaimError, match="called mu"):
        verdict(exact(), "alpha", field="mu")
    assert verdict(exact(), "Delta", field="sensitivity", where="Delta>0") == "proved"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(x-y)**2 >= 0", "proved"),
        ("(x-y)**2 >= -1", "proved"),
        ("x**2 + y**2 >= 2*x*y", "proved"),
        ("2*x*y <= x**2 + y**2, (y-x)**2 > -1", "proved"),
        ("(x-y)**2 > 0", "refuted"),
        ("(x-y)**2 >= 1", "refuted"),
        ("x >= y", "refuted"),
    ],
)
def test_a_relation_must_follow(text, expected):
    assert verdict(square(), text) == expected


def test_an_identity_is_compared_as_a_relation():
    theorem = apply("toy.identity", left=exp(x + y), right=exp(x) * exp(y), region=PLANE)
    assert verdict(theorem, "exp(x+y) == exp(x)*exp(y)") == "proved"
    assert verdict(theorem, "exp(x+y) == exp(x)+exp(y)") == "refuted"


def test_a_matrix_is_compared_entry_by_entry():
    theorem = apply("toy.kernel", matrix=((exp(x), Integer(0)), (x, Integer(1))))
    where = "x > -5, x < 5"
    assert verdict(theorem, "exp(x), 0; x, 1", where=where) == "proved"
    assert verdict(theorem, "exp(x), 0; x, 2", where=where) == "refuted"
    assert verdict(theorem, "exp(2*x)/exp(x), 0; x, 1", where=where) == "proved"
    assert verdict(theorem, "x", field="gramian", where=where) == "proved"
    with pytest.raises(ClaimError, match="shape"):
        verdict(theorem, "exp(x), 0", where=where)


# Attacking a formula


def test_points_satisfy_the_relations_and_repeat_with_the_seed():
    where = "x>0, 0<y<1, y<x"
    drawn = list(points(where, Random(3), 30))
    assert len(drawn) == 30
    assert all(at[x] > 0 and 0 < at[y] < 1 and at[y] < at[x] for at in drawn)
    assert drawn == list(points(where, Random(3), 30))
    assert drawn != list(points(where, Random(4), 30))
    with pytest.raises(SymdpError, match=r"no point|empty"):
        next(points("x>0, sin(x)**2 > cos(y)**2 + sin(y)**2", Random(3), 1))


@pytest.mark.parametrize(
    ("text", "tight", "fails"), [("x**2", True, False), ("x**2+1", False, False), ("x**2+1", True, True)]
)
def test_attack_finds_what_is_wrong(text, tight, fails):
    def truth(mp, x):
        return mp.mpf(x) ** 2

    if fails:
        with pytest.raises(symdp.claims.Counterexample, match="claimed"):
            attack("C", Claim(text), "x>0", truth, Random(1), tight=tight)
    else:
        assert attack("C", Claim(text), "x>0", truth, Random(1), tight=tight, count=7) == 7


def test_attack_sees_one_part_in_ten_to_the_twenty():
    with pytest.raises(symdp.claims.Counterexample):
        attack("C", Claim("x*(1-1e-20)"), "x>1", lambda mp, x: x, Random(1), tight=False)


def test_a_range_without_end_is_drawn_from_too():
    assert Interval.real().upper is oo
    assert {at[x] > 0 for at in points("x != 0", Random(2), 30)} == {True, False}
    assert all(at[x] < 3 for at in points("x < 3", Random(2), 10))
