"""Composition of epsilons and deltas: exact products of finite laws obey the rules, the worst attain the optimum."""

import itertools
import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, S, exp, log

import symdp.rules  # noqa: F401
from symdp.enclosure import enclose
from symdp.errors import Refused
from symdp.judgments import ZCDP, ApproxDP, PureDP
from symdp.region import Interval, Region
from symdp.rule import Query, get_rule
from symdp.rules.composition import Composition
from symdp.text import symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import conclude, given
from tests.kernels import (
    RATIOS,
    F,
    apart,
    fraction,
    guarantee,
    measured,
    number,
    random_pair,
    response,
    top,
)

EPS, DELTA = symbol("epsilon"), symbol("delta")
REGION = Region.make({EPS: Interval.nonnegative(), DELTA: Interval.closed(0, 1)})


def product(p, q):
    return [x * y for x in p for y in q]


def power(pair, steps):
    p, q = pair
    for _ in range(steps - 1):
        p, q = product(p, pair[0]), product(q, pair[1])
    return p, q


def larger(p, q, ratio):
    return max(apart(p, q, ratio), apart(q, p, ratio))


def adaptive(source, ratio):
    """A second mechanism that depends on what came out of the first: the joint laws, and what each part satisfies."""
    first = random_pair(source, 2)
    seconds = [random_pair(source, 2) for _ in range(2)]
    joint = [[w * x for w, pair in zip(first[i], seconds, strict=True) for x in pair[i]] for i in (0, 1)]
    delta = max(larger(*pair, ratio) for pair in seconds)
    return joint, measured(*first, ratio), guarantee(ratio, delta, "N")


def wrong_sum(rule):
    source, found = random.Random(1), []
    for _ in range(200):
        joint, *parts = adaptive(source, F(source.randint(10, 30), 10))
        claim = conclude(rule, *parts)
        found += [joint] if larger(*joint, fraction(exp(claim.epsilon))) > fraction(claim.delta) else []
    for (b, d), (c, e) in itertools.product([(F(2), F(0)), (F(3), F(1, 10)), (F(1), F(1, 5))], repeat=2):
        claim = conclude(rule, guarantee(b, d), guarantee(c, e))
        joint = [product(x, y) for x, y in zip(response(b, d), response(c, e), strict=True)]
        found += [(b, d, c, e)] if larger(*joint, fraction(exp(claim.epsilon))) > fraction(claim.delta) else []
    return found


@pytest.mark.parametrize("rule_id", ["dp-composition", "dp-composition-sums"])
def test_sums(rule_id):
    rule = get_rule(rule_id)
    assert wrong_sum(rule) == []
    for change in (
        lambda c, f: replace(c, delta=max(f[0].delta, f[1].delta)),
        lambda c, f: replace(c, epsilon=max(f[0].epsilon, f[1].epsilon, key=lambda e: exp(e))),
    ):
        assert wrong_sum(replace(rule, conclude=lambda f, p, change=change: change(rule.conclude(f, p), f)))


def wrong_repetition(rule):
    found = []
    for steps, b, d in itertools.product((1, 2, 3, 4), (F(1), F(3, 2), F(4)), (F(0), F(1, 10), F(1, 3), F(1))):
        claim = conclude(rule, guarantee(b, d), steps=steps)
        joint = power(response(b, d), steps)
        found += [(steps, b, d)] if larger(*joint, b**steps) > fraction(claim.delta) else []
        found += [(steps, b, d)] if fraction(exp(claim.epsilon)) < b**steps else []
    return found


@pytest.mark.parametrize("rule_id", ["dp-steps", "dp-steps-sums"])
def test_repetitions_and_their_mutants_refuted(rule_id):
    rule = get_rule(rule_id)
    assert wrong_repetition(rule) == []
    assert wrong_repetition(replace(rule, conclude=lambda f, p: replace(rule.conclude(f, p), delta=f[0].delta)))


def test_the_product_of_disclosures_is_attained():
    theorem = apply("dp-composition", given(guarantee(2, F(1, 10))), given(guarantee(3, F(1, 5), "N")))
    assert theorem.conclusion == ApproxDP(Composition(("M", "N")), log(2) + log(3), Rational(7, 25), Region())
    joint = [product(x, y) for x, y in zip(response(F(2), F(1, 10)), response(F(3), F(1, 5)), strict=True)]
    assert larger(*joint, F(6)) == F(7, 25)
    added = apply("dp-composition-sums", given(guarantee(2, F(1, 10))), given(guarantee(3, F(1, 5), "N")))
    assert added.conclusion.delta == Rational(3, 10)
    steps = apply("dp-steps", given(guarantee(2, F(1, 10))), steps=3)
    assert (steps.conclusion.epsilon, steps.conclusion.delta) == (3 * log(2), Rational(271, 1000))
    assert larger(*power(response(F(2), F(1, 10)), 3), F(8)) == F(271, 1000)
    with pytest.raises(Refused, match="delta"):
        apply("dp-composition", given(guarantee(2, F(3, 2))))
    for bad in (0, True, None):
        with pytest.raises(Refused, match="steps"):
            apply("dp-steps", given(guarantee(2, 0)), steps=bad)


def test_pure_and_concentrated():
    one, two = (given(PureDP(name, EPS, REGION)) for name in "MN")
    assert apply("pure-composition", one, two).conclusion == PureDP(Composition(("M", "N")), 2 * EPS, REGION)
    assert apply("pure-steps", one, steps=5).conclusion == PureDP(Composition(("M",), 5), 5 * EPS, REGION)
    parts = [given(ZCDP(name, EPS, REGION)) for name in "MN"]
    assert apply("zcdp-composition", *parts).conclusion == ZCDP(Composition(("M", "N")), 2 * EPS, REGION)
    other = given(replace(two.conclusion, relation="replace-one"))
    with pytest.raises(Refused, match="relation"):
        apply("pure-composition", one, other)


# --- optimal composition ----------------------------------------------------------------------------------------------


def wrong_profile(rule):
    """Products of the worst pair attain it at every ratio; other pairs stay below."""
    source, found = random.Random(2), []
    for steps, ratio, delta in itertools.product((1, 2, 3, 4), (F(1), F(3, 2), F(4)), (F(0), F(1, 10), F(1))):
        lines = conclude(rule, guarantee(ratio, delta), steps=steps).lines
        p, q = power(response(ratio, delta), steps)
        ratios = (*RATIOS, ratio, ratio**2, ratio**steps)
        found += [(steps, ratio, delta, a) for a in ratios if apart(p, q, a) != top(lines, a)]
    for _ in range(60):
        pair, ratio = random_pair(source, 3), F(source.randint(10, 40), 10)
        lines = conclude(rule, measured(*pair, ratio), steps=3).lines
        found += [(pair, a) for a in RATIOS if larger(*power(pair, 3), a) > top(lines, a)]
    return found


def test_optimal_composition():
    rule = get_rule("optimal-composition")
    assert wrong_profile(rule) == []

    def scaled(factor):
        return lambda f, p: replace(
            rule.conclude(f, p), lines=tuple((u * factor, v) for u, v in rule.conclude(f, p).lines)
        )

    assert wrong_profile(replace(rule, conclude=scaled(Rational(999, 1000))))
    assert wrong_profile(replace(rule, conclude=scaled(Rational(1001, 1000))))
    drop = replace(rule, conclude=lambda f, p: replace(rule.conclude(f, p), lines=rule.conclude(f, p).lines[:2]))
    assert wrong_profile(drop)


def values(fact, steps, **asked):
    """What the suggested parameters prove at one epsilon or delta."""
    subject = Composition((fact.subject,), steps)
    query = Query(subject, "delta" if "epsilon" in asked else "epsilon", **asked)
    rule_id = f"optimal-composition-{query.ask}"
    (params,) = get_rule(rule_id).suggest((fact,), query)
    return apply(rule_id, given(fact), **params)


def test_at_one_epsilon_and_at_one_delta():
    """The same as the lines of the profile, and as the worst pair."""
    for steps, ratio, delta in itertools.product((1, 2, 5), (F(1), F(3, 2), F(4)), (F(0), F(1, 10))):
        fact, (p, q) = guarantee(ratio, delta), power(response(ratio, delta), min(steps, 5))
        for a in (F(1), F(6, 5), ratio, ratio**2, ratio**steps, 2 * ratio**steps):
            theorem = values(fact, steps, epsilon=log(number(a)))
            assert theorem.conclusion.delta == number(apart(p, q, a))
        level = 1 - (1 - delta) ** steps
        for goal in (level, level + F(1, 100), level + F(1, 5), F(99, 100)):
            theorem = values(fact, steps, delta=number(goal))
            a = fraction(exp(theorem.conclusion.epsilon))
            assert apart(p, q, a) <= goal
            assert a == 1 or apart(p, q, a * F(9999, 10000)) > goal


def test_what_is_not_the_optimum_is_refused():
    fact = given(guarantee(2, F(1, 10)))
    for last in (-1, 1, 2, 9):
        with pytest.raises(Refused):
            apply("optimal-composition-delta", fact, steps=4, epsilon=log(Integer(5)), last=last)
    assert apply("optimal-composition-delta", fact, steps=4, epsilon=log(Integer(5)), last=0).tightness == "exact"
    for last in (None, -1, 0, 2, 5):
        with pytest.raises(Refused):
            apply("optimal-composition-epsilon", fact, steps=4, delta=Rational(1, 2), last=last)
    assert apply("optimal-composition-epsilon", fact, steps=4, delta=Rational(1, 2), last=1)
    for last in (None, -1, 0, 1):  # below the chance that all is told
        with pytest.raises(Refused):
            apply("optimal-composition-epsilon", fact, steps=4, delta=Rational(1, 3), last=last)
    with pytest.raises(Refused, match="steps"):
        apply("optimal-composition", fact, steps=65)


def test_symbolic_and_stored():
    theorem = apply("optimal-composition", given(ApproxDP("M", EPS, DELTA, REGION)), steps=3)
    assert replay(theorem) == from_json(to_json(theorem)) == theorem
    at = {EPS: log(Integer(3)), DELTA: Rational(1, 10)}
    lines = [tuple(e.subs(at) for e in line) for line in theorem.conclusion.lines]
    assert top(lines, F(2)) == apart(*power(response(F(3), F(1, 10)), 3), F(2))


def test_many_runs():
    """Three hundred runs at (1/50, 0): far below the sum, and both rules are on one curve."""
    fact = ApproxDP("M", Rational(1, 50), S.Zero, Region())
    theorem = values(fact, 300, delta=Rational(1, 10**5))
    epsilon = enclose(theorem.conclusion.epsilon, {}, 20)
    assert 1 < float(epsilon.upper) < 2
    back = values(fact, 300, epsilon=Rational(str(epsilon.to_decimal(15)[1])))
    delta = enclose(back.conclusion.delta, {}, 20)
    assert 0.999e-5 < float(delta.lower) <= float(delta.upper) <= 1e-5
