"""What ``--utility``, ``--radius`` and ``--dimension`` say, read from the options of a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from symdp.cli.options import Decorator, option
from symdp.errors import InputError

if TYPE_CHECKING:
    from symdp.bound import Bound
    from symdp.diffusion.process import Diffusion
    from symdp.question import Question
    from symdp.render.utility import Range

RADIUS = option("--radius", "Bound on |f(D)|: a number, or a name such as R.", "R")
DIMENSION = option("--dimension", "Copies of a process on the line in R^d: a number, or a name such as d.", "d")


def range_options(function: Any) -> Any:
    """Both options."""
    decorators: tuple[Decorator, ...] = (DIMENSION, RADIUS)
    for decorate in decorators:
        function = decorate(function)
    return function


def point_of(bound: Bound, given: dict[str, Any]) -> Question | None:
    """Where the error is evaluated, None for no values: an order and a second start play no part in it."""
    if not given:
        return None
    start = {"xp": given["x"]} if "x" in given and "xp" not in given else {}
    other = {} if "x" in given or "Delta" in given else {"Delta": 0}
    return bound.ask(given | start | other, need_alpha=False, place="--at")


def read_range(options: Mapping[str, Any], process: Diffusion, values: dict[str, Any]) -> Range | None:
    """The range of the query, None without ``--utility``; values of its names are taken out of ``values``."""
    if options.get("as_latex") and any(options[name] for name in ("utility", "radius", "dimension")):
        raise InputError("--utility is not written in LaTeX", remedy="leave out --latex or --utility")
    if not options.get("utility", True):
        for name in ("radius", "dimension"):
            if options[name] is not None:
                raise InputError(f"--{name} is given without --utility", remedy="add --utility")
        return None
    from sympy import Expr, Symbol

    from symdp.derivation.utility import own_symbol
    from symdp.render.utility import Range
    from symdp.text import exact as exact_number
    from symdp.text import identifiers, symbol

    names: dict[str, Symbol | None] = {}
    numbers: dict[Symbol, Expr] = {}
    for option_name, preferred in (("radius", "R"), ("dimension", "d")):
        text = options[option_name]
        names[option_name] = None
        if text is None:
            continue
        place = f"--{option_name}"
        if identifiers(text) == (text.strip(),):
            name = symbol(text.strip())
            if name in (*process.params.symbols, *process.state) or name.name in ("t", "alpha", "Delta", "x", "xp"):
                raise InputError(f"'{name}' is already in use", place=place, remedy="give another name, or a number")
            value = values.pop(name.name, None)
        else:
            name, value = own_symbol(preferred, process), text
        names[option_name] = name
        if value is not None:
            numbers[name] = exact_number(value, place=place)
            _check(option_name, numbers[name], place)
    if names["radius"] is not None and names["radius"] == names["dimension"]:
        raise InputError("the radius has this name", place="--dimension", remedy="give another name")
    if names["dimension"] is not None and process.dimension > 1:
        if numbers.get(names["dimension"]) != process.dimension:
            said = f"the process has {process.dimension} coordinates, and no copies are made of it"
            raise InputError(said, place="--dimension", remedy="leave it out")
        del numbers[names["dimension"]]
        names["dimension"] = None
    return Range(names["radius"], names["dimension"], numbers)


def _check(name: str, value: Any, place: str) -> None:
    from symdp.text import to_text
    from symdp.text.constants import sign

    if name == "radius" and sign(value) != 1:
        raise InputError(f"{to_text(value)[:40]} is not above 0", place=place, remedy="give a number above 0")
    if name == "dimension" and not (value.is_Integer and value >= 1):
        raise InputError(f"{to_text(value)[:40]} is not a dimension", place=place, remedy="give a whole number from 1")
