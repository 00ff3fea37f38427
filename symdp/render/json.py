"""The JSON form of a derivation (schema 1): what text and HTML are made from, and what ``replay`` reads back.

Every expression is text that :func:`symdp.text.parse` reads; every number an enclosure rounded outward.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sympy import Expr

from symdp.ball import Enclosure
from symdp.derivation.record import Route
from symdp.diffusion.facts import Facts, facts
from symdp.diffusion.process import Diffusion
from symdp.errors import Forged, SymdpError
from symdp.evidence import Evidence
from symdp.judgments import (
    BesselKernel,
    BrownianDoobKernel,
    CircleKernel,
    ControllableKernel,
    Divergence,
    GaussianDP,
    GaussianKernel,
    HeatFlow,
    Judgment,
    LimitDivergence,
    MehlerDoobKernel,
    ReflectedDriftKernel,
    ReflectedIntervalKernel,
    RenyiDP,
    ScheduledKernel,
    TanhDriftKernel,
    TwoValuedDriftKernel,
)
from symdp.question import Question
from symdp.region import Interval, Region
from symdp.text import to_text
from symdp.theorem import Theorem, from_json

if TYPE_CHECKING:
    from symdp.bound import Bound

SCHEMA = 1
KERNEL_CLASSES: dict[type[Judgment], str] = {
    GaussianKernel: "Gaussian",
    ControllableKernel: "Gaussian",
    ScheduledKernel: "Gaussian",
    BrownianDoobKernel: "Brownian",
    MehlerDoobKernel: "Mehler",
    BesselKernel: "Bessel",
    ReflectedDriftKernel: "reflected",
    ReflectedIntervalKernel: "reflected",
    TwoValuedDriftKernel: "two-valued drift",
    TanhDriftKernel: "hyperbolic tangent",
    CircleKernel: "circle",
}
DIRECTIONS = {
    "divergence": "R_alpha(P_t(x) || P_t(xp))",
    "rdp": "R_alpha in both orders, for every pair of starts with |x - xp| <= Delta",
    "value": "R_alpha(P_t(x) || P_t(xp))",
    "value_reverse": "R_alpha(P_t(xp) || P_t(x))",
    "value_rdp": "the larger of both orders",
}

_UNKNOWN = dict.fromkeys(
    [
        "tightness",
        "kernel_class",
        "kernel",
        "kappa",
        "Lambda",
        "limit",
        "heat_flow",
        "divergence",
        "rdp",
        "gdp",
        "region",
    ]
)


def bound_data(bound: Bound, *, theorems: bool = True) -> dict[str, Any]:
    """Everything about a bound; ``theorems=False`` leaves out the proofs that ``replay`` needs."""
    found = bound.found
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "status": bound.status,
        "tightness": bound.tightness,
        **process_data(bound.process),
        **facts_data(bound.facts),
        **conclusions(found.theorems),
        "region": bound.region.to_text(),
        "unrestricted": [s.name for s, interval in bound.region.intervals if interval == Interval.real()],
        "directions": {name: DIRECTIONS[name] for name in ("divergence", "rdp")},
        "hypotheses": [evidence_data(item) for item in bound.hypotheses],
        "merging": [evidence_data(item) for item in found.derivation.merging],
        "assumptions": list(bound.assumptions),
        "citations": list(bound.citations),
        "notes": list(bound.notes),
        "routes": [_route(route) for route in found.derivation.routes],
        "missing": found.derivation.missing,
    }
    limit = found.derivation.limit
    data["limit"] = _value(limit.conclusion) if limit is not None else None
    kernel = found.derivation.kernel
    data["kernel_class"] = KERNEL_CLASSES.get(type(kernel.conclusion)) if kernel is not None else None
    data["kernel"] = (
        kernel.conclusion.statement().replace(str(bound.process), "the process") if kernel is not None else None
    )
    if theorems:
        trees = {name: theorem.to_json() for name, theorem in found.theorems.items()}
        data["theorem"] = trees.pop("divergence")
        data["theorems"] = trees
    return data


def _route(route: Route) -> dict[str, str | None]:
    """What one of several routes says, as text."""
    privacy = _value(route.privacy.conclusion) if route.privacy is not None else None
    return {"route": route.name, "divergence": _value(route.divergence.conclusion), "rdp": privacy}


def conclusions(theorems: Mapping[str, Theorem]) -> dict[str, str | None]:
    """What named theorems say, as text; None for those that are not there."""
    said: dict[str, str | None] = dict.fromkeys(["kappa", "Lambda", "heat_flow", "divergence", "rdp", "gdp"])
    for name, theorem in theorems.items():
        conclusion = theorem.conclusion
        if isinstance(conclusion, HeatFlow):
            said |= {"kappa": to_text(conclusion.kappa), "Lambda": to_text(conclusion.Lambda)}
        else:
            said[name] = _value(conclusion)
    return said


def _value(conclusion: Judgment) -> str | None:
    if isinstance(conclusion, Divergence | RenyiDP | LimitDivergence):
        return to_text(conclusion.value)
    return to_text(conclusion.mu) if isinstance(conclusion, GaussianDP) else None


def refusal_data(process: Diffusion, reason: str, hypotheses: Iterable[Evidence]) -> dict[str, Any]:
    """What can be said where no bound was derived: the calculus, what was looked at, and why there is none."""
    return {
        "schema": SCHEMA,
        "status": "refused",
        "reason": reason,
        **process_data(process),
        **facts_data(_facts_or_none(process)),
        **_UNKNOWN,
        "hypotheses": [evidence_data(item) for item in hypotheses],
        "assumptions": [],
        "citations": [],
        "notes": [],
    }


def _facts_or_none(process: Diffusion) -> Facts | None:
    try:
        return facts(process)
    except SymdpError:
        return None


def process_data(process: Diffusion) -> dict[str, Any]:
    """The diffusion as it was understood."""
    intervals = {s.name: process.params.interval(s) for s in process.params.symbols}
    default = [name for name, interval in intervals.items() if interval == Interval.positive()]
    return {
        "process": {
            "equation": process.equation(),
            "drift": ", ".join(to_text(e) for e in process.drift),
            "diffusion": "; ".join(", ".join(to_text(e) for e in row) for row in process.diffusion),
            "state": [s.name for s in process.state],
            "domain": process.space,
            "parameters": process.params.to_text(),
            "positive": default,
        }
    }


def facts_data(known: Facts | None) -> dict[str, Any]:
    """Generator, carré du champ, curvature, invariant density, reversibility."""
    texts: dict[str, Any] = dict.fromkeys(
        ["generator", "carre_du_champ", "curvature", "invariant_density", "reversible"]
    )
    if known is None:
        return texts
    for name in ("generator", "carre_du_champ", "curvature", "invariant_density"):
        expr = getattr(known, name)
        texts[name] = to_text(expr) if isinstance(expr, Expr) else None
    return texts | {"reversible": known.reversible}


def evidence_data(item: Evidence) -> dict[str, Any]:
    """One hypothesis: name, verdict, reason, statement, and the assumed relations it was decided under."""
    data: dict[str, Any] = {name: getattr(item, name) for name in ("name", "verdict", "reason", "statement")}
    return data | ({"under": [str(r) for r in item.under]} if item.under else {})


def value_data(question: Question, answer: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """The numbers that answer a question, with the question."""
    data: dict[str, Any] = {"at": question.asked(), "digits": digits}
    named = {"note": "value_note", "routes": "route_values"}
    for name, value in answer.items():
        data[named.get(name, name)] = _plain(value, digits)
    directions = {name: DIRECTIONS[name] for name in answer if name in DIRECTIONS}
    if question.sensitivity is not None and "value" in directions:
        directions["value"] = DIRECTIONS["rdp"]
    return data | {"value_directions": directions}


def _plain(value: Any, digits: int) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item, digits) for name, item in value.items()}
    if isinstance(value, Enclosure):
        return value.to_json(digits)
    return to_text(value) if isinstance(value, Expr) else value


def replayed(data: object) -> dict[str, Theorem]:
    """The theorems of JSON data, rebuilt from their rules.

    Raises :class:`Forged` if one is not what it says, or the data beside it says something else.
    """
    match data:
        case {"theorem": main, **rest}:
            others = rest.get("theorems") or {}
            trees: dict[str, object] = {"divergence": main, **(others if isinstance(others, dict) else {"": others})}
        case {"nodes": list()}:
            return {"theorem": from_json(data)}
        case {"proof": _, "rule_chain": _, "ask": str(asked)}:
            from symdp.render.proof import replayed_proof

            assert isinstance(data, dict)
            return {asked: replayed_proof(data)}
        case {"parameter": _, "reached": _, "utility": _}:
            from symdp.render.calibration import replayed_calibration

            assert isinstance(data, dict)
            return replayed_calibration(data)
        case _:
            raise Forged("there is no theorem in this file")
    theorems = {name: from_json(tree) for name, tree in trees.items()}
    assert isinstance(data, dict)
    _compare(data, theorems)
    if "utility" in data:
        from symdp.render.utility import replayed_utility

        theorems |= replayed_utility(data["utility"])
    return theorems


def _compare(data: Mapping[str, Any], theorems: Mapping[str, Theorem]) -> None:
    """What is printed beside the theorems must be what they say."""
    main = theorems["divergence"]

    def collected(name: str) -> list[str]:
        return list(dict.fromkeys(str(item) for theorem in theorems.values() for item in getattr(theorem, name)))

    assumptions = collected("assumptions")
    region = main.region
    if isinstance(region, Region):
        region = region.intersect([r for theorem in theorems.values() for e in theorem.hypotheses for r in e.under])
    if data.get("schema", 1) != 1:
        raise Forged("the file is of another schema")
    about = getattr(main.conclusion, "process", None)
    if "process" in data and isinstance(about, Diffusion) and {"process": data["process"]} != process_data(about):
        raise Forged("process: the theorem is about another one than is printed")
    wanted: dict[str, Any] = {
        **conclusions(theorems),
        "tightness": main.tightness,
        "status": "conditional" if assumptions else "proved",
        "region": region.to_text() if isinstance(region, Region) else None,
        "assumptions": assumptions,
        "citations": collected("citations"),
    }
    for name, value in wanted.items():
        asked_too_much = (
            name == "status" and data.get(name) == "refused"
        )  # the theorem stands, a question about it was refused
        if name in data and data[name] != value and not asked_too_much:
            raise Forged(f"{name}: the theorem says {value}, something else is printed")
    stored = [{k: item.get(k) for k in ("name", "verdict", "statement")} for item in data.get("hypotheses", [])]
    proved = list(dict.fromkeys(item for theorem in theorems.values() for item in theorem.hypotheses))
    if stored != [{"name": e.name, "verdict": e.verdict, "statement": e.statement} for e in proved]:
        raise Forged("hypotheses: the theorem rests on others than those printed")
