"""A simpler form of an expression for display, accepted only when the zero test proves it equal."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from symdp.decide.domain import Domain, nodes
from symdp.decide.verdict import Proved
from symdp.decide.zero import zero_verdict
from symdp.region import Interval, Region
from symdp.tower import Frac, Outside, TooBig, Tower, build
from symdp.tower.ring import Poly

#: Expressions beyond this size are returned as they are.
MOST_NODES = 3_000
#: Terms of a polynomial that is still worth writing out.
MOST_TERMS = 60

_HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh, sp.coth)


def normal(expr: sp.Expr, region: Region | None = None) -> sp.Expr:
    """The simplest of a few equal forms of ``expr`` (cancelled, factored, term by term), or ``expr`` itself.

    Every form is proposed by our own normal form and proved equal, wherever ``expr`` is defined, by the zero test.
    Signs known on ``region`` are used. Never raises, never hangs; what is too large comes back unchanged.
    """
    if expr.is_Atom or nodes(expr) > MOST_NODES:
        return expr
    if region is None or not expr.free_symbols <= set(region.symbols):
        region = Region.make({s: Interval.real() for s in sorted(expr.free_symbols, key=str)})
    domain = Domain(region)
    best, cost = expr, _cost(expr)
    for candidate in sorted(dict.fromkeys(_candidates(domain, expr)), key=lambda c: (_cost(c), str(c))):
        if _cost(candidate) >= cost:
            break
        if isinstance(zero_verdict(domain, expr - candidate), Proved):
            return candidate
    return best


def _cost(expr: sp.Expr) -> int:
    """Nodes, where a number costs its digits and a function a little more than an operation."""
    total = 0
    for node in sp.preorder_traversal(expr):
        if isinstance(node, sp.Rational):
            total += 1 if node in (1, -1, 2) else len(str(node.p)) + (len(str(node.q)) if node.q != 1 else 0)
        else:
            total += 3 if isinstance(node, sp.Function) else 1
    return total


def _candidates(domain: Domain, expr: sp.Expr) -> Iterator[sp.Expr]:
    modes = (False, True) if expr.has(*_HYPERBOLIC) else (False,)
    for hyperbolic in modes:
        try:
            tower, [value] = build([expr], domain.order, hyperbolic=hyperbolic)
            yield from _forms(tower, value)
        except (TooBig, Outside):
            continue


def _forms(tower: Tower, value: Frac) -> Iterator[sp.Expr]:
    """Quotient, factored quotient, and a sum over the common denominator."""
    if value.is_zero:
        yield sp.Integer(0)
        return
    if len(value.num) + len(value.den) > MOST_TERMS:
        return
    above, below = tower.poly_expr(value.num), tower.poly_expr(value.den)
    yield _tidy(above / below)
    yield _product(tower, *tower.split(value))
    yield _product(tower, *_squarefree(tower, value))
    if len(value.den) == 1:
        yield _tidy(sp.Add(*(term / below for term in sp.Add.make_args(above))))
    common = value.num.term_content()
    if not common.is_one():
        yield _tidy(tower.poly_expr(common) * (tower.poly_expr(divmod(value.num, common)[0]) / below))


def _squarefree(tower: Tower, value: Frac) -> tuple[Fraction, list[tuple[Poly, int]]]:
    """The square-free factors: ``exp(2*x) - 1`` stays whole."""
    top, above = value.num.factor_squarefree()
    bottom, under = value.den.factor_squarefree()
    parts = [(p, int(e)) for p, e in above] + [(p, -int(e)) for p, e in under]
    return Fraction(int(top), int(bottom)), parts


def _product(tower: Tower, content: Fraction, parts: list[tuple[Poly, int]]) -> sp.Expr:
    powers = [tower.poly_expr(p) ** e for p, e in parts]
    return _tidy(sp.Mul(sp.Rational(content.numerator, content.denominator), *powers))


def _tidy(expr: sp.Expr) -> sp.Expr:
    """sinh/cosh written as tanh."""
    return expr.replace(lambda e: isinstance(e, sp.Mul), _quotients) if expr.has(sp.sinh, sp.cosh) else expr


def _quotients(product: sp.Expr) -> sp.Expr:
    powers = dict(f.as_base_exp() for f in sp.Mul.make_args(product))
    for base, e in list(powers.items()):
        if not isinstance(base, sp.sinh):
            continue
        other = sp.cosh(base.args[0])
        f = powers.get(other)
        if f is None or not (e.is_Integer and f.is_Integer) or e * f >= 0:
            continue
        k = min(abs(int(e)), abs(int(f)))
        ratio = sp.tanh(base.args[0]) ** (k if e > 0 else -k)
        product = product / (base ** (k if e > 0 else -k) * other ** (-k if e > 0 else k)) * ratio
    return product
