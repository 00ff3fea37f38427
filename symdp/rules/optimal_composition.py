"""The optimal composition of k runs of an (epsilon, delta)-DP mechanism (Kairouz, Oh and Viswanath 2015).

The worst mechanism tells all with probability delta, and otherwise answers by randomized response with
``b = e^epsilon``. The privacy loss of k answers is ``(k - 2l) epsilon`` for l of one kind, so that with
``D = (1-delta)^k`` the profile is the largest of the lines

    1 - D + D (u_i - a v_i),   u_i = sum_{l<=i} C(k,l) b^(k-l)/(1+b)^k,   v_i = sum_{l<=i} C(k,l) b^l/(1+b)^k,

and line i is the largest where ``b^(k-2i-2) <= a <= b^(k-2i)``. Adaptive runs are no worse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb
from typing import Any

from flint import arb
from sympy import Add, Expr, S, exp, log

from symdp.ball import working_precision
from symdp.citations import Citation
from symdp.enclosure import ball
from symdp.errors import SymdpError
from symdp.evidence import Condition
from symdp.judgments import ApproxDP, PrivacyProfile, neighbours
from symdp.judgments.mixing import Line
from symdp.region import Interval, Region
from symdp.rule import Query, Rule, register
from symdp.rules.asked import same_subject
from symdp.rules.composition import Composition, repeated
from symdp.rules.conditions import holds
from symdp.rules.lines import fewest
from symdp.rules.profile_values import ranged
from symdp.rules.profiles import at_least, guarantee_conditions
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
#: So many runs the profile as lines is made for; the rules at one epsilon or delta go on.
MOST_LINES, MOST_STEPS = 64, 4_000
KOV = Citation("kairouz2015", "Theorem 3.3", "optimal homogeneous composition")


def _steps(most: int, premises: Premises, params: Params) -> Iterator[Condition]:
    steps = params["steps"]
    fine = type(steps) is int and 1 <= steps <= most
    yield Condition("steps", f"the number of steps is a whole number from 1 to {most}", "fact", (fine,))
    yield from guarantee_conditions(premises[0])


def composed_line(fact: ApproxDP, steps: int, last: int) -> Line:
    """The line of the event that one of the losses ``k, k-2, ..., k - 2 last`` times epsilon came out, or all was told.

    ``last`` -1: that all was told.
    """
    b, kept = exp(fact.epsilon), (1 - fact.delta) ** steps
    whole, indices = (1 + b) ** steps, range(last + 1)
    u = Add(*(comb(steps, i) * b ** (steps - i) for i in indices)) / whole
    v = Add(*(comb(steps, i) * b**i for i in indices)) / whole
    return 1 - kept + kept * u, kept * v


def _profile(premises: Premises, params: Params) -> PrivacyProfile:
    """``h(a) = 1 - (1-delta)^k (1 - sum_i C(k,i) [b^(k-i) - a b^i]_+/(1+b)^k)``, ``b = e^epsilon``: all the lines with
    a positive loss.
    """
    fact, steps = premises[0], params["steps"]
    lines = [composed_line(fact, steps, last) for last in range(-1, (steps + 1) // 2)]
    subject = Composition((fact.subject,), steps)
    return PrivacyProfile(subject, fewest(lines), True, fact.region, **neighbours(fact))


def _profile_steps(premises: Premises, query: Query) -> Iterator[Params]:
    for steps in repeated(premises, query):
        if steps <= MOST_LINES:
            yield {"steps": steps}


register(
    Rule(
        id="optimal-composition",
        title="The privacy profile of a repeated mechanism",
        citation=KOV,
        premises=(ApproxDP,),
        conditions=lambda premises, params: _steps(MOST_LINES, premises, params),
        conclude=_profile,
        tightness="exact",
        suggest=_profile_steps,
    )
)

# --- at one epsilon, at one delta -------------------------------------------------------------------------------------


def _last(params: Params) -> Condition:
    last, steps = params["last"], params["steps"]
    fine = type(last) is int and type(steps) is int and -1 <= last <= steps
    return Condition("last", "the last loss counted is one of those there are", "fact", (fine,))


def _delta_region(premises: Premises, params: Params) -> Region:
    return ranged(premises[0].region, params["epsilon"], Interval.nonnegative())


def _delta_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, steps, last, wanted = premises[0], params["steps"], params["last"], params["epsilon"]
    region = _delta_region(premises, params)
    yield from _steps(MOST_STEPS, premises, params)
    yield _last(params)
    yield at_least("total epsilon", wanted, 0, region, "the epsilon asked for is not negative")
    if last >= 0:
        loss = (steps - 2 * last) * fact.epsilon
        yield at_least("counted", loss, wanted, region, "the last loss counted is at least the epsilon asked for")
    left = (steps - 2 * last - 2) * fact.epsilon
    yield at_least("not counted", wanted, left, region, "the losses not counted are at most the epsilon asked for")


def _delta(premises: Premises, params: Params) -> ApproxDP:
    """``u - e^epsilon' v`` of the line that counts ``i <= last``: ``u = 1 - (1-delta)^k (1 - sum C(k,i)
    b^(k-i)/(1+b)^k)``, ``v = (1-delta)^k sum C(k,i) b^i/(1+b)^k``, ``b = e^epsilon``.
    """
    fact, steps, wanted = premises[0], params["steps"], params["epsilon"]
    u, v = composed_line(fact, steps, params["last"])
    subject, region = Composition((fact.subject,), steps), _delta_region(premises, params)
    return ApproxDP(subject, wanted, u - exp(wanted) * v, region, **neighbours(fact))


def _about_this(premises: Premises, query: Query) -> Iterator[int]:
    for steps in repeated(premises, query):
        if steps <= MOST_STEPS and same_subject(Composition((premises[0].subject,), steps), query.subject):
            yield steps


def _delta_values(premises: Premises, query: Query) -> Iterator[Params]:
    wanted, epsilon = query.epsilon, premises[0].epsilon
    for steps in repeated(premises, query) if wanted is not None else ():
        if steps > MOST_STEPS:
            continue
        last = -1
        if epsilon != 0:
            try:
                with working_precision(128):
                    last = int(((steps - ball(wanted / epsilon, {})) / 2).mid().floor().fmpz())
            except (SymdpError, ValueError):
                continue
        yield {"steps": steps, "epsilon": wanted, "last": max(-1, last)}


register(
    Rule(
        id="optimal-composition-delta",
        title="The least delta of an epsilon of a repeated mechanism",
        citation=KOV,
        premises=(ApproxDP,),
        conditions=_delta_conditions,
        conclude=_delta,
        tightness="exact",
        suggest=_delta_values,
        summary=True,
    )
)


def _epsilon_region(premises: Premises, params: Params) -> Region:
    return ranged(premises[0].region, params["delta"], Interval.closed(0, 1))


def _epsilon_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    """The line counted to ``last`` meets delta where it is the largest, at a ratio of at least 1."""
    fact, steps, last, wanted = premises[0], params["steps"], params["last"], params["delta"]
    region = _epsilon_region(premises, params)
    yield from _steps(MOST_STEPS, premises, params)
    if last is None:
        u, v = composed_line(fact, steps, (steps - 1) // 2)
        yield at_least("delta", wanted, u - v, region, "delta is at least the total variation distance")
        return
    yield _last(params)
    u, v = composed_line(fact, steps, last)
    yield holds("falls", Relation(v, ">"), region, "some loss is counted, and delta is below 1")
    yield at_least("at least 0", u - v, wanted, region, "the epsilon is not negative")
    for name, count, sign in (("not counted", steps - 2 * last - 2, 1), ("counted", steps - 2 * last, -1)):
        gap = sign * (u - wanted - v * exp(count * fact.epsilon))
        side = "most" if sign == 1 else "least"
        yield at_least(name, gap, 0, region, f"the losses {name} are at {side} the epsilon")


def _epsilon(premises: Premises, params: Params) -> ApproxDP:
    """``epsilon' = log((u - delta')/v)`` of the line ``u - a v`` that meets delta' where it is the largest, or 0."""
    fact, steps, last, wanted = premises[0], params["steps"], params["last"], params["delta"]
    subject, region, epsilon = Composition((fact.subject,), steps), _epsilon_region(premises, params), S.Zero
    if last is not None:
        u, v = composed_line(fact, steps, last)
        epsilon = log((u - wanted) / v)
    return ApproxDP(subject, epsilon, wanted, region, **neighbours(fact))


def _epsilon_values(premises: Premises, query: Query) -> Iterator[Params]:
    """The first line that is at most delta where it hands over to the next."""
    fact, wanted = premises[0], query.delta
    for steps in _about_this(premises, query) if wanted is not None and query.ask != "delta" else ():
        try:
            with working_precision(128 + 2 * steps):
                last = _crossing(ball(exp(fact.epsilon), {}), ball((1 - fact.delta) ** steps, {}), steps, wanted)
        except (SymdpError, ValueError, KeyError):
            continue
        yield {"steps": steps, "delta": wanted, "last": last}


def _crossing(b: arb, kept: arb, steps: int, delta: Expr) -> int | None:
    goal, whole = 1 - (1 - ball(delta, {})) / kept, (1 + b) ** steps
    u = v = arb(0)
    for last in range((steps + 1) // 2):
        u, v = u + comb(steps, last) * b ** (steps - last) / whole, v + comb(steps, last) * b**last / whole
        ratio = b ** max(0, steps - 2 * last - 2)
        if (u - ratio * v).mid() > goal.mid():
            return last
    return None


register(
    Rule(
        id="optimal-composition-epsilon",
        title="The least epsilon of a delta of a repeated mechanism",
        citation=KOV,
        premises=(ApproxDP,),
        conditions=_epsilon_conditions,
        conclude=_epsilon,
        tightness="exact",
        suggest=_epsilon_values,
        summary=True,
    )
)
