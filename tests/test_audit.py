"""Audits: what an accountant may do wrong is found, counted and told with true digits, whatever else it does."""

import json
import math
import os
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.audit import audit, read_grid, standard
from symdp.audit.grid import Call, calls
from symdp.audit.judge import MEANING, exact, judge
from symdp.audit.pasted import as_test, header
from symdp.audit.process import MAX_RESTARTS, Peer
from symdp.audit.worker import PEERS, answer
from symdp.ball import Enclosure
from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import renyi, renyi_upper
from symdp.render.audit import audit_data, page, report_lines, summary
from symdp.render.text import plain
from tests.commands import one_line

Q, SIGMA = 0.1, 2.0

PEER = """
import os, sys, time
from symdp.mechanisms.sampled_gaussian import renyi_upper

def right(q, sigma, orders):
    return renyi_upper(q, sigma, orders)

def faulty(q, sigma, orders):
    print("reading", sys.stdin.read(), flush=True)
    os.system("echo noise; echo noise >&2")
    values = list(renyi_upper(q, sigma, orders))
    for place, order in enumerate(orders):
        if order == 2.5: values[place] *= 1 - 1e-9
        if order == 3.0: values[place] = -values[place]
        if order == 3.5: values[place] = float("nan")
        if order == 4.0: values[place] = float("inf")
        if order == 4.5: values[place] *= 1.5
        if order == 5.0: raise ValueError("no\\nsuch order")
        if order == 5.5: time.sleep(60)
        if order == 6.0: os._exit(3)
        if order == 6.5: values.append(1.0)
        if order == 7.0: sys.exit("stop")
        if order == 7.5: values[place] = "0.1"
        if order == 8.0: values[place] = 1j
        if order == 8.5: return None
    return values

class Holder:
    @staticmethod
    def rdp(q, sigma, orders):
        return [0.0 for _ in orders]

def hangs(q, sigma, orders):
    time.sleep(60)

number = 3
"""
FAULTS = {2.5: "below", 3.0: "negative", 3.5: "nan", 4.0: "infinite", 4.5: "above", 5.0: "exception", 5.5: "hang"} | {
    6.0: "died",
    6.5: "shape",
    7.0: "exception",
    7.5: "shape",
    8.0: "shape",
    8.5: "shape",
}


@pytest.fixture
def peers(tmp_path, monkeypatch):
    """A folder with accountants, which is the current one."""
    (tmp_path / "mine.py").write_text(PEER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peers")
    (folder / "mine.py").write_text(PEER)
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
    remarks = {row.kind: row.remark for row in faulty.rows}
    assert remarks["exception"] == "SystemExit: stop" and remarks["died"].endswith("exit code 3")
    assert remarks["hang"] == "no answer within 2 s"


def test_the_worst_come_kind_by_kind_with_true_digits(faulty):
    data = audit_data(faulty)
    assert [item["kind"] for item in data["worst"][: len(MEANING)]] == list(MEANING) and len(data["worst"]) == 10
    first = data["worst"][0]
    truth = renyi(Q, SIGMA, 2.5, 40, direction="both")
    assert first["truth"] == truth.to_json(40) and first["inputs"] == {"q": Q, "sigma": SIGMA, "alpha": 2.5}
    assert first["relative_error"] in ("9.99e-10", "1.00e-9")
    assert summary(data).startswith("13 of 14 inputs are at fault: 1 below, 1 negative, 1 nan")
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


def test_a_peer_that_always_hangs_is_given_up(peers):
    found = audit("mine:hangs", [Call((Q, float(s)), (2.0,)) for s in range(1, 13)], timeout=0.05)
    assert found.of_kind("not asked") == 12 - MAX_RESTARTS and found.counts == {"hang": MAX_RESTARTS}
    data = audit_data(found)
    assert data["compared"] == 0 and data["relative_error"] == {} and "not asked" in plain(report_lines(data))


def test_a_method_and_what_the_report_says_of_zero(peers, call):
    result = call("audit", "mine:Holder.rdp", "--grid", _csv(peers, "q,sigma,alpha", "0.1,2,1.5", "0,2,1.5"))
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


# --- grids and bad input


def _csv(folder, *lines):
    path = folder / "points.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_a_grid_is_read_as_doubles_and_grouped(tmp_path):
    path = _csv(tmp_path, "alpha, q, sigma, note", "2, 0.1, 1/3, x", "2.5, 0.1, 1/3, y", "2, 0.1, 1, z", "2, 0.1, 1, z")
    assert read_grid(path, "rdp") == [Call((0.1, 1 / 3), (2.0, 2.5)), Call((0.1, 1.0), (2.0,))]
    path = _csv(tmp_path, "q,sigma,steps,delta", "0.1,1,1e2,1e-5")
    assert read_grid(path, "epsilon") == [Call((0.1, 1.0, 100, 1e-5))]
    assert all(len(call.head) == 4 for call in standard("epsilon"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["q,sigma"], "has no column alpha; name the columns in its first line: q,sigma,alpha"),
        ([""], "has no column q"),
        (["q,sigma,alpha"], "has no rows"),
        (["q,sigma,alpha", "0.1,1,2", "1.5,1,2"], "line 3, q: the sampling rate is 1.5; give a number from 0 to 1"),
        (["q,sigma,alpha", "0.1,1,0.5"], "line 2, alpha: the order is 0.5, below 1"),
        (["q,sigma,alpha", "0.1,0,2"], "line 2, sigma: 0.0 is not positive"),
        (["q,sigma,alpha", "0.1,1"], "line 2: no alpha"),
        (["q,sigma,alpha", "0.1,1,1e400"], "line 2: alpha is too large for a double"),
        (["q,sigma,alpha", "0.1,1,two"], "line 2, alpha"),
    ],
)
def test_a_bad_grid_is_one_line(peers, call, lines, message):
    result = call("audit", "mine:right", "--grid", _csv(peers, *lines))
    assert result.code == 1 and message in one_line(result) and "--grid" in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["peer"], "PEER: no accountant is called peer; give dp_accounting, opacus, autodp or MODULE:FUNCTION"),
        (["a b:c"], "PEER: no accountant is called a b:c"),
        (
            ["mine:right", "--grid", "none.csv"],
            "--grid: cannot read none.csv: No such file or directory; give 'standard'",
        ),
        (["mine:right", "--kind", "delta"], "--kind: delta is not known; give one of rdp, epsilon"),
        (["mine:right", "--timeout", "0"], "--timeout: the limit is out of range"),
        (["mine:right", "--tolerance", "-1"], "--tolerance: the number is negative"),
        (["mine:right", "--excess", "x"], "--excess"),
        (["mine:right", "--html", "no/where.html"], "--html: the folder does not exist"),
        (["mine:right", "--python", "no/python"], "--python: cannot run no/python: No such file or directory"),
        (["mine:right", "--python", "/bin/false"], "give an interpreter that can import it with --python PATH"),
        (["mine:right", "--python", "/bin/echo"], "give an interpreter that can import it with --python PATH"),
        (["other:right"], "cannot be imported by"),
        (["mine:left"], "has no attribute 'left'"),
        (["mine:number"], "number is not a function"),
        (["mine:right", "--python", "--json"], "--python has no value"),
    ],
)
def test_bad_input_is_one_line(peers, call, arguments, message):
    result = call("audit", *arguments)
    assert result.code == 1 and message in one_line(result)


def test_a_known_peer_that_is_missing_names_the_remedy(call):
    missing = next((name for name in PEERS if not _importable(name)), None)
    if missing is None:
        pytest.skip("every peer is installed here")
    result = call("audit", missing)
    assert result.code == 1 and "--python PATH" in one_line(result) and sys.executable in result.err


def _importable(name):
    from importlib.util import find_spec

    return find_spec(name) is not None


def test_the_page_is_written_and_json_is_whole(peers, call):
    result = call("audit", "mine:Holder.rdp", "--grid", _csv(peers, "q,sigma,alpha", "0.1,2,2"), "--html", "a.html")
    assert result.code == 2 and "Audit of mine:Holder.rdp" in (peers / "a.html").read_text()
    result = call("audit", "mine:Holder.rdp", "--grid", _csv(peers, "q,sigma,alpha", "0.1,2,2"), "--json")
    data = json.loads(result.out)
    assert data["worst"][0]["value"] == "0.0" and data["counts"]["below"] == 1 and data["schema"] == 1


def test_the_process_ends_with_the_audit(peers):
    with Peer("mine:right", "rdp") as peer:
        process = peer._process
        assert peer.ask([0.1, 2.0, [2.0]]).values == tuple(renyi_upper(0.1, 2.0, [2.0]))
    assert process.poll() is not None


def test_kind_is_checked_by_the_library_too():
    with pytest.raises(InputError, match="kind: no kind is called delta; give rdp or epsilon"):
        audit("mine:right", kind="delta")


# --- the real ones

INTERPRETERS = {name: f"SYMDP_{name.upper()}_PYTHON" for name in PEERS}


def interpreter(name):
    """The interpreter that holds a peer: this one, or the one that an environment variable names."""
    python = os.environ.get(INTERPRETERS[name]) or (sys.executable if _importable(name) else None)
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
    assert {row.kind for row in found.rows if row.inputs == (0.4, 50.0, 1.1)} <= {"above"}


def test_autodp_is_audited():
    found = _found("autodp")
    # it interpolates between whole orders, and cancels where the loss is small
    assert found.counts["above"] > 100 and found.counts["below"] > 100 and found.counts["negative"] > 10


def test_opacus_is_audited():
    found = _found("opacus")
    assert found.counts["nan"] > 20 and found.counts["negative"] > 20 and found.below > 100
