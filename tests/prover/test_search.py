"""The search: it finds the master rule's bound, is never below the truth, keeps facts apart, and ends."""

import json
import os
import random
import subprocess
import sys
from fractions import Fraction as F

import pytest
from sympy import Expr, Integer, Rational, S, exp, log

import symdp.rule
from symdp import codec
from symdp.enclosure import enclose
from symdp.errors import InputError, Refused
from symdp.judgments import (
    ApproxDP,
    Dobrushin,
    Doeblin,
    FiniteMatrix,
    GaussianDP,
    Kernel,
    LocalDP,
    Mechanism,
    NoiseKernel,
    NoiseMechanism,
    PureDP,
    RenyiDP,
    UltraMixing,
)
from symdp.mechanisms.finite import FiniteKernel
from symdp.mechanisms.privacy_region import hull, of_guarantee
from symdp.prover import NoAnswer, Query, prove
from symdp.prover.search import MOST_THEOREMS
from symdp.region import Interval, Region
from symdp.rules.composition import Composition
from symdp.rules.conditions import ALPHA
from symdp.text import Relation
from symdp.theorem import replay

M, N, HERE = Mechanism("M"), Mechanism("N"), Region()
ORDERS = Region.make({ALPHA: Interval.open(1, S.Infinity)})


def exact(value: F) -> Rational:
    return Rational(value.numerator, value.denominator)


def chain(count):
    kernels = [Kernel(f"K{index}") for index in range(count)]
    subject = M
    for kernel in kernels:
        subject = kernel @ subject
    return kernels, subject


# --- finite kernels, by exact arithmetic ------------------------------------------------------------------------------


def law(rng, size):
    weights = [rng.choice([0, 1, 1, 2, 3, 5]) for _ in range(size)]
    weights[rng.randrange(size)] += 1
    return [F(weight, sum(weights)) for weight in weights]


def condition(rng, kernel, matrix):
    """One condition that the matrix meets with its least gamma, and the profile that it stands for."""
    ultra = matrix.ultra_mixing()
    kind = rng.choice(["dobrushin", "doeblin"] + ["ultra"] * (ultra is not None))
    if kind == "ultra":
        corner = (1 / (2 - ultra), (1 - ultra) / (2 - ultra))
        return UltraMixing(kernel, exact(ultra), HERE), hull([corner])
    if kind == "doeblin":
        return Doeblin(kernel, exact(matrix.doeblin()), HERE), hull([(matrix.doeblin(), F(0))])
    return Dobrushin(kernel, exact(matrix.dobrushin()), S.One, HERE), hull([(matrix.dobrushin(), F(0))])


def instance(seed):
    """A chain of finite kernels known by their matrices or by conditions: the best region, the true one."""
    rng = random.Random(seed)
    size = rng.choice([2, 2, 3])
    kernels, subject = chain(rng.randint(1, 3))
    matrices = [FiniteKernel([law(rng, size) for _ in range(size)]) for _ in kernels]
    ratio, delta = F(rng.choice([1, 2, 3, F(3, 2), 10])), F(rng.choice([0, 0, 1, F(1, 10), F(1, 100)]))
    guarantee = ApproxDP(M, log(exact(ratio)), exact(delta), HERE) if delta else PureDP(M, log(exact(ratio)), HERE)
    start = of_guarantee(ratio, delta)
    product = matrices[0]
    for matrix in matrices[1:]:
        product = matrix @ product
    true = start.after(product.region())
    if rng.random() < 0.5:
        rows = [tuple(tuple(map(exact, row)) for row in matrix.rows) for matrix in matrices]
        facts = [FiniteMatrix(kernel, table, HERE) for kernel, table in zip(kernels, rows, strict=True)]
        best = true
    else:
        known = [condition(rng, *pair) for pair in zip(kernels, matrices, strict=True)]
        facts, best = [fact for fact, _ in known], start
        for _, region in known:
            best = best.after(region)
    return rng, [guarantee, *facts], subject, best, true


@pytest.mark.parametrize("seed", range(40))
def test_the_master_rule_is_found_and_nothing_is_below_the_truth(seed):
    rng, facts, subject, best, true = instance(seed)
    ratio = F(rng.choice([1, F(11, 10), F(3, 2), 2, 5]))
    proof = prove(facts, Query(subject, "delta", epsilon=log(exact(ratio))), 20)
    assert proof.best.bound == exact(best.delta(ratio)) >= exact(true.delta(ratio))
    assert all(other.value.upper >= proof.best.value.lower for other in proof.runners_up)
    assert replay(proof.best.theorem).conclusion == proof.best.theorem.conclusion


@pytest.mark.parametrize("seed", range(40, 80))
def test_the_least_epsilon_of_a_delta(seed):
    rng, facts, subject, best, _ = instance(seed)
    delta = F(rng.choice([0, F(1, 100), F(1, 10), F(1, 2), 1]))
    query, least = Query(subject, "epsilon", delta=exact(delta)), best.ratio(delta)
    if least is None:
        with pytest.raises(NoAnswer):
            prove(facts, query, 20)
        return
    found = prove(facts, query, 20).best
    assert (exp(found.bound) - exact(least)).equals(0)


# --- facts that must be kept apart ------------------------------------------------------------------------------------


def test_guarantees_of_different_neighbours_are_not_mixed():
    facts = [
        PureDP(M, log(Integer(3)), HERE, relation="add/remove"),
        PureDP(M, log(Integer(2)), HERE, relation="replace-one"),
    ]
    with pytest.raises(InputError, match="the neighbours of M differ"):
        prove(facts, Query(M, "epsilon", delta=S.Zero))
    with pytest.raises(InputError, match="the neighbours of M differ"):
        prove([facts[0], PureDP(M, log(Integer(2)), HERE, Integer(2), "add/remove")], Query(M, "epsilon", delta=S.Zero))


def test_parts_of_different_neighbours_do_not_compose():
    facts = [PureDP(M, S.One, HERE, relation="add/remove"), PureDP(N, S.One, HERE, relation="replace-one")]
    with pytest.raises(NoAnswer, match="relation"):
        prove(facts, Query(Composition((M, N)), "epsilon", delta=S.Zero))
    same = [PureDP(M, S.One, HERE, relation="add/remove"), PureDP(N, S.One, HERE, relation="add/remove")]
    assert prove(same, Query(Composition((M, N)), "epsilon", delta=S.Zero)).best.bound == 2


def test_a_guarantee_on_a_part_of_a_region_does_not_push_out_one_on_all_of_it():
    """Smaller, but up to order 2 only: at order 3 the other one answers."""
    low = Region.make({ALPHA: Interval(S.One, Integer(2), False, True)})
    facts = [RenyiDP(M, ALPHA / 100, S.One, "r", low), RenyiDP(M, ALPHA / 8, S.One, "r", ORDERS)]
    for order, bound in ((2, Rational(1, 50)), (3, Rational(3, 8))):
        for given in (facts, facts[::-1]):
            assert prove(given, Query(M, "rdp", alpha=Integer(order))).best.bound == bound
    assert prove(facts, Query(M, "epsilon", delta=Rational(1, 100))).best.value.upper > 1


def test_crossing_curves_are_both_kept():
    facts = [RenyiDP(M, ALPHA**2 / 50, S.One, "r", ORDERS), RenyiDP(M, ALPHA / 5, S.One, "r", ORDERS)]
    assert prove(facts, Query(M, "rdp", alpha=Integer(2))).best.bound == Rational(2, 25)
    assert prove(facts, Query(M, "rdp", alpha=Integer(20))).best.bound == 4
    assert prove(facts, Query(M, "rdp")).best.bound == Rational(1, 5)  # the only multiple of the order


@pytest.mark.parametrize(
    "fact",
    [
        ApproxDP(M, Integer(-1), Rational(1, 10), HERE),
        ApproxDP(M, Integer(1), Rational(-1, 10), HERE),
        ApproxDP(M, Integer(1), Rational(11, 10), HERE),
        PureDP(M, -log(2), HERE),
        GaussianDP(M, Integer(-1), HERE),
        Doeblin(Kernel("K"), Integer(2), HERE),
        Dobrushin(Kernel("K"), Rational(-1, 2), Integer(1), HERE),
    ],
)
def test_numbers_that_nothing_has_are_refused(fact):
    with pytest.raises(InputError, match="out of range"):
        prove([fact, ApproxDP(N, Integer(1), Rational(1, 10), HERE)], Query(N, "delta", epsilon=Integer(1)))


def test_a_bound_for_some_orders_is_none_for_all():
    some = RenyiDP(M, ALPHA / 8, S.One, "x", Region.make({ALPHA: Interval.open(1, 5)}))
    with pytest.raises(NoAnswer):
        prove([some], Query(M, "rdp"))
    assert prove([some], Query(M, "rdp", alpha=Integer(4))).best.bound == S.Half
    every = RenyiDP(M, ALPHA / 4, S.One, "x", ORDERS)
    assert prove([some, every], Query(M, "rdp")).best.bound == Rational(1, 4)


def test_a_guarantee_on_nothing_is_no_answer():
    nowhere = Region((), (Relation(Integer(-1), ">"),))
    with pytest.raises(NoAnswer):
        prove([ApproxDP(M, Integer(1), Rational(1, 10), nowhere)], Query(M, "delta", epsilon=Integer(1)))


def test_one_thing_is_not_described_twice():
    facts = [NoiseMechanism(M, "gaussian", Integer(scale), S.One, "l2", HERE) for scale in (1, 100)]
    with pytest.raises(InputError, match="M is described twice"):
        prove(facts, Query(M, "gdp"))
    assert prove([facts[0], facts[0]], Query(M, "gdp")).best.bound == 1


def test_what_is_taken_for_granted_is_seen():
    facts = [
        NoiseMechanism(M, "gaussian", S.One, S.One, "l2", HERE),
        Dobrushin(Kernel("K"), Rational(1, 2), S.One, HERE),
    ]
    best = prove(facts, Query(Kernel("K") @ M, "rdp", alpha=Integer(2))).best
    assert list(best.theorem.assumptions) == ["given: K is 1/2-Dobrushin"]
    assert prove(facts, Query(M, "rdp", alpha=Integer(2))).best.theorem.assumptions == ()


def test_a_given_guarantee_is_built_upon_even_where_it_answers():
    """Every mechanism is (0, 1)-DP, whatever its epsilon was said to be."""
    assert prove([ApproxDP(M, log(Integer(3)), S.One, HERE)], Query(M, "epsilon", delta=S.One)).best.bound == 0


def test_a_guarantee_a_hair_above_the_epsilon_asked_about():
    more = log(Integer(3)) + Rational(1, 10**30)
    found = prove([ApproxDP(M, more, Rational(1, 100), HERE)], Query(M, "delta", epsilon=log(Integer(3)))).best
    assert found.theorem.rule.id == "dp-of-profile" and 0.0099 < found.value.upper < 0.0101


@pytest.mark.parametrize(
    ("query", "place"),
    [
        (Query(M, "utility"), "query.ask"),
        (Query(M, "delta"), "query"),
        (Query(M, "delta", epsilon=-1), "query.epsilon"),
        (Query(M, "epsilon", delta=2), "query.delta"),
        (Query(M, "rdp", alpha=Rational(1, 2)), "query.alpha"),
        (Query(M, "epsilon", delta=0.01, orders=(1,)), "query.orders[0]"),
        (Query(M, "epsilon", delta=0.01, orders=()), "query.orders"),
    ],
)
def test_queries_are_checked(query, place):
    with pytest.raises(InputError) as caught:
        prove([PureDP(M, S.One, HERE)], query)
    assert caught.value.place == place


def test_facts_are_judgments_or_theorems():
    with pytest.raises(InputError, match="a judgment or a theorem expected, not str"):
        prove(["M is private"], Query(M, "gdp"))


# --- orders 1 and infinity --------------------------------------------------------------------------------------------


def test_orders_one_and_infinity_of_pure_privacy():
    fact = [PureDP(M, log(Integer(3)), HERE)]
    one = prove(fact, Query(M, "rdp", alpha=1)).best
    assert one.theorem.rule.id == "rdp-at-one" and (one.bound - log(Integer(3)) / 2).equals(0)
    for infinite in (S.Infinity, float("inf"), "oo", "inf"):
        assert prove(fact, Query(M, "rdp", alpha=infinite)).best.bound == log(3)
    after = prove(
        [*fact, UltraMixing(Kernel("K"), Rational(1, 2), HERE)], Query(Kernel("K") @ M, "rdp", alpha="oo")
    ).best
    assert after.bound == log(Rational(7, 5))


def test_no_finite_divergence_of_order_infinity():
    with pytest.raises(NoAnswer):
        prove([GaussianDP(M, S.One, HERE)], Query(M, "rdp", alpha="oo"))
    assert prove([GaussianDP(M, S.Zero, HERE)], Query(M, "rdp", alpha="oo")).best.bound == 0
    assert prove([RenyiDP(M, Integer(2), S.One, "r", ORDERS)], Query(M, "rdp", alpha="oo")).best.bound == 2


# --- the search ends --------------------------------------------------------------------------------------------------

KINDS = {
    "dobrushin": lambda k, i: [Dobrushin(k, Rational(50 + i, 100), S.One, HERE)],
    "doeblin": lambda k, i: [Doeblin(k, Rational(50 + i, 100), HERE)],
    "ultra-mixing": lambda k, i: [UltraMixing(k, Rational(50 + i, 100), HERE)],
    "locally private": lambda k, i: [LocalDP(k, log(Integer(2)), Rational(1, 10 + i), HERE)],
    "locally private, irrational": lambda k, i: [LocalDP(k, S.One, Rational(1, 10 + i), HERE)],
    "matrix": lambda k, i: [
        FiniteMatrix(k, ((Rational(3, 4), Rational(1, 4)), (Rational(1, 4 + i), Rational(3 + i, 4 + i))), HERE)
    ],
    "laplace": lambda k, i: [NoiseKernel(k, "laplace", Rational(4 + i, 4), S.One, "l1", HERE)],
    "gaussian": lambda k, i: [NoiseKernel(k, "gaussian", Rational(1 + i, 4), Rational(9, 10), "l2", HERE)],
}
KINDS["mixed"] = lambda k, i: [kind for name in list(KINDS)[i % 5 : i % 5 + 1] for kind in KINDS[name](k, i)]
KINDS["all at once"] = lambda k, i: [
    Dobrushin(k, Rational(70 + i, 100), S.One, HERE),
    Doeblin(k, Rational(71 + i, 100), HERE),
    UltraMixing(k, Rational(75 + i, 100), HERE),
    LocalDP(k, log(Integer(4)), Rational(1, 100), HERE),
]


@pytest.mark.parametrize("name", KINDS)
def test_twelve_kernels(name):
    """What is tried grows with the square of the length at most, not with the number of paths."""
    tried = []
    for count in (6, 12):
        kernels, subject = chain(count)
        facts = [fact for index, kernel in enumerate(kernels) for fact in KINDS[name](kernel, index)]
        if name in ("laplace", "gaussian"):
            start = NoiseMechanism(M, name, S.One, S.One, "l1" if name == "laplace" else "l2", HERE)
        else:
            start = ApproxDP(M, log(Integer(3)), Rational(1, 100), HERE)
        proof = prove([start, *facts], Query(subject, "delta", epsilon=log(Rational(3, 2))), 20)
        assert 0 <= proof.best.value.upper <= 1
        tried.append(proof.tried)
    assert tried[1] < 5 * tried[0] and tried[1] < MOST_THEOREMS


@pytest.mark.parametrize("start", [ApproxDP(M, log(Integer(3)), Rational(1, 100), HERE), PureDP(M, S.One, HERE)])
def test_one_kernel_many_times(start):
    """A run of one kernel is found at every place of the chain: it is met with the start only."""
    kernel = Kernel("K")
    matrix = FiniteMatrix(kernel, ((Rational(3, 4), Rational(1, 4)), (Rational(1, 4), Rational(3, 4))), HERE)
    total = of_guarantee(F(3), F(1, 100)).delta(F(1)) if isinstance(start, ApproxDP) else None
    tried = []
    for count in (10, 20):
        subject = M
        for _ in range(count):
            subject = kernel @ subject
        proof = prove([start, matrix], Query(subject, "delta", epsilon=S.Zero), 20)
        if total is not None:  # each step halves the total variation
            assert proof.best.bound == exact(total / 2**count)
        tried.append(proof.tried)
    assert tried[1] < 4 * tried[0]


@pytest.mark.parametrize("name", ["mixed", "all at once", "matrix"])
@pytest.mark.parametrize("start", [ApproxDP(M, log(Integer(3)), Rational(1, 100), HERE), PureDP(M, S.One, HERE)])
@pytest.mark.parametrize(
    "asked",
    [
        {"ask": "delta", "epsilon": log(Rational(9, 8))},
        {"ask": "epsilon", "delta": S(0)},
        {"ask": "rdp", "alpha": Integer(4)},
        {"ask": "gdp"},
    ],
)
def test_curves_made_of_the_privacy_of_a_part_add_nothing(name, start, asked, monkeypatch):
    """The same answers, in fewer tries, as with them."""
    kernels, subject = chain(4)
    facts = [start, *(fact for index, kernel in enumerate(kernels) for fact in KINDS[name](kernel, index))]
    short = prove(facts, Query(subject, **asked), 20)
    monkeypatch.setattr("symdp.prover.search.implied", lambda theorem, query: False)
    whole = prove(facts, Query(subject, **asked), 20)
    assert short.best.bound == whole.best.bound and short.best.value == whole.best.value
    assert short.tried < whole.tried


def test_pure_privacy_survives_any_number_of_kernels():
    """Though many guarantees with a delta are alike beside it."""
    kernels, subject = chain(20)
    facts = [PureDP(M, S.One, HERE), *(Doeblin(kernel, Rational(1, 4), HERE) for kernel in kernels)]
    assert prove(facts, Query(subject, "epsilon", delta=S.Zero), 20).best.value.upper <= 1
    gaussian = prove(facts, Query(subject, "gdp"), 20)
    assert gaussian.best.value.upper <= prove(facts[:1], Query(M, "gdp"), 20).best.value.upper


def test_curves_of_a_part_of_a_composition_are_built_upon():
    """There they say more than differential privacy: here than the best composition of equal guarantees."""
    kernel = Kernel("K")
    facts = [PureDP(M, Rational(1, 10), HERE), Dobrushin(kernel, Rational(9, 10), S.One, HERE)]
    whole = Composition((kernel @ M,), 400)
    proof = prove(facts, Query(whole, "epsilon", delta=Rational(1, 10**6)), 20)
    assert "rdp-after-dobrushin" in proof.best.rule_chain
    others = {item.rule_chain[-1]: item.value.lower for item in proof.runners_up}
    assert proof.best.value.upper < others["optimal-composition-epsilon"]


def test_several_parts_repeated():
    """They are their composition, repeated."""
    parts = (M, Mechanism("N"))
    facts = [PureDP(part, Rational(1, 10), HERE) for part in parts]
    whole = Composition(parts, 20)
    assert whole == Composition((Composition(parts),), 20)
    query = Query(whole, "epsilon", delta=Rational(1, 10**6))
    assert prove(facts, query, 20).best.value.upper < 3


def test_a_composition_of_six():
    parts = [Mechanism(f"M{index}") for index in range(6)]
    facts = [PureDP(part, Rational(1, index + 2), HERE) for index, part in enumerate(parts)]
    whole = Composition(tuple(parts))
    assert prove(facts, Query(whole, "epsilon", delta=S.Zero)).best.bound == Rational(223, 140)
    proof = prove(facts, Query(whole, "epsilon", delta=Rational(1, 100)))
    assert proof.best.value.upper < 1.59 and proof.tried < 1000


def test_too_many_facts_are_refused():
    rest = [RenyiDP(M, ALPHA / 8 + Integer(k) / 10**6, S.One, "r", ORDERS) for k in range(MOST_THEOREMS + 2)]
    with pytest.raises(Refused, match="give fewer"):
        prove(rest, Query(M, "gdp"))


# --- a search that knows no rule by name ------------------------------------------------------------------------------


def test_a_rule_registered_later_is_tried(monkeypatch):
    """A rule with a suggestion is all it takes: here a false one, to be seen, that halves a guarantee."""
    wrong = symdp.rule.Rule(
        id="test.halves-mutant",
        title="Half of a guarantee",
        citation=(),
        premises=(PureDP,),
        conditions=lambda _, __: (),
        conclude=lambda premises, _: PureDP(premises[0].subject, premises[0].epsilon / 2, HERE),
        tightness="upper",
        suggest=lambda premises, _: iter([{}] if premises[0].epsilon > Rational(1, 2) else []),
    )
    monkeypatch.setattr(symdp.rule, "_RULES", {**symdp.rule._RULES, wrong.id: wrong})
    best = prove([PureDP(M, S.One, HERE)], Query(M, "epsilon", delta=S.Zero)).best
    assert best.bound == Rational(1, 2) and wrong.id in best.rule_chain


def test_a_suggestion_that_fails_is_a_refusal(monkeypatch):
    def fails(_, __):
        raise ZeroDivisionError("by a heuristic")

    broken = symdp.rule.Rule("test.fails", "x", (), (PureDP,), lambda _, __: (), lambda _, __: None, "upper", (), fails)
    monkeypatch.setattr(symdp.rule, "_RULES", {broken.id: broken, **symdp.rule._RULES})
    assert prove([PureDP(M, S.One, HERE)], Query(M, "epsilon", delta=S.Zero)).best.bound == 1
    with pytest.raises(NoAnswer, match=r"refused: test.fails: by a heuristic"):
        prove([PureDP(M, S.One, HERE)], Query(Mechanism("N"), "gdp"))


PROGRAM = """
import json
from sympy import Rational, log, Integer
from symdp.judgments import *
from symdp.prover import Query, prove
from symdp.region import Region
from symdp.render.proof import proof_data
M, K, L, H = Mechanism("M"), Kernel("K"), Kernel("L"), Region()
facts = [ApproxDP(M, log(3), Rational(1, 100), H), Doeblin(K, Rational(1, 4), H), UltraMixing(L, Rational(1, 2), H),
         Dobrushin(K, Rational(1, 5), Integer(1), H)]
proof = prove(facts, Query(L @ K @ M, "delta", epsilon=log(Rational(6, 5))))
print(json.dumps(proof_data(proof, 30, all_answers=True)))
"""


def test_the_order_of_hashes_does_not_matter():
    outputs = []
    for seed in ("0", "1", "77"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        outputs.append(subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, check=True).stdout)
    assert len(set(outputs)) == 1 and json.loads(outputs[0])["runners_up"]


def test_bounds_are_short_enough_to_be_written():
    """Powers of rational numbers at fractional orders: what cannot be written is left out, the rest answers."""
    kernels, subject = chain(8)
    facts = [PureDP(M, log(Rational(285139, 250000)), HERE)]
    facts += [UltraMixing(kernel, Rational(50 + i, 100), HERE) for i, kernel in enumerate(kernels)]
    proof = prove(facts, Query(subject, "delta", epsilon=Rational(1, 10**6)), 20)
    for item in (proof.best, *proof.runners_up):
        assert isinstance(item.bound, Expr) and codec.canonical(item.theorem.conclusion)
        assert enclose(item.bound, {}, 5).upper <= 1
