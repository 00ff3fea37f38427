"""Random applications of the rules about inequalities: whatever they accept is true at random points."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from sympy import Expr, Integer, Rational, exp, log, nan, oo, sqrt

import symdp.rules  # noqa: F401
from symdp.errors import InputError, Refused, Undefined
from symdp.region import Interval, Region
from symdp.rules.regions import joined
from symdp.text import Relation
from symdp.theorem import Theorem, apply
from tests.rules.test_inequalities import RULES, Point, s, t, true_at, x, y


def random_point(where: Region, rng: random.Random) -> Point | None:
    for _ in range(60):
        point: Point = {}
        for name in where.symbols:
            box = where.interval(name)
            share = Rational(rng.choice((0, 1, 2, 3, 5, 8, 11, 15, 16)), 16)
            step = 4 * share
            if box.is_bounded:
                point[name] = box.lower + share * (box.upper - box.lower)
            else:
                point[name] = box.lower + step if box.upper is oo and box.lower is not -oo else step - 2
        if where.contains(point) is True:
            return point
    return None


def some_expr(rng: random.Random, names: Sequence[Any]) -> Expr:
    leaf = lambda: rng.choice((*names, Integer(rng.randint(-2, 3)), Rational(rng.randint(1, 5), 2)))  # noqa: E731
    one, two = leaf(), leaf()
    kind = rng.randint(0, 9)
    shapes = (one + two, one * two, one - two, one**2 + two, exp(one) - two, exp(-(two**2)), 1 / (1 + one**2))
    partial = (log(one) if one not in (0,) and not (one.is_number and one < 0) else two, sqrt(one**2 + two), one)
    result = (*shapes, *partial)[kind]
    return two if result.has(oo, -oo, nan) or (not result.is_real and result.is_number) else result


def some_region(rng: random.Random, names: Sequence[Any]) -> Region:
    ends = [Interval.real(), Interval.nonnegative(), Interval.positive(), Interval.closed(0, 1), Interval.open(-1, 2)]
    box = Region.make({name: rng.choice(ends) for name in names})
    if len(names) == 2 and rng.random() < 0.3:
        return box.intersect([Relation(names[0] - names[1], rng.choice((">", ">=")))])
    return box


def instance(rule: str, rng: random.Random) -> Theorem:
    """One random application; Refused or InputError is a fine answer."""

    def premise(names: Sequence[Any], op: str = ">=") -> Theorem:
        return apply("inequality", relation=Relation(some_expr(rng, names), op), region=some_region(rng, names))

    pair = (x, y)
    match rule:
        case "substitution":
            mapping = tuple((name, some_expr(rng, pair)) for name in pair if rng.random() < 0.8)
            return apply(rule, premise(pair, rng.choice((">", ">="))), mapping=mapping, region=some_region(rng, pair))
        case "combination":
            facts = [premise(pair, rng.choice((">", ">="))) for _ in range(2)]
            weights = tuple(rng.choice((e**2, exp(e), e, Integer(1))) for e in (some_expr(rng, pair) for _ in facts))
            total = sum(w * f.conclusion.relation.expr for w, f in zip(weights, facts, strict=True))
            claimed = Relation(total + rng.choice((0, 0, x**2, y, Rational(-1, 5), exp(x))), rng.choice((">", ">=")))
            where = joined(*(fact.conclusion.region for fact in facts))
            where = some_region(rng, pair) if rng.random() < 0.2 else where
            strict = {"strict": rng.randint(1, 2)} if rng.random() < 0.4 else {}
            return apply(rule, *facts, weights=weights, relation=claimed, region=where, **strict)
        case "cases":
            split = Relation(some_expr(rng, (x,)), rng.choice((">", ">=", "==", "!=")))
            whole, claimed = some_region(rng, (x,)), Relation(some_expr(rng, (x,)), rng.choice((">", ">=")))
            parts = [whole.intersect([c]) for c in (split, split.negated())]
            facts = [apply("inequality", relation=claimed, region=part) for part in parts]
            return apply(rule, *facts, split=split, region=whole)
        case "increasing":
            f = some_expr(rng, pair) * rng.choice((1, -1, x, exp(y)))
            slope = apply("inequality", relation=Relation(f.diff(x), ">="), region=some_region(rng, pair))
            return apply(rule, slope, function=f, variable=x, lower=rng.choice((x, s)), upper=t)
        case _:
            value = some_expr(rng, (y,))
            claimed = Relation(some_expr(rng, pair), rng.choice((">", ">=")))
            where = some_region(rng, (y,)).extend({x: Interval.real()})
            where = where.intersect([Relation(x - value, op) for op in (">=", rng.choice(("==", ">=")))])
            fact = apply("inequality", relation=claimed.subs({x: value}), region=some_region(rng, (y,)))
            return apply(rule, fact, mapping=((x, value),), relation=claimed, region=where)


@pytest.mark.parametrize("rule", RULES)
def test_whatever_is_accepted_is_true(rule: str) -> None:
    rng = random.Random(f"inequalities {rule}")
    accepted = refused = 0
    while accepted < 25 and refused < 2000:
        try:
            theorem = instance(rule, rng)
        except (InputError, Refused, Undefined):
            refused += 1
            continue
        accepted += 1
        where = theorem.conclusion.region
        for _ in range(6):
            point = random_point(where, rng)
            assert point is None or true_at(theorem.conclusion.relation, point), (theorem, point)
    assert accepted == 25
