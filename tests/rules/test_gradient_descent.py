"""Noisy gradient descent at an index: quadratic losses, exactly and projected; the printed theorem is never better."""

import random
from dataclasses import replace

import pytest
from sympy import Rational, sqrt

import symdp.rules  # noqa: F401
from symdp.decide import is_zero
from symdp.enclosure import enclose
from symdp.errors import Refused
from symdp.judgments import GaussianDP, NoisySGD
from symdp.region import Region
from symdp.rule import get_rule
from symdp.text import parse_relations, symbol
from symdp.theorem import apply, from_json, to_json
from tests.chains import Projected, exceeds, linear_mu
from tests.guarantees import conclude, given

ALPHA = symbol("alpha")
NAMES = ("C", "beta", "rho", "eta", "sigma", "n", "i")


def descent(*values):
    """C, beta, rho, eta, sigma, n, i."""
    return NoisySGD("S", *(Rational(str(v)) for v in values), Region())


def steep(fact):
    return fact.step_size * (fact.smoothness + fact.strong_convexity) > 2


def params(rule, fact):
    return {"steep": bool(steep(fact))} if rule.id.startswith("sgd-path") else {}


def squared(claim):
    found = claim.mu**2 if isinstance(claim, GaussianDP) else claim.value.subs(ALPHA, 1) * 2
    return float(enclose(found, {}, 15).upper)


def random_descent(source, rule):
    """A setting that the rule covers: with the printed theorem, no steep steps."""
    while True:
        rho, more, eta = (Rational(source.randint(0, 20), 10) for _ in range(3))
        n = source.randint(1, 7)
        sigma = Rational(source.randint(3, 20), 10)
        fact = descent(source.randint(1, 3), rho + more, rho, eta, sigma, n, source.randint(1, n))
        last = fact.index == fact.n
        if eta > 0 and rho + more > 0 and not (steep(fact) and rule.id.startswith("sgd-rate") and not last):
            return fact


def wrong_quadratic(rule):
    """Quadratic losses of curvatures rho, beta and between: linear chains after a gap of ``2 C eta`` at the index."""
    source, found = random.Random(1), []
    for _ in range(80):
        fact = random_descent(source, rule)
        claim = squared(conclude(rule, fact, **params(rule, fact)))
        eta, c = float(fact.step_size), float(fact.lipschitz_constant)
        later, noise = int(fact.n - fact.index), float(fact.sigma) * float(fact.step_size)
        low, high = float(fact.strong_convexity), float(fact.smoothness)
        for curvature in (low, high, source.uniform(low, high)):
            slopes = [1.0] + [1 - eta * curvature] * later
            truth = linear_mu(slopes, [noise] * (later + 1), 2 * c * eta)
            found += [fact] if truth**2 > claim * (1 + 1e-9) + 1e-12 else []
    return found


def wrong_projected(rule):
    """``l(x, z) = k x^2/2 - z x`` on [-1, 1]: gradients ``k x - z``, at most ``k + |z|``."""
    found, line = [], Projected(-1, 1)
    for k, eta, n, index in ((0.5, 0.5, 3, 1), (1.0, 0.8, 4, 2), (1.0, 1.6, 3, 2), (0.0, 1.0, 3, 2), (0.5, 1.0, 2, 2)):
        fact = descent(k + 1, k, k, eta, "1/2", n, index)
        if steep(fact) and rule.id.startswith("sgd-rate"):
            continue
        runs = []
        for z in (1, -1):
            data = [z if step == index else 0.3 for step in range(1, n + 1)]
            steps = [(lambda x, z=z, k=k, eta=eta: x - eta * (k * x - z), eta * 0.5) for z in data]
            runs.append(line.run(0.2, steps))
        claim = squared(conclude(rule, fact, **params(rule, fact)))
        found += [fact] if exceeds(*runs, claim**0.5) else []
    return found


def mutant(rule_id, change):
    rule = get_rule(rule_id)
    return replace(rule, id=f"{rule_id} x", conclude=lambda facts, p: change(rule.conclude(facts, p), facts[0]))


def wrong_step(rule):
    """Steps on losses whose gradients bend between two slopes, at two points, and how far their noise spreads."""
    source, found = random.Random(2), []
    for _ in range(200):
        fact = random_descent(source, get_rule("sgd-path-optimum"))
        claim = conclude(rule, fact, steep=bool(steep(fact)))
        low, high, eta = (float(e) for e in (fact.strong_convexity, fact.smoothness, fact.step_size))
        bend, x, y = source.uniform(-2, 2), source.uniform(-3, 3), source.uniform(-3, 3)

        def step(z, low=low, high=high, eta=eta, bend=bend):
            return z - eta * (low * z + (high - low) * max(z - bend, 0.0))

        far = abs(step(x) - step(y)) > float(claim.lipschitz) * abs(x - y) * (1 + 1e-12)
        spread = abs(float(claim.scale) / (eta * float(fact.sigma)) - 1) > 1e-12
        found += [fact] if far or spread else []
    return found


def test_a_step_is_as_lipschitz_as_the_rule_says_and_its_mutants_are_refuted():
    rule = get_rule("gradient-step")
    assert wrong_step(rule) == []
    assert wrong_step(
        mutant("gradient-step", lambda claim, _: replace(claim, lipschitz=claim.lipschitz * Rational(9, 10)))
    )
    assert wrong_step(mutant("gradient-step", lambda claim, fact: replace(claim, scale=fact.sigma)))
    beside = replace(
        rule, id="gradient-step x", conclude=lambda facts, p: rule.conclude(facts, {"steep": not p["steep"]})
    )
    assert wrong_step(beside), "the smaller of the two terms"
    flat = apply("gradient-step", given(descent(1, 2, 1, "1/2", 3, 5, 2)), steep=False).conclusion
    assert (flat.lipschitz, flat.scale, flat.norm) == (Rational(1, 2), Rational(3, 2), "l2")
    with pytest.raises(Refused, match="step size"):
        apply("gradient-step", given(descent(1, 2, 1, "1/2", 3, 5, 2)), steep=True)


def test_the_last_index_needs_nothing_of_the_loss_but_its_lipschitz_constant():
    last = apply("sgd-rate", given(descent(2, 1, -1, 50, 3, 5, 5))).conclusion
    assert last.value == ALPHA * Rational(8, 9)
    with pytest.raises(Refused, match="strong_convexity"):
        apply("sgd-rate", given(descent(2, 1, -1, "1/50", 3, 5, 4)))
    with pytest.raises(Refused, match="step size"):
        apply("sgd-rate", given(descent(2, 1, 1, 50, 3, 5, 4)))


@pytest.mark.parametrize("rule_id", ["sgd-path-optimum", "sgd-rate"])
def test_no_instance_violates_the_rule(rule_id):
    assert wrong_quadratic(get_rule(rule_id)) == []
    assert wrong_projected(get_rule(rule_id)) == []


def other_exponent(claim, fact):
    """``(1 - 2 eta beta rho/(beta + rho))^(n-i+1)``, without the half."""
    later = fact.n - fact.index
    if later == 0:
        return claim
    beta, rho = fact.smoothness, fact.strong_convexity
    q = 1 - 2 * fact.step_size * beta * rho / (beta + rho)
    return replace(claim, value=2 * ALPHA * fact.lipschitz_constant**2 / fact.sigma**2 / later * q ** (later + 1))


@pytest.mark.parametrize(
    ("rule_id", "change"),
    [
        ("sgd-rate", other_exponent),
        ("sgd-rate", lambda claim, _: replace(claim, value=claim.value / 4)),
        ("sgd-path-optimum", lambda claim, _: replace(claim, mu=claim.mu / 2)),
        ("sgd-path-optimum", lambda claim, fact: replace(claim, mu=claim.mu * fact.step_size)),
    ],
)
def test_mutants_are_refuted(rule_id, change):
    assert wrong_quadratic(mutant(rule_id, change))


def test_quadratic_losses_attain_the_best_path_before_projection():
    """The gap of 2C eta at the index, then slopes c: without a projection the bound is the truth."""
    source = random.Random(2)
    rule = get_rule("sgd-path-optimum")
    for _ in range(30):
        fact = random_descent(source, rule)
        large = steep(fact)
        c = float(fact.step_size * fact.smoothness - 1 if large else 1 - fact.step_size * fact.strong_convexity)
        later, eta = int(fact.n - fact.index), float(fact.step_size)
        slopes, noise = [1.0] + [c] * later, [eta * float(fact.sigma)] * (later + 1)
        truth = linear_mu(slopes, noise, 2 * eta * float(fact.lipschitz_constant))
        claim = apply("sgd-path-optimum", given(fact), steep=bool(large)).conclusion
        assert squared(claim) == pytest.approx(truth**2, rel=1e-10, abs=1e-14)


def test_the_printed_theorem_is_never_below_the_best_path():
    source = random.Random(3)
    for _ in range(60):
        fact = given(random_descent(source, get_rule("sgd-rate")))
        best = apply("sgd-path-optimum", fact, steep=bool(steep(fact.conclusion))).conclusion
        assert squared(apply("sgd-rate", fact).conclusion) >= squared(best) * (1 - 1e-12)


def test_at_the_edge_of_the_step_size_both_terms_agree():
    fact = given(descent(1, 1, "1/2", "4/3", 1, 10, 6))
    for large in (False, True):
        rdp = apply("rdp-of-gdp", apply("sgd-path-optimum", fact, steep=large)).conclusion
        assert rdp.value == 2 * ALPHA / 7381
        assert rdp.relation == "data sets that differ in the element 6 of 10"
    assert apply("sgd-rate", fact).conclusion.value == ALPHA / 486


@pytest.mark.parametrize(
    ("values", "best", "printed"),
    [
        ((1, 1, "1/2", "4/3", 1, 10, 10), 2, 2),  # the last element: only its own noise
        ((1, 1, 0, 2, 1, 10, 3), sqrt(2) / 2, Rational(2, 7)),  # no strong convexity: c = 1
        ((1, 1, 1, 1, 1, 10, 3), 0, 0),  # one step reaches the minimum: c = 0
        ((1, 1, 1, 1, 1, 10, 10), 2, 2),  # and there 0^0 = 1
        ((1, 0, 0, 5, 1, 10, 2), Rational(2, 3), Rational(1, 4)),  # linear losses
        ((0, 1, "1/2", 1, 1, 5, 2), 0, 0),  # losses that do not depend on the data
    ],
)
def test_edges_by_their_limits(values, best, printed):
    fact = given(descent(*values))
    assert apply("sgd-path-optimum", fact, steep=False).conclusion.mu == best
    assert apply("sgd-rate", fact).conclusion.value == printed * ALPHA


def test_steep_steps():
    fact = given(descent(1, 2, 1, "9/10", 1, 4, 2))
    best = apply("sgd-path-optimum", fact, steep=True).conclusion
    c = Rational(4, 5)
    assert is_zero(best.mu - 2 * c**2 / sqrt(1 + c**2 + c**4), Region())
    with pytest.raises(Refused, match="step size"):
        apply("sgd-path-optimum", fact, steep=False)
    with pytest.raises(Refused, match="step size"):
        apply("sgd-rate", fact)
    with pytest.raises(Refused, match="step size"):
        apply("sgd-path-optimum", given(descent(1, 2, 1, "1/2", 1, 4, 2)), steep=True)


def test_in_symbols():
    values = tuple(map(symbol, NAMES))
    where = "C>=0, beta>rho, rho>0, eta>0, eta*(beta+rho)<=2, sigma>0, i>=1, n>=i+1"
    region = Region.from_relations(parse_relations(where, place="where"), values)
    fact = given(NoisySGD("S", *values, region))
    best, printed = apply("sgd-path-optimum", fact, steep=False), apply("sgd-rate", fact)
    point = dict(zip(values, map(Rational, ("1", "1", "1/2", "4/3", "1", "10", "6")), strict=True))
    assert is_zero(best.conclusion.mu.subs(point) ** 2 - Rational(4, 7381), Region())
    assert printed.conclusion.value.subs(point) == ALPHA / 486
    assert from_json(to_json(best)) == best
    with pytest.raises(Refused, match="later steps"):
        apply("sgd-rate", given(NoisySGD("S", *values, region_with_last(values))))


def region_with_last(values):
    where = "C>=0, beta>rho, rho>0, eta>0, eta*(beta+rho)<=2, sigma>0, i>=1, n>=i"
    return Region.from_relations(parse_relations(where, place="where"), values)


@pytest.mark.parametrize(
    ("values", "failed"),
    [
        ((1, 1, "1/2", 1, 0, 10, 6), "sigma"),
        ((1, 1, "1/2", 0, 1, 10, 6), "step_size"),
        ((-1, 1, "1/2", 1, 1, 10, 6), "lipschitz_constant"),
        ((1, 1, 2, 1, 1, 10, 6), "smoothness"),
        ((1, 1, -1, 1, 1, 10, 6), "strong_convexity"),
        ((1, 1, "1/2", 1, 1, 10, 0), "index"),
        ((1, 1, "1/2", 1, 1, 10, 11), "steps after the index"),
        ((1, 1, "1/2", 1, 1, "21/2", 3), "steps after the index"),
        ((1, 1, "1/2", 1, 1, 10, "5/2"), "index"),
    ],
)
def test_settings_out_of_range_are_refused(values, failed):
    for rule_id, extra in (("sgd-rate", {}), ("sgd-path-optimum", {"steep": False})):
        with pytest.raises(Refused, match=failed):
            apply(rule_id, given(descent(*values)), **extra)


def test_long_runs_stay_short():
    fact = given(descent(1, 2, "1/100", "1/3", 1, 5000, 3))
    best = apply("sgd-path-optimum", fact, steep=False)
    assert len(str(best.conclusion.mu)) < 300
    assert from_json(to_json(best)) == best
    exact = linear_mu([1.0] + [1 - 1 / 300] * 4997, [1 / 3] * 4998, 2 / 3)
    assert squared(best.conclusion) == pytest.approx(exact**2, rel=1e-9)
