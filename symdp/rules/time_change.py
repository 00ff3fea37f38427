"""A clock: ``dX = a(t) u(X) dt + sqrt(a(t)) v(X) dW`` is ``dY = u(Y) dt + v(Y) dW`` seen at ``tau(t) = int_0^t a``.

Where a is positive, ``X_t = Y_{tau(t)}`` in law, so that whatever is known of Y for all times is known of X.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr

from symdp.citations import Citation
from symdp.diffusion.process import Diffusion
from symdp.evidence import Condition
from symdp.judgments import Divergence, GaussianDP, Judgment, RenyiDP
from symdp.judgments.iteration import STARTS
from symdp.region import Region
from symdp.rule import Rule, register
from symdp.rules.conditions import TIME, holds, homogeneous, time_region, vanishes
from symdp.rules.neighbours import RELATION
from symdp.rules.schedules import integral
from symdp.text import Relation

Params = Mapping[str, Any]
SOURCE = Citation("karatzas1991", "section 3.4", "time change of continuous martingales")


def _same_space(process: Diffusion, base: Any) -> bool:
    return (
        isinstance(base, Diffusion)
        and base.state == process.state
        and base.periods == process.periods
        and all(base.domain.interval(s) == process.domain.interval(s) for s in process.state)
        and set(base.params.symbols) <= set(process.params.symbols)
    )


def clock_conditions(process: Diffusion, base: Any, rate: Expr, clock: Expr) -> Iterator[Condition]:
    """``process`` is ``base`` by the clock ``clock``, whose rate is ``rate``."""
    same = _same_space(process, base)
    yield Condition("one space", "both processes have the same state, domain and parameters", "fact", (same,))
    if not same:
        return
    yield from homogeneous(*base.drift, *base.noise, *(r.expr for r in base.conditions))
    times = time_region(process)
    known = (rate.free_symbols | clock.free_symbols) <= set(times.symbols)
    yield Condition("clock", "the clock is a function of the time", "fact", (known,))
    if not known:
        return
    for relation in process.conditions:
        yield holds(
            f"defined: {relation}", relation, process.interior, f"the coefficients are defined where {relation}"
        )
    yield holds("rate", Relation(rate, ">"), times, "the clock runs forwards at every time after the start")
    yield from integral("clock", clock, rate, process)
    drifts = [u - rate * b for u, b in zip(process.drift, base.drift, strict=True)]
    yield vanishes("drift", "the drift is that of the other process times the rate", drifts, process.region)
    noises = list(process.noise - rate * base.noise)
    yield vanishes("noise", "v v^T is that of the other process times the rate", noises, process.region)


def _region(process: Diffusion, known: Region, clock: Expr) -> Region:
    """Where the premise holds at the time that the clock shows, for the times and parameters of ``process``."""
    others = {s: interval for s, interval in known.intervals if s not in (TIME, *process.params.symbols)}
    return time_region(process).extend(others).intersect([c.subs({TIME: clock}) for c in known.constraints])


def _rule(id: str, title: str, kind: type[Judgment]) -> Rule:
    """The rule for one kind of judgment."""
    pairs = kind is Divergence

    def conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
        (fact,), process, clock = premises, params["process"], params["clock"]
        yield from clock_conditions(process, fact.process if pairs else fact.subject, params["rate"], clock)
        if not pairs:
            plain = fact.relation in (RELATION, STARTS)
            yield Condition("neighbours", "the neighbours are starts at distance Delta", "fact", (plain,))
        times = time_region(process)
        ends = [r for s, d in fact.region.intervals if s in times.symbols for r in d.relations(s)]
        for relation in ends:  # of times and parameters; the premise says of the others where it holds
            statement = f"{relation} where t is what the clock shows"
            yield holds(f"range: {relation}", relation.subs({TIME: clock}), times, statement)

    def conclude(premises: tuple[Any, ...], params: Params) -> Judgment:
        """The bound of the other process with ``tau(t)`` for t."""
        fact: Any = premises[0]
        process, clock = params["process"], params["clock"]
        region, shown = _region(process, fact.region, clock), {TIME: clock}
        if pairs:
            return Divergence(process, fact.value.xreplace(shown), region)
        name = "mu" if kind is GaussianDP else "value"
        changed = {name: getattr(fact, name).xreplace(shown), "subject": process, "region": region}
        other: Judgment = replace(fact, **changed)
        return other

    return Rule(
        id=id,
        title=title,
        citation=SOURCE,
        premises=(kind,),
        conditions=conditions,
        conclude=conclude,
        tightness="exact",
        circles=True,
    )


register(_rule("time-change", "The divergence of a diffusion by another clock", Divergence))
register(_rule("time-change-rdp", "Renyi differential privacy by another clock", RenyiDP))
register(_rule("time-change-gdp", "Gaussian differential privacy by another clock", GaussianDP))
