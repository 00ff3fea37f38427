"""A frozen table of proved values, shipped with the package: for tests of other accountants, without computing.

>>> from symdp import reference
>>> rows = reference.load()
>>> forward = rows[(rows["direction"] == "forward") & (rows["q"] == 0.01) & (rows["sigma"] == 1)]
>>> print(forward[forward["alpha"] == 2][0]["upper_decimal"])
0.0001718134220745479381432134510670807000064
"""

from __future__ import annotations

import csv
import gzip
import io
import math
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from symdp.errors import InputError

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

COLUMNS = {
    "sgm": ("q", "sigma", "alpha", "direction", "lower", "upper", "method"),
    "diffusions": ("diffusion", "at", "alpha", "lower", "upper", "method"),
}
_FORMS = ("numpy", "pandas")
_EXACT_DOUBLES = ("q", "sigma", "alpha")


def load(table: str = "sgm", form: str = "numpy") -> Any:
    """A frozen table, as a numpy structured array or, with ``form="pandas"``, a DataFrame if pandas is installed.

    ``"sgm"``: Rényi divergences ``R_alpha`` of the sampled Gaussian mechanism, sensitivity 1, add/remove neighbours,
    direction "forward" (the larger) and "reverse", at ``q``, ``sigma``, ``alpha`` that are exactly these doubles.
    ``"diffusions"``: of catalogue diffusions at the values in ``at``, exact text as ``--at`` takes it; ``method`` says
    whether it is the divergence ("exact", "truth") or an upper bound ("upper"), and by which rule.

    ``lower`` and ``upper`` are the nearest doubles that enclose the value, ``lower_decimal`` and ``upper_decimal`` 40
    digits, rounded outward. Raises InputError for another table or form, or without pandas.
    """
    if table not in COLUMNS:
        raise InputError(f"no table is called {table!r}", place="table", remedy=f"one of {', '.join(COLUMNS)}")
    if form not in _FORMS:
        raise InputError(f"no form is called {form!r}", place="form", remedy=f"one of {', '.join(_FORMS)}")
    if form == "numpy":
        return _array(table).copy()
    try:
        import pandas
    except ImportError:
        raise InputError("pandas is not installed", place="form", remedy="pip install pandas, or use numpy") from None
    return pandas.DataFrame(_array(table))


@lru_cache(maxsize=2)
def _array(table: str) -> NDArray[numpy.void]:
    import numpy

    data = gzip.decompress(files("symdp.reference").joinpath(f"{table}.csv.gz").read_bytes())
    columns: dict[str, Any] = {}
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))
    for name in COLUMNS[table]:
        texts = [row[name] for row in rows]
        if name in _EXACT_DOUBLES:
            columns[name] = numpy.array([float(Fraction(text)) for text in texts])
        elif name in ("lower", "upper"):
            columns[name] = numpy.array([_outward(Fraction(text), up=name == "upper") for text in texts])
            columns[f"{name}_decimal"] = numpy.array(texts)
        else:
            columns[name] = numpy.array(texts)
    array = numpy.empty(len(rows), dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        array[name] = column
    return array


def _outward(value: Fraction, *, up: bool) -> float:
    """The double next to a rational number, not below it (``up``) or not above it."""
    near = float(value)
    if up:
        return near if Fraction(near) >= value else math.nextafter(near, math.inf)
    return near if Fraction(near) <= value else math.nextafter(near, -math.inf)
