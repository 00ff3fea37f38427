"""From lines to circles: what is seen of a diffusion whose coordinates are taken modulo periods of its coefficients.

Seeing less never makes two laws easier to tell apart (Van Erven and Harremoes 2014, Theorem 9), and a start on the
circle is any of the starts on the line above it. So a bound of the line holds for each choice of them, also for the two
that are nearest to each other: the gap of the starts becomes the length of the shorter arc,

    (l/pi) asin |sin(pi d/l)| = min_k |d + k l|.

A pair of points has representatives at distance at most Delta exactly if the shorter arc between them is at most Delta:
both ways to read a sensitivity on a circle are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sympy import Abs, Add, Expr, Symbol, asin, pi, sin, sqrt

from symdp.citations import Citation
from symdp.diffusion.periods import moved
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import Conservative, Divergence, RenyiDP, Unrolled
from symdp.judgments.iteration import STARTS
from symdp.region import Interval
from symdp.rule import Rule, register
from symdp.rules.conditions import DELTA, holds, pair_region, smooth, starts, vanishes
from symdp.rules.regions import joined
from symdp.text import Relation
from symdp.text.extrema import Min

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
SOURCE = (
    Citation("vanerven2014", "Theorem 9", "the data processing inequality"),
    Citation("symdp", "rules.wrapping", "the nearest representatives of two starts"),
)


def arc(gap: Expr, length: Expr) -> Expr:
    """The distance on a circle of circumference ``length`` of two points whose representatives differ by ``gap``."""
    return length / pi * asin(Abs(sin((pi * gap / length).expand())))


# --- the coefficients have the periods ------------------------------------------------------------------------------


def _periodic(_: Premises, params: Params) -> Iterator[Condition]:
    process: Diffusion = params["process"]
    yield Condition("circles", "a coordinate runs round a circle", "fact", (bool(process.periods),))
    for s, length in process.periods:
        yield holds(f"period of {s}", Relation(length, ">"), process.params, "the period is positive")
        for what, entries in (("drift", process.drift), ("noise", tuple(process.noise))):
            gaps = [moved(e, s, length) - e for e in entries]
            statement = f"the {what} has the period of {s}"
            yield vanishes(f"periodic {what}, {s}", statement, gaps, process.region)


def _seen(_: Premises, params: Params) -> Unrolled:
    """``P_t([x])`` on the circle is the image of ``P_t(x)`` on the line, for each representative x of the start."""
    return Unrolled(params["process"])


register(
    Rule(
        id="unrolled",
        title="A diffusion on a circle, seen of one on the line",
        citation=Citation("bakry2014", "section 2.4", "periodic conditions"),
        premises=(),
        conditions=_periodic,
        conclude=_seen,
        tightness="exact",
        circles=True,
    )
)


def _line(premises: Premises) -> Condition:
    unrolled, fact = premises
    process = getattr(fact, "process", None) or fact.subject
    same = process == unrolled.process.unrolled
    return Condition("line", "the premise is about the process on lines", "fact", (same,))


def _kept_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield _line(premises)


def _kept(premises: Premises, _: Params) -> Conservative:
    """``P_t 1 = 1`` on the circle, as on the line."""
    return Conservative(premises[0].process)


register(
    Rule(
        id="wrapped-conservative",
        title="No explosion on a circle",
        citation=Citation("bakry2014", "section 2.4", "periodic conditions"),
        premises=(Unrolled, Conservative),
        conditions=_kept_conditions,
        conclude=_kept,
        tightness="exact",
        circles=True,
    )
)

# --- two starts -----------------------------------------------------------------------------------------------------


def _gaps(process: Diffusion, params: Params) -> list[Expr]:
    """``y_i(x_i) - y_i(xp_i)`` for the coordinates on circles."""
    ends = dict(zip(process.state, zip(*starts(process), strict=True), strict=True))
    pairs = zip(process.periods, params["coordinates"], strict=True)
    return [y.subs(s, ends[s][0]) - y.subs(s, ends[s][1]) for (s, _), y in pairs]


def _turning(process: Diffusion) -> set[Symbol]:
    """The symbols of those coordinates of both starts that are on circles."""
    turning = [s for s, _ in process.periods]
    return {e for start in starts(process) for s, e in zip(process.state, start, strict=True) if s in turning}  # type: ignore[misc]


def _divergence_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    unrolled, fact = premises
    process: Diffusion = unrolled.process
    form, symbols, coordinates, lengths = (params[k] for k in ("form", "gaps", "coordinates", "lengths"))
    yield _line(premises)
    many = len(process.periods)
    region = joined(pair_region(process), fact.region)
    fixed = set(process.params.symbols)
    rounds = [s for s, _ in process.periods]
    known = (
        many == len(symbols) == len(set(symbols)) == len(coordinates) == len(lengths)
        and all(isinstance(s, Symbol) for s in symbols)
        and not set(symbols) & {*region.symbols, *process.state}
        and all(y.free_symbols <= {s, *fixed} for y, s in zip(coordinates, rounds, strict=True))
        and all(length.free_symbols <= fixed for length in lengths)
        and form.free_symbols <= {*region.symbols, *symbols} - _turning(process)
    )
    yield Condition("form known", "a form of the gaps, one coordinate and length for each circle", "fact", (known,))
    if not known:
        return
    free = not any(r.free_symbols & _turning(process) for r in fact.region.relations)
    yield Condition("every start", "the bound holds for all starts on the circles", "fact", (free,))
    for (s, period), y, length in zip(process.periods, coordinates, lengths, strict=True):
        yield holds(f"length of {s}", Relation(length, ">"), process.params, "the circumference is positive")
        yield from smooth(f"coordinate of {s}", [y], process.region, [s])
        turn = [moved(y, s, period) - y - length]
        yield vanishes(f"turn of {s}", "the coordinate grows by the circumference in a period", turn, process.region)
    at_gaps = form.xreplace(dict(zip(symbols, _gaps(process, params), strict=True)))
    yield vanishes("form", "the bound is the form at the gaps of the starts", [fact.value - at_gaps], region)
    whole = region.extend(dict.fromkeys(symbols, Interval.real()))
    for s in symbols:
        yield vanishes(
            f"even in {s}", "the form does not tell a gap from its opposite", [form - form.subs(s, -s)], whole
        )


def _divergence(premises: Premises, params: Params) -> Divergence:
    """``F((l/pi) asin |sin(pi d/l)|)`` for a bound ``F(d)``, even in ``d = y(x) - y(x')``, of the process on the line;
    y grows by l in a period.
    """
    unrolled, fact = premises
    process: Diffusion = unrolled.process
    nearest = [arc(gap, length) for gap, length in zip(_gaps(process, params), params["lengths"], strict=True)]
    value = params["form"].xreplace(dict(zip(params["gaps"], nearest, strict=True)))
    return Divergence(process, value, joined(pair_region(process), fact.region))


register(
    Rule(
        id="wrapped-divergence",
        title="The divergence of two starts on a circle",
        citation=SOURCE,
        premises=(Unrolled, Divergence),
        conditions=_divergence_conditions,
        conclude=_divergence,
        tightness="upper",
        circles=True,
    )
)

# --- neighbours -----------------------------------------------------------------------------------------------------


def farthest(process: Diffusion, lengths: Sequence[Expr]) -> Expr | None:
    """The largest distance of two points, where every coordinate is on a circle: half the diagonal of the lengths."""
    if len(lengths) < process.dimension:
        return None
    return lengths[0] / 2 if len(lengths) == 1 else sqrt(Add(*[length**2 for length in lengths])) / 2


def _privacy_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield _line(premises)
    fact = premises[1]
    plain = fact.relation == STARTS and fact.sensitivity == DELTA
    yield Condition("neighbours", "the neighbours are starts at distance at most Delta", "fact", (plain,))
    every = fact.region.interval(DELTA) == Interval.nonnegative() if plain else False
    free = not any(DELTA in c.free_symbols for c in fact.region.constraints)
    yield Condition("every distance", "the guarantee holds for every Delta", "fact", (every and free,))


def _privacy(premises: Premises, _: Params) -> RenyiDP:
    """``F(min(Delta, l/2))`` for a guarantee ``F(Delta)`` on the line: no two points of a circle of length l are
    farther apart; on a torus half its diagonal is the most, and where a coordinate is on a line there is no most.
    """
    unrolled, fact = premises
    process: Diffusion = unrolled.process
    most = farthest(process, [length for _, length in process.periods])
    value = fact.value if most is None else fact.value.xreplace({DELTA: Min(DELTA, most)})
    region = joined(fact.region, process.params)
    return RenyiDP(process, value, DELTA, STARTS, region)


register(
    Rule(
        id="wrapped-rdp",
        title="Renyi differential privacy on a circle",
        citation=SOURCE,
        premises=(Unrolled, RenyiDP),
        conditions=_privacy_conditions,
        conclude=_privacy,
        tightness="upper",
        circles=True,
    )
)
