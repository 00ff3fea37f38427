"""The readers: expressions, vectors, matrices, relations, values and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sp

from symdp.text.conditions import unique
from symdp.text.constants import settled
from symdp.text.meaning import Parsed, build
from symdp.text.names import RESERVED, name_remedy
from symdp.text.relation import Relation
from symdp.text.syntax import Defined, Node, Parser
from symdp.text.tokens import Token, show, tokenize

_RELATIONS = (">", "<", ">=", "<=", "==", "!=")


def parse(text: str, *, place: str = "expression", names: Iterable[str] | None = None) -> sp.Expr:
    """The expression ``text`` as a sympy tree of real symbols; ``names`` are the identifiers allowed (None: any).

    Raises InputError with the column and the remedy.
    """
    return parse_with_conditions(text, place=place, names=names).expr


def parse_with_conditions(
    text: str,
    *,
    place: str = "expression",
    names: Iterable[str] | None = None,
    definitions: Mapping[str, Defined] | None = None,
) -> Parsed:
    """As ``parse``, with the relations that the text as typed needs to be defined and real.

    ``definitions``: functions of the time that the text may call, as :func:`symdp.text.definitions.define` reads them.
    """
    parser = _open(text, place, names, definitions)
    node = parser.entry()
    parser.finish("one expression")
    return build(node, place)


def parse_vector(
    text: str,
    *,
    place: str = "vector",
    names: Iterable[str] | None = None,
    definitions: Mapping[str, Defined] | None = None,
) -> tuple[Parsed, ...]:
    """Components separated by commas; ``definitions`` as for :func:`parse_with_conditions`."""
    parser = _open(text, place, names, definitions)
    row = _row(parser)
    parser.finish("one expression or a comma")
    return tuple(build(node, place) for node in row)


def parse_matrix(
    text: str,
    *,
    place: str = "matrix",
    names: Iterable[str] | None = None,
    definitions: Mapping[str, Defined] | None = None,
) -> tuple[tuple[Parsed, ...], ...]:
    """Rows separated by semicolons, entries by commas; rows of unequal length are an InputError.

    ``definitions`` as for :func:`parse_with_conditions`.
    """
    parser = _open(text, place, names, definitions)
    rows = [_row(parser)]
    while parser.token.kind == ";":
        token = parser.advance()
        rows.append(_row(parser))
        if len(rows[-1]) != len(rows[0]):
            parser.fail(
                f"row {len(rows)} has {len(rows[-1])} entries, row 1 has {len(rows[0])}",
                token,
                "make rows equally long",
            )
    parser.finish("one expression, a comma or a semicolon")
    return tuple(tuple(build(node, place) for node in row) for row in rows)


def parse_relations(text: str, *, place: str = "relations", names: Iterable[str] | None = None) -> tuple[Relation, ...]:
    """Comma-separated relations and chains (``0<x<1, 4*a>=sigma**2``), each preceded by what its sides need."""
    parser = _open(text, place, names)
    result: list[Relation] = []
    while True:
        result += _chain(parser)
        if parser.token.kind != ",":
            break
        parser.advance()
    parser.finish("a relation or a comma")
    return unique(result)


def parse_values(text: str, *, place: str = "--at") -> dict[str, sp.Expr | tuple[sp.Expr, ...]]:
    """``name=value`` pairs separated by commas; a value is a constant or a parenthesised tuple of constants."""
    parser = Parser(text, place)
    values: dict[str, sp.Expr | tuple[sp.Expr, ...]] = {}
    while True:
        key = _key(parser, values)
        values[key] = _value(parser, key)
        if parser.token.kind != ",":
            break
        parser.advance()
    parser.finish("a comma and another name=value")
    return values


def identifiers(text: str, *, place: str = "expression") -> tuple[str, ...]:
    """The names used in ``text`` in order of appearance, functions and ``pi`` excluded."""
    names = (token.text for token in tokenize(text, place) if token.kind == "name")
    return tuple(dict.fromkeys(name for name in names if name not in RESERVED))


def _open(
    text: str, place: str, names: Iterable[str] | None, definitions: Mapping[str, Defined] | None = None
) -> Parser:
    parser = Parser(text, place, definitions)
    if names is not None:
        allowed = {str(n) for n in names} | RESERVED
        for token, following in zip(parser.tokens, parser.tokens[1:], strict=False):
            if token.kind == "name" and token.text not in allowed and following.kind != "(":
                remedy = name_remedy(token.text, allowed - RESERVED)
                parser.fail(f"unknown name {show(token.text)}", token, remedy)
    return parser


def _row(parser: Parser) -> list[Node]:
    row = [parser.entry()]
    while parser.token.kind == ",":
        parser.advance()
        row.append(parser.entry())
    return row


def _chain(parser: Parser) -> list[Relation]:
    first = parser.token
    left = build(parser.entry(), parser.place)
    conditions, relations = list(left.conditions), list[Relation]()
    while parser.token.kind in _RELATIONS:
        op = parser.advance().kind
        right = build(parser.entry(), parser.place)
        conditions += right.conditions
        relations.append(_relation(left.expr, op, right.expr))
        left = right
    if parser.token.kind == "=":
        parser.fail("unexpected '='", parser.token, "write == for 'equal to'")
    if not relations:
        if parser.token.kind in {"end", ","}:
            parser.fail("a relation is expected", first, "write for example x>0")
        parser.finish("a relation")
    return [*conditions, *relations]


def _relation(left: sp.Expr, op: str, right: sp.Expr) -> Relation:
    if op in {"<", "<="}:
        left, right = right, left
    return Relation(settled(left - right), op.replace("<", ">"))


def _key(parser: Parser, values: dict[str, sp.Expr | tuple[sp.Expr, ...]]) -> str:
    token = parser.advance()
    if token.kind != "name":
        what = f"unexpected {show(token.text)}" if token.kind != "end" else "the text ends after ','"
        parser.fail(what, token, "write name=value")
    if token.text in RESERVED:
        parser.fail(f"'{token.text}' is reserved", token, "choose another name")
    if token.text in values:
        parser.fail(f"{show(token.text)} is given twice", token, "give it once")
    equals = parser.token
    if equals.kind != "=":
        parser.fail(f"{show(token.text)} has no value", equals, f"write {token.text[:24]}=value")
    parser.advance()
    if parser.token.kind in {",", "end"}:
        parser.fail(f"{show(token.text)} has no value", parser.token, f"write {token.text[:24]}=value")
    return token.text


def _value(parser: Parser, key: str) -> sp.Expr | tuple[sp.Expr, ...]:
    place = f"{parser.place}, {key}"
    if not _is_tuple(parser):
        return _constant(parser, place)
    opening = parser.advance()
    entries = [_constant(parser, place)]
    while parser.token.kind == ",":
        comma = parser.advance()
        if parser.token.kind == ")":
            parser.fail("nothing after ','", comma, "delete it or write an entry")
        entries.append(_constant(parser, place))
    parser.close(opening)
    return tuple(entries)


def _is_tuple(parser: Parser) -> bool:
    """Whether the parenthesis at the cursor holds a comma of its own."""
    depth = 0
    for token in parser.tokens[parser.index :]:
        depth += (token.kind == "(") - (token.kind == ")")
        if depth == 0:
            return False
        if depth == 1 and token.kind == ",":
            return True
    return False


def _constant(parser: Parser, place: str) -> sp.Expr:
    start = parser.token
    node = parser.entry()
    for token in parser.tokens[parser.tokens.index(start) : parser.index]:
        if token.kind == "name" and token.text not in RESERVED:
            parser.fail(f"{show(token.text)} is not a number", token, constant_remedy(token))
    return build(node, place).expr


def constant_remedy(token: Token) -> str:
    """What to write where a constant is needed."""
    if token.text.lower() in {"nan", "inf", "infinity", "oo"}:
        return "values are finite numbers"
    return "values are constants; Euler's number is exp(1)" if token.text in {"e", "E"} else "values are constants"
