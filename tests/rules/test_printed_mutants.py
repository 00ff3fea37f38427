"""Statements close to the printed ones, and false: each is refuted by a witness, exact or certified.

A check takes a statement and gives the first witness against it, or None. The true statement passes the same check.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import pytest
from sympy import Integer, Rational, S, binomial, exp, log, oo, pi, sqrt

import symdp.rules  # noqa: F401
from symdp import Diffusion, derive
from symdp.claims import Claim
from symdp.claims.comparison import compare
from symdp.decide import Proved, Refuted, decide
from symdp.derivation.inequalities import pointwise_domination
from symdp.enclosure import enclose
from symdp.judgments import Dobrushin, Doeblin, UniformIteration
from symdp.mechanisms import finite
from symdp.quadrature import integral
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.rules.conditions import ALPHA
from symdp.rules.sampled_gaussian import NOISE, RATE
from symdp.rules.sampled_moments import POWER, domination
from symdp.text import Relation, symbol
from symdp.theorem import apply
from tests.guarantees import conclude
from tests.rules import test_coupling as coupling
from tests.rules import test_iteration as iteration
from tests.rules import test_mixing as mixing

# --- checks ---------------------------------------------------------------------------------------------------------


def first(found):
    return found[0] if found else None


def decided(relation, region, *assuming):
    """The exact point where the engine refutes a relation, which is then evaluated there; None if it is proved."""
    verdict = decide(relation, region, assuming=list(assuming))
    if isinstance(verdict, Refuted):
        assert region.contains(verdict.witness)
        assert all(hypothesis.expr.subs(verdict.witness) >= 0 for hypothesis in assuming)
        assert enclose(relation.expr, verdict.witness, 15).upper < 0
        return verdict.witness
    assert isinstance(verdict, Proved)
    return None


def theorem_1(statement):
    """Finite mechanisms and kernels, in fractions."""
    rule, at = statement
    return first(mixing.wrong_theorem_1(rule, at))


def arrow(rule):
    """Finite kernels, in fractions."""
    return first(mixing.wrong_implication(rule))


def remark(small):
    """Where delta is not raised, ``small >= 0``."""
    return decided(Relation(small, ">="), mixing.REMARK, Relation(mixing.GAIN, ">="))


def example_1(theta):
    """Theorem 2 at this theta is no worse than the divergence of the two sums, which is exact."""
    fact = conclude(get_rule("coupling-gaussian"), *coupling.PAIR, theta=theta)
    exact = ALPHA * coupling.DELTA**2 / (2 * (coupling.S1**2 + coupling.S2**2))
    region = coupling.WHERE.extend({ALPHA: Interval.open(1, oo)})
    return decided(Relation((exact - fact.value).subs(coupling.L, 1), ">="), region)


def example_2(change):
    """A histogram of two Laplace noises added, log 3 apart: its masses are rational, and it tells no more than they do.

    The cells end at the two centres; ``P(Z > x) = (a^2 e^(-x/a) - b^2 e^(-x/b))/(2 (a^2 - b^2))`` with a = 1, b = 1/2.
    """
    gap = log(Integer(3))
    pair = replace(coupling.mechanism("laplace", 1), sensitivity=gap), coupling.kernel("laplace", "1/2")
    middle, beyond = F(16, 54), F(11, 54)
    p, q = [F(1, 2), middle, beyond], [beyond, middle, F(1, 2)]
    assert sum(p) == 1
    for order in (F(3, 2), F(2), F(5)):
        truth = finite.renyi(p, q, order, 20)
        for shift in (S.Zero, gap):
            claim = change(conclude(get_rule("coupling-laplace"), *pair, shift=shift)).value
            if enclose(claim, {ALPHA: order}, 20).upper < truth.lower:
                return order, shift, truth
    return None


def theorem_4(power):
    """Equal linear maps: two Gaussian laws whose divergence is a rational function of L."""
    constant, noise, gap = map(symbol, ("L", "s", "Delta"))
    open_unit = Interval(0, 1, False, False)
    region = Region.make({constant: open_unit, noise: Interval.positive(), gap: Interval.positive()})
    rule = iteration.mutant("iteration-rate", iteration.printed_decay(power))
    for steps in (1, 2, 3, 6):
        claim = conclude(rule, UniformIteration("C", constant, noise, Integer(steps), gap, region)).value
        variance = noise**2 * sum(constant ** (2 * j) for j in range(steps))
        exact = ALPHA * (constant**steps * gap) ** 2 / (2 * variance)
        witness = decided(Relation(claim - exact, ">="), region.extend({ALPHA: Interval.open(1, oo)}))
        if witness:
            return steps, witness
    return None


def corollary_7(formula):
    """A bound of the exact Lambda of the Ornstein-Uhlenbeck process."""
    flow = derive(Diffusion("-theta*x", "sqrt(2)*rho")).found.derivation.flow
    exact = apply("intrinsic-sensitivity", flow, dimension=symbol("d"))
    claim = Claim(formula, where="theta>0, rho>0, t>0, Delta>=0", field="Lambda")
    verdict, _, witness = compare(exact, claim, tight=False)
    assert verdict in ("proved", "refuted")
    return witness or None


def whole_orders(change):
    """The sum against an enclosure of ``int mu0 (mu/mu0)^alpha``."""
    identity = apply("gaussian-ratio-moment").conclusion
    series = conclude(get_rule("sampled-gaussian-sum"), replace(identity, right=change(identity.right)))
    x, at = symbol("x"), {RATE: Rational(1, 2), NOISE: Integer(2)}
    ratio = 1 - RATE + RATE * exp((2 * x - 1) / (2 * NOISE**2))
    for order in (1, 2, 3):
        density = exp(-(x**2) / (2 * NOISE**2)) / (sqrt(2 * pi) * NOISE)
        truth = integral((density * ratio**order).subs(at), x, -oo, oo, digits=20)
        term = series.term.subs(at).subs(ALPHA, order)
        total = enclose(sum(binomial(order, k) * term.subs(POWER, k) for k in range(order + 1)), {}, 20)
        if total.upper < truth.lower or truth.upper < total.lower:
            return order, total, truth
    return None


def lemma_6(relation):
    """At whole orders it is a relation of rational functions; ``domination`` is proved for every order elsewhere."""
    u, v = symbol("u"), symbol("v")
    unit = Interval.open(0, 1)
    region = Region.make({u: Interval.positive(), v: Interval.positive(), RATE: unit})
    for order in (2, 3):
        witness = decided(relation.subs({ALPHA: Integer(order)}), region)
        if witness:
            return order, witness
    return None


@dataclass(frozen=True)
class Steps:
    """Densities that are constant on four intervals side by side; the involution exchanges the first with the second
    and the third with the fourth, linearly. The second density has the heights of the first one exchanged.
    """

    heights: tuple[F, ...]
    lengths: tuple[F, ...]

    @property
    def exchanged(self) -> tuple[F, ...]:
        one, two, three, four = self.heights
        return two, one, four, three

    def place(self, x: F) -> tuple[int, F]:
        """The interval of a point, and the share of it that lies to its left."""
        index = 0
        while x >= self.lengths[index]:
            x, index = x - self.lengths[index], index + 1
        return index, x / self.lengths[index]

    def nu(self, x: F) -> F:
        index, share = self.place(x)
        other = index ^ 1
        return sum(self.lengths[:other], F(0)) + share * self.lengths[other]

    @property
    def normalized(self) -> bool:
        """Whether both densities integrate to 1."""
        totals = {sum(h * w for h, w in zip(h, self.lengths, strict=True)) for h in (self.heights, self.exchanged)}
        return totals == {1}

    @property
    def jacobian_one(self) -> bool:
        return self.lengths[0] == self.lengths[1] and self.lengths[2] == self.lengths[3]

    def moments(self, rate: F) -> tuple[F, F]:
        """``E_P[(M/P)^2]`` and ``E_M[(P/M)^2]`` for ``M = (1-rate) P + rate Q``."""
        forward = backward = F(0)
        for p, q, w in zip(self.heights, self.exchanged, self.lengths, strict=True):
            mixed = (1 - rate) * p + rate * q
            forward, backward = forward + w * mixed**2 / p, backward + w * p**2 / mixed
        return forward, backward

    def laws(self, rate: F) -> tuple[list[F], list[F]]:
        """The masses of the mixture and of P: on each interval their ratio is constant."""
        rows = zip(self.heights, self.exchanged, self.lengths, strict=True)
        masses = [(w * ((1 - rate) * p + rate * q), w * p) for p, q, w in rows]
        return [m for m, _ in masses], [p for _, p in masses]


def step_densities():
    """Heights in the ratios of small whole numbers, lengths small whole numbers, both densities normalized."""
    small = range(1, 5)
    for a, b, c, d in itertools.product(small, repeat=4):
        for k, m, n, r in itertools.product(small, repeat=4):
            if (a - b) * (k - m) + (c - d) * (n - r) == 0:
                total = a * k + b * m + c * n + d * r
                yield Steps(tuple(F(h, total) for h in (a, b, c, d)), tuple(map(F, (k, m, n, r))))


def theorem_5(hypothesis):
    """The divergence of order 2 of the mixture from P against the reverse, in fractions."""
    rate = F(1, 2)
    for steps in filter(hypothesis, step_densities()):
        forward, backward = steps.moments(rate)
        if forward < backward:
            return steps
    return None


# --- the statements -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """A source, the statement that is false, a check, and what the check is given: the true one and the false one."""

    source: str
    statement: str
    check: Callable[[Any], Any]
    true: Any
    false: Any


def ratio_rule(change):
    """The rule that passes to another ratio of the Dobrushin condition, the ratio set."""
    return replace(get_rule("dobrushin-ratio"), id="ratio", conclude=lambda facts, _: change(facts[0]))


def small(sign):
    """``delta b - gamma (1 +- delta)(b - 1)``, b = e^epsilon."""
    return mixing.DELTA * mixing.B - mixing.GAMMA * (1 + sign * mixing.DELTA) * (mixing.B - 1)


ONE, TWO = coupling.S1, coupling.S2
RATIO, DOEBLIN = get_rule("dp-after-dobrushin-ratio"), get_rule("dp-after-doeblin")
WRONG_EXPONENT = mixing.theorem_1_mutant(
    "dp-after-doeblin",
    lambda c, m, k: replace(c, delta=k.gamma * (1 - exp(m.epsilon - c.epsilon) * (1 - m.delta))),
)
DOEBLIN_OF_DOBRUSHIN = mixing.reversed_arrow(
    "dobrushin-of-doeblin", Dobrushin, lambda fact: Doeblin(fact.kernel, fact.gamma, fact.region)
)

MUTANTS = {
    "M02": Mutant(
        "B-T1(2)", "eps~=log(1+e^eps/delta)", theorem_1, (RATIO, None), (RATIO, mixing.wrong_ratio)
    ),
    "M04": Mutant(
        "B-T1(3)", "delta'=gamma(1-e^{eps-eps'}(1-delta)) (exponent sign)", theorem_1, (DOEBLIN, None),
        (WRONG_EXPONENT, None),
    ),
    "M07": Mutant(
        "B-L9/Fig1", "gamma-Dobrushin => gamma-Doeblin (arrow reversed)", arrow, get_rule("dobrushin-of-doeblin"),
        DOEBLIN_OF_DOBRUSHIN,
    ),
    "M09": Mutant(
        "B-Remark Doeblin", "amplifies in delta only if gamma<=delta e^eps/((1+delta)(e^eps-1))", remark, small(-1),
        small(1),
    ),
    "M12": Mutant(
        "B-Ex1", "theta=(1+s1^2/s2^2)^{-1}", example_1, 1 / (1 + TWO**2 / ONE**2), 1 / (1 + ONE**2 / TWO**2)
    ),
    "M15": Mutant(
        "B-Ex2 g", "g=(a-1)/(2a-1)e^{z(a-1)}+a/(2a-1)e^{-za} (coefficients swapped)", example_2, lambda claim: claim,
        lambda claim: replace(claim, value=coupling.swapped(claim.value)),
    ),
    "M16": Mutant("B-T4(3)", "alpha Delta^2 L^{2r}/(2 r s^2)", theorem_4, lambda r: r + 1, lambda r: 2 * r),
    "M19": Mutant(
        "B-Cor7", "Lambda=theta D^2/(2 rho^2 e^{2 theta t})", corollary_7,
        "theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))", "theta*Delta**2/(2*rho**2*exp(2*theta*t))",
    ),
    "M21": Mutant(
        "S-3.3 integer", "exp((k^2-k)/(4 s^2))", whole_orders, lambda moment: moment, lambda moment: sqrt(moment)
    ),
    "M24": Mutant(
        "S-T5 (as printed, densities)", "P(x)=Q(nu(x)) as densities suffices (Jacobian assumed +-1)", theorem_5,
        lambda steps: steps.normalized and steps.jacobian_one, lambda steps: steps.normalized,
    ),
    "M26": Mutant(
        "S-L6", "inequality reversed (A integrand <= B integrand)", lemma_6, domination(),
        Relation(-domination().expr, ">="),
    ),
    "M30": Mutant(
        "B-Fig1", "(gamma,eps)-Dobrushin => gamma-Dobrushin", arrow,
        ratio_rule(lambda fact: replace(fact, ratio=2 * fact.ratio)),
        ratio_rule(lambda fact: replace(fact, ratio=S.One)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_refuted_by_a_witness_that_the_true_statement_passes(name):
    mutant = MUTANTS[name]
    assert mutant.check(mutant.true) is None
    assert mutant.check(mutant.false) is not None


# --- some witnesses, looked at by themselves --------------------------------------------------------------------------


def test_a_kernel_that_is_dobrushin_and_not_doeblin():
    kernel = MUTANTS["M07"].check(MUTANTS["M07"].false)
    assert kernel.dobrushin() < kernel.doeblin() and isinstance(kernel.doeblin(), F)
    kernel = MUTANTS["M30"].check(MUTANTS["M30"].false)
    assert any(kernel.dobrushin(ratio) < kernel.dobrushin() for ratio in (F(3, 2), F(2), F(5, 2)))


def test_step_densities_that_an_involution_exchanges():
    """Both are densities, and ``P(x) = Q(nu(x))``; only the Jacobian is not 1."""
    steps = MUTANTS["M24"].check(MUTANTS["M24"].false)
    assert steps.normalized and not steps.jacobian_one
    assert sum(other.jacobian_one for other in step_densities()) > 1000, "with Jacobian 1 there are many to try"
    whole = sum(steps.lengths)
    for x in (whole * F(k, 97) for k in range(97)):
        assert steps.nu(steps.nu(x)) == x
        assert steps.heights[steps.place(x)[0]] == steps.exchanged[steps.place(steps.nu(x))[0]]
    mixed, p = steps.laws(F(1, 2))
    forward, backward = steps.moments(F(1, 2))
    assert forward < backward
    first, second = finite.renyi(mixed, p, 2, 20), finite.renyi(p, mixed, 2, 20)
    assert first.upper < second.lower
    assert first.lower <= enclose(log(Rational(forward.numerator, forward.denominator)), {}, 30).lower <= first.upper
    # the least numbers: nu stretches or shrinks its intervals by 3
    smallest = Steps(tuple(F(h, 20) for h in (1, 2, 3, 4)), tuple(map(F, (1, 3, 3, 1))))
    assert smallest.normalized
    assert smallest.moments(F(1, 2)) == (F(67, 64), F(22, 21))


def test_the_lemma_that_was_reversed_is_proved_for_every_order():
    theorem = pointwise_domination()
    assert theorem.status == "proved" and theorem.conclusion.relation.op == ">="
