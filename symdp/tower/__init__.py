"""Exact normal forms: expressions of the grammar as fractions in a tower of generators with known relations."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from symdp.tower.convert import Tower
from symdp.tower.generators import Generator, Hints, Restart, Sign
from symdp.tower.ring import Frac, Outside, TooBig

__all__ = ["Frac", "Generator", "Outside", "TooBig", "Tower", "build"]

#: How often a conversion may start again with finer generators.
RESTARTS = 24
#: Largest number of generators.
MOST_GENERATORS = 128


def _no_sign(_: sp.Expr) -> int | None:
    return None


def build(exprs: Sequence[sp.Expr], sign: Sign = _no_sign, *, hyperbolic: bool = False) -> tuple[Tower, list[Frac]]:
    """One tower for all the expressions, and their fractions in it.

    ``sign(tree)`` may return +1 or -1 when the tree is known to be strictly of that sign on the region of interest.
    ``hyperbolic`` keeps sinh and cosh as generators instead of writing them through exp.
    Raises `Outside` (not of the grammar, complex, nowhere defined) or `TooBig` (a work limit).
    """
    hints, size = Hints(), 16
    memo: dict[sp.Expr, int | None] = {}

    def known(e: sp.Expr) -> int | None:
        if e not in memo:
            memo[e] = sign(e)
        return memo[e]

    for _ in range(RESTARTS):
        tower = Tower(size, hints, known, hyperbolic)
        try:
            for e in exprs:
                for s in sorted(e.free_symbols, key=str):
                    tower.convert(s)
            return tower, [tower.convert(e) for e in exprs]
        except Restart:
            continue
        except OverflowError:
            size *= 2
            if size > MOST_GENERATORS:
                raise TooBig("too many generators") from None
        except RecursionError:
            raise TooBig("nested too deeply") from None
    raise TooBig("the generators kept being refined")
