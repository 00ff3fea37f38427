"""Hypotheses that several rules share, and the deciders of those that are not one relation on one region."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

import sympy
from sympy import Abs, Expr, Matrix, Symbol, oo, sign

from symdp.decide import Proved, Refuted, Unknown, Verdict, decide
from symdp.decide import sign as decided_sign
from symdp.diffusion.asymptotics import Unclear
from symdp.diffusion.completeness import slow_growth
from symdp.diffusion.measure import End, classify_end
from symdp.diffusion.process import Diffusion
from symdp.diffusion.stated import TIME as TIME
from symdp.evidence import Condition, register_decider
from symdp.region import Interval, Region
from symdp.text import Relation, definedness, symbol
from symdp.text.extrema import Max, Min

ALPHA, DELTA = symbol("alpha"), symbol("Delta")


def starts(process: Diffusion) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """The symbols of the two starts in every result: ``x, xp``, in R^d ``x1, ..., xp1, ...``."""
    if process.dimension == 1:
        return (symbol("x"),), (symbol("xp"),)
    indices = range(1, process.dimension + 1)
    return tuple(symbol(f"x{i}") for i in indices), tuple(symbol(f"xp{i}") for i in indices)


def time_region(process: Diffusion) -> Region:
    """The times after the start, ``t > 0``, and the parameters."""
    return process.params.extend({TIME: process.times})


def order_region(process: Diffusion) -> Region:
    """``alpha > 1``, ``t > 0`` and the parameters."""
    return time_region(process).extend({ALPHA: Interval.open(1, oo)})


def pair_region(process: Diffusion) -> Region:
    """Orders, times, parameters and both starts in the interior of the domain."""
    intervals = {}
    for start in starts(process):
        for name, s in zip(start, process.state, strict=True):
            d = process.domain.interval(s)
            intervals[name] = Interval(d.lower, d.upper, False, False)
    return order_region(process).extend(intervals)


def vanishes(name: str, statement: str, exprs: Iterable[Expr] | Matrix, region: Region) -> Condition:
    """Every expression is identically zero on the region."""
    return Condition(name, statement, "zero", (tuple(e for e in exprs if e != 0), region))


def holds(name: str, relation: Relation, region: Region, statement: str | None = None) -> Condition:
    """A relation on a region."""
    return Condition(name, statement or str(relation), "relation", (relation, region))


def one_process(process: Diffusion, *others: object) -> Condition:
    """The premises of a rule speak of one and the same process."""
    return Condition("one process", "the premises speak of one process", "fact", (all(o == process for o in others),))


def smooth(what: str, exprs: Iterable[Expr], region: Region, variables: Sequence[Symbol]) -> Iterator[Condition]:
    """Each expression is defined on the region and smooth in ``variables``.

    A rule that differentiates needs this: where a derivative is zero "wherever defined", a jump is not seen.
    """
    relations: list[Relation] = []
    for e in exprs:
        for r in definedness(e):
            relations.append(Relation(r.expr, ">") if r.op == ">=" and r.expr.has(*variables) else r)
        kinks = [a.args[0] for a in sorted(e.atoms(Abs, sign), key=str) if a.has(*variables)]
        for extremum in sorted(e.atoms(sympy.Min, sympy.Max, Min, Max), key=str):
            kinks += [a - b for a, b in combinations(extremum.args, 2) if extremum.has(*variables)]
        relations += [Relation(a, "!=") for a in kinks]
    for relation in dict.fromkeys(relations):
        yield holds(f"smooth {what}: {relation}", relation, region, f"{what} is defined and smooth where {relation}")


def homogeneous(*coefficients: Expr) -> Iterator[Condition]:
    """No coefficient depends on the time: what nearly every theorem about diffusions takes for granted.

    Said only where it fails, since elsewhere there is nothing to decide.
    """
    if any(TIME in e.free_symbols for e in coefficients):
        yield Condition("homogeneous", "the coefficients do not depend on the time", "fact", (False,))


def regularity(process: Diffusion, *, in_time: bool = False) -> Iterator[Condition]:
    """The coefficients, also as they were typed, are real, defined and smooth inside the domain.

    They do not depend on the time, unless ``in_time`` says that the rule is made for that; then at all its times.
    """
    coefficients = [*process.drift, *(e for row in process.diffusion for e in row)]
    if not in_time:
        yield from homogeneous(*coefficients, *(r.expr for r in process.conditions))
    typed = [Relation(r.expr, ">") if r.op == ">=" and r.expr.has(*process.state) else r for r in process.conditions]
    seen = set()
    for relation in dict.fromkeys(typed):  # ">= 0" and "> 0" of one function are one condition here
        seen.add(relation)
        yield holds(f"smooth: {relation}", relation, process.interior, f"the coefficients are smooth where {relation}")
    for condition in smooth("coefficient", coefficients, process.interior, process.state):
        if condition.args[0] not in seen:
            yield condition


def linear_coefficients(process: Diffusion) -> Iterator[Condition]:
    """Affine drift and constant noise, for coefficients that are smooth."""
    state, entries = process.state, [e for row in process.diffusion for e in row]
    slopes = [u.diff(s) for u in process.drift for s in state]
    second = [e.diff(s) for e in slopes for s in state]
    yield vanishes("affine drift", "the drift is affine in the state", second, process.region)
    first = [e.diff(s) for e in entries for s in state]
    yield vanishes("constant noise", "the noise does not depend on the state", first, process.region)


def elliptic(process: Diffusion) -> Condition:
    """``det(v v^T) > 0`` inside the domain."""
    return holds(
        "elliptic", Relation(process.noise.det(), ">"), process.interior, "the noise vanishes nowhere inside the domain"
    )


def natural_ends(process: Diffusion) -> Condition:
    """Both ends of the interval are unattainable and at infinite intrinsic distance."""
    statement = "both ends are unattainable and infinitely far away"
    return Condition("natural ends", statement, "natural ends", (process,))


def _decide_zero(exprs: Sequence[Expr], region: Region, *, assuming: Sequence[Relation]) -> Verdict:
    region = region.intersect(assuming) if assuming else region
    certificates = []
    for e in exprs:
        verdict = decide(Relation(e, "=="), region)
        if not isinstance(verdict, Proved):
            return verdict
        certificates.append(verdict.certificate)
    return Proved({"engine": "normal-form", "reason": "proved by the zero test", "checks": certificates})


def _sign(process: Diffusion, assuming: Sequence[Relation]) -> Callable[[Expr], int | None]:
    region = _parameters(process, assuming)
    return lambda e: decided_sign(e, region)


def _parameters(process: Diffusion, assuming: Sequence[Relation]) -> Region:
    return process.params.intersect(assuming) if assuming else process.params


def _ends(process: Diffusion, assuming: Sequence[Relation]) -> list[End]:
    sign_of, region = _sign(process, assuming), _parameters(process, assuming)

    def holds_weakly(e: Expr) -> bool:
        return isinstance(decide(Relation(e, ">="), region), Proved)

    return [classify_end(process, side, sign_of, holds_weakly) for side in ("lower", "upper")]


def _by_exponents(demand: Callable[[End], str | None]) -> Callable[..., Verdict]:
    """A decider that asks something of both ends; ``demand`` returns what is wrong with one, or None, or raises
    Unclear.
    """

    def decider(process: Diffusion, *, assuming: Sequence[Relation]) -> Verdict:
        try:
            ends = _ends(process, assuming)
            for end in ends:
                if wrong := demand(end):
                    return Refuted({}, {"engine": "exponents", "reason": f"{end.name} {wrong} ({end.reason})"})
        except Unclear as error:
            return Unknown(str(error))
        reasons = "; ".join(f"{end.name}: {end.reason}" for end in ends)
        return Proved({"engine": "exponents", "reason": reasons})

    return decider


def _natural(end: End) -> str | None:
    if end.attainable is None:
        raise Unclear(f"whether {end.name} is attained ({end.reason})")
    if end.attainable:
        return (
            "is attained: the end reflects"
            if end.reflecting
            else "is attained in finite time, and the domain is open there"
        )
    return None if end.infinite_distance else "is at a finite intrinsic distance"


def _unattainable_or_reflecting(end: End) -> str | None:
    if end.attainable is False:
        return None
    if not end.reflecting:
        return "is attained in finite time, and the domain is open there"
    if end.enterable is None:
        raise Unclear(f"whether {end.name} is left again once it is attained ({end.reason})")
    return None if end.enterable else "is attained and not left again: it cannot reflect"


def _recurrent(end: End) -> str | None:
    reflects = end.reflecting and end.attainable is not False and end.enterable is True
    if end.infinite_scale is None and not reflects:
        raise Unclear(f"whether the scale function is bounded at {end.name} ({end.reason})")
    return None if reflects or end.infinite_scale else "has a bounded scale function: the process may escape there"


def _decide_conservative(process: Diffusion, *, assuming: Sequence[Relation]) -> Verdict:
    """By the exponents at both ends; where coefficients oscillate on the whole line, by their growth."""
    verdict = _by_exponents(_unattainable_or_reflecting)(process, assuming=assuming)
    if isinstance(verdict, Unknown):
        inside = process.interior.intersect(assuming) if assuming else process.interior
        if (certificate := slow_growth(process, inside)) is not None:
            return Proved(certificate)
    return verdict


register_decider("zero", _decide_zero)
register_decider("natural ends", _by_exponents(_natural))
register_decider("conservative ends", _decide_conservative)
register_decider("recurrent ends", _by_exponents(_recurrent))


def _decide_whole_space(process: Diffusion, *, assuming: Sequence[Relation]) -> Verdict:
    if process.whole_space:
        return Proved({"engine": "structure", "reason": "the domain is the whole space"})
    return Refuted({}, {"engine": "structure", "reason": f"the domain is {process.domain}"})


register_decider("whole space", _decide_whole_space)


def _decide_fact(value: bool, *, assuming: Sequence[Relation]) -> Verdict:
    """A fact about the parameters of a rule that Python itself decides, such as the parity of an integer."""
    return (
        Proved({"engine": "structure"}) if value else Refuted({}, {"engine": "structure", "reason": "it does not hold"})
    )


register_decider("fact", _decide_fact)
