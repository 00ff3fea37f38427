"""The truth of a falsifier on exact numbers: what it encloses, and what it refuses."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from sympy import Rational, Symbol

from symdp.ball import Enclosure, mp_context
from symdp.claims import Approximate, Claim, Counterexample, attack, normal_mean
from symdp.claims.falsify import points, recorded, true_at
from symdp.claims.items import items, load
from symdp.claims.numbers import ExactNumbers, NotExact, Number, enclosed
from symdp.claims.verdict import check

X = Symbol("x", real=True)
ITEMS = items()


def number(text):
    return Number(Rational(text))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_what_a_truth_is_on_exact_numbers_has_the_digits_that_it_has_in_mpmath(item):
    """Every comparison of every file: the certified value against the one that mpmath computes."""
    mp = mp_context(45)
    for found in recorded(item.falsify, Random(7)):
        for point in points(found.where, Random(11), 1):
            certified = enclosed(found.truth, point)
            if certified is None:
                continue
            true = true_at(found.truth, point)
            below, above = (mp.mpf(end) - mp.mpf(true) for end in (certified.lower, certified.upper))
            slack = mp.mpf(10) ** -20 * max(1, abs(true))
            assert below <= slack and above >= -slack and above - below <= slack, (found.id, point)


@pytest.mark.parametrize(
    ("truth", "at", "digits"),
    [
        (lambda mp, x: mp.quad(lambda y: mp.exp(-y * y / x), [-mp.inf, mp.inf]), "2", "2.5066282746310005024"),
        (lambda mp, x: mp.quad(lambda y: abs(y - 1), [0, x]), "3", "2.5"),
        (lambda mp, x: normal_mean(mp, lambda y: y**2, 0, x, -20, 20), "3/2", "2.25"),
        (lambda mp, x: mp.ncdf(x) + mp.npdf(x), "0", "0.89894228040143267793"),
        (lambda mp, x: mp.fsum([x, 1, Fraction(1, 3)]) * mp.ceil(x) ** 2, "5/4", "10.333333333333333333"),
        (lambda mp, x: 2**x - mp.mpf("1/3") / x + mp.cosh(1 - x), "1", "2.6666666666666666667"),
        (lambda mp, x: sum(mp.linspace(0, 2, 5)) * x, "3", "15"),
        (lambda mp, x: (x - x) or (x + 5), "3/2", "6.5"),
        (lambda mp, x: mp.mpf(Enclosure(2, 2)) * mp.pi if x == 1 else x, "1", "6.2831853071795864769"),
    ],
)
def test_what_is_computed(truth, at, digits):
    found = enclosed(truth, {X: Rational(at)})
    assert found is not None and found.proved_digits > 18
    assert abs(found.mid - mp_context(30).mpf(digits)) < 1e-17


@pytest.mark.parametrize(
    "truth",
    [
        lambda mp, x: x + 0.5,
        lambda mp, x: mp.mpf(float(2)),
        lambda mp, x: mp.mpf("half"),
        lambda mp, x: float(x),
        lambda mp, x: max(mp.sqrt(2), mp.sqrt(3)),
        lambda mp, x: mp.ceil(mp.pi),
        lambda mp, x: mp.mpf(mp_context(20).mpf(1) / 3),
        lambda mp, x: x / (x - 1),
        lambda mp, x: (mp.exp(x - x) - 1) / (mp.exp(x - x) - 1),
        lambda mp, x: (x - x) / (mp.exp(x - x) - 1),
        lambda mp, x: (mp.exp(x - x) - 1) ** -1 * (mp.exp(x - x) - 1),
        lambda mp, x: (q := mp.quad(lambda y: y, [-1, 1]) + (x - x)) / q,
        lambda mp, x: mp.quad(lambda y: y, [0.1, x]),
        lambda mp, x: mp.quad(lambda y: y if y else 1, [0, x]),
        lambda mp, x: 1 if mp.pi else 2,
        lambda mp, x: mp.log(-x),
        lambda mp, x: mp.quad(lambda y: 1 / y, [0, x]),
        lambda mp, x: mp.quad(lambda y: mp.mpf(int(y > 1)), [0, x]),
        lambda mp, x: mp.matrix([[x]])[0],
        lambda mp, x: mp.nstr(mp.exp(x), 20),
    ],
)
def test_what_is_not_exact_is_refused(truth):
    assert enclosed(truth, {X: Rational(1)}) is None


def test_comparisons_are_of_rational_numbers():
    assert number("1/2") < 1 and number("1/2") == Fraction(1, 2) and max(number("3"), number("7/2")) == Fraction(7, 2)
    with pytest.raises(NotExact, match="compared"):
        bool(ExactNumbers().sqrt(2) == 1)


def test_a_truth_of_exact_numbers_is_a_counterexample_and_a_rounded_one_an_approximation():
    claim = Claim("x**2", where="x>0")
    with pytest.raises(Counterexample, match="both enclosed") as exact:
        attack("T", claim, "x>1, x<2", lambda mp, x: x**3, Random(1), tight=False)
    assert not isinstance(exact.value, Approximate)
    with pytest.raises(Approximate):
        attack("T", claim, "x>1, x<2", lambda mp, x: mp.mpf(float(x) ** 3), Random(1), tight=False)


def test_a_claim_that_only_rounded_numbers_contradict_is_unknown(tmp_path):
    text = (Path(__file__).parent.parent / "derivations/mironov2019/renyi-divergence.py").read_text()
    cut = text.index("def falsify")
    falsify = """def falsify(rng):
    raise Approximate("S-D1", {"alpha": 2}, "a sum of floats is larger")


"""
    rest = text[text.index("def reference_points") :]
    folder = tmp_path / "mironov2019"
    folder.mkdir()
    (folder / "rounded.py").write_text(text[:cut] + falsify + rest)
    (found,) = check(load(folder / "rounded.py"))
    assert found.verdict == "unknown" and "not certified" in found.reason and found.witness == "alpha=2"
