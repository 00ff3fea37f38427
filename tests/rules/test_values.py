"""Guarantees at values of their symbols: what substitution gives, inside the region and nowhere else."""

import pytest
from sympy import Integer, Rational, sqrt

import symdp.rules  # noqa: F401
from symdp.bound import derive
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError, Refused
from symdp.judgments import GaussianDP, RenyiDP
from symdp.region import Interval, Region
from symdp.rules.conditions import ALPHA
from symdp.rules.values import AtValues
from symdp.text import Relation, symbol
from symdp.theorem import apply, from_json, to_json
from tests.guarantees import given

S, T, ODD = symbol("s"), symbol("t"), symbol("odd")
REGION = Region.make(
    {S: Interval.positive(), T: Interval.closed(0, 1), ALPHA: Interval.open(1, 9)}, [Relation(S - T, ">")]
)
RDP = RenyiDP("M", ALPHA * T**2 / S, T, "pairs", REGION)
GDP = GaussianDP("M", sqrt(2) * T / S, REGION, T, "pairs")


def at(rule, fact, *values):
    return apply(rule, given(fact), values=tuple(values)).conclusion


def test_all_values():
    found = at("rdp-at-values", RDP, (S, Integer(2)), (T, Rational(1, 2)))
    assert (found.value, found.sensitivity, found.relation) == (ALPHA / 8, Rational(1, 2), "pairs")
    assert found.region == Region.make({ALPHA: Interval.open(1, 9)})
    assert found.subject == AtValues("M", ((S, Integer(2)), (T, Rational(1, 2)))) and "s = 2" in found.subject.name
    assert at("gdp-at-values", GDP, (S, Integer(2)), (T, Integer(1))).mu == sqrt(2) / 2


def test_some_values_leave_the_rest_of_the_region():
    found = at("rdp-at-values", RDP, (S, Integer(2)))
    assert found.value == ALPHA * T**2 / 2 and found.region.interval(T) == Interval.closed(0, 1)
    with pytest.raises(Refused, match="s > t"):  # not for every s that is left
        at("rdp-at-values", RDP, (T, Rational(1, 2)))


@pytest.mark.parametrize(
    "values",
    [
        ((S, Integer(0)), (T, Integer(0))),
        ((S, Integer(2)), (T, Integer(2))),
        ((S, Rational(1, 2)), (T, Integer(1))),  # s > t fails
        ((ODD, Integer(1)),),
        ((S, T + 1),),
        ((ALPHA, Integer(9)),),
    ],
)
@pytest.mark.parametrize(("rule", "fact"), [("rdp-at-values", RDP), ("gdp-at-values", GDP)])
def test_values_outside_are_refused(rule, fact, values):
    with pytest.raises(Refused):
        at(rule, fact, *values)


def test_a_symbol_has_one_value():
    with pytest.raises(InputError, match="two values"):
        at("rdp-at-values", RDP, (S, Integer(2)), (S, Integer(3)))


def test_two_times_of_one_diffusion_are_two_subjects():
    theorem = derive(Diffusion("-theta*x", "sqrt(2)*rho")).privacy
    known = {s.name: s for s in theorem.conclusion.region.symbols}
    values = [tuple((known[name], Integer(1)) for name in known if name not in ("alpha", "t"))] * 2
    subjects = [
        apply("rdp-at-values", theorem, values=(*rest, (known["t"], Integer(time))))
        for rest, time in zip(values, (1, 2), strict=True)
    ]
    assert subjects[0].conclusion.subject != subjects[1].conclusion.subject
    assert from_json(to_json(subjects[0])).conclusion == subjects[0].conclusion
