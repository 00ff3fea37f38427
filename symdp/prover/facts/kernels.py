"""The kernels of a facts file: mixing conditions that are given, matrices, noise added to a Lipschitz map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Expr, Integer, Rational

from symdp.errors import InputError
from symdp.judgments import Dobrushin, Doeblin, FiniteMatrix, Judgment, Kernel, LocalDP, NoiseKernel, UltraMixing
from symdp.mechanisms.finite import FiniteKernel
from symdp.prover.facts.found import HERE, Found
from symdp.prover.facts.values import Table, known_keys, number, required, table_of

Reader = Callable[[object, Any, str], Judgment]


def read_kernel(found: Found, name: str, table: Table, path: str) -> None:
    """One kernel, described or with what is known of it."""
    known_keys(table, tuple(_KERNELS), path)
    if not table:
        raise InputError("nothing is said about it", place=path, remedy=f"give one of {', '.join(_KERNELS)}")
    kernel = Kernel(name)
    found.subjects[name] = kernel
    facts = {key: _KERNELS[key](kernel, value, f"{path}.{key}") for key, value in table.items()}
    _no_contradiction(facts, path)
    found.facts += facts.values()


def _gamma(kind: Any, *more: Expr) -> Reader:
    def read(kernel: object, value: Any, path: str) -> Judgment:
        fact: Judgment = kind(kernel, number(value, path, 0, 1), *more, HERE)
        return fact

    return read


def _ldp(kernel: object, value: Any, path: str) -> Judgment:
    table = table_of(value, path)
    known_keys(table, ("epsilon", "delta"), path)
    epsilon = number(required(table, "epsilon", path), f"{path}.epsilon", 0)
    return LocalDP(kernel, epsilon, number(table.get("delta", 0), f"{path}.delta", 0, 1), HERE)


def _matrix(kernel: object, value: Any, path: str) -> Judgment:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise InputError("a list of rows is expected", place=path, remedy='for example [["3/4","1/4"],["1/4","3/4"]]')
    try:
        rows = FiniteKernel(value).rows
    except InputError as error:
        place = f"{path}, {error.place}" if error.place else path
        raise InputError(error.message, place=place, remedy=error.remedy) from None
    return FiniteMatrix(kernel, tuple(tuple(Rational(p.numerator, p.denominator) for p in row) for row in rows), HERE)


def _noise(law: str, scale: str, norm: str) -> Reader:
    def read(kernel: object, value: Any, path: str) -> Judgment:
        table = table_of(value, path)
        known_keys(table, (scale, "lipschitz"), path)
        size = number(required(table, scale, path), f"{path}.{scale}", 0, above=True)
        lipschitz = number(table.get("lipschitz", 1), f"{path}.lipschitz", 0)
        return NoiseKernel(kernel, law, size, lipschitz, norm, HERE)

    return read


def _no_contradiction(facts: dict[str, Judgment], path: str) -> None:
    """A condition with a gamma below the least one of the matrix cannot hold."""
    matrix: Any = facts.get("matrix")
    if matrix is None:
        return
    kernel = FiniteKernel([[str(entry) for entry in row] for row in matrix.rows])
    least = {"dobrushin": kernel.dobrushin(), "doeblin": kernel.doeblin(), "ultra_mixing": kernel.ultra_mixing()}
    for key, gamma in least.items():
        fact: Any = facts.get(key)
        if fact is not None and (gamma is None or fact.gamma < Rational(gamma.numerator, gamma.denominator)):
            said = "no gamma" if gamma is None else f"gamma = {gamma} at least"
            raise InputError(f"contradicts the matrix, which meets it with {said}", place=f"{path}.{key}")


_KERNELS: dict[str, Reader] = {
    "dobrushin": _gamma(Dobrushin, Integer(1)),
    "doeblin": _gamma(Doeblin),
    "ultra_mixing": _gamma(UltraMixing),
    "ldp": _ldp,
    "matrix": _matrix,
    "gaussian": _noise("gaussian", "sigma", "l2"),
    "laplace": _noise("laplace", "scale", "l1"),
}
