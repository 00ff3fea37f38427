"""What became of mutants, as JSON data and as a table by file with the open ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from symdp.claims.mutation import Mutated
from symdp.render.text import Line

SCHEMA = 1
OUTCOMES = ("refuted", "true", "open")
_LONGEST = 150


def share(files: Sequence[Mutated]) -> float:
    """The share of the refuted ones among those that are not shown to be true; 1 if there are none."""
    counts = _counts(files)
    disputed = counts["refuted"] + counts["open"]
    return counts["refuted"] / disputed if disputed else 1.0


def mutant_data(files: Sequence[Mutated], seed: int) -> dict[str, Any]:
    """All fates as JSON data."""
    rows = [
        {
            "file": file.name,
            "claim": fate.key,
            "change": fate.change,
            "mutant": fate.mutant,
            "outcome": fate.outcome,
            "reason": fate.reason,
            "witness": fate.witness or None,
        }
        for file in files
        for fate in file.fates
    ]
    counts = _counts(files)
    return {
        "schema": SCHEMA,
        "seed": seed,
        "made": len(rows),
        **{outcome: counts[outcome] for outcome in OUTCOMES},
        "share": round(share(files), 4),
        "mutants": rows,
        "left out": [{"file": f.name, "claim": key, "reason": reason} for f in files for key, reason in f.left_out],
        "errors": [file.error for file in files if file.error],
    }


def mutant_report(files: Sequence[Mutated], seed: int) -> list[Line]:
    """A table by file, the open mutants below it, and the counts."""
    lines: list[Line] = []
    for file in files:
        counts = Counter(fate.outcome for fate in file.fates)
        told = ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome])
        lines.append(("bad" if file.error else "", f"  {file.name:<48} {file.seconds:6.1f} s  {file.error or told}"))
        for fate in file.fates:
            if fate.outcome == "open":
                lines.append(("open", f"      open: {fate.key}: {_short(fate.mutant)}: {fate.reason}"))
        lines += [("", f"      none made: {key}: {reason}") for key, reason in file.left_out]
    counts = _counts(files)
    made = sum(counts.values())
    told = f"{counts['refuted']} refuted with a witness, {counts['true']} true all the same, {counts['open']} open"
    lines += [
        ("", ""),
        ("head", f"{made} mutants: {told}"),
        ("", f"of those not shown to be true {100 * share(files):.1f}% are refuted"),
        ("", f"seed {seed}"),
    ]
    return lines


def _counts(files: Sequence[Mutated]) -> Counter[str]:
    return Counter(fate.outcome for file in files for fate in file.fates)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
