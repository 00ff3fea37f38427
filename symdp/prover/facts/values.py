"""Tables and numbers of a facts file; each error names the key's path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from sympy import Expr, Integer

from symdp.errors import InputError
from symdp.prover.answers import at_most
from symdp.prover.queries import LARGEST_EPSILON, within
from symdp.text import parse

Table = Mapping[str, Any]


def table_of(value: Any, path: str) -> Table:
    """A table, else InputError."""
    if not isinstance(value, Mapping):
        raise InputError("a table is expected", place=path)
    return value


def known_keys(table: Table, known: Sequence[str], path: str) -> None:
    """InputError for a key that means nothing here, with the nearest one that does."""
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            place = f"{path}.{key}" if path else key
            raise InputError(
                "unknown key", place=place, remedy=f"did you mean {near[0]}?" if near else f"one of {', '.join(known)}"
            )


def one_description(table: Table, kinds: Sequence[str], path: str) -> None:
    """InputError if the table says in two ways what something does."""
    given = [key for key in kinds if key in table]
    if len(given) > 1:
        raise InputError(f"contradicts {given[0]}: one of the two can be true", place=f"{path}.{given[1]}")


def loss_in_reach(ratio: Expr, path: str) -> None:
    """InputError if a distance is so many times the noise that its exponential is out of reach."""
    if not at_most(ratio, Integer(LARGEST_EPSILON)):
        raise InputError(f"the noise is less than 1/{LARGEST_EPSILON} of the distance it hides", place=path)


def number(value: Any, path: str, least: int | None = None, most: int | None = None, *, above: bool = False) -> Expr:
    """A constant, checked for its range; ``above``: not equal to the least."""
    found = expression(value, path, ())
    return within(found, value, path, least, most, above=above)


def scalar(value: Any, path: str) -> str:
    """The text of a number, TOML's or ours."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError("a number or its text is expected", place=path)
    try:
        return str(value)
    except ValueError:  # Python's own limit for a TOML integer
        raise InputError("the number is too large", place=path) from None


def expression(value: Any, path: str, names: Sequence[str]) -> Expr:
    """A whole number, or text in these names."""
    return parse(scalar(value, path), place=path, names=names)


def whole(value: Any, path: str, least: int = 1) -> int:
    """A whole number."""
    found = number(value, path, least)
    if not isinstance(found, Integer):
        raise InputError("a whole number is expected", place=path)
    return int(found)


def required(table: Table, key: str, path: str) -> Any:
    """The value of a key that must be there."""
    if key not in table:
        raise InputError(f"there is no {key}", place=path, remedy=f"add {key}")
    return table[key]
