"""The Gaussian profile and its inverse against mpmath at another precision, limits, and the promise of the ends."""

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import flint
import pytest
from flint import arb
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import MPContext
from sympy import Rational, Symbol, log, pi, sqrt

from symdp.ball import Enclosure
from symdp.epsilon import gaussian, gaussian_delta, gaussian_epsilon
from symdp.errors import InputError, Undetermined

MP = MPContext()
MP.dps = 220


def number(value):
    return MP.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else MP.mpf(value)


def phi(x):
    """The normal distribution function."""
    return MP.erfc(-x / MP.sqrt(2)) / 2


def textbook(mu, epsilon):
    """The formula as it is printed, at a precision that survives its cancellation."""
    mu, epsilon = number(mu), number(epsilon)
    return phi(mu / 2 - epsilon / mu) - MP.exp(epsilon) * phi(-mu / 2 - epsilon / mu)


def scales(low, high):
    """Fractions ``m 10^k``, of every size between 10^low and 10^high."""
    mantissas = st.fractions(min_value=1, max_value=10, max_denominator=50)
    return st.builds(lambda m, k: m * Fraction(10) ** k, mantissas, st.integers(low, high))


def test_the_known_value():
    # N(0, 1) against N(1, 1) at epsilon = 1: Phi(-1/2) - e Phi(-3/2)
    assert gaussian_delta(1, 1, 20).to_decimal(14) == ("0.12693673750664", "0.12693673750665")
    expected = MP.erfc(1 / MP.sqrt(8)) / 2 - MP.e * MP.erfc(3 / MP.sqrt(8)) / 2
    assert gaussian_delta(1, 1).contains(expected)


@settings(max_examples=150, deadline=None)
@given(scales(-3, 1), scales(-3, 1))
def test_profile_contains_the_textbook_value(mu, epsilon):
    assume(epsilon / mu < 25)  # beyond, the textbook form has no digits left
    found = gaussian_delta(mu, epsilon, 30)
    assert found.contains(textbook(mu, epsilon))
    assert found.proved_digits >= 30
    assert 0 < found.lower < 1


@settings(max_examples=60, deadline=None)
@given(scales(-40, 40))
def test_profile_at_zero_is_the_total_variation(mu):
    expected = MP.erf(number(mu) / MP.sqrt(8))
    found = gaussian_delta(mu, 0, 40)
    assert abs(number(found.mid) - expected) <= expected * MP.mpf(10) ** -39


@pytest.mark.parametrize(
    ("mu", "epsilon"), [("1e-3", 1), ("1/3", 1000), ("1e-10", 1), ("2", "1e7"), ("1e-100", "1e-98")]
)
def test_far_tail_against_the_asymptotic_series(mu, epsilon):
    """``M(x) ~ 1/x - 1/x^3 + 3/x^5 - ...`` encloses between partial sums."""
    context = MPContext()
    context.dps = 400
    m, e = (context.mpf(Fraction(v).numerator) / Fraction(v).denominator for v in (mu, epsilon))
    a, b = e / m - m / 2, e / m + m / 2

    def mills(x, terms):
        total, term = context.mpf(0), 1 / x
        for k in range(terms):
            total += term
            term *= -(2 * k + 1) / x**2
        return total

    density = context.exp(-a * a / 2) / context.sqrt(2 * context.pi)
    low, high = (density * (mills(a, n) - mills(b, n + 1)) for n in (20, 21))
    found = gaussian_delta(mu, epsilon, 20)
    assert low * (1 - context.mpf(10) ** -19) <= found.lower
    assert found.upper <= high * (1 + context.mpf(10) ** -19)
    assert found.proved_digits >= 20


def test_limits():
    assert gaussian_delta(0, 0) == gaussian_delta(0, 5) == Enclosure(0, 0)
    huge = gaussian_delta("1e300", "1e300", 30)
    assert huge.lower > 1 - MP.mpf(10) ** -29
    assert huge.upper <= 1
    # epsilon = mu^2/2 is the median of the loss: delta = 1/2 - M(mu)/sqrt(2 pi), and M(mu) is nearly 1/mu
    assert (
        abs(number(gaussian_delta("1e10", "5e19").mid) - (0.5 - 1 / (MP.sqrt(2 * MP.pi) * 10**10))) < MP.mpf(10) ** -30
    )
    tiny = gaussian_delta("1e-300", 0, 30)
    assert abs(number(tiny.mid) * MP.sqrt(2 * MP.pi) * MP.mpf(10) ** 300 - 1) < MP.mpf(10) ** -29


def test_many_digits():
    found = gaussian_delta("1/3", "2/7", 1000)
    context = MPContext()
    context.dps = 1100
    m, e = context.mpf(1) / 3, context.mpf(2) / 7
    normal = [context.erfc(-x / context.sqrt(2)) / 2 for x in (m / 2 - e / m, -m / 2 - e / m)]
    assert found.contains(normal[0] - context.exp(e) * normal[1])
    assert found.proved_digits >= 1000


@settings(max_examples=100, deadline=None)
@given(scales(-8, 4), st.fractions(min_value=Fraction(1, 10**9), max_value=Fraction(1, 2)))
def test_epsilon_is_least(mu, share):
    """Delta is a share of delta(0), so epsilon is positive; both ends are checked by the textbook formula."""
    delta = share * Fraction(str(gaussian_delta(mu, 0, 20).lower_float()))
    found = gaussian_epsilon(mu, delta, 30)
    assert found.lower > 0
    assert found.proved_digits >= 30
    assert textbook(mu, found.lower) >= number(delta) >= textbook(mu, found.upper)


@settings(max_examples=60, deadline=None)
@given(scales(-6, 0), scales(-6, 2))
def test_epsilon_inverts_delta(mu, epsilon):
    delta = gaussian_delta(mu, epsilon, 60)
    found = gaussian_epsilon(mu, delta, 20)
    assert found.contains(epsilon)
    assert found.proved_digits >= 17


@pytest.mark.parametrize("exponent", [5, 50, 500])
def test_delta_next_to_one(exponent):
    """``1 - delta`` as small as one likes: on this side of the profile delta itself is flat."""
    gap = Fraction(1, 10**exponent)
    found = gaussian_epsilon(100, 1 - gap, 20)
    context = MPContext()
    context.dps = exponent + 60

    def rest(e):
        e = context.mpf(e)
        return (
            context.erfc((50 - e / 100) / context.sqrt(2)) / 2
            + context.exp(e) * context.erfc((50 + e / 100) / context.sqrt(2)) / 2
        )

    assert rest(found.lower) <= context.mpf(10) ** -exponent <= rest(found.upper)
    assert found.proved_digits >= 20


def test_delta_next_to_delta_of_zero():
    """Delta below delta(0) by a relative 1e-60: epsilon is nearly (delta(0) - delta)/Phi(-mu/2), to the next order."""
    at_zero = gaussian_delta(1, 0, 120).lower
    delta = Fraction(int(at_zero.man)) * Fraction(2) ** int(at_zero.exp) * (1 - Fraction(1, 10**60))
    found = gaussian_epsilon(1, delta, 25)
    expected = (MP.erf(1 / MP.sqrt(8)) - number(delta)) / phi(MP.mpf(-0.5))
    assert abs(number(found.mid) / expected - 1) < MP.mpf(10) ** -24
    assert found.proved_digits >= 25


def test_epsilon_at_the_edges():
    infinity = Enclosure(float("inf"), float("inf"))
    assert gaussian_epsilon(1, 0) == infinity
    assert gaussian_epsilon(0, 0) == gaussian_epsilon(0, "1e-5") == Enclosure(0, 0)
    assert gaussian_epsilon(1, 1) == gaussian_epsilon(1, "0.39") == gaussian_epsilon("1e-20", "1e-5") == Enclosure(0, 0)
    assert gaussian_epsilon(3, 1.5) == gaussian_epsilon("1e9", 7) == Enclosure(0, 0)
    assert gaussian_epsilon(1, Enclosure(0.1, 1.5)) == Enclosure(0, gaussian_epsilon(1, 0.1).upper)
    assert gaussian_epsilon(Enclosure(0, float("inf")), "1e-5") == Enclosure(0, float("inf"))
    assert gaussian_delta(Enclosure(1, float("inf")), 1).upper == 1


def test_ranges_are_covered():
    mu, delta = Enclosure(0.75, 1.25), Enclosure(1e-6, 1e-4)
    wide = gaussian_epsilon(mu, delta, 25)
    for m in (0.75, 0.9, 1.25):
        for d in (1e-6, 3e-5, 1e-4):
            assert wide.contains(gaussian_epsilon(m, d, 40))
    assert wide.lower == gaussian_epsilon(0.75, 1e-4, 25).lower
    assert wide.upper == gaussian_epsilon(1.25, 1e-6, 25).upper
    assert gaussian_epsilon(1, gaussian_delta(1, 0)).lower == 0
    spread = gaussian_delta(mu, Enclosure(0.5, 2), 20)
    assert spread.contains(gaussian_delta(1, 1))
    assert gaussian_epsilon(1, Enclosure(0, 1e-5)).upper == float("inf")


def test_one_number_in_many_forms():
    for half in (0.5, "0.5", ".5", "1/2", "5e-1", Fraction(1, 2), Decimal("0.5"), Rational(1, 2), MP.mpf(0.5)):
        assert gaussian_delta(half, half, 30) == gaussian_delta("1/2", "1/2", 30)
    assert gaussian_delta(0.1, 1) != gaussian_delta("0.1", 1)  # the double is not a tenth
    root = gaussian_delta(sqrt(2), log(2) / pi, 40)
    assert root.contains(textbook(MP.sqrt(2), MP.log(2) / MP.pi))
    assert root.proved_digits >= 40
    assert gaussian_epsilon("sqrt(2)", "1e-5", 30).overlaps(gaussian_epsilon(sqrt(2), "1e-5", 40))


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (gaussian_delta, (-1, 1)),
        (gaussian_delta, (1, -1)),
        (gaussian_delta, (float("nan"), 1)),
        (gaussian_delta, (1, float("inf"))),
        (gaussian_delta, (True, 1)),
        (gaussian_delta, (1, 1, 0)),
        (gaussian_delta, (1, 1, 10**9)),
        (gaussian_delta, (1, 1, 2.5)),
        (gaussian_delta, (1, None)),
        (gaussian_delta, (1j, 1)),
        (gaussian_delta, (1, "1e999999")),
        (gaussian_delta, ("1/0", 1)),
        (gaussian_delta, (Symbol("mu"), 1)),
        (gaussian_epsilon, (-0.1, 0.1)),
        (gaussian_epsilon, (1, -1e-9)),
        (gaussian_epsilon, (1, "nan")),
        (gaussian_epsilon, (1, Enclosure(-0.5, 1.5))),
        (gaussian_epsilon, (Enclosure(-1, 1), 0.5)),
        (gaussian_epsilon, (1, "")),
    ],
)
def test_bad_input(function, arguments):
    with pytest.raises(InputError) as caught:
        function(*arguments)
    assert "\n" not in str(caught.value)


def test_more_precision_than_allowed_is_undetermined(monkeypatch):
    monkeypatch.setattr("symdp.epsilon.gaussian.MAX_BITS", 500)
    with pytest.raises(Undetermined):
        gaussian_delta("1e-300", 1, 10)
    with pytest.raises(Undetermined):
        gaussian_epsilon("1e-300", "1e-600", 10)


@pytest.mark.parametrize("error", ["1.01", "0.99"])
def test_a_wrong_root_is_not_believed(monkeypatch, error):
    """The search is not trusted: what it proposes counts only once both ends are proved."""
    newton = gaussian._newton
    monkeypatch.setattr("symdp.epsilon.gaussian.MAX_BITS", 200)
    monkeypatch.setattr(gaussian, "_newton", lambda *arguments: newton(*arguments) * arb(error))
    with pytest.raises(Undetermined):
        gaussian_epsilon(1, "1e-5", 10)


def test_the_global_precision_stays():
    before = flint.ctx.prec
    gaussian_epsilon("1e-100", "1e-120")
    with pytest.raises(InputError):
        gaussian_epsilon(1, -2)
    assert flint.ctx.prec == before


def test_numbers_need_no_sympy():
    program = "import sys, symdp.epsilon as e; e.gaussian_epsilon('1', '1e-5'); print('sympy' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"
