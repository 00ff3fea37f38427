"""Rules between kinds of divergence guarantee: known answers, mechanisms that must obey, mutants they refute."""

import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, exp, log, oo, sqrt, tanh

import symdp.rules.conversion  # noqa: F401  the rules register themselves
from symdp.decide import is_zero
from symdp.errors import InputError, Refused
from symdp.judgments import ZCDP, ApproxDP, GaussianDP, PureDP, RenyiDP
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.text import parse_relations, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import (
    MP,
    conclude,
    cut_gaussians,
    gaussian_renyi,
    given,
    pure,
    random_law,
    renyi,
    response,
    value,
)

ALPHA, RHO, MU, EPS, DELTA = map(symbol, ("alpha", "rho", "mu", "epsilon", "Delta"))
ORDERS = Region.make({ALPHA: Interval.open(1, oo)})
POSITIVE = {s: Region.make({s: Interval.positive()}) for s in (RHO, MU, EPS)}
GDP, CONCENTRATED, PURE = (
    GaussianDP("M", MU, POSITIVE[MU]),
    ZCDP("M", RHO, POSITIVE[RHO]),
    PureDP("M", EPS, POSITIVE[EPS]),
)
TRIES = (MP.mpf("1.001"), MP.mpf("1.5"), MP.mpf(2), MP.mpf(5), MP.mpf(40))


def mutant(rule_id, change):
    """A copy of the rule whose conclusion is changed; it is not registered."""
    rule = get_rule(rule_id)
    return replace(rule, id=f"{rule_id} (mutant)", conclude=lambda facts, params: change(rule.conclude(facts, params)))


def scaled(**factors):
    """A change that multiplies fields of a conclusion."""
    return lambda fact: replace(fact, **{name: factor * getattr(fact, name) for name, factor in factors.items()})


# --- falsifiers: each returns the instances that the rule gets wrong ----------------------------------------------


def wrong_renyi_of_gaussian(rule):
    """Gaussian laws, and histograms of them."""
    source, found = random.Random(1), []
    claim = conclude(rule, GDP)
    for mu in (MP.mpf("0.1"), MP.mpf(1), MP.mpf(3)):
        pairs = [cut_gaussians(source, mu, cuts) for cuts in (1, 3, 8)]
        for alpha in TRIES[1:4]:
            bound = value(claim.value, mu=mu, alpha=alpha)
            truths = [gaussian_renyi(mu, alpha), *(renyi(p, q, alpha) for p, q in pairs)]
            found += [(mu, alpha) for truth in truths if truth > bound * (1 + MP.mpf(10) ** -15)]
    return found


def wrong_renyi_of_pure(rule):
    """Randomized response, and random laws with the epsilon that they have."""
    source, claim, found = random.Random(2), conclude(rule, PURE), []
    pairs = [response(MP.mpf(e)) for e in ("0.01", "0.5", "3")]
    pairs += [(random_law(source, n), random_law(source, n)) for n in (2, 3, 5) for _ in range(4)]
    for p, q in pairs:
        for alpha in TRIES:
            bound = value(claim.value, epsilon=pure(p, q), alpha=alpha)
            found += [
                (alpha, p) for truth in (renyi(p, q, alpha), renyi(q, p, alpha)) if truth > bound + MP.mpf(10) ** -20
            ]
    return found


def wrong_concentration_of_pure(rule):
    source, claim, found = random.Random(3), conclude(rule, PURE), []
    pairs = [response(MP.mpf(e)) for e in ("0.01", "0.5", "3", "12")]
    pairs += [(random_law(source, n), random_law(source, n)) for n in (2, 4) for _ in range(4)]
    for p, q in pairs:
        bound = value(claim.rho, epsilon=pure(p, q))
        found += [(alpha, p) for alpha in (MP.mpf("1.0001"), *TRIES) if renyi(p, q, alpha) > bound * alpha]
    return found


def wrong_concentration_of_gaussian(rule):
    claim = conclude(rule, GDP)
    return [
        (mu, alpha)
        for mu in (MP.mpf("0.3"), MP.mpf(2))
        for alpha in TRIES[1:4]
        if gaussian_renyi(mu, alpha) > value(claim.rho, mu=mu) * alpha * (1 + MP.mpf(10) ** -15)
    ]


def wrong_renyi_of_concentrated(rule):
    """Gaussian laws are mu^2/2-zCDP with equality at every order; randomized response at its own best rho."""
    claim, found = conclude(rule, CONCENTRATED), []
    for mu in (MP.mpf("0.3"), MP.mpf(2)):
        for alpha in TRIES[1:4]:
            bound = value(claim.value, rho=mu**2 / 2, alpha=alpha)
            found += [(mu, alpha)] if gaussian_renyi(mu, alpha) > bound * (1 + MP.mpf(10) ** -15) else []
    return found


CASES = [
    ("rdp-of-gdp", wrong_renyi_of_gaussian, scaled(value=Rational(99, 100))),
    ("rdp-of-gdp", wrong_renyi_of_gaussian, lambda fact: replace(fact, value=(ALPHA - 1) * MU**2 / 2)),
    ("rdp-of-zcdp", wrong_renyi_of_concentrated, lambda fact: replace(fact, value=RHO * (ALPHA - 1))),
    (
        "rdp-of-pure",
        wrong_renyi_of_pure,
        lambda fact: replace(fact, value=log((exp(ALPHA * EPS) + exp(-ALPHA * EPS)) / (1 + exp(EPS))) / (ALPHA - 1)),
    ),
    ("rdp-of-pure", wrong_renyi_of_pure, scaled(value=(ALPHA - 1) / ALPHA)),
    ("rdp-of-pure-quadratic", wrong_renyi_of_pure, scaled(value=Rational(9, 10))),
    ("zcdp-of-pure", wrong_concentration_of_pure, lambda fact: replace(fact, rho=EPS * tanh(EPS / 3))),
    ("zcdp-of-pure", wrong_concentration_of_pure, scaled(rho=Rational(999, 1000))),
    ("zcdp-of-gdp", wrong_concentration_of_gaussian, scaled(rho=Rational(1, 2))),
]


@pytest.mark.parametrize(("rule_id", "falsify"), dict.fromkeys((rule, falsify) for rule, falsify, _ in CASES))
def test_mechanisms_obey_the_rule(rule_id, falsify):
    assert falsify(get_rule(rule_id)) == []


@pytest.mark.parametrize(("rule_id", "falsify", "change"), CASES)
def test_mutants_are_refuted(rule_id, falsify, change):
    assert falsify(mutant(rule_id, change)) != []


# --- known answers, through the kernel -----------------------------------------------------------------------------


def test_gaussian_laws_by_quadrature():
    theorem = apply("rdp-of-gdp", given(GDP))
    for mu, alpha in (("1/2", "3/2"), ("2", "4")):
        truth = gaussian_renyi(MP.mpf(Rational(mu)), MP.mpf(Rational(alpha)))
        assert abs(value(theorem.conclusion.value, mu=mu, alpha=alpha) - truth) < MP.mpf(10) ** -20
    assert theorem.tightness == "exact"
    assert is_zero(apply("rdp-of-zcdp", apply("zcdp-of-gdp", given(GDP))).conclusion.value - theorem.conclusion.value)


def test_randomized_response_attains_the_pure_bound():
    theorem = apply("rdp-of-pure", given(PURE))
    for eps in ("1/10", "1", "5"):
        p, q = response(MP.mpf(Rational(eps)))
        for alpha in ("11/10", "2", "7"):
            truth = renyi(p, q, MP.mpf(Rational(alpha)))
            assert abs(value(theorem.conclusion.value, epsilon=eps, alpha=alpha) - truth) < MP.mpf(10) ** -20


def test_forms_of_the_pure_bound_in_order():
    """log-form <= alpha eps tanh(eps/2) <= alpha eps^2/2, and the first two meet at alpha = 1, where both are KL."""
    first = apply("rdp-of-pure", given(PURE)).conclusion.value
    middle = apply("rdp-of-zcdp", apply("zcdp-of-pure", given(PURE))).conclusion.value
    last = apply("rdp-of-pure-quadratic", given(PURE)).conclusion.value
    for eps in ("1/100", "1", "10"):
        for alpha in ("1000001/1000000", "3", "50"):
            a, b, c = (value(e, epsilon=eps, alpha=alpha) for e in (first, middle, last))
            assert a < b < c
        p, q = response(MP.mpf(Rational(eps)))
        divergence = MP.fsum(x * MP.log(x / y) for x, y in zip(p, q, strict=True))
        assert abs(value(middle, epsilon=eps, alpha="1") - divergence) < MP.mpf(10) ** -20


def test_concentration_of_a_renyi_bound_is_decided():
    quadratic = RenyiDP(
        "M", ALPHA * RHO, DELTA, "add/remove", Region.make({ALPHA: Interval.open(1, oo), RHO: Interval.positive()})
    )
    theorem = apply("zcdp-of-rdp", given(quadratic), rho=RHO)
    assert theorem.conclusion == ZCDP("M", RHO, POSITIVE[RHO], DELTA, "add/remove")
    assert apply("zcdp-of-rdp", given(quadratic), rho=2 * RHO).conclusion.rho == 2 * RHO
    with pytest.raises(Refused, match="linear"):
        apply("zcdp-of-rdp", given(quadratic), rho=RHO / 2)
    with pytest.raises(Refused, match="linear"):
        apply("zcdp-of-rdp", given(replace(quadratic, value=RHO * ALPHA**2)), rho=RHO)
    for relations in ("alpha < 5", "alpha < 1/rho"):
        some = replace(quadratic, region=quadratic.region.intersect(parse_relations(relations, place="test")))
        with pytest.raises(Refused, match="all orders"):
            apply("zcdp-of-rdp", given(some), rho=RHO)
    with pytest.raises(Refused, match="rho"):
        apply("zcdp-of-rdp", given(quadratic), rho=ALPHA * RHO)


def test_orders_at_or_below_one_are_refused():
    """A region that lets the order go down to 1 would make the conclusion say something about no divergence."""
    for low in (Interval.closed(1, 5), Interval.real()):
        premise = given(GaussianDP("M", Integer(1), Region.make({ALPHA: low})))
        with pytest.raises(Refused, match="order"):
            apply("rdp-of-gdp", premise)


def test_the_subject_its_neighbours_and_region_are_kept():
    region = Region.make({symbol("t"): Interval.positive(), DELTA: Interval.nonnegative(), ALPHA: Interval.open(1, oo)})
    gdp = GaussianDP("the process", DELTA / sqrt(symbol("t")), region, DELTA, "starts")
    rdp = apply("rdp-of-gdp", given(gdp)).conclusion
    assert (rdp.subject, rdp.region, rdp.sensitivity, rdp.relation) == ("the process", region, DELTA, "starts")
    assert is_zero(rdp.value - ALPHA * DELTA**2 / (2 * symbol("t")), region)
    assert apply("rdp-of-pure", given(PURE)).conclusion.region == POSITIVE[EPS].extend({ALPHA: Interval.open(1, oo)})


@pytest.mark.parametrize(
    ("rule_id", "fact", "params"),
    [
        ("rdp-of-gdp", GDP, {}),
        ("rdp-of-zcdp", CONCENTRATED, {}),
        ("rdp-of-pure", PURE, {}),
        ("rdp-of-pure-quadratic", PURE, {}),
        ("zcdp-of-pure", PURE, {}),
        ("zcdp-of-gdp", GDP, {}),
        ("zcdp-of-rdp", RenyiDP("M", 3 * ALPHA, DELTA, "add/remove", ORDERS), {"rho": Integer(3)}),
    ],
)
def test_theorems_survive_replay_and_json(rule_id, fact, params):
    theorem = apply(rule_id, given(fact), **params)
    assert replay(theorem) == from_json(to_json(theorem)) == theorem
    assert theorem.citations
    with pytest.raises(InputError):
        apply(rule_id, given(fact), extra=Integer(1), **params)
    with pytest.raises(InputError, match="takes the premises"):
        apply(rule_id, given(ApproxDP("M", EPS, EPS, POSITIVE[EPS])), **params)


def test_a_renyi_bound_is_only_made_weaker():
    bound = given(RenyiDP("M", ALPHA, Integer(1), "add/remove", ORDERS))
    above_two = Region.make({ALPHA: Interval.open(2, oo)})
    (relation,) = parse_relations("alpha**2 >= alpha", place="relation")
    larger = apply("inequality", relation=relation, region=above_two)
    weaker = apply("weaker-rdp", bound, larger, value=ALPHA**2).conclusion
    assert weaker == RenyiDP("M", ALPHA**2, Integer(1), "add/remove", above_two)
    for wrong in (2 * ALPHA, ALPHA / 2):
        with pytest.raises(Refused, match="difference"):
            apply("weaker-rdp", bound, larger, value=wrong)
    equation = apply("identity", left=ALPHA**2, right=ALPHA * ALPHA, region=above_two)
    with pytest.raises(InputError, match="premises"):
        apply("weaker-rdp", bound, equation, value=ALPHA**2)
