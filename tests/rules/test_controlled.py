"""Linear SDEs through the control energy: hypotheses that must be refused, mutants, limits and neighbours."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Integer, Matrix

import symdp
from symdp.derivation import derive
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import InputError, Refused
from symdp.judgments import ControllableKernel
from symdp.rule import get_rule, register
from symdp.rules.controlled import hurwitz_determinants
from symdp.text import symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.oracle import MP, gaussian_renyi

DRIFT, NOISE = "-2*x1+x2, x1-3*x2+x3, x2-x3", "1,0,0;0,1,0;0,0,1"
A = [[-2, 1, 0], [1, -3, 1], [0, 1, -1]]
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
START = {"x1": "1", "x2": "0", "x3": "1/3", "xp1": "0", "xp2": "-1/2", "xp3": "0"}
Z = [MP.mpf(1), MP.mpf(1) / 2, MP.mpf(1) / 3]


def value(expr, **more):
    values = START | {"alpha": "5/2", "t": "1/2", "Delta": "1"} | more
    return enclose(expr, {k: v for k, v in values.items() if symbol(k) in expr.free_symbols}, 30)


def direct(t, alpha="5/2", a=A):
    number = MP.mpf(Fraction(alpha).numerator) / Fraction(alpha).denominator
    return gaussian_renyi(a, IDENTITY, t, Z, number)


def test_divergence_flow_and_theorem_6_are_the_direct_value() -> None:
    found = derive(Diffusion(DRIFT, NOISE))
    truth = direct(MP.mpf(1) / 2)
    assert abs(MP.mpf(value(found.divergence.conclusion.value).mid) - truth) < MP.mpf(10) ** -25
    assert found.heat_flow is not None and found.limit.conclusion.value == 0
    assert value(found.heat_flow.conclusion.value).overlaps(value(found.divergence.conclusion.value))
    step = MP.mpf(10) ** -10
    slope = (direct(MP.mpf(1) / 2 - step, "1") - direct(MP.mpf(1) / 2 + step, "1")) / (2 * step)
    assert abs(MP.mpf(value(found.flow.conclusion.kappa).mid) - slope) < MP.mpf(10) ** -15


def test_the_guarantee_is_attained_and_never_exceeded() -> None:
    found = symdp.derive(symdp.Diffusion(DRIFT, NOISE))
    bound = found.evaluate(alpha=2, t=1, Delta=1, digits=30)
    rng, largest = random.Random(7), MP.mpf(0)
    for _ in range(300):
        z = [MP.mpf(rng.gauss(0, 1)) for _ in range(3)]
        z = [e / MP.sqrt(sum(c * c for c in z)) for e in z]
        largest = max(largest, gaussian_renyi(A, IDENTITY, MP.mpf(1), z, MP.mpf(2)))
    assert largest <= MP.mpf(bound.upper) and largest > MP.mpf(bound.lower) * MP.mpf("0.97")


def test_a_repelling_drift_keeps_its_limit() -> None:
    found = derive(Diffusion("2*x1-x2, -x1+3*x2-x3, -x2+x3", NOISE))
    assert found.limit is not None and found.limit.rule.id == "limit-controlled-repelling"
    mirrored = [[-e for e in row] for row in A]
    late = direct(MP.mpf(8), a=mirrored)  # what is left to forget goes like exp(-0.93 t)
    assert abs(MP.mpf(value(found.limit.conclusion.value).mid) - late) < late / 100
    assert value(found.heat_flow.conclusion.value).overlaps(value(found.divergence.conclusion.value))


def test_a_saddle_has_its_exact_value_but_no_limit() -> None:
    found = derive(Diffusion("2*x1+x2, x1-3*x2+x3, x2-x3", NOISE))
    assert found.limit is None and found.flow is None
    saddle = [[2, 1, 0], [1, -3, 1], [0, 1, -1]]
    assert (
        abs(MP.mpf(value(found.divergence.conclusion.value).mid) - direct(MP.mpf(1) / 2, a=saddle)) < MP.mpf(10) ** -25
    )


def test_blocks_are_added_and_the_largest_one_counts() -> None:
    found = symdp.derive(symdp.Diffusion(DRIFT + ", -x4", "1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1/2"))
    block = symdp.derive(symdp.Diffusion(DRIFT, NOISE))
    single = symdp.derive(symdp.Diffusion("-x", "1/2"))
    at = {"alpha": 2, "t": 1}
    both = found.evaluate(at, x=(1, 0, 0, 1), xp=(0, 0, 0, 0), digits=20)
    parts = block.evaluate(at, x=(1, 0, 0), xp=(0, 0, 0), digits=20), single.evaluate(at, x=1, xp=0, digits=20)
    assert abs(MP.mpf(both.mid) - MP.mpf(parts[0].mid) - MP.mpf(parts[1].mid)) < MP.mpf(10) ** -18
    whole = found.evaluate(at, Delta=1, digits=20)
    larger = max(b.evaluate(at, Delta=1, digits=20).upper for b in (block, single))
    assert abs(whole.upper - larger) < 1e-15


@pytest.mark.parametrize(
    ("matrix", "stable"),
    [
        ([[-1]], True),
        ([[0, 1], [-1, -1]], True),
        ([[0, 1], [-1, 0]], False),
        ([[0, 1, 0], [0, 0, 1], [-1, -2, -3]], True),
        ([[0, 1, 0], [0, 0, 1], [-7, -2, -3]], False),  # s^3 + 3 s^2 + 2 s + 7: all coefficients are positive
    ],
)
def test_hurwitz_determinants_tell_stability(matrix, stable) -> None:
    assert all(d > 0 for d in hurwitz_determinants(Matrix(matrix))) is stable
    assert all(MP.re(e) < 0 for e in MP.eig(MP.matrix(matrix))[0]) is stable


def test_hurwitz_determinants_against_eigenvalues_of_random_matrices() -> None:
    rng = random.Random(3)
    seen = set()
    for _ in range(60):
        rows = [[rng.randint(-4, 2) for _ in range(4)] for _ in range(4)]
        stable = all(MP.re(e) < 0 for e in MP.eig(MP.matrix(rows))[0])
        assert all(d > 0 for d in hurwitz_determinants(Matrix(rows))) is stable
        seen.add(stable)
    assert seen == {True, False}


def test_what_does_not_hold_is_refused() -> None:
    process = Diffusion(DRIFT, NOISE)
    drift, noise = tuple(map(tuple, Matrix(A).tolist())), tuple(map(tuple, Matrix(IDENTITY).tolist()))
    kernel = apply("controllable-kernel", process=process, drift=drift, noise=noise)
    assert isinstance(kernel.conclusion, ControllableKernel)
    wrong = ((Integer(-3), *drift[0][1:]), *drift[1:])
    with pytest.raises(Refused, match="drift matrix"):
        apply("controllable-kernel", process=process, drift=wrong, noise=noise)
    with pytest.raises(Refused, match="noise matrix"):
        apply("controllable-kernel", process=process, drift=drift, noise=wrong)
    with pytest.raises(Refused, match="controllable"):  # the third coordinate hears of no noise
        derive(Diffusion("-2*x1+x2, x1-3*x2, x1-x3", "0;0;1"))
    with pytest.raises(Refused, match="Hurwitz"):
        saddle = derive(Diffusion("2*x1+x2, x1-3*x2+x3, x2-x3", NOISE))
        apply("merging-controlled", saddle.kernel)
    with pytest.raises(Refused, match="Lyapunov"):
        repelling = derive(Diffusion("2*x1-x2, -x1+3*x2-x3, -x2+x3", NOISE))
        apply("limit-controlled-repelling", repelling.kernel, limit=noise, precision=noise)


@pytest.mark.parametrize("rule", ["divergence-controlled", "rdp-controlled"])
@pytest.mark.parametrize("factor", [Integer(2), Integer(-1), Integer(1) / 2])
def test_a_mutated_conclusion_is_caught(rule, factor) -> None:
    original = get_rule(rule)

    def conclude(premises, params):
        made = original.conclude(premises, params)
        return replace(made, value=factor * made.value)

    mutant = replace(original, id=f"{rule}-times-{factor}", conclude=conclude)
    register(mutant)
    theorem = apply(mutant.id, derive(Diffusion(DRIFT, NOISE)).kernel)
    truth = MP.mpf(symdp.derive(symdp.Diffusion(DRIFT, NOISE)).evaluate(alpha="5/2", t="1/2", Delta=1, digits=20).mid)
    expected = direct(MP.mpf(1) / 2) if rule == "divergence-controlled" else truth
    assert abs(MP.mpf(value(theorem.conclusion.value).mid) - expected) > abs(expected) / 3


def test_theorems_replay_and_survive_json() -> None:
    found = derive(Diffusion(DRIFT, NOISE))
    for theorem in (found.divergence, found.heat_flow, found.privacy, found.gaussian):
        assert replay(theorem) == theorem
        assert from_json(to_json(theorem)) == theorem


def test_symbols_in_every_entry() -> None:
    found = symdp.derive(symdp.Diffusion("a*x1+b*x2, c*x1+d*x2", "s,0;0,r", params="a real, b real, c real, d real"))
    assert found.status == "proved" and found.assumptions == ()
    at = {"alpha": 2, "t": 1, "Delta": 1, "s": 1, "r": 1}
    for matrix in ((-1, 1, 1, -3), (0, 1, -1, 0), (0, 0, 0, 0)):
        named = dict(zip("abcd", matrix, strict=True))
        general = found.evaluate(at | named, digits=30)
        drift = f"({named['a']})*x1+({named['b']})*x2, ({named['c']})*x1+({named['d']})*x2"
        numbers = symdp.derive(symdp.Diffusion(drift, "1,0;0,1"))
        special = numbers.evaluate({"alpha": 2, "t": 1, "Delta": 1}, digits=30)
        assert general.overlaps(special)


def test_a_control_energy_is_no_coefficient() -> None:
    with pytest.raises(InputError, match="control_energy: no function of a coefficient"):
        Diffusion("control_energy(1, 0, 1, x)", "1")


def test_symbols_in_two_blocks_keep_their_invariant_density() -> None:
    bound = symdp.derive(symdp.Diffusion("x2, -k*x1-g*x2, x4, -m*x3-h*x4", "0,0;1,0;0,0;0,1"))
    density = bound.facts.invariant_density
    assert density is not None and {s.name for s in density.free_symbols} >= {"k", "g", "m", "h"}
