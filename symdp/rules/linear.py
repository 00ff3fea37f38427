"""Linear SDEs in R^d: ``dX = (AX + c) dt + B dW`` with constant A, c, B.

``W(t) = int_0^t e^{-As} B B^T e^{-A^T s} ds`` is the Gramian, ``z = x - x'`` and ``P = W^{-1}``.
The source of the Gaussian kernel is Balle et al. 2019, section 5, for the Ornstein-Uhlenbeck process; the general
form is
variation of constants. The divergence of two Gaussian laws of one covariance is ``(alpha/2) z^T P z`` (van Erven and
Harremoes 2014, section II).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Dummy, Expr, Integer, Matrix, Poly, diff, eye

from symdp.citations import Citation
from symdp.decide import sign
from symdp.diffusion.linear import components
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import Divergence, GaussianKernel, HeatFlow, LimitDivergence, Merging
from symdp.region import Interval
from symdp.rule import Rule, register
from symdp.rules.conditions import (
    ALPHA,
    TIME,
    holds,
    homogeneous,
    linear_coefficients,
    one_process,
    pair_region,
    regularity,
    smooth,
    starts,
    time_region,
    vanishes,
)
from symdp.text import Relation
from symdp.text.control import kalman_determinants

Params = Mapping[str, Any]


def matrix(rows: Any) -> Matrix:
    """A sympy matrix from a tuple of rows."""
    return Matrix([list(row) for row in rows])


def linear_part(process: Diffusion) -> Matrix:
    """``A = Du``, constant for a linear drift."""
    return process.u.jacobian(Matrix(list(process.state)))


def blocks(process: Diffusion) -> list[list[int]]:
    """The blocks of coordinates that neither drift nor noise couples."""
    return components(linear_part(process), process.noise)


def displacement(process: Diffusion) -> Matrix:
    """``z = x - x'`` as a column."""
    x, xp = starts(process)
    return Matrix([a - b for a, b in zip(x, xp, strict=True)])


# --- the kernel -----------------------------------------------------------------------------------------------------


def _kernel_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, backward, gramian = params["process"], matrix(params["backward"]), matrix(params["gramian"])
    a, noise, state = linear_part(process), process.noise, process.state
    yield Condition("whole space", "the domain is the whole space", "whole space", (process,))
    yield from regularity(process)
    yield from linear_coefficients(process)
    times = process.params.extend({TIME: Interval.nonnegative()})
    yield from smooth("solution", [*backward, *gramian], times, [TIME])
    start = {TIME: Integer(0)}
    ode = (diff(backward, TIME) + a * backward).expand()
    yield vanishes(
        "exponential", "E' = -A E, E(0) = 1: E is exp(-At)", [*ode, *(backward.subs(start) - eye(len(state)))], times
    )
    # expanded, so that exponentials of one rate meet whatever the rates are
    growth = (diff(gramian, TIME) - backward * noise * backward.T).expand()
    yield vanishes("Gramian", "W' = E v v^T E^T, W(0) = 0", [*growth, *gramian.subs(start)], times)
    for block in blocks(process):
        yield controllable(process, block, a, noise)
    product = matrix(params["precision"]) * gramian - eye(len(state))
    yield vanishes("inverse", "P W = 1: P is the inverse of the Gramian", product, time_region(process))


def controllable(process: Diffusion, block: list[int], a: Matrix, noise: Matrix) -> Condition:
    """Kalman's rank condition for a block of coordinates, by the first determinant that is seen to be positive."""
    determinant: Expr = Integer(0)
    for determinant in kalman_determinants(a.extract(block, block), noise.extract(block, block)):
        if sign(determinant, process.params) == 1:
            break
    names = ", ".join(process.state[i].name for i in block)
    statement = f"the noise reaches every direction of ({names}), by Kalman's rank condition"
    return holds(f"controllable: {names}", Relation(determinant, ">"), process.params, statement)


def _kernel(_: tuple[Any, ...], params: Params) -> GaussianKernel:
    """``P_t(x) = N(e^{At} x + m(t), e^{At} W e^{A^T t})``, ``W = int_0^t e^{-As} v v^T e^{-A^T s} ds``."""
    return GaussianKernel(params["process"], params["backward"], params["gramian"], params["precision"])


register(
    Rule(
        id="linear-kernel",
        title="Gaussian kernel of a linear SDE",
        citation=Citation(
            "balle2019", "section 5", "the Ornstein-Uhlenbeck kernel; in general by variation of constants"
        ),
        premises=(),
        conditions=_kernel_conditions,
        conclude=_kernel,
        tightness="exact",
    )
)

# --- its divergence -------------------------------------------------------------------------------------------------


def nothing(_: tuple[Any, ...], __: Params) -> Iterator[Condition]:
    """The conditions of a rule whose premises say it all."""
    return iter(())


def _divergence(premises: tuple[Any, ...], _: Params) -> Divergence:
    """``R_alpha = (alpha/2) z^T P z``, ``z = x - x'``, ``P = W^{-1}``."""
    (kernel,) = premises
    z = displacement(kernel.process)
    return Divergence(kernel.process, quadratic(ALPHA / 2 * matrix(kernel.precision), z), pair_region(kernel.process))


def quadratic(form: Matrix, z: Matrix) -> Expr:
    """``z^T M z`` of a symmetric matrix, each product once; a multiple of the identity gives ``m |z|^2``."""
    n = form.rows
    total: Expr = Integer(0)
    for i in range(n):
        total += form[i, i] * z[i] ** 2
        for j in range(i):
            total += 2 * form[i, j] * z[i] * z[j]
    return total


register(
    Rule(
        id="gaussian-divergence",
        title="Renyi divergence of a Gaussian kernel",
        citation=Citation("vanerven2014", "section II", "Gaussian laws of one covariance"),
        premises=(GaussianKernel,),
        conditions=nothing,
        conclude=_divergence,
        tightness="exact",
    )
)

# --- merging and the limit ------------------------------------------------------------------------------------------


def _spectrum(process: Diffusion, spectrum: Any) -> Iterator[Condition]:
    """``det(s - A) = prod (s - l)`` over the listed ``(re, im, multiplicity)``; of a conjugate pair one is listed."""
    yield from homogeneous(*process.drift, *process.noise)
    s = Dummy("s")
    a = linear_part(process)
    listed: Expr = Integer(1)
    for re, im, multiplicity in spectrum:
        listed *= ((s - re) if im == 0 else ((s - re) ** 2 + im**2)) ** multiplicity
    characteristic = (s * eye(a.rows) - a).det(method="berkowitz")
    coefficients = Poly(characteristic - listed, s).all_coeffs()
    yield vanishes("spectrum", "the characteristic polynomial has the listed roots", coefficients, process.params)


def _merging_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = premises[0].process
    yield from _spectrum(process, params["spectrum"])
    for k, (re, _, _) in enumerate(params["spectrum"]):
        yield holds(
            f"eigenvalue {k + 1}",
            Relation(-re, ">="),
            process.params,
            "no eigenvalue of the drift has a positive real part",
        )


def merging(premises: tuple[Any, ...], _: Params) -> Merging:
    """``TV(P_t(x), P_t(x')) -> 0``: the process of the kernel forgets its start."""
    return Merging(premises[0].process)


register(
    Rule(
        # A controllable pair with no eigenvalue in the open right half plane: e^{-As} z does not decay, so by
        # observability the Gramian grows without bound in every direction, and (alpha/2) z^T W^{-1} z -> 0.
        id="merging-linear",
        title="Merging of a linear SDE whose drift repels nowhere",
        citation=Citation("balle2019", "section 5", "Hurwitz or vanishing linear part, or in between"),
        premises=(GaussianKernel,),
        conditions=_merging_conditions,
        conclude=merging,
        tightness="exact",
    )
)


def _repelling_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = premises[0].process
    yield from _spectrum(process, params["spectrum"])
    for k, (re, _, _) in enumerate(params["spectrum"]):
        yield holds(
            f"eigenvalue {k + 1}",
            Relation(re, ">"),
            process.params,
            "every eigenvalue of the drift has a positive real part",
        )
    yield from limit_of_the_gramian(process, linear_part(process), process.noise, params)


def limit_of_the_gramian(process: Diffusion, a: Matrix, noise: Matrix, params: Params) -> Iterator[Condition]:
    """``params["limit"]`` is ``W(oo)`` of a drift that repels everywhere, and ``params["precision"]`` its inverse."""
    limit, precision = matrix(params["limit"]), matrix(params["precision"])
    lyapunov = a * limit + limit * a.T - noise
    yield vanishes("Lyapunov", "A W + W A^T = v v^T: W is the limit of the Gramian", lyapunov, process.params)
    yield vanishes("inverse", "P W = 1", precision * limit - eye(a.rows), process.params)


def repelling_limit(premises: tuple[Any, ...], params: Params) -> LimitDivergence:
    """``R_alpha(oo) = (alpha/2) z^T W(oo)^{-1} z``."""
    process = premises[0].process
    return LimitDivergence(process, quadratic(ALPHA / 2 * matrix(params["precision"]), displacement(process)))


register(
    Rule(
        id="limit-linear-repelling",
        title="Limit divergence of a linear SDE whose drift repels everywhere",
        citation=Citation("vanerven2014", "section II", "Gaussian laws of one covariance"),
        premises=(GaussianKernel,),
        conditions=_repelling_conditions,
        conclude=repelling_limit,
        tightness="exact",
    )
)

# --- kappa and Lambda -----------------------------------------------------------------------------------------------


def same_process(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    """The one condition of a kernel and a limit."""
    kernel, limit = premises
    yield one_process(kernel.process, limit.process)


def _flow(premises: tuple[Any, ...], _: Params) -> HeatFlow:
    """``kappa = p^T v v^T p/2``, ``Lambda = z^T P z/2`` less its limit: ``log p_t(x, .)/p_t(x', .)`` is affine with
    gradient ``p = e^{-A^T t} P z``, so kappa does not depend on y.
    """
    kernel, limit = premises
    process, precision, backward = kernel.process, matrix(kernel.precision), matrix(kernel.backward)
    z = displacement(process)
    kappa = quadratic(process.noise / 2, backward.T * precision * z)
    return HeatFlow(process, kappa, quadratic(precision / 2, z) - limit.value / ALPHA, pair_region(process))


register(
    Rule(
        id="heat-flow-linear",
        title="kappa and Lambda of a linear SDE",
        citation=Citation("balle2019", "Theorem 6, Example 5, Corollary 7", "kappa and Lambda, for Gaussian kernels"),
        premises=(GaussianKernel, LimitDivergence),
        conditions=same_process,
        conclude=_flow,
        tightness="exact",
    )
)
