"""How far the output of a linear diffusion started at the query answer is from it: theorems, found by proposals.

The matrix exponential and the drift's part of the mean are proposed here; the rules accept them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Add, Dummy, Expr, Integer, Matrix, Symbol, eye, integrate, log, oo, sqrt
from sympy.matrices.exceptions import NonInvertibleMatrixError

import symdp.rules  # noqa: F401  (registers the rules)
from symdp.decide import is_zero, normal
from symdp.diffusion.process import Diffusion
from symdp.errors import InputError, Refused
from symdp.judgments import ControllableKernel, GaussianKernel, GaussianMechanism, OutputError, ScheduledKernel
from symdp.region import Interval, Region
from symdp.rules.conditions import DELTA, TIME, time_region
from symdp.rules.linear import linear_part, matrix
from symdp.rules.outputs import shrinkage
from symdp.text import symbol
from symdp.theorem import Theorem, apply

EPSILON = symbol("epsilon")
AT_LEAST_ONE = Interval(Integer(1), oo, True, False)


@dataclass(frozen=True)
class Utility:
    """What is proved about the error. ``norm`` bounds ``|f(D)|``, None if every answer is a case of its own.

    ``output`` is what is released: a ``GaussianMechanism`` for copies in R^d, with the symbol ``dimension``, else a
    ``GaussianOutput``. ``error`` and ``unbiased`` are an ``OutputError`` or, with a norm or for copies, a
    ``MeanSquaredError``: of the output itself, and of its unbiased affine map. ``best``: of the best multiple of that.
    """

    output: Theorem
    error: Theorem
    unbiased: Theorem
    best: Theorem | None
    norm: Symbol | None
    dimension: Symbol | None

    @property
    def theorems(self) -> dict[str, Theorem]:
        """Every theorem by name."""
        named = {"output": self.output, "error": self.error, "unbiased": self.unbiased, "best_multiple": self.best}
        return {name: theorem for name, theorem in named.items() if theorem is not None}


def parts(theorems: Mapping[str, Theorem]) -> dict[str, Expr]:
    """What the theorems of a ``Utility`` say, by name: bias_squared and variance, whose sum is mse, unbiased_mse and,
    where there is one, best_multiple_factor with best_multiple_mse.
    """
    output: Any = theorems["output"].conclusion
    if isinstance(output, GaussianMechanism):
        variance = output.dimension * output.variance
    else:
        variance = matrix(output.covariance).trace()
    mse, unbiased = (_value(theorems[name].conclusion) for name in ("error", "unbiased"))
    said = {"bias_squared": mse - variance, "variance": variance, "mse": mse, "unbiased_mse": unbiased}
    if "best_multiple" in theorems:
        best: Any = theorems["best_multiple"].conclusion
        said |= {"best_multiple_factor": shrinkage(unbiased, best.norm), "best_multiple_mse": best.value}
    return said


def _value(error: Any) -> Expr:
    if isinstance(error, OutputError):
        return Add(*[e**2 for e in error.bias], error.variance)
    value: Expr = error.value
    return value


def derive_utility(kernel: Theorem | None, norm: Symbol | None = None, dimension: Symbol | None = None) -> Utility:
    """Bias, variance and mean squared error of the process behind a ``GaussianKernel``.

    ``norm``: a symbol that bounds ``|f(D)|``, for the largest error; ``dimension``: a symbol, for independent copies
    of a process on the line in R^d. Raises :class:`Refused` where the process is not linear or has no closed form, or
    where it has no copies, :class:`InputError` for a symbol that the process already uses.
    """
    known = _checked(kernel)
    process: Any = known.conclusion.process  # type: ignore[attr-defined]
    for name, place in ((norm, "radius"), (dimension, "dimension")):
        if name is not None and name in (*process.params.symbols, *process.state, TIME, DELTA):
            raise InputError(f"{name} is already in use", place=place, remedy="give another name, or a number")
    if dimension is not None:
        return _of_copies(known, process, norm, dimension)
    output = raw_output(known)
    unbiased = apply("unbiased-output", known)
    if norm is None:
        return Utility(output, apply("output-error", output), apply("output-error", unbiased), None, None, None)
    error, fair = _largest_output(output, norm), _largest_output(unbiased, norm)
    return Utility(output, error, fair, apply("best-multiple-output", unbiased, radius=norm), norm, None)


def own_symbol(name: str, process: Diffusion) -> Symbol:
    """A symbol of this name, or where the process uses it, of one like it."""
    taken = {s.name for s in (*process.params.symbols, *process.state)}
    while name in taken:
        name += "_f"
    return symbol(name)


def _largest_output(output: Theorem, norm: Symbol) -> Theorem:
    """Exact where nothing is shifted, or in one dimension; else a bound."""
    try:
        return apply("largest-output-error", output, radius=norm)
    except Refused:
        return apply("largest-output-error-shifted", output, radius=norm)


def _checked(kernel: Theorem | None) -> Theorem:
    if kernel is not None and isinstance(kernel.conclusion, GaussianKernel | ScheduledKernel):
        return kernel
    if kernel is not None and isinstance(kernel.conclusion, ControllableKernel):
        reason = "no closed form holds for all parameters; give values that have one with --at"
    else:
        reason = "errors are derived for a linear drift and constant noise whose Gaussian kernel has a closed form"
    raise Refused(f"no utility: {reason}")


def raw_output(kernel: Theorem) -> Theorem:
    """The ``GaussianOutput`` of the process of a kernel, started at the query answer."""
    known: Any = kernel.conclusion
    process: Diffusion = known.process
    backward, gramian = matrix(known.backward), matrix(known.gramian)
    forward = _inverse(backward)
    covariance = (forward * gramian * forward.T).applyfunc(normal)
    shift = _shift(process, forward, backward)
    return apply("output-of-kernel", kernel, forward=_rows(forward), shift=tuple(shift), covariance=_rows(covariance))


def _inverse(backward: Matrix) -> Matrix:
    """``e^{At}`` from ``e^{-At}``: where A does not depend on time, that at the time -t."""
    reversed_time = backward.xreplace({TIME: -TIME})
    if all(normal(e) == 0 for e in reversed_time * backward - eye(backward.rows)):
        return reversed_time
    return backward.inv().applyfunc(normal)


def _shift(process: Diffusion, forward: Matrix, backward: Matrix) -> Matrix:
    """A proposal for m with ``m' = A m + c``, ``m(0) = 0``: ``A^{-1} (e^{At} - 1) c``, or ``e^{At} int e^{-As} c``."""
    constant = process.u.xreplace({s: Integer(0) for s in process.state})
    if all(is_zero(e, time_region(process)) for e in constant):
        return constant * 0
    slope = linear_part(process)
    try:
        if slope.has(TIME) or constant.has(TIME):
            raise NonInvertibleMatrixError
        return (slope.inv() * (forward - eye(process.dimension)) * constant).applyfunc(normal)
    except NonInvertibleMatrixError:
        positive = {s: Dummy(s.name, positive=True) for s in (*process.params.symbols, TIME)}
        back = {dummy: s for s, dummy in positive.items()}
        time, end = positive[TIME], Dummy("end", positive=True)
        pulled = (backward * constant).xreplace(positive).applyfunc(lambda e: integrate(e.expand(), (time, 0, end)))
        return (forward * pulled.xreplace({end: TIME}).xreplace(back)).applyfunc(normal)


def _rows(whole: Matrix) -> tuple[tuple[Expr, ...], ...]:
    return tuple(tuple(whole.row(i)) for i in range(whole.rows))


# --- copies in R^d --------------------------------------------------------------------------------------------------


def _of_copies(kernel: Theorem, process: Diffusion, norm: Symbol | None, dimension: Symbol) -> Utility:
    _constant(kernel)
    mechanism = apply("linear-copies", kernel, dimension=dimension)
    unbiased = apply("scaled-output", mechanism, factor=1 / _law(mechanism).scale)
    own = symbol("norm")
    error, fair = (apply("mean-squared-error", theorem, norm=own) for theorem in (mechanism, unbiased))
    if norm is None:
        return Utility(mechanism, error, fair, None, own, dimension)
    error, fair = (apply("largest-error", theorem, radius=norm) for theorem in (error, fair))
    return Utility(mechanism, error, fair, apply("best-multiple", unbiased, radius=norm), norm, dimension)


def _constant(kernel: Theorem) -> None:
    if not isinstance(kernel.conclusion, GaussianKernel):
        raise Refused("no utility: copies are made of a process whose coefficients do not depend on the time")


def _law(mechanism: Theorem) -> GaussianMechanism:
    law = mechanism.conclusion
    assert isinstance(law, GaussianMechanism)
    return law


# --- the least error for a Renyi budget -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Tuning:
    """Parameters for which copies of a process in R^d err least of all Gaussian mechanisms of one Renyi guarantee.

    ``values`` are the parameters chosen, as expressions; ``mechanism``, ``privacy``, ``error`` (the largest over
    ``|f(D)| <= norm``) and ``least`` the theorems about them, ``ratio`` the error over that of the unbiased Gaussian
    mechanism of the same privacy.
    """

    values: tuple[tuple[Symbol, Expr], ...]
    mechanism: Theorem
    privacy: Theorem
    error: Theorem
    least: Theorem
    ratio: Theorem


def tune(kernel: Theorem | None, free: Sequence[Symbol], norm: Symbol, dimension: Symbol) -> Tuning:
    """Choose two parameters so that the process is (alpha, epsilon alpha)-RDP at time t and errs least.

    The rest stay symbols, ``epsilon`` and the sensitivity ``Delta`` too. With ``v = Delta^2/(2 epsilon)`` the scale
    becomes ``R^2/(R^2 + d v)`` and the variance scale^2 v. Raises :class:`Refused` where no such choice is found.
    """
    known = _checked(kernel)
    _constant(known)
    mechanism = apply("linear-copies", known, dimension=dimension)
    law = _law(mechanism)
    values = _choice(law, free, norm)
    kept = {s: law.region.interval(s) for s in law.region.symbols if s not in dict(values)}
    if taken := sorted(s.name for s in (EPSILON, DELTA, norm) if s in kept):
        raise InputError(f"{taken[0]} is a parameter of the process", place="tune", remedy="give it another name")
    positive = dict.fromkeys((EPSILON, DELTA, norm), Interval.positive())
    region = Region.make(kept | positive, [c for c in law.region.constraints if not c.free_symbols & set(dict(values))])
    tuned = apply("gaussian-at", mechanism, values=values, region=region)
    privacy = apply("gaussian-rdp", tuned)
    error = _largest(tuned, norm)
    noise = dimension * DELTA**2
    value = noise * norm**2 / (2 * EPSILON * norm**2 + noise)
    least = apply("least-error", tuned, privacy, error, value=value)
    unbiased = apply("matching-gaussian", apply("gaussian-rdp", mechanism), mechanism)
    unbiased = apply("gaussian-at", unbiased, values=values, region=region)
    return Tuning(values, tuned, privacy, error, least, apply("error-ratio", error, _largest(unbiased, norm)))


def _largest(mechanism: Theorem, norm: Symbol) -> Theorem:
    return apply("largest-error", apply("mean-squared-error", mechanism, norm=symbol("norm")), radius=norm)


def _choice(law: GaussianMechanism, free: Sequence[Symbol], norm: Symbol) -> tuple[tuple[Symbol, Expr], ...]:
    """A proposal: the drift from the scale ``exp(slope p)``, then the noise from the variance ``q^2 u``."""
    budget = DELTA**2 / (2 * EPSILON)
    for drift, noise in _pairs(free):
        slope = normal(log(law.scale).expand(force=True).diff(drift)) if law.scale.has(drift) else Integer(0)
        unit = normal(law.variance / noise**2)
        if slope == 0 or slope.has(drift, noise) or law.scale.has(noise) or unit.has(noise):
            continue
        chosen = -log(1 + law.dimension * budget / norm**2) / slope
        spread = normal(unit / law.scale**2).xreplace({drift: chosen})
        return (drift, chosen), (noise, DELTA * sqrt(budget / DELTA**2 / spread))
    names = ", ".join(s.name for s in free)
    raise Refused(f"no choice of {names} is found: one must set the drift, another the noise")


def _pairs(free: Sequence[Symbol]) -> Iterator[tuple[Symbol, Symbol]]:
    for first in free:
        for second in free:
            if first != second:
                yield first, second
