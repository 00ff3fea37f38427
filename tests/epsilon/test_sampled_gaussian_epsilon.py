"""Epsilon of the sampled Gaussian: against an independent minimisation in mpmath, in limits, and in order."""

from fractions import Fraction

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext

from symdp.ball import Enclosure
from symdp.epsilon import RenyiEpsilon, renyi_epsilon, sampled_gaussian_epsilon
from symdp.errors import InputError, Undetermined
from symdp.mechanisms.sampled_gaussian import renyi

MP = MPContext()
MP.dps = 60
ZERO, INFINITE = Enclosure(0, 0), Enclosure(float("inf"), float("inf"))


def formula(q, sigma, delta, steps, relation, form, beta):
    """The conversion at one order, from the mechanism's independent mpmath code."""
    order, d = 1 + beta, MP.mpf(Fraction(delta).numerator) / Fraction(delta).denominator
    e = steps * MP.mpf(str(renyi(q, sigma, Fraction(str(order)), 20, relation=relation, engine="mpmath")))
    if form == "mironov":
        return e - MP.log(d) / beta
    return e + MP.log(beta / order) - (MP.log(d) + MP.log(order)) / beta


@pytest.mark.parametrize(
    ("q", "sigma", "delta", "steps", "relation", "form"),
    [
        ("0.01", "4", "1e-5", 1000, "add-remove", "cks"),
        ("0.01", "1", "1e-5", 1000, "add-remove", "mironov"),
        ("0.3", "0.6", "1e-2", 3, "add-remove", "cks"),
        ("0.2", "2", "1e-5", 10, "replace-one", "cks"),
    ],
)
def test_against_golden_section(q, sigma, delta, steps, relation, form):
    found = sampled_gaussian_epsilon(q, sigma, delta, steps, 12, relation=relation, form=form)
    assert found.optimal and found.epsilon.proved_digits >= 12

    def value(log_beta):
        return formula(q, sigma, delta, steps, relation, form, MP.exp(log_beta))

    # a scan over all scales shows that the valley is the only one; golden section goes down in it
    valley = min((MP.mpf(k) for k in range(-2, 6)), key=value)
    low, high, golden = valley - 1, valley + 1, (MP.sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = value(left), value(right)
    for _ in range(28):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = value(right)
    least = min(at_left, at_right)
    assert found.epsilon.lower <= least and abs(least / found.epsilon.mid - 1) < 1e-12
    assert abs(MP.log(MP.mpf(found.order.numerator) / found.order.denominator - 1) - (low + high) / 2) < 1e-4


@pytest.mark.parametrize("digits", [15, 50, 300])
def test_digits(digits):
    found = sampled_gaussian_epsilon("0.01", "4", "1e-5", 1000, digits)
    assert found.epsilon.proved_digits >= digits
    assert found.epsilon.to_decimal(30)[0].startswith("0.301159347415854")
    again = sampled_gaussian_epsilon("0.01", "4", "1e-5", 1000, 20)
    assert found.epsilon.overlaps(again.epsilon)


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("form", ["cks", "mironov"])
def test_all_records_sampled_is_the_gaussian(relation, form):
    rate = Fraction(4 if relation == "replace-one" else 1) * Fraction(9, 4) / 18
    found = sampled_gaussian_epsilon(1, 3, "1e-5", 7, 30, relation=relation, sensitivity="1.5", form=form)
    expected = renyi_epsilon(lambda a: Enclosure.from_fraction(7 * rate * a, 400), "1e-5", 30, form=form)
    assert found.epsilon.overlaps(expected.epsilon) and found.epsilon.proved_digits >= 30
    nearly = sampled_gaussian_epsilon(
        1 - Fraction(1, 10**12), 3, "1e-5", 7, 30, relation=relation, sensitivity="1.5", form=form
    )
    assert 0 < expected.epsilon.lower - nearly.epsilon.upper < 1e-10


def test_only_the_noise_per_unit_of_sensitivity_matters():
    one = sampled_gaussian_epsilon("0.02", "3", "1e-6", 100, 20)
    assert sampled_gaussian_epsilon("0.02", "1.5", "1e-6", 100, 20, sensitivity="0.5") == one


def test_ends_of_q_and_delta():
    assert sampled_gaussian_epsilon(0, 1, 0).epsilon == ZERO
    assert sampled_gaussian_epsilon(0, 1, "1e-5", 10**9).epsilon == ZERO
    assert sampled_gaussian_epsilon("0.1", 1, 0).epsilon == INFINITE
    for delta in (1, "1.5", 10):
        assert sampled_gaussian_epsilon("0.1", "1e-3", delta) == RenyiEpsilon(ZERO, None, True)
    assert sampled_gaussian_epsilon("0.01", 4, 1 - Fraction(1, 10**10), 1000).epsilon == ZERO
    wide = sampled_gaussian_epsilon("0.01", 4, Enclosure(1e-6, 1e-5), 1000, 15).epsilon
    for delta in (1e-6, 1e-5):
        assert wide.contains(sampled_gaussian_epsilon("0.01", 4, delta, 1000, 15).epsilon)


@pytest.mark.parametrize(
    ("q", "sigma", "delta", "steps", "start"),
    [
        ("1e-12", "1e6", "1e-5", 1, "0"),
        ("1e-12", "0.3", "1e-5", 1, "1.818543532"),
        ("0.01", "0.01", "1e-5", 1000, "142334.906020"),
        ("0.01", "4", "1e-5", 10**9, "3604.13339475"),
        ("0.01", "4", "1e-300", 1, "4.65655642225"),
        ("1e-12", "1e-4", "1e-5", 10**9, ""),
    ],
)
def test_extremes(q, sigma, delta, steps, start):
    found = sampled_gaussian_epsilon(q, sigma, delta, steps, 15)
    assert found.epsilon.is_exact or found.epsilon.proved_digits >= 15
    assert found.epsilon.to_decimal(15)[0].startswith(start)


def test_a_log_moment_with_a_bend():
    """``x = beta/(2 sigma^2)``: the moment is ``1 - q + q e^x`` up to 1e-90, minimised here in x."""
    q, goal = MP.mpf(10) ** -400, 300 * MP.log(10)
    best = MP.findroot(lambda x: x * q * MP.exp(x) / (1 + q * MP.exp(x)) - MP.log(1 + q * MP.exp(x)) - goal, 922)
    expected = (MP.log(1 + q * MP.exp(best)) + goal) / best / 2
    found = sampled_gaussian_epsilon("1e-400", "1e-100", "1e-300", 1, 15, form="mironov")
    assert abs(found.epsilon.mid / (expected * MP.mpf(10) ** 200) - 1) < 1e-14


@pytest.mark.parametrize("sigma", ["1e6", "1e50"])
def test_orders_out_of_reach(sigma):
    with pytest.raises(Undetermined, match="may lie above 1000000000000"):
        sampled_gaussian_epsilon("1e-12", sigma, "1e-300", 1, 15)


parameters = st.tuples(
    st.sampled_from(["1e-6", "0.01", "0.3", "0.9"]).map(Fraction),
    st.sampled_from(["0.4", "1", "3", "20"]).map(Fraction),
    st.sampled_from(["1e-9", "1e-5", "0.01", "0.4"]).map(Fraction),
    st.sampled_from([1, 30, 10**4]),
    st.sampled_from(["add-remove", "replace-one"]),
    st.sampled_from(["cks", "mironov"]),
)


@settings(max_examples=12, deadline=None)
@given(parameters, st.fractions(min_value=Fraction(101, 100), max_value=2), st.integers(-6, 20))
def test_order(at, factor, exponent):
    """Monotone in every argument, never negative, and no order has less than the lower end."""
    q, sigma, delta, steps, relation, form = at

    def epsilon(q, sigma, delta, steps):
        found = sampled_gaussian_epsilon(q, sigma, delta, steps, 10, relation=relation, form=form)
        assert found.epsilon.lower >= 0 and found.optimal
        return found.epsilon

    here = epsilon(q, sigma, delta, steps)
    for there in (
        epsilon(q, sigma * factor, delta, steps),
        epsilon(q, sigma, delta * factor, steps),
        epsilon(q / factor, sigma, delta, steps),
    ):
        assert there.upper < here.lower or there == here == ZERO
    assert epsilon(q, sigma, delta, steps + 1).upper >= here.lower
    order = 1 + Fraction(2) ** exponent

    def curve(order):
        value = renyi(q, sigma, order, 15, relation=relation)
        return Enclosure(steps * value.lower, steps * value.upper)

    assert renyi_epsilon(curve, delta, 10, orders=[order], form=form).epsilon.upper >= here.lower


@pytest.mark.parametrize(
    ("arguments", "options", "place"),
    [
        (("1.5", 1, "1e-5"), {}, "q"),
        (("0.1", 0, "1e-5"), {}, "sigma"),
        (("0.1", 1, "-1e-5"), {}, "delta"),
        (("0.1", 1, "nan"), {}, "delta"),
        (("0.1", 1, "1e-5", 0), {}, "steps"),
        (("0.1", 1, "1e-5", 1.5), {}, "steps"),
        (("0.1", 1, "1e-5", True), {}, "steps"),
        (("0.1", 1, "1e-5", 10**13), {}, "steps"),
        (("0.1", 1, "1e-5", 1, 0), {}, "digits"),
        (("0.1", 1, "1e-5"), {"relation": "both"}, "relation"),
        (("0.1", 1, "1e-5"), {"sensitivity": 0}, "sensitivity"),
        (("0.1", 1, "1e-5"), {"form": "best"}, "form"),
        ((0, 1, "1e-5"), {"form": "best"}, "form"),
    ],
)
def test_bad_input(arguments, options, place):
    before = flint.ctx.prec
    with pytest.raises(InputError) as caught:
        sampled_gaussian_epsilon(*arguments, **options)
    assert caught.value.place == place and "\n" not in str(caught.value)
    assert flint.ctx.prec == before
