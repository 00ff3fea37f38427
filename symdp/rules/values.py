"""A guarantee or an error with symbols, at values of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, Symbol

from symdp import codec
from symdp.citations import Citation
from symdp.errors import InputError
from symdp.evidence import Condition
from symdp.judgments import GaussianDP, Judgment, LeastError, MeanSquaredError, RenyiDP
from symdp.judgments.base import name_of
from symdp.region import Region
from symdp.rule import Rule, register
from symdp.rules.conditions import holds
from symdp.text import to_text

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
Values = tuple[tuple[Symbol, Expr], ...]


@codec.register
@dataclass(frozen=True)
class AtValues:
    """The mechanism ``subject`` with values for symbols of it, its sensitivity among them."""

    subject: object
    values: Values

    @property
    def name(self) -> str:
        """The mechanism as people call it."""
        at = ", ".join(f"{s.name} = {to_text(value)}" for s, value in self.values)
        return f"{name_of(self.subject)} at {at}"


def _rest(region: Region, values: Mapping[Symbol, Expr]) -> Region:
    """The region of the symbols that keep their names, without what speaks about the others."""
    kept = {s: region.interval(s) for s in region.symbols if s not in values}
    return Region.make(kept, [c for c in region.constraints if not c.free_symbols & set(values)])


def _conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, values = premises[0], _values(params)
    known = set(values) <= set(fact.region.symbols)
    yield Condition("symbols", "each symbol with a value is one of the guarantee's", "fact", (known,))
    numbers = not any(value.free_symbols for value in values.values())
    yield Condition("numbers", "the values are numbers", "fact", (numbers,))
    for relation in fact.region.relations:
        if relation.free_symbols & set(values):
            yield holds(f"in range: {relation}", relation.subs(values), _rest(fact.region, values))


def _values(params: Params) -> dict[Symbol, Expr]:
    values = dict(params["values"])
    if len(values) != len(params["values"]):
        raise InputError("a symbol has two values", place="values")
    return values


def _at(premises: Premises, params: Params) -> Judgment:
    """``value(s = number)``: the premise with numbers for some of its symbols, where these lie in the region in which
    it holds.
    """
    fact, values = premises[0], _values(params)
    changed: dict[str, Any] = {name: getattr(fact, name).subs(values) for name in _FIELDS[type(fact)]}
    subject = AtValues(fact.subject, params["values"])
    result: Judgment = replace(fact, subject=subject, region=_rest(fact.region, values), **changed)
    return result


_FIELDS = {
    RenyiDP: ("value", "sensitivity"),
    GaussianDP: ("mu", "sensitivity"),
    MeanSquaredError: ("value", "norm"),
    LeastError: ("value", "norm", "epsilon", "sensitivity"),
}
_RULES = {
    "rdp-at-values": (RenyiDP, "Renyi differential privacy"),
    "gdp-at-values": (GaussianDP, "Gaussian differential privacy"),
    "error-at-values": (MeanSquaredError, "A mean squared error"),
    "least-error-at-values": (LeastError, "The least error for a guarantee"),
}

for _id, (_kind, _what) in _RULES.items():
    register(
        Rule(
            id=_id,
            title=f"{_what} at values of the symbols",
            citation=Citation("symdp", "rules.values"),
            premises=(_kind,),
            conditions=_conditions,
            conclude=_at,
            tightness="exact",
        )
    )
