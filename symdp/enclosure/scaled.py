"""Rewriting for ranges: ``exp(u**2)*erfc(u)``, whose factors grow and decay beyond all bounds, as one function of u."""

from __future__ import annotations

import sympy
from sympy import Expr, Function


class ErfcX(Function):  # type: ignore[misc]
    """``exp(x**2)*erfc(x)``, decreasing from infinity to 0."""


def scaled(product: Expr) -> Expr:
    """A product with each ``exp(k*u**2 + rest)*erfc(u)**k`` written as ``exp(rest)*ErfcX(u)**k``, k an integer."""
    powers = [factor.as_base_exp() for factor in product.args]
    tails = [(base, k) for base, k in powers if isinstance(base, sympy.erfc) and k.is_Integer]
    exponents = [factor for factor in product.args if isinstance(factor, sympy.exp)]
    if not tails or len(exponents) != 1:
        return product
    terms = set(sympy.Add.make_args(sympy.expand(exponents[0].args[0])))
    written: dict[Expr, Expr] = {}
    for base, k in tails:
        square = set(sympy.Add.make_args(sympy.expand(k * base.args[0] ** 2)))
        if square <= terms:
            terms -= square
            written[base**k] = ErfcX(base.args[0]) ** k
    if not written:
        return product
    written[exponents[0]] = sympy.exp(sympy.Add(*terms))
    return sympy.Mul(*(written.get(factor, factor) for factor in product.args))
