"""What each operation needs to be defined and real, as relations and in words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import sympy as sp

from symdp.errors import InputError
from symdp.text.constants import is_constant, settled, sign
from symdp.text.control import CONTROL_FUNCTIONS, ControlFunction, kalman_determinants
from symdp.text.extrema import EXTREMA
from symdp.text.moment import sampled_moment
from symdp.text.names import FUNCTIONS
from symdp.text.relation import Relation

_NAMES = {cls: name for name, cls in FUNCTIONS.items()}
# Real and defined on the whole line, though not in the grammar.
_ENTIRE = (sp.erf, sp.Max, sp.Min, *EXTREMA.values())

_NEEDS = {
    **dict.fromkeys(CONTROL_FUNCTIONS, "t > 0, N positive semidefinite and (A, N) controllable are needed"),
    "sampled_moment": "0 <= q <= 1 and s > 0 are needed",
    "sqrt": "the argument of sqrt must be >= 0",
    "log": "the argument of log must be > 0",
    "tan": "tan has a pole there",
    "coth": "the argument of coth must not be 0",
    "asin": "the argument of asin must lie in [-1, 1]",
    "acos": "the argument of acos must lie in [-1, 1]",
    "acosh": "the argument of acosh must be >= 1",
    "atanh": "the argument of atanh must lie in (-1, 1)",
    "/": "the divisor must not be 0",
    "**": "a fractional power needs a base >= 0 and a negative one a base that is not 0;"
    " an odd root of x is sign(x)*abs(x)**(1/3)",
}


def needs(operation: str) -> str:
    """The words for what ``operation`` (a function name, "/" or "**") needs."""
    return _NEEDS[operation]


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
    """What ``base ** exponent`` needs: the principal real power; ``0**0 == 1``, ``0**e == 0`` for a constant e > 0."""
    if isinstance(exponent, sp.Integer):
        return (Relation(base, "!="),) if exponent < 0 else ()
    if is_constant(exponent) and sign(exponent) == 1:
        return (Relation(base, ">="),)
    return (Relation(base, ">"),)


def moment_conditions(node: sampled_moment) -> tuple[Relation, ...]:
    """Where a moment of the sampled Gaussian is defined."""
    _, q, s = node.args
    return (Relation(q, ">="), Relation(1 - q, ">="), Relation(s, ">"))


@lru_cache(maxsize=256)
def control_conditions(node: ControlFunction) -> tuple[Relation, ...]:
    """Where a control energy is defined: ``t > 0``, N positive semidefinite, and Kalman's rank condition.

    With many symbols they may ask for more than is needed (``kalman_determinants``).
    """
    time, drift, noise, _ = node.system
    a, n = sp.Matrix(drift), sp.Matrix(noise)
    # a symmetric matrix has no negative eigenvalue iff no elementary symmetric function of them is negative
    signed = n.charpoly().all_coeffs()[1:]
    semidefinite = [Relation((-1) ** k * c, ">=") for k, c in enumerate(signed, 1)]
    *_, kalman = kalman_determinants(a, n)
    return (Relation(time, ">"), *semidefinite, Relation(kalman, ">"))


@lru_cache(maxsize=4096)
def definedness(expr: sp.Expr) -> tuple[Relation, ...]:
    """What a sympy tree needs to be defined and real, settled conditions left out.

    A condition that can never hold stays in the list. Raises InputError for a function whose domain is not known here.
    """
    conditions: list[Relation] = []
    for node in dict.fromkeys(sp.postorder_traversal(expr)):
        if isinstance(node, sp.Pow):
            conditions += power_conditions(node.base, node.exp)
        elif type(node) in _NAMES:
            conditions += function_conditions(_NAMES[type(node)], node.args[0])
        elif isinstance(node, ControlFunction):
            conditions += control_conditions(node)
        elif isinstance(node, sampled_moment):
            conditions += moment_conditions(node)
        elif isinstance(node, sp.Function) and not isinstance(node, _ENTIRE):
            raise InputError(
                f"{type(node).__name__} is not a function of the grammar", remedy=f"known: {', '.join(FUNCTIONS)}"
            )
    relations = (Relation(settled(c.expr), c.op) for c in conditions)
    return unique(r for r in relations if r.truth() is not True)
