"""Mean squared errors of Gaussian mechanisms, the best multiple of the output, and how two errors compare.

``E |scale f + N - f|^2 = (1 - scale)^2 |f|^2 + d variance``: bias and variance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sympy import Expr

from symdp.citations import Citation
from symdp.evidence import Condition
from symdp.judgments import ErrorRatio, GaussianMechanism, Inequality, IntrinsicSensitivity, Limit, MeanSquaredError
from symdp.judgments.base import name_of
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules import limits  # noqa: F401  (registers the decider of limits)
from symdp.rules.conditions import holds, vanishes
from symdp.rules.regions import inside, joined, with_symbol
from symdp.text import Relation, symbol, to_text

Params = Mapping[str, Any]
SECTION = Citation("balle2019", "section 5.1", "mean squared errors")
BETA = symbol("beta")


def _error(mechanism: GaussianMechanism, norm: Expr) -> Expr:
    return (1 - mechanism.scale) ** 2 * norm**2 + mechanism.dimension * mechanism.variance


def _error_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    norm = params["norm"]
    new = norm.is_Symbol and norm not in premises[0].region.symbols
    yield Condition("norm", "the norm of the query is a symbol of its own", "fact", (bool(new),))


def _mean_squared_error(premises: tuple[Any, ...], params: Params) -> MeanSquaredError:
    """``E|M(D) - f(D)|^2 = (1-b)^2 |f(D)|^2 + d v`` for ``b f(D) + N(0, v)``."""
    mechanism, norm = premises[0], params["norm"]
    region = with_symbol(mechanism.region, norm, Interval.nonnegative())
    return MeanSquaredError(mechanism.subject, _error(mechanism, norm), norm, False, region)


register(
    Rule(
        id="mean-squared-error",
        title="Mean squared error of a Gaussian mechanism: bias and variance",
        citation=SECTION,
        premises=(GaussianMechanism,),
        conditions=_error_conditions,
        conclude=_mean_squared_error,
        tightness="exact",
    )
)


def _worst_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    error, radius = premises[0], params["radius"]
    yield Condition("one norm", "the error is that at one norm of the query", "fact", (not error.worst,))
    free = radius.is_Symbol and radius != error.norm
    yield Condition("radius", "the radius is a symbol, and not the norm", "fact", (bool(free),))
    if free:
        at_radius = error.value.xreplace({error.norm: radius})
        region = with_symbol(error.region, radius, Interval.nonnegative())
        region = region.intersect([Relation(radius - error.norm, ">=")])
        yield holds("largest", Relation(at_radius - error.value, ">="), region, "the error is largest at the radius")


def _worst(premises: tuple[Any, ...], params: Params) -> MeanSquaredError:
    """``sup E(|f|) = E(R)`` over ``|f| <= R``."""
    error, radius = premises[0], params["radius"]
    kept = {s: error.region.interval(s) for s in error.region.symbols if s not in (error.norm, radius)}
    others = [c.subs({error.norm: radius}) for c in error.region.constraints]
    own = error.region.interval(radius) if radius in error.region.symbols else Interval.nonnegative()
    region = Region.make({**kept, radius: own}, [*error.region.interval(error.norm).relations(radius), *others])
    return MeanSquaredError(error.subject, error.value.xreplace({error.norm: radius}), radius, True, region)


register(
    Rule(
        # attained where |f(D)| is the radius
        id="largest-error",
        title="The largest mean squared error over queries of bounded norm",
        citation=SECTION,
        premises=(MeanSquaredError,),
        conditions=_worst_conditions,
        conclude=_worst,
        tightness="exact",
    )
)

# --- the best multiple of the output --------------------------------------------------------------------------------


def best_multiple(mechanism: GaussianMechanism, radius: Expr) -> Expr:
    """``R^2/(R^2 + d variance)``, where the derivative of the largest error by the factor vanishes."""
    noise = mechanism.dimension * mechanism.variance
    return radius**2 / (radius**2 + noise)


def _error_of_multiple(mechanism: GaussianMechanism, factor: Expr, radius: Expr) -> Expr:
    return (1 - factor) ** 2 * radius**2 + factor**2 * mechanism.dimension * mechanism.variance


def _least_of_multiples(mechanism: GaussianMechanism, radius: Expr) -> Expr:
    noise = mechanism.dimension * mechanism.variance
    return noise * radius**2 / (radius**2 + noise)


def _best_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    mechanism, radius = premises[0], params["radius"]
    used = (mechanism.scale + mechanism.variance + mechanism.dimension).free_symbols
    free = radius.is_Symbol and radius not in used
    yield Condition("radius", "the radius is a symbol of its own", "fact", (bool(free),))
    yield Condition("unbiased", "the mechanism is unbiased", "fact", (mechanism.scale == 1,))
    region = with_symbol(mechanism.region, radius, Interval.positive()).extend({BETA: Interval.real()})
    best = best_multiple(mechanism, radius)
    excess = _error_of_multiple(mechanism, BETA, radius) - _error_of_multiple(mechanism, best, radius)
    yield holds("minimal", Relation(excess, ">="), region, "no multiple has a smaller largest error")
    anew = _error_of_multiple(mechanism, best, radius) - _least_of_multiples(mechanism, radius)
    yield vanishes("value", "the error of the best multiple is d v R^2/(R^2 + d v)", [anew], region)


def _best(premises: tuple[Any, ...], params: Params) -> MeanSquaredError:
    """``d v R^2/(R^2 + d v)``, the largest error of ``beta = R^2/(R^2 + d v)`` times the mechanism."""
    mechanism, radius = premises[0], params["radius"]
    best = best_multiple(mechanism, radius)
    subject = f"the best multiple, ({to_text(best)}) times {name_of(mechanism.subject)}"
    region = with_symbol(mechanism.region, radius, Interval.positive())
    return MeanSquaredError(subject, _least_of_multiples(mechanism, radius), radius, True, region)


register(
    Rule(
        id="best-multiple",
        title="The multiple of an unbiased Gaussian mechanism with the least largest error",
        citation=Citation("balle2019", "section 5.1", "the optimally post-processed Gaussian mechanism"),
        premises=(GaussianMechanism,),
        conditions=_best_conditions,
        conclude=_best,
        tightness="exact",
    )
)

# --- comparing ------------------------------------------------------------------------------------------------------


def _ratio_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    error, other = premises
    same = error.worst and other.worst and error.norm == other.norm
    yield Condition("same queries", "both are the largest errors over queries of one radius", "fact", (same,))
    yield holds("positive", Relation(other.value, ">"), joined(error.region, other.region))


def _ratio(premises: tuple[Any, ...], _: Params) -> ErrorRatio:
    """``E_1/E_2``."""
    error, other = premises
    region = joined(error.region, other.region)
    return ErrorRatio(error.subject, other.subject, error.value / other.value, region)


register(
    Rule(
        id="error-ratio",
        title="The ratio of two mean squared errors",
        citation=Citation("balle2019", "Theorem 8", "E_OU/E_GM"),
        premises=(MeanSquaredError, MeanSquaredError),
        conditions=_ratio_conditions,
        conclude=_ratio,
        tightness="exact",
    )
)

Quantified = ErrorRatio | IntrinsicSensitivity


def quantity(fact: Any) -> Expr:
    """The number a judgment is about."""
    value: Expr = fact.Lambda if isinstance(fact, IntrinsicSensitivity) else fact.value
    return value


def _at_most(fact: Any, params: Params) -> Relation:
    return Relation(params["bound"] - quantity(fact), ">=")


def _above(fact: Any, params: Params) -> Relation:
    return Relation(quantity(fact) - params["bound"], ">")


def _comparison(id: str, title: str, relation: Callable[[Any, Params], Relation], formula: str) -> Rule:
    """A rule that compares a quantity with a bound on a region inside that of the premise."""

    def conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
        yield from inside(params["region"], premises[0].region)
        yield holds("bound", relation(premises[0], params), params["region"])

    def conclude(premises: tuple[Any, ...], params: Params) -> Inequality:
        return Inequality(relation(premises[0], params), params["region"])

    conclude.__doc__ = formula
    return Rule(
        id=id,
        title=title,
        citation=Citation("symdp", "symdp.decide", "sign calculus, z3, or ball arithmetic"),
        premises=(Quantified,),
        conditions=conditions,
        conclude=conclude,
        tightness="exact",
    )


register(
    _comparison("at-most", "An error ratio or a sensitivity is at most a bound", _at_most, "``quantity <= bound``.")
)
register(_comparison("above", "An error ratio or a sensitivity is above a bound", _above, "``quantity > bound``."))


def _limit_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    fact, variable = premises[0], params["variable"]
    expr = params["factor"] * quantity(fact)
    args = (expr, params["value"], variable, fact.region)
    yield Condition("limit", f"{to_text(expr)} tends to {to_text(params['value'])}", "limit at infinity", args)


def _limit(premises: tuple[Any, ...], params: Params) -> Limit:
    """``factor quantity -> value`` as the variable grows."""
    fact = premises[0]
    return Limit(params["factor"] * quantity(fact), params["value"], params["variable"], fact.region)


register(
    Rule(
        id="limit-at-infinity",
        title="A limit by an exact expansion",
        citation=Citation("symdp", "symdp.diffusion.asymptotics", "exact expansions, every sign decided"),
        premises=(Quantified,),
        conditions=_limit_conditions,
        conclude=_limit,
        tightness="exact",
    )
)
