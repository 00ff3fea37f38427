"""Uniform mixing: implications, products, Theorem 1 and Renyi contraction against random finite kernels, exactly."""

import itertools
import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, S, exp, log, oo, tanh

import symdp.rules  # noqa: F401
from symdp.decide import Proved, Refuted, decide
from symdp.errors import Refused
from symdp.judgments import (
    After,
    ApproxDP,
    Dobrushin,
    Doeblin,
    FiniteMatrix,
    GaussianDP,
    LocalDP,
    RenyiDP,
    UltraMixing,
    after,
    links,
)
from symdp.mechanisms.finite import FiniteKernel
from symdp.region import Interval, Region
from symdp.rule import Query, get_rule
from symdp.text import Relation, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import MP, conclude, given, renyi, value
from tests.kernels import (
    NOWHERE,
    F,
    apart,
    facts,
    fraction,
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

ALPHA, EPS, DELTA, GAMMA, B, R = map(symbol, ("alpha", "epsilon", "delta", "gamma", "b", "R"))
UNIT = Region.make({GAMMA: Interval.closed(0, 1)})
ORDERS = Region.make({ALPHA: Interval.open(1, oo), R: Interval.nonnegative()})
ALL_DP = Region.make({EPS: Interval.nonnegative(), DELTA: Interval.closed(0, 1)})


def holds(fact, kernel):
    """Whether a finite kernel satisfies a mixing condition."""
    match fact:
        case Dobrushin(gamma=gamma, ratio=ratio):
            return worst(kernel, fraction(ratio)) <= fraction(gamma)
        case Doeblin(gamma=gamma):
            return kernel.doeblin() <= fraction(gamma)
        case UltraMixing(gamma=gamma):
            least = kernel.ultra_mixing()
            return least is not None and least <= fraction(gamma)
        case LocalDP(epsilon=epsilon, delta=delta):
            return worst(kernel, fraction(exp(epsilon))) <= fraction(delta)
    raise AssertionError(fact)


def kernels(count, seed):
    source = random.Random(seed)
    low = [[F(1, 15) if x == y else F(2, 15) for y in range(8)] for x in range(8)]
    named = [low, [[1, 0], [0, 1]], [["1/3", "2/3"]] * 2, [["1/2", "1/2", 0], [0, "1/2", "1/2"]], response(F(3), F(0))]
    return [FiniteKernel(rows) for rows in named] + [random_kernel(source) for _ in range(count)]


def wrong_implication(rule):
    """Kernels that satisfy the premise with its least constants, and not the conclusion."""
    found = []
    for index, kernel in enumerate(kernels(250, 1)):
        for fact in facts(kernel, F(10 + index % 20, 10)):
            if type(fact) is rule.premises[0]:
                try:
                    if rule.id in IN_REGISTRY:
                        apply(rule.id, given(fact))
                except Refused:
                    continue
                found += [] if holds(conclude(rule, fact), kernel) else [kernel]
    return found


IMPLICATIONS = [
    "doeblin-of-ultra-mixing",
    "dobrushin-of-doeblin",
    "dobrushin-of-ultra-mixing",
    "ldp-of-dobrushin",
    "dobrushin-of-ldp",
    "ldp-of-ultra-mixing",
    "ultra-mixing-of-ldp",
]
IN_REGISTRY = set(IMPLICATIONS)


@pytest.mark.parametrize("rule_id", IMPLICATIONS)
def test_no_kernel_violates_an_implication(rule_id):
    assert wrong_implication(get_rule(rule_id)) == []


def reversed_arrow(rule_id, premise, conclusion):
    rule = get_rule(rule_id)
    return replace(rule, id=f"{rule_id} reversed", premises=(premise,), conclude=lambda facts, _: conclusion(facts[0]))


@pytest.mark.parametrize(
    "wrong",
    [
        reversed_arrow("dobrushin-of-doeblin", Dobrushin, lambda k: Doeblin(k.kernel, k.gamma, k.region)),
        reversed_arrow("doeblin-of-ultra-mixing", Doeblin, lambda k: UltraMixing(k.kernel, k.gamma, k.region)),
        reversed_arrow("dobrushin-ratio", Dobrushin, lambda k: replace(k, ratio=S.One)),
        reversed_arrow("dobrushin-of-ultra-mixing", UltraMixing, lambda k: Doeblin("K", k.gamma / (2 - k.gamma), UNIT)),
        reversed_arrow(
            "dobrushin-of-ultra-mixing", UltraMixing, lambda k: Dobrushin("K", k.gamma / (3 - k.gamma), S.One, UNIT)
        ),
        reversed_arrow("ultra-mixing-of-ldp", LocalDP, lambda k: UltraMixing("K", 1 - exp(-k.epsilon), UNIT)),
    ],
)
def test_wrong_implications_are_refuted(wrong):
    assert wrong_implication(wrong)


def slightly_less(fact):
    """The condition with a smaller constant."""
    if isinstance(fact, LocalDP) and fact.delta == 0:
        return replace(fact, epsilon=log(exp(fact.epsilon) * Rational(999, 1000)))
    name = "delta" if isinstance(fact, LocalDP) else "gamma"
    return replace(fact, **{name: getattr(fact, name) * Rational(999, 1000)})


@pytest.mark.parametrize("rule_id", [i for i in IMPLICATIONS if get_rule(i).tightness == "exact"])
def test_implications_are_attained(rule_id):
    """Some kernel has no smaller constant in the conclusion."""
    attained = []
    for kernel in kernels(60, 2):
        for fact in facts(kernel, F(3)):
            if type(fact) is get_rule(rule_id).premises[0]:
                try:
                    claim = apply(rule_id, given(fact)).conclusion
                except Refused:
                    continue
                less = slightly_less(claim)
                attained += [] if less == claim or holds(less, kernel) else [kernel]
    assert attained


def test_table_1_there_and_back():
    ultra = given(UltraMixing("K", GAMMA, Region.make({GAMMA: Interval(0, 1, True, False)})))
    local = apply("ldp-of-ultra-mixing", ultra)
    assert local.conclusion == LocalDP("K", -log(1 - GAMMA), S.Zero, ultra.conclusion.region)
    assert apply("ultra-mixing-of-ldp", local).conclusion.gamma == GAMMA
    assert apply("ldp-of-dobrushin", given(Dobrushin("K", GAMMA, S.One, UNIT))).conclusion.epsilon == 0
    with pytest.raises(Refused, match="below 1"):
        apply("ldp-of-ultra-mixing", given(UltraMixing("K", S.One, NOWHERE)))
    with pytest.raises(Refused, match="finite ratio"):
        apply("ldp-of-dobrushin", given(Dobrushin("K", GAMMA, oo, UNIT)))
    with pytest.raises(Refused, match="delta"):
        apply("ultra-mixing-of-ldp", given(LocalDP("K", S.One, Rational(1, 100), NOWHERE)))


def test_a_larger_ratio():
    fact = given(Dobrushin("K", GAMMA, Integer(2), UNIT))
    assert apply("dobrushin-ratio", fact, ratio=Integer(3)).conclusion.ratio == 3
    assert apply("dobrushin-ratio", fact, ratio=oo).conclusion.ratio is oo
    with pytest.raises(Refused, match="ratio"):
        apply("dobrushin-ratio", fact, ratio=S.One)
    with pytest.raises(Refused, match="finite ratio"):
        apply("dobrushin-ratio", given(Dobrushin("K", GAMMA, oo, UNIT)), ratio=Integer(9))
    for kernel in kernels(50, 3):
        claim = apply("dobrushin-ratio", given(Dobrushin("K", number(worst(kernel, F(1))), S.One, NOWHERE)), ratio=oo)
        away = max(
            sum((p for p, q in zip(one, two, strict=True) if q == 0), F(0))
            for one, two in itertools.product(kernel.rows, repeat=2)
        )
        assert away <= fraction(claim.conclusion.gamma)


def test_the_coefficient_of_a_profile():
    for kernel in kernels(40, 4):
        theorem = given(profile(kernel))
        for params in get_rule("dobrushin-of-profile").suggest((theorem.conclusion,), Query("K", "delta")):
            assert apply("dobrushin-of-profile", theorem, **params).conclusion.gamma == number(kernel.dobrushin())


# --- matrices and products ------------------------------------------------------------------------------------------


def matrix(kernel, name="K"):
    return given(FiniteMatrix(name, tuple(tuple(number(entry) for entry in row) for row in kernel.rows), NOWHERE))


def test_constants_of_a_matrix_are_the_least():
    for kernel in kernels(80, 5):
        fact = matrix(kernel)
        assert apply("matrix-dobrushin", fact).conclusion.gamma == number(kernel.dobrushin())
        assert apply("matrix-doeblin", fact).conclusion.gamma == number(kernel.doeblin())
        assert apply("matrix-profile", fact).conclusion == profile(kernel)
        if kernel.ultra_mixing() is None:
            with pytest.raises(Refused, match="supports"):
                apply("matrix-ultra-mixing", fact)
        else:
            assert apply("matrix-ultra-mixing", fact).conclusion.gamma == number(kernel.ultra_mixing())


def test_products_of_matrices():
    one, two = (FiniteKernel(rows) for rows in ([["3/4", "1/4"], ["1/4", "3/4"]], [["1/2", "1/2", 0], [0, 0, 1]]))
    product = apply("matrix-product", matrix(one), matrix(two, "L"))
    assert product.conclusion == replace(matrix(two @ one).conclusion, kernel=After("L", "K"))
    with pytest.raises(Refused, match="sizes"):
        apply("matrix-product", matrix(two), matrix(one))


def test_a_matrix_after_a_mechanism():
    """Exact, for a mechanism that may be any; what a kernel made is not."""
    kernel = FiniteKernel([["3/4", "1/4"], ["1/4", "3/4"]])
    start = apply("profile-of-dp", given(guarantee(3, 0)))
    theorem = apply("master-matrix", start, matrix(kernel))
    assert theorem.tightness == "exact"
    upper = apply("master", start, apply("matrix-profile", matrix(kernel)))
    assert (upper.conclusion, upper.tightness) == (theorem.conclusion, "upper")
    with pytest.raises(Refused, match="any input"):
        apply("master-matrix", theorem, matrix(kernel, "L"))


@pytest.mark.parametrize(
    ("rows", "failed"),
    [
        ((("1/2", "1/3"), ("1/2", "1/2")), "row 0"),
        ((("1/2", "1/2"), ("3/2", "-1/2")), "row 1"),
        ((("1/2", "1/2"), ("1",)), "row 1"),
        (((),), "row 0"),
        ((), "rows"),
    ],
)
def test_rows_that_are_no_laws_are_refused(rows, failed):
    fact = given(FiniteMatrix("K", tuple(tuple(Rational(entry) for entry in row) for row in rows), NOWHERE))
    for rule_id in ("matrix-profile", "matrix-dobrushin", "matrix-doeblin", "matrix-ultra-mixing"):
        with pytest.raises(Refused, match=failed):
            apply(rule_id, fact)


def wrong_product(rule):
    """Two random kernels with their least constants."""
    source, found, kind = random.Random(6), [], rule.premises[0]
    for _ in range(250):
        one, two = random_kernel(source), random_kernel(source)
        first, second = (next(f for f in facts(k) if type(f) is kind) for k in (one, two))
        found += [] if holds(conclude(rule, first, second), two @ one) else [(one, two)]
    return found


@pytest.mark.parametrize("rule_id", ["dobrushin-product", "doeblin-product"])
def test_products(rule_id):
    rule = get_rule(rule_id)
    assert wrong_product(rule) == []
    smaller = replace(rule, conclude=lambda f, p: replace(rule.conclude(f, p), gamma=f[0].gamma * f[1].gamma / 2))
    assert wrong_product(smaller)
    kind = rule.premises[0]
    ratio = [S.One] if kind is Dobrushin else []
    chain = [given(kind(name, Rational(1, 2), *ratio, NOWHERE)) for name in "KL"]
    assert apply(rule_id, *chain).conclusion.kernel == After("L", "K")
    with pytest.raises(Refused, match="first gamma"):
        apply(rule_id, given(kind("K", Integer(2), *ratio, NOWHERE)), chain[1])
    if ratio:
        with pytest.raises(Refused, match="second ratio"):
            apply(rule_id, chain[0], given(Dobrushin("L", Rational(1, 2), Integer(2), NOWHERE)))


# --- Theorem 1 ------------------------------------------------------------------------------------------------------

THEOREM_1 = {
    "dp-after-dobrushin": lambda kernel, *_: Dobrushin("K", number(kernel.dobrushin()), S.One, NOWHERE),
    "dp-after-dobrushin-ratio": lambda kernel, b, d: at_ratio(kernel, far(b, d)),
    "dp-after-doeblin": lambda kernel, *_: Doeblin("K", number(kernel.doeblin()), NOWHERE),
    "dp-after-ultra-mixing": lambda kernel, *_: UltraMixing("K", number(kernel.ultra_mixing()), NOWHERE),
}  # fmt: skip


def at_ratio(kernel, ratio):
    return Dobrushin("K", number(worst(kernel, ratio)), number(ratio), NOWHERE)


def far(ratio, delta):
    """``1 + (e^epsilon - 1)/delta``, or some ratio where delta is 0."""
    return 1 + (ratio - 1) / delta if delta else F(5)


def wrong_theorem_1(rule, at=None):
    """Random mechanisms, and the worst of their guarantee, through random kernels."""
    source, found, at = random.Random(7), [], at or THEOREM_1[rule.id]
    for index in range(500):
        kernel = random_kernel(source, inputs=4)
        if rule.premises[1] is UltraMixing and kernel.ultra_mixing() is None:
            continue
        ratio = F(source.randint(10, 60), 10)
        if index % 2:
            p, q = random_pair(source, 4)
            fact = measured(p, q, ratio)
        else:
            fact = guarantee(ratio, F(source.choice((0, 1, 5, 20)), 100))
            p, q = response(ratio, fraction(fact.delta))
        claim = conclude(rule, fact, at(kernel, ratio, fraction(fact.delta)))
        a, images = fraction(exp(claim.epsilon)), (image(p, kernel), image(q, kernel))
        bad = max(apart(*images, a), apart(*images[::-1], a)) > fraction(claim.delta)
        found += [(p, q, kernel)] if bad else []
    return found


@pytest.mark.parametrize("rule_id", THEOREM_1)
def test_theorem_1(rule_id):
    assert wrong_theorem_1(get_rule(rule_id)) == []


def theorem_1_mutant(rule_id, change):
    rule = get_rule(rule_id)
    return replace(rule, conclude=lambda facts, params: change(rule.conclude(facts, params), *facts))


def wrong_ratio(kernel, b, d):
    """The ratio ``1 + e^epsilon/delta`` in place of ``1 + (e^epsilon - 1)/delta``."""
    return at_ratio(kernel, 1 + b / d if d else F(5))


@pytest.mark.parametrize(
    ("rule_id", "at", "change"),
    [
        ("dp-after-dobrushin", None, lambda c, m, k: replace(c, delta=k.gamma**2 * m.delta)),
        ("dp-after-dobrushin-ratio", wrong_ratio, lambda c, m, k: c),
        (
            "dp-after-doeblin",
            None,
            lambda c, m, k: replace(c, delta=k.gamma * (1 - exp(m.epsilon - c.epsilon) * (1 - m.delta))),
        ),
        ("dp-after-ultra-mixing", None, lambda c, m, k: replace(c, delta=k.gamma**3 * c.delta)),
        ("dp-after-ultra-mixing", None, lambda c, m, k: replace(c, epsilon=log((1 + exp(c.epsilon)) / 2))),
    ],
)
def test_mutants_of_theorem_1_are_refuted(rule_id, at, change):
    rule = theorem_1_mutant(rule_id, change)
    assert wrong_theorem_1(rule, at)


def test_a_doeblin_constant_may_be_replaced_by_the_dobrushin_coefficient():
    """Theorem 1 (3) needs only that: no kernel that is merely Dobrushin refutes it."""
    rule = get_rule("dp-after-doeblin")
    assert wrong_theorem_1(rule, lambda kernel, *_: Doeblin("K", number(kernel.dobrushin()), NOWHERE)) == []


def test_theorem_1_is_never_below_the_master_rule():
    source, compared = random.Random(8), 0
    for _ in range(400):
        kernel, ratio, delta = random_kernel(source), F(source.randint(10, 60), 10), F(source.randint(0, 20), 100)
        start = conclude(get_rule("profile-of-dp"), guarantee(ratio, delta))
        for rule_id, at in THEOREM_1.items():
            if rule_id == "dp-after-ultra-mixing" and kernel.ultra_mixing() is None:
                continue
            condition = at(kernel, ratio, delta)
            source_of = {Dobrushin: "dobrushin", Doeblin: "doeblin", UltraMixing: "ultra-mixing"}[type(condition)]
            rows = conclude(get_rule(f"kernel-profile-of-{source_of}"), condition)
            best = conclude(get_rule("master"), start, rows)
            claim = conclude(get_rule(rule_id), guarantee(ratio, delta), condition)
            assert top(best.lines, fraction(exp(claim.epsilon))) <= fraction(claim.delta)
            compared += 1
    assert compared > 1200


def test_theorem_1_as_printed():
    start = given(ApproxDP("M", EPS, DELTA, ALL_DP))
    doeblin = apply("dp-after-doeblin", start, given(Doeblin("K", GAMMA, UNIT)))
    ratio = 1 + GAMMA * (exp(EPS) - 1)
    assert doeblin.conclusion.epsilon == log(ratio)
    assert doeblin.conclusion.delta == GAMMA * (1 - ratio * exp(-EPS) * (1 - DELTA))
    assert doeblin.conclusion.subject == After("K", "M")
    ultra = apply("dp-after-ultra-mixing", start, given(UltraMixing("K", GAMMA, UNIT)))
    assert ultra.conclusion.delta == GAMMA * DELTA * ratio * exp(-EPS)
    plain = apply("dp-after-dobrushin", start, given(Dobrushin("K", GAMMA, S.One, UNIT)))
    assert (plain.conclusion.epsilon, plain.conclusion.delta) == (EPS, GAMMA * DELTA)
    for theorem in (doeblin, ultra, plain):
        assert replay(theorem) == from_json(to_json(theorem)) == theorem
    for rule_id, kernel, failed in (
        ("dp-after-doeblin", Doeblin("K", Integer(2), NOWHERE), "gamma"),
        ("dp-after-dobrushin", Dobrushin("K", Rational(1, 2), Integer(2), NOWHERE), "ratio"),
    ):
        with pytest.raises(Refused, match=failed):
            apply(rule_id, start, given(kernel))
    with pytest.raises(Refused, match="epsilon"):
        apply("dp-after-doeblin", given(guarantee(F(1, 2), 0)), given(Doeblin("K", GAMMA, UNIT)))


def test_the_ratio_of_theorem_1_and_its_limits():
    """``(ratio - 1) delta <= e^epsilon - 1`` is decided; with delta 0 any ratio will do, the infinite one too."""
    rule, half = "dp-after-dobrushin-ratio", Rational(1, 2)
    for delta, ratio, fine in ((half, 5, True), (half, 6, False), (S.Zero, 10**6, True), (S.Zero, None, True),
                               (half, None, False)):  # fmt: skip
        kernel = given(Dobrushin("K", half, oo if ratio is None else Integer(ratio), NOWHERE))
        start = given(ApproxDP("M", log(Integer(3)), delta, NOWHERE))
        if fine:
            assert apply(rule, start, kernel).conclusion.delta == delta / 2
        else:
            with pytest.raises(Refused, match="ratio"):
                apply(rule, start, kernel)


REMARK = Region.make(
    {B: Interval.open(1, oo), DELTA: Interval(0, 1, False, False), GAMMA: Interval(0, 1, False, False)}
)
GAIN = DELTA - GAMMA * (1 - (1 + GAMMA * (B - 1)) / B * (1 - DELTA))


def test_when_doeblin_does_not_raise_delta():
    """``gamma <= delta b/((1-delta)(b-1))``, b = e^epsilon: enough, and necessary for gamma below 1."""
    small = DELTA * B - GAMMA * (1 - DELTA) * (B - 1)
    assert isinstance(decide(Relation(GAIN, ">="), REMARK, assuming=[Relation(small, ">=")]), Proved)
    assert isinstance(decide(Relation(small, ">="), REMARK, assuming=[Relation(GAIN, ">=")]), Proved)
    mutant = DELTA * B - GAMMA * (1 + DELTA) * (B - 1)
    verdict = decide(Relation(mutant, ">="), REMARK, assuming=[Relation(GAIN, ">=")])
    assert isinstance(verdict, Refuted)
    assert GAIN.subs(verdict.witness) >= 0 > mutant.subs(verdict.witness)
    assert GAIN.subs(GAMMA, 1).expand().simplify() == 0


# --- Renyi divergences ----------------------------------------------------------------------------------------------


def random_mp_kernel(source):
    rows = [[MP.exp(source.uniform(-2, 2)) for _ in range(3)] for _ in range(3)]
    return [[x / MP.fsum(row) for x in row] for row in rows]


def through(law, rows):
    return [MP.fsum(w * row[y] for w, row in zip(law, rows, strict=True)) for y in range(len(rows[0]))]


def wrong_contraction(rule, orders):
    """Random laws, near ones among them, through random kernels whose coefficient is measured."""
    source, found = random.Random(9), []
    rdp = RenyiDP("M", R, S.One, "add/remove", ORDERS)
    for index in range(60):
        rows = random_mp_kernel(source) if index % 2 else [list(pair) for pair in zip(*symmetric(source), strict=True)]
        p, q = ([MP.exp(source.uniform(-3, 3)) for _ in rows] for _ in range(2))
        p, q = [x / MP.fsum(p) for x in p], [x / MP.fsum(q) for x in q]
        if index % 3 == 0:
            q = [x * MP.mpf("0.999") + y * MP.mpf("0.001") for x, y in zip(p, q, strict=True)]
        pairs = list(itertools.product(rows, repeat=2))
        tv = max(MP.fsum(max(0, x - y) for x, y in zip(a, b, strict=True)) for a, b in pairs)
        eps = max(MP.log(x / y) for a, b in pairs for x, y in zip(a, b, strict=True))
        kernel = Dobrushin("K", GAMMA, S.One, UNIT) if rule.premises[1] is Dobrushin \
            else LocalDP("K", EPS, S.Zero, ALL_DP)  # fmt: skip
        claim = conclude(rule, rdp, kernel)
        for order in orders:
            known = {"alpha": order, "R": renyi(p, q, MP.mpf(order))}
            known |= {"gamma": tv} if rule.premises[1] is Dobrushin else {"epsilon": eps}
            bound = value(claim.value, **known)
            truth = renyi(through(p, rows), through(q, rows), MP.mpf(order))
            found += [(p, q, rows, order)] if truth > bound * (1 + MP.mpf(10) ** -15) else []
    return found


def symmetric(source):
    """Randomized response, as a kernel: the worst for the chi-square divergence of near laws."""
    high = MP.mpf(source.randint(55, 95)) / 100
    return [high, 1 - high], [1 - high, high]


def test_renyi_after_a_dobrushin_kernel():
    rule = get_rule("rdp-after-dobrushin")
    assert wrong_contraction(rule, ("1.01", "1.5", "3", "20")) == []
    squared = replace(rule, conclude=lambda f, p: rule.conclude((f[0], replace(f[1], gamma=f[1].gamma ** 3)), p))
    assert wrong_contraction(squared, ("2",))
    rdp = given(RenyiDP("M", ALPHA / 8, S.One, "add/remove", Region.make({ALPHA: Interval.open(1, oo)})))
    for gamma, expected in ((S.Zero, 0), (S.One, ALPHA / 8)):
        claim = apply("rdp-after-dobrushin", rdp, given(Dobrushin("K", gamma, S.One, NOWHERE))).conclusion
        assert abs(value(claim.value, alpha="7") - value(expected * S.One, alpha="7")) < MP.mpf(10) ** -25
    with pytest.raises(Refused, match="ratio"):
        apply("rdp-after-dobrushin", rdp, given(Dobrushin("K", S.One, Integer(2), NOWHERE)))


def test_renyi_after_a_locally_private_kernel():
    """Up to order 2, and not above."""
    rule = get_rule("rdp-after-ldp")
    assert wrong_contraction(rule, ("1.01", "1.5", "2")) == []
    assert wrong_contraction(rule, ("3", "8"))
    rdp = given(RenyiDP("M", ALPHA / 8, S.One, "add/remove", Region.make({ALPHA: Interval.open(1, oo)})))
    theorem = apply("rdp-after-ldp", rdp, given(LocalDP("K", EPS, S.Zero, ALL_DP)))
    at = {EPS: S.One, DELTA: S.Zero}
    assert theorem.conclusion.region.contains({ALPHA: Integer(2), **at}) is True
    assert theorem.conclusion.region.contains({ALPHA: Rational(21, 10), **at}) is False
    assert theorem.conclusion.value.has(tanh(EPS / 2))


# --- post-processing and names --------------------------------------------------------------------------------------


def test_post_processing_keeps_what_there_is():
    source = random.Random(10)
    for _ in range(200):
        p, q = random_pair(source, 3)
        kernel = random_kernel(source)
        assert apart(image(p, kernel), image(q, kernel), F(2)) <= apart(p, q, F(2))
    query = Query(after("L", after("K", "M")), "gdp")
    fact = given(GaussianDP("M", S.One, NOWHERE))
    (params,) = get_rule("post-processing-gdp").suggest((fact.conclusion,), query)
    once = apply("post-processing-gdp", fact, **params)
    assert once.conclusion == GaussianDP(After("K", "M"), S.One, NOWHERE)
    (params,) = get_rule("post-processing-gdp").suggest((once.conclusion,), query)
    assert apply("post-processing-gdp", once, **params).conclusion.subject == query.subject
    assert list(get_rule("post-processing-gdp").suggest((replace(fact.conclusion, subject="N"),), query)) == []


def test_a_chain_has_one_name():
    assert after(After("L", "K"), "M") == after("L", after("K", "M")) == After("L", After("K", "M"))
    assert links(after(after("D", "C"), after("B", "A"))) == ("A", "B", "C", "D")
