"""Finite laws and Markov kernels in exact fractions, for falsifiers.

Everything is computed from its definition, a divergence as the largest value over all events, and nothing by the code
for finite kernels that the rules use: the two roads meet in a falsifier only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random

from sympy import Expr, Rational, log

from symdp.claims.falsify import DIGITS
from symdp.claims.items import ClaimError
from symdp.text import parse, symbol
from symdp.text.extrema import Max, Min

Law = Sequence[Fraction]
Rows = Sequence[Law]
ZERO, ONE = Fraction(0), Fraction(1)


def random_law(rng: Random, size: int) -> list[Fraction]:
    """Small whole weights, some of them 0."""
    weights = [rng.choice((0, 1, 1, 2, 3, 5, 9, 30)) for _ in range(size)]
    weights[rng.randrange(size)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


def random_kernel(rng: Random, inputs: int = 3, outputs: int = 3) -> list[list[Fraction]]:
    """Every second one is mixed with one law, so that it forgets more."""
    rows = [random_law(rng, outputs) for _ in range(inputs)]
    if rng.random() < 0.5:
        share, common = Fraction(rng.randint(1, 9), 10), random_law(rng, outputs)
        rows = [[share * c + (1 - share) * x for x, c in zip(row, common, strict=True)] for row in rows]
    return rows


def image(law: Law, rows: Rows) -> list[Fraction]:
    """``(mu K)(y) = sum_x mu(x) K(x, y)``."""
    return [sum((w * row[y] for w, row in zip(law, rows, strict=True)), ZERO) for y in range(len(rows[0]))]


def apart(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """``D_ratio(p||q) = max_E p(E) - ratio q(E)``, over all events."""
    return max(
        sum((x - ratio * y for x, y, inside in zip(p, q, event, strict=True) if inside), ZERO)
        for event in product((False, True), repeat=len(p))
    )


def both(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """The larger of ``D_ratio(p||q)`` and ``D_ratio(q||p)``: the least delta of two neighbours at ``e^epsilon``."""
    return max(apart(p, q, ratio), apart(q, p, ratio))


def lost(p: Law, q: Law) -> Fraction:
    """``p(supp p - supp q)``: what p has where q has nothing."""
    return sum((x for x, y in zip(p, q, strict=True) if y == 0), ZERO)


def dobrushin(rows: Rows, ratio: Fraction | None = ONE) -> Fraction:
    """The least gamma of a (gamma, log ratio)-Dobrushin kernel; None stands for an infinite ratio."""
    return max(lost(p, q) if ratio is None else apart(p, q, ratio) for p, q in product(rows, repeat=2))


def doeblin(rows: Rows) -> Fraction:
    """The least gamma with ``K(x) >= (1-gamma) w`` for a law w: of all measures below each row the largest has the mass
    ``sum_y min_x K(x, y)``.
    """
    return 1 - sum((min(row[y] for row in rows) for y in range(len(rows[0]))), ZERO)


def ultra_mixing(rows: Rows) -> Fraction | None:
    """The least gamma with ``dK(x)/dK(x') >= 1 - gamma``; None if the rows are not absolutely continuous."""
    pairs = [(x, y) for p, q in product(rows, repeat=2) for x, y in zip(p, q, strict=True)]
    if any(x > 0 and y == 0 for x, y in pairs):
        return None
    return 1 - min((x / y for x, y in pairs if y > 0), default=ONE)


def response(ratio: Fraction, delta: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """Two laws that are (log ratio, delta)-indistinguishable and no better: delta tells all, the rest is randomized
    response.
    """
    high = ratio / (1 + ratio)
    rest = [(1 - delta) * high, (1 - delta) * (1 - high)]
    return [delta, *rest, ZERO], [ZERO, *reversed(rest), delta]


def spread(rng: Random, gamma: Fraction, states: int) -> list[list[Fraction]]:
    """A gamma-Doeblin kernel that attains it: with probability gamma the input stays, else a common law is drawn."""
    common = random_law(rng, states)
    return [[gamma * (x == y) + (1 - gamma) * common[y] for y in range(states)] for x in range(states)]


def shown(rows: Rows) -> str:
    """A matrix for a witness: "[1/2 1/2; 0 1]"."""
    return f"[{'; '.join(' '.join(map(str, row)) for row in rows)}]"


def value(text: str, ratio: Fraction | None = None, **values: Fraction) -> Fraction:
    """A formula at exact numbers, with ``epsilon = log(ratio)``; exact if it is a fraction there, else to 40 digits.

    Raises ``ClaimError`` if it is no real number there.
    """
    found = _read(text).xreplace(_table(ratio, values)).doit()
    found = found.replace(Max, lambda *parts: max(parts)).replace(Min, lambda *parts: min(parts))
    found = found.simplify() if not found.is_Rational else found
    if not found.is_Rational:
        if found.is_real is not True:
            raise ClaimError(f"{text} is {found} there, and no real number")
        found = Rational(str(found.evalf(DIGITS)))
    return Fraction(int(found.p), int(found.q))


@lru_cache(maxsize=256)
def _read(text: str) -> Expr:
    """A formula, read once for all the instances it is tried at."""
    return parse(text, place="claim")


def _table(ratio: Fraction | None, values: Mapping[str, Fraction]) -> dict[Expr, Expr]:
    table = {symbol(name): Rational(v.numerator, v.denominator) for name, v in values.items()}
    return table | ({} if ratio is None else {symbol("epsilon"): log(Rational(ratio.numerator, ratio.denominator))})
