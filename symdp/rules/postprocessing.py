"""Post-processing: what any Markov kernel keeps of a privacy guarantee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import TCDP, ZCDP, After, ApproxDP, GaussianDP, Judgment, PrivacyProfile, PureDP, RenyiDP, after
from symdp.judgments import links as links_of
from symdp.rule import Query, Rule, register
from symdp.rules.asked import pieces

Params = Mapping[str, Any]
Premises = tuple[Any, ...]


def _conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield Condition("kernel", "the kernel has a name", "fact", (bool(params["kernel"]),))


def _after(premises: Premises, params: Params) -> Judgment:
    """The numbers of M hold for K after M: no divergence of this kind grows under a Markov kernel, whatever it is."""
    fact: Judgment = replace(premises[0], subject=after(params["kernel"], premises[0].subject))
    return fact


def _next_link(premises: Premises, query: Query) -> Iterator[Params]:
    """The kernel that follows the subject in what is asked about."""
    known = links_of(premises[0].subject)
    for piece in pieces(query.subject):
        chain = links_of(piece)
        if isinstance(piece, After) and chain[: len(known)] == known and len(chain) > len(known):
            yield {"kernel": chain[len(known)]}


def _keeps(id: str, title: str, kind: type, source: Citation) -> None:
    register(
        Rule(
            id=id,
            title=title,
            citation=source,
            premises=(kind,),
            conditions=_conditions,
            conclude=_after,
            tightness="upper",
            suggest=_next_link,
        )
    )


_DIVERGENCE = Citation("balle2019", "section 2", "the data processing inequality of D_a")
_RENYI = Citation("vanerven2014", "Theorem 9", "the data processing inequality of Renyi divergences")

_keeps("post-processing-dp", "Approximate privacy after any kernel", ApproxDP, _DIVERGENCE)
_keeps("post-processing-pure", "Pure privacy after any kernel", PureDP, _DIVERGENCE)
_keeps("post-processing-profile", "A privacy profile after any kernel", PrivacyProfile, _DIVERGENCE)
_keeps("post-processing-rdp", "Renyi privacy after any kernel", RenyiDP, _RENYI)
_keeps("post-processing-zcdp", "Zero-concentrated privacy after any kernel", ZCDP, _RENYI)
_keeps("post-processing-tcdp", "Truncated concentrated privacy after any kernel", TCDP, _RENYI)
_keeps(
    "post-processing-gdp", "Gaussian privacy after any kernel", GaussianDP, Citation("dong2019", "section 1.1", "tests")
)
