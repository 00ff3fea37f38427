"""The recorded verdicts, ``derivations/verdicts.json``, and the index made from them. Both are written, never typed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path

from symdp.claims.items import ClaimError, root
from symdp.claims.verdict import PROVED, ClaimVerdict
from symdp.files import replace_file

SCHEMA = 1
VERDICTS, INDEX = "verdicts.json", "README.md"


def write_verdicts(verdicts: Iterable[ClaimVerdict], folder: Path | None = None) -> Path:
    """Record the verdicts, sorted by id, replacing the whole file at once. Returns its path."""
    rows = sorted((asdict(verdict) for verdict in verdicts), key=lambda row: str(row["id"]))
    path = (root() if folder is None else folder) / VERDICTS
    replace_file(path, json.dumps({"schema": SCHEMA, "claims": rows}, indent=1, ensure_ascii=False) + "\n")
    return path


def read_verdicts(folder: Path | None = None) -> dict[str, ClaimVerdict]:
    """The recorded verdicts by claim id; empty if there are none. Raises ``ClaimError`` for a file of another form."""
    path = (root() if folder is None else folder) / VERDICTS
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise ValueError(f"schema {data['schema']}")
        names = {field.name for field in fields(ClaimVerdict)}
        if any(set(row) != names for row in data["claims"]):
            raise ValueError("missing or unknown fields")
        rows = [ClaimVerdict(**(row | {"assumptions": tuple(row["assumptions"])})) for row in data["claims"]]
    except (ValueError, KeyError, TypeError) as error:
        raise ClaimError(f"{path} was not written by this program: {error}") from error
    return {row.id: row for row in rows}


def index(verdicts: Iterable[ClaimVerdict]) -> str:
    """A Markdown table: id, file, statement, verdict with its witness, repair or assumptions."""
    lines = ["| id | file | statement | verdict |", "|---|---|---|---|"]
    for row in sorted(verdicts, key=lambda verdict: verdict.id):
        notes = [row.bound if row.verdict in PROVED else ""]
        notes += [f"at {row.witness}" if row.witness else "", f"proved with {row.repair}" if row.repair else ""]
        told = {
            "holds": f"holds on {row.instances} instances",
            "consistent": f"consistent on {row.instances} instances",
        }
        head = f"{row.verdict} as printed" if row.repair else told.get(row.verdict, row.verdict)
        notes += [
            f"sharper: {row.sharper}" if row.sharper else "",
            f"not needed: {row.needless}" if row.needless else "",
        ]
        verdict = "; ".join([head, *filter(None, notes), *(f"if {text}" for text in row.assumptions)])
        cells = [row.id, f"[{row.file}]({row.file}.py)", row.statement, verdict]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def write_index(verdicts: Iterable[ClaimVerdict], folder: Path | None = None) -> Path:
    """Write the index beside the derivations. Returns its path."""
    path = (root() if folder is None else folder) / INDEX
    intro = "# Derivations\n\nOne paper result a file. Written by `symdp check --record`; edit nothing here.\n\n"
    replace_file(path, intro + index(verdicts))
    return path
