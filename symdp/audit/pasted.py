"""Findings as tests: Python text that can be pasted into the peer's own test suite, and needs nothing of symdp."""

from __future__ import annotations

import inspect
import re
from fractions import Fraction

from symdp.audit.grid import COLUMNS
from symdp.audit.judge import exact
from symdp.audit.report import Report, Row
from symdp.audit.worker import PEERS
from symdp.ball import Enclosure

_BITS = 400


def header(report: Report) -> str:
    """What the tests call: a function ``rdp(q, sigma, orders)`` or ``epsilon(q, sigma, steps, delta)``."""
    if report.peer in PEERS:
        adapter = PEERS[report.peer][2][report.kind]
        source = inspect.getsource(adapter).replace(f"def {adapter.__name__}(", f"def {report.kind}(", 1)
        return re.sub(r": Any|: float|: int|: list\[float\]| -> Any", "", source.split("\n", 1)[0]) + (
            "\n" + source.split("\n", 1)[1].rstrip() + "\n"
        )
    module, _, function = report.peer.partition(":")
    first = function.split(".")[0]
    if first == function:
        return f"from {module} import {function} as {report.kind}\n"
    return f"from {module} import {first}\n\n{report.kind} = {function}\n"


def as_test(report: Report, row: Row, truth: Enclosure) -> str:
    """A test of one input that passes if and only if the value would not be found at fault.

    The literals are the least and the largest double that are allowed.
    """
    names = COLUMNS[report.kind]
    label = "_".join(f"{name}_{value!r}" for name, value in zip(names, row.inputs, strict=True))
    label = re.sub(r"[^0-9a-z_]+", "_", label.replace("-", "m"))
    arguments = ", ".join(map(repr, row.inputs))
    call = f"value = epsilon({arguments})"
    if report.kind == "rdp":
        call = f"(value,) = rdp({', '.join(map(repr, row.inputs[:-1]))}, [{row.inputs[-1]!r}])"
    low, high = _allowed(report, truth)
    was = row.remark if row.value is None else f"{row.value!r}"
    version = f" {report.version}" if report.version else ""
    shown = truth.to_decimal(40)
    said = shown[0] if shown[0] == shown[1] else f"[{shown[0]}, {shown[1]}]"
    return (
        f"def test_{report.kind}_{label}():\n"
        f"    # {report.peer}{version}: {was}; truth: {said}\n"
        f"    {call}\n"
        f"    assert {low!r} <= value{'' if high is None else f' <= {high!r}'}\n"
    )


def _allowed(report: Report, truth: Enclosure) -> tuple[float, float | None]:
    """The doubles between which a value is no finding; None where there is no largest."""
    low, high = exact(truth.lower), exact(truth.upper)
    assert low is not None
    least = Enclosure.from_fraction(low * (1 - min(report.tolerance, Fraction(1))), _BITS).upper_float()
    if report.excess is None or high is None:
        return least, None
    largest = Enclosure.from_fraction(high * (1 + report.excess), _BITS).lower_float()
    # beyond the doubles infinity is right
    return least, None if Enclosure(truth.upper, truth.upper).upper_float() == float("inf") else largest
