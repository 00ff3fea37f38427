"""The best bound that facts imply: forward chaining over the rules, each conclusion a theorem.

``prove(facts, query)`` tries every rule that suggests parameters, to a fixed point, and returns the theorem with the
least bound for the query, and the runners-up. The search is not trusted: what it finds are theorems.
"""

from symdp.prover.answers import Answer, NoAnswer, Proof
from symdp.prover.search import prove
from symdp.rule import Query

__all__ = ["Answer", "NoAnswer", "Proof", "Query", "prove"]
