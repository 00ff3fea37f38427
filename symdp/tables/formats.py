"""Tables as files, written a chunk at a time: CSV, JSON, Parquet. Every entry is text, so no digit is lost."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from symdp import __version__
from symdp.errors import InputError
from symdp.tables.plan import Plan, Row

SCHEMA = 1
ENDINGS = (".csv", ".json", ".parquet")
_NUMBERS = (
    "lower and upper are decimal text that encloses the value; inputs are exact text; note says why none is given"
)


def ending_of(path: Path) -> str:
    """The ending, which names the format. Raises InputError for an unknown one, or if pyarrow is needed and absent."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"'{path.name[:80]}' has no known ending", place="--output", remedy=f"end it in {', '.join(ENDINGS)}"
        )
    if ending == ".parquet":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise InputError(
                "a .parquet file needs pyarrow", place="--output", remedy="pip install 'symdp[table]', or write .csv"
            ) from None
    return ending


def write(path: Path, ending: str, plan: Plan, columns: Sequence[str], chunks: Iterable[list[Row]]) -> None:
    """Write all rows to a file of that format. Raises OSError."""
    {".csv": _csv, ".json": _json, ".parquet": _parquet}[ending](path, plan, columns, chunks)


def _csv(path: Path, plan: Plan, columns: Sequence[str], chunks: Iterable[list[Row]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for rows in chunks:
            writer.writerows(rows)


def _json(path: Path, plan: Plan, columns: Sequence[str], chunks: Iterable[list[Row]]) -> None:
    head = json.dumps(_about(plan), indent=2)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(head.removesuffix("\n}") + ',\n  "rows": [')
        separator = "\n    "
        for rows in chunks:
            for row in rows:
                file.write(separator + json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False))
                separator = ",\n    "
        file.write("\n  ]\n}\n")


def _parquet(path: Path, plan: Plan, columns: Sequence[str], chunks: Iterable[list[Row]]) -> None:
    import pyarrow
    import pyarrow.parquet

    metadata = {"symdp": json.dumps(_about(plan))}
    schema = pyarrow.schema([(name, pyarrow.string()) for name in columns], metadata=metadata)
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for rows in _gathered(chunks):
            arrays = [pyarrow.array(column, pyarrow.string()) for column in zip(*rows, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


def _gathered(chunks: Iterable[list[Row]], least: int = 20_000) -> Iterable[list[Row]]:
    """Chunks joined to groups of a size that Parquet reads well."""
    group: list[Row] = []
    for rows in chunks:
        group += rows
        if len(group) >= least:
            yield group
            group = []
    if group:
        yield group


def _about(plan: Plan) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "kind": plan.kind,
        "grid": plan.grid,
        "digits": plan.digits,
        "double": plan.double,
        "source": plan.source,
        "version": __version__,
        "about": _NUMBERS,
    }
