"""Chains on a grid: near the truth where that is known, in one coordinate and in two; what they attack is caught."""

from random import Random

import numpy as np
import pytest

from symdp.claims import Claim, Counterexample
from symdp.claims.chain import Chain, PlaneChain, attack_by_chain

ROOT2 = 2**0.5


def plain(x):
    return ROOT2 + 0 * x


def cell(chain, *point):
    """The cell nearest to a point."""
    nodes = chain.nodes.reshape(len(chain.nodes), -1)
    return int(np.argmin(((nodes - np.array(point)) ** 2).sum(axis=1)))


@pytest.mark.parametrize(
    ("drift", "ends", "truth"),
    [
        (lambda x: x - x**3, (-4.125, 4.175), 1.128134240661715),
        (lambda x: -np.sinh(x), (-4.125, 4.175), 0.739923335369917),
    ],
)
def test_known_values(drift, ends, truth):
    """The two reference values of the Langevin diffusions, at x = 1/2, x' = -1/2, t = 2/5, alpha = 2."""
    chain = Chain(drift, plain, *ends, cells=166)
    i, j = cell(chain, 0.5), cell(chain, -0.5)
    assert abs(chain.nodes[i] - 0.5) + abs(chain.nodes[j] + 0.5) < 1e-9
    assert abs(chain.divergence(i, j, 0.4, 2) - truth) < 2e-3 * truth


def test_noise_that_depends_on_the_state():
    """Geometric Brownian motion: two lognormal laws."""
    chain = Chain(lambda x: x / 2, lambda x: x, 0.02, 12, cells=600)
    i, j = cell(chain, 1.0), cell(chain, 1.5)
    a, b = chain.nodes[i], chain.nodes[j]
    truth = 2 * np.log(a / b) ** 2 / (2 * 0.1)
    assert abs(chain.divergence(i, j, 0.1, 2) - truth) < 0.02 * truth


def test_in_the_plane():
    """Ornstein-Uhlenbeck, one rate in each coordinate; the law keeps its mass and the chain forgets its start."""
    chain = PlaneChain(lambda x, y: x**2 / 2 + y**2, -4, 4, cells=28)
    i, j = cell(chain, 0.7, 0.5), cell(chain, -0.7, -0.5)
    (a, b), (c, d) = chain.nodes[i], chain.nodes[j]
    truth = 2 * ((a - c) ** 2 / (2 * (np.exp(1) - 1)) + 2 * (b - d) ** 2 / (2 * (np.exp(2) - 1)))
    assert abs(chain.divergence(i, j, 0.5, 2) - truth) < 0.04 * truth
    assert abs(chain.law(i, 0.5).sum() - 1) < 1e-9 and chain.divergence(i, j, 30, 2) < 1e-9


def test_false_claims_are_caught():
    chain = Chain(lambda x: -x, plain, -5, 5)
    good = Claim("alpha*(x-xp)**2/(2*(exp(2*t)-1))")
    assert attack_by_chain("good", good, chain, Random(1), starts=(-1, 1), count=10) == 10
    for text in ("alpha*(x-xp)**2/(2*(exp(3*t)-1))", "alpha*Delta**2/(2.05*(exp(2*t)-1))"):
        with pytest.raises(Counterexample, match="a chain on a grid"):
            attack_by_chain("bad", Claim(text), chain, Random(1), starts=(-1, 1), count=10)
