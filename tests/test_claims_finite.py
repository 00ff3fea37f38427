"""Finite laws and kernels of the falsifiers, on another road than the ones of the rules, come to the same numbers."""

import random
from fractions import Fraction as F

import pytest

from symdp.claims import Claim, ClaimError, Counterexample, must_hold_at
from symdp.claims.finite import (
    apart,
    both,
    dobrushin,
    doeblin,
    image,
    lost,
    random_kernel,
    random_law,
    response,
    shown,
    spread,
    ultra_mixing,
    value,
)
from symdp.mechanisms.finite import FiniteKernel, hockey_stick
from symdp.mechanisms.privacy_region import of_guarantee


def test_definitions_agree_with_the_code_of_the_rules():
    rng = random.Random(4)
    for _ in range(60):
        rows = random_kernel(rng, 3, rng.choice((2, 3, 4)))
        kernel, ratio = FiniteKernel(rows), F(rng.randint(10, 60), 10)
        assert (dobrushin(rows), dobrushin(rows, ratio)) == (kernel.dobrushin(), kernel.dobrushin(ratio))
        assert (doeblin(rows), ultra_mixing(rows)) == (kernel.doeblin(), kernel.ultra_mixing())
        p, q = rows[:2]
        assert apart(p, q, ratio) == hockey_stick(p, q, ratio)
        assert both(p, q, ratio) == max(hockey_stick(p, q, ratio), hockey_stick(q, p, ratio))
        assert lost(p, q) == hockey_stick(p, q, 10**6) and dobrushin(rows, None) == kernel.dobrushin(10**6)
        law = random_law(rng, 3)
        assert sum(law) == 1 and [image(law, rows)] == [list(row) for row in (kernel @ FiniteKernel([law])).rows]


def test_extreme_laws_and_kernels():
    p, q = response(F(3), F(1, 10))
    assert all(both(p, q, a) == of_guarantee(3, F(1, 10)).delta(a) for a in (F(1), F(2), F(3), F(9)))
    rows = spread(random.Random(1), F(1, 3), 4)
    assert doeblin(rows) == F(1, 3) and ultra_mixing([[F(1), F(0)], [F(1, 2), F(1, 2)]]) is None
    assert shown([[F(1, 2), F(1, 2)], [F(0), F(1)]]) == "[1/2 1/2; 0 1]"


def test_formulas_at_exact_numbers():
    assert value("exp(log(1+gamma*(exp(epsilon)-1))-epsilon)", F(3), gamma=F(1, 2)) == F(2, 3)
    assert value("max(p-a*r, 0) + min(p, r, a)", p=F(1), a=F(3), r=F(1, 2)) == F(1, 2)
    root = value("exp(epsilon/2)", F(2))
    assert 0 < abs(root**2 - 2) < F(1, 10**35), "no fraction is the root of 2"
    with pytest.raises(ClaimError, match="no real number"):
        value("log(gamma)", gamma=F(-2))


def test_relations_at_random_points():
    rng = random.Random(2)
    assert must_hold_at("T-1", Claim("max(x, y) >= x", where="x>0, y>0"), rng, count=7) == 7
    with pytest.raises(Counterexample, match="T-1 fails at"):
        must_hold_at("T-1", Claim("x >= y", where="x>0, y>0"), rng)
    assert must_hold_at("T-1", Claim("max(x, y) == (x+y+abs(x-y))/2", where="x>0, y>0"), rng) == 20
    assert must_hold_at("T-1", Claim("1/(x-y) <= 1", where="x>0, y>x"), rng) == 20, "x - y is not 0, and negative"
    assert must_hold_at("T-1", Claim("x >= y", where="x>0, y>0"), rng, where="x>2, 0<y<2") == 20
