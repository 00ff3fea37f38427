"""The values a theorem is made of, and their JSON form, exact in both directions.

A value is an expression over ``text.symbol`` symbols, +-oo (an interval's end), a ``str``, ``int``, ``bool``,
``None``, a tuple of values, or a *record*: a frozen dataclass registered here whose fields are values. Nothing else
enters a theorem, so whatever a theorem says can be written, read back by our own parser, and compared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from typing import Any, TypeVar

from sympy import Expr, S, Symbol

from symdp.errors import Forged, InputError
from symdp.region import Interval, Region
from symdp.text import Relation, parse, symbol, to_text
from symdp.text.constants import is_constant

Record = TypeVar("Record", bound=type)

OPTIONAL = {"optional": True}
"""Metadata of a field that is not written while it is ``()``: what was stored before the field was added stays good."""

_RECORDS: dict[str, type] = {}
_ENDS = {"oo": S.Infinity, "-oo": S.NegativeInfinity}


def register(cls: Record) -> Record:
    """Class decorator: admit a frozen dataclass as a record, written under its class name.

    Raises ``TypeError`` if it is not a frozen dataclass or another class already has the name.
    """
    if not is_dataclass(cls) or not cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise TypeError(f"{cls.__name__} is not a frozen dataclass")
    if _RECORDS.setdefault(cls.__name__, cls) is not cls:
        raise TypeError(f"another record is already called {cls.__name__}")
    return cls


def is_record(value: object) -> bool:
    """Whether the value is an instance of exactly a registered class (an instance of a subclass is not)."""
    return _RECORDS.get(type(value).__name__) is type(value)


def parts(record: Any) -> dict[str, Any]:
    """The fields of a record, in their order; left out are those that do not take part in its construction, and
    optional ones that are empty.
    """
    found = {field.name: getattr(record, field.name) for field in fields(record) if field.init}
    empty = [field.name for field in fields(record) if field.init and _may_miss(field) and found[field.name] == ()]
    return {name: value for name, value in found.items() if name not in empty}


def _may_miss(field: Field[Any]) -> bool:
    return bool(field.metadata.get("optional"))


def check(value: object, place: str = "value") -> None:
    """Raise ``InputError`` naming the place unless ``value`` is a value as the module describes them."""
    if value is None or type(value) in (str, int, bool) or any(value is end for end in _ENDS.values()):
        return
    if isinstance(value, Expr):
        for free in () if is_constant(value) else value.free_symbols:
            if not isinstance(free, Symbol) or free != symbol(free.name):
                raise InputError(f"the symbol {free} was not made by symdp.text.symbol", place=place)
    elif type(value) is tuple:
        for index, item in enumerate(value):
            check(item, f"{place}[{index}]")
    elif is_record(value):
        for name, item in parts(value).items():
            check(item, f"{place}.{name}")
    else:
        raise InputError(f"a {type(value).__name__} cannot be part of a theorem", place=place)


def same(left: object, right: object) -> bool:
    """Equality of values that also tells 1 from True and an exact integer from a Python one (``==`` does not)."""
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if is_record(left):
        ours, theirs = parts(left), parts(right)
        return ours.keys() == theirs.keys() and all(same(item, theirs[name]) for name, item in ours.items())
    return bool(left == right)


def encode(value: object) -> Any:
    """The JSON form of a value. Raises ``InputError`` for anything that would not be read back as the same value."""
    for text, end in _ENDS.items():
        if value is end:
            return {"end": text}
    if value is None or type(value) in (str, int, bool):
        return value
    if isinstance(value, Expr):
        text = to_text(value)
        if parse(text) != value:
            raise InputError(f"the expression {text} is not one our grammar writes", place="encode")
        return {"expr": text}
    if type(value) is tuple:
        return [encode(item) for item in value]
    if is_record(value):
        return {"record": type(value).__name__, "fields": {name: encode(item) for name, item in parts(value).items()}}
    raise InputError(f"a {type(value).__name__} cannot be part of a theorem", place="encode")


def decode(data: object) -> Any:
    """The value behind a JSON form. Raises ``Forged`` for an unknown kind, a missing or extra field or bad text."""
    if data is None or type(data) in (str, int, bool):
        return data
    if isinstance(data, list):
        return tuple(decode(item) for item in data)
    if not isinstance(data, Mapping):
        raise Forged(f"a {type(data).__name__} stands where a value should")
    match dict(data):
        case {"end": str(text), **rest} if not rest and text in _ENDS:
            return _ENDS[text]
        case {"expr": str(text), **rest} if not rest:
            try:
                return parse(text, place="stored expression")
            except InputError as error:
                raise Forged(str(error)) from error
        case {"record": str(name), "fields": dict(stored), **rest} if not rest and name in _RECORDS:
            return _record(_RECORDS[name], stored)
    raise Forged(f"no kind of value has the keys {', '.join(sorted(map(str, data)))} with such contents")


def _record(cls: type, stored: dict[str, Any]) -> Any:
    names = {field.name for field in fields(cls) if field.init}
    needed = {field.name for field in fields(cls) if field.init and not _may_miss(field)}
    if not needed <= set(stored) <= names:
        wrong = ", ".join(sorted((set(stored) - names) | (needed - set(stored))))
        raise Forged(f"{cls.__name__} has missing or unknown fields: {wrong}")
    items = {name: decode(item) for name, item in stored.items()}
    try:
        built = cls(**items)
    except (TypeError, ValueError, AttributeError) as error:
        raise Forged(f"{cls.__name__} cannot be rebuilt: {error}") from error
    kept = parts(built)
    if kept.keys() != items.keys() or not all(same(item, items[name]) for name, item in kept.items()):
        raise Forged(f"{cls.__name__} was not stored in its canonical form")
    return built


def canonical(value: object) -> str:
    """One JSON text per value, for digests and comparison across processes. Raises as ``encode``."""
    return json.dumps(encode(value), sort_keys=True, ensure_ascii=True, separators=(",", ":"))


for _record_class in (Relation, Interval, Region):
    register(_record_class)
