"""The closed Gramian of a linear SDE against a numerical integral of the matrix exponential, at another precision."""

import random

import pytest
from mpmath import MPContext
from sympy import Integer, Matrix, Rational, Symbol, sqrt

from symdp.diffusion.linear import MAX_BLOCK, NoClosedForm, components, solve_block

T = Symbol("t", real=True)


def sign_of(e):
    return bool(e.evalf(30) > 0) - bool(e.evalf(30) < 0) if e.is_number else None


def gramian_by_quadrature(a: Matrix, noise: Matrix, t, digits: int = 30):
    """``int_0^t e^{-As} N e^{-A^T s} ds`` by Gauss-Legendre on mpmath matrices."""
    mp = MPContext()
    mp.dps = digits
    n = a.rows
    am = mp.matrix([[mp.mpf(e.evalf(digits + 5)) for e in a.row(i)] for i in range(n)])
    nm = mp.matrix([[mp.mpf(e.evalf(digits + 5)) for e in noise.row(i)] for i in range(n)])

    def entry(i, j):
        def f(s):
            e = mp.expm(-am * s)
            return (e * nm * e.T)[i, j]

        return mp.quad(f, [0, mp.mpf(t) / 2, t])

    return mp, [[entry(i, j) for j in range(n)] for i in range(n)]


CASES = {
    "attracting": ([[-2]], [[3]]),
    "nilpotent": ([[0, 1], [0, 0]], [[0], [1]]),
    "underdamped": ([[0, 1], [-1, -1]], [[0], [1]]),
    "overdamped": ([[0, 1], [-1, -3]], [[0], [1]]),
    "critical": ([[0, 1], [-1, -2]], [[0], [1]]),
    "rotating": ([[-1, -2], [2, -1]], [[1, 0], [0, 1]]),
    "non-normal": ([[-1, 5], [0, -2]], [[1, 0], [0, 1]]),
    "repelling": ([[1, 1], [0, 2]], [[1, 0], [1, 1]]),
    "Jordan": ([[-1, 1, 0], [0, -1, 1], [0, 0, -1]], [[0], [0], [1]]),
    "irrational": ([[-1, 1], [1, -2]], [[1, 0], [0, 2]]),
    "centre": ([[0, -1], [1, 0]], [[1], [0]]),
}


@pytest.mark.parametrize("name", CASES)
def test_gramian_and_its_inverse(name: str) -> None:
    a, b = (Matrix(m) for m in CASES[name])
    noise = b * b.T
    (index,) = components(a, noise) if name != "repelling" else [[0, 1]]
    block = solve_block(a, noise, index, T, sign_of)
    t = Rational(3, 4)
    mp, expected = gramian_by_quadrature(a, noise, float(t))
    for i in range(a.rows):
        for j in range(a.rows):
            ours = mp.mpf(block.gramian[i][j].subs(T, t).evalf(35))
            assert abs(ours - expected[i][j]) < mp.mpf(10) ** -20
    product = Matrix(block.precision) * Matrix(block.gramian)
    identity = product.subs(T, t).evalf(30)
    assert max(abs(e) for e in (identity - Matrix.eye(a.rows))) < 1e-15


def test_random_matrices_keep_their_spectrum() -> None:
    rng = random.Random(7)
    seen = 0
    while seen < 12:
        a = Matrix(2, 2, lambda i, j: Rational(rng.randint(-4, 4), rng.randint(1, 3)))
        if components(a, Matrix.zeros(2, 2)) != [[0, 1]]:
            continue
        block = solve_block(a, Matrix.eye(2), [0, 1], T, sign_of)
        trace = sum((e.re * e.multiplicity for e in block.spectrum), Integer(0))
        assert (trace - a.trace()).simplify() == 0
        residual = Matrix(block.backward).diff(T) + a * Matrix(block.backward)
        assert max(abs(e.subs(T, Rational(2, 5)).evalf(30)) for e in residual) < 1e-20
        seen += 1


def test_blocks_are_the_connected_coordinates() -> None:
    a = Matrix([[1, 0, 2], [0, 3, 0], [0, 0, 1]])
    assert components(a, Matrix.zeros(3, 3)) == [[0, 2], [1]]
    assert components(a, Matrix([[1, 1, 0], [1, 1, 0], [0, 0, 1]])) == [[0, 1, 2]]


def test_undecided_discriminant_and_high_degree_are_refused() -> None:
    g, k = Symbol("g", real=True), Symbol("k", real=True)
    with pytest.raises(NoClosedForm) as caught:
        solve_block(Matrix([[0, 1], [-k, -g]]), Matrix([[0, 0], [0, 1]]), [0, 1], T, lambda e: None)
    assert caught.value.undecided is not None
    cubic = Matrix([[0, 1, 0], [0, 0, 1], [-1, -1, -3]])
    with pytest.raises(NoClosedForm, match="degree 3"):
        solve_block(cubic, Matrix.eye(3), [0, 1, 2], T, sign_of)
    with pytest.raises(NoClosedForm, match="too large"):
        solve_block(Matrix.eye(MAX_BLOCK + 1), Matrix.eye(MAX_BLOCK + 1), list(range(MAX_BLOCK + 1)), T, sign_of)


def test_square_roots_are_rationalised() -> None:
    a = Matrix([[-1, 1], [1, -2]])
    block = solve_block(a, Matrix.eye(2), [0, 1], T, sign_of)
    assert {e.re for e in block.spectrum} == {Rational(-3, 2) + sqrt(5) / 2, Rational(-3, 2) - sqrt(5) / 2}
