"""Regions with irrational ends, negative ones too: every point tried lies inside, so that no witness lies outside."""

import pytest

from symdp.decide import Proved, Refuted, decide
from symdp.decide.domain import Domain
from symdp.region import Region
from symdp.text import parse, parse_relations, symbol

X = symbol("x")
PLACES = ["-sqrt(2)<x, x<-1", "-pi<x, x<-sqrt(2)", "x<-sqrt(3)", "x>-sqrt(2)", "x>sqrt(2)", "-sqrt(2)<=x, x<=sqrt(3)"]


def region(text: str) -> Region:
    return Region.from_relations(parse_relations(text), [X])


@pytest.mark.parametrize("text", PLACES)
def test_the_points_of_a_region_lie_inside(text: str) -> None:
    place = region(text)
    points = list(Domain(place).points(40, "test"))
    assert points
    assert all(place.contains(point) for point in points)


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("x<0", "-sqrt(2)<x, x<-1", Proved),
        ("x<-5/4", "-sqrt(2)<x, x<-1", Refuted),
        ("x**2<=10", "-pi<x, x<-sqrt(2)", Proved),
        ("x**2<=9", "-pi<x, x<-sqrt(2)", Refuted),
        ("exp(x)<1/5", "x<-sqrt(3)", Proved),
        ("exp(x)<1/10", "x<-sqrt(3)", Refuted),
    ],
)
def test_a_witness_lies_in_the_region(text: str, place: str, expected: type) -> None:
    verdict = decide(parse_relations(text)[-1], region(place))
    assert isinstance(verdict, expected)
    if isinstance(verdict, Refuted):
        assert region(place).contains(verdict.witness) is True


@pytest.mark.parametrize("end", ["7/10", "-1/3", "pi", "sqrt(2)", "2"])
@pytest.mark.parametrize(("op", "sign"), [(">", 1), (">=", 2), ("<", -1), ("<=", -2)])
def test_the_distance_to_an_end_has_a_sign(end: str, op: str, sign: int) -> None:
    """Also where a ball of the end holds points beyond it."""
    here = Domain(region(f"x{op}{end}"))
    assert here.order(parse(f"x-({end})")) == sign
    assert here.order(parse(f"5*x-5*({end})")) == sign
