"""Audits: what an accountant may do wrong is found, counted and told with true digits, whatever else it does."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.audit import audit, standard
from symdp.audit.grid import Call, calls
from symdp.audit.judge import MEANING, exact, judge
from symdp.audit.pasted import as_test, header
from symdp.audit.process import MAX_RESTARTS
from symdp.audit.worker import PEERS, answer
from symdp.ball import Enclosure
from symdp.mechanisms.sampled_gaussian import renyi, renyi_upper
from symdp.render.audit import audit_data, page, report_lines, summary
from symdp.render.text import plain
from tests.accountants import ACCOUNTANTS, FAULTS, csv_file

Q, SIGMA = 0.1, 2.0


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peers")
    (folder / "mine.py").write_text(ACCOUNTANTS)
    before = os.getcwd()
    os.chdir(folder)
    try:
        return audit("mine:faulty", [Call((Q, SIGMA), (2.0, *FAULTS))], timeout=2)
    finally:
        os.chdir(before)


# --- what is found


def test_every_fault_is_found_and_nothing_else(faulty):
    found = {row.inputs[-1]: row.kind for row in faulty.rows}
    assert found == {2.0: "", **FAULTS}
    assert faulty.findings == len(FAULTS) and set(faulty.counts) == set(MEANING)
    assert faulty.below == 2  # the negative one too
    remarks = {row.inputs[-1]: row.remark for row in faulty.rows}
    assert remarks[7.0] == "SystemExit: stop" and remarks[5.5] == "no answer within 2 s"
    assert remarks[6.0] == "the process ended with exit code 3" and remarks[9.0].endswith("exit code 4")


def test_the_worst_come_kind_by_kind_with_true_digits(faulty):
    data = audit_data(faulty)
    assert [item["kind"] for item in data["worst"][: len(MEANING)]] == list(MEANING) and len(data["worst"]) == 10
    first = data["worst"][0]
    truth = renyi(Q, SIGMA, 2.5, 40, direction="both")
    assert first["truth"] == truth.to_json(40) and first["inputs"] == {"q": Q, "sigma": SIGMA, "alpha": 2.5}
    assert first["relative_error"] in ("9.99e-10", "1.00e-9")
    assert summary(data).startswith("14 of 15 inputs are at fault: 1 below, 1 negative, 1 nan")
    steps = data["below_by_more_than"]
    assert (steps["0"], steps["1e-12"], steps["1e-6"], steps["0.1"]) == (2, 2, 1, 1)
    text = plain(report_lines(data))
    assert truth.to_json(40)["lower"] in text and "def test_rdp_q_0_1_sigma_2_0_alpha_2_5():" in text
    html = page(data)
    assert html.startswith("<!DOCTYPE html>") and truth.to_json(40)["lower"] in html and "<script" not in html


def test_a_pasted_test_fails_for_the_fault_and_passes_for_the_truth(faulty):
    for row in faulty.rows:
        if not row.kind:
            continue
        text = as_test(faulty, row, faulty.exact(row.inputs))
        compile(text, "pasted", "exec")
        right = {"rdp": lambda q, sigma, orders: renyi_upper(q, sigma, orders)}
        exec(text, right)
        (name,) = (key for key in right if key.startswith("test_"))
        right[name]()
        if row.value is not None:
            wrong = {"rdp": lambda q, sigma, orders, value=row.value: [value]}
            exec(text, wrong)
            with pytest.raises(AssertionError):
                wrong[name]()


def test_the_header_of_pasted_tests_calls_the_peer(faulty, peers, monkeypatch):
    monkeypatch.syspath_prepend(str(peers))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    space = {}
    exec(header(replace(faulty, peer="mine:right")), space)
    assert space["rdp"](Q, SIGMA, [2.5])[0] >= renyi(Q, SIGMA, 2.5, direction="both").upper
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    for peer in PEERS:
        for kind in ("rdp", "epsilon"):
            text = header(replace(faulty, peer=peer, kind=kind))
            space = {}
            exec(text, space)  # imports are inside
            assert text.startswith(f"def {kind}(q, sigma, ") and callable(space[kind])


def test_an_accountant_that_rounds_up_passes_the_standard_grid(peers, call):
    result = call("audit", "mine:right", "--json")
    assert result.code == 0 and result.err == ""
    data = json.loads(result.out)
    assert data["findings"] == 0 and data["inputs"] == data["compared"] == 1440
    assert data["worst"] == [] and data["below_by_more_than"]["0"] == 0
    assert float(data["relative_error"]["1"]) < 1.1e-12


def test_an_order_that_hangs_does_not_silence_the_others(peers):
    grid = [Call((Q, float(sigma)), (1.5, 5.5, 6.0, 8.0)) for sigma in range(1, 8)]
    found = audit("mine:stubborn", grid, timeout=1)
    kinds = {row.inputs: row.kind for row in found.rows}
    assert len(found.rows) == 28 and [row.inputs for row in found.rows] == [p for call in grid for p in call.points]
    assert all(kinds[point] == "" for point in kinds if point[-1] in (1.5, 8.0))
    assert kinds[Q, 1.0, 5.5] == "hang" and kinds[Q, 1.0, 6.0] == "died" and kinds[Q, 7.0, 6.0] == "not asked"


def test_a_peer_that_always_hangs_is_given_up(peers):
    found = audit("slow:hangs", [Call((Q, float(s)), (2.0,)) for s in range(1, 13)], timeout=0.05)
    assert found.of_kind("not asked") == 12 - MAX_RESTARTS and found.counts == {"hang": MAX_RESTARTS}
    data = audit_data(found)
    assert data["compared"] == 0 and data["relative_error"] == {} and "not asked" in plain(report_lines(data))


def test_a_method_and_what_the_report_says_of_zero(peers, call):
    result = call("audit", "mine:Holder.rdp", "--grid", csv_file(peers, "q,sigma,alpha", "0.1,2,1.5", "0,2,1.5"))
    assert result.code == 2 and "1 of 2 inputs are at fault: 1 below" in result.err
    assert "from mine import Holder" in result.out and "rdp = Holder.rdp" in result.out


# --- exactness


@given(st.floats(1e-5, 1e5), st.integers(-3, 3))
@settings(max_examples=50)
def test_a_double_beside_the_truth_is_judged_exactly(value, ulps):
    near = value
    for _ in range(abs(ulps)):
        near = math.nextafter(near, math.inf if ulps > 0 else 0)
    found = judge(near, Enclosure(value, value), Fraction(0), None)
    assert found.below == (ulps < 0) and (found.kind == "below") == (ulps < 0)
    assert found.error == abs(Fraction(near) - Fraction(value)) / Fraction(value)


def test_tolerance_and_excess_are_exact_limits():
    truth = Enclosure(1, 1)
    half = Fraction(1, 2)
    assert judge(0.5, truth, half, None).kind == "" and judge(math.nextafter(0.5, 0), truth, half, None).kind == "below"
    assert judge(1.5, truth, half, half).kind == "" and judge(math.nextafter(1.5, 2), truth, half, half).kind == "above"
    assert judge(1e300, truth, half, None).kind == ""


def test_zeros_and_infinities():
    zero, infinite = Enclosure(0, 0), Enclosure(math.inf, math.inf)
    none = Fraction(0)
    assert judge(0.0, zero, none, none).kind == "" and judge(1e-300, zero, none, none).kind == "above"
    assert judge(-1e-300, zero, none, none).kind == "negative"
    assert judge(math.inf, infinite, none, none).kind == "" and judge(1e308, infinite, none, none).kind == "below"
    assert judge(-math.inf, zero, none, none).kind == "negative"
    assert judge(math.inf, Enclosure.from_fraction(Fraction(10) ** 400), none, none).kind == ""
    assert exact(zero.lower) == 0 and exact(infinite.upper) is None


def test_the_worker_reports_what_it_cannot_use():
    assert answer(lambda: [1, 2], [], 2) == {"values": [1.0, 2.0]}
    assert answer(lambda: 1.5, [], None) == {"values": [1.5]}
    assert answer(lambda: [1.5], [], None)["shape"].startswith("TypeError")
    assert answer(lambda: [1, 2], [], 3) == {"shape": "2 values for 3 orders"}
    assert answer(lambda: [True], [], 1) == {"shape": "TypeError: bool is not a number"}
    assert answer(lambda: 1 / 0, [], 1) == {"exception": "ZeroDivisionError: division by zero"}


# --- epsilon

EPSILON = """
from symdp.epsilon import sampled_gaussian_epsilon

def guarantee(q, sigma, steps, delta):
    return sampled_gaussian_epsilon(q, sigma, delta, steps, 15).epsilon.upper_float()

def half(q, sigma, steps, delta):
    return guarantee(q, sigma, steps, delta) / 2
"""


def test_epsilons_against_a_lower_bound_and_a_guarantee(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(EPSILON)
    monkeypatch.chdir(tmp_path)
    grid = calls([(0.1, 1.0, 10, 1e-5), (0.01, 1.0, 100, 1e-5), (1.0, 2.0, 3, 1e-6)], "epsilon")
    assert audit("mine:guarantee", grid, "epsilon").findings == 0
    found = audit("mine:half", grid, "epsilon")
    assert found.counts == {"below": 3}
    row = found.worst(1)[0]
    text = as_test(found, row, found.exact(row.inputs))
    for factor, error in ((0.5, AssertionError), (1, None)):
        space = {"epsilon": lambda *point, factor=factor: 2 * factor * row.value}
        exec(text, space)
        (name,) = (key for key in space if key.startswith("test_"))
        if error:
            with pytest.raises(error):
                space[name]()
        else:
            space[name]()


# --- the real ones

INTERPRETERS = {name: f"SYMDP_{name.upper()}_PYTHON" for name in PEERS}


def interpreter(name):
    """The interpreter that holds a peer: this one, or the one that an environment variable names."""
    python = os.environ.get(INTERPRETERS[name]) or (sys.executable if find_spec(name) else None)
    if python is None:
        pytest.skip(f"{name} is not installed here, and {INTERPRETERS[name]} names no interpreter that has it")
    return python


def _found(name):
    """The audit on every other pair of q and sigma of the standard grid."""
    return audit(name, standard("rdp")[::2], python=interpreter(name), timeout=20)


def test_dp_accounting_is_audited():
    found = _found("dp_accounting")
    assert found.version and not found.of_kind("undetermined")
    # the fractional series is summed by absolute values, or not at all
    assert found.counts["above"] > 40 and found.counts["infinite"] > 10 and found.below > 100
    assert max(row.error for row in found.rows if row.error is not None) > 100
    # the worst values, as tests pasted into its own suite, fail there
    data = audit_data(found)
    tests = [item["test"] for item in data["worst"]]
    names = [text.split("(")[0].removeprefix("def ") for text in tests]
    code = "\n".join([data["header"], *tests, "failed = 0", f"for test in ({', '.join(names)}):"])
    code += "\n    try: test()\n    except AssertionError: failed += 1\nprint(failed)"
    result = subprocess.run([found.python, "-c", code], capture_output=True, text=True, check=False)
    assert result.stdout.split() == ["10"] and len(set(names)) == 10, result.stderr


def test_autodp_is_audited():
    found = _found("autodp")
    # it interpolates between whole orders, and cancels where the loss is small
    assert found.counts["above"] > 100 and found.counts["below"] > 100 and found.counts["negative"] > 10


def test_opacus_is_audited():
    found = _found("opacus")
    assert found.counts["nan"] > 20 and found.counts["negative"] > 20 and found.below > 100
