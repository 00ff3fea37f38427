"""(epsilon, delta) guarantees from a privacy profile: the least delta of an epsilon, the least epsilon of a delta."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, S, Symbol, exp, log

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import ApproxDP, PrivacyProfile, PureDP, neighbours
from symdp.region import Interval, Region
from symdp.rule import Query, Rule, register
from symdp.rules.asked import about_parts, pieces, same_subject
from symdp.rules.conditions import holds, vanishes
from symdp.rules.lines import at, largest, latest
from symdp.rules.profiles import at_least, is_largest
from symdp.text import Relation
from symdp.text.extrema import Max

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
DEFINITION = Citation("balle2019", "section 2", "the divergence form of (epsilon, delta)-DP")


def ranged(region: Region, value: Expr, interval: Interval) -> Region:
    """The region with the value's own symbol in it, if it is a symbol that the region does not have."""
    if isinstance(value, Symbol) and value not in region.symbols:
        return region.extend({value: interval})
    return region


def _both(fact: PrivacyProfile) -> Condition:
    return Condition("both orders", "the profile holds in both orders of each pair", "fact", (fact.both,))


def _at_epsilon_region(premises: Premises, params: Params) -> Region:
    return ranged(premises[0].region, params["epsilon"], Interval.nonnegative())


def _at_epsilon_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, epsilon, region = premises[0], params["epsilon"], _at_epsilon_region(premises, params)
    yield _both(fact)
    yield at_least("epsilon", epsilon, 0, region, "epsilon is not negative")
    if params["line"] is None:
        yield Condition("lines", "there are lines", "fact", (len(fact.lines) > 0,))
        return
    yield from is_largest([at(line, exp(epsilon)) for line in fact.lines], params["line"], region)


def _at_epsilon(premises: Premises, params: Params) -> ApproxDP:
    """``delta = u - e^epsilon v`` of the largest line; of no one line, ``delta = max (u - e^epsilon v)`` over all."""
    fact, epsilon, line = premises[0], params["epsilon"], params["line"]
    values = [at(each, exp(epsilon)) for each in (fact.lines if line is None else (fact.lines[line],))]
    delta = values[0] if len(values) == 1 else Max(*values)
    return ApproxDP(fact.subject, epsilon, delta, _at_epsilon_region(premises, params), **neighbours(fact))


def _at_epsilon_lines(premises: Premises, query: Query) -> Iterator[Params]:
    fact, epsilon = premises[0], query.epsilon
    if epsilon is not None and fact.both and same_subject(fact.subject, query.subject):
        for index in largest([at(line, exp(epsilon)) for line in fact.lines]):
            yield {"epsilon": epsilon, "line": index}


register(
    Rule(
        id="dp-of-profile",
        title="The least delta of an epsilon, from a profile",
        citation=DEFINITION,
        premises=(PrivacyProfile,),
        conditions=_at_epsilon_conditions,
        conclude=_at_epsilon,
        tightness="exact",
        suggest=_at_epsilon_lines,
        summary=True,
    )
)


def _at_delta_region(premises: Premises, params: Params) -> Region:
    return ranged(premises[0].region, params["delta"], Interval.closed(0, 1))


def _at_delta_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    """The chosen line meets delta at a ratio of at least 1 where no other line is above delta."""
    fact, delta, chosen, region = premises[0], params["delta"], params["line"], _at_delta_region(premises, params)
    yield _both(fact)
    yield at_least("delta", delta, 0, region, "delta is not negative")
    if chosen is None:
        for index, (u, v) in enumerate(fact.lines):
            yield at_least(f"line {index}", delta, u - v, region, f"line {index} is at most delta at epsilon = 0")
        return
    known = type(chosen) is int and 0 <= chosen < len(fact.lines)
    yield Condition("chosen line", "the line is one of those there are", "fact", (known,))
    top, slope = fact.lines[chosen]
    yield holds("falls", Relation(slope, ">"), region, "the chosen line falls")
    yield at_least("epsilon", top - slope, delta, region, "the chosen line is at least delta at epsilon = 0")
    for index, (u, v) in enumerate(fact.lines):
        if index != chosen:  # slope times the distance, at the ratio where the chosen line is delta
            gap = slope * (delta - u) + (top - delta) * v
            yield at_least(f"line {index}", gap, 0, region, f"line {index} is at most delta there")


def _at_delta(premises: Premises, params: Params) -> ApproxDP:
    """``epsilon = log((u - delta)/v)`` of the line that meets delta last, or 0 if none is above delta there."""
    fact, delta, chosen = premises[0], params["delta"], params["line"]
    epsilon = S.Zero
    if chosen is not None:
        top, slope = fact.lines[chosen]
        epsilon = log((top - delta) / slope)
    return ApproxDP(fact.subject, epsilon, delta, _at_delta_region(premises, params), **neighbours(fact))


def _at_delta_lines(premises: Premises, query: Query) -> Iterator[Params]:
    fact, delta, about = premises[0], query.delta, [query.subject]
    if query.ask in ("rdp", "gdp"):  # by way of pure privacy, of a part of a composition too
        delta, about = S.Zero, list(pieces(query.subject))
    if delta is None or query.ask == "delta" or not fact.both:
        return
    if not any(same_subject(fact.subject, piece) for piece in about):
        return
    for index in latest(fact.lines, delta):
        yield {"delta": delta, "line": index}
    yield {"delta": delta, "line": None}


register(
    Rule(
        id="dp-of-profile-at-delta",
        title="The least epsilon of a delta, from a profile",
        citation=DEFINITION,
        premises=(PrivacyProfile,),
        conditions=_at_delta_conditions,
        conclude=_at_delta,
        tightness="exact",
        suggest=_at_delta_lines,
        summary=True,
    )
)

# --- guarantees that follow from a guarantee ------------------------------------------------------------------------


def _weaker_region(premises: Premises, params: Params) -> Region:
    region = ranged(premises[0].region, params["epsilon"], Interval.nonnegative())
    return ranged(region, params["delta"], Interval.closed(0, 1))


def _weaker_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, region = premises[0], _weaker_region(premises, params)
    yield at_least("epsilon", params["epsilon"], fact.epsilon, region, "the epsilon is not smaller")
    yield at_least("delta", params["delta"], fact.delta, region, "the delta is not smaller")


def _weaker(premises: Premises, params: Params) -> ApproxDP:
    """``(epsilon', delta')`` with ``epsilon' >= epsilon`` and ``delta' >= delta``."""
    fact, region = premises[0], _weaker_region(premises, params)
    return ApproxDP(fact.subject, params["epsilon"], params["delta"], region, **neighbours(fact))


def _weaker_values(premises: Premises, query: Query) -> Iterator[Params]:
    """A guarantee at the epsilon or the delta that is asked about."""
    fact = premises[0]
    if same_subject(fact.subject, query.subject):
        if query.ask == "delta" and query.epsilon not in (None, fact.epsilon):
            yield {"epsilon": query.epsilon, "delta": fact.delta}
        if query.ask == "epsilon" and query.delta not in (None, fact.delta):
            yield {"epsilon": fact.epsilon, "delta": query.delta}


register(
    Rule(
        id="weaker-dp",
        title="A larger epsilon and a larger delta hold too",
        citation=DEFINITION,
        premises=(ApproxDP,),
        conditions=_weaker_conditions,
        conclude=_weaker,
        tightness="upper",
        suggest=_weaker_values,
    )
)


def _pure_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield vanishes("delta", "delta is 0", [premises[0].delta], premises[0].region)


def _pure(premises: Premises, _: Params) -> PureDP:
    """``epsilon``, where ``delta = 0``."""
    fact = premises[0]
    return PureDP(fact.subject, fact.epsilon, fact.region, **neighbours(fact))


register(
    Rule(
        id="pure-of-dp",
        title="Approximate privacy with delta = 0 is pure",
        citation=DEFINITION,
        premises=(ApproxDP,),
        conditions=_pure_conditions,
        conclude=_pure,
        tightness="exact",
        suggest=about_parts,
        carries=True,
    )
)


def _dp_of_pure(premises: Premises, _: Params) -> ApproxDP:
    """``(epsilon, 0)``."""
    fact = premises[0]
    return ApproxDP(fact.subject, fact.epsilon, S.Zero, fact.region, **neighbours(fact))


register(
    Rule(
        id="dp-of-pure",
        title="Pure privacy is approximate with delta = 0",
        citation=DEFINITION,
        premises=(PureDP,),
        conditions=lambda _, __: (),
        conclude=_dp_of_pure,
        tightness="exact",
        suggest=about_parts,
        carries=True,
    )
)

# --- fewer lines ----------------------------------------------------------------------------------------------------


def _fewer_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    (fact,), kept, below = premises, params["kept"], params["below"]
    known = all(type(i) is int and 0 <= i < len(fact.lines) for i in kept) and len(set(kept)) == len(kept) > 0
    left = sorted(set(range(len(fact.lines))) - set(kept))
    named = [pair[0] for pair in below] == left and all(pair[1] in kept for pair in below)
    yield Condition("lines", "each line is kept, or is named with one that is kept", "fact", (known and named,))
    for index, other in below:
        (u, v), (top, slope) = fact.lines[index], fact.lines[other]
        statement = f"line {index} is at most line {other}"
        yield at_least(f"{statement} at 1", top - slope, u - v, fact.region, f"{statement} at a = 1")
        yield at_least(f"{statement} on", v, slope, fact.region, f"line {index} falls as fast as line {other}")


def _fewer(premises: Premises, params: Params) -> PrivacyProfile:
    """``max (u - a v)`` over fewer lines: without those that lie below another one for every ``a >= 1``."""
    fact = premises[0]
    fewer: PrivacyProfile = replace(fact, lines=tuple(fact.lines[index] for index in params["kept"]))
    return fewer


register(
    Rule(
        id="fewer-lines",
        title="A profile without the lines that another one covers",
        citation=Citation("symdp", "rules.profile_values"),
        premises=(PrivacyProfile,),
        conditions=_fewer_conditions,
        conclude=_fewer,
        tightness="exact",
    )
)
