"""Tables at scale: ``python tests/benchmarks/table.py [--rows N] [--jobs N] [--digits N]``.

A table of the sampled Gaussian through the command line, each run a process of its own: first by one process, then by
two, then killed half-way and run again. Read the ratios, machines being different and noisy: the processor time of the
command against the same values computed in a bare loop (what planning, keeping and writing cost); two processes against
one; both parts of a killed run against one that was not killed. Seconds on the wall count only on an idle machine.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from symdp.mechanisms.sampled_gaussian import evaluate
from symdp.tables import Plan


def spent() -> float:
    """Processor seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(arguments: Sequence[str], *, kill_at: int | None = None) -> tuple[float, float]:
    """Seconds of the command, and of processors; it is killed when its working file has that many chunks."""
    output = Path(arguments[arguments.index("-o") + 1])
    working = output.with_name(output.name + ".unfinished")
    started, before = time.perf_counter(), spent()
    process = subprocess.Popen([sys.executable, "-m", "symdp", *arguments], stdout=subprocess.DEVNULL)
    while kill_at is not None and process.poll() is None:
        if working.exists() and working.read_bytes().count(b"\n") >= kill_at + 2:
            process.kill()
        time.sleep(0.02)
    process.wait()
    return time.perf_counter() - started, spent() - before


def main(rows: int, jobs: int, digits: int) -> None:
    """Print the times and their ratios."""
    grid = f"q=1e-8,0.01; sigma=0.5:20:log40; alpha=1.1:{1 + max(rows // 80, 1) / 10:.1f}:0.1"
    plan = Plan("sgm", grid, digits)
    started = time.process_time()
    sample = range(0, plan.rows, max(1, plan.rows // 500))
    for row in sample:
        evaluate(*plan.point(row).values(), digits)
    bare = (time.process_time() - started) / len(sample) * plan.rows
    print(f"{plan.rows} rows, {digits} digits; a bare loop would take {bare:.1f} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["table", "sgm", "--grid", grid, "--digits", str(digits)]
        one, busy = run([*arguments, "-o", f"{folder}/one.csv"])
        print(
            f"  one process   {one:6.1f} s, {busy:6.1f} s of a processor: {busy / bare:.2f} of the bare loop",
            flush=True,
        )
        many = [*arguments, "--jobs", str(jobs), "-o"]
        two, busy = run([*many, f"{folder}/two.csv"])
        print(
            f"  {jobs} processes   {two:6.1f} s, {busy:6.1f} s of processors: {one / two:.2f} times as fast", flush=True
        )
        halves = [run([*many, f"{folder}/killed.csv"], kill_at=at)[0] for at in (plan.chunks // 2, None)]
        print(
            f"  killed half-way and resumed {sum(halves):.1f} s: {sum(halves) / two:.2f} of the whole run", flush=True
        )
        same = {Path(folder, f"{name}.csv").read_bytes() for name in ("one", "two", "killed")}
        print(f"  the three files are {'the same' if len(same) == 1 else 'DIFFERENT'}, byte for byte")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000, help="about so many rows")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--digits", type=int, default=50)
    given = parser.parse_args()
    main(given.rows, given.jobs, given.digits)
