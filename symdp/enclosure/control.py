"""Control energies of a linear system in ball arithmetic (the functions are defined in ``symdp.text.control``).

The Gramian comes from one matrix exponential (Van Loan 1978): with ``M = [[-A, N], [0, A^T]]``,

    exp(M t) = [[E, G], [0, *]],  E = e^{-At},  W(t) = G E^T.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import acb_mat, arb, arb_mat, fmpq, fmpq_mat
from sympy import Expr, Matrix

from symdp.enclosure.numbers import Number, Signs, to_arb
from symdp.enclosure.tape import Instruction
from symdp.text.conditions import control_conditions
from symdp.text.control import ControlFunction, System, reachable, unpacked

_UNKNOWN = arb("nan")


def energy(signs: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    """``z^T W^{-1} z``."""
    system = _defined(signs, step, args)
    if _at_rest(system):
        return fmpq(0)
    _, gramian = _solution(system)
    z = _column(system.state)
    p = _solve(gramian, z)
    return _UNKNOWN if p is None else (z.transpose() * p)[0, 0]


def power(signs: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    """``p^T N p`` with ``p = e^{-A^T t} W^{-1} z``."""
    system = _defined(signs, step, args)
    if _at_rest(system):
        return fmpq(0)
    backward, gramian = _solution(system)
    p = _solve(gramian, _column(system.state))
    if p is None:
        return _UNKNOWN
    p = backward.transpose() * p
    return (p.transpose() * _matrix(system.noise) * p)[0, 0]


def largest_energy(signs: Signs, step: Instruction, args: Sequence[Number]) -> Number:
    """The largest eigenvalue of ``W^{-1}``: all are real, so the largest real part among the enclosures bounds it."""
    system = _defined(signs, step, args)
    _, gramian = _solution(system)
    try:
        inverse = gramian.inv()
        values = acb_mat(inverse).eig(multiple=True, algorithm="rump")
    except (ZeroDivisionError, ValueError):
        return _UNKNOWN
    largest = values[0].real
    for value in values[1:]:
        largest = largest.max(value.real)
    return largest


def _defined(signs: Signs, step: Instruction, args: Sequence[Number]) -> System:
    """The arguments by their meaning; Undefined where the energy is not defined, Unsure where that is not seen."""
    node = step.node
    system = unpacked(args, node.takes_state)
    if signs.sign(system.time, node.args[0]) <= 0:
        raise signs.undefined(step, "a time that is not positive")
    # an exact matrix keeps exact signs; the coefficients of det(s - N) alternate for a semidefinite N
    for k, c in enumerate(_characteristic(system.noise), 1):
        if _sign(signs, (-1) ** k * c, lambda: control_conditions(node)[k].expr) < 0:  # noqa: B023
            raise signs.undefined(step, "a noise matrix that is not positive semidefinite")
    for total in reachable(_matrix(system.drift), _matrix(system.noise), len(system.drift)):
        determinant = total.det()
        if determinant > 0:
            return system
    if _sign(signs, determinant, lambda: _kalman(node)) <= 0:
        raise signs.undefined(step, "a system that is not controllable")
    return system


def _sign(signs: Signs, x: Number, expr: Callable[[], Expr]) -> int:
    """The sign of a number; what it is a value of is written out only where the number does not tell."""
    if x > 0 or x < 0:
        return 1 if x > 0 else -1
    return signs.sign(x, expr())


def _kalman(node: ControlFunction) -> Expr:
    """Kalman's determinant, exact."""
    drift, noise = Matrix(node.system.drift), Matrix(node.system.noise)
    *_, last = reachable(drift, noise, drift.rows)
    return last.det(method="berkowitz")


def _characteristic(rows: list[list[Number]]) -> list[Any]:
    """The coefficients of ``det(s - N)`` below the leading one, highest first; exact for rational entries."""
    exact = all(isinstance(x, fmpq) for row in rows for x in row)
    polynomial = (fmpq_mat(rows) if exact else _matrix(rows)).charpoly()
    return [polynomial[k] for k in range(len(rows) - 1, -1, -1)]


def _matrix(rows: list[list[Number]]) -> arb_mat:
    return arb_mat([[to_arb(x) for x in row] for row in rows])


def _column(entries: list[Number]) -> arb_mat:
    return arb_mat([[to_arb(x)] for x in entries])


def _at_rest(system: System) -> bool:
    return all(isinstance(x, fmpq) and not x for x in system.state)


def _solution(system: System) -> tuple[arb_mat, arb_mat]:
    """``e^{-At}`` and ``W(t)``."""
    d, t = len(system.drift), to_arb(system.time)
    a, n = system.drift, system.noise
    rows = [[-to_arb(a[i][j]) * t for j in range(d)] + [to_arb(n[i][j]) * t for j in range(d)] for i in range(d)]
    rows += [[arb(0)] * d + [to_arb(a[j][i]) * t for j in range(d)] for i in range(d)]
    whole = arb_mat(rows).exp()
    backward = arb_mat([[whole[i, j] for j in range(d)] for i in range(d)])
    mixed = arb_mat([[whole[i, d + j] for j in range(d)] for i in range(d)])
    return backward, mixed * backward.transpose()


def _solve(matrix: arb_mat, column: arb_mat) -> arb_mat | None:
    """The solution of a linear system; None where this precision does not show that the matrix is invertible."""
    try:
        return matrix.solve(column)
    except ZeroDivisionError:
        return None
