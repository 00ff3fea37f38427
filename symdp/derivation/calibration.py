"""The noise, or the time, with which a diffusion meets a privacy target at least error, proved on both sides.

A parameter p is sought as a decimal: what the bound gives there meets the target, at the next decimal it does not. Two
parameters of a linear process on the line, one of its drift and one of its noise, are chosen as Theorem 8 of Balle et
al. 2019 does, for any target: with v the least variance of Gaussian noise that meets it, the scale of the output
becomes ``R^2/(R^2 + d v)``, and no Gaussian mechanism of the same guarantee errs less than ``d v R^2/(R^2 + d v)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction

from sympy import Derivative, Expr, Integer, Rational, Subs, Symbol

from symdp.ball import Enclosure
from symdp.decide import Proved, decide, is_zero
from symdp.derivation.utility import EPSILON, Tuning, own_symbol, tune
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.epsilon.decimals import Goal, least_decimal
from symdp.epsilon.gaussian import gaussian_epsilon
from symdp.errors import InputError, Refused, SymdpError
from symdp.found import Found
from symdp.question import Question
from symdp.region import Region
from symdp.rules.conditions import ALPHA, DELTA, TIME
from symdp.text import Relation
from symdp.text.constants import sign

_GUARD = 10


@dataclass(frozen=True)
class Target:
    """What ``steps`` releases have to meet: (``value``, ``delta``)-DP, or ``R_alpha <= value``.

    With ``every``, ``R_alpha <= value alpha`` at every order. ``value`` and ``delta`` are exact numbers.
    """

    value: Fraction
    steps: int = 1
    delta: Fraction | None = None
    alpha: Expr | None = None
    every: bool = False


@dataclass(frozen=True)
class Reached:
    """What one number attains: epsilon, or the Renyi divergence, and the order it comes from.

    ``meets``: how it compares with the target where that is known exactly.
    """

    epsilon: Enclosure
    order: Expr | None = None
    meets: bool | None = None


@dataclass(frozen=True)
class Calibrated:
    """A parameter's decimal, what it attains, and the next decimal, which fails.

    ``falls``: what is attained falls as the parameter grows. ``everywhere``: it is proved that it does so all over
    the parameter's range, so that every number beyond fails too.
    """

    parameter: Symbol
    value: Decimal
    reached: Reached
    beyond: Decimal
    missed: Reached
    falls: bool
    everywhere: bool


@dataclass(frozen=True)
class Optimum:
    """Parameters chosen for the least error: of the drift, rounded, and of the noise, calibrated at that.

    ``least`` encloses the error that no ``N(b f(D), w I)`` of the guarantee undercuts, ``gaussian`` that of the
    unbiased Gaussian mechanism; ``tuning`` holds the theorems, ``exact`` the parameters themselves where the target
    is a Renyi divergence.
    """

    drift: Symbol
    value: Decimal
    noise: Calibrated
    tuning: Tuning
    least: Enclosure
    gaussian: Enclosure
    exact: Mapping[Symbol, Expr]


def some_value(process: Diffusion, parameter: Symbol) -> Rational:
    """A positive number that a parameter, or the time, may have: where a search starts.

    Raises Refused for a parameter that is not positive: no search goes there.
    """
    interval = process.times if parameter == TIME else process.params.interval(parameter)
    low, high = (end if end.is_Rational else None for end in (interval.lower, interval.upper))
    least = max(low, Integer(0)) if low is not None else Integer(0)
    if high is None:
        return least + 1
    if high <= least:
        raise Refused(f"{parameter} is not positive: choose another parameter")
    return (least + high) / 2


class _DiffusionGoal(Goal):
    """What one parameter, or the time, of a diffusion has to meet."""

    scale = "1"

    def __init__(self, found: Found, question: Question, parameter: Symbol, target: Target) -> None:
        self.found, self.question, self.parameter, self.aim = found, question, parameter, target
        self.name, self.target = parameter.name, target.value
        middle = some_value(found.process, parameter)
        self.unit = Fraction(int(middle.p), int(middle.q))
        if target.every:
            self.aim = replace(target, alpha=Integer(2), value=2 * target.value)
            self.target = 2 * target.value

    def asked(self, number: Fraction) -> Question:
        """The question at one value of the parameter. Raises Refused for a value that it may not have."""
        exact = Rational(number.numerator, number.denominator)
        process = self.found.process
        interval = process.times if self.parameter == TIME else process.params.interval(self.parameter)
        if interval.contains(exact) is not True:
            raise Refused(f"the target is not crossed within the range of {self.name}", ())
        if self.parameter == TIME:
            return replace(self.question, time=exact, alpha=self.aim.alpha)
        parameters = {**self.question.parameters, self.parameter: exact}
        return replace(self.question, parameters=parameters, alpha=self.aim.alpha)

    def at(self, number: Fraction, digits: int) -> Reached:
        """Epsilon at delta, or the Renyi divergence, of all steps."""
        question, aim = self.asked(number), self.aim
        if aim.delta is None:
            value: Enclosure = self.found.value(question, digits, steps=aim.steps)
            return Reached(value, aim.alpha)
        delta = Rational(aim.delta.numerator, aim.delta.denominator)
        return Reached(*self.found.epsilon(question, delta, aim.steps, digits))

    def met(self, found: Reached) -> bool:
        """Whether the target is met."""
        return super().met(found) if found.meets is None else found.meets

    def missed(self, found: Reached) -> bool:
        """Whether it is not."""
        return super().missed(found) if found.meets is None else not found.meets

    def decided(self, sigma: Decimal, digits: int) -> Reached:
        """What one number attains, compared exactly where enclosures do not tell because both are equal."""
        found = self.at(Fraction(sigma), digits + _GUARD)
        if self.met(found) or self.missed(found):
            return found
        if self.aim.delta is None:
            expr, _ = self.found.answer(self.question)
            gap = Rational(self.target.numerator, self.target.denominator) - self.aim.steps * expr
            known = sign(gap.subs(self.asked(Fraction(sigma)).assignment()))
            if known is not None:
                return replace(found, meets=known >= 0)
        decided: Reached = super().decided(sigma, digits)
        return decided


class _NoiseGoal(Goal):
    """The multiple s of the sensitivity that Gaussian noise needs: epsilon of ``mu = sqrt(steps)/s``."""

    name = "noise"

    def __init__(self, target: Target) -> None:
        self.aim, self.target = target, target.value

    def at(self, number: Fraction, digits: int) -> Reached:
        """Epsilon at delta."""
        squared = Rational(self.aim.steps) / Rational(number.numerator, number.denominator) ** 2
        return Reached(gaussian_epsilon(squared ** Rational(1, 2), self.aim.delta, digits))


def calibrate(found: Found, question: Question, parameter: Symbol, target: Target, digits: int) -> Calibrated:
    """The least decimal of a parameter, or of the time ``t``, that meets the target; the largest where less helps.

    ``question`` gives the other parameters and the sensitivity; what it says of ``parameter`` plays no part. Raises
    Refused where nothing is proved about the sensitivity or the parameter does not matter, Undetermined where no
    number is found.
    """
    goal = _DiffusionGoal(found, question, parameter, target)
    expr, region = found.answer(question)
    if target.every and not is_zero((expr / ALPHA).diff(ALPHA), region):
        raise Refused("the bound is not a multiple of alpha: give one order, --rdp alpha=8,value=4")
    if parameter not in expr.free_symbols:
        raise Refused(f"the bound does not depend on {parameter}: choose another parameter")
    low, high = (goal.at(goal.unit * factor, 10).epsilon for factor in (Fraction(3, 4), Fraction(5, 4)))
    goal.falls = bool(low.mid >= high.mid)
    value, here, beyond, there = least_decimal(goal, digits)
    there_too = goal.asked(Fraction(value))
    # one order tells of epsilon only where it tells of all
    single = target.delta is None or found.gaussian(there_too) is not None
    everywhere = single and monotone(expr, there_too, parameter, falls=goal.falls)
    return Calibrated(parameter, value, here, beyond, there, goal.falls, everywhere)


def monotone(expr: Expr, question: Question, parameter: Symbol, *, falls: bool) -> bool:
    """Whether it is proved that an expression falls (or grows) with a parameter all over its range."""
    process = question.process
    interval = process.times if parameter == TIME else process.params.interval(parameter)
    values = {
        s: value for s, value in question.assignment(alpha=question.alpha or Integer(2)).items() if s != parameter
    }
    slope = expr.xreplace(values).diff(parameter)
    if slope.has(Subs, Derivative):  # a function whose derivative is not written out
        return False
    try:
        verdict = decide(Relation(-slope if falls else slope, ">="), Region.make({parameter: interval}))
    except SymdpError:
        return False
    return isinstance(verdict, Proved)


def optimise(
    found: Found, question: Question, free: list[Symbol], numbers: Mapping[Symbol, Expr], target: Target, digits: int
) -> Optimum:
    """Two parameters for which the target is met at the least error over ``|f(D)| <= R`` in R^d.

    ``numbers`` are the values of ``R`` and ``d`` (see ``own_symbol``). Raises Refused where no choice is found, or the
    target is not about Gaussian noise.
    """
    process = found.process
    norm, dimension = own_symbol("R", process), own_symbol("d", process)
    tuning = tune(found.derivation.kernel, free, norm, dimension)
    low, high = _variances(target, digits + _GUARD)
    (drift, chosen), (noise, _) = tuning.values
    rate = 1 / (2 * high)
    rest = {s: v for s, v in question.assignment(alpha=Integer(2)).items() if s not in free}
    exact = enclose(chosen, {**rest, **numbers, EPSILON: rate}, digits + _GUARD)
    value = Context(prec=digits).create_decimal(exact.to_decimal(digits + _GUARD)[1])
    if not value > 0 or process.params.interval(drift).contains(Rational(str(value))) is not True:
        raise Refused(f"the {drift} that errs least is outside its range", ())
    fixed = replace(question, parameters={**question.parameters, drift: Rational(str(value))})
    calibrated = calibrate(found, fixed, noise, target, digits)
    errors = [
        [enclose(e, {**rest, **numbers, EPSILON: 1 / (2 * v)}, digits + _GUARD) for v in (low, high)]
        for e in (tuning.least.conclusion.value, numbers[dimension] * DELTA**2 / (2 * EPSILON))  # type: ignore[attr-defined]
    ]
    least, gaussian = (Enclosure(pair[0].lower, pair[1].upper) for pair in errors)
    exactly = {s: e.xreplace({**rest, **numbers, EPSILON: rate}) for s, e in tuning.values} if low == high else {}
    return Optimum(drift, value, calibrated, tuning, least, gaussian, exactly)


def _variances(target: Target, digits: int) -> tuple[Expr, Expr]:
    """Bounds on the least variance of Gaussian noise that meets the target for a query of sensitivity 1."""
    steps = Integer(target.steps)
    if target.delta is None:
        order = Integer(1) if target.every else target.alpha
        variance = order * steps / (2 * Rational(target.value.numerator, target.value.denominator))
        return variance, variance
    value, _, beyond, _ = least_decimal(_NoiseGoal(target), digits)
    low, high = Rational(str(beyond)) ** 2, Rational(str(value)) ** 2
    return low, high


def check_target(target: Target) -> None:
    """InputError for a target that every noise meets, or none."""
    if target.delta is not None:
        if target.delta >= 1:
            raise InputError("every noise does from delta = 1 on", place="--delta", remedy="give a number below 1")
        if target.delta <= 0:
            raise InputError(
                "no noise gives a finite epsilon at delta = 0", place="--delta", remedy="give a number > 0"
            )
        if target.value < 0:
            raise InputError("epsilon is negative", place="--epsilon", remedy="give a number >= 0")
    elif target.value <= 0:
        raise InputError("no noise gives a divergence of 0", place="--rdp", remedy="give a value above 0")
