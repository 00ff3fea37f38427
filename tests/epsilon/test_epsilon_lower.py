"""The proved lower bound of a composition's epsilon: below every guarantee, and near the exact values there are."""

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.ball import from_arb, working_precision
from symdp.epsilon import gaussian_delta, gaussian_epsilon, sampled_gaussian_epsilon
from symdp.epsilon import lower as module
from symdp.epsilon.lower import sampled_gaussian_epsilon_lower
from symdp.errors import InputError


def exact_delta(q, sigma, epsilon):
    """The larger privacy profile of one step: both are those of two Gaussians at another epsilon.

    ``(mu - e^eps mu0)^+ = q (N(1) - t mu0)^+`` with ``t = (e^eps - (1-q))/q``; the other direction is
    ``e^eps q (t' mu0 - N(1))^+`` with ``t' = (e^-eps - (1-q))/q`` where that is positive.
    """
    with working_precision(200):
        e = arb(float(epsilon)).exp()
        rate = arb(float(q))
        t = ((e - (1 - rate)) / rate).log()
    return Fraction(q) * Fraction(float(gaussian_delta(Fraction(1) / Fraction(sigma), from_arb(t).mid, 15).upper))


@pytest.mark.parametrize(("sigma", "steps"), [(1, 1), (4, 100), (Fraction(1, 2), 4), (10, 400)])
def test_the_gaussian_mechanism_has_an_exact_epsilon(sigma, steps):
    exact = gaussian_epsilon(Fraction(round(steps**0.5)) / Fraction(sigma), "1e-5", 15).lower
    found = sampled_gaussian_epsilon_lower(1, sigma, "1e-5", steps)
    assert 0.98 * exact < found <= exact


@given(
    q=st.sampled_from([1e-4, 0.01, 0.2, 0.7, 0.999]),
    sigma=st.sampled_from([0.5, 1.0, 3.0]),
    delta=st.sampled_from(["1e-2", "1e-5", "1e-10"]),
)
@settings(max_examples=15, deadline=None)
def test_one_step_is_below_the_exact_profile(q, sigma, delta):
    found = sampled_gaussian_epsilon_lower(q, sigma, delta)
    assert found >= 0
    # at an epsilon below the least one, the profile of the larger direction is at least delta
    assert found == 0 or exact_delta(q, sigma, float(found) * (1 - 1e-12)) >= Fraction(delta) * (1 - Fraction(1, 10**9))


def test_one_step_is_near_the_exact_profile():
    found = float(sampled_gaussian_epsilon_lower(0.5, 1, "1e-5"))
    assert exact_delta(0.5, 1, found * 1.005) < Fraction("1e-5") <= exact_delta(0.5, 1, found)


@given(
    q=st.floats(1e-3, 1), sigma=st.floats(0.6, 10), steps=st.integers(1, 300), delta=st.sampled_from(["1e-3", "1e-6"])
)
@settings(max_examples=10, deadline=None)
def test_never_above_a_guarantee(q, sigma, steps, delta):
    lower = sampled_gaussian_epsilon_lower(q, sigma, delta, steps)
    assert 0 <= lower <= sampled_gaussian_epsilon(q, sigma, delta, steps, 10).epsilon.upper


def test_more_steps_and_less_delta_cost_more():
    values = [sampled_gaussian_epsilon_lower(0.01, 1, "1e-5", steps) for steps in (1, 10, 100, 1000)]
    assert values == sorted(values) and values[-1] > 1
    # an independent accountant's optimistic and pessimistic discretizations give 1.778 and 1.829 here
    assert 1.77 < values[-1] < 1.829


def test_a_cell_that_claims_a_larger_loss_is_caught(monkeypatch):
    """What the balls check: with the ratio of the masses overstated by one step of the grid, the bound is false."""
    exact = gaussian_epsilon(1, "1e-5", 15).lower
    cell = module._cell
    monkeypatch.setattr(module, "_cell", lambda *a: module._Cell((c := cell(*a)).below + 2, c.above, c.mixed, c.plain))
    for cached in (module._cells, module._composed):
        cached.cache_clear()
    try:
        assert sampled_gaussian_epsilon_lower(1, 1, "1e-5") > exact
    finally:
        for cached in (module._cells, module._composed):
            cached.cache_clear()


def test_the_ratio_of_every_cell_is_enclosed():
    first, width, cells = module._cells(Fraction(1, 100), Fraction(2))
    assert len(cells) > 50
    for cell in cells:
        if cell.mixed > 2**40 and cell.plain > 2**40:  # their roundings do not matter
            with working_precision(200):
                loss = (arb(cell.mixed) / arb(cell.plain)).log()
                assert loss > float(first + cell.below * width) - 1e-9
                assert loss < float(first + cell.above * width) + 1e-9
    assert 0.999999 < sum(cell.mixed for cell in cells) / 2**128 <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2, 1, "1e-5", 1), "q"),
        ((0.1, 0, "1e-5", 1), "sigma"),
        ((0.1, 1, 0, 1), "delta must be above 0"),
        ((0.1, 1, "1e-5", 0), "steps"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        sampled_gaussian_epsilon_lower(*arguments)


def test_no_sampling_and_a_delta_of_one_cost_nothing():
    assert sampled_gaussian_epsilon_lower(0, 1, "1e-5", 10) == 0 == sampled_gaussian_epsilon_lower(0.5, 1, 1, 10)
