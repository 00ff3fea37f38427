"""The working file beside an unfinished table: finished chunks, each a line with its checksum, and whose they are.

The first line names the plan. A kill can cut the last line short: it is dropped when the file is opened again, so a
chunk is there once or not at all. The file is locked while it is open; only positions of lines are held in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from symdp.errors import InputError
from symdp.tables.plan import Plan, Row

ENDING = ".unfinished"
_MAGIC = b"symdp unfinished table "


class WorkingFile:
    """Finished chunks of a plan, for a table that will be ``output``; a context manager.

    Raises InputError if the file belongs to another plan, is no working file, is being written by another run, or
    cannot be written.
    """

    def __init__(self, output: Path, plan: Plan) -> None:
        self.path = output.with_name(output.name + ENDING)
        self.plan = plan
        self._places: dict[int, int] = {}
        try:
            self._file = self._locked()
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}", place="--output") from None
        try:
            self._reader = self.path.open("rb")
            self._read()
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> WorkingFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._places:
            self.remove()
        self._close()

    def _close(self) -> None:
        for file in (getattr(self, "_reader", None), self._file):  # the lock ends with the last
            if file is not None:
                file.close()

    @property
    def finished(self) -> set[int]:
        """The chunks that are there."""
        return set(self._places)

    def append(self, chunk: int, rows: list[Row]) -> None:
        """Keep a chunk, on the disk when this returns. Raises OSError; what was written of it is dropped."""
        if chunk in self._places:
            return
        place = self._file.seek(0, os.SEEK_END)
        try:
            self._write(_line(chunk, rows))
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(place)
            raise
        self._places[chunk] = place

    def rows(self) -> Iterator[list[Row]]:
        """The rows of every chunk, in order. Raises InputError if a line has changed since it was read."""
        for chunk in range(self.plan.chunks):
            self._reader.seek(self._places[chunk])
            found = _parse(self._reader.readline())
            if found is None or found[0] != chunk:
                raise InputError(f"{self.path} has changed while it was in use", remedy="delete it and start again")
            yield found[1]

    def remove(self) -> None:
        """Delete the file: the table is complete, or nothing of it is."""
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()

    def _locked(self) -> IO[Any]:
        """The open file, locked, and still the one that the path names."""
        while True:
            file = open(self.path, "a+b", buffering=0)  # noqa: SIM115, PTH123
            try:
                _lock(file, self.path)
                with contextlib.suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(file.fileno()), self.path.stat()):
                        return file
            except BaseException:
                file.close()
                raise
            file.close()

    def _read(self) -> None:
        head = _MAGIC + self.plan.digest.encode() + b"\n"
        start = head + self.plan.to_json().encode() + b"\n"  # the plan itself is for people
        first = self._reader.read(len(start))
        if len(first) < len(start) and start.startswith(first):  # new, or cut short there
            self._file.truncate(0)
            self._write(start)
            return
        if not first.startswith(_MAGIC):
            raise InputError(
                f"{self.path} is in the way and no working file", remedy="move it or choose another output"
            )
        if first != start:
            raise InputError(
                f"{self.path} is of another table (its grid, digits, source or version differ)",
                place="--output",
                remedy="delete it to begin anew, or choose another output",
            )
        while True:
            place = self._reader.tell()
            line = self._reader.readline()
            found = _parse(line)
            if found is None or not 0 <= found[0] < self.plan.chunks:
                break
            self._places.setdefault(found[0], place)
        self._file.truncate(place)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]
        os.fsync(self._file.fileno())


def _line(chunk: int, rows: list[Row]) -> bytes:
    text = json.dumps(rows, separators=(",", ":")).encode()
    return b"%d %s %s\n" % (chunk, hashlib.sha256(b"%d " % chunk + text).hexdigest().encode(), text)


def _parse(line: bytes) -> tuple[int, list[Row]] | None:
    """The chunk of a line, None if it is cut short or damaged."""
    chunk, _, rest = line.partition(b" ")
    checksum, _, text = rest.partition(b" ")
    if not line.endswith(b"\n") or not chunk.isdigit():
        return None
    if hashlib.sha256(chunk + b" " + text[:-1]).hexdigest().encode() != checksum:
        return None
    return int(chunk), [tuple(row) for row in json.loads(text)]


def _lock(file: IO[Any], path: Path) -> None:
    """Take the lock that ends with the process, where the system has such locks."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"{path} is being written by another run", place="--output", remedy="wait for it") from None
