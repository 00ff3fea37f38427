"""Float64 upper bounds of the sampled Gaussian's Rényi divergence, for whole curves of orders.

``renyi_upper`` never returns a double below the divergence and, where that is a normal double, none above it by more
than 1e-12 of its value. The proof assumes that Python and numpy round as IEEE 754 says (to nearest) and that **numpy's
float64 exp, expm1, log and log1p err by at most 4 ulp** (``arithmetic.FUNCTION_ERROR``; the tests compare them with
ball arithmetic). It is laid out where the steps are taken: ``rule`` (sums without cancellation, aliasing),
``add_remove``, ``replace_one`` (the two relations' nodes and strips), ``windows`` (what is left out), ``sums``
(rounding). Both sides of each value are computed; where they differ by more than the limit, and outside the sizes
below, ball arithmetic takes over.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from symdp.mechanisms.sampled_gaussian.double.add_remove import AddRemove
from symdp.mechanisms.sampled_gaussian.double.arithmetic import Floats
from symdp.mechanisms.sampled_gaussian.double.replace_one import ReplaceOne
from symdp.mechanisms.sampled_gaussian.double.rule import Case, Rule
from symdp.mechanisms.sampled_gaussian.double.sums import log_moments
from symdp.mechanisms.sampled_gaussian.inputs import RELATIONS, choice, noise, order, sampling_rate

__all__ = ["EXCESS", "renyi_bounds", "renyi_upper"]

EXCESS = 1e-12
_LIMIT = 0.99 * EXCESS  # leaves room for the last roundings
_LEAST = Fraction(1, 10**100)
_LEAST_SIGMA = {"add-remove": Fraction(1, 50), "replace-one": Fraction(1, 20)}
_MOST = 10**100
# Up to this times sigma, so that a L stays below 2**55 and a difference with a small number is exact; and up to 1e9.
_MOST_ORDER = 5e7


def renyi_upper(q: Any, sigma: Any, orders: Any, sensitivity: Any = 1, relation: str = "add-remove") -> Floats:
    """Doubles, in the orders' shape, that are never below the larger of ``R_alpha(mu||mu0)`` and ``R_alpha(mu0||mu)``.

    ``q`` is the sampling probability, ``sigma`` the noise, ``orders`` a number or an array of numbers >= 1 (inf
    allowed), ``sensitivity`` the bound of one record's contribution, ``relation`` "add-remove" or "replace-one".
    Numbers are exact: a float is the double it is, "0.1" is 1/10. The excess is at most 1e-12 of the value where that
    is a normal double; a value beyond the largest double gives inf. See the module for what is assumed. Raises
    InputError; Undetermined, or RuntimeError outside the main thread, if ball arithmetic is needed and cannot help.
    """
    rate, scale = sampling_rate(q), noise(sigma, sensitivity)
    relation = choice(relation, RELATIONS, "relation")
    exact, alpha, a, rounded, shape = _read(orders)
    upper = np.where(np.isposinf(alpha), np.inf, np.nan) if rate else np.zeros(alpha.shape)
    todo = np.flatnonzero(np.isnan(upper))
    if todo.size and 0 < rate < 1:
        low, high = _bounds(rate, scale, relation, alpha[todo], a[todo], rounded)
        with np.errstate(invalid="ignore"):
            fine = high - low <= _LIMIT * low
        upper[todo[fine]] = high[fine]
        todo = todo[~fine]
    for k in todo:
        upper[k] = _upper_by_balls(rate, scale, relation, exact(k))
    return upper.reshape(shape)


def renyi_bounds(
    q: Any, sigma: Any, orders: Any, sensitivity: Any = 1, relation: str = "add-remove"
) -> tuple[Floats, Floats]:
    """Lower and upper doubles of the larger direction, by the float64 path alone: nan where it knows nothing.

    Needs ``0 < q < 1``.
    """
    _exact, alpha, a, rounded, shape = _read(orders)
    low, high = _bounds(
        sampling_rate(q), noise(sigma, sensitivity), choice(relation, RELATIONS, "relation"), alpha, a, rounded
    )
    return low.reshape(shape), high.reshape(shape)


def _bounds(
    rate: Fraction, scale: Fraction, relation: str, alpha: Floats, a: Floats, rounded: bool
) -> tuple[Floats, Floats]:
    low, high = np.full(alpha.shape, np.nan), np.full(alpha.shape, np.nan)
    if not (min(rate, 1 - rate, rate / scale) >= _LEAST and _LEAST_SIGMA[relation] <= scale <= _MOST):
        return low, high
    case = Case(float(rate), float(1 - rate), float(scale))
    if rounded or Fraction(case.q) != rate or Fraction(case.sigma) != scale:
        case = Case(case.q, case.complement, case.sigma, rounded=True)
    for rows, rule in _groups(case, relation, alpha):
        totals = log_moments(rule, alpha[rows], a[rows])
        divisor = np.where(a[rows] > 0, a[rows], 1.0)
        low[rows] = np.nextafter(totals[0] / divisor, 0.0)
        high[rows] = np.nextafter(totals[1] / divisor, np.inf)
    return low, high


def _groups(case: Case, relation: str, alpha: Floats) -> list[tuple[Any, Rule]]:
    """The orders that share a rule, with that rule."""
    possible = alpha <= min(_MOST_ORDER * case.sigma, 1e9)
    if relation == "add-remove":
        # a rounded order is not known to be whole
        whole = (alpha == np.floor(alpha)) & (alpha >= 2) & (not case.rounded) & AddRemove.whole_orders_differ(case)
        kinds = [(flag, np.flatnonzero(possible & (whole == flag))) for flag in (True, False)]
        return [(rows, AddRemove.choose(case, whole=flag)) for flag, rows in kinds if rows.size]
    least = np.nextafter(2.0, 3.0) if case.rounded else 2.0  # certainly not below 2
    octave = np.where(alpha < least, -1.0, np.floor(np.log2(np.maximum(alpha - 1.0, 1.0))))
    result: list[tuple[Any, Rule]] = []
    for key in np.unique(octave[possible]):
        rows = np.flatnonzero(possible & (octave == key))
        result.append((rows, ReplaceOne.choose(case, float(alpha[rows].max()), below_two=key < 0)))
    return result


def _read(orders: Any) -> tuple[Any, Floats, Floats, bool, tuple[int, ...]]:
    """The exact order at a position; orders and ``alpha - 1`` as doubles; whether any was rounded; the shape."""
    if isinstance(orders, list | tuple) and all(
        type(x) is float or (type(x) is int and abs(x) <= 2**53) for x in orders
    ):
        orders = np.array(orders, dtype=np.float64)
    if isinstance(orders, np.ndarray) and orders.dtype == np.float64:
        alpha = orders.ravel()
        good = alpha >= 1.0  # false for nan
        if not good.all():
            order(float(alpha[~good][0]), "orders")
        return (lambda k: order(float(alpha[k]), "orders")), alpha, alpha - 1.0, False, orders.shape
    items: list[Any] = [orders]
    shape: tuple[int, ...] = ()
    if isinstance(orders, np.ndarray):
        items, shape = orders.ravel().tolist(), orders.shape
    elif not isinstance(orders, str) and hasattr(orders, "__iter__"):
        items = list(orders)
        shape = (len(items),)
    exact = [order(x, "orders") for x in items]
    alpha = np.array([np.inf if x is None else _nearest(x) for x in exact])
    a = np.array([np.inf if x is None else _nearest(x - 1) for x in exact])
    rounded = any(x is not None and x - 1 != Fraction(y) for x, y in zip(exact, a, strict=True))
    return exact.__getitem__, alpha, np.where(a > 0, np.maximum(a, 1e-100), a), rounded, shape


def _nearest(value: Fraction) -> float:
    """The nearest double (the largest one if the value is beyond it: such orders are left to balls)."""
    try:
        return float(value)
    except OverflowError:
        return float(np.finfo(np.float64).max)


def _upper_by_balls(rate: Fraction, scale: Fraction, relation: str, alpha: Fraction) -> float:
    from symdp.mechanisms.sampled_gaussian import renyi

    return float(renyi(rate, scale, alpha, digits=18, direction="forward", relation=relation).upper_float())
