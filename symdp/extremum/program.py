"""A sympy tree compiled once, then run on many boxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from symdp.ballfunctions import erfcx
from symdp.enclosure import moment
from symdp.enclosure.operations import erfc
from symdp.enclosure.scaled import scaled
from symdp.extremum import interval as iv
from symdp.extremum.interval import Range
from symdp.text.extrema import Max, Min
from symdp.text.moment import sampled_moment
from symdp.tower import Outside

Box = tuple[Range, ...]
_Step = tuple[Callable[..., Range], tuple[int, ...]]

_tanh = iv.increasing(lambda x: x.tanh(), -iv.ONE, iv.ONE)
_atan = iv.increasing(lambda x: x.atan(), iv.NINF, iv.INF)
_asin = iv.increasing(lambda x: x.asin(), iv.NINF, iv.INF)


def _atan_range(a: Range) -> Range:
    quarter = arb.pi() / 2
    r = _atan(a)
    lo = iv.down(-quarter) if a.lo == iv.NINF else r.lo
    hi = iv.up(quarter) if a.hi == iv.INF else r.hi
    return Range(lo, hi, a.lo_open, a.hi_open, a.partial)


def _asin_range(a: Range) -> Range:
    return _asin(iv.clip(a, -iv.ONE, iv.ONE))


def _acos_range(a: Range) -> Range:
    return iv.add(iv.point(arb.pi() / 2), iv.neg(_asin_range(a)))


def _atanh_range(a: Range) -> Range:
    a = iv.clip(a, -iv.ONE, iv.ONE, lo_open=True, hi_open=True)
    lo = iv.NINF if a.lo == -1 else iv.INF if a.lo == 1 else iv.down(a.lo.atanh())
    hi = iv.INF if a.hi == 1 else iv.NINF if a.hi == -1 else iv.up(a.hi.atanh())
    return Range(lo, hi, a.lo_open, a.hi_open, a.partial)


def _erfc_range(a: Range) -> Range:
    """Decreasing from 2 to 0, neither of which is a value."""
    lo = iv.ZERO if a.hi == iv.INF else iv.down(erfc(a.hi))
    hi = iv.TWO if a.lo == iv.NINF else iv.up(erfc(a.lo))
    low, high = max(lo, iv.ZERO), min(hi, iv.TWO)
    return Range(low, high, a.hi_open or low == 0, a.lo_open or high == 2, a.partial)


def _erfcx_range(a: Range) -> Range:
    """Decreasing from infinity to 0."""
    lo = iv.ZERO if a.hi == iv.INF else max(iv.down(erfcx(a.hi)), iv.ZERO)
    hi = iv.INF if a.lo == iv.NINF else iv.up(erfcx(a.lo))
    return Range(lo, hi, a.hi_open or lo == 0, a.lo_open, a.partial)


def _moment_range(p: Range, q: Range, s: Range) -> Range:
    q, s = iv.clip(q, iv.ZERO, iv.ONE), iv.clip(s, iv.ZERO, lo_open=True)
    if not (q.lo >= 0 and q.hi <= 1 and s.hi > 0):
        return Range(iv.ZERO, iv.INF, True, partial=True)
    lo, hi = moment.bounds((p.lo, p.hi), (q.lo, q.hi), (s.lo, s.hi))
    # a moment is 1 only at p = 0, p = 1 and q = 0
    one = iv.attains(p, iv.ZERO) or iv.attains(p, iv.ONE) or iv.attains(q, iv.ZERO)
    partial = p.partial or q.partial or s.partial
    return Range(lo, hi, bool(lo == 0 or (lo == 1 and not one)), bool(hi == 1 and not one), partial)


_FUNCTIONS: dict[str, Callable[[Range], Range]] = {
    "exp": iv.increasing(lambda x: x.exp(), iv.ZERO, iv.INF),
    "log": iv.log,
    "sinh": iv.increasing(lambda x: x.sinh(), iv.NINF, iv.INF),
    "cosh": iv.cosh,
    "tanh": _tanh,
    "coth": lambda a: iv.reciprocal(_tanh(a)),
    "sech": lambda a: iv.reciprocal(iv.cosh(a)),
    "sin": iv.periodic(lambda x: x.sin()),
    "cos": iv.periodic(lambda x: x.cos()),
    "tan": iv.tangent,
    "asin": _asin_range,
    "acos": _acos_range,
    "atan": _atan_range,
    "asinh": iv.increasing(lambda x: x.asinh(), iv.NINF, iv.INF),
    "acosh": lambda a: iv.increasing(lambda x: x.acosh(), iv.ZERO, iv.INF)(iv.clip(a, iv.ONE)),
    "atanh": _atanh_range,
    "Abs": iv.absolute,
    "sign": iv.sign,
    "erfc": _erfc_range,
    "ErfcX": _erfcx_range,
}


class Program:
    """The range of one expression over boxes whose sides are given in the order of ``symbols``."""

    def __init__(
        self, expr: sp.Expr, symbols: Sequence[sp.Symbol], facts: Mapping[sp.Expr, Range] | None = None
    ) -> None:
        self.symbols = tuple(symbols)
        self._place = {s: i for i, s in enumerate(self.symbols)}
        self._facts = facts or {}
        self._steps: list[_Step] = []
        self._index: dict[sp.Basic, int] = {}
        self._last = self._compile(expr)

    @property
    def size(self) -> int:
        """The number of interval operations of one run."""
        return len(self._steps)

    def __call__(self, box: Sequence[Range]) -> Range:
        """The range on the box, at the working precision of the caller."""
        values: list[Range] = list(box)
        for f, args in self._steps:
            values.append(f(*[values[i] for i in args]))
        return values[self._last]

    def _emit(self, f: Callable[..., Range], *args: int) -> int:
        self._steps.append((f, args))
        return len(self.symbols) + len(self._steps) - 1

    def _compile(self, e: sp.Expr) -> int:
        if e not in self._index:
            index = self._node(e)
            known = self._known(e)
            if known is not None:
                index = self._emit(_meet(known), index)
            self._index[e] = index
        return self._index[e]

    def _known(self, e: sp.Expr) -> Range | None:
        """What is known of ``e`` from elsewhere, up to a rational factor of a sum."""
        if not self._facts or e in self._facts or not isinstance(e, sp.Add):
            return self._facts.get(e)
        content, part = e.primitive()
        known = self._facts.get(part)
        return None if known is None else iv.mul(iv.rational(Fraction(int(content.p), int(content.q))), known)

    def _fold(self, f: Callable[..., Range], args: Sequence[sp.Expr]) -> int:
        index = self._compile(args[0])
        for a in args[1:]:
            index = self._emit(f, index, self._compile(a))
        return index

    def _node(self, e: sp.Expr) -> int:
        if isinstance(e, sp.Symbol):
            if e not in self._place:
                raise Outside(f"no range for {e}")
            return self._place[e]
        if isinstance(e, sp.Rational):
            value = Fraction(int(e.p), int(e.q))
            return self._emit(lambda: iv.rational(value))
        if e is sp.pi:
            return self._emit(lambda: iv.point(arb.pi()))
        if e is sp.E:
            return self._emit(lambda: iv.point(arb.const_e()))
        if isinstance(e, sp.Add):
            return self._fold(iv.add, e.args)
        if isinstance(e, sp.Mul):
            product = scaled(e)
            return self._fold(iv.mul, e.args) if product is e else self._compile(product)
        if isinstance(e, (sp.Max, sp.Min, Max, Min)):
            return self._fold(iv.maximum if isinstance(e, (sp.Max, Max)) else _minimum, e.args)
        if isinstance(e, sp.Pow):
            return self._power(e.base, e.exp)
        if isinstance(e, sp.Function) and len(e.args) == 1 and type(e).__name__ in _FUNCTIONS:
            return self._emit(_FUNCTIONS[type(e).__name__], self._compile(e.args[0]))
        if isinstance(e, sampled_moment):
            return self._emit(_moment_range, *map(self._compile, e.args))
        raise Outside(f"{type(e).__name__} is not a function of the grammar")

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> int:
        if isinstance(exponent, sp.Integer):
            n = int(exponent)
            if abs(n) > 100_000:
                raise Outside("an exponent too large to enclose")
            return self._emit(lambda a: iv.integer_power(a, n), self._compile(base))
        if isinstance(exponent, sp.Rational):
            p, q = int(exponent.p), int(exponent.q)
            if abs(p) > 10_000 or q > 10_000:
                raise Outside("an exponent too large to enclose")
            return self._emit(lambda a: iv.rational_power(a, p, q), self._compile(base))
        return self._emit(_real_power, self._compile(base), self._compile(exponent))


def _minimum(a: Range, b: Range) -> Range:
    return iv.neg(iv.maximum(iv.neg(a), iv.neg(b)))


def _real_power(base: Range, exponent: Range) -> Range:
    return _FUNCTIONS["exp"](iv.mul(exponent, iv.log(base)))


def _meet(known: Range) -> Callable[[Range], Range]:
    """Narrow a computed range by one that is known from elsewhere (a constraint of the region)."""

    def value(a: Range) -> Range:
        lo, lo_open = max(((a.lo, a.lo_open), (known.lo, known.lo_open)), key=lambda e: (e[0], e[1]))
        hi, hi_open = min(((a.hi, a.hi_open), (known.hi, known.hi_open)), key=lambda e: (e[0], not e[1]))
        return a if lo > hi else Range(lo, hi, lo_open, hi_open, a.partial)

    return value


def evaluate(expr: sp.Expr, box: Mapping[sp.Symbol, Range], facts: Mapping[sp.Expr, Range] | None = None) -> Any:
    """The range of ``expr`` on a box given by symbol; raises `Outside` for a foreign function."""
    symbols = tuple(box)
    return Program(expr, symbols, facts)([box[s] for s in symbols])
