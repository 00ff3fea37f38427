"""Iterations whose maps differ at every step: linear chains, bent maps on an interval, the programme of shifts."""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sympy import Integer, Rational, oo, sqrt

import symdp.rules  # noqa: F401
from symdp.decide import is_zero
from symdp.enclosure import enclose
from symdp.errors import Refused
from symdp.judgments import BoundedIteration
from symdp.region import Region
from symdp.rule import Query, get_rule
from symdp.rules.shifts import best_shifts, best_window
from symdp.text import parse_relations, symbol
from symdp.theorem import apply, from_json, to_json
from tests.chains import Projected, exceeds, linear_mu
from tests.guarantees import conclude, given

ANY = Query("C", "gdp")


def run(c, sigma, steps, sensitivity, diameter, shift):
    values = (c, sigma, steps, sensitivity, diameter, shift)
    return BoundedIteration("C", *(v if v is oo else Rational(str(v)) for v in values), Region())


def number(claim):
    return float(enclose(claim.mu, {}, 15).upper)


def claims(rule, fact):
    return [number(conclude(rule, fact, **p)) for p in get_rule(rule.id.split(" ")[0]).suggest((fact,), ANY)]


# --- falsifiers -----------------------------------------------------------------------------------------------------


def wrong_linear(rule):
    """Linear maps of slopes up to c and shifts up to s, over the whole run."""
    source, found = random.Random(1), []
    for c in ("0", "1/2", "9/10", "1", "3/2", "3") if rule.id.startswith("shift-programme") else ("0", "2/3", "1"):
        for steps in (1, 2, 5):
            for gap, shift in ((0, 1), (2, 1), (2, 0), (1, 4)):
                fact = run(c, source.randint(1, 3), steps, gap, oo, shift)
                for claim in claims(rule, fact):
                    for share in (1, 1, *(source.random() for _ in range(6))):
                        slopes = [float(fact.lipschitz) * share ** (k % 3) for k in range(steps)]
                        noise = [float(fact.sigma)] * steps
                        truth = linear_mu(slopes, noise, float(gap), [float(shift)] * steps)
                        found += [fact] if truth > claim * (1 + 1e-9) else []
    return found


def wrong_bounded(rule):
    """Runs on [-1, 1] that start at its two ends, their maps shifted against each other; also random walks."""
    source, found, line = random.Random(2), [], Projected(-1, 1)
    shapes = [(0.5, lambda x: 0.5 * x), (1, lambda x: x), (1, lambda x: np.abs(x)), (0.8, lambda x: 0.8 * np.sin(x))]
    shapes += [(2, lambda x: 2 * x), (3, lambda x: 3 * np.clip(x, -0.3, 0.3))] if "programme" in rule.id else []
    for constant, shape in shapes:
        for steps in (1, 2, 4):
            shift, sigma = source.choice((0, 0.2, 0.6)), source.choice((0.5, 1.0))
            moved = [(lambda x, f=shape, s=shift: f(x) + s, sigma)] * steps
            p, other = line.run(1, moved), line.run(-1, [(shape, sigma)] * steps)
            fact = run(constant, sigma, steps, 2, 2, shift)
            found += [fact for claim in claims(rule, fact) if exceeds(p, other, claim)]
    return found


FALSIFIERS = {
    "shifted-iteration": (wrong_linear, wrong_bounded),
    "bounded-iteration": (wrong_bounded,),
    "shift-programme": (wrong_linear, wrong_bounded),
}


@pytest.mark.parametrize("rule_id", FALSIFIERS)
def test_no_instance_violates_the_rule(rule_id):
    for wrong in FALSIFIERS[rule_id]:
        assert wrong(get_rule(rule_id)) == []


@pytest.mark.parametrize(
    ("rule_id", "change"),
    [
        ("shifted-iteration", lambda claim, fact: replace(claim, mu=fact.shift / fact.sigma)),
        ("shifted-iteration", lambda claim, fact: replace(claim, mu=claim.mu * Rational(99, 100))),
        ("bounded-iteration", lambda claim, fact: replace(claim, mu=claim.mu / 2)),
        ("shift-programme", lambda claim, fact: replace(claim, mu=claim.mu * Rational(9, 10))),
    ],
)
def test_mutants_are_refuted(rule_id, change):
    rule = get_rule(rule_id)
    changed = replace(rule, id=f"{rule_id} x", conclude=lambda facts, p: change(rule.conclude(facts, p), facts[0]))
    assert any(wrong(changed) for wrong in FALSIFIERS[rule_id])


# --- the closed forms -----------------------------------------------------------------------------------------------


def test_linear_chains_attain_the_whole_run():
    for c in ("0", "1/3", "1"):
        for steps in (1, 2, 6):
            fact = run(c, 2, steps, 3, oo, 5)
            claim = number(apply("shifted-iteration", given(fact)).conclusion)
            truth = linear_mu([float(fact.lipschitz)] * steps, [2.0] * steps, 3.0, [5.0] * steps)
            assert claim == pytest.approx(truth, rel=1e-12)


def test_the_form_of_strongly_convex_losses():
    c, t, s, sigma = map(symbol, ("c", "t", "s", "sigma"))
    where = parse_relations("c>0, c<1, t>=1, s>=0, sigma>0", place="where")
    region = Region.from_relations(where, [c, t, s, sigma])
    fact = apply("shifted-iteration", given(BoundedIteration("C", c, sigma, t, Integer(0), oo, s, region)))
    wanted = s**2 / sigma**2 * (1 - c**t) / (1 + c**t) * (1 + c) / (1 - c)
    assert is_zero(fact.conclusion.mu**2 - wanted, region)
    assert from_json(to_json(fact)) == fact


@pytest.mark.parametrize("c", ["0", "1/2", "9/10", "999/1000", "1"])
@pytest.mark.parametrize(("diameter", "shift"), [("1", "1"), ("10", "1"), ("2", "0"), ("1/10", "1"), ("7", "3/100")])
def test_the_best_window_is_the_best_of_all(c, diameter, shift):
    fact = run(c, 1, 60, 2, diameter, shift)
    every = [number(apply("bounded-iteration", given(fact), window=Integer(t)).conclusion) for t in range(1, 61)]
    assert min(claims(get_rule("bounded-iteration"), fact)) <= min(every) * (1 + 1e-12)


def test_a_bounded_set_limits_what_many_steps_tell():
    fact = given(run(1, 1, 10**6, 0, 10, 1))
    bounded = apply("bounded-iteration", fact, window=Integer(10)).conclusion
    assert bounded.mu == 2 * sqrt(10)
    assert apply("shifted-iteration", fact).conclusion.mu == 1000
    assert best_window(1, 10, 1, 10**6) == [10, 11]


# --- the programme of shifts ----------------------------------------------------------------------------------------


def feasible(c, start, shift, moves):
    for moved in moves:
        start = c * start + shift - moved
        if start < 0 or moved < 0:
            return False
    return start == 0


def test_the_best_shifts_are_feasible_and_no_others_cost_less():
    source = random.Random(3)
    for _ in range(60):
        c, shift = Fraction(source.randint(1, 30), 10), Fraction(source.randint(0, 20), 10)
        start, steps = Fraction(source.randint(0, 20), 10), source.randint(1, 5)
        best = best_shifts(c, start, shift, steps)
        assert feasible(c, start, shift, best)
        cost = sum(a * a for a in best)
        for _ in range(40):
            moves, left = [], start
            for step in range(steps):
                left = c * left + shift
                share = Fraction(source.randint(0, 12), 12) if step < steps - 1 else Fraction(1)
                moves.append(share * left)
                left -= moves[-1]
            assert feasible(c, start, shift, moves)
            assert sum(a * a for a in moves) >= cost


def test_for_contractions_the_programme_is_the_closed_form():
    for c in (Fraction(1, 2), Fraction(9, 10), Fraction(1)):
        fact = given(run(c, 2, 6, 3, oo, 1))
        moves = tuple(Rational(a.numerator, a.denominator) for a in best_shifts(c, Fraction(3), Fraction(1), 6))
        programme = apply("shift-programme", fact, shifts=moves, from_start=True).conclusion.mu
        assert is_zero(programme - apply("shifted-iteration", fact).conclusion.mu, Region())


def test_above_one_the_closed_form_would_be_wrong():
    """Slopes 0 and 1 under c = 3 tell more than two steps of slope 3: the closed form is below the truth there."""
    fact = run(3, 1, 2, 0, oo, 1)
    formula = number(conclude(get_rule("shifted-iteration"), fact))
    assert linear_mu([0.0, 1.0], [1.0, 1.0], 0.0, [1.0, 1.0]) > formula
    with pytest.raises(Refused, match="contraction"):
        apply("shifted-iteration", given(fact))
    (claim,) = claims(get_rule("shift-programme"), fact)
    assert claim == pytest.approx(2**0.5), "attained by the slopes 0 and 1"


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "failed"),
    [
        (run("1/2", 0, 3, 0, 1, 1), "noise"),
        (run("1/2", 1, 0, 0, 1, 1), "steps"),
        (run("1/2", 1, "3/2", 0, 1, 1), "steps"),
        (run("1/2", 1, 3, -1, 1, 1), "sensitivity"),
        (run("1/2", 1, 3, 0, -1, 1), "diameter"),
        (run("1/2", 1, 3, 0, 1, -1), "shift"),
        (run("-1/2", 1, 3, 0, 1, 1), "c >= 0"),
        (run("2", 1, 3, 0, 1, 1), "contraction"),
        (run("1/2", 1, 3, 0, oo, 1), "bounded"),
    ],
)
def test_constants_out_of_range_are_refused(fact, failed):
    with pytest.raises(Refused, match=failed):
        apply("bounded-iteration", given(fact), window=Integer(1))


@pytest.mark.parametrize("window", [Integer(0), Integer(4), Rational(3, 2)])
def test_a_window_is_part_of_the_run(window):
    with pytest.raises(Refused, match="window"):
        apply("bounded-iteration", given(run("1/2", 1, 3, 0, 1, 1)), window=window)


@pytest.mark.parametrize(
    ("shifts", "from_start", "failed"),
    [
        (("1", "1"), True, "every step"),
        (("1", "1", "1", "1"), False, "last steps"),
        ((), False, "some step"),
        (("3", "0", "5"), False, "step 1"),
        (("-1", "0", "0"), False, "shift -1"),
        (("1", "1", "1"), False, "end"),
    ],
)
def test_shifts_must_end_the_distance_and_never_overshoot(shifts, from_start, failed):
    fact = given(run("1/2", 1, 3, 0, 1, 1))
    with pytest.raises(Refused, match=failed):
        apply("shift-programme", fact, shifts=tuple(map(Rational, shifts)), from_start=from_start)
