"""The chains of a facts file: kernels after a mechanism, compositions, noisy iterations and gradient descent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Expr, Integer, S

from symdp.errors import InputError
from symdp.judgments import BoundedIteration, Kernel, Mechanism, NoisyIteration, NoisySGD, UniformIteration, after
from symdp.prover.facts.found import HERE, Found
from symdp.prover.facts.values import Table, known_keys, number, required, table_of, whole
from symdp.prover.queries import shown
from symdp.rules.composition import Composition

_KINDS = ("start", "compose", "iteration", "noisy_sgd")
_SGD = (
    *("lipschitz_constant", "smoothness", "strong_convexity", "step_size", "sigma"),
    *("n", "index"),
)


def read_chain(found: Found, name: str, chains: Mapping[str, Table], open_names: tuple[str, ...]) -> object:
    """One chain, and before it the chains that it is made of. Raises InputError for a chain made of itself."""
    path = f"chain.{name}"
    if found.subjects[name] is not None:
        return found.subjects[name]
    if name in open_names:
        raise InputError("the chain is made of itself", place=path)
    table, opened = chains[name], (*open_names, name)
    kinds = [key for key in _KINDS if key in table]
    if len(kinds) != 1:
        said = f"{' and '.join(kinds)} are given" if kinds else "nothing is said about it"
        raise InputError(said, place=path, remedy=f"give one of {', '.join(_KINDS)}")

    def named(reference: Any, place: str) -> object:
        if not isinstance(reference, str) or reference not in found.subjects:
            known = ", ".join(shown(other) for other in found.subjects if other != name)
            raise InputError(
                f"no mechanism, kernel or chain is called {shown(reference)}", place=place, remedy=f"known: {known}"
            )
        return read_chain(found, reference, chains, opened) if reference in chains else found.subjects[reference]

    match kinds[0]:
        case "start":
            subject = _steps(table, path, named)
        case "compose":
            subject = _composition(table, path, named)
        case "iteration":
            known_keys(table, ("iteration",), path)
            subject = Mechanism(name)
            found.facts.append(
                _iteration(subject, table_of(table["iteration"], f"{path}.iteration"), f"{path}.iteration")
            )
        case _:
            known_keys(table, ("noisy_sgd",), path)
            subject = Mechanism(name)
            found.facts.append(_sgd(subject, table_of(table["noisy_sgd"], f"{path}.noisy_sgd"), f"{path}.noisy_sgd"))
    found.subjects[name] = subject
    return subject


def _steps(table: Table, path: str, named: Any) -> object:
    known_keys(table, ("start", "steps"), path)
    subject, steps = named(table["start"], f"{path}.start"), required(table, "steps", path)
    if isinstance(subject, Kernel):
        raise InputError("a chain starts with a mechanism", place=f"{path}.start")
    if not isinstance(steps, list) or not steps:
        raise InputError("a list of kernels is expected", place=f"{path}.steps")
    for index, reference in enumerate(steps):
        place = f"{path}.steps[{index}]"
        kernel = named(reference, place)
        if not isinstance(kernel, Kernel):
            raise InputError(f"{reference} is not a kernel", place=place)
        subject = after(kernel, subject)
    return subject


def _composition(table: Table, path: str, named: Any) -> object:
    known_keys(table, ("compose", "times"), path)
    parts, times = table["compose"], whole(table.get("times", 1), f"{path}.times")
    if not isinstance(parts, list) or not parts:
        raise InputError("a list of mechanisms is expected", place=f"{path}.compose")
    subjects = tuple(named(part, f"{path}.compose[{index}]") for index, part in enumerate(parts))
    for index, subject in enumerate(subjects):
        if isinstance(subject, Kernel):
            raise InputError(
                f"{parts[index]} is a kernel", place=f"{path}.compose[{index}]", remedy="use start and steps"
            )
    once = subjects[0] if len(subjects) == 1 else Composition(subjects)
    return once if times == 1 else Composition((once,), times)


def _iteration(subject: object, table: Table, path: str) -> Any:
    known_keys(table, ("lipschitz", "sigma", "steps", "sensitivity", "diameter", "shift"), path)
    lists = {key: table[key] for key in ("lipschitz", "sigma") if isinstance(table.get(key), list)}
    if "diameter" in table or "shift" in table:
        if lists:
            raise InputError("one number is expected with diameter and shift", place=f"{path}.{next(iter(lists))}")
        lipschitz, sigma = _lipschitz(table, path), _sigma(table, path)
        steps = Integer(whole(required(table, "steps", path), f"{path}.steps"))
        start = number(table.get("sensitivity", 0), f"{path}.sensitivity", 0)
        diameter = number(table["diameter"], f"{path}.diameter", 0) if "diameter" in table else S.Infinity
        shift = number(required(table, "shift", path), f"{path}.shift", 0)
        return BoundedIteration(subject, lipschitz, sigma, steps, start, diameter, shift, HERE)
    reach = number(required(table, "sensitivity", path), f"{path}.sensitivity", 0)
    if not lists:
        steps = Integer(whole(required(table, "steps", path), f"{path}.steps"))
        return UniformIteration(subject, _lipschitz(table, path), _sigma(table, path), steps, reach, HERE)
    lengths = {key: len(value) for key, value in lists.items()}
    if "steps" in table:
        lengths["steps"] = whole(table["steps"], f"{path}.steps")
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{key} {length}" for key, length in lengths.items())
        raise InputError(f"the numbers of steps differ: {said}", place=path)
    count = next(iter(lengths.values()))
    if not count:
        raise InputError("there is no step", place=path)
    return NoisyIteration(
        subject, _each(table, "lipschitz", path, count), _each(table, "sigma", path, count), reach, HERE
    )


def _each(table: Table, key: str, path: str, count: int) -> tuple[Expr, ...]:
    value = required(table, key, path)
    entries: Sequence[Any] = value if isinstance(value, list) else [value] * count
    return tuple(
        number(entry, f"{path}.{key}[{index}]", 0, above=key == "sigma") for index, entry in enumerate(entries)
    )


def _lipschitz(table: Table, path: str) -> Expr:
    return number(required(table, "lipschitz", path), f"{path}.lipschitz", 0)


def _sigma(table: Table, path: str) -> Expr:
    return number(required(table, "sigma", path), f"{path}.sigma", 0, above=True)


def _sgd(subject: object, table: Table, path: str) -> NoisySGD:
    known_keys(table, _SGD, path)
    values: dict[str, Expr] = {}
    for key in _SGD:
        given, place = required(table, key, path), f"{path}.{key}"
        if key in ("n", "index"):
            values[key] = Integer(whole(given, place))
        else:
            values[key] = number(given, place, 0, above=key in ("step_size", "sigma"))
    if values["index"] > values["n"]:
        raise InputError(f"the index is above n = {values['n']}", place=f"{path}.index")
    return NoisySGD(subject, **values, region=HERE)
