"""What the rules of mixing suggest is enough for a blind search: it ends, and finds the best bound."""

import itertools

import pytest
from sympy import Integer, Rational, S, exp, log

import symdp.rules  # noqa: F401
from symdp.errors import Refused
from symdp.judgments import (
    ApproxDP,
    Dobrushin,
    Doeblin,
    FiniteMatrix,
    GaussianDP,
    PureDP,
    RenyiDP,
    Sampled,
    UltraMixing,
    after,
)
from symdp.region import Region
from symdp.rule import Query, rules
from symdp.rules.composition import Composition
from symdp.theorem import apply
from tests.guarantees import given
from tests.kernels import NOWHERE, F, guarantee

MODULES = {"profiles", "profile_values", "mixing", "amplification", "finite_kernels", "postprocessing", "sampling"}
MODULES |= {"epsilon_composition", "optimal_composition"}


def suggested(rule, premises, query):
    try:
        yield from rule.suggest(premises, query)
    except Exception as error:  # a suggestion must not fail, whatever the facts
        raise AssertionError(f"{rule.id} on {premises}") from error


def search(facts, query):
    """Every theorem that the suggestions lead to, from facts, until nothing is new."""
    usable = [rule for rule in rules().values() if rule.suggest and rule.conclude.__module__.split(".")[-1] in MODULES]
    known = {fact: given(fact) for fact in facts}
    new = list(known)
    while new:
        found = {}
        for rule in usable:
            kinds = [kind for kind in rule.premises if kind is not Ellipsis]
            choices = [[fact for fact in known if type(fact) is kind] for kind in kinds]
            for premises in itertools.product(*choices):
                if any(fact in new for fact in premises):
                    for params in suggested(rule, premises, query):
                        try:
                            theorem = apply(rule.id, *(known[fact] for fact in premises), **params)
                        except Refused:
                            continue
                        found.setdefault(theorem.conclusion, theorem)
        new = [fact for fact in found if fact not in known]
        known |= {fact: found[fact] for fact in new}
        assert len(known) < 400
    return known


def best(facts, query):
    """The least of what is asked, among the guarantees found that answer the query."""
    known = search(facts, query)
    fits = [f for f in known if type(f) is ApproxDP and f.subject == query.subject]
    if query.ask == "delta":
        return min(f.delta for f in fits if f.epsilon == query.epsilon)
    return min((f.epsilon for f in fits if f.delta == query.delta), key=exp)


M, PURE = guarantee(3, F(1, 100)), PureDP("M", log(Integer(3)), NOWHERE)
DOEBLIN, ULTRA = Doeblin("K", Rational(1, 4), NOWHERE), UltraMixing("L", Rational(1, 2), NOWHERE)
ROWS = tuple(tuple(Rational(*entry) for entry in row) for row in (((3, 4), (1, 4)), ((1, 4), (3, 4))))
MATRIX = FiniteMatrix("P", ROWS, NOWHERE)


FAR = Dobrushin("K", Rational(1, 9), Integer(2), NOWHERE)
TWO, THREE = after("K", "M"), after("L", after("K", "M"))


@pytest.mark.parametrize(
    ("facts", "query", "answer"),
    [
        ([PURE, ULTRA], Query(after("L", "M"), "epsilon", delta=S.Zero), log(Rational(7, 5))),
        ([M, DOEBLIN], Query(TWO, "delta", epsilon=log(Rational(3, 2))), Rational(61, 640)),
        ([M, DOEBLIN, ULTRA], Query(THREE, "delta", epsilon=log(Rational(21, 20))), Rational(2341, 96000)),
        ([M, MATRIX], Query(after("P", "M"), "delta", epsilon=S.Zero), Rational(101, 400)),
        ([M, MATRIX], Query(after("P", after("P", "M")), "delta", epsilon=S.Zero), Rational(101, 800)),
        ([M, FAR], Query(TWO, "delta", epsilon=log(Integer(3))), Rational(1, 900)),
        ([M], Query(Composition(("M",), 2), "delta", epsilon=log(Integer(9))), Rational(199, 10000)),
        ([M], Query(after("anything", "M"), "epsilon", delta=Rational(1, 100)), log(Integer(3))),
    ],
)
def test_a_blind_search_finds_the_best(facts, query, answer):
    assert best(facts, query) == answer


def test_sampled_and_composed():
    start = ApproxDP("M", log(Integer(3)), Rational(1, 100), Region(), S.One, "add/remove")
    query = Query(Composition((Sampled("M", "poisson", Rational(1, 2)),), 2), "delta", epsilon=S.Zero)
    found = search([start], query)
    sampled = [f for f in found if type(f) is ApproxDP and f.subject == query.subject.parts[0]]
    assert {(f.epsilon, f.delta) for f in sampled} == {(log(Integer(2)), Rational(1, 200))}
    assert best([start], query) < Rational(3, 8)  # two answers of ratio 2: a total variation distance of 1/3


def test_other_guarantees_pass_through_what_is_unknown():
    rdp = RenyiDP("M", S.One, S.One, "add/remove", Region())
    query = Query(after("B", after("A", "M")), "gdp")
    found = search([GaussianDP("M", S.One, NOWHERE), rdp], query)
    assert GaussianDP(query.subject, S.One, NOWHERE) in found
    assert RenyiDP(query.subject, S.One, S.One, "add/remove", Region()) in found
    assert len(found) == 6  # one each after no kernel, one and two


def test_a_chain_of_kernels_alone():
    """Without a mechanism the kernels' own products are found, and the product of matrices is the sharper profile."""
    query = Query(after("L", "K"), "delta", epsilon=S.Zero)
    found = search([DOEBLIN, Doeblin("L", Rational(1, 3), NOWHERE)], query)
    assert Doeblin(query.subject, Rational(1, 12), NOWHERE) in found
    assert Dobrushin(query.subject, Rational(1, 12), S.One, NOWHERE) in found
    square = Query(after("P", "P"), "delta", epsilon=S.Zero)
    assert Dobrushin(square.subject, Rational(1, 4), S.One, NOWHERE) in search([MATRIX], square)


def test_a_profile_at_one_epsilon_through_kernels():
    """Of a mechanism known at one epsilon only, at this epsilon."""
    start = ApproxDP("M", log(Integer(2)), Rational(1, 10), NOWHERE)
    weak = UltraMixing("K", Rational(99, 100), NOWHERE)
    assert best([start, weak], Query(TWO, "delta", epsilon=log(Integer(2)))) == Rational(89, 1010)


def test_a_weaker_guarantee():
    fact = given(M)
    weaker = apply("weaker-dp", fact, epsilon=Integer(2), delta=Rational(1, 50))
    assert weaker.conclusion == ApproxDP("M", Integer(2), Rational(1, 50), NOWHERE)
    for epsilon, delta, failed in ((S.One, Rational(1, 50), "epsilon"), (Integer(2), Rational(1, 200), "delta")):
        with pytest.raises(Refused, match=failed):
            apply("weaker-dp", fact, epsilon=epsilon, delta=delta)
    zero = apply("pure-of-dp", given(guarantee(3, 0)))
    assert apply("dp-of-pure", zero).conclusion == guarantee(3, 0)
    with pytest.raises(Refused, match="delta"):
        apply("pure-of-dp", fact)
