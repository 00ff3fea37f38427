"""Names of what a judgment speaks about, where one is made of others."""

from __future__ import annotations

from dataclasses import dataclass

from symdp import codec
from symdp.judgments.base import name_of


@codec.register
@dataclass(frozen=True)
class After:
    """The mechanism that runs ``first`` and hands what came out to ``kernel``: the product ``K∘M``."""

    kernel: object
    first: object

    @property
    def name(self) -> str:
        """The product as people call it."""
        return f"{name_of(self.kernel)} after {name_of(self.first)}"
