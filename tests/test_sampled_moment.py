"""The moment of the sampled Gaussian as a function of the grammar: text, values, boxes, decisions."""

import subprocess
import sys
from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symdp.ball import arb_of, from_arb, mp_context, working_precision
from symdp.codec import decode, encode
from symdp.decide import Proved, Refuted, decide, is_zero, recheck
from symdp.diffusion.process import Diffusion
from symdp.enclosure import compile_range, enclose, evaluate_mp, real
from symdp.enclosure.moment import _elementary
from symdp.errors import InputError, Undefined, Undetermined
from symdp.extremum import infimum, supremum
from symdp.extremum.interval import Range
from symdp.extremum.program import Program
from symdp.mechanisms import sampled_gaussian
from symdp.quadrature import integral
from symdp.region import Interval, Region
from symdp.render.latex import expression
from symdp.text import exact, parse, parse_relations, parse_with_conditions, symbol, to_text
from symdp.text.moment import sampled_moment
from symdp.tower import Outside, derivative

p, q, s = map(symbol, "pqs")
MOMENT = parse("sampled_moment(p, q, s)")


def region(text: str) -> Region:
    relations = parse_relations(text)
    symbols = sorted({v for r in relations for v in r.free_symbols}, key=str)
    return Region.make({v: Interval.real() for v in symbols}).intersect(relations)


def by_quadrature(order: Fraction, rate: Fraction, scale: Fraction, digits: int) -> mpmath.mpf:
    """The mean by the trapezoidal rule in mpmath, written for the test alone: halved until two steps agree."""
    context = mp_context(digits + 25)
    a, b, c = (context.mpf(v.numerator) / v.denominator for v in (order, rate, scale))
    far = context.sqrt(2 * digits * context.log(10)) + 4
    low, high = min(context.zero, a / c) - far, max(context.zero, a / c) + far

    def density(z):
        return context.exp(-z * z / 2 + a * context.log1p(b * context.expm1(z / c - 1 / (2 * c * c))))

    previous, n = None, 64
    while True:
        h = (high - low) / n
        value = h * context.fsum(density(low + k * h) for k in range(n + 1)) / context.sqrt(2 * context.pi)
        if previous is not None and abs(value - previous) < abs(value) * context.mpf(10) ** (-digits - 2):
            return value
        previous, n = value, 2 * n


def close(found, value, digits: int) -> bool:
    return found.proved_digits >= digits and abs(found.mid - value) <= abs(found.mid) * mpmath.mpf(10) ** (1 - digits)


# -- text --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "sampled_moment(p, q, s)",
        "log(sampled_moment(alpha, q, sigma))/(alpha - 1)",
        "sampled_moment(1 - p, q, s) + sampled_moment(3/2, 1/1000, s*sqrt(2))**2",
        "1/sampled_moment(-1/2, 1, 3)",
        "exp(sampled_moment(2, 1/2, 1))*sampled_moment(2, 1/2, 1)**sqrt(2)",
    ],
)
def test_read_back_as_written(text: str) -> None:
    expr = parse(text)
    assert parse(to_text(expr)) == expr == decode(encode(expr)) and to_text(expr) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sampled_moment(2, 1/2)", "has 2 arguments; write sampled_moment.p, q, s."),
        ("sampled_moment(2, 3, 1)", "not a real number; 0 <= q <= 1"),
        ("sampled_moment(2, -1/9, 1)", "not a real number"),
        ("sampled_moment(2, 1/2, 0)", "not a real number"),
        ("sampled_moment(2, 1/2, -s**2)", "no real value, whatever the symbols"),
        ("sampled_moment", "needs an argument"),
        ("sampledmoment(2, 1/2, 1)", "did you mean sampled_moment"),
        ("log(-sampled_moment(2, 1/2, 1))", "not a real number"),
    ],
)
def test_bad_calls_are_named_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        parse(text)
    assert "\n" not in str(error.value)


def test_conditions() -> None:
    found = parse_with_conditions("log(sampled_moment(p, q, s))").conditions
    assert [str(r) for r in found] == ["q >= 0", "q <= 1", "s > 0"]
    assert parse_with_conditions("sampled_moment(x, 1/2, 3)").conditions == ()


def test_a_constant_moment_is_a_value() -> None:
    constant = parse("sampled_moment(2, 1/2, 1)")
    assert exact(constant) == constant
    assert enclose(parse("log(x)"), {"x": constant}, 20).overlaps(enclose(parse("log((3 + exp(1))/4)"), {}, 30))


def test_it_is_no_coefficient() -> None:
    with pytest.raises(InputError, match="sampled_moment: no function of a coefficient"):
        Diffusion("sampled_moment(2, 1/2, 1 + x**2)", "1")


def test_latex() -> None:
    assert expression(parse("sampled_moment(1 - alpha, q, sigma)**2")) == (
        r"\mathcal{M}_{1 - \alpha}^{2}\left(q, \sigma\right)"
    )


def test_the_integral_is_loaded_only_where_it_is_needed() -> None:
    code = "import sys, symdp.extremum; sys.exit(any('sampled_gaussian' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# -- values ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "rate", "scale"),
    [
        ("7/2", "1/100", "1"),
        ("3", "1e-8", "50"),
        ("1001/1000", "1/3", "2"),
        ("32", "0.99", "3/10"),
        ("300", "1/50", "5"),
        ("611/2", "1e-3", "10"),
        ("-5", "0.99", "3/10"),
        ("-1/7", "1e-8", "1"),
        ("-40", "1/4", "2"),
        ("1/2", "1/3", "1/2"),
        ("0.9", "1e-4", "50"),
        ("1e-3", "0.9", "1"),
    ],
)
def test_against_quadrature_and_the_second_engine(order: str, rate: str, scale: str) -> None:
    at = {"p": order, "q": rate, "s": scale}
    found = enclose(MOMENT, at, 40)
    assert close(found, evaluate_mp(MOMENT, at, 42), 40)
    exact = [Fraction(v) for v in at.values()]
    assert close(found, by_quadrature(*exact, 25), 25)


@given(
    st.fractions(min_value=-6, max_value=12, max_denominator=50),
    st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(99, 100), max_denominator=1000),
    st.fractions(min_value=Fraction(1, 3), max_value=20, max_denominator=10),
)
@example(Fraction(0), Fraction(1, 2), Fraction(1))
@example(Fraction(1), Fraction(1, 2), Fraction(1))
def test_against_the_divergences_of_the_mechanism(order: Fraction, rate: Fraction, scale: Fraction) -> None:
    at = {"p": order, "q": rate, "s": scale}
    found = enclose(MOMENT, at, 30)
    if order in (0, 1):
        assert found.lower == found.upper == 1
    elif 0 < order < 1:
        assert found.upper < 1
    else:
        alpha, direction = (order, "forward") if order > 1 else (1 - order, "reverse")
        log = sampled_gaussian.log_moment(rate, scale, alpha, 30, direction)
        with working_precision(300):
            assert from_arb(log.to_arb().exp()).overlaps(found)
            least, most = _elementary(order, rate, scale)
            assert not found.to_arb() < least and not found.to_arb() > most


@pytest.mark.parametrize("rate", ["1e-8", "1e-15"])
@pytest.mark.parametrize(("order", "direction"), [("5/2", "forward"), ("-3/2", "reverse"), ("2", "forward")])
def test_the_logarithm_of_a_moment_that_is_almost_one(rate: str, order: str, direction: str) -> None:
    found = enclose(parse("log(sampled_moment(p, q, s))"), {"p": order, "q": rate, "s": 2}, 50)
    alpha = Fraction(order) if direction == "forward" else 1 - Fraction(order)
    assert found.upper < 1e-15 and found.proved_digits >= 50
    assert found.overlaps(sampled_gaussian.log_moment(rate, 2, alpha, 60, direction))


def test_exact_cases() -> None:
    assert enclose(parse("sampled_moment(p, 0, s)"), {"p": 7, "s": 1}).is_exact
    at_one = enclose(parse("sampled_moment(p, 1, s)"), {"p": 3, "s": 2}, 30)
    assert at_one.overlaps(enclose(parse("exp(3/4)"), {}, 40)) and at_one.proved_digits >= 30
    assert enclose(MOMENT, {"p": 1, "q": 1, "s": 2}, 30).contains(1)


@pytest.mark.parametrize("order", ["3", "sqrt(5)", "-sqrt(2)", "sqrt(2)/2", "1/3"])
def test_irrational_arguments(order: str) -> None:
    at = {"p": order, "q": "1/pi", "s": "sqrt(2)"}
    assert close(enclose(MOMENT, at, 40), evaluate_mp(MOMENT, at, 42), 40)


def test_small_and_extreme_noise() -> None:
    low = enclose(MOMENT, {"p": "5/2", "q": "1/3", "s": "1/100"}, 40)  # e^(p(p-1)w) q^p, up to e^-800
    leading = enclose(parse("exp(15/8*10000)*(1/3)**(5/2) + (2/3)**(5/2)"), {}, 60)
    assert low.proved_digits >= 40 and abs(low.mid / leading.mid - 1) < mpmath.mpf(10) ** -38
    assert enclose(MOMENT, {"p": "-3/2", "q": "1/3", "s": "1/200"}, 30).overlaps(enclose(parse("(3/2)**(3/2)"), {}, 40))
    with pytest.raises(Undetermined):
        enclose(MOMENT, {"p": "1/2", "q": "1/3", "s": "1e-9"}, 30)


def test_undefined_points() -> None:
    for at, message in (({"q": "3/2"}, "between 0 and 1"), ({"q": -1}, "between 0 and 1"), ({"s": 0}, "not positive")):
        values = {"p": 2, "q": "1/2", "s": 1} | at
        with pytest.raises(Undefined, match=message):
            enclose(MOMENT, values, 20)
    for at in ({"q": 2}, {"s": -1}):
        with pytest.raises(Undefined):
            evaluate_mp(MOMENT, {"p": 2, "q": "1/2", "s": 1} | at, 20)


# -- boxes -------------------------------------------------------------------------------------------------------------

shares = st.tuples(*[st.integers(0, 8)] * 3)


@settings(max_examples=60)
@given(
    st.fractions(min_value=-4, max_value=6, max_denominator=8),
    st.fractions(min_value=0, max_value=Fraction(3, 4), max_denominator=16),
    st.fractions(min_value=Fraction(1, 4), max_value=4, max_denominator=8),
    st.tuples(*[st.sampled_from([0, Fraction(1, 2**40), Fraction(1, 64), Fraction(1, 8), Fraction(1, 4), 2])] * 3),
    shares,
)
@example(Fraction(-1), Fraction(1, 4), Fraction(1), (2, Fraction(1, 4), Fraction(1, 4)), (4, 8, 0))
@example(Fraction(1, 4), Fraction(1, 4), Fraction(1), (Fraction(1, 8), 0, 0), (8, 0, 0))
def test_a_box_holds_the_values_at_its_points(order, rate, scale, widths, share) -> None:
    lows = (order, rate, scale)
    widths = (widths[0], min(widths[1], 1 - rate), widths[2])
    point = [low + width * Fraction(part, 8) for low, width, part in zip(lows, widths, share, strict=True)]
    value = enclose(MOMENT, dict(zip("pqs", point, strict=True)), 25)
    with working_precision(128):
        ends = [(arb_of(low), arb_of(low + width)) for low, width in zip(lows, widths, strict=True)]
        wide = compile_range(MOMENT, [p, q, s])([(low.lower(), high.upper()) for low, high in ends])
        box = Program(MOMENT, (p, q, s))([Range(low.lower(), high.upper()) for low, high in ends])
        assert wide.defined and not box.partial
        for low, high in ((wide.lower, wide.upper), (box.lo, box.hi)):
            assert not value.to_arb() < low and not value.to_arb() > high
        if not any(widths):
            assert (box.hi - box.lo) < 1e-25 * box.hi


def test_boxes_to_infinity_and_beyond_the_domain() -> None:
    inf, program = arb("inf"), Program(MOMENT, (p, q, s))
    half = arb(1) / 2
    with working_precision(128):
        far = program([Range(arb(2), arb(2)), Range(half, half), Range(arb(1), inf)])
        assert far.lo == 1 and far.lo_open and far.hi < 2
        steep = program([Range(arb(2), inf), Range(half, half), Range(arb(0), arb(1), True)])
        assert steep.lo > 1.4 and not steep.hi.is_finite() and not steep.partial
        low = program([Range(half, half), Range(arb(0), half), Range(arb(0), inf, True)])
        assert 0.7 < float(low.lo) < 0.7072 and low.hi == 1
        assert program([Range(arb(2), arb(2)), Range(half, arb(2)), Range(arb(1), arb(1))]).partial
        assert program([Range(arb(2), arb(2)), Range(arb(3), arb(4)), Range(arb(1), arb(1))]).partial
        assert program([Range(arb(2), arb(2)), Range(half, half), Range(arb(0), arb(1))]).partial
        tiny = arb(2) ** -100000
        assert program([Range(arb(2), arb(2)), Range(tiny, tiny), Range(arb(1), arb(1))]).hi - 1 < 1e-30


# -- decisions ---------------------------------------------------------------------------------------------------------

WHERE = "q >= 0, q <= 1, s > 0"


@pytest.mark.parametrize(
    ("relation", "where"),
    [
        ("sampled_moment(p, q, s) > 0", f"p != 77, {WHERE}"),
        ("sampled_moment(p, q, s) >= 1", f"p >= 1, {WHERE}"),
        ("sampled_moment(1 - p, q, s) >= 1", f"p >= 1, {WHERE}"),
        ("sampled_moment(p, q, s) > 1", f"p > 1, q > 0, {WHERE}"),
        ("sampled_moment(p, q, s) <= 1", f"p >= 0, p <= 1, {WHERE}"),
        ("log(sampled_moment(p, q, s))/(p - 1) >= 0", f"p > 1, {WHERE}"),
        ("sampled_moment(3, q, s) <= 1.001", "q >= 0, q <= 1/100, s >= 1"),
        ("sampled_moment(p, q*(1 + s) - q*s, s) == sampled_moment(p, q, s)", f"p > 0, {WHERE}"),
        ("sampled_moment(p, 1, s) == exp((p**2 - p)/(2*s**2))", f"p > 0, {WHERE}"),
    ],
)
def test_proved(relation: str, where: str) -> None:
    *_, wanted = parse_relations(relation)
    verdict = decide(wanted, region(where))
    assert isinstance(verdict, Proved) and recheck(verdict.certificate, wanted, region(where))


@pytest.mark.parametrize(
    ("relation", "where"),
    [
        ("sampled_moment(p, q, s) >= 1", f"p > 0, {WHERE}"),
        ("sampled_moment(3, q, s) <= 1.00001", "q >= 0, q <= 1/100, s >= 1"),
        ("sampled_moment(p, q, s) == sampled_moment(p, q, s + 1)", f"p > 0, {WHERE}"),
        ("sampled_moment(p, q, s) == sampled_moment(1 - p, q, s)", f"p > 0, {WHERE}"),
    ],
)
def test_refuted_with_an_exact_witness(relation: str, where: str) -> None:
    *_, wanted = parse_relations(relation)
    verdict = decide(wanted, region(where))
    assert isinstance(verdict, Refuted) and region(where).contains(verdict.witness) is True


def test_nothing_is_decided_where_it_may_be_undefined() -> None:
    (wanted,) = parse_relations("sampled_moment(2, x, y) > 0")[-1:]
    assert not isinstance(decide(wanted, region("x > 0, x < 2, y > 0")), Proved)


def test_extrema_at_corners() -> None:
    expr = parse("sampled_moment(3, q, s)")
    top = supremum(expr, region("q >= 0, q <= 1/100, s >= 1"))
    assert top.overlaps(enclose(expr, {"q": "1/100", "s": 1}, 30))
    low = infimum(expr, region("q >= 1/100, q <= 1/2, s >= 1, s <= 2"))
    assert low.overlaps(enclose(expr, {"q": "1/100", "s": 2}, 30))


def test_there_is_no_slope() -> None:
    with pytest.raises(Outside):
        derivative(MOMENT, q)
    tower, slope = derivative(parse("x*sampled_moment(p, q, s)"), symbol("x"))
    assert is_zero(tower.expr(slope) - MOMENT) is True
    with pytest.raises(InputError, match="no slope"):
        to_text(MOMENT.diff(q))
    with pytest.raises(InputError):
        enclose(MOMENT.diff(p), {"p": 2, "q": "1/2", "s": 1})
    with pytest.raises(Undetermined, match="cannot be integrated"):
        integral(MOMENT, q, 0, 1, {"p": 2, "s": 1})


def test_sympy_leaves_it_alone() -> None:
    assert sampled_moment(1, q, s).func is sampled_moment and sp.simplify(sampled_moment(0, q, s)) != 1
    with pytest.raises(TypeError):
        sampled_moment(p, q)


@pytest.mark.parametrize("order", ["3/2", "-3/2", "1/2", "2"])
def test_noise_too_small_for_an_integral_is_not_decided(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """More precision proves no more there; the cap must be reached in a few rounds."""
    rounds: list[object] = []
    run = real.run
    monkeypatch.setattr(real, "run", lambda *args: rounds.append(args) or run(*args))
    with pytest.raises(Undetermined, match="need more than"):
        enclose(parse(f"sampled_moment({order}, 1/2, 10**-200)"), {}, 15)
    assert len(rounds) < 40
