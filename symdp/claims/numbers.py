"""The numbers of a falsifier's truth as they are: the functions of mpmath that it calls, on exact numbers.

A truth is written for mpmath, ``truth(mp, alpha=..., ...)``. Called with :class:`ExactNumbers` in place of ``mp`` it
builds an expression of exact numbers and certified integrals, which is then enclosed. What has no exact meaning (a
float, a rounded digit, a comparison of numbers that are not rational) is refused with ``NotExact``, so that nothing
rounded is taken for proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import sympy
from flint import arb
from sympy import Dummy, Expr, Rational, Symbol, oo

from symdp.ball import Enclosure, from_arb, working_precision
from symdp.enclosure import ball, enclose
from symdp.errors import SymdpError
from symdp.quadrature import integral

_DIGITS, _BITS, _GOOD = 30, 256, 60
_FUNCTIONS = (
    *("exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("asin", "acos", "atan", "asinh", "acosh", "atanh", "erfc"),
)


class NotExact(Exception):
    """A truth does something with a number that exact ones do not allow."""


class Number:
    """An exact real number, or the variable of an integral; ``known``: what is enclosed of the symbols in it."""

    def __init__(self, expr: Expr, known: Mapping[Symbol, arb] = MappingProxyType({})) -> None:
        self.expr, self.known = expr, known

    def _of(self, expr: Expr) -> Number:
        return Number(expr, self.known)

    def __add__(self, other: Any) -> Number:
        return self._of(self.expr + _expr(other))

    def __sub__(self, other: Any) -> Number:
        return self._of(self.expr - _expr(other))

    def __rsub__(self, other: Any) -> Number:
        return self._of(_expr(other) - self.expr)

    def __mul__(self, other: Any) -> Number:
        return self._of(self.expr * _expr(other))

    def __truediv__(self, other: Any) -> Number:
        return self._of(self.expr / self._of(_expr(other)).divisor)

    def __rtruediv__(self, other: Any) -> Number:
        return self._of(_expr(other) / self.divisor)

    def __pow__(self, other: Any) -> Number:
        power = _expr(other)
        if not (isinstance(power, Rational) and power >= 0):
            self._of(self.divisor)
        return self._of(sympy.Pow(self.expr, power))

    def __rpow__(self, other: Any) -> Number:
        return self._of(_expr(other)) ** self

    def __neg__(self) -> Number:
        return self._of(-self.expr)

    def __abs__(self) -> Number:
        return self._of(sympy.Abs(self.expr))

    __radd__, __rmul__ = __add__, __mul__

    def __bool__(self) -> bool:
        return self.rational != 0

    def __eq__(self, other: object) -> bool:
        return self.rational == _rational(other)

    def __lt__(self, other: Any) -> bool:
        return self.rational < _rational(other)

    def __le__(self, other: Any) -> bool:
        return self.rational <= _rational(other)

    def __gt__(self, other: Any) -> bool:
        return self.rational > _rational(other)

    def __ge__(self, other: Any) -> bool:
        return self.rational >= _rational(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def rational(self) -> Fraction:
        """Raises NotExact for any other number: only these are compared."""
        if not isinstance(self.expr, Rational):
            raise NotExact("a number that is not rational is compared or rounded")
        return Fraction(int(self.expr.p), int(self.expr.q))

    @property
    def divisor(self) -> Expr:
        """What may be divided by: not 0, which is proved of a constant before sympy cancels it."""
        if isinstance(self.expr, Rational):
            if self.expr == 0:
                raise NotExact("a division by zero")
        elif self.expr.free_symbols <= set(self.known):
            with working_precision(_BITS):
                if ball(self.expr, {s: self.known[s] for s in self.expr.free_symbols}).contains(0):
                    raise NotExact("a division by what may be zero")
        return self.expr


def _expr(value: Any) -> Expr:
    if isinstance(value, Number):
        return value.expr
    if isinstance(value, int | Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, Rational):
        return value
    raise NotExact(f"{type(value).__name__} is no exact number")


def _rational(value: Any) -> Fraction:
    return Number(_expr(value)).rational


class ExactNumbers:
    """What a truth calls its ``mp``; ``inf`` is an end of an integral and nothing else."""

    inf = oo

    def __init__(self) -> None:
        self._known: dict[Symbol, arb] = {}

    def _of(self, expr: Expr) -> Number:
        return Number(expr, self._known)

    @property
    def pi(self) -> Number:
        """The circle's number."""
        return self._of(sympy.pi)

    @property
    def e(self) -> Number:
        """``exp(1)``."""
        return self._of(sympy.E)

    def __getattr__(self, name: str) -> Callable[[Any], Number]:
        """The functions of one argument."""
        if name not in _FUNCTIONS:
            raise NotExact(f"{name} is not known of exact numbers")
        function = getattr(sympy, name)

        def value(x: Any) -> Number:
            expr = _expr(x)  # of a constant it is left as it is: sympy would factor it, or ask long what it is
            return self._of(function(expr, evaluate=bool(expr.free_symbols)))

        return value

    def mpf(self, value: Any) -> Number:
        """An integer, a fraction, its text, or what an enclosure encloses."""
        if isinstance(value, Enclosure):
            symbol = Dummy("enclosed", real=True)
            with working_precision(_BITS):
                self._known[symbol] = value.to_arb()
            return self._of(symbol)
        if isinstance(value, str):
            try:
                value = Fraction(value)
            except ValueError:
                raise NotExact(f"{value} is no exact number") from None
        return self._of(_expr(value))

    def npdf(self, x: Any, mean: Any = 0, spread: Any = 1) -> Number:
        """The density of a normal law."""
        scaled = (self.mpf(x) - mean) / spread
        density = sympy.exp(_expr(-(scaled**2) / 2)) / sympy.sqrt(2 * sympy.pi)
        return self._of(density / self.mpf(spread).divisor)

    def ncdf(self, x: Any) -> Number:
        """The distribution function of the standard normal law."""
        return self._of(sympy.erfc(-_expr(x) / sympy.sqrt(2)) / 2)

    def fsum(self, terms: Iterable[Any]) -> Number:
        """Their sum."""
        return self._of(sympy.Add(*map(_expr, terms)))

    def ceil(self, x: Any) -> int:
        """The least integer from x on, x rational."""
        return -(-_rational(x) // 1)

    def nstr(self, x: Any, digits: int) -> str:
        """All of a rational number, "3/7": none of it is lost."""
        return str(_rational(x))

    def linspace(self, first: Any, last: Any, count: int) -> list[Number]:
        """So many points, as far apart as the next."""
        low, step = self.mpf(first), (self.mpf(last) - first) / (count - 1)
        return [low + step * k for k in range(count)]

    def quad(self, function: Callable[[Number], Any], points: Sequence[Any]) -> Number:
        """The integral from the first to the last of the points, certified."""
        symbol = Dummy("x", real=True)
        low, high = (end if end is oo or end is -oo else _expr(end) for end in (points[0], points[-1]))
        return self.mpf(integral(_expr(function(self._of(symbol))), symbol, low, high, digits=_DIGITS))

    def value(self, number: Any) -> Enclosure:
        """An enclosure of a number made here. Raises NotExact where it is not seen to be one."""
        if isinstance(number, Enclosure):
            return number
        expr = _expr(number)
        if not expr.free_symbols:
            return enclose(expr, {}, _DIGITS)
        with working_precision(_BITS):
            found = ball(expr, {s: self._known[s] for s in expr.free_symbols})
            if not found.is_finite() or not (found.is_exact() or found.rel_accuracy_bits() > _GOOD):
                raise NotExact("the value is not enclosed")
            return from_arb(found)


def enclosed(truth: Callable[..., Any], point: Mapping[Symbol, Expr]) -> Enclosure | None:
    """What a truth is at an exact point, certified; None where it does what exact numbers do not allow."""
    numbers = ExactNumbers()
    try:
        return numbers.value(truth(numbers, **{name.name: numbers.mpf(value) for name, value in point.items()}))
    except (NotExact, SymdpError, AttributeError, TypeError, ValueError, ArithmeticError):
        return None
