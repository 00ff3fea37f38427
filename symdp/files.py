"""Files in and out: read whole, but not without end; written so that they appear only when they are complete."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

from symdp.errors import InputError

MOST_BYTES = 100_000_000


def read_text(path: str, *, remedy: str, place: str | None = None, most: int = MOST_BYTES) -> str:
    """The text of a file, or of standard input for "-". Raises InputError, one line that names the file.

    ``most``: bytes beyond which it is not what it should be; a device has no end.
    """
    try:
        if path == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(most + 1)
        if len(data) > most:
            raise InputError(f"{path} is larger than {most} bytes", place=place, remedy=remedy)
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}", place=place, remedy=remedy) from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text", place=place, remedy=remedy) from None


def replace_file(path: Path, content: str | bytes) -> None:
    """Write beside the place and rename: a reader sees the old file or the new one, never a part. Raises OSError.

    A link stays one, its target is replaced. What is no file, as a device or a pipe, is written to.
    """
    if not path.name:  # as of "/" or "."
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    data = content.encode("utf-8") if isinstance(content, str) else content
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    part = path.with_name(f"{path.name}.part{os.getpid()}")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
