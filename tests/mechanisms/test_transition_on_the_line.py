"""Two-valued drifts and hyperbolic tangents against mpmath, with the kernels written in another way."""

import random

import numpy as np
import pytest
from flint import arb

from symdp.ball import mp_context
from symdp.errors import Undetermined
from symdp.mechanisms.transition import tanh_drift, two_valued
from symdp.mechanisms.transition.integrate import tilted_tail

MP = mp_context(40)


def middle_of(found):
    """The midpoint with all its digits."""
    return (MP.mpf(found.lower) + MP.mpf(found.upper)) / 2


def quadrature(p, q, alpha, points):
    return MP.log(MP.quad(lambda y: p(y) ** alpha * q(y) ** (1 - alpha), points)) / (alpha - 1)


# --- a two-valued drift, from the reflected and the killed kernel ---------------------------------------------------


def two_valued_value(data, digits=25):
    return two_valued.renyi(lambda bits: two_valued.TwoValuedPair(*map(arb, data)), digits)


def half_lines(m, a):
    """Half the sum or difference of the kernels reflected and killed at 0, of unit noise at time 1 with the drift m."""
    size = abs(a)

    def density(y):
        far = MP.exp(-2 * m * size) * MP.npdf(abs(y) + size - m)
        killed = MP.npdf(abs(y) - size - m) - far
        reflected = killed + 2 * far - m * MP.exp(2 * m * abs(y)) * MP.erfc((abs(y) + size + m) / MP.sqrt(2))
        return (reflected + (killed if a * y >= 0 else -killed)) / 2

    return density


@pytest.mark.parametrize(
    "data",
    [
        ("2", "-0.5", "0.5", "-0.5"),
        ("2.5", "-2", "1", "2"),
        ("3", "0.75", "-1", "1"),
        ("1.5", "-1", "0", "1"),
        ("1.125", "-0.25", "-2", "0.25"),
        ("8", "-1", "0.25", "0.125"),
        ("2", "2", "0.5", "0.25"),
    ],
)
def test_a_two_valued_drift(data):
    found = two_valued_value(data)
    alpha, m, a, b = map(MP.mpf, data)
    middle = alpha * a + (1 - alpha) * b
    points = sorted({MP.mpf(0), *(middle + k for k in (-12, -8, -4, -2, -1, 0, 1, 2, 4, 8, 12))})
    with MP.workdps(55):
        reference = quadrature(half_lines(m, a), half_lines(m, b), alpha, points)
    assert found.proved_digits >= 25 and abs(middle_of(found) - reference) < 1e-14


def test_without_drift_both_are_gaussian():
    for a, b in (("1", "-1"), ("0.5", "3")):
        gap = (MP.mpf(a) - MP.mpf(b)) ** 2
        assert abs(middle_of(two_valued_value(("2.5", "0", a, b))) - MP.mpf("1.25") * gap) < 1e-20
        found = tanh_drift.renyi(lambda bits, a=a, b=b: tanh_drift.TanhPair(0, *map(arb, ("2.5", "0.5", a, b))), 25)
        assert abs(middle_of(found) - MP.mpf("1.25") * gap) < 1e-20


def test_one_is_the_benes_process():
    """n = 1, where the divergence is closed: ``alpha d^2/(4s)`` and what two coins of biases ``(1 + tanh)/2`` keep."""
    alpha, s, a, b = map(MP.mpf, ("2.5", "0.5", "1", "-0.25"))
    p, q = (1 + MP.tanh(a)) / 2, (1 + MP.tanh(b)) / 2
    coins = MP.log(p**alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)) / (alpha - 1)
    found = tanh_drift.renyi(lambda bits: tanh_drift.TanhPair(1, *map(arb, ("2.5", "0.5", "1", "-0.25"))), 25)
    assert abs(middle_of(found) - alpha * (a - b) ** 2 / (4 * s) - coins) < 1e-22


# --- hyperbolic tangents, from the plane waves ----------------------------------------------------------------------


def plane_waves(power, s, a, y):
    """The kernel from the spectral theorem, in floating point: bound states, and waves ``e^{iqx}`` times a polynomial
    in tanh x that does not reflect; for one and two wells.
    """
    q = np.linspace(-1, 1, 1201)[:, None] * 9 / np.sqrt(s)
    two = max(-power, power - 1) == 2

    def wave(x):
        tangent = np.tanh(x)
        if two:
            return (3 * tangent**2 - 1 - q**2 - 3j * q * tangent) / ((1 + 1j * q) * (2 + 1j * q))
        return (tangent - 1j * q) / (1 + 1j * q)

    def kept(x):
        sech = 1 / np.cosh(x)
        if two:
            return np.array([np.exp(s / 2) * np.sqrt(1.5) * sech * np.tanh(x), np.exp(2 * s) * np.sqrt(0.75) * sech**2])
        return np.array([np.exp(s / 2) * np.sqrt(0.5) * sech])

    waves = np.exp(-q * q * s + 1j * q * (a - y)) * wave(np.array([a])) * np.conj(wave(y))
    rest = waves.real.sum(axis=0) * (q[1] - q[0]) / (2 * np.pi)
    kernel = rest + (kept(np.array([a])) * kept(y)).sum(axis=0)
    return np.exp(-(power**2) * s) * (np.cosh(y) / np.cosh(a)) ** power * kernel


@pytest.mark.parametrize(
    ("power", "data"),
    [
        (-1, ("2", "0.5", "0.5", "-0.5")),
        (-1, ("2.5", "1.5", "1", "2")),
        (-1, ("1.25", "0.25", "-0.5", "0.25")),
        (-2, ("2", "0.5", "0", "1")),
        (2, ("1.5", "0.5", "-0.5", "0.25")),
        (3, ("2", "0.25", "0.25", "0.5")),
    ],
)
def test_a_hyperbolic_tangent(power, data):
    """The trapezoidal rule in y, which converges exponentially here, over the plane waves."""
    found = tanh_drift.renyi(lambda bits: tanh_drift.TanhPair(power, *map(arb, data)), 20)
    alpha, s, a, b = map(float, data)
    reach = 5 * np.sqrt(2 * s) + 2 * max(power, 0) * s
    y = alpha * a + (1 - alpha) * b + np.arange(-reach, reach, 1 / 16)
    p, q = plane_waves(power, s, a, y), plane_waves(power, s, b, y)
    total = float(np.sum(p**alpha * q ** (1 - alpha)) / 16)
    assert found.proved_digits >= 20 and abs(float(found.mid) - np.log(total) / (alpha - 1)) < 1e-5


def logistic(s, a):
    """The law of ``L = D^2 - 2 tanh(z) D``."""

    def density(y):
        d = (y - a) / (2 * MP.sqrt(s))
        passed = MP.exp(-s - d * d) / MP.sqrt(4 * MP.pi * s) * MP.cosh(a) / MP.cosh(y)
        return passed + (MP.erf(MP.sqrt(s) - d) + MP.erf(MP.sqrt(s) + d)) / (4 * MP.cosh(y) ** 2)

    return density


@pytest.mark.parametrize(
    "data",
    [("2", "0.5", "0.5", "-0.5"), ("3", "0.05", "0.25", "0.5"), ("1.5", "4", "1", "-2"), ("2", "8", "0", "0.125")],
)
def test_the_logistic_law(data):
    found = tanh_drift.renyi(lambda bits: tanh_drift.TanhPair(-1, *map(arb, data)), 25)
    alpha, s, a, b = map(MP.mpf, data)
    middle = alpha * a + (1 - alpha) * b
    points = [middle + k for k in (-24, -12, -6, -3, -1, 0, 1, 3, 6, 12, 24)]
    reference = quadrature(logistic(s, a), logistic(s, b), alpha, points)
    assert found.proved_digits >= 25 and abs(middle_of(found) - reference) < 1e-18


# --- limits ---------------------------------------------------------------------------------------------------------


def test_at_small_times_they_are_gaussian_and_at_large_ones_they_forget():
    near = tanh_drift.renyi(lambda bits: tanh_drift.TanhPair(-1, *map(arb, ("2", "0.0001", "0.5", "0.51"))), 20)
    assert abs(near.mid - MP.mpf("0.5")) < 1e-4
    late = tanh_drift.renyi(lambda bits: tanh_drift.TanhPair(-1, *map(arb, ("2", "20", "0.5", "-0.5"))), 10)
    assert late.proved_digits >= 10 and 0 < late.mid < 1e-14
    far = two_valued_value(("2", "-6", "0.125", "-0.125"), 10)  # m = -6: 36 half-lives of the slowest mode
    assert far.proved_digits >= 10 and 0 < far.mid < 1e-12


def test_close_starts_keep_their_digits():
    a, b = "1", "1.0000001"
    assert two_valued_value(("2", "-0.5", a, b), 20).proved_digits >= 20
    found = tanh_drift.renyi(lambda bits: tanh_drift.TanhPair(-1, *map(arb, ("2", "0.5", a, b))), 12)
    assert found.proved_digits >= 12 and 1e-16 < found.mid < 1e-12


def test_exchanging_the_sides_changes_nothing():
    draw = random.Random(3)
    for _ in range(5):
        m, a, b = (arb(draw.randint(-12, 12)) / 8 for _ in range(3))
        one, other = (two_valued_value(("1.75", m, side * a, side * b), 12) for side in (1, -1))
        assert one.overlaps(other) and one.upper >= 0


def test_a_tail_that_does_not_fall_is_undetermined():
    with pytest.raises(Undetermined, match="fall"):
        tilted_tail(arb(0), arb(1), arb(3), arb(2))
    bound = tilted_tail(arb(0), arb(1), arb("0.5"), arb(2))
    true = MP.quad(lambda y: MP.exp(y / 2 - y * y / 2), [2, 4, 12])
    assert true < MP.mpf(str(bound.mid().str(20, radius=False))) < 1.5 * true


def test_what_takes_too_many_evaluations_is_undetermined():
    """Two laws that are equal up to ``e^-2500``: more bits are no remedy that anybody waits for."""
    time = arb(10_000)
    pair = two_valued.TwoValuedPair(arb(2), -(time / 2).sqrt(), 1 / (2 * time).sqrt(), arb(0))
    with pytest.raises(Undetermined, match="too many evaluations"):
        two_valued.renyi(lambda _: pair, 10)
