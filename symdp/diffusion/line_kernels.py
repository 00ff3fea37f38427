"""Kernels on the line that are closed with error functions, as expressions: what the rules differentiate."""

from __future__ import annotations

from sympy import Dummy, Expr, Integer, cosh, diff, erf, erfc, exp, factorial, legendre, pi, sqrt, tanh

from symdp.text import symbol

START, OUTPUT, RATE, VELOCITY, TIME = (symbol(name) for name in ("z", "y", "k", "m", "t"))
"""Names for the kernels themselves: no process is spoken of here, so none of its parameters can be meant."""


def two_valued_density(side: int) -> Expr:
    """The kernel of ``L = D^2 + m sign(z) D`` from z to ``y > 0`` at time t, with z on one ``side`` of 0: 1 or -1."""
    z, y, m, t = START, OUTPUT, VELOCITY, TIME
    size = side * z
    passed: Expr = _normal(y - z) * exp(m * (y - size) / 2 - m**2 * t / 4)
    return passed - m / 4 * exp(m * y) * erfc((y + size + m * t) / (2 * sqrt(t)))


def tanh_density(power: int) -> Expr:
    """The kernel of ``L = D^2 + 2 n k tanh(k z) D`` from z to y at time t, n the ``power``."""
    z, y, k, t = START, OUTPUT, RATE, TIME
    count, total, d = wells(power), _normal(y - z), (y - z) / (2 * sqrt(t))
    for j in range(1, count + 1):
        norm = k * j * factorial(count - j) / factorial(count + j)
        bound = norm * _eigenfunction(count, j, k * z) * _eigenfunction(count, j, k * y)
        total += exp(j**2 * k**2 * t) * bound * (erf(j * k * sqrt(t) - d) + erf(j * k * sqrt(t) + d)) / 2
    return exp(-(power**2) * k**2 * t) * (cosh(k * y) / cosh(k * z)) ** power * total


def wells(power: int) -> int:
    """``l``, with ``l (l + 1) = n (n - 1)``: how many eigenfunctions ``D^2 + l (l + 1) sech^2`` has."""
    return max(-power, power - 1)


def backward_equation(density: Expr, drift: Expr) -> list[Expr]:
    """What has to vanish for ``p_t = p_zz + drift p_z``: the coefficients of the error functions, and the rest.

    The density is a sum of them with factors that hold none.
    """
    z, t = START, TIME
    residual = diff(density, t) - diff(density, z, 2) - drift * diff(density, z)
    names = {e: Dummy(real=True) for e in sorted(residual.atoms(erf, erfc), key=str)}
    linear = residual.xreplace(names)
    rest = linear.xreplace(dict.fromkeys(names.values(), Integer(0)))
    return [*(linear.diff(name) for name in names.values()), rest]


def _normal(d: Expr) -> Expr:
    """The normal density of variance 2t."""
    return exp(-(d**2) / (4 * TIME)) / sqrt(4 * pi * TIME)


def _eigenfunction(count: int, j: int, u: Expr) -> Expr:
    """``P_count^(j)(tanh u) sech^j u``, not normalised."""
    v = Dummy("v", real=True)
    return diff(legendre(count, v), v, j).subs(v, tanh(u)) / cosh(u) ** j
