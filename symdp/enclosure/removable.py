"""Rewriting for ranges: ``theta/(exp(2*theta*t) - 1)`` and its like as functions that are smooth through zero.

A box that reaches ``theta = 0`` gives an unbounded quotient, although the function is bounded there. Where a product
holds both ``exp(u) - 1`` (or sinh, tanh, coth, log(1 + u), ...) and a power of a factor of u that cancels its zero, it
is written with ``Expm1OverX(u)`` and so on. Off the zero the two are equal; on it, the new form is the continuous
extension in all symbols together.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr, Function, S

from symdp.enclosure.scaled import scaled


class Expm1OverX(Function):  # type: ignore[misc]
    """``(exp(x) - 1)/x``, 1 at 0."""


class Log1pOverX(Function):  # type: ignore[misc]
    """``log(1 + x)/x``, 1 at 0."""


class SinhOverX(Function):  # type: ignore[misc]
    """``sinh(x)/x``, 1 at 0."""


class TanhOverX(Function):  # type: ignore[misc]
    """``tanh(x)/x``, 1 at 0."""


def smooth(expr: Expr) -> Expr:
    """``expr`` with its removable quotients written as smooth functions."""
    known: dict[Expr, Expr] = {}
    for node in sympy.postorder_traversal(expr):
        if node not in known:
            rebuilt = node.func(*(known[child] for child in node.args)) if node.args else node
            known[node] = _product(scaled(rebuilt)) if rebuilt.is_Mul else rebuilt
    return known[expr]


def _product(product: Expr) -> Expr:
    """One product rewritten, or itself if nothing cancels."""
    factors = [factor.as_base_exp() for factor in product.args]
    split = [_split(base) if exponent.is_Integer else None for base, exponent in factors]
    if not any(split):
        return product
    signs: dict[Expr, set[bool]] = {}
    for (base, exponent), parts in zip(factors, split, strict=True):
        for atom, power in _atoms(parts[0] if parts else base):
            if exponent.is_Rational and atom.free_symbols:
                signs.setdefault(atom, set()).add(bool(exponent * power > 0))
    cancelling = {atom for atom, found in signs.items() if len(found) == 2}
    result = S.One
    for (base, exponent), parts in zip(factors, split, strict=True):
        if parts and any(atom in cancelling for atom, _ in _atoms(parts[0])):
            base = parts[0] * parts[1]
        result *= base**exponent
    return result


def _atoms(expr: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The factors of a product with their rational exponents."""
    for factor in sympy.Mul.make_args(expr):
        base, exponent = factor.as_base_exp()
        if exponent.is_Rational:
            yield base, exponent


def _split(base: Expr) -> tuple[Expr, Expr] | None:
    """``(z, s)`` with ``base = z*s``: z carries the zero or the pole as a product, s is smooth and not zero there."""
    name = type(base).__name__
    if name == "sinh":
        return base.args[0], SinhOverX(base.args[0])
    if name == "tanh":
        return base.args[0], TanhOverX(base.args[0])
    if name == "coth":
        return 1 / base.args[0], 1 / TanhOverX(base.args[0])
    if name == "csch":
        return 1 / base.args[0], 1 / SinhOverX(base.args[0])
    if name == "log" and base.args[0].is_Add:
        constant, rest = base.args[0].as_coeff_Add()
        return (rest, Log1pOverX(rest)) if constant == 1 else None
    if base.is_Add and len(base.args) == 2:
        constant, rest = base.as_coeff_Add()
        factor, core = rest.as_coeff_Mul()
        if constant and factor == -constant and type(core).__name__ == "exp":
            return factor * core.args[0], Expm1OverX(core.args[0])
        if constant and factor == -constant and type(core).__name__ == "cosh":
            return factor * core.args[0] ** 2 / 2, SinhOverX(core.args[0] / 2) ** 2
    return None
