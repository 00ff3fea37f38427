"""The sampled Gaussian mechanism at the rates 0 and 1, against the laws of its dominating pair."""

import pytest
from sympy import Rational, S

import symdp.rules  # noqa: F401
from symdp.epsilon import gaussian_delta
from symdp.errors import Refused
from symdp.mechanisms.sampled_gaussian import renyi
from symdp.region import Region
from symdp.rule import get_rule
from symdp.theorem import apply
from tests.guarantees import conclude


def pair(q, sigma=2, sensitivity=1):
    return apply("sampled-gaussian-pair", q=S(q), sigma=S(sigma), sensitivity=S(sensitivity), region=Region())


def test_nothing_is_sampled():
    found = apply("sampled-gaussian-none", pair(0)).conclusion
    assert (found.epsilon, found.relation) == (0, "add/remove")


@pytest.mark.parametrize(("sigma", "sensitivity"), [(S(2), S(1)), (Rational(1, 3), Rational(5, 2))])
def test_everything_is_sampled(sigma, sensitivity):
    found = apply("sampled-gaussian-all", pair(1, sigma, sensitivity)).conclusion
    assert (found.mu, found.sensitivity, found.relation) == (sensitivity / sigma, sensitivity, "add/remove")


@pytest.mark.parametrize("rule_id", ["sampled-gaussian-none", "sampled-gaussian-all"])
@pytest.mark.parametrize("q", [Rational(1, 2), Rational(1, 10**30), 1 - Rational(1, 10**30)])
def test_other_rates_are_refused(rule_id, q):
    with pytest.raises(Refused, match="rate"):
        apply(rule_id, pair(q))


def test_mutated_copies_are_refuted():
    """At the rate 1/2 the divergence is not 0; at the rate 1 no mu smaller than the ratio has the exact profile."""
    half = pair(Rational(1, 2)).conclusion
    assert conclude(get_rule("sampled-gaussian-none"), half).epsilon == 0
    assert renyi(Rational(1, 2), 2, 2).lower > 0
    mu = apply("sampled-gaussian-all", pair(1)).conclusion.mu
    exact = gaussian_delta(Rational(1, 2), 1)
    assert gaussian_delta(mu, 1).upper >= exact.lower > gaussian_delta(mu * Rational(9, 10), 1).upper
