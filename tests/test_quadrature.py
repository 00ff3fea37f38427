"""Certified integrals, against closed forms, against mpmath, and where other integrators are silently wrong."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy as sp
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, exp, oo, pi, sqrt

from symdp.ball import Enclosure, from_arb, mp_context, working_precision
from symdp.enclosure import enclose, evaluate_mp
from symdp.errors import InputError, Undefined, Undetermined
from symdp.quadrature import integral
from symdp.quadrature.rewrite import tidy
from symdp.quadrature.tails import NoBound, tail
from symdp.quadrature.walk import integrand
from symdp.text import parse, symbol

x, alpha, mu, q = (symbol(name) for name in ("x", "alpha", "mu", "q"))

GAUSS = "exp(-x**2/2)/sqrt(2*pi)"
RENYI = "(exp(-x**2/2)/sqrt(2*pi))**alpha*(exp(-(x-mu)**2/2)/sqrt(2*pi))**(1-alpha)"


def holds(value: Enclosure, truth: str | sp.Expr, digits: int) -> None:
    expected = enclose(parse(truth) if isinstance(truth, str) else truth, {}, digits + 15)
    assert value.overlaps(expected)
    assert value.proved_digits >= digits


CLOSED = [
    ("x**3 - x", 0, 2, "2"),
    ("sqrt(x)", 1, 4, "14/3"),
    ("1/(1+x**2)", 0, 1, "pi/4"),
    ("sin(x)", 0, "pi", "2"),
    ("abs(x-1/3)", 0, 1, "5/18"),
    ("x", 3, 1, "-4"),
    ("exp(x)*cosh(x)", "-1", "sqrt(2)", "(exp(2*sqrt(2))-exp(-2))/4 + (sqrt(2)+1)/2"),
    ("tanh(x)", 0, 50, "log(cosh(50))"),
    # ends where a root or a logarithm vanishes
    ("sqrt(1-x)*log(1-x)", 0, 1, "-4/9"),
    ("log(x)", 0, 1, "-1"),
    ("1/sqrt(x*(1-x))", 0, 1, "pi"),
    ("sqrt(1-x**2)", -1, 1, "pi/2"),
    ("x**(-3/4)", 0, 16, "8"),
    ("acos(x)", -1, 1, "pi"),
    ("log(x)**2*x**(1/3)", 0, 1, "27/32"),
    # infinite ranges
    (GAUSS, -oo, oo, "1"),
    ("exp(-x)*x**5", 0, oo, "120"),
    ("exp(-3*x)", 1, oo, "exp(-3)/3"),
    ("exp(x)", -oo, 2, "exp(2)"),
    ("1/cosh(x)**2", -oo, oo, "2"),
    ("exp(-x)/(1+exp(-x))**2", -oo, oo, "1"),
    ("exp(-abs(x))", -oo, oo, "2"),
    ("log(1+exp(-x))", 0, oo, "pi**2/12"),
    ("x/(exp(x)-1)", 1, oo, None),
    ("exp(-x)/sqrt(x)", 0, oo, "sqrt(pi)"),
    # algebraic tails
    ("1/(1+x**2)", -oo, oo, "pi"),
    ("1/(1+x**2)**(3/2)", 0, oo, "1"),
    ("1/(x**2*sqrt(x))", 1, oo, "2/3"),
    ("exp(-1/x)/x**2", 0, 1, "exp(-1)"),
]


class TestClosedForms:
    @pytest.mark.parametrize("digits", [15, 50])
    @pytest.mark.parametrize("text, low, high, truth", CLOSED)
    def test_value(self, text: str, low: Any, high: Any, truth: str | None, digits: int) -> None:
        value = integral(parse(text), x, low, high, {}, digits)
        if truth is not None:
            holds(value, truth, digits)
            return
        context = mp_context(30)
        other = context.quad(lambda z: z / context.expm1(z), [1, 5, 20, 80, context.inf])
        assert abs(context.mpf(value.mid) - other) < 1e-20 and value.proved_digits >= digits

    @pytest.mark.parametrize("text, low, high, truth", [CLOSED[1], CLOSED[8], (GAUSS, -oo, oo, "1")])
    def test_a_thousand_digits(self, text: str, low: Any, high: Any, truth: str) -> None:
        holds(integral(parse(text), x, low, high, {}, 1000), truth, 1000)

    def test_relative_digits_of_tiny_integrals(self) -> None:
        value = integral(parse("exp(-x**2 - 5000)"), x, -oo, oo, {}, 40)
        holds(value, "sqrt(pi)*exp(-5000)", 40)

    def test_exact_zero(self) -> None:
        assert integral(parse("x*cos(x)**3"), x, "-sqrt(2)", "sqrt(2)") == Enclosure(0, 0)
        assert integral(parse("x - x"), x, 0, 1) == Enclosure(0, 0)
        assert integral(parse("exp(x)"), x, 2, 2) == Enclosure(0, 0)

    def test_parameters(self) -> None:
        value = integral(parse("exp(-a*x)*x**b"), x, 0, oo, {"a": "sqrt(2)", "b": "1/2"}, 30)
        holds(value, "sqrt(pi)/2/(sqrt(2)**(3/2))", 30)


class TestKnownSilentErrors:
    def test_renyi_divergence_of_order_32(self) -> None:
        value = integral(parse(RENYI), x, -oo, oo, {"alpha": 32, "mu": 5}, 50)
        holds(value, exp(12_400), 50)
        with working_precision(300):
            divergence = from_arb(value.to_arb().log() / 31)
        assert divergence.contains(400) and divergence.width < 1e-45
        # the integrator this guards against: wrong in the fourth digit with a claimed error of 1e-5385
        context = mp_context(30)
        f = lambda z: context.exp(-16 * z**2 + 31 * (z - 5) ** 2 / 2) / context.sqrt(2 * context.pi)  # noqa: E731
        mistaken = context.log(context.quad(f, [-context.inf, context.inf])) / 31
        assert abs(mistaken - 400) > 1e-3

    def test_the_exponent_has_to_be_expanded(self) -> None:
        typed = parse("exp(-16*x**2 + 31*(x-5)**2/2)/sqrt(2*pi)")
        with working_precision(200):
            raw = integrand(typed, x, {})
            assert not acb.integral(raw, acb(-300), acb(10), eval_limit=20_000).rel_accuracy_bits() > 10
            safe = integrand(tidy(typed, x), x, {})
            assert acb.integral(safe, acb(-300), acb(10)).rel_accuracy_bits() > 100
        holds(integral(typed, x, -oo, oo, {}, 30), exp(12_400), 30)

    def test_root_times_logarithm(self) -> None:
        # integrates to 0 in sympy 1.14
        value = integral(parse("sqrt(1-x)*log(1-x)"), x, 0, 1, {}, 30)
        assert value.contains(Fraction(-4, 9))

    def test_a_branch_cut_near_the_path(self) -> None:
        # without the analytic flag flint returns 4.6694... for this
        assert integral(sqrt(x), x, 1, 4, {}, 15).contains(Fraction(14, 3))
        with working_precision(120):
            wrong = acb.integral(lambda z, analytic: z.sqrt(), acb(1), acb(4)).real
        assert not wrong.contains(arb(14) / 3)

    @pytest.mark.parametrize(
        "text", ["log(x)", "x**(1/3)", "sqrt(x)", "acosh(x+1)", "asin(1-x)", "atanh(1-x)", "x**sqrt(2)", "log(1+(x-1))"]
    )
    def test_not_finite_on_a_cut(self, text: str) -> None:
        with working_precision(100):
            f = integrand(parse(text), x, {})
            across = acb(arb(0, 1), arb(0, 1))
            assert not f(across, True).is_finite()
            assert f(acb(arb(1) / 2, arb(0, 0.001)), True).is_finite()

    @pytest.mark.parametrize("text", ["abs(x)", "sign(x)"])
    def test_kinks_are_not_analytic(self, text: str) -> None:
        with working_precision(100):
            f = integrand(parse(text), x, {})
            assert not f(acb(arb(0, 1), arb(0, 1)), True).is_finite()
            assert f(acb(arb(0, 1)), False).is_finite()


class TestAgainstMpmath:
    @given(
        st.integers(2, 40),
        st.builds(Rational, st.integers(1, 99), st.just(100)),
        st.builds(Rational, st.integers(2, 40), st.just(10)),
    )
    @settings(max_examples=12, deadline=None)
    def test_sampled_gaussian_moments(self, order: int, rate: Any, sigma: Any) -> None:
        # int phi(x) (1 - q + q exp((2x-1)/(2 s^2)))^n is a finite binomial sum for integer n
        typed = parse("exp(-x**2/(2*s**2))/(s*sqrt(2*pi))*((1-q) + q*exp((2*x-1)/(2*s**2)))**n")
        value = integral(typed, x, -oo, oo, {"n": order, "q": rate, "s": sigma}, 25)
        terms = (
            sp.binomial(order, k) * (1 - rate) ** (order - k) * rate**k * exp(Rational(k * k - k) / (2 * sigma**2))
            for k in range(order + 1)
        )
        holds(value, sp.Add(*terms), 25)

    @pytest.mark.parametrize("order", ["67/2", "-67/2"])
    def test_sampled_gaussian_with_little_noise(self, order: str) -> None:
        # both factors vary over thousands of orders of magnitude where the product hardly does
        values = {"n": order, "q": "1/1000", "s": "1/5"}
        ratio = "((1-q) + q*exp((2*x-1)/(2*s**2)))"
        typed = parse(f"exp(-x**2/(2*s**2))/(s*sqrt(2*pi))*{ratio}**n")
        # the same integral from the other law: exp(-x^2/2s^2) = exp(-(x-1)^2/2s^2) / exp((2x-1)/2s^2)
        other = parse(f"exp(-(x-1)**2/(2*s**2))/(s*sqrt(2*pi))*{ratio}**n*exp(-(2*x-1)/(2*s**2))")
        first, second = (integral(f, x, -oo, oo, values, 20) for f in (typed, other))
        assert first.proved_digits >= 20 and first.overlaps(second)
        if order == "67/2":
            # log-convex in the order: between the neighbouring integer moments
            low, high = (integral(typed, x, -oo, oo, {**values, "n": n}, 20) for n in (33, 34))
            assert first.lower**2 <= low.upper * high.upper

    @pytest.mark.parametrize("power", ["-7/2", "9/4"])
    def test_sampled_gaussian_fractional_orders(self, power: str) -> None:
        typed = parse("exp(-x**2/2)/sqrt(2*pi)*(99/100 + exp(x-1/2)/100)**n")
        value = integral(typed, x, -oo, oo, {"n": power}, 20)
        context = mp_context(30)
        n = context.mpf(Fraction(power).numerator) / Fraction(power).denominator
        f = lambda z: context.npdf(z) * (context.mpf(99) / 100 + context.exp(z - 0.5) / 100) ** n  # noqa: E731
        other = context.quad(f, range(-14, 22))
        assert abs(context.mpf(value.mid) - other) < 1e-18

    @pytest.mark.parametrize(
        "text, cut",
        [
            ("exp(-x**4/4 + x**2/2)", 6),
            ("exp(-cosh(x))", 6),
            ("exp(-sqrt(1+x**2))*atan(x)**2", 90),
            ("exp(-x**2/2)*log(1+x**2)/(2+sin(x))", 13),
            ("exp(-x**2)*tanh(x)**2*erfc(x)", 10),
        ],
    )
    def test_densities_of_langevin_diffusions(self, text: str, cut: int) -> None:
        typed = parse(text) if "erfc" not in text else exp(-(x**2)) * sp.tanh(x) ** 2 * sp.erfc(x)
        value = integral(typed, x, -oo, oo, {}, 20)
        context = mp_context(25)
        f = lambda z: evaluate_mp(typed, {x: sp.Float(str(z), 30)}, 25)  # noqa: E731
        step = max(1, cut // 12)
        nodes = list(range(-cut, cut + 1, step))
        rule = [context.quad(lambda z: _mp(typed, context, z), [a, b]) for a, b in itertools.pairwise(nodes)]
        assert abs(context.mpf(value.mid) - context.fsum(rule)) < 1e-15 * max(1, abs(context.mpf(value.mid)))
        assert mpmath.isfinite(f(1))


def _mp(typed: Any, context: Any, z: Any) -> Any:
    from symdp.enclosure.reference import _Evaluator

    evaluator = _Evaluator(context, {})
    evaluator.known[x] = z
    return evaluator(typed)


class TestTails:
    @pytest.mark.parametrize(
        "text, exact",
        [
            ("exp(-x**2/2)", "sqrt(pi/2)*(1-erf(S/sqrt(2)))"),
            ("x**3*exp(-x)", "(S**3+3*S**2+6*S+6)*exp(-S)"),
            ("exp(-2*x)*sin(x)", None),
            ("1/cosh(x)", None),
            ("exp(-x)/(1+exp(-x))**2", "exp(-S)/(1+exp(-S))"),
            ("log(1+exp(-x))", None),
            ("exp(-x)*log(x)**2", None),
        ],
    )
    @pytest.mark.parametrize("start", [8, 20])
    def test_above_the_tail_and_not_far(self, text: str, exact: str | None, start: int) -> None:
        typed = parse(text)
        with working_precision(100):
            bound = tail(typed, x, arb(start))
        truth = integral(typed, x, start, oo, {}, 15)
        assert bound >= abs(truth.to_arb()).lower()
        assert bound < 10**4 * abs(truth.to_arb()).upper()
        if exact is not None and "erf" not in exact:
            assert truth.overlaps(enclose(parse(exact), {"S": start}, 15))

    @pytest.mark.parametrize("text", ["1/x", "1", "exp(x)", "exp(-x)*exp(x)/x", "exp(-1/x)"])
    def test_none_without_decay(self, text: str) -> None:
        with working_precision(100), pytest.raises(NoBound):
            tail(parse(text), x, arb(10))

    @pytest.mark.parametrize("text", ["exp(-x**4)*sqrt(1000-x)", "exp(-x**4)*log(1000-x)", "exp(-x)/(x-50)**2"])
    def test_none_where_the_integrand_ends(self, text: str) -> None:
        with working_precision(100), pytest.raises(NoBound):
            tail(parse(text), x, arb(8))
        with pytest.raises((Undetermined, Undefined)):
            integral(parse(text), x, 0, oo, {}, 15)

    def test_none_before_the_decay(self) -> None:
        with working_precision(100), pytest.raises(NoBound):
            tail(parse("exp(-x**2/2 + 155*x)"), x, arb(100))


class TestRefusals:
    @pytest.mark.parametrize("text, low, high", [("1/x", 1, oo), ("1/(1+x)", 0, oo), ("exp(x)", 0, oo), ("1", 0, oo)])
    def test_divergent_at_infinity(self, text: str, low: Any, high: Any) -> None:
        with pytest.raises(Undetermined):
            integral(parse(text), x, low, high, {}, 15)

    @pytest.mark.parametrize("text, low, high", [("1/x", 0, 1), ("1/x**2", 0, 1), ("1/(x-1)**2", 0, 3)])
    def test_divergent_at_a_pole(self, text: str, low: Any, high: Any) -> None:
        with pytest.raises((Undetermined, Undefined)):
            integral(parse(text), x, low, high, {}, 15)

    @pytest.mark.parametrize("text, low, high", [("sqrt(x)", -1, 4), ("log(x)", -2, 2), ("x**(1/3)", -8, 8)])
    def test_no_real_integrand(self, text: str, low: Any, high: Any) -> None:
        with pytest.raises(Undefined):
            integral(parse(text), x, low, high, {}, 15)

    def test_a_value_is_missing(self) -> None:
        with pytest.raises(InputError, match="no value for a"):
            integral(parse("a*x"), x, 0, 1)

    def test_undefined_constants(self) -> None:
        with pytest.raises(Undefined):
            integral(parse("x*log(a)"), x, 0, 1, {"a": -1})

    def test_ends_are_exact(self) -> None:
        holds(integral(sp.S.One, x, 0.5, "3/2"), "1", 40)
        with pytest.raises(InputError):
            integral(sp.S.One, x, 0, alpha)

    def test_pi_as_an_end(self) -> None:
        holds(integral(sp.cos(x), x, -pi / 2, pi / 2, {}, 30), "2", 30)
