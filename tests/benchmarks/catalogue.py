"""Bound and truth of every catalogue entry: ``catalogue.py [POINTS]``.

At so many random points (30) of the parameters, times, orders and starts, the bound against the certified divergence:
how much of the bound is true, at least, in the median, at most. Where only chains on a grid know the truth the entry is
attacked by its file in ``derivations/beyond``, and named here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from statistics import median

from sympy import Expr, Rational, Symbol

from symdp import derive
from symdp.ball import Enclosure
from symdp.bound import Bound
from symdp.derivation.truth import find_truth
from symdp.diffusion.catalogue import CATALOGUE
from symdp.errors import Refused, Undetermined
from symdp.rules.conditions import ALPHA, TIME, starts

DIGITS = 8
ORDERS = [Rational(n, 4) for n in (5, 6, 8, 11, 16)]
USUAL = [Rational(n, 4) for n in (2, 3, 4, 5, 6, 8)]
NEAR = [Rational(n, 8) for n in range(-12, 17) if n]


@dataclass(frozen=True)
class Compared:
    """One point: the bound and the truth of both orders."""

    point: dict[str, Expr]
    bound: tuple[Enclosure, Enclosure]
    truth: tuple[Enclosure, Enclosure]

    @property
    def holds(self) -> bool:
        """Whether no truth is proved to lie above its bound."""
        return all(true.lower <= bound.upper for true, bound in zip(self.truth, self.bound, strict=True))

    @property
    def share(self) -> float:
        """How much of the larger bound is true; 1 where both are 0."""
        bound = max(float(one.upper) for one in self.bound)
        return max(float(one.upper) for one in self.truth) / bound if bound else 1.0


def compared(name: str, count: int, seed: int = 0) -> Iterator[Compared]:
    """The entry at ``count`` random points; Refused where the truth is not known."""
    process = CATALOGUE[name].build((), ())
    bound, rng = derive(process), Random(f"{name} {seed}")
    symbols = process.params.symbols
    try:
        known = find_truth(process, ())
    except Refused:
        if not symbols:
            raise
        known = None  # perhaps at numbers
    x, xp = starts(process)
    made = tried = 0
    while made < count and tried < 50 * count:
        tried += 1
        values = {s: rng.choice(NEAR if s in (*x, *xp) else USUAL) for s in bound.region.symbols}
        values |= {ALPHA: rng.choice(ORDERS), TIME: Rational(rng.randint(2, 12), 8)}
        if bound.region.contains(dict(values)) is not True:
            continue
        parameters = {s: values[s] for s in symbols}
        truth = known or find_truth(process.at(parameters), ())
        gone = () if known else symbols
        swapped = values | {s: values[other] for s, other in (*zip(x, xp, strict=True), *zip(xp, x, strict=True))}  # type: ignore[arg-type]
        try:
            one, other = (
                truth.value({s: v for s, v in at.items() if s not in gone}, DIGITS) for at in (values, swapped)
            )
            told = _told(bound, values), _told(bound, swapped)
        except Undetermined:
            continue
        yield Compared({s.name: v for s, v in values.items()}, told, (one, other))
        made += 1


def _told(bound: Bound, at: dict[Symbol, Expr]) -> Enclosure:
    x, xp = starts(bound.process)
    values: dict[str, object] = {s.name: v for s, v in at.items() if s not in (*x, *xp)}
    pair = [tuple(at[s] for s in start) for start in (x, xp)]  # type: ignore[union-attr]
    values |= {"x": pair[0] if len(pair[0]) > 1 else pair[0][0], "xp": pair[1] if len(pair[1]) > 1 else pair[1][0]}
    found: Enclosure = bound.evaluate(values, digits=DIGITS)
    return found


def main() -> None:
    """A line for each entry."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    print(f"{'entry':<32}{'points':>7}{'least':>8}{'median':>8}{'most':>8}  truth/bound")
    for name in CATALOGUE:
        try:
            found = list(compared(name, count))
        except Refused:
            print(f"{name:<32}      -  no certified truth: see derivations/beyond")
            continue
        shares = [point.share for point in found]
        wrong = sum(not point.holds for point in found)
        line = f"{name:<32}{len(found):>7}{min(shares):>8.3f}{median(shares):>8.3f}{max(shares):>8.3f}"
        print(line + (f"  {wrong} ABOVE THE BOUND" if wrong else ""), flush=True)


if __name__ == "__main__":
    main()
