"""What is read from a facts file, as it grows."""

from __future__ import annotations

from dataclasses import dataclass, field

from symdp.errors import InputError
from symdp.judgments import Judgment
from symdp.region import Region
from symdp.theorem import Theorem

Fact = Judgment | Theorem
HERE = Region()
"""The region of facts at numbers."""


@dataclass
class Found:
    """The facts, and the subjects behind the names of the file; None for one that is not read yet."""

    facts: list[Fact] = field(default_factory=list)
    subjects: dict[str, object] = field(default_factory=dict)
    errors: dict[str, object] = field(default_factory=dict)  # the subjects of what is known of errors

    def name(self, name: str, path: str) -> None:
        """Reserve a name; InputError if it is taken."""
        if name in self.subjects:
            raise InputError("this name is already taken", place=path, remedy="give each thing a name of its own")
        self.subjects[name] = None
