"""Proposals for linear SDEs whose coefficients depend on the time: ``E' = -E A``, ``W' = E v v^T E^T`` in closed form.

E is found coordinate by coordinate where A is diagonal, and for ``A = a(t) A0`` as ``e^{-A0 tau}`` at ``tau = int_0^t
a``. Nothing here is trusted: ``rules.schedules`` checks what is proposed.
"""

from __future__ import annotations

from sympy import Add, Dummy, Expr, Integer, Matrix, Mul, exp, eye, factor_terms, sqrt

from symdp.decide import Proved, decide, normal
from symdp.decide import sign as decided_sign
from symdp.diffusion.antiderivatives import from_zero
from symdp.diffusion.linear import Eigenvalue, NoClosedForm, components, eigenvalues, exponential, reducer
from symdp.diffusion.process import Diffusion
from symdp.diffusion.stated import TIME
from symdp.region import Region
from symdp.text import definedness
from symdp.text.constants import settled

Rows = tuple[tuple[Expr, ...], ...]

LARGEST_INVERSE = 400
"""The most operations in a covariance of coupled coordinates that is inverted symbolically."""


def solve(process: Diffusion, parameters: Region) -> dict[str, Rows]:
    """``backward`` E, ``gramian`` W and its inverse ``precision``, for the parameters of a region.

    Raises :class:`NoClosedForm` where one of them has none, or one that does not hold for all of them.
    """
    times, n = process.params.extend({TIME: process.times}), process.dimension
    a, noise = process.u.jacobian(Matrix(list(process.state))).applyfunc(normal), process.noise.applyfunc(normal)
    backward, gramian, precision = eye(n), Matrix.zeros(n, n), Matrix.zeros(n, n)
    for index in components(a, noise):
        block, of_noise = a.extract(index, index), noise.extract(index, index)
        solution = _propagator(block, times)
        covariance = Matrix.zeros(len(index), len(index))
        integrand = solution * of_noise * solution.T
        for i in range(len(index)):
            for j in range(i + 1):
                hint = solution[i, i] * solution[j, j] if block.is_diagonal() else None
                value = from_zero(gathered(integrand[i, j]), times, hint)
                if value is None:
                    raise NoClosedForm("no closed form of the covariance was found: an integral of the noise schedule")
                covariance[i, j] = covariance[j, i] = value
        _check_parameters([*solution, *covariance], parameters)
        for source, target in ((solution, backward), (covariance, gramian), (_inverse(covariance), precision)):
            for i, row in enumerate(index):
                for j, column in enumerate(index):
                    target[row, column] = source[i, j]
    return {"backward": rows(backward), "gramian": rows(gramian), "precision": rows(precision)}


def _check_parameters(formulas: list[Expr], parameters: Region) -> None:
    """Raise where closed forms do not hold for all parameters: before they are inverted, which may take long."""
    for relation in dict.fromkeys(r for e in formulas for r in definedness(e) if TIME not in r.free_symbols):
        if not isinstance(decide(relation, parameters), Proved):
            remedy = "declare it with --param, or give values with --at"
            raise NoClosedForm(f"the closed form of the covariance holds only where {relation}: {remedy}")


def _inverse(matrix: Matrix) -> Matrix:
    """Cofactors over the determinant, nothing simplified on the way."""
    n = matrix.rows
    determinant = _determinant(matrix)
    if sum(e.count_ops() for e in matrix) > LARGEST_INVERSE:
        raise NoClosedForm("the covariance is too long to be inverted")

    def entry(i: int, j: int) -> Expr:
        cofactor = (-1) ** (i + j) * _determinant(matrix.minor_submatrix(j, i)) if n > 1 else Integer(1)
        return settled(factor_terms(normal(cofactor / determinant)))

    return Matrix(n, n, entry)


def _determinant(matrix: Matrix) -> Expr:
    if matrix.rows == 1:
        return matrix[0, 0]
    parts = [(-1) ** j * matrix[0, j] * _determinant(matrix.minor_submatrix(0, j)) for j in range(matrix.cols)]
    return Add(*parts)


def gathered(e: Expr) -> Expr:
    """Products of exponentials as one exponential each."""
    terms = []
    for term in Add.make_args(e):
        factors = Mul.make_args(term.powsimp())
        exponent = Add(*[f.args[0] for f in factors if isinstance(f, exp)])
        terms.append(Mul(*[f for f in factors if not isinstance(f, exp)]) * exp(exponent))
    return Add(*terms)


def _propagator(a: Matrix, times: Region) -> Matrix:
    """``E`` with ``E' = -E A``: coordinate by coordinate, or of ``A = a(t) A0`` the exponential at ``int_0^t a``."""
    n = a.rows
    if a.is_diagonal():
        return Matrix(n, n, lambda i, j: exp(-_total(a[i, i], times)) if i == j else Integer(0))
    first = next(e for e in a if e != 0)
    rate = first.as_independent(TIME, as_Add=False)[1] if TIME in first.free_symbols else Integer(1)
    still = a.applyfunc(lambda e: normal(e / rate, times))
    if any(TIME in e.free_symbols for e in still):
        raise NoClosedForm("the drift couples coordinates in a way that changes with the time")
    clock = _total(rate, times)
    squares: dict[Dummy, Expr] = {}
    spectrum = eigenvalues(still, lambda e: decided_sign(e, times), squares)
    minus = [Eigenvalue(-e.re, -e.im, e.multiplicity) for e in spectrum]
    values = {g: sqrt(square) for g, square in squares.items()}
    entries = [e.real(clock).xreplace(values) for row in exponential(-still, minus, reducer(squares)) for e in row]
    return Matrix(n, n, entries)


def _total(rate: Expr, times: Region) -> Expr:
    value = from_zero(rate, times)
    if value is None:
        raise NoClosedForm("no closed form of the drift's integral over the time was found")
    return value


def rows(matrix: Matrix) -> Rows:
    """A matrix as rules take it."""
    return tuple(tuple(matrix.row(i)) for i in range(matrix.rows))
