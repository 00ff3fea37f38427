"""Regions of theorems that are put together: one inside another, two joined, some symbols left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sympy import Symbol

from symdp.evidence import Condition
from symdp.region import Interval, Region
from symdp.rules.conditions import holds


def joined(first: Region, second: Region) -> Region:
    """The points that lie in both, with the symbols of both."""
    new = {s: second.interval(s) for s in second.symbols if s not in first.symbols}
    shared = [r for s in second.symbols if s in first.symbols for r in second.interval(s).relations(s)]
    return first.extend(new).intersect([*shared, *second.constraints])


def with_symbol(region: Region, name: Symbol, interval: Interval) -> Region:
    """The region with one more symbol, or where it has that already, with the symbol in the interval too."""
    return joined(region, Region.make({name: interval}))


def without(region: Region, names: Iterable[Symbol]) -> Region:
    """The region of the other symbols; relations that speak about those left out are dropped.

    That is sound only for what does not depend on them: where a relation couples them with others, the result is
    larger than the projection.
    """
    out = set(names)
    kept = {s: region.interval(s) for s in region.symbols if s not in out}
    return Region.make(kept, [c for c in region.constraints if not c.free_symbols & out])


def inside(region: Region, whole: Region, name: str = "range") -> Iterator[Condition]:
    """That ``region`` lies in ``whole``, relation by relation."""
    for relation in whole.relations:
        yield holds(f"{name}: {relation}", relation, region)
