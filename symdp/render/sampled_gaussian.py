"""Values of the sampled Gaussian mechanism as JSON data, and that data as text for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpz

from symdp.render.text import Line, field, interval

_LONGEST_DECIMAL = 80


def exact_text(number: Fraction | None) -> str:
    """An exact number as a decimal if it is a short one, else as a fraction; ``inf`` for None."""
    if number is None:
        return "inf"
    below, places = number.denominator, 0
    twos = (below & -below).bit_length() - 1
    fives = round(math.log(below >> twos, 5)) if below >> twos > 1 else 0
    if 5**fives == below >> twos:
        places = max(twos, fives)
        digits = str(fmpz(abs(number.numerator) * 10**places // below)).rjust(places + 1, "0")
        cut = len(digits) - places
        text = ("-" if number < 0 else "") + digits[:cut] + ("." + digits[cut:] if places else "")
        if len(text) <= _LONGEST_DECIMAL or below == 1:
            return text
    return f"{fmpz(number.numerator)}/{fmpz(below)}"


def report(data: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[Line]:
    """One order with everything known of it, or a table of orders; then epsilon."""
    rows = data if isinstance(data, Sequence) else [data]
    first = rows[0]
    lines: list[Line] = [("head", field("Sampled Gaussian", _mechanism(first)))]
    if "alpha" in first:
        lines += _one(first) if isinstance(data, Mapping) else _table(rows)
    if "epsilon" in first:
        order = f" (Rényi DP at alpha = {first['order']})" if first["order"] is not None else ""
        steps = "1 step" if first["steps"] == 1 else f"{first['steps']} steps"
        text = f"({interval(first['epsilon'])}, {first['delta']})-DP, {steps}{order}"
        lines += [("", field("  epsilon", text)), ("", field("", "least over all real orders"))]
    return lines


def _mechanism(data: Mapping[str, Any]) -> str:
    sigma = f", sigma = {data['sigma']}" if "sigma" in data else ""
    return f"q = {data['q']}{sigma}, sensitivity {data['sensitivity']}, {data['relation']} neighbours"


def _one(data: Mapping[str, Any]) -> Iterator[Line]:
    yield "head", f"At alpha = {data['alpha']} ({data['digits']} digits, rounded outward)"
    pair = ("mu", "mu0") if data["relation"] == "add-remove" else ("mu", "mu'")
    yield "", field("  forward", f"R_alpha({pair[0]} || {pair[1]}) = {interval(data['forward'])}")
    yield "", field("  reverse", f"R_alpha({pair[1]} || {pair[0]}) = {interval(data['reverse'])}")
    larger = "forward, the larger" if data["relation"] == "add-remove" else "both, by symmetry"
    yield "", field("  renyi", f"{larger}; {_how(data)}")
    yield "", field("  log_moment", f"(alpha - 1) R_alpha = {interval(data['log_moment'])}")
    if "composed" in data:
        yield "", field("  composed", f"{data['steps']} R_alpha = {interval(data['composed'])}, {data['steps']} steps")
    for name, form in data.get("closed_forms", {}).items():
        said = f"refused, for it needs: {form['refused']}" if "refused" in form else f"R_alpha <= {form['upper']}"
        yield "", field("  closed form", f"{name.removeprefix('sampled-gaussian-')}: {said}")


def _how(data: Mapping[str, Any]) -> str:
    nodes = data["nodes"]
    return f"{data['method']}, {nodes} node{'s' * (nodes != 1)}" if nodes else str(data["method"])


def _table(rows: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    names = ["renyi", *(["reverse"] if rows[0]["relation"] == "add-remove" else [])]
    names += ["composed"] if "composed" in rows[0] else []
    table = [["alpha", *names, "method"]]
    table += [[row["alpha"], *(interval(row[name]) for name in names), _how(row)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    yield "head", f"{len(rows)} orders ({rows[0]['digits']} digits, rounded outward; renyi is the larger direction)"
    for number, row in enumerate(table):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "" if number else "head", "  " + "  ".join(cells).rstrip()


def calibrated(data: Mapping[str, Any]) -> list[Line]:
    """The least sigma, and the epsilons on its two sides."""
    less = data["smaller"]
    steps = "1 step" if data["steps"] == 1 else f"{data['steps']} steps"
    return [
        ("head", field("Sampled Gaussian", _mechanism({key: data[key] for key in data if key != "sigma"}))),
        ("head", field("  sigma", f"{data['sigma']}, the least of {data['digits']} digits")),
        ("", field("", f"for ({data['target']}, {data['delta']})-DP after {steps}, at the best order")),
        ("", field("  epsilon", f"{interval(data['epsilon'])} (Rényi DP at alpha = {data['order']})")),
        ("", field("  next smaller", f"{less['sigma']} gives {interval(less['epsilon'])}, above {data['target']}")),
    ]
