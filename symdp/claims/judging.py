"""What becomes of a mutant: refuted at a point, true all the same, or open.

A mutant is refuted by an exact point of its range where the formula, enclosed, is on the wrong side of what the theorem
says, or is not defined, while the formula as it was claimed is. Where the theorem is only an upper bound of a
diffusion's divergence, certified lower bounds of it speak; where there is neither, the falsifier's own truth does,
enclosed at an exact point, or an instance that it computes exactly. A mutant that is implied by the theorem is true:
of an upper bound a larger one, of a relation a weaker one, of hypotheses fewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from sympy import Expr

from symdp.claims.comparison import compare, field_of
from symdp.claims.implied import Implied
from symdp.claims.items import Claim, Item
from symdp.claims.mutants import Mutant, is_relation_text
from symdp.claims.samples import (
    Point,
    edge,
    listed,
    overlaps,
    region_of,
    value_at,
)
from symdp.claims.truths import Attacks, disagreeing, doubtful, truths_at
from symdp.errors import InputError, SymdpError, Undetermined
from symdp.region import Region
from symdp.text import parse, parse_relations
from symdp.theorem import Theorem

_SMALLEST, _LARGEST, _MORE = 1e-12, 1e3, 60


@dataclass(frozen=True)
class Fate:
    """What became of a mutant. ``outcome``: "refuted" (then with ``witness``), "true" or "open"."""

    key: str
    change: str
    mutant: str
    outcome: str
    reason: str
    witness: str = ""


class Judge(Implied):
    """Judges the mutants of one formula. ``silent``: why there is nothing to judge them by."""

    def __init__(
        self, item: Item, key: str, claim: Claim, theorems: Mapping[str, Any], attacks: Attacks, rng: Random
    ) -> None:
        super().__init__(item, key, claim, theorems.get(key), attacks, rng)
        self.theorems = theorems
        self.points: list[Point] = []
        self.silent = ""
        self._more: list[Point] | None = None
        self._beside: dict[str, list[Point]] = {}
        free = {s for formula in self.formulas(claim) for s in formula.expr.free_symbols}
        alone = is_relation_text(claim.text) and free <= set(region_of(claim.where).symbols)
        if self.theorem is None and not attacks.of(key) and not alone:
            self.silent = "nothing to compare it with at a point"
            return
        self.lows = self.known_lows()
        self.points = [point for point in self.drawn(self.region(claim)) if self.defined(claim, point)]
        if any(self.violation(claim, point) for point in self.points):
            self.silent = "it is not true as it stands"

    def more(self) -> list[Point]:
        """Further points, for what the first ones do not refute; none where values are integrals."""
        if self._more is None:
            due = [] if self.heavy(self.claim) else self.drawn(self.region(self.claim), _MORE)
            self._more = [point for point in due if self.defined(self.claim, point)]
        return self._more

    def changes(self, mutant: Mutant) -> bool:
        """Whether a mutant says something else: a hypothesis that only says what a symbol ranges over is none, nor is
        one that follows from the others.
        """
        if not mutant.dropped:
            return True
        if self.theorem is None and not is_relation_text(self.claim.text):
            return False
        return not self._declares(mutant) and bool(self._outside(mutant))

    def fate(self, mutant: Mutant) -> Fate:
        """The outcome for one mutant."""
        outcome, reason, witness = self._dropped(mutant) if mutant.dropped else self._changed(mutant)
        return Fate(self.key, mutant.change, mutant.told, outcome, reason, witness)

    # --- a changed formula ------------------------------------------------------------------------------------------

    def _changed(self, mutant: Mutant) -> tuple[str, str, str]:
        below = False
        for point in self.points:
            if wrong := self.violation(mutant.claim, point):
                return "refuted", wrong, listed(point)
            below = below or (not self.binding and bool(self.violation(mutant.claim, point, derived=True)))
        if self.lows is not None and (found := self._too_low(mutant.claim)):
            return found
        if not self.binding and (found := self._attacked(mutant.claim)):
            return found
        if found := self.within_reach(mutant) if below else self.implied(mutant):
            return found
        if not below and (found := self.rewritten(mutant)):
            return found
        for point in self.more():
            if wrong := self.violation(mutant.claim, point):
                return "refuted", wrong, listed(point)
        if self.lows is None and (counter := self.attacks.against(self.key, mutant.claim)):
            return "refuted", counter.why, counter.witness
        if self.binding and (found := self._attacked(mutant.claim)):
            return found
        known = "it is below what is proved, and nothing contradicts it" if below else "neither shown"
        return "open", self._doubts(mutant.claim) or known, ""

    def _too_low(self, claim: Claim, region: Region | None = None) -> tuple[str, str, str] | None:
        """Where the divergence is proved to be larger than the formula says."""
        assert self.lows is not None and self.theorem is not None
        bound, formula = field_of(self.theorem.conclusion, claim.field), parse(claim.text, place="mutant")

        def ratio(point: Point) -> Any:
            try:
                return value_at(formula, point).upper / self._positive(bound, point) if region is None else 0
            except SymdpError:
                return None

        for low in self.lows.lowest(ratio, region):
            value = value_at(formula, low.point)
            if value.upper < low.value:
                return (
                    "refuted",
                    f"{value.to_decimal(10)[0]} where the divergence is at least {low.value}",
                    listed(low.point),
                )
        return None

    def _positive(self, bound: Expr, point: Point) -> Any:
        found = self.cached(bound, point)
        if found is None or not _SMALLEST < found.lower < _LARGEST:
            raise Undetermined("the bound is very small or large, and integrals then take long")
        return found.lower

    def _attacked(self, claim: Claim) -> tuple[str, str, str] | None:
        """What the falsifier's truth says, at points of its own range."""
        for known in self.attacks.of(self.key):
            if found := disagreeing(claim, known, self.attacks.truths(known)):
                return found
        return None

    def _doubts(self, claim: Claim) -> str:
        """What the falsifier's truth says where it is not certified: nothing is refuted by that."""
        attacks = self.attacks.of(self.key)
        return next(filter(None, (doubtful(claim, known, self.attacks.truths(known)) for known in attacks)), "")

    # --- a hypothesis left out --------------------------------------------------------------------------------------

    def _dropped(self, mutant: Mutant) -> tuple[str, str, str]:
        for point in self._outside(mutant):
            if not self.defined(mutant.claim, point):
                return "refuted", "the formula is not defined", listed(point)
            known = is_relation_text(mutant.claim.text) or self.truth is not None
            if known and (wrong := self.violation(mutant.claim, point)):
                return "refuted", wrong, listed(point)
        found = self.implied(mutant) or self.decided(mutant) or self._elsewhere(mutant)
        if is_relation_text(mutant.claim.text):
            found = found or self.rewritten(mutant)
        found = found or self._attacked_outside(mutant) or self._beyond(mutant)
        return found or ("open", "the theorem asks for it", "")

    def _elsewhere(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """Another formula of the file, the same one, that is proved where the hypothesis does not hold."""
        for key, other in self.item.claims.items():
            theorem = self.theorems.get(key)
            if key == self.key or other.text != mutant.claim.text or not isinstance(theorem, Theorem):
                continue
            found = []
            for broken in parse_relations(mutant.dropped, place="where"):
                rest = ", ".join(filter(None, (mutant.claim.where, str(broken.negated()))))
                try:
                    found.append(compare(theorem, replace(mutant.claim, where=rest), tight=self.item.tight)[0])
                except SymdpError:  # the two theorems speak of ranges that exclude each other
                    found.append("unknown")
            if all(verdict in ("proved", "certified") for verdict in found):
                return "true", f"{key} says the same of the rest", ""
        return None

    def _beyond(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """The divergence itself, where it is known without the hypothesis."""
        for broken in parse_relations(mutant.dropped, place="where") if self.lows is not None else ():
            try:
                region = self.region(mutant.claim).intersect([broken.negated()])
            except InputError:
                continue
            if found := self._too_low(mutant.claim, region):
                return found
        return None

    def _attacked_outside(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """The falsifier's truth where all that it asks for holds, but not the hypothesis that is left out."""
        dropped = set(parse_relations(mutant.dropped, place="where"))
        for known in self.attacks.of(self.key):
            asked = parse_relations(known.where, place="where")
            kept = [relation for relation in asked if relation not in dropped]
            for broken in dropped.intersection(asked):
                text = ", ".join(map(str, [*kept, broken.negated()]))
                if found := disagreeing(mutant.claim, known, list(truths_at(known, text, self.rng))):
                    return found
        return None

    def _declares(self, mutant: Mutant) -> bool:
        """Whether every step of the proof is about this range only: it says what a symbol is."""
        if self.theorem is None or is_relation_text(self.claim.text):
            return False
        for broken in parse_relations(mutant.dropped, place="where"):
            for node in self.theorem.walk():
                region = node.region
                if region is None or not broken.free_symbols or not broken.free_symbols <= set(region.symbols):
                    continue
                if overlaps(region, broken.negated()):
                    return False
        return True

    def _outside(self, mutant: Mutant) -> list[Point]:
        """Points where all hypotheses hold but the one that is left out."""
        if mutant.dropped not in self._beside:
            self._beside[mutant.dropped] = self._found_outside(mutant)
        return self._beside[mutant.dropped]

    def _found_outside(self, mutant: Mutant) -> list[Point]:
        found: list[Point] = []
        for broken in parse_relations(mutant.dropped, place="where"):
            try:
                region = self.region(mutant.claim).intersect([broken.negated()])
                found += [*self.drawn(region), *edge(region, broken, self.rng)]
            except SymdpError:
                continue
        return found
