"""The rules about inequalities: each hypothesis is needed, and whatever they accept is true.

Every attack is refused by the rule, and believed by a mutated copy that lacks the hypothesis: what the copy concludes
fails at an exact point of its region.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from sympy import Integer, Integral, N, Rational, cos, exp, log, sin, sqrt

import symdp.rules  # noqa: F401
from symdp.errors import Forged, InputError, Refused, Undefined
from symdp.evidence import Condition
from symdp.judgments import Inequality
from symdp.region import Interval, Region
from symdp.rule import get_rule, register, rules
from symdp.text import Relation, definedness, parse, parse_relations, symbol
from symdp.theorem import Theorem, apply, from_json, replay, to_json

x, y, z, t, s, a = map(symbol, ["x", "y", "z", "t", "s", "a"])
RULES = ("cases", "combination", "increasing", "replacement", "substitution")
Point = dict[Any, Any]


def region(text: str, names: str) -> Region:
    """The region as written; a coordinate without a bound is any real number."""
    return Region.from_relations(parse_relations(text, place="test") if text else (), map(symbol, names.split()))


def relation(text: str) -> Relation:
    return parse_relations(text, place="test")[-1]


def given(text: str | Relation, where: Region) -> Theorem:
    """The inequality, proved, or assumed where the engine does not prove it."""
    wanted = relation(text) if isinstance(text, str) else text
    return apply("inequality", relation=wanted, region=where, assuming=("inequality",))


def true_at(relation: Relation, point: Point) -> bool:
    """Whether a relation is defined and true at a point."""
    try:
        if not all(true_at(condition, point) for condition in definedness(relation.expr)):
            return False
        value = N(relation.subs(point).expr, 40)
    except Undefined:
        return False
    small = abs(value) < Rational(1, 10**30)
    return bool({">": value > 0 and not small, ">=": value > 0 or small, "==": small, "!=": not small}[relation.op])


def fails(conclusion: Any, point: Point) -> bool:
    """Whether the point lies in the region and the relation does not hold there."""
    assert isinstance(conclusion, Inequality)
    assert all(true_at(bound, point) for bound in conclusion.region.relations), "the witness is outside"
    return not true_at(conclusion.relation, point)


def mutant(rule: str, dropped: tuple[str, ...]) -> str:
    """The id of a copy of the rule without the conditions whose names begin like this."""
    id = f"mutant-{rule}-{'-'.join(dropped)}"
    if id not in rules():
        original = get_rule(rule)

        def fewer(facts: Any, params: Any) -> Iterator[Condition]:
            return (c for c in original.conditions(facts, params) if not c.name.startswith(dropped))

        register(replace(original, id=id, conditions=fewer))
    return id


@dataclass(frozen=True)
class Attack:
    """A falsehood, the hypotheses that keep it out (the first one refuses), and where it fails."""

    rule: str
    dropped: tuple[str, ...]
    premises: Callable[[], Sequence[Theorem]]
    params: dict[str, Any]
    at: Point = field(default_factory=dict)


LINE, PLANE, HALF = region("", "x"), region("", "x y"), region("x>=0", "x")
ROOTS = Relation(sqrt(x) * sqrt(y) - sqrt(x * y), "==")
BOTH_ROOTS = Region.make({x: Interval.real(), y: Interval.real()}, [Relation(sqrt(x) * sqrt(y) + 5, ">")])

ATTACKS = {
    "the image leaves the interval": Attack(
        "substitution",
        ("range",),
        lambda: [given("x>=0", HALF)],
        {"mapping": ((x, y),), "region": region("", "y")},
        {y: -1},
    ),
    "the image leaves a constraint": Attack(
        "substitution",
        ("range",),
        lambda: [given("x+y>=0", region("x**3+y**3>=0", "x y"))],
        {"mapping": ((x, y), (y, x**2 - 2)), "region": PLANE},
        {x: 0, y: 0},
    ),
    "the image leaves where an equality is defined": Attack(
        "substitution",
        ("range",),
        lambda: [given(ROOTS, PLANE)],
        {"mapping": ((x, Integer(-1)), (y, Integer(-1))), "region": LINE},
        {x: 0},
    ),
    "the map is not defined": Attack(
        "substitution",
        ("symbol",),
        lambda: [given("exp(x)>0", LINE)],
        {"mapping": ((x, log(y)),), "region": region("", "y")},
        {y: -1},
    ),
    "the result is not defined": Attack(
        "substitution",
        ("conclusion",),
        lambda: [given("sqrt(t)>=0", region("t>=0", "t"))],
        {"mapping": ((t, x**2 * y),), "region": region("x==0, y<0", "x y")},
        {x: 0, y: -1},
    ),
    "a lemma that does not reach so far": Attack(
        "substitution",
        ("premise 2",),
        lambda: [given("x>=0", HALF), given("y>=0", region("y>=0", "y"))],
        {"mapping": ((x, y),), "region": region("", "y")},
        {y: -1},
    ),
    "a premise that does not reach so far": Attack(
        "combination",
        ("premise 1",),
        lambda: [given("x>=0", HALF)],
        {"weights": (1,), "relation": relation("x>=0"), "region": LINE},
        {x: -1},
    ),
    "an equality that is not defined": Attack(
        "combination",
        ("conclusion", "premise 1", "remainder defined"),
        lambda: [given(ROOTS, PLANE)],
        {"weights": (1,), "relation": ROOTS, "region": PLANE},
        {x: -1, y: -1},
    ),
    "a negative weight": Attack(
        "combination",
        ("weight 1",),
        lambda: [given("x>=0", HALF)],
        {"weights": (-1,), "relation": relation("-x>=0"), "region": HALF},
        {x: 1},
    ),
    "a weight that is not defined": Attack(
        "combination",
        ("weight 1",),
        lambda: [given("x==0", region("x==0", "x"))],
        {"weights": (1 / x,), "relation": Relation(Integer(1), "=="), "region": region("x==0", "x")},
        {x: 0},
    ),
    "something negative remains": Attack(
        "combination",
        ("remainder",),
        lambda: [given("x>=0", HALF)],
        {"weights": (1,), "relation": relation("x-1>=0"), "region": HALF},
        {x: 0},
    ),
    "a difference that is not zero": Attack(
        "combination",
        ("remainder",),
        lambda: [given(Relation(exp(x) * exp(y) - exp(x + y), "=="), PLANE)],
        {"weights": (1,), "relation": relation("x-y==0"), "region": PLANE},
        {x: 0, y: 1},
    ),
    "an equality out of an inequality": Attack(
        "combination",
        ("equalities",),
        lambda: [given("x>=0", HALF)],
        {"weights": (1,), "relation": relation("x==0"), "region": HALF},
        {x: 1},
    ),
    "strict out of a weak premise": Attack(
        "combination",
        ("strict",),
        lambda: [given("x>=0", HALF)],
        {"weights": (1,), "relation": relation("x>0"), "region": HALF, "strict": 1},
        {x: 0},
    ),
    "strict by a weight that vanishes": Attack(
        "combination",
        ("weight 1",),
        lambda: [given("x+1>0", HALF)],
        {"weights": (x,), "relation": Relation(x * (x + 1), ">"), "region": HALF, "strict": 1},
        {x: 0},
    ),
    "strict out of nothing": Attack(
        "combination",
        ("remainder",),
        lambda: [given("x>=0", HALF)],
        {"weights": (1,), "relation": relation("x>0"), "region": HALF},
        {x: 0},
    ),
    "zero is not positive": Attack(
        "combination",
        ("remainder",),
        lambda: [given("x>=0", HALF)],
        {"weights": (1,), "relation": relation("x>0"), "region": HALF, "exact": True},
        {x: 0},
    ),
    "what remains is not zero": Attack(
        "combination",
        ("remainder",),
        lambda: [given("x>=0", HALF)],
        {"weights": (1,), "relation": relation("x-exp(-x)>=0"), "region": HALF, "exact": True},
        {x: 0},
    ),
    "the first case is not covered": Attack(
        "cases",
        ("case",),
        lambda: [given("(2*x-1)**2>=1", region("x>=1", "x")), given("(2*x-1)**2>=1", region("x<0", "x"))],
        {"split": relation("x>=0"), "region": LINE},
        {x: Rational(1, 2)},
    ),
    "the other case is not covered": Attack(
        "cases",
        ("other",),
        lambda: [given("x>=0", HALF), given("x>=0", HALF)],
        {"split": relation("x>=0"), "region": LINE},
        {x: -1},
    ),
    "the end between the cases is missed": Attack(
        "cases",
        ("other",),
        lambda: [given("x**2>0", region("x>0", "x")), given("x**2>0", region("x<0", "x"))],
        {"split": relation("x>0"), "region": LINE},
        {x: 0},
    ),
    "the cases differ": Attack(
        "cases",
        ("one relation",),
        lambda: [given("x>=0", HALF), given("-x>=0", region("x<=0", "x"))],
        {"split": relation("x>=0"), "region": LINE},
        {x: -1},
    ),
    "the split is not defined everywhere": Attack(
        "cases",
        ("split",),
        lambda: [given("x>0", region("x>0", "x"))] * 2,
        {"split": Relation(log(x), ">="), "region": LINE},
        {x: -1},
    ),
    "a range with a hole": Attack(
        "increasing",
        ("interval",),
        lambda: [given("1/x**2>0", region("x!=0", "x"))],
        {"function": -1 / x, "variable": x, "lower": x, "upper": t},
        {x: -1, t: 1},
    ),
    "a pole": Attack(
        "increasing",
        ("function", "smooth", "derivative defined", "difference"),
        lambda: [given("1/(x**2+1)>0", LINE)],
        {"function": parse("-atan(1/x)"), "variable": x, "lower": s, "upper": t},
        {s: -1, t: 1},
    ),
    "another derivative": Attack(
        "increasing",
        ("derivative",),
        lambda: [given("x**2>=0", LINE)],
        {"function": -(x**3), "variable": x, "lower": s, "upper": t},
        {s: -1, t: 1},
    ),
    "a derivative that is only not zero": Attack(
        "increasing",
        ("sign",),
        lambda: [given(Relation(sin(x) - 2, "!="), LINE)],
        {"function": -cos(x) - 2 * x, "variable": x, "lower": s, "upper": t},
        {s: -1, t: 1},
    ),
    "equal only from below": Attack(
        "replacement",
        ("x from above",),
        lambda: [given("0>=0", region("x>=1", "x"))],
        {"mapping": ((x, Integer(1)),), "relation": relation("1-x>=0"), "region": region("x>=1", "x")},
        {x: 2},
    ),
    "equal only from above": Attack(
        "replacement",
        ("x from below",),
        lambda: [given("0>=0", region("x<=1", "x"))],
        {"mapping": ((x, Integer(1)),), "relation": relation("x-1>=0"), "region": region("x<=1", "x")},
        {x: 0},
    ),
    "another relation": Attack(
        "replacement",
        ("replaced",),
        lambda: [given("0>=0", region("x==1", "x"))],
        {"mapping": ((x, Integer(1)),), "relation": relation("x-2>=0"), "region": region("x==1", "x")},
        {x: 1},
    ),
    "a premise of less": Attack(
        "replacement",
        ("premise",),
        lambda: [given("y>=0", region("x==1, y>=0", "x y"))],
        {"mapping": ((x, Integer(1)),), "relation": Relation(x * y, ">="), "region": region("x==1", "x y")},
        {x: 1, y: -1},
    ),
    "a result of the replacement that is not defined": Attack(
        "replacement",
        ("conclusion",),
        lambda: [given("0>=0", region("x==0", "x"))],
        {"mapping": ((x, Integer(0)),), "relation": Relation(x * log(x - 1), ">="), "region": region("x==0", "x")},
        {x: 0},
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_falsehood_is_refused_and_a_mutated_rule_believes_it(name: str) -> None:
    attack = ATTACKS[name]
    premises = attack.premises()
    with pytest.raises(Refused) as refusal:
        apply(attack.rule, *premises, **attack.params)
    failed = refusal.value.hypotheses[-1]
    assert failed.name.startswith(attack.dropped[0]) and failed.verdict in ("refuted", "unknown")
    believed = apply(mutant(attack.rule, attack.dropped), *premises, **attack.params)
    assert fails(believed.conclusion, attack.at)


def test_every_rule_is_attacked() -> None:
    chapter = {id for id, rule in rules().items() if rule.conditions.__module__ == "symdp.rules.inequalities"}
    assert chapter == set(RULES) == {attack.rule for attack in ATTACKS.values()}


SLOPE = given("exp(x)>=0", LINE)
MISUSES = {
    "mapped twice": ("substitution", {"mapping": ((x, y), (x, y)), "region": region("", "y")}, "mapped twice"),
    "no such symbol": ("substitution", {"mapping": ((z, y),), "region": region("", "x y")}, "no symbol z"),
    "a kept symbol is lost": ("substitution", {"mapping": (), "region": region("", "y")}, "nothing of x"),
    "a new symbol is unknown": ("substitution", {"mapping": ((x, y + z),), "region": region("", "y")}, "nothing of z"),
    "too few weights": ("combination", {"weights": (), "relation": relation("x>0"), "region": LINE}, "as many"),
    "strict at nothing": (
        "combination",
        {"weights": (1,), "relation": relation("x>0"), "region": LINE, "strict": 2},
        "number of a premise",
    ),
    "strict by truth": (
        "combination",
        {"weights": (1,), "relation": relation("x>0"), "region": LINE, "strict": True},
        "number of a premise",
    ),
    "unequal": ("combination", {"weights": (1,), "relation": relation("x!=0"), "region": LINE}, "combined"),
    "a premise about more": (
        "combination",
        {"weights": (1,), "relation": relation("y>0"), "region": region("y>0", "y")},
        "speaks of x",
    ),
    "the ends are one": ("increasing", {"function": exp(x), "variable": x, "lower": t, "upper": t}, "two new symbols"),
    "no variable": ("increasing", {"function": exp(x), "variable": y, "lower": s, "upper": t}, "no symbol y"),
    "a function of more": ("increasing", {"function": y, "variable": x, "lower": s, "upper": t}, "nothing of y"),
    "a jump": (
        "increasing",
        {"function": parse("sign(x)"), "variable": x, "lower": s, "upper": t},
        "smooth function: x != 0",
    ),
    "replaced twice": (
        "replacement",
        {"mapping": ((x, x), (x, x)), "relation": relation("exp(x)>=0"), "region": LINE},
        "mapped twice",
    ),
}


@pytest.mark.parametrize("name", MISUSES)
def test_misuse_is_an_error(name: str) -> None:
    rule, params, message = MISUSES[name]
    with pytest.raises((InputError, Refused), match=message):
        apply(rule, SLOPE, **params)


def test_the_points_compared_are_no_other_symbol() -> None:
    """x + y increases in x; with y for a point, y + y would be compared."""
    slope = given(Relation(Integer(1), ">="), PLANE)
    with pytest.raises(InputError, match="two new symbols"):
        apply("increasing", slope, function=x + y, variable=x, lower=y, upper=t)
    risen = apply("increasing", slope, function=x + y, variable=x, lower=x, upper=t).conclusion
    assert risen.relation == Relation(t - x, ">=") and set(risen.region.symbols) == {x, y, t}


def test_substitution_is_simultaneous() -> None:
    swapped = apply(
        "substitution",
        given("x-2*y>0", region("x>2*y", "x y")),
        mapping=((x, y), (y, x)),
        region=region("y>2*x", "x y"),
    )
    assert swapped.conclusion.relation == relation("y-2*x>0")


def test_a_bound_name_is_not_captured() -> None:
    """Of ``x`` in the integral of x y over x from 0 to 1 nothing may be put for y; the grammar has no integrals."""
    integral = Relation(Integral(x * y, (x, 0, 1)) - y / 2, ">=")
    with pytest.raises((InputError, Refused)):
        apply("substitution", given(integral, region("", "y")), mapping=((y, x),), region=LINE)


def test_the_constraints_of_the_premise_must_be_defined_at_the_image() -> None:
    """``sqrt(-1)*sqrt(-1) + 5`` is 4 by the rules of complex numbers, but (-1, -1) is no point of the region."""
    premise = given("x**2+y**2>=0", BOTH_ROOTS)
    with pytest.raises(Refused, match="'range: -1 >= 0'"):
        apply("substitution", premise, mapping=((x, Integer(-1)), (y, Integer(-1))), region=LINE)


def test_an_empty_region_gives_nothing() -> None:
    """All is true of no point, but the engine proves nothing there, and the rules ask it for everything."""
    nowhere = Region((((x, Interval.real())),), (Relation(-(x**2) - 1, ">"),))
    for rule, params in (
        ("combination", {"weights": (1,), "relation": relation("-1-x**2>=0")}),
        ("substitution", {"mapping": ((x, x - 1),)}),
    ):
        with pytest.raises(Refused):
            apply(rule, given("x>=0", HALF), region=nowhere, **params)


def test_a_lemma_settles_what_it_states() -> None:
    """x <= y gives exp(x) <= exp(y); that x <= y for sinh and its argument is the lemma."""
    where = region("t>=0", "t")
    lemma = apply("inequality", relation=relation("sinh(t)>=t"), region=where)
    slope = apply("inequality", relation=relation("exp(y)>=0"), region=region("", "y"))
    rising = apply("increasing", slope, function=exp(y), variable=y, lower=x, upper=y)
    mapping = ((x, t), (y, parse("sinh(t)")))
    result = apply("substitution", rising, lemma, mapping=mapping, region=where)
    assert result.conclusion == Inequality(relation("exp(sinh(t))>=exp(t)"), where) and result.status == "proved"
    assert result.tightness == "exact" and from_json(to_json(result)) == replay(result) == result
    stored = to_json(result)
    stored["nodes"][-1]["premises"].pop()
    with pytest.raises(Forged):
        from_json(stored)


def test_what_is_assumed_stays_visible() -> None:
    result = apply(
        "combination",
        given("cos(x)+cos(sqrt(2)*x)+2>0", HALF),
        weights=(1,),
        strict=1,
        relation=relation("cos(x)+cos(sqrt(2)*x)>-2"),
        region=HALF,
    )
    assert result.assumptions and result.status == "conditional"
