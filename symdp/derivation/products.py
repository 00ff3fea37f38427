"""Independent coordinates: the bounds of each by itself, added up."""

from __future__ import annotations

from symdp.derivation.clock import Search
from symdp.derivation.record import Assuming, Derivation, attempt
from symdp.diffusion.process import Diffusion
from symdp.theorem import apply


def about(process: Diffusion, assuming: Assuming) -> Assuming:
    """What is assumed of the parameters of a process, and every name of a hypothesis."""
    return [r for r in assuming if isinstance(r, str) or r.free_symbols <= set(process.params.symbols)]


def derive_by_coordinates(process: Diffusion, assuming: Assuming, search: Search) -> Derivation:
    """The sum of what ``search`` finds for the coordinates; :class:`Refused` where they are not independent, or where
    one has no bound.
    """
    independent = apply("independent-coordinates", assuming=assuming, process=process)
    parts = [process.coordinate(i) for i in range(process.dimension)]
    found = [search(part, about(part, assuming)) for part in parts]
    divergences = [part.divergence for part in found]
    divergence = apply("independent-divergence", independent, *divergences, assuming=assuming)
    guarantees = [part.privacy for part in found if part.privacy is not None]
    privacy = None
    missing = next((part.missing for part in found if part.missing is not None), None)
    if len(guarantees) == len(found):
        privacy, missing = attempt("independent-rdp", independent, *guarantees, assuming=assuming)
    notes = tuple(dict.fromkeys(note for part in found for note in part.notes))
    summed = f"the coordinates are independent: {'; '.join(part.equation() for part in parts)}"
    return Derivation(process, None, divergence, privacy=privacy, missing=missing, notes=(summed, *notes))
