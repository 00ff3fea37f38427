"""The least noise: proved on both sides, against closed forms, and refused where there is none."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext

from symdp.epsilon import calibration, sampled_gaussian_epsilon, sampled_gaussian_sigma
from symdp.errors import InputError, Undetermined

MP = MPContext()
MP.dps = 100


def check(found, target, digits, *arguments, **options):
    """The two decimals are neighbours, and epsilon, computed anew and sharper, lies between."""
    assert len(found.sigma.as_tuple().digits) <= digits
    unit = Fraction(found.sigma) - Fraction(found.smaller)
    assert 0 < unit <= Fraction(found.sigma) * Fraction(10) ** (1 - digits)
    assert found.smaller.as_tuple().digits[-1:] and len(found.smaller.as_tuple().digits) <= digits
    q, delta, steps = arguments
    for sigma, meets in ((found.sigma, True), (found.smaller, False)):
        epsilon = sampled_gaussian_epsilon(q, Fraction(sigma), delta, steps, 2 * digits + 10, **options).epsilon
        assert (epsilon.upper <= target) if meets else (epsilon.lower > target)
    assert found.epsilon.epsilon.upper <= target < found.smaller_epsilon.epsilon.lower


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(["0.001", "0.05", "0.5", "1"]),
    st.sampled_from([8, 1, 0.125]),
    st.sampled_from(["1e-9", "1e-5", "0.1"]),
    st.sampled_from([1, 100, 10**5]),
    st.integers(1, 12),
    st.sampled_from(["add-remove", "replace-one"]),
    st.sampled_from(["cks", "mironov"]),
)
def test_both_sides(q, target, delta, steps, digits, relation, form):
    options = {"relation": relation, "form": form}
    found = sampled_gaussian_sigma(q, target, delta, steps, digits, **options)
    check(found, target, digits, q, delta, steps, **options)


@pytest.mark.parametrize("digits", [1, 5, 15, 60])
def test_gaussian_by_its_closed_form(digits):
    """Mironov's form at q = 1: ``rho + 2 sqrt(rho L) = epsilon``, so ``sqrt(rho) = sqrt(L + epsilon) - sqrt(L)``."""
    goal = MP.log(10**5)
    exact = MP.sqrt(MP.mpf(7) / 2) / (MP.sqrt(goal + 1) - MP.sqrt(goal)) / 2
    found = sampled_gaussian_sigma(1, 1, "1e-5", 7, digits, form="mironov", sensitivity="1/2")
    assert MP.mpf(str(found.smaller)) < exact < MP.mpf(str(found.sigma))


def test_the_next_smaller_decimal_of_a_power_of_ten():
    """Below 1.0 the decimals of two digits are 0.99, 0.98, ..."""
    between = sampled_gaussian_epsilon("0.1", "0.995", "1e-5", 10, 20).epsilon.upper
    found = sampled_gaussian_sigma("0.1", between, "1e-5", 10, 2)
    assert (found.sigma, found.smaller) == (Decimal("1.0"), Decimal("0.99"))


@pytest.mark.parametrize("delta", ["1e-5", "0.01"])
def test_epsilon_zero(delta):
    found = sampled_gaussian_sigma("0.01", 0, delta, 10, 6)
    assert found.epsilon.epsilon.upper == 0
    check(found, 0, 6, "0.01", delta, 10)


def test_sensitivity_scales():
    one, three = (sampled_gaussian_sigma("0.02", 2, "1e-6", 50, 12, sensitivity=size) for size in (1, 8))
    assert abs(three.sigma / one.sigma - 8) < Decimal("1e-10")


@pytest.mark.parametrize("error", ["1.000000001", "0.999999999"])
def test_a_search_that_ends_nearby_is_corrected(monkeypatch, error):
    root = calibration._Goal.root
    honest = sampled_gaussian_sigma("0.1", 1, "1e-5", 10, 9)
    monkeypatch.setattr(calibration._Goal, "root", lambda *arguments: root(*arguments) * MP.mpf(error))
    assert sampled_gaussian_sigma("0.1", 1, "1e-5", 10, 9) == honest


def test_a_search_that_ends_elsewhere_is_not_believed(monkeypatch):
    root = calibration._Goal.root
    monkeypatch.setattr(calibration._Goal, "root", lambda *arguments: 2 * root(*arguments))
    with pytest.raises(Undetermined, match="far from its goal"):
        sampled_gaussian_sigma("0.1", 1, "1e-5", 10, 9)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0, 1, "1e-5"), {}, "q: nothing is sampled: every sigma does"),
        (("0.1", 1, 1), {}, "delta: every sigma does from delta = 1 on"),
        (("0.1", 1, 0), {}, "delta: no sigma gives a finite epsilon"),
        (("0.1", 1, -1), {}, "delta"),
        (("0.1", 0, "1e-5"), {"form": "mironov"}, "epsilon: no sigma reaches epsilon = 0"),
        (("0.1", -1, "1e-5"), {}, "epsilon is negative"),
        (("0.1", "inf", "1e-5"), {}, "epsilon"),
        (("2", 1, "1e-5"), {}, "q: "),
        (("0.1", 1, "1e-5", 0), {}, "steps"),
        (("0.1", 1, "1e-5", 1, 0), {}, "digits"),
        (("0.1", 1, "1e-5"), {"form": "best"}, "form"),
        (("0.1", 1, "1e-5"), {"relation": "best"}, "relation"),
        (("0.1", 1, "1e-5"), {"sensitivity": 0}, "sensitivity"),
    ],
)
def test_where_there_is_no_least_sigma(arguments, options, message):
    with pytest.raises(InputError) as caught:
        sampled_gaussian_sigma(*arguments, **options)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_orders_out_of_reach():
    with pytest.raises(Undetermined):
        sampled_gaussian_sigma("0.1", "1e-20", "1e-300", form="mironov")
