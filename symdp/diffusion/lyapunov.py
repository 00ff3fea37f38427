"""The Lyapunov equation of a linear SDE: its stationary covariance, or the limit of its Gramian."""

from __future__ import annotations

from sympy import Dummy, Integer, Matrix, cancel, together

from symdp.diffusion.linear import components

LARGEST_LYAPUNOV = 2
"""The most coupled coordinates for which a Lyapunov equation with symbols is solved; with numbers there is no limit."""


def stationary_covariance(a: Matrix, noise: Matrix) -> Matrix | None:
    """The symmetric S with ``A S + S A^T + N = 0``; None where it is not unique, or too long to write."""
    n = a.rows
    if max(map(len, components(a, noise))) > LARGEST_LYAPUNOV and not all(e.is_Rational for e in (*a, *noise)):
        return None
    entries = {(i, j): Dummy(f"s{i}{j}") for i in range(n) for j in range(i, n)}
    s = Matrix(n, n, lambda i, j: entries[min(i, j), max(i, j)])
    equations = a * s + s * a.T + noise
    unknown = list(entries.values())
    zero = dict.fromkeys(unknown, Integer(0))
    chosen = [equations[i, j] for i, j in entries]
    try:
        rows = Matrix([[e.diff(q) for q in unknown] for e in chosen])
        solution = rows.LUsolve(Matrix([-e.xreplace(zero) for e in chosen]))
    except (ValueError, ZeroDivisionError):
        return None
    found = s.xreplace(dict(zip(unknown, solution, strict=True)))
    return found.applyfunc(lambda e: cancel(together(e)))
