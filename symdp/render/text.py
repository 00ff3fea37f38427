"""Plain text for people, made from the JSON data of a derivation; colours only on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TextIO

Line = tuple[str, str]
"""A style ("", "head", "good", "open", "bad") and one line of text."""

_STYLES = {"": "", "head": "bold", "good": "green", "open": "yellow", "bad": "red"}
_VERDICTS = {"proved": "good", "certified": "good", "assumed": "open", "unknown": "open", "refuted": "bad"}
_WIDTH = 22


def plain(lines: Iterable[Line]) -> str:
    """The lines without colours."""
    return "\n".join(text for _, text in lines) + "\n"


def show(lines: Iterable[Line], stream: TextIO) -> None:
    """Write the lines, in colour where the stream is a terminal that takes it."""
    lines = list(lines)
    if not stream.isatty():
        stream.write(plain(lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, soft_wrap=True, highlight=False, markup=False, emoji=False)
    for style, text in lines:
        console.print(Text(text, style=_STYLES[style]))


def report(data: Mapping[str, Any]) -> list[Line]:
    """A derivation, proved or refused, with its values if there are any."""
    lines = [*process_lines(data["process"]), ("", ""), *_steps(data)]
    if data["divergence"] is not None:
        lines += [("", ""), *_bound(data)]
    if data["status"] == "refused":
        lines += [("", ""), ("bad", field("Refused", data["reason"]))]
    if "value" in data or "epsilon" in data:
        lines += [("", ""), *_values(data)]
    if "utility" in data:
        from symdp.render.utility import utility_lines

        lines += [("", ""), *utility_lines(data["utility"])]
    return [*lines, ("", ""), *rests_on(data)]


def field(name: str, text: str) -> str:
    """A name, and text in the second column."""
    return f"{name:<{_WIDTH}}{text}"


def process_lines(process: Mapping[str, Any]) -> Iterator[Line]:
    """The diffusion, its domain and its parameters."""
    yield "head", field("Diffusion", process["equation"])
    if process["domain"]:
        yield "", field("Domain", process["domain"])
    if process["parameters"]:
        yield (
            "",
            field(
                "Parameters", process["parameters"] + ("   (positive unless declared)" if process["positive"] else "")
            ),
        )


def _steps(data: Mapping[str, Any]) -> list[Line]:
    """The derivation in its order; a step that is not known is left out."""
    reversible = {True: "yes", False: "no"}.get(data["reversible"])
    limit = data.get("limit")
    forgotten = (
        None
        if limit is None
        else "0: the start is forgotten"
        if limit == "0"
        else f"{limit}: the start is never forgotten"
    )
    theorem6 = data["heat_flow"] if data["heat_flow"] != data["divergence"] else "the bound below"
    if data["divergence"] is None:
        theorem6 = None
    steps = [
        ("Generator", "L f = {}", data["generator"]),
        ("Carré du champ", "Gamma(f) = {}", data["carre_du_champ"]),
        ("Curvature", "{}", data["curvature"]),
        ("Invariant density", "{}", data["invariant_density"]),
        ("Reversible", "{}", reversible),
        ("Kernel", "{}", data["kernel_class"] and f"{data['kernel_class']} class: {data['kernel']}"),
        ("kappa", "sup_y Gamma(log p_t(x, y)/p_t(xp, y)) = {}", data["kappa"]),
        ("Lambda", "integral of kappa over [t, oo) = {}", data["Lambda"]),
        ("R_alpha(oo)", "{}", forgotten),
        ("Theorem 6", "R_alpha(P_t(x) || P_t(xp)) <= alpha*Lambda + R_alpha(oo) = {}", theorem6),
    ]
    shown = [(name, form.format(text)) for name, form, text in steps if text is not None]
    return [("", field(f"{number}. {name}", text)) for number, (name, text) in enumerate(shown, 1)]


def _bound(data: Mapping[str, Any]) -> Iterator[Line]:
    sign = "=" if data["tightness"] == "exact" else "<="
    yield "head", field("Bound", f"{data['directions']['divergence']} {sign} {data['divergence']}")
    free = [f"every {', '.join(data['unrestricted'])}"] if data["unrestricted"] else []
    words = [data["tightness"], *([data["status"]] if data["status"] != "refused" else [])]
    yield "", field("", f"{', '.join(words)}; in this order; for {', '.join([data['region'], *free])}")
    if data["rdp"] is not None:
        yield "head", field("Rényi DP", f"(alpha, {data['rdp']})-RDP")
        yield "", field("", data["directions"]["rdp"])
    else:
        yield "open", field("Rényi DP", f"none in Delta ({data['missing']}); give two starts")
    if data["gdp"] is not None:
        yield "", field("Gaussian DP", f"{data['gdp']}-GDP")
    for route in data["routes"]:
        yield "", field("Route", f"{route['route']}: {route['divergence']}")
    for note in data["notes"]:
        yield "open", field("Note", note)


def _values(data: Mapping[str, Any]) -> Iterator[Line]:
    given = ", ".join(f"{name} = {value}" for name, value in data["at"].items())
    yield "head", f"At {given} ({data['digits']} digits, rounded outward)"
    sign = "=" if data["tightness"] == "exact" else "<="
    for name in ("value", "value_reverse", "value_rdp"):
        if name in data:
            yield "", field(f"  {name}", f"{data['value_directions'][name]} {sign} {interval(data[name])}")
    for route, value in data.get("route_values", {}).items():
        yield "", field("  route", f"{route}: {interval(value)}")
    for name in ("truth", "truth_reverse"):
        if name in data:
            direction = data["value_directions"]["value" + name.removeprefix("truth")]
            yield "", field(f"  {name}", f"{direction} = {interval(data[name])}")
    if "ratio" in data:
        yield "", field("  ratio", f"the larger truth / value_rdp = {interval(data['ratio'])}")
    if "epsilon" in data:
        how = f"Rényi DP at alpha = {data['order']}" if "order" in data else "tight, from Gaussian DP"
        steps = "1 step" if data["steps"] == 1 else f"{data['steps']} steps"
        text = f"({interval(data['epsilon'])}, {data['delta']})-DP, both orders, {steps} ({how})"
        yield "", field("  epsilon", text)
    if "value_note" in data:
        yield "open", field("  note", data["value_note"])


def interval(value: Mapping[str, str]) -> str:
    """One number if both ends are it, else the two ends."""
    return value["lower"] if value["lower"] == value["upper"] else f"[{value['lower']}, {value['upper']}]"


def rests_on(data: Mapping[str, Any]) -> Iterator[Line]:
    """Hypotheses with their verdicts, assumptions, citations."""
    yield "head", "What it rests on" if data.get("divergence", "") is not None else "What was looked at"
    for item in data["hypotheses"]:
        under = f", assuming {', '.join(item['under'])}" if "under" in item else ""
        statement = f": {item['statement']}" if item["statement"] != item["name"] else ""
        yield (
            _VERDICTS[item["verdict"]],
            f"  {item['verdict']:<10} {item['name']}{statement}  ({item['reason']}{under})",
        )
    for item in data.get("merging", []):
        if item not in data["hypotheses"]:
            text = f"  {item['verdict']:<10} not used: {item['name']}: {item['statement']}  ({item['reason']})"
            yield _VERDICTS[item["verdict"]], text
    if data["process"]["positive"]:
        yield "", "  by default parameters are positive: " + ", ".join(data["process"]["positive"])
    if data["status"] != "refused":
        for item in data["assumptions"]:
            yield "open", f"  you assumed  {item}"
        if not data["assumptions"]:
            yield "", "  nothing is assumed"
    works: dict[str, list[str]] = {}
    for item in data["citations"]:
        work, _, place = item.partition("), ")
        works.setdefault(f"{work})", []).append(place)
    for work, places in works.items():
        yield "", f"  cites  {work}: {'; '.join(places)}"
