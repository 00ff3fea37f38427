"""Proposals for kernels of one-dimensional diffusions with an end: Bessel diffusions, and walls.

Nothing here is trusted: the rules of ``rules.bessel`` and ``rules.reflected`` check each proposal.

In the unit coordinate the potential of a Bessel diffusion is ``q = A/z^2 + B z^2 + C``. Every drift of this q is
``2h'/h`` for a positive h with ``h'' = q h``; those whose process comes back to every point are ``(2 nu + 1)/z -
theta z``, with ``theta >= 0``, and it is this form, which also says what 0 does to the process, that is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sympy import Expr, oo, zoo

from symdp.diffusion import calculus
from symdp.diffusion.kernels import Defined, Tidy, Zero, interior_point, unit_coordinate
from symdp.diffusion.process import Diffusion


@dataclass(frozen=True)
class BesselProposal:
    """``L = D^2 + ((2 index + 1)/z - rate z) D`` in z, which is 0 at the ``side`` "lower" or "upper"."""

    coordinate: Expr
    index: Expr
    rate: Expr
    side: str


@dataclass(frozen=True)
class IntervalProposal:
    """``L = D^2`` in a coordinate that runs from 0 to ``length``."""

    coordinate: Expr
    length: Expr


@dataclass(frozen=True)
class DriftProposal:
    """``L = D^2 + velocity D`` in a coordinate that is 0 at the ``side`` "lower" or "upper", a wall."""

    coordinate: Expr
    velocity: Expr
    side: str


Proposal = BesselProposal | IntervalProposal | DriftProposal


def propose_end(process: Diffusion, defined: Defined, is_zero: Zero, tidy: Tidy) -> Proposal | str:
    """The kernel class of a diffusion with an end, or one line that says why there is none."""
    (x,) = process.state
    y = unit_coordinate(process, defined, is_zero, tidy)
    if y is None:
        return "no closed form of the intrinsic distance was found: an antiderivative of sqrt(2)/v"
    b = calculus.unit_drift(process)
    ends = dict(_ends(process, y))
    if len(ends) == 2 and is_zero(b):
        return IntervalProposal(tidy(y - ends["lower"]), tidy(ends["upper"] - ends["lower"]))
    point = {x: interior_point(process.domain.interval(x))}
    if len(ends) == 1 and not is_zero(b) and is_zero(calculus.unit_derivative(process, b)):
        ((side, value),) = ends.items()
        sign = 1 if side == "lower" else -1
        return DriftProposal(sign * (y - value), sign * tidy(b.subs(point)), side)
    for side, value in ends.items():
        sign = 1 if side == "lower" else -1
        z = sign * (y - value)
        product = z * sign * b  # 2 nu + 1 - theta z^2
        rate = -calculus.unit_derivative(process, product) / (2 * sign * z)
        if not is_zero(calculus.unit_derivative(process, rate)):
            continue
        rate = tidy(rate.subs(point))
        index = (product + rate * z**2 - 1) / 2
        if is_zero(calculus.unit_derivative(process, index)):
            return BesselProposal(z, tidy(index.subs(point)), rate, side)
    return "the drift in the unit coordinate is not (2 nu + 1)/z - theta z, measured from an end"


def _ends(process: Diffusion, y: Expr) -> Iterator[tuple[str, Expr]]:
    """The ends at which the unit coordinate is finite, with its value there."""
    (x,) = process.state
    interval = process.domain.interval(x)
    for side, end in (("lower", interval.lower), ("upper", interval.upper)):
        value = y.subs(x, end)
        if not value.has(oo, -oo, zoo) and value.is_finite is not False and value.is_extended_real is not False:
            yield side, value
