"""Answers that call themselves exact: no instance of the facts is provably better, no other answer is below."""

import math

import pytest
from sympy import Integer, Rational, S, log

from symdp.judgments import (
    ApproxDP,
    Doeblin,
    FiniteMatrix,
    Kernel,
    Mechanism,
    NoiseMechanism,
    PureDP,
    UltraMixing,
)
from symdp.prover import Query, prove
from symdp.region import Region
from symdp.rules.composition import Composition

M, K, HERE = Mechanism("M"), Kernel("K"), Region()
LAPLACE = NoiseMechanism(M, "laplace", Integer(1), Integer(1), "l1", HERE)
HALF = Doeblin(K, Rational(1, 2), HERE)
THIRD = Rational(1, 3)
ROWS = ((S.Half, S.Half, S.Zero), (S.Zero, S.Half, S.Half), (THIRD, THIRD, THIRD))


def proved(facts, subject, **asked):
    found = prove(facts, Query(subject, **asked), 20)
    return [found.best, *found.runners_up]


def laplace_delta(epsilon, runs):
    """The least delta of several runs at distance 1, on a grid of privacy losses that are rounded up."""
    cells = 2000
    losses = {cells: 0.5}
    for k in range(-cells, cells):  # between the two centres the loss falls from 1 to -1: density e^(-|x|)/2
        x = (1 - (k + 1) / cells) / 2
        losses[k + 1] = losses.get(k + 1, 0) + math.exp(-x) / 2 / cells * 0.5
    losses[-cells] = losses.get(-cells, 0) + math.exp(-1) / 2
    total = {0: 1.0}
    for _ in range(runs):
        fresh: dict[int, float] = {}
        for one, p in total.items():
            for two, q in losses.items():
                fresh[one + two] = fresh.get(one + two, 0) + p * q
        total = fresh
    return sum(p * max(0.0, 1 - math.exp(epsilon - loss / cells)) for loss, p in total.items())


def test_laplace_noise_tells_less_than_its_pure_privacy():
    truth = laplace_delta(0.0, 1)
    assert truth == pytest.approx(1 - math.exp(-0.5), rel=1e-2)
    for found in proved([LAPLACE], M, ask="delta", epsilon=Integer(0)):
        assert float(found.value.upper) > truth and found.tightness == "upper"


def test_what_is_built_on_a_summary_is_not_exact():
    twice = Composition((M,), 2)
    truth = laplace_delta(1.0, 2)
    for found in proved([LAPLACE], twice, ask="delta", epsilon=Integer(1)):
        assert float(found.value.upper) > truth * 1.1 and found.tightness == "upper"
    (best, *_) = proved([LAPLACE], twice, ask="epsilon", delta=Integer(0))
    assert (best.bound, best.tightness) == (2, "exact")


def test_a_stricter_guarantee_is_no_exact_answer():
    found = proved([LAPLACE], M, ask="epsilon", delta=Rational(1, 10))
    assert all(item.tightness == "upper" for item in found)


@pytest.mark.parametrize(
    "facts, subject",
    [
        ([ApproxDP(M, log(2), Rational(1, 10), HERE), HALF], K @ M),
        ([ApproxDP(M, log(2), Rational(1, 10), HERE), FiniteMatrix(K, ROWS, HERE)], K @ M),
        ([ApproxDP(M, log(2), Rational(1, 10), HERE), UltraMixing(K, S.Half, HERE)], K @ (K @ M)),
        ([PureDP(M, log(2), HERE), HALF], K @ Composition((M,), 3)),
        ([PureDP(M, log(2), HERE), HALF], K @ Composition((M,), 70)),
        ([LAPLACE], Composition((M,), 4)),
        ([NoiseMechanism(M, "gaussian", Integer(1), Integer(1), "l2", HERE), HALF], K @ M),
    ],
)
@pytest.mark.parametrize(
    "asked", [{"ask": "delta", "epsilon": log(Rational(3, 2))}, {"ask": "epsilon", "delta": "1/9"}]
)
def test_no_answer_is_below_one_that_is_exact(facts, subject, asked):
    best, *others = proved(facts, subject, **asked)
    for found in others:
        if found.tightness == "exact":
            assert best.value.upper >= found.value.lower


def test_of_equal_answers_the_exact_one_comes_first():
    facts = [PureDP(M, Rational(1, 10), HERE), HALF]
    best, *_ = proved(facts, K @ Composition((M,), 100), ask="delta", epsilon=Integer(1))
    assert best.tightness == "exact" and best.rule_chain[-1] == "master-at"
