"""The frozen tables are what the engine computes, they ship, and the test that others call finds what is wrong."""

import csv
import doctest
import gzip
import math
import re
import sys
import zipfile
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np
import pytest

import symdp.reference
import symdp.testing
from symdp.ball import Enclosure
from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import renyi, renyi_upper
from symdp.reference import build, load
from symdp.reference.contents import DIFFUSIONS, DIGITS, SAMPLED_GAUSSIAN
from symdp.tables.rows import source_of
from symdp.testing import assert_rdp_upper_bound

ROOT = Path(__file__).parent.parent


def printed(row):
    return Enclosure.from_json({"lower": str(row["lower_decimal"]), "upper": str(row["upper_decimal"])})


def test_a_few_thousand_rows_in_a_small_file():
    rows, sizes = load(), [len(files("symdp.reference").joinpath(f"{t}.csv.gz").read_bytes()) for t in build.COLUMNS]
    assert 3000 < len(rows) == SAMPLED_GAUSSIAN.rows and sum(sizes) < 200_000
    assert (rows["direction"] == "forward").sum() == (rows["direction"] == "reverse").sum() == len(rows) / 2
    assert len(load("diffusions")) == sum(plan.rows for plan in DIFFUSIONS) > 300


@pytest.mark.parametrize("table", ["sgm", "diffusions"])
def test_every_row_encloses_to_its_last_digit(table):
    for row in load(table):
        low, high = Fraction(str(row["lower_decimal"])), Fraction(str(row["upper_decimal"]))
        assert 0 < low <= high <= low * (1 + Fraction(3, 10 ** (DIGITS - 1)))
        assert row["lower"] <= low and high <= row["upper"]
        assert math.nextafter(row["lower"], math.inf) > low and math.nextafter(row["upper"], 0) < high


def test_forward_is_the_larger_and_rises_with_the_order():
    rows = load()
    forward, reverse = (rows[rows["direction"] == d] for d in ("forward", "reverse"))
    assert np.all(forward["upper"] >= reverse["lower"])
    for one in (forward, reverse):
        same = (one["q"][1:] == one["q"][:-1]) & (one["sigma"][1:] == one["sigma"][:-1])
        assert np.all(one["upper"][1:][same] >= one["lower"][:-1][same])


def test_a_sample_is_what_the_engine_computes_now():
    rows = load()
    for index in Random(7).sample(range(len(rows)), 120):
        row, point = rows[index], SAMPLED_GAUSSIAN.point(index)
        assert [Fraction(float(row[name])) for name in ("q", "sigma", "alpha")] == [
            point[name] for name in ("q", "sigma", "alpha")
        ]
        q, sigma, alpha = (float(row[name]) for name in ("q", "sigma", "alpha"))
        assert printed(row).contains(renyi(q, sigma, alpha, DIGITS + 15, direction=str(row["direction"])))


def test_a_sample_is_what_independent_code_computes():
    rows = load()
    rows = rows[(rows["q"] < 1) & (rows["alpha"] > 1.001) & (rows["alpha"] < 65)]
    for index in Random(8).sample(range(len(rows)), 8):
        row = rows[index]
        q, sigma, alpha = (float(row[name]) for name in ("q", "sigma", "alpha"))
        found = renyi(q, sigma, alpha, 30, direction=str(row["direction"]), engine="mpmath")
        assert abs(found / printed(row).mid - 1) < 1e-28


def test_diffusions_are_what_the_engine_computes_now():
    rows, start = load("diffusions"), 0
    for plan in DIFFUSIONS:
        source, index = source_of(plan), start + plan.rows // 2
        given = source.inputs(plan.point(index - start))
        value, method = source.value(given, DIGITS + 10)
        row = rows[index]
        assert printed(row).contains(value) and row["method"] == method and row["diffusion"] == plan.source["name"]
        assert dict(part.split("=") for part in str(row["at"]).split("; ")).keys() == given.keys()
        start += plan.rows


def test_bounds_of_the_frozen_table_lie_above_its_truths():
    rows = load("diffusions")
    same = rows[rows["diffusion"] == "cox-ingersoll-ross"]
    truths, bounds = (same[[kind in method for method in same["method"]]] for kind in ("truth", "upper"))
    assert list(truths["at"]) == list(bounds["at"]) and len(truths) == 12
    assert np.all(truths["upper"] < bounds["lower"])


def test_the_command_that_built_it_gives_the_same_rows(tmp_path, monkeypatch):
    frozen = load()
    small = type(SAMPLED_GAUSSIAN)(
        "sgm", "q=0.5,1; sigma=1,50; alpha=1.5,2; direction=forward,reverse", DIGITS, double=True
    )
    monkeypatch.setattr(build, "SAMPLED_GAUSSIAN", small)
    monkeypatch.setattr(build, "DIFFUSIONS", DIFFUSIONS[:1])
    build.build(tmp_path)
    with gzip.open(tmp_path / "sgm.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16
    for row in rows:
        place = [frozen[name] == float(Fraction(row[name])) for name in ("q", "sigma", "alpha")]
        (same,) = frozen[np.all([*place, frozen["direction"] == row["direction"]], axis=0)]
        assert printed(same).overlaps(Enclosure.from_json(row)) and row["method"] == same["method"]
    with gzip.open(tmp_path / "diffusions.csv.gz", "rt", encoding="utf-8") as file:
        assert [row["at"] for row in csv.DictReader(file)] == list(load("diffusions")["at"][:24])


def test_the_files_ship_in_the_wheel(tmp_path):
    builder = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    (wheel,) = builder.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"symdp/reference/{table}.csv.gz" for table in build.COLUMNS} <= set(names)


def test_pandas_if_it_is_there():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = load(form="pandas")
    assert isinstance(frame, pandas.DataFrame) and list(frame["upper"]) == list(load()["upper"])


def test_what_cannot_be_loaded(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    for arguments, said in (
        (["laplace"], "no table"),
        (["sgm", "list"], "no form"),
        (["sgm", "pandas"], "pip install"),
    ):
        with pytest.raises(InputError, match=said):
            load(*arguments)


def test_a_loaded_table_is_ones_own():
    load()["upper"][:] = 0
    assert load()["upper"].min() > 0


# --- the test that others call --------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [symdp.reference, symdp.testing])
def test_the_examples_in_the_docstrings(module):
    result = doctest.testmod(module)
    assert result.attempted >= 2 and result.failed == 0


def test_the_failure_in_the_guide_is_what_is_raised():
    guide = ROOT / "symdp" / "docs" / "guide" / "getting-started.md"
    shown = re.search(r"^AssertionError: (.*\n  .*)$", guide.read_text(encoding="utf-8"), re.M)
    with pytest.raises(AssertionError) as failure:
        assert_rdp_upper_bound(lambda q, s, orders: q**2 * orders / s**2, q=(0.01, 0.1), sigma=(1, 50), shown=1)
    assert str(failure.value) == shown.group(1)


def nearest(q, sigma, orders):
    """The doubles nearest to the truth, from the table itself."""
    rows = load()
    rows = rows[(rows["q"] == q) & (rows["sigma"] == sigma) & (rows["direction"] == "forward")]
    return np.array([float(rows[rows["alpha"] == a][0]["lower_decimal"]) for a in orders])


def test_upper_bounds_pass():
    assert_rdp_upper_bound(renyi_upper, excess=1.1e-12)
    assert_rdp_upper_bound(renyi_upper, direction="reverse")
    assert_rdp_upper_bound(lambda q, sigma, orders: np.full(len(orders), math.inf))
    assert_rdp_upper_bound(lambda q, sigma, orders: list(nearest(q, sigma, orders)), slack=1e-15, excess=1e-15)


def test_the_nearest_double_is_no_upper_bound():
    with pytest.raises(AssertionError, match=r"unsafe: below the forward divergence\n") as failure:
        assert_rdp_upper_bound(nearest)
    assert "of it" in str(failure.value) and str(failure.value).count("\n") == 5


def test_the_worst_row_comes_first():
    def wrong(q, sigma, orders):
        values = renyi_upper(q, sigma, orders)
        if (q, sigma) == (0.01, 4.0):
            values[orders == 2.5] *= 0.7
            values[orders == 64.0] *= 0.9
        return values

    with pytest.raises(AssertionError) as failure:
        assert_rdp_upper_bound(wrong, shown=1)
    head, worst = str(failure.value).split("\n")
    assert head.startswith("2 of 1656 values are wrong, 2 of them unsafe")
    assert "q = 0.01, sigma = 4.0, alpha = 2.5" in worst and "by 0.3 of it" in worst
    with pytest.raises(AssertionError, match=r"alpha = 64\.0"):
        assert_rdp_upper_bound(wrong, orders=(60, 70))
    assert_rdp_upper_bound(wrong, slack=0.2, orders=(60, 70))
    assert_rdp_upper_bound(wrong, orders=(3, 40))
    assert_rdp_upper_bound(wrong, q=(0.1, 1))


@pytest.mark.parametrize(
    ("value", "said"),
    [(math.nan, "is not a number"), (-1.0, "-1.0 is below"), (-math.inf, "-inf is below"), (0.0, "below the truth")],
)
def test_what_is_no_bound_at_all(value, said):
    with pytest.raises(AssertionError, match=said):
        assert_rdp_upper_bound(lambda q, sigma, orders: np.full(len(orders), value))


def test_excess_exceptions_shapes_and_empty_ranges():
    with pytest.raises(AssertionError, match=r"0 of them unsafe(.|\n)*is above the truth"):
        assert_rdp_upper_bound(lambda q, sigma, orders: 1.1 * renyi_upper(q, sigma, orders), excess=0.01)
    with pytest.raises(AssertionError, match=r"q = 1e-08, sigma = 0.3: raised ZeroDivisionError") as failure:
        assert_rdp_upper_bound(lambda q, sigma, orders: 1 / 0)
    assert isinstance(failure.value.__cause__, ZeroDivisionError)
    with pytest.raises(AssertionError, match="shape"):
        assert_rdp_upper_bound(lambda q, sigma, orders: 1.0)
    with pytest.raises(InputError, match="no row"):
        assert_rdp_upper_bound(renyi_upper, sigma=(100, 200))
    with pytest.raises(InputError, match="direction"):
        assert_rdp_upper_bound(renyi_upper, direction="both")


def test_order_one_is_asked_for():
    seen = []

    def keep(q, sigma, orders):
        seen.extend(orders)
        return renyi_upper(q, sigma, orders)

    assert_rdp_upper_bound(keep)
    assert min(seen) > 1
    assert_rdp_upper_bound(keep, orders=(1, 2))
    assert min(seen) == 1
