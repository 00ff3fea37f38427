"""What the user says: descriptions of named things stand on their own, all else is an assumption."""

import pytest
from sympy import Integer, Rational

import symdp.rules  # noqa: F401
from symdp.errors import Refused
from symdp.judgments import ZCDP, DominatingPair, NoiseMechanism, Sampled, after
from symdp.region import Region
from symdp.rules.composition import Composition
from symdp.rules.given import GIVEN
from symdp.rules.sampled_gaussian import SampledGaussian
from symdp.theorem import apply, replay

KNOWN = SampledGaussian(Rational(1, 2), Integer(1))
MADE = (KNOWN, after("K", "M"), Sampled("M", "poisson", Rational(1, 2)), Composition(("M", "N")))


def noise(subject):
    return NoiseMechanism(subject, "gaussian", Integer(10**6), Integer(1), "l2", Region())


def test_a_named_mechanism_is_what_the_user_says():
    theorem = apply("described", fact=noise("M"))
    assert theorem.status == "proved"
    assert replay(theorem) == theorem


@pytest.mark.parametrize(
    "fact",
    [
        *map(noise, MADE),  # its noise is said elsewhere
        DominatingPair(KNOWN, Integer(0), Integer(1), Integer(1), Integer(1), "add/remove", Region()),
        DominatingPair("M", Integer(0), Integer(1), Integer(1), Integer(1), "add/remove", Region()),  # a guarantee
        ZCDP("M", Integer(0), Region()),
    ],
)
def test_a_claim_is_not_a_description(fact):
    with pytest.raises(Refused, match="description"):
        apply("described", fact=fact)
    assert apply("given", fact=fact, assuming=(GIVEN,)).status == "conditional"
