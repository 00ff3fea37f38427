"""Rules to (epsilon, delta): known answers, mechanisms that must keep the promise, mutants they refute."""

import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, log, oo, sqrt

from symdp.epsilon import gaussian_delta, gaussian_epsilon, renyi_epsilon
from symdp.errors import Forged, InputError, Refused
from symdp.judgments import ZCDP, ApproxDP, GaussianDP, RenyiDP
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.rules import approximate
from symdp.text import Relation, parse, parse_relations, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import (
    MP,
    conclude,
    cut_gaussians,
    gaussian_profile,
    given,
    hockey_stick,
    normal,
    random_law,
    rare_leak,
    renyi,
    value,
)

ALPHA, RHO, MU, DELTA, CHANCE, LOSS = map(symbol, ("alpha", "rho", "mu", "Delta", "delta", "loss"))
ORDERS = Region.make({ALPHA: Interval.open(1, oo)})
POSITIVE = Region.make({RHO: Interval.positive()})
UP_TO_ONE = Interval.open(0, 1)
# the loss is a symbol, so that the falsifier can put the divergence of any mechanism in its place
RENYI = RenyiDP("M", LOSS, DELTA, "add/remove", ORDERS.extend({LOSS: Interval.nonnegative()}))


def mutant(rule_id, change):
    """A copy of the rule with another epsilon; it is not registered."""
    rule = get_rule(rule_id)

    def altered(facts, params):
        fact = rule.conclude(facts, params)
        return replace(fact, epsilon=change(fact.epsilon))

    return replace(rule, id=f"{rule_id} (mutant)", conclude=altered)


# --- falsifiers: the instances where the true delta is above the promise ---------------------------------------------


def broken_renyi_promises(rule):
    source, found = random.Random(4), []
    claim = conclude(rule, RENYI, delta=CHANCE)
    pairs = [rare_leak(MP.mpf(10) ** -k, MP.mpf(loss)) for k in (2, 6) for loss in (4, 12, 30)]
    pairs += [(random_law(source, n), random_law(source, n)) for n in (2, 3, 6) for _ in range(3)]
    for p, q in pairs:
        for alpha in (MP.mpf("1.1"), MP.mpf(3), MP.mpf(20)):
            for delta in (p[0] / alpha, MP.mpf("0.3"), MP.mpf("1e-6"), MP.mpf("1e-12")):
                epsilon = value(claim.epsilon, loss=renyi(p, q, alpha), alpha=alpha, delta=delta)
                if hockey_stick(p, q, epsilon) > delta * (1 + MP.mpf(10) ** -15):
                    found.append((alpha, delta))
    return found


def broken_concentrated_promises(rule):
    """Gaussian laws at distance mu are mu^2/2-zCDP."""
    claim, found = conclude(rule, ZCDP("M", RHO, POSITIVE), delta=CHANCE), []
    for mu in (MP.mpf("0.01"), MP.mpf("0.5"), MP.mpf(4)):
        for delta in (MP.mpf("0.5"), MP.mpf("1e-3"), MP.mpf("1e-20"), MP.mpf("1e-300")):
            epsilon = value(claim.epsilon, rho=mu**2 / 2, delta=delta)
            if gaussian_profile(mu, epsilon) > delta:
                found.append((mu, delta))
    return found


CASES = [
    ("dp-of-rdp", broken_renyi_promises, lambda e: e - log(ALPHA) / (10 * (ALPHA - 1))),
    ("dp-of-rdp", broken_renyi_promises, lambda e: e + log((ALPHA - 1) / ALPHA) / 10),
    ("dp-of-rdp", broken_renyi_promises, lambda e: e - log(1 / CHANCE) / (ALPHA - 1) + log(1 / CHANCE) / ALPHA),
    ("dp-of-rdp-mironov", broken_renyi_promises, lambda e: e - log(1 / CHANCE) / (ALPHA - 1) + log(1 / CHANCE) / ALPHA),
    ("dp-of-rdp-mironov", broken_renyi_promises, lambda e: e - LOSS / 2),
    ("dp-of-zcdp", broken_concentrated_promises, lambda e: e - sqrt(RHO * log(1 / CHANCE))),
    ("dp-of-zcdp", broken_concentrated_promises, lambda e: e - 2 * RHO),
]


@pytest.mark.parametrize(("rule_id", "falsify"), dict.fromkeys((rule, falsify) for rule, falsify, _ in CASES))
def test_mechanisms_obey_the_rule(rule_id, falsify):
    assert falsify(get_rule(rule_id)) == []


@pytest.mark.parametrize(("rule_id", "falsify", "change"), CASES)
def test_mutants_are_refuted(rule_id, falsify, change):
    assert falsify(mutant(rule_id, change)) != []


# --- known answers, through the kernel -------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule_id", "form"), [("dp-of-rdp", "cks"), ("dp-of-rdp-mironov", "mironov")])
def test_the_theorem_and_the_certified_number_agree(rule_id, form):
    """At the best order that the numbers find, the theorem says the same epsilon."""
    from symdp.enclosure import enclose

    curve = RenyiDP("M", ALPHA / 2, DELTA, "add/remove", ORDERS)
    best, order = renyi_epsilon(lambda a: enclose(ALPHA / 2, {ALPHA: a}, 60), "1e-5", 40, form=form)
    chosen = Rational(order.numerator, order.denominator)
    theorem = apply(rule_id, given(curve), delta=Rational(1, 10**5), order=chosen)
    assert theorem.conclusion.region == Region()
    assert enclose(theorem.conclusion.epsilon, {}, 45).overlaps(best)
    everywhere = apply(rule_id, given(curve), delta=CHANCE).conclusion
    assert everywhere.region == ORDERS.extend({CHANCE: UP_TO_ONE})
    same = enclose(everywhere.epsilon, {ALPHA: chosen, CHANCE: Rational(1, 10**5)}, 45)
    assert same.overlaps(enclose(theorem.conclusion.epsilon, {}, 45))


def test_rare_leaks_make_the_conversion_nearly_tight():
    """A leak of probability delta alpha whose loss dominates: the epsilon of the rule is the true one to 10 digits."""
    alpha = MP.mpf(6)
    p, q = rare_leak(MP.mpf("1e-3"), MP.mpf(20))
    delta = p[0] / alpha
    claim = conclude(get_rule("dp-of-rdp"), RENYI, delta=CHANCE)
    epsilon = value(claim.epsilon, loss=renyi(p, q, alpha), alpha=alpha, delta=delta)
    assert abs(hockey_stick(p, q, epsilon) / delta - 1) < MP.mpf(10) ** -10


def test_mironov_at_its_best_order_is_the_concentrated_form():
    premise = given(ZCDP("M", RHO, POSITIVE))
    best = 1 + sqrt(log(1 / CHANCE) / RHO)
    region = POSITIVE.extend({CHANCE: UP_TO_ONE})
    curve = RenyiDP("M", RHO * ALPHA, DELTA, "the same neighbours", region.extend({ALPHA: Interval.open(1, oo)}))
    through = apply("dp-of-rdp-mironov", given(curve), delta=CHANCE, order=best).conclusion
    direct = apply("dp-of-zcdp", premise, delta=CHANCE).conclusion
    assert through.region == direct.region == region
    for rho, delta in (("1/2", "1e-5"), ("3", "1/7")):
        values = {"rho": rho, "delta": str(Rational(delta))}
        assert abs(value(through.epsilon, **values) - value(direct.epsilon, **values)) < MP.mpf(10) ** -25


def test_truncated_concentration_takes_only_orders_it_has():
    """(rho, omega)-tCDP is a Renyi bound for orders below omega: the order has to lie there, which is decided."""
    omega = symbol("omega")
    region = Region.make({RHO: Interval.positive(), omega: Interval.open(2, oo), ALPHA: Interval.open(1, oo)})
    region = region.intersect(parse_relations("alpha <= omega", place="test"))
    curve = given(RenyiDP("M", RHO * ALPHA, DELTA, "add/remove", region))
    for order in (omega, 1 + omega / 3, Integer(2)):
        conclusion = apply("dp-of-rdp", curve, delta=CHANCE, order=order).conclusion
        assert ALPHA not in conclusion.epsilon.free_symbols | set(conclusion.region.symbols)
    for order in (omega + 1, Integer(3), Integer(1), omega / 3):
        with pytest.raises(Refused, match="order"):
            apply("dp-of-rdp", curve, delta=CHANCE, order=order)
    with pytest.raises(InputError):
        apply("dp-of-rdp", curve, delta=CHANCE, order=ALPHA)


def test_what_delta_may_be():
    curve = given(RenyiDP("M", ALPHA, DELTA, "add/remove", ORDERS))
    for delta in (Integer(0), Rational(-1, 2)):
        with pytest.raises(Refused, match="delta"):
            apply("dp-of-rdp", curve, delta=delta)
        with pytest.raises(Refused, match="delta"):
            apply("dp-of-zcdp", given(ZCDP("M", RHO, POSITIVE)), delta=delta)
    with pytest.raises(Refused, match="at most 1"):
        apply("dp-of-zcdp", given(ZCDP("M", RHO, POSITIVE)), delta=Integer(2))
    with pytest.raises(Refused, match="rho"):
        apply("dp-of-zcdp", given(ZCDP("M", RHO, Region.make({RHO: Interval.real()}))), delta=CHANCE)
    unnamed = given(RenyiDP("M", RHO, DELTA, "add/remove", POSITIVE))
    with pytest.raises(Refused, match="orders"):
        apply("dp-of-rdp", unnamed, delta=CHANCE, order=Integer(2))


# --- the Gaussian profile --------------------------------------------------------------------------------------------


def gaussian(mu=MU, region=None):
    return given(GaussianDP("M", mu, Region.make({MU: Interval.positive()}) if region is None else region))


def numbers(text):
    return tuple((symbol(name), parse(number)) for name, number in (item.split("=") for item in text.split(",")))


def test_the_known_gaussian_profile():
    """mu = 1, epsilon = 1: delta is 0.126936737506640458..., and nothing below it is accepted."""
    truth = normal(MP.mpf(-0.5)) - MP.e * normal(MP.mpf(-1.5))
    assert abs(truth - MP.mpf("0.12693673750664")) < MP.mpf(10) ** -14
    enough, short = (
        Rational(str(MP.nstr(truth * factor, 25))) for factor in (1 + MP.mpf(10) ** -20, 1 - MP.mpf(10) ** -20)
    )
    theorem = apply("dp-of-gdp", gaussian(), at=numbers("mu=1"), epsilon=Integer(1), delta=enough)
    assert theorem.conclusion == ApproxDP("M", Integer(1), enough, Region.make({MU: Interval.point(1)}))
    assert [item.verdict for item in theorem.evidence] == ["proved", "proved", "certified"]
    assert theorem.tightness == "upper"  # delta may be larger than it need be
    assert replay(theorem) == from_json(to_json(theorem)) == theorem
    with pytest.raises(Refused, match="profile"):
        apply("dp-of-gdp", gaussian(), at=numbers("mu=1"), epsilon=Integer(1), delta=short)


def test_the_certified_epsilon_makes_a_theorem():
    for mu, delta in (("1/3", "1e-5"), ("sqrt(2)", "1e-9"), ("7", "3/4")):
        upper = gaussian_epsilon(mu, delta, 30).upper
        epsilon = Rational(int(upper.man)) * Rational(2) ** int(upper.exp)
        apply("dp-of-gdp", gaussian(), at=numbers(f"mu={mu}"), epsilon=epsilon, delta=parse(delta))
        with pytest.raises(Refused, match="profile"):
            apply(
                "dp-of-gdp",
                gaussian(),
                at=numbers(f"mu={mu}"),
                epsilon=epsilon * Rational(999, 1000),
                delta=parse(delta),
            )


def test_histograms_of_gaussians_keep_the_promise():
    source = random.Random(5)
    for mu in ("1/2", "2"):
        for cuts in (1, 4, 9):
            p, q = cut_gaussians(source, MP.mpf(Rational(mu)), cuts)
            for epsilon in ("0", "1/2", "3"):
                delta = Rational(*gaussian_delta(mu, epsilon, 20).upper_float().as_integer_ratio())
                apply("dp-of-gdp", gaussian(), at=numbers(f"mu={mu}"), epsilon=parse(epsilon), delta=delta)
                for first, second in ((p, q), (q, p)):
                    assert hockey_stick(first, second, MP.mpf(Rational(epsilon))) <= MP.mpf(delta)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_mutated_profile_is_caught(monkeypatch, sign):
    """Delta at a larger epsilon, or at a smaller mu: the half line of the Gaussian pair itself breaks the promise."""
    wrong = (
        (lambda mu, e, d: gaussian_delta(mu, 2 * e, d)) if sign > 0 else (lambda mu, e, d: gaussian_delta(mu / 2, e, d))
    )
    monkeypatch.setattr(approximate, "gaussian_delta", wrong)
    theorem = apply("dp-of-gdp", gaussian(), at=numbers("mu=1"), epsilon=Integer(1), delta=Rational(1, 20))
    assert gaussian_profile(MP.mpf(1), MP.mpf(1)) > MP.mpf(theorem.conclusion.delta)
    monkeypatch.undo()
    with pytest.raises(Forged, match="profile"):
        replay(theorem)


def test_where_the_gaussian_bound_holds():
    t = symbol("t")
    region = Region.make({t: Interval.positive(), DELTA: Interval.nonnegative(), ALPHA: Interval.open(1, oo)})
    premise = gaussian(DELTA / sqrt(2 * t), region)
    at, half = numbers("t=1/2,Delta=1"), Rational(1, 2)
    assert apply("dp-of-gdp", premise, at=at, epsilon=Integer(1), delta=half).conclusion.region.symbols == (t, DELTA)
    with pytest.raises(Refused, match="region"):
        apply("dp-of-gdp", premise, at=numbers("t=-1/2,Delta=1"), epsilon=Integer(1), delta=half)
    for some in ("t=1/2", "t=1/2,Delta=1,rho=3"):
        with pytest.raises(Refused, match="values"):
            apply("dp-of-gdp", premise, at=numbers(some), epsilon=Integer(1), delta=half)
    zero = apply("dp-of-gdp", premise, at=numbers("t=1/2,Delta=0"), epsilon=Integer(0), delta=Integer(0))
    assert zero.conclusion.delta == 0
    with pytest.raises(Refused, match="profile"):
        apply("dp-of-gdp", premise, at=at, epsilon=Integer(-1), delta=half)


def test_an_unknown_profile_is_not_accepted(monkeypatch):
    """Delta equal to the profile to all the digits tried: unknown, hence refused."""
    monkeypatch.setattr(approximate, "_PROFILE_DIGITS", (10,))
    close = gaussian_delta(1, 1, 40).mid
    delta = Rational(int(close.man)) * Rational(2) ** int(close.exp)
    with pytest.raises(Refused) as caught:
        apply("dp-of-gdp", gaussian(), at=numbers("mu=1"), epsilon=Integer(1), delta=delta)
    assert caught.value.hypotheses[-1].verdict == "unknown"
    assumed = apply("dp-of-gdp", gaussian(), at=numbers("mu=1"), epsilon=Integer(1), delta=delta, assuming=("profile",))
    assert assumed.status == "conditional"


@pytest.mark.parametrize(
    ("rule_id", "fact", "params"),
    [
        ("dp-of-rdp", RENYI, {"delta": CHANCE}),
        ("dp-of-rdp-mironov", RENYI, {"delta": Rational(1, 9), "order": Integer(4)}),
        ("dp-of-zcdp", ZCDP("M", RHO, POSITIVE), {"delta": CHANCE}),
    ],
)
def test_theorems_survive_replay_and_json(rule_id, fact, params):
    theorem = apply(rule_id, given(fact), **params)
    assert replay(theorem) == from_json(to_json(theorem)) == theorem
    assert theorem.tightness == "upper"
    assert Relation(symbol("delta"), ">") not in theorem.conclusion.region.constraints
    with pytest.raises(InputError, match="takes the premises"):
        apply(rule_id, theorem, **params)
