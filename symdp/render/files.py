"""Files that appear only when they are complete."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path


def replace_file(path: Path, content: str | bytes) -> None:
    """Write beside the place and rename: a reader sees the old file or the new one, never a part. Raises OSError."""
    if not path.name:  # as of "/" or "."
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    part = path.with_name(f"{path.name}.part{os.getpid()}")
    try:
        part.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        part.replace(path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
