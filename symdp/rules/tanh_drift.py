"""Drifts ``2 n k tanh(k z)`` with a whole n, as under the logistic law: kernels closed with error functions.

``L = h^{-1} (D^2 - q) h`` with ``h = cosh^n(k z)`` and ``q = k^2 (n^2 - l (l+1) sech^2(k z))``, ``l (l+1) = n (n-1)``:
a potential without reflection exactly for whole l. Its l eigenfunctions psi_j, ``psi_j'' = (j^2 k^2 - l (l+1) k^2
sech^2) psi_j``, give the kernel by the residues of the plane waves that are left,

    p_t(z, y) = (h(y)/h(z)) e^{-n^2 k^2 t} (g(d) + sum_j e^{j^2 k^2 t} psi_j(z) psi_j(y) S_j(d)),    d = y - z,
    S_j(d) = (erf(j k sqrt t - d/(2 sqrt t)) + erf(j k sqrt t + d/(2 sqrt t)))/2.

What comes out is checked here by itself: it solves the backward equation ``p_t = L p`` in its start. For f with bounded
support the integral u of ``p_t(z, y) f(y)`` is bounded up to any time, as S_j falls like g, and tends to f as ``t ->
0``, where ``S_j -> 0`` but at ``d = 0``; so ``u(T - s, Z_s)`` is a martingale, and p is the kernel. n = 0 is Brownian
motion, n = 1 the Benes process; n = -1 with k = 1/2 in the unit of ``dX = -tanh(X/2) dt + sqrt2 dW`` the logistic law.

The supremum of kappa over the outputs is at least ``(d/(2t))^2``, d the distance of the starts: far out the slope of
the log-ratio is that of two normal laws. For ``n <= 0`` the bound of the curvature 0 is ``alpha d^2/(4t)``, the
integral of just that: kappa can give no better one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Integer, tanh

from symdp.citations import Citation
from symdp.diffusion import calculus
from symdp.diffusion.line_kernels import OUTPUT, RATE, START, TIME, backward_equation, tanh_density, wells
from symdp.evidence import Condition
from symdp.judgments import TanhDriftKernel
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.bessel import unit_length
from symdp.rules.conditions import elliptic, holds, regularity, vanishes
from symdp.rules.two_valued import whole_line
from symdp.text import Relation

Params = Mapping[str, Any]
MOST_WELLS = 4
"""The largest l: the kernel has 2 l error functions, and its equation is checked anew in each proof."""


def _conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process, z, k, n = (params[key] for key in ("process", "coordinate", "rate", "power"))
    yield Condition("one dimension", "the process has one coordinate", "fact", (process.dimension == 1,))
    whole = isinstance(n, Integer) and wells(int(n)) <= MOST_WELLS
    yield Condition("power", f"n is whole, at least {-MOST_WELLS} and at most {MOST_WELLS + 1}", "fact", (whole,))
    if process.dimension != 1 or not whole:
        return
    yield from regularity(process)
    yield elliptic(process)
    yield from unit_length(process, z, k)
    yield holds("rate", Relation(k, ">"), process.params, "the rate is positive")
    yield from whole_line(process, z)
    drift = calculus.generator(process, z) - 2 * n * k * tanh(k * z)
    yield vanishes("drift", "L z = 2 n k tanh(k z)", [drift], process.interior)
    region = Region.make(
        {START: Interval.real(), OUTPUT: Interval.real(), TIME: Interval.positive(), RATE: Interval.positive()}
    )
    parts = backward_equation(tanh_density(int(n)), 2 * n * RATE * tanh(RATE * START))
    yield vanishes("equation", "the kernel solves p_t = L p in its start", parts, region)


def _kernel(_: tuple[Any, ...], params: Params) -> TanhDriftKernel:
    """``p_t(z, y) = e^{-n^2 k^2 t} (cosh(ky)/cosh(kz))^n (g(d) + sum_j e^{j^2 k^2 t} psi_j(z) psi_j(y) S_j(d))``, where
    ``d = y - z`` and ``j = 1, ..., max(-n, n-1)``, g the normal density of variance 2t, psi_j the normalised Legendre
    function, ``S_j = (erf(jk sqrt t - d/(2 sqrt t)) + erf(jk sqrt t + d/(2 sqrt t)))/2``.
    """
    return TanhDriftKernel(params["process"], params["coordinate"], params["rate"], params["power"])


register(
    Rule(
        id="tanh-drift-kernel",
        title="Diffusions whose drift is a hyperbolic tangent, without reflection",
        citation=(
            Citation("bakry2014", "section 1.15", "Doob h-transforms"),
            Citation("symdp", "rules.tanh_drift", "the kernel of a potential without reflection"),
        ),
        premises=(),
        conditions=_conditions,
        conclude=_kernel,
        tightness="exact",
    )
)
