"""Names of what a judgment speaks about, where one is made of others."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symdp import codec
from symdp.judgments.base import name_of
from symdp.text import to_text


class _Chained:
    """``K @ M`` is K after M, for mechanisms, kernels and what is made of them."""

    def __matmul__(self, first: object) -> After:
        return after(self, first)

    def __rmatmul__(self, kernel: object) -> After:
        return after(kernel, self)


@codec.register
@dataclass(frozen=True)
class Mechanism(_Chained):
    """A mechanism that is known by its name."""

    name: str


@codec.register
@dataclass(frozen=True)
class Kernel(_Chained):
    """A Markov kernel that is known by its name."""

    name: str


@codec.register
@dataclass(frozen=True)
class After(_Chained):
    """The mechanism that runs ``first`` and hands what came out to ``kernel``: the product ``K∘M``."""

    kernel: object
    first: object

    def __post_init__(self) -> None:
        # once, since long chains are compared often; no field, so that equality and JSON do not see it
        object.__setattr__(self, "links", links(self.first) + links(self.kernel))

    @property
    def name(self) -> str:
        """The product as people call it."""
        return f"{name_of(self.kernel)} after {name_of(self.first)}"


def links(subject: object) -> tuple[object, ...]:
    """What runs in turn: ``(M, K, L)`` for L after K after M, however the three were put together."""
    found: tuple[object, ...] = vars(subject)["links"] if isinstance(subject, After) else (subject,)
    return found


def after(kernel: object, first: object) -> After:
    """``kernel`` after ``first`` in one fixed form: the product is associative, so that names must not tell."""
    head, *rest = links(first) + links(kernel)
    for link in rest:
        head = After(link, head)
    assert isinstance(head, After)
    return head


@codec.register
@dataclass(frozen=True)
class Sampled:
    """The mechanism run on a random part of its records.

    ``scheme`` "poisson": each record is taken with probability ``rate``, independently; "without replacement": a
    uniform part of fixed size, ``rate`` its size over that of the whole.
    """

    mechanism: object
    scheme: str
    rate: Expr

    @property
    def name(self) -> str:
        """The sampled mechanism as people call it."""
        return f"{name_of(self.mechanism)} on a sample ({self.scheme}, rate {to_text(self.rate)})"
