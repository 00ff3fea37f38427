"""The conversion of Renyi curves: against closed forms and mpmath minimisation, and what convexity certifies."""

from fractions import Fraction

import flint
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext

from symdp.ball import Enclosure, bits_for, from_arb, working_precision
from symdp.epsilon import RenyiEpsilon, compose, gaussian_epsilon, renyi_epsilon
from symdp.epsilon.order import Conversion
from symdp.epsilon.search import _edge_bound, _inner_bound
from symdp.errors import InputError

MP = MPContext()
MP.dps = 200
INFINITE = Enclosure(float("inf"), float("inf"))


def number(value):
    return MP.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else MP.mpf(value)


def gaussian(rho, bits=400):
    """The curve ``rho alpha``."""
    return lambda order: Enclosure.from_fraction(rho * order, bits)


def ball_curve(formula, digits=70):
    """A curve from a formula in balls."""

    def curve(order):
        with working_precision(bits_for(digits)):
            return from_arb(formula(arb(fmpq(order.numerator, order.denominator))))

    return curve


def response(eps):
    """Randomized response: ``log((e^{a eps} + e^{(1-a) eps})/(1 + e^eps))/(a - 1)``, without overflow."""
    return lambda a: (a * eps() + ((1 - 2 * a) * eps()).exp().log1p() - (1 + eps().exp()).log()) / (a - 1)


def laplace(scale):
    """The Laplace mechanism of sensitivity 1."""
    return lambda a: (
        1 / arb(scale) + (a / (2 * a - 1) + (a - 1) / (2 * a - 1) * (-(2 * a - 1) / scale).exp()).log() / (a - 1)
    )


def formula(e, order, delta, form):
    a, d = number(order), number(delta)
    if form == "mironov":
        return e + MP.log(1 / d) / (a - 1)
    return e + MP.log((a - 1) / a) - (MP.log(d) + MP.log(a)) / (a - 1)


def least(e, delta, form, start):
    """The minimum over orders by mpmath: the root of a numerical derivative, refined from a scan."""

    def value(u):
        return formula(e(1 + MP.exp(u)), 1 + MP.exp(u), delta, form)

    best = min((start + MP.mpf(k) / 8 for k in range(-80, 81)), key=value)
    low, high = best - MP.mpf(1) / 8, best + MP.mpf(1) / 8
    golden = (MP.sqrt(5) - 1) / 2
    for _ in range(170):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if value(left) < value(right):
            high = right
        else:
            low = left
    return value((low + high) / 2)


@pytest.mark.parametrize("form", ["cks", "mironov"])
@pytest.mark.parametrize("delta", ["1e-5", "1e-300", "0.01"])
@pytest.mark.parametrize("rho", [Fraction(1, 2), Fraction(10**6), Fraction(1, 1000)])
def test_gaussian_curves(rho, delta, form):
    """Mironov: ``rho + 2 sqrt(rho log(1/delta))``. CKS: the root of ``rho b^2 + log(1 + b) = log(1/delta)``."""
    found = renyi_epsilon(gaussian(rho), delta, 50, form=form)
    goal, r = MP.log(1 / MP.mpf(delta)), number(rho)
    if form == "mironov":
        expected = r + 2 * MP.sqrt(r * goal)
    else:
        b = MP.findroot(lambda b: r * b * b + MP.log(1 + b) - goal, MP.sqrt(goal / r) / 2)
        expected = max(0, formula(r * (1 + b), 1 + b, MP.mpf(delta), form))
    assert found.epsilon.contains(expected)
    assert found.epsilon.is_exact or found.epsilon.proved_digits >= 50
    assert found.optimal
    epsilon, order = found
    assert epsilon == found.epsilon
    assert epsilon.upper >= formula(r * number(order), order, MP.mpf(delta), form)
    assert (
        abs(number(epsilon.upper) - formula(r * number(order), order, MP.mpf(delta), form)) <= max(1, expected) * 1e-50
    )


def until_three(infinity, log):
    """A curve that is finite below order 3 only, where it grows like a logarithm."""
    return lambda a: -log((3 - a) / 2) / (a - 1) if a < 3 else infinity


def response_truth(a):
    return (MP.log(MP.exp(a) + MP.exp(1 - a)) - MP.log(1 + MP.e)) / (a - 1)


def laplace_truth(a):
    return MP.log(a / (2 * a - 1) * MP.exp(a - 1) + (a - 1) / (2 * a - 1) * MP.exp(-a)) / (a - 1)


@pytest.mark.parametrize(
    ("curve", "truth", "delta"),
    [
        (response(lambda: arb(1)), response_truth, "1e-3"),
        (laplace(1), laplace_truth, "1e-2"),
        (until_three(arb("inf"), arb.log), until_three(MP.inf, MP.log), "1e-5"),
    ],
)
@pytest.mark.parametrize("form", ["cks", "mironov"])
def test_other_curves(curve, truth, delta, form):
    found = renyi_epsilon(ball_curve(curve), delta, 40, form=form)
    if form == "mironov" and found.order > 10**30:  # pure DP: the bound falls for ever, its limit is e(infinity) = 1
        assert found.epsilon.overlaps(Enclosure(1, 1))
        assert found.epsilon.proved_digits >= 40
        return
    expected = least(truth, MP.mpf(delta), form, MP.log(MP.mpf(4)))
    assert found.epsilon.proved_digits >= 40
    # golden section finds the value to about twice the digits of the order
    assert number(found.epsilon.lower) <= expected * (1 + MP.mpf(10) ** -60)
    assert abs(number(found.epsilon.mid) / expected - 1) < MP.mpf(10) ** -39


def test_the_renyi_route_is_never_better_than_the_exact_profile():
    for mu in ("1/10", "1", "5"):
        for delta in ("1e-2", "1e-6", "1e-12"):
            rho = Fraction(mu) ** 2 / 2
            cks, mironov = (renyi_epsilon(gaussian(rho), delta, 30, form=form).epsilon for form in ("cks", "mironov"))
            assert gaussian_epsilon(mu, delta, 30).upper < cks.lower
            assert cks.upper < mironov.lower


curves = st.lists(
    st.one_of(
        st.fractions(min_value=Fraction(1, 100), max_value=20, max_denominator=100).map(lambda r: ("gauss", r)),
        st.integers(1, 8).map(lambda n: ("response", n)),
        st.integers(1, 8).map(lambda n: ("laplace", n)),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=40, deadline=None)
@given(
    curves,
    st.integers(1, 40),
    st.sampled_from(["cks", "mironov"]),
    st.lists(st.integers(-12, 30), min_size=5, max_size=5),
)
def test_no_order_beats_the_lower_end(parts, power, form, exponents):
    makers = {
        "gauss": gaussian,
        "response": lambda n: ball_curve(response(lambda: 1 / arb(n)), 45),
        "laplace": lambda n: ball_curve(laplace(n), 45),
    }
    curve, delta = compose(*(makers[kind](value) for kind, value in parts)), Fraction(1, 2**power)
    found = renyi_epsilon(curve, delta, 25, form=form)
    assert found.epsilon.is_exact or found.epsilon.proved_digits >= 25
    for exponent in exponents:
        other = renyi_epsilon(curve, delta, 25, orders=[1 + Fraction(2) ** exponent], form=form)
        assert found.epsilon.lower <= other.epsilon.upper
    again = renyi_epsilon(curve, delta, 25, orders=[found.order], form=form)
    upper = number(found.epsilon.upper)
    assert abs(number(again.epsilon.upper) - upper) <= upper * MP.mpf(10) ** -25


@pytest.mark.parametrize("digits", [5, 25, 40])
def test_an_infimum_at_infinite_order_is_proved(digits):
    """Laplace noise of scale 1 and delta = 1/2: the intercept of ``(alpha-1) R`` at infinity is exactly -log 2, so that
    Mironov's form falls towards 1 like 1/alpha^2 and is never there.
    """
    curve = ball_curve(laplace(1), digits + 20)
    found = renyi_epsilon(curve, Fraction(1, 2), digits, form="mironov")
    assert found.optimal and found.epsilon.proved_digits >= digits
    assert found.epsilon.lower <= 1 <= found.epsilon.upper


@pytest.mark.parametrize("form", ["cks", "mironov"])
@pytest.mark.parametrize(("shift", "width"), [(-3, 10), (-1, 3), (0, 2), (1, 3), (3, 10)])
def test_wide_chords_stay_below_the_minimum(form, shift, width):
    """The bound alone, with chords so wide that a line used on the wrong side of its chord would show."""
    found = renyi_epsilon(gaussian(Fraction(1, 2)), "1e-5", 30, form=form)
    with working_precision(200):
        conversion = Conversion(gaussian(Fraction(1, 2)), -arb("1e-5").log(), cks=form == "cks")
        middle = conversion.at((found.order - 1) * (1 + Fraction(shift, 100)))
        bound = from_arb(_inner_bound(conversion, middle, Fraction(width, 100)))
        edge = from_arb(_edge_bound(conversion, middle, None, Fraction(width, 100)))
    assert found.epsilon.upper - 0.25 < bound.lower <= bound.upper < found.epsilon.lower
    assert edge.lower < found.epsilon.lower


@pytest.mark.parametrize("digits", [20, 50])
def test_a_curve_of_just_enough_digits_for_an_order_at_infinity(digits):
    curve = ball_curve(response(lambda: arb(1) / 3), digits + 3)
    found = renyi_epsilon(curve, "1e-5", digits, form="mironov")
    assert found.epsilon.contains(Fraction(1, 3))
    assert found.epsilon.proved_digits >= digits


def test_edge_of_finite_orders():
    """The best order is the last one where the curve is finite: closed form there."""

    def curve(order):
        return Enclosure.from_fraction(order / 2, 400) if order <= 3 else INFINITE

    for form in ("cks", "mironov"):
        found = renyi_epsilon(curve, "1e-5", 50, form=form)
        assert found.epsilon.contains(formula(MP.mpf(1.5), Fraction(3), MP.mpf("1e-5"), form))
        assert found.epsilon.proved_digits >= 49
        assert found.order <= 3

    def unknown(order):
        """Beyond order 3 nothing is known: higher orders might do better, down to what a tangent says."""
        return Enclosure.from_fraction(order / 2, 400) if order < 3 else Enclosure(0, float("inf"))

    wide = renyi_epsilon(unknown, "1e-5", 50)
    assert wide.epsilon.contains(renyi_epsilon(gaussian(Fraction(1, 2)), "1e-5").epsilon)
    assert wide.epsilon.upper >= formula(MP.mpf(1.5), Fraction(3), MP.mpf("1e-5"), "cks")
    near_one = renyi_epsilon(lambda a: curve(a) if a < 1 + Fraction(1, 10**6) else INFINITE, "1e-5", 20)
    assert near_one.order < 1 + Fraction(1, 10**6)
    assert near_one.epsilon.proved_digits >= 20
    assert renyi_epsilon(lambda _: INFINITE, "1e-5") == RenyiEpsilon(INFINITE, None, False)


def test_lists_of_orders():
    curve = gaussian(Fraction(1, 2))
    found = renyi_epsilon(curve, "1e-5", 50, orders=[2, "5.5", 6, Fraction(11, 2), 5.25])
    truth = {a: formula(number(a) / 2, a, MP.mpf("1e-5"), "cks") for a in map(Fraction, ("2", "5.5", "6", "5.25"))}
    assert found.order == min(truth, key=truth.get)
    assert found.epsilon.contains(min(truth.values()))
    assert found.epsilon.proved_digits >= 50
    skipping = renyi_epsilon(lambda a: INFINITE if a > 5 else curve(a), "1e-5", orders=[2, 5, 6])
    assert skipping.order == 5
    assert renyi_epsilon(lambda _: INFINITE, "1e-5", orders=[2, 3]).epsilon == INFINITE


def test_never_negative_and_the_ends_of_delta():
    zero = Enclosure(0, 0)
    curve = gaussian(Fraction(1, 10**6))
    assert renyi_epsilon(curve, "1/2").epsilon == zero
    assert renyi_epsilon(curve, "1/2", orders=[2]).epsilon == zero
    assert renyi_epsilon(gaussian(Fraction(0)), "1e-5").epsilon == zero
    assert renyi_epsilon(gaussian(Fraction(0)), "1e-5", form="mironov").epsilon == zero
    assert renyi_epsilon(curve, 1) == RenyiEpsilon(zero, None, True)
    assert renyi_epsilon(curve, 2) == RenyiEpsilon(zero, None, True)
    over = renyi_epsilon(gaussian(Fraction(1, 2)), Enclosure(0.5, 1.5)).epsilon
    assert over.lower == 0 and over.upper >= renyi_epsilon(gaussian(Fraction(1, 2)), 0.5).epsilon.upper > 0
    assert renyi_epsilon(curve, 0).epsilon == INFINITE
    wide = renyi_epsilon(gaussian(Fraction(1, 2)), Enclosure(0, 1e-5))
    assert wide.epsilon.upper == float("inf")
    assert wide.epsilon.lower == renyi_epsilon(gaussian(Fraction(1, 2)), 1e-5).epsilon.lower


def test_a_range_of_delta_is_covered():
    curve = gaussian(Fraction(1, 2))
    wide = renyi_epsilon(curve, Enclosure(1e-6, 1e-5)).epsilon
    for delta in (1e-6, 3e-6, 1e-5):
        assert wide.contains(renyi_epsilon(curve, delta).epsilon)


def test_an_epsilon_far_below_its_terms_keeps_its_digits():
    """Delta chosen so that epsilon is about 1e-18, the difference of terms of order 1."""
    rho, low, high = Fraction(1, 10), Fraction(1, 100), Fraction(9, 10)
    for _ in range(60):
        middle = (low + high) / 2
        positive = renyi_epsilon(gaussian(rho), middle, 20).epsilon.upper > 0
        low, high = (middle, high) if positive else (low, middle)
    found = renyi_epsilon(gaussian(rho), low, 50)
    goal, r = -MP.log(number(low)), number(rho)
    b = MP.findroot(lambda b: r * b * b + MP.log(1 + b) - goal, 2)
    assert found.epsilon.contains(formula(r * (1 + b), 1 + b, low, "cks"))
    assert found.epsilon.upper < 1e-15
    assert found.epsilon.proved_digits >= 50


def test_a_curve_of_few_digits_gives_few_digits():
    def curve(order):
        return Enclosure.from_fraction(order / 2, 40)

    found = renyi_epsilon(curve, "1e-5", 50)
    assert found.epsilon.contains(renyi_epsilon(gaussian(Fraction(1, 2)), "1e-5", 50).epsilon)
    assert 8 <= found.epsilon.proved_digits < 14


def test_curves_that_are_not_convex():
    """Tiny at order 2, a valley near 60: the search ends in the valley, and a line through it lies above order 2."""

    def curve(order):
        value = Fraction(1, 100) if order < 3 else 30 + (order - 60) ** 2 / 100
        return Enclosure.from_fraction(value, 400)

    with pytest.raises(InputError, match="not convex"):
        renyi_epsilon(curve, "1e-5")
    found = renyi_epsilon(curve, "1e-5", convex=False)
    assert not found.optimal
    expected = formula(MP.mpf(1) / 100, found.order, MP.mpf("1e-5"), "cks")
    assert found.epsilon.contains(expected)
    assert found.epsilon.proved_digits >= 50


@settings(max_examples=50, deadline=None)
@given(st.lists(st.fractions(min_value=0, max_value=10**6), min_size=1, max_size=4), st.integers(1, 10**6))
def test_composition_adds(rates, steps):
    total = compose(*map(gaussian, rates), steps=steps)
    for order in (Fraction(3, 2), Fraction(7)):
        found = total(order)
        assert found.contains(steps * sum(rates) * order)
        assert found.is_exact or found.proved_digits > 60
    apart = compose(gaussian(Fraction(1)), gaussian(Fraction(1, 2**1000)))(Fraction(2))
    assert apart.contains(2 + Fraction(1, 2**999))
    assert not apart.is_exact
    assert compose(lambda _: INFINITE, gaussian(Fraction(1)))(Fraction(2)) == INFINITE


def test_composition_of_identical_steps_is_one_scaled_curve():
    once = renyi_epsilon(compose(gaussian(Fraction(1, 200)), steps=100), "1e-5", 40)
    assert once.epsilon.overlaps(renyi_epsilon(gaussian(Fraction(1, 2)), "1e-5", 40).epsilon)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((gaussian(Fraction(1)), -1), {}),
        ((gaussian(Fraction(1)), float("nan")), {}),
        ((gaussian(Fraction(1)), "1e-5", 0), {}),
        ((gaussian(Fraction(1)), "1e-5"), {"orders": [1]}),
        ((gaussian(Fraction(1)), "1e-5"), {"orders": []}),
        ((gaussian(Fraction(1)), "1e-5"), {"orders": ["sqrt(2)"]}),
        ((gaussian(Fraction(1)), "1e-5"), {"form": "best"}),
        ((gaussian(Fraction(-1)), "1e-5"), {}),
        ((lambda a: float(a), "1e-5"), {}),
    ],
)
def test_bad_input(arguments, options):
    with pytest.raises(InputError) as caught:
        renyi_epsilon(*arguments, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("steps", [0, -1, 1.5, True])
def test_bad_composition(steps):
    with pytest.raises(InputError):
        compose(gaussian(Fraction(1)), steps=steps)
    with pytest.raises(InputError):
        compose()


def test_the_global_precision_stays_even_if_the_curve_fails():
    before = flint.ctx.prec

    def broken(order):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        renyi_epsilon(broken, "1e-5")
    assert flint.ctx.prec == before
