"""Finite kernels and mechanisms in exact fractions: random ones, and the truths that rules about them are held to."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sympy import Expr, Integer, Rational, log

from symdp.judgments import ApproxDP, Dobrushin, Doeblin, KernelProfile, LocalDP, UltraMixing
from symdp.mechanisms.finite import FiniteKernel
from symdp.region import Region

F = Fraction
NOWHERE = Region()
TWO = F(2)
RATIOS = (F(1), F(21, 20), F(3, 2), F(5, 2), F(7), F(60))

Law = list[Fraction]


def number(value: Fraction | int) -> Rational:
    """As a sympy number."""
    return Rational(Fraction(value).numerator, Fraction(value).denominator)


def fraction(value: Expr) -> Fraction:
    """As a fraction; an error if it is none."""
    assert value.is_Rational, value
    return Fraction(int(value.p), int(value.q))


def top(lines: Any, ratio: Fraction) -> Fraction:
    """The largest of rational lines."""
    return max(fraction(u) - ratio * fraction(v) for u, v in lines)


def apart(p: Any, q: Any, ratio: Fraction) -> Fraction:
    """``D_ratio(p||q)``."""
    return sum((max(F(0), x - ratio * y) for x, y in zip(p, q, strict=True)), F(0))


def worst(kernel: FiniteKernel, ratio: Fraction) -> Fraction:
    """The largest ``D_ratio`` of two rows."""
    return max(apart(p, q, ratio) for p, q in itertools.product(kernel.rows, repeat=2))


def image(law: Any, kernel: FiniteKernel) -> Law:
    """The law of what the kernel makes of an input of this law."""
    return [sum((w * row[y] for w, row in zip(law, kernel.rows, strict=True)), F(0)) for y in range(kernel.shape[1])]


def random_law(source: random.Random, size: int) -> Law:
    """Small whole weights, some of them 0."""
    weights = [source.choice((0, 1, 1, 2, 3, 5, 9, 30)) for _ in range(size)]
    weights[source.randrange(size)] += 1
    return [F(w, sum(weights)) for w in weights]


def random_kernel(source: random.Random, inputs: int = 3, outputs: int = 3) -> FiniteKernel:
    """Some are mixed with one law, so that they forget more."""
    rows = [random_law(source, outputs) for _ in range(inputs)]
    if source.random() < 0.6:
        share, common = F(source.randint(1, 9), 10), random_law(source, outputs)
        rows = [[share * c + (1 - share) * x for x, c in zip(row, common, strict=True)] for row in rows]
    return FiniteKernel(rows)


def random_pair(source: random.Random, size: int) -> tuple[Law, Law]:
    """Two laws, close or not."""
    p, q = random_law(source, size), random_law(source, size)
    share = F(source.randint(0, 9), 10)
    return p, [share * x + (1 - share) * y for x, y in zip(p, q, strict=True)]


def response(ratio: Fraction, delta: Fraction) -> tuple[Law, Law]:
    """The worst pair of (log ratio, delta): delta tells all, the rest is randomized response."""
    high = ratio / (1 + ratio)
    rest = [(1 - delta) * high, (1 - delta) * (1 - high)]
    return [delta, *rest, F(0)], [F(0), *rest[::-1], delta]


def guarantee(ratio: Fraction | int, delta: Fraction | int, subject: str = "M") -> ApproxDP:
    """(log ratio, delta)-DP."""
    return ApproxDP(subject, log(number(ratio)), number(delta), NOWHERE)


def measured(p: Law, q: Law, ratio: Fraction) -> ApproxDP:
    """What two laws satisfy at a ratio, in both orders."""
    return guarantee(ratio, max(apart(p, q, ratio), apart(q, p, ratio)))


def facts(kernel: FiniteKernel, ratio: Fraction = TWO) -> Iterator[Any]:
    """Every mixing condition with its least constant."""
    yield Dobrushin("K", number(kernel.dobrushin()), Integer(1), NOWHERE)
    yield Dobrushin("K", number(worst(kernel, ratio)), number(ratio), NOWHERE)
    yield Doeblin("K", number(kernel.doeblin()), NOWHERE)
    yield LocalDP("K", log(number(ratio)), number(worst(kernel, ratio)), NOWHERE)
    ultra = kernel.ultra_mixing()
    if ultra is not None:
        yield UltraMixing("K", number(ultra), NOWHERE)


def profile(kernel: FiniteKernel) -> KernelProfile:
    """The exact profile."""
    return KernelProfile("K", tuple((number(u), number(v)) for u, v in kernel.region().vertices), NOWHERE)
