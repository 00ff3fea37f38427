"""Linear SDEs in R^d whose matrix exponential has no closed form: bounds through the control energy.

``dX = (AX + c) dt + B dW`` has the law ``N(e^{At} x + m(t), e^{At} W(t) e^{A^T t})`` with the Gramian ``W(t) = int_0^t
e^{-As} B B^T e^{-A^T s} ds`` (variation of constants), so that with ``z = x - x'``

    R_alpha(P_t(x) || P_t(x')) = (alpha/2) z^T W(t)^{-1} z = (alpha/2) control_energy(t, A, BB^T, z).

``control_energy`` is a function of our grammar; nothing is solved here, so no eigenvalue is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, Matrix, sqrt

from symdp.citations import Citation
from symdp.diffusion import calculus
from symdp.diffusion.linear import components
from symdp.evidence import Condition
from symdp.judgments import ControllableKernel, Divergence, GaussianDP, HeatFlow, LimitDivergence, RenyiDP
from symdp.rule import Rule, register
from symdp.rules.conditions import (
    ALPHA,
    DELTA,
    TIME,
    holds,
    homogeneous,
    linear_coefficients,
    pair_region,
    regularity,
    vanishes,
)
from symdp.rules.linear import (
    controllable,
    displacement,
    limit_of_the_gramian,
    linear_part,
    matrix,
    merging,
    nothing,
    repelling_limit,
    same_process,
)
from symdp.rules.neighbours import RELATION, starts_region
from symdp.text import Relation
from symdp.text.control import control_energy, control_power, largest_control_energy, packed

Params = Mapping[str, Any]


def _blocks(kernel: ControllableKernel) -> Iterator[tuple[list[int], Matrix, Matrix]]:
    """The coordinates that are coupled with each other, with their part of A and of ``v v^T``."""
    a, noise = matrix(kernel.drift), matrix(kernel.noise)
    for index in components(a, noise):
        yield index, a.extract(index, index), noise.extract(index, index)


# --- the kernel -----------------------------------------------------------------------------------------------------


def _kernel_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, a, noise = params["process"], matrix(params["drift"]), matrix(params["noise"])
    yield Condition("whole space", "the domain is the whole space", "whole space", (process,))
    yield from regularity(process)
    yield from linear_coefficients(process)
    constant = not (a.free_symbols | noise.free_symbols) & set(process.state)
    yield Condition("constant matrices", "A and N do not contain the state", "fact", (constant,))
    yield vanishes("drift matrix", "A is the slope of the drift", linear_part(process) - a, process.region)
    yield vanishes("noise matrix", "N = v v^T", process.noise - noise, process.region)
    for index in components(a, noise):
        yield controllable(process, index, a, noise)


def _kernel(_: tuple[Any, ...], params: Params) -> ControllableKernel:
    """``P_t(x) = N(e^{At} x + m(t), e^{At} W e^{A^T t})``, ``W = int_0^t e^{-As} v v^T e^{-A^T s} ds``, left as an
    integral.
    """
    return ControllableKernel(params["process"], params["drift"], params["noise"])


register(
    Rule(
        id="controllable-kernel",
        title="Gaussian kernel of a controllable linear SDE",
        citation=Citation("balle2019", "section 5", "the Ornstein-Uhlenbeck kernel; by variation of constants"),
        premises=(),
        conditions=_kernel_conditions,
        conclude=_kernel,
        tightness="exact",
    )
)

# --- its divergence and privacy -------------------------------------------------------------------------------------


def _total(function: Any, kernel: ControllableKernel) -> Expr:
    """``z^T W^{-1} z``, or minus its slope in time, summed over the blocks."""
    z = displacement(kernel.process)  # type: ignore[arg-type]
    return sum(
        (function(*packed(TIME, a, noise, [z[i] for i in index])) for index, a, noise in _blocks(kernel)), Integer(0)
    )


def _divergence(premises: tuple[Any, ...], _: Params) -> Divergence:
    """``R_alpha = (alpha/2) z^T W^{-1} z``, ``z = x - x'``."""
    (kernel,) = premises
    return Divergence(kernel.process, ALPHA / 2 * _total(control_energy, kernel), pair_region(kernel.process))


def _stretch(kernel: ControllableKernel) -> Expr:
    """``sup z^T W^{-1} z`` over ``|z| <= 1``: the largest over the blocks."""
    largest = [largest_control_energy(*packed(TIME, a, noise)) for _, a, noise in _blocks(kernel)]
    return calculus.maximum(list(dict.fromkeys(largest)))


def _rdp(premises: tuple[Any, ...], _: Params) -> RenyiDP:
    """``(alpha/2) Delta^2 sup z^T W^{-1} z`` over ``|z| <= 1``."""
    process = premises[0].process
    return RenyiDP(process, ALPHA / 2 * _stretch(premises[0]) * DELTA**2, DELTA, RELATION, starts_region(process))


def _gdp(premises: tuple[Any, ...], _: Params) -> GaussianDP:
    """``mu = Delta sqrt(sup z^T W^{-1} z)`` over ``|z| <= 1``."""
    process = premises[0].process
    return GaussianDP(process, DELTA * sqrt(_stretch(premises[0])), starts_region(process), DELTA, RELATION)


for _id, _title, _citation, _conclude in (
    (
        "divergence-controlled",
        "Renyi divergence of a controllable linear SDE",
        Citation("vanerven2014", "section II", "Gaussian laws of one covariance"),
        _divergence,
    ),
    (
        "rdp-controlled",
        "Renyi differential privacy of a controllable linear SDE",
        Citation("balle2019", "Theorem 6, Corollary 7", "Lambda(t) is the supremum over neighbours"),
        _rdp,
    ),
    (
        "gdp-controlled",
        "Gaussian differential privacy of a controllable linear SDE",
        Citation("dong2019", "Theorem 1", "two Gaussian laws of one covariance"),
        _gdp,
    ),
):
    register(
        Rule(
            id=_id,
            title=_title,
            citation=_citation,
            premises=(ControllableKernel,),
            conditions=nothing,
            conclude=_conclude,  # type: ignore[arg-type]
            tightness="exact",
        )
    )

# --- merging and the limit ------------------------------------------------------------------------------------------


def hurwitz_determinants(a: Matrix) -> list[Expr]:
    """The leading minors of the Hurwitz matrix of ``det(s - A)``; all positive iff every eigenvalue has a negative real
    part (Routh and Hurwitz).
    """
    n = a.rows
    c = [*a.charpoly().all_coeffs(), *[Integer(0)] * n]  # c[0] = 1
    hurwitz = Matrix(n, n, lambda i, j: c[2 * j - i + 1] if 0 <= 2 * j - i + 1 <= n else Integer(0))
    return [hurwitz[:k, :k].det(method="berkowitz") for k in range(1, n + 1)]


def _stability(kernel: Any, side: int) -> Iterator[Condition]:
    """Every eigenvalue of ``side * A`` has a negative real part; of a single coordinate that merges it may vanish."""
    yield from homogeneous(*kernel.process.drift, *kernel.process.noise)
    word = "negative" if side > 0 else "positive"
    for index, a, _ in _blocks(kernel):
        names = ", ".join(kernel.process.state[i].name for i in index)
        op = ">=" if side > 0 and len(index) == 1 else ">"
        allowed = f"a {word} real part" if op == ">" else "no positive real part"
        for k, determinant in enumerate(hurwitz_determinants(side * a), 1):
            statement = f"every eigenvalue of the drift has {allowed}, by the Hurwitz determinants"
            yield holds(f"Hurwitz {names}, {k}", Relation(determinant, op), kernel.process.params, statement)


def _merging_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    yield from _stability(premises[0], 1)


register(
    Rule(
        # e^{-As} z does not decay for a drift that repels nowhere: the Gramian grows without bound
        id="merging-controlled",
        title="Merging of a controllable linear SDE with an attracting drift",
        citation=Citation("balle2019", "section 5", "Hurwitz or vanishing linear part"),
        premises=(ControllableKernel,),
        conditions=_merging_conditions,
        conclude=merging,
        tightness="exact",
    )
)


def _repelling_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    (kernel,) = premises
    yield from _stability(kernel, -1)
    yield from limit_of_the_gramian(kernel.process, matrix(kernel.drift), matrix(kernel.noise), params)


register(
    Rule(
        id="limit-controlled-repelling",
        title="Limit divergence of a controllable linear SDE whose drift repels everywhere",
        citation=Citation("vanerven2014", "section II", "Gaussian laws of one covariance"),
        premises=(ControllableKernel,),
        conditions=_repelling_conditions,
        conclude=repelling_limit,
        tightness="exact",
    )
)

# --- kappa and Lambda -----------------------------------------------------------------------------------------------


def _flow(premises: tuple[Any, ...], _: Params) -> HeatFlow:
    """``kappa = p^T v v^T p/2``, ``Lambda = z^T W^{-1} z/2`` less its limit: ``log p_t(x, .)/p_t(x', .)`` is affine
    with gradient ``p = e^{-A^T t} W^{-1} z``.
    """
    kernel, limit = premises
    kappa, energy = _total(control_power, kernel) / 2, _total(control_energy, kernel) / 2
    return HeatFlow(kernel.process, kappa, energy - limit.value / ALPHA, pair_region(kernel.process))


register(
    Rule(
        id="heat-flow-controlled",
        title="kappa and Lambda of a controllable linear SDE",
        citation=Citation("balle2019", "Theorem 6, Example 5, Corollary 7", "kappa and Lambda, for Gaussian kernels"),
        premises=(ControllableKernel, LimitDivergence),
        conditions=same_process,
        conclude=_flow,
        tightness="exact",
    )
)
