"""Making a table: the chunks that are missing are computed and kept, then all are written, then the rest is deleted."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from symdp.errors import InputError
from symdp.tables.formats import ending_of, write
from symdp.tables.plan import RESULT, Plan, Row
from symdp.tables.rows import source_of
from symdp.tables.workers import Work, cluster, processes
from symdp.tables.working import WorkingFile

Progress = Callable[[int, int, int], None]
_NOTE = RESULT.index("note") - len(RESULT)


@dataclass(frozen=True)
class Made:
    """A finished table: its file, its rows, how many came from an unfinished run, how many have no value and why."""

    path: Path
    rows: int
    resumed: int
    refused: int
    reason: str


def make_table(
    plan: Plan,
    output: str | Path,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Progress = lambda done, total, resumed: None,
) -> Made:
    """Compute the table of a plan and write it to ``output`` (.csv, .json or .parquet), which appears when complete.

    ``jobs`` processes of this machine, or the Dask cluster at ``scheduler``. Finished chunks are kept in
    ``output.unfinished``; after a kill at any point the same call computes what is missing and writes the same bytes
    as a run that was never killed. ``progress(done, total, resumed)`` is told the rows that are finished.

    Raises InputError, before anything is computed, for a grid that makes no sense, an output that cannot be written,
    and a working file of another plan; OSError if the disk fails.
    """
    path = Path(output)
    ending = ending_of(path)
    source = source_of(plan)
    source.check()
    work = _work(jobs, scheduler)
    _check_place(path)
    with WorkingFile(path, plan) as working:
        done = resumed = sum(len(plan.rows_of(chunk)) for chunk in working.finished)
        progress(done, plan.rows, resumed)
        finished = working.finished
        missing = [chunk for chunk in range(plan.chunks) if chunk not in finished]
        found = work(plan.to_json(), missing)
        with contextlib.closing(found):  # type: ignore[type-var]
            for chunk, rows in found:
                working.append(chunk, rows)
                done += len(rows)
                progress(done, plan.rows, resumed)
        tally = _finish(working, path, ending, (*source.columns, *RESULT))
    return Made(path, plan.rows, resumed, tally.count, tally.reason)


def _work(jobs: int, scheduler: str | None) -> Work:
    if scheduler is None:
        return processes(jobs)
    if jobs != 1:
        raise InputError("--jobs and --scheduler are both given", remedy="give one")
    return cluster(scheduler)


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a folder", place="--output", remedy="name a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"cannot write {path}: {os.strerror(errno.EACCES)}", place="--output")


class _Tally:
    """How many rows have no value, and why the first of them has none."""

    def __init__(self) -> None:
        self.count, self.reason = 0, ""

    def over(self, chunks: Iterator[list[Row]]) -> Iterator[list[Row]]:
        """The chunks, counted as they pass."""
        for rows in chunks:
            for row in rows:
                note = row[_NOTE]
                if note is not None:
                    self.count += 1
                    self.reason = self.reason or note
            yield rows


def _finish(working: WorkingFile, path: Path, ending: str, columns: Sequence[str]) -> _Tally:
    """Write the table beside its place and rename it, then forget the chunks."""
    tally = _Tally()
    part = working.path.with_name(working.path.name + ".part")  # guarded by the lock of the working file
    try:
        write(part, ending, working.plan, columns, tally.over(working.rows()))
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    working.remove()
    return tally
