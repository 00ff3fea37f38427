"""Independent coordinates: sums of divergences; what shares noise or drift is refused, and mutants."""

import random

import pytest
from sympy import Rational

import symdp.rules  # noqa: F401
from symdp.derivation import derive
from symdp.derivation.products import derive_by_coordinates
from symdp.derivation.truth import find_truth
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.rule import get_rule
from symdp.text import symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import MP, value
from tests.rules.test_circle import divergence, mutated
from tests.rules.test_mutants import without

TORUS = Diffusion("0,0", "1,0;0,s", None, "x1 mod 2*pi, x2 mod 2*pi")


def gaussian(alpha, t, gap, noise=1):
    return alpha * gap**2 / (2 * noise**2 * t)


def test_linear_coordinates_add_up_to_the_linear_process():
    process = Diffusion("-a*x1, b", "s,0;0,1", None, None, "b real")
    found, whole = derive_by_coordinates(process, (), derive), derive(process)
    assert (found.divergence.status, found.divergence.tightness) == ("proved", "exact")
    assert replay(found.divergence) == found.divergence and from_json(to_json(found.divergence)) == found.divergence
    at = {"alpha": "3", "t": "1/2", "x1": "1", "xp1": "-1", "x2": "2", "xp2": "1/4", "a": "2", "s": "3"}
    one, other = (value(d.divergence.conclusion.value, **at) for d in (found, whole))
    assert abs(one - other) < 1e-20 * one


@pytest.mark.parametrize(
    ("process", "failed"),
    [
        (Diffusion("0,0", "1,1;0,1"), "own noise"),
        (Diffusion("x2,0", "1,0;0,1"), "own coefficients"),
        (Diffusion("0,0", "1+x2**2,0;0,1"), "own coefficients"),
        (Diffusion("abs(x2)/x2-x1,-x2", "1,0;0,1"), "smooth coefficient of x1"),  # a jump that no derivative shows
        (Diffusion("0,0", "3+atan(x2)+atan(1/x2),0;0,1"), "smooth coefficient of x1"),
        (Diffusion("0", "1"), "several"),
    ],
)
def test_coordinates_that_are_not_independent_are_refused(process, failed):
    with pytest.raises(Refused, match=failed):
        apply("independent-coordinates", process=process)


def test_coordinates_without_a_hypothesis_are_refuted():
    """``independent-coordinates`` of a process whose coordinates share all their noise: the truth is larger."""
    shared = Diffusion("0,0", "1,9/10;9/10,1")
    independent = apply(without("independent-coordinates", "own noise"), process=shared)
    parts = [derive(shared.coordinate(i)).divergence for i in (0, 1)]
    wrong = apply("independent-divergence", independent, *parts).conclusion
    at = {"alpha": "2", "t": "1", "x1": "1", "xp1": "0", "x2": "0", "xp2": "1"}
    assert value(wrong.value, **at) < value(derive(shared).divergence.conclusion.value, **at)


def low(fact, sensitivity=False):
    """Where a bound of the torus is below the sum of the divergences of both circles."""
    source, found = random.Random(11), []
    for _ in range(25):
        alpha, t = Rational(source.choice((3, 4, 8)), 2), Rational(source.randint(2, 60), 10)
        gaps = [Rational(source.randint(1, 25), 8) for _ in range(2)]
        noises = [1, Rational(source.choice((1, 2, 3)), 2)]
        s = [MP.mpf((n**2 * t / 2).p) / (n**2 * t / 2).q for n in map(Rational, noises)]
        truth = sum(divergence(v, MP.mpf(g.p) / g.q, MP.mpf(alpha.p) / alpha.q) for v, g in zip(s, gaps, strict=True))
        at = {"alpha": str(alpha), "t": str(t), "s": str(noises[1])}
        if sensitivity:
            at["Delta"] = MP.sqrt(sum(MP.mpf(g.p) ** 2 / g.q**2 for g in gaps))
        else:
            at |= {"x1": str(gaps[0]), "xp1": "0", "x2": "-1", "xp2": str(gaps[1] - 1)}
        if value(fact.value, **at) < truth:
            found.append(at)
    return found


def test_sums_and_their_mutants():
    independent = apply("independent-coordinates", process=TORUS)
    parts = [derive(TORUS.coordinate(i)) for i in (0, 1)]
    for name, kind, sensitivity in (
        ("independent-divergence", "divergence", False),
        ("independent-rdp", "privacy", True),
    ):
        rule, facts = get_rule(name), [getattr(part, kind) for part in parts]
        assert apply(name, independent, *facts).status == "proved"
        with pytest.raises(Refused, match="parts"):
            apply(name, independent, *facts[::-1])
        with pytest.raises(Refused, match="parts"):
            apply(name, independent, facts[0])
        conclusions = [independent.conclusion, *(fact.conclusion for fact in facts)]
        assert low(rule.conclude(conclusions, {}), sensitivity) == []
        first = facts[0].conclusion.value
        assert low(mutated(rule, "value", lambda e: e / 3).conclude(conclusions, {}), sensitivity)
        lost = rule.conclude([*conclusions[:-1], conclusions[1]], {})  # the second coordinate taken for the first
        assert low(lost, sensitivity) and first.free_symbols


def test_the_torus_forgets_and_its_truth_is_a_sum():
    found = derive(TORUS)
    at = {"alpha": "2", "s": "1", "x1": "3", "xp1": "0", "x2": "1", "xp2": "-1"}
    late = [value(found.divergence.conclusion.value, t=t, **at) for t in ("20", "30")]
    assert abs(late[1] / late[0] * MP.exp(10) - 1) < 1e-3
    values = {symbol(k): Rational(v) for k, v in {**at, "t": "20"}.items()}
    known = find_truth(TORUS).value(values, 30)
    assert known.proved_digits >= 30
    assert abs(known.mid - divergence(10, 3, 2) - divergence(10, 2, 2)) < 1e-20
    assert known.upper <= late[0] < 1.01 * known.upper
    turned = {**values, symbol("xp2"): Rational(1)}
    assert abs(find_truth(TORUS).value(turned, 20).mid - divergence(10, 3, 2)) < 1e-20


def test_a_box_and_a_cylinder_have_truths():
    box = Diffusion("0,0", "1,0;0,1", None, "0<=x1<=1, x2>=0")
    values = {"alpha": 2, "t": 1, "x1": Rational(1, 4), "xp1": Rational(3, 4), "x2": 2, "xp2": 1}
    known = find_truth(box).value({symbol(k): Rational(v) for k, v in values.items()}, 20)
    parts = []
    for domain, x, xp in (("0<=x<=1", Rational(1, 4), Rational(3, 4)), ("x>=0", 2, 1)):
        at = {"alpha": 2, "t": 1, "x": x, "xp": xp}
        one = find_truth(Diffusion("0", "1", None, domain)).value({symbol(k): Rational(v) for k, v in at.items()}, 25)
        parts.append(one.mid)
    assert abs(known.mid - sum(parts)) < 1e-15
    with pytest.raises(Refused, match="own noise"):
        find_truth(Diffusion("0,0", "1,1;0,1", None, "x1 mod 1"))
