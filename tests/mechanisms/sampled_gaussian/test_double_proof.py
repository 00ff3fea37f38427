"""The steps of the float64 proof against balls or longer sums: functions, nodes, aliasing, what is left out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb, fmpq

from symdp.ball import working_precision
from symdp.mechanisms.sampled_gaussian.double import sums
from symdp.mechanisms.sampled_gaussian.double.add_remove import AddRemove
from symdp.mechanisms.sampled_gaussian.double.arithmetic import (
    FUNCTION_ERROR,
    UNIT,
    second_remainder,
    two_product,
    two_sum,
)
from symdp.mechanisms.sampled_gaussian.double.replace_one import ReplaceOne
from symdp.mechanisms.sampled_gaussian.double.rule import Case, dyadic_step
from tests.mechanisms.sampled_gaussian import truths


def units(value, exact):
    """The relative error in UNIT."""
    return float(abs((arb(float(value)) - exact) / exact)) / UNIT


def arguments(low, high, count=3000, signs=(1,)):
    rng = np.random.default_rng(5)
    size = 10 ** rng.uniform(low, high, count)
    return size * rng.choice(signs, count)


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("exp", arguments(-12, math.log10(700), signs=(1, -1))),
        ("exp", arguments(-1, 1.6, signs=(1, -1))),
        ("expm1", arguments(-90, math.log10(690), signs=(1, -1))),
        ("expm1", arguments(-3, 1.5, signs=(1, -1))),
        ("log", arguments(-100, 100)),
        ("log", 1 + arguments(-12, -0.31, signs=(1, -1))),
        ("log1p", arguments(-100, 300)),
        ("log1p", arguments(-100, -0.31, signs=(1, -1))),
        ("log1p", arguments(-3, 1)),
    ],
)
def test_the_assumption_about_numpy(name, points):
    function = getattr(np, name)
    with working_precision(200):
        for size in (1, 3, 8, 100):  # scalar and vector loops
            values = np.concatenate([function(points[k : k + size]) for k in range(0, len(points), size)])
            exact = [getattr(arb(float(x)), name)() for x in points]
            assert max(map(units, values, exact)) <= FUNCTION_ERROR


def test_second_remainder():
    points = np.concatenate([arguments(-30, 2.8), -arguments(-30, 3), [0.5, -0.5, 0.5000001, -0.5000001, 40.0]])
    with working_precision(400):
        exact = [arb(float(y)).expm1() - arb(float(y)) for y in points]
        assert max(map(units, second_remainder(points), exact)) <= 102
    assert second_remainder(np.zeros(1))[0] == 0


def test_sums_and_products_lose_nothing():
    x, y = arguments(-20, 20, signs=(1, -1)), arguments(-20, 20, signs=(1, -1))[::-1]
    for function, operation in ((two_sum, lambda a, b: a + b), (two_product, lambda a, b: a * b)):
        high, low = function(x, y)
        for a, b, h, l in zip(x, y, high, low, strict=True):
            exact = operation(fmpq(*a.as_integer_ratio()), fmpq(*b.as_integer_ratio()))
            assert exact == fmpq(*h.as_integer_ratio()) + fmpq(*l.as_integer_ratio())


CASES = [(1e-12, 0.1), (1e-12, 30.0), (0.01, 0.3), (0.3, 2.0), (0.5, 1.0), (0.9, 0.15), (1 - 1e-12, 0.5), (0.7, 1e4)]


@pytest.mark.parametrize(("q", "sigma"), CASES)
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_nodes_are_within_their_stated_errors(q, sigma, relation):
    case = Case(q, 1 - q if q >= 0.5 else float(1 - q), sigma)
    rule = (
        AddRemove.choose(case, whole=False)
        if relation == "add-remove"
        else ReplaceOne.choose(case, 8.0, below_two=False)
    )
    spread = int(40 / rule.eta)
    j = np.unique(np.concatenate([np.arange(-40, 40), np.linspace(-spread, 3 * spread, 300).astype(np.int64)]))
    nodes = rule.nodes(j)
    with working_precision(300):
        s, rate = arb(sigma), arb(q)
        w = 1 / (2 * s * s)
        constant = (s * arb(rule.step) / (2 * arb.pi()).sqrt()).log()
        for k, u in enumerate(nodes.u):
            u = arb(float(u))
            if relation == "add-remove":
                ratio = front = (1 - rate + rate * u.exp()).log()
                z = s * u + 1 / (2 * s)
            else:
                front = (1 - rate + rate * (u - w).exp()).log()
                ratio, z = front - (1 - rate + rate * (-u - w).exp()).log(), s * u
            found = arb(float(nodes.ratio[k])) + arb(float(nodes.ratio_low[k]))
            assert abs(found - ratio) <= nodes.ratio_error[k] * UNIT
            assert abs(nodes.ratio_low[k]) <= UNIT * abs(nodes.ratio[k])
            assert abs(nodes.weight_low[k]) <= UNIT * abs(nodes.weight[k])
            assert nodes.ratio_error[k] <= 47 * abs(nodes.ratio[k])
            found = arb(float(nodes.weight[k])) + arb(float(nodes.weight_low[k]))
            assert abs(found - (front - z * z / 2 + constant)) <= nodes.weight_error[k] * UNIT


@pytest.mark.parametrize("factor", [1.2, 1.5, 1.8])
@pytest.mark.parametrize(
    ("q", "sigma", "alpha"),
    [(0.01, 1.0, 1.5), (0.3, 4.0, 2.5), (1e-6, 0.5, 3.0), (0.9, 20.0, 10.5), (0.5, 0.7, 1.001), (0.2, 0.4, 6.0)],
)
def test_too_wide_a_step_is_paid_for_by_the_bound(q, sigma, alpha, factor):
    """The aliasing bound holds at any step, and is not idle: at the wider steps it is what separates the two sides."""
    case = Case(q, 1 - q, sigma)
    order, a = np.array([alpha]), np.array([alpha - 1])
    rules = [
        (AddRemove.choose(case, whole=False), truths.add_remove),
        (AddRemove.choose(case, whole=alpha == int(alpha)), truths.add_remove),
    ]
    if factor == 1.5:
        rules.append((ReplaceOne.choose(case, alpha, below_two=alpha < 2), truths.replace_one))
    for rule, truth in rules:
        step = dyadic_step(rule.step * factor)
        options = {name: getattr(rule, name) for name in rule.__dataclass_fields__} | {"step": step}
        (low,), (high,) = sums.log_moments(type(rule)(**options), order, a)
        value = (alpha - 1) * truth(q, sigma, alpha)
        assert low <= value <= high
        (narrow_low,), (narrow_high,) = sums.log_moments(rule, order, a)
        assert factor < 1.8 or high - low > 100 * (narrow_high - narrow_low)


def left_out(rule, plan, alpha, a):
    """The sums of what a plan leaves out, near and far, and of what it keeps."""
    reach = int(30 / rule.eta)
    top = max(plan.last[0], plan.far_last[0])
    j = np.arange(
        min(int(rule.index(-12.0)), plan.first[0]) - reach,
        max(top, int(rule.index(alpha[0] / rule.case.sigma))) + reach,
    )
    nodes = rule.nodes(j)
    y = a * nodes.ratio
    with np.errstate(over="ignore"):
        size = np.logaddexp(
            nodes.weight + np.where(y > 30, y, np.log(second_remainder(np.minimum(y, 30.0)))),
            np.log(a) + nodes.weight + np.log(second_remainder(-nodes.ratio)),
        )
    kept = ((plan.first[0] <= j) & (j <= plan.last[0])) | ((plan.far_first[0] <= j) & (j <= plan.far_last[0]))
    return tuple(
        np.logaddexp.reduce(size[where] + extra[where])
        for extra in (0 * y, np.log(true_edge(rule, nodes.u)))
        for where in (~kept, kept)
    )


def true_edge(rule, u):
    if isinstance(rule, ReplaceOne):
        return np.sin(rule.tau) ** 2 / np.sinh(np.clip(u, -300, 300)) ** 2
    return min(1.0, np.sin(min(rule.tau, math.pi) / 2) ** 2) / np.sinh(np.clip(u / 2, -300, 300)) ** 2


KINDS = {
    "contiguous": [(0.01, 1.0, 1.5), (0.01, 0.1, 1.0001), (0.99, 5.0, 3.0), (1e-12, 0.2, 1.9), (0.3, 0.5, 12.5)],
    "bulk": [(1e-12, 30.0, 2000.0), (1e-8, 100.0, 1e5), (1e-5, 6.0, 300.0)],
    "pair": [(1e-12, 4.0, 900.0), (1e-6, 1.0, 60.0), (0.01, 2.5, 128.0)],
    "far": [(1e-3, 0.4, 50.5), (0.5, 0.3, 200.0), (0.9, 1.0, 512.5), (0.999, 0.1, 20.0), (0.5, 30.0, 1e5)],
}


@pytest.mark.parametrize(("kind", "point"), [(kind, point) for kind, points in KINDS.items() for point in points])
def test_what_a_plan_leaves_out_is_bounded(kind, point):
    q, sigma, alpha = point
    order, a = np.array([alpha]), np.array([alpha - 1])
    rule = AddRemove.choose(Case(q, 1 - q, sigma), whole=alpha == int(alpha))
    plan = rule.plan(order, a)
    pair = plan.far_last[0] >= plan.far_first[0]
    low, high = plan.first[0] < rule.index(0.0), plan.last[0] > rule.index(alpha / sigma)
    assert kind == ("pair" if pair else "contiguous" if low and high else "bulk" if low else "far")
    missing, kept, missing_edge, _ = left_out(rule, plan, order, a)
    assert missing <= plan.log_omitted[0] <= kept - 30
    assert missing_edge <= plan.log_omitted_edge[0]


@pytest.mark.parametrize(
    "point", [(0.01, 1.0, 1.5), (0.99, 0.3, 1.01), (0.3, 5.0, 30.0), (1e-9, 0.5, 3.0), (0.9, 40.0, 1.001)]
)
def test_what_replace_one_leaves_out_is_bounded(point):
    q, sigma, alpha = point
    order, a = np.array([alpha]), np.array([alpha - 1])
    rule = ReplaceOne.choose(Case(q, 1 - q, sigma), alpha, below_two=alpha < 2)
    plan = rule.plan(order, a)
    missing, kept, missing_edge, _ = left_out(rule, plan, order, a)
    assert missing <= plan.log_omitted[0] <= kept - 30
    assert missing_edge <= plan.log_omitted_edge[0]
