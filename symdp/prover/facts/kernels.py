"""The kernels of a facts file: mixing conditions that are given, matrices, noise added to a Lipschitz map."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sympy import Expr, Integer, Rational, exp

from symdp.errors import InputError
from symdp.judgments import Dobrushin, Doeblin, FiniteMatrix, Judgment, Kernel, LocalDP, NoiseKernel, UltraMixing
from symdp.mechanisms.finite import FiniteKernel
from symdp.prover.answers import at_most
from symdp.prover.facts.found import HERE, Found
from symdp.prover.facts.values import Table, known_keys, loss_in_reach, number, one_description, required, table_of
from symdp.prover.queries import RANGES
from symdp.rules.finite_kernels import finite
from symdp.rules.lines import at, rational_lines

Reader = Callable[[object, Any, str], Judgment]


def read_kernel(found: Found, name: str, table: Table, path: str) -> None:
    """One kernel, described or with what is known of it."""
    known_keys(table, tuple(_KERNELS), path)
    if not table:
        raise InputError("nothing is said about it", place=path, remedy=f"give one of {', '.join(_KERNELS)}")
    one_description(table, ("matrix", "gaussian", "laplace"), path)
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
    epsilon = number(required(table, "epsilon", path), f"{path}.epsilon", *RANGES["epsilon"])
    return LocalDP(kernel, epsilon, number(table.get("delta", 0), f"{path}.delta", 0, 1), HERE)


def _matrix(kernel: object, value: Any, path: str) -> Judgment:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise InputError("a list of rows is expected", place=path, remedy='for example [["3/4","1/4"],["1/4","3/4"]]')
    entries = [[_entry(e, f"{path}[{i}][{j}]") for j, e in enumerate(row)] for i, row in enumerate(value)]
    try:
        FiniteKernel([[Fraction(int(e.p), int(e.q)) for e in row] for row in entries])
    except InputError as error:
        raise InputError(error.message, place=f"{path}, {error.place}", remedy=error.remedy) from None
    return FiniteMatrix(kernel, tuple(map(tuple, entries)), HERE)


def _entry(value: Any, path: str) -> Any:
    entry = number(value, path, 0, 1)
    if not entry.is_Rational:
        raise InputError("a rational number is expected", place=path)
    return entry


def _noise(law: str, scale: str, norm: str) -> Reader:
    def read(kernel: object, value: Any, path: str) -> Judgment:
        table = table_of(value, path)
        known_keys(table, (scale, "lipschitz"), path)
        size = number(required(table, scale, path), f"{path}.{scale}", 0, above=True)
        lipschitz = number(table.get("lipschitz", 1), f"{path}.lipschitz", 0)
        loss_in_reach(lipschitz / size, path)
        return NoiseKernel(kernel, law, size, lipschitz, norm, HERE)

    return read


def _no_contradiction(facts: dict[str, Judgment], path: str) -> None:
    """A condition cannot hold with a gamma below the least one of the matrix, nor a delta below the one it has."""
    matrix: Any = facts.get("matrix")
    if matrix is None:
        return
    kernel = finite(matrix)
    least = {"dobrushin": kernel.dobrushin(), "doeblin": kernel.doeblin(), "ultra_mixing": kernel.ultra_mixing()}
    for key, gamma in least.items():
        fact: Any = facts.get(key)
        if fact is not None and (
            gamma is None or not at_most(Rational(gamma.numerator, gamma.denominator), fact.gamma)
        ):
            said = "no gamma" if gamma is None else f"gamma = {gamma} at least"
            raise InputError(f"contradicts the matrix, which meets it with {said}", place=f"{path}.{key}")
    ldp: Any = facts.get("ldp")
    for u, v in rational_lines(kernel.region().vertices) if ldp is not None else ():
        if not at_most(at((u, v), exp(ldp.epsilon)), ldp.delta):
            raise InputError("contradicts the matrix, which tells more of its input", place=f"{path}.ldp")


_KERNELS: dict[str, Reader] = {
    "dobrushin": _gamma(Dobrushin, Integer(1)),
    "doeblin": _gamma(Doeblin),
    "ultra_mixing": _gamma(UltraMixing),
    "ldp": _ldp,
    "matrix": _matrix,
    "gaussian": _noise("gaussian", "sigma", "l2"),
    "laplace": _noise("laplace", "scale", "l1"),
}
