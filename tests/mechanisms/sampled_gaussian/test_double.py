"""Float64 curves: never below the truth, nearly never more than a trillionth above it."""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest

from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import renyi, renyi_upper
from symdp.mechanisms.sampled_gaussian.double import EXCESS, renyi_bounds
from tests.mechanisms.sampled_gaussian import truths

RELATIONS = ("add-remove", "replace-one")
CURVE = [1 + x / 10.0 for x in range(1, 100)] + list(range(11, 64)) + [128, 256, 512, 1024]
PUBLIC = Path(__file__).with_name("sgm_public.csv")


def excess(value, truth):
    """``value/truth - 1`` to a few digits."""
    with mpmath.workdps(60):
        return float(mpmath.mpf(float(value)) / truth - 1)


def assert_bounds(q, sigma, alpha, truth, relation="add-remove"):
    (low,), (high,) = renyi_bounds(q, sigma, [alpha], relation=relation)
    if math.isnan(high):
        return False
    assert 0 <= excess(high, truth) <= 2 * EXCESS, (q, sigma, alpha)
    assert excess(low, truth) <= 0, (q, sigma, alpha)
    return True


def random_points(seed, count):
    """Points all over the domain, every third near the place where a power of q and a Gaussian factor cancel."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        q = float(10 ** rng.uniform(-12, -0.01) if rng.random() < 0.6 else 1 - 10 ** rng.uniform(-12, -0.01))
        sigma = float(10 ** rng.uniform(-1, 4) if rng.random() < 0.6 else 10 ** rng.uniform(-1, 1))
        alpha = 1 + 10 ** (rng.uniform(-7, 0) if rng.random() < 0.5 else rng.uniform(0, 2))
        if k % 3 == 0:
            alpha = min(max(1.0001, 2 * sigma**2 * math.log(1 / q) * rng.uniform(0.8, 1.2)), 200.0)
        yield q, sigma, float(round(alpha) if k % 5 == 0 and alpha > 2 else alpha)


@pytest.mark.parametrize("seed", [1, 2])
def test_never_below_the_truth_on_random_inputs(seed):
    known = [assert_bounds(*point, truths.add_remove(*point)) for point in random_points(seed, 220)]
    assert sum(known) >= 0.99 * len(known)


@pytest.mark.parametrize("alpha", [1 + 2.0**-52, 1.0000001, 1.0001, 1.5, 2.0, 3.0, 7.25, 64.0, 300.5])
@pytest.mark.parametrize("q", [1e-12, 1e-3, 0.5, 1 - 1e-12])
def test_never_below_the_truth_on_a_grid(q, alpha):
    for sigma in (0.1, 1.0, 30.0, 1e4):
        truth = truths.add_remove(q, sigma, alpha)
        assert 0 <= excess(renyi_upper(q, sigma, [alpha])[0], truth) <= EXCESS


def test_high_orders_against_the_binomial_sum():
    for q, sigma, alpha in [(1e-4, 1.0, 1024.0), (1e-8, 6.0, 1500.0), (0.3, 40.0, 1200.0), (1e-12, 9.0, 4000.0)]:
        assert 0 <= excess(renyi_upper(q, sigma, [alpha])[0], truths.add_remove(q, sigma, alpha)) <= EXCESS


def test_orders_up_to_a_hundred_thousand():
    # log A = alpha log q + alpha (alpha-1)/(2 sigma^2) + log E, where E - 1 is far below a double's precision
    for q, sigma in [(0.5, 0.3), (1e-12, 0.1), (1e-3, 10.0)]:
        alpha = 1e5 + 0.5
        truth = alpha / (2 * mpmath.mpf(sigma) ** 2) + alpha / (alpha - 1) * mpmath.log(q)
        assert -1e-15 <= excess(renyi_upper(q, sigma, [alpha])[0], truth) <= EXCESS


def test_public_rows():
    with PUBLIC.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 300
    for row in rows:
        q, sigma, alpha = (float(row[name]) for name in ("q", "sigma", "alpha"))
        with mpmath.workdps(80):
            truth = max(mpmath.mpf(row["R_alpha(mix||N0)"]), mpmath.mpf(row["R_alpha(N0||mix)"]))
        assert 0 <= excess(renyi_upper(q, sigma, alpha), truth) <= EXCESS, row


def test_values_others_get_wrong():
    with mpmath.workdps(30):
        assert renyi_upper(0.01, 2.5, 1.5) * 50 == pytest.approx(6.50070897188e-4, rel=1e-11)
        assert renyi_upper(0.4, 12.0, 59.5) * 58.5 == pytest.approx(2.14789952851772, rel=1e-13)
        assert renyi_upper(0.1, 1.0, 1.1) == pytest.approx(0.00809856846807384, rel=1e-13)


def test_tiny_losses():
    for q, sigma, alpha in [(1e-12, 1e4, 1.0000001), (1e-12, 1e4, 256.0), (1e-90, 1.0, 1.5), (1e-3, 1e90, 3.0)]:
        value = renyi_upper(q, sigma, [alpha])[0]
        assert 0 < value < 1e-29
        assert 0 <= excess(value, truths.add_remove(q, sigma, alpha)) <= EXCESS


@pytest.mark.parametrize(
    "point",
    [
        (0.1, 1.0, 2.5),
        (1e-6, 3.0, 1.0001),
        (0.9, 0.5, 4.0),
        (0.3, 20.0, 40.0),
        (1 - 1e-9, 2.0, 1.7),
        (1e-12, 1e3, 90.5),
        (0.5, 0.5, 6.0),
    ],
)
def test_replace_one(point):
    assert assert_bounds(*point, truths.replace_one(*point), relation="replace-one")


@pytest.mark.parametrize(("q", "sigma"), [(0.1, 1.0), (1e-8, 5.0), (0.99, 0.3), (0.5, 100.0)])
@pytest.mark.parametrize("relation", RELATIONS)
def test_order_one_is_the_kullback_leibler_divergence(q, sigma, relation):
    truth = truths.divergence(q, sigma, replace=relation == "replace-one")
    assert assert_bounds(q, sigma, 1.0, truth, relation)
    assert 0 <= excess(renyi_upper(q, sigma, 1, relation=relation), truth) <= EXCESS


@pytest.mark.parametrize("relation", RELATIONS)
def test_the_ends_of_the_domain(relation):
    assert renyi_upper(0, 1, [1, 1.5, 2, math.inf], relation=relation).tolist() == [0.0] * 4
    assert renyi_upper(0.5, 1, [2, math.inf], relation=relation)[1] == math.inf
    assert renyi_upper(1e-300, 1, "inf", relation=relation) == math.inf


def test_text_and_fractions_mean_their_own_value():
    # 1/10 is below the double 0.1, so a proper bound of one need not bound the other; the truths differ by 1e-16
    with mpmath.workdps(40):
        for q, sigma, alpha in [
            ("1/10", "1.3", "2.1"),
            ("0.01", "2.5", "1.5"),
            (Fraction(1, 3), Fraction(7, 3), "4/3"),
        ]:
            exact = [mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in (q, sigma, alpha)]
            mp = truths.context(0.01, 3.0, 0.3, 25)
            truth = truths.add_remove(*(mp.mpf(x) for x in exact))
            assert 0 <= excess(renyi_upper(q, sigma, alpha), truth) <= EXCESS


def test_sensitivity_scales_sigma():
    assert renyi_upper(0.01, 5, 1.5, sensitivity=2) == renyi_upper(0.01, 2.5, 1.5)
    assert renyi_upper(0.01, 1, 1.5, sensitivity=Fraction(2, 5)) == renyi_upper(0.01, 2.5, 1.5)


def test_shapes_and_kinds_of_orders():
    base = renyi_upper(0.1, 2, [1.5, 2.0, 3.0])
    assert base.shape == (3,) and base.dtype == np.float64
    for orders in (
        (1.5, 2, 3),
        np.array([1.5, 2, 3]),
        np.array([1.5, 2, 3], dtype=np.float32),
        ["1.5", Fraction(2), 3],
    ):
        assert renyi_upper(0.1, 2, orders).tolist() == base.tolist()
    assert renyi_upper(0.1, 2, np.array([[2], [3]])).tolist() == [[base[1]], [base[2]]]
    assert renyi_upper(0.1, 2, 1.5).shape == () and float(renyi_upper(0.1, 2, "3/2")) == base[0]
    assert renyi_upper(0.1, 2, []).shape == (0,)


def test_a_curve_is_its_points():
    curve = renyi_upper(0.01, 1.1, CURVE)
    for alpha, value in zip(CURVE, curve, strict=True):
        assert abs(renyi_upper(0.01, 1.1, alpha) - value) <= 2 * EXCESS * value


@pytest.mark.parametrize("q", [1e-12, 1e-5, 0.01, 0.5, 0.99])
def test_the_default_curve_needs_no_ball_arithmetic(q):
    for sigma in (0.2, 0.5, 1.0, 2.5, 10.0, 1e3):
        low, high = renyi_bounds(q, sigma, CURVE)
        assert np.all(high - low <= 0.99 * EXCESS * low)


# no shorter plan is proved and the whole range is too long; losses too small or noise too small for the float64 path
BEYOND = [
    (5.036490861302771e-07, 0.6620182051526226, 8775.241570406131),
    (1.7748628723952466e-12, 0.30560925265488087, 606.0005090525316),
    (1e-120, 1.0, 1.5),
    (0.5, 1e-3, 2.5),
    (0.3, 0.01, 1e5),
    (0.5, 0.1, 4e6),
]


@pytest.mark.parametrize("point", BEYOND)
def test_ball_arithmetic_takes_over(point):
    (low,), (high,) = renyi_bounds(*point[:2], [point[2]])
    assert not high - low <= EXCESS * low
    value = renyi_upper(*point[:2], [2.0, point[2]])[1]
    exact = renyi(*point, digits=25)
    assert value == exact.upper_float() or 0 <= excess(value, exact.upper) <= 2 * np.finfo(float).eps


def test_ball_arithmetic_is_rarely_needed():
    rng = np.random.default_rng(11)
    missed = 0
    for _ in range(100):
        q, sigma = 10 ** rng.uniform(-12, -0.001), 10 ** rng.uniform(-1, 4)
        low, high = renyi_bounds(q, sigma, 1 + 10 ** rng.uniform(-7, 5, 50))
        missed += int(np.sum(~(high - low <= 0.99 * EXCESS * low)))
    assert missed <= 25


def test_beyond_the_doubles():
    assert renyi_upper(1e-200, 1.0, 1.5) == 5e-324
    assert renyi_upper("1e-200", "1e90", 2) == 5e-324
    assert renyi_upper(1, "1e-100", [2, 1e5]).tolist() == pytest.approx([1e200, 5e204], rel=1e-15)
    assert renyi_upper("1/2", "1e-100", 2) == pytest.approx(1e200, rel=1e-12)


@pytest.mark.parametrize(("q", "sigma", "alpha"), [(1, 3.0, 2.5), (1, 0.1, 3), ("1", "1/3", "7/5")])
def test_a_certain_record_is_the_gaussian(q, sigma, alpha):
    exact = Fraction(alpha) / (2 * Fraction(sigma) ** 2)
    for relation, factor in zip(RELATIONS, (1, 4), strict=True):
        value = Fraction(float(renyi_upper(q, sigma, alpha, relation=relation)))
        assert factor * exact <= value <= factor * exact * (1 + Fraction(1, 2**51))


@pytest.mark.parametrize("seed", [3, 4])
def test_both_sides_against_ball_arithmetic(seed):
    """Random points of both relations and every size, against proved enclosures."""
    for k, (q, sigma, alpha) in enumerate(random_points(seed, 240)):
        relation = RELATIONS[k % 2]
        exact = renyi(q, sigma, alpha, digits=22, relation=relation)
        (low,), (high,) = renyi_bounds(q, sigma, [alpha], relation=relation)
        if not math.isnan(high):
            assert low <= exact.lower and exact.upper <= high, (q, sigma, alpha, relation)
            assert high - low <= 0.99 * EXCESS * low, (q, sigma, alpha, relation)


def test_the_value_bounds_the_reverse_direction_too():
    for q, sigma, alpha in [(0.3, 0.5, 1.1), (1e-12, 1e4, 1.0000001), (0.999, 2.0, 30.0)]:
        assert renyi_upper(q, sigma, alpha) >= renyi(q, sigma, alpha, digits=25, direction="reverse").upper


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((1.5, 1, [2]), "q"),
        ((0.1, 0, [2]), "sigma"),
        ((0.1, 1, [2, 0.5]), "orders"),
        ((0.1, 1, [2, math.nan]), "orders"),
        ((0.1, 1, np.array([math.nan])), "orders"),
        ((0.1, 1, [True]), "orders"),
        ((0.1, 1, "two"), "orders"),
        ((0.1, 1, [[2.0]]), "orders"),
        ((0.1, 1, [2], 0), "sensitivity"),
        ((0.1, 1, [2], 1, "swap"), "relation"),
    ],
)
def test_bad_input_is_one_line(arguments, word):
    with pytest.raises(InputError) as caught:
        renyi_upper(*arguments)
    assert word in str(caught.value) and "\n" not in str(caught.value)
