"""A shorter form of an expression, accepted only when the zero test proves that it is the same function."""

from __future__ import annotations

from sympy import Expr, cancel, factor_terms, together

from symdp.decide import is_zero

LARGEST = 400
"""Expressions with more operations are left as they are: a common denominator could only make them longer."""


def tidy(expr: Expr) -> Expr:
    """The shortest of a few rational forms of ``expr``; equal to it wherever it is defined."""
    if expr.count_ops() > LARGEST:
        return expr
    rational = cancel(together(expr.expand()))
    forms = {expr, rational, factor_terms(rational), factor_terms(expr)}
    for form in sorted(forms, key=lambda e: (e.count_ops(), str(e))):
        if form == expr or is_zero(form - expr):
            return form
    return expr
