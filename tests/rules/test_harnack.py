"""Curvature bounds: equal to the truth for Ornstein-Uhlenbeck, above it elsewhere; what hypotheses refuse; mutants."""

from dataclasses import replace

import pytest
from sympy import Integer, Rational, zeros

import symdp.rules  # noqa: F401
from symdp.decide import is_zero
from symdp.derivation import derive
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.judgments import Divergence, RenyiDP
from symdp.rule import get_rule
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import conclude, value
from tests.oracle import MP

OU = Diffusion("-theta*x", "sqrt(2)*rho")
WELL = Diffusion("x - x**3", "sqrt(2)")
COSH = Diffusion("-sinh(x)", "sqrt(2)")


def line(process, bound, coordinate="x"):
    return apply("harnack-line", process=process, bound=parse(bound), coordinate=parse(coordinate))


def cox(a, k, sigma, domain="x>0"):
    """Cox-Ingersoll-Ross, its curvature k/2 and its intrinsic coordinate."""
    return Diffusion(f"{a} - {k}*x", f"{sigma}*sqrt(x)", None, domain), f"({k})/2", f"2*sqrt(2)*sqrt(x)/({sigma})"


def cox_truth(a, k, sigma, t, x, xp, alpha):
    """The Renyi divergence of two noncentral chi-square laws, by quadrature."""
    a, k, sigma, t, x, xp = map(MP.mpf, (a, k, sigma, t, x, xp))
    scale = 2 * k / (sigma**2 * (1 - MP.exp(-k * t)))
    order = 2 * a / sigma**2 - 1

    def density(start):
        u = scale * start * MP.exp(-k * t)
        return lambda y: (
            scale
            * MP.exp(-u - scale * y)
            * (scale * y / u) ** (order / 2)
            * MP.besseli(order, 2 * MP.sqrt(u * scale * y))
        )

    p, q = density(x), density(xp)
    whole = MP.quad(lambda y: p(y) ** alpha * q(y) ** (1 - alpha), [0, 0.25, 1, 2, 4, 8, 16, 40])
    return MP.log(whole) / (alpha - 1)


def test_ornstein_uhlenbeck_is_attained():
    bound = line(OU, "theta", "x/rho").conclusion
    exact = derive(OU).divergence.conclusion
    assert is_zero(bound.value - exact.value, bound.region)
    rdp = apply("harnack-rdp", process=OU, bound=parse("theta"))
    assert is_zero(rdp.conclusion.value - derive(OU).privacy.conclusion.value, rdp.region)
    assert isinstance(rdp.conclusion, RenyiDP) and rdp.conclusion.sensitivity == symbol("Delta")


@pytest.mark.parametrize(
    ("process", "bound", "truth"),
    [(WELL, "-1", "1.128134240661715192606"), (COSH, "1", "0.7399233353699168318284")],
)
def test_known_truths_lie_below(process, bound, truth):
    values = {"alpha": "2", "t": "2/5", "x": "1/2", "xp": "-1/2"}
    for theorem in (line(process, bound), apply("harnack-space", process=process, bound=parse(bound))):
        assert theorem.status == "proved" and theorem.tightness == "upper"
        found = value(theorem.conclusion.value, **values)
        assert MP.mpf(truth) <= found <= 2 * MP.mpf(truth)
        assert replay(theorem) == theorem and from_json(to_json(theorem)) == theorem


@pytest.mark.parametrize(
    ("a", "sigma", "domain"), [("2", "1", "x>0"), ("1/2", "1", "x>0"), ("3/10", "1", "x>=0"), ("1/4", "1", "x>=0")]
)
def test_cox_ingersoll_ross_from_dimension_one_on(a, sigma, domain):
    process, bound, coordinate = cox(a, "1", sigma, domain)
    theorem = line(process, bound, coordinate)
    for x, xp in (("1", "1/4"), ("1/10", "2")):
        found = value(theorem.conclusion.value, alpha="2", t="1", x=x, xp=xp)
        expected = 4 * (MP.sqrt(MP.mpf(Rational(x))) - MP.sqrt(MP.mpf(Rational(xp)))) ** 2 / (MP.e - 1)
        assert abs(found - expected) < 1e-20
        truth = cox_truth(Rational(a), 1, Rational(sigma), 1, Rational(x), Rational(xp), 2)
        assert truth <= found


@pytest.mark.parametrize(
    ("a", "domain", "failed"),
    [("1/5", "x>=0", "curvature"), ("3/10", "x>0", "ends"), ("1/5", "x>0", "ends")],
)
def test_cox_ingersoll_ross_below_dimension_one_or_killed_is_refused(a, domain, failed):
    process, bound, coordinate = cox(a, "1", "1", domain)
    with pytest.raises(Refused, match=failed):
        line(process, bound, coordinate)


def test_in_several_dimensions_without_reversibility():
    process = Diffusion("-x1 - 3*x2 - x1**3, 3*x1 - 2*x2", "sqrt(2), 0; 0, sqrt(2)", "x1, x2")
    theorem = apply("harnack-space", process=process, bound=Integer(1))
    assert theorem.status == "proved"
    with pytest.raises(Refused, match="curvature"):
        apply("harnack-space", process=process, bound=Rational(3, 2))
    rdp = apply("harnack-rdp", process=process, bound=Integer(1)).conclusion
    assert is_zero(rdp.value - parse("Delta**2*alpha/(2*(exp(2*t) - 1))"), rdp.region)
    stretched = Diffusion("-x1, -x2", "1, 0; 0, 2", "x1, x2")
    apply("harnack-space", process=stretched, bound=Integer(1))
    with pytest.raises(Refused, match="isotropic"):
        apply("harnack-rdp", process=stretched, bound=Integer(1))


def test_no_curvature_and_flat():
    flat = line(Diffusion("0", "sqrt(2)"), "0").conclusion
    assert isinstance(flat, Divergence) and str(flat.value) == "alpha*(x - xp)**2/(4*t)"
    for process, bound, coordinate, failed in [
        (Diffusion("x**3", "sqrt(2)"), "-1", "x", "ends"),  # explodes
        (WELL, "-1/2", "x", "curvature"),
        (Diffusion("-x", "x"), "1", "sqrt(2)*log(x)", "elliptic|smooth"),  # the noise vanishes at 0
        (COSH, "1", "2*x", "unit coordinate"),
        (COSH, "x", "x", "bound"),
        (Diffusion("-k*x", "sqrt(2)", None, None, ["k real"]), "k", "x", "bound not 0"),
        (Diffusion("-abs(x)", "sqrt(2)"), "-1", "x", "smooth"),
    ]:
        with pytest.raises(Refused, match=failed):
            line(process, bound, coordinate)


def mutant(rule_id, change):
    rule = get_rule(rule_id)
    return replace(rule, id=f"{rule_id} (mutant)", conclude=lambda facts, params: change(rule.conclude(facts, params)))


def wrong(rule):
    """Ornstein-Uhlenbeck and the double well against their truths."""
    found = []
    for theta, t in (("1/2", "1"), ("2", "1/3")):
        params = {"process": OU, "bound": parse("theta")}
        claim = conclude(rule, **params, **({"coordinate": parse("x/rho")} if "line" in rule.id else {}))
        exact = derive(OU).divergence.conclusion.value
        values = {"alpha": "3", "t": t, "theta": theta, "rho": "2", "x": "1", "xp": "-1", "Delta": "2"}
        kept = {name: v for name, v in values.items() if symbol(name) in claim.value.free_symbols}
        truth = value(exact, **{name: v for name, v in values.items() if symbol(name) in exact.free_symbols})
        found += [theta] if value(claim.value, **kept) < truth * (1 - MP.mpf(10) ** -20) else []
    return found


@pytest.mark.parametrize("rule_id", ["harnack-line", "harnack-space", "harnack-rdp"])
def test_no_instance_violates_and_mutants_do(rule_id):
    assert wrong(get_rule(rule_id)) == []
    theta, t = symbol("theta"), symbol("t")
    for change in (
        lambda fact: replace(fact, value=fact.value.subs(theta, 2 * theta)),
        lambda fact: replace(fact, value=fact.value.subs(t, 2 * t)),
        lambda fact: replace(fact, value=fact.value * Rational(99, 100)),
    ):
        assert wrong(mutant(rule_id, change))


def logistic(observations, prior="1/4"):
    """Langevin sampling of a logistic posterior: one term of the drift for each typed observation."""
    n = len(observations[0])
    names = [f"x{i + 1}" for i in range(n)]
    inner = ["+".join(f"({c})*{name}" for c, name in zip(a, names, strict=True)) for a in observations]
    drift = [
        f"-({prior})*{name}" + "".join(f"+({a[i]})/(1+exp({z}))" for a, z in zip(observations, inner, strict=True))
        for i, name in enumerate(names)
    ]
    noise = "; ".join(", ".join("sqrt(2)" if i == j else "0" for j in range(n)) for i in range(n))
    return Diffusion(", ".join(drift), noise, names)


def test_a_posterior_of_many_observations_by_its_parts():
    """Each observation adds a matrix of rank one times a positive function: no large determinant is looked at."""
    process = logistic([(1, 2, 0), (-1, 3, 1), (2, -2, 1), (0, 1, -3), (3, 1, 1), (-2, 0, 1)])
    theorem = apply("harnack-space", process=process, bound=Rational(1, 4))
    (found,) = [item for item in theorem.evidence if item.name == "curvature"]
    assert found.accepted and found.certificate["engine"] == "parts"
    assert replay(theorem) == theorem and from_json(to_json(theorem)) == theorem
    with pytest.raises(Refused, match="curvature"):
        apply("harnack-space", process=logistic([(1, 2)]), bound=Rational(1, 3))
    total = sum((f * m for f, m in calculus.slope_parts(process).items()), zeros(3))
    whole = calculus.curvature_form(process)
    assert all(is_zero(a - b, process.region) for a, b in zip(total, whole, strict=True))


def test_boxes_with_reflecting_ends():
    corner = Diffusion("-x1, -x2+x1/2", "1, 0; 0, 1", "x1, x2", "x1>=0, 0<=x2<=3")
    assert apply("harnack-space", process=corner, bound=Rational(1, 2)).status == "proved"
    for drift, diffusion, domain, failed in (
        ("-x1, -x2", "1, 0; 0, 1", "x1>0", "reflecting box"),
        ("-x1, -x2", "1, 1; 0, 1", "x1>=0", "normal reflection"),
        ("-x1-sqrt(x1), -x2", "1, 0; 0, 1", "x1>=0", "drift up to the ends"),
    ):
        with pytest.raises(Refused, match=failed):
            apply("harnack-space", process=Diffusion(drift, diffusion, "x1, x2", domain), bound=Rational(1, 2))
