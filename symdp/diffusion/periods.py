"""Coordinates that run round a circle: ``x mod 2*pi`` in a domain, and functions that are moved by a period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from sympy import Expr, Function, Symbol

from symdp.errors import InputError
from symdp.text import Parsed, exact, parse_with_conditions
from symdp.text.constants import sign
from symdp.text.tokens import Token, show, tokenize

Periods: TypeAlias = tuple[tuple[Symbol, Expr], ...]
"""The coordinates that run round a circle, each with its length; in the order of the state."""

_PLACE = "--domain"


def split_periods(text: str, coordinates: Sequence[Symbol]) -> tuple[str, dict[Symbol, Parsed]]:
    """The relations of a domain without the pieces ``NAME mod LENGTH``, and what these say.

    Raises :class:`InputError` for a name that is no coordinate, one that is given twice, and a length that is missing,
    not positive, or depends on the state or the time.
    """
    pieces = _pieces(text)
    if not any(len(piece) > 1 and piece[1].text == "mod" for piece in pieces):
        return text, {}
    relations: list[str] = []
    periods: dict[Symbol, Parsed] = {}
    for piece in pieces:
        if not piece:
            raise InputError("nothing stands beside a comma", place=_PLACE, remedy="delete it or write a relation")
        if len(piece) < 2 or piece[0].kind != "name" or piece[1].text != "mod":
            relations.append(text[piece[0].column - 1 : piece[-1].column - 1 + len(piece[-1].text)])
            continue
        name, *rest = piece
        found = [s for s in coordinates if s.name == name.text]
        if not found:
            known = ", ".join(s.name for s in coordinates)
            raise InputError(
                f"{show(name.text)} is no coordinate", place=_PLACE, column=name.column, remedy=f"there are: {known}"
            )
        if found[0] in periods:
            raise InputError(
                f"'{name.text}' has two periods", place=_PLACE, column=name.column, remedy="give one of them"
            )
        periods[found[0]] = _length(text, name, rest, coordinates)
    return ", ".join(relations), {s: periods[s] for s in coordinates if s in periods}


def read_periods(given: Periods, typed: Mapping[Symbol, Parsed], coordinates: Sequence[Symbol]) -> Periods:
    """The periods of both forms as one; raises :class:`InputError` as :func:`split_periods` does."""
    known = {s: parsed.expr for s, parsed in typed.items()}
    for s, length in given:
        if s not in coordinates or s in known:
            raise InputError(f"'{s}' is no coordinate, or has two periods", place="periods", remedy="give one for each")
        known[s] = length if isinstance(length, Expr) else exact(length, place="periods")
        check_length(known[s], s.name, [c.name for c in coordinates])
    return tuple((s, known[s]) for s in coordinates if s in known)


def _pieces(text: str) -> list[list[Token]]:
    """The tokens between commas that are in no parentheses."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in tokenize(text, _PLACE):
        depth += (token.kind == "(") - (token.kind == ")")
        if token.kind == "," and depth == 0:
            pieces.append([])
        elif token.kind != "end":
            pieces[-1].append(token)
    return pieces


def _length(text: str, name: Token, rest: Sequence[Token], coordinates: Sequence[Symbol]) -> Parsed:
    if len(rest) < 2:
        raise InputError(
            f"'{name.text}' has no period", place=_PLACE, column=name.column, remedy=f"write '{name.text} mod 2*pi'"
        )
    start, end = rest[1].column - 1, rest[-1].column - 1 + len(rest[-1].text)
    length = parse_with_conditions(text[start:end], place=f"{_PLACE}, period of {name.text}")
    check_length(length.expr, name.text, [s.name for s in coordinates])
    return length


def check_length(length: Expr, name: str, coordinates: Sequence[str]) -> None:
    """Raise :class:`InputError` unless a period speaks of parameters only and is, where it is a number, positive."""
    for s in sorted(s.name for s in length.free_symbols):
        if s in coordinates or s == "t":
            raise InputError(
                f"the period of '{name}' depends on '{s}'", place=_PLACE, remedy="a period is a number or a parameter"
            )
    if not length.free_symbols and sign(length) != 1:
        raise InputError(f"the period of '{name}' is not positive", place=_PLACE, remedy="give a positive length")


def moved(e: Expr, s: Symbol, length: Expr) -> Expr:
    """``e`` at ``s + length``, arguments of functions multiplied out: there sympy sees whole turns of a sine."""
    shifted = e.xreplace({s: s + length})
    return shifted.replace(lambda f: isinstance(f, Function), lambda f: f.func(*(a.expand() for a in f.args)))
