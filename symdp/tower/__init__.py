"""Exact normal forms: expressions of the grammar as fractions in a tower of generators with known relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import sympy as sp

from symdp.tower.convert import Tower
from symdp.tower.generators import Generator, Hints, Restart, Sign
from symdp.tower.ring import Frac, Outside, TooBig

__all__ = ["Frac", "Generator", "Outside", "TooBig", "Tower", "build", "derivative"]

#: How often a conversion may start again with finer generators.
RESTARTS = 24
#: Largest number of generators.
MOST_GENERATORS = 128


def _no_sign(_: sp.Expr) -> int | None:
    return None


def build(exprs: Sequence[sp.Expr], sign: Sign = _no_sign, *, hyperbolic: bool = False) -> tuple[Tower, list[Frac]]:
    """One tower for all the expressions, and their fractions in it.

    ``sign(tree)`` may return +1 or -1 when the tree is known to be of that sign on the region of interest, +2 or -2
    when it is known to be >= 0 or <= 0 there.
    ``hyperbolic`` keeps sinh and cosh as generators instead of writing them through exp.
    Raises `Outside` (not of the grammar, complex, nowhere defined) or `TooBig` (a work limit).
    """

    def attempt(tower: Tower) -> list[Frac]:
        for e in exprs:
            for s in sorted(e.free_symbols, key=str):
                tower.convert(s)
        return [tower.convert(e) for e in exprs]

    return _finer(attempt, sign, hyperbolic)


def derivative(expr: sp.Expr, s: sp.Symbol, sign: Sign = _no_sign) -> tuple[Tower, Frac]:
    """The partial derivative of ``expr`` as a fraction in a tower; raises as `build` does."""

    def attempt(tower: Tower) -> list[Frac]:
        for free in sorted(expr.free_symbols, key=str):
            tower.convert(free)
        return [tower.derive(tower.convert(expr), s)]

    tower, [slope] = _finer(attempt, sign, False)
    return tower, slope


def _finer(attempt: Callable[[Tower], list[Frac]], sign: Sign, hyperbolic: bool) -> tuple[Tower, list[Frac]]:
    """Run ``attempt`` on fresh towers until no generator needs to be finer."""
    hints, size = Hints(), 16
    known = cache(sign)
    for _ in range(RESTARTS):
        tower = Tower(size, hints, known, hyperbolic)
        try:
            return tower, attempt(tower)
        except Restart:
            continue
        except OverflowError:
            size *= 2
            if size > MOST_GENERATORS:
                raise TooBig("too many generators") from None
        except RecursionError:
            raise TooBig("nested too deeply") from None
    raise TooBig("the generators kept being refined")
