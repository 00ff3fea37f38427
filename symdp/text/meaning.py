"""Syntax trees to sympy trees, with the conditions under which the text as typed is defined and real.

sympy simplifies while it builds (``x/x``, ``exp(log(x))``, ``0*log(x)``), so the conditions are taken from the syntax
tree; a constant that breaks one is an InputError at its column. Sizes are bounded before sympy sees them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

import sympy as sp

from symdp.errors import InputError
from symdp.text.conditions import (
    control_conditions,
    definedness,
    function_conditions,
    moment_conditions,
    needs,
    power_conditions,
    unique,
)
from symdp.text.constants import ARGUMENT_BITS, NORMAL_BITS, extent, is_constant, magnitude_ok, power_in_range, settled
from symdp.text.control import CONTROL_FUNCTIONS, counts
from symdp.text.extrema import EXTREMA
from symdp.text.moment import sampled_moment
from symdp.text.names import FUNCTIONS, FUNCTIONS_OF_SEVERAL, symbol
from symdp.text.printer import to_text
from symdp.text.relation import Relation
from symdp.text.syntax import Call, Name, Node, Number, Power, Product, Sum
from symdp.text.tokens import MAX_DIGITS

MAX_BITS = int(MAX_DIGITS * math.log2(10))
MAX_EXPONENT = 1000
# Levels and nodes. sympy's own recursions run out of stack, or of patience, on trees much larger than this; it
# evaluates a constant several times to learn its sign, in time exponential in the levels.
MAX_EXTENT = (60, 20_000)
MAX_CONSTANT_EXTENT = (24, 4_000)
_MAX_ROOT_BITS = 1024
_INVERSE = (sp.asin, sp.acos, sp.atan, sp.asinh, sp.acosh, sp.atanh)
OPAQUE = tuple(FUNCTIONS_OF_SEVERAL.values())  # their size is not known here
_NOT_REAL = (sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I)
# What sympy 1.14 raises from inside its own evaluation on extreme arguments, e.g. asin(sin(10**300)).
_SYMPY_FAILS = (ArithmeticError, AttributeError, NotImplementedError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Parsed:
    """An expression and the relations that must hold for the text as typed to be defined and real.

    Where they all hold, ``expr`` is defined and equals the real function typed.
    """

    expr: sp.Expr
    conditions: tuple[Relation, ...]


def powered_bits(number: sp.Rational, exponent: sp.Rational) -> float:
    """Size of ``number ** exponent``."""
    size = math.log2(max(abs(int(number.p)), int(number.q), 1))
    return size * float(min(MAX_BITS + 1, abs(exponent)))


def build(node: Node, place: str) -> Parsed:
    """The meaning of a syntax tree; InputError where it has none."""
    builder = Builder(place)
    try:
        expr = builder.build(node)
        # What sympy made of the text must be defined as well: sqrt(x**2*y) became abs(x)*sqrt(y).
        of_tree = definedness(expr)
        for condition in of_tree:
            if condition.truth() is False:
                builder.fail("this has no real value, whatever the symbols", node, f"it needs {condition}")
        return Parsed(expr, unique([*builder.conditions, *of_tree]))
    except RecursionError:
        builder.fail("nested too deeply", node, "name the inner parts and substitute them later")


class Builder:
    """Builds sympy trees for one text and collects its conditions."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.conditions: list[Relation] = []

    def fail(self, message: str, node: Node, remedy: str) -> NoReturn:
        """InputError at the column of ``node``."""
        raise InputError(message, place=self.place, column=node.column, remedy=remedy)

    def require(self, relations: Iterable[Relation], node: Node, operation: str, *operands: sp.Expr) -> None:
        """Keep the conditions of an operation that are not settled; one that cannot hold is an error."""
        for relation in relations:
            relation = Relation(settled(relation.expr), relation.op)
            truth = relation.truth()
            if truth is True:
                continue
            if truth is None and relation.free_symbols:
                self.conditions.append(relation)
                continue
            what = describe(operation, operands)
            if truth is None:
                self.fail(f"{what}: cannot decide whether {relation}", node, "write the constant in a simpler form")
            if relation.free_symbols:
                self.fail(f"{what} has no real value, whatever the symbols", node, f"it needs {relation}")
            reason = "undefined" if operands[0] == 0 or operation == "tan" else "not a real number"
            self.fail(f"{what} is {reason}", node, needs(operation))

    def apply(self, operation: Callable[..., Any], operands: Iterable[sp.Expr], node: Node) -> sp.Expr:
        """One sympy operation, its result settled and checked."""
        try:
            expr = settled(operation(*operands))
        except _SYMPY_FAILS:
            self.fail("this expression cannot be evaluated exactly", node, "write it in a simpler form")
        return self.checked(expr, node)

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
            case Call(function=function, arguments=arguments):
                built = [self.build(argument) for argument in arguments]
                if function in CONTROL_FUNCTIONS:
                    return self.control(function, built, node)
                if function == "sampled_moment":
                    return self.moment(built, node)
                if function in EXTREMA:
                    if len(built) < 2:
                        self.fail(f"{function} has one argument", node, f"write {function}(a, b)")
                    return self.apply(EXTREMA[function], built, node)
                return self.call(function, built[0], node)

    def sum(self, terms: list[tuple[int, sp.Expr]], node: Node) -> sp.Expr:
        """A sum whose common denominator stays within MAX_BITS."""
        denominator = 1
        for _, term in terms:
            for part in sp.Add.make_args(term):
                denominator = math.lcm(denominator, int(part.as_coeff_Mul()[0].q))
                self.within(denominator.bit_length() <= MAX_BITS, node)
        return self.apply(sp.Add, [t if s > 0 else -t for s, t in terms], node)

    def product(self, node: Node) -> sp.Expr:
        """A product of all factors at once, so that ``2*(x + 1)*y`` does not depend on the order of typing."""
        factors: list[sp.Expr] = []
        self.collect(node, 1, False, factors)
        self.within(sum(extent(f.as_coeff_Mul()[0]).bits for f in factors) <= 2 * MAX_BITS, node)
        return self.apply(sp.Mul, factors, node)

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
                self.require([Relation(value, "!=")], node, "/", value)
            factors.append(value if exponent > 0 else self.raised(value, sp.S.NegativeOne, node))

    def power(self, base: sp.Expr, exponent: sp.Expr, node: Node) -> sp.Expr:
        """``base ** exponent`` as the principal real power."""
        self.require(power_conditions(base, exponent), node, "**", base, exponent)
        return self.raised(base, exponent, node)

    def raised(self, base: sp.Expr, exponent: sp.Expr, node: Node) -> sp.Expr:
        """The power itself, its size bounded beforehand."""
        if isinstance(exponent, sp.Rational):
            self.within(max((powered_bits(n, exponent) for n in base.atoms(sp.Rational)), default=0) <= MAX_BITS, node)
            self.within(extent(exponent).bits <= MAX_BITS // 100, node)
            if exponent.q != 1:
                self.rooted(base, node)
        elif is_constant(exponent) and is_constant(base):
            self.within(self.opaque(base, exponent) or power_in_range(base, exponent), node)
        elif isinstance(base, sp.Rational):
            for part in sp.Add.make_args(exponent):
                self.within(not isinstance(part, sp.Rational) or powered_bits(base, part) <= MAX_BITS, node)
        return self.apply(sp.Pow, (base, exponent), node)

    def call(self, function: str, argument: sp.Expr, node: Node) -> sp.Expr:
        """A function value."""
        self.require(function_conditions(function, argument), node, function, argument)
        if function == "sqrt":
            return self.raised(argument, sp.S.Half, node)
        if function == "exp":
            for part in sp.Add.make_args(argument):
                # sympy would compute exp(10**9*log(2)) as an integer.
                self.within(not is_constant(part) or self.opaque(part) or power_in_range(sp.E, part), node)
        elif function not in {"log", "abs", "sign"} and is_constant(argument) and not self.opaque(argument):
            self.within(magnitude_ok(argument, NORMAL_BITS if function == "erfc" else ARGUMENT_BITS), node)
        if isinstance(argument, _INVERSE):
            # sympy writes cos(atan(n)) as a root.
            self.rooted(argument, node, _MAX_ROOT_BITS // 2)
        return self.apply(FUNCTIONS[function], (argument,), node)

    def control(self, function: str, arguments: list[sp.Expr], node: Node) -> sp.Expr:
        """A control energy of a linear system."""
        kind = CONTROL_FUNCTIONS[function]
        allowed = counts(kind.takes_state)
        if len(arguments) not in allowed:
            shown = ", ".join(f"{n} (d = {d})" for n, d in list(allowed.items())[:4])
            self.fail(f"{function} has {len(arguments)} arguments", node, f"t, A, N and z have together {shown}, ...")
        energy = self.apply(kind, arguments, node)
        self.require(control_conditions(energy), node, function, *arguments)
        return energy

    def moment(self, arguments: list[sp.Expr], node: Node) -> sp.Expr:
        """A moment of the sampled Gaussian."""
        if len(arguments) != 3:
            self.fail(f"sampled_moment has {len(arguments)} arguments", node, "write sampled_moment(p, q, s)")
        moment = self.apply(sampled_moment, arguments, node)
        self.require(moment_conditions(moment), node, "sampled_moment", *arguments)
        return moment

    def checked(self, expr: sp.Expr, node: Node) -> sp.Expr:
        """The result of one operation: real, finite, of bounded size."""
        levels, nodes, bits = extent(expr)
        self.within(bits <= MAX_BITS, node)
        most_levels, most_nodes = MAX_CONSTANT_EXTENT if is_constant(expr) else MAX_EXTENT
        if levels > most_levels or nodes > most_nodes:
            self.fail("nested too deeply", node, "name the inner parts and substitute them later")
        if expr.has(*_NOT_REAL):
            self.fail("this has no real finite value, whatever the symbols", node, "only real finite values are read")
        if expr.has(sp.cot):
            expr = expr.replace(sp.cot, lambda u: sp.cos(u) / sp.sin(u))
        for factor in sp.Mul.make_args(expr):
            if isinstance(factor, sp.Pow) and isinstance(factor.exp, sp.Rational):
                if abs(factor.exp) > MAX_EXPONENT:
                    self.fail("the exponent is too large", node, f"exponents are read up to {MAX_EXPONENT}")
                if factor.base.is_Rational and factor.base.p < 0:
                    self.fail("this has no real value", node, "a fractional power needs a base >= 0")
            if isinstance(factor, sp.Pow | sp.Function) and is_constant(factor) and not self.opaque(factor):
                self.within(magnitude_ok(factor), node)
        return expr

    @staticmethod
    def opaque(*parts: sp.Expr) -> bool:
        """Whether a size is not known here; sympy does not compute with these functions either."""
        return any(part.has(*OPAQUE) for part in parts)

    def rooted(self, base: sp.Expr, node: Node, limit: int = _MAX_ROOT_BITS) -> None:
        """InputError if a root of ``base`` would make sympy factorise a number beyond ``limit`` bits."""
        if extent(base).bits > limit:
            self.fail("the root of a number this large", node, f"such numbers are read up to {limit} bits")

    def within(self, fits: bool, node: Node) -> None:
        """InputError unless a number stays within the range that is read."""
        if not fits:
            self.fail("a number here is too large or too small", node, f"at most {MAX_DIGITS} digits are read")


def describe(operation: str, operands: tuple[sp.Expr, ...]) -> str:
    """An operation with its operands for a message, shortened."""
    texts = [t if len(t) <= 40 else f"{t[:40]}..." for t in map(to_text, operands)]
    if operation == "/":
        return f"division by {texts[0]}"
    if operation == "**":
        base, exponent = (t if t.isalnum() else f"({t})" for t in texts)
        return f"{base}**{exponent}"
    return f"{operation}({', '.join(texts)})"
