"""A calibrated diffusion: data for JSON, and lines of text. Numbers are decimals or enclosures rounded outward."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Integer, Rational, Symbol

from symdp.ball import Enclosure
from symdp.derivation.calibration import Calibrated, Optimum, Target, monotone
from symdp.derivation.utility import derive_utility, parts
from symdp.errors import Forged, Refused, SymdpError
from symdp.found import Found
from symdp.question import Question
from symdp.rationals import rational
from symdp.render.json import process_data
from symdp.render.sampled_gaussian import exact_text
from symdp.render.text import Line, field, interval
from symdp.render.utility import Range, replayed_utility, utility_data
from symdp.rules.conditions import ALPHA, TIME
from symdp.text import to_text
from symdp.theorem import Theorem, from_json

_ERRORS = ("bias_squared", "variance", "mse", "unbiased_mse", "best_multiple_mse")


def calibration_data(
    found: Found, question: Question, target: Target, result: Calibrated | Optimum, asked: Range, digits: int
) -> dict[str, Any]:
    """What was chosen, what it attains, that the next decimal fails, and how far the output errs."""
    one = result.noise if isinstance(result, Optimum) else result
    chosen = {one.parameter: one.value} | ({result.drift: result.value} if isinstance(result, Optimum) else {})
    point = _put(question, {s: Rational(str(value)) for s, value in chosen.items()})
    given = {k: v for k, v in point.asked().items() if k not in {s.name for s in chosen} | {"alpha"}}
    data: dict[str, Any] = {
        "schema": 1,
        **process_data(found.process),
        "at": given,
        "target": _target(target),
        "digits": digits,
        "parameter": one.parameter.name,
        "value": _text(one.value),
        "values": {s.name: _text(value) for s, value in chosen.items()},
        "reached": _beside(one.reached.epsilon, _goal(target), digits),
        "order": None if one.reached.order is None else to_text(one.reached.order),
        "safe_side": "larger" if one.falls else "smaller",
        "next": {"value": _text(one.beyond), "reached": _beside(one.missed.epsilon, _goal(target), digits)},
        "every_value_beyond_fails": one.everywhere,
        "utility": None,
        "error_grows": None,
    }
    try:
        data["utility"] = utility_data(found, asked, point, digits)
    except SymdpError as error:
        data["utility_missing"] = str(error)
    else:
        data["error_grows"] = _grows(found, point, one, asked)
    if isinstance(result, Optimum):
        data |= _optimum(result, digits)
    return data


def _optimum(result: Optimum, digits: int) -> dict[str, Any]:
    tuning = result.tuning
    return {
        "least_error": result.least.to_json(digits),
        "gaussian_error": result.gaussian.to_json(digits),
        "tuning": {
            "values": {s.name: to_text(value) for s, value in tuning.values},
            "exact": {s.name: to_text(value) for s, value in result.exact.items()},
            "statement": tuning.least.conclusion.statement(),
            "theorem": tuning.least.to_json(),
        },
    }


def _put(question: Question, values: Mapping[Symbol, Rational]) -> Question:
    parameters = {s: values.get(s, value) for s, value in question.parameters.items()}
    return replace(question, parameters=parameters, time=values.get(TIME, question.time))


def _grows(found: Found, point: Question, one: Calibrated, asked: Range) -> bool | None:
    """Whether it is proved that less of the parameter errs less; None where the error depends on the answer."""
    try:
        known = parts(derive_utility(found.derivation.kernel, asked.norm, asked.dimension).theorems)["mse"]
    except Refused:  # for no closed form in the parameters
        return False
    known = known.xreplace(dict(asked.values or {}))
    if known.free_symbols - set(point.assignment(alpha=Integer(2))):
        return None
    return monotone(known, point, one.parameter, falls=not one.falls)


def _target(target: Target) -> dict[str, Any]:
    said: dict[str, Any] = {"steps": target.steps}
    if target.delta is not None:
        return said | {"epsilon": exact_text(target.value), "delta": exact_text(target.delta)}
    if target.every:
        return said | {"rdp": to_text(Rational(target.value.numerator, target.value.denominator) * ALPHA)}
    return said | {"alpha": to_text(target.alpha or Integer(2)), "rdp": exact_text(target.value)}


def _goal(target: Target) -> Fraction:
    """What is compared: with a multiple of alpha, the divergence at order 2."""
    return 2 * target.value if target.every else target.value


def _text(number: object) -> str:
    return str(number).lower().replace("e+", "e")


def _beside(reached: Enclosure, goal: Fraction, digits: int) -> dict[str, str]:
    """The enclosure in so many digits that the decimals, rounded outward, still lie on one side of the goal."""
    for places in range(digits + 2, 5 * digits + 100):
        shown = reached.to_json(places)
        low, high = (rational(shown[end], "epsilon") for end in ("lower", "upper"))
        if high <= goal or low > goal:
            break
    return shown


def replayed_calibration(data: Mapping[str, Any]) -> dict[str, Theorem]:
    """The theorems about the error in the data of a calibration. Raises Forged if one is not what it says."""
    theorems = replayed_utility(data["utility"]) if data.get("utility") is not None else {}
    if "tuning" in data:
        best = from_json(data["tuning"]["theorem"])
        if best.conclusion.statement() != data["tuning"].get("statement"):
            raise Forged("tuning, statement: the theorem says something else")
        theorems["tuning"] = best
    if not theorems:
        raise Forged("there is no theorem in this file")
    return theorems


def calibration_lines(data: Mapping[str, Any]) -> list[Line]:
    """The parameters, the two sides of the target, and the error."""
    return list(_lines(data))


def _lines(data: Mapping[str, Any]) -> Iterator[Line]:
    target = data["target"]
    steps = "1 step" if target["steps"] == 1 else f"{target['steps']} steps"
    unit = "epsilon"
    if "epsilon" in target:
        goal = f"({target['epsilon']}, {target['delta']})-DP"
    elif "alpha" in target:
        goal, unit = f"({target['alpha']}, {target['rdp']})-RDP", "R_alpha"
    else:
        goal, unit = f"(alpha, {target['rdp']})-RDP at every order", "R_2"
    yield "head", field("Diffusion", data["process"]["equation"])
    yield "", field("  at", ", ".join(f"{name} = {value}" for name, value in data["at"].items()))
    for name, value in data["values"].items():
        if name != data["parameter"]:
            yield "head", field(f"  {name}", f"{value}, rounded, for the least error")
    extreme = "least" if data["safe_side"] == "larger" else "largest"
    at = " at that" if len(data["values"]) > 1 else ""
    yield "good", field(f"  {data['parameter']}", f"{data['value']}, the {extreme} of {data['digits']} digits{at}")
    yield "", field("", f"for {goal} after {steps}")
    order = f" (Rényi DP at alpha = {data['order']})" if data["order"] and unit == "epsilon" else ""
    yield "", field(f"  {unit}", f"{interval(data['reached'])}{order}")
    beyond = data["next"]
    side = "smaller" if data["safe_side"] == "larger" else "larger"
    every = f"; every {side} one fails, as is proved" if data["every_value_beyond_fails"] else ""
    yield "", field(f"  next {side}", f"{beyond['value']} gives {interval(beyond['reached'])}, too much{every}")
    yield from _errors(data)


def _errors(data: Mapping[str, Any]) -> Iterator[Line]:
    found = data["utility"]
    if found is None:
        yield "open", field("Utility", f"none ({data['utility_missing']})")
        return
    known = [f"{name} = {value}" for name, value in found["at"].items() if name not in data["at"] | data["values"]]
    query = ", ".join([found["query"], f"dimension {found['dimension']}", *known])
    yield "head", field("Utility", f"E |X_t - f(D)|^2 for X_0 = f(D), {query}")
    for name in _ERRORS:
        if name in found["values"]:
            yield "", field(f"  {name}", interval(found["values"][name]))
        elif found[name] is not None:
            yield "", field(f"  {name}", found[name])
    if data["error_grows"]:
        yield "", field("", f"a {data['safe_side']} {data['parameter']} errs more, as is proved: this errs least")
    elif data["error_grows"] is False:
        said = f"that no {data['safe_side']} {data['parameter']} errs less is not proved"
        yield "open", field("", said)
    if "least_error" in data:
        yield (
            "good",
            field("  least possible", f"{interval(data['least_error'])}, of all N(b f(D), w I) that meet this"),
        )
        yield "", field("  Gaussian", f"{interval(data['gaussian_error'])}, the unbiased one that meets it")
        for name, value in data["tuning"]["values"].items():
            there = data["tuning"]["exact"].get(name)
            exact = f" = {there}" if there else ""
            yield "", field(f"  best {name}", f"{value}{exact}, with epsilon the Renyi divergence over alpha")
