"""Rules of the sampled Gaussian mechanism against integrals of densities; mutated copies must be refuted by them.

The checks know only the densities of normal laws: moments are sums over nodes an eighth of a spread apart.
"""

import random
from dataclasses import replace
from functools import lru_cache

import pytest
from sympy import Integer, Rational, erfc, oo

import symdp.rules  # noqa: F401
from symdp.claims.falsify import normal_mean
from symdp.decide import is_zero
from symdp.derivation import sampled_gaussian as derived
from symdp.enclosure import enclose
from symdp.errors import InputError, Refused
from symdp.judgments import Inequality, MomentBound
from symdp.region import Interval, Region
from symdp.rule import get_rule
from symdp.rules.conditions import ALPHA
from symdp.rules.sampled_concentration import convexity
from symdp.rules.sampled_gaussian import NOISE, RATE, SampledGaussian
from symdp.rules.sampled_moments import POWER, SPLIT, quadratic, steepness
from symdp.text import Relation, parse, parse_relations, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import MP, conclude, given, value

SOURCE = random.Random(11)
# rate, noise, order: small and large, and where the tail matters
POINTS = [
    (MP.mpf(q) / 1000, MP.mpf(s) / 10, MP.mpf(a) / 10)
    for q, s, a in (
        (1, 10, 15),
        (20, 40, 40),
        (100, 15, 25),
        (300, 50, 90),
        (500, 20, 110),
        (50, 12, 71),
        (999, 30, 35),
    )
]


def ratio(x, s):
    return MP.exp((2 * x - 1) / (2 * s * s))


def mixture(x, q, s):
    return (1 - q) + q * ratio(x, s)


@lru_cache(maxsize=1000)
def moment(p, q, s):
    """``E_{mu0}[(mu/mu0)^p]``."""
    return normal_mean(MP, lambda x: mixture(x, q, s) ** p, 0, s, -12 * s - 1, max(p, 1) + 12 * s)


@lru_cache(maxsize=1000)
def above(p, z, q, s, left=False):
    """The part of the moment above (or below) z: a smooth integrand on a half line, by Gauss-Legendre."""
    f = lambda x: MP.npdf(x, 0, s) * mixture(x, q, s) ** p  # noqa: E731
    end = min(z, -abs(p)) - 12 * s if left else max(z, p) + 12 * s
    return MP.quad(f, MP.linspace(*sorted((z, end)), 12))


def split_point(q, s, alpha):
    return MP.mpf(1) / 2 + s * s * MP.log(1 + 1 / (q * (alpha - 1)))


def curve(q, s, alpha):
    return MP.log(max(moment(alpha, q, s), moment(1 - alpha, q, s))) / (alpha - 1)


def mutant(rule_id, **changes):
    """A copy of a rule with fields of its conclusion changed."""
    rule = get_rule(rule_id)

    def altered(facts, params):
        fact = rule.conclude(facts, params)
        return replace(fact, **{name: change(getattr(fact, name)) for name, change in changes.items()})

    return replace(rule, id=f"{rule_id} (mutant)", conclude=altered)


def fact(theorem):
    return theorem.conclusion


# --- falsifiers: the points where a conclusion is wrong -------------------------------------------------------------


def wrong_ratio_moments(rule):
    claim = conclude(rule)
    tries = [(MP.mpf(k), s) for k in (-2, "0.5", 2, 5) for s in (MP.mpf(1), MP.mpf(3))]
    return [(k, s) for k, s in tries if differs(value(claim.right, k=k, s=s), moment(k, MP.mpf(1), s))]


def wrong_half_lines(rule):
    found = []
    for side in ("left", "right"):
        claim = conclude(rule, side=side)
        for k, z, s in (("-1", "0.5", "1"), ("2.5", "-1", "2"), ("3", "4", "1.5")):
            k, z, s = map(MP.mpf, (k, z, s))
            truth = above(k, z, MP.mpf(1), s, left=side == "left")
            found += [side] if differs(value(claim.value, k=k, z=z, s=s), truth) else []
    return found


def wrong_sums(rule):
    claim, found = conclude(rule, fact(apply("gaussian-ratio-moment"))), []
    for q, s, _ in POINTS:
        for order in (1, 2, 7):
            terms = (value(claim.term, q=q, s=s, alpha=MP.mpf(order), k=MP.mpf(k)) for k in range(order + 1))
            total = MP.fsum(MP.binomial(order, k) * term for k, term in enumerate(terms))
            found += [(q, s, order)] if differs(total, moment(MP.mpf(order), q, s)) else []
    return found


def wrong_series(rule):
    sides = [fact(apply("gaussian-half-line-moment", side=side)) for side in ("left", "right")]
    claim, found, last = conclude(rule, *sides), [], 30
    for q, s, order in ((MP.mpf("0.3"), MP.mpf(1), MP.mpf("4.5")), (MP.mpf("0.6"), MP.mpf("1.5"), MP.mpf("5.2"))):
        # enclosed, because sympy writes erfc(-x) as 2 - erfc(x), which loses all its digits
        values = {"q": q, "s": s, "alpha": order}
        terms = [MP.mpf(enclose(claim.term, values | {"k": Integer(k)}, 30).mid) for k in range(last + 1)]
        total = MP.fsum(MP.binomial(order, k) * term for k, term in enumerate(terms))
        rest = abs(MP.binomial(order, last) * terms[last])
        found += [(q, s)] if abs(total - moment(order, q, s)) > rest + MP.mpf(10) ** -20 else []
    return found


def wrong_directions(rule):
    relation = conclude(rule, fact(derived.larger_direction().premises[0])).relation
    return [p for p in POINTS if value(relation.expr, **named(p)) < -(MP.mpf(10) ** -25)]


def wrong_from_below(rule):
    relation = conclude(rule, fact(apply("gaussian-ratio-moment"))).relation
    named_moments = [(p, moment(p[2], p[0], p[1])) for p in POINTS]
    return [p for p, true in named_moments if value(relation.expr, **named(p)) < -(MP.mpf(10) ** -20) * true]


def wrong_convexity(rule):
    claim = conclude(rule, *map(fact, derived.concentrated().premises[0].premises[0].premises[2].premises))
    return exceeding(claim.value, lambda q, s, a: moment(a, q, s))


def wrong_bulks(rule):
    claim = conclude(rule, *map(fact, derived.bulk_moment().premises))
    below = lambda q, s, a: moment(a, q, s) - above(a, split_point(q, s, a), q, s)  # noqa: E731
    return exceeding(claim.value, below)


def wrong_tails(rule):
    claim = conclude(rule, *map(fact, derived.exact_tail_moment().premises))
    return exceeding(claim.value, lambda q, s, a: above(a, split_point(q, s, a), q, s))


def wrong_wholes(rule):
    return exceeding(
        conclude(rule, fact(derived.bulk_moment()), fact(derived.exact_tail_moment())).value,
        lambda q, s, a: moment(a, q, s),
    )


def wrong_pairs(rule):
    """Two records u, v in the plane, the sample's sum along both axes; by quadrature in the plane."""
    claim, found = conclude(rule, q=RATE, sigma=NOISE, sensitivity=Integer(1), region=Region()), []
    for q, s, alpha in ((MP.mpf("0.3"), MP.mpf(1), MP.mpf(2)), (MP.mpf("0.1"), MP.mpf("1.5"), MP.mpf("3.5"))):
        weight, shift, sigma = (value(e, q=q, s=s) for e in (claim.weight, claim.shift, claim.sigma))
        bound = curve(weight, sigma / shift, alpha)
        for angle in (0, 1, 3):
            one, other = (MP.mpf(1), MP.mpf(0)), (MP.cos(angle), MP.sin(angle))
            found += [angle] if planar(q, s, alpha, one, other) > bound + MP.mpf(10) ** -12 else []
    return found


def planar(q, s, alpha, u, v):
    """The divergence with and without the record u, where v may be sampled too, in both orders."""
    base = [((MP.mpf(0), MP.mpf(0)), 1 - q), (v, q)]
    more = [(point, w * (1 - q)) for point, w in base]
    more += [((x + u[0], y + u[1]), w * q) for (x, y), w in base]
    step, reach = s / 2, 14
    nodes = [(i * step, j * step) for i in range(-reach, reach + 5) for j in range(-reach, reach + 5)]
    low = high = MP.mpf(0)
    for x, y in nodes:
        p, r = (
            MP.fsum(w * MP.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * s * s)) for (a, b), w in law)
            for law in (more, base)
        )
        low, high = low + p**alpha * r ** (1 - alpha), high + r**alpha * p ** (1 - alpha)
    scale = step * step / (2 * MP.pi * s * s)
    return MP.log(max(low, high) * scale) / (alpha - 1)


def wrong_curves(rule):
    claim = conclude(rule, fact(derived.dominating_pair()), fact(derived.larger_direction()))
    return [p for p in POINTS if differs(value(claim.value, **named(p)), curve(*p))]


def wrong_bounded_curves(rule):
    tight = MomentBound("A", parse("sampled_moment(alpha, q, s)"), Region())
    claim = conclude(rule, fact(derived.dominating_pair()), fact(derived.larger_direction()), tight)
    return exceeding(claim.value, curve)


def wrong_closed_forms(rule, points):
    region = Region.make({ALPHA: Interval.open(1, oo)})
    claim = conclude(rule, fact(derived.dominating_pair()), region=region)
    return exceeding(claim.value, curve, points)


def wrong_limits(rule):
    claim, found = conclude(rule, fact(apply("gaussian-ratio-moment"))), []
    for s, alpha in ((MP.mpf(1), MP.mpf("1.5")), (MP.mpf(2), MP.mpf(4))):
        errors = [
            value(claim.expr, n=n, s=s, alpha=alpha) / value(claim.value, s=s, alpha=alpha) - 1
            for n in (MP.mpf(10) ** 4, MP.mpf(10) ** 8)
        ]
        found += [s] if abs(errors[1]) > abs(errors[0]) / 1000 else []
    return found


def named(point):
    return dict(zip(("q", "s", "alpha"), point, strict=True))


def exceeding(expr, truth, points=POINTS):
    """Points where the truth is above the value, which has 30 digits."""
    return [p for p in points if truth(*p) > value(expr, **named(p)) * (1 + MP.mpf(10) ** -20)]


def differs(a, b):
    return abs(a - b) > MP.mpf(10) ** -20 * (1 + abs(b))


THEOREM_11 = [
    (MP.mpf("0.01"), MP.mpf(5), MP.mpf(10)),
    (MP.mpf("0.2"), MP.mpf(4), MP.mpf(2)),
    (MP.mpf("0.001"), MP.mpf(4), MP.mpf("1.5")),
]
BUN = [
    (MP.mpf("0.1"), MP.mpf("2.3"), MP.mpf("6")),
    (MP.mpf("0.001"), MP.mpf(3), MP.mpf(30)),
    (MP.mpf("0.05"), MP.mpf(8), MP.mpf(2)),
]

FALSIFIERS = {
    "gaussian-ratio-moment": wrong_ratio_moments,
    "gaussian-half-line-moment": wrong_half_lines,
    "sampled-gaussian-sum": wrong_sums,
    "sampled-gaussian-series": wrong_series,
    "sampled-gaussian-larger-direction": wrong_directions,
    "sampled-gaussian-from-below": wrong_from_below,
    "sampled-gaussian-convexity": wrong_convexity,
    "sampled-gaussian-bulk": wrong_bulks,
    "sampled-gaussian-tail": wrong_tails,
    "sampled-gaussian-moment-bound": wrong_wholes,
    "sampled-gaussian-pair": wrong_pairs,
    "sampled-gaussian-rdp": wrong_curves,
    "sampled-gaussian-rdp-of-bound": wrong_bounded_curves,
    "sampled-gaussian-theorem-11": lambda rule: wrong_closed_forms(rule, THEOREM_11),
    "sampled-gaussian-bun": lambda rule: wrong_closed_forms(rule, BUN),
    "sampled-gaussian-unconditional": lambda rule: wrong_closed_forms(rule, POINTS),
    "sampled-gaussian-small-rate": wrong_limits,
}

MUTANTS = [
    ("gaussian-ratio-moment", {"right": lambda e: e.subs(POWER, POWER + 1)}),
    ("gaussian-ratio-moment", {"right": lambda e: e**2}),
    ("gaussian-half-line-moment", {"value": lambda e: e.subs(SPLIT, SPLIT + 1)}),
    ("gaussian-half-line-moment", {"value": lambda e: e.replace(erfc, lambda x: erfc(-x))}),
    ("sampled-gaussian-sum", {"term": lambda e: e.subs(RATE, 1 - RATE)}),
    ("sampled-gaussian-series", {"term": lambda e: e.subs(RATE, 1 - RATE)}),
    ("sampled-gaussian-larger-direction", {"relation": lambda r: Relation(-r.expr, r.op)}),
    ("sampled-gaussian-from-below", {"relation": lambda r: Relation(-r.expr, r.op)}),
    ("sampled-gaussian-from-below", {"relation": lambda r: Relation(r.expr.subs(RATE**ALPHA, RATE), r.op)}),
    ("sampled-gaussian-convexity", {"value": lambda e: e.subs(RATE, RATE**2)}),
    ("sampled-gaussian-bulk", {"value": lambda e: 1 + (e - 1) * Rational(2, 5)}),
    ("sampled-gaussian-tail", {"value": lambda e: e / 5}),
    ("sampled-gaussian-moment-bound", {"value": lambda e: 1 + (e - 1) / 5}),
    ("sampled-gaussian-pair", {"weight": lambda e: e**2}),
    ("sampled-gaussian-pair", {"shift": lambda e: e / 2}),
    ("sampled-gaussian-pair", {"sigma": lambda e: 2 * e}),
    ("sampled-gaussian-rdp", {"value": lambda e: e * (ALPHA - 1)}),
    ("sampled-gaussian-rdp-of-bound", {"value": lambda e: e * Rational(9, 10)}),
    ("sampled-gaussian-theorem-11", {"value": lambda e: e / 5}),
    ("sampled-gaussian-bun", {"value": lambda e: e / 15}),
    ("sampled-gaussian-unconditional", {"value": lambda e: e * Rational(2, 5)}),
    ("sampled-gaussian-small-rate", {"value": lambda e: 2 * e}),
]


@pytest.mark.parametrize("rule_id", FALSIFIERS)
def test_no_instance_violates_the_rule(rule_id):
    assert FALSIFIERS[rule_id](get_rule(rule_id)) == []


@pytest.mark.parametrize(("rule_id", "changes"), MUTANTS)
def test_mutants_are_refuted(rule_id, changes):
    assert FALSIFIERS[rule_id](mutant(rule_id, **changes))


def test_every_rule_of_the_two_chapters_is_tried():
    from symdp.rule import rules

    ours = {r.id for r in rules().values() if r.conclude.__module__.startswith("symdp.rules.sampled_")}
    assert ours - set(FALSIFIERS) == {"weaker-moment-bound"}
    assert set(FALSIFIERS) <= {rule_id for rule_id, _ in MUTANTS}


# --- premises that are not the ones asked for -----------------------------------------------------------------------


def claimed(relation, where):
    relations = parse_relations(where, place="where")
    symbols = sorted({free for r in relations for free in r.free_symbols}, key=str)
    return given(Inequality(relation, Region.from_relations(relations, symbols)))


def test_the_pointwise_premise_must_be_the_lemma_wherever_it_is_needed():
    moments = apply("gaussian-ratio-moment")
    where = "x>0, y>0, q>0, q<=1, alpha>1, x<=(1+1/(q*(alpha-1)))*y, y<=(1+1/(q*(alpha-1)))*x"
    apply("sampled-gaussian-bulk", claimed(quadratic(), where), moments)
    with pytest.raises(Refused, match="the relation"):
        apply("sampled-gaussian-bulk", claimed(Relation(quadratic().expr + symbol("x"), ">="), where), moments)
    with pytest.raises(Refused, match="pointwise"):
        apply("sampled-gaussian-bulk", claimed(quadratic(), f"{where}, alpha<2"), moments)
    with pytest.raises(Refused, match="moments"):
        apply("sampled-gaussian-bulk", claimed(quadratic(), where), apply("gaussian-ratio-moment", power=Integer(2)))
    inside = "r>0, q>0, q<1, alpha>1"
    apply("sampled-gaussian-convexity", claimed(convexity(), inside), moments)
    with pytest.raises(Refused, match="pointwise"):
        apply("sampled-gaussian-convexity", claimed(convexity(), f"{inside}, alpha<2"), moments)
    with pytest.raises(Refused, match="moments"):
        apply("sampled-gaussian-from-below", apply("gaussian-ratio-moment", power=Integer(2)))
    step = claimed(steepness(), "r>0, q>0, q<=1, alpha>1, r>=1+1/(q*(alpha-1))")
    with pytest.raises(Refused, match="side"):
        apply("sampled-gaussian-tail", step, apply("gaussian-half-line-moment", side="left"))
    with pytest.raises(Refused, match="sides"):
        right = apply("gaussian-half-line-moment", side="right")
        apply("sampled-gaussian-series", right, right)
    with pytest.raises(Refused, match="parts"):
        apply("sampled-gaussian-moment-bound", derived.bulk_moment(), derived.bulk_moment())
    with pytest.raises(Refused, match="whole"):
        apply(
            "sampled-gaussian-rdp-of-bound",
            derived.dominating_pair(),
            derived.larger_direction(),
            derived.bulk_moment(),
        )


def test_a_moment_bound_is_only_made_weaker():
    bound = given(MomentBound("A2", ALPHA, Region.make({ALPHA: Interval.open(1, oo)})))
    larger = claimed(Relation(ALPHA**2 - ALPHA, ">="), "alpha>2")
    weaker = fact(apply("weaker-moment-bound", bound, larger, value=ALPHA**2))
    assert weaker == MomentBound("A2", ALPHA**2, larger.region)
    with pytest.raises(Refused, match="difference"):
        apply("weaker-moment-bound", bound, larger, value=2 * ALPHA)
    with pytest.raises(Refused, match="difference"):
        apply("weaker-moment-bound", bound, larger, value=2 * ALPHA - ALPHA**2)


def test_a_larger_direction_in_other_symbols_is_not_taken():
    other = claimed(
        Relation(parse("sampled_moment(alpha, s, q) - sampled_moment(1-alpha, s, q)"), ">="), "alpha>1, q>0, s>0, s<1"
    )
    with pytest.raises(Refused, match="larger direction"):
        apply("sampled-gaussian-rdp", derived.dominating_pair(), other)


# --- theorems -------------------------------------------------------------------------------------------------------


def test_the_exact_curve_has_the_reference_value_and_replays():
    curve = derived.exact_curve()
    assert curve.tightness == "exact" and curve.status == "proved" and not curve.assumptions
    got = enclose(curve.conclusion.value, {"q": parse("1/10"), "s": Integer(1), "alpha": parse("11/10")}, 15)
    assert got.to_decimal(15)[0].startswith("0.0080985684680738")
    assert replay(curve) == curve
    assert from_json(to_json(curve)) == curve


def test_a_mechanism_with_any_names_and_sensitivity():
    q, sigma, Delta = map(symbol, ("gamma", "sigma", "Delta"))
    region = Region.make({q: Interval.open(0, 1), sigma: Interval.positive(), Delta: Interval.positive()})
    pair = apply("sampled-gaussian-pair", q=q, sigma=sigma, sensitivity=Delta, region=region)
    privacy = fact(derived.exact_curve(pair))
    assert privacy.subject == SampledGaussian(q, sigma) and privacy.sensitivity == Delta
    assert privacy.relation == "add/remove"
    assert str(privacy.value) == "log(sampled_moment(alpha, gamma, sigma/Delta))/(alpha - 1)"


@pytest.mark.parametrize("build", [derived.unconditional, derived.theorem_11, derived.bun, derived.tail_moment])
def test_closed_forms_are_proved_and_replay(build):
    theorem = build()
    assert theorem.status == "proved" and not theorem.assumptions
    assert replay(theorem) == theorem


def test_the_two_roads_to_a_closed_form_agree():
    """The rule for users and the tree of lemmas say the same."""
    pair = derived.dominating_pair()
    rule = apply(
        "sampled-gaussian-unconditional",
        pair,
        region=Region.make({ALPHA: Interval.open(1, oo), RATE: Interval.open(0, 1)}),
    )
    assert is_zero(fact(rule).value - fact(derived.unconditional()).value, rule.region)
    eleven = derived.theorem_11()
    direct = apply("sampled-gaussian-theorem-11", pair, region=eleven.region)
    assert is_zero(fact(direct).value - fact(eleven).value, eleven.region)


@pytest.mark.parametrize(
    ("q", "sigma", "alpha", "name", "violated"),
    [
        ("1/4", "5", "2", "theorem-11", "the sampling rate is at most 1/5"),
        ("1/100", "3", "2", "theorem-11", "the noise is at least 4"),
        ("1/100", "4", "60", "theorem-11", "condition (4)"),
        ("1/5", "4", "41/10", "theorem-11", "condition (5)"),
        ("1/5", "20", "2", "bun", "the sampling rate is at most 1/10"),
        ("1/100", "2", "2", "bun", "the noise is at least sqrt(5)"),
        ("1/100", "3", "21", "bun", "the order is at most s^2 log(1/q)/2"),
    ],
)
def test_outside_its_region_a_closed_form_names_the_violated_condition(q, sigma, alpha, name, violated):
    forms = derived.closed_forms(*map(Rational, (q, sigma, alpha)))
    refusal = forms[f"sampled-gaussian-{name}"]
    assert isinstance(refusal, Refused) and violated in str(refusal)
    assert forms["sampled-gaussian-unconditional"].status == "proved"


def test_closed_forms_at_numbers():
    forms = derived.closed_forms(Rational(1, 100), Rational(10), Integer(8), sensitivity=Integer(2))
    eleven, bun, _ = (fact(theorem).value.subs(ALPHA, 8) for theorem in forms.values())
    assert (eleven, bun) == (Rational(2, 10000) * 8 / 25, Rational(6, 10000) * 8 / 25)
    with pytest.raises(Refused, match="rate"):
        derived.closed_forms(Integer(2), Integer(1), Integer(2))
    with pytest.raises(InputError):
        apply("sampled-gaussian-bun", derived.dominating_pair())


# true where the region says, and something else where the rules look: k = 2, k = -1, every s
_NARROW = (
    ("-5*(abs(k) - k)", {POWER: Interval.positive(), NOISE: Interval.positive()}),
    ("-5*(abs(s - 5) - s + 5)", {POWER: Interval.real(), NOISE: Interval.open(5, oo)}),
    ("0", {POWER: Interval.open(5, 6), NOISE: Interval.positive()}),
)


@pytest.mark.parametrize(("extra", "intervals"), _NARROW)
def test_an_identity_for_some_powers_is_not_the_moments_of_all(extra, intervals):
    ordinary = apply("gaussian-ratio-moment").conclusion
    narrow = apply("identity", left=ordinary.left, right=ordinary.right + parse(extra), region=Region.make(intervals))
    for rule, premises in (
        ("sampled-gaussian-sum", (narrow,)),
        ("sampled-gaussian-small-rate", (narrow,)),
        ("sampled-gaussian-bulk", (given(Inequality(quadratic(), Region())), narrow)),
    ):
        conditions = list(get_rule(rule).conditions(tuple(p.conclusion for p in premises), {}))
        assert [c.args for c in conditions if c.name == "moments"] == [(False,)]
    with pytest.raises(Refused, match="moments"):
        apply("sampled-gaussian-small-rate", narrow)
    assert apply("sampled-gaussian-small-rate", apply("gaussian-ratio-moment")).status == "proved"
