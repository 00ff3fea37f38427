"""Divergences of wrapped normal laws against mpmath at higher precision, at every size of time and order."""

import random

import pytest
from flint import arb

from symdp.ball import mp_context, working_precision
from symdp.mechanisms.transition import circle

MP = mp_context(40)


def found(order, time, angle, digits=20):
    return circle.renyi(lambda bits: circle.CirclePair(*map(arb, (order, time, angle))), digits)


def reference(order, time, angle):
    """The mean over many equidistant points, of densities summed over images or cosines."""
    alpha, s, d = map(MP.mpf, (order, time, angle))

    def u(z):
        if s >= 1:
            return 1 + 2 * MP.fsum(MP.exp(-k * k * s) * MP.cos(k * z) for k in range(1, 16))
        return MP.sqrt(MP.pi / s) * MP.fsum(MP.exp(-((z - 2 * MP.pi * k) ** 2) / (4 * s)) for k in range(-5, 6))

    ys = [2 * MP.pi * j / 400 for j in range(400)]
    return MP.log(MP.fsum(u(y) ** alpha * u(y - d) ** (1 - alpha) for y in ys) / 400) / (alpha - 1)


@pytest.mark.parametrize(
    "data",
    [
        ("2", "0.25", "1"),
        ("2.5", "0.49", "3.125"),
        ("1.5", "0.5", "-3.125"),
        ("1.0009765625", "0.75", "2"),
        ("8", "1", "40"),
        ("30", "3", "-7"),
        ("2", "6", "0.0625"),
    ],
)
def test_wrapped_normal_laws(data):
    value, wanted = found(*data), reference(*data)
    assert value.proved_digits >= 20
    assert abs(value.mid - wanted) < 1e-17 * wanted


def test_both_methods_agree_at_random():
    source = random.Random(5)
    for _ in range(8):
        at = source.uniform(1.1, 6), source.uniform(0.6, 4), source.uniform(-3, 3)
        with working_precision(160):
            data = circle.CirclePair(*map(arb, at))
            late, early = circle._late(data, circle._points(data, 120), 120), circle._early(data, 120)
            assert late.overlaps(early) and abs(late - early) < 1e-25


def test_large_times():
    """``4 alpha e^(-2s) sin(d/2)^2``, which is all that is left."""
    for s in (20, 300, 5000):
        value = found("3", str(s), "2", 30).mid * MP.exp(2 * s)
        assert abs(value - 12 * MP.sin(1) ** 2) < 1e-7


def test_small_times():
    """Two Gaussian laws, but for what lies beyond the antipode: for orders near 1 that is nothing."""
    for s in ("1e-3", "1e-6", "1e-9"):
        value = found("1.0625", s, "1").mid * MP.mpf(s)
        assert abs(value - MP.mpf("1.0625") / 4) < 1e-9


def test_large_orders_tend_to_the_largest_ratio():
    largest = MP.log(reference_ratio(MP.mpf(2), MP.mpf(1)))
    assert 0 < largest - found("4096", "2", "1").mid < 1e-2 * largest


def reference_ratio(s, d):
    u = lambda z: 1 + 2 * MP.fsum(MP.exp(-k * k * s) * MP.cos(k * z) for k in range(1, 16))  # noqa: E731
    return max(u(y) / u(y - d) for y in (2 * MP.pi * j / 2000 for j in range(2000)))


def test_both_orders_are_equal_and_whole_turns_do_not_count():
    one = found("2", "0.375", "2")
    assert abs(one.mid - found("2", "0.375", "-2").mid) < 1e-17
    turned = circle.renyi(lambda bits: circle.CirclePair(arb(2), arb("0.375"), 2 + 6 * arb.pi()), 20)
    assert abs(one.mid - turned.mid) < 1e-17
