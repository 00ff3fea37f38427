"""What repeats is looked at over one period: a function of a coordinate on the whole line that has one."""

from __future__ import annotations

import math
from fractions import Fraction

from sympy import Add, Dummy, Expr, Rational, S, Symbol, cos, oo, pi, sin, tan

from symdp.region import Interval, Region

_ABOVE_PI = Rational(22, 7)


def one_period(expr: Expr, region: Region) -> Region:
    """The region with each coordinate in which ``expr`` is periodic put between 0 and the period, or a little above.

    Only a coordinate on the whole line of which no constraint speaks; the values of ``expr`` are the same.
    """
    bound = {s for constraint in region.constraints for s in constraint.free_symbols}
    intervals = dict(region.intervals)
    for s, side in region.intervals:
        if s not in bound and side.lower is -oo and side.upper is oo and (period := _period(expr, s)) is not None:
            intervals[s] = Interval.closed(0, period)
    return Region(tuple(intervals.items()), region.constraints)


def _period(expr: Expr, s: Symbol) -> Expr | None:
    """A multiple of the period, or a number above it, where s stands in sines, cosines and tangents alone, and in each
    of them linearly: a logarithm in the argument would say where it is defined.
    """
    waves = [wave for wave in expr.atoms(sin, cos, tan) if s in wave.free_symbols]
    if not waves or s in expr.xreplace({wave: Dummy() for wave in waves}).free_symbols:
        return None
    moving = [[term for term in Add.make_args(wave.args[0]) if s in term.free_symbols] for wave in waves]
    if any(len(terms) != 1 for terms in moving):
        return None
    for unit, turn in ((S.One, 2 * _ABOVE_PI), (pi, S(2))):
        rates = [term / (unit * s) for (term,) in moving]
        if all(isinstance(rate, Rational) for rate in rates):
            fractions = [Fraction(int(rate.p), int(rate.q)) for rate in rates]
            below = math.lcm(*(f.denominator for f in fractions))
            common = Rational(math.gcd(*(int(f * below) for f in fractions)), below)
            return turn / common
    return None
