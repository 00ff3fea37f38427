"""What a claim says at an exact point, and whether it fails there, enclosed and held against what is proved."""

from __future__ import annotations

from random import Random
from typing import Any

from sympy import Expr, Integer, Symbol

from symdp.ball import Enclosure
from symdp.claims.comparison import claimed_region, field_of
from symdp.claims.items import Claim, Item
from symdp.claims.mutants import is_relation_text
from symdp.claims.samples import (
    Point,
    Sides,
    drawn,
    pieces,
    relation_sides,
    value_at,
)
from symdp.claims.truths import Attacks
from symdp.decide.domain import violated
from symdp.derivation.sampled_gaussian import exact_curve
from symdp.errors import SymdpError, Undefined
from symdp.judgments import (
    TCDP,
    ZCDP,
    ApproxDP,
    Divergence,
    DominatingPair,
    GaussianDP,
    PureDP,
    RenyiDP,
)
from symdp.region import Region
from symdp.text import Parsed, Relation, parse, parse_matrix, parse_relations
from symdp.theorem import Theorem

_POINTS = 18
_NOT_NEGATIVE = (RenyiDP, Divergence, ApproxDP, PureDP, ZCDP, TCDP, GaussianDP)
"""What is said to be at most a number that is then not negative: two laws may be equal."""


class Pointwise:
    """The formulas of one claim and of its mutants at points; ``theorem``: what is proved of it."""

    def __init__(self, item: Item, key: str, claim: Claim, theorem: Any, attacks: Attacks, rng: Random) -> None:
        self.item, self.key, self.claim, self.rng, self.attacks = item, key, claim, rng, attacks
        self.theorem = theorem if isinstance(theorem, Theorem) and claim.compared else None
        self.truth = self._truth()
        self._formulas: dict[str, list[Parsed]] = {}
        self._said: dict[tuple[str, bool], Sides] = {}
        self._values: dict[tuple[Expr, tuple[tuple[Symbol, Expr], ...]], Enclosure | None] = {}

    def _truth(self) -> Expr | None:
        """What a bound that is not exact is a bound of, where the engine has that: a sampled Gaussian curve."""
        if self.theorem is None or not isinstance(self.theorem.conclusion, RenyiDP):
            return None
        pairs = [node for node in self.theorem.walk() if isinstance(node.conclusion, DominatingPair)]
        value: Expr | None = exact_curve(pairs[0]).conclusion.value if len(pairs) == 1 else None  # type: ignore[attr-defined]
        return value

    @property
    def binding(self) -> bool:
        """Whether a formula on the wrong side of the theorem is false."""
        if is_relation_text(self.claim.text):
            return True
        theorem = self.theorem
        return theorem is not None and theorem.tightness == "exact" and not self.claim.unsupposed(theorem)

    def region(self, claim: Claim) -> Region:
        """Where the claim is made."""
        if self.theorem is not None:
            return claimed_region(self.theorem, claim)[0]
        where = claim.where or ", ".join(known.where for known in self.attacks.of(self.key)[:1])
        relations = parse_relations(where, place="where") if where else ()
        return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))

    def drawn(self, region: Region, count: int = _POINTS) -> list[Point]:
        """Exact points of a region."""
        return drawn(region, self.rng, count)

    def formulas(self, claim: Claim) -> list[Parsed]:
        """The formulas of a claim: of a relation its sides."""
        if claim.text not in self._formulas:
            texts = [text for text in pieces(claim.text) if text]
            rows = [row for text in texts for row in parse_matrix(text, place="mutant")]
            self._formulas[claim.text] = [entry for row in rows for entry in row]
        return self._formulas[claim.text]

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

    def defined(self, claim: Claim, point: Point) -> bool:
        """Whether every formula of the claim has a value there."""
        known = set(point)
        try:
            for formula in self.formulas(claim):
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

    def violation(self, claim: Claim, point: Point, *, derived: bool = False) -> str:
        """Why the claim fails at a point, with the enclosed values; "" if it is not seen to fail.

        ``derived``: compared with what is proved, though that is no more than a bound.
        """
        if not is_relation_text(claim.text) and not self.defined(claim, point):
            return "the formula is not defined"
        if (claim.text, derived) not in self._said:
            self._said[claim.text, derived] = self._sides(claim, derived)
        for left, op, right in self._said[claim.text, derived]:
            if not (left.free_symbols | right.free_symbols) <= set(point):
                continue
            try:
                first, second = self.cached(left, point), self.cached(right, point)
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

    def cached(self, expr: Expr, point: Point) -> Enclosure | None:
        """The value, None where it is hard to tell; kept, since what is compared with is always the same."""
        place = expr, tuple(point.items())
        if place not in self._values:
            try:
                self._values[place] = value_at(expr, point)
            except Undefined:
                raise
            except SymdpError:
                self._values[place] = None
        return self._values[place]
