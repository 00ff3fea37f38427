"""The coupling theorem: exact random laws on small sets obey it, its mutants do not; equality is reached."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Integer, Rational

import symdp.rules  # noqa: F401
from symdp.errors import InputError, Refused
from symdp.judgments import LawDivergence, Transport, after
from symdp.mechanisms.finite import FiniteKernel, renyi
from symdp.region import Region
from symdp.rule import get_rule
from symdp.text import parse_relations, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import conclude, given

ALPHA, A, B = map(symbol, ("alpha", "a", "b"))
COUPLING = get_rule("coupling")


def law(source, size, zeros=True):
    weights = [source.randint(0 if zeros else 1, 6) for _ in range(size)]
    weights[source.randrange(size)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


def instance(source):
    """omega, nu, a random transport H of omega, and a kernel; H is read only where omega is positive."""
    size = source.choice((2, 3))
    omega, nu = law(source, size), law(source, size)
    transport = [law(source, size) for _ in range(size)]
    kernel = [law(source, source.choice((2, 3)), zeros=False) for _ in range(size)]
    width = max(map(len, kernel))
    return omega, nu, transport, [row + [Fraction(0)] * (width - len(row)) for row in kernel]


def image(start, rows):
    return [sum((w * row[y] for w, row in zip(start, rows, strict=True)), Fraction(0)) for y in range(len(rows[0]))]


def both_sides(omega, nu, transport, kernel, alpha):
    """The divergence, and the two terms of the bound: lower end of the first, upper ends of the others."""
    moved = [image(row, kernel) for row in transport]
    true = renyi(image(omega, moved), image(nu, kernel), alpha, 20)
    charged = [x for x in range(len(nu)) if nu[x] > 0 and omega[x] > 0]
    cost = max((renyi(moved[x], kernel[x], alpha, 20).upper for x in charged), default=0)
    return true.lower, renyi(omega, nu, alpha, 20).upper, cost


def facts(first, second, region=None):
    where = region or Region()
    return (
        LawDivergence("omega", "nu", first, where),
        Transport("K", "omega", "mu", "nu", second, where),
    )


def violations(rule):
    source, found = random.Random(7), []
    bound = conclude(rule, *facts(A, B)).value
    for _ in range(150):
        laws = instance(source)
        for alpha in ("1", "3/2", "2", "5"):
            true, start, cost = both_sides(*laws, alpha)
            if float(start) == float("inf") or float(cost) == float("inf"):
                continue
            order = Rational(Fraction(alpha).numerator, Fraction(alpha).denominator)
            claim = float(bound.subs({A: float(start), B: float(cost), ALPHA: order}))
            found += [(laws, alpha)] if float(true) > claim + 1e-12 else []
    return found


def test_no_instance_violates_the_rule():
    assert violations(COUPLING) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda claim: replace(claim, value=A),
        lambda claim: replace(claim, value=B),
        lambda claim: replace(claim, value=(A + B) * Rational(4, 5)),
        lambda claim: replace(claim, value=A + B / ALPHA),
    ],
)
def test_mutants_of_the_rule_coupling_are_refuted(change):
    assert COUPLING.id == "coupling"
    changed = replace(COUPLING, id="coupling x", conclude=lambda facts, p: change(COUPLING.conclude(facts, p)))
    assert violations(changed)


def test_a_transport_that_moves_another_part_reaches_equality():
    """x = (s, l): omega and nu differ in s, H changes l, and K keeps s and hides l in noise."""
    omega, nu = [Fraction(1, 3), Fraction(2, 3), 0, 0], [Fraction(1, 2), Fraction(1, 2), 0, 0]
    transport = [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]]
    noise = (Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 5), Fraction(2, 5))
    kernel = [[*row, 0, 0] if s == 0 else [0, 0, *row] for row in noise for s in (0, 1)]
    exact = [[Fraction(e) for e in row] for row in (*transport, *kernel)]
    for alpha in ("1", "2", "7/2"):
        true, start, cost = both_sides(omega, nu, exact[:4], exact[4:], alpha)
        assert abs(true - (start + cost)) < 1e-15
        assert cost > 0.1


def test_the_identity_coupling_is_data_processing():
    source = random.Random(3)
    for _ in range(20):
        omega, nu, _, kernel = instance(source)
        still = [[Fraction(x == y) for y in range(len(nu))] for x in range(len(nu))]
        true, start, cost = both_sides(omega, nu, still, kernel, "2")
        assert cost < 1e-15
        assert true <= start
        assert FiniteKernel(kernel).shape[0] == len(nu)


def test_the_theorem_joins_regions_and_survives_json():
    region = Region.from_relations(parse_relations("alpha>=1, a>=0, b>=0", place="where"), [ALPHA, A, B])
    fact = apply("coupling", *map(given, facts(A, B, region)))
    assert fact.conclusion == LawDivergence(after("K", "mu"), after("K", "nu"), A + B, region)
    assert fact.conclusion.statement() == "R_alpha(K after mu||K after nu) <= a + b for alpha >= 1, a >= 0, b >= 0"
    assert replay(fact) == fact
    assert from_json(to_json(fact)) == fact
    free = apply("coupling", *map(given, facts(Integer(1), Integer(2)))).conclusion
    assert str(free.region) == "alpha >= 1"


def test_a_transport_from_elsewhere_is_refused():
    start, moved = facts(A, B)
    with pytest.raises(Refused, match="laws"):
        apply("coupling", given(start), given(replace(moved, nu="another")))
    with pytest.raises(Refused, match="laws"):
        apply("coupling", given(replace(start, first="mu", second="omega")), given(moved))
    with pytest.raises(InputError):
        apply("coupling", given(start))
