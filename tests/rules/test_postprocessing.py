"""What a kernel guarantees by itself: no mechanism before it, however bad, is told apart better."""

import math
import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, S, log, tanh

import symdp.rules  # noqa: F401
from symdp.enclosure import enclose
from symdp.judgments import FiniteMatrix, Kernel, KernelProfile, LocalDP, Mechanism, RenyiDP
from symdp.prover import Query, prove
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.rules.composition import Composition
from symdp.rules.conditions import ALPHA
from symdp.rules.lines import rational_lines
from tests.guarantees import conclude
from tests.kernels import NOWHERE, RATIOS, apart, fraction, image, number, random_kernel, random_law, top, worst

M, K = Mechanism("M"), Kernel("K")
BAD = RenyiDP(
    M, 1000 * ALPHA, S.One, "the neighbours of the subject", Region.make({ALPHA: Interval.open(1, S.Infinity)})
)


def instances(count=150):
    source = random.Random(3)
    for _ in range(count):
        kernel = random_kernel(source)
        laws = [random_law(source, 3), random_law(source, 3)] if source.random() < 0.5 else [[1, 0, 0], [0, 1, 0]]
        yield kernel, [image(law, kernel) for law in laws]


def wrong_pairs(rule):
    """Outputs that differ by more than a rule says of a locally private kernel."""
    found = []
    for kernel, (p, q) in instances():
        for ratio in RATIOS:
            known = LocalDP(K, log(number(ratio)), number(worst(kernel, ratio)), NOWHERE)
            claim = conclude(rule, known, subject=M, relation="add/remove")
            found += [(p, q)] if max(apart(p, q, ratio), apart(q, p, ratio)) > fraction(claim.delta) else []
    return found


def wrong_profiles(rule):
    """The same of a kernel with a profile."""
    found = []
    for kernel, (p, q) in instances():
        known = KernelProfile(K, rational_lines(kernel.region().vertices), NOWHERE)
        claim = conclude(rule, known, subject=M, relation="add/remove")
        found += [a for a in RATIOS if claim.both and max(apart(p, q, a), apart(q, p, a)) > top(claim.lines, a)]
    return found


def test_a_kernel_by_itself():
    assert wrong_pairs(get_rule("dp-of-local")) == []
    assert wrong_profiles(get_rule("profile-of-kernel")) == []


def test_mutants_of_a_kernel_by_itself_are_refuted():
    rule = get_rule("dp-of-local")
    assert wrong_pairs(replace(rule, conclude=lambda f, p: replace(rule.conclude(f, p), delta=f[0].delta * 9 / 10)))
    rule = get_rule("profile-of-kernel")
    half = lambda lines: tuple((u / 2, v / 2) for u, v in lines)  # noqa: E731
    assert wrong_profiles(replace(rule, conclude=lambda f, p: replace(rule.conclude(f, p), lines=half(f[0].lines))))


RESPONSE = FiniteMatrix(K, ((Rational(3, 4), Rational(1, 4)), (Rational(1, 4), Rational(3, 4))), Region())


def test_it_is_found_where_nothing_is_known_of_the_mechanism():
    for facts in ([RESPONSE], [RESPONSE, BAD]):
        found = prove(facts, Query(K @ M, "epsilon", delta=Integer(0)), 20).best
        assert found.bound == log(3) and found.tightness == "upper"
        assert prove(facts, Query(K @ M, "delta", epsilon=log(2)), 20).best.bound == Rational(1, 4)
    twice = prove([LocalDP(K, Integer(1), S.Zero, Region())], Query(K @ (K @ M), "epsilon", delta=Integer(0)), 20).best
    both = 2 * float(enclose(tanh(S.Half) ** 2, {}, 20).mid)  # twice the bias of randomized response, multiplied
    assert float(twice.value.upper) == pytest.approx(float(enclose(log((2 + both) / (2 - both)), {}, 20).mid))


def test_it_bounds_divergences_and_compositions():
    truth = float(enclose(log(3 ** Integer(4) / 4 + 3 ** Integer(-3) / 4) / 3, {}, 20).mid)
    for facts in ([RESPONSE], [RESPONSE, BAD]):
        found = prove(facts, Query(K @ M, "rdp", alpha=Integer(4)), 20).best
        assert float(found.value.upper) == pytest.approx(truth)
        found = prove(facts, Query(Composition((K @ M,), 3), "epsilon", delta=Integer(0)), 20).best
        assert found.value.lower < 3 * math.log(3) * (1 + 1e-15) and float(found.value.upper) == pytest.approx(
            3 * math.log(3)
        )
