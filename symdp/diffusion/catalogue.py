"""Diffusions by name: what the user would otherwise type, and nothing that the engine has to find out itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from symdp.citations import Citation
from symdp.errors import InputError

if TYPE_CHECKING:
    from symdp.diffusion.process import Diffusion


@dataclass(frozen=True)
class Entry:
    """A diffusion in the text form of the command line.

    ``params`` declares parameters that need not be positive, ``let`` the functions of the time that coefficients call.
    """

    name: str
    drift: str
    diffusion: str
    citation: Citation
    domain: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    let: Mapping[str, str] = field(default_factory=dict)

    def build(self, params: Sequence[str] = (), let: Sequence[str] = ()) -> Diffusion:
        """The diffusion; declarations and functions of the time that are given replace those of the entry.

        Raises :class:`InputError` as :class:`Diffusion` does.
        """
        from symdp.diffusion.process import Diffusion
        from symdp.text import identifiers

        mine = {word for text in params for word in identifiers(text)}
        declared = [f"{name} {text}" for name, text in self.params.items() if name not in mine]
        heads = {text.split("=", 1)[0].replace(" ", "") for text in let}
        kept = [f"{head}={body}" for head, body in self.let.items() if head not in heads]
        texts = self.drift, self.diffusion
        return Diffusion(*texts, None, self.domain or None, [*declared, *params], let=[*kept, *let])


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
    Entry(
        "vp-sde",
        "-beta(t)/2*x",
        "sqrt(beta(t))",
        Citation("song2021", "section 3.4", "the variance preserving SDE, with a rate beta that grows linearly"),
        let={"beta(t)": "beta0+beta1*t"},
    ),
    Entry(
        "ve-sde",
        "0",
        "g(t)",
        Citation("song2021", "section 3.4", "the variance exploding SDE, s = sigma*exp(gamma*t) and g = sqrt(2*s*s')"),
        let={"g(t)": "sqrt(2*gamma)*sigma*exp(gamma*t)"},
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
