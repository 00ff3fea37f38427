"""What a table is of, before anything is computed: text only, so that it can be sent, kept, and held against another.

Two plans with the same digest have the same rows, byte for byte: the digest covers the grid, the source, the digits,
the versions of symdp and FLINT, and how the rows are cut into chunks.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from symdp import __version__
from symdp.errors import InputError
from symdp.tables.grid import Axis, Item, point_of, read_grid

KINDS = ("sgm", "diffusion", "prove")
FORMAT = 1
RESULT = ("lower", "upper", "method", "digits", "version", "note")
# rows of a chunk at up to 100 digits: a second of work or less, so that little is lost with it
_CHUNK = {"sgm": 200, "diffusion": 20, "prove": 5}
_DIGITS = 100

Row = tuple[str | None, ...]


@dataclass(frozen=True)
class Plan:
    """A table of values of a ``kind`` over a ``grid``, each with ``digits`` proved digits.

    ``source`` is what ``kind`` needs beside the grid, as JSON data: nothing for sgm; the texts of a diffusion; the
    parsed facts of a file. ``double``: every number of the grid is rounded to the nearest double first. Raises
    InputError for a grid that cannot be read.
    """

    kind: str
    grid: str
    digits: int = 50
    double: bool = False
    source: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"no table is of '{self.kind}'", place="kind", remedy=f"one of {', '.join(KINDS)}")
        from symdp.mechanisms.sampled_gaussian.inputs import digits_asked

        digits_asked(self.digits)
        if not isinstance(self.grid, str):
            raise InputError("text is expected", place="--grid", remedy="write 'q=0.01; sigma=1:4; alpha=2:64'")
        object.__setattr__(self, "grid", "; ".join(" ".join(part.split()) for part in self.grid.split(";")))
        assert self.rows

    @cached_property
    def axes(self) -> dict[str, Axis]:
        """The axes of the grid by name, in the order typed."""
        return {axis.name: axis for axis in read_grid(self.grid, double=self.double)}

    @cached_property
    def rows(self) -> int:
        """How many rows the table has."""
        return math.prod(axis.count for axis in self.axes.values())

    @property
    def chunk_rows(self) -> int:
        """Rows of a chunk, the last one apart; a matter of the plan, not of who computes it."""
        return max(1, _CHUNK[self.kind] * _DIGITS // max(self.digits, _DIGITS))

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-self.rows // self.chunk_rows)

    def rows_of(self, chunk: int) -> range:
        """The numbers of a chunk's rows."""
        first = chunk * self.chunk_rows
        return range(first, min(first + self.chunk_rows, self.rows))

    def point(self, row: int) -> dict[str, Item]:
        """What the grid says in a row; the last axis runs fastest."""
        return point_of(self.axes, row)

    def to_json(self) -> str:
        """One line of text from which ``from_json`` makes an equal plan."""
        data = {
            "format": FORMAT,
            "engine": engine(),
            "kind": self.kind,
            "grid": self.grid,
            "digits": self.digits,
            "double": self.double,
            "chunk_rows": self.chunk_rows,
            "source": self.source,
        }
        return json.dumps(data, sort_keys=True, ensure_ascii=True, default=str)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """The plan of ``to_json``. Raises InputError if it was made by another version of symdp or FLINT."""
        data = json.loads(text)
        if data["engine"] != engine():
            raise InputError(
                f"the table is computed by {data['engine']}, here is {engine()}", remedy="install the same everywhere"
            )
        return cls(data["kind"], data["grid"], data["digits"], data["double"], data["source"])

    @cached_property
    def digest(self) -> str:
        """64 hexadecimal digits that no other plan has."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


def engine() -> str:
    """What computes the values, with versions: another one may round a last digit differently."""
    import flint

    return f"symdp {__version__} with python-flint {flint.__version__}"
