"""Tokens to syntax trees: a small precedence parser that remembers columns and never recurses deeper than MAX_NESTING.

Precedence, loosest first: ``+ -``, ``* /``, unary minus, ``**`` (right associative): ``-x**2`` is ``-(x**2)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, Protocol

from symdp.errors import InputError
from symdp.text.extrema import EXTREMA
from symdp.text.names import FUNCTIONS_OF_SEVERAL, RESERVED, RESERVED_FUNCTIONS, function_remedy, nearest
from symdp.text.tokens import MAX_DIGITS, Token, show, tokenize

MAX_NESTING = 200
MAX_TOWER = 100


@dataclass(frozen=True, slots=True)
class Number:
    """An exact rational literal."""

    column: int
    value: Fraction


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier, ``pi`` included."""

    column: int
    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms with their signs (+1 or -1); a lone negated term is a unary minus."""

    column: int
    terms: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors with exponent +1 (multiplied) or -1 (divided by)."""

    column: int
    factors: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Power:
    """``base ** exponent``."""

    column: int
    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A known function with its arguments."""

    column: int
    function: str
    arguments: tuple[Node, ...]


Node = Number | Name | Sum | Product | Power | Call


class Defined(Protocol):
    """A function that the user defined: what a call of it stands for."""

    def at(self, argument: Node, column: int) -> Node:
        """The body with the argument put in."""


_MEANS = {
    ">": "a relation",
    "<": "a relation",
    ">=": "a relation",
    "<=": "a relation",
    "==": "a relation",
    "!=": "a relation",
}


class Parser:
    """A cursor over the tokens of one text; each method reads one construct and leaves the cursor behind it."""

    def __init__(self, text: str, place: str, definitions: Mapping[str, Defined] | None = None) -> None:
        self.place = place
        self.definitions = definitions or {}
        self.tokens = tokenize(text, place)
        self.index = 0
        self.depth = 0
        if len(self.tokens) == 1:
            self.fail("the text is empty", self.tokens[0], "write an expression such as -theta*x")

    @property
    def token(self) -> Token:
        """The token under the cursor."""
        return self.tokens[self.index]

    def advance(self) -> Token:
        """Return the token under the cursor and step over it ("end" stays)."""
        token = self.token
        if token.kind != "end":
            self.index += 1
        return token

    def fail(self, message: str, token: Token, remedy: str | None = None) -> NoReturn:
        """InputError at ``token``."""
        raise InputError(message, place=self.place, column=token.column, remedy=remedy)

    def finish(self, what: str = "one expression") -> None:
        """Nothing may follow; says what does."""
        token = self.token
        if token.kind == "end":
            return
        if token.kind == ")":
            self.fail("')' without '('", token, "delete it or open a parenthesis before it")
        if token.kind in {",", ";"}:
            self.fail(f"unexpected '{token.kind}'", token, f"{what} is expected here")
        if token.kind == "=":
            self.fail("unexpected '='", token, f"{what} is expected here; 'equal to' in a relation is written ==")
        if token.kind in _MEANS:
            self.fail(f"unexpected '{token.kind}'", token, f"{what} is expected here, not {_MEANS[token.kind]}")
        self.missing_operator(token)

    def missing_operator(self, token: Token) -> NoReturn:
        """Two operands side by side."""
        before = self.tokens[self.index - 1]
        if before.kind == "number" and token.kind == "number":
            self.fail(f"two numbers in a row: {show(token.text)}", token, "a number has one decimal point, no spaces")
        right = "(...)" if token.kind == "(" else token.text[:24]
        left = before.text[:24] if before.kind != ")" else "(...)"
        self.fail(f"missing operator before {show(token.text)}", token, f"for a product write {left}*{right}")

    def entry(self) -> Node:
        """An expression of its own: what a whole text, a component or a side of a relation holds."""
        first = self.token
        if first.kind in {"end", ",", ";"} and self.index:
            self.fail(
                f"nothing after '{self.tokens[self.index - 1].text}'", first, "write the missing part or delete it"
            )
        try:
            return self.expression()
        except RecursionError:
            self.fail("nested too deeply", first, "name the inner parts and substitute them later")

    def expression(self) -> Node:
        """A sum of products. Written as two loops in one method: each parenthesis costs few frames of recursion."""
        start, sign = self.token, 1
        terms: list[tuple[int, Node]] = []
        while True:
            first, exponent = self.token, 1
            factors: list[tuple[int, Node]] = []
            while True:
                factors.append((exponent, self.factor()))
                if self.token.kind not in {"*", "/"}:
                    break
                exponent = 1 if self.advance().kind == "*" else -1
            terms.append((sign, factors[0][1] if len(factors) == 1 else Product(first.column, tuple(factors))))
            if self.token.kind not in {"+", "-"}:
                break
            sign = 1 if self.advance().kind == "+" else -1
        if self.token.kind in {"number", "name", "("}:
            self.missing_operator(self.token)
        return terms[0][1] if len(terms) == 1 else Sum(start.column, tuple(terms))

    def factor(self) -> Node:
        """A signed tower of powers, collected in a loop and folded from the right."""
        tower: list[tuple[Token, bool, Node]] = []
        stars: list[Token] = []
        while True:
            first, negative = self.token, False
            while self.token.kind in {"+", "-"}:
                negative ^= self.advance().kind == "-"
            tower.append((first, negative, self.atom()))
            if self.token.kind != "**":
                break
            stars.append(self.advance())
        if len(stars) > MAX_TOWER:
            self.fail("too many powers of powers", stars[MAX_TOWER], f"at most {MAX_TOWER} are read")
        first, negative, node = tower.pop()
        while stars:
            exponent = Sum(first.column, ((-1, node),)) if negative else node
            first, negative, base = tower.pop()
            node = Power(stars.pop().column, base, exponent)
        return Sum(first.column, ((-1, node),)) if negative else node

    def atom(self) -> Node:
        """A number, a name, or a parenthesis with perhaps a function before it."""
        token = self.advance()
        if token.kind == "number":
            return Number(token.column, self.literal(token))
        if token.kind == "name" and self.token.kind != "(":
            return self.plain_name(token)
        if token.kind not in {"name", "("}:
            self.misplaced(token)
        opening = self.opened(token) if token.kind == "name" else token
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail("nested too deeply", opening, f"at most {MAX_NESTING} levels are read")
        if token.kind == "(":
            node = self.expression()
            self.close(opening)
            return node
        if token.text in self.definitions:
            return self.defined(token, opening)
        arguments = [self.expression()]
        while self.token.kind == ",":
            comma = self.advance()
            if token.text not in FUNCTIONS_OF_SEVERAL:
                self.fail(f"{token.text} takes one argument", comma, "decimals are written with a point")
            arguments.append(self.expression())
        self.close(opening)
        return Call(token.column, token.text, tuple(arguments))

    def defined(self, token: Token, opening: Token) -> Node:
        """What the call of a function of the time stands for; its argument is a time."""
        first = self.index
        argument = self.expression()
        for other in self.tokens[first : self.index]:
            if other.kind == "name" and other.text not in {"t", *RESERVED, *self.definitions}:
                remedy = f"its argument holds t and numbers only: {token.text[:24]}(t)"
                self.fail(f"{show(token.text)} is a function of the time, not of {show(other.text)}", other, remedy)
        self.close(opening)
        return self.definitions[token.text].at(argument, token.column)

    def plain_name(self, token: Token) -> Name:
        """A name that is not called."""
        if token.text in self.definitions:
            self.fail(f"{show(token.text)} is a function of the time", token, f"write {token.text[:24]}(t)")
        if token.text in RESERVED_FUNCTIONS:
            remedy = f"write {_called(token.text)}"
            if self.token.kind in {"name", "number"}:
                remedy = f"write {token.text}({self.token.text[:24]})"
            self.fail(f"the function {token.text} needs an argument in parentheses", token, remedy)
        return Name(token.column, token.text)

    def opened(self, token: Token) -> Token:
        """The parenthesis behind a function name."""
        if token.text == "pi":
            self.fail("pi is a number, not a function", token, "for a product write pi*(...)")
        if token.text not in RESERVED and token.text not in self.definitions:
            self.fail(f"unknown function {show(token.text)}", token, self.meant(token))
        opening = self.advance()
        if self.token.kind == ")":
            self.fail(f"{token.text} has no argument", self.token, f"write {_called(token.text)}")
        return opening

    def meant(self, token: Token) -> str:
        """What to write instead of an unknown function: one that was defined, or a definition, or as always."""
        if guess := nearest(token.text, self.definitions):
            return f"did you mean {guess}?"
        following = [t.text for t in self.tokens[self.index : self.index + 3]]
        if following == ["(", "t", ")"]:
            return f"define it with --let '{token.text[:24]}(t)=...', or write {token.text[:24]}*t for a product"
        return function_remedy(token.text)

    def close(self, opening: Token) -> None:
        """The parenthesis that closes ``opening``."""
        if self.token.kind == ")":
            self.advance()
            self.depth -= 1
        elif self.token.kind == "end":
            self.fail("'(' is never closed", opening, "add the missing ')'")
        elif self.token.kind in {",", ";", "=", *_MEANS}:
            self.fail(
                f"unexpected '{self.token.kind}' inside parentheses", self.token, "one expression is expected here"
            )
        else:
            self.missing_operator(self.token)

    def misplaced(self, token: Token) -> NoReturn:
        """An operand was expected at ``token``."""
        if token.kind == "end":
            before = self.tokens[self.index - 1]
            self.fail(f"the text ends after {show(before.text)}", token, "an operand is missing there")
        if token.kind == ")":
            self.fail("')' where an operand is expected", token, "delete it or write the missing operand")
        if token.kind == "*" and self.tokens[max(self.index - 2, 0)].kind == "**":
            self.fail("unexpected '*'", token, "write ** for powers")
        self.fail(
            f"unexpected {show(token.text)}", token, "an operand (number, name or parenthesis) is missing before it"
        )

    def literal(self, token: Token) -> Fraction:
        """A decimal or scientific literal as an exact rational, within MAX_DIGITS."""
        mantissa, _, exponent = token.text.lower().partition("e")
        whole, _, decimals = mantissa.partition(".")
        if len(exponent) > 8 or len(mantissa) > MAX_DIGITS or len(mantissa) + abs(int(exponent or 0)) > MAX_DIGITS:
            self.fail(f"the number {show(token.text)} is too large", token, f"at most {MAX_DIGITS} digits are read")
        shift = int(exponent or 0) - len(decimals)
        value = int(whole + decimals or "0")
        return Fraction(value * 10**shift) if shift >= 0 else Fraction(value, 10**-shift)


def _called(function: str) -> str:
    """A call of the function, to be shown."""
    return f"{function}(x, y)" if function in EXTREMA else f"{function}(x)"
