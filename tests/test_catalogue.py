"""The catalogue: what an entry holds, what is derived from it, truths below its bounds, and what must be refused."""

from dataclasses import fields
from random import Random

import numpy as np
import pytest
from sympy import Rational

import symdp
from symdp.claims.chain import Chain
from symdp.decide import is_zero
from symdp.derivation.curvature import derive_by_curvature
from symdp.diffusion.catalogue import CATALOGUE, Entry, lookup
from symdp.text import parse, symbol
from tests.guarantees import value

ROOT2 = 2**0.5


def test_an_entry_holds_no_result():
    assert len(CATALOGUE) >= 25
    assert {f.name for f in fields(Entry)} == {"name", "drift", "diffusion", "citation", "domain", "params", "let"}
    assert all(entry.name == name and entry.citation.locator for name, entry in CATALOGUE.items())


CURVATURES = {
    "bessel-process": "0",
    "radial-ornstein-uhlenbeck": "theta",
    "cox-ingersoll-ross": "k/2",
    "three-halves": "a/2",
    "jacobi": "(sqrt(a-1/2)+sqrt(b-1/2))**2/2",
    "reflected-ornstein-uhlenbeck": "theta",
    "sphere": "1",
    "hyperbolic-plane": "-1",
    "cosh-langevin": "a",
    "logistic-posterior": "1/4",
    "double-well": "-a",
    "gaussian-mixture": "1-m**2",
    "logistic-law": "0",
    "laplace-law": "0",
    "student": "-(n+1)/(8*n)",
    "morse": "0",
    "trigonometric-langevin": "a-b",
    "coupled-langevin": "1/2",
}


@pytest.mark.parametrize(("name", "bound"), CURVATURES.items())
def test_the_curvature_that_is_found(name, bound):
    """Two times tell the bound: ``c(k, t)/c(k, 2t)`` is ``e^{2kt} + 1``."""
    found = symdp.derive(lookup(name).build())
    assert (found.status, found.tightness) == ("proved", "upper")
    t, k = symbol("t"), parse(bound)
    ratio = found.divergence / found.divergence.subs(t, 2 * t)
    wanted = parse(f"exp(2*({bound})*t) + 1") if k != 0 else parse("2")
    point = {s.name: Rational(3 + i, 2) for i, s in enumerate(sorted(found.region.symbols, key=str))}
    point |= {"x": Rational(1, 3), "xp": Rational(2, 5)} if "x" in point else {}
    point |= {"b": Rational(3, 4)} if name == "trigonometric-langevin" else {}
    gap = value(ratio - wanted, **{s.name: point[s.name] for s in (ratio - wanted).free_symbols})
    assert abs(gap) < 1e-20


CHAINS = {
    "double-well": ({"a": 1, "b": 1}, lambda x: x - x**3, -4, 4),
    "cosh-langevin": ({"a": 1}, lambda x: -np.sinh(x), -4, 4),
    "laplace-law": ({"b": 1}, lambda x: -np.sign(x), -10, 10),
    "student": ({"n": 3}, lambda x: -4 * x / (3 + x**2), -11, 11),
    "reflected-ornstein-uhlenbeck": ({"theta": 1, "rho": 1}, lambda x: -x, 0, 8),
}


@pytest.mark.parametrize("name", CHAINS)
def test_bounds_lie_above_truths_at_thirty_points(name):
    params, drift, lower, upper = CHAINS[name]
    found = symdp.derive(lookup(name).build())
    chain, rng, ratios = Chain(drift, lambda x: ROOT2 + 0 * x, lower, upper), Random(3), []
    for i, j in chain.pairs(rng, max(-2, lower), 2, 30):
        t, alpha = Rational(rng.randint(2, 20), 20), rng.choice((Rational(3, 2), Rational(2), Rational(3)))
        point = {"x": Rational(float(chain.nodes[i])), "xp": Rational(float(chain.nodes[j])), "t": t, "alpha": alpha}
        point |= {k: Rational(v) for k, v in params.items()}
        bound = value(found.divergence, **{s.name: point[s.name] for s in found.divergence.free_symbols})
        ratios.append(chain.divergence(i, j, float(t), float(alpha)) / float(bound))
    assert max(ratios) < 1.003, "a truth above the bound"
    assert max(ratios) > 0.2, "the bound says nothing"


@pytest.mark.parametrize(
    ("drift", "diffusion", "domain", "params", "said"),
    [
        ("a - k*x", "sigma*sqrt(x)", "x>=0", ["a<sigma**2/4"], "curvature"),  # below dimension one
        ("1/5 - x", "sqrt(x)", "x>=0", (), "curvature"),
        ("1/4*(1-x) - x", "sqrt(2*x*(1-x))", "0<=x<=1", (), "curvature"),  # a parameter below one half
        ("(1-x) - x/3", "sqrt(2*x*(1-x))", "0<=x<=1", (), "curvature"),
        ("x**3", "1", None, (), "attained in finite time"),
        ("x**2", "1", None, (), "attained in finite time"),
        ("exp(x)", "1", None, (), "attained in finite time"),
        ("sign(x)", "1", None, (), "jump"),  # upwards
        ("-x + 2*sign(x-1)", "1", None, (), "jump"),
        ("0", "1", "x>0", (), "attained in finite time"),  # killed
        ("-sign(x)", "1", "x>-1", (), "ends"),
    ],
)
def test_traps_are_refused(drift, diffusion, domain, params, said):
    process = symdp.Diffusion(drift, diffusion, None, domain, params)
    with pytest.raises(symdp.Refused, match=said):
        if "sqrt" in diffusion:  # a kernel may give a bound where the curvature gives none
            derive_by_curvature(process, (), symdp.Refused("no kernel"))
        else:
            symdp.derive(process)


def test_a_negative_curvature_does_not_decay():
    """On the hyperbolic plane two starts are told apart for ever: the bound falls to half the squared distance."""
    found = symdp.derive(lookup("hyperbolic-plane").build())
    ends = {"x1": "0", "x2": "2", "xp1": "0", "xp2": "1", "alpha": "2"}
    late = value(found.divergence, t="40", **ends)
    assert is_zero(parse("acosh(5/4) - log(2)")) and abs(late - value(parse("log(2)**2"))) < 1e-20


@pytest.mark.parametrize(
    ("drift", "diffusion", "state", "said"),
    [
        ("-2*x1*x2**2 + x1, -2*x2*x1**2", "sqrt(2), 0; 0, sqrt(2)", "x1, x2", r"at x1 = \S+, x2 = "),
        ("-x1*x2**2, -x2*x1**2", "sqrt(2), 0; 0, sqrt(2)", "x1, x2", r"at x1 = \S+, x2 = "),
        ("-x + x**2*sin(x)", "sqrt(2)", None, "at x = "),
        ("x1**3, -x2", "1, 0; 0, 1", "x1, x2", r"at x1 = \S+, x2 = "),
    ],
)
def test_refusals_name_where_the_curvature_runs_away(drift, diffusion, state, said):
    with pytest.raises(symdp.Refused, match=f"runs away: it is at most -.*{said}"):
        symdp.derive(symdp.Diffusion(drift, diffusion, state))


@pytest.mark.parametrize(
    ("drift", "rate"),
    [
        ("-x/4 + 1/(1+exp(x)) - 2/(1+exp(-2*x)) + 3/(1+exp(3*x))", "1/4"),
        ("-x**3 + sin(3*x)", "-3"),
        ("-x + 3*x*exp(-x**2)", None),
        ("-sinh(x) - x**3 + cos(x)", None),
        ("-x - abs(x-1)/2 - abs(x+2)/3", "1/6"),
        ("-b*x*abs(x) - x", "1"),
    ],
)
def test_potentials_as_they_are_typed(drift, rate):
    found = symdp.derive(symdp.Diffusion(drift, "sqrt(2)"))
    assert found.status in ("proved", "certified") and found.rdp is not None
    if rate is not None:
        wanted = parse(f"alpha*({rate})*Delta**2/(2*(exp(2*({rate})*t)-1))")
        point = {"alpha": "2", "t": "1/2", "Delta": "1", "b": "1"}
        gap = value(found.rdp - wanted, **{s.name: point[s.name] for s in (found.rdp - wanted).free_symbols})
        assert abs(gap) < 1e-6
