"""Input of audits: grids, peers and options; what is wrong with them is one line that names the remedy."""

import io
import json
import sys
from importlib.util import find_spec

import pytest

from symdp.audit import audit, read_grid, standard
from symdp.audit.grid import Call
from symdp.audit.process import Peer
from symdp.audit.worker import PEERS
from symdp.cli.progress import progress_bar
from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import renyi_upper
from tests.accountants import csv_file
from tests.commands import one_line


def test_a_grid_is_read_as_doubles_and_grouped(tmp_path):
    path = csv_file(
        tmp_path, "alpha, q, sigma, note", "2, 0.1, 1/3, x", "2.5, 0.1, 1/3, y", "2, 0.1, 1, z", "2, 0.1, 1, z"
    )
    assert read_grid(path, "rdp") == [Call((0.1, 1 / 3), (2.0, 2.5)), Call((0.1, 1.0), (2.0,))]
    path = csv_file(tmp_path, "q,sigma,steps,delta", "0.1,1,1e2,1e-5")
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
    result = call("audit", "mine:right", "--grid", csv_file(peers, *lines))
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
    missing = next((name for name in PEERS if find_spec(name) is None), None)
    if missing is None:
        pytest.skip("every peer is installed here")
    result = call("audit", missing)
    assert result.code == 1 and "--python PATH" in one_line(result) and sys.executable in result.err


def test_the_page_is_written_and_json_is_whole(peers, call):
    result = call("audit", "mine:Holder.rdp", "--grid", csv_file(peers, "q,sigma,alpha", "0.1,2,2"), "--html", "a.html")
    assert result.code == 2 and "Audit of mine:Holder.rdp" in (peers / "a.html").read_text()
    result = call("audit", "mine:Holder.rdp", "--grid", csv_file(peers, "q,sigma,alpha", "0.1,2,2"), "--json")
    data = json.loads(result.out)
    assert data["worst"][0]["value"] == "0.0" and data["counts"]["below"] == 1 and data["schema"] == 1


def test_the_process_ends_with_the_audit(peers):
    with Peer("mine:right", "rdp") as peer:
        process = peer._process
        assert peer.ask([0.1, 2.0, [2.0]]).values == tuple(renyi_upper(0.1, 2.0, [2.0]))
    assert process.poll() is not None


def test_the_bar_is_for_terminals(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress_bar("asking mine") as progress:
            for done in range(4):
                progress(done, 3)
        assert ("asking mine" in stream.getvalue()) == stream.isatty()


def test_kind_is_checked_by_the_library_too():
    with pytest.raises(InputError, match="kind: no kind is called delta; give rdp or epsilon"):
        audit("mine:right", kind="delta")
