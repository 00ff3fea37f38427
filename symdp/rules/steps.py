"""Iterations out of noisy mechanisms and kernels, and the two forms of an iteration whose steps are alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Integer

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import NoiseKernel, NoiseMechanism, NoisyIteration, UniformIteration
from symdp.judgments.base import name_of
from symdp.judgments.iteration import NORMS
from symdp.judgments.subjects import after
from symdp.rule import Query, Rule, no_parameters, register
from symdp.rules.noise import one_law
from symdp.rules.regions import joined

Params = Mapping[str, Any]
Premises = tuple[Any, ...]
_WRITTEN = 64  # steps that a search writes out one by one


def _start_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    mechanism = premises[0]
    yield one_law(mechanism.law, [(name_of(mechanism.subject), mechanism.law, mechanism.norm)])


def _start(premises: Premises, _: Params) -> NoisyIteration:
    """``L_1 = 1``, ``s_1`` the noise: ``f(D) + Z`` is one step from the start f(D), along the identity."""
    m = premises[0]
    return NoisyIteration(m.subject, (Integer(1),), (m.scale,), m.sensitivity, m.region, m.law, m.relation)


def _step_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    first, kernel = premises
    noises = [(name_of(first.subject), first.law, NORMS[first.law]), (name_of(kernel.kernel), kernel.law, kernel.norm)]
    yield one_law(first.law, noises)


def _step(premises: Premises, _: Params) -> NoisyIteration:
    """``(L_1, ..., L_r, L)`` and ``(s_1, ..., s_r, s)``: the kernel's map and noise come last."""
    first, kernel = premises
    lipschitz, sigma = (*first.lipschitz, kernel.lipschitz), (*first.sigma, kernel.scale)
    subject, region = after(kernel.kernel, first.subject), joined(first.region, kernel.region)
    return NoisyIteration(subject, lipschitz, sigma, first.sensitivity, region, first.law, first.relation)


register(
    Rule(
        id="noise-start",
        title="A mechanism that adds noise, as an iteration of one step",
        citation=Citation("balle2019", "Example 3"),
        premises=(NoiseMechanism,),
        conditions=_start_conditions,
        conclude=_start,
        tightness="exact",
        suggest=no_parameters,
    )
)
register(
    Rule(
        id="noise-step",
        title="One more noisy step",
        citation=Citation("balle2019", "Theorem 4", "the operators K_1, ..., K_r"),
        premises=(NoisyIteration, NoiseKernel),
        conditions=_step_conditions,
        conclude=_step,
        tightness="exact",
        suggest=no_parameters,
    )
)


def _equal_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    fact = premises[0]
    same = len(set(fact.lipschitz)) == len(set(fact.sigma)) == 1
    yield one_law("gaussian", [(name_of(fact.subject), fact.law, NORMS[fact.law])])
    yield Condition("equal steps", "every step has the same Lipschitz constant and noise", "fact", (same,))


def _equal(premises: Premises, _: Params) -> UniformIteration:
    """``(L, s)`` at each of r steps, where all steps have these constants."""
    f = premises[0]
    steps = Integer(len(f.sigma))
    return UniformIteration(f.subject, f.lipschitz[0], f.sigma[0], steps, f.sensitivity, f.region, f.relation)


def _equal_suggestion(premises: Premises, _: Query) -> Iterator[Mapping[str, Any]]:
    fact = premises[0]
    if fact.law == "gaussian" and len(set(fact.lipschitz)) == len(set(fact.sigma)) == 1:
        yield {}


def _written_conditions(premises: Premises, _: Params) -> Iterator[Condition]:
    steps = premises[0].steps
    fine = bool(steps.is_Integer and 1 <= steps <= 10**4)
    yield Condition("steps", "the number of steps is a whole number from 1 to 10000", "fact", (fine,))


def _written(premises: Premises, _: Params) -> NoisyIteration:
    """``L_i = L``, ``s_i = s`` for ``i = 1, ..., r``."""
    f = premises[0]
    lipschitz, sigma = ((entry,) * int(f.steps) for entry in (f.lipschitz, f.sigma))
    return NoisyIteration(f.subject, lipschitz, sigma, f.sensitivity, f.region, "gaussian", f.relation)


def _written_suggestion(premises: Premises, _: Query) -> Iterator[Mapping[str, Any]]:
    steps = premises[0].steps
    if steps.is_Integer and steps <= _WRITTEN:
        yield {}


register(
    Rule(
        id="equal-steps",
        title="An iteration whose steps are all alike",
        citation=Citation("balle2019", "Theorem 4"),
        premises=(NoisyIteration,),
        conditions=_equal_conditions,
        conclude=_equal,
        tightness="exact",
        suggest=_equal_suggestion,
    )
)
register(
    Rule(
        id="written-out-steps",
        title="An iteration of equal steps, step by step",
        citation=Citation("balle2019", "Theorem 4"),
        premises=(UniformIteration,),
        conditions=_written_conditions,
        conclude=_written,
        tightness="exact",
        suggest=_written_suggestion,
    )
)
