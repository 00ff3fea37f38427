"""A diffusion on an interval as a chain on a grid: an independent truth for falsifiers where no kernel is known.

The chain jumps between neighbouring cells of width h and is reversible with respect to the cells' share of the speed
measure; its Renyi divergences differ from those of the diffusion by a multiple of h^2. It is floating point and proves
nothing; it never looks at what is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
from sympy import Rational

from symdp.claims.items import Approximate, Claim
from symdp.enclosure import evaluate_mp
from symdp.text import parse

Function = Callable[[Any], Any]
Potential = Callable[[Any, Any], Any]

TOLERANCE = 3e-3
"""The relative error granted to a chain; on the grids below it is smaller."""
_NEGLIGIBLE = 1e-12


class Chain:
    """``dX = u dt + v dW`` on (lower, upper), in ``cells`` cells; the ends reflect or are never reached.

    ``u`` and ``v`` take arrays. Where the ends of the diffusion are infinite the interval is one that is hardly left.
    """

    def __init__(self, u: Function, v: Function, lower: float, upper: float, cells: int = 160) -> None:
        self.width = (upper - lower) / cells
        self.nodes: Any = lower + self.width * (np.arange(cells) + 0.5)
        inner = lower + self.width * np.arange(1, cells)
        half = np.broadcast_to(np.asarray(v(inner), dtype=float) ** 2 / 2, inner.shape)
        slope = np.asarray(u(inner), dtype=float) / half
        here = np.broadcast_to(np.asarray(v(self.nodes), dtype=float) ** 2 / 2, self.nodes.shape)
        # log(m v^2/2) has the slope 2u/v^2; m is the density of the speed measure
        potential = np.concatenate([[0.0], np.cumsum(slope * self.width)])
        log_mass = potential - np.log(here)
        log_edge = (potential[1:] + potential[:-1]) / 2
        up = np.exp(log_edge - log_mass[:-1]) / self.width**2
        down = np.exp(log_edge - log_mass[1:]) / self.width**2
        leaving = np.concatenate([up, [0.0]]) + np.concatenate([[0.0], down])
        matrix = np.diag(-leaving) + np.diag(np.sqrt(up * down), 1) + np.diag(np.sqrt(up * down), -1)
        self.rates, self.vectors = np.linalg.eigh(matrix)
        self.root = np.exp((log_mass - log_mass.max()) / 2)

    def law(self, start: int, t: float) -> Any:
        """The probabilities of the cells at time t, started in the cell ``start``."""
        decay = self.vectors * np.exp(np.minimum(self.rates, 0.0) * t)
        return (decay @ self.vectors[start]) * self.root / self.root[start]

    def divergence(self, start: int, other: int, t: float, alpha: float) -> float:
        """``R_alpha`` of the laws at time t of the two starts, over the cells that carry more than rounding errors."""
        p, q = self.law(start, t), self.law(other, t)
        kept = (p > _NEGLIGIBLE) & (q > _NEGLIGIBLE)
        whole = float(np.sum(p[kept] ** alpha * q[kept] ** (1 - alpha)))
        return float(np.log(whole) / (alpha - 1))

    def pairs(self, rng: Random, lower: float, upper: float, count: int) -> Iterator[tuple[int, int]]:
        """Pairs of different cells between two points."""
        inside = [int(i) for i in np.flatnonzero((self.nodes > lower) & (self.nodes < upper))]
        for _ in range(count):
            yield tuple(rng.sample(inside, 2))  # type: ignore[misc]


class PlaneChain(Chain):
    """``dX = -grad V dt + sqrt2 dW`` in the plane, on a square of ``cells`` by ``cells`` cells whose ends reflect.

    ``nodes`` has a row for each cell, its two coordinates.
    """

    def __init__(self, potential: Potential, lower: float, upper: float, cells: int = 20) -> None:
        self.width = (upper - lower) / cells
        side = lower + self.width * (np.arange(cells) + 0.5)
        first, second = np.repeat(side, cells), np.tile(side, cells)
        self.nodes = np.stack([first, second], axis=1)
        v = potential(first, second) + 0 * first
        matrix = np.zeros((cells * cells, cells * cells))
        number = np.arange(cells * cells).reshape(cells, cells)
        for here, there in ((number[:-1], number[1:]), (number[:, :-1], number[:, 1:])):
            i, j = here.ravel(), there.ravel()
            matrix[i, j] = matrix[j, i] = 1 / self.width**2
            for a, b in ((i, j), (j, i)):
                np.add.at(matrix, (a, a), -np.exp((v[a] - v[b]) / 2) / self.width**2)
        self.rates, self.vectors = np.linalg.eigh(matrix)
        self.root = np.exp(-(v - v.min()) / 2)

    def pairs(self, rng: Random, lower: float, upper: float, count: int) -> Iterator[tuple[int, int]]:
        """Pairs of different cells of which both coordinates lie between two numbers."""
        inside = [int(i) for i in np.flatnonzero(((self.nodes > lower) & (self.nodes < upper)).all(axis=1))]
        for _ in range(count):
            yield tuple(rng.sample(inside, 2))  # type: ignore[misc]


def attack_by_chain(
    id: str,
    claim: Claim,
    chain: Chain,
    rng: Random,
    *,
    starts: tuple[float, float],
    times: tuple[float, float] = (0.2, 1.5),
    count: int = 30,
    tolerance: float = TOLERANCE,
    **fixed: float,
) -> int:
    """Compare a claimed bound of the divergence of two starts with a chain, at ``count`` random pairs, times, orders.

    ``fixed``: the parameters of the claim for which the chain was made. Returns ``count``; raises ``Counterexample``.
    """
    expr = parse(claim.text, place="claim")
    for i, j in chain.pairs(rng, *starts, count):
        t, alpha = rng.uniform(*times), rng.choice((1.25, 1.5, 2.0, 3.0))
        point = {"alpha": alpha, "t": t, **_starts(chain.nodes[i], chain.nodes[j]), **fixed}
        exact = {s: Rational(point[s.name]) for s in expr.free_symbols}
        claimed = float(evaluate_mp(expr, exact, 20))
        true = chain.divergence(i, j, t, alpha)
        if claimed < true * (1 - tolerance) - 1e-9:
            raise Approximate(id, point, f"claimed {claimed:.8g}, a chain on a grid {true:.8g}")
    return count


def _starts(x: Any, xp: Any) -> dict[str, float]:
    """The two starts and their distance, by the names that results use."""
    a, b = np.atleast_1d(x), np.atleast_1d(xp)
    names = [""] if len(a) == 1 else [str(i + 1) for i in range(len(a))]
    point = {f"x{n}": float(c) for n, c in zip(names, a, strict=True)}
    point |= {f"xp{n}": float(c) for n, c in zip(names, b, strict=True)}
    return point | {"Delta": float(np.sqrt(np.sum((a - b) ** 2)))}
