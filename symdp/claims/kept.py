"""Verdicts kept between runs, in a folder that may be deleted at any time.

An entry is found by the digest of all that a verdict rests on: the text of the file, every line of symdp, the versions
of what computes, the seed. Whatever changes, the file is judged anew. Entries are believed as they stand, so nothing is
recorded and no page is made from them.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import symdp
from symdp.claims.verdict import ClaimVerdict
from symdp.errors import InputError
from symdp.files import replace_file

_COMPUTE = ("sympy", "mpmath", "python-flint", "z3-solver", "numpy")


@cache
def engine_digest() -> str:
    """The digest of symdp's own files and of the versions it runs with."""
    digest = sha256(platform.python_version().encode())
    for name in _COMPUTE:
        digest.update(f"{name} {version(name)}\0".encode())
    folder = Path(symdp.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)}\0".encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


class Kept:
    """The entries of a folder, made if it is not there. Raises InputError if it cannot be."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problem = f"cannot make {folder}: {error.strerror or error}"
            raise InputError(problem, place="--cache", remedy="name a folder") from None

    def verdicts(self, path: Path, seed: int) -> tuple[ClaimVerdict, ...] | None:
        """What was kept of a derivation file, None if nothing was or the entry is damaged."""
        try:
            body, check = self._entry(path, seed).read_text(encoding="utf-8").split("\n")[:2]
            if check != sha256(body.encode()).hexdigest():
                return None
            return tuple(ClaimVerdict(**row | {"assumptions": tuple(row["assumptions"])}) for row in json.loads(body))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def keep(self, path: Path, seed: int, verdicts: tuple[ClaimVerdict, ...]) -> None:
        """Write an entry; one that cannot be written is none."""
        body = json.dumps([asdict(verdict) for verdict in verdicts])
        try:
            replace_file(self._entry(path, seed), f"{body}\n{sha256(body.encode()).hexdigest()}\n")
        except OSError:
            return

    def _entry(self, path: Path, seed: int) -> Path:
        return self.folder / f"{sha256(b''.join(self._content(path, seed))).hexdigest()}.json"

    def _content(self, path: Path, seed: int) -> Iterator[bytes]:
        yield f"{engine_digest()}\0{seed}\0{path.parent.name}/{path.name}\0".encode()
        yield path.read_bytes()
