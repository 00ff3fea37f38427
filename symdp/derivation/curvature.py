"""Where no kernel is known: a lower bound of the curvature is proposed, and the rules prove what follows from it."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from sympy import (
    Abs,
    Expr,
    Integer,
    Poly,
    PolynomialError,
    Rational,
    Symbol,
    cancel,
    fraction,
    lambdify,
    oo,
    roots,
    sign,
    together,
)

from symdp.decide import Proved, decide, is_zero, normal
from symdp.derivation.record import Assuming, Derivation, region_of
from symdp.diffusion import calculus
from symdp.diffusion.kernels import unit_coordinate
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import Refused, SymdpError
from symdp.extremum import infimum
from symdp.text import definedness
from symdp.theorem import Theorem, apply

_MOST_TRIES = 8
_SAMPLES = 400


def derive_by_curvature(process: Diffusion, assuming: Assuming, refusal: Refused) -> Derivation:
    """The bound of the largest curvature bound that is proved among those proposed.

    Raises ``refusal``, with what was tried after it, where none is proved.
    """
    failed: Refused | None = None
    for bound in _proposals(process):
        try:
            divergence = _divergence(process, bound, assuming)
        except Refused as error:
            failed = failed or error
            continue
        except SymdpError:
            continue
        privacy, missing = _privacy(process, bound, assuming)
        note = f"no kernel class; by the lower bound {bound} of the curvature"
        return Derivation(process, None, divergence, privacy=privacy, missing=missing, notes=(note,))
    if failed is None:
        raise refusal
    raise Refused(f"{refusal}; by curvature: {failed}", (*refusal.hypotheses, *failed.hypotheses))


def _divergence(process: Diffusion, bound: Expr, assuming: Assuming) -> Theorem:
    constant = not any(e.has(*process.state) for row in process.diffusion for e in row)
    if process.dimension > 1 or (constant and process.whole_space):
        return apply("harnack-space", assuming=assuming, process=process, bound=bound)
    inside = region_of(process, assuming, interior=True)

    def defined(e: Expr) -> bool:
        return all(isinstance(decide(r, inside), Proved) for r in definedness(e))

    coordinate = unit_coordinate(process, defined, lambda e: is_zero(e, inside), normal)
    if coordinate is None:
        raise Refused("the intrinsic coordinate, an antiderivative of sqrt2/v, is none of the usual functions")
    return apply("harnack-line", assuming=assuming, process=process, bound=bound, coordinate=coordinate)


def _privacy(process: Diffusion, bound: Expr, assuming: Assuming) -> tuple[Theorem | None, str | None]:
    if not process.whole_space:
        return None, "the intrinsic distance of starts at distance Delta is not bounded on this domain"
    try:
        return apply("harnack-rdp", assuming=assuming, process=process, bound=bound), None
    except Refused as refusal:
        return None, str(refusal)


# --- proposals: the largest first where that is known ---------------------------------------------------------------


def _proposals(process: Diffusion) -> Iterator[Expr]:
    if any(e.has(Abs, sign) for e in (*process.drift, *process.noise)):
        return  # at a kink the curvature is not a function
    curvature = calculus.curvature(process)
    found: list[Expr] = []
    if curvature is not None:
        if not curvature.has(*process.state):
            yield curvature
            return
        if process.dimension == 1:
            found += _stationary(curvature, process.state[0])
    numbers = not process.params.symbols
    if numbers:
        found += _numeric(process, curvature)
        found.sort(key=_size, reverse=True)
    yield from list(dict.fromkeys(found))[:_MOST_TRIES]


def _size(value: Expr) -> float:
    try:
        return float(enclose(value, {}, 15).mid)
    except SymdpError:
        return -math.inf


def _stationary(curvature: Expr, x: Symbol) -> list[Expr]:
    """Values of a curvature that is rational in x: where its slope vanishes, and at infinity."""
    values: list[Expr] = []
    above, below = fraction(together(curvature))
    try:
        high, low = Poly(above, x), Poly(below, x)
        slope = Poly(fraction(cancel(curvature.diff(x)))[0], x)
    except PolynomialError:
        return values
    if high.degree() == low.degree():
        values.append(cancel(high.LC() / low.LC()))
    elif high.degree() < low.degree():
        values.append(Integer(0))
    if 0 < slope.degree() <= 4:
        values += [cancel(curvature.subs(x, root)) for root in roots(slope) if root.is_extended_real is not False]
    return [value for value in values if value.is_extended_real is not False and value not in (oo, -oo)]


def _numeric(process: Diffusion, curvature: Expr | None) -> Iterator[Expr]:
    """Rational numbers at or a little below the infimum: certified in one dimension, sampled in several."""
    if curvature is not None and process.dimension == 1:
        try:
            low = infimum(curvature, process.interior, digits=9).lower
        except SymdpError:
            low = None
        if low is not None:
            if math.isinf(low):
                return
            end = float(low)
            yield Rational(math.floor(end * 10**6), 10**6)
            yield Rational(math.floor(end * 10**9) - 10, 10**9)
            return
    least = _sampled(process)
    if least is None:
        return
    for slack in (0.0, 1e-3, 0.02, 0.2, 1.0):
        yield Rational(math.floor(1000 * (least - slack * max(1.0, abs(least)))), 1000)


def _sampled(process: Diffusion) -> float | None:
    """The least eigenvalue of ``G^-1 S`` over random points: a guess."""
    import numpy as np

    form = calculus.curvature_form(process)
    if form is None:
        return None
    matrix = (process.noise / 2).inv() * form
    function = lambdify(process.state, matrix, "numpy")
    draw, least = random.Random(0), math.inf
    for attempt in range(_SAMPLES):
        scale = 10.0 ** (attempt % 4 - 2)
        point = [draw.gauss(0, 1) * scale for _ in process.state]
        with np.errstate(all="ignore"):
            values = np.linalg.eigvals(np.array(function(*point), dtype=float))
        if np.all(np.isfinite(values)):
            least = min(least, float(values.real.min()))
    return None if math.isinf(least) else float(least)
