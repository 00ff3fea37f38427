"""Samples and groups: mechanisms on finite sets of records, in exact arithmetic, obey and attain the rules."""

import itertools
import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, S, exp, log

import symdp.rules  # noqa: F401
from symdp.errors import Refused
from symdp.judgments import ZCDP, ApproxDP, GaussianDP, PrivacyProfile, PureDP, Sampled
from symdp.region import Interval, Region
from symdp.rule import Query, get_rule
from symdp.rules.composition import Composition
from symdp.text import symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import conclude, given
from tests.kernels import NOWHERE, RATIOS, F, apart, fraction, number, random_law, top

EPS, DELTA, RATE = map(symbol, ("epsilon", "delta", "q"))
RELATION = {"poisson": "add/remove", "without replacement": "replace-one"}


def fact(ratio, delta, relation):
    return ApproxDP("M", log(number(ratio)), number(delta), NOWHERE, S.One, relation)


def mixture(weighted):
    terms = list(weighted)
    return [sum((w * law[i] for w, law in terms), F(0)) for i in range(len(terms[0][1]))]


def largest(pairs, ratio):
    return max(max(apart(p, q, ratio), apart(q, p, ratio)) for p, q in pairs)


def poisson(source, rate):
    """A mechanism on the subsets of two records: neighbouring pairs, and one pair of sampled mechanisms."""
    laws = {size: random_law(source, 3) for size in ("", "o", "r", "or")}
    pairs = [(laws[a], laws[b]) for a, b in (("", "o"), ("", "r"), ("o", "or"), ("r", "or"))]
    with_r = [((rate if "o" in s else 1 - rate) * (rate if "r" in s else 1 - rate), laws[s]) for s in laws]
    without_r = [(1 - rate, laws[""]), (rate, laws["o"])]
    return pairs, (mixture(with_r), mixture(without_r))


def poisson_replaced(source, rate):
    """The same where one record is replaced: not what the rule is about."""
    laws = {size: random_law(source, 3) for size in ("", "r", "s")}
    samples = [mixture([(1 - rate, laws[""]), (rate, laws[name])]) for name in "rs"]
    return [(laws["r"], laws["s"])], samples


def without_replacement(source, size):
    """A mechanism on samples of ``size`` of three records, one of which is replaced: r, s in place of each other."""
    names = [*itertools.combinations("opr", size), *itertools.combinations("ops", size)]
    laws = {frozenset(name): random_law(source, 3) for name in names}
    pairs = [(laws[a], laws[b]) for a, b in itertools.combinations(laws, 2) if len(a ^ b) == 2]
    parts = [[laws[frozenset(name)] for name in itertools.combinations(whole, size)] for whole in ("opr", "ops")]
    samples = [mixture((F(1, 3), law) for law in part) for part in parts]
    return pairs, samples


def instances(source, scheme):
    if scheme == "poisson":
        rate = F(source.randint(0, 10), 10)
        return rate, *poisson(source, rate)
    size = source.randint(1, 2)
    return F(size, 3), *without_replacement(source, size)


def wrong_samples(rule, schemes=tuple(RELATION), make=instances):
    source, found = random.Random(1), []
    for scheme in schemes:
        for _ in range(150):
            rate, pairs, sampled = make(source, scheme)
            ratio = F(source.randint(10, 50), 10)
            known = fact(ratio, largest(pairs, ratio), RELATION[scheme])
            claim = conclude(rule, known, scheme=scheme, rate=number(rate))
            a = fraction(exp(claim.epsilon))
            found += [(sampled, rate)] if largest([sampled], a) > fraction(claim.delta) else []
    for rate in (F(1, 7), F(1, 2)):  # attained: one record, and nothing else
        ratio, p, q = F(3), [F(3, 4), F(1, 4)], [F(1, 5), F(4, 5)]
        known = fact(ratio, largest([(p, q)], ratio), "add/remove")
        claim = conclude(rule, known, scheme="poisson", rate=number(rate))
        pair = mixture([(1 - rate, q), (rate, p)]), q
        found += [] if largest([pair], fraction(exp(claim.epsilon))) == fraction(claim.delta) else [rate]
    return found


def wrong_sampled_profiles(rule):
    source, found = random.Random(2), []
    for scheme in RELATION:
        for _ in range(100):
            rate, pairs, sampled = instances(source, scheme)
            lines = [(number(u), number(v)) for pair in pairs for u, v in corners(*pair)]
            known = PrivacyProfile("M", tuple(lines), True, NOWHERE, S.One, RELATION[scheme])
            claim = conclude(rule, known, scheme=scheme, rate=number(rate))
            found += [(sampled, a) for a in RATIOS if largest([sampled], a) > top(claim.lines, a)]
    return found


def corners(p, q):
    """All events, in both orders."""
    for event in itertools.product((0, 1), repeat=len(p)):
        u, v = (sum((x for x, e in zip(law, event, strict=True) if e), F(0)) for law in (p, q))
        yield u, v
        yield v, u


def test_samples():
    assert wrong_samples(get_rule("sampled-dp")) == []
    assert wrong_sampled_profiles(get_rule("sampled-profile")) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda c, m, q: replace(c, delta=q * c.delta),
        lambda c, m, q: replace(c, epsilon=log(1 + q**2 * (exp(m.epsilon) - 1))),
        lambda c, m, q: replace(c, epsilon=m.epsilon),
    ],
)
def test_mutants_of_sampling_are_refuted(change):
    rule = get_rule("sampled-dp")
    mutant = replace(rule, conclude=lambda f, p: change(rule.conclude(f, p), f[0], p["rate"]))
    assert wrong_samples(mutant)


def test_a_mutant_of_the_sampled_profile_is_refuted():
    rule = get_rule("sampled-profile")

    def unshifted(facts, params):
        """``(q u, v)``: as if the ratio did not change."""
        return replace(rule.conclude(facts, params), lines=tuple((params["rate"] * u, v) for u, v in facts[0].lines))

    assert wrong_sampled_profiles(replace(rule, conclude=unshifted))


def test_a_poisson_sample_does_not_go_with_replaced_records():
    """The rule refuses them, and would be wrong about them."""

    def mixed(source, _):
        rate = F(source.randint(1, 9), 10)
        return rate, *poisson_replaced(source, rate)

    assert wrong_samples(get_rule("sampled-dp"), ("poisson",), mixed)
    for scheme, relation in (("poisson", "replace-one"), ("without replacement", "add/remove"), ("poisson", "other")):
        with pytest.raises(Refused, match="relation"):
            apply("sampled-dp", given(fact(F(3), F(0), relation)), scheme=scheme, rate=Rational(1, 2))
    with pytest.raises(Refused, match="scheme"):
        apply("sampled-dp", given(fact(F(3), F(0), "add/remove")), scheme="every tenth", rate=Rational(1, 10))
    with pytest.raises(Refused, match="rate"):
        apply("sampled-dp", given(fact(F(3), F(0), "add/remove")), scheme="poisson", rate=Integer(2))


def test_sampling_as_a_theorem():
    region = Region.make({EPS: Interval.nonnegative(), DELTA: Interval.closed(0, 1)})
    theorem = apply(
        "sampled-dp", given(ApproxDP("M", EPS, DELTA, region, S.One, "add/remove")), scheme="poisson", rate=RATE
    )
    assert theorem.conclusion.epsilon == log(1 + RATE * (exp(EPS) - 1))
    assert theorem.conclusion.delta == RATE * DELTA
    assert theorem.conclusion.subject == Sampled("M", "poisson", RATE)
    assert "on a sample (poisson, rate q)" in theorem.conclusion.statement()
    assert replay(theorem) == from_json(to_json(theorem)) == theorem
    known = fact(F(3), F(0), "add/remove")
    query = Query(Composition((Sampled("M", "poisson", Rational(1, 9)),), 7), "delta", epsilon=S.One)
    (params,) = get_rule("sampled-dp").suggest((known,), query)
    assert params == {"scheme": "poisson", "rate": Rational(1, 9)}
    for rate, epsilon in ((S.Zero, 0), (S.One, log(3))):
        assert apply("sampled-dp", given(known), scheme="poisson", rate=rate).conclusion.epsilon == epsilon


# --- groups ---------------------------------------------------------------------------------------------------------


def chain(ratio, delta, size):
    """Laws on two points, each an (log ratio, delta) neighbour of the next: as far apart as can be."""
    mass, laws = F(0), []
    for _ in range(size + 1):
        laws.append([mass, 1 - mass])
        mass = delta + ratio * mass
    return laws


def wrong_groups(rule):
    source, found = random.Random(3), []
    for size, ratio, delta in itertools.product((1, 2, 3, 5), (F(1), F(6, 5)), (F(0), F(1, 50))):
        laws = chain(ratio, delta, size)
        assert largest(itertools.pairwise(laws), ratio) == delta
        claim = conclude(rule, fact(ratio, delta, "add/remove"), size=size)
        exact = apart(laws[-1], laws[0], fraction(exp(claim.epsilon)))
        found += [] if exact == fraction(claim.delta) else [(size, ratio, delta)]
    for _ in range(100):
        laws = [random_law(source, 3) for _ in range(4)]
        ratio = F(source.randint(10, 30), 10)
        claim = conclude(rule, fact(ratio, largest(itertools.pairwise(laws), ratio), "add/remove"), size=3)
        found += [laws] if largest([(laws[0], laws[3])], ratio**3) > fraction(claim.delta) else []
    return found


def test_groups():
    rule = get_rule("group-dp")
    assert wrong_groups(rule) == []
    assert wrong_groups(replace(rule, conclude=lambda f, p: replace(rule.conclude(f, p), delta=p["size"] * f[0].delta)))


def test_groups_as_theorems():
    """``delta (e^(k epsilon) - 1)/(e^epsilon - 1)``, at epsilon 0 ``k delta``; other neighbours, so nothing mixes."""
    region = Region.make({EPS: Interval.nonnegative(), DELTA: Interval.closed(0, 1)})
    start = given(ApproxDP("M", EPS, DELTA, region, S.One, "add/remove"))
    theorem = apply("group-dp", start, size=11)
    for b in (Integer(2), Rational(7, 3)):
        assert theorem.conclusion.delta.subs({EPS: log(b), DELTA: 1}).expand() == (b**11 - 1) / (b - 1)
    assert theorem.conclusion.delta.subs({EPS: 0, DELTA: 1}) == 11
    assert theorem.conclusion.epsilon == 11 * EPS
    assert theorem.conclusion.relation == "at most 11 steps of: add/remove"
    assert from_json(to_json(theorem)) == theorem
    with pytest.raises(Refused, match="relation"):
        apply("dp-composition", start, theorem)
    zero = apply("group-dp", given(ApproxDP("M", S.Zero, DELTA, region)), size=7)
    assert zero.conclusion.delta == 7 * DELTA
    for size in (0, True, Integer(2), None):
        with pytest.raises(Refused, match="size"):
            apply("group-dp", start, size=size)


def test_groups_of_other_guarantees():
    """Gaussian laws in a row attain ``k mu`` and ``k^2 rho``: the means are k times as far apart."""
    pure = PureDP("M", EPS, Region.make({EPS: Interval.nonnegative()}))
    assert apply("group-pure", given(pure), size=3).conclusion.epsilon == 3 * EPS
    for size in (1, 2, 7):
        mu, rho = Rational(3, 5), Rational(9, 50)
        gaussian = apply("group-gdp", given(GaussianDP("M", mu, NOWHERE)), size=size).conclusion
        assert gaussian.mu == size * mu
        assert apply("group-zcdp", given(ZCDP("M", rho, NOWHERE)), size=size).conclusion.rho == gaussian.mu**2 / 2
