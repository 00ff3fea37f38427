"""Integrals from 0 to t of functions of the time: proposals that differentiate back, found in three ways.

Nothing here is trusted: the rules differentiate a proposal and look at its value and its continuity at 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Abs, Expr, I, Integer, Integral, Piecewise, exp, log, sign
from sympy.integrals.manualintegrate import manualintegrate

from symdp.decide import is_zero, normal
from symdp.decide import sign as decided_sign
from symdp.diffusion.facts import LARGEST_INTEGRAND, antiderivative
from symdp.diffusion.stated import TIME
from symdp.errors import InputError
from symdp.region import Region
from symdp.text import definedness, to_text


def from_zero(integrand: Expr, region: Region, hint: Expr | None = None) -> Expr | None:
    """``int_0^t integrand`` on a region of times and parameters; None if no closed form is found that is 0 at 0.

    ``hint``: a function of which the integral may be a multiple, up to a constant.
    """
    if integrand == 0:
        return Integer(0)
    if TIME not in integrand.free_symbols:
        return integrand * TIME
    for proposal in _proposals(integrand, region, hint):
        try:
            value = _from_zero(_real(proposal, region), integrand, region)
        except InputError:  # a function that is none of ours
            continue
        if value is not None:
            return value
    return None


def _from_zero(proposal: Expr, integrand: Expr, region: Region) -> Expr | None:
    """The proposal less its value at 0, if that has one and the whole differentiates back."""
    at_zero = proposal.subs({TIME: Integer(0)})
    if at_zero.is_finite is False or at_zero.has(I) or any(r.truth() is False for r in definedness(at_zero)):
        return None
    value = normal(proposal - at_zero, region)
    to_text(value)
    return value if is_zero(value.diff(TIME) - integrand, region) else None


def _proposals(integrand: Expr, region: Region, hint: Expr | None) -> Iterator[Expr]:
    powers = sorted(integrand.atoms(exp), key=lambda e: (-e.count_ops(), str(e)))
    for shape in powers if hint is None else [hint, *powers]:  # f = r g' with a constant r: the integral is r g
        slope = shape.diff(TIME)
        if slope != 0:
            ratio = normal(integrand / slope, region)
            if TIME not in ratio.free_symbols:
                yield ratio * shape
    by_terms = antiderivative(integrand, TIME, lambda e: is_zero(e, region) is True)
    if by_terms is not None:
        yield by_terms
    if integrand.count_ops() <= LARGEST_INTEGRAND and not integrand.has(Abs, sign):
        whole = manualintegrate(integrand, TIME)
        if not whole.has(Integral, Piecewise, I):
            yield whole


def _real(value: Expr, region: Region) -> Expr:
    """With logarithms of negative functions turned into those of their opposites."""
    flipped = {g: log(-g.args[0]) for g in value.atoms(log) if decided_sign(g.args[0], region) == -1}
    return value.xreplace(flipped)
