"""Drifts with kinks and jumps in one dimension: the breaks and the smooth pieces between them, as a proposal."""

from __future__ import annotations

from functools import cmp_to_key

from sympy import Abs, Expr, Integer, Poly, PolynomialError, Symbol, roots
from sympy import sign as sign_function

from symdp.decide import normal, sign
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.region import Region
from symdp.rules.one_sided import piece_regions
from symdp.text import to_text

_MOST_BREAKS = 12


def has_kinks(process: Diffusion) -> bool:
    """Whether the drift, but not the noise, has an ``abs`` or a ``sign`` of the state, in one dimension."""
    if process.dimension != 1 or _kinks(process.v, process.state[0]):
        return False
    return bool(_kinks(process.drift[0], process.state[0]))


def _kinks(expr: Expr, x: Symbol) -> list[Expr]:
    return sorted((a for a in expr.atoms(Abs, sign_function) if a.has(x)), key=str)


def breaks_and_pieces(process: Diffusion, params: Region) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """The points where an argument of ``abs`` or ``sign`` vanishes, in order, and the drift between them.

    Raises :class:`Refused` where they are not found, or their order depends on parameters.
    """
    (x,), (u,) = process.state, process.drift
    found: list[Expr] = []
    for kink in _kinks(u, x):
        found += [b for b in _zeros(kink.args[0], x) if b not in found]
    inside = [b for b in found if _inside(b, process, params)]
    if len(inside) > _MOST_BREAKS:
        raise Refused(f"the drift has more than {_MOST_BREAKS} kinks")

    def order(a: Expr, b: Expr) -> int:
        known = sign(a - b, params)
        if known is None:
            raise Refused(f"whether the kink at {to_text(a)} lies left of that at {to_text(b)} is not decided")
        return known

    breaks = tuple(sorted(inside, key=cmp_to_key(order)))
    return breaks, tuple(_resolved(u, x, region) for region in piece_regions(process, breaks, closed=False))


def _zeros(argument: Expr, x: Symbol) -> list[Expr]:
    try:
        poly = Poly(argument, x)
    except PolynomialError:
        poly = None
    if poly is None or not 1 <= poly.degree() <= 2:
        raise Refused(f"where {to_text(argument)} changes its sign, and the drift has a kink, is not found")
    return [normal(root) for root in roots(poly) if root.is_real is not False]


def _inside(point: Expr, process: Diffusion, params: Region) -> bool:
    """Whether a break is inside the domain; undecided counts as inside, and the rule will ask."""
    d = process.domain.interval(process.state[0])
    below = d.lower.is_finite and sign(point - d.lower, params) in (-1, 0)
    return not below and not (d.upper.is_finite and sign(d.upper - point, params) in (-1, 0))


def _resolved(u: Expr, x: Symbol, region: Region) -> Expr:
    mapping = {}
    for kink in _kinks(u, x):
        known = sign(kink.args[0], region)
        if known is None:
            raise Refused(f"the sign of {to_text(kink.args[0])} where {region} is not decided")
        mapping[kink] = known * kink.args[0] if isinstance(kink, Abs) else Integer(known)
    return normal(u.xreplace(mapping))
