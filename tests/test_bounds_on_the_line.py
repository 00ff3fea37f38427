"""Curvature bounds lie above the certified truth where the kernel is closed on the line; what kappa could give."""

import random
from fractions import Fraction

import pytest

import symdp
from symdp.ball import mp_context
from symdp.derivation.truth import find_truth
from symdp.diffusion.process import Diffusion
from tests.test_truth import at

DIGITS = 4
POINTS = 30
FAMILIES = {
    "Laplace law": ("-sign(x)", "sqrt(2)"),
    "Laplace law, strong drift": ("-3*sign(x-1)", "1"),
    "logistic law": ("-tanh(x/2)", "sqrt(2)"),
    "logistic law, squared": ("-2*tanh(x/2)", "sqrt(2)"),
    "pushed apart": ("2*tanh(x/2)", "sqrt(2)"),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_bound_is_above_the_truth(name):
    process, draw = Diffusion(*FAMILIES[name]), random.Random(name)
    truth, bound = find_truth(process), symdp.derive(process)
    count = POINTS if name in ("Laplace law", "logistic law") else 8
    ratios = []
    for _ in range(count):
        x, xp = draw.sample(range(-16, 17), 2)
        values = at(Fraction(draw.randint(5, 24), 4), Fraction(draw.randint(1, 16), 8), Fraction(x, 8), Fraction(xp, 8))
        true = truth.value(values, DIGITS)
        above = bound.evaluate({s.name: v for s, v in values.items()}, digits=12)
        assert true.lower <= above.upper
        ratios.append(float(true.mid / above.mid))
    assert len(ratios) == count and max(ratios) > 0.2


def slopes(law, x, xp, nodes):
    """The squared slope of the log-ratio of the laws from two starts, at these outputs."""
    context = mp_context(50)
    h = context.mpf(10) ** -12

    def ratio(y):
        return context.log(law(context, x, y) / law(context, xp, y))

    return [((ratio(y + h) - ratio(y - h)) / (2 * h)) ** 2 for y in map(context.mpf, nodes)]


def laplace(context, x, y, t=1):
    passed = context.exp(-((y - x) ** 2) / (4 * t) - (abs(y) - abs(x)) / 2 - context.mpf(t) / 4)
    stays = context.exp(-abs(y)) * context.erfc((abs(y) + abs(x) - t) / (2 * context.sqrt(t))) / 4
    return passed / context.sqrt(4 * context.pi * t) + stays


def logistic(context, x, y, s=1):
    d = (y - x) / (2 * context.sqrt(s))
    passed = context.exp(-s - d * d) / context.sqrt(4 * context.pi * s) * context.cosh(x) / context.cosh(y)
    return passed + (context.erf(context.sqrt(s) - d) + context.erf(context.sqrt(s) + d)) / (4 * context.cosh(y) ** 2)


@pytest.mark.parametrize("law", [laplace, logistic])
def test_kappa_is_not_below_that_of_brownian_motion(law):
    """The supremum of the slope is at least ``(d/(2t))^2``, far out: kappa gives no bound below that of curvature."""
    far = slopes(law, 1, 0.5, [40, -40])
    assert all(abs(slope / (0.5 / 2) ** 2 - 1) < 0.05 for slope in far)
    assert far[0] > slopes(law, 1, 0.5, [0.25])[0]  # most of the mass sees less
