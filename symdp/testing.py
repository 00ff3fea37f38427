"""For the tests of other projects: is what your accountant returns an upper bound?

>>> from symdp.testing import assert_rdp_upper_bound
>>> from symdp.mechanisms.sampled_gaussian import renyi_upper
>>> assert_rdp_upper_bound(renyi_upper, excess=1.1e-12)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symdp.errors import InputError

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Range = tuple[float, float]
_ABOVE_ONE = math.nextafter(1.0, 2.0)


@dataclass(frozen=True)
class _Fault:
    """A value that is not what was asserted; the largest ``size`` is the worst."""

    size: float
    text: str


def assert_rdp_upper_bound(
    f: Callable[[float, float, NDArray[numpy.float64]], Any],
    *,
    direction: str = "forward",
    slack: float = 0.0,
    excess: float = math.inf,
    q: Range = (0.0, 1.0),
    sigma: Range = (0.0, math.inf),
    orders: Range = (_ABOVE_ONE, math.inf),
    shown: int = 5,
) -> None:
    """Assert that ``f`` never returns less than the Rényi divergence of the sampled Gaussian mechanism.

    ``f(q, sigma, orders) -> rdp`` is called once for each ``q`` and ``sigma`` of the frozen table (``reference.load``)
    with all orders there, as a numpy array; sensitivity 1, one step, add/remove neighbours. Its values are compared
    exactly with 40 proved digits of ``direction``, "forward" (the larger) or "reverse".

    ``slack``: a value may be below the truth by this part of it; with anything but 0 it is not an upper bound.
    ``excess``: nor above by more than this part. ``q``, ``sigma``, ``orders``: closed ranges that the rows are taken
    from; order 1 is left out unless it is asked for. Raises AssertionError naming the ``shown`` worst rows, unsafe
    ones first; InputError if no rows are left.
    """
    from symdp.reference import load

    rows = load()
    if direction not in ("forward", "reverse"):
        raise InputError(f"{direction!r} is no direction", place="direction", remedy="give forward or reverse")
    for name, allowed in (("q", q), ("sigma", sigma), ("alpha", orders)):
        rows = rows[(rows[name] >= allowed[0]) & (rows[name] <= allowed[1])]
    rows = rows[rows["direction"] == direction]
    if not len(rows):
        raise InputError("no row of the frozen table is in these ranges", remedy="give wider ones")
    faults = [fault for place in _places(rows) for fault in _faults(f, place, Fraction(slack), excess)]
    if faults:
        worst = sorted(faults, key=lambda fault: -fault.size)[:shown]
        unsafe = sum(fault.size > 0 for fault in faults)
        head = (
            f"{len(faults)} of {len(rows)} values are wrong, {unsafe} of them unsafe: below the {direction} divergence"
        )
        raise AssertionError("\n  ".join([head, *(fault.text for fault in worst)]))


def _places(rows: Any) -> Iterator[Any]:
    """The rows of each q and sigma, by order."""
    import numpy

    for rate, noise in numpy.unique(rows[["q", "sigma"]]):
        yield numpy.sort(rows[(rows["q"] == rate) & (rows["sigma"] == noise)], order="alpha")


def _faults(f: Callable[..., Any], rows: Any, slack: Fraction, excess: float) -> Iterator[_Fault]:
    import numpy

    rate, noise = float(rows["q"][0]), float(rows["sigma"][0])
    where = f"q = {rate!r}, sigma = {noise!r}"
    try:
        values = numpy.asarray(f(rate, noise, rows["alpha"].copy()), dtype=float)
    except Exception as error:
        raise AssertionError(f"{where}: raised {type(error).__name__}: {error}") from error
    if values.shape != rows.shape:
        raise AssertionError(f"{where}: returned an array of shape {values.shape} for {len(rows)} orders")
    for row, value in zip(rows, values.tolist(), strict=True):
        said = f"{where}, alpha = {float(row['alpha'])!r}: {value!r}"
        if math.isnan(value):
            yield _Fault(math.inf, f"{said} is not a number; the truth is {row['lower_decimal']}")
        elif value < row["upper"]:  # else it is certainly no less than the truth
            yield from _below(said, value, row, slack)
        elif value > row["upper"] * (1 + excess):
            more = value / float(row["upper"]) - 1
            yield _Fault(-1 / (1 + more), f"{said} is above the truth {row['upper_decimal']} by {more:.2g} of it")


def _below(said: str, value: float, row: Any, slack: Fraction) -> Iterator[_Fault]:
    truth, digits = Fraction(str(row["lower_decimal"])), row["lower_decimal"]
    if value <= 0:
        yield _Fault(math.inf, f"{said} is below the truth {digits}")
    elif (less := 1 - Fraction(value) / truth) > slack:
        factor = _float(truth / Fraction(value))
        how = f"by {float(less):.2g} of it" if factor < 2 else f"by a factor of {factor:.2g}"
        yield _Fault(_float(truth / Fraction(value) - 1), f"{said} is below the truth {digits} {how}")


def _float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf
