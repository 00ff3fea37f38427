"""Sums of t^k e^{(a + ib)t}: products, integrals and convolutions against sympy's numbers at random points."""

from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf, quad
from sympy import Integer, Rational, Symbol, cancel, lambdify

from symdp.diffusion.exppoly import ExpPoly, multiply, reciprocal

T = Symbol("t", real=True)
small = st.integers(-3, 3)
rates = st.tuples(st.integers(0, 2), small, small)
coefficients = st.tuples(small, small)
sums = st.dictionaries(rates, coefficients, min_size=1, max_size=3).map(
    lambda d: ExpPoly(
        {(k, Integer(a), Integer(b)): (Integer(re), Integer(im)) for (k, a, b), (re, im) in d.items()}, cancel
    )
)


def value(f: ExpPoly, t: float) -> complex:
    """The complex value, by Python floats."""
    import cmath

    return sum(
        complex(float(re), float(im)) * t**k * cmath.exp(complex(float(a), float(b)) * t)
        for (k, a, b), (re, im) in f.terms.items()
    )


def close(a: complex, b: complex, scale: float = 1.0) -> bool:
    return abs(a - b) <= 1e-9 * (scale + abs(a) + abs(b))


@given(sums, sums, st.sampled_from([0.0, 0.3, 0.7]))
@settings(max_examples=60, deadline=None)
def test_ring(f: ExpPoly, g: ExpPoly, t: float) -> None:
    assert close(value(f * g, t), value(f, t) * value(g, t))
    assert close(value(f + g, t), value(f, t) + value(g, t))
    assert value(f + f.scale((Integer(-1), Integer(0))), t) == 0


@given(sums)
@settings(max_examples=25, deadline=None)
def test_integral_and_convolution_against_quadrature(f: ExpPoly) -> None:
    expected = complex(quad(lambda s: value(f, float(s)), [0, 0.8]))
    assert close(value(f.integral(), 0.8), expected, 10)
    rate = (Rational(1, 2), Integer(-1))
    import cmath

    convolved = complex(quad(lambda s: value(f, float(s)) * cmath.exp((0.5 - 1j) * (0.8 - float(s))), [0, 0.8]))
    assert close(value(f.convolve_exponential(rate), 0.8), convolved, 10)
    assert close(value(f.integral(), 0.0), 0)


@given(coefficients.filter(lambda c: c != (0, 0)), coefficients)
def test_complex_pairs(a: tuple[int, int], b: tuple[int, int]) -> None:
    x, y = (tuple(map(Integer, p)) for p in (a, b))
    product = multiply(x, y)  # type: ignore[arg-type]
    assert complex(*map(float, product)) == complex(*a) * complex(*b)
    assert multiply(x, reciprocal(x)) == (1, 0)  # type: ignore[arg-type]


def test_real_part_is_an_expression_of_the_grammar() -> None:
    f = ExpPoly({(1, Integer(-1), Integer(2)): (Rational(1, 2), Integer(0))}, cancel).scale((Integer(2), Integer(0)))
    number = lambdify(T, f.real(T), "mpmath")(mpf(1) / 3)
    assert abs(number - value(f, 1 / 3).real) < 1e-14
    assert mp.dps == 15
