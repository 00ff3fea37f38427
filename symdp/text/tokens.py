"""Text to tokens: the only characters the grammar knows, each token with its 1-based column."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import NoReturn

from symdp.errors import InputError

MAX_LENGTH = 10_000
# sympy may ask of any integer it meets whether it is prime, which takes seconds for much longer ones.
MAX_DIGITS = 1_200

_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<op>\*\*|>=|<=|==|!=|//|&&|\|\||<>|=>|=<|[-+*/(),;<>=])"
)

_REMEDY = {
    "^": "write ** for powers",
    "//": "write / for division",
    "%": "there is no remainder here",
    "!": "there is no factorial here; 'different' is written !=",
    "|": "write abs(x) for an absolute value",
    "||": "separate relations by commas",
    "&": "separate relations by commas",
    "&&": "separate relations by commas",
    "[": "use round parentheses ( )",
    "]": "use round parentheses ( )",
    "{": "use round parentheses ( )",
    "}": "use round parentheses ( )",
    ".": "a point may only stand in a decimal number such as 0.5",
    "−": "write the ASCII minus -",
    "–": "write the ASCII minus -",
    "—": "write the ASCII minus -",
    "×": "write * for products",
    "·": "write * for products",
    "⋅": "write * for products",
    "∙": "write * for products",
    "÷": "write / for division",
    "<>": "'different' is written !=",
    "=>": "write >=",
    "=<": "write <=",
    "≥": "write >=",
    "≤": "write <=",
    "≠": "write !=",
    "√": "write sqrt(x)",
    "∞": "infinity is not a number here; leave that end out",
    "π": "write pi",
}


@dataclass(frozen=True, slots=True)
class Token:
    """A lexeme: ``kind`` is "number", "name", "end" or the operator itself; ``column`` counts from 1."""

    kind: str
    text: str
    column: int


def show(text: str, limit: int = 24) -> str:
    """A token as an error message quotes it: printable, short, on one line."""
    clean = "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in text[: limit + 1])
    return f"'{clean}'" if len(text) <= limit else f"'{clean[:limit]}...'"


def _reject(char: str, column: int, place: str) -> NoReturn:
    remedy = _REMEDY.get(char) or _other_remedy(char)
    code = "" if char.isascii() and char.isprintable() else f" (U+{ord(char):04X})"
    quoted = show(char) if char.isprintable() else "character"
    raise InputError(f"unexpected {quoted}{code}", place=place, column=column, remedy=remedy)


def _other_remedy(char: str) -> str:
    name = unicodedata.name(char, "")
    if match := re.match(r"GREEK (SMALL|CAPITAL) LETTER (?:FINAL )?([A-Z]+)", name):
        spelled = match[2].replace("LAMDA", "LAMBDA")
        return f"write {spelled.lower() if match[1] == 'SMALL' else spelled.capitalize()}"
    plain = unicodedata.normalize("NFKC", char)
    if name.startswith("SUPERSCRIPT") and plain.isascii():
        return f"write **{plain}"
    if unicodedata.category(char) == "Zs":
        return "write an ordinary space"
    if unicodedata.category(char) in {"Cf", "Cc"}:
        return "delete this invisible character"
    if char.isdecimal():
        return f"write the ASCII digit {unicodedata.decimal(char)}"
    if plain != char and plain.isascii() and plain.isprintable() and plain.strip():
        return f"write {plain}"
    return "only ASCII letters, digits and + - * / ** ( ) are read"


def tokenize(text: str, place: str = "expression") -> list[Token]:
    """All tokens of ``text`` and a final "end"; InputError at the first character outside the grammar."""
    if not isinstance(text, str):
        raise InputError(f"text expected, got {type(text).__name__}", place=place, remedy="pass a string")
    if len(text) > MAX_LENGTH:
        raise InputError(f"text of {len(text)} characters", place=place, remedy=f"at most {MAX_LENGTH} are read")
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        column = position + 1
        if match is None:
            _reject(text[position], column, place)
        kind, lexeme = str(match.lastgroup), match.group()
        if lexeme in _REMEDY:
            raise InputError(f"unexpected {show(lexeme)}", place=place, column=column, remedy=_REMEDY[lexeme])
        if kind != "space":
            tokens.append(Token(lexeme if kind == "op" else kind, lexeme, column))
        position = match.end()
    tokens.append(Token("end", "", len(text) + 1))
    return tokens
