"""Exact numbers from whatever a user calls a number, and one line for what is none."""

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from symdp.errors import InputError
from symdp.rationals import rational


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (3, Fraction(3)),
        (0.1, Fraction(0.1)),
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
        (np.int64(7), Fraction(7)),
        (mpmath.mpf("0.5"), Fraction(1, 2)),
        (Decimal("0.01"), Fraction(1, 100)),
        ("0.01", Fraction(1, 100)),
        (" -1e-8 ", Fraction(-1, 10**8)),
        ("1e-2/3", Fraction(1, 300)),
        ("1 / 3", Fraction(1, 3)),
    ],
)
def test_numbers_are_what_they_say(value, exact):
    assert rational(value, "q") == exact


@pytest.mark.parametrize(
    "value",
    [
        *(True, np.bool_(True), None, [], float("nan"), float("inf"), mpmath.inf, mpmath.mpf("1e99999")),
        *("one", "nan", "inf", "sqrt(2)", "1/0", "1e999999", "1e-999999", "", Decimal("NaN"), Decimal("1e99999")),
    ],
)
def test_what_is_none_is_one_line(value):
    with pytest.raises(InputError) as raised:
        rational(value, "q")
    assert "q" in str(raised.value) and "\n" not in str(raised.value)


def test_plain_numbers_load_no_sympy():
    code = (
        "import sys; from symdp.rationals import rational; rational('1e-3/7', 'q'); assert 'sympy' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
