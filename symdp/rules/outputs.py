"""How far a linear SDE started at the query answer is from it: bias, variance, and what a known linear map undoes.

Started at ``f(D) = x`` in R^n, ``dX = (AX + c) dt + B dW`` is at time t ``e^{At} x + m(t)`` plus Gaussian noise. Data
independent affine maps of the output are post-processing and cost no privacy: ``e^{-At} (X_t - m(t))`` is unbiased.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Abs, Add, Expr, Integer, Matrix, diff, eye, sqrt

from symdp.citations import Citation
from symdp.diffusion import calculus
from symdp.diffusion.linear import components
from symdp.evidence import Condition
from symdp.judgments import GaussianKernel, GaussianOutput, MeanSquaredError, OutputError, ScheduledKernel
from symdp.judgments.base import name_of
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import TIME, holds, smooth, time_region, vanishes
from symdp.rules.linear import linear_part, matrix, nothing
from symdp.rules.neighbours import largest_of_block
from symdp.rules.regions import with_symbol
from symdp.text import Relation, symbol, to_text

Params = Mapping[str, Any]
SECTION = Citation("balle2019", "section 5.1", "mean squared errors; for linear drifts in R^n")
BETA = symbol("beta")
LinearKernel = GaussianKernel | ScheduledKernel


def answer_symbols(n: int) -> tuple[Expr, ...]:
    """The coordinates of ``f(D)``, named as the first start of a diffusion in R^n: ``x``, or ``x1, ..., xn``."""
    return (symbol("x"),) if n == 1 else tuple(symbol(f"x{i}") for i in range(1, n + 1))


# --- what is released -----------------------------------------------------------------------------------------------


def _raw_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    kernel = premises[0]
    process, n = kernel.process, kernel.process.dimension
    forward, shift = matrix(params["forward"]), Matrix(list(params["shift"]))
    covariance = matrix(params["covariance"])
    region = time_region(process)
    shapes = forward.shape == covariance.shape == (n, n) and shift.shape == (n, 1)
    yield Condition("shape", "the matrices are n by n, the shift has n entries", "fact", (shapes,))
    if not shapes:
        return
    product = forward * matrix(kernel.backward) - eye(n)
    yield vanishes("inverse", "F E = 1: F is the inverse of E, exp(At) where A is constant", product.expand(), region)
    spread = covariance - forward * matrix(kernel.gramian) * forward.T
    yield vanishes("covariance", "S = F W F^T", spread.expand(), region)
    later = process.times
    times = process.params.extend({TIME: Interval(Integer(0), later.upper, True, later.upper_closed)})
    yield from smooth("output", [*forward, *shift, *covariance], times, [TIME])
    constant = process.u.xreplace({s: Integer(0) for s in process.state})
    growth = (diff(shift, TIME) - linear_part(process) * shift - constant).expand()
    start = shift.subs({TIME: Integer(0)})
    yield vanishes("shift", "m' = A m + u(0), m(0) = 0", [*growth, *start], times)


def _raw(premises: tuple[Any, ...], params: Params) -> GaussianOutput:
    """``X_t = N(e^{At} x + m, e^{At} W e^{A^T t})`` for ``X_0 = f(D) = x``; ``m' = A m + u(0)``, ``m(0) = 0``."""
    process = premises[0].process
    return GaussianOutput(process, params["forward"], params["shift"], params["covariance"], time_region(process))


register(
    Rule(
        id="output-of-kernel",
        title="What a linear SDE started at the query answer releases",
        citation=Citation("balle2019", "section 5", "the Ornstein-Uhlenbeck mechanism; by variation of constants"),
        premises=(LinearKernel,),
        conditions=_raw_conditions,
        conclude=_raw,
        tightness="exact",
    )
)


def _unbiased(premises: tuple[Any, ...], _: Params) -> GaussianOutput:
    """``e^{-At} (X_t - m) = N(x, W)``, the one affine map of the output that is unbiased."""
    kernel = premises[0]
    process, n = kernel.process, kernel.process.dimension
    identity = tuple(tuple(Integer(int(i == j)) for j in range(n)) for i in range(n))
    inverse = "exp(-A*t)" if isinstance(kernel, GaussianKernel) else "F(t)^(-1)"
    subject = f"{inverse}*(X_t - m(t)) for {name_of(process)}"
    return GaussianOutput(subject, identity, (Integer(0),) * n, kernel.gramian, time_region(process))


register(
    Rule(
        id="unbiased-output",
        title="The unbiased affine map of the output of a linear SDE",
        citation=Citation("balle2019", "section 5.1", "the mechanism is e^(-theta t) times an unbiased one"),
        premises=(LinearKernel,),
        conditions=nothing,
        conclude=_unbiased,
        tightness="exact",
    )
)

# --- its error ------------------------------------------------------------------------------------------------------


def _with_answer(region: Region, names: tuple[Any, ...]) -> Region:
    for name in names:
        region = with_symbol(region, name, Interval.real())
    return region


def _error(premises: tuple[Any, ...], _: Params) -> OutputError:
    """``bias = (C - 1) x + m`` and ``variance = tr S`` for ``N(C x + m, S)``."""
    output = premises[0]
    x = answer_symbols(len(output.shift))
    bias = (matrix(output.matrix) - eye(len(x))) * Matrix(list(x)) + Matrix(list(output.shift))
    variance = matrix(output.covariance).trace()
    return OutputError(output.subject, tuple(bias), variance, _with_answer(output.region, x))


def _error_conditions(premises: tuple[Any, ...], _: Params) -> Iterator[Condition]:
    output = premises[0]
    free = not set(answer_symbols(len(output.shift))) & set(output.region.symbols)
    yield Condition("answer", "the query answer has symbols of its own", "fact", (free,))


register(
    Rule(
        id="output-error",
        title="Bias and variance of a Gaussian output",
        citation=SECTION,
        premises=(GaussianOutput,),
        conditions=_error_conditions,
        conclude=_error,
        tightness="exact",
    )
)


def _stretch(output: GaussianOutput) -> Expr | None:
    """The largest ``|(C - 1) x|^2`` over ``|x| <= 1``; None where it has no closed form."""
    excess = matrix(output.matrix) - eye(len(output.shift))
    square = excess.T * excess
    values = [largest_of_block(square.extract(index, index), output.region) for index in components(square)]
    known = [value for value in values if value is not None]
    return calculus.maximum(list(dict.fromkeys(known))) if len(known) == len(values) else None


def _own_radius(output: GaussianOutput, radius: Any) -> bool:
    return bool(radius.is_Symbol and radius not in output.region.symbols)


def _shifted_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    output, radius = premises[0], params["radius"]
    yield Condition("radius", "the radius is a symbol of its own", "fact", (_own_radius(output, radius),))
    yield Condition("stretch", "the largest bias has a closed form", "fact", (_stretch(output) is not None,))


def _worst_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    yield from _shifted_conditions(premises, params)
    output = premises[0]
    if len(output.shift) > 1:
        yield vanishes("centred", "the shift m vanishes", output.shift, output.region)


def _worst(premises: tuple[Any, ...], params: Params) -> MeanSquaredError:
    """``R^2 sup |(C - 1) z|^2 + tr S`` over ``|z| <= 1`` for m = 0; ``(|C - 1| R + |m|)^2 + S`` in one dimension."""
    output, radius = premises[0], params["radius"]
    stretch = _stretch(output)
    assert stretch is not None  # a condition has said so
    bias = radius**2 * stretch
    if len(output.shift) == 1:
        ((scale,),), (shift,) = output.matrix, output.shift
        bias = (scale - 1) ** 2 * radius**2 + 2 * Abs((scale - 1) * shift) * radius + shift**2
    return _of_bias(output, bias, radius)


def _of_bias(output: GaussianOutput, bias: Expr, radius: Expr) -> MeanSquaredError:
    value = bias + matrix(output.covariance).trace()
    region = with_symbol(output.region, radius, Interval.nonnegative())
    return MeanSquaredError(output.subject, value, radius, True, region)


register(
    Rule(
        # attained where x is an eigenvector of length R; in one dimension where x has the sign of (C - 1) m
        id="largest-output-error",
        title="The largest mean squared error of a Gaussian output over queries of bounded norm",
        citation=SECTION,
        premises=(GaussianOutput,),
        conditions=_worst_conditions,
        conclude=_worst,
        tightness="exact",
    )
)


def _shifted(premises: tuple[Any, ...], params: Params) -> MeanSquaredError:
    """``(R sup |(C - 1) z| + |m|)^2 + tr S`` over ``|z| <= 1``."""
    output, radius = premises[0], params["radius"]
    stretch = _stretch(output)
    assert stretch is not None  # a condition has said so
    moved = sqrt(Add(*[m**2 for m in output.shift]))
    return _of_bias(output, (radius * sqrt(stretch) + moved) ** 2, radius)


register(
    Rule(
        # the triangle inequality: the shift need not point where the bias is largest
        id="largest-output-error-shifted",
        title="A bound on the mean squared error of a Gaussian output with a shift, over queries of bounded norm",
        citation=SECTION,
        premises=(GaussianOutput,),
        conditions=_shifted_conditions,
        conclude=_shifted,
        tightness="upper",
    )
)

# --- shrinking ------------------------------------------------------------------------------------------------------


def shrinkage(noise: Expr, radius: Expr) -> Expr:
    """``R^2/(R^2 + tr W)``, where the derivative of the largest error by the factor vanishes."""
    return radius**2 / (radius**2 + noise)


def _shrunk_error(noise: Expr, factor: Expr, radius: Expr) -> Expr:
    return (1 - factor) ** 2 * radius**2 + factor**2 * noise


def _shrunk_conditions(premises: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    output, radius = premises[0], params["radius"]
    free = _own_radius(output, radius) and radius != BETA
    yield Condition("radius", "the radius is a symbol of its own", "fact", (free,))
    still = matrix(output.matrix) == eye(len(output.shift)) and not any(output.shift)
    yield Condition("unbiased", "the output is unbiased", "fact", (bool(still),))
    if free:
        spread = symbol("variance" if radius.name != "variance" else "trace")
        # the excess depends on the covariance through its trace alone, and that of a covariance is not negative
        whole = Region.make({radius: Interval.positive(), spread: Interval.nonnegative(), BETA: Interval.real()})
        best = _shrunk_error(spread, shrinkage(spread, radius), radius)
        excess = _shrunk_error(spread, BETA, radius) - best
        yield holds("minimal", Relation(excess, ">="), whole, "no multiple has a smaller largest error")
        anew = best - spread * radius**2 / (radius**2 + spread)
        yield vanishes("value", "the error of the best multiple is tr W R^2/(R^2 + tr W)", [anew], whole)


def _shrunk(premises: tuple[Any, ...], params: Params) -> MeanSquaredError:
    """``tr W R^2/(R^2 + tr W)``, the largest error of ``beta = R^2/(R^2 + tr W)`` times the unbiased output."""
    output, radius = premises[0], params["radius"]
    noise = matrix(output.covariance).trace()
    subject = f"({to_text(shrinkage(noise, radius))}) times {name_of(output.subject)}"
    region = with_symbol(output.region, radius, Interval.positive())
    return MeanSquaredError(subject, noise * radius**2 / (radius**2 + noise), radius, True, region)


register(
    Rule(
        id="best-multiple-output",
        title="The multiple of an unbiased Gaussian output with the least largest error",
        citation=Citation("balle2019", "section 5.1", "the optimally post-processed Gaussian mechanism"),
        premises=(GaussianOutput,),
        conditions=_shrunk_conditions,
        conclude=_shrunk,
        tightness="exact",
    )
)
