"""What is worth knowing of a diffusion beside its bound: generator, curvature, invariant density, reversibility.

Densities are proposed by an integrator or by linear algebra and accepted by differentiation.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Add, DiracDelta, Expr, Integer, Matrix, cancel, exp, log, together

from symdp.decide import Proved, decide, is_zero, normal, sign
from symdp.diffusion import calculus
from symdp.diffusion.antiderivatives import antiderivative
from symdp.diffusion.lyapunov import stationary_covariance
from symdp.diffusion.measure import curl, log_density_gradient
from symdp.diffusion.periods import moved
from symdp.diffusion.process import Diffusion
from symdp.text import definedness


@dataclass(frozen=True)
class Facts:
    """``generator`` and ``carre_du_champ`` are written in the jets ``f_x, f_xx, ...``; None stands for "not known".

    ``invariant_density`` is a density with respect to Lebesgue measure, not normalised, with L* of it proved zero;
    ``reversible`` says whether the kernel is symmetric with respect to some density.
    """

    generator: Expr
    carre_du_champ: Expr
    curvature: Expr | None
    invariant_density: Expr | None
    reversible: bool | None


def facts(process: Diffusion) -> Facts:
    """Everything that needs no hypothesis, in any dimension; of coefficients that depend on the time, at that time."""
    density: Expr | None = None
    reversible: bool | None = None
    if process.homogeneous:  # else neither is a notion of one generator
        density, reversible = _one_dimension(process) if process.dimension == 1 else _several(process)
    if process.periods and reversible is not False:
        density, reversible = _on_circles(process, density, reversible)
    curvature = calculus.curvature(process)
    if curvature is not None and curvature.has(DiracDelta):  # the noise has a kink
        curvature = None
    return Facts(
        normal(calculus.generator_jet(process)),
        normal(calculus.carre_du_champ_jet(process)),
        curvature,
        density,
        reversible,
    )


def _on_circles(process: Diffusion, density: Expr | None, reversible: bool | None) -> tuple[Expr | None, bool | None]:
    """A density on the line is one on the circle if it has the periods; the process is reversible only for such a one,
    as the gradient of the logarithm is given.
    """
    if density is None:
        return None, None
    verdicts = [is_zero(moved(density, s, length) - density, process.interior) for s, length in process.periods]
    if all(v is True for v in verdicts):
        return density, reversible
    return None, False if reversible and any(v is False for v in verdicts) else None


def _invariant(process: Diffusion, logarithm: Expr) -> bool:
    """Whether ``L*`` of ``exp(logarithm)`` vanishes; divided by the density, so that no exponential is left."""
    x, g, n = process.state, process.noise / 2, process.dimension
    slope = [logarithm.diff(s) for s in x]
    flux = [Add(*[g[i, j].diff(x[j]) + g[i, j] * slope[j] for j in range(n)]) - process.drift[i] for i in range(n)]
    return is_zero(Add(*[flux[i].diff(x[i]) + flux[i] * slope[i] for i in range(n)]), process.interior) is True


def _one_dimension(process: Diffusion) -> tuple[Expr | None, bool | None]:
    """The speed density ``(2/v^2) exp(int 2u/v^2)``; in one dimension every diffusion is reversible for it."""
    (x,) = process.state
    slope = log_density_gradient(process)
    if slope is None:
        return None, None
    logarithm = antiderivative(slope[0, 0], x, lambda e: is_zero(e, process.interior) is True)
    return _density(process, logarithm), True


def _density(process: Diffusion, logarithm: Expr | None) -> Expr | None:
    """``exp(logarithm)``, once the logarithm is proved to be real on the whole domain: an integrator's need not be."""
    if logarithm is None:
        return None
    flipped = {g: log(-g.args[0]) for g in logarithm.atoms(log) if sign(g.args[0], process.interior) == -1}
    logarithm = logarithm.xreplace(flipped)
    for relation in definedness(logarithm):
        if not isinstance(decide(relation, process.interior), Proved):
            return None
    return normal(exp(logarithm), process.interior)


def _several(process: Diffusion) -> tuple[Expr | None, bool | None]:
    """The density of a closed potential, or the Gaussian one of a linear SDE; and whether the diffusion is
    reversible.
    """
    slope = log_density_gradient(process)
    reversible: bool | None = None
    if slope is not None:
        verdicts = [is_zero(e, process.interior) for e in curl(slope, process.state)]
        reversible = True if all(v is True for v in verdicts) else False if any(v is False for v in verdicts) else None
    a = process.u.jacobian(Matrix(list(process.state)))
    if any(e.has(*process.state) for e in (*a, *process.noise)):
        return _potential(process, slope) if reversible and slope is not None else None, reversible
    logarithm = _gaussian(process, a)
    if logarithm is None or not _invariant(process, logarithm):
        return (Integer(1) if _invariant(process, Integer(0)) else None), reversible
    return _density(process, logarithm), reversible


def _potential(process: Diffusion, slope: Matrix) -> Expr | None:
    """Integrate a closed field coordinate by coordinate, and differentiate back."""
    total: Expr = Integer(0)
    for s, component in zip(process.state, slope, strict=True):
        rest = cancel(together((component - total.diff(s)).expand()))
        part = antiderivative(rest, s, lambda e: is_zero(e, process.interior) is True)
        if part is None:
            return None
        total += part
    good = all(is_zero(total.diff(s) - c, process.interior) for s, c in zip(process.state, slope, strict=True))
    return _density(process, total) if good else None


def _gaussian(process: Diffusion, a: Matrix) -> Expr | None:
    """``-1/2 (y - m)^T S^{-1} (y - m)`` with ``A S + S A^T + v v^T = 0`` and ``A m + c = 0``."""
    covariance = stationary_covariance(a, process.noise)
    if covariance is None:
        return None
    y = Matrix(list(process.state))
    try:
        mean = -a.LUsolve(process.u.xreplace({q: Integer(0) for q in process.state}))
        precision = covariance.inv().applyfunc(lambda e: cancel(together(e)))
    except (ValueError, ZeroDivisionError):
        return None
    return -((y - mean).T * precision * (y - mean))[0, 0] / 2
