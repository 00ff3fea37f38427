"""How far the mechanisms of a facts file err: theorems at numbers, from the range of the query and a Renyi budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, Symbol

from symdp.derivation import Derivation
from symdp.derivation.utility import EPSILON, derive_utility, own_symbol, tune
from symdp.errors import InputError, Refused
from symdp.judgments import NoiseMechanism
from symdp.prover.facts.values import Table, expression, number, required, whole
from symdp.rules.conditions import ALPHA
from symdp.text import symbol
from symdp.theorem import Theorem, apply

KEYS = ("dimension", "radius", "rdp")
"""What a diffusion's table says for the sake of errors: d, a bound on |f(D)|, and the guarantee it is tuned to."""

Values = Mapping[Symbol, Expr]


def noise_errors(noise: NoiseMechanism, table: Table, path: str) -> list[Theorem]:
    """The error of Gaussian noise in every coordinate: that at any answer, and so the largest over a ball."""
    if "dimension" not in table:
        if "radius" in table:
            raise InputError("there is no dimension", place=path, remedy="add dimension")
        return []
    dimension = Integer(whole(table["dimension"], f"{path}.dimension"))
    mechanism = apply("gaussian-noise", apply("described", fact=noise), dimension=dimension)
    error = apply("mean-squared-error", mechanism, norm=symbol("norm"))
    if "radius" not in table:
        return [error]
    radius = number(table["radius"], f"{path}.radius", 0)
    largest = apply("largest-error", error, radius=symbol("R"))
    return [error, apply("error-at-values", largest, values=((symbol("R"), radius),))]


def diffusion_errors(derivation: Derivation, given: Values, table: Table, path: str) -> tuple[Values, list[Theorem]]:
    """The values of all parameters, those chosen for a Renyi budget among them, and theorems about the error.

    ``given``: values of the time, the sensitivity and parameters. Raises InputError naming the key.
    """
    process = derivation.process
    free = [s for s in process.params.symbols if s not in given]
    norm, dimension = own_symbol("R", process), own_symbol("d", process)
    if "rdp" in table:
        return _tuned(derivation, given, table, path, free)
    numbers = dict(given)
    if "radius" in table:
        numbers[norm] = number(table["radius"], f"{path}.radius", 0)
    copies = process.dimension == 1 and "dimension" in table
    if "dimension" in table:
        numbers[dimension] = Integer(whole(table["dimension"], f"{path}.dimension"))
        if process.dimension > 1 and numbers[dimension] != process.dimension:
            said = f"the process has {process.dimension} coordinates"
            raise InputError(said, place=f"{path}.dimension", remedy="leave it out")
    if "radius" not in table and not copies:
        raise InputError("there is no radius", place=path, remedy="add radius, a bound on the norm of the query")
    found = derive_utility(derivation.kernel, norm if "radius" in table else None, dimension if copies else None)
    return given, [_at(found.error, numbers)]


def _tuned(
    derivation: Derivation, given: Values, table: Table, path: str, free: list[Symbol]
) -> tuple[Values, list[Theorem]]:
    process = derivation.process
    norm, dimension = own_symbol("R", process), own_symbol("d", process)
    bound = expression(table["rdp"], f"{path}.rdp", ("alpha",))
    rate = (bound / ALPHA).expand()
    if rate.free_symbols:
        raise InputError("is not a multiple of alpha", place=f"{path}.rdp", remedy="write alpha/2, for example")
    numbers = {
        **given,
        EPSILON: number(str(rate), f"{path}.rdp", 0, above=True),
        norm: number(required(table, "radius", path), f"{path}.radius", 0, above=True),
        dimension: Integer(whole(table.get("dimension", process.dimension), f"{path}.dimension")),
    }
    if not free:
        remedy = "leave out the parameters that it is to choose, or rdp"
        raise InputError("every parameter has a value", place=f"{path}.rdp", remedy=remedy)
    try:
        found = tune(derivation.kernel, free, norm, dimension)
    except Refused as refusal:
        raise Refused(f"{path}.rdp: {refusal}", refusal.hypotheses) from None
    chosen = {s: value.xreplace(numbers) for s, value in found.values}
    return {**given, **chosen}, [_at(found.least, numbers, "least-error-at-values")]


def _at(theorem: Theorem, numbers: Values, rule: str = "error-at-values") -> Theorem:
    known: Any = theorem.conclusion
    values = tuple((s, numbers[s]) for s in known.region.symbols if s in numbers)
    return apply(rule, theorem, values=values)
