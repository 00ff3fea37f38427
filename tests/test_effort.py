"""The work of one decision is granted by its caller, and less of it only leaves more unknown."""

import pytest

from symdp.decide import Proved, Refuted, Unknown, decide, recheck
from symdp.decide.domain import value_at, values_at
from symdp.decide.effort import FULL, LIGHT, Effort, given, granted
from symdp.region import Region
from symdp.text import parse, parse_relations, symbol

NOTHING = Effort(steps=0, nodes=0, boxes=0, work=0, hard=False)


def asked(text, where):
    (relation,) = parse_relations(text, place="test")
    relations = parse_relations(where, place="test")
    return relation, Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


def test_what_is_granted_ends_with_the_block():
    assert given() is FULL
    with granted(LIGHT):
        assert given() is LIGHT
        with granted(NOTHING):
            assert given() is NOTHING
        assert given() is LIGHT
    with pytest.raises(KeyError), granted(LIGHT):
        raise KeyError
    assert given() is FULL


HARDER = "exp(x) >= 1 + x + x**2/2 + x**3/6", "x >= 0"


def test_without_work_a_true_relation_is_unknown_and_nothing_is_refuted():
    relation, region = asked(*HARDER)
    with granted(NOTHING):
        assert isinstance(decide(relation, region), Unknown)
    assert isinstance(decide(relation, region), Proved)


def test_a_proof_found_with_little_work_is_accepted_with_all_of_it():
    relation, region = asked(*HARDER)
    with granted(LIGHT):
        verdict = decide(relation, region)
    assert isinstance(verdict, Proved)
    assert recheck(verdict.certificate, relation, region)


def test_a_false_relation_is_refuted_with_any_effort():
    relation, region = asked("exp(x) >= 1 + 2*x", "x >= 0")
    for effort in (NOTHING, LIGHT, FULL):
        with granted(effort):
            assert isinstance(decide(relation, region), Refuted)


def test_values_at_several_points_are_those_at_each():
    x, y = symbol("x"), symbol("y")
    expr = parse("log(x)/y")
    points = [{x: parse(a), y: parse(b)} for a, b in (("1/3", "2"), ("-1", "2"), ("2", "0"), ("1", "3"))]
    together = values_at(expr, points)
    assert together[1] is None and together[2] is None
    assert together[0].hi < 0 and together[3].lo == together[3].hi == 0
    for point, found in zip(points, together, strict=True):
        alone = value_at(expr, point)
        assert (alone is None) == (found is None)
        assert alone is None or (alone.lo == found.lo and alone.hi == found.hi)
