"""Uniform mixing: the conditions of Balle et al. (2019), what implies what, products, and what they do to privacy.

Theorem 1's bounds are here as printed. The master rule (``profiles``) is never worse; from the same facts it is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sympy import S, exp, log

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import (
    Dobrushin,
    Doeblin,
    Judgment,
    KernelProfile,
    LocalDP,
    UltraMixing,
    after,
)
from symdp.rule import Query, Rule, register
from symdp.rules.asked import about_kernels, about_parts, asked
from symdp.rules.conditions import holds, vanishes
from symdp.rules.lines import at, largest
from symdp.rules.profiles import at_least, guarantee_conditions, in_unit, is_largest
from symdp.rules.regions import joined
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
Conditions = Callable[[Premises, Params], Iterator[Condition]]
FIGURE_1 = Citation("balle2019", "Figure 1 and Lemma 9")
TABLE_1 = Citation("balle2019", "Table 1")
OWN = Citation("symdp", "rules.mixing")


def _gamma(premises: Premises, _: Params) -> Iterator[Condition]:
    yield from in_unit("gamma", premises[0].gamma, premises[0].region)


def _implication(
    id: str,
    title: str,
    source: Citation,
    kind: type,
    conditions: Conditions,
    conclude: Callable[[Any], Judgment],
    tightness: str = "exact",
    summary: bool = False,
    carries: bool = False,
) -> None:
    """A rule from one fact about a kernel to another; exact if some kernel of the premise attains the conclusion."""

    def of_premise(premises: Premises, _: Params) -> Judgment:
        return conclude(premises[0])

    of_premise.__doc__ = conclude.__doc__
    register(
        Rule(
            id=id,
            title=title,
            citation=source,
            premises=(kind,),
            conditions=conditions,
            conclude=of_premise,
            tightness=tightness,
            suggest=about_parts,
            summary=summary,
            carries=carries,
        )
    )


# --- implications ---------------------------------------------------------------------------------------------------


def _doeblin_of_ultra(fact: UltraMixing) -> Doeblin:
    """``gamma``, with ``w = K(x')`` for any one x'; of finite kernels this is attained only in the limit of many
    inputs.
    """
    return Doeblin(fact.kernel, fact.gamma, fact.region)


def _dobrushin_of_doeblin(fact: Doeblin) -> Dobrushin:
    """``gamma``: two rows share ``(1-gamma) w``."""
    return Dobrushin(fact.kernel, fact.gamma, S.One, fact.region)


def _dobrushin_of_ultra(fact: UltraMixing) -> Dobrushin:
    """``gamma/(2-gamma)``.

    With ``p = K(x)(E)``, ``q = K(x')(E)``: ``q >= (1-gamma) p`` and ``1-p >= (1-gamma)(1-q)`` give
    ``p - q <= gamma/(2-gamma)``, attained by two rows that swap ``1/(2-gamma)`` and the rest.
    """
    return Dobrushin(fact.kernel, fact.gamma / (2 - fact.gamma), S.One, fact.region)


def _ldp_of_dobrushin_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact = premises[0]
    finite = fact.ratio is not S.Infinity
    yield Condition("finite ratio", "the ratio is finite", "fact", (finite,))
    yield from _gamma(premises, params)
    if finite:
        yield at_least("ratio", fact.ratio, 1, fact.region, "the ratio is at least 1")


def _ldp_of_dobrushin(fact: Dobrushin) -> LocalDP:
    """``(log(ratio), gamma)``: both bound ``D_ratio`` of two rows."""
    return LocalDP(fact.kernel, log(fact.ratio), fact.gamma, fact.region)


def _dobrushin_of_ldp(fact: LocalDP) -> Dobrushin:
    """``gamma = delta`` at the ratio ``e^epsilon``: both bound the same divergence of two rows."""
    return Dobrushin(fact.kernel, fact.delta, exp(fact.epsilon), fact.region)


def _guarantee(premises: Premises, _: Params) -> Iterator[Condition]:
    yield from guarantee_conditions(premises[0])


def _ldp_of_ultra_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _gamma(premises, params)
    yield holds("below 1", Relation(1 - premises[0].gamma, ">"), premises[0].region, "gamma is below 1")


def _ldp_of_ultra(fact: UltraMixing) -> LocalDP:
    """``(log(1/(1-gamma)), 0)``: the ratio of two rows is at most ``1/(1-gamma)``."""
    return LocalDP(fact.kernel, -log(1 - fact.gamma), S.Zero, fact.region)


def _ultra_of_ldp_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    yield from _guarantee(premises, params)
    yield vanishes("delta", "delta is 0", [premises[0].delta], premises[0].region)


def _ultra_of_ldp(fact: LocalDP) -> UltraMixing:
    """``gamma = 1 - e^-epsilon``: the ratio of two rows is at least ``e^-epsilon``."""
    return UltraMixing(fact.kernel, 1 - exp(-fact.epsilon), fact.region)


_implication(
    "doeblin-of-ultra-mixing", "Ultra-mixing is Doeblin", FIGURE_1, UltraMixing, _gamma, _doeblin_of_ultra, "upper"
)
_implication("dobrushin-of-doeblin", "Doeblin is Dobrushin", FIGURE_1, Doeblin, _gamma, _dobrushin_of_doeblin)
_implication(
    "dobrushin-of-ultra-mixing", "Ultra-mixing is gamma/(2-gamma)-Dobrushin", OWN, UltraMixing, _gamma,
    _dobrushin_of_ultra, summary=True,
)  # fmt: skip
_implication(
    "ldp-of-dobrushin", "Dobrushin is (log ratio, gamma)-locally private", TABLE_1, Dobrushin,
    _ldp_of_dobrushin_conditions, _ldp_of_dobrushin, carries=True,
)  # fmt: skip
_implication(
    "dobrushin-of-ldp", "Locally private is (delta, e^epsilon)-Dobrushin", TABLE_1, LocalDP, _guarantee,
    _dobrushin_of_ldp, carries=True,
)  # fmt: skip
_implication(
    "ldp-of-ultra-mixing", "Ultra-mixing is (log 1/(1-gamma), 0)-locally private", TABLE_1, UltraMixing,
    _ldp_of_ultra_conditions, _ldp_of_ultra, carries=True,
)  # fmt: skip
_implication(
    "ultra-mixing-of-ldp", "(epsilon, 0)-locally private is (1 - e^-epsilon)-ultra-mixing", TABLE_1, LocalDP,
    _ultra_of_ldp_conditions, _ultra_of_ldp, carries=True,
)  # fmt: skip


def _larger_ratio_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact = premises[0]
    if params["ratio"] is not S.Infinity:
        finite = fact.ratio is not S.Infinity
        yield Condition("finite ratio", "the ratio known is finite", "fact", (finite,))
        if finite:
            yield at_least("ratio", params["ratio"], fact.ratio, fact.region, "the ratio is not smaller")


def _at_larger_ratio(premises: Premises, params: Params) -> Dobrushin:
    """``gamma`` at any larger ratio: ``D_a`` falls in a."""
    fact = premises[0]
    return Dobrushin(fact.kernel, fact.gamma, params["ratio"], fact.region)


register(
    Rule(
        id="dobrushin-ratio",
        title="Dobrushin at a larger ratio",
        citation=FIGURE_1,
        premises=(Dobrushin,),
        conditions=_larger_ratio_conditions,
        conclude=_at_larger_ratio,
        tightness="upper",
    )
)


def _dobrushin_of_profile_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, ratio = premises[0], params["ratio"]
    yield at_least("ratio", ratio, 1, fact.region, "the ratio is at least 1")
    yield from is_largest([at(line, ratio) for line in fact.lines], params["line"], fact.region)


def _dobrushin_of_profile(premises: Premises, params: Params) -> Dobrushin:
    """``gamma = u - ratio v`` of the largest line: the profile at the ratio is the Dobrushin coefficient there."""
    fact = premises[0]
    return Dobrushin(fact.kernel, at(fact.lines[params["line"]], params["ratio"]), params["ratio"], fact.region)


def _total_variation(premises: Premises, query: Query) -> Iterator[Params]:
    if asked(premises[0].kernel, query):
        for index in largest([u - v for u, v in premises[0].lines]):
            yield {"ratio": S.One, "line": index}


register(
    Rule(
        id="dobrushin-of-profile",
        title="The Dobrushin coefficient of a profile",
        citation=Citation("balle2019", "Definition 1"),
        premises=(KernelProfile,),
        conditions=_dobrushin_of_profile_conditions,
        conclude=_dobrushin_of_profile,
        tightness="exact",
        suggest=_total_variation,
        summary=True,
    )
)

# --- products -------------------------------------------------------------------------------------------------------


def _two_gammas(premises: Premises, _: Params) -> Iterator[Condition]:
    for name, fact in zip(("first", "second"), premises, strict=True):
        yield from in_unit(f"{name} gamma", fact.gamma, fact.region)
        if isinstance(fact, Dobrushin):
            plain = fact.ratio == 1
            yield Condition(f"{name} ratio", "the condition is about total variation", "fact", (plain,))


def _dobrushin_product(premises: Premises, _: Params) -> Dobrushin:
    """``gamma = gamma_1 gamma_2``: two laws at distance t are at distance at most ``gamma_2 t`` after the kernel, as
    what they share stays shared.
    """
    first, then = premises
    region = joined(first.region, then.region)
    return Dobrushin(after(then.kernel, first.kernel), first.gamma * then.gamma, S.One, region)


def _doeblin_product(premises: Premises, _: Params) -> Doeblin:
    """``gamma = g h``: ``K = (1-g) w + g K'`` in front of ``L >= (1-h) v`` is at least ``(1-g) wL + g (1-h) v``, of
    mass ``1 - g h``.
    """
    first, then = premises
    region = joined(first.region, then.region)
    return Doeblin(after(then.kernel, first.kernel), first.gamma * then.gamma, region)


def _product(id: str, title: str, kind: type, source: Citation, conclude: Callable[..., Judgment]) -> None:
    register(
        Rule(
            id=id,
            title=title,
            citation=source,
            premises=(kind, kind),
            conditions=_two_gammas,
            conclude=conclude,
            tightness="exact",
            suggest=about_kernels,
        )
    )


_product(
    "dobrushin-product", "Dobrushin coefficients multiply", Dobrushin, Citation("dobrushin1956", "section 1"),
    _dobrushin_product,
)  # fmt: skip
_product("doeblin-product", "Doeblin constants multiply", Doeblin, OWN, _doeblin_product)
