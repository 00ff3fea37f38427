"""Diffusions by name: what the user would otherwise type, and nothing that the engine has to find out itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from symdp.citations import Citation
from symdp.errors import InputError


@dataclass(frozen=True)
class Entry:
    """A diffusion in the text form of the command line; ``params`` declares those that need not be positive."""

    name: str
    drift: str
    diffusion: str
    citation: Citation
    domain: str = ""
    params: Mapping[str, str] = field(default_factory=dict)


_ENTRIES = (
    Entry("brownian-motion", "0", "sqrt(2)", Citation("balle2019", "Example 5")),
    Entry("ornstein-uhlenbeck", "-theta*x", "sqrt(2)*rho", Citation("balle2019", "Corollary 7")),
    Entry(
        "drifted-brownian-motion",
        "mu",
        "sigma",
        Citation("borodin2002", "appendix 1", "Brownian motion with drift"),
        params={"mu": "real"},
    ),
    Entry(
        "geometric-brownian-motion",
        "mu*x",
        "sigma*x",
        Citation("borodin2002", "appendix 1", "geometric Brownian motion"),
        domain="x>0",
        params={"mu": "real"},
    ),
    Entry(
        "benes",
        "k*tanh(k*x)",
        "1",
        Citation("bakry2014", "section 1.15", "the Doob transform of Brownian motion by a hyperbolic cosine"),
    ),
    Entry(
        "kinetic-langevin",
        "x2, -gamma*x2 - k*x1",
        "0; sqrt(2*gamma)*s",
        Citation("pavliotis2014", "chapter 6", "the underdamped Langevin equation in a quadratic potential"),
    ),
    Entry(
        "integrated-brownian-motion",
        "x2, 0",
        "0; sigma",
        Citation("pavliotis2014", "chapter 6", "the underdamped Langevin equation without friction and force"),
    ),
)

CATALOGUE: Mapping[str, Entry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
"""Every entry by its name."""


def lookup(name: str) -> Entry:
    """The entry of this name. Raises :class:`InputError` with the nearest known name."""
    if name in CATALOGUE:
        return CATALOGUE[name]
    from difflib import get_close_matches

    near = get_close_matches(name.lower().replace("_", "-"), CATALOGUE, n=1, cutoff=0.5)
    remedy = f"did you mean {near[0]}?" if near else f"there are: {', '.join(CATALOGUE)}"
    raise InputError(f"no diffusion is called '{name[:60]}'", place="catalogue", remedy=remedy)
