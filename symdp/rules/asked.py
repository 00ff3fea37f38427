"""What a query needs: the mechanisms and kernels that are parts of what it asks about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from symdp.judgments import After, Sampled, links
from symdp.rule import Query


def same_subject(left: object, right: object) -> bool:
    """Whether two subjects run the same things in the same order."""
    return links(left) == links(right)


def pieces(subject: object) -> Iterator[object]:
    """The subject, and what it composes or samples, alone or before a kernel, all the way down."""
    yield subject
    chain = links(subject)
    for link in chain:
        inner = (link.mechanism,) if isinstance(link, Sampled) else getattr(link, "parts", ())
        if len(chain) > 1 and inner:
            yield from pieces(link)
            continue
        for part in inner if isinstance(inner, tuple) else ():
            yield from pieces(part)


def asked(subject: object, query: Query) -> bool:
    """Whether the subject is a run of consecutive links of something that the query is made of."""
    return links(subject) in _runs(query.subject)


@lru_cache(maxsize=64)
def _runs(subject: object) -> frozenset[tuple[object, ...]]:
    """Every run of consecutive links of what the subject is made of."""
    chains = (links(piece) for piece in pieces(subject))
    return frozenset(c[i:j] for c in chains for i in range(len(c)) for j in range(i + 1, len(c) + 1))


def about_parts(premises: tuple[Any, ...], query: Query) -> Iterator[Mapping[str, Any]]:
    """The suggestion of a rule without parameters, for premises that are about parts of what is asked."""
    if all(asked(subject_of(premise), query) for premise in premises):
        yield {}


def about_pair(premises: tuple[Any, ...], query: Query) -> Iterator[Mapping[str, Any]]:
    """The suggestion of a rule without parameters about a kernel after a mechanism or kernel."""
    first, then = premises
    if links(subject_of(first)) + links(then.kernel) in _runs(query.subject):
        yield {}


def about_kernels(premises: tuple[Any, ...], query: Query) -> Iterator[Mapping[str, Any]]:
    """The same where both are kernels, none with a mechanism before it: there one kernel at a time says as much."""
    first, then = premises
    run = links(first.kernel) + links(then.kernel)
    if not isinstance(then.kernel, After) and any(links(p)[: len(run)] == run for p in pieces(query.subject)):
        yield {}


def subject_of(fact: Any) -> object:
    """The mechanism or kernel a judgment is about."""
    return fact.subject if hasattr(fact, "subject") else fact.kernel
