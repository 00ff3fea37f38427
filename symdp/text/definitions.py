"""Named functions of the time: ``beta(t) = 1/10 + t/2``, put in where a text calls them.

A definition is a syntax tree, and a call of it becomes that tree with the argument for ``t``: nothing is evaluated, and
the expression that comes out is one of the ordinary grammar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from symdp.errors import InputError
from symdp.text.meaning import Parsed, build
from symdp.text.names import RESERVED, symbol
from symdp.text.syntax import Call, Name, Node, Number, Parser, Power, Product, Sum
from symdp.text.tokens import show, tokenize

TIME = "t"
LARGEST_BODY = 500
"""The most nodes of a definition, those of the definitions it calls put in."""


@dataclass(frozen=True)
class Definition:
    """A function of the time: its body as a syntax tree in ``t`` and parameters, and as an expression."""

    body: Node
    meaning: Parsed

    def at(self, argument: Node, column: int) -> Node:
        """The body with ``argument`` for ``t``; errors in it point at ``column``, where it is called."""
        return _put(self.body, argument, column)


Definitions = Mapping[str, Definition]


def define(text: str, known: Definitions, *, place: str = "--let") -> tuple[str, Definition]:
    """The name and the definition that ``name(t) = body`` says; the body may call what is ``known``.

    Raises :class:`InputError` for a left side that is not ``name(t)``, a name that is taken, and a body that calls
    itself or is too long.
    """
    tokens = tokenize(text, place)
    kinds = [token.kind for token in tokens[:5]]
    name = tokens[0].text
    if kinds != ["name", "(", "name", ")", "="]:
        remedy = "write a name, its argument and a body: 'beta(t)=1/10+t/2'"
        raise InputError("this defines no function of the time", place=place, column=1, remedy=remedy)
    if tokens[2].text != TIME:
        remedy = f"the time is called t: write {show(name)[1:-1]}(t)=..."
        raise InputError(f"{show(name)} is not a function of t", place=place, column=tokens[2].column, remedy=remedy)
    if name in RESERVED or name == TIME:
        raise InputError(f"'{name}' is reserved", place=place, column=1, remedy="choose another name")
    if name in known:
        raise InputError(f"{show(name)} is defined twice", place=place, column=1, remedy="define it once")
    symbol(name)
    start = tokens[4].column
    if any(token.kind == "name" and token.text == name for token in tokens[5:]):
        remedy = "a body holds t, parameters, numbers and functions defined before"
        raise InputError(f"{show(name)} is defined by itself", place=place, column=start, remedy=remedy)
    parser = Parser(" " * start + text[start:], place, known)  # columns stay those of the whole text
    body = parser.entry()
    parser.finish("one expression")
    if sum(1 for _ in nodes(body)) > LARGEST_BODY:
        remedy = f"at most {LARGEST_BODY} operations and names"
        raise InputError(f"the definition of {show(name)} is too long", place=place, column=start, remedy=remedy)
    return name, Definition(body, build(body, place))


def nodes(node: Node) -> Iterator[Node]:
    """A syntax tree, node by node."""
    yield node
    match node:
        case Sum(terms=parts) | Product(factors=parts):
            for _, part in parts:
                yield from nodes(part)
        case Power(base=base, exponent=exponent):
            yield from nodes(base)
            yield from nodes(exponent)
        case Call(arguments=arguments):
            for argument in arguments:
                yield from nodes(argument)


def _put(node: Node, argument: Node, column: int) -> Node:
    match node:
        case Name(name=name):
            return argument if name == TIME else Name(column, name)
        case Number():
            return replace(node, column=column)
        case Sum(terms=terms):
            return Sum(column, tuple((sign, _put(term, argument, column)) for sign, term in terms))
        case Product(factors=factors):
            return Product(column, tuple((sign, _put(factor, argument, column)) for sign, factor in factors))
        case Power(base=base, exponent=exponent):
            return Power(column, _put(base, argument, column), _put(exponent, argument, column))
        case Call(function=function, arguments=arguments):
            return Call(column, function, tuple(_put(a, argument, column) for a in arguments))
