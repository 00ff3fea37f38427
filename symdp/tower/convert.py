"""Expressions as fractions in a tower of generators.

Exponentials and trigonometric functions take their arguments over a Q-basis, so ``exp(2*a)`` is a square and
``exp(a+b)`` a product; hyperbolic functions are written through exp; ``|p|**(1/n)``, ``log|p|`` have one generator for
each irreducible p. The tower is rebuilt when a generator turns out to be too coarse (``exp(a)`` after ``exp(2*a)``).
"""

from __future__ import annotations

import sympy as sp

from symdp.tower.ring import Frac
from symdp.tower.slopes import Slopes
from symdp.tower.trees import convert_node


class Tower(Slopes):
    """A ring whose generators are known functions; `convert` takes sympy trees to fractions."""

    def convert(self, e: sp.Expr) -> Frac:
        """The fraction of a tree; raises `TooBig` or `Outside`."""
        known = self.memo.get(e)
        if known is None:
            self.spend(1)
            known = self.memo[e] = convert_node(self, e)
        return known
