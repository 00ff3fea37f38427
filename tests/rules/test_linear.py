"""The linear rules against direct Gaussian values; mutated copies must be caught by the same comparison."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Expr, Integer, Matrix, Rational, exp

from symdp.derivation import derive
from symdp.diffusion.linear import solve_block
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import Refused
from symdp.rule import get_rule, register
from symdp.rules.linear import linear_part
from symdp.text import symbol
from symdp.theorem import apply, replay
from tests.oracle import MP, gaussian_renyi

SYSTEMS = {
    "Brownian motion": ("0", "sqrt(2)", [[0]], [[1.4142135623730950488016887242096980785696718753769]]),
    "attracting": ("-2*x", "3", [[-2]], [[3]]),
    "repelling": ("x/2", "1", [[Fraction(1, 2)]], [[1]]),
    "integrated Brownian motion": ("x2, 0", "0; 1", [[0, 1], [0, 0]], [[0], [1]]),
    "underdamped": ("x2, -x1-x2", "0; 1", [[0, 1], [-1, -1]], [[0], [1]]),
    "overdamped": ("x2, -x1-3*x2", "0; 1", [[0, 1], [-1, -3]], [[0], [1]]),
    "critical": ("x2, -x1-2*x2", "0; 1", [[0, 1], [-1, -2]], [[0], [1]]),
    "rotating": ("-x1-2*x2, 2*x1-x2", "1,0;0,1", [[-1, -2], [2, -1]], [[1, 0], [0, 1]]),
    "non-normal": ("-x1+5*x2, -2*x2", "1,0;0,1", [[-1, 5], [0, -2]], [[1, 0], [0, 1]]),
    "decimals": (
        "-0.137*x1+x2, -0.52*x2",
        "1,0;0,1",
        [[Fraction(-137, 1000), 1], [0, Fraction(-13, 25)]],
        [[1, 0], [0, 1]],
    ),
    "sevenths": (
        "-x1/7-x2, -0.123*x2",
        "1,0;0,1",
        [[Fraction(-1, 7), -1], [0, Fraction(-123, 1000)]],
        [[1, 0], [0, 1]],
    ),
    "saddle": ("x1, -x2+x1", "1,0;0,1", [[1, 0], [1, -1]], [[1, 0], [0, 1]]),
    "cubic": (
        "-2*x1+x2, x1-3*x2+x3, x2-x3",
        "1,0,0;0,1,0;0,0,1",
        [[-2, 1, 0], [1, -3, 1], [0, 1, -1]],
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    ),
    "cubic, one noise": ("-2*x1+x2, x1-3*x2+x3, x2-x3", "1;0;0", [[-2, 1, 0], [1, -3, 1], [0, 1, -1]], [[1], [0], [0]]),
    "five": (
        "x2-x1, x3-x2, x4-x3, x5-x4, -x5-x1/2",
        "0;0;0;0;1",
        [[-1, 1, 0, 0, 0], [0, -1, 1, 0, 0], [0, 0, -1, 1, 0], [0, 0, 0, -1, 1], [Fraction(-1, 2), 0, 0, 0, -1]],
        [[0], [0], [0], [0], [1]],
    ),
    "three": ("-x1+x2, -x2+x3, -x3", "0;0;1", [[-1, 1, 0], [0, -1, 1], [0, 0, -1]], [[0], [0], [1]]),
}


def mp(value):
    return MP.mpf(value.numerator) / value.denominator if isinstance(value, Fraction | int) else MP.mpf(value)


def truth(name: str, t: Fraction, z: list[Fraction], alpha: Fraction):
    _, _, a, b = SYSTEMS[name]
    if name == "Brownian motion":
        b = [[MP.sqrt(2)]]
    rows = lambda m: [[mp(e) if not isinstance(e, MP.mpf) else e for e in r] for r in m]  # noqa: E731
    return gaussian_renyi(rows(a), rows(b), mp(t), [mp(e) for e in z], mp(alpha))


def at(process: Diffusion, value: Expr, t: Fraction, z: list[Fraction], alpha: Fraction):
    names = ["x"] if process.dimension == 1 else [f"x{i + 1}" for i in range(process.dimension)]
    starts = {symbol(n): Integer(0) + Rational(e.numerator, e.denominator) for n, e in zip(names, z, strict=True)}
    starts |= {symbol(n.replace("x", "xp")): Integer(0) for n in names}
    times = {
        symbol("t"): Rational(t.numerator, t.denominator),
        symbol("alpha"): Rational(alpha.numerator, alpha.denominator),
    }
    return enclose(value, {k: v for k, v in (starts | times).items() if k in value.free_symbols}, digits=25)


def agrees(name: str, process: Diffusion, value: Expr) -> bool:
    """Whether ``value`` is the direct Gaussian divergence at random points."""
    rng = random.Random(name)
    for _ in range(3):
        t, alpha = Fraction(rng.randint(1, 8), 4), Fraction(rng.randint(5, 40), 4)
        z = [Fraction(rng.randint(-6, 6), 3) for _ in process.state]
        ours, expected = at(process, value, t, z, alpha), truth(name, t, z, alpha)
        if abs(MP.mpf(ours.mid) - expected) > MP.mpf(10) ** -18 * (1 + abs(expected)):
            return False
    return True


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_divergence_is_the_direct_gaussian_value(name: str) -> None:
    process = Diffusion(*SYSTEMS[name][:2])
    found = derive(process)
    assert found.divergence.tightness == "exact" and found.divergence.status == "proved"
    assert agrees(name, process, found.divergence.conclusion.value)
    if found.heat_flow is not None:  # Theorem 6 with its limit term is an equality for Gaussian kernels
        assert agrees(name, process, found.heat_flow.conclusion.value)
    assert (found.heat_flow is None) == (name == "saddle")


@pytest.mark.parametrize("factor", [Rational(1, 2), Integer(2), Integer(-1)])
def test_a_mutated_factor_is_caught(factor: Expr) -> None:
    process = Diffusion(*SYSTEMS["underdamped"][:2])
    conclusion = derive(process).divergence.conclusion
    assert not agrees("underdamped", process, replace(conclusion, value=factor * conclusion.value).value)


def wrong_parts(process: Diffusion, change) -> dict:
    a = linear_part(process)
    block = solve_block(a, process.noise, [0, 1], symbol("t"), lambda e: 1 if e > 0 else -1 if e < 0 else 0)
    return change({"backward": block.backward, "gramian": block.gramian, "precision": block.precision})


def test_wrong_matrices_are_refused() -> None:
    process = Diffusion(*SYSTEMS["rotating"][:2])
    t = symbol("t")

    def scaled(parts, key, factor):
        return parts | {key: tuple(tuple(factor * e for e in row) for row in parts[key])}

    for change, hypothesis in [
        (lambda p: scaled(p, "gramian", 2), "Gramian"),
        (lambda p: scaled(p, "precision", 2), "inverse"),
        (lambda p: scaled(p, "backward", 2), "exponential"),
        (lambda p: p | {"backward": tuple(tuple(e.subs(t, -t) for e in row) for row in p["backward"])}, "exponential"),
    ]:
        with pytest.raises(Refused) as caught:
            apply("linear-kernel", process=process, **wrong_parts(process, change))
        assert caught.value.hypotheses[-1].name == hypothesis


@pytest.mark.parametrize(
    "drift, diffusion",
    [("x2, -x1", "0, 0; 0, 0.5"), ("-x1, -x2", "1; 0"), ("-x1, -x2", "1; 1"), ("x2, 0", "1; 0")],
)
def test_noise_that_leaves_a_direction_out_is_refused_or_controllable(drift: str, diffusion: str) -> None:
    """Kalman's rank decides: only the first of these systems reaches every direction."""
    process = Diffusion(drift, diffusion)
    if drift == "x2, -x1":
        assert derive(process).divergence.status == "proved"
        return
    with pytest.raises(Refused) as caught:
        derive(process)
    assert any(h.name.startswith("controllable") and h.verdict == "refuted" for h in caught.value.hypotheses)


def test_without_controllability_the_rule_would_divide_by_zero() -> None:
    """A mutated copy without Kalman's condition and the inverse accepts a kernel whose Gramian is singular."""
    original = get_rule("linear-kernel")
    register(
        replace(
            original,
            id="mutant-linear-kernel",
            conditions=lambda p, q: [
                c for c in original.conditions(p, q) if c.name != "inverse" and not c.name.startswith("controllable")
            ],
        )
    )
    process = Diffusion("-x1, -x2", "1; 1")
    t = symbol("t")
    decay, growth = exp(t), exp(2 * t) / 2 - Rational(1, 2)
    parts = {
        "backward": ((decay, Integer(0)), (Integer(0), decay)),
        "gramian": ((growth, growth), (growth, growth)),
        "precision": ((Integer(1), Integer(0)), (Integer(0), Integer(1))),
    }
    accepted = apply("mutant-linear-kernel", process=process, **parts)
    assert Matrix([list(r) for r in accepted.conclusion.gramian]).det().expand() == 0
    with pytest.raises(Refused, match="controllable"):
        apply("linear-kernel", process=process, **parts)


def test_merging_needs_a_drift_that_repels_nowhere() -> None:
    repelling = derive(Diffusion("x/2", "1"))
    assert any(e.verdict == "refuted" for e in repelling.merging)
    assert repelling.limit is not None and repelling.limit.conclusion.value != 0
    attracting = derive(Diffusion("-x/2", "1"))
    assert attracting.limit is not None and attracting.limit.conclusion.value == 0
    with pytest.raises(Refused, match="spectrum"):  # a spectrum that is not the drift's
        apply("merging-linear", repelling.kernel, spectrum=((Integer(-1), Integer(0), 1),))


def test_the_sign_of_a_parameter_does_not_matter_for_the_exact_value() -> None:
    found = derive(Diffusion("a*x", "s", params="a real"))
    for a in (Rational(1, 3), Rational(-1, 3)):
        value = found.divergence.conclusion.value.subs({symbol("a"): a, symbol("s"): 1})
        expected = gaussian_renyi([[mp(Fraction(int(a.p), int(a.q)))]], [[1]], MP.mpf(1), [MP.mpf(1)], MP.mpf(3))
        ours = at(found.process, value, Fraction(1), [Fraction(1)], Fraction(3))
        assert abs(MP.mpf(ours.mid) - expected) < MP.mpf(10) ** -18


def test_an_open_discriminant_has_one_theorem_for_both_sides() -> None:
    process = Diffusion("x2, -k*x1-g*x2", "0; sqrt(2*g)")
    found = derive(process)
    assert "where k > g**2/4 there is one" in found.notes[0]
    assert found.process.params == process.params and found.limit is not None
    closed = derive(Diffusion("x2, -k*x1-g*x2", "0; sqrt(2*g)", params="k > g**2/4"))
    assert not closed.notes
    values = {symbol(n): Rational(1) for n in ("k", "g", "t", "x1", "xp2")}
    values |= {symbol(n): Rational(0) for n in ("x2", "xp1")} | {symbol("alpha"): Rational(2)}
    for name in ("divergence", "flow"):
        exprs = []
        for d in (found, closed):
            conclusion = getattr(d, name).conclusion
            exprs.append(conclusion.value if name == "divergence" else conclusion.kappa)
        one, other = (enclose(e, {s: v for s, v in values.items() if s in e.free_symbols}, 40) for e in exprs)
        assert one.overlaps(other)


def test_theorems_replay_and_survive_json() -> None:
    from symdp.theorem import from_json, to_json

    found = derive(Diffusion("-theta*x", "sqrt(2)*rho"))
    for theorem in (found.divergence, found.heat_flow, found.privacy, found.gaussian):
        assert theorem is not None
        assert replay(theorem) == theorem
        assert from_json(to_json(theorem)) == theorem


@pytest.mark.parametrize("digits", [50, 1000])
@pytest.mark.parametrize("name", [name for name in SYSTEMS if name != "decimals"])
def test_fifty_and_a_thousand_digits(name: str, digits: int) -> None:
    """The enclosure holds the direct Gaussian value, computed from one matrix exponential at a higher precision."""
    process = Diffusion(*SYSTEMS[name][:2])
    value = derive(process).divergence.conclusion.value
    t, alpha, z = Fraction(1, 2), Fraction(5, 2), [Fraction(k + 1, 3) for k in range(process.dimension)]
    names = ["x"] if process.dimension == 1 else [f"x{i + 1}" for i in range(process.dimension)]
    point = {symbol("t"): Rational(1, 2), symbol("alpha"): Rational(5, 2)}
    for n, e in zip(names, z, strict=True):
        point |= {symbol(n): Rational(e.numerator, e.denominator), symbol(n.replace("x", "xp")): Integer(0)}
    found = enclose(value, {k: v for k, v in point.items() if k in value.free_symbols}, digits=digits)
    precision = MP.dps
    try:
        MP.dps = digits + 40
        assert abs(MP.mpf(found.mid) - truth(name, t, z, alpha)) < MP.mpf(10) ** -digits * 10 * (1 + abs(found.mid))
    finally:
        MP.dps = precision
    assert found.proved_digits >= digits
