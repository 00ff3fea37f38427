"""The three answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp


@dataclass(frozen=True)
class Proved:
    """The relation is defined and holds at every point of the region. ``certificate``: JSON data for `recheck`."""

    certificate: dict[str, Any]


@dataclass(frozen=True)
class Refuted:
    """The relation fails at ``witness``, an exact point of the region; the certificate holds the enclosure there."""

    witness: Mapping[sp.Symbol, sp.Expr]
    certificate: dict[str, Any]


@dataclass(frozen=True)
class Unknown:
    """No engine could tell, and why."""

    reason: str


Verdict = Proved | Refuted | Unknown
