"""The control energies of a linear system: the functions of our grammar that take matrices, entry by entry.

For ``x' = Ax + Bw`` with ``N = BB^T`` and the Gramian ``W(t) = int_0^t e^{-As} N e^{-A^T s} ds``

    control_energy(t, A, N, z)        = z^T W(t)^{-1} z, the least int_0^t |w|^2 that brings z to 0 at time t;
    control_power(t, A, N, z)         = |B^T e^{-A^T t} W(t)^{-1} z|^2, minus its derivative in t;
    largest_control_energy(t, A, N)   = the largest control_energy of a unit vector.

The arguments are one flat list: t, the d^2 entries of A row by row, the d(d + 1)/2 entries of the upper triangle of N
row by row, and the d entries of z. Defined where t > 0, N is positive semidefinite and W(t) is invertible (Kalman).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import sympy as sp

MAX_DIMENSION = 8
"""The largest d that is read."""


class System(NamedTuple):
    """The arguments of a control energy by their meaning; ``state`` is empty for the largest energy."""

    time: Any
    drift: list[list[Any]]
    noise: list[list[Any]]
    state: list[Any]


class ControlFunction(sp.Function):  # type: ignore[misc]
    """A non-negative real function of ``(t, A, N)`` or ``(t, A, N, z)``."""

    takes_state = True
    symbol = ""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        system = self.system
        matrices = [_array(rows, printer) for rows in (system.drift, system.noise)]
        parts = [*matrices, *([_array([[e] for e in system.state], printer)] if self.takes_state else [])]
        raised = f"^{{{exp}}}" if exp else ""
        return rf"{self.symbol}_{{{printer._print(system.time)}}}{raised}\left({', '.join(parts)}\right)"

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_is_nonnegative(self) -> bool:
        return True

    @property
    def system(self) -> System:
        """The arguments by their meaning."""
        return unpacked(self.args, self.takes_state)


class control_energy(ControlFunction):
    """``z^T W(t)^{-1} z``."""

    symbol = r"\mathcal{E}"

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Minus the control power for the time."""
        if argindex == 1:
            return -control_power(*self.args)
        return super().fdiff(argindex)


class control_power(ControlFunction):
    """``|B^T e^{-A^T t} W(t)^{-1} z|^2``."""

    symbol = r"\mathcal{P}"


class largest_control_energy(ControlFunction):
    """``1/`` the least eigenvalue of ``W(t)``."""

    takes_state = False
    symbol = r"\overline{\mathcal{E}}"


def _array(rows: list[list[Any]], printer: Any) -> str:
    body = r" \\ ".join(" & ".join(printer._print(e) for e in row) for row in rows)
    return rf"\left(\begin{{array}}{{{'c' * len(rows[0])}}} {body} \end{{array}}\right)"


MEANING = (
    "control_energy(t, A, N, z) is z^T W^(-1) z with W = int_0^t exp(-A*s)*N*exp(-A^T*s) ds, "
    "largest_control_energy its largest value for |z| = 1 and control_power minus its slope in t"
)
MEANING_LATEX = (
    r"Here $\mathcal{E}_t(A, N, z) = z^{\top} W_t^{-1} z$ with "
    r"$W_t = \int_0^t e^{-As} N e^{-A^{\top} s}\,\mathrm{d}s$, and "
    r"$\overline{\mathcal{E}}_t$ is its largest value for $|z| = 1$."
)

CONTROL_FUNCTIONS: dict[str, type[ControlFunction]] = {
    "control_energy": control_energy,
    "control_power": control_power,
    "largest_control_energy": largest_control_energy,
}


def counts(takes_state: bool) -> dict[int, int]:
    """The number of arguments for each dimension, as ``{arguments: dimension}``."""
    return {1 + d * d + d * (d + 1) // 2 + takes_state * d: d for d in range(1, MAX_DIMENSION + 1)}


def unpacked(arguments: Sequence[Any], takes_state: bool) -> System:
    """The flat arguments by their meaning; ValueError where their number fits no dimension."""
    d = counts(takes_state).get(len(arguments))
    if d is None:
        raise ValueError(f"{len(arguments)} arguments fit no dimension")
    rest = iter(arguments)
    time = next(rest)
    drift = [[next(rest) for _ in range(d)] for _ in range(d)]
    noise: list[list[Any]] = [[None] * d for _ in range(d)]
    for i in range(d):
        for j in range(i, d):
            noise[i][j] = noise[j][i] = next(rest)
    return System(time, drift, noise, list(rest))


def packed(time: sp.Expr, drift: sp.Matrix, noise: sp.Matrix, state: Sequence[sp.Expr] = ()) -> tuple[sp.Expr, ...]:
    """The flat arguments; the inverse of :func:`unpacked`."""
    d = drift.rows
    return (time, *drift, *(noise[i, j] for i in range(d) for j in range(i, d)), *state)


def reachable(drift: Any, noise: Any, d: int) -> Iterator[Any]:
    """``sum_{k <= m} A^k N (A^T)^k`` for m = 0 ... d - 1, growing, for matrices of sympy or of balls.

    Kalman's condition is that the last is invertible; that an earlier one is invertible suffices.
    """
    total = power = noise
    yield total
    for _ in range(d - 1):
        power = drift * power * drift.transpose()
        total = total + power
        yield total


MOST_SYMBOLS = 8
"""Kalman's determinant is written out in full for so many symbols; with more it may have thousands of terms."""


def kalman_determinants(drift: sp.Matrix, noise: sp.Matrix) -> Iterator[sp.Expr]:
    """Expressions that are positive only where Kalman's condition holds, the later ones in more places.

    The last is exact, unless it has more than ``MOST_SYMBOLS`` symbols and a shorter one is not identically zero.
    """
    d = drift.rows
    if d > 1 and noise.is_diagonal() and sum(e != 0 for e in noise.diagonal()) == 1:
        yield _one_source(drift, noise)
        return
    found = False
    for total in reachable(drift, noise, d):
        if found and len(total.free_symbols) > MOST_SYMBOLS:
            return
        determinant = total.det(method="berkowitz")
        found = found or determinant.expand() != 0
        yield determinant


def _one_source(drift: sp.Matrix, noise: sp.Matrix) -> sp.Expr:
    """The exact determinant where one coordinate has all the noise n: ``n^d det(e, Ae, ..., A^{d-1} e)^2``."""
    d = drift.rows
    (i,) = (i for i in range(d) if noise[i, i] != 0)
    columns = [sp.eye(d).col(i)]
    while len(columns) < d:
        columns.append(drift * columns[-1])
    return noise[i, i] ** d * sp.Matrix.hstack(*columns).det(method="berkowitz") ** 2
