"""What a relation is rewritten into implies it: at random points, and for a false one some part is false too."""

from random import Random

import pytest
from sympy import Rational

from symdp.claims.rewriting import by_powers, without_exponential, without_logarithms
from symdp.decide import Proved, decide
from symdp.decide.domain import sign_at
from symdp.region import Region
from symdp.text import Relation, parse, parse_relations, symbol

NAMES = tuple(map(symbol, "abcx"))
RELATIONS = (
    "log(a) - log(b) + x >= 0",
    "x - log(1 + a*(exp(b) - 1)) >= 0",
    "log(a) + log(b) > c",
    "3 - 2*exp(x)*exp(-a) >= b",
    "exp(x - a) >= b + c",
    "a/2 > exp(-x)/4",
)
POWERS = (
    ("a*b**(x+1)/c", "a*b**x/c"),
    ("2*a**x", "b**x"),
    ("a*(1+b)**(x/2)", "a*(1-b)**(x/2)"),
    ("3*a", "2*a"),
    ("a*acosh(1+2*b)**2/c", "a*acosh(1+b)**2/c"),
    ("a**2*(1-b)**x", "a**2*(1-b)**(2*x)"),
)


def holds(relation, point):
    """None where it is not defined or not clear."""
    sign = sign_at(relation.expr, {s: point[s] for s in relation.free_symbols})
    return None if sign is None else sign > 0 or (sign == 0 and relation.op == ">=")


def places(seed, count=150):
    rng = Random(seed)
    for _ in range(count):
        yield {s: Rational(rng.randint(-12, 24), rng.choice((1, 3, 8))) for s in NAMES}


def implied(relation, ways):
    """How often a way held; then the relation does."""
    seen = 0
    for point in places(str(relation)):
        for way in ways:
            if all(holds(part, point) for part in way):
                seen += 1
                assert holds(relation, point) is True, (relation, way, point)
    return seen


@pytest.mark.parametrize("text", RELATIONS)
def test_what_a_relation_is_rewritten_into_implies_it(text):
    relation = parse_relations(text, place="test")[-1]
    ways = [way for way in (without_logarithms(relation), without_exponential(relation)) if way]
    assert ways and implied(relation, ways) > 0


@pytest.mark.parametrize(("larger", "smaller"), POWERS)
def test_what_is_asked_of_powers_implies_that_one_is_not_below_the_other(larger, smaller):
    ways = by_powers(parse(larger), parse(smaller))
    assert implied(Relation(parse(larger) - parse(smaller), ">="), ways) > 0


def test_without_a_logarithm_or_one_exponential_there_is_nothing_to_rewrite():
    for text in ("a >= b", "a*log(b) >= c", "log(a) == b"):
        assert without_logarithms(parse_relations(text, place="test")[-1]) is None
    for text in ("a >= b", "exp(a) + exp(b) >= c", "c*exp(a) >= b", "exp(a)**2 == b"):
        assert without_exponential(parse_relations(text, place="test")[-1]) is None


def test_what_the_engine_does_not_see_by_itself_is_seen_so():
    where = parse_relations("e>=0, g>=0, g<=1", place="test")
    region = Region.from_relations(where, tuple(map(symbol, ("e", "g"))))
    relation = parse_relations("log(2+g*(exp(e)-1)) >= log(1+g*(exp(e)-1))", place="test")[-1]
    assert not isinstance(decide(relation, region), Proved)
    assert all(isinstance(decide(part, region), Proved) for part in without_logarithms(relation))
