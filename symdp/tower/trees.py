"""One tree node to a fraction: which function goes through which generator."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import sympy as sp
from sympy.core.function import AppliedUndef

from symdp.text.extrema import Max, Min
from symdp.text.moment import sampled_moment
from symdp.tower.ring import Frac, Outside, TooBig

if TYPE_CHECKING:
    from symdp.tower.convert import Tower

_HALF = Fraction(1, 2)


def convert_node(t: Tower, e: sp.Expr) -> Frac:
    """The fraction of one node, its children converted first."""
    if isinstance(e, sp.Rational):
        return t.constant(int(e.p), int(e.q))
    if isinstance(e, sp.Symbol):
        return _leaf(t, e, "symbol", e)
    if e is sp.pi:
        return _leaf(t, "pi", "pi", e)
    if e is sp.E:
        return t.exp(t.constant(1))
    if isinstance(e, sp.Add):
        total = t.constant(0)
        for a in e.args:
            total = t.add(total, t.convert(a))
        return total
    if isinstance(e, sp.Mul):
        product = t.constant(1)
        for a in e.args:
            product = t.times(product, t.convert(a))
        return product
    if isinstance(e, sp.Pow):
        return _power(t, *e.as_base_exp()) if not isinstance(e.base, sp.exp) else _power(t, e.base, e.exp)
    if isinstance(e, sp.exp):
        return t.exp(t.convert(e.args[0]))
    if isinstance(e, (sp.Max, sp.Min, Max, Min)):
        return _extreme(t, e)
    if isinstance(e, AppliedUndef) or (isinstance(e, sp.Derivative) and e.has(AppliedUndef)):
        return _leaf(t, ("function", e), "function", e)
    if isinstance(e, sampled_moment):
        return _moment(t, e)
    if isinstance(e, sp.Function) and len(e.args) == 1:
        return _function(t, e)
    raise Outside(f"{type(e).__name__} is not a function of the grammar")


def _leaf(t: Tower, key: object, kind: str, e: sp.Expr) -> Frac:
    if key not in t.lookup:
        t.lookup[key] = t.new(kind, e)
    return t.frac(t.gen(t.lookup[key].index))


def _power(t: Tower, base: sp.Expr, exponent: sp.Expr) -> Frac:
    if isinstance(exponent, sp.Integer):
        if abs(int(exponent)).bit_length() > 40:
            raise TooBig("an exponent with too many digits")
        return t.pow(t.convert(base), int(exponent))
    if isinstance(exponent, sp.Rational):
        return t.real_power(t.convert(base), Fraction(int(exponent.p), int(exponent.q)))
    return t.exp(t.times(t.convert(exponent), t.log(t.convert(base))))


def _extreme(t: Tower, e: sp.Expr) -> Frac:
    value = t.convert(e.args[0])
    side = 1 if isinstance(e, (sp.Max, Max)) else -1
    for a in e.args[1:]:  # max(u, v) = (u + v + |u - v|)/2
        other = t.convert(a)
        gap = t.absolute_frac(t.add(value, t.neg(other)))
        value = t.times(t.constant(1, 2), t.add(t.add(value, other), t.times(t.constant(side), gap)))
    return value


def _function(t: Tower, e: sp.Expr) -> Frac:
    name, u = type(e).__name__, t.convert(e.args[0])
    one = t.constant(1)
    if name == "log":
        return t.log(u)
    if name == "Abs":
        return t.absolute_frac(u)
    if name == "sign":
        return t.signum(u)
    if t.hyperbolic and name in ("sinh", "cosh", "tanh", "coth"):
        s, c = t.sinh_cosh(u)
        if name in ("sinh", "cosh"):
            return s if name == "sinh" else c
        return t.times(s, t.inverse(c)) if name == "tanh" else t.times(c, t.inverse(s))
    if name in ("tanh", "coth"):
        w = t.exp(t.times(t.constant(2), u))
        ratio = t.times(t.add(w, t.constant(-1)), t.inverse(t.add(w, one)))
        return ratio if name == "tanh" else t.inverse(ratio)
    if name in ("sinh", "cosh", "sech", "csch"):
        w = t.exp(u)
        other = t.inverse(w) if name in ("cosh", "sech") else t.neg(t.inverse(w))
        half = t.times(t.constant(1, 2), t.add(w, other))
        return half if name in ("sinh", "cosh") else t.inverse(half)
    if name in ("sin", "cos", "tan", "cot", "sec", "csc"):
        s, c = t.sin_cos(u)
        pairs = {"sin": (s, one), "cos": (c, one), "tan": (s, c), "cot": (c, s), "sec": (one, c), "csc": (one, s)}
        above, below = pairs[name]
        return above if below is one else t.times(above, t.inverse(below))
    square = t.times(u, u)
    if name in ("asinh", "acosh"):  # log(u + sqrt(u**2 +- 1)), whose argument is positive
        shifted = t.add(square, t.constant(1 if name == "asinh" else -1))
        return t.log(t.add(u, t.real_power(shifted, _HALF)))
    if name == "atanh":
        return t.times(t.constant(1, 2), t.log(t.times(t.add(one, u), t.inverse(t.add(one, t.neg(u))))))
    if name == "acos":
        return t.add(t.times(t.constant(1, 2), t.convert(sp.pi)), t.neg(_odd(t, "asin", u)))
    if name in ("asin", "atan"):
        return _odd(t, name, u)
    if name == "erfc":
        return _erfc(t, u)
    raise Outside(f"{name} is not a function of the grammar")


def _odd(t: Tower, name: str, u: Frac) -> Frac:
    """An odd opaque function: one generator for u and -u."""
    u = t.rationalize(u)
    if u.is_zero:
        return u
    flip = u.num.leading_coefficient() < 0
    if flip:
        u = t.neg(u)
    key = (name, str(u.num), str(u.den))
    if key not in t.lookup:
        t.lookup[key] = t.new(name, getattr(sp, name)(t.expr(u)), argument=u)
    value = t.frac(t.gen(t.lookup[key].index))
    return t.neg(value) if flip else value


def _erfc(t: Tower, u: Frac) -> Frac:
    """The complementary error function: one generator for u and -u, because ``erfc(-u) = 2 - erfc(u)``."""
    u = t.rationalize(u)
    if u.is_zero:
        return t.constant(1)
    flip = u.num.leading_coefficient() < 0
    if flip:
        u = t.neg(u)
    key = ("erfc", str(u.num), str(u.den))
    if key not in t.lookup:
        tree = sp.erfc(t.expr(u))
        turned = isinstance(tree, sp.Add)  # sympy writes it as 2 - erfc(-u)
        t.lookup[key] = t.new("erfc", 2 - tree if turned else tree, argument=t.neg(u) if turned else u), turned
    generator, turned = t.lookup[key]
    value = t.frac(t.gen(generator.index))
    return t.add(t.constant(2), t.neg(value)) if flip != turned else value


def _moment(t: Tower, e: sampled_moment) -> Frac:
    """A moment of the sampled Gaussian: elementary at p = 0, p = 1, q = 0 and q = 1, elsewhere opaque."""
    p, q, s = (t.rationalize(t.convert(a)) for a in e.args)
    one = t.constant(1)
    below = t.add(p, t.neg(one))
    if p.is_zero or q.is_zero or below.is_zero:
        return one
    if t.add(q, t.neg(one)).is_zero:
        return t.exp(t.times(t.times(p, below), t.inverse(t.times(t.constant(2), t.times(s, s)))))
    key = ("sampled_moment", *(str(part) for a in (p, q, s) for part in (a.num, a.den)))
    return _leaf(t, key, "sampled_moment", sampled_moment(t.expr(p), t.expr(q), t.expr(s)))
