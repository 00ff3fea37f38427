"""The certified values where something is very large, very small, or nearly a special case."""

import random
from fractions import Fraction

import mpmath
import pytest
from mpmath import libmp

from symdp.ball import Enclosure
from symdp.errors import InputError, Undetermined
from symdp.mechanisms.sampled_gaussian import evaluate, moment_and_slope, renyi, trapezoid

CASES = (("forward", "add-remove"), ("reverse", "add-remove"), ("forward", "replace-one"))
TEN = Fraction(10)


def ends(value: Enclosure) -> tuple[Fraction, Fraction]:
    return tuple(Fraction(*map(int, libmp.to_rational(e._mpf_))) for e in (value.lower, value.upper))


def wild(rng: random.Random) -> tuple[Fraction, Fraction, Fraction]:
    tiny = TEN ** -rng.randint(1, 300)
    q = rng.choice([tiny, 1 - tiny, Fraction(rng.random()), Fraction(rng.randint(1, 999), 1000)])
    sigma = Fraction(10 ** rng.uniform(-3, 6))
    alpha = rng.choice([1 + TEN ** -rng.randint(1, 20), 1 + Fraction(10 ** rng.uniform(-1, 5)), Fraction(1)])
    return q, sigma, alpha if rng.random() < 0.8 else Fraction(int(alpha) + 1)


def test_precisions_and_methods_agree_on_extreme_inputs() -> None:
    """Another precision means other nodes, another strip, other tails: the enclosures must still meet."""
    rng = random.Random(13)
    seen = set()
    for _ in range(80):
        q, sigma, alpha = wild(rng)
        for direction, relation in CASES:
            wide, narrow = (
                evaluate(q, sigma, alpha, digits, direction=direction, relation=relation) for digits in (6, 25)
            )
            assert wide.renyi.overlaps(narrow.renyi), (q, sigma, alpha, direction, relation)
            assert narrow.renyi.proved_digits >= 25
            seen |= {wide.method, narrow.method}
    assert seen >= {"integer", "trapezoid", "plateau"}


def test_methods_agree_across_the_edge_of_the_plateau() -> None:
    rng = random.Random(12)
    met = 0
    for _ in range(25):
        q, sigma = Fraction(rng.random()), Fraction(rng.uniform(0.02, 0.05))
        alpha = rng.choice([Fraction(1), Fraction(1 + rng.random() ** 3 * 20)])
        for direction, relation in CASES:
            exact = evaluate(q, sigma, alpha, 12, direction=direction, relation=relation, method="trapezoid")
            try:
                bound = evaluate(q, sigma, alpha, 4, direction=direction, relation=relation, method="plateau")
            except Undetermined:
                continue
            met += 1
            assert bound.renyi.overlaps(exact.renyi), (q, sigma, alpha, direction, relation)
    assert met > 40


@pytest.mark.parametrize("q", ["1e-300", "0.3", "0.9999999999999999"])
@pytest.mark.parametrize("sigma", ["1e-3", "1e6"])
@pytest.mark.parametrize("alpha", ["1.000000000000001", 100_000, "99999.5"])
def test_corners_are_right_or_say_so(q: str, sigma: str, alpha: object) -> None:
    forward, reverse = (evaluate(q, sigma, alpha, 30, direction=d) for d in ("forward", "reverse"))
    assert forward.renyi.proved_digits >= 30 and reverse.renyi.proved_digits >= 30
    assert reverse.renyi.lower <= forward.renyi.upper
    low, high = Fraction(0), Fraction(alpha) / (2 * Fraction(sigma) ** 2)  # q <= 1 costs no more than q = 1
    for value in (forward.renyi, reverse.renyi):
        assert low < ends(value)[0] and ends(value)[1] <= high * (1 + Fraction(1, 10**29))


def test_a_large_integer_order_takes_the_cheap_way() -> None:
    found = evaluate("0.01", 4, 100_000, 50)
    assert found.method == "trapezoid" and found.nodes < 1000
    assert found.renyi.overlaps(renyi("0.01", 4, 100_000, 20, method="integer"))


def test_small_losses_keep_their_digits() -> None:
    """``R = q^2 alpha (e^(1/s^2) - 1)/2`` but for a relative error of about ``q alpha^2``."""
    mp = mpmath.MPContext()
    mp.dps = 60
    for alpha in ("1.5", "7.25", 12):
        for direction in ("forward", "reverse"):
            value = renyi("1e-40", 3, alpha, 30, direction)
            lead = mp.mpf(10) ** -80 * mp.mpf(alpha) * mp.expm1(mp.mpf(1) / 9) / 2
            assert abs(mp.mpf(value.mid) / lead - 1) < mp.mpf(10) ** -29


def test_work_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as watched:  # it is refused before it is begun
        watched.setattr(trapezoid, "_sums", lambda *_, **__: pytest.fail("nodes were summed"))
        with pytest.raises(Undetermined, match="fewer digits"):
            renyi("0.3", "0.05", "2.5", 10_000, "reverse")
    with pytest.raises(InputError, match="alpha"):
        renyi("0.3", 1, 10**13)
    with pytest.raises(InputError, match="sigma"):
        renyi("0.3", "1e-101", 2)


def test_slopes_are_derivatives() -> None:
    step = Fraction(1, 10**12)
    for q, sigma, alpha in [("0.01", 4, "32.5"), ("0.5", "0.7", "1.25"), ("0.9", 2, "5")]:
        for direction, relation in CASES:
            moment, slope = moment_and_slope(q, sigma, alpha, 20, direction, relation)
            where = [Fraction(alpha) + step * side for side in (-1, 1)]
            low, high = (evaluate(q, sigma, a, 40, direction=direction, relation=relation).log_moment for a in where)
            quotient = (high.mid - low.mid) / (2 * mpmath.mpf(10) ** -12)
            assert abs(quotient / slope.mid - 1) < 1e-12
            exact = evaluate(q, sigma, alpha, 25, direction=direction, relation=relation)
            assert moment.overlaps(exact.log_moment) and slope.proved_digits >= 20


def test_the_slope_at_one_is_the_kullback_leibler_divergence() -> None:
    for direction, relation in CASES:
        moment, slope = moment_and_slope("0.2", "1.5", 1, 20, direction, relation)
        assert moment.is_exact and moment.lower == 0
        assert slope.overlaps(renyi("0.2", "1.5", 1, 25, direction, relation))
    assert [v.lower for v in moment_and_slope(0, 1, 2)] == [0, 0]
    moment, slope = moment_and_slope(1, 1, 3)
    assert moment.lower == 3 and slope.lower == mpmath.mpf(5) / 2
    with pytest.raises(InputError, match="alpha"):
        moment_and_slope("0.2", 1, "inf")


def test_replace_one_dominates_and_is_symmetric() -> None:
    for q, sigma, alpha in [("0.1", 2, "3.5"), ("0.7", 1, "1.5"), ("0.01", "0.5", "12")]:
        both = [renyi(q, sigma, alpha, 30, d, "replace-one") for d in ("forward", "reverse", "both")]
        assert both[0] == both[1] == both[2]
        assert both[0].lower > renyi(q, sigma, alpha, 30).upper
    low, high = ends(renyi(1, 3, 5, 30, "forward", "replace-one"))
    assert low <= Fraction(10, 9) <= high
    assert renyi("1/2", 1, "inf", 30, "reverse", "replace-one").lower == mpmath.inf
    assert renyi(1, 1, "inf", 30, "reverse").lower == mpmath.inf
    assert ends(renyi(0, 1, "inf", 30, "reverse")) == (0, 0)
