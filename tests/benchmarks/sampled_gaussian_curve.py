"""The default curve of 156 orders in float64: ``sampled_gaussian_curve.py [--python PATH] [RUNS]``.

``renyi_upper`` against the same curve by dp_accounting 0.6.0, timed in turns in one run. PATH is an interpreter that
can import dp_accounting (``python3 -m venv D; D/bin/pip install dp-accounting==0.6.0``); without it this interpreter is
tried. Machines differ and are noisy: read the ratios. The last columns count the orders where the peer's double is
below the truth, is off by more than 1 %, or is not finite, and give the largest distance of our two sides.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from statistics import median

import numpy as np

from symdp.mechanisms.sampled_gaussian import renyi_upper
from symdp.mechanisms.sampled_gaussian.double import renyi_bounds

POINTS = [(q, sigma) for q in (1e-8, 0.01, 0.5, 0.99) for sigma in (0.3, 1.0, 4.0, 50.0)]
ORDERS = [1 + x / 10.0 for x in range(1, 100)] + list(range(11, 64)) + [128, 256, 512, 1024]

# What the other interpreter runs: a line with q and sigma in, a line with seconds and values out.
PEER = """
import json, logging, sys, time
from importlib.metadata import version
from dp_accounting.rdp import rdp_privacy_accountant as peer
logging.disable(logging.CRITICAL)
orders = list(peer.DEFAULT_RDP_ORDERS)
print(json.dumps([version("dp-accounting"), [float(x) for x in orders]]), flush=True)
for line in sys.stdin:
    q, sigma = json.loads(line)
    start = time.perf_counter()
    values = peer._compute_rdp_poisson_subsampled_gaussian(q, sigma, orders)
    taken = time.perf_counter() - start
    print(json.dumps([taken, [float(x) for x in values]]), flush=True)
"""


def start_peer(python: str) -> subprocess.Popen[str] | None:
    """The other process after its greeting, or None if dp_accounting is not there."""
    pipe = subprocess.PIPE
    peer = subprocess.Popen([python, "-c", PEER], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
    assert peer.stdout
    greeting = peer.stdout.readline()
    if not greeting:
        peer.wait()
        return None
    found, orders = json.loads(greeting)
    print(
        f"dp_accounting {found}, {len(orders)} orders"
        + ("" if orders == [float(x) for x in ORDERS] else " (not ours!)")
    )
    return peer


def ask(peer: subprocess.Popen[str], q: float, sigma: float) -> tuple[float, list[float]]:
    """The peer's seconds and values."""
    assert peer.stdin and peer.stdout
    peer.stdin.write(json.dumps([q, sigma]) + "\n")
    peer.stdin.flush()
    taken, values = json.loads(peer.stdout.readline())
    return taken, values


def main() -> None:
    """Print a line for each point and the median ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="?", type=int, default=7)
    parser.add_argument("--python", default=sys.executable, help="an interpreter with dp_accounting 0.6.0")
    options = parser.parse_args()
    peer = start_peer(options.python)
    if peer is None:
        print(f"dp_accounting is ABSENT from {options.python}: only our own times follow, no ratio")
    names = ("ours/ms", "peer/ms", "peer/ours", "below", "off 1%", "inf", "width")
    print(f"{'q':>8} {'sigma':>6}" + "".join(f"{name:>10}" for name in names))
    ratios = []
    for q, sigma in POINTS:
        renyi_upper(q, sigma, ORDERS)
        ours, theirs, values = [], [], []
        for _ in range(options.runs):
            start = time.perf_counter()
            renyi_upper(q, sigma, ORDERS)
            ours.append(time.perf_counter() - start)
            if peer:
                taken, values = ask(peer, q, sigma)
                theirs.append(taken)
        low, high = renyi_bounds(q, sigma, ORDERS)
        cells = [f"{1e3 * median(ours):10.2f}", *["         -"] * 5, f"{np.nanmax((high - low) / low):10.1e}"]
        if peer:
            ratios.append(median(theirs) / median(ours))
            found = np.array(values)
            counts = np.sum(found < low), np.sum(np.abs(found - high) > 0.01 * high), np.sum(~np.isfinite(found))
            cells[1:6] = [f"{1e3 * median(theirs):10.2f}", f"{ratios[-1]:10.1f}", *(f"{n:10}" for n in counts)]
        print(f"{q:8} {sigma:6}" + "".join(cells), flush=True)
    if ratios:
        print(f"peer/ours: median {median(ratios):.1f}, least {min(ratios):.1f}")


if __name__ == "__main__":
    main()
