"""The mechanisms of a facts file: guarantees that are given, and descriptions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, fmpq
from sympy import Expr, Integer, oo

from symdp.ball import working_precision
from symdp.enclosure import compile_ball
from symdp.errors import InputError, Refused, SymdpError
from symdp.judgments import ZCDP, ApproxDP, GaussianDP, Mechanism, NoiseMechanism, PureDP, RenyiDP
from symdp.judgments.privacy import NEIGHBOURS
from symdp.prover.facts.errors import KEYS, diffusion_errors, noise_errors
from symdp.prover.facts.found import HERE as _HERE
from symdp.prover.facts.found import Fact, Found
from symdp.prover.facts.values import (
    Table,
    expression,
    known_keys,
    loss_in_reach,
    number,
    one_description,
    required,
    table_of,
)
from symdp.prover.queries import RANGES
from symdp.region import Interval, Region
from symdp.rules.conditions import ALPHA
from symdp.theorem import Theorem

Reader = Callable[[Found, str, Any, str, str], list[Fact]]
_BITS = 128
_ORDERS = (*(1 + Fraction(1, 10**k) for k in (6, 3, 2, 1)), *map(Fraction, (1.5, 2, 3, 5, 10, 100, 10**4)))
"""Orders at which a Renyi bound is looked at for a contradiction."""


def read_mechanism(found: Found, name: str, table: Table, path: str) -> None:
    """One mechanism, described or with what it guarantees."""
    known_keys(table, (*_MECHANISMS, "relation"), path)
    if not set(table) - {"relation"}:
        raise InputError("nothing is said about it", place=path, remedy=f"give one of {', '.join(_MECHANISMS)}")
    relation = table.get("relation", NEIGHBOURS)
    if not isinstance(relation, str):
        raise InputError("a text is expected", place=f"{path}.relation")
    found.subjects[name] = Mechanism(name)
    one_description(table, ("gaussian", "laplace", "sgm", "diffusion"), path)
    own = [key for key in ("sgm", "diffusion") if key in table]
    if own and len(set(table) - {"relation"}) > 1:
        raise InputError("stands alone", place=f"{path}.{own[0]}", remedy="describe one mechanism under each name")
    for key, value in table.items():
        if key != "relation":
            found.facts += _MECHANISMS[key](found, name, value, f"{path}.{key}", relation)


def _dp(found: Found, name: str, value: Any, path: str, relation: str) -> list[Fact]:
    table = table_of(value, path)
    known_keys(table, ("epsilon", "delta"), path)
    epsilon = number(required(table, "epsilon", path), f"{path}.epsilon", *RANGES["epsilon"])
    delta = number(table.get("delta", 0), f"{path}.delta", 0, 1)
    if delta == 0:
        return [PureDP(found.subjects[name], epsilon, _HERE, relation=relation)]
    return [ApproxDP(found.subjects[name], epsilon, delta, _HERE, relation=relation)]


def _rdp(found: Found, name: str, value: Any, path: str, relation: str) -> list[Fact]:
    region, curve = Region.make({ALPHA: Interval.open(1, oo)}), expression(value, path, ("alpha",))
    order = _negative(curve)
    if order is not None:
        raise InputError(f"it is negative at alpha = {order}, and no divergence is", place=path)
    return [RenyiDP(found.subjects[name], curve, Integer(1), relation, region)]


def _negative(curve: Expr) -> Fraction | None:
    """An order at which a bound is proved to be below 0; None where none is found."""
    try:
        with working_precision(_BITS):
            at = compile_ball(curve, [ALPHA])
            return next((a for a in _ORDERS if at([arb(fmpq(a.numerator, a.denominator))]) < 0), None)
    except SymdpError:
        return None


def _gdp(found: Found, name: str, value: Any, path: str, relation: str) -> list[Fact]:
    return [GaussianDP(found.subjects[name], number(value, path, 0), _HERE, relation=relation)]


def _zcdp(found: Found, name: str, value: Any, path: str, relation: str) -> list[Fact]:
    return [ZCDP(found.subjects[name], number(value, path, 0), _HERE, relation=relation)]


def _noise(law: str, scale: str, norm: str) -> Reader:
    def read(found: Found, name: str, value: Any, path: str, relation: str) -> list[Fact]:
        table = table_of(value, path)
        known_keys(table, (scale, "sensitivity", *(("dimension", "radius") if law == "gaussian" else ())), path)
        size = number(required(table, scale, path), f"{path}.{scale}", 0, above=True)
        reach = number(table.get("sensitivity", 1), f"{path}.sensitivity", 0)
        loss_in_reach(reach / size, path)
        noise = NoiseMechanism(found.subjects[name], law, size, reach, norm, _HERE, relation)
        return [noise, *_errors(found, name, noise_errors(noise, table, path))]

    return read


def _errors(found: Found, name: str, theorems: list[Theorem]) -> list[Theorem]:
    """What is known of a mechanism's error, noted under its name."""
    if theorems:
        found.errors[name] = theorems[-1].conclusion.subject  # type: ignore[attr-defined]
    return theorems


def _own_neighbours(facts: Sequence[Any], relation: str, path: str) -> None:
    """InputError if the neighbours named are not those that the bounds of a mechanism known here are about."""
    own = next((r for fact in facts if (r := getattr(fact.conclusion, "relation", None)) is not None), relation)
    if relation not in (NEIGHBOURS, own):
        place = f"{path.rpartition('.')[0]}.relation"
        raise InputError(f"the bounds are about other neighbours: {own}", place=place, remedy="leave the relation out")


def _sgm(found: Found, name: str, value: Any, path: str, relation: str) -> list[Fact]:
    from symdp.derivation.sampled_gaussian import larger_direction
    from symdp.theorem import apply

    table = table_of(value, path)
    known_keys(table, ("q", "sigma", "sensitivity"), path)
    q = number(required(table, "q", path), f"{path}.q", 0, 1)
    sigma = number(required(table, "sigma", path), f"{path}.sigma", 0, above=True)
    reach = number(table.get("sensitivity", 1), f"{path}.sensitivity", 0, above=True)
    loss_in_reach(reach / sigma, path)
    # f over its sensitivity: the mechanism is then told from others by its noise
    pair = apply("sampled-gaussian-pair", q=q, sigma=sigma / reach, sensitivity=Integer(1), region=_HERE)
    found.subjects[name] = getattr(pair.conclusion, "subject")  # noqa: B009
    _own_neighbours([pair], relation, path)
    return [pair, larger_direction()]


def _diffusion(found: Found, name: str, value: Any, path: str, relation: str) -> list[Fact]:
    from symdp.derivation import derive
    from symdp.diffusion.catalogue import lookup
    from symdp.diffusion.process import Diffusion
    from symdp.text import symbol
    from symdp.theorem import apply

    table = dict(table_of(value, path))
    entry = lookup(table.pop("name")) if "name" in table else None
    let = table.pop("let", [])
    schedules = [let] if isinstance(let, str) else let
    if not isinstance(schedules, list) or not all(isinstance(text, str) for text in schedules):
        raise InputError("texts are expected", place=f"{path}.let", remedy='write let = "beta(t)=1/10+t/2"')
    if entry is not None:
        process = entry.build(let=schedules)
    else:
        process = Diffusion(required(table, "drift", path), required(table, "diffusion", path), let=schedules)
        table = {key: value for key, value in table.items() if key not in ("drift", "diffusion")}
    names = {"t": "t", "sensitivity": "Delta"} | {s.name: s.name for s in process.params.symbols}
    known_keys(table, (*names, *KEYS), path)
    asked = {key: table.pop(key) for key in KEYS if key in table and key not in names}
    values: Any = {symbol(names[key]): number(given, f"{path}.{key}") for key, given in table.items()}
    for key in ("t", "sensitivity"):
        required(table, key, path)
    derivation = derive(process)
    shown = [theorem for theorem in (derivation.privacy, derivation.gaussian) if theorem is not None]
    if not shown:
        raise Refused(f"{path}: no guarantee for every pair of starts was found")
    facts: list[Fact] = []
    if asked:
        values, errors = diffusion_errors(derivation, values, asked, path)
        facts += _errors(found, name, errors)
    for theorem in shown:
        rule = "rdp-at-values" if isinstance(theorem.conclusion, RenyiDP) else "gdp-at-values"
        known = tuple((s, given) for s, given in values.items() if s in theorem.conclusion.region.symbols)  # type: ignore[attr-defined]
        facts.append(apply(rule, theorem, values=known))
        found.subjects[name] = facts[-1].conclusion.subject  # type: ignore[union-attr]
    _own_neighbours(facts, relation, path)
    return facts


_MECHANISMS: dict[str, Reader] = {
    "dp": _dp,
    "rdp": _rdp,
    "gdp": _gdp,
    "zcdp": _zcdp,
    "gaussian": _noise("gaussian", "sigma", "l2"),
    "laplace": _noise("laplace", "scale", "l1"),
    "sgm": _sgm,
    "diffusion": _diffusion,
}
