"""What a divergence is at least: never above the truth, close to it where the time is short, refused where unknown."""

from random import Random

import pytest
from mpmath import isfinite
from sympy import Integer, Rational

from symdp import Diffusion
from symdp.claims.lows import Lows
from symdp.derivation import derive
from symdp.derivation.lower import least_divergence
from symdp.derivation.sampled_gaussian import exact_curve
from symdp.derivation.truth import find_truth
from symdp.derivation.tube import tube
from symdp.diffusion.catalogue import lookup
from symdp.errors import Refused
from symdp.region import Region
from symdp.rules.conditions import ALPHA, TIME
from symdp.text import symbol

LEADING = 0.6
"""The share of ``alpha gap^2/(2at)`` that a tube keeps at the time 1/100 between starts that are 1 apart."""


def place(alpha, t, x, xp, **params):
    given = {"alpha": alpha, "t": t, "x": x, "xp": xp, **params}
    return {symbol(name): Rational(value) for name, value in given.items()}


def random_place(rng, **params):
    share = lambda top: Rational(rng.randint(1, 8 * top), 8)  # noqa: E731
    return place(1 + share(3), share(1) / rng.choice((1, 8)), share(3) - 1, -share(3), **params)


KNOWN = {
    "ornstein-uhlenbeck": {"theta": "1/2", "rho": "2/3"},
    "benes": {"k": "3/4"},
    "logistic-law": {},
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_tube_is_never_above_the_truth(name):
    process, rng = lookup(name).build(), Random(name)
    truth = find_truth(process)
    made = tube(process.at(place(2, 1, 0, 0, **KNOWN[name])))
    for _ in range(4 if name == "logistic-law" else 25):
        values = random_place(rng, **KNOWN[name])
        assert made.least(values) <= truth.value(values, 10).upper


@pytest.mark.parametrize("name", ["double-well", "cosh-langevin", "gaussian-mixture", "student", "morse"])
def test_where_no_kernel_is_known_a_tube_lies_between_the_bound_and_most_of_its_leading_term(name):
    process = lookup(name).build()
    params = {s.name: Integer(2) for s in process.params.symbols}
    least = least_divergence(process)
    values = place(2, Rational(1, 100), Rational(1, 4), Rational(-3, 4), **params)
    found = least(values)
    bound = derive(process).divergence.conclusion.value.subs(values)
    assert LEADING * 2 / (4 * values[TIME]) < found <= bound
    assert least({**values, TIME: Integer(3)}) <= derive(process).divergence.conclusion.value.subs({**values, TIME: 3})


@pytest.mark.parametrize(
    ("drift", "diffusion", "told"),
    [
        ("-x", "1+x**2", "not the same"),
        ("-abs(x)", "1", "kinks"),
        ("-x2, x1", "1, 0; 0, 1", "no gradient"),
        ("-x1, -x2", "1, 0; 0, 2", "not the same"),
    ],
)
def test_what_is_no_smooth_langevin_diffusion_is_refused(drift, diffusion, told):
    with pytest.raises(Refused, match=told):
        tube(Diffusion(drift, diffusion))


def test_parts_that_share_no_noise_add_up():
    values = {
        symbol(n): Rational(v) for n, v in {"x1": "1/4", "xp1": "3/4", "x2": "1/3", "xp2": "2", "sigma": "1"}.items()
    }
    values |= {ALPHA: Integer(2), TIME: Rational(1, 10)}
    box = least_divergence(lookup("reflected-brownian-box").build())(values)
    parts = []
    for name, (x, xp) in {"reflected-brownian-interval": (1, 1), "reflected-brownian-half-line": (2, 2)}.items():
        starts = {symbol("x"): values[symbol(f"x{x}")], symbol("xp"): values[symbol(f"xp{xp}")]}
        parts.append(find_truth(lookup(name).build()).value({**values, **starts}, 12))
    assert box <= sum(p.upper for p in parts)
    assert box > sum(p.lower for p in parts) * Rational(999999, 1000000)


def test_a_coordinate_by_itself_is_seen_of_the_whole():
    """The height of a point of the hyperbolic plane is a geometric Brownian motion."""
    process = lookup("hyperbolic-plane").build()
    values = {symbol(n): Rational(v) for n, v in {"x1": 0, "xp1": 0, "x2": 1, "xp2": 3}.items()}
    values |= {ALPHA: Integer(2), TIME: Rational(1, 10)}
    found = least_divergence(process)(values)
    assert 0 < found <= derive(process).divergence.conclusion.value.subs(values)
    assert found > 6.03  # 2 log(3)^2/(4/10), the distance being log 3


def test_the_points_of_a_theorem_lie_where_it_holds_and_below_it():
    process = lookup("reflected-brownian-half-line").build()
    theorem = derive(process).privacy
    lows = Lows(theorem, theorem.region, Random(1))
    bound = theorem.conclusion.value
    seen = list(lows.lowest(lambda point: 0))
    assert len(seen) > 5
    for low in seen:
        assert theorem.region.contains({s: v for s, v in low.point.items() if s in theorem.region.symbols}) is True
        assert abs(low.point[symbol("x")] - low.point[symbol("xp")]) == low.point[symbol("Delta")]
        assert isfinite(low.value) and low.value <= bound.subs(low.point)
    assert list(lows.lowest(lambda point: None)) == list(lows.lowest(lambda point: 1)) == []


def test_of_what_nothing_is_known_nothing_is_said():
    with pytest.raises(Refused):
        least_divergence(lookup("jacobi").build())
    with pytest.raises(Refused):
        Lows(exact_curve(), Region(), Random(1))
