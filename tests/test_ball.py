"""Enclosures, their decimal and double rounding, and the working precision."""

from __future__ import annotations

import ast
import json
import math
import pathlib
import threading
from fractions import Fraction

import flint
import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp import ballfunctions, dyadic
from symdp.ball import Enclosure, bits_for, from_arb, mp_context, working_precision

SOURCE = pathlib.Path(__file__).parent.parent / "symdp"

mantissas = st.integers(min_value=-(10**40), max_value=10**40)
exponents = st.one_of(st.integers(-90, 90), st.integers(-1300, 1100), st.integers(-40_000, 40_000))


def value_of(man: int, exp: int) -> Fraction:
    return Fraction(man) * Fraction(2) ** exp


def significant(text: str) -> int:
    digits = text.lower().split("e")[0].replace("-", "").replace(".", "").lstrip("0")
    return len(digits)


def power_of_ten(n: int) -> Fraction:
    return Fraction(10) ** n


class TestDecimal:
    @given(mantissas, exponents, st.sampled_from([1, 2, 15, 50]))
    def test_rounds_outward_and_tightly(self, man: int, exp: int, digits: int) -> None:
        value = value_of(man, exp)
        low = Fraction(dyadic.round_decimal(man, exp, digits, up=False))
        high = Fraction(dyadic.round_decimal(man, exp, digits, up=True))
        assert low <= value <= high
        if low != high:
            # one unit in the last place: the digits asked for, no fewer
            assert high - low <= power_of_ten(1 - digits) * min(abs(value), max(abs(low), abs(high)))

    @given(mantissas, st.integers(-60, 60))
    def test_a_value_that_fits_is_printed_exactly(self, man: int, exp: int) -> None:
        low = dyadic.round_decimal(man, exp, 120, up=False)
        assert low == dyadic.round_decimal(man, exp, 120, up=True)
        assert Fraction(low) == value_of(man, exp)

    def test_layouts(self) -> None:
        point = lambda x: Enclosure(x, x)  # noqa: E731
        assert point(400).to_decimal(50) == ("400", "400")
        assert point(0).to_decimal(5) == ("0", "0")
        assert point(-0.375).to_decimal(5) == ("-0.375", "-0.375")
        assert Enclosure.from_fraction(Fraction(1, 3)).to_decimal(5) == ("0.33333", "0.33334")
        assert Enclosure.from_fraction(Fraction(-1, 3)).to_decimal(5) == ("-0.33334", "-0.33333")
        assert point(123456).to_decimal(3) == ("1.23e5", "1.24e5")
        assert point(2**-70).to_decimal(4) == ("8.470e-22", "8.471e-22")
        # rounding up across a power of ten keeps the number of digits
        assert point(99999).to_decimal(3)[1] == "1.00e5"

    @pytest.mark.parametrize("digits", [15, 50, 1000, 5000])
    def test_many_digits(self, digits: int) -> None:
        with working_precision(bits_for(digits) + 64):
            low, high = from_arb(arb.pi()).to_decimal(digits)
        assert significant(low) == significant(high) == digits
        read = Enclosure.from_json({"lower": low, "upper": high})
        context = mp_context(digits + 20)
        assert read.contains(+context.pi)
        assert read.width < context.mpf(10) ** (2 - digits)

    def test_exponents_beyond_any_integer_that_could_be_written(self) -> None:
        with working_precision(200):
            low, high = from_arb((-(arb(10) ** 30)).exp()).to_decimal(30)
        # log10(exp(-10**30)) = -10**30/log(10), by mpmath
        context = mp_context(90)
        logarithm = -(context.mpf(10) ** 30) / context.log(10)
        exponent = int(context.floor(logarithm))
        mantissa = context.power(10, logarithm - exponent)
        assert low.endswith(f"e{exponent}") and high.endswith(f"e{exponent}")
        assert context.mpf(low.split("e")[0]) <= mantissa <= context.mpf(high.split("e")[0])
        assert significant(low) == 30

    @given(mantissas, st.integers(-(10**24), 10**24))
    @settings(max_examples=60)
    def test_extreme_exponents_bracket_by_two_precisions(self, man: int, exp: int) -> None:
        short = [dyadic.round_decimal(man, exp, 12, up=up) for up in (False, True)]
        wide = [dyadic.round_decimal(man, exp, 40, up=up) for up in (False, True)]
        bounds = [dyadic.decimal_bounds(text, 200) for text in (short[0], wide[0], wide[1], short[1])]
        ends = [mpmath.mp.make_mpf(mpmath.libmp.from_man_exp(*low)) for low, _ in bounds]
        exact = mpmath.mp.make_mpf(mpmath.libmp.from_man_exp(man, exp))
        assert ends == sorted(ends)
        assert ends[1] <= exact
        assert mpmath.mp.make_mpf(mpmath.libmp.from_man_exp(*bounds[2][1])) >= exact

    def test_a_digit_at_least(self) -> None:
        with pytest.raises(ValueError, match="digit"):
            dyadic.round_decimal(1, 0, 0, up=True)


class TestDoubles:
    @given(mantissas, exponents)
    def test_nearest_double_on_each_side(self, man: int, exp: int) -> None:
        value = value_of(man, exp)
        high, low = dyadic.to_double(man, exp, up=True), dyadic.to_double(man, exp, up=False)
        if math.isfinite(high):
            assert Fraction(high) >= value
            below = math.nextafter(high, -math.inf)
            assert not math.isfinite(below) or Fraction(below) < value
        else:
            assert value > Fraction(math.nextafter(math.inf, 0))
        if math.isfinite(low):
            assert Fraction(low) <= value
            above = math.nextafter(low, math.inf)
            assert not math.isfinite(above) or Fraction(above) > value
        else:
            assert value < -Fraction(math.nextafter(math.inf, 0))

    @given(st.floats(allow_nan=False))
    def test_doubles_stay(self, x: float) -> None:
        enclosure = Enclosure(x, x)
        assert enclosure.upper_float() == x == enclosure.lower_float()

    def test_ends_of_the_range(self) -> None:
        with working_precision(100):
            tiny, huge = from_arb((-(arb(10) ** 30)).exp()), from_arb((arb(10) ** 30).exp())
        assert tiny.upper_float() == 5e-324 and tiny.lower_float() == 0.0
        below = Enclosure.from_fraction(Fraction(-1, 10**2000), bits=4000)  # a mantissa longer than any double
        assert below.lower_float() == -5e-324 and below.upper_float() == 0.0
        assert huge.upper_float() == math.inf and huge.lower_float() == math.nextafter(math.inf, 0)


class TestEnclosure:
    def test_full_mantissa_whatever_the_global_precision(self) -> None:
        with working_precision(400):
            ball = arb.pi()
            man, exp = ball.mid().man_exp()
        enclosure = from_arb(ball)
        assert mpmath.mp.prec == 53
        assert enclosure.lower < enclosure.upper
        mid = Fraction(int(man)) * Fraction(2) ** int(exp)
        assert enclosure.contains(mid)
        assert enclosure.proved_digits > 115

    @given(st.integers(-(10**20), 10**20), st.integers(-80, 80), st.integers(0, 10**6), st.integers(-120, 40))
    def test_contains_the_whole_ball(self, man: int, exp: int, rad: int, rexp: int) -> None:
        with working_precision(120):
            ball = arb((man, exp), (rad, rexp))
            enclosure = from_arb(ball)
        mid, radius = value_of(man, exp), value_of(rad, rexp)
        assert enclosure.contains(mid - radius) and enclosure.contains(mid + radius)

    def test_a_ball_with_a_vanishing_radius_next_to_a_huge_number(self) -> None:
        with working_precision(64):
            ball = arb(1) + arb(0, 1) * (arb(-(10**12))).exp()
            enclosure = from_arb(ball)
        assert enclosure.contains(1) and enclosure.width > 0

    def test_equality_and_hash(self) -> None:
        assert Enclosure(1, 2) == Enclosure(1.0, mpmath.mpf(2))
        assert len({Enclosure(1, 2), Enclosure(1, 2), Enclosure(1, 3)}) == 2
        with pytest.raises(AttributeError):
            Enclosure(1, 2).lower = 0  # type: ignore[misc]

    @pytest.mark.parametrize("ends", [(math.nan, 1), (0, math.nan), (2, 1), (math.inf, -math.inf)])
    def test_no_nan_and_no_disorder(self, ends: tuple[float, float]) -> None:
        with pytest.raises(ValueError, match="endpoint"):
            Enclosure(*ends)

    @pytest.mark.parametrize("end", [True, "1", None, 1j])
    def test_endpoints_are_numbers(self, end: object) -> None:
        with pytest.raises(TypeError):
            Enclosure(end, end)

    def test_infinite_ends(self) -> None:
        line = from_arb(arb("nan"))
        assert (line.lower, line.upper) == (-mpmath.inf, mpmath.inf)
        assert line.to_decimal(5) == ("-inf", "inf")
        assert line.upper_float() == math.inf and line.lower_float() == -math.inf
        assert line.proved_digits == 0 and not line.is_finite
        assert Enclosure.from_json(line.to_json()) == line
        assert line.contains(Fraction(1, 3))

    @given(st.fractions(), st.fractions())
    def test_containment_of_fractions_is_exact(self, a: Fraction, b: Fraction) -> None:
        enclosure = Enclosure.from_fraction(a, 60)
        low = Fraction(enclosure.lower._mpf_[1] * (-1) ** enclosure.lower._mpf_[0]) * Fraction(2) ** int(
            enclosure.lower._mpf_[2]
        )
        high = Fraction(enclosure.upper._mpf_[1] * (-1) ** enclosure.upper._mpf_[0]) * Fraction(2) ** int(
            enclosure.upper._mpf_[2]
        )
        assert low <= a <= high
        assert enclosure.contains(a)
        assert enclosure.contains(b) == (low <= b <= high)

    def test_dyadic_fractions(self) -> None:
        assert Enclosure(0.5, 0.5).contains(Fraction(1, 2))
        assert not Enclosure(0.5, 0.5).contains(Fraction(1, 3))
        assert Enclosure(0, 1).overlaps(Enclosure(1, 2)) and not Enclosure(0, 1).overlaps(Enclosure(1.5, 2))
        assert Enclosure(0, 1).hull(Enclosure(3, 4)) == Enclosure(0, 4)

    @given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300), st.integers(1, 40))
    def test_json_is_outward_too(self, a: float, b: float, digits: int) -> None:
        enclosure = Enclosure(min(a, b), max(a, b))
        record = json.loads(json.dumps(enclosure.to_json(digits)))
        assert set(record) == {"lower", "upper"}
        assert Enclosure.from_json(record).contains(enclosure)

    @pytest.mark.parametrize("text", ["", "nan", "1e", "0x1", "1_0", "--1", "1 2"])
    def test_json_that_is_not_decimal(self, text: str) -> None:
        with pytest.raises(ValueError):
            Enclosure.from_json({"lower": text, "upper": "1"})

    def test_mid_and_width(self) -> None:
        enclosure = Enclosure.from_fraction(Fraction(1, 3), 200)
        assert enclosure.lower < enclosure.mid < enclosure.upper
        assert enclosure.width >= enclosure.upper - enclosure.lower
        assert enclosure.to_arb().contains(arb(enclosure.to_arb().mid()))
        assert Enclosure(3, 3).proved_digits == math.inf


class TestPrecision:
    def test_restored_also_after_an_exception(self) -> None:
        before = flint.ctx.prec
        with pytest.raises(ZeroDivisionError), working_precision(777):
            assert flint.ctx.prec == 777
            raise ZeroDivisionError
        assert flint.ctx.prec == before

    def test_nested(self) -> None:
        with working_precision(100):
            with working_precision(300):
                assert flint.ctx.prec == 300
            assert flint.ctx.prec == 100

    def test_refused_in_a_thread(self) -> None:
        failures: list[BaseException] = []

        def work() -> None:
            try:
                with working_precision(100):
                    pass
            except RuntimeError as error:
                failures.append(error)

        before = flint.ctx.prec
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert len(failures) == 1 and "main thread" in str(failures[0])
        assert flint.ctx.prec == before

    def test_decimal_output_works_in_a_thread(self) -> None:
        with working_precision(200):
            enclosure = from_arb((-(arb(10) ** 30)).exp())
        found: list[tuple[str, str]] = []
        thread = threading.Thread(target=lambda: found.append(enclosure.to_decimal(20)))
        thread.start()
        thread.join()
        assert found == [enclosure.to_decimal(20)]

    def test_nothing_else_in_the_project_sets_a_global_precision(self) -> None:
        offenders = []
        for path in SOURCE.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                targets = []
                if isinstance(node, ast.Assign):
                    targets = node.targets
                elif isinstance(node, ast.AugAssign | ast.AnnAssign):
                    targets = [node.target]
                for target in targets:
                    if isinstance(target, ast.Attribute) and target.attr in ("prec", "dps"):
                        offenders.append((path.name, ast.unparse(target)))
                if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
                    *("workprec", "workdps"),
                    *("extraprec", "extradps"),
                ):
                    offenders.append((path.name, ast.unparse(node.func)))
        flint_ones = [(name, target) for name, target in offenders if "flint" in target or target.startswith("ctx.")]
        assert set(flint_ones) == {("ball.py", "flint.ctx.prec")}
        assert not [target for _, target in offenders if target.split(".")[0] in ("mp", "mpmath")]

    def test_mp_context_is_our_own(self) -> None:
        context = mp_context(77)
        assert context.dps == 77 and context is not mpmath.mp
        assert mpmath.mp.dps == 15


SMOOTH = {
    "expm1_over_x": (lambda c, x: c.expm1(x) / x, -3.0),
    "log1p_over_x": (lambda c, x: c.log1p(x) / x, -0.9),
    "sinh_over_x": (lambda c, x: c.sinh(x) / x, -3.0),
    "tanh_over_x": (lambda c, x: c.tanh(x) / x, -3.0),
    "x_coth_x": (lambda c, x: x * c.coth(x), -3.0),
    "log_cosh": (lambda c, x: c.log(c.cosh(x)), -3.0),
}


class TestSmoothFunctions:
    @pytest.mark.parametrize("name", sorted(SMOOTH))
    @given(
        a=st.floats(0, 1),
        b=st.floats(0, 1),
        scale=st.sampled_from([3.0, 1e-3, 1e-40, 50.0]),
        where=st.floats(0, 1),
    )
    @settings(max_examples=30)
    def test_encloses_the_function_on_balls_of_any_width(
        self, name: str, a: float, b: float, scale: float, where: float
    ) -> None:
        function, lowest = SMOOTH[name]
        low = max(lowest, -scale) * a
        width = scale * b
        context = mp_context(800)  # naive formulas, so cancellation must fit in
        inside = context.mpf(low) + context.mpf(width) * context.mpf(where)
        if inside == 0:
            return
        with working_precision(100):
            ball = getattr(ballfunctions, name)(arb(low).union(arb(low) + arb(width)))
            enclosure = from_arb(ball)
        assert enclosure.lower <= function(context, inside) <= enclosure.upper

    @pytest.mark.parametrize("name", sorted(SMOOTH))
    def test_value_and_precision_at_zero(self, name: str) -> None:
        with working_precision(200):
            value = getattr(ballfunctions, name)(arb(0))
            near = getattr(ballfunctions, name)(arb((1, -300)))
        assert value == (0 if name == "log_cosh" else 1)
        assert near.rel_accuracy_bits() > 190

    def test_no_overflow(self) -> None:
        context = mp_context(60)
        with working_precision(90):
            enclosure = from_arb(ballfunctions.log_cosh(arb(10) ** 20))
            assert enclosure.contains(context.mpf(10) ** 20 - context.log(2)) and enclosure.width < 1e-4
            assert not ballfunctions.log1p_over_x(arb(-1)).is_finite()
            assert not ballfunctions.expm1_over_x(arb("nan")).is_finite()
