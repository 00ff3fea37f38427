"""How far the output of a diffusion errs, beside its bound: data for JSON (key "utility"), and lines of text.

Every expression is what a theorem says; numbers are enclosures rounded outward.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Symbol

from symdp.derivation import derive as search
from symdp.derivation.utility import Utility, derive_utility, parts
from symdp.enclosure import enclose
from symdp.errors import Forged, InputError, Refused, Undefined, Undetermined
from symdp.found import Found
from symdp.judgments import ControllableKernel
from symdp.question import Question
from symdp.render.text import Line, field, interval
from symdp.text import to_text
from symdp.theorem import Theorem, from_json

_HELD = ("bias_squared", "variance", "mse", "unbiased_mse", "best_multiple_factor", "best_multiple_mse")
_NAMES = {
    "bias_squared": "  squared bias",
    "variance": "  variance",
    "mse": "  mean squared error",
    "unbiased_mse": "  unbiased",
    "best_multiple_mse": "  best multiple",
}


@dataclass(frozen=True)
class Range:
    """What is known of the query: symbols for a bound on ``|f(D)|`` and for d, with their values where given."""

    norm: Symbol | None = None
    dimension: Symbol | None = None
    values: Mapping[Symbol, Expr] | None = None


def utility_data(
    found: Found, asked: Range, point: Question | None, digits: int, *, theorems: bool = True
) -> dict[str, Any]:
    """The theorems about the error, their texts, and with a ``point`` their values.

    Where there is no closed form for all parameters, or it has no value at the point, it is derived at those of the
    point. Raises :class:`Refused` where no error is derived, :class:`InputError` for a point outside the range.
    """
    try:
        said = derive_utility(found.derivation.kernel, asked.norm, asked.dimension)
        values = _values(said, asked, point, digits)
    except (Undefined, Undetermined, Refused) as error:
        said, values = _at_the_point(found, asked, point, digits, error)
    data: dict[str, Any] = {
        "query": f"|f(D)| <= {asked.norm}" if asked.norm is not None else "every f(D)",
        "dimension": to_text(asked.dimension) if asked.dimension is not None else str(found.process.dimension),
        **_texts(said.theorems),
        "hypotheses": [
            {name: getattr(item, name) for name in ("name", "verdict", "reason", "statement")}
            for item in dict.fromkeys(e for theorem in said.theorems.values() for e in theorem.hypotheses)
        ],
        "citations": list(dict.fromkeys(str(c) for theorem in said.theorems.values() for c in theorem.citations)),
    }
    if point is not None:
        shown = point.asked()
        for name in ("alpha", "Delta", "xp"):  # they play no part
            shown.pop(name, None)
        shown |= {s.name: to_text(value) for s, value in (asked.values or {}).items()}
        data |= {"at": shown, "values": {name: value.to_json(digits) for name, value in values.items()}}
    if theorems:
        data["theorems"] = {name: theorem.to_json() for name, theorem in said.theorems.items()}
    return data


def _texts(theorems: Mapping[str, Theorem]) -> dict[str, Any]:
    expressions = {name: to_text(expr) for name, expr in parts(theorems).items()}
    conditional = any(theorem.assumptions for theorem in theorems.values())
    return {
        "output": theorems["output"].conclusion.statement(),
        **{name: expressions.get(name) for name in _HELD},
        "tightness": theorems["error"].tightness,
        "status": "conditional" if conditional else "proved",
    }


def _values(said: Utility, asked: Range, point: Question | None, digits: int) -> dict[str, Any]:
    if point is None:
        return {}
    numbers = {**point.assignment(), **(asked.values or {})}
    for theorem in said.theorems.values():
        known = {s: numbers[s] for s in theorem.region.symbols if s in numbers} if theorem.region else {}
        if theorem.region and len(known) == len(theorem.region.symbols) and theorem.region.contains(known) is False:
            raise InputError("the values are not in the range of the theorem", place="--at")
    named = parts(said.theorems)
    return {name: enclose(e, numbers, digits) for name, e in named.items() if e.free_symbols <= set(numbers)}


def _at_the_point(
    found: Found, asked: Range, point: Question | None, digits: int, error: Exception
) -> tuple[Utility, dict[str, Any]]:
    kernel = found.derivation.kernel
    shapeless = kernel is not None and isinstance(kernel.conclusion, ControllableKernel)
    if point is None or not point.parameters or (isinstance(error, Refused) and not shapeless):
        raise error
    concrete = found.process.at(point.parameters)
    said = derive_utility(search(concrete).kernel, asked.norm, asked.dimension)
    return said, _values(said, asked, point.on(concrete), digits)


def replayed_utility(data: object) -> dict[str, Theorem]:
    """The theorems of the "utility" of JSON data. Raises :class:`Forged` if one is not what it says, or the texts."""
    if not isinstance(data, Mapping) or not isinstance(data.get("theorems"), Mapping):
        raise Forged("utility: there is no theorem")
    theorems = {name: from_json(tree) for name, tree in data["theorems"].items()}
    if not {"output", "error", "unbiased"} <= set(theorems):
        raise Forged("utility: a theorem is missing")
    for name, text in _texts(theorems).items():
        if data.get(name) != text:
            raise Forged(f"utility, {name}: the theorem says {text}, something else is printed")
    return {f"utility {name}": theorem for name, theorem in theorems.items()}


def utility_lines(data: Mapping[str, Any]) -> Iterator[Line]:
    """Bias, variance and errors, with their values."""
    sign = "=" if data["tightness"] == "exact" else "<="
    yield "head", field("Utility", f"E |X_t - f(D)|^2 for X_0 = f(D), {data['query']}, dimension {data['dimension']}")
    worst = "largest " if data["best_multiple_mse"] is not None else ""
    for name, title in _NAMES.items():
        if data[name] is None:
            continue
        text = f"{sign} {data[name]}"
        if name == "mse":
            text = f"{text} ({worst}squared bias + variance; {data['tightness']}, {data['status']})"
        elif name == "unbiased_mse":
            text = f"mean squared error = {data[name]}, of the affine map of X_t without bias, which is as private"
        elif name == "best_multiple_mse":
            text = f"mean squared error = {data[name]}, of {data['best_multiple_factor']} times that"
        yield "", field(title, text)
    if data.get("values"):
        yield "head", "  At " + ", ".join(f"{name} = {value}" for name, value in data["at"].items())
        for name, value in data["values"].items():
            yield "", f"    {name:<21} {sign if name in ('bias_squared', 'mse') else '='} {interval(value)}"
