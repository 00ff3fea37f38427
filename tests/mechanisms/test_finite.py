"""Finite kernels: exact divergences and mixing conditions, and privacy regions after post-processing by brute force."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext

from symdp.errors import InputError
from symdp.mechanisms.finite import FiniteKernel, hockey_stick, renyi, total_variation
from symdp.mechanisms.privacy_region import hull, of_guarantee, of_laws

F = Fraction
MP = MPContext()
MP.dps = 60


@st.composite
def laws(draw, size=None):
    weights = draw(st.lists(st.integers(0, 9), min_size=size or 2, max_size=size or 5).filter(any))
    return [F(w, sum(weights)) for w in weights]


@st.composite
def kernels(draw, inputs=None, outputs=None):
    size = outputs or draw(st.integers(2, 4))
    return FiniteKernel([draw(laws(size)) for _ in range(inputs or draw(st.integers(2, 4)))])


def events(size):
    return itertools.chain.from_iterable(itertools.combinations(range(size), k) for k in range(size + 1))


def brute_hockey_stick(p, q, a):
    """The best event, by trying all."""
    return max(sum(p[y] for y in event) - a * sum(q[y] for y in event) for event in events(len(p)))


RATIOS = [F(1), F(21, 20), F(3, 2), F(7, 3), F(40)]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_region_of_two_laws_is_the_best_event(data):
    p = data.draw(laws())
    q = data.draw(laws(len(p)))
    region = of_laws(p, q)
    for a in RATIOS:
        assert region.delta(a) == hockey_stick(p, q, a) == brute_hockey_stick(p, q, a)
    assert total_variation(p, q) == sum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2


@settings(max_examples=60, deadline=None)
@given(kernels())
def test_mixing_conditions_are_the_least_gammas(kernel):
    gamma = kernel.dobrushin()
    assert gamma == max((total_variation(p, q) for p, q in kernel.pairs()), default=0)
    doeblin = kernel.doeblin()
    if doeblin < 1:
        common = [min(column) / (1 - doeblin) for column in zip(*kernel.rows, strict=True)]
        assert sum(common) == 1
        assert all(x >= (1 - doeblin) * w for row in kernel.rows for x, w in zip(row, common, strict=True))
    ultra = kernel.ultra_mixing()
    if ultra is not None:
        gaps = [
            x - (1 - ultra) * y for p, q in itertools.product(kernel.rows, repeat=2) for x, y in zip(p, q, strict=True)
        ]
        assert min(gaps) == 0
        assert gamma <= ultra / (2 - ultra) <= doeblin or gamma <= doeblin <= ultra
        assert doeblin <= ultra
    assert gamma <= doeblin


@settings(max_examples=150, deadline=None)
@given(kernels(inputs=3), laws(3), laws(3))
def test_after_a_kernel_no_mechanism_exceeds_the_region(kernel, p, q):
    before = of_laws(p, q)
    after = before.after(kernel.region())
    image = (kernel @ FiniteKernel([p, q])).rows
    for a in RATIOS:
        assert hockey_stick(*image, a) <= after.delta(a)


def test_the_lines_after_a_kernel_are_the_master_formula():
    """``h'(a) = h(a) eta(1 + (a-1)/h(a))`` at random ratios, kinks of either profile among them."""
    source, tried = random.Random(5), 0
    for _ in range(300):
        kernel = FiniteKernel([random_law(source, 3), random_law(source, 3)])
        before = of_guarantee(F(source.randint(11, 40), 10), F(source.randint(0, 9), 10))
        after = before.after(kernel.region())
        for a in [*RATIOS, *(F(1) + F(k, 7) for k in range(1, 9))]:
            h = before.delta(a)
            if h:
                assert after.delta(a) == h * kernel.dobrushin(1 + (a - 1) / h)
                tried += 1
            else:
                assert after.delta(a) == 0
    assert tried > 1000


def random_law(source, size):
    weights = [source.randint(0, 12) for _ in range(size - 1)] + [source.randint(1, 12)]
    return [F(w, sum(weights)) for w in weights]


def test_brute_force_over_mechanisms_attains_the_region_after_the_kernel():
    """For one ratio the worst mechanism of a profile value ``h(a)`` is found among laws on the inputs: no gap."""
    source = random.Random(8)
    for _ in range(60):
        kernel = FiniteKernel([random_law(source, 3) for _ in range(2)])
        a, h = F(source.randint(10, 30), 10), F(source.randint(1, 9), 10)
        # p - a q has positive part h: p = (x, 1-x), q = (y, 1-y), x - a y = h, over the corners of that segment
        best = F(0)
        for swap in (False, True):
            for y in (F(0), (1 - h) / a):
                p, q = [h + a * y, 1 - h - a * y], [y, 1 - y]
                if swap:
                    p, q = p[::-1], q[::-1]
                assert hockey_stick(p, q, a) == h
                best = max(best, hockey_stick(*(kernel @ FiniteKernel([p, q])).rows, a))
        assert best == h * kernel.dobrushin(1 + (a - 1) / h)


def test_composition_of_kernels_and_of_regions():
    one, two = FiniteKernel([["3/4", "1/4"], ["1/4", "3/4"]]), FiniteKernel([["1/2", "1/2", 0], [0, "1/2", "1/2"]])
    both = two @ one
    assert both.rows == ((F(3, 8), F(1, 2), F(1, 8)), (F(1, 8), F(1, 2), F(3, 8)))
    chained = one.region().after(two.region())
    for a in RATIOS:
        assert both.region().delta(a) <= chained.delta(a)
    with pytest.raises(InputError, match="takes 2 inputs"):
        one @ two


def test_known_answers():
    # (log 3, 0)-DP and 1/2-ultra-mixing: e^eps' = 7/5; (log 3, 1/100) and 1/4-Doeblin at 3/2: 61/640
    ultra = hull([(F(2, 3), F(1, 3))])  # randomized response of ratio 2 is 1/2-ultra-mixing
    pure = of_guarantee(3, 0).after(ultra)
    assert pure.ratio(0) == F(7, 5)
    assert pure.epsilon(0, 20).to_decimal(20)[0].startswith("0.3364722366212129305")
    kernel = FiniteKernel([["3/4", "1/4"], ["1/4", "3/4"]])
    assert (kernel.dobrushin(), kernel.doeblin(), kernel.ultra_mixing()) == (F(1, 2), F(1, 2), F(2, 3))
    doeblin = hull([(F(1, 4), F(0))])
    assert of_guarantee(3, F(1, 100)).after(doeblin).delta(F(3, 2)) == F(61, 640)
    ultra_after = of_guarantee(3, F(1, 100)).after(doeblin).after(ultra)
    assert ultra_after.delta(F(21, 20)) == F(2341, 96000)


def test_edges():
    identity = FiniteKernel([[1, 0], [0, 1]])
    constant = FiniteKernel([["1/3", "2/3"], ["1/3", "2/3"]])
    assert identity.ultra_mixing() is None and identity.doeblin() == 1 and identity.dobrushin() == 1
    assert constant.ultra_mixing() == 0 and constant.doeblin() == 0 and constant.dobrushin() == 0
    some = of_guarantee(2, F(1, 10))
    assert some.after(identity.region()) == some
    assert some.after(constant.region()).delta(1) == 0
    assert of_guarantee(1, 0).delta(1) == 0 and of_guarantee(1, 0).epsilon(0).upper == 0
    assert of_guarantee(None, 0).delta(5) == 1 and of_guarantee(None, 0).ratio(F(1, 2)) is None
    assert of_guarantee(3, 1).delta(7) == 1
    assert of_guarantee(3, F(1, 100)).epsilon(0).upper == MP.inf
    one_way = of_guarantee(2, F(1, 10), both=False)
    assert one_way.delta(1) == F(11, 20) > of_guarantee(2, F(1, 10)).delta(1)
    assert one_way.delta(2) == F(1, 10)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_renyi_against_the_definition(data):
    p = data.draw(laws())
    q = [F(1, len(p) * 2) + x / 2 for x in data.draw(laws(len(p)))]
    for alpha in (F(1), F(3, 2), F(5), F(40), "inf"):
        got = renyi(p, q, alpha, 40)
        pairs = [
            (MP.mpf(x.numerator) / x.denominator, MP.mpf(y.numerator) / y.denominator)
            for x, y in zip(p, q, strict=True)
            if x
        ]
        if alpha == "inf":
            truth = MP.log(max(x / y for x, y in pairs))
        elif alpha == 1:
            truth = MP.fsum(x * MP.log(x / y) for x, y in pairs)
        else:
            a = MP.mpf(alpha.numerator) / alpha.denominator
            truth = MP.log(MP.fsum(x**a * y ** (1 - a) for x, y in pairs)) / (a - 1)
        slack = MP.mpf(10) ** -50 * (1 + abs(truth))
        low, high = MP.mpf(got.lower), MP.mpf(got.upper)
        assert low - slack <= truth <= high + slack
        assert high - low <= abs(high) * MP.mpf(10) ** -38


def test_renyi_edges():
    assert renyi(["1/2", "1/2"], [1, 0], 2).upper == MP.inf
    assert renyi([1, 0], ["1/2", "1/2"], 3, 20).to_decimal(10)[0].startswith("0.69314718")
    assert renyi(["1/3", "2/3"], ["1/3", "2/3"], 7).upper == 0
    tiny = F(1, 10**40)
    close = renyi([F(1, 2) + tiny, F(1, 2) - tiny], ["1/2", "1/2"], 2, 30)
    assert close.proved_digits >= 30 and close.upper < MP.mpf(5) * MP.mpf(10) ** -80
    assert FiniteKernel([["1/2", "1/2"], ["1/4", "3/4"]]).renyi("inf", 20).to_decimal(10)[0].startswith("0.69314718")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["1/2", "1/3"], ["1/2", "1/2"]], "row 0: sums to 5/6"),
        ([["1/2", "1/2"], ["3/2", "-1/2"]], "row 1, entry 1: -1/2 is negative"),
        ([["1/2", "1/2"], [1]], "row 1: has 1 entries"),
        ([["1/2", "a"]], "row 0, entry 1"),
        ([], "there is no row"),
        ([[]], "row 0"),
        ("3/4", "a matrix is expected"),
        ([0.1, 0.9], "row 0"),
        (np.array([[0.1, 0.9]]), "row 0: sums to"),
        (np.array([[np.nan, 1.0]]), "row 0, entry 0"),
    ],
)
def test_rows_that_are_no_laws_are_named(rows, message):
    with pytest.raises(InputError, match=message):
        FiniteKernel(rows)


def test_numpy_arrays_are_read_exactly():
    assert FiniteKernel(np.array([[0.75, 0.25], [0.5, 0.5]])).rows[0] == (F(3, 4), F(1, 4))
    assert FiniteKernel(np.array([[1, 0], [0, 1]])).doeblin() == 1


def test_delta_at_an_epsilon():
    region = of_guarantee(3, F(1, 100))
    got = region.delta_at(F(1, 2), 30)
    e = MP.exp(MP.mpf(1) / 2)
    truth = MP.mpf(1) / 100 + MP.mpf(99) / 100 * (3 - e) / 4
    assert got.lower <= truth * (1 + MP.mpf(10) ** -40) and got.upper >= truth * (1 - MP.mpf(10) ** -40)
    assert got.proved_digits >= 30
    assert region.delta_at(5).to_decimal(5) == ("0.01", "0.01") or region.delta_at(5).upper >= MP.mpf(1) / 100
    assert of_guarantee(3, 0).delta_at(2).upper == 0
    with pytest.raises(InputError):
        region.delta_at(-1)
    with pytest.raises(InputError):
        region.delta("1/2")


def test_twenty_kernels_in_a_chain():
    kernel = FiniteKernel([["1/2", "1/3", "1/6"], ["1/6", "1/2", "1/3"], ["1/3", "1/6", "1/2"]])
    region = of_guarantee(20, F(1, 1000))
    for _ in range(20):
        region = region.after(kernel.region())
    assert 0 < region.delta(1) < F(1, 10**8)
    assert len(region.vertices) < 60
