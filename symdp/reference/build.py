"""Compute the frozen tables anew: ``python -m symdp.reference.build FOLDER [JOBS]`` writes the files of ``load``."""

from __future__ import annotations

import csv
import gzip
import io
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from symdp.files import replace_file
from symdp.reference import COLUMNS
from symdp.reference.contents import DIFFUSIONS, SAMPLED_GAUSSIAN
from symdp.tables import Plan, make_table

_NOT_INPUTS = ("lower", "upper", "method", "digits", "version", "note")


def build(folder: Path, jobs: int = 1) -> None:
    """Write ``sgm.csv.gz`` and ``diffusions.csv.gz``: the same bytes from the same engine. Raises OSError."""
    _write(folder / "sgm.csv.gz", COLUMNS["sgm"], _rows(SAMPLED_GAUSSIAN, jobs))
    about = (
        row | {"diffusion": plan.source["name"], "at": "; ".join(f"{k}={row[k]}" for k in row if k not in _NOT_INPUTS)}
        for plan in DIFFUSIONS
        for row in _rows(plan, jobs)
    )
    _write(folder / "diffusions.csv.gz", COLUMNS["diffusions"], about)


def _rows(plan: Plan, jobs: int) -> list[dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        made = make_table(plan, Path(folder, "table.csv"), jobs=jobs)
        if made.refused:
            raise RuntimeError(f"{plan.grid}: {made.reason}")
        with made.path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


def _write(path: Path, columns: Sequence[str], rows: Iterable[dict[str, str]]) -> None:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    replace_file(path, gzip.compress(text.getvalue().encode(), 9, mtime=0))


if __name__ == "__main__":
    build(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
