"""What the commands share: options that are given once or repeated, exact numbers, errors that name the option."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import click

from symdp.errors import InputError

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def once(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> str | None:
    """An option that may be given once; its value must not be the next option."""
    if len(values) > 1:
        raise InputError(f"--{option.name} is given {len(values)} times", remedy="give it once")
    return several(_, option, values)[0] if values else None


def several(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """An option that may be repeated; a value must not be the next option, which click would swallow."""
    known = {name for parameter in context.command.params for name in parameter.opts if name.startswith("--")}
    for value in values:
        if value.split("=", 1)[0] in known:
            raise InputError(f"--{option.name} has no value", remedy=f"write --{option.name} before its value")
    return values


def option(name: str, help: str, metavar: str, *, repeat: bool = False) -> Decorator:
    """An option that takes text, None if it is not given; ``repeat``: a tuple of all its texts."""
    return click.option(name, multiple=True, callback=several if repeat else once, help=help, metavar=metavar)


def required(given: Mapping[str, str | None], name: str) -> str:
    """The text of an option that must be given."""
    text = given[name]
    if text is None:
        raise InputError(f"no --{name}", remedy=f"give --{name}")
    return text


@contextmanager
def as_options() -> Iterator[None]:
    """Errors of the library about an argument name the option of that name."""
    try:
        yield
    except InputError as error:
        if error.place is None or not error.place.isidentifier():
            raise
        raise InputError(error.message, place=f"--{error.place}", column=error.column, remedy=error.remedy) from None


def whole(text: str, place: str) -> int:
    """A whole number."""
    from symdp.rationals import rational, show

    number = rational(text, place)
    if number.denominator != 1:
        raise InputError(f"{show(text)} is not a whole number", place=place, remedy="give a whole number")
    return int(number)


def exact_number(text: str, place: str, *, double: bool) -> Fraction:
    """The rational number that a text says, or the double nearest to it."""
    from symdp.rationals import rational

    number = rational(text, place)
    try:
        return Fraction(float(number)) if double else number
    except OverflowError:
        raise InputError("the number is too large for a double", place=place, remedy="leave out --double") from None
