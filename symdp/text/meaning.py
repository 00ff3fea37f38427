"""Syntax trees to sympy trees, with the conditions under which the text as typed is defined and real.

sympy simplifies while it builds (``x/x``, ``exp(log(x))``, ``0*log(x)``), so the conditions are taken from the syntax
tree; a constant that breaks one is an InputError at its column. Sizes are bounded before sympy sees them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

import sympy as sp

from symdp.errors import InputError
from symdp.text.constants import exp_in_range, magnitude_ok, sign
from symdp.text.names import FUNCTIONS, symbol
from symdp.text.printer import to_text
from symdp.text.relation import Relation
from symdp.text.syntax import Call, Name, Node, Number, Power, Product, Sum
from symdp.text.tokens import MAX_DIGITS

MAX_BITS = int(MAX_DIGITS * math.log2(10))
MAX_EXPONENT = 1000
_MAX_ROOT_BITS = 512
_NOT_REAL = (sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I)


@dataclass(frozen=True, slots=True)
class Parsed:
    """An expression and the relations that must hold for the text as typed to be defined and real."""

    expr: sp.Expr
    conditions: tuple[Relation, ...]


def unique(relations: Iterable[Relation]) -> tuple[Relation, ...]:
    """The relations without repetition, in order."""
    return tuple(dict.fromkeys(relations))


def function_conditions(function: str, u: sp.Expr) -> tuple[Relation, ...]:
    """What ``function(u)`` needs to be defined and real."""
    match function:
        case "sqrt":
            return (Relation(u, ">="),)
        case "log":
            return (Relation(u, ">"),)
        case "tan":
            return (Relation(sp.cos(u), "!="),)
        case "coth":
            return (Relation(u, "!="),)
        case "asin" | "acos":
            return (Relation(1 - u, ">="), Relation(1 + u, ">="))
        case "acosh":
            return (Relation(u - 1, ">="),)
        case "atanh":
            return (Relation(1 - u, ">"), Relation(1 + u, ">"))
    return ()


def power_conditions(base: sp.Expr, exponent: sp.Expr) -> tuple[Relation, ...]:
    """What ``base ** exponent`` needs: the principal real power, ``0**0 == 1``."""
    if isinstance(exponent, sp.Integer):
        return (Relation(base, "!="),) if exponent < 0 else ()
    if not exponent.free_symbols and sign(exponent) == 1:
        return (Relation(base, ">="),)
    return (Relation(base, ">"),)


def bits(number: sp.Rational) -> int:
    """Size of an exact rational."""
    return max(int(number.p).bit_length(), int(number.q).bit_length())


class Builder:
    """Builds sympy trees for one text and collects its conditions."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.conditions: list[Relation] = []

    def fail(self, message: str, node: Node, remedy: str | None = None) -> NoReturn:
        """InputError at the column of ``node``."""
        raise InputError(message, place=self.place, column=node.column, remedy=remedy)

    def require(self, relations: Iterable[Relation], node: Node, what: str) -> None:
        """Keep the relations that are not settled; one that never holds is an error."""
        for relation in relations:
            truth = relation.truth()
            if truth is False:
                needs = "not be 0" if relation.op == "!=" else f"satisfy {relation}"
                reason = "is not a real number" if relation.op != "!=" else "is undefined"
                if relation.expr.free_symbols:
                    self.fail(f"{what} is never real", node, f"it needs {relation}")
                self.fail(f"{what} {reason}", node, f"it must {needs}" if relation.op != "!=" else "avoid the zero")
            if truth is None:
                self.conditions.append(relation)

    def build(self, node: Node) -> sp.Expr:
        """The sympy tree of ``node``."""
        match node:
            case Number(value=value):
                return sp.Rational(value.numerator, value.denominator)
            case Name(name=name):
                return sp.pi if name == "pi" else symbol(name)
            case Sum(terms=terms):
                return self.sum([(s, self.build(t)) for s, t in terms], node)
            case Product():
                return self.product(node)
            case Power(base=base, exponent=exponent):
                return self.power(self.build(base), self.build(exponent), node)
            case Call(function=function, argument=argument):
                return self.call(function, self.build(argument), node)

    def sum(self, terms: list[tuple[int, sp.Expr]], node: Node) -> sp.Expr:
        """A sum whose common denominator stays within MAX_BITS."""
        denominator = 1
        for _, term in terms:
            for part in sp.Add.make_args(term):
                denominator = math.lcm(denominator, int(part.as_coeff_Mul()[0].q))
                if denominator.bit_length() > MAX_BITS:
                    self.too_large(node)
        return self.checked(sp.Add(*(t if s > 0 else -t for s, t in terms)), node)

    def product(self, node: Node) -> sp.Expr:
        """A product of all factors at once, so that ``2*(x + 1)*y`` does not depend on the order of typing."""
        factors: list[sp.Expr] = []
        self.collect(node, 1, False, factors)
        if sum(bits(f.as_coeff_Mul()[0]) for f in factors) > 2 * MAX_BITS:
            self.too_large(node)
        return self.checked(sp.Mul(*factors), node)

    def collect(self, node: Node, exponent: int, divided: bool, factors: list[sp.Expr]) -> None:
        """The factors of a product, those of its parenthesised products included."""
        if isinstance(node, Product):
            for inner, child in node.factors:
                self.collect(child, exponent * inner, divided or inner < 0, factors)
        elif isinstance(node, Sum) and len(node.terms) == 1:
            factors.append(sp.Integer(node.terms[0][0]))
            self.collect(node.terms[0][1], exponent, divided, factors)
        else:
            value = self.build(node)
            if divided:
                self.require([Relation(value, "!=")], node, f"division by {describe(value)}")
            factors.append(value if exponent > 0 else self.raised(value, sp.S.NegativeOne, node))

    def power(self, base: sp.Expr, exponent: sp.Expr, node: Node) -> sp.Expr:
        """``base ** exponent`` as the principal real power."""
        self.require(power_conditions(base, exponent), node, f"({describe(base)})**({describe(exponent)})")
        return self.raised(base, exponent, node)

    def raised(self, base: sp.Expr, exponent: sp.Expr, node: Node) -> sp.Expr:
        """The power itself, its size bounded beforehand."""
        if isinstance(exponent, sp.Rational):
            numbers = base.atoms(sp.Rational)
            largest = max((bits(n) for n in numbers if n not in (1, -1)), default=0)
            if largest * abs(exponent) > MAX_BITS:
                self.too_large(node)
            if exponent.q != 1 and largest > _MAX_ROOT_BITS:
                self.fail("a root of a number this large", node, f"at most {_MAX_ROOT_BITS} bits are read")
            if not isinstance(base, sp.Rational) and (abs(exponent) > MAX_EXPONENT or exponent.q > 10**9):
                self.fail("the exponent is too large", node, f"at most {MAX_EXPONENT} is read")
        elif isinstance(base, sp.Rational):
            for part in sp.Add.make_args(exponent):
                if isinstance(part, sp.Rational) and abs(part) * bits(base) > MAX_BITS:
                    self.too_large(node)
        return self.checked(sp.Pow(base, exponent), node)

    def call(self, function: str, argument: sp.Expr, node: Node) -> sp.Expr:
        """A function value."""
        self.require(function_conditions(function, argument), node, f"{function}({describe(argument)})")
        if function == "sqrt":
            return self.raised(argument, sp.S.Half, node)
        if function == "exp":
            for part in sp.Add.make_args(argument):
                # sympy would compute exp(10**9*log(2)) as an integer.
                if not part.free_symbols and not exp_in_range(part):
                    self.too_large(node)
        return self.checked(FUNCTIONS[function](argument), node)

    def checked(self, expr: sp.Expr, node: Node) -> sp.Expr:
        """The result of one operation: real, finite, of bounded size."""
        if expr.has(*_NOT_REAL):
            self.fail("the value is complex or infinite", node, "only real finite values are read")
        if expr.has(sp.cot):
            expr = expr.replace(sp.cot, lambda u: sp.cos(u) / sp.sin(u))
        for factor in sp.Mul.make_args(expr):
            if isinstance(factor, sp.Rational):
                if bits(factor) > MAX_BITS:
                    self.too_large(node)
            elif isinstance(factor, sp.Pow) and isinstance(factor.exp, sp.Rational) and abs(factor.exp) > MAX_EXPONENT:
                self.fail("the exponent is too large", node, f"at most {MAX_EXPONENT} is read")
        if not expr.free_symbols and isinstance(expr, sp.Pow | sp.Function) and not magnitude_ok(expr):
            self.too_large(node)
        return expr

    def too_large(self, node: Node) -> NoReturn:
        """A number beyond the range that is read."""
        self.fail("a number here is too large or too small", node, f"at most {MAX_DIGITS} digits are read")


def describe(expr: sp.Expr) -> str:
    """``expr`` for a message, shortened."""
    text = to_text(expr)
    return text if len(text) <= 40 else f"{text[:40]}..."
