"""From two starts to every pair of neighbours: Renyi and Gaussian differential privacy of a diffusion mechanism.

Neighbouring data sets give starts at Euclidean distance at most ``Delta``. The suprema below are attained, so the
rules are tight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from sympy import Expr, Matrix, acos, cos, exp, log, sinh, sqrt

from symdp.citations import Citation
from symdp.decide import is_zero
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import BrownianDoobKernel, GaussianDP, GaussianKernel, MehlerDoobKernel, RenyiDP
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA, DELTA, TIME, holds, order_region, time_region, vanishes
from symdp.rules.linear import blocks, matrix
from symdp.text import Relation

Params = Mapping[str, Any]
RELATION = "starts at Euclidean distance at most Delta"


def starts_region(process: Diffusion) -> Region:
    """Orders, times, parameters and the sensitivity."""
    return order_region(process).extend({DELTA: Interval.nonnegative()})


@lru_cache(maxsize=64)
def largest_eigenvalue(kernel: GaussianKernel) -> Expr | None:
    """The largest eigenvalue of P, block by block; None where a block larger than 3 is no multiple of the identity."""
    process: Any = kernel.process
    values: list[Expr] = []
    for index in blocks(process):
        value = largest_of_block(matrix(kernel.precision).extract(index, index), time_region(process))
        if value is None:
            return None
        values.append(value)
    return calculus.maximum(list(dict.fromkeys(values)))


def largest_of_block(p: Matrix, region: Region) -> Expr | None:
    """The largest eigenvalue of a symmetric matrix; None where it is larger than 3 and not diagonal."""
    n = p.rows
    mean = p.trace() / n
    if all(is_zero(p[i, j], region) for i in range(n) for j in range(i)):
        diagonal = [p[i, i] for i in range(n)]
        if all(is_zero(e - diagonal[0], region) for e in diagonal[1:]):
            return diagonal[0]
        return calculus.maximum(diagonal)
    if n == 2:
        return mean + sqrt((p[0, 0] - p[1, 1]) ** 2 / 4 + p[0, 1] ** 2)
    if n == 3:  # the trigonometric form: all three roots are real
        a, b, c = (p[i, i] - mean for i in range(3))
        f, g, h = p[1, 2], p[0, 2], p[0, 1]
        spread = sqrt((a**2 + b**2 + c**2) / 6 + (f**2 + g**2 + h**2) / 3)
        determinant = a * b * c + 2 * f * g * h - a * f**2 - b * g**2 - c * h**2
        return mean + 2 * spread * cos(acos(determinant / (2 * spread**3)) / 3)
    return None


def _linear_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    known = largest_eigenvalue(premises[0]) is not None
    yield Condition("eigenvalue", "the largest eigenvalue of P has a closed form", "fact", (known,))


def _stretch(premises: tuple[Any, ...]) -> Expr:
    """``sup z^T P z`` over ``|z| <= 1``."""
    value = largest_eigenvalue(premises[0])
    assert value is not None  # a condition has said so
    return value


def _linear_rdp(premises: tuple[Any, ...], _: Params) -> RenyiDP:
    """``(alpha/2) Delta^2 sup z^T P z`` over ``|z| <= 1``, the largest eigenvalue of P."""
    process = premises[0].process
    return RenyiDP(process, ALPHA / 2 * _stretch(premises) * DELTA**2, DELTA, RELATION, starts_region(process))


def _linear_gdp(premises: tuple[Any, ...], _: Params) -> GaussianDP:
    """``mu = Delta sqrt(sup z^T P z)`` over ``|z| <= 1``, the largest eigenvalue of P."""
    process = premises[0].process
    return GaussianDP(process, DELTA * sqrt(_stretch(premises)), starts_region(process), DELTA, RELATION)


register(
    Rule(
        id="rdp-linear",
        title="Renyi differential privacy of a linear SDE",
        citation=Citation("balle2019", "Theorem 6, Corollary 7", "Lambda(t) is the supremum over neighbours"),
        premises=(GaussianKernel,),
        conditions=_linear_conditions,
        conclude=_linear_rdp,
        tightness="exact",
    )
)
register(
    Rule(
        id="gdp-linear",
        title="Gaussian differential privacy of a linear SDE",
        citation=Citation("dong2019", "Theorem 1", "two Gaussian laws of one covariance"),
        premises=(GaussianKernel,),
        conditions=_linear_conditions,
        conclude=_linear_gdp,
        tightness="exact",
    )
)

# --- Doob transforms with constant noise: the unit coordinate is sqrt2 x/v ------------------------------------------


def _constant_noise(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    process = premises[0].process
    (x,) = process.state
    yield vanishes(
        "constant noise",
        "v' = 0, so that the intrinsic distance is sqrt2 |x - x'|/v",
        [process.v.diff(x)],
        process.interior,
    )


def _distance(process: Diffusion) -> Expr:
    return sqrt(2) * DELTA / process.v


def _brownian_rdp(premises: tuple[Any, ...], _: Params) -> RenyiDP:
    """``alpha d^2/(4t) + (log(g/sinh z) - alpha log(alpha g/sinh(alpha z)))/(alpha-1)``, ``d = sqrt2 Delta/v``,
    ``z = kd``, ``g = sinh((alpha-1) z)/(alpha-1)``; the first term alone for a constant drift.

    With ``h = cosh(ky + c)`` the start mixes the drifts +-2k: what is never forgotten is the divergence of two
    coins.

    ``l``, as a function of ``b = b(x')/2k`` in (-1, 1), is largest where its derivative vanishes, at
    ``b = (A - alpha B)/((alpha - 1) A B)`` with ``A = tanh(alpha z)``, ``B = tanh z``, ``z = kd``. There
    ``h(alpha d) = sinh((alpha - 1) z)/((alpha - 1) sinh z)`` and ``h(d) = alpha sinh((alpha - 1) z)/((alpha - 1)
    sinh(alpha z))``.
    It grows with d, and the two orders are mirror images.
    """
    kernel = premises[0]
    d = _distance(kernel.process)
    value = ALPHA * d**2 / (4 * TIME)
    if not kernel.constant:
        z = kernel.rate * d
        between = sinh((ALPHA - 1) * z) / (ALPHA - 1)
        value += (log(between / sinh(z)) - ALPHA * log(ALPHA * between / sinh(ALPHA * z))) / (ALPHA - 1)
    return RenyiDP(kernel.process, value, DELTA, RELATION, starts_region(kernel.process))


def _brownian_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield from _constant_noise(premises, params)
    kernel = premises[0]
    if not kernel.constant:
        process = kernel.process
        excess = kernel.rate**2 - calculus.unit_drift(process) ** 2 / 4
        statement = "h is a hyperbolic cosine: its two exponentials are both there"
        yield holds("two drifts", Relation(excess, ">"), process.interior, statement)


register(
    Rule(
        id="rdp-brownian-doob",
        title="Renyi differential privacy of a Doob transform of Brownian motion",
        citation=Citation(
            "balle2019", "Example 4", "Brownian motion; with the supremum over the start of what is not forgotten"
        ),
        premises=(BrownianDoobKernel,),
        conditions=_brownian_conditions,
        conclude=_brownian_rdp,
        tightness="exact",
    )
)


def _gaussian_factor(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield from _constant_noise(premises, params)
    gaussian = len(premises[0].factor) == 1
    yield Condition(
        "Gaussian factor", "the Doob factor is Gaussian, so that R depends on the distance alone", "fact", (gaussian,)
    )


def _mehler_rdp(premises: tuple[Any, ...], _: Params) -> RenyiDP:
    """``alpha w d^2/(e^(4wt) - 1)``, or ``alpha w d^2/(1 - e^(-4wt))`` on the repelling side, ``d = sqrt2 Delta/v``."""
    kernel = premises[0]
    w, side, d = kernel.rate, kernel.side, _distance(kernel.process)
    scale = w / (exp(4 * w * TIME) - 1) if side < 0 else w / (1 - exp(-4 * w * TIME))
    return RenyiDP(kernel.process, ALPHA * scale * d**2, DELTA, RELATION, starts_region(kernel.process))


register(
    Rule(
        id="rdp-mehler-doob",
        title="Renyi differential privacy of a Doob transform of the Mehler kernel",
        citation=Citation("balle2019", "Corollary 7", "Ornstein-Uhlenbeck"),
        premises=(MehlerDoobKernel,),
        conditions=_gaussian_factor,
        conclude=_mehler_rdp,
        tightness="exact",
    )
)
