"""What a rule says in the symbols that papers use: its premises, written with one symbol for each of their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from sympy import Expr, Integer, S, oo

import symdp.rules  # noqa: F401  (registers the rules)
from symdp.derivation.sampled_gaussian import exact_curve
from symdp.errors import InputError, Refused
from symdp.judgments import (
    ZCDP,
    ApproxDP,
    Dobrushin,
    Doeblin,
    GaussianDP,
    Judgment,
    Kernel,
    LocalDP,
    Mechanism,
    NoiseKernel,
    NoiseMechanism,
    NoisySGD,
    PureDP,
    RenyiDP,
    UltraMixing,
    UniformIteration,
)
from symdp.judgments.privacy import NEIGHBOURS
from symdp.region import Interval, Region
from symdp.rule import MissingParam, rules
from symdp.rules.given import GIVEN, describes
from symdp.text import Relation, parse, parse_relations, symbol
from symdp.text.names import nearest
from symdp.theorem import Theorem, apply

SAMPLED = "sampled-gaussian"
_COUNTS = ("steps", "size")
_AT_LEAST_0, _POSITIVE, _CHANCE = Interval.nonnegative(), Interval.positive(), Interval.closed(0, 1)
_M, _K = Mechanism("M"), Kernel("K")


def _where(**intervals: Interval) -> Region:
    return Region.make({symbol(name): interval for name, interval in intervals.items()})


def _s(name: str) -> Expr:
    return symbol(name)


def _noise(law: str, norm: str) -> tuple[Judgment, Judgment]:
    """A mechanism and a kernel that add noise of one law."""
    first, second = ("sigma_1", "sigma_2") if law == "gaussian" else ("lambda_1", "lambda_2")
    return (
        NoiseMechanism(_M, law, _s(first), _s("Delta"), norm, _where(**{first: _POSITIVE, "Delta": _AT_LEAST_0})),
        NoiseKernel(_K, law, _s(second), _s("L"), norm, _where(**{second: _POSITIVE, "L": _POSITIVE})),
    )


_GAUSSIAN, _LAPLACE = _noise("gaussian", "l2"), _noise("laplace", "l1")
_SGD = ("C", "beta", "rho", "eta", "sigma", "n", "i")
SETTINGS: Mapping[type[Judgment], tuple[Judgment, ...]] = {
    ApproxDP: (ApproxDP(_M, _s("epsilon"), _s("delta"), _where(epsilon=_AT_LEAST_0, delta=_CHANCE)),),
    PureDP: (PureDP(_M, _s("epsilon"), _where(epsilon=_AT_LEAST_0)),),
    ZCDP: (ZCDP(_M, _s("rho"), _where(rho=_AT_LEAST_0)),),
    GaussianDP: (GaussianDP(_M, _s("mu"), _where(mu=_POSITIVE)),),
    RenyiDP: (RenyiDP(_M, _s("epsilon"), S.One, NEIGHBOURS, _where(epsilon=_AT_LEAST_0, alpha=Interval.open(1, oo))),),
    Dobrushin: (Dobrushin(_K, _s("gamma"), S.One, _where(gamma=_CHANCE)),),
    Doeblin: (Doeblin(_K, _s("gamma"), _where(gamma=_CHANCE)),),
    UltraMixing: (UltraMixing(_K, _s("gamma"), _where(gamma=Interval(Integer(0), Integer(1), True, False))),),
    LocalDP: (LocalDP(_K, _s("epsilon_K"), _s("delta_K"), _where(epsilon_K=_AT_LEAST_0, delta_K=_CHANCE)),),
    NoiseMechanism: (_GAUSSIAN[0], _LAPLACE[0]),
    NoiseKernel: (_GAUSSIAN[1], _LAPLACE[1]),
    UniformIteration: (
        UniformIteration(
            _M,
            _s("L"),
            _s("sigma"),
            _s("r"),
            _s("Delta"),
            _where(L=_POSITIVE, sigma=_POSITIVE, r=Interval(Integer(1), oo, True, False), Delta=_AT_LEAST_0),
        ),
    ),
    NoisySGD: (
        NoisySGD(
            _M,
            _s("C"),
            _s("beta"),
            _s("rho"),
            _s("eta"),
            _s("sigma"),
            _s("n"),
            _s("i"),
            _where(**dict.fromkeys(_SGD, _POSITIVE)).intersect(parse_relations("i>=1, n>=i+1, beta>=rho")),
        ),
    ),
}
"""Facts of each kind in the papers' symbols: M is the mechanism, K the kernel behind it."""


def symbolic(name: str, where: str = "", given: str = "") -> Theorem:
    """What the rule ``name`` concludes from premises in symbols, or the exact curve of the sampled Gaussian.

    ``where``: relations between the symbols, "L<1"; ``given``: the rule's parameters, "steps=10". Raises InputError for
    a name that is no rule, a rule whose premises have no setting, and wrong parameters; Refused where the rule does
    not apply.
    """
    if name == SAMPLED:
        return exact_curve()
    known = rules()
    if name not in known:
        guess = nearest(name, [*known, SAMPLED])
        remedy = f"did you mean {guess}?" if guess else "symdp rules lists them"
        raise InputError(f"no rule is called '{name[:60]}'", place="--against", remedy=remedy)
    kinds = known[name].premises
    if not kinds or any(kind is Ellipsis or kind not in SETTINGS for kind in kinds):
        remedy = "name a rule about privacy guarantees and kernels, a diffusion, or a file of facts"
        raise InputError(f"the premises of {name} have no form in symbols", place="--against", remedy=remedy)
    params = _parameters(given)
    relations = parse_relations(where, place="--where") if where else ()
    refusal: Refused | None = None
    for facts in product(*(SETTINGS[kind] for kind in kinds)):
        try:
            return apply(name, *(_taken(_narrowed(fact, relations)) for fact in facts), **params)
        except MissingParam as error:
            raise InputError(str(error), place="--with", remedy="give it: --with 'steps=10'") from None
        except Refused as error:
            refusal = refusal or error
    assert refusal is not None
    raise refusal


def _narrowed(fact: Any, relations: tuple[Relation, ...]) -> Judgment:
    """The fact on the part of its region where the relations about its symbols hold."""
    ours = [relation for relation in relations if relation.free_symbols <= set(fact.region.symbols)]
    narrowed: Judgment = replace(fact, region=fact.region.intersect(ours)) if ours else fact
    return narrowed


def _taken(fact: Judgment) -> Theorem:
    if describes(fact):
        return apply("described", fact=fact)
    return apply(GIVEN, assuming=(GIVEN,), fact=fact)


def _parameters(given: str) -> dict[str, Any]:
    """ "steps=10, ratio=exp(epsilon)": counts are whole numbers, the kernel is K, the rest is read as formulas."""
    params: dict[str, Any] = {}
    for piece in given.split(",") if given else ():
        name, equals, text = (part.strip() for part in piece.partition("="))
        if not equals or not name.isidentifier() or not text:
            raise InputError(f"'{piece.strip()[:40]}' gives nothing", place="--with", remedy="write name=value")
        value = parse(text, place="--with")
        params[name] = _K if text == "K" else int(value) if name in _COUNTS and value.is_Integer else value
    return params
