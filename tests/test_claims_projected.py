"""Laws of projected noisy maps: masses, one step in closed form, and linear maps on a wide interval."""

import numpy as np
import pytest
from mpmath import mp

from symdp.claims.projected import Projected


def test_a_law_has_mass_one_and_ends_of_the_right_mass():
    line = Projected(-1, 2)
    law = line.law(0.5, [(np.sin, 0.7), (np.abs, 0.5), (lambda x: 0.3 * x + 0.1, 0.6)])
    assert (line.weights * law).sum() == pytest.approx(1, abs=1e-12)
    once = line.law(0.5, [(lambda x: 2 * x, 0.8)])
    assert once[0] == pytest.approx(float(mp.ncdf(-1, 1, 0.8)), abs=1e-14)
    assert once[1] == pytest.approx(1 - float(mp.ncdf(2, 1, 0.8)), abs=1e-14)


def test_far_from_the_ends_linear_maps_give_normal_laws():
    line = Projected(-9, 9)
    p, q = (line.law(start, [(lambda x: 0.5 * x, 1.0), (lambda x: 0.8 * x, 1.2)]) for start in (1.0, 0.0))
    exact = 2 * 0.4**2 / (2 * (0.8**2 + 1.2**2))
    assert line.divergence(p, q, 2.0) == pytest.approx(exact, rel=1e-6)
    assert line.divergence(p, p, 2.0) == pytest.approx(0, abs=1e-12)
