"""Two laws that an involution exchanges: of a mixture with one of them and that law, which direction is larger.

``nu`` maps the space onto itself, ``nu(nu(x)) = x``, P and Q have densities with ``P(x) = Q(nu(x))``. Where nu changes
the measure that the densities are of, nothing follows: the hypothesis is ``jacobian = 1``, which ``nu(nu(x)) = x`` does
not imply.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, oo

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import ExchangedLaws, Inequality
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import ALPHA, vanishes
from symdp.rules.sampled_gaussian import RATE
from symdp.rules.sampled_moments import U, V, densities, domination, says
from symdp.text import symbol

Params = Mapping[str, Any]
JACOBIAN = symbol("jacobian")


def _integrands() -> tuple[Expr, Expr]:
    """Those of ``E_P[(M/P)^alpha]`` and ``E_M[(P/M)^alpha]`` at densities u of P and v of Q, ``M = (1-q) P + q Q``."""
    mixture = (1 - RATE) * U + RATE * V
    return U * (mixture / U) ** ALPHA, mixture * (U / mixture) ** ALPHA


def _conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    yield from says("pointwise", premises[0], domination(), densities())
    larger, smaller = _integrands()
    exchange = {U: V, V: U}
    folded = larger + larger.subs(exchange, simultaneous=True) - smaller - smaller.subs(exchange, simultaneous=True)
    statement = "the integrands at x and at nu(x), where the densities are exchanged, are those of the premise together"
    yield vanishes("folded", statement, [folded - domination().expr], densities())


def _larger(_: tuple[Any, ...], __: Params) -> ExchangedLaws:
    """``E_P[(M/P)^alpha] >= E_M[(P/M)^alpha]``, ``M = (1-q) P + q Q``: folded by nu, which preserves the measure, both
    integrals are half the integral of the two sides of the premise.

    They are equal for alpha = 1 and q = 0, where both are 1, and for q = 1. If one density vanishes where the other
    does not, the larger one is infinite. No derivative of P, Q or nu is used.
    """
    larger, smaller = _integrands()
    orders = Interval(Integer(1), oo, True, False)
    intervals = {RATE: Interval.closed(0, 1), ALPHA: orders, U: Interval.positive(), V: Interval.positive()}
    return ExchangedLaws(larger, smaller, Region.make(intervals | {JACOBIAN: Interval.point(1)}))


register(
    Rule(
        id="involution-larger-direction",
        title="The mixture against a law is the larger direction, if an involution exchanges the two laws",
        citation=Citation("mironov2019", "Theorem 5", "for an involution that preserves the measure"),
        premises=(Inequality,),
        conditions=_conditions,
        conclude=_larger,
        tightness="exact",
    )
)
