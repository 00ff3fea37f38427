"""Curves for other libraries: never below the proved value, in their shapes, and the same after a round trip."""

import doctest
import json
import math
import os
import subprocess
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symdp
import symdp.bridges
from symdp.bridges import (
    ORDERS,
    dp_accounting_event,
    rdp_accountant,
    rdp_curve,
    sampled_gaussian_curve,
)
from symdp.bridges.curve import times
from symdp.derivation.sampled_gaussian import closed_forms, exact_curve
from symdp.epsilon import sampled_gaussian_epsilon
from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import renyi
from symdp.rules.conditions import ALPHA
from symdp.text import parse

AT = {"t": "1/2", "Delta": 1, "theta": 1, "rho": 1}
ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def ou():
    return symdp.derive(symdp.Diffusion("-theta*x", "sqrt(2)*rho"))


# --- curves


def test_a_bound_is_rounded_up_at_every_order(ou):
    curve = rdp_curve(ou, AT)
    orders, rdp = curve.arrays()
    assert orders.dtype == rdp.dtype == np.float64 and len(orders) == len(ORDERS) == 156
    for order, value in zip(orders, rdp, strict=True):
        truth = ou.evaluate(AT | {"alpha": float(order)}, digits=30)
        assert truth.upper <= value <= truth.upper * (1 + 1e-15)
    assert curve.assumptions == () and "Delta" in curve.name


def test_the_theorem_gives_what_its_bound_gives(ou):
    orders = [1.5, 2, 8, 63.5]
    assert list(rdp_curve(ou.privacy, AT)(orders)) == list(rdp_curve(ou, AT)(orders))
    assert list(rdp_curve(ou, t="1/2", Delta=1, theta=1, rho=1)(orders)) == list(rdp_curve(ou, AT)(orders))


def test_gaussian_privacy_is_a_curve(ou):
    gaussian = ou.found.derivation.gaussian
    assert gaussian is not None
    assert np.allclose(rdp_curve(gaussian, AT)([2, 8]), rdp_curve(ou, AT)([2, 8]), rtol=1e-15)


def test_the_sampled_gaussian_as_theorem_and_as_mechanism():
    theorem = rdp_curve(exact_curve(), q="1/100", s=4)
    mechanism = sampled_gaussian_curve("1/100", 4)
    assert theorem.relation == mechanism.relation == "add/remove"
    for order in (1.5, 2.0, 32.5):
        truth = renyi("0.01", 4, order, 30, direction="both").upper
        for curve in (theorem, mechanism):
            assert truth <= curve(order) <= truth * (1 + 2e-12)


def test_an_order_that_the_theorem_does_not_reach_is_infinite():
    forms = closed_forms(*map(parse, ("1/100", "4", "8", "1")))
    proved = [form for form in forms.values() if isinstance(form, symdp.Theorem)]
    assert proved
    for form in proved:
        names = {s.name for s in form.conclusion.value.free_symbols | set(form.region.symbols)} - {"alpha"}
        assert not names  # at numbers
        curve = rdp_curve(form)
        value = curve([8.0, 1e9])
        assert renyi("0.01", 4, 8, 20, direction="both").lower <= value[0] < math.inf
        if form.region.contains({ALPHA: parse("1000000000")}) is not True:
            assert value[1] == math.inf


def test_shapes_and_orders_that_are_no_orders(ou):
    curve = rdp_curve(ou, AT)
    assert curve(2.0).shape == () and curve([[2, 3], [4, 5]]).shape == (2, 2) and curve([]).shape == (0,)
    assert list(curve([0.5, 1, -1, math.inf])) == [math.inf] * 4
    gaussian = sampled_gaussian_curve(0.1, 2)
    assert gaussian(0.5) == math.inf == gaussian(math.inf) and 0 < gaussian(1.0) < gaussian(2.0)


@given(st.floats(1e-300, 1e300), st.integers(0, 10**9))
@settings(max_examples=100)
def test_releases_add_up_from_above(value, steps):
    found = times(np.array([value]), steps)[0]
    exact = Fraction(value) * steps
    assert found == math.inf or exact <= Fraction(found) <= exact * (1 + Fraction(1, 10**15))


def test_no_release_costs_nothing_and_zero_stays_zero():
    assert list(times(np.array([0.0, 1.0, math.inf]), 0)) == [0, 0, 0]
    assert list(times(np.array([0.0, math.inf]), 7)) == [0, math.inf]
    assert list(sampled_gaussian_curve(0, 1)([2, 8], 10)) == [0, 0]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda ou: rdp_curve(ou, AT | {"alpha": 2}), "alpha: alpha is what the curve is a function of"),
        (lambda ou: rdp_curve(ou, {"t": 1, "theta": 1, "rho": 1}), "Delta: no value of Delta"),
        (lambda ou: rdp_curve(ou, {"Delta": 1, "t": 1, "theta": 1}), "rho"),
        (lambda ou: rdp_curve(ou, AT, t=1), "t given twice"),
        (lambda ou: rdp_curve(ou.privacy, {"t": 1}), "no value of"),
        (lambda ou: rdp_curve(ou.privacy, AT | {"beta": 1}), "beta is not in the theorem"),
        (lambda ou: rdp_curve(ou.theorem, AT), "it concludes Divergence, which is no Rényi curve"),
        (lambda ou: rdp_curve(3), "a Bound or a Theorem expected, got int"),
        (lambda ou: rdp_curve(ou, AT)([2, math.nan]), "an order is nan"),
        (lambda ou: rdp_curve(ou, AT)("many"), "numbers expected"),
        (lambda ou: rdp_curve(ou, AT)(2, -1), "-1 releases"),
        (lambda ou: rdp_curve(ou, AT)(2, True), "True releases"),
        (lambda ou: sampled_gaussian_curve(2, 1), "q: the sampling rate is 2"),
        (lambda ou: sampled_gaussian_curve(0.1, 1, relation="swap"), "relation: swap is not known"),
        (
            lambda ou: rdp_curve(symdp.derive(symdp.Diffusion("x", "x", domain="x>0")), t=1, Delta=1),
            "no bound in Delta",
        ),
    ],
)
def test_bad_input_is_one_line(ou, make, message):
    with pytest.raises(InputError, match=message) as caught:
        make(ou)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("make", [lambda: dp_accounting_event(sampled_gaussian_curve(0.1, 1)), rdp_accountant])
def test_a_missing_library_is_one_line(make):
    if find_spec("dp_accounting") is not None:
        pytest.skip("dp_accounting is installed here")
    with pytest.raises(InputError, match=r"dp-accounting cannot be imported .*; pip install dp-accounting"):
        make()


def test_the_example_of_the_documentation():
    result = doctest.testmod(symdp.bridges)
    assert result.attempted >= 5 and result.failed == 0


# --- the real libraries, in an interpreter that has them


def run(peer, code):
    """What the code prints as JSON, in an interpreter that has the peer; symdp is found beside the tests."""
    variable = f"SYMDP_{peer.upper()}_PYTHON"
    python = sys.executable if find_spec(peer) else os.environ.get(variable)
    if not python:
        pytest.skip(f"{peer} is not installed here, and {variable} names no interpreter that has it")
    needed = "import numpy, mpmath, sympy, flint, z3"
    if subprocess.run([python, "-c", needed], capture_output=True, check=False).returncode:
        pytest.skip(f"the interpreter with {peer} lacks what symdp needs: {needed}")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run([python, "-c", code], capture_output=True, text=True, env=env, check=False)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


DP_ACCOUNTING = """
import json, symdp
from dp_accounting import *
from dp_accounting.rdp import RdpAccountant
from symdp.bridges import *
ou = symdp.derive(symdp.Diffusion("-theta*x", "sqrt(2)*rho"))
curve = rdp_curve(ou, t="1/2", Delta=1, theta=1, rho=1)
event = dp_accounting_event(curve)
orders = [1.5, 2.0, 8.0, 32.0, 64.0]
ours = rdp_accountant(orders).compose(event, 3).compose(ComposedDpEvent([event, SelfComposedDpEvent(event, 6)]))
mixed = rdp_accountant(orders).compose(event).compose(GaussianDpEvent(2.0))
sgm = rdp_accountant(orders).compose(dp_accounting_event(sampled_gaussian_curve(0.01, 1.0)), 1000)
refused = []
for attempt in (
    lambda: RdpAccountant(orders).compose(event),
    lambda: rdp_accountant(orders, NeighboringRelation.REPLACE_ONE).compose(
        dp_accounting_event(sampled_gaussian_curve(0.01, 1.0))),
    lambda: rdp_accountant(orders).compose(PoissonSampledDpEvent(0.1, event)),
):
    try:
        attempt()
    except UnsupportedEventError as error:
        refused.append(str(error))
other = dp_accounting_event(rdp_curve(ou, t=1, Delta=1, theta=1, rho=1))
print(json.dumps({
    "ours": list(ours.rdp), "one": list(curve(orders)), "mixed": list(mixed.rdp), "epsilon": ours.get_epsilon(1e-5),
    "sgm": list(sgm.rdp), "refused": refused, "equal": [event == event, event == other],
    "ledger": repr(ours.ledger),
    "replace": list(rdp_accountant(orders, NeighboringRelation.REPLACE_ONE).compose(event).rdp),
}))
"""


def test_a_curve_composes_in_an_accountant_of_dp_accounting(ou):
    found = run("dp_accounting", DP_ACCOUNTING)
    for order, ten, one, mixed in zip(
        (1.5, 2.0, 8.0, 32.0, 64.0), found["ours"], found["one"], found["mixed"], strict=True
    ):
        truth = ou.evaluate(AT | {"alpha": order}, digits=30)
        assert truth.upper <= one and 10 * truth.upper <= ten <= 10 * truth.upper * (1 + 1e-14)
        assert mixed == pytest.approx(one + order / 8, rel=1e-14)
    assert found["replace"] == found["one"]  # pairs at a distance are neighbours in either sense
    assert len(found["refused"]) == 3 and "the curve is for add/remove neighbours" in found["refused"][1]
    assert found["equal"] == [True, False] and "RenyiCurveDpEvent" in found["ledger"]
    epsilon = min(
        ten + math.log1p(-1 / a) - math.log(1e-5 * a) / (a - 1)
        for a, ten in zip((1.5, 2.0, 8.0, 32.0, 64.0), found["ours"], strict=True)
    )
    assert found["epsilon"] == pytest.approx(epsilon, rel=1e-12)
    for order, value in zip((1.5, 2.0, 8.0), found["sgm"], strict=False):
        truth = 1000 * Fraction(str(renyi(0.01, 1.0, order, 25, direction="both").to_decimal(20)[1]))
        assert truth * (1 - Fraction(1, 10**15)) <= Fraction(value) <= truth * (1 + Fraction(1, 10**11))


AUTODP = """
import json
from autodp.transformer_zoo import Composition
from autodp.mechanism_zoo import GaussianMechanism
from symdp.bridges import *
curve = sampled_gaussian_curve(0.01, 4.0)
mechanism = autodp_mechanism(curve, name="ours")
composed = Composition()([mechanism, GaussianMechanism(sigma=50.0)], [1000, 1])
try:
    autodp_mechanism(curve, neighboring="replace_one")
    refused = ""
except ValueError as error:
    refused = str(error)
print(json.dumps({
    "rdp": [mechanism.get_RDP(a) for a in (1.5, 2.0, 32.5)], "curve": list(curve([1.5, 2.0, 32.5])),
    "composed": composed.get_RDP(8.0), "epsilon": mechanism.get_approxDP(1e-5), "refused": refused,
    "neighboring": mechanism.neighboring, "name": mechanism.name,
    "many": Composition()([mechanism], [1000]).get_approxDP(1e-5),
}))
"""


def test_a_curve_composes_as_a_mechanism_of_autodp():
    found = run("autodp", AUTODP)
    assert found["rdp"] == found["curve"] and found["neighboring"] == "add_remove" and found["name"] == "ours"
    truth = 1000 * renyi(0.01, 4.0, 8, 20, direction="both").upper + 8 / 5000
    assert found["composed"] == pytest.approx(float(truth), rel=1e-9)
    assert "the curve is for add/remove neighbours" in found["refused"]
    # its own search for the best order finds our least epsilon over all orders, from above
    least = sampled_gaussian_epsilon(0.01, 4.0, 1e-5, 1000, 12).epsilon
    assert float(least.lower) * (1 - 1e-9) <= found["many"] <= float(least.upper) * (1 + 1e-6)


OPACUS = """
import importlib.util, json, os
from symdp.bridges import *
folder = importlib.util.find_spec("opacus").submodule_search_locations[0]
spec = importlib.util.spec_from_file_location("rdp", os.path.join(folder, "accountants", "analysis", "rdp.py"))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
orders, rdp = sampled_gaussian_curve(0.01, 4.0).arrays(steps=1000)
epsilon, order = module.get_privacy_spent(orders=orders, rdp=rdp, delta=1e-5)
print(json.dumps([float(epsilon), float(order)]))
"""


def test_arrays_are_what_opacus_takes():
    epsilon, order = run("opacus", OPACUS)
    least = sampled_gaussian_epsilon(0.01, 4.0, 1e-5, 1000, 12).epsilon
    assert float(least.lower) <= epsilon <= 1.001 * float(least.upper) and order in ORDERS
