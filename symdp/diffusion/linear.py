"""Linear drift, constant noise: ``dX = (AX + c) dt + B dW`` has a Gaussian kernel, and R_alpha is an exact quadratic
form.

With ``z = x - x'`` and the Gramian ``W(t) = int_0^t e^{-As} BB^T e^{-A^T s} ds``
(so that the covariance of ``P_t`` is ``e^{At} W(t) e^{A^T t}``)

    R_alpha(P_t(x) || P_t(x')) = (alpha/2) z^T W(t)^{-1} z.

The matrix exponential is Putzer's, from eigenvalues that are exact: the factors of the characteristic polynomial of
degree
one and two, the sign of a discriminant being decided, never guessed. What is built is checked by ``rules.linear``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import (
    Dummy,
    Expr,
    Integer,
    Matrix,
    Poly,
    PolynomialError,
    Symbol,
    cancel,
    factor_list,
    factor_terms,
    fraction,
    sqrt,
    together,
)

from symdp.decide import normal
from symdp.diffusion.exppoly import ONE, ZERO, Complex, ExpPoly, Reduce
from symdp.errors import SymdpError
from symdp.text.constants import settled

Sign = Callable[[Expr], int | None]
Square = tuple[tuple[Expr, ...], ...]


class NoClosedForm(SymdpError):
    """The eigenvalues have no closed form the grammar can hold, or their nature depends on an undecided sign.

    ``undecided`` is the expression whose sign would settle it, when there is one.
    """

    def __init__(self, message: str, undecided: Expr | None = None) -> None:
        super().__init__(message)
        self.undecided = undecided


@dataclass(frozen=True)
class Eigenvalue:
    """``re + i im``, exact, with its multiplicity; complex ones come in conjugate pairs."""

    re: Expr
    im: Expr
    multiplicity: int


def components(*matrices: Matrix) -> list[list[int]]:
    """The blocks of coordinates that none of the matrices couples."""
    n = matrices[0].rows
    group = list(range(n))
    for matrix in matrices:
        for i in range(n):
            for j in range(n):
                if matrix[i, j] != 0 and group[i] != group[j]:
                    old, new = group[j], group[i]
                    group = [new if g == old else g for g in group]
    return [[i for i in range(n) if group[i] == g] for g in dict.fromkeys(group)]


LONGEST_REDUCTION = 5_000
"""Operations in all coefficients with symbols that are brought to normal form, before a closed form is given up."""


def reducer(roots: dict[Dummy, Expr]) -> Reduce:
    """A normal form for rational functions of the parameters and of the square roots ``roots`` (symbol -> radicand)."""

    work = 0

    def reduce(expr: Expr) -> Expr:
        nonlocal work
        if not expr.free_symbols:
            return cancel(expr)
        work += expr.count_ops()
        if work > LONGEST_REDUCTION:
            raise NoClosedForm("the formulas are too long to be written out")
        expr = together(expr)
        for g, radicand in roots.items():
            if g not in expr.free_symbols:
                continue
            top, bottom = (_linear_in(part, g, radicand) for part in fraction(expr))
            if bottom[1] == 0:
                expr = together((top[0] + top[1] * g) / bottom[0])
            else:  # multiply by the conjugate, so that one value has one form
                norm = bottom[0] ** 2 - bottom[1] ** 2 * radicand
                one = top[0] * bottom[0] - top[1] * bottom[1] * radicand
                root = top[1] * bottom[0] - top[0] * bottom[1]
                expr = cancel(one / norm) + cancel(root / norm) * g
        return cancel(expr) if not any(g in expr.free_symbols for g in roots) else expr.expand()

    return reduce


def _linear_in(expr: Expr, g: Dummy, radicand: Expr) -> tuple[Expr, Expr]:
    """``(a, b)`` with ``expr = a + b g`` once ``g^2`` is ``radicand``."""
    a, b = ZERO, ZERO
    for (power,), coefficient in Poly(expr, g).terms():
        if power % 2:
            b += coefficient * radicand ** (power // 2)
        else:
            a += coefficient * radicand ** (power // 2)
    return a, b


def eigenvalues(matrix: Matrix, sign: Sign, roots: dict[Dummy, Expr]) -> list[Eigenvalue]:
    """Exact eigenvalues from the factored characteristic polynomial; new square roots are added to ``roots``."""
    found: list[Eigenvalue] = []
    for coefficients, multiplicity in _factors(matrix):
        if len(coefficients) == 2:
            found.append(Eigenvalue(cancel(-coefficients[1] / coefficients[0]), ZERO, multiplicity))
        elif len(coefficients) == 3:
            c2, c1, c0 = coefficients
            centre, quarter = cancel(-c1 / (2 * c2)), cancel((c1**2 - 4 * c0 * c2) / (4 * c2**2))
            nature = sign(quarter)
            if nature is None:
                raise NoClosedForm("whether two eigenvalues are real depends on an undecided sign", quarter)
            if nature == 0:
                found.append(Eigenvalue(centre, ZERO, 2 * multiplicity))
                continue
            g = Dummy("g", real=True)
            roots[g] = cancel(nature * quarter)
            for side in (1, -1):
                re, im = (centre + side * g, ZERO) if nature > 0 else (centre, side * g)
                found.append(Eigenvalue(re, im, multiplicity))
        else:
            raise NoClosedForm(
                f"an eigenvalue is a root of an irreducible polynomial of degree {len(coefficients) - 1}"
            )
    return found


def _factors(matrix: Matrix) -> list[tuple[list[Expr], int]]:
    """The factors of the characteristic polynomial as coefficients, highest first, with their multiplicities.

    Where a coefficient is no rational function of the parameters (``1/sqrt(a)``), up to degree two it is taken whole.
    """
    lam = Dummy("lambda")
    coefficients = matrix.charpoly().all_coeffs()  # charpoly renames the symbol it is given
    try:
        parts = factor_list(Poly(coefficients, lam).as_expr(), lam)[1]
        return [(Poly(part, lam).all_coeffs(), multiplicity) for part, multiplicity in parts]
    except PolynomialError:
        if len(coefficients) <= 3:
            return [(coefficients, 1)]
        raise NoClosedForm("the characteristic polynomial has coefficients that are no rational functions") from None


def exponential(matrix: Matrix, spectrum: list[Eigenvalue], reduce: Reduce) -> list[list[ExpPoly]]:
    """``e^{Mt}`` by Putzer's algorithm: ``sum_k r_{k+1}(t) P_k``, ``P_k = (M - l_k) P_{k-1}``, ``r_k' = l_k r_k +
    r_{k-1}``.
    """
    n = matrix.rows
    rates: list[Complex] = [(e.re, e.im) for e in spectrum for _ in range(e.multiplicity)]
    power: list[list[Complex]] = [[(ONE if i == j else ZERO, ZERO) for j in range(n)] for i in range(n)]
    r = ExpPoly.exponential(rates[0], reduce)
    empty = ExpPoly({}, reduce)
    total = [[empty for _ in range(n)] for _ in range(n)]
    for k, rate in enumerate(rates):
        if k:
            r = r.convolve_exponential(rate)
        total = [[total[i][j] + r.scale(power[i][j]) for j in range(n)] for i in range(n)]
        power = [[_entry(matrix, power, rate, i, j, reduce) for j in range(n)] for i in range(n)]
    return total


def _entry(matrix: Matrix, power: list[list[Complex]], rate: Complex, i: int, j: int, reduce: Reduce) -> Complex:
    """Entry ``(i, j)`` of ``(M - l) P``."""
    re = sum((matrix[i, k] * power[k][j][0] for k in range(matrix.rows)), ZERO)
    im = sum((matrix[i, k] * power[k][j][1] for k in range(matrix.rows)), ZERO)
    a, b = power[i][j]
    return reduce(re - rate[0] * a + rate[1] * b), reduce(im - rate[0] * b - rate[1] * a)


@dataclass(frozen=True)
class LinearBlock:
    """The solved block of coordinates ``index``: every matrix in functions of time.

    ``backward`` is ``e^{-At}``, ``gramian`` is ``W(t)``, ``precision`` its inverse; ``limit`` holds the terms of the
    Gramian
    that do not depend on time, which is ``W(oo)`` when every eigenvalue has a positive real part.
    """

    index: tuple[int, ...]
    spectrum: tuple[Eigenvalue, ...]
    backward: Square
    gramian: Square
    precision: Square
    limit: Square


MAX_BLOCK = 4
"""The largest block of coupled coordinates whose Gramian is inverted symbolically."""


def solve_block(a: Matrix, noise: Matrix, index: list[int], t: Symbol, sign: Sign) -> LinearBlock:
    """Solve ``dX = AX dt + B dW`` on one block, ``noise = BB^T``.

    Raises :class:`NoClosedForm` where an eigenvalue cannot be written, the sign of a discriminant is not decided, or
    the block is
    larger than ``MAX_BLOCK``.
    """
    if len(index) > MAX_BLOCK:
        raise NoClosedForm(
            f"a block of {len(index)} coupled coordinates is too large to invert symbolically (at most {MAX_BLOCK})"
        )
    try:
        return _solved(a, noise, index, t, sign)
    except PolynomialError as error:  # a coefficient that the reduction modulo square roots does not reach
        raise NoClosedForm("the coefficients are not reduced to a normal form") from error


def _solved(a: Matrix, noise: Matrix, index: list[int], t: Symbol, sign: Sign) -> LinearBlock:
    block, covariance = a.extract(index, index), noise.extract(index, index)
    roots: dict[Dummy, Expr] = {}
    spectrum = eigenvalues(block, sign, roots)
    reduce = reducer(roots)
    # e^{-At} is real: the imaginary parts cancel in conjugate pairs, and dropping them is checked by the rule's ODE
    backward = exponential(-block, [Eigenvalue(-e.re, -e.im, e.multiplicity) for e in spectrum], reduce)
    gramian = _gramian(backward, covariance, reduce)
    values = {g: sqrt(radicand) for g, radicand in roots.items()}

    def text(f: ExpPoly) -> Expr:
        return f.real(t).xreplace(values)

    def still(f: ExpPoly) -> Expr:
        return f.terms.get((0, ZERO, ZERO), (ZERO, ZERO))[0].xreplace(values)

    return LinearBlock(
        tuple(index),
        tuple(Eigenvalue(e.re.xreplace(values), e.im.xreplace(values), e.multiplicity) for e in spectrum),
        tuple(tuple(text(e) for e in row) for row in backward),
        tuple(tuple(text(e) for e in row) for row in gramian),
        tuple(tuple(e.xreplace(values) for e in row) for row in _inverse(gramian, t)),
        tuple(tuple(still(e) for e in row) for row in gramian),
    )


def _gramian(backward: list[list[ExpPoly]], covariance: Matrix, reduce: Reduce) -> list[list[ExpPoly]]:
    """``int_0^t e^{-As} N e^{-A^T s} ds``, symmetric."""
    n = len(backward)
    result = [[ExpPoly({}, reduce) for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(i, n):
            entry = ExpPoly({}, reduce)
            for k in range(n):
                for m in range(n):
                    if covariance[k, m] != 0:
                        entry = entry + (backward[i][k] * backward[j][m]).scale((covariance[k, m], ZERO))
            result[i][j] = result[j][i] = entry.integral()
    return result


def _determinant(matrix: list[list[ExpPoly]]) -> ExpPoly:
    """Cofactors along the first row: exact, without a division."""
    if len(matrix) == 1:
        return matrix[0][0]
    total = ExpPoly({}, matrix[0][0].reduce)
    for j, head in enumerate(matrix[0]):
        if head.terms:
            minor = _determinant([row[:j] + row[j + 1 :] for row in matrix[1:]])
            total = total + (head * minor).scale((Integer((-1) ** j), ZERO))
    return total


def _inverse(matrix: list[list[ExpPoly]], t: Symbol) -> Square:
    """Adjugate over determinant; common factors are cancelled where the entries are exponentials only."""
    n = len(matrix)
    if n == 1:
        return ((_quotient(None, matrix[0][0], t),),)
    determinant = _determinant(matrix)
    rows = [[ZERO] * n for _ in range(n)]
    for i in range(n):
        for j in range(i, n):
            minor = _determinant([[matrix[r][c] for c in range(n) if c != i] for r in range(n) if r != j])
            rows[i][j] = rows[j][i] = _quotient(minor.scale((Integer((-1) ** (i + j)), ZERO)), determinant, t)
    return tuple(tuple(row) for row in rows)


def _quotient(top: ExpPoly | None, bottom: ExpPoly, t: Symbol) -> Expr:
    value = (ONE if top is None else top.real(t)) / bottom.real(t)
    oscillates = any(b != 0 for f in (top, bottom) if f is not None for (_, _, b) in f.terms)
    return settled(factor_terms(value if oscillates else normal(value)))
