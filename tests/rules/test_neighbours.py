"""Privacy of neighbours: the supremum over every direction of displacement is what the rules conclude, and is
attained.
"""

import random
from dataclasses import replace

import pytest
from mpmath import matrix, mp
from sympy import Integer, Rational

from symdp.derivation import derive
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import Refused
from symdp.rule import get_rule, register
from symdp.text import parse, symbol
from symdp.theorem import apply

SYSTEMS = {
    "isotropic": ("-x1, -x2, -x3", "1,0,0;0,1,0;0,0,1"),
    "anisotropic": ("-x1, -2*x2, -x3/3", "1,0,0;0,2,0;0,0,3"),
    "integrated": ("x2, 0", "0;1"),
    "non-normal": ("-x1+5*x2, -2*x2", "1,0;0,1"),
    "rotating": ("-x1-2*x2, 2*x1-x2", "1,0;0,1"),
    "three coupled": ("-x1+x2, -x2+x3, -x3", "1,0,0;0,1,0;0,0,1"),
}


def number(theorem, **values):
    table = {symbol(k): parse(v) for k, v in values.items() if symbol(k) in theorem.free_symbols}
    return enclose(theorem, table, digits=20).mid


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_direction_exceeds_the_bound_and_one_attains_it(name: str) -> None:
    found = derive(Diffusion(*SYSTEMS[name]))
    assert found.privacy is not None and found.gaussian is not None, found.missing
    d, n = "3/2", found.process.dimension
    bound = number(found.privacy.conclusion.value, alpha="3", t="1/2", Delta=d)
    mu = number(found.gaussian.conclusion.mu, t="1/2", Delta=d)
    assert abs(bound - 3 * mu**2 / 2) < 1e-15 * bound  # R_alpha = alpha mu^2/2

    def at(z):
        point = {symbol(f"x{i + 1}"): z[i] for i in range(n)} | {symbol(f"xp{i + 1}"): Integer(0) for i in range(n)}
        value = found.divergence.conclusion.value.subs(point)
        return number(value, alpha="3", t="1/2")

    basis = [[Integer(int(i == j)) for j in range(n)] for i in range(n)]
    form = matrix(n)
    for i in range(n):
        for j in range(n):
            both = at([a + b for a, b in zip(basis[i], basis[j], strict=True)])
            form[i, j] = (both - at(basis[i]) - at(basis[j])) / 2
    largest = max(mp.eigsy(form, eigvals_only=True))
    assert abs(bound - largest * mp.mpf("2.25")) < 1e-12 * bound
    rng = random.Random(name)
    for _ in range(10):
        z = [Rational(rng.randint(-9, 9), 7) for _ in range(n)]
        size = sum(e**2 for e in z)
        if size:
            assert at(z) / mp.mpf(size.p) * size.q * mp.mpf("2.25") <= bound * (1 + mp.mpf(10) ** -12)


def test_a_mutant_that_takes_the_mean_eigenvalue_is_below_the_truth() -> None:
    rule = get_rule("rdp-linear")

    def mean(premises, params):
        conclusion = rule.conclude(premises, params)
        p = premises[0].precision
        trace = sum(p[i][i] for i in range(len(p))) / len(p)
        return replace(conclusion, value=symbol("alpha") / 2 * trace * symbol("Delta") ** 2)

    register(replace(rule, id="mutant-rdp-linear", conclude=mean))
    found = derive(Diffusion(*SYSTEMS["anisotropic"]))
    wrong = apply("mutant-rdp-linear", found.kernel).conclusion.value
    along = found.divergence.conclusion.value.subs(
        {symbol(f"xp{i}"): 0 for i in (1, 2, 3)} | {symbol("x1"): 1, symbol("x2"): 0, symbol("x3"): 0}
    )
    assert number(wrong, alpha="2", t="1", Delta="1") < number(along, alpha="2", t="1")


def test_a_wrong_precision_matrix_is_refused() -> None:
    found = derive(Diffusion("-x", "1"))
    ((p,),) = found.kernel.params["precision"]
    with pytest.raises(Refused, match="inverse"):
        apply("linear-kernel", **{**found.kernel.params, "precision": ((p / 2,),)})


def test_noise_that_varies_has_no_euclidean_bound() -> None:
    """Geometric Brownian motion: two starts at Euclidean distance 1 can be arbitrarily far apart intrinsically."""
    found = derive(Diffusion("0", "x", domain="x>0"))
    assert found.privacy is None
    with pytest.raises(Refused, match="constant noise"):
        apply("rdp-brownian-doob", found.kernel)
    one = found.divergence.conclusion.value.subs(symbol("xp"), 1 / Integer(10) ** 6).subs(symbol("x"), 1)
    other = found.divergence.conclusion.value.subs(symbol("xp"), 1).subs(symbol("x"), 2)
    assert number(one, alpha="2", t="1") > 100 * number(other, alpha="2", t="1")


def test_a_factor_that_is_no_gaussian_has_no_rule() -> None:
    found = derive(Diffusion("x+4*x/(1+x**2)", "sqrt(2)"))
    assert found.privacy is None and "Gaussian factor" in (found.missing or "")


def test_mehler_and_linear_rules_agree() -> None:
    """Ornstein-Uhlenbeck is both a linear SDE and a Doob transform of the Mehler kernel."""
    process = Diffusion("-2*x", "3")
    linear = derive(process)
    kernel = apply(
        "mehler-doob-kernel", process=process, coordinate=parse("sqrt(2)*x/3"), rate=parse("1"), side=-1, degree=0
    )
    for rule, theorem in (("rdp-mehler-doob", linear.privacy), ("mehler-doob-divergence", linear.divergence)):
        other = apply(rule, kernel).conclusion.value
        values = {"alpha": "7/2", "t": "1/3", "Delta": "2", "x": "1", "xp": "-1"}
        assert theorem is not None
        assert abs(number(other, **values) - number(theorem.conclusion.value, **values)) < 1e-17
    repelling = Diffusion("2*x", "3")
    kernel = apply(
        "mehler-doob-kernel", process=repelling, coordinate=parse("sqrt(2)*x/3"), rate=parse("1"), side=1, degree=0
    )
    ours = number(apply("rdp-mehler-doob", kernel).conclusion.value, alpha="2", t="1/3", Delta="2")
    theorem = derive(repelling).privacy
    assert theorem is not None
    assert abs(ours - number(theorem.conclusion.value, alpha="2", t="1/3", Delta="2")) < 1e-17
