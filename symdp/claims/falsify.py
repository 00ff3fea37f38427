"""Looking for counterexamples: random exact points of a claim's own range, and the truth computed on another road."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from random import Random
from typing import Any

from sympy import Expr, Rational, Symbol, oo

from symdp.ball import Enclosure, mp_context
from symdp.claims.items import Approximate, Claim, ClaimError, Counterexample
from symdp.claims.numbers import ExactNumbers, enclosed
from symdp.decide.domain import violated
from symdp.enclosure import enclose, evaluate_mp
from symdp.errors import SymdpError
from symdp.region import Interval, Region
from symdp.text import Relation, parse, parse_relations

DIGITS, AGREEING, _ENCLOSED = 40, 25, 20


@dataclass(frozen=True)
class Attack:
    """What a falsifier compares the formula ``text`` with: its truth, if it is one, and whether the two must agree."""

    id: str
    text: str
    where: str
    truth: Callable[..., Any]
    tight: bool


_LISTENING: ContextVar[list[Attack] | None] = ContextVar("listening", default=None)


@contextmanager
def recording() -> Iterator[list[Attack]]:
    """What falsifiers hand to ``attack`` here, none of which is carried out; their other ways of trying are."""
    found: list[Attack] = []
    token = _LISTENING.set(found)
    try:
        yield found
    finally:
        _LISTENING.reset(token)


def recorded(falsify: Callable[[Random], Any], rng: Random) -> list[Attack]:
    """What a falsifier hands to ``attack``."""
    with recording() as found, suppress(Exception):  # what it finds or raises is told when the file is judged
        falsify(rng)
    return found


def attack(
    id: str, claim: Claim, where: str, truth: Callable[..., Any], rng: Random, *, tight: bool, count: int = 20
) -> int:
    """Compare a claimed value with the true one at ``count`` random points where ``where`` holds; returns ``count``.

    ``truth(mp, **values)`` computes the true value from mpf values with the mpmath context ``mp`` of 40 digits. A tight
    claim must agree to 25 of them, an upper one must not lie below. Raises ``Counterexample`` at the first point that
    fails, ``Approximate`` where the truth is not certified there, ``ClaimError`` if no point is found.
    """
    listening = _LISTENING.get()
    if listening is not None:
        listening.append(Attack(id, claim.text, where, truth, tight))
        return count
    expr = parse(claim.text, place="claim")
    tried = 0
    for point in points(where, rng, count):
        if wrong := disagreement(expr, point, true_at(truth, point), tight):
            known = enclosed(truth, point)
            if known is not None and (proved := contradiction(expr, point, known, tight)):
                raise Counterexample(id, point, proved)
            raise Approximate(id, point, wrong)
        tried += 1
    return tried


def true_at(truth: Callable[..., Any], point: Mapping[Symbol, Expr]) -> Any:
    """What a falsifier takes for the truth at an exact point, 40 digits."""
    mp = mp_context(DIGITS)
    found = truth(mp, **{name.name: mp.mpf(value.p) / value.q for name, value in point.items()})
    return mp.mpf(found.mid) if isinstance(found, Enclosure) else found


def disagreement(expr: Expr, point: Mapping[Symbol, Expr], true: Any, tight: bool) -> str:
    """How a formula differs from what is true at a point, "" if it does not: see ``attack``."""
    mp = mp_context(DIGITS)
    claimed = mp.mpf(evaluate_mp(expr, {name: point[name] for name in expr.free_symbols}, DIGITS))
    slack = mp.mpf(10) ** -AGREEING * max(1, abs(true))
    if claimed < true - slack or (tight and claimed > true + slack):
        return f"claimed {mp.nstr(claimed, 20)}, true {mp.nstr(true, 20)}"
    return ""


def contradiction(expr: Expr, point: Mapping[Symbol, Expr], true: Enclosure, tight: bool) -> str:
    """How a formula is proved to differ from what is true at a point, "" if it is not."""
    claimed = enclose(expr, {name: point[name] for name in expr.free_symbols}, _ENCLOSED)
    if claimed.upper < true.lower or (tight and claimed.lower > true.upper):
        return f"claimed {claimed.to_decimal(10)[0]}, true {true.to_decimal(10)[0]}, both enclosed"
    return ""


def must_hold(id: str, claim: Claim, **point: Any) -> None:
    """Raise ``Counterexample`` unless the claimed relation, as its text stands, holds at exact numbers (60 digits);
    ``Approximate`` where an enclosure does not show that it fails.
    """
    mp = mp_context(2 * DIGITS)
    exact = {name: Rational(value.numerator, value.denominator) for name, value in point.items()}
    slack = mp.mpf(10) ** -AGREEING
    for relation in parse_relations(claim.text, place="claim"):
        values = {name: exact[str(name)] for name in relation.expr.free_symbols}
        gap = mp.mpf(evaluate_mp(relation.expr + 1, values, DIGITS)) - 1  # digits of an exact zero are not looked for
        wrong = {"==": abs(gap) > slack, "!=": abs(gap) <= slack}.get(relation.op, gap < -slack)
        if wrong:
            kind = Counterexample if _fails(relation, values) else Approximate
            raise kind(id, point, f"{relation} fails: the left side is {mp.nstr(gap, 20)}")


def _fails(relation: Relation, values: Mapping[Symbol, Expr]) -> bool:
    """Whether a relation is proved to fail at a point."""
    try:
        return violated(relation, values)
    except SymdpError:
        return False


def must_hold_at(id: str, claim: Claim, rng: Random, *, where: str = "", count: int = 20) -> int:
    """``must_hold`` at ``count`` random exact points of the claim's own range, or where ``where`` holds; returns
    ``count``.
    """
    for point in points(where or claim.where, rng, count):
        must_hold(id, claim, **{name.name: value for name, value in point.items()})
    return count


def normal_mean(mp: Any, f: Callable[[Any], Any], mean: Any, spread: Any, lower: Any, upper: Any) -> Any:
    """``E f(x)`` for x normal, by the trapezoidal rule on nodes between the ends, an eighth of a spread apart.

    Where f is smooth on the scale of the spread, and what lies outside is negligible, it is wrong by less than 1e-40.
    Of exact numbers it is a certified integral.
    """
    if isinstance(mp, ExactNumbers):
        return mp.quad(lambda x: mp.npdf(x, mean, spread) * f(x), [-mp.inf, mp.inf])
    step = spread / 8
    nodes = range(int(mp.floor(lower / step)), int(mp.ceil(upper / step)) + 1)
    return step * mp.fsum(mp.npdf(k * step, mean, spread) * f(k * step) for k in nodes)


def linear_divergence(mp: Any, alpha: Any, t: Any, drift: Any, noise: Any, gap: Any) -> Any:
    """``(alpha/2) z^T C^{-1} z`` for ``dX = AX dt + B dW`` and two starts ``gap`` apart, N = BB^T: z is the gap of the
    means at time t, C the covariance.

    All mpmath matrices; both by the matrix exponential of Van Loan's block ``[[-A, N], [0, A^T]] t``.
    """
    n = drift.rows
    block = mp.zeros(2 * n)
    block[:n, :n], block[:n, n:], block[n:, n:] = -drift, noise, drift.T
    whole = mp.expm(block * t)
    covariance = whole[n:, n:].T * whole[:n, n:]
    means = mp.expm(drift * t) * gap
    return alpha / 2 * (means.T * mp.inverse(covariance) * means)[0]


def points(where: str, rng: Random, count: int) -> Iterator[dict[Symbol, Expr]]:
    """``count`` random exact points that satisfy the relations ``where``, every symbol of which gets a small rational.

    For falsifiers. Raises ``ClaimError`` if the relations leave nothing to be found within 1000 draws a point.
    """
    relations = parse_relations(where, place="where")
    symbols = sorted({free for relation in relations for free in relation.expr.free_symbols}, key=str)
    yield from points_in(Region.from_relations(relations, symbols), rng, count)


def points_in(region: Region, rng: Random, count: int) -> Iterator[dict[Symbol, Expr]]:
    """``count`` random exact points of a region; as ``points``."""
    for _ in range(count):
        draws = ({free: draw(region.interval(free), rng) for free in region.symbols} for _ in range(1000))
        point = next((draw for draw in draws if region.contains(draw) is True), None)
        if point is None:
            raise ClaimError(f"no point found where {region}")
        yield point


def draw(interval: Interval, rng: Random) -> Expr:
    """A rational of the interval, not at its ends, of moderate size."""
    step = Rational(rng.randint(1, 60), rng.choice((1, 2, 3, 5, 8, 13, 21)))
    share = step / (1 + step)
    lower, upper = interval.lower, interval.upper
    if lower is -oo:
        return rng.choice((-1, 1)) * step if upper is oo else upper - step
    return lower + step if upper is oo else lower + (upper - lower) * share
