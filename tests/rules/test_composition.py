"""Composition: independent products computed exactly must obey and attain the rules; mutants are refuted."""

import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, oo, sqrt

from symdp.errors import Forged, InputError, Refused
from symdp.judgments import ZCDP, GaussianDP, RenyiDP
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.rules.composition import Composition
from symdp.text import symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import MP, conclude, gaussian_profile, given, product, random_law, renyi, response, value

ALPHA, RHO, MU, DELTA, ONE, TWO = map(symbol, ("alpha", "rho", "mu", "Delta", "one", "two"))
ORDERS = Region.make({ALPHA: Interval.open(1, oo), ONE: Interval.nonnegative(), TWO: Interval.nonnegative()})
POSITIVE = Region.make({MU: Interval.positive(), RHO: Interval.positive()})
FIRST, SECOND = (RenyiDP(name, loss, DELTA, "add/remove", ORDERS) for name, loss in (("A", ONE), ("B", TWO)))


def mutant(rule_id, field, change):
    rule = get_rule(rule_id)

    def altered(facts, params):
        fact = rule.conclude(facts, params)
        return replace(fact, **{field: change(getattr(fact, field))})

    return replace(rule, id=f"{rule_id} (mutant)", conclude=altered)


def pairs():
    source = random.Random(6)
    return [response(MP.mpf(1)), *((random_law(source, n), random_law(source, n)) for n in (2, 3))]


def wrong_sums(rule):
    """Products of two mechanisms, each run once."""
    claim, found = conclude(rule, FIRST, SECOND), []
    for p, q in pairs():
        for r, s in pairs():
            for alpha in (MP.mpf("1.5"), MP.mpf(4)):
                bound = value(claim.value, one=renyi(p, q, alpha), two=renyi(r, s, alpha))
                found += [alpha] if renyi(product(p, r), product(q, s), alpha) > bound + MP.mpf(10) ** -20 else []
    return found


def wrong_repetitions(rule):
    """The same mechanism three times."""
    claim, found = conclude(rule, FIRST, steps=3), []
    for p, q in pairs():
        for alpha in (MP.mpf("1.5"), MP.mpf(4)):
            truth = renyi(product(p, product(p, p)), product(q, product(q, q)), alpha)
            found += [alpha] if truth > value(claim.value, one=renyi(p, q, alpha)) + MP.mpf(10) ** -20 else []
    return found


def wrong_concentration(rule):
    """Three runs of randomized response, at the best rho of one run."""
    claim, found = conclude(rule, ZCDP("M", RHO, POSITIVE), steps=3), []
    p, q = response(MP.mpf(1))
    for alpha in (MP.mpf("1.00001"), MP.mpf(3)):
        bound = value(claim.rho, rho=MP.tanh(MP.mpf("0.5"))) * alpha
        found += [alpha] if renyi(product(p, product(p, p)), product(q, product(q, q)), alpha) > bound else []
    return found


def composed_profile(first, second, epsilon):
    """Delta of two Gaussian mechanisms run once each: the second's profile averaged over the first's privacy loss."""

    def integrand(z):
        loss = first * z + first**2 / 2
        return MP.exp(-z * z / 2) / MP.sqrt(2 * MP.pi) * gaussian_profile(second, epsilon - loss)

    return MP.quad(integrand, [-12 + 3 * k for k in range(9)])


def wrong_gaussian(rule, facts, params, first, second):
    """Against the quadrature, whose error is far below what a mutant is off by."""
    claim, found = conclude(rule, *facts, **params), []
    mu = value(claim.mu, mu=first)
    for epsilon in (MP.mpf(0), MP.mpf(1), MP.mpf(4)):
        truth = composed_profile(first, second, epsilon)
        found += [epsilon] if truth > gaussian_profile(mu, epsilon) + MP.mpf(10) ** -15 else []
    return found


def wrong_gaussian_sums(rule):
    facts = GaussianDP("A", MU, POSITIVE), GaussianDP("B", 2 * MU, POSITIVE)
    return wrong_gaussian(rule, facts, {}, MP.mpf("0.7"), MP.mpf("1.4"))


def wrong_gaussian_repetitions(rule):
    return wrong_gaussian(rule, (GaussianDP("A", MU, POSITIVE),), {"steps": 2}, MP.mpf("0.7"), MP.mpf("0.7"))


CASES = [
    ("rdp-composition", wrong_sums, "value", lambda e: e - TWO / 10),
    ("rdp-composition", wrong_sums, "value", lambda e: sqrt(ONE**2 + TWO**2)),
    ("rdp-steps", wrong_repetitions, "value", lambda e: e * Rational(2, 3)),
    ("rdp-steps", wrong_repetitions, "value", lambda e: e / sqrt(3)),
    ("zcdp-steps", wrong_concentration, "rho", lambda e: e * Rational(2, 3)),
    ("gdp-composition", wrong_gaussian_sums, "mu", lambda e: 2 * MU),
    ("gdp-steps", wrong_gaussian_repetitions, "mu", lambda e: e * Rational(9, 10)),
]


@pytest.mark.parametrize(("rule_id", "falsify"), dict.fromkeys((case[0], case[1]) for case in CASES))
def test_products_obey_the_rule(rule_id, falsify):
    assert falsify(get_rule(rule_id)) == []


@pytest.mark.parametrize(("rule_id", "falsify", "field", "change"), CASES)
def test_mutants_are_refuted(rule_id, falsify, field, change):
    assert falsify(mutant(rule_id, field, change)) != []


def test_products_attain_the_sum():
    theorem = apply("rdp-composition", given(FIRST), given(SECOND))
    (p, q), (r, s) = pairs()[:2]
    bound = value(theorem.conclusion.value, one=renyi(p, q, MP.mpf(3)), two=renyi(r, s, MP.mpf(3)))
    assert abs(bound - renyi(product(p, r), product(q, s), MP.mpf(3))) < MP.mpf(10) ** -20
    assert theorem.tightness == "upper"
    thrice = apply("rdp-steps", given(FIRST), steps=3)
    assert thrice.conclusion.value == 3 * ONE
    assert thrice.tightness == "exact"
    assert apply("zcdp-steps", given(ZCDP("M", RHO, POSITIVE)), steps=7).conclusion.rho == 7 * RHO


def test_gaussian_mechanisms_attain_the_root_of_squares():
    sums = apply("gdp-composition", *(given(GaussianDP("M", m, POSITIVE)) for m in (3 * MU, 4 * MU)))
    assert abs(value(sums.conclusion.mu, mu="1/2") - MP.mpf("2.5")) < MP.mpf(10) ** -25
    first, second = MP.mpf("0.3"), MP.mpf("0.4")
    assert (
        abs(composed_profile(first, second, MP.mpf(1)) - gaussian_profile(MP.mpf("0.5"), MP.mpf(1))) < MP.mpf(10) ** -15
    )
    assert apply("gdp-steps", given(GaussianDP("M", MU, POSITIVE)), steps=9).conclusion.mu == 3 * MU


def test_one_neighbouring_relation_for_all():
    """Bounds about different neighbours, sensitivities or regions do not add."""
    for other in (
        replace(SECOND, relation="replace-one"),
        replace(SECOND, sensitivity=Integer(1)),
        replace(SECOND, region=ORDERS.extend({MU: Interval.positive()})),
    ):
        with pytest.raises(Refused, match=r"relation|sensitivity|region"):
            apply("rdp-composition", given(FIRST), given(other))
    apply("rdp-composition", given(FIRST))


@pytest.mark.parametrize("steps", [0, -3, True, Integer(2), Rational(1, 2), "2"])
def test_steps_are_positive_whole_numbers(steps):
    with pytest.raises(Refused, match="steps"):
        apply("rdp-steps", given(FIRST), steps=steps)


def test_the_subject_is_a_composition():
    twice = apply("rdp-composition", apply("rdp-steps", given(FIRST), steps=5), given(SECOND))
    assert twice.conclusion.subject == Composition((Composition(("A",), 5), "B"))
    assert twice.conclusion.subject.name == "the composition of the 5-fold composition of A, B"
    assert replay(twice) == from_json(to_json(twice)) == twice
    stored = to_json(twice)
    stored["nodes"][1]["params"]["steps"] = 4
    with pytest.raises(Forged):
        from_json(stored)
    for parts, steps in (((), 1), (("A",), 0), (("A",), True)):
        with pytest.raises(InputError):
            Composition(parts, steps)
