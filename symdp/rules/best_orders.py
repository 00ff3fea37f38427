"""Parameters worth a try for conversions to (epsilon, delta): proposals only, the rules decide what they give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, fmpq
from mpmath import mpf
from sympy import Expr, Pow, Rational, exp, factorint

from symdp.ball import Enclosure, bits_for, from_arb, mp_context, working_precision
from symdp.enclosure import compile_ball, enclose
from symdp.epsilon import gaussian_epsilon, renyi_epsilon
from symdp.errors import SymdpError
from symdp.judgments import GaussianDP, RenyiDP
from symdp.rule import Query
from symdp.rules.asked import asked, same_subject
from symdp.rules.conditions import ALPHA
from symdp.text.moment import sampled_moment

_DIGITS = 60  # of the curve: the order then has half as many, and epsilon all of them
_FARTHEST = 60  # of the logarithm of alpha - 1
_LEAST = -2000  # of the logarithm of a delta; beyond it a number is long and says no more
_LONGEST = 3900  # bits of a number in an exact bound: powers such as 3^alpha are written out at a number
_COARSE, _PRIMES = 64, 1 << 15
_INFINITE = Enclosure(float("inf"), float("inf"))
Curve = Callable[..., Enclosure]
Suggestion = Callable[[tuple[Any, ...], Query], Iterator[Mapping[str, Any]]]


def curve_of(fact: RenyiDP) -> Curve | None:
    """The bound as a function of the order, infinite where it does not hold; None if it has other symbols."""
    if set(fact.region.symbols) - {ALPHA} or fact.value.free_symbols - {ALPHA}:
        return None

    largest, at = _largest_order(fact.value), compile_ball(fact.value, [ALPHA])

    def value(order: Fraction, digits: int = _DIGITS) -> Enclosure:
        if largest is not None and order > largest:
            return _INFINITE
        exact = Rational(order.numerator, order.denominator)
        if ALPHA in fact.region.symbols and fact.region.contains({ALPHA: exact}) is not True:
            return _INFINITE
        return _near(at, exact, digits)

    return value


def _near(at: Callable[[Sequence[arb]], arb], order: Rational, digits: int) -> Enclosure:
    """The bound at an order with so many digits; fewer where they cancel, for whether it is 0 does not matter here."""
    for bits in (bits_for(digits) + 64, 512, 1536):
        with working_precision(bits):
            found = at([arb(fmpq(int(order.p), int(order.q)))])
            if found.is_finite() and found.rel_accuracy_bits() >= bits_for(digits):
                break
    return from_arb(found) if found.is_finite() else _INFINITE


def _powers(value: Expr) -> list[Expr]:
    """The powers and exponentials in a bound whose exponents rise with the order."""
    return [power for power in value.atoms(Pow, exp) if ALPHA in power.exp.free_symbols]


def _largest_order(value: Expr) -> int | None:
    """The order up to which a bound is worth a look: powers in it are not too long at a number, and moments of the
    sampled Gaussian mechanism have left the orders where they are small. None if there are neither.
    """
    moments = [moment.args[2] for moment in value.atoms(sampled_moment)]
    if moments:
        noise = max(float(enclose(s, {}, 5).upper) for s in moments)
        return int(100 * noise + 20 * noise**2) + 2
    if not _powers(value):
        return None
    return max(2, _LONGEST // sum(int(r.p).bit_length() + int(r.q).bit_length() for r in value.atoms(Rational)))


def _rounded(order: Fraction, value: Expr) -> Fraction:
    """The order with a short denominator if powers of a number such as 250000 = 2^4 5^6 need it.

    sympy splits their fractional parts by primes: with a long denominator the numbers would not fit into memory.
    """
    bases = {r for power in _powers(value) for r in power.atoms(Rational) if r > 0}
    for number in (int(part) for base in bases for part in (base.p, base.q)):
        if len(set(factorint(number, limit=_PRIMES).values())) > 1:
            return max(Fraction(round(order * _COARSE), _COARSE), 1 + Fraction(1, _COARSE))
    return order


def best_orders(form: str) -> Suggestion:
    """Suggestions of ``delta`` and ``order`` for the form "cks" or "mironov"."""

    def suggest(premises: tuple[Any, ...], query: Query) -> Iterator[Mapping[str, Any]]:
        fact = premises[0]
        curve = curve_of(fact) if same_subject(fact.subject, query.subject) else None
        if curve is None:
            return
        orders = None if query.orders is None else [_fraction(order) for order in query.orders]
        if query.ask == "epsilon" and query.delta is not None:
            try:
                found = renyi_epsilon(curve, query.delta, _DIGITS - 3, orders, form=form, convex=False)
            except SymdpError:
                return
            if found.order is not None:
                order = found.order if orders is not None else _rounded(found.order, fact.value)
                yield {"delta": query.delta, "order": Rational(order.numerator, order.denominator)}
        elif query.ask == "delta" and query.epsilon is not None:
            yield from _least_delta(curve, query.epsilon, orders, form, fact.value)

    return suggest


def _least_delta(
    curve: Curve, epsilon: Expr, orders: list[Fraction] | None, form: str, value: Expr
) -> Iterator[Mapping[str, Any]]:
    """The order of the least delta, and that delta rounded up.

    ``log delta = (alpha-1)(R - epsilon) [+ (alpha-1) log(1 - 1/alpha) - log alpha]`` is convex in the order if the
    log-moment is: by golden section in ``log(alpha-1)``.
    """
    mp = mp_context(_DIGITS)
    target = mp.mpf(enclose(epsilon, {}, _DIGITS).lower)

    def log_delta(order: Fraction, digits: int = _DIGITS) -> Any:
        bound = curve(order, digits)
        if not bound.is_finite:
            return mp.inf
        alpha = mp.mpf(order.numerator) / order.denominator
        gain = (alpha - 1) * mp.log1p(-1 / alpha) - mp.log(alpha) if form == "cks" else 0
        return max((alpha - 1) * (mp.mpf(bound.upper) - target) + gain, mp.mpf(_LEAST))

    def at(exponent: Any) -> Fraction:
        """The order ``1 + e^exponent``, as a short fraction."""
        return 1 + Fraction(str(mp.nstr(mp.exp(exponent), 14)))

    if orders is None:
        orders = [_rounded(at(_least(mp, lambda exponent, digits: log_delta(at(exponent), digits))), value)]
    best = min(orders, key=log_delta)
    least = log_delta(best)
    if least < 0:
        delta = _rational(mp.exp(least) * (1 + mp.mpf(10) ** (5 - _DIGITS)))
        yield {"delta": delta, "order": Rational(best.numerator, best.denominator)}


def _least(mp: Any, f: Callable[[Any, int], Any]) -> Any:
    """An unproved minimiser of a unimodal ``f(exponent, digits)``: a bracket, golden section, then a parabola."""
    golden = (mp.sqrt(5) - 1) / 2
    middle, here = mp.mpf(0), f(mp.mpf(0), 20)
    ends = []
    for sign in (1, -1):
        step = mp.mpf(1)
        # orders far beyond the best one are slow; below it, where nothing is finite yet, there may be something
        while abs(middle) < _FARTHEST and (
            (there := f(middle + sign * step, 20)) < here or (sign < 0 and not mp.isfinite(here))
        ):
            middle, here, step = middle + sign * step, there, 2 * step
        ends.append(middle + sign * step)
    high, low = ends
    left, right = high - golden * (high - low), low + golden * (high - low)
    one, two = f(left, 20), f(right, 20)
    while high - low > mp.mpf(10) ** -4:
        if one > two:
            low, left, one = left, right, two
            right = low + golden * (high - low)
            two = f(right, 20)
        else:  # both are infinite beyond the orders where the bound holds: go left
            high, right, two = right, left, one
            left = high - golden * (high - low)
            one = f(left, 20)
    middle, step = (low + high) / 2, mp.mpf(10) ** -5
    before, here, after = (f(middle + k * step, _DIGITS) for k in (-1, 0, 1))
    bend = before - 2 * here + after
    shift = (before - after) / (2 * bend) * step if mp.isfinite(bend) and bend > 0 else 0
    return middle + max(-100 * step, min(100 * step, shift))


def least_gaussian_epsilon(premises: tuple[Any, ...], query: Query) -> Iterator[Mapping[str, Any]]:
    """Suggestions of ``epsilon``, ``delta`` and ``at`` for two Gaussian laws at numbers."""
    fact: GaussianDP = premises[0]
    if query.ask != "epsilon" or query.delta is None or set(fact.region.symbols) - {ALPHA} or fact.mu.free_symbols:
        return
    if not same_subject(fact.subject, query.subject):
        return
    try:
        high = gaussian_epsilon(fact.mu, query.delta, _DIGITS).upper
    except SymdpError:
        return
    if high == mpf("inf"):
        return
    yield {"epsilon": _rational(high), "delta": query.delta, "at": ()}


def at_the_query(*names: str, parts: bool = False, **more: Any) -> Suggestion:
    """A suggestion of the query's own numbers, for premises about what is asked, or with ``parts`` parts of it: the
    master rule takes one epsilon through a kernel.
    """

    def suggest(premises: tuple[Any, ...], query: Query) -> Iterator[Mapping[str, Any]]:
        values = {name: getattr(query, name) for name in names}
        needed = {"epsilon": "delta", "delta": "epsilon"}[names[0]]
        subject = premises[0].subject
        about = asked(subject, query) if parts else same_subject(subject, query.subject)
        if query.ask == needed and None not in values.values() and about:
            yield values | more

    return suggest


def _fraction(order: Expr) -> Fraction:
    return Fraction(int(order.p), int(order.q))


def _rational(value: mpf) -> Rational:
    sign, mantissa, exponent, _ = value._mpf_
    return Rational((-1) ** sign * int(mantissa)) * Rational(2) ** exponent
