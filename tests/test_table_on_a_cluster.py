"""A table computed by a real Dask scheduler and two workers on this machine, one of which is killed in mid-run."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from symdp.errors import InputError
from symdp.tables import Plan, make_table
from tests.commands import one_line

distributed = pytest.importorskip("distributed", reason="distributed is not installed")
pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL"),
    pytest.mark.filterwarnings("default"),  # those of the cluster's own packages
]

GRID = "q=0.01,0.1; sigma=1:1.9:0.1; alpha=1.05:50:1"  # 980 rows in 5 chunks


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The scheduler's address and the two workers, each a process of its own, and the scheduler."""
    folder = tmp_path_factory.mktemp("cluster")
    started = []

    def start(name, *arguments):
        log = (folder / f"{name}{len(started)}.log").open("wb")
        command = [sys.executable, "-m", "distributed.cli." + name, *arguments]
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
        log.close()
        started.append(process)
        return process

    said = folder / "scheduler.json"
    start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(said))
    wait_for(said.exists)
    address = json.loads(said.read_text())["address"]
    options = [address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
    workers = [start("dask_worker", *options, "--local-directory", str(folder)) for _ in range(2)]
    with distributed.Client(address, set_as_default=False, timeout=30) as client:
        client.wait_for_workers(2, timeout=60)
    yield address, workers, started[0]
    for process in reversed(started):
        process.kill()
        process.wait()


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the cluster did not start"
        time.sleep(0.05)


def test_a_killed_worker_loses_nothing(tmp_path, cluster):
    address, workers, _ = cluster
    plan = Plan("sgm", GRID, 30)
    killed = []

    def kill_one(done, total, resumed):
        if done and not killed:
            assert all(worker.poll() is None for worker in workers)
            workers[0].send_signal(signal.SIGKILL)
            killed.append((workers[0].wait(), done))

    made = make_table(plan, tmp_path / "cluster.csv", scheduler=address, progress=kill_one)
    assert killed == [(-signal.SIGKILL, 200)] and made.rows == plan.rows and workers[1].poll() is None
    make_table(plan, tmp_path / "alone.csv", jobs=2)
    assert (tmp_path / "cluster.csv").read_bytes() == (tmp_path / "alone.csv").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["alone.csv", "cluster.csv"]


def test_a_killed_scheduler_loses_no_finished_chunk(tmp_path, cluster):
    address, _, scheduler = cluster
    plan, path = Plan("sgm", GRID, 30), tmp_path / "t.csv"

    def kill(done, total, resumed):
        if done:
            scheduler.send_signal(signal.SIGKILL)
            scheduler.wait()

    with pytest.raises(InputError, match=r"the scheduler is lost(.|\n)*finished chunks are kept"):
        make_table(plan, path, scheduler=address, progress=kill)
    assert os.listdir(tmp_path) == ["t.csv.unfinished"]
    made = make_table(plan, path, jobs=2)
    make_table(plan, tmp_path / "alone.csv")
    assert made.resumed >= 200 and path.read_bytes() == (tmp_path / "alone.csv").read_bytes()


def test_an_address_where_no_one_answers(tmp_path, call, monkeypatch):
    monkeypatch.setattr("symdp.tables.workers._CONNECT", 0.5)
    error = one_line(call("table", "sgm", "--grid", GRID, "-o", tmp_path / "t.csv", "--scheduler", "tcp://127.0.0.1:1"))
    assert "--scheduler: no scheduler answers" in error and "running scheduler" in error
    assert os.listdir(tmp_path) == []
    with pytest.raises(InputError, match="no scheduler answers"):
        make_table(Plan("sgm", GRID), tmp_path / "t.csv", scheduler="nonsense://?")
