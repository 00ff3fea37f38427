"""Privacy profiles: from (epsilon, delta) guarantees and back, and through a Markov kernel.

A profile bounds the hockey-stick divergence ``D_a`` of two neighbours by the largest of lines ``u - a v``, ``a >= 1``.
Each rule is about profiles of this form; those of several kernels in a row are again of this form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import Expr, S, exp

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import (
    After,
    ApproxDP,
    Dobrushin,
    Doeblin,
    KernelProfile,
    LocalDP,
    PrivacyProfile,
    PureDP,
    UltraMixing,
    after,
    neighbours,
)
from symdp.judgments.mixing import Lines
from symdp.region import Region
from symdp.rule import Query, Rule, register
from symdp.rules.asked import about_kernels, about_pair, about_parts, asked
from symdp.rules.conditions import holds
from symdp.rules.lines import chained, guarantee_lines, largest
from symdp.rules.regions import joined
from symdp.text import Relation

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
KOV = Citation("kairouz2015", "section 3", "the largest privacy region of an (epsilon, delta)-DP mechanism")


def at_least(name: str, left: Expr, right: Expr | int, region: Region, statement: str) -> Condition:
    """``left >= right`` on the region."""
    return holds(name, Relation(left - right, ">="), region, statement)


def in_unit(name: str, value: Expr, region: Region) -> Iterator[Condition]:
    """``0 <= value <= 1`` on the region."""
    yield at_least(f"{name} at least 0", value, 0, region, f"{name} is not negative")
    yield at_least(f"{name} at most 1", S.One, value, region, f"{name} is at most 1")


def guarantee_conditions(fact: Any) -> Iterator[Condition]:
    """``epsilon >= 0`` and, if there is a delta, ``0 <= delta <= 1``."""
    yield at_least("epsilon", fact.epsilon, 0, fact.region, "epsilon is not negative")
    if hasattr(fact, "delta"):
        yield from in_unit("delta", fact.delta, fact.region)


def nothing(_: Premises, __: Params) -> Iterator[Condition]:
    """No condition."""
    yield from ()


# --- to a profile ---------------------------------------------------------------------------------------------------


def _profile_of_dp(premises: Premises, _: Params) -> PrivacyProfile:
    """``delta + (1-delta) (b-a)/(1+b)`` up to ``b = e^epsilon``, then delta, which is 0 of a pure guarantee.

    Events have ``u <= delta + b v`` and, by the other order for their complements, ``1-v <= delta + b (1-u)``; the
    corner where the two meet and (delta, 0) are the vertices. A mechanism with four outcomes attains both.
    """
    fact = premises[0]
    lines = guarantee_lines(exp(fact.epsilon), getattr(fact, "delta", S.Zero))
    return PrivacyProfile(fact.subject, lines, True, fact.region, **neighbours(fact))


def _not_after_a_kernel(premises: Premises, query: Query) -> Iterator[Params]:
    """What comes out of a kernel has a profile by way of the mechanism's own, and that is no larger."""
    if not isinstance(premises[0].subject, After):
        yield from about_parts(premises, query)


def _of_guarantee(id: str, title: str, kind: type) -> None:
    register(
        Rule(
            id=id,
            title=title,
            citation=KOV,
            premises=(kind,),
            conditions=lambda premises, _: guarantee_conditions(premises[0]),
            conclude=_profile_of_dp,
            tightness="exact",
            suggest=_not_after_a_kernel,
        )
    )


_of_guarantee("profile-of-dp", "The largest privacy profile of an approximate guarantee", ApproxDP)
_of_guarantee("profile-of-pure", "The largest privacy profile of a pure guarantee", PureDP)


def _one_order(premises: Premises, _: Params) -> PrivacyProfile:
    """``D_a <= h(a)`` in one order: what holds in both orders holds in one."""
    one: PrivacyProfile = replace(premises[0], both=False)
    return one


register(
    Rule(
        id="profile-one-order",
        title="A profile of both orders, of one of them",
        citation=Citation("symdp", "rules.profiles"),
        premises=(PrivacyProfile,),
        conditions=nothing,
        conclude=_one_order,
        tightness="upper",
    )
)

# --- profiles of kernels --------------------------------------------------------------------------------------------


def kernel_lines(fact: Any) -> Lines:
    """The profile of a mixing condition.

    Dobrushin: ``D_g <= gamma`` from its ratio on, below it as for a mechanism with this guarantee in both orders,
    since all pairs of inputs are meant. Doeblin: what is not shared has mass gamma. Ultra-mixing: the ratio of two rows
    is at most ``1/(1-gamma)``, so that ``D_g <= [1 - g (1-gamma)]_+/(2-gamma)``.
    """
    match fact:
        case Dobrushin(gamma=gamma, ratio=ratio):
            return guarantee_lines(ratio, gamma)
        case Doeblin(gamma=gamma):
            return ((gamma, S.Zero),)
        case UltraMixing(gamma=gamma):
            return ((S.Zero, S.Zero), (1 / (2 - gamma), (1 - gamma) / (2 - gamma)))
    return guarantee_lines(exp(fact.epsilon), fact.delta)


def _kernel_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    fact = premises[0]
    if isinstance(fact, LocalDP):
        yield from guarantee_conditions(fact)
        return
    yield from in_unit("gamma", fact.gamma, fact.region)
    if isinstance(fact, Dobrushin) and fact.ratio is not S.Infinity:
        yield at_least("ratio", fact.ratio, 1, fact.region, "the ratio is at least 1")


def _of_condition(id: str, title: str, kind: type, source: Citation, formula: str) -> None:
    def kernel_profile(premises: Premises, _: Params) -> KernelProfile:
        return KernelProfile(premises[0].kernel, kernel_lines(premises[0]), premises[0].region)

    kernel_profile.__doc__ = formula
    register(
        Rule(
            id=id,
            title=title,
            citation=source,
            premises=(kind,),
            conditions=_kernel_conditions,
            conclude=kernel_profile,
            tightness="exact",
            suggest=about_parts,
        )
    )


_of_condition(
    "kernel-profile-of-dobrushin", "The profile of a Dobrushin kernel", Dobrushin, KOV,
    "``eta(g) = gamma + (1-gamma) [r-g]_+/(1+r)``, r the ratio.",
)  # fmt: skip
_of_condition(
    "kernel-profile-of-doeblin", "The profile of a Doeblin kernel", Doeblin, Citation("balle2019", "Definition 1"),
    "``eta(g) = gamma``: what is not shared has mass gamma.",
)  # fmt: skip
_of_condition(
    "kernel-profile-of-ultra-mixing", "The profile of an ultra-mixing kernel", UltraMixing, KOV,
    "``eta(g) = [1 - g (1-gamma)]_+/(2-gamma)``.",
)  # fmt: skip
_of_condition(
    "kernel-profile-of-ldp", "The profile of a locally private kernel", LocalDP, KOV,
    "``eta(g) = delta + (1-delta) [b-g]_+/(1+b)``, ``b = e^epsilon``.",
)  # fmt: skip

# --- the master rule ------------------------------------------------------------------------------------------------


def _rows_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    fact = premises[-1]
    for index, (big, small) in enumerate(fact.lines):
        yield at_least(f"slope {index}", small, 0, fact.region, f"line {index} of the kernel does not rise")
        yield at_least(f"line {index}", big, small, fact.region, f"line {index} of the kernel is not negative at 1")


def _master(premises: Premises, _: Params) -> PrivacyProfile:
    """``h'(a) = h(a) eta(1 + (a-1)/h(a))``: each pair of lines gives ``((U-V) u + V, (U-V) v + V)``.

    Two laws at ``D_a = h`` share a part of mass ``1-h``: ``mu - a nu`` has a positive part of mass h and a negative
    one of mass ``h + a - 1``, so that ``D_a`` of the images is ``h D_g`` of the images of two laws, ``g =
    1 + (a-1)/h``, and by convexity these may be points. Attained by the mechanism that tells the kernel's worst two
    inputs apart exactly as well as its profile allows.
    """
    mechanism, kernel = premises
    lines, region = chained(mechanism.lines, kernel.lines), joined(mechanism.region, kernel.region)
    subject = after(kernel.kernel, mechanism.subject)
    return PrivacyProfile(subject, lines, mechanism.both, region, **neighbours(mechanism))


def _chain(premises: Premises, _: Params) -> KernelProfile:
    """``eta(g) <= eta_1(g) eta_2(1 + (g-1)/eta_1(g))``: the master rule for a kernel in place of the mechanism."""
    first, then = premises
    lines, region = chained(first.lines, then.lines), joined(first.region, then.region)
    return KernelProfile(after(then.kernel, first.kernel), lines, region)


MASTER = Citation("symdp", "rules.profiles", "overlapping mixtures as in the proof of Theorem 1 of Balle et al. (2019)")

register(
    Rule(
        id="master",
        title="The privacy profile after a Markov kernel",
        citation=MASTER,
        premises=(PrivacyProfile, KernelProfile),
        conditions=_rows_conditions,
        conclude=_master,
        tightness="exact",
        suggest=about_pair,
    )
)
register(
    Rule(
        # exact for what is known: kernels with these profiles attain it
        id="kernel-chain",
        title="The profile of a kernel after a kernel",
        citation=MASTER,
        premises=(KernelProfile, KernelProfile),
        conditions=_rows_conditions,
        conclude=_chain,
        tightness="exact",
        suggest=about_kernels,
    )
)


def _point_lines(premises: Premises) -> list[tuple[Expr, Expr]]:
    """The value at ``e^epsilon`` that each line of the kernel gives."""
    fact, kernel = premises
    return [((big - small) * fact.delta - small * (exp(fact.epsilon) - 1), big) for big, small in kernel.lines]


def _master_at_conditions(premises: Premises, params: Params) -> Iterator[Condition]:
    fact, kernel = premises
    yield at_least("epsilon", fact.epsilon, 0, fact.region, "epsilon is not negative")
    yield from _rows_conditions(premises, params)
    values = [value for value, _ in _point_lines(premises)]
    yield from is_largest(values, params["line"], joined(fact.region, kernel.region))


def is_largest(values: Sequence[Expr], chosen: Any, region: Region) -> Iterator[Condition]:
    """That ``chosen`` is the index of the largest value on the region."""
    known = type(chosen) is int and 0 <= chosen < len(values)
    yield Condition("chosen line", "the line is one of those there are", "fact", (known,))
    for index, value in enumerate(values):
        if index != chosen:
            yield at_least(
                f"larger than line {index}", values[chosen], value, region, f"the chosen line is above {index}"
            )


def _master_at(premises: Premises, params: Params) -> ApproxDP:
    """``delta' = delta eta(1 + (e^epsilon-1)/delta)``: the master rule at one epsilon needs nothing of the mechanism's
    profile but its value there.
    """
    fact, kernel = premises
    delta, region = _point_lines(premises)[params["line"]][0], joined(fact.region, kernel.region)
    return ApproxDP(after(kernel.kernel, fact.subject), fact.epsilon, delta, region, **neighbours(fact))


def _master_at_lines(premises: Premises, query: Query) -> Iterator[Params]:
    fact, kernel = premises
    if fact.epsilon == query.epsilon and asked(after(kernel.kernel, fact.subject), query):
        for index in largest([value for value, _ in _point_lines(premises)]):
            yield {"line": index}


register(
    Rule(
        id="master-at",
        title="The delta of one epsilon after a Markov kernel",
        citation=MASTER,
        premises=(ApproxDP, KernelProfile),
        conditions=_master_at_conditions,
        conclude=_master_at,
        tightness="exact",
        suggest=_master_at_lines,
        summary=True,
        carries=True,
    )
)
