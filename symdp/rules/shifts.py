"""Two noisy iterations whose maps differ a little at every step: what all steps together tell.

The proof is that of ``iteration``: means ``a_i`` of the noise undo what the maps and the steps put between the two
runs, ``d_i = c d_{i-1} + s - a_i``, and ``mu^2 = sum a_i^2/sigma^2`` if no ``d_i`` is negative and the last one is 0.
It may begin at any step where a bound of the distance is known: the iterates at that step, drawn independently of
each other, are a pair that both runs have in common. By Cauchy-Schwarz the best shifts grow like ``c^(t-i)``; for
``c <= 1`` they leave no distance negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import inf, log
from typing import Any

from sympy import Add, Expr, Integer, Rational, S, sqrt

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import BoundedIteration, GaussianDP
from symdp.judgments.iteration import pairs
from symdp.rule import Query, Rule, no_parameters, register
from symdp.rules.conditions import holds
from symdp.rules.noise import each, geometric, number, power, ratio, whole
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
_WINDOW = 32  # steps at the end for which a search solves the programme of shifts


def _constants(fact: BoundedIteration) -> Iterator[Condition]:
    yield whole("steps", fact.steps, fact.region)
    yield holds("noise", Relation(fact.sigma, ">"), fact.region, "the noise is positive")
    for name in ("sensitivity", "shift"):
        yield holds(name, Relation(getattr(fact, name), ">="), fact.region, f"the {name} is not negative")


def _contraction(fact: BoundedIteration, count: Expr) -> Iterator[Condition]:
    yield from ratio("c", fact.lipschitz, count, fact.region)
    yield holds("contraction", Relation(1 - fact.lipschitz, ">="), fact.region, "c is at most 1")


def _bounded(fact: BoundedIteration) -> Condition:
    known = fact.diameter is not S.Infinity
    return Condition("bounded", "a set of finite diameter that holds all iterates is known", "fact", (known,))


def _window(fact: BoundedIteration, start: Expr, steps: Expr) -> GaussianDP:
    c, region = fact.lipschitz, fact.region
    distance = power(c, steps, region) * start + fact.shift * geometric(c, steps, region)
    mu = distance / (fact.sigma * sqrt(geometric(c, steps, region, 2)))
    return GaussianDP(fact.subject, mu, region, **pairs(fact))


def _whole_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield from _constants(premises[0])
    yield from _contraction(premises[0], premises[0].steps)


def _whole_run(premises: Premises, _: Params) -> GaussianDP:
    """``mu = (c^r Delta + s sum_{j<r} c^j)/(sigma sqrt(sum_{j<r} c^(2j)))``; from one start, Delta = 0 and c < 1:
    ``(s/sigma) sqrt((1 - c^r)/(1 + c^r) (1 + c)/(1 - c))``.

    Linear maps ``c x`` and ``c x + s`` attain it.
    """
    return _window(premises[0], premises[0].sensitivity, premises[0].steps)


def _last_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, window = premises[0], params["window"]
    yield from _constants(fact)
    yield _bounded(fact)
    yield whole("window", window, fact.region)
    yield holds("window within", Relation(fact.steps - window, ">="), fact.region, "the window is part of the run")
    if fact.diameter is not S.Infinity:
        yield holds("diameter", Relation(fact.diameter, ">="), fact.region, "the diameter is not negative")
    yield from _contraction(fact, window)


def _last_steps(premises: Premises, params: Params) -> GaussianDP:
    """``mu = (c^t D + s sum_{j<t} c^j)/(sigma sqrt(sum_{j<t} c^(2j)))``, t the last steps: before, D is all we know."""
    return _window(premises[0], premises[0].diameter, params["window"])


def best_window(c: float, diameter: float, shift: float, steps: float) -> list[int]:
    """The numbers of last steps of which one gives the least mu.

    With ``u = c^t`` the square is ``(A + (D - A) u)^2/(1 - u^2)``, A = s/(1 - c), least at ``u = 1 - D (1 - c)/s``
    and falling, then growing, in t; at c = 1 it is ``(D + s t)^2/t``, least at ``t = D/s``.
    """
    best = inf
    if c == 1 and shift > 0:
        best = diameter / shift
    elif 0 < c < 1 and shift > diameter * (1 - c):
        best = log(1 - diameter * (1 - c) / shift) / log(c)
    elif c == 0:
        best = 1
    near = min(best, steps)
    return sorted({int(min(max(t, 1), steps)) for t in (near // 1, near // 1 + 1)})


def _last_suggestion(premises: Premises, _: Query) -> Iterator[Mapping[str, Any]]:
    fact = premises[0]
    if fact.diameter is S.Infinity:
        return
    values = [number(e) for e in (fact.lipschitz, fact.diameter, fact.shift, fact.steps)]
    known = [v for v in values if v is not None]
    if len(known) == len(values):
        for window in best_window(known[0], known[1], known[2], known[3]):
            yield {"window": Integer(window)}
    else:
        yield from ({"window": window} for window in dict.fromkeys((Integer(1), fact.steps)))


register(
    Rule(
        id="shifted-iteration",
        title="Gaussian differential privacy of contractions that differ at every step",
        citation=(
            Citation("symdp", "rules.shifts", "shifted noise at every step, from one start or two"),
            Citation("bok2024", "section 4", "noisy gradient descent on strongly convex losses"),
        ),
        premises=(BoundedIteration,),
        conditions=_whole_conditions,
        conclude=_whole_run,
        tightness="exact",
        suggest=no_parameters,
    )
)
register(
    Rule(
        id="bounded-iteration",
        title="Gaussian differential privacy of contractions on a bounded set",
        citation=(
            Citation("symdp", "rules.shifts", "shifted noise at the last steps"),
            Citation("bok2024", "section 4", "projected noisy gradient descent"),
        ),
        premises=(BoundedIteration,),
        conditions=_last_conditions,
        conclude=_last_steps,
        tightness="upper",
        suggest=_last_suggestion,
    )
)

# --- any Lipschitz constant: the shifts one by one ------------------------------------------------------------------


def _distances(fact: BoundedIteration, start: Expr, shifts: tuple[Expr, ...]) -> list[Expr]:
    """What is left between the runs after each step."""
    left = [start]
    for moved in shifts:
        left.append(fact.lipschitz * left[-1] + fact.shift - moved)
    return left[1:]


def _programme_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, shifts = premises[0], params["shifts"]
    yield from _constants(fact)
    yield holds("c >= 0", Relation(fact.lipschitz, ">="), fact.region)
    if params["from_start"]:
        start, fits = fact.sensitivity, fact.steps == len(shifts)
        yield Condition("every step", "there is one shift for each step", "fact", (bool(fits),))
    else:
        start, room = fact.diameter, Relation(fact.steps - len(shifts), ">=")
        yield _bounded(fact)
        yield holds("last steps", room, fact.region, "there are at least as many steps as shifts")
    yield Condition("some step", "there is a shift", "fact", (len(shifts) > 0,))
    if start is S.Infinity or not shifts:
        return
    yield holds("start", Relation(start, ">="), fact.region, "the first distance is not negative")
    yield from each("shift", shifts, ">=", fact.region)
    left = _distances(fact, start, shifts)
    for step, distance in enumerate(left[:-1], 1):
        name = f"step {step}"
        yield holds(name, Relation(distance, ">="), fact.region, f"{name} moves no further than the other run")
    yield holds("end", Relation(left[-1], "=="), fact.region, "the last step ends the distance")


def _programme(premises: Premises, params: Params) -> GaussianDP:
    """``mu = sqrt(sum a_i^2)/sigma`` for shifts that end the distance and never overshoot; ``c > 1`` too."""
    fact, _ = premises[0], params["from_start"]
    mu = sqrt(Add(*(moved**2 for moved in params["shifts"]))) / fact.sigma
    return GaussianDP(fact.subject, mu, fact.region, **pairs(fact))


def best_shifts(c: Fraction, start: Fraction, shift: Fraction, steps: int) -> list[Fraction]:
    """The shifts ``a_k`` of least ``sum a_k^2``, c > 0, by a taut string.

    In units of the start, ``b_k = a_k c^-k``, the sums of the b stay below ``U_k = start + shift sum_{j<=k} c^-j`` and
    end on it. Against the time ``sum_{j<=k} c^(-2j)`` their cost is that of a string: the lower convex hull of the
    origin and the U.
    """
    hull, ends = [(Fraction(0), Fraction(0), 0)], []
    time, level = Fraction(0), start
    for k in range(1, steps + 1):
        time, level = time + 1 / c ** (2 * k), level + shift / c**k
        ends.append((time, level, k))
    for point in ends:
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) >= _slope(hull[-1], point):
            hull.pop()
        hull.append(point)
    shifts: list[Fraction] = []
    for left, right in pairwise(hull):
        shifts += [_slope(left, right) / c**k for k in range(left[2] + 1, right[2] + 1)]
    return shifts


def _slope(left: tuple[Fraction, Fraction, int], right: tuple[Fraction, Fraction, int]) -> Fraction:
    return (right[1] - left[1]) / (right[0] - left[0])


def _programme_suggestion(premises: Premises, _: Query) -> Iterator[Mapping[str, Any]]:
    """Where the closed forms do not hold: numbers, c above 1."""
    fact = premises[0]
    if not all(isinstance(e, Rational) for e in (fact.lipschitz, fact.shift)) or fact.lipschitz <= 1:
        return
    c, shift = _fraction(fact.lipschitz), _fraction(fact.shift)
    if isinstance(fact.sensitivity, Rational) and fact.steps.is_Integer and fact.steps <= _WINDOW:
        moved = best_shifts(c, _fraction(fact.sensitivity), shift, int(fact.steps))
        yield {"shifts": tuple(map(_rational, moved)), "from_start": True}
    if isinstance(fact.diameter, Rational) and fact.steps.is_Integer:
        windows = range(1, min(int(fact.steps), _WINDOW) + 1)
        tries = [best_shifts(c, _fraction(fact.diameter), shift, window) for window in windows]
        moved = min(tries, key=lambda entries: sum(e * e for e in entries))
        yield {"shifts": tuple(map(_rational, moved)), "from_start": False}


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _rational(value: Fraction) -> Rational:
    return Rational(value.numerator, value.denominator)


register(
    Rule(
        id="shift-programme",
        title="Gaussian differential privacy of maps that differ at every step, shift by shift",
        citation=Citation("symdp", "rules.shifts", "shifted noise at every step, any Lipschitz constant"),
        premises=(BoundedIteration,),
        conditions=_programme_conditions,
        conclude=_programme,
        tightness="upper",
        suggest=_programme_suggestion,
    )
)
