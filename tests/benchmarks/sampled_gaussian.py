"""Certified values against quadrature: ``python tests/benchmarks/sampled_gaussian.py [--digits 15,50] [--runs N]``.

Rényi divergences of the sampled Gaussian mechanism on a grid of rates, noises and orders, ours against ``mpmath.quad``
over the line, split at the two peaks, and against ``acb.integral`` over the same range. A peer is timed only where its
value has the digits asked for; how often it has them is printed. Beyond 200 digits ours are timed alone: a peer would
not end in minutes. Machines differ and are noisy: read the ratios, measured point by point in one run. The float64
curve has a script of its own, ``sampled_gaussian_curve.py``.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from itertools import product
from statistics import median
from typing import Any

import flint
import mpmath
from flint import acb, arb

from symdp.ball import Enclosure, bits_for, mp_context, working_precision
from symdp.mechanisms.sampled_gaussian import evaluate

RATES = (1e-8, 0.01, 0.5, 0.99)
NOISES = (0.3, 1.0, 4.0, 50.0)
ORDERS = (1.0001, 1.5, 2.5, 10.1, 256.5)
DIRECTIONS = ("forward", "reverse")
_PEERS_END = 200  # digits
Point = tuple[float, float, float, str]


def extra_digits(value: Enclosure, alpha: float) -> int:
    """Digits the moment needs beyond those of its logarithm: both peers get them for nothing."""
    return max(0, math.ceil(-float(mpmath.log10(value.mid * (mpmath.mpf(alpha) - 1)))))


def by_quad(point: Point, digits: int) -> Any:
    """``mpmath.quad`` of the moment's density from -inf to inf, split at 0 and at the order."""
    q, s, alpha, direction = point
    mp = mp_context(digits + 5)
    power = mp.mpf(alpha) if direction == "forward" else 1 - mp.mpf(alpha)
    q, s = mp.mpf(q), mp.mpf(s)

    def density(x: Any) -> Any:
        ratio = (1 - q) + q * mp.exp((2 * x - 1) / (2 * s**2))
        return mp.exp(-(x**2) / (2 * s**2) + power * mp.log(ratio))

    ends = sorted({mp.mpf(0), power})
    total = mp.quad(density, [-mp.inf, *ends, mp.inf]) / (s * mp.sqrt(2 * mp.pi))
    return mp.log(total) / (mp.mpf(alpha) - 1)


def by_acb(point: Point, digits: int) -> Any:
    """``acb.integral`` of the same density between the places where it has fallen below the precision."""
    q, s, alpha, direction = point
    with working_precision(bits_for(digits) + 20):
        power = arb(alpha) if direction == "forward" else 1 - arb(alpha)
        q, s = arb(q), arb(s)
        stay, half, rate = 1 - q, 1 / (2 * s * s), q

        def density(x: acb, analytic: bool) -> acb:
            ratio = stay + rate * ((2 * x - 1) * half).exp()
            return (power * ratio.log(analytic=analytic) - x * x * half).exp()

        reach = float(s) * math.sqrt(2 * (digits + 5) * math.log(10))
        low, high = min(0.0, float(power)) - reach, max(0.0, float(power)) + reach
        total = acb.integral(density, low, high).real / (s * (2 * arb.pi()).sqrt())
        return (total.log() / (arb(alpha) - 1)).mid() if total > 0 else None


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result."""
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def is_right(found: Any, truth: Enclosure, digits: int) -> bool:
    """Whether a peer's value has the digits asked for."""
    if found is None:
        return False
    value = mpmath.mp.make_mpf(found._mpf_) if hasattr(found, "_mpf_") else mpmath.mpf(str(found))
    mp = mp_context(digits + 30)
    return bool(abs(mp.mpf(value) - mp.mpf(truth.mid)) <= mp.mpf(10) ** (1 - digits) * abs(mp.mpf(truth.mid)))


def main(all_digits: list[int], runs: int) -> None:
    """Print a line for each precision, noise and direction, and a summary for each precision."""
    points = list(product(RATES, NOISES, ORDERS, DIRECTIONS))
    for digits in all_digits:
        ours: dict[Point, float] = {}
        for _ in range(
            runs if digits <= _PEERS_END else 1
        ):  # the whole grid in turn, so that no call repeats the one before
            for point in points:
                q, s, alpha, direction = point
                taken, _ = timed(lambda: evaluate(q, s, alpha, digits, direction=direction))  # noqa: B023
                ours[point] = min(taken, ours.get(point, math.inf))
        ratios: dict[str, dict[Point, float]] = {"mpmath.quad": {}, "acb.integral": {}}
        for point in points if digits <= _PEERS_END else ():
            truth = evaluate(*point[:3], digits + 10, direction=point[3]).renyi
            asked = digits + extra_digits(truth, point[2])
            for name, peer in (("mpmath.quad", by_quad), ("acb.integral", by_acb)):
                taken, found = timed(lambda: peer(point, asked))  # noqa: B023
                if is_right(found, truth, digits):
                    ratios[name][point] = taken / ours[point]
        print(f"{digits} digits    ours, ms: median / most        times slower: median (right of 20)")
        for noise, direction in product(NOISES, DIRECTIONS):
            chosen = [p for p in points if p[1] == noise and p[3] == direction]
            mine = [1e3 * ours[p] for p in chosen]
            line = f"  sigma {noise:<5} {direction:8} {median(mine):8.2f} / {max(mine):<8.2f}"
            for name, found in ratios.items() if digits <= _PEERS_END else ():
                right = [found[p] for p in chosen if p in found]
                line += f"   {name} {median(right) if right else math.nan:8.1f} ({len(right)})"
            print(line, flush=True)
        for name, found in ratios.items():
            rest = sorted(found.values())
            if rest:
                print(
                    f"  {name}: right at {len(rest)} of {len(points)}; slower by {rest[0]:.1f} to {rest[-1]:.1f}, "
                    f"median {median(rest):.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--digits", default="15,50,100,1000", help="numbers of digits, separated by commas")
    parser.add_argument("--runs", type=int, default=3, help="runs of ours at each point; the best counts")
    given = parser.parse_args()
    print(f"python-flint {flint.__version__}, mpmath {mpmath.__version__}")
    main([int(d) for d in given.digits.split(",")], given.runs)
