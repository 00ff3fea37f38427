"""Orders 1 and infinity: what follows for them is true of random laws; without a hypothesis it is not."""

import random

import pytest
from sympy import Integer, Rational, S, oo, sign

import symdp.rules  # noqa: F401
from symdp.errors import Refused
from symdp.judgments import PureDP, RenyiDP
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.rules.conditions import ALPHA
from symdp.text import parse
from symdp.theorem import apply
from tests.guarantees import MP, conclude, given, renyi, value

ALL = Region.make({ALPHA: Interval.open(1, oo)})
UP_TO_2 = Region.make({ALPHA: Interval(S.One, Integer(2), False, True)})
FROM_2 = Region.make({ALPHA: Interval.open(2, oo)})
AT_ONE, PURE = get_rule("rdp-at-one"), get_rule("pure-of-rdp")


def curve(text, region=ALL):
    return RenyiDP("M", parse(text) if isinstance(text, str) else text, Integer(1), "add/remove", region)


def kullback_leibler(p, q):
    return MP.fsum(a * MP.log(a / b) for a, b in zip(p, q, strict=True))


def pairs(count):
    rng = random.Random(7)
    for _ in range(count):
        laws = [[MP.mpf(rng.randint(1, 9)) for _ in range(3)] for _ in range(2)]
        yield [[x / MP.fsum(law) for x in law] for law in laws]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("alpha/8", Rational(1, 8)),
        ("alpha**2 - 1", 0),
        ("2", 2),
        ("log(1 + alpha)", parse("log(2)")),
        ("sqrt(alpha-1)", 0),
        ("abs(alpha-3)", 2),
    ],
)
def test_the_limit_from_above(text, limit):
    found = apply("rdp-at-one", given(curve(text))).conclusion
    assert found.value == limit and found.region.interval(ALPHA) == Interval.point(1)
    assert (found.relation, found.sensitivity) == ("add/remove", 1)
    assert apply("rdp-at-one", given(curve(text, UP_TO_2))).conclusion.value == limit


@pytest.mark.parametrize("text", ["log(alpha)/(alpha-1)", "1/(alpha-1)", "alpha/(1 - alpha) + 3"])
def test_what_is_not_defined_at_order_one_is_refused(text):
    with pytest.raises(Refused, match="continuous"):
        apply("rdp-at-one", given(curve(text)))


SWAP = [MP.mpf(3) / 4, MP.mpf(1) / 4], [MP.mpf(1) / 4, MP.mpf(3) / 4]  # no order of divergence is above log 3


def test_order_one_is_at_most_any_order_above():
    for p, q in pairs(60):
        assert all(kullback_leibler(p, q) <= renyi(p, q, order) for order in (MP.mpf(101) / 100, 2, 9))


@pytest.mark.parametrize("false", [curve(2 * sign(ALPHA - 1) - 1 + sign(ALPHA - 1)), curve((ALPHA - 1) * 2, FROM_2)])
def test_a_mutated_copy_without_its_hypotheses_is_refuted(false):
    """A bound that jumps at 1, and one that begins at 2, are true where they hold, and too small at order 1."""
    for order in (MP.mpf(5) / 2, 3, 10):
        assert renyi(*SWAP, order) <= value(false.value, alpha=Rational(str(order)))
    assert value(conclude(AT_ONE, false).value) < kullback_leibler(*SWAP)
    with pytest.raises(Refused):
        apply("rdp-at-one", given(false))


def test_a_mutated_copy_with_half_the_limit_is_refuted():
    """``alpha log(3)/2`` bounds every order of this pair and is attained at order 1."""
    found = apply("rdp-at-one", given(curve("alpha*log(3)/2"))).conclusion
    assert MP.almosteq(value(found.value), kullback_leibler(*SWAP), MP.mpf(10) ** -25)
    assert all(renyi(*SWAP, order) <= order * MP.log(3) / 2 for order in (MP.mpf(11) / 10, 2, 5))
    assert value(found.value / 2) < kullback_leibler(*SWAP)


def test_bounded_over_all_orders_is_pure():
    found = apply("pure-of-rdp", given(curve("2 - 1/alpha")), epsilon=Integer(2)).conclusion
    assert found == PureDP("M", Integer(2), Region(), Integer(1), "add/remove")
    assert apply("pure-of-rdp", given(curve("0")), epsilon=S.Zero).conclusion.epsilon == 0


@pytest.mark.parametrize(
    ("text", "epsilon"), [("2 - 1/alpha", Rational(19, 10)), ("alpha/8", Integer(100)), ("2", ALPHA)]
)
def test_an_epsilon_that_is_too_small_is_refused(text, epsilon):
    with pytest.raises(Refused):
        apply("pure-of-rdp", given(curve(text)), epsilon=epsilon)


def test_without_all_orders_a_mutated_rule_is_refuted():
    """A bound up to order 2 says nothing of order infinity: the largest ratio of these two laws is above it."""
    p, q = [MP.mpf(3) / 4, MP.mpf(1) / 4], [MP.mpf(1) / 2, MP.mpf(1) / 2]
    assert renyi(p, q, 2) <= renyi(q, p, 2) < MP.mpf(3) / 10
    fact = curve(Rational(3, 10), UP_TO_2)
    assert MP.log(2) > value(conclude(PURE, fact, epsilon=Rational(3, 10)).epsilon)
    with pytest.raises(Refused, match="orders"):
        apply("pure-of-rdp", given(fact), epsilon=Rational(3, 10))


def test_pure_of_laws_whose_mutants_are_refuted():
    for p, q in pairs(40):
        largest = max(MP.log(a / b) for a, b in zip(p, q, strict=True))
        assert all(renyi(p, q, order) <= largest for order in (MP.mpf(3) / 2, 2, 40))
        assert renyi(p, q, 400) > largest * MP.mpf(9) / 10 - MP.mpf(1) / 100
