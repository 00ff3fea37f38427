"""From a pair of starts to neighbours at distance Delta by the intrinsic distance: for every pair, and attained."""

import random
from dataclasses import replace

import pytest
from sympy import Integer, Rational, oo, simplify

import symdp
from symdp import Diffusion, Refused, parse
from symdp.derivation.sensitivity import from_divergence
from symdp.enclosure import enclose
from symdp.rule import rules
from symdp.rules.conditions import ALPHA, DELTA, TIME
from symdp.text import symbol
from symdp.theorem import apply

X, XP = symbol("x"), symbol("xp")
CIR = Diffusion("1-x/2", "sqrt(x)", domain="x>=0")
JACOBI = Diffusion("1-2*x", "sqrt(x*(1-x))", domain="0<x<1")
SKEWED = Diffusion("3/2-3*x", "x", domain="0<x<=1")  # geometric noise: infinitely far to 0
HYPERBOLIC = Diffusion("-x", "sqrt(1+x**2)")
HALF = Diffusion("-x", "sqrt(2)", domain="x>=0")
FALLING = Diffusion("-1+(1-x)/2", "sqrt(1-x)", domain="x<=1")


def value(theorem, **at):
    return enclose(theorem.conclusion.value, {symbol(name): Rational(v) for name, v in at.items()}, 30)


@pytest.fixture(scope="module")
def bounds():
    return {
        name: symdp.derive(process)
        for name, process in {
            "cir": CIR,
            "jacobi": JACOBI,
            "hyperbolic": HYPERBOLIC,
            "half": HALF,
            "falling": FALLING,
        }.items()
    }


DRAWS = {
    "cir": lambda rng: Rational(rng.randint(0, 400), 100),
    "jacobi": lambda rng: Rational(rng.randint(1, 99), 100),
    "hyperbolic": lambda rng: Rational(rng.randint(-300, 300), 100),
    "half": lambda rng: Rational(rng.randint(1, 400), 100),
    "falling": lambda rng: 1 - Rational(rng.randint(1, 400), 100),
}


@pytest.mark.parametrize("name", DRAWS)
def test_it_bounds_every_pair(bounds, name):
    """A falsifier: the bound of no pair of starts at distance at most Delta is larger."""
    rng, bound = random.Random(name), bounds[name]
    privacy = bound.privacy
    assert privacy is not None and (name == "half" or "rdp-of" in "".join(n.rule.id for n in privacy.walk()))
    for _ in range(40):
        x, xp = DRAWS[name](rng), DRAWS[name](rng)
        if x == xp or bound.theorem.region.contains({"x": x, "xp": xp, "t": 1, "alpha": 2}) is not True:
            continue
        pair = value(bound.theorem, alpha=3, t="1/2", x=x, xp=xp)
        assert pair.lower <= value(privacy, alpha=3, t="1/2", Delta=abs(x - xp)).upper


@pytest.mark.parametrize(
    ("name", "end", "inward"), [("cir", 0, 1), ("jacobi", 0, 1), ("jacobi", 1, -1), ("falling", 1, -1)]
)
def test_it_is_attained_at_the_end(bounds, name, end, inward):
    """A witness: pairs next to the end come as near to it as one likes."""
    step, near = Rational(1, 10), Rational(1, 10**12)
    x = end + inward * near
    pair = value(bounds[name].theorem, alpha=2, t=1, x=x + inward * step, xp=x)
    told = value(bounds[name].privacy, alpha=2, t=1, Delta=step)
    assert told.lower > pair.lower > told.lower * Rational(9999, 10000)


def test_constant_noise_is_attained(bounds):
    pair = value(bounds["half"].theorem, alpha=2, t=1, x=3, xp=1)
    told = value(bounds["half"].privacy, alpha=2, t=1, Delta=2)
    assert told.lower <= pair.upper and pair.lower <= told.upper


def test_cox_ingersoll_ross():
    """``sup (sqrt x - sqrt x')^2`` over ``|x - x'| <= Delta`` is Delta, at 0."""
    process = Diffusion("a-k*x", "sigma*sqrt(x)", domain="x>=0", params="4*a>=sigma**2")
    expected = parse("2*alpha*k*Delta/(sigma**2*(exp(k*t)-1))")
    found = symdp.derive(process)
    at = {"alpha": 3, "t": "1/3", "Delta": "1/5", "k": 2, "sigma": "3/2", "a": 1}
    exact = enclose(expected, {symbol(n): Rational(v) for n, v in at.items()}, 30)
    told = found.evaluate(at, digits=30)
    assert told.lower <= exact.upper and exact.lower <= told.upper


def test_far_apart_at_any_distance():
    divergence = symdp.derive(SKEWED).theorem
    assert from_divergence(divergence, ()) == (
        None,
        "starts at distance Delta lie as far apart as one likes in the intrinsic metric near x = 0",
    )
    with pytest.raises(Refused, match="as far apart as one likes"):
        symdp.derive(SKEWED).evaluate(alpha=2, t=1, Delta=1)


COORDINATES = {
    "cir": "2*sqrt(2)*sqrt(x)",
    "hyperbolic": "sqrt(2)*asinh(x)",
    "jacobi": "sqrt(2)*asin(2*x-1)",
}


def factor_of(bounds, name, coordinate):
    fact = bounds[name].theorem.conclusion
    y = parse(coordinate)
    return fact.value / (y - y.subs(X, XP)) ** 2


@pytest.mark.parametrize(
    ("rule", "name", "changes", "said"),
    [
        ("rdp-of-bounded-noise", "hyperbolic", {"least": "2"}, "least noise"),
        ("rdp-of-bounded-noise", "hyperbolic", {"least": "-1"}, "least positive"),
        ("rdp-of-bounded-noise", "hyperbolic", {"least": "1", "coordinate": "sqrt(2)*x"}, "unit coordinate"),
        ("rdp-of-bounded-noise", "hyperbolic", {"least": "1", "factor": "alpha/(8*t)"}, "form"),
        ("rdp-of-bounded-noise", "hyperbolic", {"least": "1", "factor": "alpha*x/(8*t)"}, "factor"),
        ("rdp-of-bounded-noise", "cir", {"least": "1"}, "least noise"),
        ("rdp-of-ends", "cir", {"turn": "1", "low": "0", "high": "0"}, "turn"),
        ("rdp-of-ends", "cir", {"turn": "oo", "low": "1"}, "low"),
        ("rdp-of-ends", "hyperbolic", {"turn": "0", "low": "0", "high": "0"}, "turn"),
    ],
)
def test_refused(bounds, rule, name, changes, said):
    coordinate = changes.get("coordinate", COORDINATES[name])
    given = {"coordinate": parse(coordinate)}
    if "factor" in changes:
        given["factor"] = parse(changes["factor"])
    else:
        given["factor"] = simplify(factor_of(bounds, name, COORDINATES[name]))
    given |= {k: oo if v == "oo" else parse(v) for k, v in changes.items() if k in ("least", "turn", "low", "high")}
    with pytest.raises(Refused, match=said):
        apply(rule, bounds[name].theorem, **given)


@pytest.mark.parametrize(
    ("rule", "name", "given"),
    [
        # the Euclidean form of a distance that is larger near 0
        ("rdp-of-bounded-noise", "cir", {"least": parse("1")}),
        # measured from inside the domain, not from its end
        ("rdp-of-ends", "jacobi", {"turn": Integer(1), "low": parse("sqrt(2)*asin(2/100 - 1)")}),
    ],
)
def test_a_mutated_rule_is_refuted(bounds, rule, name, given):
    """Without its hypotheses the rule says less than a pair of starts has."""
    theorem = bounds[name].theorem
    y = COORDINATES[name]
    coordinate = parse(y)
    factor = factor_of(bounds, name, y)
    careless = replace(rules()[rule], conditions=lambda premises, params: iter(()))
    conclusion = careless.conclude((theorem.conclusion,), {"coordinate": coordinate, "factor": factor, **given})
    pair = {X: Rational(1, 1000), XP: Rational(1, 10) + Rational(1, 1000), TIME: Integer(1), ALPHA: Integer(2)}
    told = enclose(conclusion.value, {**pair, DELTA: Rational(1, 10)}, 20)
    assert told.upper < enclose(theorem.conclusion.value, pair, 20).lower


@pytest.mark.parametrize("rule", ["rdp-of-bounded-noise", "rdp-of-ends"])
def test_several_coordinates_are_refused(rule):
    plane = symdp.derive(Diffusion("-x1, -x2", "1,0;0,1")).theorem
    given = {"least": parse("1")} if rule == "rdp-of-bounded-noise" else {"turn": oo, "low": parse("0")}
    with pytest.raises(Refused, match="one dimension"):
        apply(rule, plane, coordinate=parse("x1"), factor=parse("alpha"), **given)
