"""Privacy profiles through kernels: random finite mechanisms never exceed the rules, the worst attain them exactly."""

import itertools
import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, S, exp, log, oo, sqrt

import symdp.rules  # noqa: F401
from symdp.enclosure import enclose
from symdp.errors import Forged, Refused
from symdp.judgments import (
    After,
    ApproxDP,
    Dobrushin,
    Doeblin,
    KernelProfile,
    LocalDP,
    PrivacyProfile,
    PureDP,
    UltraMixing,
)
from symdp.mechanisms.finite import FiniteKernel
from symdp.mechanisms.privacy_region import of_guarantee
from symdp.region import Interval, Region
from symdp.rule import Query, get_rule
from symdp.rules.lines import chained, fewest, guarantee_lines
from symdp.text import symbol
from symdp.text.extrema import Max
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import conclude, given
from tests.kernels import (
    NOWHERE,
    RATIOS,
    F,
    apart,
    facts,
    guarantee,
    image,
    measured,
    number,
    profile,
    random_kernel,
    random_pair,
    response,
    top,
    worst,
)

EPS, DELTA, GAMMA, A = map(symbol, ("epsilon", "delta", "gamma", "a"))
KERNEL_RULE = {
    Dobrushin: "kernel-profile-of-dobrushin",
    Doeblin: "kernel-profile-of-doeblin",
    LocalDP: "kernel-profile-of-ldp",
    UltraMixing: "kernel-profile-of-ultra-mixing",
}


def after(start, *kernels):
    """The profile of the kernels, one after the other, after a guarantee, by rules alone."""
    theorem = apply("profile-of-dp", given(start))
    for fact in kernels:
        theorem = apply("master", theorem, apply(KERNEL_RULE[type(fact)], given(fact)))
    return theorem


def answer(theorem, **asked):
    """The best guarantee that the suggestions of the rules prove."""
    query = Query(theorem.conclusion.subject, "delta" if "epsilon" in asked else "epsilon", **asked)
    rule = get_rule("dp-of-profile" if "epsilon" in asked else "dp-of-profile-at-delta")
    for params in rule.suggest((theorem.conclusion,), query):
        try:
            return apply(rule.id, theorem, **params)
        except Refused:
            continue
    raise AssertionError("nothing is proved")


# --- known answers --------------------------------------------------------------------------------------------------


def test_pure_then_ultra_mixing():
    """(log 3, 0) and 1/2-ultra-mixing: epsilon' = log(7/5); the paper's Theorem 1 (4) has log 2."""
    theorem = answer(after(guarantee(3, 0), UltraMixing("K", Rational(1, 2), NOWHERE)), delta=Integer(0))
    assert theorem.conclusion == ApproxDP(After("K", "M"), log(Rational(7, 5)), S.Zero, NOWHERE)
    assert enclose(theorem.conclusion.epsilon, {}, 20).to_decimal(20)[0] == "0.33647223662121293050"
    assert theorem.tightness == "exact"
    assert apply("pure-of-dp", theorem).conclusion == PureDP(After("K", "M"), log(Rational(7, 5)), NOWHERE)


def test_approximate_then_doeblin():
    theorem = answer(after(guarantee(3, F(1, 100)), Doeblin("K", Rational(1, 4), NOWHERE)), epsilon=log(Rational(3, 2)))
    assert theorem.conclusion.delta == Rational(61, 640)
    assert [node.rule.id for node in theorem.walk()] == [
        "test.given",
        "profile-of-dp",
        "test.given",
        "kernel-profile-of-doeblin",
        "master",
        "dp-of-profile",
    ]


def test_doeblin_then_ultra_mixing():
    chain = Doeblin("K", Rational(1, 4), NOWHERE), UltraMixing("L", Rational(1, 2), NOWHERE)
    theorem = answer(after(guarantee(3, F(1, 100)), *chain), epsilon=log(Rational(21, 20)))
    assert theorem.conclusion.delta == Rational(2341, 96000)
    assert theorem.conclusion.subject == After("L", After("K", "M"))
    assert (theorem.status, theorem.tightness) == ("proved", "exact")
    assert replay(theorem) == from_json(to_json(theorem)) == theorem
    stored = to_json(theorem)
    stored["nodes"][-1]["params"]["line"] = 0
    with pytest.raises(Forged):
        from_json(stored)


def test_kernels_first_is_the_same():
    """The chain of kernels, then after the mechanism: the profile and the subject do not tell."""
    one = given(Doeblin("K", Rational(1, 4), NOWHERE)), given(UltraMixing("L", Rational(1, 2), NOWHERE))
    profiles = [apply(KERNEL_RULE[type(fact.conclusion)], fact) for fact in one]
    joint = apply("master", apply("profile-of-dp", given(guarantee(3, F(1, 100)))), apply("kernel-chain", *profiles))
    assert joint.conclusion == after(guarantee(3, F(1, 100)), *(fact.conclusion for fact in one)).conclusion


# --- falsifiers: exact arithmetic -----------------------------------------------------------------------------------


def wrong_guarantee(rule):
    """Pairs of laws against the profile of what they satisfy at one ratio; the worst pair attains it."""
    source, found = random.Random(1), []
    for _ in range(300):
        p, q = random_pair(source, 4)
        ratio = F(source.randint(10, 60), 10)
        lines = conclude(rule, measured(p, q, ratio)).lines
        found += [(p, q, a) for a in RATIOS for x, y in ((p, q), (q, p)) if apart(x, y, a) > top(lines, a)]
    for ratio, delta in itertools.product((F(1), F(3, 2), F(8)), (F(0), F(1, 7), F(1))):
        p, q = response(ratio, delta)
        lines = conclude(rule, guarantee(ratio, delta)).lines
        found += [(ratio, delta, a) for a in RATIOS if apart(p, q, a) != top(lines, a)]
    return found


def wrong_kernel_profile(rule):
    """Kernels against the profile of what they satisfy; some kernel attains it."""
    source, found = random.Random(2), []
    kind = rule.premises[0]
    for _ in range(300):
        kernel = random_kernel(source)
        for fact in facts(kernel, F(source.randint(10, 40), 10)):
            if isinstance(fact, kind):
                lines = conclude(rule, fact).lines
                found += [(kernel, a) for a in RATIOS if worst(kernel, a) > top(lines, a)]
    for gamma in (F(0), F(1, 3), F(4, 5)):
        attaining = {
            Dobrushin: FiniteKernel([[gamma, 1 - gamma, 0], [0, 1 - gamma, gamma]]),
            Doeblin: FiniteKernel([[gamma, 1 - gamma, 0], [0, 1 - gamma, gamma]]),
            UltraMixing: FiniteKernel([[1 / (2 - gamma), (1 - gamma) / (2 - gamma)],
                                       [(1 - gamma) / (2 - gamma), 1 / (2 - gamma)]]),
            LocalDP: FiniteKernel(response(F(2), gamma)),
        }[kind]  # fmt: skip
        fact = next(item for item in facts(attaining) if isinstance(item, kind))
        lines = conclude(rule, fact).lines
        found += [(gamma, a) for a in RATIOS if worst(attaining, a) != top(lines, a)]
    return found


def wrong_master(rule):
    """Pairs of laws in one order, with their exact profile, through kernels with theirs."""
    source, found = random.Random(3), []
    for _ in range(700):
        p, q = random_pair(source, 3)
        kernel = random_kernel(source)
        mechanism = PrivacyProfile("M", profile(FiniteKernel([p, q])).lines, True, NOWHERE)
        lines = conclude(rule, mechanism, profile(kernel)).lines
        images = image(p, kernel), image(q, kernel)
        found += [(p, q, kernel, a) for a in RATIOS if apart(*images, a) > top(lines, a)]
    for _ in range(20):
        kernel, ratio, delta = (
            random_kernel(source, inputs=2),
            F(source.randint(10, 50), 10),
            F(1, source.randint(2, 30)),
        )
        mechanism = conclude(get_rule("profile-of-dp"), guarantee(ratio, delta))
        lines = conclude(rule, mechanism, profile(kernel)).lines
        found += [(ratio, delta, kernel, a) for a in RATIOS if top(lines, a) != best_map(ratio, delta, kernel, a)]
    return found


def best_map(ratio, delta, kernel, a):
    """The exact optimum over all (log ratio, delta)-DP mechanisms in front of the kernel.

    Each of them is the worst pair of four outcomes post-processed, and ``D_a`` is convex in the post-processing, so
    that the optimum is at one of the maps of the outcomes to inputs.
    """
    p, q = response(ratio, delta)
    best = F(0)
    for choice in itertools.product(range(kernel.shape[0]), repeat=4):
        rows = FiniteKernel([kernel.rows[index] for index in choice])
        best = max(best, apart(image(p, rows), image(q, rows), a))
    return best


def test_the_master_rule_is_the_brute_force_optimum():
    """No violation and no gap, on random kernels and guarantees, in exact arithmetic."""
    source, rule, compared = random.Random(4), get_rule("master"), 0
    for _ in range(350):
        kernel = random_kernel(source, inputs=2, outputs=3)
        ratio, delta = F(source.randint(10, 50), 10), F(source.choice((0, 1, 3, 20, 100)), 100)
        mechanism = conclude(get_rule("profile-of-dp"), guarantee(ratio, delta))
        lines = conclude(rule, mechanism, profile(kernel)).lines
        for a in (F(1), F(11, 10), F(source.randint(10, 60), 10)):
            assert top(lines, a) == best_map(ratio, delta, kernel, a)
            compared += 1
    for _ in range(25):
        kernel = random_kernel(source)
        ratio, delta, a = F(source.randint(10, 50), 10), F(source.randint(0, 20), 100), F(source.randint(10, 30), 10)
        mechanism = conclude(get_rule("profile-of-dp"), guarantee(ratio, delta))
        assert top(conclude(rule, mechanism, profile(kernel)).lines, a) == best_map(ratio, delta, kernel, a)
        compared += 1
    assert compared > 1000


def wrong_kernel_chain(rule):
    source, found = random.Random(5), []
    for _ in range(400):
        one, two = random_kernel(source), random_kernel(source)
        lines = conclude(rule, profile(one), profile(two)).lines
        found += [(one, two, a) for a in RATIOS if worst(two @ one, a) > top(lines, a)]
    for _ in range(30):  # a first kernel that swaps its two outputs reaches the worst inputs of the second
        one, two = FiniteKernel(truth(source.randint(1, 9))), random_kernel(source, inputs=2)
        lines = conclude(rule, profile(one), profile(two)).lines
        found += [(one, two, a) for a in RATIOS if worst(two @ one, a) != top(lines, a)]
    return found


def truth(weight):
    """Randomized response that is right with probability ``weight/(1+weight)``."""
    return [[F(weight, 1 + weight), F(1, 1 + weight)], [F(1, 1 + weight), F(weight, 1 + weight)]]


def wrong_master_at(rule):
    """At one ratio, from the value of the profile alone; attained by a pair that shares the rest."""
    source, found = random.Random(6), []
    for _ in range(400):
        p, q = random_pair(source, 3)
        kernel, a = random_kernel(source), F(source.randint(10, 40), 10)
        fact, rows = measured(p, q, a), profile(kernel)
        value = max(conclude(rule, fact, rows, line=index).delta for index in range(len(rows.lines)))
        images = image(p, kernel), image(q, kernel)
        found += [(p, q, kernel)] if number(max(apart(*images, a), apart(*images[::-1], a))) > value else []
    return found


FALSIFIERS = {
    "profile-of-dp": wrong_guarantee,
    **dict.fromkeys(KERNEL_RULE.values(), wrong_kernel_profile),
    "master": wrong_master,
    "kernel-chain": wrong_kernel_chain,
    "master-at": wrong_master_at,
}


@pytest.mark.parametrize("rule_id", FALSIFIERS)
def test_no_instance_violates_the_rule(rule_id):
    assert FALSIFIERS[rule_id](get_rule(rule_id)) == []


def mutant(rule_id, change):
    rule = get_rule(rule_id)
    return replace(rule, conclude=lambda facts, params: change(rule.conclude(facts, params), facts))


def lines_scaled(u, v):
    return lambda fact, _: replace(fact, lines=tuple((x * u, y * v) for x, y in fact.lines))


def one_order(fact, facts):
    """The profile of the one order only, said of both: too large, so that the worst pair does not attain it."""
    return replace(fact, lines=guarantee_lines(exp(facts[0].epsilon), facts[0].delta, both=False))


def without_shift(fact, facts):
    """``(U-V) v`` in place of ``(U-V) v + V``, in u as well."""
    pairs = itertools.product(facts[1].lines, facts[0].lines)
    return replace(fact, lines=tuple(((big - small) * u, (big - small) * v) for (big, small), (u, v) in pairs))


def argument_unscaled(fact, facts):
    """``h(a) eta(a)``, as if the kernel were only asked at the ratio of the query."""
    pairs = [(big * u, small * u + v) for (big, small), (u, v) in itertools.product(facts[1].lines, facts[0].lines)]
    return replace(fact, lines=tuple(pairs))


@pytest.mark.parametrize(
    ("rule_id", "change"),
    [
        ("profile-of-dp", lines_scaled(Rational(99, 100), 1)),
        ("profile-of-dp", lines_scaled(1, Rational(101, 100))),
        ("profile-of-dp", one_order),
        ("kernel-profile-of-dobrushin", lines_scaled(Rational(99, 100), 1)),
        ("kernel-profile-of-doeblin", lines_scaled(Rational(9, 10), 1)),
        ("kernel-profile-of-ultra-mixing", lines_scaled(1, Rational(21, 20))),
        ("kernel-profile-of-ldp", lines_scaled(Rational(99, 100), 1)),
        ("master", without_shift),
        ("master", argument_unscaled),
        ("kernel-chain", without_shift),
        ("kernel-chain", lines_scaled(Rational(9, 10), 1)),
        ("master-at", lambda fact, facts: replace(fact, delta=fact.delta * facts[0].delta)),
    ],
)
def test_mutants_are_refuted(rule_id, change):
    assert FALSIFIERS[rule_id](mutant(rule_id, change))


def test_one_order_alone():
    """A guarantee of one order has a larger profile, which is right for it, and is no guarantee of both."""
    source = random.Random(7)
    for _ in range(300):
        p, q = random_pair(source, 3)
        ratio = F(source.randint(10, 40), 10)
        delta = apart(p, q, ratio)
        lines = guarantee_lines(number(ratio), number(delta), both=False)
        assert all(apart(p, q, a) <= top(lines, a) for a in RATIOS)
    assert top(guarantee_lines(Integer(2), S.Zero, both=False), F(1)) == F(1, 2)  # attained by (1, 0), (1/2, 1/2)
    one = apply("profile-one-order", apply("profile-of-dp", given(guarantee(3, 0))))
    assert not one.conclusion.both
    assert "in one order" in one.conclusion.statement()
    through = apply("master", one, apply("kernel-profile-of-doeblin", given(Doeblin("K", Rational(1, 2), NOWHERE))))
    assert not through.conclusion.both
    with pytest.raises(Refused, match="both orders"):
        apply("dp-of-profile", through, epsilon=S.Zero, line=1)
    with pytest.raises(Refused, match="both orders"):
        apply("dp-of-profile-at-delta", through, delta=Rational(1, 2), line=None)


# --- values of a profile --------------------------------------------------------------------------------------------


def test_values_of_a_profile():
    """Least delta and least epsilon against the exact region; only the largest line is accepted."""
    source = random.Random(8)
    for _ in range(60):
        kernel = random_kernel(source)
        ratio, delta = F(source.randint(11, 50), 10), F(source.randint(0, 30), 100)
        region = of_guarantee(ratio, delta).after(kernel.region())
        mechanism = apply("profile-of-dp", given(guarantee(ratio, delta)))
        theorem = apply("master", mechanism, given(profile(kernel)))
        a = F(source.randint(10, 40), 10)
        assert answer(theorem, epsilon=log(number(a))).conclusion.delta == number(region.delta(a))
        goal = F(source.randint(0, 30), 100)
        least = region.ratio(goal)
        if least is not None:
            assert answer(theorem, delta=number(goal)).conclusion.epsilon == log(number(least))
        for line, (u, v) in enumerate(theorem.conclusion.lines):
            if u - number(a) * v < number(region.delta(a)):
                with pytest.raises(Refused, match="larger than line"):
                    apply("dp-of-profile", theorem, epsilon=log(number(a)), line=line)
    with pytest.raises(Refused, match="epsilon"):
        apply("dp-of-profile", theorem, epsilon=Integer(-1), line=0)
    with pytest.raises(Refused, match="chosen line"):
        apply("dp-of-profile", theorem, epsilon=Integer(1), line=9)


def test_no_epsilon_below_the_level():
    theorem = apply("profile-of-dp", given(guarantee(3, F(1, 100))))
    for line in (None, 0, 1):
        with pytest.raises(Refused):
            apply("dp-of-profile-at-delta", theorem, delta=Rational(1, 200), line=line)


def test_symbols():
    """One theorem for all guarantees and gammas; at numbers it is the theorem of the numbers."""
    region = Region.make({EPS: Interval.nonnegative(), DELTA: Interval.closed(0, 1)})
    mechanism = apply("profile-of-dp", given(ApproxDP("M", EPS, DELTA, region)))
    for kind in (Doeblin, UltraMixing):
        kernel = given(kind("K", GAMMA, Region.make({GAMMA: Interval.closed(0, 1)})))
        theorem = apply("master", mechanism, apply(KERNEL_RULE[kind], kernel))
        assert from_json(to_json(theorem)) == theorem
        for ratio, delta, gamma in itertools.product((F(1), F(3)), (F(0), F(1, 5), F(1)), (F(0), F(1, 3), F(1))):
            at = {EPS: log(number(ratio)), DELTA: number(delta), GAMMA: number(gamma)}
            lines = [tuple(e.subs(at) for e in line) for line in theorem.conclusion.lines]
            exact = after(guarantee(ratio, delta), kind("K", number(gamma), NOWHERE)).conclusion.lines
            assert all(top(lines, a) == top(exact, a) for a in RATIOS)
            for a in RATIOS:  # of no one line: the greatest, for all values of the symbols at once
                whole = apply("dp-of-profile", theorem, epsilon=log(number(a)), line=None).conclusion.delta
                assert isinstance(whole, Max) and max(part.subs(at) for part in whole.args) == number(top(exact, a))
    with pytest.raises(Refused, match="hypothesis 'lines'"):
        apply("dp-of-profile", given(PrivacyProfile("M", (), True, region)), epsilon=S.Zero, line=None)
    doeblin = apply("master", mechanism, apply(KERNEL_RULE[Doeblin], given(Doeblin("K", Rational(1, 2), NOWHERE))))
    least = apply("dp-of-profile", doeblin, epsilon=S.Zero, line=2)  # the total variation distance
    assert least.conclusion.region == region
    with pytest.raises(Refused, match="larger than line"):
        apply("dp-of-profile", doeblin, epsilon=S.Zero, line=1)


def test_fewer_lines():
    lines = ((S.Zero, S.Zero), (DELTA / 2, S.Zero), (DELTA, S.Zero), (Rational(3, 4) + DELTA / 4, Rational(1, 4)))
    region = Region.make({DELTA: Interval.closed(0, 1)})
    fact = given(PrivacyProfile("M", lines, True, region))
    fewer = apply("fewer-lines", fact, kept=(2, 3), below=((0, 2), (1, 2)))
    assert fewer.conclusion.lines == lines[2:]
    for kept, below in (((1, 3), ((0, 1), (2, 1))), ((2,), ((0, 2), (1, 2), (3, 2))), ((2, 3), ((0, 2),)), ((), ())):
        with pytest.raises(Refused):
            apply("fewer-lines", fact, kept=kept, below=below)


# --- edges and refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Doeblin, UltraMixing, Dobrushin])
def test_edges(kind):
    """Gamma 0 forgets all, gamma 1 nothing; epsilon 0, delta 0 and 1, and both 0, without a division."""

    def kernel(gamma):
        return kind("K", Integer(gamma), *([S.One] if kind is Dobrushin else []), NOWHERE)

    for ratio, delta in ((F(1), F(0)), (F(1), F(1, 3)), (F(4), F(0)), (F(4), F(1)), (F(1), F(1))):
        before = conclude(get_rule("profile-of-dp"), guarantee(ratio, delta)).lines
        forgotten, kept = (after(guarantee(ratio, delta), kernel(gamma)).conclusion.lines for gamma in (0, 1))
        assert all(top(forgotten, a) == 0 and top(kept, a) == top(before, a) for a in RATIOS)
    zero = answer(after(guarantee(1, 0), kernel(1)), delta=S.Zero)
    assert (zero.conclusion.epsilon, zero.conclusion.delta) == (0, 0)
    assert answer(after(guarantee(4, 1), kernel(1)), epsilon=Integer(3)).conclusion.delta == 1


def test_an_infinite_ratio():
    """The (gamma, infinity)-Dobrushin condition says nothing below infinity."""
    kernel = apply("kernel-profile-of-dobrushin", given(Dobrushin("K", Rational(1, 2), oo, NOWHERE)))
    assert kernel.conclusion.lines == ((1, 0),)


@pytest.mark.parametrize(
    ("fact", "failed"),
    [
        (ApproxDP("M", Integer(-1), S.Zero, NOWHERE), "epsilon"),
        (ApproxDP("M", S.One, Rational(3, 2), NOWHERE), "delta"),
        (ApproxDP("M", S.One, Rational(-1, 2), NOWHERE), "delta"),
        (Doeblin("K", Integer(2), NOWHERE), "gamma"),
        (UltraMixing("K", Integer(-1), NOWHERE), "gamma"),
        (Dobrushin("K", S.One, Rational(1, 2), NOWHERE), "ratio"),
        (LocalDP("K", Integer(-1), S.Zero, NOWHERE), "epsilon"),
        (UltraMixing("K", GAMMA, Region.make({GAMMA: Interval.nonnegative()})), "gamma"),
    ],
)
def test_constants_out_of_range_are_refused(fact, failed):
    with pytest.raises(Refused, match=failed):
        apply({ApproxDP: "profile-of-dp", **KERNEL_RULE}[type(fact)], given(fact))


def test_kernel_lines_that_rise_are_refused():
    mechanism = apply("profile-of-dp", given(guarantee(3, 0)))
    for line in ((S.One, Integer(-1)), (Rational(1, 4), Rational(1, 2))):
        with pytest.raises(Refused, match=r"slope 0|line 0"):
            apply("master", mechanism, given(KernelProfile("K", (line,), NOWHERE)))


def test_at_one_epsilon_only_the_value_counts():
    fact = given(ApproxDP("M", log(Integer(2)), Rational(1, 10), NOWHERE))
    ultra = apply("kernel-profile-of-ultra-mixing", given(UltraMixing("K", Rational(1, 2), NOWHERE)))
    (params,) = get_rule("master-at").suggest(
        (fact.conclusion, ultra.conclusion), Query(After("K", "M"), "delta", epsilon=log(Integer(2)))
    )
    assert apply("master-at", fact, ultra, **params).conclusion.delta == 0  # h eta(11) = 0: eta ends at 2
    with pytest.raises(Refused, match="larger than line"):
        apply("master-at", fact, ultra, line=1)
    weak = apply("kernel-profile-of-ultra-mixing", given(UltraMixing("K", Rational(99, 100), NOWHERE)))
    (params,) = get_rule("master-at").suggest(
        (fact.conclusion, weak.conclusion), Query(After("K", "M"), "delta", epsilon=log(Integer(2)))
    )
    assert apply("master-at", fact, weak, **params).conclusion.delta == Rational(89, 1010)


# --- lines ----------------------------------------------------------------------------------------------------------


def test_thinning_changes_no_value():
    source = random.Random(9)
    for _ in range(200):
        lines = [tuple(number(F(source.randint(-3, 20), 20)) for _ in range(2)) for _ in range(source.randint(1, 9))]
        thin = fewest(lines)
        for a in (*RATIOS, *(1 + F(k, 9) for k in range(1, 20))):
            assert max(F(0), top(lines, a)) == max(F(0), top(thin, a)) == top(thin, a)
    assert fewest([(S.One, S.Zero), (Rational(1, 2), S.Zero)]) == ((1, 0),)


def test_thinning_of_irrational_lines():
    """Balls decide; what they cannot tell apart stays."""
    root = sqrt(Integer(2)) / 2
    thin = fewest([(root, S.Zero), (Rational(7, 10), S.Zero), (exp(-1) + Rational(1, 2), exp(-1)), (S.One, S.One)])
    assert thin == ((root, S.Zero),)
    twins = (sqrt(3 + 2 * sqrt(Integer(2))) / 3, S.Zero), ((1 + sqrt(Integer(2))) / 3, S.Zero)
    assert set(fewest(twins)) == set(twins)
    lines = guarantee_lines(exp(Integer(1)), Rational(1, 10))
    for _ in range(20):
        lines = chained(lines, guarantee_lines(exp(Rational(1, 2)), Rational(1, 50)))
    assert len(lines) < 60


def test_twenty_kernels():
    kernel = FiniteKernel([["1/2", "1/3", "1/6"], ["1/6", "1/2", "1/3"], ["1/3", "1/6", "1/2"]])
    theorem, region = apply("profile-of-dp", given(guarantee(20, F(1, 1000)))), of_guarantee(20, F(1, 1000))
    for _ in range(20):
        theorem, region = apply("master", theorem, given(profile(kernel))), region.after(kernel.region())
    assert answer(theorem, epsilon=S.Zero).conclusion.delta == number(region.delta(1))
