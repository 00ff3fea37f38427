"""Compositions and samples before a kernel: their bounds go through it, at the epsilon that is asked about."""

from math import comb, e, erfc, exp, sqrt

import pytest
from sympy import Integer, Rational, log

from symdp.judgments import ApproxDP, Doeblin, Kernel, Mechanism, NoiseMechanism, PureDP, Sampled
from symdp.prover import Query, prove
from symdp.region import Region
from symdp.rules.composition import Composition

M, N, K, HERE = Mechanism("M"), Mechanism("N"), Kernel("K"), Region()
HALF = Doeblin(K, Rational(1, 2), HERE)


def least(facts, subject, **asked):
    return prove(facts, Query(subject, **asked), 20).best


def test_a_kernel_after_many_runs():
    b, k = exp(0.1), 100
    delta = sum(comb(k, i) * max(0.0, b ** (k - i) - e * b**i) for i in range(k + 1)) / (1 + b) ** k
    facts = [PureDP(M, Rational(1, 10), HERE), HALF]
    found = least(facts, K @ (K @ Composition((M,), k)), ask="delta", epsilon=Integer(1))
    assert float(found.value.upper) == pytest.approx(delta / 4)


def test_a_kernel_after_two_mechanisms():
    facts = [ApproxDP(M, log(2), Rational(1, 10), HERE), ApproxDP(N, log(3), Rational(1, 10), HERE), HALF]
    found = least(facts, K @ Composition((M, N)), ask="delta", epsilon=log(6))
    assert found.bound == Rational(19, 200)


def test_a_kernel_after_a_sample():
    fact = PureDP(M, log(3), HERE, relation="add/remove")
    sampled = Sampled(M, "poisson", Rational(1, 2))
    found = least([fact, HALF], K @ sampled, ask="delta", epsilon=Integer(0))
    assert found.bound == Rational(1, 8), "half of the sample's 1/4"


def test_a_kernel_after_gaussian_noise():
    facts = [NoiseMechanism(M, "gaussian", Integer(1), Integer(1), "l2", HERE), HALF]
    found = least(facts, K @ (K @ M), ask="delta", epsilon=Integer(1))
    delta = erfc(0.5 / sqrt(2)) / 2 - e * erfc(1.5 / sqrt(2)) / 2
    assert float(found.value.upper) == pytest.approx(delta / 4)


def test_an_epsilon_that_is_a_long_multiple_of_a_logarithm():
    """Its exponential is a power of a root of high degree; looking for common divisors of such powers has no end."""
    facts = [PureDP(M, Rational(123456789, 10**7) * log(3), HERE)]
    found = least(facts, Composition((M,), 50), ask="epsilon", delta=Rational(1, 10**5))
    assert float(found.value.upper) == pytest.approx(50 * 12.3456789 * 1.0986122886681098)


@pytest.mark.parametrize("steps", [200, 4001])
def test_a_small_delta_many_times(steps):
    """Its power has more digits than are written."""
    facts = [ApproxDP(M, Rational(1, 1000), Rational(1, 10**9), HERE)]
    found = least(facts, Composition((M,), steps), ask="epsilon", delta=Rational(1, 10**5))
    assert float(found.value.upper) <= steps / 1000
