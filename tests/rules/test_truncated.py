"""Truncated concentrated privacy: Gaussian and random laws must obey its rules; mutated copies are refuted by them."""

import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, log, oo

import symdp.rules  # noqa: F401
from symdp.epsilon import gaussian_epsilon
from symdp.errors import Refused
from symdp.judgments import TCDP, ZCDP, RenyiDP
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.text import parse_relations, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import MP, conclude, given, hockey_stick, product, random_law, renyi, response, value

ALPHA, RHO, OMEGA, DELTA = map(symbol, ("alpha", "rho", "omega", "delta"))
PARAMETERS = Region.make({RHO: Interval.positive(), OMEGA: Interval.open(1, oo)})
FACT = TCDP("M", RHO, OMEGA, PARAMETERS)
ONE_RHO = TCDP("M", Rational(1, 2), Integer(5), Region())


def concentration(p, q, omega):
    """The least rho up to omega: ``R_alpha/alpha`` is largest at one end or between, looked for on a fine grid."""
    orders = [1 + (omega - 1) * MP.mpf(k) / 64 for k in range(1, 65)]
    return max(max(renyi(p, q, a), renyi(q, p, a)) / a for a in orders) * (1 + MP.mpf(10) ** -3)


def mutant(rule_id, change):
    rule = get_rule(rule_id)
    return replace(rule, id=f"{rule_id} (mutant)", conclude=lambda facts, params: change(rule.conclude(facts, params)))


def wrong_epsilon(rule):
    """Gaussian laws of ``rho = mu^2/2`` against their exact profile, and random laws."""
    found = []
    for delta in ("1/10", "1/100000", "1e-40"):
        small = Rational(delta)
        for rho in ("1/100", "1/2", "3"):
            exact = gaussian_epsilon(str(float(MP.sqrt(2 * MP.mpf(Rational(rho).p) / Rational(rho).q))), small, 15)
            for omega in ("11/10", "4", "100"):
                below = (Rational(omega) - 1) ** 2 * Rational(rho) > log(1 / small)
                claim = conclude(rule, FACT, delta=small, at_omega=not below)
                if value(claim.epsilon, rho=rho, omega=omega) < MP.mpf(exact.lower) * (1 - MP.mpf(10) ** -12):
                    found.append((delta, rho, omega))
    source = random.Random(3)
    for _ in range(20):
        p, q = random_law(source, 4), random_law(source, 4)
        omega = MP.mpf(source.randint(2, 9))
        rho, small = concentration(p, q, omega), Rational(1, 1000)
        claim = conclude(rule, FACT, delta=small, at_omega=True)
        epsilon = value(claim.epsilon, rho=rho, omega=omega)
        if max(hockey_stick(p, q, epsilon), hockey_stick(q, p, epsilon)) > MP.mpf(1) / 1000:
            found.append((p, q))
    return found


def wrong_steps(rule):
    """Randomized response three times, its rho up to omega measured."""
    found = []
    for epsilon in ("0.1", "2"):
        p, q = response(MP.mpf(epsilon))
        rho, omega = concentration(p, q, MP.mpf(3)), MP.mpf("2.9")
        claim = conclude(rule, FACT, steps=3)
        truth = renyi(product(p, product(p, p)), product(q, product(q, q)), omega)
        found += [epsilon] if truth > value(claim.rho, rho=rho, omega="3") * omega else []
    return found


def wrong_curve(rule):
    """Random laws below omega: the Renyi bound of a measured rho."""
    source, found, claim = random.Random(4), [], conclude(rule, FACT)
    for _ in range(20):
        p, q, omega = random_law(source, 3), random_law(source, 3), MP.mpf(4)
        rho = concentration(p, q, omega)
        found += [p] if renyi(p, q, MP.mpf(3)) > value(claim.value, rho=rho, alpha="3") else []
    return found


FALSIFIERS = {"dp-of-tcdp": wrong_epsilon, "tcdp-steps": wrong_steps, "rdp-of-tcdp": wrong_curve}


@pytest.mark.parametrize("rule_id", FALSIFIERS)
def test_no_instance_violates_the_rule(rule_id):
    assert FALSIFIERS[rule_id](get_rule(rule_id)) == []


@pytest.mark.parametrize(
    ("rule_id", "change"),
    [
        ("dp-of-tcdp", lambda fact: replace(fact, epsilon=fact.epsilon.subs(DELTA, 1) * Rational(3, 5))),
        ("dp-of-tcdp", lambda fact: replace(fact, epsilon=RHO * OMEGA)),
        ("tcdp-steps", lambda fact: replace(fact, rho=fact.rho * Rational(2, 3))),
        ("rdp-of-tcdp", lambda fact: replace(fact, value=fact.value / ALPHA)),
    ],
)
def test_mutants_are_refuted(rule_id, change):
    assert FALSIFIERS[rule_id](mutant(rule_id, change))


def test_from_a_renyi_bound_and_back():
    where = parse_relations("alpha>1, alpha<10, q>0, q<1/5", place="where")
    region = Region.from_relations(where, [ALPHA, symbol("q")])
    rdp = given(RenyiDP("M", 2 * symbol("q") ** 2 * ALPHA, Integer(1), "add/remove", region))
    fact = apply("tcdp-of-rdp", rdp, rho=Rational(2, 25), omega=Integer(10))
    assert fact.conclusion == TCDP("M", Rational(2, 25), Integer(10), fact.region, Integer(1), "add/remove")
    assert str(fact.region) == "0 < q < 1/5"
    assert "(2/25, 10)-tCDP" in fact.conclusion.statement()
    back = apply("rdp-of-tcdp", fact)
    assert str(back.conclusion.value) == "2*alpha/25"
    assert back.conclusion.region.contains({ALPHA: Integer(10), symbol("q"): Rational(1, 10)}) is False
    assert replay(back) == back
    assert from_json(to_json(back)) == back


@pytest.mark.parametrize(
    ("rho", "omega", "failed"),
    [
        ("2/25", "11", "orders below omega"),
        ("1/25", "10", "linear"),
        ("2/25", "1", "omega"),
        ("alpha", "10", "rho"),
        ("1", "alpha", "free"),
    ],
)
def test_what_the_renyi_bound_does_not_give_is_refused(rho, omega, failed):
    where = parse_relations("alpha>1, alpha<10", place="where")
    rdp = given(RenyiDP("M", 2 * ALPHA / 25, Integer(1), "add/remove", Region.from_relations(where, [ALPHA])))
    number = {"alpha": ALPHA}
    with pytest.raises(Refused, match=failed):
        apply("tcdp-of-rdp", rdp, rho=number.get(rho) or Rational(rho), omega=number.get(omega) or Rational(omega))


def test_epsilon_at_the_best_order_needs_it_below_omega():
    small, large = Rational(1, 10), Rational(1, 10**9)
    best = apply("dp-of-tcdp", given(ONE_RHO), delta=small, at_omega=False).conclusion
    assert abs(value(best.epsilon) - (MP.mpf("0.5") + 2 * MP.sqrt(MP.log(10) / 2))) < 1e-25
    with pytest.raises(Refused, match="best order below omega"):
        apply("dp-of-tcdp", given(ONE_RHO), delta=large, at_omega=False)
    end = apply("dp-of-tcdp", given(ONE_RHO), delta=large, at_omega=True).conclusion
    assert abs(value(end.epsilon) - (MP.mpf("2.5") + MP.log(MP.mpf(10) ** 9) / 4)) < 1e-25


def test_from_zero_concentrated():
    zcdp = given(ZCDP("M", RHO, Region.make({RHO: Interval.positive()})))
    fact = apply("tcdp-of-zcdp", zcdp, omega=Integer(7))
    assert (fact.conclusion.rho, fact.conclusion.omega) == (RHO, 7)
    with pytest.raises(Refused, match="omega"):
        apply("tcdp-of-zcdp", zcdp, omega=Rational(1, 2))
