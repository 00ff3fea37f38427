"""Exact expansions as ``z -> 0+``, in place of a limit that has to be trusted.

A germ is a finite sum of monomials ``c z^p (-log z)^l exp(sum_i a_i z^{-q_i})`` with exact coefficients plus a
remainder that is
smaller than every monomial kept by some further monomial. Dominance is decided from exact signs; where a sign is not
decided,
a coefficient cannot be proved non-zero, or the function oscillates, :class:`Unclear` is raised: there is no guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cmp_to_key

from sympy import (
    Abs,
    Add,
    Dummy,
    Expr,
    Function,
    Integer,
    Mul,
    Pow,
    Rational,
    Symbol,
    acosh,
    asinh,
    atan,
    binomial,
    cosh,
    coth,
    exp,
    factorial,
    log,
    nan,
    oo,
    pi,
    sign,
    sinh,
    sqrt,
    tanh,
    zoo,
)

from symdp.errors import SymdpError
from symdp.text import to_text

Sign = Callable[[Expr], int | None]

TERMS = 6
"""How many terms an expansion keeps; cancellation deeper than that is Unclear."""


class Unclear(SymdpError):
    """The behaviour at the end is not decided; ``undecided`` is the expression whose sign would help, if there is
    one.
    """

    def __init__(self, message: str, undecided: Expr | None = None) -> None:
        super().__init__(message)
        self.undecided = undecided


@dataclass(frozen=True)
class Scale:
    """``z^power (-log z)^logs exp(sum a z^{-q})``; ``growth`` lists ``(q, a)`` with q > 0 falling."""

    growth: tuple[tuple[Rational, Expr], ...]
    power: Rational
    logs: int

    def __mul__(self, other: Scale) -> Scale:
        total: dict[Rational, Expr] = {}
        for q, a in (*self.growth, *other.growth):
            total[q] = (total.get(q, Integer(0)) + a).expand()
        growth = tuple(sorted(((q, a) for q, a in total.items() if a != 0), key=lambda item: -item[0]))
        return Scale(growth, self.power + other.power, self.logs + other.logs)

    def raised(self, n: Rational) -> Scale:
        """``self**n``; a non-integer power of a logarithm is not a scale."""
        logs = self.logs * n
        if logs != int(logs):
            raise Unclear("a fractional power of a logarithm")
        return Scale(tuple((q, a * n) for q, a in self.growth), self.power * n, int(logs))


UNIT = Scale((), Rational(0), 0)
Term = tuple[Expr, Scale]


@dataclass(frozen=True)
class Germ:
    """Terms by falling dominance; ``remainder`` bounds what was cut off (None: the sum is exact)."""

    terms: tuple[Term, ...]
    remainder: Scale | None


class Expander:
    """Expands expressions of ``z`` at 0+; ``sign_of`` decides signs of expressions of the parameters."""

    def __init__(self, z: Symbol, sign_of: Sign) -> None:
        self.z, self.sign_of = z, sign_of

    # --- order -----------------------------------------------------------------------------------------------------
    def _sign(self, expr: Expr) -> int:
        value = self.sign_of(expr)
        if value is None:
            raise Unclear(f"the sign of {to_text(expr)} is not decided", expr)
        return value

    def compare(self, left: Scale, right: Scale) -> int:
        """1 if ``left`` dominates ``right`` as z -> 0+, -1 the other way, 0 if they are the same."""
        ratio = left * right.raised(Rational(-1))
        for _, a in ratio.growth:
            if (s := self._sign(a)) != 0:
                return s
        if ratio.power != 0:
            return -1 if ratio.power > 0 else 1
        return (ratio.logs > 0) - (ratio.logs < 0)

    def collect(self, terms: Iterable[Term], remainders: Iterable[Scale | None] = ()) -> Germ:
        """Add terms of one scale, drop what is exactly zero, sort, and cut at ``TERMS`` terms and at the remainder."""
        grouped: dict[Scale, list[Expr]] = {}
        for coefficient, scale in terms:
            grouped.setdefault(scale, []).append(coefficient)
        kept: list[Term] = []
        for scale, coefficients in grouped.items():
            total = Add(*coefficients)
            if len(coefficients) > 1 and self._sign_or_none(total) == 0:
                continue
            if total != 0:
                kept.append((total, scale))
        kept = self._merged(sorted(kept, key=cmp_to_key(self._falling)))
        cut = self._largest([*remainders, *(scale for _, scale in kept[TERMS : TERMS + 1])])
        kept = kept[:TERMS]
        if cut is not None:
            kept = [term for term in kept if self.compare(term[1], cut) > 0]
        return Germ(tuple(kept), cut)

    def _merged(self, terms: list[Term]) -> list[Term]:
        """Terms whose scales are equal without looking so, added up; what is exactly zero then is dropped."""
        merged: list[Term] = []
        for coefficient, scale in terms:
            if merged and self.compare(merged[-1][1], scale) == 0:
                total = merged.pop()[0] + coefficient
                if self._sign_or_none(total) == 0:
                    continue
                coefficient = total
            merged.append((coefficient, scale))
        return merged

    def _falling(self, a: Term, b: Term) -> int:
        return -self.compare(a[1], b[1])

    def _sign_or_none(self, expr: Expr) -> int | None:
        return 0 if expr == 0 else self.sign_of(expr)

    def _largest(self, scales: list[Scale | None]) -> Scale | None:
        best: Scale | None = None
        for scale in scales:
            if scale is not None and (best is None or self.compare(scale, best) > 0):
                best = scale
        return best

    # --- arithmetic ------------------------------------------------------------------------------------------------
    def add(self, germs: list[Germ]) -> Germ:
        """The sum of germs."""
        return self.collect([t for g in germs for t in g.terms], [g.remainder for g in germs])

    def multiply(self, f: Germ, g: Germ) -> Germ:
        """The product of two germs."""
        rests: list[Scale | None] = []
        if f.remainder is not None:
            rests.append(f.remainder * self._size(g))
        if g.remainder is not None:
            rests.append(g.remainder * self._size(f))
        return self.collect([(a * b, s * r) for a, s in f.terms for b, r in g.terms], rests)

    def _size(self, g: Germ) -> Scale:
        if g.terms:
            return g.terms[0][1]
        if g.remainder is not None:
            return g.remainder
        return UNIT

    def leading(self, g: Germ) -> Term:
        """The dominating term; Unclear when everything that was kept has cancelled or its sign is open."""
        if not g.terms:
            raise Unclear("the leading terms cancel" if g.remainder is not None else "the function is zero")
        if self._sign(g.terms[0][0]) == 0:
            raise Unclear("the leading coefficient vanishes")
        return g.terms[0]

    def _series(self, small: Germ, coefficients: list[Expr]) -> Germ:
        """``sum_k c_k small^k`` for an infinitesimal germ, with the remainder of the first power left out."""
        total: list[Germ] = [Germ(((coefficients[0], UNIT),), None) if coefficients[0] != 0 else Germ((), None)]
        power = Germ(((Integer(1), UNIT),), None)
        for c in coefficients[1:]:
            power = self.multiply(power, small)
            if c != 0:
                total.append(Germ(tuple((c * a, s) for a, s in power.terms), power.remainder))
        if small.terms or small.remainder is not None:
            total.append(Germ((), self._size(small).raised(Rational(len(coefficients)))))
        return self.add(total)

    def _split(self, g: Germ) -> tuple[Germ, Expr, Germ]:
        """Infinite part, constant, infinitesimal part."""
        infinite, constant, small = [], Integer(0), []
        for term in g.terms:
            order = self.compare(term[1], UNIT)
            if order > 0:
                infinite.append(term)
            elif order == 0:
                constant = term[0]
            else:
                small.append(term)
        if g.remainder is not None and self.compare(g.remainder, UNIT) >= 0:
            raise Unclear("the constant term was cut off")
        return Germ(tuple(infinite), None), constant, Germ(tuple(small), g.remainder)

    def power(self, g: Germ, n: Expr) -> Germ:
        """``g**n`` for a rational n."""
        if not isinstance(n, Rational):
            raise Unclear(f"the exponent {to_text(n)} is not a rational number")
        if n.is_integer and 0 <= n <= TERMS:
            result = Germ(((Integer(1), UNIT),), None)
            for _ in range(int(n)):
                result = self.multiply(result, g)
            return result
        c, s = self.leading(g)
        if not n.is_integer and self._sign(c) < 0:
            raise Unclear("a fractional power of a negative function")
        inverse = s.raised(Rational(-1))
        relative = Germ(
            tuple((a / c, r * inverse) for a, r in g.terms[1:]), None if g.remainder is None else g.remainder * inverse
        )
        series = self._series(relative, [binomial(n, k) for k in range(TERMS)])
        scale = s.raised(n)
        return Germ(
            tuple((a * c**n, r * scale) for a, r in series.terms),
            None if series.remainder is None else series.remainder * scale,
        )

    def exponential(self, g: Germ) -> Germ:
        """``exp(g)``: the infinite part must be a sum of negative powers and multiples of ``log z``."""
        infinite, constant, small = self._split(g)
        scale, factor = UNIT, exp(constant)
        for a, s in infinite.terms:
            if s.growth or (s.logs and s.power != 0) or s.logs > 1:
                raise Unclear("an exponential of an exponential or of a logarithm's power")
            if s.logs:  # exp(a (-log z)) = z^{-a}
                if not isinstance(a, Rational):
                    raise Unclear("an exponent that is not a rational number")
                scale *= Scale((), -a, 0)
            else:
                scale *= Scale(((-s.power, a),), Rational(0), 0)
        series = self._series(small, [Integer(1) / factorial(k) for k in range(TERMS)])
        return Germ(
            tuple((a * factor, r * scale) for a, r in series.terms),
            None if series.remainder is None else series.remainder * scale,
        )

    def logarithm(self, g: Germ) -> Germ:
        """``log(g)`` of a positive germ."""
        c, s = self.leading(g)
        if self._sign(c) < 0:
            raise Unclear("the logarithm of a negative function")
        if s.logs:
            raise Unclear("an iterated logarithm")
        inverse = s.raised(Rational(-1))
        relative = Germ(
            tuple((a / c, r * inverse) for a, r in g.terms[1:]), None if g.remainder is None else g.remainder * inverse
        )
        head: list[Term] = [(log(c), UNIT)]
        if s.power != 0:
            head.append((-s.power, Scale((), Rational(0), 1)))
        head += [(a, Scale((), -q, 0)) for q, a in s.growth]
        series = [Integer(0)] + [Integer((-1) ** (k + 1)) / k for k in range(1, TERMS)]
        return self.add([self.collect(head), self._series(relative, series)])

    # --- the walk --------------------------------------------------------------------------------------------------
    def expand(self, expr: Expr) -> Germ:
        """The germ of an expression of the grammar at ``z -> 0+``."""
        if self.z not in expr.free_symbols:
            return Germ(((expr, UNIT),) if expr != 0 else (), None)
        if expr == self.z:
            return Germ(((Integer(1), Scale((), Rational(1), 0)),), None)
        if isinstance(expr, Add):
            return self.add([self.expand(a) for a in expr.args])
        if isinstance(expr, Mul):
            result = self.expand(expr.args[0])
            for a in expr.args[1:]:
                result = self.multiply(result, self.expand(a))
            return result
        if isinstance(expr, exp):
            return self.exponential(self.expand(expr.args[0]))
        if isinstance(expr, Pow):
            if self.z in expr.exp.free_symbols:
                return self.exponential(self.multiply(self.expand(expr.exp), self.logarithm(self.expand(expr.base))))
            return self.power(self.expand(expr.base), expr.exp)
        if isinstance(expr, log):
            return self.logarithm(self.expand(expr.args[0]))
        if isinstance(expr, Function) and len(expr.args) == 1:
            return self._function(expr.func, expr.args[0])
        raise Unclear(f"no expansion of {to_text(expr)}")

    def _function(self, f: Callable[[Expr], Expr], argument: Expr) -> Germ:
        g = self.expand(argument)
        if f in (Abs, sign):
            direction = Integer(self._sign(self.leading(g)[0]))
            one = Germ(((direction, UNIT),), None)
            return self.multiply(one, g) if f is Abs else one
        infinite, constant, small = self._split(g)
        if not infinite.terms:
            return self._taylor(f, constant, small)
        rewritten = _AT_INFINITY.get(f)
        if rewritten is None:
            raise Unclear("a function that oscillates or is undefined at infinity")
        return self.expand(rewritten(argument, self._sign(infinite.terms[0][0])))

    def _taylor(self, f: Callable[[Expr], Expr], constant: Expr, small: Germ) -> Germ:
        w = Dummy("w", real=True)
        if f is coth and self._sign_or_none(constant) == 0:
            return self.multiply(
                self._taylor(cosh, constant, small), self.power(self._taylor(sinh, constant, small), Integer(-1))
            )
        derivative, coefficients = f(w), []
        for k in range(TERMS):
            value = derivative.subs(w, constant)
            if value.has(oo, -oo, zoo, nan) or value.is_real is False:
                raise Unclear("a function at a singular point")
            coefficients.append(value / factorial(k))
            derivative = derivative.diff(w)
        return self._series(small, coefficients)


# each function written, for an argument that tends to s * infinity, by functions that expand there
_AT_INFINITY: dict[Callable[[Expr], Expr], Callable[[Expr, int], Expr]] = {
    sinh: lambda w, s: (exp(w) - exp(-w)) / 2,
    cosh: lambda w, s: (exp(w) + exp(-w)) / 2,
    tanh: lambda w, s: s * (1 - 2 / (exp(2 * s * w) + 1)),
    coth: lambda w, s: s * (1 + 2 / (exp(2 * s * w) - 1)),
    atan: lambda w, s: s * pi / 2 - atan(1 / w),
    asinh: lambda w, s: s * log(s * w + sqrt(w**2 + 1)),
    acosh: lambda w, s: log(w + sqrt(w**2 - 1)),
}
