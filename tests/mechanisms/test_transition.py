"""Bessel laws and reflected intervals against mpmath at higher precision; the largest slope against its own search."""

import random

import pytest
from flint import acb, arb

from symdp.ball import mp_context, working_precision
from symdp.errors import Undetermined
from symdp.mechanisms.transition import bessel, drifted, integrate, interval
from symdp.mechanisms.transition.slope import slope, steepest

MP = mp_context(40)


def bessel_value(index, order, start, other, digits=20):
    pair = lambda bits: bessel.BesselPair(*map(arb, (index, order, start, other)))  # noqa: E731
    return bessel.renyi(pair, digits)


def bessel_reference(index, order, start, other):
    """``log int p_a^alpha p_b^(1-alpha)/(alpha-1)`` with the density written with the modified Bessel function."""
    nu, alpha, a, b = map(MP.mpf, (index, order, start, other))

    def density(s):
        return lambda z: z * (z / s) ** nu * MP.exp(-(z * z + s * s) / 2) * MP.besseli(nu, s * z)

    p, q, m = density(a), density(b), alpha * a + (1 - alpha) * b
    power = 1 / (nu + 1)  # z = w^(1/(nu+1)) makes the integrand smooth at 0 in w^2
    cuts = [0, 0.02, 0.05, 0.1, 0.2, 0.4, 1]
    near = MP.quad(lambda w: p(w**power) ** alpha * q(w**power) ** (1 - alpha) * power * w ** (power - 1), cuts)
    points = sorted(
        {MP.mpf(1), MP.mpf(3), MP.mpf(9), *(max(MP.mpf(1), m + k) for k in (-8, -4, -2, 0, 2, 4, 8, 13, 19))}
    )
    return MP.log(near + MP.quad(lambda z: p(z) ** alpha * q(z) ** (1 - alpha), points)) / (alpha - 1)


@pytest.mark.parametrize(
    "data",
    [
        ("-0.5", "2", "1", "2"),
        ("-0.5", "2.5", "2", "1"),
        ("0", "3", "0.5", "0.25"),
        ("-0.75", "2", "1", "0.5"),
        ("-0.9", "2", "0.125", "0.375"),
        ("1.5", "2.5", "3", "1"),
        ("0.25", "8", "1", "4"),
        ("2", "12", "6", "7"),
        ("40", "2", "9", "10"),
        ("127", "1.5", "16", "14"),
    ],
)
def test_bessel_laws(data):
    found = bessel_value(*data)
    assert found.proved_digits >= 20
    reference = bessel_reference(*data)
    assert abs(found.mid - reference) < 1e-17 * abs(reference)


def test_a_bessel_law_of_dimension_one_and_three_in_elementary_functions():
    a, b = MP.mpf("0.75"), MP.mpf("2")
    for index, law in (
        ("-0.5", lambda s, z: MP.exp(-((z - s) ** 2) / 2) + MP.exp(-((z + s) ** 2) / 2)),
        ("0.5", lambda s, z: z / s * (MP.exp(-((z - s) ** 2) / 2) - MP.exp(-((z + s) ** 2) / 2))),
    ):
        whole = MP.quad(lambda z, p=law: p(a, z) ** 3 / p(b, z) ** 2, [0, 1, 2, 4, 8, 16]) / MP.sqrt(2 * MP.pi)
        assert abs(bessel_value(index, "3", "0.75", "2", 25).mid - MP.log(whole) / 2) < 1e-24


def test_a_single_gaussian_far_from_the_origin():
    found = bessel_value("-0.5", "3", "40", "41", 30)
    assert abs(found.mid - MP.mpf(3) / 2) < 1e-29


def test_an_index_too_large_is_refused_and_does_not_run_on(monkeypatch):
    monkeypatch.setattr(integrate, "_MOST_WORK", 2_000_000)
    with pytest.raises(Undetermined, match="too many evaluations"):
        bessel_value("80000", "2", "400", "401", 10)


@pytest.mark.parametrize("index", [-0.99, -0.75, -0.5, 0.0, 3.0, 127.0, 1000.0])
def test_the_logarithm_of_the_bessel_factor_on_complex_balls(index):
    """Every point of the ball, by mpmath: the exponential decides, so that the branch is no question."""
    rng = random.Random(f"bessel factor {index}")
    seen = 0
    for _ in range(60):
        radius = rng.choice([12.5, 15, 30, 100, 300])
        centre = MP.mpc(radius * rng.uniform(0.3, 1.5), radius * rng.uniform(-1, 1) * rng.choice([0, 0.01, 0.3, 1]))
        wide = rng.choice([0, 2.0**-100, 1e-3, 0.1, 1.0, 5.0])
        with working_precision(160):
            ball = acb(*(arb(MP.nstr(part, 45), wide) for part in (centre.real, centre.imag)))
            found = bessel.log_scaled(arb(index), ball, True).exp()
        if not found.is_finite():
            assert wide > 0.01 or abs(centre) < 12.1
            continue
        for _ in range(3):
            point = centre + MP.mpc(*(wide * rng.uniform(-1, 1) for _ in range(2)))
            true = MP.hyp0f1(index + 1, point**2 / 4) * MP.exp(-point)
            slack = abs(true) * MP.mpf(10) ** -30
            with working_precision(160):
                around = acb(*(arb(MP.nstr(part, 45), MP.nstr(slack, 5)) for part in (true.real, true.imag)))
                assert found.overlaps(around), (ball, point)
            seen += 1
    assert seen > 60


def test_close_starts_keep_their_digits():
    found = bessel_value("0.3", "2", "0.001", "0.002", 30)
    assert found.proved_digits >= 30 and 1.7e-12 < found.mid < 1.8e-12


def test_an_index_that_is_not_above_minus_one_is_undetermined():
    with pytest.raises(Undetermined):
        bessel_value("-1", "2", "1", "2")
    with pytest.raises(Undetermined, match="index"):
        steepest(lambda bits: arb(-1))


def interval_reference(order, time, start, other):
    alpha, s, p, q = map(MP.mpf, (order, time, start, other))

    def density(at, y):
        v = MP.exp(-s)
        return (MP.jtheta(3, (at - y) / 2, v) + MP.jtheta(3, (at + y) / 2, v)) / 2

    whole = MP.quad(lambda y: density(p, y) ** alpha * density(q, y) ** (1 - alpha), MP.linspace(0, MP.pi, 7))
    return MP.log(whole / MP.pi) / (alpha - 1)


@pytest.mark.parametrize(
    "data",
    [
        ("2", "1.5", "1", "2"),
        ("2", "1", "1", "2"),
        ("2.5", "3", "0.5", "2"),
        ("3", "0.25", "1", "2"),
        ("2", "20", "1", "2"),
    ],
)
def test_a_reflected_interval(data):
    found = interval.renyi(lambda bits: interval.IntervalPair(*map(arb, data)), 25)
    assert found.proved_digits >= 25
    reference = interval_reference(*data)
    assert abs(found.mid - reference) < max(1e-17 * reference, MP.mpf(10) ** -35)


def test_an_interval_at_a_small_time_is_gaussian():
    found = interval.renyi(lambda bits: interval.IntervalPair(arb(2), arb("0.0001"), arb(1), arb("1.1")), 20)
    assert abs(found.mid - 50) < 1e-15


@pytest.mark.parametrize(
    "data", [("2", "0.5", "1", "2"), ("3", "-2", "1", "0.5"), ("2", "-4", "1", "3"), ("8", "3", "0.2", "0.1")]
)
def test_a_drift_and_a_wall(data):
    found = drifted.renyi(lambda bits: drifted.DriftedPair(*map(arb, data)), 20)
    alpha, m, a, b = map(MP.mpf, data)

    def density(s):
        return lambda y: (
            MP.npdf(y - s - m)
            + MP.exp(-2 * m * s) * MP.npdf(y + s - m)
            - m * MP.exp(2 * m * y) * MP.erfc((s + y + m) / MP.sqrt(2))
        )

    p, q = density(a), density(b)
    whole = MP.quad(lambda y: p(y) ** alpha * q(y) ** (1 - alpha), [0, 0.5, 1, 2, 3, 4, 6, 8, 12])
    assert found.proved_digits >= 20 and abs(found.mid - MP.log(whole) / (alpha - 1)) < 1e-13


def test_without_drift_the_wall_is_a_bessel_law():
    found = drifted.renyi(lambda bits: drifted.DriftedPair(arb(2), arb(0), arb(1), arb(2)), 20)
    assert found.overlaps(bessel_value("-0.5", "2", "1", "2"))


def reference_slope(index):
    """The largest value of G' over a fine grid, refined by a golden section, in mpmath."""
    nu = MP.mpf(index)

    def f(z):
        r = MP.besseli(nu + 1, z) / MP.besseli(nu, z)
        return z * (1 - r * r) - 2 * nu * r

    at = max((MP.mpf(1.15) ** k / 100 for k in range(80)), key=f)
    low, high = at / 1.2, at * 1.2
    for _ in range(90):
        one, two = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (one, high) if f(one) < f(two) else (low, two)
    return max(MP.mpf(1), f(low))


@pytest.mark.parametrize("index", ["-0.95", "-0.75", "-0.5", "-0.25", "0", "0.25", "0.4", "0.5", "0.75", "3"])
def test_the_largest_slope(index):
    found = steepest(lambda bits: arb(index), 15)
    assert found.width < 1e-14
    assert found.lower - 1e-14 <= reference_slope(index) <= found.upper + 1e-14


def test_the_largest_slope_of_reflected_brownian_motion_solves_its_equation():
    found = steepest(lambda bits: arb(-0.5), 15)
    low, high = MP.mpf(found.lower), MP.mpf(found.upper)
    assert low * MP.tanh(low) < 1 < high * MP.tanh(high)


def test_below_dimension_three_the_supremum_is_not_at_infinity():
    for index in ("-0.5", "-0.25", "0", "0.25", "0.4"):
        assert steepest(lambda bits, nu=index: arb(nu), 12).lower > 1
    assert slope(arb(0), arb(1000))[1] < steepest(lambda bits: arb(0), 12).lower
    assert steepest(lambda bits: arb("0.5"), 12).is_exact


def test_random_slopes_lie_below():
    draw = random.Random(5)
    for _ in range(20):
        nu = draw.uniform(-0.99, 0.45)
        found = steepest(lambda bits, nu=nu: arb(nu), 10)
        for _ in range(20):
            z = arb(10 ** draw.uniform(-3, 2))
            assert slope(arb(nu), z)[1].mid() <= found.to_arb().upper()
