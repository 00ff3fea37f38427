"""Proposals for one-dimensional kernels: the unit coordinate and the Doob class, found by differentiation.

Nothing here is trusted: each proposal is a set of expressions that the rules of ``rules.doob`` check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sympy import (
    Abs,
    Expr,
    Integer,
    Poly,
    PolynomialError,
    Pow,
    Rational,
    Symbol,
    acosh,
    asin,
    asinh,
    atan,
    atanh,
    exp,
    log,
    nan,
    oo,
    sinh,
    sqrt,
    zoo,
)

from symdp.ball import working_precision
from symdp.diffusion import calculus
from symdp.diffusion.antiderivatives import antiderivative
from symdp.diffusion.process import Diffusion
from symdp.enclosure import ball
from symdp.errors import SymdpError
from symdp.region import Interval

Zero = Callable[[Expr], bool | None]
Sign = Callable[[Expr], int | None]
Defined = Callable[[Expr], bool]
Tidy = Callable[[Expr], Expr]

MAX_DEGREE = 12
"""The largest degree of a polynomial Doob factor that is looked for."""


@dataclass(frozen=True)
class Proposal:
    """A class to be checked. ``kind``: "brownian" or "mehler"; the other fields are parameters of its rule."""

    kind: str
    coordinate: Expr
    rate: Expr
    constant: bool = False
    side: int = -1
    degree: int = 0


def interior_point(interval: Interval) -> Expr:
    """A simple point inside an interval."""
    low, high = interval.lower, interval.upper
    if low == -oo and high == oo:
        return Integer(0)
    if low == -oo:
        return high - 1
    if high == oo:
        return low + 1
    return (low + high) / 2


def absolute(expr: Expr, sign_of: Sign) -> Expr:
    """``expr`` with every ``abs`` resolved whose argument has a decided sign."""
    mapping = {}
    for a in expr.atoms(Abs):
        s = sign_of(a.args[0])
        if s is not None:
            mapping[a] = s * a.args[0]
    return expr.xreplace(mapping)


def unit_coordinate(process: Diffusion, defined: Defined, is_zero: Zero, tidy: Tidy) -> Expr | None:
    """An antiderivative of ``sqrt2/v``, one of the usual ones or by an integrator; None if none is found."""
    (x,) = process.state
    v = process.v
    for candidate in _coordinates(v, x, process):
        if (
            candidate.has(nan, zoo, oo)
            or _plainly_not_constant(candidate.diff(x) * v, process)
            or not defined(candidate)
        ):
            continue
        speed = tidy(candidate.diff(x) * v / sqrt(2))
        if speed != 0 and is_zero(speed.diff(x)):
            constant = tidy(speed.subs(x, interior_point(process.domain.interval(x))))
            return candidate / constant
    if any(
        p.has(x) and not p.exp.is_Integer for p in v.atoms(Pow)
    ):  # of roots the usual ones are all that is hoped for
        return None
    integrated = antiderivative(sqrt(2) / v, x, lambda e: is_zero(e) is True)
    return integrated if integrated is not None and defined(integrated) else None


def _plainly_not_constant(speed: Expr, process: Diffusion) -> bool:
    """Whether two values in floating point differ: most candidates are left without a proof that they are wrong."""
    (x,), values = process.state, []
    fixed = {s: interior_point(process.params.interval(s)) for s in process.params.symbols}
    d = process.domain.interval(x)
    middle = interior_point(d)
    for share in (Rational(1, 3), Rational(3, 4)):
        near = d.lower if d.lower != -oo else middle - 2
        point = fixed | {x: near + (middle - near) * share}
        try:
            with working_precision(64):
                value = ball(speed.xreplace(point), {})
        except SymdpError:
            return False
        if not value.is_finite():
            return False
        values.append(float(value.mid()))
    return abs(values[0] - values[1]) > 1e-6 * max(map(abs, values))


def _coordinates(v: Expr, x: Symbol, process: Diffusion) -> Iterator[Expr]:
    yield x
    bases: list[Expr] = [x]
    interval = process.domain.interval(x)
    for end, side in ((interval.lower, 1), (interval.upper, -1)):
        if end not in (oo, -oo) and side * (x - end) not in bases:
            bases.append(side * (x - end))
    inner = sorted(
        (e for e in v.atoms(Expr) if x in e.free_symbols and e != x and not e.is_Pow),
        key=lambda e: (e.count_ops(), str(e)),
    )
    powers = sorted({p.base for p in v.atoms(Expr) if p.is_Pow and x in p.base.free_symbols}, key=str)
    for base in dict.fromkeys([*bases, *powers]):
        yield log(base)
        for numerator, denominator in (
            (1, 2),
            (-1, 1),
            (-1, 2),
            (1, 3),
            (2, 3),
            (1, 4),
            (3, 4),
            (3, 2),
            (2, 1),
            (-2, 1),
            (3, 1),
        ):
            yield base ** Rational(numerator, denominator)
        yield log(log(base))
    for base in dict.fromkeys([x, *inner[:12], *powers]):
        yield from (
            exp(base),
            exp(-base),
            asinh(base),
            atan(base),
            sinh(base),
            atanh(base),
            asin(base),
            acosh(base),
            atan(sinh(base)),
        )
        yield atan(exp(base))
        yield log(exp(base) - 1)
    for quadratic in dict.fromkeys([*powers, *inner[:12], v]):
        yield from _from_quadratic(quadratic, x)


def _from_quadratic(expr: Expr, x: Symbol) -> Iterator[Expr]:
    """Antiderivatives that go with ``sqrt(a x^2 + b x + c)`` and with ``a x^2 + b x + c`` itself."""
    try:
        coefficients = Poly(expr, x).all_coeffs()
    except PolynomialError:
        return
    if len(coefficients) != 3:
        return
    a, b, c = coefficients
    discriminant = b**2 - 4 * a * c
    slope = 2 * a * x + b
    yield asinh(slope / sqrt(-discriminant))
    yield asin(slope / sqrt(discriminant))
    yield acosh(slope / sqrt(discriminant))
    yield atan(slope / sqrt(-discriminant))
    yield atanh(slope / sqrt(discriminant))


def propose(process: Diffusion, defined: Defined, is_zero: Zero, sign_of: Sign, tidy: Tidy) -> Proposal | str:
    """The Doob class of a one-dimensional process, or one line that says why there is none."""
    (x,) = process.state
    point = {x: interior_point(process.domain.interval(x))}

    def constant(f: Expr) -> Expr:
        """The value of a function already shown to be constant."""
        return absolute(tidy(f.subs(point)), sign_of)

    b = calculus.unit_drift(process)
    q = calculus.potential(process)
    dq = tidy(calculus.unit_derivative(process, q))
    if is_zero(dq):
        coordinate = unit_coordinate(process, defined, is_zero, tidy)
        if coordinate is None:
            return "no closed form of the intrinsic distance was found: an antiderivative of sqrt(2)/v"
        if is_zero(calculus.unit_derivative(process, b)):
            return Proposal("brownian", coordinate, constant(b) / 2, constant=True)
        return Proposal("brownian", coordinate, absolute(sqrt(constant(q)), sign_of))
    curvature = calculus.unit_derivative(process, dq)
    if not is_zero(calculus.unit_derivative(process, curvature)):
        return (
            "the potential q = b^2/4 + (D b)/2 is neither constant nor quadratic in the unit coordinate, "
            "so the kernel is neither of the Brownian nor of the Mehler class"
        )
    square = constant(curvature) / 2
    positive = sign_of(square)
    if positive != 1:
        return (
            "the potential is linear in the unit coordinate"
            if positive == 0
            else "whether the potential grows in the unit coordinate is not decided"
        )
    rate = absolute(sqrt(square), sign_of)
    y = tidy(dq / (2 * square))
    level = constant(q - square * y**2)
    for side, degree in ((-1, 0), *((1, n) for n in range(0, MAX_DEGREE + 1, 2))):
        if is_zero(level - side * (2 * degree + 1) * rate):
            return Proposal("mehler", y, rate, side=side, degree=degree)
    return "the Doob factor of the Mehler class is not a Gaussian times a polynomial"
