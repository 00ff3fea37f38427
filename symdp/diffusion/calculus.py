"""The calculus of ``L = <u, grad> + (1/2) v v^T : Hess``, in any dimension.

``G = (1/2) v v^T`` is the matrix of the carre du champ: ``Gamma(f, g) = <grad f, G grad g> = (1/2) <v^T grad f, v^T
grad g>``,
and ``L f = <u, grad f> + G : Hess f``. The functions of this module are exact; none needs a hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement, count

from sympy import Abs, Add, Expr, Matrix, Max, Min, Symbol, sign, sqrt

from symdp.decide import is_zero, normal
from symdp.diffusion.process import Diffusion
from symdp.text import symbol


def generator(process: Diffusion, f: Expr) -> Expr:
    """``L f = <u, grad f> + (1/2) v v^T : Hess f`` (Balle et al. 2019, section 5)."""
    x, noise = process.state, process.noise
    first = [u * f.diff(s) for u, s in zip(process.drift, x, strict=True)]
    second = [noise[i, j] * f.diff(x[i], x[j]) / 2 for i in range(len(x)) for j in range(len(x))]
    return Add(*first, *second)


def carre_du_champ(process: Diffusion, f: Expr, g: Expr | None = None) -> Expr:
    """``Gamma(f, g) = (L(fg) - f Lg - g Lf)/2 = (1/2) <v^T grad f, v^T grad g>``; ``Gamma(f)`` with one argument."""
    left = Matrix([f.diff(s) for s in process.state])
    right = left if g is None else Matrix([g.diff(s) for s in process.state])
    return (left.T * process.noise * right)[0, 0] / 2


def adjoint(process: Diffusion, p: Expr) -> Expr:
    """``L* p = -div(u p) + (1/2) sum_ij d_i d_j ((v v^T)_ij p)``, the Fokker-Planck operator for Lebesgue densities."""
    x, noise = process.state, process.noise
    first = [-(u * p).diff(s) for u, s in zip(process.drift, x, strict=True)]
    second = [(noise[i, j] * p).diff(x[i], x[j]) / 2 for i in range(len(x)) for j in range(len(x))]
    return Add(*first, *second)


HIGHEST_ORDER = 3
"""The highest derivative that a jet is needed for (Gamma_2)."""


def _jet_names(state: tuple[Symbol, ...], function: str) -> Iterator[dict[tuple[int, ...], str]]:
    """Namings of all jets, the plainest first; each gives different jets different names."""
    orders = range(HIGHEST_ORDER + 1)
    indices = [index for n in orders for index in combinations_with_replacement(range(len(state)), n)]
    for prefix in chain([function], (f"{function}{k}" for k in count())):
        for parts, between in (([s.name for s in state], ""), ([str(i + 1) for i in range(len(state))], "_")):
            names = {i: prefix + ("_" + between.join(parts[k] for k in i) if i else "") for i in indices}
            if len(set(names.values())) == len(names):
                yield names


class Jets:
    """Symbols for an unknown function and its derivatives: ``f``, ``f_x``, ``f_xx``, ..., with the total derivative.

    Working with jets keeps Gamma_2 a polynomial; with an undefined function sympy differentiates thousands of applied
    derivatives. ``taken`` holds the symbols that a coefficient uses: a jet is never one of them.
    """

    def __init__(self, state: Sequence[Symbol], order: int, function: str = "f", taken: Iterable[Symbol] = ()) -> None:
        self.state = tuple(state)
        used = {s.name for s in (*state, *taken)}
        names = next(n for n in _jet_names(self.state, function) if not used.intersection(n.values()))
        self.names = {index: symbol(name) for index, name in names.items() if len(index) <= order}

    def __getitem__(self, index: Sequence[int]) -> Symbol:
        return self.names[tuple(sorted(index))]

    def total_derivative(self, expr: Expr, i: int) -> Expr:
        """``D_i`` of an expression of the state and of the jets below the top order."""
        parts = [expr.diff(self.state[i])]
        for index, jet in self.names.items():
            if jet in expr.free_symbols:
                parts.append(expr.diff(jet) * self[(*index, i)])
        return Add(*parts)


def _jets(process: Diffusion, order: int) -> Jets:
    return Jets(process.state, order, taken=process.params.symbols)


def generator_jet(process: Diffusion) -> Expr:
    """``L f`` written in the jets ``f_x``, ``f_xx``, ...: what the engine prints."""
    jets, noise, n = _jets(process, 2), process.noise, process.dimension
    return Add(
        *[u * jets[(i,)] for i, u in enumerate(process.drift)],
        *[noise[i, j] * jets[(i, j)] / 2 for i in range(n) for j in range(n)],
    )


def carre_du_champ_jet(process: Diffusion) -> Expr:
    """``Gamma(f)`` written in the jets."""
    jets, noise, n = _jets(process, 1), process.noise, process.dimension
    return Add(*[noise[i, j] * jets[(i,)] * jets[(j,)] / 2 for i in range(n) for j in range(n)])


def iterated_carre_du_champ(process: Diffusion) -> Expr:
    """``Gamma_2(f) = (L Gamma(f) - 2 Gamma(f, L f))/2``, a quadratic form in the jets of order one and two."""
    n, noise = process.dimension, process.noise
    jets = _jets(process, 3)
    gamma = carre_du_champ_jet(process)
    image = generator_jet(process)
    first = [jets.total_derivative(gamma, i) for i in range(n)]
    of_gamma = Add(
        *[u * first[i] for i, u in enumerate(process.drift)],
        *[noise[i, j] * jets.total_derivative(first[i], j) / 2 for i in range(n) for j in range(n)],
    )
    mixed = Add(*[noise[i, j] * jets[(i,)] * jets.total_derivative(image, j) / 2 for i in range(n) for j in range(n)])
    return (of_gamma / 2 - mixed).expand()


def slope_parts(process: Diffusion) -> dict[Expr, Matrix]:
    """``S = sum_f f M_f`` for constant noise: constant matrices, by the functions of the state that the slopes of the
    drift are sums of (a logistic posterior has one for each observation, with a matrix of rank one).
    """
    n, x, g = process.dimension, process.state, process.noise / 2
    slopes: dict[Expr, Matrix] = {}
    for i, u in enumerate(process.drift):
        for j, s in enumerate(x):
            for term in Add.make_args(u.diff(s)):
                coefficient, function = term.as_independent(*x, as_Add=False)
                slopes.setdefault(function, Matrix.zeros(n, n))[i, j] += coefficient
    return {f: -(g * m.T + m * g) / 2 for f, m in slopes.items()}


def connection(process: Diffusion) -> tuple[Matrix, ...]:
    """``M_a = (1/2)(G_im d_m G_ja + G_jm d_m G_ia - G_am d_m G_ij)``: what ``Gamma_2`` adds to the Hessian.

    With ``C(p) = sum_a p_a G^{-1} M_a G^{-1}`` (minus the Christoffel symbols) the covariant Hessian is ``h + C(p)``.
    """
    n, x, g = process.dimension, process.state, process.noise / 2
    slope = [
        [[Add(*[g[i, m] * g[j, k].diff(x[m]) for m in range(n)]) for k in range(n)] for j in range(n)] for i in range(n)
    ]  # slope[i][j][k] = G_im d_m G_jk
    return tuple(
        Matrix(n, n, lambda i, j, a=a: normal((slope[i][j][a] + slope[j][i][a] - slope[a][i][j]) / 2)) for a in range(n)
    )


def curvature_form(process: Diffusion) -> Matrix | None:
    """The least of ``Gamma_2`` over the Hessian, as a symmetric matrix S acting on ``grad f``: the Schur complement
    of its Hessian block.

    ``Gamma_2(f) = |G^{1/2} (h + C(p)) G^{1/2}|^2 + <p, S p>`` with p, h the gradient and Hessian of f and C of
    :func:`connection`, so ``Gamma_2(f) >= <p, S p>`` with equality for some Hessian (Bochner's formula: S is the
    Ricci form, minus the symmetric slope of the drift). None for degenerate noise.
    """
    n, x, g = process.dimension, process.state, process.noise / 2
    if is_zero(g.det()):
        return None
    slope = process.u.jacobian(Matrix(list(x)))
    form: Matrix = -(g * slope.T + slope * g) / 2
    if any(e.has(*x) for e in g):
        inverse = g.inv().applyfunc(normal)
        ricci = [(m * inverse).applyfunc(normal) for m in connection(process)]
        for a in range(n):
            for b in range(n):
                second = [g[i, j] * g[a, b].diff(x[i], x[j]) for i in range(n) for j in range(n)]
                first = [u * g[a, b].diff(s) for u, s in zip(process.drift, x, strict=True)]
                form[a, b] += Add(*second, *first) / 2 - (ricci[a] * ricci[b]).trace()
    return form.applyfunc(normal)


def bochner_defect(process: Diffusion) -> Expr:
    """``Gamma_2(f) - |G^{1/2} (h + C(p)) G^{1/2}|^2 - <p, S p>`` in jets, by the definition of Gamma_2: it is zero.

    The noise must not be degenerate.
    """
    n, g = process.dimension, process.noise / 2
    jets, form = _jets(process, 2), curvature_form(process)
    assert form is not None
    p = Matrix([jets[(i,)] for i in range(n)])
    h = Matrix(n, n, lambda i, j: jets[(i, j)])
    mixed = Matrix.zeros(n, n)
    for a, m in enumerate(connection(process)):
        mixed += p[a] * m
    covariant = g * h + mixed * g.inv()
    return iterated_carre_du_champ(process) - (covariant * covariant).trace() - (p.T * form * p)[0, 0]


def curvature(process: Diffusion) -> Expr | None:
    """The pointwise Bakry-Emery curvature: the largest k(x) with ``Gamma_2(f) >= k Gamma(f)`` at x for every f.

    In one dimension ``k = -u' + u v'/v + v v''/2``; in R^d the least root of ``det(S - k G) = 0`` with S of
    :func:`curvature_form`. None where the noise is degenerate, a coefficient has a kink, or no root has a closed form
    that is known to be the least.
    """
    if any(e.has(*_KINKED) for e in (*process.drift, *process.noise)):
        return None  # at a kink it is not a function
    if process.dimension == 1:
        return normal(curvature_1d(process))
    form = curvature_form(process)
    if form is None:
        return None
    matrix = ((process.noise / 2).inv() * form).applyfunc(normal)
    n = process.dimension
    if all(matrix[i, j] == 0 for i in range(n) for j in range(n) if i != j):
        diagonal = [matrix[i, i] for i in range(n)]
        return diagonal[0] if len(set(diagonal)) == 1 else minimum(diagonal)
    if n == 2:  # the roots are real: S is symmetric and G positive
        (a, b), (c, d) = matrix.tolist()
        return normal((a + d) / 2) - sqrt(normal((a - d) ** 2 / 4 + b * c))
    return None


_KINKED = (Abs, sign, Min, Max)


def symmetric_sums(matrix: Matrix) -> list[Expr]:
    """The elementary symmetric functions of the eigenvalues: sums of the principal minors of each size.

    A symmetric matrix has no negative eigenvalue iff none of them is negative.
    """
    n = matrix.rows
    subsets = [list(combinations(range(n), k)) for k in range(1, n + 1)]
    return [Add(*[_determinant(matrix.extract(list(c), list(c)).tolist()) for c in same]) for same in subsets]


def _determinant(rows: list[list[Expr]]) -> Expr:
    """By the first row, and nothing simplified: what simplifies may run away."""
    if len(rows) == 1:
        return rows[0][0]
    minors = ([row[:j] + row[j + 1 :] for row in rows[1:]] for j in range(len(rows)))
    return Add(
        *[(-1) ** j * e * _determinant(m) for j, (e, m) in enumerate(zip(rows[0], minors, strict=True)) if e != 0]
    )


def minimum(values: Sequence[Expr]) -> Expr:
    """The least of several expressions, written with ``abs``."""
    result = values[0]
    for value in values[1:]:
        result = (result + value - abs(result - value)) / 2
    return result


def maximum(values: Sequence[Expr]) -> Expr:
    """The largest of several expressions, written with ``abs``."""
    return -minimum([-v for v in values])


# --- one dimension, in the original coordinate: D = (v/sqrt2) d/dx is the derivative in the unit coordinate ---------


def unit_derivative(process: Diffusion, f: Expr) -> Expr:
    """``D f = (v/sqrt 2) f'``: the derivative in the coordinate in which ``Gamma(f) = (Df)^2``."""
    v, (x,) = process.v, process.state
    return v * f.diff(x) / sqrt(2)


def unit_drift(process: Diffusion) -> Expr:
    """``b = sqrt2 u/v - v'/sqrt2``, so that ``L = D^2 + b D``."""
    (u,), v, (x,) = process.drift, process.v, process.state
    return sqrt(2) * u / v - v.diff(x) / sqrt(2)


def curvature_1d(process: Diffusion) -> Expr:
    """``K = -u' + u v'/v + v v''/2 = -D b``."""
    (u,), v, (x,) = process.drift, process.v, process.state
    return -u.diff(x) + u * v.diff(x) / v + v * v.diff(x, 2) / 2


def potential(process: Diffusion) -> Expr:
    """The Schrodinger potential ``q = b^2/4 + (D b)/2``: ``L = h^{-1} (D^2 - q) h`` with ``D log h = b/2``."""
    b = unit_drift(process)
    return b**2 / 4 + unit_derivative(process, b) / 2
