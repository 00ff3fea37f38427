"""The face users hold: exact numbers in, enclosures out, and a refusal where nothing is proved."""

import pkgutil
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symdp
from symdp.ball import mp_context
from symdp.errors import InputError, Refused
from symdp.question import MAX_DIGITS, check_digits

OU = symdp.derive(symdp.Diffusion("-theta*x", "sqrt(2)*rho"))
TANH = symdp.derive(symdp.Diffusion("2*tanh(x)", "sqrt(2)"))
GEOMETRIC = symdp.derive(symdp.Diffusion("mu*x", "sigma*x", domain="x>0", params="mu real"))
PLANE = symdp.derive(symdp.Diffusion("-a*x1-w*x2, w*x1-a*x2", "s,0;0,s"))
OSCILLATOR = symdp.derive(symdp.Diffusion("x2, -gamma*x2-k*x1", "0; sqrt(2*gamma)"))
AT = {"alpha": 8, "t": "1/2", "theta": 1, "rho": 1}


def gaussian(digits, *, alpha, t, theta, rho, x, xp):
    """R_alpha of two Gaussian laws of one variance, written down directly."""
    mp = mp_context(digits)
    alpha, t, theta, rho, x, xp = (
        mp.mpf(Fraction(v).numerator) / Fraction(v).denominator for v in (alpha, t, theta, rho, x, xp)
    )
    mean, mean_p = x * mp.exp(-theta * t), xp * mp.exp(-theta * t)
    variance = rho**2 * (1 - mp.exp(-2 * theta * t)) / theta
    return alpha * (mean - mean_p) ** 2 / (2 * variance)


# --- the package ----------------------------------------------------------------------------------------------------


def test_import_is_light():
    code = (
        "import sys, symdp; from symdp import cli, console\n"
        "heavy = {'sympy', 'mpmath', 'flint', 'z3', 'numpy', 'rich'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_public_names():
    assert set(symdp.__all__) <= set(dir(symdp))
    for name in symdp.__all__:
        assert getattr(symdp, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        symdp.nothing  # noqa: B018


def test_no_submodule_hides_a_public_name():
    submodules = {module.name for module in pkgutil.iter_modules(symdp.__path__)}
    assert not submodules & set(symdp.__all__)
    assert callable(symdp.derive)


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [1, 50, 1000])
def test_ornstein_uhlenbeck_is_the_gaussian_value(digits):
    values = {"alpha": "8", "t": "1/2", "theta": "3/7", "rho": "5/4", "x": "1/3", "xp": "-2"}
    found = OU.evaluate(values, digits=digits)
    assert found.proved_digits >= digits
    assert found.contains(gaussian(digits + 40, **values))
    lower, upper = (Fraction(text) for text in found.to_decimal(digits))
    assert lower < upper <= lower * (1 + Fraction(20, 10**digits))


def test_the_two_orders_differ():
    values = TANH.values(alpha=2, t="1/2", x=1, xp=0)
    assert str(values["value"].mid).startswith("1.45744108639181")
    for name, digits in (("value", "1.457441086391810056885"), ("value_reverse", "1.8675616609660543740530")):
        lower, upper = values[name].to_decimal(len(digits) + 3)
        near = Fraction(digits)
        assert abs(Fraction(lower) - near) < Fraction(1, 10 ** (len(digits) - 2)) > abs(Fraction(upper) - near)
    assert values["value_rdp"] == values["value_reverse"]
    assert TANH.evaluate(alpha=2, t="1/2", x=0, xp=1) == values["value_reverse"]


def test_delta_covers_every_pair_in_both_orders():
    rdp = TANH.evaluate(alpha=2, t="1/2", Delta=1)
    for x in ("-3", "-1", "-1/2", "0", "1/3", "2"):
        pair = TANH.values(alpha=2, t="1/2", x=x, xp=Fraction(x) + 1)
        assert pair["value_rdp"].lower <= rdp.upper


def test_engines_agree():
    values = {"alpha": "3/2", "t": "1/5", "x": "1/2", "xp": "-1/4"}
    proved = TANH.evaluate(**values, digits=60)
    other = TANH.evaluate(**values, digits=40, engine="mpmath")
    assert isinstance(other, mpmath.mpf)
    assert abs(other - proved.mid) < mpmath.mpf(10) ** -38
    with pytest.raises(InputError, match="arb or mpmath"):
        TANH.evaluate(**values, engine="float")


@pytest.mark.parametrize(
    "value",
    [0.5, "1/2", "0.5", Fraction(1, 2), Decimal("0.5"), numpy.float64(0.5), numpy.float32(0.5), mpmath.mpf("0.5")],
)
def test_exact_numbers_of_every_type(value):
    assert OU.evaluate({**AT, "t": value}, Delta=1) == OU.evaluate(AT, Delta=1)


def test_a_float_is_the_double_it_is():
    assert OU.evaluate({**AT, "t": 0.1}, Delta=1) != OU.evaluate({**AT, "t": "0.1"}, Delta=1)
    double = Fraction(0.1)
    assert OU.evaluate({**AT, "t": 0.1}, Delta=1) == OU.evaluate({**AT, "t": double}, Delta=numpy.int64(1))


def test_vectors():
    values = {"alpha": 2, "t": 1, "a": 1, "w": 1, "s": 1}
    pair = PLANE.evaluate(values, x=(1, 0), xp=(0, 0))
    assert pair == PLANE.evaluate(values, x=numpy.array([1.0, 0.0]), xp=[0, 0]) == PLANE.evaluate(values, Delta=1)
    # the rotation plays no part: R = alpha a |z|^2 / (s^2 (e^{2at} - 1))
    mp = mp_context(120)
    assert pair.contains(2 / (mp.exp(2) - 1))


def test_equal_starts_and_no_distance():
    assert TANH.evaluate(alpha=2, t=1, Delta=0) == symdp.Enclosure(0, 0)
    assert TANH.evaluate(alpha=2, t=1, x="1/3", xp="1/3") == symdp.Enclosure(0, 0)


def test_a_removable_singularity_of_the_formula():
    bound = symdp.derive(symdp.Diffusion("-theta*x", "sqrt(2)", params="theta real"))
    assert bound.evaluate(alpha=2, t=1, Delta=1, theta=0) == symdp.Enclosure(0.5, 0.5)  # Brownian motion
    below = bound.evaluate(alpha=2, t=1, Delta=1, theta=-1)
    assert below.contains(mp_context(120).mpf(-1) / (mp_context(120).exp(-2) - 1))


def _oscillator(gamma, k, t, alpha, z):
    """(alpha/2) z^T e^{A't} Sigma^{-1} e^{At} z with Sigma from Van Loan's block exponential."""
    mp = mp_context(60)
    a = mp.matrix([[0, 1], [-k, -gamma]])
    q = mp.matrix([[0, 0], [0, 2 * gamma]])
    block = mp.matrix(4, 4)
    for i in range(2):
        for j in range(2):
            block[i, j], block[i, j + 2], block[i + 2, j + 2] = -a[i, j], q[i, j], a[j, i]
    whole = mp.expm(block * t)
    flow = whole[2:4, 2:4].T
    covariance = flow * whole[0:2, 2:4]
    moved = flow * mp.matrix(z)
    return alpha * (moved.T * mp.inverse(covariance) * moved)[0] / 2


@pytest.mark.parametrize("gamma", [1, 2, 3])
def test_one_formula_for_oscillating_critical_and_overdamped_values(gamma):
    """gamma = 1 oscillates, 2 is critical and 3 overdamped."""
    values = {"alpha": 2, "t": 1, "x": (1, 0), "xp": (0, "1/2"), "gamma": gamma, "k": 1}
    answer = OSCILLATOR.values(values, digits=40)
    mp = mp_context(60)
    assert abs(answer["value"].mid - _oscillator(gamma, 1, 1, 2, [1, mp.mpf(-1) / 2])) < mpmath.mpf(10) ** -38
    assert "note" not in answer


def test_derived_at_given_values_only_where_needed():
    """At b = 0 the first coordinate gets no noise, so nothing holds for every b; at b = 1 it does."""
    process = symdp.Diffusion("b*x2 - x1, -x2", "0; 1", params="b real")
    with pytest.raises(Refused, match="controllable"):
        symdp.derive(process)
    found = symdp.derive(process, at={"b": 1})
    assert any("derived at the given parameter values: b = 1" in note for note in found.notes)
    values = {"alpha": 2, "t": 1, "Delta": 1}
    assert found.evaluate(values) == found.evaluate(values, b=1)
    with pytest.raises(InputError, match="derived at b = 1"):
        found.evaluate(values, b=2)


# --- float64, rounded up --------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.fractions(min_value=Fraction(11, 10), max_value=200, max_denominator=50), min_size=1, max_size=4),
    st.fractions(min_value=Fraction(1, 50), max_value=20, max_denominator=50),
)
def test_curve_is_never_below_the_enclosure(orders, delta):
    values = {"t": "1/2", "theta": "1/3", "rho": 2, "Delta": delta}
    curve = OU.curve(orders, values)
    assert curve.dtype == numpy.float64
    for order, value in zip(orders, curve, strict=True):
        truth = OU.evaluate(values, alpha=order, digits=40)
        assert Fraction(float(value)) >= Fraction(truth.upper_float()) or float(value) == truth.upper_float()
        assert float(numpy.nextafter(value, -numpy.inf)) < truth.upper


def test_curve_overflows_to_infinity():
    curve = OU.curve([2, 3], t="1e-300", theta=1, rho=1, Delta="1e200")
    assert numpy.isposinf(curve).all()
    with pytest.raises(InputError, match="alpha is given beside the orders"):
        OU.curve([2], {**AT, "Delta": 1})


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 30), st.fractions(min_value=Fraction(11, 10), max_value=50, max_denominator=20))
def test_decimals_are_rounded_outward(digits, alpha):
    values = {"t": 1, "theta": 1, "rho": "2/3", "Delta": "7/5", "alpha": alpha}
    data = OU.to_json(values, digits=digits)["value"]
    truth = OU.evaluate(values, digits=60)
    low, high = map(Fraction, truth.to_decimal(60))
    assert Fraction(data["lower"]) <= low <= high <= Fraction(data["upper"])
    assert all(len(text.replace(".", "").lstrip("0").split("e")[0]) <= digits for text in data.values())


@settings(max_examples=30, deadline=None)
@given(st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=1000))
def test_a_number_and_its_text_are_one_value(t):
    values = {**AT, "Delta": 1}
    assert OU.evaluate({**values, "t": t}) == OU.evaluate({**values, "t": f"{t.numerator}/{t.denominator}"})


# --- (epsilon, delta) -----------------------------------------------------------------------------------------------


def profile(mu, epsilon):
    mp = mp_context(60)
    mu, epsilon = mp.mpf(mu), mp.mpf(epsilon)  # into this context, or the global precision would round them
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


@pytest.mark.parametrize("steps", [1, 10])
@pytest.mark.parametrize("starts", [{"Delta": 2}, {"x": 1, "xp": -1}])
def test_epsilon_of_gaussian_laws_is_tight(steps, starts):
    mp = mp_context(60)
    values = {"t": "1/2", "theta": 1, "rho": 1, **starts}
    epsilon = OU.epsilon("1e-5", steps, values, digits=30)
    mu = mp.sqrt(steps * mp.mpf(4) / (mp.e - 1))
    delta = mp.mpf(1) / 100000
    assert profile(mu, epsilon.lower) >= delta >= profile(mu, epsilon.upper)
    assert epsilon.proved_digits >= 28
    assert "order" not in OU.values(values, delta="1e-5", steps=steps)


def test_epsilon_of_other_laws_is_the_best_conversion():
    values = {"t": 1, "Delta": 1}
    answer = TANH.values(values, delta="1e-6", steps=3, digits=25)
    alpha, epsilon = Fraction(str(answer["order"])), answer["epsilon"]
    assert "value" not in answer  # no alpha was given

    def converted(order):
        mp = mp_context(40)
        order = mp.mpf(order.numerator) / order.denominator
        one = mp.mpf(TANH.evaluate(values, alpha=order, digits=30).upper)
        return 3 * one + mp.log((order - 1) / order) - (mp.log(mp.mpf(10) ** -6) + mp.log(order)) / (order - 1)

    assert abs(converted(alpha) - epsilon.upper) < mpmath.mpf(10) ** -20
    for other in (alpha * Fraction(9, 10), alpha * Fraction(11, 10)):
        assert converted(other) > epsilon.upper


def test_a_pair_of_starts_takes_the_larger_order():
    values = {"t": "1/2", "x": 1, "xp": 0}
    one = TANH.epsilon("1e-5", values=values, digits=20)
    assert one.overlaps(TANH.epsilon("1e-5", t="1/2", x=0, xp=1, digits=20))


# --- refusals and bad input -----------------------------------------------------------------------------------------


def test_no_bound_in_delta():
    with pytest.raises(Refused, match=r"constant noise.*two starts work") as caught:
        GEOMETRIC.evaluate(alpha=2, t=1, Delta=1, mu=0, sigma=1)
    assert caught.value.hypotheses
    with pytest.raises(Refused, match="two starts work"):
        GEOMETRIC.epsilon("1e-5", t=1, Delta=1, mu=0, sigma=1)
    found = GEOMETRIC.evaluate(alpha=2, t=1, x=2, xp=1, mu=0, sigma=1)
    assert found.contains(mp_context(120).log(2) ** 2)


def test_a_refusal_names_its_hypotheses():
    with pytest.raises(Refused, match="attained in finite time") as caught:
        symdp.derive(symdp.Diffusion("x**3", "1"))
    assert "refuted" in {item.verdict for item in caught.value.hypotheses}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"thta": 1}, "unknown name 'thta'; did you mean theta?"),
        ({"delta": 1}, "the sensitivity is Delta"),
        ({"x1": 1}, "the two starts are called x and xp"),
        ({"rho": None}, "no value for rho; give rho=..."),
        ({"rho": None, "alpha": None}, "no value for alpha, rho; give alpha=..., rho=..."),
        ({"Delta": None}, "no value for Delta; give Delta=... (or two starts, x=... and xp=...)"),
        ({"Delta": None, "x": 1}, "no value for xp; give xp=..."),
        ({"x": 1, "xp": 0}, "both Delta and starts are given"),
        ({"Delta": None, "x": (1, 2), "xp": 0}, "x: 2 components given; a start is a number"),
        ({"alpha": 1}, "alpha: alpha = 1 is not allowed; a Renyi order is above 1"),
        ({"alpha": "1/2"}, "a Renyi order is above 1"),
        ({"t": 0}, "t: t = 0 is not allowed; a time is above 0"),
        ({"t": -1}, "a time is above 0"),
        ({"Delta": -1}, "Delta: Delta = -1 is not allowed; a sensitivity is at least 0"),
        ({"theta": -1}, "theta: theta = -1 is outside theta > 0; parameters are positive unless declared"),
        ({"t": float("nan")}, "t: nan is not a finite number"),
        ({"t": float("inf")}, "t: inf is not a finite number"),
        ({"t": "1e999999"}, "too large"),
        ({"t": True}, "a truth value is not a number"),
        ({"t": 1j}, "complex"),
        ({"t": (1, 2)}, "t: one number expected, 2 given"),
        ({"t": "theta"}, "unknown name 'theta'"),
    ],
)
def test_bad_values_say_what_to_mend(change, message):
    values = {key: value for key, value in {**AT, "Delta": 1, **change}.items() if value is not None}
    with pytest.raises(InputError) as caught:
        OU.evaluate(values)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_starts():
    with pytest.raises(InputError, match=r"x: 1 component given; a start is 2 components: x=\(..., ...\)"):
        PLANE.evaluate(alpha=2, t=1, a=1, w=1, s=1, x=1, xp=(0, 0))
    for start in (0, -1):
        with pytest.raises(InputError, match=r"xp: .* is outside the domain; a start lies inside x > 0"):
            GEOMETRIC.evaluate(alpha=2, t=1, x=1, xp=start, mu=0, sigma=1)
    with pytest.raises(InputError, match="x given twice"):
        TANH.evaluate({"x": 1}, x=1)


def test_digits_delta_and_steps_are_checked():
    for digits in (0, -1, MAX_DIGITS + 1, "abc", 1.5, None):
        with pytest.raises(InputError, match="digits"):
            OU.evaluate({**AT, "Delta": 1}, digits=digits)
    assert check_digits(MAX_DIGITS) == MAX_DIGITS
    values = {"t": 1, "theta": 1, "rho": 1, "Delta": 1}
    for delta in (-1, "-1e-9", "nan"):
        with pytest.raises(InputError, match="delta"):
            OU.epsilon(delta, values=values)
    assert OU.epsilon(0, values=values).lower == float("inf")
    assert OU.epsilon(1, values=values) == OU.epsilon(2, values=values) == symdp.Enclosure(0, 0)
    for steps in (0, -1, 1.5, 10**13):
        with pytest.raises(InputError, match="steps"):
            OU.epsilon("1e-5", steps, values)


# --- assumptions ----------------------------------------------------------------------------------------------------


def test_an_assumed_relation_must_hold_at_the_values():
    bound = symdp.derive(symdp.Diffusion("-theta*x", "1", params="theta real"), assume="theta > 1")
    assert bound.evaluate(alpha=2, t=1, Delta=1, theta=2).lower > 0
    with pytest.raises(InputError, match="theta > 1, which is assumed, is false at theta = 1/2"):
        bound.evaluate(alpha=2, t=1, Delta=1, theta="1/2")


def test_what_was_needed_is_listed():
    free = symdp.derive(symdp.Diffusion("-theta*x", "sqrt(2)*rho"), assume=["rho > 1"])
    assert free.status == "proved" and free.assumptions == ()
    # the noise reaches x1 only through c, whose sign is open
    coupled = symdp.Diffusion("c*x2, -x2", "0; 1", params="c real")
    with pytest.raises(Refused, match="controllable"):
        symdp.derive(coupled)
    bound = symdp.derive(coupled, assume="c != 0")
    assert bound.status == "conditional" and any("c" in item for item in bound.assumptions)
    data = bound.to_json()
    assert data["status"] == "conditional" and data["assumptions"]


@pytest.mark.parametrize(
    ("assume", "message"),
    [
        ("spectrun", "no hypothesis here is called 'spectrun'; did you mean 'spectrum'?"),
        ("nothing like it", "no hypothesis here is called 'nothing like it'; there are: "),
        ("thta > 0", "unknown name 'thta'; did you mean theta?"),
        ("theta < 0", "empty"),
        ("", "nothing is assumed"),
        ([3], "nothing is assumed"),
    ],
)
def test_assumptions_that_say_nothing(assume, message):
    with pytest.raises(InputError, match=re.escape(message)):
        symdp.derive(symdp.Diffusion("-theta*x+tanh(x)*0", "sqrt(2)*rho"), assume)


def test_names_python_cannot_pass():
    bound = symdp.derive(symdp.Diffusion("-lambda*q", "self*sqrt(2)", state="q"))
    found = bound.evaluate({"lambda": 1, "self": 1}, alpha=8, t="1/2", Delta=1)
    assert found == OU.evaluate(AT, Delta=1)


# --- what is not what the signature says ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda b: b.curve(2, t=1, Delta=1), "orders"),
        (lambda b: b.curve("2", t=1, Delta=1), "orders"),
        (lambda b: b.evaluate([1]), "values"),
        (lambda b: symdp.derive(b.process, at=3), "values"),
        (lambda b: symdp.derive(b.process, assume=3), "assume"),
    ],
)
def test_a_wrong_type_is_bad_input(call, place):
    with pytest.raises(InputError, match=place):
        call(symdp.derive(symdp.Diffusion("-x", "1")))
