"""What the search for theorems about a diffusion returns, and what its routes share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.evidence import Evidence
from symdp.region import Region
from symdp.text import Relation
from symdp.theorem import Theorem, apply

Assuming = Sequence[str | Relation]


@dataclass(frozen=True)
class Route:
    """One way to bounds, by its name: of a pair of starts, and, if there is one, of neighbours at distance Delta."""

    name: str
    divergence: Theorem
    privacy: Theorem | None


@dataclass(frozen=True)
class Derivation:
    """The theorems found for one diffusion; ``divergence`` is the best bound for a pair of starts.

    ``kernel`` is None where the bound needs none.
    ``privacy`` and ``gaussian`` are the Renyi and the Gaussian guarantee for neighbours at distance Delta; where
    there is none, ``missing`` says why. ``flow``, ``limit`` and ``heat_flow`` are Theorem 6: kappa and Lambda, what is
    never forgotten, and the bound they give. ``merging`` is the evidence on whether the start is forgotten. ``routes``
    are the ways that were found where they are several.
    """

    process: Diffusion
    kernel: Theorem | None
    divergence: Theorem
    flow: Theorem | None = None
    limit: Theorem | None = None
    heat_flow: Theorem | None = None
    privacy: Theorem | None = None
    gaussian: Theorem | None = None
    merging: tuple[Evidence, ...] = ()
    missing: str | None = None
    notes: tuple[str, ...] = ()
    routes: tuple[Route, ...] = ()


def region_of(process: Diffusion, assuming: Assuming, *, interior: bool = False) -> Region:
    """Parameters (and the open domain) with the assumed relations."""
    region = process.interior if interior else process.params
    relations = [item for item in assuming if isinstance(item, Relation)]
    return region.intersect(relations) if relations else region


def attempt(rule: str, *premises: Theorem, assuming: Assuming, **params: Any) -> tuple[Theorem | None, str | None]:
    """The theorem of a rule, or why it is refused."""
    try:
        return apply(rule, *premises, assuming=assuming, **params), None
    except Refused as refusal:
        return None, str(refusal)
