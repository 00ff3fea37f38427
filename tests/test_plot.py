"""Pictures: the points are proved values, gaps are where none is, files are what they say and the same each time."""

import math
from fractions import Fraction

import pytest

import symdp
from symdp import Diffusion, InputError, Refused
from symdp.render.plot import Curve, Range, curve, curves, picture, read_range

OU = symdp.derive(Diffusion("-theta*x", "sqrt(2)*rho"))
PAIR = {"theta": 1, "rho": 1, "x": 1, "xp": 0}


def test_ranges():
    assert read_range("t=1/10:4") == Range("t", Fraction(1, 10), Fraction(4))
    assert read_range(" t = 0.01 : 10 : log ") == Range("t", Fraction(1, 100), Fraction(10), True)
    assert Range("t", Fraction(1), Fraction(2)).values(3) == [1, Fraction(3, 2), 2]
    inner = Range("t", Fraction(1), Fraction(100), True).values(3)
    assert inner[0] == 1 and inner[2] == 100 and abs(inner[1] - 10) < Fraction(1, 10**9)


@pytest.mark.parametrize(
    "text", ["t", "t=1", "t=2:1", "t=1:1", "t=a:b", "t=0:1:log", "t=1:2:lin", "=1:2", "t=1:2:3:4", ""]
)
def test_what_is_no_range(text):
    with pytest.raises(InputError) as caught:
        read_range(text)
    assert "\n" not in str(caught.value) and "--over" in str(caught.value)


def test_points_are_the_upper_ends():
    over = read_range("t=1/4:2")
    (line,) = curves(OU, "bound", over, {**PAIR, "alpha": 3}, 8)
    assert len(line.points) == 8 and "exact" in line.label
    for (x, y), t in zip(line.points, over.values(8), strict=True):
        exact = OU.evaluate(PAIR, alpha=3, t=t, digits=30)
        assert x == float(t) and exact.lower <= y <= float(exact.upper) * (1 + 1e-14)


def test_kappa_is_the_slope_of_lambda():
    """An independent look: differences of Lambda over time are between the values of kappa."""
    over = read_range("t=1/4:2")
    (kappa,), (total,) = (curves(OU, what, over, PAIR, 40) for what in ("kappa", "Lambda"))
    for (s, a), (t, b), (_, low), (_, high) in zip(
        total.points, total.points[1:], kappa.points[1:], kappa.points, strict=False
    ):
        assert low * (t - s) <= (a - b) * (1 + 1e-9) and a - b <= high * (t - s) * (1 + 1e-9)


def test_orders():
    over = read_range("alpha=3/2:64:log")
    (line,) = curves(OU, "bound", over, {"theta": 1, "rho": 1, "t": 1, "Delta": 1}, 5)
    assert [y for _, y in line.points] == sorted(y for _, y in line.points)


def test_gaps_and_refusals():
    def value(at):
        if at["t"] < 1:
            raise symdp.Undetermined("not shown")
        return OU.evaluate(PAIR, alpha=2, t=at["t"], digits=15)

    line = curve("some", value, read_range("t=1/2:2"), {}, 4)
    assert math.isnan(line.points[0][1]) and line.points[-1][1] > 0
    with pytest.raises(Refused, match="no value on the whole range: not shown"):
        curve("none", value, read_range("t=1/4:1/2"), {}, 4)
    with pytest.raises(InputError, match="--over"):
        curve("twice", value, read_range("t=1/4:1/2"), {"t": 1}, 4)
    with pytest.raises(InputError, match="alpha"):
        curves(OU, "bound", read_range("alpha=1/2:1"), {**PAIR, "t": 1}, 4)
    double_well = symdp.derive(Diffusion("x-x**3", "sqrt(2)"))
    with pytest.raises(Refused, match="kappa is not known"):
        curves(double_well, "kappa", read_range("t=1:2"), {"x": 1, "xp": 0}, 3)
    with pytest.raises(Refused, match="two starts"):
        curves(OU, "kappa", read_range("t=1:2"), {"theta": 1, "rho": 1, "Delta": 1}, 3)


@pytest.mark.parametrize(("form", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_files(form, magic, tmp_path):
    pytest.importorskip("matplotlib")
    lines = [Curve("one", ((0.5, 1.0), (1.0, math.nan), (2.0, 0.5))), Curve("two", ((0.5, 2.0), (2.0, 1.0)))]
    over = read_range("t=1/2:2:log")
    first, again = (picture(lines, over, "a title", form, logarithmic=True) for _ in range(2))
    assert first.content.startswith(magic) and first == again and len(first.content) > 1000
    assert (first._repr_png_() is not None) == (form == "png") and (first._repr_svg_() is not None) == (form == "svg")
    first.save(tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == first.content


def test_without_matplotlib(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"symdp\[plot\]"):
        picture([Curve("one", ((1.0, 1.0), (2.0, 2.0)))], read_range("t=1:2"), "title", "png")


def test_truth_lies_below_its_bound():
    wall = symdp.derive(Diffusion("0", "sqrt(2)", domain="x>=0"))
    lines = curves(wall, "bound", read_range("t=1/4:2"), {"alpha": 2, "x": "1/2", "xp": 1}, 4, truth=True)
    assert [line.label for line in lines] == ["Rényi divergence, upper bound", "curvature", "kernel", "truth"]
    bound, *_, truth = lines
    assert all(low < high for (_, low), (_, high) in zip(truth.points, bound.points, strict=True))
    double_well = symdp.derive(Diffusion("x-x**3", "sqrt(2)"))
    with pytest.raises(Refused):
        curves(double_well, "bound", read_range("t=1:2"), {"alpha": 2, "x": 1, "xp": 0}, 3, truth=True)


def test_a_bound_draws_itself():
    pytest.importorskip("matplotlib")
    drawn = OU.plot("t=1/4:2", PAIR, alpha=2, points=5)
    assert repr(drawn) == "<Picture png>" and drawn.content.startswith(b"\x89PNG")
    with pytest.raises(InputError, match="over: "):
        OU.plot("t", PAIR, alpha=2)
    with pytest.raises(InputError, match="what"):
        OU.plot("t=1:2", PAIR, alpha=2, what="everything")
