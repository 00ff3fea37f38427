"""What each goal for speed takes, as a part of what is allowed: ``python tests/benchmarks/goals.py [PART of a name]``.

Seconds on the wall of whole commands, seconds of the processor of calls inside this process (the first of their kind),
each beside what it may take, and the quotient. Other machines are slower or faster: ``import sympy`` is measured in the
same run, and a busy machine shows in it. Quotients of two libraries have scripts of their own: ``sampled_gaussian.py``
and ``sampled_gaussian_curve.py``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symdp import derive
from symdp.diffusion.catalogue import CATALOGUE, lookup
from symdp.prover import prove
from symdp.prover.facts import read_facts

KERNELS = {
    "Dobrushin": 'dobrushin = "1/2"',
    "Doeblin": 'doeblin = "1/4"',
    "ultra-mixing": 'ultra_mixing = "1/2"',
    "locally private": 'ldp = {epsilon = "log(3)", delta = "1/100"}',
    "3 x 3 matrix": 'matrix = [["1/2","1/4","1/4"],["1/4","1/2","1/4"],["1/8","3/8","1/2"]]',
    "Gaussian": 'gaussian = {sigma = 1, lipschitz = "1/2"}',
}
ASKED = (
    'ask = "delta"\nepsilon = "1/10"',
    'ask = "epsilon"\ndelta = "1/1000"',
    'ask = "rdp"\nalpha = 4',
    'ask = "gdp"',
)
GRID = "q=0.001:0.5:log20; sigma=0.5:20:log20; alpha=1.5:25.5:1"
COMMANDS = {
    "python -c 'import sympy'": (["-c", "import sympy"], 2.0),
    "symdp --help": (["-m", "symdp", "--help"], 1.0),
    "a drift that cannot be read": (["-m", "symdp", "derive", "--drift", "x+", "--diffusion", "1"], 2.0),
    "symdp derive ornstein-uhlenbeck": (["-m", "symdp", "derive", "ornstein-uhlenbeck"], 3.0),
    "symdp check, two processes": (["-m", "symdp", "check", "--jobs", "2"], 180.0),
    "symdp check --mutants, two processes": (["-m", "symdp", "check", "--mutants", "--jobs", "2"], 180.0),
    "10,000 values at 50 digits, two processes": (
        [*("-m", "symdp", "table", "sgm", "--jobs", "2", "-o", "values.csv", "--grid"), GRID],
        30.0,
    ),
}


@dataclass(frozen=True)
class Goal:
    """What is run, and the seconds it may take, by which clock."""

    name: str
    run: Callable[[], object]
    most: float
    clock: Callable[[], float]


def goals() -> Iterator[Goal]:
    """All of them, the cheapest first."""
    for name in CATALOGUE:
        process = lookup(name).build()
        most = 2.0 if process.dimension == 1 else 10.0
        yield Goal(f"derive {name}", lambda p=process: derive(p), most, time.process_time)  # type: ignore[misc]
    for kind, kernel in KERNELS.items():
        for question in ASKED:
            facts, query = read_facts(tomllib.loads(chain(kernel, question), parse_float=str))
            name = f"prove {query.ask} after 20 kernels, {kind}"
            yield Goal(name, lambda f=facts, q=query: prove(f, q), 5.0, time.process_time)  # type: ignore[misc]
    for name, (arguments, most) in COMMANDS.items():
        yield Goal(name, lambda a=arguments: command(a), most, time.perf_counter)  # type: ignore[misc]


def chain(kernel: str, question: str) -> str:
    """One kernel twenty times after 1-DP."""
    steps = ", ".join(['"K"'] * 20)
    start = "mechanism.M.dp = {epsilon = 1, delta = 0}"
    return f'{start}\n[kernel.K]\n{kernel}\n[chain.C]\nstart = "M"\nsteps = [{steps}]\n[query]\nof = "C"\n{question}\n'


def command(arguments: list[str]) -> None:
    """Run it in an empty folder; what it prints is not wanted, and bad input is among them."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, check=False)


def main(part: str) -> None:
    """Print a line for each goal and how many are missed."""
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    missed = tried = 0
    for goal in goals():
        if part in goal.name:
            start = goal.clock()
            goal.run()
            taken = goal.clock() - start
            tried, missed = tried + 1, missed + (taken > goal.most)
            print(f"{goal.name:52}{taken:8.2f} s of {goal.most:5.0f} {taken / goal.most:8.3f}", flush=True)
    print(f"{missed} of {tried} goals missed")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
