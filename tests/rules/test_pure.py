"""Laplace noise and pure privacy, against quadrature and the exact profiles of two laws."""

import itertools
from dataclasses import replace

import pytest
from sympy import Integer, Rational, S, exp, log

import symdp.rules  # noqa: F401
from symdp.errors import Refused
from symdp.judgments import ZCDP, GaussianDP, NoiseMechanism, PureDP
from symdp.region import Interval, Region
from symdp.rule import Query, get_rule
from symdp.text import symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import MP, conclude, gaussian_profile, given, hockey_stick, response, value

EPS, SCALE, GAP = symbol("epsilon"), symbol("b"), symbol("Delta")
REGION = Region.make({SCALE: Interval.positive(), GAP: Interval.nonnegative()})
LAPLACE = NoiseMechanism("M", "laplace", SCALE, GAP, "l1", REGION)


def laplace_renyi(gap, alpha):
    """``R_alpha`` of two Laplace laws of scale 1 by quadrature, piece by piece."""

    def integrand(x):
        return MP.exp(-alpha * abs(x) - (1 - alpha) * abs(x - gap)) / 2

    total = (
        MP.quad(integrand, [0, gap]) + MP.quad(integrand, [-60, -20, 0]) + MP.quad(integrand, [gap, gap + 20, gap + 60])
    )
    return MP.log(total) / (alpha - 1)


def wrong_concentration(rule):
    """One coordinate, and two that share the distance."""
    found = []
    for gap, alpha in itertools.product(("0.1", "1", "4"), ("1.001", "1.5", "6")):
        rho = value(conclude(rule, LAPLACE).rho, b="1", Delta=gap)
        gap, alpha = MP.mpf(gap), MP.mpf(alpha)
        one = laplace_renyi(gap, alpha)
        two = laplace_renyi(gap / 4, alpha) + laplace_renyi(3 * gap / 4, alpha)
        found += [(gap, alpha)] if max(one, two) > alpha * rho * (1 + MP.mpf(10) ** -12) else []
    return found


def test_laplace_noise_is_concentrated():
    rule = get_rule("zcdp-of-laplace")
    assert wrong_concentration(rule) == []
    less = replace(
        rule, conclude=lambda f, p: replace(rule.conclude(f, p), rho=rule.conclude(f, p).rho * Rational(99, 100))
    )
    assert wrong_concentration(less)  # at order 1 it is attained
    theorem = apply("zcdp-of-laplace", given(LAPLACE))
    assert theorem.conclusion == ZCDP("M", GAP / SCALE + exp(-GAP / SCALE) - 1, REGION, GAP, LAPLACE.relation)
    assert replay(theorem) == from_json(to_json(theorem)) == theorem


def test_laplace_noise_is_pure():
    theorem = apply("pure-of-laplace", given(LAPLACE))
    assert theorem.conclusion == PureDP("M", GAP / SCALE, REGION, GAP, LAPLACE.relation)
    assert laplace_renyi(MP.mpf(1), MP.mpf(200)) < 1  # never above the pure bound, and near it
    assert laplace_renyi(MP.mpf(1), MP.mpf(200)) > MP.mpf("0.99")
    wrong = (
        (replace(LAPLACE, law="gaussian"), "Laplace"),
        (replace(LAPLACE, norm="l2"), "Laplace"),
        (replace(LAPLACE, scale=SCALE - 1), "scale"),
        (replace(LAPLACE, sensitivity=-GAP), "sensitivity"),
    )
    for fact, failed in wrong:
        for rule_id in ("pure-of-laplace", "zcdp-of-laplace"):
            with pytest.raises(Refused, match=failed):
                apply(rule_id, given(fact))


def suggested(epsilon):
    fact = PureDP("M", epsilon, Region())
    (params,) = get_rule("gdp-of-pure").suggest((fact,), Query("M", "gdp"))
    return apply("gdp-of-pure", given(fact), **params)


@pytest.mark.parametrize("epsilon", ["1/100", "1", "5"])
def test_gaussian_from_pure(epsilon):
    """Randomized response touches the Gaussian profile at epsilon 0, and no smaller mu is accepted."""
    theorem = suggested(Rational(epsilon))
    mu, size = value(theorem.conclusion.mu), MP.mpf(Rational(epsilon).p) / Rational(epsilon).q
    p, q = response(size)
    for share in range(12):
        at = size * share / 10
        assert hockey_stick(p, q, at) <= gaussian_profile(mu, at) * (1 + MP.mpf(10) ** -25)
    assert abs(hockey_stick(p, q, 0) - gaussian_profile(mu, MP.mpf(0))) < MP.mpf(10) ** -25
    with pytest.raises(Refused, match="corner"):
        apply(
            "gdp-of-pure",
            given(PureDP("M", Rational(epsilon), Region())),
            mu=theorem.conclusion.mu * Rational(9999, 10000),
        )
    smaller = mu * MP.mpf("0.9999")
    assert hockey_stick(p, q, 0) > gaussian_profile(smaller, MP.mpf(0))


def test_gaussian_from_pure_at_the_edge():
    assert suggested(S.Zero).conclusion == GaussianDP("M", S.Zero, Region())
    assert suggested(log(Integer(3))).conclusion.mu > Rational(134, 100)
    symbolic = PureDP("M", EPS, Region.make({EPS: Interval.nonnegative()}))
    assert list(get_rule("gdp-of-pure").suggest((symbolic,), Query("M", "gdp"))) == []
    with pytest.raises(Refused, match="mu"):
        apply("gdp-of-pure", given(PureDP("M", S.Zero, Region())), mu=Integer(-1))
