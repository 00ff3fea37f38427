"""The lemmas behind the closed form of the sampled Gaussian: what they say, that they replay, that they are true."""

import random
from collections.abc import Callable

import pytest
from sympy import Rational, oo

from symdp.derivation import inequalities as lemmas
from symdp.errors import Refused
from symdp.judgments import Inequality
from symdp.region import Interval, Region
from symdp.rules.sampled_gaussian import lemma_10_conditions
from symdp.rules.sampled_moments import domination, quadratic, steepness
from symdp.text import Relation, parse, parse_relations, symbol
from symdp.theorem import Theorem, apply, from_json, replay, to_json
from tests.oracle import MP
from tests.rules.test_inequalities import true_at

ALPHA, Q, S = map(symbol, ("alpha", "q", "s"))
L = "log(1 + 1/(q*(alpha-1)))"
TAIL = (
    "(alpha/((alpha-1)*(1 + 1/(q*(alpha-1)))))**alpha * exp((alpha**2-alpha)/(2*s**2))"
    f" * erfc((1/2 + s**2*{L} - alpha)/(sqrt(2)*s))/2 <= 9/10*q**2*alpha*(alpha-1)/s**2"
)


def relation(text: str) -> Relation:
    return parse_relations(text, place="test")[-1]


LEMMAS: dict[str, tuple[Callable[[], Theorem], Relation]] = {
    "bernoulli": (lemmas.bernoulli_quadratic, relation("(1+w)**alpha <= 1 + alpha*w + alpha*(alpha-1)*w**2")),
    "domination": (lemmas.pointwise_domination, domination()),
    "quadratic": (lemmas.quadratic_bound, quadratic()),
    "step": (lemmas.tail_step, steepness()),
    "gaussian tail": (lemmas.gaussian_tail, relation("erfc(x) <= exp(-x**2)")),
    "tail": (lemmas.tail_below, relation(TAIL)),
    "logarithm": (lemmas.rising_logarithm, relation("log(y) >= log(x)")),
    "exponential": (lemmas.rising_exponential, relation("exp(y) >= exp(x)")),
}


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_is_proved_of_its_relation_and_replays(name: str) -> None:
    lemma, wanted = LEMMAS[name]
    theorem = lemma()
    assert isinstance(theorem.conclusion, Inequality) and theorem.conclusion.relation.op == wanted.op
    assert (theorem.conclusion.relation.expr - wanted.expr).expand() == 0
    assert theorem.status == "proved" and theorem.tightness == "exact"
    assert theorem == replay(theorem) == from_json(to_json(theorem))


def test_the_ranges_are_those_of_the_paper() -> None:
    """Each range written by hand, as boxes and relations; a lemma must hold on all of it."""
    rate, order = Interval(0, 1, False, True), Interval.open(1, oo)
    positive = {symbol(name): Interval.positive() for name in "uv"}
    ratio = relation("x/y <= 1 + 1/(q*(alpha-1))"), relation("y/x <= 1 + 1/(q*(alpha-1))")
    pair = {symbol("x"): Interval.positive(), symbol("y"): Interval.positive(), Q: rate, ALPHA: order}
    box = Region.make({Q: Interval.open(0, oo), S: Interval.positive(), ALPHA: order})
    conditions = [condition for _, condition in lemma_10_conditions(Q, S)]
    ranges = {
        "bernoulli": Region.make(
            {ALPHA: Interval(1, oo, True), symbol("w"): Interval.open(-1, oo)}, [relation("w*(alpha-1) <= 1")]
        ),
        "domination": Region.make({**positive, Q: Interval.closed(0, 1), ALPHA: order}),
        "quadratic": Region.make(pair, ratio),
        "step": Region.make(
            {Q: rate, ALPHA: order, symbol("r"): Interval.positive()}, [relation("r >= 1 + 1/(q*(alpha-1))")]
        ),
        "tail": box.intersect(conditions),
    }
    for name, where in ranges.items():
        theorem = LEMMAS[name][0]()
        held = apply("substitution", theorem, mapping=(), region=where)
        assert held.conclusion == Inequality(theorem.conclusion.relation, where), name


def test_bernoulli_needs_its_range() -> None:
    """At alpha = 10 the power wins from w = 0.4 on, which is beyond 1/9."""
    conclusion = lemmas.bernoulli_quadratic().conclusion
    assert not true_at(conclusion.relation, {ALPHA: 10, symbol("w"): Rational(1, 2)})
    wider = Region.make({ALPHA: Interval(1, oo, True), symbol("w"): Interval.open(-1, oo)})
    with pytest.raises(Refused, match="'range: w"):
        apply("substitution", lemmas.bernoulli_quadratic(), mapping=(), region=wider)


def test_the_tail_where_its_conditions_bind() -> None:
    """Random parameters, the order at the largest value that (4) and (5) allow, or below."""
    rng, worst = random.Random("tail"), MP.mpf(0)
    for _ in range(120):
        q, s = (
            MP.mpf(rng.choice((rng.uniform(0.001, 0.2), 0.2, 10 ** rng.uniform(-9, -1)))),
            MP.mpf(4) + rng.expovariate(0.2),
        )
        ratio = lambda a, q=q: MP.log1p(1 / (q * (a - 1)))  # noqa: E731

        def allowed(a, q=q, s=s, ratio=ratio) -> bool:
            most = (s**2 * ratio(a) ** 2 / 2 - MP.log(5) - 2 * MP.log(s)) / (ratio(a) + MP.log(q * a) + 1 / (2 * s**2))
            return bool(a <= s**2 * ratio(a) / 2 - 2 * MP.log(s) and a <= most)

        low, high = MP.mpf(1) + MP.mpf(10) ** -9, MP.mpf(10) ** 6
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if allowed(middle) else (low, middle)
        for a in (low, 1 + (low - 1) * rng.random(), MP.mpf(2)):
            if not allowed(a):
                continue
            z0 = MP.mpf(1) / 2 + s**2 * ratio(a)
            base = a / ((a - 1) * (1 + 1 / (q * (a - 1))))
            left = base**a * MP.exp((a**2 - a) / (2 * s**2)) * MP.erfc((z0 - a) / (MP.sqrt(2) * s)) / 2
            worst = max(worst, left / (MP.mpf(9) / 10 * q**2 * a * (a - 1) / s**2))
    assert 0 < worst < 1


def test_a_smaller_tail_is_not_proved() -> None:
    """Neither a right side that is negative, nor the range without the conditions on the order."""
    fact = lemmas.tail_below()
    smaller = Relation(fact.conclusion.relation.expr - parse("q**2*alpha*(alpha-1)/s**2"), ">=")
    with pytest.raises(Refused):
        apply("combination", fact, weights=(1,), relation=smaller, region=fact.conclusion.region)
    where = Region.from_relations(parse_relations("alpha>1, q>0, q<=1/5, s>=4", place="test"), (ALPHA, Q, S))
    with pytest.raises(Refused):
        apply("substitution", fact, mapping=(), region=where)
