"""Finite Markov kernels as rules: the least constants of a stochastic matrix of rational numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from sympy import Expr, Rational, S

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import (
    After,
    Dobrushin,
    Doeblin,
    FiniteMatrix,
    Judgment,
    KernelProfile,
    PrivacyProfile,
    UltraMixing,
    after,
    neighbours,
)
from symdp.mechanisms.finite import FiniteKernel
from symdp.rule import Query, Rule, register
from symdp.rules.asked import about_pair, about_parts
from symdp.rules.lines import chained, rational_lines
from symdp.rules.profiles import MASTER
from symdp.rules.regions import joined

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
CONDITIONS = Citation("balle2019", "Definition 1", "the least constant of a matrix")


def finite(fact: FiniteMatrix) -> FiniteKernel:
    """The matrix with exact fractions. Raises InputError naming a row that is no law."""
    return FiniteKernel([[Fraction(int(entry.p), int(entry.q)) for entry in row] for row in fact.rows])  # type: ignore[attr-defined]


def _is_law(row: tuple[Expr, ...], size: int) -> bool:
    return len(row) == size > 0 and all(e.is_Rational and e >= 0 for e in row) and sum(row, S.Zero) == 1


def _rows(premises: Premises, _: Params) -> Iterator[Condition]:
    for fact in premises:
        if isinstance(fact, FiniteMatrix):
            yield Condition("rows", "there are rows", "fact", (len(fact.rows) > 0,))
            for index, row in enumerate(fact.rows):
                law = _is_law(row, len(fact.rows[0]))
                yield Condition(f"row {index}", f"row {index} is a law: rational, >= 0, sum 1", "fact", (law,))


def _number(value: Fraction) -> Rational:
    return Rational(value.numerator, value.denominator)


def _profile(premises: Premises, _: Params) -> KernelProfile:
    """``eta(g) = max sum_y [K(x,y) - g K(x',y)]_+``: the upper hull of the events that tell two rows apart, over all
    pairs of rows (Neyman-Pearson).
    """
    fact = premises[0]
    return KernelProfile(fact.kernel, rational_lines(finite(fact).region().vertices), fact.region)


def _dobrushin(premises: Premises, _: Params) -> Dobrushin:
    """``gamma = max sum_y [K(x,y) - K(x',y)]_+``: the largest total variation distance of two rows."""
    return Dobrushin(premises[0].kernel, _number(finite(premises[0]).dobrushin()), S.One, premises[0].region)


def _doeblin(premises: Premises, _: Params) -> Doeblin:
    """``gamma = 1 - sum_y min_x K(x,y)``: 1 less the sum of the least entries of the columns."""
    return Doeblin(premises[0].kernel, _number(finite(premises[0]).doeblin()), premises[0].region)


def _ultra_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _rows(premises, params)
    same = len({tuple(e == 0 for e in row) for row in premises[0].rows}) == 1
    yield Condition("supports", "all rows have the same support", "fact", (same,))


def _ultra(premises: Premises, _: Params) -> UltraMixing:
    """``gamma = 1 - min K(x,y)/K(x',y)``: 1 less the least ratio of two entries of a column that is not 0."""
    gamma = finite(premises[0]).ultra_mixing()
    assert gamma is not None
    return UltraMixing(premises[0].kernel, _number(gamma), premises[0].region)


def _of_matrix(
    id: str,
    title: str,
    conclude: Callable[[Premises, Params], Judgment],
    tightness: str = "exact",
    conditions: Callable[[Premises, Params], Iterator[Condition]] = _rows,
) -> None:
    register(
        Rule(
            id=id,
            title=title,
            citation=CONDITIONS,
            premises=(FiniteMatrix,),
            conditions=conditions,
            conclude=conclude,
            tightness=tightness,
            suggest=about_parts,
            summary=True,
        )
    )


# upper: what is built on it knows no more of the rows than their profile
_of_matrix("matrix-profile", "The profile of a matrix", _profile, "upper")
_of_matrix("matrix-dobrushin", "The Dobrushin coefficient of a matrix", _dobrushin)
_of_matrix("matrix-doeblin", "The Doeblin constant of a matrix", _doeblin)
_of_matrix("matrix-ultra-mixing", "The ultra-mixing constant of a matrix", _ultra, "exact", _ultra_conditions)


def _one_more(premises: Premises, query: Query) -> Iterator[Params]:
    """Products are built from the left, one matrix at a time."""
    if not isinstance(premises[1].kernel, After):
        yield from about_pair(premises, query)


def _product_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    first, then = premises
    for label, fact in (("first", first), ("second", then)):
        for condition in _rows((fact,), params):
            yield Condition(f"{label}, {condition.name}", condition.statement, condition.decider, condition.args)
    fits = bool(first.rows) and len(first.rows[0]) == len(then.rows)
    yield Condition("sizes", "the second kernel takes what the first one makes", "fact", (fits,))


def _product(premises: Premises, _: Params) -> FiniteMatrix:
    """``(LK)(x,z) = sum_y K(x,y) L(y,z)``: the matrix product."""
    first, then = premises
    rows = tuple(tuple(_number(entry) for entry in row) for row in (finite(then) @ finite(first)).rows)
    return FiniteMatrix(after(then.kernel, first.kernel), rows, joined(first.region, then.region))


register(
    Rule(
        id="matrix-product",
        title="The matrix of a kernel after a kernel",
        citation=Citation("balle2019", "section 2", "Markov operators"),
        premises=(FiniteMatrix, FiniteMatrix),
        conditions=_product_conditions,
        conclude=_product,
        tightness="exact",
        suggest=_one_more,
    )
)


def _master(premises: Premises, _: Params) -> PrivacyProfile:
    """``h'(a) = h(a) eta(1 + (a-1)/h(a))`` with the matrix's own profile eta, attained by a mechanism that feeds it its
    worst two inputs.
    """
    mechanism, matrix = premises
    lines = chained(mechanism.lines, rational_lines(finite(matrix).region().vertices))
    region = joined(mechanism.region, matrix.region)
    subject = after(matrix.kernel, mechanism.subject)
    return PrivacyProfile(subject, lines, mechanism.both, region, **neighbours(mechanism))


def _master_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _rows(premises, params)
    free = not isinstance(premises[0].subject, After)
    yield Condition("any input", "the mechanism is not what comes out of a kernel", "fact", (free,))


register(
    Rule(
        # exact, so not for what a kernel made: that need not reach the worst two inputs (``matrix-profile`` is for it)
        id="master-matrix",
        title="The privacy profile after a finite Markov kernel",
        citation=MASTER,
        premises=(PrivacyProfile, FiniteMatrix),
        conditions=_master_conditions,
        conclude=_master,
        tightness="exact",
        suggest=about_pair,
    )
)
