"""Tables over grids: what a row says, and that nothing is lost, doubled or mixed, however a run ends."""

import contextlib
import csv
import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.ball import Enclosure
from symdp.bound import derive
from symdp.diffusion.catalogue import lookup
from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import renyi
from symdp.tables import Plan, make_table
from symdp.tables.child import ask as ask_child
from symdp.tables.grid import read_grid
from symdp.tables.rows import compute
from symdp.tables.working import ENDING
from tests.commands import command, one_line

GRID = "q=0.01,0.5; sigma=0.5:20:log4; alpha=1.1:3:0.7,inf; direction=forward,reverse"
CHEAP = "q=1; sigma=1,2; alpha=1:500"  # 1000 rows in 5 chunks, all exact
FACTS = """
[mechanism.M]
dp = {epsilon = "log(3)", delta = "1/100"}
[kernel.K]
doeblin = "1/4"
[chain.C]
start = "M"
steps = ["K"]
[query]
of = "C"
ask = "delta"
epsilon = "log(3/2)"
"""


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def points(text, **options):
    (axis,) = read_grid(f"a={text}", **options)
    return [axis.at(index) for index in range(axis.count)]


# --- grids ----------------------------------------------------------------------------------------------------------


def test_items_and_ranges_are_exact():
    assert points("1e-8,0.01, 1/3") == [Fraction(1, 10**8), Fraction(1, 100), Fraction(1, 3)]
    assert points("1.1:1.4:0.1") == [Fraction(n, 10) for n in (11, 12, 13, 14)]
    assert points("2:4") == [2, 3, 4] and points("0:1:lin3") == [0, Fraction(1, 2), 1]
    assert points("inf,(1,0),2") == ["inf", "(1,0)", 2]
    assert points("0.1", double=True) == [Fraction(0.1)]


def test_logarithmic_points_are_short_and_near_to_equal_ratios():
    found = points("0.5:20:log40")
    assert len(found) == 40 and found[0] == Fraction(1, 2) and found[-1] == 20
    for index, point in enumerate(found):
        assert abs(float(point) / (0.5 * 40 ** (index / 39)) - 1) < 1e-5
        assert len(str(float(point)).replace(".", "").strip("0")) <= 6
    fine = points("1:1.0001:log1000")
    assert fine == sorted(set(fine))  # rounding does not make two points one


@given(st.fractions(1, 50), st.fractions(Fraction(1, 100), 5), st.integers(1, 40))
def test_a_range_of_steps_holds_its_last_point_and_no_further(first, step, count):
    last = first + (count - 1) * step
    assert points(f"{first}:{last}:{step}") == [first + k * step for k in range(count)]
    if count > 1:
        assert points(f"{first}:{last - step / 1000}:{step}")[-1] == last - step


@pytest.mark.parametrize(
    "grid",
    [
        *("", "q", "q=", "q=1,,2", "=1", "q=1; q=2", "q=2:1", "q=1:2:0", "q=1:2:-1", "q=1:2:3:4", "q=0:1:log5"),
        *("q=1:2:log1", "q=1:1:log3", "q=1:2:", "q=1:1e30", "q=1:1000000:0.000001; p=1:100", "q=nan:2", "q=1/0"),
        "q=1:1.0000000000001:log5",
    ],
)
def test_a_grid_that_is_none_is_refused(grid):
    with pytest.raises(InputError, match="--grid"):
        read_grid(grid)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="qa=;:,.0123456789elogin()-+/ \u0660\n", max_size=30), st.booleans())
def test_any_text_is_a_grid_or_one_line(text, double):
    with contextlib.suppress(InputError):
        for axis in read_grid(f"a=1;{text}", double=double):
            assert axis.count >= 1 and len(axis.corners()) <= 2 * len(axis.parts)
            axis.at(axis.count // 2)


def test_a_million_values_are_planned_without_being_made():
    plan = Plan("sgm", "q=1e-8,0.01; sigma=0.5:20:log1000; alpha=1.001:1.5:0.001")
    assert plan.rows == 1_000_000 and plan.chunks == 5000
    assert plan.point(plan.rows - 1) == {"q": Fraction(1, 100), "sigma": 20, "alpha": Fraction(3, 2)}
    assert sum(len(plan.rows_of(chunk)) for chunk in range(plan.chunks)) == plan.rows


# --- rows -----------------------------------------------------------------------------------------------------------


def test_rows_enclose_what_the_library_computes(tmp_path):
    made = make_table(Plan("sgm", GRID, 20), tmp_path / "t.csv")
    rows = read(made.path)
    assert made.rows == len(rows) == 64 and made.refused == 0 and os.listdir(tmp_path) == ["t.csv"]
    for row in rows:
        printed = Enclosure.from_json(row)
        finer = renyi(row["q"], row["sigma"], row["alpha"], 30, direction=row["direction"])
        assert finer.lower >= printed.lower and finer.upper <= printed.upper
        assert (row["digits"], row["note"]) == ("20", "") and row["method"] in {
            "exact",
            "trapezoid",
            "integer",
            "series",
        }


def test_double_rounds_the_inputs_and_shows_them_exactly(tmp_path):
    make_table(Plan("sgm", "q=0.1; sigma=0.7; alpha=2.1", 15, double=True), tmp_path / "t.csv")
    (row,) = read(tmp_path / "t.csv")
    assert [Fraction(row[name]) for name in ("q", "sigma", "alpha")] == [Fraction(x) for x in (0.1, 0.7, 2.1)]
    assert (row["lower"], row["upper"]) == renyi(0.1, 0.7, 2.1, 15).to_decimal(15)


def test_a_diffusion(tmp_path):
    grid = "theta=1,sqrt(2); rho=1; t=1/2; Delta=1; alpha=2,8"
    make_table(Plan("diffusion", grid, 20, source={"name": "ornstein-uhlenbeck"}), tmp_path / "t.csv")
    rows, bound = read(tmp_path / "t.csv"), derive(lookup("ornstein-uhlenbeck").build())
    for row in rows:
        at = {name: row[name] for name in ("theta", "rho", "t", "Delta", "alpha")}
        assert (row["lower"], row["upper"]) == bound.evaluate(at, digits=20).to_decimal(20)
        assert row["method"].startswith("exact by ")
    assert [row["theta"] for row in rows] == ["1", "1", "sqrt(2)", "sqrt(2)"]


def test_the_truth_of_two_starts_lies_below_the_bound(tmp_path):
    source = {"drift": "-x", "diffusion": "1", "domain": "x>=0"}
    for truth in (True, False):
        plan = Plan("diffusion", "alpha=2,4; t=1; x=1; xp=2", 15, source=source | {"truth": truth})
        make_table(plan, tmp_path / f"{truth}.csv")
    for true, bound in zip(read(tmp_path / "True.csv"), read(tmp_path / "False.csv"), strict=True):
        assert true["method"].startswith("truth by ") and bound["method"].startswith("upper by ")
        assert 0 < Fraction(true["upper"]) < Fraction(bound["lower"])


def test_facts_with_numbers_in_their_places(tmp_path, call):
    (tmp_path / "facts.toml").write_text(FACTS)
    out = tmp_path / "t.json"
    grid = "kernel.K.doeblin=1/4,1/2; epsilon=log(3/2),log(3)"
    assert call("table", "prove", tmp_path / "facts.toml", "--grid", grid, "--digits", "12", "-o", out).code == 0
    data = json.loads(out.read_text())
    first = data["rows"][0]
    assert first["kernel.K.doeblin"] == "0.25" and "master" in first["method"]
    assert Fraction(first["lower"]) <= Fraction(61, 640) <= Fraction(first["upper"]) < Fraction("0.0953126")
    assert len(data["rows"]) == 4 and Enclosure.from_json(data["rows"][2]).contains(Fraction(61, 320))
    assert data["kind"] == "prove" and data["source"]["facts"]["kernel"]["K"]["doeblin"] == "1/4"


def test_whole_numbers_of_a_file_stay_whole(tmp_path, call):
    (tmp_path / "facts.toml").write_text(
        '[mechanism.M]\ndp = {epsilon = "1/10", delta = "0"}\n[chain.C]\ncompose = ["M"]\ntimes = 5\n'
        '[query]\nof = "C"\nask = "epsilon"\ndelta = "0"\n'
    )
    out = tmp_path / "t.csv"
    result = call("table", "prove", tmp_path / "facts.toml", "--grid", "chain.C.times=2,3", "--digits", "9", "-o", out)
    assert result.code == 0, result.err
    assert [Enclosure.from_json(row).contains(Fraction(n, 10)) for n, row in zip((2, 3), read(out), strict=True)] == [
        True,
        True,
    ]


def test_a_row_without_a_value_says_why_and_the_others_stay(tmp_path, call):
    out = tmp_path / "t.csv"
    grid = "q=0.01; sigma=1e-60,1; sensitivity=1e-50,1; alpha=2"
    result = call("table", "sgm", "--grid", grid, "--digits", "10", "-o", out)
    assert result.code == 0
    result = call(
        "table", "diffusion", "--drift", "x**3", "--diffusion", "1", "--grid", "t=1;Delta=1;alpha=2", "-o", out
    )
    assert result.code == 2 and result.out == f"1 rows in {out}\n" and "1 of 1 rows have no value" in result.err
    (row,) = read(out)
    assert row["lower"] == row["upper"] == row["method"] == "" and "explosion" in row["note"]


def test_the_three_formats_say_the_same(tmp_path):
    for ending in (".csv", ".json"):
        make_table(Plan("sgm", GRID, 10), tmp_path / f"t{ending}")
    rows = read(tmp_path / "t.csv")
    assert [
        {k: v or "" for k, v in row.items()} for row in json.loads((tmp_path / "t.json").read_text())["rows"]
    ] == rows


def test_parquet_says_the_same_and_is_the_same_again(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    for name in ("t.csv", "a.parquet", "b.parquet"):
        make_table(Plan("sgm", GRID, 10), tmp_path / name)
    found = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert [{k: v or "" for k, v in row.items()} for row in found] == read(tmp_path / "t.csv")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


# --- interruptions --------------------------------------------------------------------------------------------------


class Stop(Exception):
    """Ends a run."""


def interrupted(plan, path, after):
    """A run that ends once so many rows are finished; the working file it leaves."""

    def stop(done, total, resumed):
        if done >= after:
            raise Stop

    with contextlib.suppress(Stop):
        make_table(plan, path, progress=stop)
    return path.with_name(path.name + ENDING)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The table of ``CHEAP``, from a run that was not interrupted."""
    path = tmp_path_factory.mktemp("whole") / "t.csv"
    make_table(Plan("sgm", CHEAP, 20), path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory):
    """The working file of ``CHEAP`` before the table is written."""
    path = tmp_path_factory.mktemp("unfinished") / "t.csv"
    left = interrupted(Plan("sgm", CHEAP, 20), path, 1000)
    assert not path.exists()
    return left.read_bytes()


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_working_file_cut_anywhere_gives_the_same_table(tmp_path_factory, whole, unfinished, data):
    path = tmp_path_factory.mktemp("cut") / "t.csv"
    lines = unfinished.splitlines(keepends=True)
    assert len(lines) == 7
    kept = data.draw(st.integers(0, 7))
    torn = lines[kept][: data.draw(st.integers(0, len(lines[kept]) - 1))] if kept < 7 else b""
    left = path.with_name(path.name + ENDING)
    left.write_bytes(b"".join(lines[:kept]) + torn)
    made = make_table(Plan("sgm", CHEAP, 20), path)
    assert path.read_bytes() == whole and not left.exists() and made.resumed == 200 * max(0, kept - 2)


def test_finished_chunks_are_not_computed_again(tmp_path, monkeypatch):
    plan, path = Plan("sgm", CHEAP, 20), tmp_path / "t.csv"
    interrupted(plan, path, 600)
    computed = []
    monkeypatch.setattr(
        "symdp.tables.workers.compute", lambda text, chunk: computed.append(chunk) or compute(text, chunk)
    )
    told = []
    made = make_table(plan, path, progress=lambda *now: told.append(now))
    assert computed == [3, 4] and made.resumed == 600
    assert told == [(600, 1000, 600), (800, 1000, 600), (1000, 1000, 600)]


def test_a_damaged_line_is_computed_again(tmp_path, whole):
    plan, path = Plan("sgm", CHEAP, 20), tmp_path / "t.csv"
    left = interrupted(plan, path, 600)
    content = bytearray(left.read_bytes())
    content[-20] ^= 1
    left.write_bytes(content)
    assert make_table(plan, path).resumed == 400 and path.read_bytes() == whole


def test_a_run_killed_while_it_writes_the_table_ends_the_same(tmp_path, whole, unfinished):
    path = tmp_path / "t.csv"
    path.with_name("t.csv" + ENDING).write_bytes(unfinished)
    path.with_name("t.csv" + ENDING + ".part").write_bytes(whole[:1000])
    assert make_table(Plan("sgm", CHEAP, 20), path).resumed == 1000
    assert path.read_bytes() == whole and os.listdir(tmp_path) == ["t.csv"]


def test_a_run_killed_after_the_rename_ends_the_same(tmp_path, whole, monkeypatch):
    plan, path = Plan("sgm", CHEAP, 20), tmp_path / "t.csv"
    with monkeypatch.context() as patch:
        patch.setattr("symdp.tables.working.WorkingFile.remove", lambda self: (_ for _ in ()).throw(Stop))
        with pytest.raises(Stop):
            make_table(plan, path)
    assert path.read_bytes() == whole and path.with_name("t.csv" + ENDING).exists()
    assert make_table(plan, path).resumed == 1000 and path.read_bytes() == whole and os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_in_mid_run_and_started_again(tmp_path):
    grid = "q=0.01; sigma=1:1.9:0.1; alpha=1.05:80:1"  # 4 chunks
    arguments = [sys.executable, "-m", "symdp", "table", "sgm", "--grid", grid]
    subprocess.run([*arguments, "-o", tmp_path / "whole.csv"], check=True, capture_output=True)
    path = tmp_path / "t.csv"
    left = path.with_name(path.name + ENDING)
    run = subprocess.Popen([*arguments, "-o", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while run.poll() is None and not (left.exists() and left.read_bytes().count(b"\n") >= 3):
        time.sleep(0.01)
    run.kill()
    run.wait()
    assert left.exists() and not path.exists()
    again = subprocess.run([*arguments, "-o", path, "--jobs", "2"], check=True, capture_output=True, text=True)
    assert "from the run before" in again.stdout
    assert path.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["t.csv", "whole.csv"]


def test_a_process_beside_a_worker_computes_the_same_rows():
    text = Plan("sgm", CHEAP, 20).to_json()
    assert ask_child(text, 1) == ask_child(text, 1) == compute(text, 1)
    other = text.replace("symdp 0", "symdp 9")
    with pytest.raises(InputError, match="is computed by symdp 9"):
        ask_child(other, 0)


# --- what is refused ------------------------------------------------------------------------------------------------


def test_a_working_file_of_another_table_is_refused(tmp_path, call):
    path = tmp_path / "t.csv"
    left = interrupted(Plan("sgm", CHEAP, 20), path, 600)
    kept = left.read_bytes()
    for other in ([CHEAP + ",501"], [CHEAP, "--digits", "21"], [CHEAP, "--double"]):
        options = other if "--digits" in other else [*other, "--digits", "20"]
        error = one_line(call("table", "sgm", "-o", path, "--grid", *options))
        assert "another table" in error and "delete it to begin anew" in error and left.read_bytes() == kept


def test_a_file_in_the_way_stays(tmp_path, call):
    other = tmp_path / f"t.csv{ENDING}"
    other.write_text("my notes\n")
    assert "in the way" in one_line(call("table", "sgm", "-o", tmp_path / "t.csv", "--grid", CHEAP))
    assert other.read_text() == "my notes\n"


def test_two_runs_do_not_write_one_table(tmp_path, whole):
    pytest.importorskip("fcntl", reason="this system has no such locks")
    plan, path, refusals = Plan("sgm", CHEAP, 20), tmp_path / "t.csv", []

    def other(done, total, resumed):
        with pytest.raises(InputError, match="being written by another run") as refusal:
            make_table(plan, path)
        refusals.append(refusal)

    make_table(plan, path, progress=other)
    assert len(refusals) == 6 and path.read_bytes() == whole


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sgm", "--grid", "q=0.1;sigma"], "--grid"),
        (["sgm", "--grid", "q=0.1; sigma=1; alpha=2; beta=1"], "'beta' is not known"),
        (["sgm", "--grid", "q=0.1; sigma=1"], "there is no alpha"),
        (["sgm", "--grid", "q=0.1,1.5; sigma=1; alpha=2"], "--grid, q"),
        (["sgm", "--grid", "q=0.1; sigma=-1:1; alpha=2"], "--grid, sigma"),
        (["sgm", "--grid", "q=0.1; sigma=1; alpha=0.5:4"], "--grid, alpha"),
        (["sgm", "--grid", "q=0.1; sigma=1; alpha=2; direction=up"], "forward, reverse"),
        (["sgm", "--grid", "q=0.1; sigma=1; alpha=2", "--digits", "x"], "--digits"),
        (["sgm", "--grid", "q=0.1; sigma=1; alpha=2", "--digits", "0"], "digits"),
        (["sgm", "--grid", "q=0.1; sigma=1; alpha=2", "--jobs", "0"], "--jobs"),
        (["sgm", "--grid", "q=0.1; sigma=1; alpha=2", "--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"], "both given"),
        (["sgm", "--grid", CHEAP, "-o", "t.txt"], ".parquet"),
        (["sgm", "--grid", CHEAP, "-o", "/nowhere/at/all/t.csv"], "cannot write"),
        (["sgm", "--grid", CHEAP, "-o", "/"], "ending"),
        (["sgm", "--grid", CHEAP, "-o"], "-o"),
        (["sgm"], "--grid"),
        (["diffusion", "ornstein", "--grid", "t=1"], "ornstein-uhlenbeck"),
        (["diffusion", "benes", "--grid", "t=1; alpha=2; Delta=1"], "k"),
        (["diffusion", "benes", "--grid", "t=1; alpha=2; Delta=1; k=1; l=2"], "l"),
        (["diffusion", "benes", "--truth", "--grid", "t=1; alpha=2; Delta=1; k=1"], "two starts"),
        (["diffusion", "benes", "--grid", "t=0:1; alpha=2; x=1; xp=0; k=1"], "a time is above 0"),
        (["diffusion", "--grid", "t=1"], "--drift"),
        (["diffusion", "benes", "--double", "--grid", "t=1; alpha=2; x=1; xp=0; k=sqrt(2)"], "not rational"),
        (["prove", "/nowhere/facts.toml", "--grid", "epsilon=1"], "cannot read"),
        ([], "Usage"),
    ],
)
def test_bad_input_is_one_line(tmp_path, call, arguments, said):
    inside = tmp_path / "t.csv"
    if arguments and "-o" not in arguments and arguments != ["sgm"]:
        arguments = [*arguments, "-o", inside]
    result = call("table", *arguments)
    if not arguments:
        assert result.code == 0 and "sgm" in result.out
        return
    if arguments == ["sgm"]:
        said = "--output"
    assert result.code == 1 and said in one_line(result) and os.listdir(tmp_path) == []


@pytest.mark.parametrize("path", ["kernel.L.doeblin", "kernel.K", "query.epsilon.x", "nothing"])
def test_a_path_that_leads_nowhere(tmp_path, call, path):
    (tmp_path / "facts.toml").write_text(FACTS)
    result = call("table", "prove", tmp_path / "facts.toml", "--grid", f"{path}=1", "-o", tmp_path / "t.csv")
    assert result.code == 1 and "the facts have no number" in one_line(result)


def test_what_is_not_installed_is_named(tmp_path, call, monkeypatch):
    for module, extra, arguments in (
        ("joblib", "table", ["--jobs", "2", "-o", "t.csv"]),
        ("pyarrow", "table", ["-o", "t.parquet"]),
        ("distributed", "cluster", ["--scheduler", "tcp://127.0.0.1:1", "-o", "t.csv"]),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        error = one_line(call("table", "sgm", "--grid", CHEAP, *arguments))
        assert module in error and f"symdp[{extra}]" in error


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path, whole):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    plan, path = Plan("sgm", CHEAP, 20), tmp_path / "t.csv"
    left = interrupted(plan, path, 600)
    kept = left.read_bytes()
    limit = len(kept) + 100  # bytes a file may have: the next chunk does not fit
    code = f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); import signal; "
    code += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from symdp.cli import main; sys.exit(main(sys.argv[1:]))"
    arguments = ["table", "sgm", "--grid", CHEAP, "--digits", "20", "-o", path]
    result = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 1 and result.stderr.startswith("symdp: cannot write") and result.stderr.count("\n") == 1
    assert left.read_bytes() == kept
    assert make_table(plan, path).resumed == 600 and path.read_bytes() == whole


def test_help_shows_an_example_of_each():
    for name in ("sgm", "diffusion", "prove"):
        result = command("table", name, "--help")
        assert result.returncode == 0 and b"symdp table " + name.encode() in result.stdout
