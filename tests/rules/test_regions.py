"""Regions put together, against membership of random points."""

import random

import pytest
from sympy import Rational

from symdp.decide import Proved, decide
from symdp.errors import InputError
from symdp.region import Interval, Region
from symdp.rules.regions import inside, joined, with_symbol, without
from symdp.text import Relation, parse_relations, symbol

A, B, C = map(symbol, "abc")


def region(text: str) -> Region:
    relations = parse_relations(text)
    names = sorted({s for r in relations for s in r.free_symbols}, key=str)
    return Region.from_relations(relations, names)


PAIRS = [
    ("a>0, a<=2", "b>=1"),
    ("a>0, a<=2", "a>=1, b<3"),
    ("a>0, b>0, a+b<=2", "b>=1, c<3"),
    ("a>0, b>0, a+b<=3", "a>-5, b<1, a*b<1/2"),
]


@pytest.mark.parametrize("first, second", PAIRS)
def test_joined_is_where_both_hold(first: str, second: str) -> None:
    one, other, rng = region(first), region(second), random.Random(first)
    both = joined(one, other)
    assert set(both.symbols) == {*one.symbols, *other.symbols}
    inside_both = 0
    for _ in range(400):
        point = {s: Rational(rng.randint(-4, 12), 4) for s in both.symbols}
        parts = [part.contains({s: point[s] for s in part.symbols}) for part in (one, other)]
        assert both.contains(point) is all(parts)
        inside_both += all(parts)
    assert inside_both > 0


def test_regions_that_exclude_each_other_are_an_error() -> None:
    with pytest.raises(InputError, match="empty"):
        joined(region("a>1"), region("a<0"))


def test_a_symbol_is_added_or_narrowed() -> None:
    assert with_symbol(region("a>0"), B, Interval.positive()) == region("a>0, b>0")
    assert with_symbol(region("a>-1"), A, Interval.positive()) == region("a>0")
    assert with_symbol(region("a>1"), A, Interval.positive()) == region("a>1")


def test_without_leaves_the_relations_of_the_others() -> None:
    whole = region("a>0, b>0, c>0, a+b<=2, b*c<1")
    assert without(whole, [A]) == region("b>0, c>0, b*c<1")
    assert without(whole, [A, B]) == region("c>0")
    assert without(whole, []) == whole


@pytest.mark.parametrize(
    ("inner", "outer", "expected"),
    [
        ("a>1", "a>0", True),
        ("a>=0", "a>0", False),
        ("a>0, b>0, a+b<1", "a<1", True),
        ("a>0, b>0, a+b<1", "a*b<1/4", True),
        ("a>0, b>0, a+b<1", "a*b<1/8", False),
    ],
)
def test_inside_asks_for_every_relation(inner: str, outer: str, expected: bool) -> None:
    conditions = list(inside(region(inner), region(outer)))
    assert len({c.name for c in conditions}) == len(conditions) > 0
    assert all(isinstance(decide(*c.args), Proved) for c in conditions) is expected


def test_a_region_lies_inside_one_that_asks_for_nothing() -> None:
    assert list(inside(region("a>1"), Region.make({A: Interval.real()}))) == []
    (condition,) = inside(region("a>1"), region("a<2"), "range")
    assert condition.name == "range: a < 2" and condition.args[0] == Relation(2 - A, ">")
