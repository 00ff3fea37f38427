"""Coefficients that depend on the time: a Gaussian kernel, another clock, or curvature that changes with the time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sympy import (
    Add,
    Expr,
    Integer,
    Matrix,
    Mul,
    Poly,
    PolynomialError,
    Rational,
    Symbol,
    exp,
    eye,
    factor_terms,
    roots,
)

from symdp.decide import normal
from symdp.decide import sign as decided_sign
from symdp.derivation.record import Assuming, Derivation, attempt
from symdp.diffusion import calculus
from symdp.diffusion.antiderivatives import from_zero
from symdp.diffusion.linear import NoClosedForm, components, solve_block
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError, Refused, SymdpError
from symdp.extremum import infimum
from symdp.region import Region
from symdp.rules.conditions import TIME, time_region
from symdp.rules.linear import linear_part
from symdp.theorem import Theorem, apply

Search = Callable[[Diffusion, Assuming], Derivation]
Rows = tuple[tuple[Expr, ...], ...]


def derive_in_time(process: Diffusion, assuming: Assuming, linear: bool, search: Search) -> Derivation:
    """The best theorems for a diffusion whose coefficients depend on the time; ``search`` derives homogeneous ones.

    Raises :class:`Refused` with what each way lacks where none is found.
    """
    ways: list[Callable[[], Derivation]] = [lambda: _by_clock(process, assuming, search)]
    if linear:
        ways.insert(0, lambda: _by_kernel(process, assuming))
    ways.append(lambda: _by_curvature(process, assuming))
    failed: list[Refused] = []
    for way in ways:
        try:
            return way()
        except Refused as refusal:
            failed.append(refusal)
    reasons = dict.fromkeys(str(refusal) for refusal in failed)
    hypotheses = dict.fromkeys(item for refusal in failed for item in refusal.hypotheses)
    raise Refused("the coefficients depend on the time: " + "; ".join(reasons), tuple(hypotheses))


# --- linear: the Gaussian kernel ------------------------------------------------------------------------------------


def _by_kernel(process: Diffusion, assuming: Assuming) -> Derivation:
    solved = _solve(process)
    parts = {name: _rows(part) for name, part in solved.items()}
    kernel = apply("scheduled-kernel", assuming=assuming, process=process, **parts)
    divergence = apply("divergence-scheduled", kernel, assuming=assuming)
    privacy, missing = attempt("rdp-scheduled", kernel, assuming=assuming)
    gaussian, _ = attempt("gdp-scheduled", kernel, assuming=assuming)
    limit = flow = heat_flow = None
    try:
        zero = _rows(Matrix.zeros(process.dimension, process.dimension))
        limit = apply("limit-scheduled", kernel, assuming=assuming, limit=zero)
        flow = apply("heat-flow-scheduled", kernel, limit, assuming=assuming)
        conservative = apply("conservative-scheduled", kernel, assuming=assuming)
        heat_flow = apply("heat-flow", conservative, flow, limit, assuming=assuming)
    except Refused:
        pass  # the start is not forgotten, or not for ever observed: the divergence itself does not need it
    return Derivation(process, kernel, divergence, flow, limit, heat_flow, privacy, gaussian, (), missing)


def _solve(process: Diffusion) -> dict[str, Matrix]:
    """``E``, ``W`` and its inverse; :class:`Refused` where there is no closed form."""
    times, n = time_region(process), process.dimension
    a, noise = linear_part(process).applyfunc(normal), process.noise.applyfunc(normal)
    backward, gramian, precision = eye(n), Matrix.zeros(n, n), Matrix.zeros(n, n)
    for index in components(a, noise):
        block, of_noise = a.extract(index, index), noise.extract(index, index)
        solution = _propagator(block, times)
        covariance = Matrix.zeros(len(index), len(index))
        integrand = solution * of_noise * solution.T
        for i in range(len(index)):
            for j in range(i + 1):
                hint = solution[i, i] * solution[j, j] if block.is_diagonal() else None
                value = from_zero(_gathered(integrand[i, j]), times, hint)
                if value is None:
                    raise Refused("no closed form of the covariance was found: an integral of the noise schedule")
                covariance[i, j] = covariance[j, i] = value
        inverse = covariance.inv(method="ADJ").applyfunc(lambda e: factor_terms(normal(e)))
        for source, target in ((solution, backward), (covariance, gramian), (inverse, precision)):
            for i, row in enumerate(index):
                for j, column in enumerate(index):
                    target[row, column] = source[i, j]
    return {"backward": backward, "gramian": gramian, "precision": precision}


def _gathered(e: Expr) -> Expr:
    """A product of exponentials as one."""
    terms = []
    for term in Add.make_args(e):
        factors = Mul.make_args(term.powsimp())
        exponent = Add(*[f.args[0] for f in factors if isinstance(f, exp)])
        terms.append(Mul(*[f for f in factors if not isinstance(f, exp)]) * exp(exponent))
    return Add(*terms)


def _propagator(a: Matrix, times: Region) -> Matrix:
    """``E`` with ``E' = -E A``: coordinate by coordinate, or of ``A = a(t) A0`` the exponential at ``int_0^t a``."""
    n = a.rows
    if a.is_diagonal():
        return Matrix(n, n, lambda i, j: exp(-_total(a[i, i], times)) if i == j else Integer(0))
    first = next(e for e in a if e != 0)
    rate = first.as_independent(TIME, as_Add=False)[1] if TIME in first.free_symbols else Integer(1)
    still = a.applyfunc(lambda e: normal(e / rate, times))
    if any(TIME in e.free_symbols for e in still):
        raise Refused("the drift couples coordinates in a way that changes with the time")
    clock = _total(rate, times)
    try:
        solved = solve_block(still, eye(n), list(range(n)), TIME, lambda e: decided_sign(e, times))
    except NoClosedForm as error:
        raise Refused(f"no closed form: {error}") from error
    return Matrix([list(row) for row in solved.backward]).xreplace({TIME: clock})


def _total(rate: Expr, times: Region) -> Expr:
    value = from_zero(rate, times)
    if value is None:
        raise Refused("no closed form of the drift's integral over the time was found")
    return value


def _rows(matrix: Matrix) -> Rows:
    return tuple(tuple(matrix.row(i)) for i in range(matrix.rows))


# --- another clock --------------------------------------------------------------------------------------------------


def _by_clock(process: Diffusion, assuming: Assuming, search: Search) -> Derivation:
    """``u = a(t) u0`` and ``v v^T = a(t) N0``: what is known of the homogeneous diffusion, at ``int_0^t a``."""
    rate = _common_rate(process)
    base = _without_clock(process, rate) if rate is not None else None
    if rate is None or base is None:
        raise Refused("drift and noise are not of the form a(t) u(x), a(t) v(x)v(x)^T with one rate a")
    clock = from_zero(rate, time_region(process))
    if clock is None:
        raise Refused("no closed form of the clock, the integral of the common rate of drift and noise, was found")
    given = {"process": process, "rate": rate, "clock": clock}
    kept = [r for r in assuming if isinstance(r, str) or r.free_symbols <= set(base.params.symbols)]
    found = search(base, kept)
    divergence = apply("time-change", found.divergence, assuming=assuming, **given)
    privacy = gaussian = None
    missing = found.missing
    if found.privacy is not None:
        privacy, missing = _attempt("time-change-rdp", found.privacy, assuming, given)
    if found.gaussian is not None:
        gaussian, _ = _attempt("time-change-gdp", found.gaussian, assuming, given)
    note = f"the diffusion {base.equation()} seen at the time that its clock shows, {clock}"
    notes = (note, *found.notes)
    return Derivation(process, None, divergence, privacy=privacy, gaussian=gaussian, missing=missing, notes=notes)


def _attempt(
    rule: str, premise: Theorem, assuming: Assuming, given: Mapping[str, Any]
) -> tuple[Theorem | None, str | None]:
    try:
        return apply(rule, premise, assuming=assuming, **given), None
    except Refused as refusal:
        return None, str(refusal)


def _common_rate(process: Diffusion) -> Expr | None:
    """The factor of the noise that depends on the time."""
    for e in process.noise:
        if e != 0:
            part = normal(e).factor() if TIME in e.free_symbols else Integer(1)
            return part.as_independent(TIME, as_Add=False)[1] if part != 1 else None
    return None


def _without_clock(process: Diffusion, rate: Expr) -> Diffusion | None:
    """The homogeneous diffusion, if the coefficients are its own times the rate."""
    drift = [normal(u / rate, process.interior) for u in process.drift]
    root = rate ** Rational(1, 2)
    diffusion = [[normal((e / root).powsimp(), process.interior) for e in row] for row in process.diffusion]
    if any(TIME in e.free_symbols for e in drift):
        return None
    if any(TIME in e.free_symbols for row in diffusion for e in row):
        if process.dimension > 1:
            return None
        diffusion = [[normal(process.noise[0, 0] / rate, process.interior) ** Rational(1, 2)]]
        if TIME in diffusion[0][0].free_symbols:
            return None
    names = {s for e in (*drift, *(e for row in diffusion for e in row)) for s in e.free_symbols}
    kept = {s: process.params.interval(s) for s in process.params.symbols if s in names}
    constraints = [c for c in process.params.constraints if c.free_symbols <= set(kept)]
    domain = Region(tuple((s, process.domain.interval(s)) for s in process.state))
    params = Region.make(kept, constraints)
    try:
        return Diffusion(drift, [tuple(row) for row in diffusion], process.state, domain, params)
    except InputError:
        return None


# --- curvature ------------------------------------------------------------------------------------------------------


def _by_curvature(process: Diffusion, assuming: Assuming) -> Derivation:
    """The first lower bound of the curvature that is proved, with the energy that goes with it in closed form."""
    split = _scale(process)
    if split is None:
        raise Refused("by curvature: the noise must be a function of the time times a constant matrix")
    scale, shape = split
    failed: Refused | None = None
    times = time_region(process)
    for bound in _bounds(process):
        exponent = from_zero(bound, times)
        energy = None if exponent is None else from_zero(_gathered((scale * exp(2 * exponent)).expand()), times)
        if energy is None:
            failed = failed or Refused(f"by curvature: no closed form goes with the lower bound {bound}")
            continue
        given = {"process": process, "bound": bound, "scale": scale, "shape": _rows(shape)}
        given |= {"exponent": exponent, "energy": energy}
        try:
            divergence = apply("harnack-in-time", assuming=assuming, **given)
        except Refused as refusal:
            failed = refusal
            continue
        try:
            privacy, missing = apply("harnack-in-time-rdp", assuming=assuming, **given), None
        except Refused as refusal:
            privacy, missing = None, str(refusal)
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
    first = normal(first, process.interior)
    scale = first.factor().as_independent(TIME, as_Add=False)[1] if TIME in first.free_symbols else Integer(1)
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
