"""Whether a mutant is true all the same: what is proved of the claim implies it, or the engine proves it by itself."""

from __future__ import annotations

from sympy import Expr, expand, factor_terms

from symdp.claims.comparison import claimed_region, compare, decided, field_of
from symdp.claims.items import Claim
from symdp.claims.lows import Lows
from symdp.claims.mutants import Mutant, is_relation_text
from symdp.claims.pointwise import Pointwise
from symdp.claims.rewriting import by_powers, without_exponential, without_logarithms
from symdp.errors import Refused
from symdp.judgments import Inequality, RenyiDP
from symdp.region import Interval
from symdp.text import Relation, parse, parse_relations, symbol
from symdp.text.moment import sampled_moment


class Implied(Pointwise):
    """What follows from the theorem of one formula. ``lows``: where a bound of a divergence can be tried, if it is one.

    Each answer is None, or an outcome, why, and a witness of what is refuted.
    """

    lows: Lows | None = None

    def known_lows(self) -> Lows | None:
        """Where a bound of a diffusion's divergence, that is not the divergence, can be tried."""
        if self.theorem is None or self.binding:
            return None
        try:
            return Lows(self.theorem, claimed_region(self.theorem, self.claim)[0], self.rng)
        except Refused:
            return None

    def implied(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """What the theorem says of the mutant."""
        if self.theorem is None:
            return self.decided(mutant)
        if self.heavy(mutant.claim):
            return self.weaker(mutant)
        verdict, reason, witness = compare(self.theorem, mutant.claim, tight=self.item.tight)
        if verdict in ("proved", "certified"):
            return "true", reason, ""
        return ("refuted", reason, witness or reason) if verdict == "refuted" else None

    def within_reach(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """Where all starts lie in an interval: none are further apart than it is long, so that larger is enough there
        than what is proved of that distance.
        """
        fact = self.theorem.conclusion if self.theorem is not None else None
        if self.lows is None or not isinstance(fact, RenyiDP) or (length := self.lows.reach) is None:
            return None
        gap, formula, region = fact.sensitivity, parse(mutant.claim.text, place="mutant"), self.region(mutant.claim)
        for where, value in ((length - gap, fact.value), (gap - length, fact.value.subs(gap, length))):
            part = region.intersect([Relation(where, ">=")])
            if not decided("claim", Relation(formula - value, ">="), part).accepted:
                return None
        return "true", f"it is above what is proved, and starts are no further apart than {length}", ""

    def rewritten(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """A relation, or a value above an upper bound, that is seen when both sides are put into exp or log."""
        if self.heavy(mutant.claim):
            return None
        due = self._due(mutant.claim)
        region = self.region(mutant.claim)
        ways = [[way for way in (without_logarithms(r), without_exponential(r)) if way] for r in due]
        if not any(ways):
            return self.quotient(mutant.claim)
        for relation, others in zip(due, ways, strict=True):
            if not any(all(decided("claim", part, region).accepted for part in way) for way in [*others, (relation,)]):
                return None
        return "true", "proved by the exponentials or the logarithms of both sides", ""

    def quotient(self, claim: Claim) -> tuple[str, str, str] | None:
        """A product of powers, the quotient of which by the bound that is proved is seen to be at least 1."""
        if is_relation_text(claim.text) or self.item.tight or self.theorem is None:
            return None
        value = field_of(self.theorem.conclusion, claim.field)
        if not isinstance(value, Expr):
            return None
        formula, region = parse(claim.text, place="mutant"), self.region(claim)
        ways = *by_powers(formula, value), *by_powers(factor_terms(formula), factor_terms(value))
        if not any(all(decided("claim", part, region).accepted for part in way) for way in ways):
            return None
        return "true", "its quotient by what is proved has no negative logarithm", ""

    def _due(self, claim: Claim) -> tuple[Relation, ...]:
        """What a relation says, or that a value is not below the bound that is proved."""
        if is_relation_text(claim.text):
            return parse_relations(claim.text, place="mutant")
        value = field_of(self.theorem.conclusion, claim.field) if self.theorem is not None else None
        if self.item.tight or not isinstance(value, Expr):
            return ()
        return (Relation(parse(claim.text, place="mutant") - value, ">="),)

    def heavy(self, claim: Claim) -> bool:
        """Whether deciding the relation takes integrals over boxes."""
        return is_relation_text(claim.text) and any(f.expr.has(sampled_moment) for f in self.formulas(claim))

    def weaker(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """A relation that differs from the one that is proved by something easy."""
        fact = self.theorem.conclusion if self.theorem is not None else None
        *conditions, relation = parse_relations(mutant.claim.text, place="mutant")
        if not isinstance(fact, Inequality) or relation.op not in (fact.relation.op, ">="):
            return None
        if not set(conditions) <= set(parse_relations(self.claim.text, place="claim")):
            return None
        if fact.relation.op not in (">", ">="):
            return None
        for times in (1, 2):
            rest, region = expand(relation.expr - times * fact.relation.expr), self.region(mutant.claim)
            moments = {m: symbol(f"moment{i}") for i, m in enumerate(sorted(rest.atoms(sampled_moment), key=str))}
            region = region.extend({name: Interval.positive() for name in moments.values()})  # means of powers
            step = decided("claim", Relation(rest.xreplace(moments), ">="), region)
            if step.accepted:
                return "true", step.reason, ""
        return None

    def decided(self, mutant: Mutant) -> tuple[str, str, str] | None:
        """A relation by itself, where its theorem speaks of less."""
        if not is_relation_text(mutant.claim.text) or self.heavy(mutant.claim):
            return None
        region = self.region(mutant.claim)
        reasons = []
        for relation in parse_relations(mutant.claim.text, place="mutant"):
            piece = decided("claim", relation, region)
            if not piece.accepted:
                return None
            reasons.append(piece.reason)
        return "true", "; ".join(dict.fromkeys(reasons)), ""
