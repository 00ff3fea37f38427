"""Bounds lie above the certified truth, at random points of every diffusion whose kernel is known."""

import random
from fractions import Fraction

import pytest

import symdp
from symdp.derivation.bessel import derive_by_kernel_bound
from symdp.derivation.truth import find_truth
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.text import parse
from symdp.theorem import apply
from tests.test_truth import at

DIGITS = 4
"""Of the truth: any enclosure of it may be compared."""

FAMILIES = {
    "Cox-Ingersoll-Ross, dimension 1": ("1/4 - x", "sqrt(x)", "x>=0"),
    "Cox-Ingersoll-Ross, dimension 3/2": ("3/8 - x", "sqrt(x)", "x>=0"),
    "Cox-Ingersoll-Ross, dimension 2": ("1/2 - x", "sqrt(x)", "x>0"),
    "Cox-Ingersoll-Ross, dimension 3": ("3/4 - x", "sqrt(x)", "x>0"),
    "Cox-Ingersoll-Ross, dimension 5": ("5/4 - x", "sqrt(x)", "x>0"),
    "Bessel, dimension 3": ("2/x", "sqrt(2)", "x>0"),
    "Bessel, dimension 2": ("1/x", "sqrt(2)", "x>0"),
    "radial Ornstein-Uhlenbeck": ("3/x - 2*x", "sqrt(2)", "x>0"),
    "reflected Brownian motion": ("0", "1", "x>=0"),
    "reflected Ornstein-Uhlenbeck": ("-x", "1", "x>=0"),
    "reflected interval": ("0", "1", "0<=x<=5"),
}
BELOW_ONE = {"dimension 1/2": ("1/8 - x", "sqrt(x)", "x>=0"), "dimension 1/5": ("1/20 - x", "sqrt(x)", "x>=0")}
POINTS = 30


def points(seed):
    draw = random.Random(seed)
    for _ in range(POINTS):
        x = Fraction(draw.randint(1, 40), 10)
        xp = x + Fraction(draw.choice([-1, 1]) * draw.randint(1, 10), 11)
        if xp > 0:
            yield at(Fraction(draw.randint(11, 80), 10), Fraction(draw.randint(1, 30), 10), x, xp)
        else:
            yield at(Fraction(draw.randint(11, 80), 10), Fraction(draw.randint(1, 30), 10), x, x / 2)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_bound_is_above_the_truth(name):
    drift, diffusion, domain = FAMILIES[name]
    process = Diffusion(drift, diffusion, None, domain)
    truth, bound = find_truth(process), symdp.derive(process)
    ratios = []
    for values in points(name):
        true = truth.value(values, DIGITS)
        above = bound.evaluate({s.name: v for s, v in values.items()}, digits=12)
        assert true.lower <= above.upper
        ratios.append(float(true.mid / above.mid))
    assert len(ratios) == POINTS and max(ratios) > 0.3


@pytest.mark.parametrize("name", [*BELOW_ONE, *FAMILIES])
def test_the_kernel_bound_is_above_the_truth_also_below_dimension_one(name):
    drift, diffusion, domain = {**BELOW_ONE, **FAMILIES}[name]
    process = Diffusion(drift, diffusion, None, domain)
    truth, found = find_truth(process), derive_by_kernel_bound(process, ()).divergence.conclusion
    seen = 0
    for values in list(points(name))[: 30 if name in BELOW_ONE else 4]:
        if found.region.contains(values) is True:
            seen += 1
            above = enclose(found.value, {s: v for s, v in values.items() if s in found.value.free_symbols}, 12)
            assert truth.value(values, DIGITS).lower <= above.upper
    assert seen or name == "reflected interval"


def test_no_route_is_always_the_better_one():
    """At one wall curvature is better; on an interval it is at small times, and the kernel at large ones."""
    wall = Diffusion("0", "sqrt(2)", None, "x>=0")
    values = at(2, 1, 1, 2)

    def both(process, values):
        kernel = derive_by_kernel_bound(process, ()).divergence.conclusion.value
        coordinate = parse("x")
        params = {"process": process, "bound": parse("0"), "coordinate": coordinate}
        curvature = apply("harnack-line", **params).conclusion.value
        return [
            enclose(e, {s: v for s, v in values.items() if s in e.free_symbols}, 8).mid for e in (kernel, curvature)
        ]

    kernel, curvature = both(wall, values)
    assert curvature < kernel
    interval = Diffusion("0", "sqrt(2)", None, "0<=x<=5")
    kernel, curvature = both(interval, at(2, 1, 1, 2))
    assert curvature < kernel
    kernel, curvature = both(interval, at(2, 10, 1, 2))
    assert kernel < curvature
