"""The moment A of the sampled Gaussian mechanism: bounded in two parts, summed, and compared with B.

``mu0 = N(0, s^2)``, ``mu1 = N(1, s^2)``, ``r = mu1/mu0 = exp((2x-1)/(2 s^2))``, ``A = E_{mu0}[((1-q) + q r)^alpha]``.
The reflection ``x -> 1 - x`` exchanges mu0 and mu1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, Rational, erfc, exp, log, oo, sqrt

from symdp import codec
from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import HalfLineMoment, Identity, Inequality, Limit, MomentBound, MomentSeries
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA, holds, vanishes
from symdp.rules.regions import inside, joined
from symdp.rules.sampled_gaussian import NOISE, RATE, bulk, larger_direction, log_ratio
from symdp.text import Relation, symbol
from symdp.text.moment import sampled_moment

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
POWER, SPLIT, POINT = symbol("k"), symbol("z"), symbol("x")
U, V, X, Y, R, N = (symbol(name) for name in ("u", "v", "x", "y", "r", "n"))
_REAL, _POSITIVE = Interval.real(), Interval.positive()
_RATES = Interval(Integer(0), Integer(1), False, True)  # 0 < q <= 1
Z1 = Rational(1, 2) + NOISE**2 * log(1 / RATE - 1)


# --- the likelihood ratio of the two Gaussian laws ------------------------------------------------------------------


def _log_density(x: Expr, mean: Expr) -> Expr:
    """Up to a constant."""
    return -((x - mean) ** 2) / (2 * NOISE**2)


def _square() -> Condition:
    """``mu0 r^k = e^((k^2-k)/(2 s^2)) N(k, s^2)``."""
    first = _log_density(POINT, Integer(0))
    weighted = first + POWER * (_log_density(POINT, Integer(1)) - first)
    gap = weighted - _log_density(POINT, POWER) - (POWER**2 - POWER) / (2 * NOISE**2)
    region = Region.make({POWER: _REAL, NOISE: _POSITIVE, POINT: _REAL})
    statement = "mu0 (mu1/mu0)^k is exp((k^2-k)/(2 s^2)) times the density of N(k, s^2)"
    return vanishes("square", statement, [gap], region)


def _ratio_conditions(_: Premises, params: Params) -> Iterator[Condition]:
    yield _square()
    power = params.get("power", POWER)
    yield Condition("power", "k is any number, or a given one", "fact", (power == POWER or power.is_Rational,))


def _moment_value() -> Expr:
    return exp((POWER**2 - POWER) / (2 * NOISE**2))


def _moment_identity(power: Any) -> Identity:
    region = Region.make({NOISE: _POSITIVE} | ({POWER: _REAL} if power == POWER else {}))
    return Identity(sampled_moment(power, Integer(1), NOISE), _moment_value().subs(POWER, power), region)


def _ratio_moment(_: Premises, params: Params) -> Identity:
    """``E_mu0[(mu1/mu0)^k] = e^((k^2-k)/(2s^2))``."""
    return _moment_identity(params.get("power", POWER))


register(
    Rule(
        id="gaussian-ratio-moment",
        title="Moments of the likelihood ratio of two Gaussian laws",
        citation=Citation("mironov2019", "section 3.3", "by completing the square"),
        premises=(),
        conditions=_ratio_conditions,
        conclude=_ratio_moment,
        tightness="exact",
    )
)


def _side_conditions(_: Premises, params: Params) -> Iterator[Condition]:
    yield Condition("side", 'the side is "left" or "right"', "fact", (params["side"] in ("left", "right"),))
    yield _square()


def _half_line(_: Premises, params: Params) -> HalfLineMoment:
    """``e^((k^2-k)/(2s^2)) erfc((k-z)/(sqrt2 s))/2`` for ``x < z``, with ``erfc((z-k)/(sqrt2 s))`` for ``x > z``."""
    distance = (POWER - SPLIT) / (sqrt(2) * NOISE)
    share = erfc(distance if params["side"] == "left" else -distance) / 2
    region = Region.make({POWER: _REAL, SPLIT: _REAL, NOISE: _POSITIVE})
    return HalfLineMoment(params["side"], _moment_value() * share, region)


register(
    Rule(
        id="gaussian-half-line-moment",
        title="Moments of the likelihood ratio of two Gaussian laws on a half line",
        citation=Citation("mironov2019", "section 3.3", "by completing the square"),
        premises=(),
        conditions=_side_conditions,
        conclude=_half_line,
        tightness="exact",
    )
)

# --- A as a sum and as a series -------------------------------------------------------------------------------------


def is_ratio_moment(fact: Identity) -> Condition:
    """That a premise is the moment of the likelihood ratio of any order."""
    # nothing else: the right side of an identity that holds for some k, s alone may be anything for the others
    wanted = codec.same(fact, _moment_identity(POWER))
    return Condition("moments", "the premise is about E_mu0[(mu1/mu0)^k], k any number", "fact", (wanted,))


def _sum_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield is_ratio_moment(premises[0])


def _sum(premises: Premises, _: Params) -> MomentSeries:
    """``A = sum_k C(alpha,k) (1-q)^(alpha-k) q^k e^((k^2-k)/(2s^2))``: the binomial formula under the expectation."""
    term = (1 - RATE) ** (ALPHA - POWER) * RATE**POWER * premises[0].right
    orders = Interval(Integer(1), oo, True, False)
    region = joined(premises[0].region, Region.make({RATE: Interval.open(0, 1), ALPHA: orders}))
    return MomentSeries(term, ALPHA, region)


register(
    Rule(
        id="sampled-gaussian-sum",
        title="The moment of a whole order as a sum",
        citation=Citation("mironov2019", "section 3.3, case I"),
        premises=(Identity,),
        conditions=_sum_conditions,
        conclude=_sum,
        tightness="exact",
    )
)


def _series_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    left, right = premises
    sides = (left.side, right.side) == ("left", "right")
    yield Condition("sides", "the first premise is about x < z, the second about x > z", "fact", (sides,))
    gap = RATE * exp((2 * Z1 - 1) / (2 * NOISE**2)) - (1 - RATE)
    region = Region.make({RATE: Interval.open(0, 1), NOISE: _POSITIVE})
    yield vanishes("split", "q mu1/mu0 equals 1-q at z1 = 1/2 + s^2 log(1/q - 1)", [gap], region)


def _series(premises: Premises, _: Params) -> MomentSeries:
    """``A = sum_k C(alpha,k) ((1-q)^(alpha-k) q^k E[r^k; x < z1] + (1-q)^k q^(alpha-k) E[r^(alpha-k); x > z1])``:
    Newton's binomial series on each side of z1, in the smaller of the two terms divided by the larger.

    The ratio is at most 1, where the series converges absolutely and uniformly for ``alpha > 0``.
    """
    left, right = premises
    rest = ALPHA - POWER
    below = (1 - RATE) ** rest * RATE**POWER * left.value.subs({SPLIT: Z1})
    above = (1 - RATE) ** POWER * RATE**rest * right.value.subs({SPLIT: Z1, POWER: rest}, simultaneous=True)
    orders = Interval(Integer(1), oo, True, False)
    intervals = {RATE: Interval.open(0, 1), NOISE: _POSITIVE, ALPHA: orders, POWER: Interval.nonnegative()}
    return MomentSeries(below + above, oo, Region.make(intervals))


register(
    Rule(
        id="sampled-gaussian-series",
        title="The moment of any order as a series",
        citation=Citation("mironov2019", "section 3.3, case II"),
        premises=(HalfLineMoment, HalfLineMoment),
        conditions=_series_conditions,
        conclude=_series,
        tightness="exact",
    )
)

# --- A >= B ---------------------------------------------------------------------------------------------------------


def reflection() -> Condition:
    """``mu0(x) = mu1(1 - x)``."""
    gap = _log_density(POINT, Integer(0)) - _log_density(1 - POINT, Integer(1))
    region = Region.make({POINT: _REAL, NOISE: _POSITIVE})
    return vanishes("reflection", "x -> 1 - x exchanges mu0 and mu1", [gap], region)


def domination() -> Relation:
    """Lemma 6 at densities u, v of the two laws: ``u (P_q/u)^alpha + v (Q_q/v)^alpha`` is at least the reverse."""
    p, q = (1 - RATE) * U + RATE * V, (1 - RATE) * V + RATE * U
    forward = U * (p / U) ** ALPHA + V * (q / V) ** ALPHA
    return Relation(forward - p * (U / p) ** ALPHA - q * (V / q) ** ALPHA, ">=")


def says(name: str, fact: Inequality, wanted: Relation, region: Region) -> Iterator[Condition]:
    """That a premise is this relation, as an identity of its two sides, wherever it is needed."""
    same = fact.relation.op == wanted.op
    yield Condition(name, f"the premise says {wanted}", "fact", (same,))
    yield vanishes(
        f"{name}: the relation", "the premise is the relation asked for", [fact.relation.expr - wanted.expr], region
    )
    yield from inside(region, fact.region, name)


def densities() -> Region:
    """Where Lemma 6 is used: two positive densities, a rate inside (0, 1), an order above 1."""
    orders = Interval.open(1, oo)
    return Region.make({U: _POSITIVE, V: _POSITIVE, RATE: Interval.open(0, 1), ALPHA: orders})


def _larger_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    yield from says("pointwise", premises[0], domination(), densities())
    yield reflection()


def _larger(_: Premises, __: Params) -> Inequality:
    """``A >= B``: both moments folded about 1/2 are half the integral of the two sides of Lemma 6 at ``u = mu0, v =
    mu1``.

    They are equal for alpha = 1 and q = 0, where both are 1, and for q = 1, where the reflection exchanges the laws.
    """
    intervals = {RATE: Interval.closed(0, 1), NOISE: _POSITIVE, ALPHA: Interval(Integer(1), oo, True, False)}
    return Inequality(larger_direction(RATE, NOISE), Region.make(intervals))


register(
    Rule(
        id="sampled-gaussian-larger-direction",
        title="The moment of the mixture against the Gaussian law is the larger one",
        citation=Citation("mironov2019", "Theorem 5 and Corollary 7"),
        premises=(Inequality,),
        conditions=_larger_conditions,
        conclude=_larger,
        tightness="exact",
    )
)

# --- A below and above z0 -------------------------------------------------------------------------------------------

_R0 = 1 + 1 / (RATE * (ALPHA - 1))
Z0 = Rational(1, 2) + NOISE**2 * log_ratio(RATE)


def _parameters() -> Region:
    return Region.make({RATE: _RATES, NOISE: _POSITIVE, ALPHA: Interval.open(1, oo)})


def _split() -> Condition:
    gap = exp((2 * Z0 - 1) / (2 * NOISE**2)) - _R0
    return vanishes("split", "mu1/mu0 is r0 = 1 + 1/(q (alpha-1)) at z0 = 1/2 + s^2 log r0", [gap], _parameters())


def quadratic() -> Relation:
    """Lemma 8 at densities x, y of the two laws."""
    left = X * ((1 - RATE) + RATE * Y / X) ** ALPHA + Y * ((1 - RATE) + RATE * X / Y) ** ALPHA
    right = X + Y + RATE**2 * ALPHA * (ALPHA - 1) * (X**2 / Y + Y**2 / X - X - Y)
    return Relation(right - left, ">=")


def _ratios() -> Region:
    region = Region.make({X: _POSITIVE, Y: _POSITIVE, RATE: _RATES, ALPHA: Interval.open(1, oo)})
    return region.intersect([Relation(_R0 * Y - X, ">="), Relation(_R0 * X - Y, ">=")])


def _bulk_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    pointwise, moments = premises
    yield from says("pointwise", pointwise, quadratic(), _ratios())
    yield is_ratio_moment(moments)
    positive = Region.make({X: _POSITIVE, Y: _POSITIVE})
    yield holds("chi-square", Relation(X**2 / Y + Y**2 / X - X - Y, ">="), positive)
    yield reflection()
    yield _split()


def _bulk(premises: Premises, _: Params) -> MomentBound:
    """``A1 <= 1 + q^2 alpha (alpha-1) (chi-1)``, ``chi = e^(1/s^2)``: folded about 1/2 on ``(1-z0, z0)``, where Lemma 8
    holds; below ``1-z0`` the ratio ``mu/mu0`` is below 1.

    What Lemma 8 adds to ``mu0 + mu1`` is not negative, and its integral over the whole line is at most
    ``q^2 alpha (alpha-1) (E_{mu0}[r^2] + E_{mu0}[r^-1] - 2)``, twice what is wanted. Where ``q (alpha-1) = 0`` there is
    no z0, or it is infinite, and A is 1.
    """
    right = premises[1].right
    chi = (right.subs(POWER, 2) + right.subs(POWER, -1)) / 2
    intervals = {RATE: Interval.closed(0, 1), NOISE: _POSITIVE, ALPHA: Interval(Integer(1), oo, True, False)}
    return MomentBound("A1", bulk(RATE, NOISE, chi), Region.make(intervals))


register(
    Rule(
        id="sampled-gaussian-bulk",
        title="The part of the moment A below z0",
        citation=Citation("mironov2019", "Lemma 9"),
        premises=(Inequality, Identity),
        conditions=_bulk_conditions,
        conclude=_bulk,
        tightness="upper",
    )
)


def steepness() -> Relation:
    """``(1-q) + q r <= (alpha/((alpha-1) r0)) r`` where ``r >= r0``."""
    return Relation(ALPHA / ((ALPHA - 1) * _R0) * R - ((1 - RATE) + RATE * R), ">=")


def _tail_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    step, half_line = premises
    region = Region.make({R: _POSITIVE, RATE: _RATES, ALPHA: Interval.open(1, oo)})
    yield from says("pointwise", step, steepness(), region.intersect([Relation(R - _R0, ">=")]))
    yield Condition("side", "the second premise is about x > z", "fact", (half_line.side == "right",))
    yield _split()


def _tail(premises: Premises, _: Params) -> MomentBound:
    """``A2 <= (alpha/((alpha-1) r0))^alpha E_mu0[r^alpha; x > z0]``: the inequality to the power alpha under the
    integral, where ``r > r0``.
    """
    moment = premises[1].value.subs({POWER: ALPHA, SPLIT: Z0}, simultaneous=True)
    return MomentBound("A2", (ALPHA / ((ALPHA - 1) * _R0)) ** ALPHA * moment, _parameters())


register(
    Rule(
        id="sampled-gaussian-tail",
        title="The part of the moment A above z0",
        citation=Citation("mironov2019", "Lemma 10", "its first step, the tail kept exactly"),
        premises=(Inequality, HalfLineMoment),
        conditions=_tail_conditions,
        conclude=_tail,
        tightness="upper",
    )
)


def _whole_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    parts = tuple(premise.part for premise in premises) == ("A1", "A2")
    yield Condition("parts", "the first premise is about x < z0, the second about x > z0", "fact", (parts,))


def _whole(premises: Premises, _: Params) -> MomentBound:
    """``A <= A1 + A2``, the sum of the two bounds."""
    below, above = premises
    return MomentBound("A", below.value + above.value, joined(below.region, above.region))


register(
    Rule(
        id="sampled-gaussian-moment-bound",
        title="The moment A from its two parts",
        citation=Citation("mironov2019", "section 3.2"),
        premises=(MomentBound, MomentBound),
        conditions=_whole_conditions,
        conclude=_whole,
        tightness="upper",
    )
)


def _weaker_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    bound, larger = premises
    wanted = Relation(params["value"] - bound.value, ">=")
    yield Condition("sign", "the second premise is not an equation", "fact", (larger.relation.op in (">", ">="),))
    yield vanishes("difference", f"the premise says {wanted}", [larger.relation.expr - wanted.expr], larger.region)


def _weaker(premises: Premises, params: Params) -> MomentBound:
    """``value``, where the second premise says ``value >= bound``."""
    bound, larger = premises
    return MomentBound(bound.part, params["value"], joined(bound.region, larger.region))


register(
    Rule(
        id="weaker-moment-bound",
        title="A larger value bounds the moment too",
        citation=Citation("symdp", "rules.sampled_moments"),
        premises=(MomentBound, Inequality),
        conditions=_weaker_conditions,
        conclude=_weaker,
        tightness="upper",
    )
)

# --- small rates ----------------------------------------------------------------------------------------------------


def _small_rate(premises: Premises, _: Params) -> Limit:
    """``R_alpha/q^2 -> alpha (e^(1/s^2) - 1)/2`` as ``q -> 0``, written with ``q = 1/n``.

    ``A - 1 = E[F(q(r-1))]``, ``F(v) = (1+v)^alpha - 1 - alpha v = alpha (alpha-1) v^2/2 (1 + theta v)^(alpha-2)``.

    Divided by q^2 and for ``q < 1/2`` the integrand is at most a multiple of ``(r-1)^2 (4 + r^alpha)``: dominated.
    """
    curve = log(sampled_moment(ALPHA, 1 / N, NOISE)) / (ALPHA - 1)
    second = premises[0].right.subs(POWER, 2) - 1
    region = Region.make({ALPHA: Interval.open(1, oo), NOISE: _POSITIVE})
    return Limit(curve * N**2, ALPHA * second / 2, N, region)


register(
    Rule(
        id="sampled-gaussian-small-rate",
        title="The Renyi curve of the sampled Gaussian mechanism at small rates",
        citation=Citation("symdp", "rules.sampled_moments", "the second order in q"),
        premises=(Identity,),
        conditions=_sum_conditions,
        conclude=_small_rate,
        tightness="exact",
    )
)
