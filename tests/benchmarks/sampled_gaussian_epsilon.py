"""Certified epsilon and calibration: ``python tests/benchmarks/sampled_gaussian_epsilon.py [--digits N,N] [--runs N]``.

The least epsilon of a composition over all real orders, and the least noise for an epsilon, each measured in values of
the Renyi curve: one evaluation at the best order and the same digits, in the same run. Machines differ and are noisy:
read the ratios.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from itertools import product
from statistics import median
from typing import Any

from symdp.epsilon import sampled_gaussian_epsilon, sampled_gaussian_sigma
from symdp.mechanisms.sampled_gaussian import renyi

RATES = ("0.001", "0.01", "0.2")
NOISES = ("0.6", "1", "4")
STEPS = (1, 1000, 100_000)
DELTAS = ("1e-5", "1e-9")


def timed(call: Callable[[], Any], runs: int) -> tuple[float, Any]:
    """The best of so many runs, in milliseconds, and the result."""
    best = math.inf
    for _ in range(runs):
        start = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - start)
    return 1e3 * best, result


def main(all_digits: list[int], runs: int) -> None:
    """Print a line for each precision and noise, and a summary for each precision."""
    for digits in all_digits:
        print(f"{digits} digits    epsilon, ms: median / most   in values of the curve   calibration, ms   in epsilons")
        every: list[float] = []
        for noise in NOISES:
            times, ratios, searches, shares = [], [], [], []
            for q, steps, delta in product(RATES, STEPS, DELTAS):
                taken, found = timed(lambda: sampled_gaussian_epsilon(q, noise, delta, steps, digits), runs)  # noqa: B023
                order = found.order
                value, _ = timed(lambda: renyi(q, noise, order, digits + 6), runs)  # noqa: B023
                times.append(taken)
                ratios.append(taken / value)
                target = found.epsilon.upper
                search, _ = timed(lambda: sampled_gaussian_sigma(q, target, delta, steps, digits), 1)  # noqa: B023
                searches.append(search)
                shares.append(search / taken)
            every += ratios
            print(
                f"  sigma {noise:<5} {median(times):10.2f} / {max(times):<10.2f} {median(ratios):12.1f}"
                f" {median(searches):22.1f} {median(shares):14.1f}",
                flush=True,
            )
        print(
            f"  an epsilon costs {median(every):.1f} values of the curve (median), {max(every):.1f} at most", flush=True
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--digits", default="15,50", help="numbers of digits, separated by commas")
    parser.add_argument("--runs", type=int, default=3, help="runs of each; the best counts")
    given = parser.parse_args()
    main([int(d) for d in given.digits.split(",")], given.runs)
