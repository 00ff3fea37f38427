"""Noise after noise by translations: divergences of the true laws never exceed the rules; mutants are refuted."""

import random
from dataclasses import replace
from functools import lru_cache

import pytest
from sympy import Add, Integer, Rational, Wild, exp, log, oo, sqrt

import symdp.rules  # noqa: F401
from symdp.decide import Proved, decide, is_zero
from symdp.enclosure import enclose
from symdp.errors import InputError, Refused
from symdp.judgments import After, NoiseKernel, NoiseMechanism, NoisyIteration, after
from symdp.judgments.iteration import STARTS_L1
from symdp.judgments.privacy import NEIGHBOURS
from symdp.mechanisms.laplace import best_laplace_shift, best_split, cost, moment
from symdp.region import Interval, Region
from symdp.rule import Query, get_rule
from symdp.rules.coupling import best_theta
from symdp.text import Relation, parse_relations, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import MP, conclude, given, value

ALPHA, Z = symbol("alpha"), symbol("z")


def q(entry):
    return Rational(str(entry))


def mechanism(law, scale, sensitivity=1, norm=None):
    return NoiseMechanism(
        "M", law, q(scale), q(sensitivity), norm or {"gaussian": "l2", "laplace": "l1"}[law], Region()
    )


def kernel(law, scale, lipschitz=1, norm=None):
    return NoiseKernel("K", law, q(scale), q(lipschitz), norm or {"gaussian": "l2", "laplace": "l1"}[law], Region())


def query(alpha=None):
    return Query(after("K", "M"), "rdp", alpha=None if alpha is None else q(alpha))


def suggestions(rule, facts, alpha=None):
    return list(get_rule(rule.id.split(" ")[0]).suggest(facts, query(alpha)))


# --- the laws themselves --------------------------------------------------------------------------------------------


def sum_density(z, a, b):
    """The density of two Laplace noises of scales a and b, added."""
    if b == 0:
        return MP.exp(-abs(z) / a) / (2 * a)
    if a == b:
        return (1 + abs(z) / a) * MP.exp(-abs(z) / a) / (4 * a)
    return (a * MP.exp(-abs(z) / a) - b * MP.exp(-abs(z) / b)) / (2 * (a * a - b * b))


@lru_cache(maxsize=400)
def laplace_renyi(a, b, gap, alpha):
    """``R_alpha`` of two such laws a gap apart, by quadrature between the kinks."""
    a, b, gap, alpha = map(MP.mpf, (a, b, gap, alpha))
    with MP.workdps(20):
        far = 45 * max(a, b)

        def integrand(z):
            return sum_density(z - gap, a, b) ** alpha * sum_density(z, a, b) ** (1 - alpha)

        cuts = [-far, -far / 9, -far / 40, 0, gap / 2, gap, gap + far / 40, gap + far / 9, gap + far]
        return MP.log(MP.quad(integrand, cuts)) / (alpha - 1)


SCALES = (("1", "1"), ("1", "2"), ("3", "1"), ("1/2", "4"))


def wrong_laplace(rule):
    """Two Laplace noises; the map between them x or a multiple of it."""
    found = []
    for first, second in SCALES:
        for lipschitz, gap, alpha in (("1", "1", "4"), ("1/2", "3", "3/2"), ("2", "1/2", "8")):
            facts = mechanism("laplace", first, gap), kernel("laplace", second, lipschitz)
            moved = q(first) * q(lipschitz)
            truth = laplace_renyi(*map(float, (moved, q(second), q(lipschitz) * q(gap), q(alpha))))
            for params in [*suggestions(rule, facts, alpha), {"shift": Integer(0)}, {"shift": q(gap)}]:
                claim = value(conclude(rule, *facts, **params).value, alpha=alpha)
                found += [(facts, params)] if truth > claim + MP.mpf(10) ** -10 else []
    return found


def wrong_laplace_path(rule):
    """The same laws as an iteration, with and without a third step that is a Laplace noise alone."""
    found = []
    for first, second in SCALES:
        for gap, alpha in (("1", "4"), ("2", "3/2")):
            fact = NoisyIteration("C", (Integer(1),) * 2, (q(first), q(second)), q(gap), Region(), "laplace", STARTS_L1)
            truth = laplace_renyi(*map(float, (q(first), q(second), q(gap), q(alpha))))
            for params in suggestions(rule, (fact,), alpha):
                claim = value(conclude(rule, fact, **params).value, alpha=alpha)
                found += [fact] if truth > claim + MP.mpf(10) ** -10 else []
    return found


def wrong_single(rule):
    found = []
    for scale, gap, alpha in (("1", "1", "4"), ("2", "3", "3/2"), ("1/2", "1/3", "9")):
        truth = laplace_renyi(*map(float, (q(scale), Integer(0), q(gap), q(alpha))))
        claim = value(conclude(rule, mechanism("laplace", scale, gap)).value, alpha=alpha)
        found += [scale] if truth > claim + MP.mpf(10) ** -10 else []
    return found


def far_out(scales, gap):
    """The largest privacy loss of two added noises on a grid that reaches far out."""
    first, second = map(MP.mpf, scales)
    points = [MP.mpf(k) * max(first, second) / 4 for k in range(-400, 401)]
    ratios = (sum_density(z - gap, first, second) / sum_density(z, first, second) for z in points)
    return MP.log(max(max(r, 1 / r) for r in ratios))


def pure(rule, scales, gap):
    fact = NoisyIteration("C", (Integer(1),) * 2, tuple(map(q, scales)), q(gap), Region(), "laplace", STARTS_L1)
    best = min((1, 2), key=lambda step: 1 / q(scales[step - 1]))
    return value(conclude(rule, fact, step=best).epsilon)


def wrong_pure(rule):
    tries = [(tuple(float(q(s)) for s in scales), gap, scales) for scales in SCALES for gap in ("1/2", "2")]
    return [t for t in tries if far_out(t[0], float(q(t[1]))) > pure(rule, t[2], t[1]) + MP.mpf(10) ** -12]


def wrong_gaussian(rule):
    """Linear maps: two Gaussian laws of variance ``L^2 s1^2 + s2^2``, their means ``L Delta`` apart."""
    source, found = random.Random(3), []
    for _ in range(60):
        s1, s2, lipschitz, gap = (Rational(source.randint(1, 30), 10) for _ in range(4))
        facts = mechanism("gaussian", s1, gap), kernel("gaussian", s2, lipschitz if source.random() < 0.9 else 0)
        slope = facts[1].lipschitz
        truth = ALPHA * (slope * gap) ** 2 / (2 * (slope**2 * s1**2 + s2**2))
        for theta in [p["theta"] for p in suggestions(rule, facts)] + [Rational(source.randint(0, 9), 9)]:
            claim = conclude(rule, *facts, theta=theta).value
            found += [facts] if (truth - claim).subs(ALPHA, 1) > 0 else []
    return found


FALSIFIERS = {
    "coupling-gaussian": wrong_gaussian,
    "coupling-laplace": wrong_laplace,
    "laplace-path": wrong_laplace_path,
    "laplace-rdp": wrong_single,
    "laplace-pure": wrong_pure,
}


@pytest.mark.parametrize("rule_id", FALSIFIERS)
def test_no_instance_violates_the_rule(rule_id):
    assert FALSIFIERS[rule_id](get_rule(rule_id)) == []


def swapped(expr):
    """Every ``alpha e^u + (alpha-1) e^v`` with its two coefficients swapped."""
    a, u, v = ALPHA, Wild("u"), Wild("v")
    return expr.replace(a * exp(u) + (a - 1) * exp(v), (a - 1) * exp(u) + a * exp(v))


MUTANTS = {
    "the coefficients of g swapped": ("coupling-laplace", lambda claim: replace(claim, value=swapped(claim.value))),
    "g swapped, one mechanism": ("laplace-rdp", lambda claim: replace(claim, value=swapped(claim.value))),
    "g swapped, a path": ("laplace-path", lambda claim: replace(claim, value=swapped(claim.value))),
    "the second noise forgotten to cost": ("coupling-gaussian", lambda claim: replace(claim, value=claim.value / 2)),
    "the narrowest noise": ("laplace-pure", lambda claim: replace(claim, epsilon=claim.epsilon * Rational(9, 10))),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_refuted(name):
    rule_id, change = MUTANTS[name]
    rule = get_rule(rule_id)
    changed = replace(rule, id=f"{rule_id} x", conclude=lambda facts, params: change(rule.conclude(facts, params)))
    assert FALSIFIERS[rule_id](changed)


def test_the_swap_of_the_mutants_does_something():
    assert is_zero(swapped(moment(Z, ALPHA)) - moment(Z, ALPHA)) is False


# --- Gaussian noise -------------------------------------------------------------------------------------------------

S1, S2, L, DELTA = map(symbol, ("s1", "s2", "L", "Delta"))
WHERE = Region.from_relations(parse_relations("s1>0, s2>0, L>=0, Delta>=0", place="where"), [S1, S2, L, DELTA])
PAIR = (
    NoiseMechanism("M", "gaussian", S1, DELTA, "l2", WHERE),
    NoiseKernel("K", "gaussian", S2, L, "l2", WHERE),
)


def test_the_best_theta_gives_the_examples():
    premises = tuple(map(given, PAIR))
    fact = apply("coupling-gaussian", *premises, theta=best_theta(*PAIR))
    assert fact.conclusion.subject == After("K", "M")
    assert is_zero(fact.conclusion.value - ALPHA * (L * DELTA) ** 2 / (2 * ((L * S1) ** 2 + S2**2)), fact.region)
    assert fact.conclusion.value.subs(L, 0) == 0
    one = fact.conclusion.value.subs(L, 1)
    assert is_zero(one - ALPHA * DELTA**2 / (2 * (S1**2 + S2**2)), fact.region)
    gdp = apply("path-optimum", apply("noise-step", apply("noise-start", premises[0]), premises[1]))
    assert is_zero(fact.conclusion.value - ALPHA * gdp.conclusion.mu**2 / 2, fact.region), "Theorem 2 attains it"
    assert replay(fact) == fact
    assert from_json(to_json(fact)) == fact


def test_no_theta_is_better_and_the_mutated_one_is_worse():
    theta = symbol("theta")
    region = WHERE.extend({theta: Interval.closed(0, 1), ALPHA: Interval.open(1, oo)})
    at = conclude(get_rule("coupling-gaussian"), *PAIR, theta=theta).value
    best = ALPHA * (L * DELTA) ** 2 / (2 * ((L * S1) ** 2 + S2**2))
    assert isinstance(decide(Relation(at - best, ">="), region), Proved)
    plain = {L: Integer(1), S1: Integer(1), S2: Integer(2), DELTA: Integer(1), ALPHA: Integer(2)}
    mutated = at.subs(theta, 1 / (1 + S1**2 / S2**2))
    assert mutated.subs(plain) > best.subs(plain), "theta = 1/(1 + s1^2/s2^2) is not the optimum"
    # where both noises are alike the two are one
    assert is_zero((mutated - best).subs({L: 1, S2: S1}), region)


def test_a_public_problem_of_gaussian_noise():
    pair = tuple(map(given, (mechanism("gaussian", 1), kernel("gaussian", 2, "1/2"))))
    fact = apply("coupling-gaussian", *pair, theta=best_theta(*(p.conclusion for p in pair))).conclusion
    assert fact.value.subs(ALPHA, 10) == Rational(5, 17)
    assert (fact.relation, fact.sensitivity) == (NEIGHBOURS, 1)


# --- Laplace noise --------------------------------------------------------------------------------------------------


def test_a_public_problem_of_laplace_noise():
    pair = mechanism("laplace", 1), kernel("laplace", 1)
    (params,) = suggestions(get_rule("coupling-laplace"), pair, 4)
    fact = apply("coupling-laplace", *map(given, pair), **params)
    found = enclose(fact.conclusion.value, {ALPHA: 4}, 25)
    assert found.to_decimal(20)[0] == "0.64185306035743501416"
    optimum = best_laplace_shift(4, 1, 1, 1, 25)
    assert optimum.lengths == (Rational(1, 2), Rational(1, 2))
    assert optimum.value.lower <= found.upper
    assert found.lower <= optimum.value.upper
    assert from_json(to_json(fact)) == fact


@pytest.mark.parametrize(
    "values",
    [
        ("4", "1", "2", "1"),
        ("3/2", "1", "1/3", "5"),
        ("64", "1", "2", "7/5"),
        ("2", "1/100", "1", "10"),
        ("9", "3", "3", "2"),
    ],
)
def test_the_best_shift_is_certified(values):
    alpha, first, second, gap = map(Rational, values)
    optimum = best_laplace_shift(alpha, first, second, gap, 30)
    low, high = optimum.value.lower, optimum.value.upper
    assert optimum.value.proved_digits >= 30
    assert Add(*optimum.lengths) == gap
    for k in range(101):
        w = gap * Rational(k, 100)
        assert enclose(cost((w / first, (gap - w) / second), alpha), {}, 40).upper >= low
    pair = mechanism("laplace", first, gap), kernel("laplace", second)
    (params,) = suggestions(get_rule("coupling-laplace"), pair, alpha)
    fact = apply("coupling-laplace", *map(given, pair), **params).conclusion
    assert enclose(fact.value, {ALPHA: alpha}, 40).upper <= MP.mpf(high) * (1 + MP.mpf(10) ** -30)
    for end in (Integer(0), gap):
        other = apply("coupling-laplace", *map(given, pair), shift=end).conclusion
        assert enclose(other.value, {ALPHA: alpha}, 40).lower > high, "a shift between the ends is always better"


def test_splits_over_many_noises_are_the_best():
    source = random.Random(5)
    for _ in range(12):
        rates = [Rational(source.randint(1, 20), 10) for _ in range(source.randint(1, 5))]
        alpha, gap = Rational(source.randint(11, 90), 10), Rational(source.randint(1, 40), 10)
        best = best_split(alpha, rates, gap, 20)
        assert Add(*best.lengths) == gap
        assert all(length >= 0 for length in best.lengths)
        assert best.value.proved_digits >= 20
        for _ in range(10):
            weights = [source.randint(0, 9) for _ in rates]
            weights[0] += 1
            lengths = [gap * w / sum(weights) for w in weights]
            other = cost([r * w for r, w in zip(rates, lengths, strict=True)], alpha)
            assert enclose(other, {}, 30).upper >= best.value.lower


def test_a_noise_at_which_nothing_is_left_takes_all():
    assert best_split(3, [1, 0, 2], 5).lengths == (0, 5, 0)
    assert best_split(3, [1, 0, 2], 5).value.upper == 0
    assert best_split(3, [1, 2], 0).value.upper == 0
    pair = mechanism("laplace", 1), kernel("laplace", 1, 0)
    (params,) = suggestions(get_rule("coupling-laplace"), pair, 4)
    assert apply("coupling-laplace", *map(given, pair), **params).conclusion.value == 0


@pytest.mark.parametrize("bad", [(1, 1, 1, 1), (2, 0, 1, 1), (2, 1, -1, 1), (2, 1, 1, -1)])
def test_splits_of_wrong_parameters_are_errors(bad):
    with pytest.raises(InputError):
        best_laplace_shift(*bad)


def test_large_orders_tend_to_the_widest_noise():
    """The limit of the best bound is ``Delta/max(l1, l2)``, what Lemma 3 says of pure privacy."""
    for first, second in ((1, 2), (3, 1), (1, 1)):
        limit = Rational(1, max(first, second))
        gaps = [best_laplace_shift(10**k, first, second, 1, 15).value for k in (1, 2, 3, 4)]
        distances = [limit - Rational(str(e.to_decimal(15)[0])) for e in gaps]
        assert all(0 < far < Rational(2, 10**k) for k, far in enumerate(distances, 0))
        assert distances == sorted(distances, reverse=True)


def test_the_loss_tends_to_the_pure_bound_so_that_none_smaller_will_do():
    for scales in (("1", "2"), ("3", "1"), ("1/2", "4")):
        bound = pure(get_rule("laplace-pure"), scales, "2")
        loss = far_out(tuple(float(q(s)) for s in scales), 2.0)
        assert bound - MP.mpf(10) ** -8 < loss <= bound + MP.mpf(10) ** -12
    # equal scales: the loss creeps up to Delta/l
    far = MP.mpf(10) ** 6
    assert MP.mpf(2) - MP.log(sum_density(far, 1, 1) / sum_density(far + 2, 1, 1)) < MP.mpf(10) ** -5


def test_pure_privacy_of_three_noises():
    fact = given(
        NoisyIteration(
            "C",
            (Integer(1), Integer(1), Rational(1, 2)),
            tuple(map(Integer, (1, 2, 3))),
            Integer(1),
            Region(),
            "laplace",
            STARTS_L1,
        )
    )
    best = apply("laplace-pure", fact, step=3).conclusion
    assert best.epsilon == Rational(1, 6)
    with pytest.raises(Refused, match="step 2 hides no better"):
        apply("laplace-pure", fact, step=1)
    with pytest.raises(Refused, match="step"):
        apply("laplace-pure", fact, step=4)


def test_one_laplace_mechanism_in_symbols():
    scale = symbol("l")
    region = Region.make({scale: Interval.positive(), DELTA: Interval.nonnegative()})
    fact = apply("laplace-rdp", given(NoiseMechanism("M", "laplace", scale, DELTA, "l1", region)))
    z = DELTA / scale
    g = ALPHA / (2 * ALPHA - 1) * exp(z * (ALPHA - 1)) + (ALPHA - 1) / (2 * ALPHA - 1) * exp(-z * ALPHA)
    assert is_zero(fact.conclusion.value - log(g) / (ALPHA - 1), fact.region)
    assert fact.tightness == "exact"
    truth = laplace_renyi(2.0, 0.0, 3.0, 5.0)
    assert abs(value(fact.conclusion.value, l="2", Delta="3", alpha="5") - truth) < MP.mpf(10) ** -10, "attained"


def test_splits_in_symbols():
    region = Region.make({S1: Interval.positive(), S2: Interval.positive()})
    first = NoiseMechanism("M", "laplace", S1, Integer(1), "l1", region)
    same, other = (NoiseKernel("K", "laplace", s, Integer(1), "l1", region) for s in (S1, S2))
    rule = get_rule("coupling-laplace")
    assert suggestions(rule, (first, same)) == [{"shift": Rational(1, 2)}]
    ends = [
        apply("coupling-laplace", given(first), given(other), **p).conclusion for p in suggestions(rule, (first, other))
    ]
    assert is_zero(ends[0].value - cost((1 / S1,), ALPHA), ends[0].region), "data processing"
    assert is_zero(ends[1].value - cost((1 / S2,), ALPHA), ends[1].region)


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule_id", "first", "second", "params", "failed"),
    [
        ("coupling-gaussian", mechanism("gaussian", 1), kernel("laplace", 1), {"theta": "1/2"}, "norms do not mix"),
        ("coupling-gaussian", mechanism("laplace", 1), kernel("laplace", 1), {"theta": "1/2"}, "need gaussian noise"),
        ("coupling-laplace", mechanism("gaussian", 1), kernel("laplace", 1), {"shift": "1/2"}, "need laplace noise"),
        (
            "coupling-laplace",
            mechanism("laplace", 1, norm="l2"),
            kernel("laplace", 1),
            {"shift": "1"},
            "measured in l2",
        ),
        ("coupling-gaussian", mechanism("gaussian", 0), kernel("gaussian", 1), {"theta": "1/2"}, "noise 0 > 0"),
        ("coupling-gaussian", mechanism("gaussian", 1), kernel("gaussian", 1, -1), {"theta": "1/2"}, "Lipschitz"),
        ("coupling-gaussian", mechanism("gaussian", 1, -1), kernel("gaussian", 1), {"theta": "1/2"}, "sensitivity"),
        ("coupling-gaussian", mechanism("gaussian", 1), kernel("gaussian", 1), {"theta": "-1/2"}, "theta"),
        ("coupling-gaussian", mechanism("gaussian", 1), kernel("gaussian", 1), {"theta": "3/2"}, "theta at most 1"),
        ("coupling-laplace", mechanism("laplace", 1), kernel("laplace", 1), {"shift": "-1/2"}, "shift"),
        ("coupling-laplace", mechanism("laplace", 1), kernel("laplace", 1), {"shift": "3/2"}, "shift at most Delta"),
        ("coupling-laplace", mechanism("laplace", 1), kernel("laplace", 0), {"shift": "1/2"}, "noise 0 > 0"),
    ],
)
def test_what_a_coupling_does_not_cover_is_refused(rule_id, first, second, params, failed):
    with pytest.raises(Refused, match=failed):
        apply(rule_id, given(first), given(second), **{name: Rational(v) for name, v in params.items()})


def test_searches_try_what_is_asked_for():
    pair = mechanism("laplace", 1), kernel("laplace", 2)
    rule = get_rule("coupling-laplace")
    assert len(list(rule.suggest(pair, Query(after("K", "M"), "epsilon", orders=(Integer(3), Integer(5)))))) == 2
    assert len(list(rule.suggest(pair, Query(after("K", "M"), "epsilon")))) > 2
    assert list(rule.suggest((mechanism("gaussian", 1), kernel("gaussian", 1)), query(4))) == []
    assert list(get_rule("coupling-gaussian").suggest(pair, query(4))) == []


def test_roots_are_exact_too():
    optimum = best_laplace_shift(2, sqrt(2), 1, sqrt(3), 20)
    assert is_zero(Add(*optimum.lengths) - sqrt(3), Region())
    assert all(is_zero(length) is False for length in optimum.lengths)
