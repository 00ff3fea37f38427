"""The generator, the carre du champ and the diffusion property, against moments of the process differentiated at t = 0.

``L f = d/dt E f(X_t)`` and ``Gamma(f, g) = (1/2) d/dt Cov(f(X_t), g(X_t))``, for exponentials and powers of processes
whose moments are known.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from mpmath import libmp
from sympy import Expr, Rational

import symdp.rules
from symdp import Diffusion, Refused
from symdp.diffusion.calculus import Jets
from symdp.diffusion.operators import Copies, VectorField
from symdp.enclosure import enclose
from symdp.region import Interval, Region
from symdp.rule import rules
from symdp.text import parse_relations, symbol
from symdp.theorem import Theorem, apply, from_json, replay, to_json
from tests.oracle import MP

NAMES = ("u1", "u2", "v11", "v12", "v21", "v22")
GENERIC = Diffusion("u1, u2", "v11, v12; v21, v22", params=", ".join(f"{name} real" for name in NAMES))
ORNSTEIN = Diffusion("-theta*x", "sqrt(2)*rho")
GEOMETRIC = Diffusion("mu*x", "sigma*x", domain="x>0", params="mu real")
FLOW = VectorField(
    (symbol("a1"), symbol("a2")),
    (symbol("x1"), symbol("x2")),
    Region.make({symbol("a1"): Interval.real(), symbol("a2"): Interval.real()}),
)
Values = dict[str, Any]
Powers = tuple[Any, ...]


def exponent(k: Powers, values: Values, t: Any, process: Any) -> tuple[Any, Any]:
    """``log E f(X_t)`` for the k-th test function of the process, as what is at time 0 and what is added by t."""
    if process is GENERIC or process is FLOW:
        u = [values[n] for n in (("u1", "u2") if process is GENERIC else ("a1", "a2"))]
        rows = [[values["v11"], values["v12"]], [values["v21"], values["v22"]]] if process is GENERIC else [[0, 0]] * 2
        along = sum(a * b for a, b in zip(k, u, strict=True))
        spread = sum((k[0] * rows[0][j] + k[1] * rows[1][j]) ** 2 for j in range(2))
        start = k[0] * values["x1"] + k[1] * values["x2"]
        return start, t * (along + spread / 2)
    if process is ORNSTEIN:
        theta, x = values["theta"], values["x"]
        variance = values["rho"] ** 2 * (1 - MP.exp(-2 * theta * t)) / theta
        return k[0] * x, k[0] * x * (MP.exp(-theta * t) - 1) + k[0] ** 2 * variance / 2
    drift, noise = values["mu"], values["sigma"] ** 2
    return k[0] * MP.log(values["x"]), t * (k[0] * drift + k[0] * (k[0] - 1) * noise / 2)


def mean(k: Powers, values: Values, process: Any) -> Callable[[Any], Any]:
    return lambda t: MP.exp(sum(exponent(k, values, t, process)))


def slope(f: Callable[[Any], Any]) -> Any:
    """f'(0), to 15 digits."""
    h = MP.mpf(10) ** -5
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


def jets(k: Powers, values: Values, process: Any, function: str) -> Values:
    """The numbers behind ``f, f_x, f_xx``: of ``exp(<k, x>)``, or of ``x^k`` for geometric Brownian motion."""
    names = Jets(process.state, 2, function).names
    value = mean(k, values, process)(0)
    result = {}
    for index, name in names.items():
        factor = MP.mpf(1)
        for depth, i in enumerate(index):
            factor *= (k[0] - depth) / values["x"] if process is GEOMETRIC else k[i]
        result[name.name] = value * factor
    return result


def number(expr: Expr, values: Values) -> Any:
    exact = {}
    for s in expr.free_symbols:
        exact[s] = Rational(*map(int, libmp.to_rational(MP.mpf(values[s.name])._mpf_)))
    return MP.mpf(enclose(expr, exact, digits=20).mid)


def close(a: Any, b: Any) -> bool:
    return bool(abs(a - b) <= MP.mpf(10) ** -9 * (1 + abs(b)))


def draw(rng: random.Random, process: Any) -> tuple[Values, Powers, Powers]:
    some = lambda: MP.mpf(rng.choice((-1, 1)) * rng.randint(1, 12)) / 8  # noqa: E731
    values = {name: some() for name in (*NAMES, "a1", "a2", "x1", "x2", "mu")}
    values |= {name: abs(some()) for name in ("theta", "rho", "sigma", "x")}
    n = len(process.state)
    return values, tuple(some() for _ in range(n)), tuple(some() for _ in range(n))


def is_generator(conclusion: Any, process: Any, values: Values, k: Powers, _: Powers) -> bool:
    return close(number(conclusion.value, values | jets(k, values, process, "f")), slope(mean(k, values, process)))


def is_gamma(conclusion: Any, process: Any, values: Values, k: Powers, m: Powers) -> bool:
    both = tuple(a + b for a, b in zip(k, m, strict=True))
    one, other, together = (mean(power, values, process) for power in (k, m, both))
    truth = slope(lambda t: together(t) - one(t) * other(t)) / 2
    return close(
        number(conclusion.value, values | jets(k, values, process, "f") | jets(m, values, process, "g")), truth
    )


def is_property(conclusion: Any, process: Any, values: Values, k: Powers, _: Powers) -> bool:
    """``phi(y) = y^3``: phi(f) is the test function of three times the exponent."""
    f, triple = mean(k, values, process), mean(tuple(3 * a for a in k), values, process)
    double = mean(tuple(2 * a for a in k), values, process)
    gamma = slope(lambda t: double(t) - f(t) ** 2) / 2
    quantities = {"phi1": 3 * f(0) ** 2, "phi2": 6 * f(0), "Lf": slope(f), "Gamma": gamma}
    return close(number(conclusion.value, quantities), slope(triple))


CHECKS = {"generator": is_generator, "carre-du-champ": is_gamma, "diffusion-property": is_property}
PROCESSES = {"generic": GENERIC, "Ornstein-Uhlenbeck": ORNSTEIN, "geometric": GEOMETRIC, "first order": FLOW}


@pytest.mark.parametrize("rule, name", list(product(CHECKS, PROCESSES)))
def test_true_at_random_instances_and_caught_when_mutated(rule: str, name: str) -> None:
    process, rng = PROCESSES[name], random.Random(rule + name)
    theorem: Theorem = apply(rule, process=process)
    draws = [draw(rng, process) for _ in range(4)]
    holds = lambda conclusion: all(CHECKS[rule](conclusion, process, *instance) for instance in draws)  # noqa: E731
    assert holds(theorem.conclusion)
    value = theorem.conclusion.value
    for mutant in [value + 1] if value == 0 else [2 * value, value / 2, -value]:
        assert not holds(replace(theorem.conclusion, value=mutant))
    assert replay(theorem) == theorem == from_json(to_json(theorem))


def test_a_first_order_operator_has_no_carre_du_champ() -> None:
    assert apply("carre-du-champ", process=FLOW).conclusion.value == 0
    assert apply("carre-du-champ", process=GENERIC).conclusion.value != 0


def test_of_copies_the_part_of_one_coordinate() -> None:
    copies = Copies(ORNSTEIN, symbol("d"))
    for rule in CHECKS:
        one, many = apply(rule, process=ORNSTEIN).conclusion, apply(rule, process=copies).conclusion
        assert many.value == one.value and many.process == copies
    assert "in each of d coordinates" in apply("generator", process=copies).conclusion.statement()


def test_a_coefficient_called_like_a_jet_is_not_taken_for_one() -> None:
    """The drift -f_x x and the derivative f' are two things: their product is not a square. The same for v = g."""
    for rule, process, name in (
        ("generator", Diffusion("-f_x*x", "1"), "f_x"),
        ("carre-du-champ", Diffusion("0", "sqrt(g_x)"), "g_x"),
    ):
        try:
            value = apply(rule, process=process).conclusion.value
        except Refused as refusal:
            assert refusal.hypotheses[-1].name == "names"
        else:
            assert value.diff(symbol(name)) != 0 and value.diff(symbol(name), 2) == 0
    with pytest.raises(Refused, match="'names'"):
        apply("diffusion-property", process=Diffusion("-phi2*x", "1"))


def test_the_coefficients_must_be_defined() -> None:
    for rule in CHECKS:
        with pytest.raises(Refused, match="'defined"):
            apply(rule, process=Diffusion("1/x", "1"))
        assert apply(rule, process=Diffusion("1/x", "1", domain="x>0")).status == "proved"


def test_the_product_rule_needs_every_term(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutated bilinear form, and a mutated Leibniz rule, are refuted by the rules' own hypotheses."""
    chapter = symdp.rules.calculus
    gamma, leibniz = chapter._gamma, chapter._product
    for mutated in (lambda p, f, g: 2 * gamma(p, f, g), lambda p, f, g: gamma(p, f, f)):
        monkeypatch.setattr(chapter, "_gamma", mutated)
        with pytest.raises(Refused, match="'product rule'"):
            apply("carre-du-champ", process=GENERIC)
    with pytest.raises(Refused, match="'chain rule'"):
        monkeypatch.setattr(chapter, "_gamma", lambda p, f, g: gamma(p, f, g) / 2)
        apply("diffusion-property", process=GENERIC)
    monkeypatch.setattr(chapter, "_gamma", gamma)

    def forgetful(f: Jets, g: Jets, n: int) -> tuple[list[Expr], list[list[Expr]]]:
        first, second = leibniz(f, g, n)
        return first, [[e - f[(j,)] * g[(i,)] for j, e in enumerate(row)] for i, row in enumerate(second)]

    monkeypatch.setattr(chapter, "_product", forgetful)
    with pytest.raises(Refused, match="'product rule'"):
        apply("carre-du-champ", process=GENERIC)


def test_one_derivative_of_phi_is_not_enough() -> None:
    """phi(y) = |y|^(3/2) has one continuous derivative; of Brownian motion from 0, E phi(X_t)/t is unbounded."""
    region = apply("diffusion-property", process=ORNSTEIN).conclusion.region
    assert region.interval("smoothness").relations(symbol("smoothness")) == parse_relations("smoothness >= 2")
    moment = lambda t: MP.quad(  # noqa: E731
        lambda z: (abs(z) * MP.sqrt(2 * t)) ** 1.5 * MP.exp(-(z**2) / 2), [-9, -1, 0, 1, 9]
    )
    assert moment(MP.mpf(10) ** -8) / MP.mpf(10) ** -8 > 9 * moment(MP.mpf(10) ** -4) / MP.mpf(10) ** -4


def test_every_rule_of_the_chapter_is_checked() -> None:
    ours = {
        i for i, rule in rules().items() if rule.conclude.__module__ == "symdp.rules.calculus" and "mutant" not in i
    }
    assert ours == set(CHECKS)
