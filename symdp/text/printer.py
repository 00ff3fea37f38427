"""Trees to text in our own grammar: deterministic, and read back to the same tree by ``parse``."""

from __future__ import annotations

from typing import NoReturn

import sympy as sp

from symdp.errors import InputError
from symdp.text.names import FUNCTIONS, FUNCTIONS_OF_SEVERAL, symbol

_NAMES = {cls: name for name, cls in (*FUNCTIONS.items(), *FUNCTIONS_OF_SEVERAL.items())}
_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_REMEDY = {
    "cot": "use cos(u)/sin(u)",
    "sec": "use 1/cos(u)",
    "csc": "use 1/sin(u)",
    "sech": "use 1/cosh(u)",
    "csch": "use 1/sinh(u)",
    "acot": "use atan(1/u)",
    "Derivative": "functions of several arguments have no slope here, nor have abs and sign of what may be complex",
    "Subs": "functions of several arguments have no slope here, nor have abs and sign of what may be complex",
    "DiracDelta": "sign and the slope of abs have no derivative at a jump",
    "Piecewise": "state the case as a condition instead",
    "Heaviside": "use (1 + sign(u))/2",
}


def to_text(expr: sp.Expr) -> str:
    """``expr`` in the grammar of ``parse``, with ``parse(to_text(expr)) == expr``; InputError outside the grammar."""
    return Printer().text(sp.sympify(expr, strict=True))


def _outside(expr: sp.Basic) -> NoReturn:
    name = type(expr).__name__
    if isinstance(expr, sp.Float):
        raise InputError(f"{expr} is a floating-point number", remedy="write an exact rational")
    if expr in (sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
        raise InputError(f"{expr} is not a finite real number", remedy="only real finite values can be written")
    raise InputError(f"{name} has no form in the grammar", remedy=_REMEDY.get(name, "rewrite it with known functions"))


class Printer:
    """Prints subtrees once each: a tree that shares subtrees would otherwise take exponential time."""

    def __init__(self) -> None:
        self.memo: dict[sp.Basic, tuple[str, int]] = {}

    def text(self, expr: sp.Basic) -> str:
        """``expr`` without outer parentheses."""
        return self.print(expr)[0]

    def print(self, expr: sp.Basic) -> tuple[str, int]:
        """The text and how tightly its outermost operation binds."""
        if expr not in self.memo:
            self.memo[expr] = self.fresh(expr)
        return self.memo[expr]

    def fresh(self, expr: sp.Basic) -> tuple[str, int]:
        """As ``print``, computed."""
        if isinstance(expr, sp.Symbol):
            if symbol(expr.name) != expr:
                raise InputError(f"{expr.name} is not one of our symbols", remedy="make it with symdp.text.symbol")
            return expr.name, _ATOM
        if isinstance(expr, sp.Integer):
            return str(int(expr)), _ATOM if int(expr) >= 0 else _SUM
        if expr is sp.pi:
            return "pi", _ATOM
        if expr is sp.E:
            return "exp(1)", _ATOM
        if isinstance(expr, sp.Add):
            return self.sum(expr.args), _SUM
        if isinstance(expr, sp.Mul | sp.Pow | sp.Rational):
            return self.product(expr)
        if type(expr) in _NAMES:
            return f"{_NAMES[type(expr)]}({', '.join(map(self.text, expr.args))})", _ATOM
        _outside(expr)

    def wrap(self, expr: sp.Basic, level: int) -> str:
        """``expr`` in parentheses if it binds less tightly than ``level``."""
        text, own = self.print(expr)
        return text if own >= level else f"({text})"

    def sum(self, terms: tuple[sp.Expr, ...]) -> str:
        """Terms joined by their signs."""
        printed = [self.text(term) for term in self.ordered(terms)]
        # "1 - x" reads better than "-x + 1".
        if len(printed) == 2 and printed[0][0] == "-" != printed[1][0]:
            printed.reverse()
        return printed[0] + "".join(f" - {t[1:]}" if t[0] == "-" else f" + {t}" for t in printed[1:])

    def ordered(self, terms: tuple[sp.Expr, ...]) -> list[sp.Expr]:
        """The terms in lexicographic order of their monomials, names in alphabetical order, constants last."""
        powers = [self.monomial(term) for term in terms]
        generators = sorted({g for p in powers for g in p}, key=lambda g: (not g.isidentifier(), g))
        rank = {g: i for i, g in enumerate(generators)}

        def key(item: tuple[sp.Expr, dict[str, sp.Rational]]) -> tuple[list[tuple[int, sp.Rational]], str]:
            # Sparse form of the exponent vector; the sentinel puts a missing generator after a present one.
            exponents = sorted((rank[g], -e) for g, e in item[1].items())
            return [*exponents, (len(rank), sp.S.Zero)], self.text(item[0])

        return [term for term, _ in sorted(zip(terms, powers, strict=True), key=key)]

    def monomial(self, term: sp.Expr) -> dict[str, sp.Rational]:
        """The non-constant factors of a term, as text, with their rational exponents."""
        result: dict[str, sp.Rational] = {}
        for factor in sp.Mul.make_args(term):
            rational = isinstance(factor, sp.Pow) and isinstance(factor.exp, sp.Rational)
            base, exponent = (factor.base, factor.exp) if rational else (factor, sp.S.One)
            if base.free_symbols:
                result[self.text(base)] = exponent
        return result

    def product(self, expr: sp.Expr) -> tuple[str, int]:
        """A rational, power or product as sign, numerator and denominator."""
        coefficient, rest = expr.as_coeff_Mul()
        if not isinstance(coefficient, sp.Rational):
            _outside(coefficient)
        above: list[tuple[str, int]] = []
        below: list[tuple[str, int]] = []
        for factor in sp.Mul.make_args(rest):
            # exp carries its sign inside; a symbolic exponent stays where it is.
            if isinstance(factor, sp.Pow) and isinstance(factor.exp, sp.Rational) and factor.exp.p < 0:
                below.append(self.power(factor.base, -factor.exp))
            elif isinstance(factor, sp.Pow):
                above.append(self.power(factor.base, factor.exp))
            elif factor is not sp.S.One:
                above.append((self.wrap(factor, _PRODUCT), _ATOM))
        p, q = int(coefficient.p), int(coefficient.q)
        numbers = [str(abs(p))] if abs(p) != 1 or not above else []
        bottoms = [str(q)] if q != 1 else []
        if p > 0 and not bottoms and not below and not numbers and len(above) == 1:
            return above[0]
        text = "-" * (p < 0) + "*".join(numbers + sorted((t for t, _ in above), key=_factor_key))
        if bottoms := bottoms + sorted((t for t, _ in below), key=_factor_key):
            text += f"/{bottoms[0]}" if len(bottoms) == 1 else f"/({'*'.join(bottoms)})"
        return text, _SUM if p < 0 else _PRODUCT

    def power(self, base: sp.Expr, exponent: sp.Expr) -> tuple[str, int]:
        """``base ** exponent``."""
        if exponent == 1:
            return self.wrap(base, _POWER), _ATOM
        if exponent == sp.S.Half:
            return f"sqrt({self.text(base)})", _ATOM
        return f"{self.wrap(base, _ATOM)}**{self.wrap(exponent, _POWER)}", _POWER


def _factor_key(text: str) -> tuple[bool, str]:
    # Constants and names first, sums and functions behind them.
    return not text.replace("*", "").replace("_", "").isalnum(), text


def relation_sides(expr: sp.Expr) -> tuple[str, str, bool]:
    """``expr`` compared with 0 as two readable sides, and whether they changed places (``1 - x`` -> x, 1, True)."""
    printer = Printer()
    terms = printer.ordered(sp.Add.make_args(expr))
    symbolic = [t for t in terms if t.free_symbols]
    rest = sp.Add(*(t for t in terms if not t.free_symbols))
    if not symbolic:
        return printer.text(expr), "0", False
    negative = [t for t in symbolic if printer.text(t)[0] == "-"]
    positive = [t for t in symbolic if t not in negative]
    if not positive:
        return printer.text(sp.Add(*(-t for t in symbolic))), printer.text(rest), True
    if negative and rest == 0:
        return printer.text(sp.Add(*positive)), printer.text(sp.Add(*(-t for t in negative))), False
    return printer.text(sp.Add(*symbolic)), printer.text(-rest), False
