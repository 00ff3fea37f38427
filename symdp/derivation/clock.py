"""Coefficients with one rate that depends on the time: what is known of a homogeneous diffusion, by another clock."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Rational

from symdp.decide import normal, sign
from symdp.derivation.record import Assuming, Derivation, attempt
from symdp.diffusion.antiderivatives import from_zero
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError, Refused
from symdp.region import Region
from symdp.rules.conditions import TIME, time_region
from symdp.theorem import apply

Search = Callable[[Diffusion, Assuming], Derivation]


def derive_by_clock(process: Diffusion, assuming: Assuming, search: Search) -> Derivation:
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
        privacy, missing = attempt("time-change-rdp", found.privacy, assuming=assuming, **given)
    if found.gaussian is not None:
        gaussian, _ = attempt("time-change-gdp", found.gaussian, assuming=assuming, **given)
    note = f"the diffusion {base.equation()} seen at the time that its clock shows, {clock}"
    notes = (note, *found.notes)
    return Derivation(process, None, divergence, privacy=privacy, gaussian=gaussian, missing=missing, notes=notes)


def _common_rate(process: Diffusion) -> Expr | None:
    """The factor of the noise that depends on the time."""
    for e in process.noise:
        if e != 0:
            return rate_of(e, process) if TIME in e.free_symbols else None
    return None


def rate_of(e: Expr, process: Diffusion) -> Expr:
    """The factor of an expression that depends on the time; minus it where that is positive."""
    rate: Expr = normal(e, process.interior).factor().as_independent(TIME, as_Add=False)[1]
    times = time_region(process)
    known = rate.free_symbols <= set(times.symbols)
    return -rate if known and sign(rate, times) == -1 else rate


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
    rounds = tuple(length for _, length in process.periods)
    names = {s for e in (*drift, *rounds, *(e for row in diffusion for e in row)) for s in e.free_symbols}
    kept = {s: process.params.interval(s) for s in process.params.symbols if s in names}
    constraints = [c for c in process.params.constraints if c.free_symbols <= set(kept)]
    domain = Region(tuple((s, process.domain.interval(s)) for s in process.state))
    params = Region.make(kept, constraints)
    try:
        return Diffusion(drift, [tuple(r) for r in diffusion], process.state, domain, params, (), process.periods)
    except InputError:
        return None
