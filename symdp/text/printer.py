"""Trees to text in our own grammar: deterministic, and read back to the same tree by ``parse``."""

from __future__ import annotations

from typing import NoReturn

import sympy as sp

from symdp.errors import InputError
from symdp.text.names import FUNCTIONS, symbol

_NAMES = {cls: name for name, cls in FUNCTIONS.items()}
_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_REWRITE = {
    "cot": "cos(u)/sin(u)",
    "sec": "1/cos(u)",
    "csc": "1/sin(u)",
    "sech": "1/cosh(u)",
    "csch": "1/sinh(u)",
    "Derivative": "a real function of known derivative",
    "DiracDelta": "a function without jumps",
}


def to_text(expr: sp.Expr) -> str:
    """``expr`` in the grammar of ``parse``, with ``parse(to_text(expr)) == expr``; InputError outside the grammar."""
    return _print(sp.sympify(expr, strict=True))[0]


def _outside(expr: sp.Basic) -> NoReturn:
    name = type(expr).__name__
    if isinstance(expr, sp.Float):
        raise InputError(f"{expr} is a floating-point number", remedy="write an exact rational")
    if expr in (sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
        raise InputError(f"{expr} is not a finite real number")
    raise InputError(f"{name} has no form in the grammar", remedy=f"use {_REWRITE[name]}" if name in _REWRITE else None)


def _print(expr: sp.Basic) -> tuple[str, int]:
    """The text and how tightly its outermost operation binds."""
    if isinstance(expr, sp.Symbol):
        if symbol(expr.name) != expr:
            raise InputError(f"the symbol {expr.name} is not a real one", remedy="make symbols with symdp.text.symbol")
        return expr.name, _ATOM
    if isinstance(expr, sp.Integer):
        return str(int(expr)), _ATOM if expr >= 0 else _SUM
    if expr is sp.pi:
        return "pi", _ATOM
    if expr is sp.E:
        return "exp(1)", _ATOM
    if isinstance(expr, sp.Add):
        return _sum(expr.args), _SUM
    if isinstance(expr, sp.Mul | sp.Pow | sp.Rational):
        return _product(expr)
    if type(expr) in _NAMES:
        return f"{_NAMES[type(expr)]}({_print(expr.args[0])[0]})", _ATOM
    _outside(expr)


def _wrap(expr: sp.Basic, level: int) -> str:
    text, own = _print(expr)
    return text if own >= level else f"({text})"


def _sum(terms: tuple[sp.Expr, ...]) -> str:
    printed = [_print(term)[0] for term in sorted_terms(terms)]
    # "1 - x" reads better than "-x + 1".
    if len(printed) == 2 and printed[0][0] == "-" != printed[1][0]:
        printed.reverse()
    return printed[0] + "".join(f" - {t[1:]}" if t[0] == "-" else f" + {t}" for t in printed[1:])


def sorted_terms(terms: tuple[sp.Expr, ...]) -> list[sp.Expr]:
    """The terms of a sum in lexicographic order of their monomials, names in alphabetical order, constants last."""
    powers = [_monomial(term) for term in terms]
    generators = sorted({g for p in powers for g in p}, key=lambda g: (not g.isidentifier(), g))
    keyed = [
        (tuple(-p.get(g, sp.S.Zero) for g in generators), _print(t)[0], t) for p, t in zip(powers, terms, strict=True)
    ]
    return [term for *_, term in sorted(keyed, key=lambda k: k[:2])]


def _monomial(term: sp.Expr) -> dict[str, sp.Rational]:
    result: dict[str, sp.Rational] = {}
    for factor in sp.Mul.make_args(term.as_coeff_Mul()[1]):
        rational = isinstance(factor, sp.Pow) and isinstance(factor.exp, sp.Rational)
        base, exponent = (factor.base, factor.exp) if rational else (factor, sp.S.One)
        if base.free_symbols:
            result[_print(base)[0]] = exponent
    return result


def _product(expr: sp.Expr) -> tuple[str, int]:
    coefficient, rest = expr.as_coeff_Mul()
    if not isinstance(coefficient, sp.Rational):
        _outside(coefficient)
    above, below = [], []
    for factor in sp.Mul.make_args(rest):
        # exp carries its sign inside; a symbolic exponent stays where it is.
        if isinstance(factor, sp.Pow) and isinstance(factor.exp, sp.Rational) and factor.exp < 0:
            below.append(_power(factor.base, -factor.exp))
        elif isinstance(factor, sp.Pow):
            above.append(_power(factor.base, factor.exp))
        elif factor is not sp.S.One:
            above.append((_wrap(factor, _PRODUCT), _ATOM))
    p, q = abs(int(coefficient.p)), int(coefficient.q)
    minus = "-" if coefficient < 0 else ""
    numbers = [str(p)] if p != 1 or not above else []
    numerator = "*".join(numbers + sorted((t for t, _ in above), key=_factor_key))
    bottoms = ([str(q)] if q != 1 else []) + sorted((t for t, _ in below), key=_factor_key)
    if not minus and not bottoms and not numbers and len(above) == 1:
        return above[0]
    if not bottoms:
        return minus + numerator, _SUM if minus else _PRODUCT
    denominator = bottoms[0] if len(bottoms) == 1 else f"({'*'.join(bottoms)})"
    return f"{minus}{numerator}/{denominator}", _SUM if minus else _PRODUCT


def _factor_key(text: str) -> tuple[bool, str]:
    # Constants and names first, sums and functions behind them.
    return not text.replace("*", "").replace("_", "").isalnum(), text


def _power(base: sp.Expr, exponent: sp.Expr) -> tuple[str, int]:
    if exponent == 1:
        return _wrap(base, _POWER), _ATOM
    if exponent == sp.S.Half:
        return f"sqrt({_print(base)[0]})", _ATOM
    return f"{_wrap(base, _ATOM)}**{_wrap(exponent, _ATOM)}", _POWER


def relation_sides(expr: sp.Expr) -> tuple[str, str, bool]:
    """``expr`` compared with 0 as two readable sides, and whether they changed places (``1 - x`` -> x, 1, True)."""
    terms = sorted_terms(sp.Add.make_args(expr))
    constants = [t for t in terms if not t.free_symbols]
    symbolic = [t for t in terms if t.free_symbols]
    if not symbolic:
        return to_text(expr), "0", False
    negative = [t for t in symbolic if _print(t)[0][0] == "-"]
    positive = [t for t in symbolic if t not in negative]
    if len(symbolic) > 1 and positive and not constants:
        return to_text(sp.Add(*positive)), to_text(sp.Add(*(-t for t in negative))), False
    if not positive:
        return to_text(sp.Add(*(-t for t in symbolic))), to_text(sp.Add(*constants)), True
    if len(symbolic) == 1 or not negative:
        return to_text(sp.Add(*symbolic)), to_text(-sp.Add(*constants)), False
    return to_text(sp.Add(*symbolic)), to_text(-sp.Add(*constants)), False
