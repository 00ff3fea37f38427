"""The delta of Gaussian differential privacy as a formula, against independent profiles of two Gaussian laws."""

import pytest
from sympy import Integer, Rational, S, exp, log, sqrt

import symdp.rules  # noqa: F401
from symdp.enclosure import enclose
from symdp.epsilon import gaussian_delta
from symdp.errors import Refused
from symdp.judgments import GaussianDP, Mechanism
from symdp.prover import Query, prove
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.text import symbol
from symdp.theorem import apply
from tests.guarantees import MP, conclude, given, value

RULE, HERE = get_rule("delta-of-gdp"), Region()


def gdp(mu, region=HERE):
    return GaussianDP(Mechanism("M"), mu, region, Integer(3), "pairs")


def profile(mu, epsilon):
    """``integral of (phi(x - mu) - e^eps phi(x))_+``, by quadrature of the definition."""
    mu, epsilon = MP.mpf(mu), MP.mpf(epsilon)
    density = lambda x: MP.exp(-(x**2) / 2) / MP.sqrt(2 * MP.pi)  # noqa: E731
    start = epsilon / mu + mu / 2
    return MP.quad(lambda x: density(x - mu) - MP.exp(epsilon) * density(x), [start, start + 6, start + 40])


@pytest.mark.parametrize(("mu", "epsilon"), [(1, 1), (0.5, 0), (2, 3), (0.25, 0.125), (3, 0.5)])
def test_the_formula(mu, epsilon):
    found = apply("delta-of-gdp", given(gdp(Rational(mu))), epsilon=Rational(epsilon)).conclusion
    assert (found.epsilon, found.relation, found.sensitivity) == (Rational(epsilon), "pairs", 3)
    assert abs(value(found.delta) - profile(mu, epsilon)) < MP.mpf(10) ** -18
    exact, theirs = enclose(found.delta, {}, 30), gaussian_delta(Rational(mu), Rational(epsilon), 30)
    assert exact.lower <= theirs.upper and theirs.lower <= exact.upper


@pytest.mark.parametrize("epsilon", [log(Integer(3)), sqrt(2) / 3])
def test_irrational_epsilons(epsilon):
    found = apply("delta-of-gdp", given(gdp(Integer(1))), epsilon=epsilon).conclusion
    assert 0 < enclose(found.delta, {}, 10).lower < enclose(gaussian_delta_at_zero(), {}, 10).upper


def gaussian_delta_at_zero():
    return apply("delta-of-gdp", given(gdp(Integer(1))), epsilon=S.Zero).conclusion.delta


def test_symbols():
    m, e = symbol("m"), symbol("e")
    found = apply("delta-of-gdp", given(gdp(m, Region.make({m: Interval.positive()}))), epsilon=e).conclusion
    assert set(found.region.symbols) == {m, e} and found.region.interval(e) == Interval.nonnegative()
    assert abs(value(found.delta, m=Integer(1), e=Integer(1)) - profile(1, 1)) < MP.mpf(10) ** -18


@pytest.mark.parametrize(("mu", "epsilon"), [(0, 1), (-1, 1), (1, -1)])
def test_mu_zero_and_negative_numbers_are_refused(mu, epsilon):
    with pytest.raises(Refused):
        apply("delta-of-gdp", given(gdp(Integer(mu))), epsilon=Integer(epsilon))


def test_mu_zero_by_another_way():
    for epsilon in (0, 1):
        assert prove([gdp(S.Zero)], Query(Mechanism("M"), "delta", epsilon=Integer(epsilon))).best.bound == 0


def test_a_mutated_formula_is_refuted():
    """Without the second term it is too large to be exact, with a smaller mu or a doubled second term too small."""
    true = conclude(RULE, gdp(Integer(1)), epsilon=Integer(1)).delta
    smaller = conclude(RULE, gdp(Rational(9, 10)), epsilon=Integer(1)).delta
    first, second = sorted(true.args, key=lambda term: -value(term))
    assert value(first) > profile(1, 1) and value(smaller) < profile(1, 1) and value(first + 2 * second) < profile(1, 1)
    assert true.has(exp) or true.has(S.Exp1)
