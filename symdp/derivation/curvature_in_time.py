"""Curvature that changes with the time: lower bounds are proposed, with the energies that go with them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sympy import Expr, Integer, Matrix, Poly, PolynomialError, Rational, Symbol, exp, roots

from symdp.decide import normal
from symdp.derivation.clock import rate_of
from symdp.derivation.record import Assuming, Derivation, attempt
from symdp.diffusion import calculus
from symdp.diffusion.antiderivatives import from_zero
from symdp.diffusion.process import Diffusion
from symdp.diffusion.scheduled import gathered, rows
from symdp.errors import Refused, SymdpError
from symdp.extremum import infimum
from symdp.region import Region
from symdp.rules.conditions import TIME, time_region
from symdp.theorem import apply


def derive_by_curvature_in_time(process: Diffusion, assuming: Assuming) -> Derivation:
    """The first lower bound of the curvature that is proved, with the energy that goes with it in closed form."""
    split = _scale(process)
    if split is None:
        raise Refused("by curvature: the noise must be a function of the time times a constant matrix")
    scale, shape = split
    failed: Refused | None = None
    times = time_region(process)
    for bound in _bounds(process):
        exponent = from_zero(bound, times)
        energy = None if exponent is None else from_zero(gathered((scale * exp(2 * exponent)).expand()), times)
        if energy is None:
            failed = failed or Refused(f"by curvature: no closed form goes with the lower bound {bound}")
            continue
        given = {"process": process, "bound": bound, "scale": scale, "shape": rows(shape)}
        given |= {"exponent": exponent, "energy": energy}
        try:
            divergence = apply("harnack-in-time", assuming=assuming, **given)
        except Refused as refusal:
            failed = refusal
            continue
        privacy, missing = attempt("harnack-in-time-rdp", assuming=assuming, **given)
        note = f"by the lower bound {bound} of the curvature"
        return Derivation(process, None, divergence, privacy=privacy, missing=missing, notes=(note,))
    raise failed or Refused("by curvature: no lower bound of the curvature was found")


def _scale(process: Diffusion) -> tuple[Expr, Matrix] | None:
    """``(s, N)`` with ``v v^T = s(t) N`` and a constant N."""
    noise = process.noise
    if any(e.has(*process.state) for e in noise):
        return None
    first = next((e for e in noise if e != 0), None)
    if first is None:
        return None
    scale = rate_of(first, process) if TIME in first.free_symbols else Integer(1)
    shape = noise.applyfunc(lambda e: normal(e / scale, process.interior))
    return None if any(TIME in e.free_symbols for e in shape) else (scale, shape)


def _bounds(process: Diffusion) -> Iterator[Expr]:
    """Lower bounds worth a try: the curvature itself, its values where its slope vanishes, its certified infimum."""
    curvature = calculus.curvature(process)
    if curvature is None:
        return
    if not curvature.has(*process.state):
        yield curvature
    elif process.dimension == 1:
        yield from _turning_values(curvature, process.state[0])
    inside = process.interior
    used = [s for s in inside.symbols if s in curvature.free_symbols]
    if used and set(used) <= {*process.state, TIME}:
        try:
            low = infimum(curvature, Region.make({s: inside.interval(s) for s in used}), digits=9).lower
        except SymdpError:
            return
        if not math.isinf(low):
            yield Rational(math.floor(float(low) * 10**6), 10**6)


def _turning_values(curvature: Expr, x: Symbol) -> Iterator[Expr]:
    """Values where the slope of a function that is a polynomial in x vanishes."""
    try:
        slope = Poly(curvature.diff(x), x)
    except PolynomialError:
        return
    if 0 < slope.degree() <= 3:
        for root in roots(slope):
            if root.is_extended_real is not False:
                yield normal(curvature.subs(x, root))
