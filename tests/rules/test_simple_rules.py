"""Short rules against laws and chains in closed form; mutated copies fail there.

A guarantee is judged by two laws on a finite set, from the definition of its divergence alone.
"""

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest
from sympy import Expr, Integer, Rational, S, exp, log, oo

import symdp.rules  # noqa: F401
from symdp.judgments import (
    TCDP,
    ZCDP,
    ApproxDP,
    Dobrushin,
    Doeblin,
    FiniteMatrix,
    GaussianDP,
    NoiseKernel,
    NoiseMechanism,
    NoisyIteration,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    UltraMixing,
    UniformIteration,
)
from symdp.mechanisms.finite import FiniteKernel
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.text import symbol
from tests.chains import linear_mu
from tests.guarantees import MP, conclude, gaussian_profile, gaussian_renyi, hockey_stick, pure, renyi, value
from tests.kernels import (
    NOWHERE,
    RATIOS,
    F,
    apart,
    fraction,
    guarantee,
    image,
    number,
    profile,
    random_kernel,
    response,
    top,
    worst,
)
from tests.rules.test_epsilon_composition import power
from tests.rules.test_mixing import slightly_less, wrong_implication
from tests.rules.test_pure import laplace_renyi

ALPHA, MU, EPS = map(symbol, ("alpha", "mu", "epsilon"))
ORDERS = Region.make({ALPHA: Interval.open(1, oo)})
TRIES = tuple(map(MP.mpf, ("1.0001", "1.5", "2", "4.9", "30")))
TINY = MP.mpf(10) ** -20

# Randomized response with log 3: the best constant of each kind but the last, which is rounded up
PAIR = ([F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)])
LOSS = log(Integer(3))
CURVE = log((exp(ALPHA * LOSS) + exp((1 - ALPHA) * LOSS)) / (1 + exp(LOSS))) / (ALPHA - 1)
FACTS = {
    "dp": guarantee(2, F(1, 4)),
    "pure": PureDP("M", LOSS, NOWHERE),
    "profile": PrivacyProfile("M", profile(FiniteKernel(PAIR)).lines, True, NOWHERE),
    "rdp": RenyiDP("M", CURVE, S.One, "add/remove", ORDERS),
    "zcdp": ZCDP("M", LOSS / 2, NOWHERE),
    "tcdp": TCDP("M", LOSS / 2, Integer(5), NOWHERE),
    "gdp": GaussianDP("M", Rational(135, 100), NOWHERE),
}
LINEAR = RenyiDP("M", ALPHA * LOSS / 2, S.One, "add/remove", ORDERS)


def mp(law):
    return [MP.mpf(x.numerator) / x.denominator for x in law]


def satisfied(fact, p, q):
    """Whether two laws satisfy a guarantee, in both orders unless it is about one."""
    orders = [(p, q)] if getattr(fact, "both", True) is False else [(p, q), (q, p)]
    return all(_one_order(fact, *pair) for pair in orders)


def _one_order(fact, p, q):
    match fact:
        case PrivacyProfile(lines=lines):
            return all(apart(p, q, a) <= top(lines, a) for a in RATIOS)
        case ApproxDP(epsilon=epsilon, delta=delta):
            return hockey_stick(mp(p), mp(q), value(epsilon)) <= value(delta) + TINY
        case PureDP(epsilon=epsilon):
            return pure(mp(p), mp(q)) <= value(epsilon) + TINY
        case RenyiDP(value=bound):
            return all(renyi(mp(p), mp(q), a) <= value(bound, alpha=a) + TINY for a in TRIES)
        case ZCDP(rho=rho):
            return all(renyi(mp(p), mp(q), a) <= value(rho) * a + TINY for a in TRIES)
        case TCDP(rho=rho, omega=omega):
            return all(renyi(mp(p), mp(q), a) <= value(rho) * a + TINY for a in TRIES if a < value(omega))
        case GaussianDP(mu=mu):
            return all(
                hockey_stick(mp(p), mp(q), e) <= gaussian_profile(value(mu), e) + TINY
                for e in map(MP.mpf, ("0", "0.5", "1"))
            )
    raise AssertionError(type(fact))


# --- falsifiers -----------------------------------------------------------------------------------------------------


def wrong_after(rule):
    """The pair behind kernels, two of which lose nothing."""
    kind = rule.id.removeprefix("post-processing-")
    kernels = ([[1, 0], [0, 1]], [[0, 1], [1, 0]], [["9/10", "1/10"], ["1/5", "4/5"]])
    claim = conclude(rule, FACTS[kind], kernel="K")
    return [k for k in kernels if not satisfied(claim, *(image(law, FiniteKernel(k)) for law in PAIR))]


def wrong_pair(kind, **params):
    """The pair itself."""
    return lambda rule: [] if satisfied(conclude(rule, FACTS[kind], **params), *PAIR) else [kind]


def wrong_composition(kind):
    facts = FACTS[kind], replace(FACTS[kind], subject="N")
    return lambda rule: [] if satisfied(conclude(rule, *facts), *power(PAIR, 2)) else [kind]


def wrong_steps(rule):
    """A pair that discloses all with probability 1/10; what it satisfies is attained."""
    laws, found = response(F(2), F(1, 10)), []
    for steps in (1, 2, 3):
        claim = conclude(rule, guarantee(2, F(1, 10)), steps=steps)
        exact = apart(*power(laws, steps), fraction(exp(claim.epsilon)))
        found += [] if exact == fraction(claim.delta) else [steps]
    return found


def wrong_pure_steps(rule):
    return [] if satisfied(conclude(rule, FACTS["pure"], steps=3), *power(PAIR, 3)) else [3]


def wrong_pure_groups(rule):
    """Geometric laws around neighbouring points, cut off far away."""
    laws = []
    for centre in range(5):
        weights = [MP.mpf(2) ** -abs(x - centre) for x in range(-30, 40)]
        laws.append([w / MP.fsum(weights) for w in weights])
    epsilon = max(pure(p, q) for p, q in itertools.pairwise(laws))
    return [k for k in (1, 2, 4) if pure(laws[0], laws[k]) > value(conclude_group(rule, k, EPS), epsilon=epsilon)]


def conclude_group(rule, size, name):
    kinds = {"group-pure": (PureDP, "epsilon"), "group-gdp": (GaussianDP, "mu"), "group-zcdp": (ZCDP, "rho")}
    kind, field = kinds[rule.id]
    return getattr(conclude(rule, kind("M", name, NOWHERE), size=size), field)


def wrong_gaussian_groups(rule):
    """Gaussian laws that are k mu apart, mu = 1/2."""
    half, found = MP.mpf("0.5"), []
    for size in (1, 2, 4):
        mu = value(conclude_group(rule, size, MU), mu=half)
        tries = (MP.mpf(0), MP.mpf(1))
        found += [size] if any(gaussian_profile(size * half, e) > gaussian_profile(mu, e) + TINY for e in tries) else []
    return found


def wrong_concentrated_groups(rule):
    half, found = MP.mpf("0.5"), []
    for size, alpha in itertools.product((1, 2, 4), (MP.mpf(2), MP.mpf(3))):
        rho = value(conclude_group(rule, size, MU), mu=half**2 / 2)
        found += [size] if gaussian_renyi(size * half, alpha) > alpha * rho + MP.mpf(10) ** -12 else []
    return found


def wrong_order(rule):
    """Two laws that are less alike in the other order."""
    p, q = [F(9, 10), F(1, 10)], [F(1, 2), F(1, 2)]
    lines = ((S.Zero, S.Zero), (Rational(9, 10), Rational(1, 2)), (S.One, S.One))
    return [] if satisfied(conclude(rule, PrivacyProfile("M", lines, False, NOWHERE)), p, q) else [(p, q)]


def wrong_loss(rule):
    claim = conclude(rule, NoiseMechanism("M", "laplace", S.One, S.One, "l1", NOWHERE))
    return [] if laplace_renyi(MP.mpf(1), MP.mpf(200)) <= value(claim.epsilon) else [1]


def wrong_deltas(rule):
    """The profile of Gaussian laws on its half lines, at one epsilon."""
    found = []
    for mu, epsilon in itertools.product(("1/3", "2"), ("0", "1/2", "3")):
        claim = conclude(rule, GaussianDP("M", Rational(mu), NOWHERE), epsilon=Rational(epsilon))
        exact = gaussian_profile(*(MP.mpf(Rational(text).p) / Rational(text).q for text in (mu, epsilon)))
        found += [] if abs(value(claim.delta) - exact) < TINY else [(mu, epsilon)]
    return found


def matrices():
    source = random.Random(1)
    return [random_kernel(source) for _ in range(60)]


def matrix(kernel, name="K"):
    return FiniteMatrix(name, tuple(tuple(map(number, row)) for row in kernel.rows), NOWHERE)


def least(kind, kernel):
    """The constant of a mixing condition by its definition; None where there is none."""
    rows, columns = kernel.rows, list(zip(*kernel.rows, strict=True))
    if kind is Dobrushin:
        return max(sum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2 for p in rows for q in rows)
    if kind is Doeblin:
        return 1 - sum(map(min, columns))
    if any(min(column) == 0 < max(column) for column in columns):
        return None
    return 1 - min(min(column) / max(column) for column in columns if max(column))


def wrong_constants(kind):
    def wrong(rule):
        found = []
        for kernel in matrices():
            constant = least(kind, kernel)
            if constant is not None and conclude(rule, matrix(kernel)).gamma != number(constant):
                found.append(kernel)
        return found

    return wrong


def wrong_matrix_profiles(rule):
    found = []
    for kernel in matrices():
        lines = conclude(rule, matrix(kernel)).lines
        found += [(kernel, a) for a in RATIOS if top(lines, a) != worst(kernel, a)]
    return found


def wrong_matrix_products(rule):
    source, found = random.Random(2), []
    for _ in range(30):
        one, two = random_kernel(source, 2, 3), random_kernel(source, 3, 4)
        rows = conclude(rule, matrix(one), matrix(two, "L")).rows
        wanted = [[number(x) for x in image(row, two)] for row in one.rows]
        found += [] if [list(row) for row in rows] == wanted else [(one, two)]
    return found


def wrong_matrix_master(rule):
    """The worst pair of a guarantee in front of every map into the inputs; one of them attains it."""
    source, found = random.Random(3), []
    for _ in range(40):
        kernel, ratio, delta = random_kernel(source, 2, 3), F(source.randint(10, 40), 10), F(source.randint(0, 30), 100)
        start = conclude(get_rule("profile-of-dp"), guarantee(ratio, delta))
        lines, laws = conclude(rule, start, matrix(kernel)).lines, response(ratio, delta)
        for a in RATIOS:
            maps = itertools.product(kernel.rows, repeat=4)
            best = max(apart(*(image(law, FiniteKernel(rows)) for law in laws), a) for rows in maps)
            found += [] if best == top(lines, a) else [(kernel, a)]
    return found


MECHANISM = NoiseMechanism("M", "gaussian", Integer(2), Integer(3), "l2", NOWHERE)
STEP = NoiseKernel("K", "gaussian", Rational(1, 2), Rational(3, 2), "l2", NOWHERE)
CHAIN = NoisyIteration("C", (Rational(1, 2),) * 3, (Integer(2),) * 3, Integer(3), NOWHERE)
EQUAL = UniformIteration("C", Rational(1, 2), Integer(2), Integer(3), Integer(3), NOWHERE)


def wrong_chain(*facts, slopes, sigma):
    """The steps that come out, by the distance of the linear chain in deviations."""

    def wrong(rule):
        claim = conclude(rule, *facts)
        best = "path-optimum-uniform" if isinstance(claim, UniformIteration) else "path-optimum"
        mu = float(value(conclude(get_rule(best), claim).mu))
        return [] if mu == pytest.approx(linear_mu(slopes, sigma, 3.0), rel=1e-12) else [mu]

    return wrong


KINDS = tuple(FACTS)
FALSIFIERS = {
    **{f"post-processing-{kind}": wrong_after for kind in KINDS},
    "pure-composition": wrong_composition("pure"),
    "zcdp-composition": wrong_composition("zcdp"),
    "pure-steps": wrong_pure_steps,
    "dp-steps": wrong_steps,
    "group-pure": wrong_pure_groups,
    "group-gdp": wrong_gaussian_groups,
    "group-zcdp": wrong_concentrated_groups,
    "dp-of-pure": wrong_pair("pure"),
    "profile-of-pure": wrong_pair("pure"),
    "tcdp-of-zcdp": wrong_pair("zcdp", omega=Integer(4)),
    "profile-one-order": wrong_order,
    "pure-of-laplace": wrong_loss,
    "delta-of-gdp": wrong_deltas,
    **dict.fromkeys(("ldp-of-dobrushin", "dobrushin-of-ldp", "ldp-of-ultra-mixing"), wrong_implication),
    "matrix-dobrushin": wrong_constants(Dobrushin),
    "matrix-doeblin": wrong_constants(Doeblin),
    "matrix-ultra-mixing": wrong_constants(UltraMixing),
    "matrix-profile": wrong_matrix_profiles,
    "matrix-product": wrong_matrix_products,
    "master-matrix": wrong_matrix_master,
    "noise-start": wrong_chain(MECHANISM, slopes=[1], sigma=[2]),
    "noise-step": wrong_chain(
        NoisyIteration("M", (S.One,), (Integer(2),), Integer(3), NOWHERE), STEP, slopes=[1, 1.5], sigma=[2, 0.5]
    ),
    "equal-steps": wrong_chain(CHAIN, slopes=[0.5] * 3, sigma=[2] * 3),
    "written-out-steps": wrong_chain(EQUAL, slopes=[0.5] * 3, sigma=[2] * 3),
}


def scaled(name, factor):
    """A field of the conclusion, which may be numbers in tuples, times a factor."""

    def times(entry: Any) -> Any:
        return entry * factor if isinstance(entry, Expr) else tuple(map(times, entry))

    return lambda fact: replace(fact, **{name: times(getattr(fact, name))})


LESS, MORE = Rational(9, 10), Rational(11, 10)
MUTANTS = [
    *((f"post-processing-{kind}", scaled(name, LESS)) for kind, name in (
        ("dp", "delta"), ("dp", "epsilon"), ("pure", "epsilon"), ("profile", "lines"), ("rdp", "value"),
        ("zcdp", "rho"), ("tcdp", "rho"), ("gdp", "mu"),
    )),
    ("pure-composition", lambda fact: replace(fact, epsilon=LOSS)),
    ("zcdp-composition", scaled("rho", LESS)),
    ("pure-steps", scaled("epsilon", Rational(2, 3))),
    ("dp-steps", lambda fact: replace(fact, delta=Rational(3, 10))),
    ("dp-steps", lambda fact: replace(fact, epsilon=log(Integer(2)))),
    ("group-pure", lambda fact: replace(fact, epsilon=2 * EPS)),
    ("group-gdp", lambda fact: replace(fact, mu=2 * MU)),
    ("group-zcdp", lambda fact: replace(fact, rho=4 * MU)),
    ("dp-of-pure", scaled("epsilon", LESS)),
    ("profile-of-pure", scaled("lines", LESS)),
    ("tcdp-of-zcdp", scaled("rho", LESS)),
    ("profile-one-order", lambda fact: replace(fact, both=True)),
    ("pure-of-laplace", scaled("epsilon", LESS)),
    ("delta-of-gdp", scaled("delta", LESS)),
    *((rule_id, slightly_less) for rule_id in ("ldp-of-dobrushin", "dobrushin-of-ldp", "ldp-of-ultra-mixing")),
    *((f"matrix-{kind}", scaled("gamma", factor))
      for kind in ("dobrushin", "doeblin", "ultra-mixing") for factor in (LESS, MORE)),
    ("matrix-profile", scaled("lines", LESS)),
    ("matrix-product", lambda fact: replace(fact, rows=fact.rows[::-1])),
    ("master-matrix", lambda fact: replace(fact, lines=tuple((u * LESS, v) for u, v in fact.lines))),
    ("noise-start", scaled("sigma", MORE)),
    ("noise-step", lambda fact: replace(fact, lipschitz=fact.lipschitz[::-1])),
    ("equal-steps", lambda fact: replace(fact, steps=fact.steps + 1)),
    ("written-out-steps", lambda fact: replace(fact, sigma=fact.sigma[1:], lipschitz=fact.lipschitz[1:])),
]  # fmt: skip


@pytest.mark.parametrize("rule_id", FALSIFIERS)
def test_no_instance_violates_the_rule(rule_id):
    assert FALSIFIERS[rule_id](get_rule(rule_id)) == []


@pytest.mark.parametrize(("rule_id", "change"), MUTANTS)
def test_mutants_are_refuted(rule_id, change):
    rule = get_rule(rule_id)
    assert FALSIFIERS[rule_id](replace(rule, conclude=lambda facts, params: change(rule.conclude(facts, params))))


def test_every_falsifier_has_a_mutant():
    assert set(FALSIFIERS) == {rule_id for rule_id, _ in MUTANTS}
