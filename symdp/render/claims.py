"""Verdicts on papers' results, as JSON data and as a table by paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from symdp.claims.own import OwnVerdict
from symdp.claims.verdict import PROVED, ClaimVerdict
from symdp.render.text import Line, field

Row = tuple[ClaimVerdict, str, float]
"""A verdict, what is recorded instead ("" if it is the recorded one), and the seconds it took."""

_LONGEST = 160


def words(verdict: ClaimVerdict) -> str:
    """The verdict in words: "proved", "refuted as printed, proved with s>=1", "holds on 200 instances"."""
    if verdict.repair:
        return f"{verdict.verdict} as printed, proved with {verdict.repair}"
    if verdict.verdict in ("holds", "consistent"):
        return f"{verdict.verdict} on {verdict.instances} instances"
    return verdict.verdict


def claim_data(verdict: ClaimVerdict, recorded: str, seconds: float) -> dict[str, Any]:
    """One claim as JSON data."""
    return {
        "id": verdict.id,
        "file": verdict.file,
        "verdict": verdict.verdict,
        "words": words(verdict),
        "evidence": verdict.reason,
        "witness": verdict.witness or None,
        "repair": verdict.repair or None,
        "sharper": verdict.sharper or None,
        "hypotheses": {"assumed": list(verdict.assumptions), "not needed": verdict.needless or None},
        "instances": verdict.instances,
        "recorded": recorded or None,
        "seconds": round(seconds, 3),
    }


def report(rows: Sequence[Row], seed: int) -> list[Line]:
    """A table by paper: claim, verdict, how, time; and how many there are of each verdict."""
    lines: list[Line] = []
    by_paper = sorted(rows, key=lambda row: (row[0].file.split("/")[0], row[0].id))
    for paper, group in groupby(by_paper, key=lambda row: row[0].file.split("/")[0]):
        lines.append(("head", paper))
        for verdict, recorded, seconds in group:
            lines.append(
                (
                    _style(verdict, recorded),
                    f"  {verdict.id:<16} {words(verdict):<30} {seconds:6.1f} s  {_how(verdict)}",
                )
            )
            extra = (("recorded", recorded), ("witness", verdict.witness), ("sharper", verdict.sharper))
            for name, text in (*extra, ("not needed", verdict.needless), ("assumed", ", ".join(verdict.assumptions))):
                if text:
                    lines.append(("open" if name == "recorded" else "", f"  {'':<16} {name}: {text}"))
        lines.append(("", ""))
    counts = {
        kind: sum(row[0].verdict == kind for row in rows) for kind in dict.fromkeys(row[0].verdict for row in rows)
    }
    lines.append(("head", f"{len(rows)} claims: " + ", ".join(f"{count} {kind}" for kind, count in counts.items())))
    lines.append(("", f"seed {seed}"))
    return lines


def _how(verdict: ClaimVerdict) -> str:
    return verdict.reason if len(verdict.reason) <= _LONGEST else verdict.reason[: _LONGEST - 3] + "..."


def _style(verdict: ClaimVerdict, recorded: str) -> str:
    if recorded or verdict.verdict == "unknown":
        return "open"
    return "good" if verdict.verdict in (*PROVED, "consistent", "holds") else "bad"


def formula_data(text: str, verdict: OwnVerdict) -> dict[str, Any]:
    """The verdict on a user's own formula as JSON data."""
    return {
        "schema": 1,
        "claim": text,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "derived": verdict.derived,
        "tightness": verdict.tightness,
        "region": verdict.region,
        "witness": verdict.witness or None,
        "factor": verdict.factor or None,
    }


def formula_report(text: str, verdict: OwnVerdict) -> list[Line]:
    """The verdict on a user's own formula as lines."""
    style = "good" if verdict.holds else "open" if verdict.verdict in ("sharper", "unknown") else "bad"
    head = verdict.verdict + (
        f" by the factor {verdict.factor}" if verdict.verdict == "looser" and verdict.factor else ""
    )
    lines: list[Line] = [(style, field("Verdict", head)), ("", field("", verdict.reason)), ("", field("Claim", text))]
    lines.append(("", field("Proved", f"{verdict.derived}  ({verdict.tightness})")))
    lines.append(("", field("Compared for", verdict.region)))
    return [*lines, *([("", field("Witness", verdict.witness))] if verdict.witness else [])]
