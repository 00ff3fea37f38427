"""An audit as JSON data, and that data as text for people and as a page of HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from html import escape
from typing import Any

from symdp.audit.grid import COLUMNS
from symdp.audit.judge import MEANING
from symdp.audit.pasted import as_test, header
from symdp.audit.report import QUANTILES, Report, Row
from symdp.audit.truth import DIGITS
from symdp.ball import Enclosure
from symdp.errors import Undetermined
from symdp.render.sampled_gaussian import exact_text
from symdp.render.text import Line, field, interval

SCHEMA = 1
_LADDER = ("0", "1e-12", "1e-9", "1e-6", "0.001", "0.1")
_NAMES = ("median", "90 %", "99 %", "largest")
_TRUTH = {
    "rdp": "the larger Rényi divergence of the sampled Gaussian's two directions, at exactly the doubles given",
    "epsilon": "the least epsilon: at least a proved lower bound, at most the guarantee of the Rényi curve",
}


def audit_data(report: Report, worst: int = 10) -> dict[str, Any]:
    """Everything an audit found (schema 1). Errors are proved: rounded down, so at least that large."""
    errors = [row.error for row in report.rows if row.below and row.error is not None]
    below = {step: sum(error > Fraction(step) for error in errors) for step in _LADDER}
    below["0"] = report.below
    return {
        "schema": SCHEMA,
        "audit": report.kind,
        "peer": report.peer,
        "version": report.version,
        "interpreter": report.python,
        "python": report.interpreter,
        "truth": _TRUTH[report.kind],
        "timeout": report.timeout,
        "tolerance": exact_text(report.tolerance),
        "excess": exact_text(report.excess),
        "inputs": len(report.rows),
        "compared": sum(row.error is not None for row in report.rows),
        "findings": report.findings,
        "counts": {kind: report.counts.get(kind, 0) for kind in MEANING},
        "not_asked": report.of_kind("not asked"),
        "undetermined": report.of_kind("undetermined"),
        "below_by_more_than": below,
        "relative_error": {
            exact_text(part): number(report.quantiles[part]) for part in QUANTILES if part in report.quantiles
        },
        "header": header(report),
        "worst": [_finding(report, row) for row in report.worst(worst)],
    }


def _finding(report: Report, row: Row) -> dict[str, Any]:
    inputs = dict(zip(COLUMNS[report.kind], row.inputs, strict=True))
    data: dict[str, Any] = {"inputs": inputs, "kind": row.kind}
    if row.value is None:
        data["remark"] = row.remark
    else:
        data["value"] = repr(row.value)
    if row.error is not None:
        data["relative_error"] = number(row.error)
    try:
        truth = report.exact(row.inputs)
    except Undetermined:
        return data
    return data | {"truth": truth.to_json(DIGITS), "test": as_test(report, row, truth)}


def number(error: Fraction | float) -> str:
    """Three significant digits, rounded down."""
    return Enclosure.from_fraction(error, 200).to_decimal(3)[0] if isinstance(error, Fraction) else repr(error)


def summary(data: Mapping[str, Any]) -> str:
    """The findings in one line; empty if there are none."""
    found = [f"{count} {kind}" for kind, count in data["counts"].items() if count]
    more = f", {data['not_asked']} not asked" if data["not_asked"] else ""
    return f"{data['findings']} of {data['inputs']} inputs are at fault: {', '.join(found)}{more}" if found else ""


def report_lines(data: Mapping[str, Any]) -> list[Line]:
    """The audit for people."""
    return list(_lines(data))


def _lines(data: Mapping[str, Any]) -> Iterator[Line]:
    yield "head", field("Audit", _peer(data))
    yield "", field("Truth", data["truth"])
    yield "", field("Inputs", _inputs(data))
    if data["relative_error"]:
        yield "", field("Relative error", _errors(data))
    yield "", field("Below the truth", _below(data))
    for kind, count in data["counts"].items():
        yield "bad" if count else "good", field(f"  {kind}", f"{count:>6}  {MEANING[kind]}")
    for kind in ("not_asked", "undetermined"):
        if data[kind]:
            yield "open", field(f"  {kind.replace('_', ' ')}", f"{data[kind]:>6}  {_OPEN[kind]}")
    if not data["findings"]:
        yield "good", "Nothing wrong was found."
        return
    yield "", ""
    yield "head", f"The worst of each kind ({DIGITS} digits of the truth, rounded outward)"
    for item in data["worst"]:
        yield "bad", f"  {item['kind']:<10} {_place(item)}"
        yield "", f"             {'value ' + item['value'] if 'value' in item else item['remark']}{_off(item)}"
        if "truth" in item:
            yield "", f"             truth {interval(item['truth'])}"
    yield "", ""
    yield "head", "Tests to paste"
    for text in (data["header"], *(item["test"] for item in data["worst"] if "test" in item)):
        for line in text.splitlines():
            yield "", f"    {line}" if line else ""
        yield "", ""


_OPEN = {"not_asked": "given up after too many hangs and deaths", "undetermined": "the truth would take too much work"}


def _peer(data: Mapping[str, Any]) -> str:
    version = f" {data['version']}" if data["version"] else ""
    return f"{data['peer']}{version}, {data['audit']}, by Python {data['python']} at {data['interpreter']}"


def _inputs(data: Mapping[str, Any]) -> str:
    return f"{data['inputs']}, of which {data['compared']} gave a finite number"


def _errors(data: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {error}" for name, error in zip(_NAMES, data["relative_error"].values(), strict=True))


def _below(data: Mapping[str, Any]) -> str:
    steps = [f"{count} by more than {step}" for step, count in data["below_by_more_than"].items() if step != "0"]
    total = data["below_by_more_than"]["0"]
    return f"{total} values (unsafe): {', '.join(steps)} of the truth" if total else "0 values"


def _place(item: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in item["inputs"].items())


def _off(item: Mapping[str, Any]) -> str:
    return f" (off by {item['relative_error']} of the truth)" if "relative_error" in item else ""


def page(data: Mapping[str, Any]) -> str:
    """The audit as a page of HTML that needs nothing else."""
    from symdp.render.pages import document, rows, table

    title = f"Audit of {data['peer']} {data['version']}".strip()
    said = [
        ("Peer", escape(_peer(data))),
        ("Truth", escape(data["truth"])),
        ("Inputs", _inputs(data)),
        ("Relative error", _errors(data) if data["relative_error"] else ""),
        ("Below the truth", _below(data)),
        ("Findings", escape(summary(data)) or "nothing wrong was found"),
    ]
    kinds = [(escape(kind), str(count), escape(MEANING[kind])) for kind, count in data["counts"].items()]
    body = [f"<h1>{escape(title)}</h1>", rows(said), "<h2>Findings</h2>", table(("kind", "inputs", "meaning"), kinds)]
    if data["worst"]:
        lines = [
            (
                f'<span class="bad">{escape(item["kind"])}</span>',
                f"<code>{escape(_place(item))}</code>",
                f"<code>{escape(item.get('value', item.get('remark', '')))}</code>",
                f"<code>{escape(interval(item['truth'])) if 'truth' in item else ''}</code>",
                escape(item.get("relative_error", "")),
            )
            for item in data["worst"]
        ]
        tests = "\n\n".join([data["header"], *(item["test"] for item in data["worst"] if "test" in item)])
        body += [
            "<h2>The worst of each kind</h2>",
            table(("kind", "inputs", "value", "truth", "relative error"), lines),
            f"<h2>Tests to paste</h2><pre>{escape(tests)}</pre>",
        ]
    return document(title, "\n".join(body))
