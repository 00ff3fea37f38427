"""Post-processing: what any Markov kernel keeps of a privacy guarantee, and what a kernel guarantees by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import (
    TCDP,
    ZCDP,
    After,
    ApproxDP,
    GaussianDP,
    Judgment,
    KernelProfile,
    LocalDP,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    after,
)
from symdp.judgments import links as links_of
from symdp.judgments.privacy import NEIGHBOURS
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

# --- a kernel by itself ---------------------------------------------------------------------------------------------

_RELATIONS = (NEIGHBOURS, "add/remove", "replace-one")


def _named(_: Premises, params: Params) -> Iterator[Condition]:
    named = bool(params["subject"]) and isinstance(params["relation"], str)
    yield Condition("subject", "the mechanism and its neighbours have a name", "fact", (named,))


def _alone(premises: Premises, params: Params) -> ApproxDP:
    """``(epsilon, delta)`` after any mechanism: it hides all its inputs, and mixtures of inputs by convexity."""
    fact, subject = premises[0], after(premises[0].kernel, params["subject"])
    return ApproxDP(subject, fact.epsilon, fact.delta, fact.region, relation=params["relation"])


def _profile_alone(premises: Premises, params: Params) -> PrivacyProfile:
    """``h(a) <= eta(a)`` after any mechanism: the master rule at ``h(a) <= 1``, which always holds."""
    fact, subject = premises[0], after(premises[0].kernel, params["subject"])
    return PrivacyProfile(subject, fact.lines, True, fact.region, relation=params["relation"])


def _before(premises: Premises, query: Query) -> Iterator[Params]:
    """What runs before the kernel; in compositions it may be about any of the usual neighbours."""
    kernel = premises[0].kernel
    for piece in pieces(query.subject):
        chain = links_of(piece)
        for place in range(1, len(chain)):
            if chain[place] == kernel:
                subject: object = chain[0]
                for link in chain[1:place]:
                    subject = after(link, subject)
                for relation in _RELATIONS if piece is not query.subject else _RELATIONS[:1]:
                    yield {"subject": subject, "relation": relation}


def _by_itself(id: str, title: str, kind: type, source: Citation, conclude: Any) -> None:
    register(
        Rule(
            # upper: of the mechanism more may be known
            id=id,
            title=title,
            citation=source,
            premises=(kind,),
            conditions=_named,
            conclude=conclude,
            tightness="upper",
            suggest=_before,
        )
    )


_by_itself(
    "dp-of-local", "A locally private kernel is private after any mechanism", LocalDP,
    Citation("balle2019", "section 2", "joint convexity of D_a"), _alone,
)  # fmt: skip
_by_itself(
    "profile-of-kernel", "The profile of a kernel bounds what comes out of it", KernelProfile,
    Citation("balle2019", "section 2", "joint convexity of D_a"), _profile_alone,
)  # fmt: skip
