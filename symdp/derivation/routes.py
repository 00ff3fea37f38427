"""Bounds that several routes give for one diffusion, put together: the least of them at every time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sympy import Expr

from symdp.decide import Proved, decide
from symdp.derivation.record import Assuming, Derivation, Route
from symdp.derivation.sensitivity import from_divergence
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused, SymdpError, Undefined, Undetermined
from symdp.judgments import Divergence, RenyiDP
from symdp.region import Region
from symdp.rules.regions import joined
from symdp.text import Relation
from symdp.text.extrema import Min
from symdp.theorem import Theorem, apply

Finder = Callable[[Diffusion, Assuming, Refused], Derivation]


def best_of(routes: Mapping[str, Finder], process: Diffusion, assuming: Assuming, refusal: Refused) -> Derivation:
    """What the routes find, as one derivation whose bounds are the least of theirs.

    ``refusal``: why there is no exact divergence. Raises :class:`Refused` with what every route lacks where none finds
    anything.
    """
    found: dict[str, Derivation] = {}
    failed: list[Refused] = []
    for name, find in routes.items():
        try:
            found[name] = _for_neighbours(find(process, assuming, refusal), assuming)
        except Refused as error:
            failed.append(error)
        except (Undefined, Undetermined) as error:  # it must not hide what another route finds
            failed.append(Refused(f"{name}: {error}", ()))
    if not found:
        raise _joined(refusal, failed)
    first, *others = found.values()
    if not others:
        return first
    kept = _undominated({name: d.divergence for name, d in found.items()})
    guarantees = _undominated({name: d.privacy for name, d in found.items() if d.privacy is not None})
    divergence = _least("least-divergence", list(kept.values()), assuming)
    privacy = _least("least-rdp", list(guarantees.values()), assuming) if guarantees else None
    fuller = max(found.values(), key=lambda d: (d.flow is not None, d.kernel is not None))
    notes = tuple(dict.fromkeys(note for name in kept for note in found[name].notes))
    listed = tuple(Route(name, found[name].divergence, found[name].privacy) for name in found)
    return replace(fuller, divergence=divergence, privacy=privacy, notes=notes, routes=listed, missing=first.missing)


def _for_neighbours(found: Derivation, assuming: Assuming) -> Derivation:
    """The derivation with Renyi differential privacy from the intrinsic distance, where it has none."""
    if found.privacy is not None:
        return found
    privacy, missing = from_divergence(found.divergence, assuming)
    return replace(found, privacy=privacy, missing=missing)


def _joined(refusal: Refused, failed: Sequence[Refused]) -> Refused:
    """One refusal that says what each route lacks."""
    reasons = dict.fromkeys(str(error) for error in failed if str(error) != str(refusal))
    hypotheses = dict.fromkeys(item for error in (refusal, *failed) for item in error.hypotheses)
    return Refused("; ".join(reasons) or str(refusal), tuple(hypotheses))


def _least(rule: str, theorems: list[Theorem], assuming: Assuming) -> Theorem:
    return theorems[0] if len(theorems) == 1 else apply(rule, *theorems, assuming=assuming)


def _undominated(theorems: Mapping[str, Theorem]) -> dict[str, Theorem]:
    """Those that no other is proved to lie below wherever it holds; of two equal ones the first."""
    kept: dict[str, Theorem] = {}
    for name, theorem in theorems.items():
        if any(_below(other, theorem) for other in kept.values()):
            continue
        kept = {key: other for key, other in kept.items() if not _below(theorem, other)}
        kept[name] = theorem
    return kept


def _below(left: Theorem, right: Theorem) -> bool:
    """Whether the bound on the left is proved to be at most the other, and holds wherever the other does."""
    a, b = left.conclusion, right.conclusion
    assert isinstance(a, Divergence | RenyiDP) and isinstance(b, Divergence | RenyiDP)
    try:
        there = joined(a.region, b.region)
        inside = all(isinstance(decide(r, b.region), Proved) for r in a.region.relations)
        return inside and all(any(_at_most(one, other, there) for one in _least_of(a)) for other in _least_of(b))
    except SymdpError:
        return False


def _least_of(bound: Divergence | RenyiDP) -> tuple[Expr, ...]:
    """The values whose least a bound is."""
    return bound.value.args if isinstance(bound.value, Min) else (bound.value,)


def _at_most(one: Expr, other: Expr, region: Region) -> bool:
    """Whether it is proved that ``one <= other``; not tried for a sum of minima, as each splits into cases."""
    if one.has(Min) or other.has(Min):
        return bool(one == other)
    return isinstance(decide(Relation(other - one, ">="), region), Proved)
