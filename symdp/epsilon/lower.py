"""A proved lower bound of the least epsilon of a composition of sampled Gaussian mechanisms.

A guarantee says that some epsilon is enough; this says that less than some epsilon is not, whatever the accountant.
With ``mu0 = N(0, s^2)``, ``mu = (1-q) mu0 + q N(1, s^2)`` and the loss ``l(x) = log((1-q) + q exp((2x-1)/(2 s^2)))``:

* One record changes the T outputs from ``mu0^T`` to ``mu^T``, at the least for a query that does not adapt, so that
  (eps, delta)-DP implies ``P(S) <= e^eps Q(S) + delta`` for ``P = mu^T, Q = mu0^T``, for the same pair exchanged, and
  for every event S of the outputs.
* Let every output be told only by the cell of the line it falls into, and let cell i have masses ``p_i`` and ``q_i``
  with ``log(p_i/q_i) >= a + k_i h - eta``. The composed cells with ``sum k = j`` have together the mass ``c_j``, the
  j-th coefficient of ``(sum_i p_i z^{k_i})^T``, and each of them has under Q at most ``exp(-L_j)`` times its mass under
  P, with ``L_j = T (a - eta) + j h``.
* Summing ``(P - e^eps Q)^+`` over the composed cells, ``delta >= sum_j c_j (1 - exp(eps - L_j))^+``, also with smaller
  ``c_j``. So for every J, ``eps >= log((S0 - delta)/S1)`` with ``S0 = sum_{j>=J} c_j``, ``S1 = sum_{j>=J} c_j
  exp(-L_j)``.

The cells are made so that ``log(p_i/q_i)`` is ``a + k_i h`` up to eta: then little is lost, of second order in h, and
the same cells serve both directions. They are proposed by Newton's method; their masses are balls, the coefficients
integers in units of ``2**-128`` rounded down, and the products exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
from flint import arb, fmpz_poly

from symdp.ball import arb_of, from_arb, working_precision
from symdp.epsilon.inputs import check_steps
from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import inputs
from symdp.rationals import rational

_UNIT = 128
_PRECISION = 256
_ETA = Fraction(1, 2**90)
_MOST_CELLS = 800
_SPREAD = 8.5  # standard deviations that are cut into cells
_NEWTON_STEPS = 60
_CLOSE = arb((1, -100))
_DROPPED = 50  # ends of a product below delta 2**-50 are left out


def sampled_gaussian_epsilon_lower(q: Any, sigma: Any, delta: Any, steps: int = 1) -> Any:
    """A number (mpf, >= 0) that is at most every epsilon for which the composition is (epsilon, delta)-DP.

    ``steps`` sampled Gaussian mechanisms with sampling rate q, noise sigma, sensitivity 1, add/remove neighbours;
    numbers are exact as in ``sampled_gaussian_epsilon``, ``0 < delta``. Mostly within a percent of the least epsilon;
    further below where epsilon is less than about 0.01, or q below 0.001 with sigma below 1. Raises InputError.
    """
    point, count = inputs.point(q, sigma, 2), check_steps(steps)
    chance = rational(delta, "delta")
    if chance <= 0:
        raise InputError("delta must be above 0", place="delta", remedy="give a number between 0 and 1")
    best = from_arb(arb(0)).lower
    if point.q == 0 or chance >= 1:
        return best
    for reverse in (False, True):
        total = _composed(point.q, point.sigma, count, reverse, chance)
        best = max(best, _epsilon(total, count, chance))
    return best


@dataclass(frozen=True)
class _Masses:
    """Masses in units of ``2**-_UNIT``, rounded down: ``units[j]`` is of cells whose losses add to ``first + (start+j)
    width`` at least, but for eta a step.
    """

    units: fmpz_poly
    start: int
    first: Fraction
    width: Fraction

    def times(self, other: _Masses, least: int) -> _Masses:
        """The product, without the ends below ``least`` units."""
        units = [int(unit) >> _UNIT for unit in (self.units * other.units).coeffs()]
        begin, last = 0, len(units)
        while last > 1 and units[last - 1] < least:
            last -= 1
        while begin < last - 1 and units[begin] < least:
            begin += 1
        return _Masses(
            fmpz_poly(units[begin:last]), self.start + other.start + begin, self.first + other.first, self.width
        )


@lru_cache(maxsize=64)
def _composed(q: Fraction, sigma: Fraction, steps: int, reverse: bool, delta: Fraction) -> _Masses:
    """The T-th power by squaring."""
    least = int(delta * 2 ** (_UNIT - _DROPPED))
    power, result, rest = _one(q, sigma, reverse), None, steps
    while True:
        if rest % 2:
            result = power if result is None else result.times(power, least)
        rest //= 2
        if not rest:
            return result  # type: ignore[return-value]
        power = power.times(power, least)


def _one(q: Fraction, sigma: Fraction, reverse: bool) -> _Masses:
    """The cells of one step as a polynomial."""
    first, width, cells = _cells(q, sigma)
    places = [-cell.above if reverse else cell.below for cell in cells]
    start = min(places)
    units = [0] * (max(places) - start + 1)
    for place, cell in zip(places, cells, strict=True):
        units[place - start] += cell.plain if reverse else cell.mixed
    return _Masses(fmpz_poly(units), start, -first if reverse else first, width)


@dataclass(frozen=True)
class _Cell:
    """The masses of a cell, rounded down, and ``a + below h - eta <= log(mixed/plain) <= a + above h + eta``."""

    below: int
    above: int
    mixed: int
    plain: int


@lru_cache(maxsize=32)
def _cells(q: Fraction, sigma: Fraction) -> tuple[Fraction, Fraction, list[_Cell]]:
    """The first loss a, the width h and the cells of the line, from left to right."""
    with working_precision(_PRECISION):
        line = _Line(arb_of(q), arb_of(sigma))
        s = float(sigma)
        low, high = (float(line.loss(arb(x))) for x in (-_SPREAD * s, 1 + _SPREAD * s))
        spread = float(q) * math.sqrt(math.expm1(min(1 / s**2, 700)))
        h = Fraction(max((high - low) / _MOST_CELLS, min(spread / 6, (high - low) / 60)))
        cells: list[_Cell] = []
        left, k, first = line.tails(None), 0, Fraction(low) + h / 2
        if h > abs(low):  # q is small: the first cell holds most of the mass, and its loss is where the grid begins
            right = line.tails(line.place(arb_of(h / 2)).mid())
            first = _middle((left.mixed - right.mixed) / (left.plain - right.plain))
            cells.append(_cell(left, right, 0, first, h))
            left, k = right, 1
        while True:
            end = line.end_of(left, arb_of(first + k * h))
            cells.append(_cell(left, end, k, first, h))
            if end is None:
                return first, h, cells
            assert end.loss is not None
            left, k = end, max(k + 1, math.floor(float((end.loss - arb_of(first)) / arb_of(h))) + 1)


def _cell(left: _Tails, right: _Tails | None, k: int, first: Fraction, h: Fraction) -> _Cell:
    """The cell between two ends, checked: k where the ratio of its masses is what it should be, else what it is."""
    plain, mixed = (left.plain, left.mixed) if right is None else (left.plain - right.plain, left.mixed - right.mixed)
    if not plain > 0 or not mixed > 0:  # too narrow for the precision: left out
        return _Cell(k, k, 0, 0)
    ratio, eta = ((mixed / plain).log() - arb_of(first)) / arb_of(h), arb_of(_ETA / h)
    ends = from_arb(ratio)
    below = k if ratio > k - eta else int(mpmath.floor(ends.lower))
    above = k if ratio < k + eta else int(mpmath.ceil(ends.upper))
    return _Cell(below, above, _units(mixed), _units(plain))


def _middle(ratio: arb) -> Fraction:
    """The logarithm of a ratio, as the rational number in the middle of its ball."""
    mantissa, exponent = map(int, ratio.log().mid().man_exp())
    return mantissa * Fraction(2) ** exponent


def _units(mass: arb) -> int:
    """A mass in units, rounded down."""
    return max(0, int(mpmath.floor(mpmath.ldexp(from_arb(mass).lower, _UNIT))))


@dataclass(frozen=True)
class _Tails:
    """The masses to the right of ``end`` (None: the whole line), and the loss there."""

    end: arb | None
    loss: arb | None
    plain: arb
    mixed: arb


class _Line:
    """The two laws of one output, at the working precision."""

    def __init__(self, q: arb, sigma: arb) -> None:
        self.q, self.sigma = q, sigma
        self.root = sigma * arb(2).sqrt()
        self.far = (1 + int(_SPREAD) * sigma + sigma / 2).mid()

    def loss(self, x: arb) -> arb:
        """``log(mu/mu0)`` at x."""
        return ((1 - self.q) + self.q * ((2 * x - 1) / (2 * self.sigma**2)).exp()).log()

    def place(self, loss: arb) -> arb:
        """Where the loss has this value, which is above ``log(1-q)``."""
        return self.sigma**2 * ((loss.exp() - (1 - self.q)) / self.q).log() + arb(1) / 2

    def tails(self, x: arb | None) -> _Tails:
        """The masses to the right of x."""
        if x is None:
            return _Tails(None, None, arb(1), arb(1))
        plain, moved = (x / self.root).erfc() / 2, ((x - 1) / self.root).erfc() / 2
        return _Tails(x, self.loss(x), plain, (1 - self.q) * plain + self.q * moved)

    def end_of(self, left: _Tails, target: arb) -> _Tails | None:
        """The right end of the cell whose masses have the ratio ``exp(target)``; None if that is beyond what is cut.

        With E for that ratio, ``G(x) = mu(cell) - E mu0(cell)`` falls up to the place where the loss is the target and
        grows from there on, with ``G' = mu0'(x) (exp(loss(x)) - E)``.
        """
        ratio, low, high = target.exp(), self.place(target).mid(), self.far
        if not low < high or not self._balance(left, self.tails(high), ratio) > 0:
            return None
        x = low if left.loss is None else self.place(2 * target - left.loss).mid()
        for _ in range(_NEWTON_STEPS):
            if not (x > low and x < high):
                x = ((low + high) / 2).mid()
            here = self.tails(x)
            balance = self._balance(left, here, ratio)
            if abs(balance) < (left.plain - here.plain) * _CLOSE:
                break
            low, high = (x, high) if balance < 0 else (low, x)
            assert here.loss is not None
            x = (x - balance / (self._density(x) * (here.loss.exp() - ratio))).mid()
        return here

    def _balance(self, left: _Tails, right: _Tails, ratio: arb) -> arb:
        return (left.mixed - right.mixed) - ratio * (left.plain - right.plain)

    def _density(self, x: arb) -> arb:
        return (-((x / self.root) ** 2)).exp() / (self.root * arb.pi().sqrt())


def _epsilon(total: _Masses, steps: int, delta: Fraction) -> Any:
    """The best of ``log((S0 - delta)/S1)`` over J, from the largest sum of losses down."""
    with working_precision(_PRECISION):
        step, need = arb_of(total.width).exp(), arb_of(delta * 2**_UNIT)
        units = total.units.coeffs()
        # what a unit of mass has at most under Q: exp(-L_j)
        top = total.first - steps * _ETA + (total.start + len(units) - 1) * total.width
        weight = arb_of(-top).exp()
        mass, other, ratio = arb(0), arb(0), arb(0)
        for unit in reversed(units):
            mass, other = mass + arb(unit), other + arb(unit) * weight
            if mass > need:
                found = (mass - need) / other
                if found < ratio:
                    break
                ratio = found
            weight *= step
        low = ratio.log().lower()
        return max(from_arb(low).lower, from_arb(arb(0)).lower) if low.is_finite() else from_arb(arb(0)).lower
