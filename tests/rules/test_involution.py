"""Exchanged laws and limits of quotients, against sums over finite spaces and values far out; mutants fail there."""

import random
from dataclasses import replace
from fractions import Fraction as F

import pytest
from sympy import Integer

import symdp.rules  # noqa: F401
from symdp.derivation.inequalities import pointwise_domination
from symdp.derivation.sampled_gaussian import small_rate
from symdp.errors import InputError, Refused
from symdp.judgments import Inequality, Limit
from symdp.region import Region
from symdp.rule import get_rule
from symdp.rules.sampled_gaussian import RATE
from symdp.rules.sampled_moments import domination
from symdp.text import Relation, parse, parse_relations, symbol
from symdp.theorem import apply, from_json, to_json
from tests.guarantees import MP, conclude, given, value

TINY = MP.mpf(10) ** -20


def where(text):
    relations = parse_relations(text, place="where")
    return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


# --- an involution --------------------------------------------------------------------------------------------------


def spaces(weight):
    """Pairs (u, v, w): densities at a point and at its image, where the measure is 1 and w; twice two such pairs."""
    source = random.Random(5)
    for _ in range(12):
        share = F(source.randint(1, 9), 10)
        # both densities have mass 1: u + w v = v + w u = 1 summed over the pairs
        total = 1 / (1 + F(weight))
        u = [total * share, total * (1 - share)]
        other = F(source.randint(1, 9), 10)
        v = [total * other, total * (1 - other)]
        yield [(a, b, F(weight)) for a, b in zip(u, v, strict=True)]


def violations(claim, weight=1):
    found = []
    for pairs in spaces(weight):
        assert sum(u + w * v for u, v, w in pairs) == sum(v + w * u for u, v, w in pairs) == 1
        for q, alpha in (("0.3", "1.5"), ("1", "3"), ("0.9", "4"), ("0.5", "1")):
            at = {"q": MP.mpf(q), "alpha": MP.mpf(alpha)}
            total = MP.mpf(0)
            for u, v, w in pairs:
                u, v, w = (MP.mpf(x.numerator) / x.denominator for x in (u, v, w))
                for first, second, size in ((u, v, MP.mpf(1)), (v, u, w)):
                    total += size * value(claim.larger - claim.smaller, u=first, v=second, **at)
            found += [(pairs, q, alpha)] if total < -TINY else []
    return found


def test_an_involution_that_preserves_the_measure():
    theorem = apply("involution-larger-direction", pointwise_domination())
    assert from_json(to_json(theorem)) == theorem
    assert violations(theorem.conclusion) == []
    assert "jacobian == 1" in theorem.conclusion.statement()


def test_mutants_of_the_involution_are_refuted():
    fact = conclude(get_rule("involution-larger-direction"), pointwise_domination().conclusion)
    mutants = [replace(fact, larger=fact.smaller, smaller=fact.larger), replace(fact, larger=fact.larger * 9 / 10)]
    mutants += [replace(fact, larger=fact.larger.subs(RATE, RATE / 2))]
    assert all(violations(mutant) for mutant in mutants)
    assert violations(fact, weight=F(1, 9)), "an involution that changes the measure, its region says not"


def test_the_premise_is_the_pointwise_inequality():
    for relation, text in (
        (Relation(-domination().expr, ">="), "u>0, v>0, q>0, q<1, alpha>1"),
        (domination(), "u>0, v>0, q>0, q<1, alpha>2"),
    ):
        with pytest.raises(Refused, match="pointwise"):
            apply("involution-larger-direction", given(Inequality(relation, where(text))))


# --- limits ---------------------------------------------------------------------------------------------------------

N = symbol("n")
RANGE = where("alpha>1, s>0, n>1")
BOUND = "log(1+alpha*(alpha-1)*(exp(1/s**2)-1)/n**2)/(alpha-1)*n**2"


def bound():
    return apply("expansion", expr=parse(BOUND), value=parse("alpha*(exp(1/s**2)-1)"), variable=N, region=RANGE)


def wrong_limits(claim):
    """Points where the distance to the limit does not become small, from its two sides in fractions of a thousand."""
    found = []
    for s, alpha in (("1", "1.5"), ("2", "4")):
        at = {"s": MP.mpf(s), "alpha": MP.mpf(alpha)}
        limit = value(claim.value, **at)
        far = [abs(value(claim.expr, n=MP.mpf(10) ** k, **at) - limit) for k in (3, 6)]
        found += [(s, alpha)] if far[1] > far[0] / 500 else []
    return found


def test_a_limit_and_the_quotient_of_two():
    theorem = apply("limit-quotient", bound(), small_rate())
    assert theorem.conclusion.value == 2
    assert theorem.tightness == "exact"
    assert from_json(to_json(theorem)) == theorem
    assert wrong_limits(bound().conclusion) == wrong_limits(theorem.conclusion) == []


def test_mutants_of_limits_are_refuted():
    for rule_id, premises, params in (
        ("expansion", (), dict(bound().params)),
        ("limit-quotient", (bound().conclusion, small_rate().conclusion), {}),
    ):
        fact = conclude(get_rule(rule_id), *premises, **params)
        assert wrong_limits(replace(fact, value=fact.value / 2))
        assert wrong_limits(replace(fact, expr=1 / fact.expr))


def test_limits_that_are_none():
    with pytest.raises(Refused, match="limit"):
        apply("expansion", expr=parse(BOUND), value=parse("alpha"), variable=N, region=RANGE)
    zero = apply("expansion", expr=1 / N, value=Integer(0), variable=N, region=RANGE)
    with pytest.raises(Refused, match="divisor"):
        apply("limit-quotient", bound(), zero)
    other = given(Limit(1 + 1 / symbol("m"), Integer(1), symbol("m"), where("m>1")))
    with pytest.raises(InputError, match="grow"):
        apply("limit-quotient", bound(), other)
