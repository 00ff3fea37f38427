"""Rules whose parameters say what they conclude: without a hypothesis they say something false about a known pair."""

from dataclasses import dataclass
from typing import Any

import pytest
from sympy import Integer, Rational, S, log

import symdp.rules  # noqa: F401
from symdp.errors import Refused
from symdp.judgments import ErrorRatio, Inequality, MomentBound
from symdp.mechanisms.finite import FiniteKernel
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.text import Relation, parse, symbol
from symdp.theorem import apply
from tests.guarantees import MP, conclude, given, value
from tests.kernels import F, fraction, guarantee, profile, response
from tests.rules import test_gaussian_mechanisms as processes
from tests.rules.test_epsilon_composition import power
from tests.rules.test_mixing import holds as kernel_holds
from tests.rules.test_sampled_gaussian_rules import moment
from tests.rules.test_simple_rules import ALPHA, FACTS, LINEAR, LOSS, ORDERS, PAIR, TINY, satisfied

D = symbol("d")


@dataclass(frozen=True)
class Attack:
    """Parameters that a rule takes, and others that it refuses by ``hypothesis``; ``holds`` judges a conclusion."""

    rule: str
    facts: tuple[Any, ...]
    right: dict[str, Any]
    wrong: dict[str, Any]
    hypothesis: str
    holds: Any
    instead: tuple[Any, ...] = ()
    """Facts in place of ``facts``, where these are what is wrong."""


def of_pair(fact):
    return satisfied(fact, *PAIR)


def of_runs(fact):
    return satisfied(fact, *power(response(F(2), F(1, 10)), 4))


def of_kernel(fact):
    return kernel_holds(fact, FiniteKernel(PAIR))


def inside(fact):
    """Whether a relation between numbers holds at those of some values of d that lie in its region."""
    points = [{D: Rational(k, 8)} for k in range(9)]
    tried = [point for point in points if fact.region.contains(point)]
    positive = [fact.relation.expr.subs(point) > 0 or (fact.relation.op == ">=" and fact.relation.expr.subs(point) == 0)
                for point in tried]  # fmt: skip
    return len(tried) > 1 and all(positive)


def tends(fact):
    far = MP.mpf(10) ** 12
    return abs(value(fact.expr, d=far) - value(fact.value)) < MP.mpf(10) ** -9


def stationary(fact):
    """``L* lambda = 0`` in one coordinate."""
    process, (x,) = fact.process.process, fact.process.process.state
    flow = process.noise[0, 0] * fact.density.diff(x) / 2 - process.drift[0] * fact.density
    return flow.diff(x) == 0


def bounds_moment(fact):
    return value(fact.value, alpha="2", q="1/2", s="1") >= moment(MP.mpf(2), MP.mpf("0.5"), MP.mpf(1)) - TINY


BROWNIAN, ORNSTEIN = (processes.copies(p).conclusion for p in (processes.BROWNIAN, processes.ORNSTEIN))
SQUARE = Inequality(Relation(ALPHA**2 - ALPHA * LOSS / 2, ">="), ORDERS)
MOMENT = parse("sampled_moment(alpha, q, s)")
SGM = ORDERS.extend({symbol("q"): Interval.open(0, 1), symbol("s"): Interval.positive()})
ONE_MORE = Inequality(Relation(S.One, ">="), SGM)
UNIT = Region.make({D: Interval.closed(0, 1)})
SHARE = ErrorRatio("A", "B", D, UNIT)
GROWS = ErrorRatio("A", "B", D / (1 + D), Region.make({D: Interval.positive()}))
LATE = Region.make({D: Interval.closed(Rational(3, 4), 1)})
EARLY = Region.make({D: Interval.closed(0, Rational(1, 4))})
HALF = Rational(1, 2)
LINES = FACTS["profile"].lines
RUNS = guarantee(2, F(1, 10))
TOP = max(range(len(LINES)), key=lambda i: fraction(LINES[i][0] - LINES[i][1]))
BELOW = min(range(len(LINES)), key=lambda i: fraction(LINES[i][0] - LINES[i][1]))

ATTACKS = [
    Attack("zcdp-of-rdp", (LINEAR,), {"rho": LOSS / 2}, {"rho": LOSS / 3}, "linear", of_pair),
    Attack(
        "tcdp-of-rdp", (LINEAR,), {"rho": LOSS / 2, "omega": Integer(5)}, {"rho": LOSS / 3, "omega": Integer(5)},
        "linear", of_pair,
    ),
    Attack("weaker-rdp", (LINEAR, SQUARE), {"value": ALPHA**2}, {"value": ALPHA / 9}, "difference", of_pair),
    Attack(
        "weaker-moment-bound", (MomentBound("A", MOMENT, SGM), ONE_MORE), {"value": MOMENT + 1}, {"value": MOMENT / 2},
        "difference", bounds_moment,
    ),
    Attack(
        "weaker-dp", (FACTS["dp"],), {"epsilon": log(Integer(2)), "delta": HALF},
        {"epsilon": log(Integer(2)), "delta": Rational(1, 5)}, "delta", of_pair,
    ),
    Attack("pure-of-dp", (guarantee(3, 0),), {}, {}, "delta", of_pair, (FACTS["dp"],)),
    Attack("invariant-lebesgue", (BROWNIAN,), {}, {}, "translation", stationary, (ORNSTEIN,)),
    Attack("gdp-of-pure", (FACTS["pure"],), {"mu": Rational(135, 100)}, {"mu": Rational(134, 100)}, "corner", of_pair),
    Attack(
        "dp-of-profile", (FACTS["profile"],), {"epsilon": S.Zero, "line": TOP}, {"epsilon": S.Zero, "line": BELOW},
        "larger", of_pair,
    ),
    Attack(
        "dp-of-profile-at-delta", (FACTS["profile"],), {"delta": HALF, "line": None},
        {"delta": Rational(1, 4), "line": None}, "line", of_pair,
    ),
    Attack(
        "fewer-lines", (FACTS["profile"],), {"kept": tuple(range(len(LINES))), "below": ()},
        {"kept": (BELOW,), "below": tuple((i, BELOW) for i in range(len(LINES)) if i != BELOW)}, "line", of_pair,
    ),
    Attack(
        "dobrushin-of-profile", (profile(FiniteKernel(PAIR)),), {"ratio": S.One, "line": TOP},
        {"ratio": S.One, "line": BELOW}, "larger", of_kernel,
    ),
    Attack(
        "optimal-composition-delta", (RUNS,), {"steps": 4, "epsilon": log(Integer(5)), "last": 0},
        {"steps": 4, "epsilon": log(Integer(5)), "last": 1}, "counted", of_runs,
    ),
    Attack(
        "optimal-composition-epsilon", (RUNS,), {"steps": 4, "delta": HALF, "last": 1},
        {"steps": 4, "delta": HALF, "last": None}, "delta", of_runs,
    ),
    Attack("at-most", (SHARE,), {"bound": HALF, "region": EARLY}, {"bound": HALF, "region": UNIT}, "bound", inside),
    Attack("above", (SHARE,), {"bound": HALF, "region": LATE}, {"bound": HALF, "region": UNIT}, "bound", inside),
    Attack("limit-at-infinity", (GROWS,), {"factor": S.One, "value": S.One, "variable": D},
           {"factor": S.One, "value": HALF, "variable": D}, "limit", tends),
]  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.rule)
def test_mutants_without_a_hypothesis_are_refuted(attack):
    assert attack.holds(apply(attack.rule, *map(given, attack.facts), **attack.right).conclusion)
    facts = attack.instead or attack.facts
    with pytest.raises(Refused) as refusal:
        apply(attack.rule, *map(given, facts), **attack.wrong)
    assert refusal.value.hypotheses[-1].name.startswith(attack.hypothesis)
    assert not attack.holds(conclude(get_rule(attack.rule), *facts, **attack.wrong))
