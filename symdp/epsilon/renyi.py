"""From a Renyi curve to (epsilon, delta) at the best order, with proof that no other order does better.

With ``beta = alpha - 1``, the log-moment ``g(beta) = beta e(alpha)`` and ``c(beta) = beta log beta - (1 + beta)
log(1 + beta)``,

    cks      eps(alpha) = (g + c - log delta) / beta       = e + log((alpha-1)/alpha) - (log delta + log
    alpha)/(alpha-1) mironov  eps(alpha) = (g - log delta) / beta           = e + log(1/delta)/(alpha-1)

Renyi divergence has a convex g, so a chord of g lies above it between its ends and its line below it everywhere
else. For a line ``p + q beta`` instead of g the minimum over any range of orders has a closed form; chords through
three orders around the optimum bound the minimum from below, with an error of second order in their distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
from mpmath import libmp

from symdp.ball import Enclosure, arb_of, bits_for, from_arb, working_precision
from symdp.epsilon.inputs import Real, check_digits, check_steps, real
from symdp.epsilon.order import Conversion, Curve
from symdp.epsilon.search import best_order
from symdp.errors import InputError
from symdp.rationals import rational

FORMS = ("cks", "mironov")
_GUARD = 128
_INFINITY = float("inf")


@dataclass(frozen=True, slots=True)
class RenyiEpsilon:
    """An epsilon, the order that gives it (None if none is needed, or none gives any) and what the lower end means.

    ``epsilon.upper`` is proved at ``order``. ``optimal``: ``epsilon.lower`` bounds the minimum over all orders
    considered; else it only bounds the value at ``order``.
    """

    epsilon: Enclosure
    order: Fraction | None
    optimal: bool

    def __iter__(self) -> Iterator[Any]:
        """``epsilon, order = renyi_epsilon(...)``."""
        return iter((self.epsilon, self.order))


def renyi_epsilon(
    rdp: Curve,
    delta: Any,
    digits: int = 50,
    orders: Iterable[Any] | None = None,
    *,
    form: str = "cks",
    convex: bool = True,
) -> RenyiEpsilon:
    """The least epsilon for which the curve ``e = rdp(alpha)`` gives (epsilon, delta)-DP, over all orders.

    ``rdp`` takes a rational order above 1 (Fraction) and returns an Enclosure, ``[inf, inf]`` where e is infinite; it
    should prove two or three digits more than are asked for here. ``form`` is one of

        cks      e + log((alpha-1)/alpha) - (log delta + log alpha)/(alpha-1)
        mironov  e + log(1/delta)/(alpha-1)

    Never below 0; ``delta >= 1`` gives 0, ``delta = 0`` infinity, as does a curve that is infinite everywhere.

    What is certified. Always: the upper end of ``epsilon`` is at least the formula at ``order``, hence a valid epsilon
    if e bounds the Renyi divergence there. With ``orders`` the minimum over the list, less the orders where the curve
    has no finite upper end, is enclosed. Over all orders the lower end is below the minimum provided that
    ``(alpha-1) e(alpha)`` is convex, as it is for every Renyi divergence, for suprema and sums of them and for
    ``rho alpha``; a contradiction met on the way raises InputError. Say ``convex=False`` for a curve of bounds of
    which this is not known: the lower end then belongs to ``order`` alone.

    The order comes from a search that is not trusted, of some 10 to 30 values of the curve. Digits that the curve
    does not prove are missing in the result. Raises InputError (``delta < 0``, an order not above 1, an unknown form,
    a curve that returns no Enclosure or is negative, digits).
    """
    check_form(form)
    known, digits = real(delta, "delta"), check_digits(digits)
    listed = None if orders is None else sorted({_order(order) for order in orders})
    if listed is not None and not listed:
        raise InputError("at least one order is needed", place="orders")
    optimal = convex or listed is not None
    if known.compare(1)[0] >= 0:
        return RenyiEpsilon(Enclosure(0, 0), None, optimal)
    if known.compare(1)[1] > 0:  # an enclosure that reaches beyond 1, where epsilon is 0 as it is at 1
        known = Real(Enclosure(known.enclosure().lower, 1))
    if known.compare(0)[1] == 0:
        return RenyiEpsilon(Enclosure(_INFINITY, _INFINITY), None, optimal)
    if known.compare(0)[0] == 0:  # an enclosure that reaches down to 0
        far = renyi_epsilon(rdp, known.ends()[1].value, digits, listed, form=form, convex=convex)
        return RenyiEpsilon(Enclosure(far.epsilon.lower, _INFINITY), far.order, optimal)
    curve = _remember(rdp)
    if listed is not None:
        return _over(curve, known, listed, digits, form)
    extra = 0
    for _ in range(4):
        found, lost = _optimum(curve, known, digits, form, convex, extra)
        if lost <= extra:
            break
        extra = lost
    return found


def check_form(form: Any) -> None:
    """InputError unless ``form`` is one of ``FORMS``."""
    if form not in FORMS:
        raise InputError(f"no form is called {form}", place="form", remedy=f"one of {', '.join(FORMS)}")


def _optimum(curve: Curve, delta: Real, digits: int, form: str, convex: bool, extra: int) -> tuple[RenyiEpsilon, int]:
    """The best order with ``extra`` bits for what digits are lost, and how many it would have taken."""
    target = bits_for(digits) + 4 + extra
    with working_precision(target + _GUARD):
        conversion = Conversion(curve, -delta.ball().log(), cks=form == "cks")
        found = best_order(conversion, target, bounded=convex)
        if found is None:
            return RenyiEpsilon(Enclosure(_INFINITY, _INFINITY), None, False), 0
        point, ball = found.point, found.point.epsilon
        if point.vanishes or ball <= 0:
            return RenyiEpsilon(Enclosure(0, 0), point.alpha, convex), 0
        low = ball.lower()
        if convex:
            if found.bound > ball:
                raise InputError(
                    f"(alpha - 1) e(alpha) is not convex near alpha = {arb_of(point.alpha).str(6, radius=False)}",
                    place="rdp",
                    remedy="pass convex=False",
                )
            low = min(low, found.bound)
        result = _clipped(from_arb(low).lower if low.is_finite() else 0, from_arb(ball).upper)
        lost = 0
        if result.proved_digits < digits:
            terms = (point.moment + conversion.goal) / (arb_of(point.beta) * abs(ball).upper())
            lost = _magnitude(terms) if terms > 16 else 0
            if convex and found.bound.is_finite() and ball.rel_accuracy_bits() > bits_for(digits):
                # the curve bends so sharply that the chords sag: their length goes down with the target
                lost = max(lost, extra + bits_for(digits) + _magnitude((ball - found.bound) / ball.mid()))
        return RenyiEpsilon(result, point.alpha, convex), lost


def _magnitude(value: Any) -> int:
    """A few bits more than a ball has before the point; negative for a small one."""
    mantissa, exponent = map(int, value.upper().man_exp())
    return mantissa.bit_length() + exponent + 8


def _remember(rdp: Curve) -> Curve:
    """The curve, each order asked for once, its values checked."""
    known: dict[Fraction, Enclosure] = {}

    def value(order: Fraction) -> Enclosure:
        if order not in known:
            found = rdp(order)
            if not isinstance(found, Enclosure):
                raise InputError(f"an Enclosure expected, got {type(found).__name__}", place="rdp")
            if found.upper < 0:
                raise InputError(f"negative at order {order}", place="rdp")
            known[order] = found
        return known[order]

    return value


def _order(value: Any) -> Fraction:
    order = rational(value, "orders")
    if order <= 1:
        raise InputError(f"an order must be above 1, not {value}", place="orders")
    return order


def _clipped(low: Any, high: Any) -> Enclosure:
    return Enclosure(max(low, 0), max(high, 0))


def _over(curve: Curve, delta: Real, orders: list[Fraction], digits: int, form: str) -> RenyiEpsilon:
    """The best of a list of orders."""
    with working_precision(bits_for(digits) + _GUARD):
        conversion = Conversion(curve, -delta.ball().log(), cks=form == "cks")
        points = [point for order in orders if (point := conversion.at(order - 1)).usable]
        values = [from_arb(point.epsilon) for point in points]
    if not points:
        return RenyiEpsilon(Enclosure(_INFINITY, _INFINITY), None, True)
    best = min(range(len(points)), key=lambda index: values[index].upper)
    low = min(value.lower for value in values)
    return RenyiEpsilon(_clipped(low, values[best].upper), points[best].alpha, True)


def compose(*curves: Curve, steps: int = 1) -> Curve:
    """The Renyi curve of the composition: the sum of the curves, ``steps`` times. RDP adds at every order.

    Raises InputError if there is no curve or ``steps`` is not a whole number from 1 to ``MAX_STEPS``.
    """
    if not curves:
        raise InputError("at least one curve is needed", place="compose")
    count = check_steps(steps)

    def total(order: Fraction) -> Enclosure:
        values = [curve(order) for curve in curves]
        low, high = (_sum([getattr(value, end)._mpf_ for value in values], count, way) for end, way in _ENDS)
        return Enclosure(low, high)

    return total


_ENDS = (("lower", "f"), ("upper", "c"))


def _sum(terms: list[Any], steps: int, rounding: str) -> Any:
    """``steps`` times the sum of mpf tuples, rounded in one direction to a few bits more than they have."""
    bits = max(term[3] for term in terms) + 64
    total = libmp.fzero
    for term in terms:
        total = libmp.mpf_add(total, term, bits, rounding)
    return mpmath.mp.make_mpf(libmp.mpf_mul_int(total, steps, bits + steps.bit_length(), rounding))
