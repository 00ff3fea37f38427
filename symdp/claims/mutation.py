"""Mutants of a file's claims judged: refuted at a point, true all the same, or open.

A mutant is refuted by an exact point of its range where the formula, enclosed, is on the wrong side of what the theorem
says, or is not defined, while the formula as it was claimed is. Where the theorem is only an upper bound, or there is
none, the falsifier's own truth speaks (40 digits at an exact point). A mutant that is implied by the theorem is true:
of an upper bound a larger one, of a relation a weaker one, of hypotheses fewer.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from sympy import Expr, Integer

from symdp.ball import Enclosure
from symdp.claims.comparison import claimed_region, compare, decided, field_of
from symdp.claims.items import Claim, Item, load
from symdp.claims.lows import Lows
from symdp.claims.mutants import Mutant, is_relation_text, mutants
from symdp.claims.samples import (
    Point,
    Sides,
    drawn,
    edge,
    listed,
    overlaps,
    pieces,
    region_of,
    relation_sides,
    value_at,
)
from symdp.claims.truths import Attacks, disagreeing, truths_at
from symdp.claims.verdict import seed_of
from symdp.decide.domain import violated
from symdp.decide.effort import LIGHT, granted
from symdp.derivation.sampled_gaussian import exact_curve
from symdp.errors import InputError, Refused, SymdpError, Undefined, Undetermined
from symdp.judgments import (
    TCDP,
    ZCDP,
    ApproxDP,
    Divergence,
    DominatingPair,
    GaussianDP,
    Inequality,
    PureDP,
    RenyiDP,
)
from symdp.region import Region
from symdp.text import Relation, parse, parse_matrix, parse_relations
from symdp.text.moment import sampled_moment
from symdp.theorem import Theorem

MOST, _POINTS = 10, 18
_SMALLEST, _LARGEST = 1e-12, 1e3
_NOT_NEGATIVE = (RenyiDP, Divergence, ApproxDP, PureDP, ZCDP, TCDP, GaussianDP)
"""What is said to be at most a number that is then not negative: two laws may be equal."""


@dataclass(frozen=True)
class Fate:
    """What became of a mutant. ``outcome``: "refuted" (then with ``witness``), "true" or "open"."""

    key: str
    change: str
    mutant: str
    outcome: str
    reason: str
    witness: str = ""


@dataclass(frozen=True)
class Mutated:
    """One file: the fates of its mutants, the formulas of which none was made and why, or what went wrong."""

    name: str
    fates: tuple[Fate, ...]
    left_out: tuple[tuple[str, str], ...]
    error: str
    seconds: float


def mutate(path: Path, seed: int = 0, most: int = MOST) -> Mutated:
    """Make up to ``most`` mutants of each formula of a file and judge them; errors are told, not raised."""
    started = time.monotonic()
    name = f"{path.parent.name}/{path.stem}"
    fates: list[Fate] = []
    left_out: list[tuple[str, str]] = []
    error = ""
    try:
        item = load(path)
        rng = Random(seed_of(name, seed))
        theorems, attacks = _theorems(item), Attacks(item, rng)
        with granted(LIGHT):
            for key, claim in item.claims.items():
                judge = _Judge(item, key, claim.repaired if claim.repair else claim, theorems.get(key), attacks, rng)
                if judge.silent:
                    left_out.append((key, judge.silent))
                    continue
                made = mutants(key, judge.claim, rng, most)
                fates += [judge.fate(mutant) for mutant in made if judge.changes(mutant)]
    except SymdpError as problem:
        error = str(problem)
    except Exception as problem:  # a file is a program: whatever it raises is about it
        error = f"{name}: {type(problem).__name__}: {problem}"
    return Mutated(name, tuple(fates), tuple(left_out), error, time.monotonic() - started)


def _theorems(item: Item) -> dict[str, Any]:
    try:
        found = item.derive()
    except Refused:
        return {}
    if isinstance(found, dict):
        return dict(found)
    return {key: found for key, claim in item.claims.items() if claim.compared}


class _Judge:
    """Judges the mutants of one formula. ``silent``: why there is nothing to judge them by."""

    def __init__(self, item: Item, key: str, claim: Claim, theorem: Any, attacks: Attacks, rng: Random) -> None:
        self.item, self.key, self.claim, self.rng = item, key, claim, rng
        self.theorem = theorem if isinstance(theorem, Theorem) and claim.compared else None
        self._attacks = attacks
        self._values: dict[tuple[Expr, int], Enclosure | None] = {}
        self.points: list[Point] = []
        self.silent = ""
        free = {s for formula in self._formulas(claim) for s in formula.expr.free_symbols}
        alone = is_relation_text(claim.text) and free <= set(region_of(claim.where).symbols)
        if self.theorem is None and not attacks.of(key) and not alone:
            self.silent = "nothing to compare it with at a point"
            return
        self.truth = self._truth()
        self.lows = self._lows()
        self.points = [point for point in self._drawn(self._region(claim)) if self._defined(claim, point)]
        if any(self._violation(claim, point) for point in self.points):
            self.silent = "it is not true as it stands"

    def _truth(self) -> Expr | None:
        """What a bound that is not exact is a bound of, where the engine has that: a sampled Gaussian curve."""
        if self.theorem is None or not isinstance(self.theorem.conclusion, RenyiDP):
            return None
        pairs = [node for node in self.theorem.walk() if isinstance(node.conclusion, DominatingPair)]
        value: Expr | None = exact_curve(pairs[0]).conclusion.value if len(pairs) == 1 else None  # type: ignore[attr-defined]
        return value

    def _lows(self) -> Lows | None:
        """Where a bound of a diffusion's divergence, that is not the divergence, can be tried."""
        if self.theorem is None or self.binding:
            return None
        try:
            return Lows(self.theorem, claimed_region(self.theorem, self.claim)[0], self.rng)
        except Refused:
            return None

    @property
    def binding(self) -> bool:
        """Whether a formula on the wrong side of the theorem is false."""
        if is_relation_text(self.claim.text):
            return True
        theorem = self.theorem
        return theorem is not None and theorem.tightness == "exact" and not self.claim.unsupposed(theorem)

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
            if wrong := self._violation(mutant.claim, point):
                return "refuted", wrong, listed(point)
            below = below or (not self.binding and bool(self._violation(mutant.claim, point, derived=True)))
        if self.lows is not None and (found := self._too_low(mutant.claim)):
            return found
        if not self.binding and (found := self._attacked(mutant.claim)):
            return found
        if not below and (found := self._implied(mutant)):
            return found
        if self.lows is None and (counter := self._attacks.against(self.key, mutant.claim)):
            return "refuted", counter.why, counter.witness
        known = "it is below what is proved, and nothing contradicts it" if below else "neither shown"
        return (self._attacked(mutant.claim) if self.binding else None) or ("open", known, "")

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
        found = self._cached(bound, point)
        if found is None or not _SMALLEST < found.lower < _LARGEST:
            raise Undetermined("the bound is very small or large, and integrals then take long")
        return found.lower

    def _implied(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """What the theorem says of the mutant."""
        if self.theorem is None:
            return self._decided(mutant)
        if self._heavy(mutant.claim):
            return self._weaker(mutant)
        verdict, reason, witness = compare(self.theorem, mutant.claim, tight=self.item.tight)
        if verdict in ("proved", "certified"):
            return "true", reason, ""
        return ("refuted", reason, witness or reason) if verdict == "refuted" else None

    def _heavy(self, claim: Claim) -> bool:
        """Whether deciding the relation takes integrals over boxes."""
        return is_relation_text(claim.text) and any(f.expr.has(sampled_moment) for f in self._formulas(claim))

    def _weaker(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """A relation that differs from the one that is proved by something easy."""
        fact = self.theorem.conclusion if self.theorem is not None else None
        relations = parse_relations(mutant.claim.text, place="mutant")
        if not isinstance(fact, Inequality) or len(relations) != 1 or relations[0].op not in (fact.relation.op, ">="):
            return None
        rest = relations[0].expr - fact.relation.expr
        if rest.has(sampled_moment) or fact.relation.op not in (">", ">="):
            return None
        step = decided("claim", Relation(rest, ">="), self._region(mutant.claim))
        return ("true", step.reason, "") if step.accepted else None

    def _decided(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """A relation by itself, where its theorem speaks of less."""
        if not is_relation_text(mutant.claim.text) or self._heavy(mutant.claim):
            return None
        region = self._region(mutant.claim)
        reasons = []
        for relation in parse_relations(mutant.claim.text, place="mutant"):
            piece = decided("claim", relation, region)
            if not piece.accepted:
                return None
            reasons.append(piece.reason)
        return "true", "; ".join(dict.fromkeys(reasons)), ""

    def _attacked(self, claim: Claim) -> tuple[str, str, str] | None:
        """What the falsifier's truth says, at points of its own range."""
        for known in self._attacks.of(self.key):
            if found := disagreeing(claim, known, self._attacks.truths(known)):
                return found
        return None

    # --- a hypothesis left out --------------------------------------------------------------------------------------

    def _dropped(self, mutant: Mutant) -> tuple[str, str, str]:
        for point in self._outside(mutant):
            if not self._defined(mutant.claim, point):
                return "refuted", "the formula is not defined", listed(point)
            known = is_relation_text(mutant.claim.text) or self.truth is not None
            if known and (wrong := self._violation(mutant.claim, point)):
                return "refuted", wrong, listed(point)
        found = self._implied(mutant) or self._decided(mutant) or self._attacked_outside(mutant) or self._beyond(mutant)
        return found or ("open", "the theorem asks for it", "")

    def _beyond(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """The divergence itself, where it is known without the hypothesis."""
        for broken in parse_relations(mutant.dropped, place="where") if self.lows is not None else ():
            try:
                region = self._region(mutant.claim).intersect([broken.negated()])
            except InputError:
                continue
            if found := self._too_low(mutant.claim, region):
                return found
        return None

    def _attacked_outside(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """The falsifier's truth where all that it asks for holds, but not the hypothesis that is left out."""
        dropped = set(parse_relations(mutant.dropped, place="where"))
        for known in self._attacks.of(self.key):
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
        found: list[Point] = []
        for broken in parse_relations(mutant.dropped, place="where"):
            try:
                region = self._region(mutant.claim).intersect([broken.negated()])
                found += [*self._drawn(region), *edge(region, broken)]
            except SymdpError:
                continue
        return found

    # --- formulas at points -----------------------------------------------------------------------------------------

    def _region(self, claim: Claim) -> Region:
        if self.theorem is not None:
            return claimed_region(self.theorem, claim)[0]
        where = claim.where or ", ".join(known.where for known in self._attacks.of(self.key)[:1])
        relations = parse_relations(where, place="where") if where else ()
        return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))

    def _drawn(self, region: Region) -> list[Point]:
        return drawn(region, self.rng, _POINTS)

    def _formulas(self, claim: Claim) -> list[Any]:
        texts = [text for text in pieces(claim.text) if text]
        return [entry for text in texts for row in parse_matrix(text, place="mutant") for entry in row]

    def _sides(self, claim: Claim, derived: bool) -> Sides:
        """What a claim says at a point: two sides and the relation between them."""
        if is_relation_text(claim.text):
            return relation_sides(claim.text)
        if self.theorem is None:
            return []
        value = field_of(self.theorem.conclusion, claim.field)
        if not self.binding and not derived:
            known = [self.truth] if self.truth is not None else []
            if isinstance(self.theorem.conclusion, _NOT_NEGATIVE):
                known.append(Integer(0))
            return [(parse(claim.text, place="mutant"), ">=", least) for least in known]
        if isinstance(value, Expr):
            return [(parse(claim.text, place="mutant"), "==" if self.item.tight else ">=", value)]
        rows = parse_matrix(claim.text, place="mutant")
        return [
            (entry.expr, "==", ours)
            for row, known in zip(rows, value, strict=True)
            for entry, ours in zip(row, known, strict=True)
        ]

    def _defined(self, claim: Claim, point: Point) -> bool:
        """Whether every formula of the claim has a value there."""
        known = set(point)
        try:
            for formula in self._formulas(claim):
                for condition in formula.conditions:
                    if condition.free_symbols <= known and condition.subs(dict(point)).truth() is False:
                        return False
                if formula.expr.free_symbols <= known:
                    value_at(formula.expr, point)
        except Undefined:
            return False
        except SymdpError:
            return True  # its value is hard to tell, not its being
        return True

    def _violation(self, claim: Claim, point: Point, *, derived: bool = False) -> str:
        """Why the claim fails at a point, with the enclosed values; "" if it is not seen to fail.

        ``derived``: compared with what is proved, though that is no more than a bound.
        """
        if not is_relation_text(claim.text) and not self._defined(claim, point):
            return "the formula is not defined"
        for left, op, right in self._sides(claim, derived):
            if not (left.free_symbols | right.free_symbols) <= set(point):
                continue
            try:
                first, second = self._cached(left, point), self._cached(right, point)
            except Undefined:
                return "the formula is not defined"
            if first is None or second is None:
                continue
            below, above = first.upper < second.lower, first.lower > second.upper
            wrong = {"==": below or above, ">=": below, ">": below, "<=": above, "<": above}.get(op, False)
            if not (wrong or below or above) and op in ("<", ">"):
                wrong = violated(Relation(left - right, ">"), point) and violated(Relation(right - left, ">"), point)
            if wrong:
                return f"{first.to_decimal(10)[0]} {op} {second.to_decimal(10)[0]} does not hold"
        return ""

    def _cached(self, expr: Expr, point: Point) -> Enclosure | None:
        """The value, None where it is hard to tell; kept, since what is compared with is always the same."""
        place = expr, id(point)
        if place not in self._values:
            try:
                self._values[place] = value_at(expr, point)
            except Undefined:
                raise
            except SymdpError:
                self._values[place] = None
        return self._values[place]
