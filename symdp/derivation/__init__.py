"""From a diffusion to its theorems: an untrusted search that proposes parameters and lets the rules accept them."""

from __future__ import annotations

import symdp.rules  # noqa: F401  (registers the rules)
from symdp.derivation.bessel import derive_by_kernel_bound
from symdp.derivation.circle import derive_on_circles
from symdp.derivation.curvature import derive_by_curvature
from symdp.derivation.defined import check_defined
from symdp.derivation.in_time import derive_in_time
from symdp.derivation.kinks import has_kinks
from symdp.derivation.line import derive_on_the_line
from symdp.derivation.linear import derive_linear, is_linear
from symdp.derivation.record import Assuming, Derivation
from symdp.derivation.routes import Finder, best_of
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.evidence import Evidence

__all__ = ["Derivation", "derive"]

ROUTES: dict[str, Finder] = {"curvature": derive_by_curvature, "kernel": derive_by_kernel_bound}
"""The ways to a bound where no kernel gives the divergence itself."""


def derive(process: Diffusion, assuming: Assuming = ()) -> Derivation:
    """The best theorems the rules give for a diffusion.

    ``assuming``: names of hypotheses and relations between parameters that the user vouches for; those that were
    needed are listed in the theorems' assumptions. Raises :class:`InputError` for coefficients that are undefined
    inside the domain and :class:`Refused`, with every hypothesis looked at, where no theorem is found.
    """
    check_defined(process, assuming)
    if process.periods:
        return derive_on_circles(process, assuming, derive)
    if not process.homogeneous:
        return derive_in_time(process, assuming, is_linear(process), derive)
    if is_linear(process):
        return derive_linear(process, assuming)
    try:
        if process.dimension == 1:
            return derive_on_the_line(process, assuming)
        raise _no_kernel()
    except Refused as refusal:
        if _hopeless(refusal) and not has_kinks(process):
            raise
        return best_of(ROUTES, process, assuming, refusal)


def _hopeless(refusal: Refused) -> bool:
    """Whether what failed is needed by every route: no mass may be lost, and the coefficients must be regular."""
    refuted = [item.name for item in refusal.hypotheses if item.verdict == "refuted"]
    return any(name in ("ends", "elliptic") or name.startswith("smooth") for name in refuted)


def _no_kernel() -> Refused:
    return Refused(
        "no kernel class: in several dimensions the drift must be linear and the noise constant, on the whole space",
        (
            Evidence(
                "kernel class",
                "linear drift, constant noise, whole space",
                "refuted",
                "the coefficients are not of this form",
            ),
        ),
    )
