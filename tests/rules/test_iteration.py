"""Noisy iterations: exact linear Gaussian chains and projected chains must obey the rules; mutants are refuted."""

import random
from dataclasses import replace

import numpy as np
import pytest
from sympy import Add, Integer, Rational, oo, sqrt

import symdp.rules  # noqa: F401
from symdp.decide import is_zero
from symdp.enclosure import enclose
from symdp.errors import InputError, Refused
from symdp.judgments import After, GaussianDP, NoiseKernel, NoiseMechanism, NoisyIteration, RenyiDP, UniformIteration
from symdp.judgments.iteration import STARTS, STARTS_L1
from symdp.judgments.privacy import NEIGHBOURS
from symdp.region import Interval, Region
from symdp.rule import Query, get_rule
from symdp.rules.iteration import best_lengths
from symdp.text import parse_relations, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.chains import Projected, exceeds, linear_mu
from tests.guarantees import MP, conclude, given

ALPHA = symbol("alpha")
L, R, S, DELTA = map(symbol, ("L", "r", "s", "Delta"))
CONTRACTION = Region.from_relations(parse_relations("L>0, L<1, r>=1, s>0, Delta>=0", place="where"), [L, R, S, DELTA])
ANY = Query("C", "rdp", alpha=Integer(2))


def q(entry):
    return Rational(str(entry))


def chain(lipschitz, sigma, sensitivity=1, law="gaussian", region=None):
    constants = (tuple(map(q, entries)) for entries in (lipschitz, sigma))
    relation = STARTS_L1 if law == "laplace" else STARTS
    return NoisyIteration("C", *constants, q(sensitivity), region or Region(), law, relation)


def equal(lipschitz, sigma, steps, sensitivity=1):
    return UniformIteration("C", *map(q, (lipschitz, sigma, steps, sensitivity)), Region())


def random_chain(source, most=6, high=18):
    """Lipschitz constants below and above 1, sometimes 0, and noises."""
    steps = source.randint(1, most)
    constants = [0 if source.random() < 0.05 else Rational(source.randint(1, high), 10) for _ in range(steps)]
    return chain(constants, [Rational(source.randint(2, 30), 10) for _ in range(steps)], source.randint(1, 5))


def suggested(rule, *facts):
    return list(get_rule(rule.id.split(" ")[0]).suggest(facts, ANY))


def squared(fact):
    """The squared mu that a conclusion claims: of a Gaussian statement, or of a Renyi bound linear in the order."""
    found = fact.mu**2 if isinstance(fact, GaussianDP) else fact.value.subs(ALPHA, 1) * 2
    return float(enclose(found, {}, 15).upper)


# --- falsifiers: instances that a conclusion does not allow ---------------------------------------------------------


def wrong_linear(rule):
    """Linear maps of slopes up to the Lipschitz constants, all of them first."""
    source, found = random.Random(4), []
    for _ in range(60):
        fact = random_chain(source)
        for params in suggested(rule, fact):
            claim = squared(conclude(rule, fact, **params))
            for share in (1, source.random(), source.random()):
                slopes = [float(constant) * share ** (k % 2) for k, constant in enumerate(fact.lipschitz)]
                truth = linear_mu(slopes, list(map(float, fact.sigma)), float(fact.sensitivity))
                found += [fact] if truth**2 > claim * (1 + 1e-9) + 1e-12 else []
    return found


def wrong_equal(rule):
    source, found = random.Random(5), []
    for constant in ("0", "1/10", "1/2", "9/10", "1"):
        for steps in (1, 2, 5, 20):
            fact = equal(constant, Rational(source.randint(2, 30), 10), steps, 2)
            truth = linear_mu([float(fact.lipschitz)] * steps, [float(fact.sigma)] * steps, 2.0)
            found += [fact] if truth**2 > squared(conclude(rule, fact)) * (1 + 1e-9) + 1e-12 else []
    return found


def wrong_projected(rule):
    """Maps that bend, on an interval: contractions, expansions, an oscillation."""
    source, found = random.Random(6), []
    shapes = [
        (0.5, lambda x: 0.5 * np.sin(x)),
        (1, lambda x: np.abs(x)),
        (1.5, lambda x: 1.5 * np.clip(x, -0.5, 0.5)),
        (0.9, lambda x: 0.9 * x + 0.3),
    ]
    line = Projected(-1, 1)
    for _ in range(10):
        chosen = [source.choice(shapes) for _ in range(source.randint(1, 4))]
        sigma = [source.choice((0.4, 1.0)) for _ in chosen]
        start = source.uniform(-1, 0.2)
        steps = [(shape, noise) for (_, shape), noise in zip(chosen, sigma, strict=True)]
        p, other = line.run(start, steps), line.run(start + 0.8, steps)
        fact = chain([constant for constant, _ in chosen], sigma, "4/5")
        for params in suggested(rule, fact):
            mu = squared(conclude(rule, fact, **params)) ** 0.5
            found += [fact] if exceeds(p, other, mu) else []
    return found


FALSIFIERS = {
    "path-optimum": (wrong_linear, wrong_projected),
    "iteration-path": (wrong_linear, wrong_projected),
    "path-optimum-uniform": (wrong_equal,),
    "iteration-rate": (wrong_equal,),
}


@pytest.mark.parametrize("rule_id", FALSIFIERS)
def test_no_instance_violates_the_rule(rule_id):
    assert [wrong(get_rule(rule_id)) for wrong in FALSIFIERS[rule_id]] == [[]] * len(FALSIFIERS[rule_id])


def mutant(rule_id, change):
    rule = get_rule(rule_id)

    def altered(facts, params):
        return change(rule.conclude(facts, params), facts[0])

    return replace(rule, id=f"{rule_id} (mutant)", conclude=altered)


def printed_decay(power):
    """The bound of Theorem 4 (3) with another power of L."""

    def change(claim, fact):
        value = ALPHA * fact.sensitivity**2 * fact.lipschitz ** power(fact.steps) / (2 * fact.steps * fact.sigma**2)
        return replace(claim, value=value)

    return change


MUTANTS = {
    "a path shorter than the distance": ("iteration-path", lambda claim, _: replace(claim, value=claim.value * 9 / 10)),
    "alpha Delta^2 L^(2r)/(2 r s^2)": ("iteration-rate", printed_decay(lambda r: 2 * r)),
    "alpha Delta^2 L^(r+2)/(2 r s^2)": ("iteration-rate", printed_decay(lambda r: r + 2)),
    "the noise of the first step counted whole": (
        "path-optimum",
        lambda claim, fact: replace(claim, mu=fact.sensitivity / sqrt(Add(*(s**2 for s in fact.sigma)))),
    ),
    "the last Lipschitz constant counted twice": (
        "path-optimum",
        lambda claim, fact: replace(claim, mu=claim.mu * fact.lipschitz[-1]),
    ),
    "one step too many": (
        "path-optimum-uniform",
        lambda claim, fact: replace(
            claim, mu=get_rule("path-optimum-uniform").conclude((replace(fact, steps=fact.steps + 1),), {}).mu
        ),
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_refuted(name):
    rule_id, change = MUTANTS[name]
    assert any(wrong(mutant(rule_id, change)) for wrong in FALSIFIERS[rule_id])


# --- witnesses: what is called exact is attained --------------------------------------------------------------------


def test_linear_chains_attain_the_best_path():
    source = random.Random(7)
    for _ in range(40):
        fact = random_chain(source)
        claim = apply("path-optimum", given(fact)).conclusion.mu
        truth = linear_mu(list(map(float, fact.lipschitz)), list(map(float, fact.sigma)), float(fact.sensitivity))
        assert float(enclose(claim, {}, 15).mid) == pytest.approx(truth, rel=1e-12)


def test_the_best_lengths_are_the_best_path():
    source = random.Random(8)
    for _ in range(30):
        fact = random_chain(source)
        along = apply("iteration-path", given(fact), lengths=best_lengths(fact)).conclusion
        assert is_zero(along.value - ALPHA * apply("path-optimum", given(fact)).conclusion.mu ** 2 / 2, Region())
        weights = [source.randint(0, 5) for _ in fact.sigma]
        total = sum(weights) or 1
        lengths = tuple(fact.sensitivity * w / total for w in (weights if any(weights) else [1, *weights[1:]]))
        assert squared(apply("iteration-path", given(fact), lengths=lengths).conclusion) >= squared(along) - 1e-12


def test_the_printed_rate_is_never_below_the_best_path():
    for constant in ("0", "1/100", "1/2", "99/100", "1"):
        for steps in (1, 2, 3, 10, 200):
            fact = given(equal(constant, 2, steps, 3))
            best = apply("path-optimum-uniform", fact).conclusion
            assert squared(apply("iteration-rate", fact).conclusion) >= squared(best) * (1 - 1e-12)
    one = given(equal("1/3", 2, 1, 3))
    best, printed = apply("path-optimum-uniform", one).conclusion, apply("iteration-rate", one).conclusion
    assert is_zero(printed.value - ALPHA * best.mu**2 / 2, Region()), "they agree for one step"


@pytest.mark.parametrize("constant", ["0", "1/2", "1", "3/2", "sqrt"])
@pytest.mark.parametrize("steps", [1, 2, 7])
def test_equal_steps_agree_with_steps_written_out(constant, steps):
    value = sqrt(2) / 2 if constant == "sqrt" else Rational(constant)
    fact = given(UniformIteration("C", value, Integer(3), Integer(steps), Integer(2), Region()))
    written = apply("written-out-steps", fact)
    assert apply("equal-steps", written).conclusion == fact.conclusion
    closed, path = apply("path-optimum-uniform", fact).conclusion.mu, apply("path-optimum", written).conclusion.mu
    assert is_zero(closed - path, Region())


# --- chains of mechanisms and kernels -------------------------------------------------------------------------------


def test_a_mechanism_and_kernels_make_an_iteration():
    mechanism = given(NoiseMechanism("M", "gaussian", Integer(1), Integer(1), "l2", Region()))
    kernel = given(NoiseKernel("K", "gaussian", Integer(2), Rational(1, 2), "l2", Region()))
    other = given(NoiseKernel("J", "gaussian", Integer(1), Integer(3), "l2", Region()))
    two = apply("noise-step", apply("noise-start", mechanism), kernel)
    rdp = apply("rdp-of-gdp", apply("path-optimum", two))
    assert rdp.conclusion.subject == After("K", "M")
    assert rdp.conclusion.value.subs(ALPHA, 10) == Rational(5, 17)
    assert (rdp.conclusion.relation, rdp.conclusion.sensitivity) == (NEIGHBOURS, 1)
    assert rdp.tightness == "exact"
    three = apply("path-optimum", apply("noise-step", two, other)).conclusion
    assert three.subject == After("J", After("K", "M"))
    assert three.mu**2 == Rational(9, 4) / (1 + 9 * 4 + Rational(9, 4))
    assert replay(rdp) == rdp
    assert from_json(to_json(rdp)) == rdp


def test_a_map_that_forgets_leaves_nothing_to_tell():
    fact = given(chain(["1/2", "0", "3"], ["1", "1", "1"]))
    assert apply("path-optimum", fact).conclusion.mu == 0
    lengths = best_lengths(fact.conclusion)
    assert apply("iteration-path", fact, lengths=lengths).conclusion.value == 0


def test_starts_are_named_where_no_mechanism_is():
    fact = apply("path-optimum", given(chain(["1"], ["1"], 3))).conclusion
    assert (fact.relation, fact.sensitivity, fact.mu) == (STARTS, 3, 3)


# --- symbols --------------------------------------------------------------------------------------------------------


def test_closed_forms_in_symbols():
    fact = given(UniformIteration("C", L, S, R, DELTA, CONTRACTION))
    best, printed = apply("path-optimum-uniform", fact), apply("iteration-rate", fact)
    assert str(best.conclusion.mu) == "Delta*L**r/(s*sqrt((1 - L**(2*r))/(1 - L**2)))"
    assert is_zero(printed.conclusion.value - ALPHA * DELTA**2 * L ** (R + 1) / (2 * R * S**2), printed.region)
    assert from_json(to_json(best)) == best
    at = {L: Rational(1, 3), R: Integer(4), S: Integer(2), DELTA: Integer(5)}
    number = apply("path-optimum-uniform", given(equal("1/3", 2, 4, 5))).conclusion.mu
    assert is_zero(best.conclusion.mu.subs(at) - number, Region())


def test_one_is_a_case_apart():
    region = Region.from_relations(parse_relations("r>=1, s>0", place="where"), [R, S])
    fact = given(UniformIteration("C", Integer(1), S, R, Integer(1), region))
    assert apply("path-optimum-uniform", fact).conclusion.mu == 1 / (S * sqrt(R))
    wide = Region.make({L: Interval.nonnegative()})
    whole = given(UniformIteration("C", L, Integer(1), Integer(3), Integer(1), wide))
    with pytest.raises(Refused, match="L != 1"):
        apply("path-optimum-uniform", whole)
    path = apply("path-optimum", apply("written-out-steps", whole)).conclusion.mu
    assert path.subs(L, 1) == 1 / sqrt(3), "step by step there is no case"


def test_symbolic_paths():
    region = Region.make({L: Interval.nonnegative(), S: Interval.positive(), DELTA: Interval.nonnegative()})
    fact = given(NoisyIteration("C", (Integer(1), L), (S, S), DELTA, region))
    best = apply("path-optimum", fact).conclusion
    assert is_zero(best.mu**2 - DELTA**2 * L**2 / (S**2 * (1 + L**2)), region)
    along = apply("iteration-path", fact, lengths=(DELTA / 2, DELTA / 2)).conclusion
    assert is_zero(along.value - ALPHA * DELTA**2 * (1 + L**2) / (8 * S**2), along.region)


def test_many_steps_stay_short():
    fact = given(equal("99/100", 1, 10**5, 1))
    best, rate = apply("path-optimum-uniform", fact), apply("iteration-rate", fact)
    truth = MP.mpf("0.99") ** (10**5) * MP.sqrt((1 - MP.mpf("0.99") ** 2) / (1 - MP.mpf("0.99") ** (2 * 10**5)))
    assert abs(MP.mpf(enclose(best.conclusion.mu, {}, 20).mid) / truth - 1) < MP.mpf(10) ** -18
    assert from_json(to_json(best)) == best
    assert len(str(rate.conclusion.value)) < 200


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "failed"),
    [
        (chain(["1"], ["0"]), "noise 0 > 0"),
        (chain(["1", "1"], ["1", "-1"]), "noise -1 > 0"),
        (chain(["-1"], ["1"]), "Lipschitz constant -1"),
        (chain(["1"], ["1"], -1), "sensitivity"),
        (chain(["1"], ["1"], law="laplace"), "laplace noise measured in l1"),
    ],
)
def test_constants_out_of_range_are_refused(fact, failed):
    with pytest.raises(Refused, match=failed):
        apply("path-optimum", given(fact))


@pytest.mark.parametrize(
    ("fact", "failed"),
    [
        (equal("1/2", 0, 3), "noise"),
        (equal("1/2", 1, 0), "steps"),
        (equal("1/2", 1, "5/2"), "steps"),
        (equal("-1/2", 1, 3), "L >= 0"),
        (equal("1/2", 1, 3, -1), "sensitivity"),
        (equal("3/2", 1, 3), "contraction"),
    ],
)
def test_equal_steps_out_of_range_are_refused(fact, failed):
    with pytest.raises(Refused, match=failed):
        apply("iteration-rate", given(fact))
    if failed != "contraction":
        with pytest.raises(Refused, match=failed):
            apply("path-optimum-uniform", given(fact))


@pytest.mark.parametrize(
    ("lengths", "failed"),
    [
        (("1/2", "1/4"), "whole path"),
        (("2", "-1"), "length -1"),
        (("1",), "segments"),
        (("1", "0", "0"), "segments"),
    ],
)
def test_a_path_must_reach_the_other_start(lengths, failed):
    with pytest.raises(Refused, match=failed):
        apply("iteration-path", given(chain(["1/2", "1"], ["1", "1"])), lengths=tuple(map(Rational, lengths)))


def test_different_norms_do_not_mix():
    mechanism = given(NoiseMechanism("M", "gaussian", Integer(1), Integer(1), "l2", Region()))
    laplace = given(NoiseKernel("K", "laplace", Integer(1), Integer(1), "l1", Region()))
    wrong_norm = given(NoiseKernel("K", "gaussian", Integer(1), Integer(1), "l1", Region()))
    start = apply("noise-start", mechanism)
    for kernel, found in ((laplace, "laplace noise measured in l1"), (wrong_norm, "gaussian noise measured in l1")):
        with pytest.raises(Refused, match=f"K has {found}, .* need gaussian noise in l2: norms do not mix"):
            apply("noise-step", start, kernel)
    with pytest.raises(Refused, match="norms do not mix"):
        apply("noise-start", given(replace(mechanism.conclusion, norm="l1")))


def test_an_iteration_has_steps_and_a_known_law():
    for lipschitz, sigma in (((), ()), (("1",), ("1", "2"))):
        with pytest.raises(InputError, match="each step"):
            chain(lipschitz, sigma)
    with pytest.raises(InputError, match="cauchy"):
        chain(["1"], ["1"], law="cauchy")
    for law, relation in (("laplace", STARTS), ("gaussian", STARTS_L1)):
        with pytest.raises(InputError, match="starts in"):
            replace(chain(["1"], ["1"]), law=law, relation=relation)
    with pytest.raises(Refused, match="equal steps"):
        apply("equal-steps", given(chain(["1", "1/2"], ["1", "1"])))
    with pytest.raises(Refused, match="steps"):
        apply("written-out-steps", given(equal("1/2", 1, 10**5)))


def test_renyi_bounds_hold_for_orders_above_one():
    fact = apply("iteration-rate", given(equal("1/2", 1, 3))).conclusion
    assert isinstance(fact, RenyiDP)
    assert fact.region.interval(ALPHA) == Interval.open(1, oo)
