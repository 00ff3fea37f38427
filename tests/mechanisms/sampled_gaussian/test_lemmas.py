"""The steps of the proofs, each where it could fail: the strip, the nodes left out, the accelerated tail."""

import random
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from symdp.ball import arb_of, working_precision
from symdp.mechanisms.sampled_gaussian import series
from symdp.mechanisms.sampled_gaussian.integrand import Integrand
from symdp.mechanisms.sampled_gaussian.lattice import plan
from symdp.mechanisms.sampled_gaussian.trapezoid import Step, aliasing, moments, step


def points(seed: int, count: int):
    rng = random.Random(seed)
    for _ in range(count):
        q = Fraction(rng.choice([rng.random(), 10 ** rng.uniform(-9, 0), 1 - 10 ** rng.uniform(-9, 0)]))
        sigma, alpha = Fraction(10 ** rng.uniform(-0.7, 1.5)), Fraction(1 + 10 ** rng.uniform(-3, 2.5))
        kind = rng.choice(["forward", "reverse", "replace-one"])
        a, b = {"forward": (alpha, 0), "reverse": (1 - alpha, 0), "replace-one": (alpha, 1 - alpha)}[kind]
        yield Integrand(q, sigma, a, Fraction(b)), rng


def test_the_strip_lemma_pointwise() -> None:
    with working_precision(128):
        for f, rng in points(1, 300):
            q, s = arb_of(f.q), arb_of(f.sigma)
            theta = arb(rng.uniform(0, 3.14))
            x = acb(arb(rng.uniform(-4, 4)) * s, theta * s * s)

            def g(x, q=q, s=s):
                return (1 - q) + q * ((2 * x - 1) / (2 * s * s)).exp()

            here, above = g(x.real), abs(g(x))
            slack = 1 + arb(2) ** -90
            assert above <= here * slack and here * (theta / 2).cos() <= above * slack
            if theta < arb.pi() / 2:  # the second bound: g with its odds times cos theta
                odds = here - (1 - q)
                assert (1 - q) + odds * theta.cos() <= above * slack


def _rough_sum(f: Integrand, eta: float, shift: float) -> arb:
    """The rule on a shifted lattice, summed over everything that could matter, without a plan."""
    s = float(f.sigma)
    ends = [-25.0 + min(0.0, float(f.a) / s), 25.0 + max(0.0, float(f.a - f.b) / s)]
    q, w, total = arb_of(f.q), arb_of(1 / (2 * f.sigma**2)), arb(0)
    for k in range(int(ends[0] / eta) - 1, int(ends[1] / eta) + 2):
        z = arb(eta) * (k + arb(shift))
        up, down = (((1 - q) + q * (side * z / arb_of(f.sigma) - w).exp()).log() for side in (1, -1))
        total += (-z * z / 2 + arb_of(f.a) * up + arb_of(f.b) * down).exp()
    return total * arb(eta) / (2 * arb.pi()).sqrt()


def test_a_coarse_rule_is_off_by_no_more_than_its_bound() -> None:
    """The lattice may be shifted: with a coarse step the errors are large, and the bound must still cover them."""
    close = 0
    for f, _ in points(2, 60):
        if float(f.a - f.b) / float(f.sigma) > 300 or f.sigma < Fraction(3, 10):
            continue
        for depth in (1.5, 4.0):
            chosen = step(f, depth)
            with working_precision(160):
                sums = [_rough_sum(f, chosen.eta, shift) for shift in (0.0, 0.5)]
                stay = arb_of(1 - f.q)
                top = moments(Integrand(f.q, f.sigma, f.a), 60.0).plain if f.a > 0 else arb(1)
                ceiling = top * stay ** -arb_of(f.steepness) / sums[0]
                # exact mean of the two rules is the rule with half the step, closer to the integral by far
                middle = (sums[0] + sums[1]) / 2
                error, bound = abs(sums[0] - middle) / middle, aliasing(f, chosen, ceiling)
                assert error <= bound * 1.01 + 1e-30, (f, depth)
                close += bool(error > bound / 100)
    assert close > 5  # the bound is not idle


def test_what_the_plan_leaves_out_is_bounded() -> None:
    left = 0
    for f, _ in points(3, 60):
        if float(f.a - f.b) / float(f.sigma) > 300 or f.sigma < Fraction(3, 10):
            continue
        for depth in (3.0, 12.0):
            eta = step(f, 20.0).eta
            ranges = plan(f, eta, depth)
            with working_precision(160):
                kept = arb(0)
                for first, last, _ in ranges.chunks:
                    for k in range(first, last):
                        z, q, w = arb(eta) * k, arb_of(f.q), arb_of(1 / (2 * f.sigma**2))
                        up, down = (((1 - q) + q * (side * z / arb_of(f.sigma) - w).exp()).log() for side in (1, -1))
                        kept += (-z * z / 2 + arb_of(f.a) * up + arb_of(f.b) * down).exp()
                kept *= arb(eta) / (2 * arb.pi()).sqrt()
                whole = _rough_sum(f, eta, 0.0)
                omitted = ranges.omitted * arb_of(1 - f.q) ** arb_of(f.a + f.b) * arb(eta) / (2 * arb.pi()).sqrt()
                assert whole - kept <= omitted * (1 + arb(2) ** -40), (f, depth)
                left += bool(whole - kept > omitted / 1000)
    assert left > 20


def test_a_strip_too_wide_is_not_believed() -> None:
    """A step far too coarse leaves an enclosure without content rather than a wrong one."""
    f = Integrand(Fraction(1, 2), Fraction(1), Fraction(5, 2))
    with working_precision(100):
        assert not aliasing(f, Step(20.0, None), arb(1)) < 0.5


@pytest.mark.parametrize("n", [1, 2, 5, 30])
def test_accelerated_tail(n: int) -> None:
    """For ``a_j = t^j`` the sum is 1/(1+t), and the error is ``|T_n(1-2t)|/(T_n(3) (1+t)) <= a_0/d``."""
    d, factors = series.weights(n)
    assert d == round(mpmath.chebyt(n, 3)) if n < 20 else d > 10**22
    for t in (Fraction(0), Fraction(1, 3), Fraction(9, 10), Fraction(1)):
        found = sum(Fraction(c) * t**j for j, c in enumerate(factors)) / d
        assert abs(found - 1 / (1 + t)) <= Fraction(1, d)


def test_series_and_trapezoid_bound_the_same_moment() -> None:
    for f, _ in points(4, 40):
        if f.a <= 1 or f.b:
            continue
        for depth in (5.0, 60.0):
            assert series.moment(f.q, f.sigma, f.a, depth).overlaps(moments(f, 30.0).plain), f
