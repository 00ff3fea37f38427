"""Diffusions with coordinates on circles: by the process on the line that they are seen of, and by the kernel."""

from __future__ import annotations

from sympy import Expr, Symbol, cancel, factor_terms, sqrt, together

from symdp.decide import normal
from symdp.derivation.clock import Search, derive_by_clock
from symdp.derivation.defined import coordinate_on
from symdp.derivation.products import about, derive_by_coordinates
from symdp.derivation.record import Assuming, Derivation, attempt, region_of
from symdp.derivation.routes import best_of
from symdp.diffusion.periods import moved
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.evidence import Evidence
from symdp.judgments import Divergence
from symdp.region import Region
from symdp.rules.circle import BOUNDS
from symdp.rules.conditions import starts
from symdp.text import symbol, to_text
from symdp.text.constants import settled
from symdp.theorem import Theorem, apply


def derive_on_circles(process: Diffusion, assuming: Assuming, search: Search) -> Derivation:
    """The least of the bound of the process on the line, between the nearest representatives of the starts, and of the
    bound of the kernel, where there is no drift but a constant one, or the sum of the coordinates' bounds; ``search``
    derives those of other processes.

    Raises :class:`Refused` for coefficients that do not have the periods, and where no route finds a bound.
    """
    unrolled = apply("unrolled", assuming=assuming, process=process)
    if not process.homogeneous:
        try:
            return derive_by_clock(process, assuming, search)
        except Refused:
            return _by_the_line(process, unrolled, assuming, search)

    def line(process: Diffusion, assuming: Assuming, _: Refused) -> Derivation:
        return _by_the_line(process, unrolled, assuming, search)

    def kernel(process: Diffusion, assuming: Assuming, _: Refused) -> Derivation:
        return _by_the_kernel(process, unrolled, assuming)

    def coordinates(process: Diffusion, assuming: Assuming, _: Refused) -> Derivation:
        return derive_by_coordinates(process, assuming, search)

    routes = {"line": line, "kernel": kernel} if process.dimension == 1 else {"line": line, "coordinates": coordinates}
    return best_of(routes, process, assuming, Refused("no bound on the circle", ()))


# --- by the line ----------------------------------------------------------------------------------------------------


def _by_the_line(process: Diffusion, unrolled: Theorem, assuming: Assuming, search: Search) -> Derivation:
    line = process.unrolled
    found = search(line, about(line, assuming))
    params = _in_gaps(process, found.divergence, assuming)
    divergence = apply("wrapped-divergence", unrolled, found.divergence, assuming=assuming, **params)
    privacy, missing = None, found.missing
    if found.privacy is not None:
        privacy, missing = attempt("wrapped-rdp", unrolled, found.privacy, assuming=assuming)
    note = f"the bound of {line.equation()} between the representatives of the starts that are nearest to each other"
    return Derivation(process, None, divergence, privacy=privacy, missing=missing, notes=(note, *found.notes))


def _in_gaps(process: Diffusion, divergence: Theorem, assuming: Assuming) -> dict[str, tuple[Expr, ...] | Expr]:
    """A bound of two starts as a function of their gaps along the circles."""
    fact = divergence.conclusion
    assert isinstance(fact, Divergence)
    names = _fresh(process, fact.region)
    ends = dict(zip(process.state, zip(*starts(process), strict=True), strict=True))
    shifts = {ends[s][0]: ends[s][1] + d for (s, _), d in zip(process.periods, names, strict=True)}
    form = fact.value.xreplace(shifts)
    if form.free_symbols & {ends[s][1] for s, _ in process.periods}:
        form = factor_terms(normal(form))
    coordinates, lengths = tuple(s for s, _ in process.periods), tuple(length for _, length in process.periods)
    if process.dimension == 1 and form.has(ends[process.state[0]][1]):
        y, length = _coordinate(process, assuming)
        (s,), (d,) = process.state, names
        gap = y.subs(s, ends[s][0]) - y.subs(s, ends[s][1])
        form = factor_terms(cancel(together(fact.value / gap**2))) * d**2
        coordinates, lengths = (y,), (length,)
    return {"form": settled(form), "gaps": names, "coordinates": coordinates, "lengths": lengths}


def _fresh(process: Diffusion, region: Region) -> tuple[Symbol, ...]:
    """A symbol for each circle that means nothing else."""
    taken = {s.name for s in (*region.symbols, *process.params.symbols, *process.state)}
    names = (name for k in range(len(taken) + len(process.periods)) if (name := f"d{k + 1}") not in taken)
    return tuple(symbol(next(names)) for _ in process.periods)


# --- by the kernel --------------------------------------------------------------------------------------------------


def circle_kernel(process: Diffusion, unrolled: Theorem, assuming: Assuming) -> Theorem:
    """The kernel of Brownian motion on a circle; :class:`Refused` where the process is none."""
    if process.dimension != 1 or not process.homogeneous:
        raise _none("the process has several coordinates or depends on the time")
    y, length = _coordinate(process, assuming)
    return apply("circle-kernel", unrolled, assuming=assuming, coordinate=y, length=length)


def _coordinate(process: Diffusion, assuming: Assuming) -> tuple[Expr, Expr]:
    """The unit coordinate, and what it grows by in a period."""
    ((s, period),) = process.periods
    v = process.v
    if s not in v.free_symbols:
        return sqrt(2) * s / v, sqrt(2) * period / v
    y = coordinate_on(process.unrolled, region_of(process, assuming, interior=True))
    if y is None:
        raise _none("no closed form of the intrinsic distance was found: an antiderivative of sqrt(2)/v")
    return y, normal(moved(y, s, period) - y)


def _none(reason: str) -> Refused:
    statement = "constant noise and drift, up to the choice of the coordinate"
    return Refused(f"no kernel on a circle: {reason}", (Evidence("circle kernel", statement, "unknown", reason),))


def _on_the_line(line: Diffusion, assuming: Assuming) -> Theorem:
    """No explosion of the process on the line: with constant coefficients whatever the sign of the drift, which decides
    what becomes of the scale function in Feller's test.
    """
    theorem, _ = attempt("conservative-linear", assuming=about(line, assuming), process=line)
    return theorem or apply("conservative-1d", assuming=about(line, assuming), process=line)


def _by_the_kernel(process: Diffusion, unrolled: Theorem, assuming: Assuming) -> Derivation:
    kernel = circle_kernel(process, unrolled, assuming)
    divergences = [apply("circle-divergence", kernel, assuming=assuming, by=by) for by in BOUNDS]
    divergence = apply("least-divergence", *divergences, assuming=assuming)
    flow = apply("heat-flow-circle", kernel, assuming=assuming)
    merges = apply("merging-circle", kernel, assuming=assuming)
    limit = apply("limit-of-merging", merges, divergence, assuming=assuming)
    conservative = apply("wrapped-conservative", unrolled, _on_the_line(process.unrolled, assuming), assuming=assuming)
    heat_flow = apply("heat-flow", conservative, flow, limit, assuming=assuming)
    found = [attempt("circle-rdp", kernel, assuming=assuming, by=by) for by in BOUNDS]
    guarantees, missing = [theorem for theorem, _ in found if theorem is not None], found[0][1]
    privacy = apply("least-rdp", *guarantees, assuming=assuming) if len(guarantees) == len(found) else None
    notes = (f"by the Fourier series of log p_t on the circle {to_text(process.periods[0][0])} mod the period",)
    return Derivation(
        process, kernel, divergence, flow, limit, heat_flow, privacy, None, merges.evidence, missing, notes
    )
