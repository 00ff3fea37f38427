"""Kernels on the whole line that are known although their divergence has no closed form: untrusted proposals."""

from __future__ import annotations

from sympy import Expr, Integer, log, oo, sqrt, tanh

from symdp.decide import is_zero, normal, sign
from symdp.derivation.defined import coordinate_on
from symdp.derivation.kinks import breaks_and_pieces, has_kinks
from symdp.derivation.record import Assuming, region_of
from symdp.diffusion import calculus
from symdp.diffusion.kernels import absolute, interior_point
from symdp.diffusion.line_kernels import wells
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.evidence import Evidence
from symdp.region import Region
from symdp.rules.tanh_drift import MOST_WELLS
from symdp.text import to_text
from symdp.theorem import Theorem, apply


def kernel_on_the_line(process: Diffusion, assuming: Assuming) -> Theorem:
    """The kernel of a two-valued drift or of a hyperbolic tangent; :class:`Refused` where none of ours is it."""
    if process.dimension != 1 or not process.homogeneous:
        raise _none("the process has several coordinates or depends on the time")
    inside = region_of(process, assuming, interior=True)

    y = coordinate_on(process, inside)
    if y is None:
        raise _none("no closed form of the intrinsic distance was found: an antiderivative of sqrt(2)/v")
    find = _two_valued if has_kinks(process) else _tanh
    return find(process, y, inside, assuming)


def _none(reason: str) -> Refused:
    statement = "a drift of two opposite values, or 2 n k tanh(k z) with n whole, in the unit coordinate z on the line"
    return Refused(f"no kernel on the line: {reason}", (Evidence("kernel on the line", statement, "unknown", reason),))


def _two_valued(process: Diffusion, y: Expr, inside: Region, assuming: Assuming) -> Theorem:
    (x,) = process.state
    breaks, pieces = breaks_and_pieces(process, region_of(process, assuming))
    if len(breaks) != 1:
        raise _none(f"the drift has {len(breaks)} kinks, a drift of two values has one")
    (kink,), (_, above) = breaks, pieces
    z = normal(y - y.subs(x, kink))
    end = process.domain.interval(x).upper
    beyond = kink + 1 if end is oo else (kink + end) / 2
    if sign(z.subs(x, beyond), region_of(process, assuming)) == -1:
        z = -z
    speed = normal(process.noise[0, 0] * z.diff(x, 2) / 2 + above * z.diff(x))
    if not is_zero(speed.diff(x), inside):
        raise _none("beside the kink the drift in the unit coordinate is not constant")
    velocity = normal(speed.subs(x, beyond))
    params = {"coordinate": z, "velocity": velocity, "kink": kink}
    return apply("two-valued-drift-kernel", assuming=assuming, process=process, **params)


def _tanh(process: Diffusion, y: Expr, inside: Region, assuming: Assuming) -> Theorem:
    """From ``b = 2 n k tanh(k z)``: ``n = -b b'/b''`` and ``2 n k^2 = b' + b^2/(2n)`` are constant."""
    (x,) = process.state
    point = {x: interior_point(process.domain.interval(x))}
    b = calculus.unit_drift(process)
    slope = calculus.unit_derivative(process, b)
    bend = calculus.unit_derivative(process, slope)
    other = "the drift in the unit coordinate z is not 2 n k tanh(k z)"
    if is_zero(bend, inside):
        raise _none(other)
    power = normal(-b * slope / bend)
    if power.has(x):
        raise _none(other)
    square = normal((slope + b**2 / (2 * power)) / (2 * power))
    if not is_zero(calculus.unit_derivative(process, square), inside):
        raise _none(other)
    region = region_of(process, assuming)
    square = normal(square.subs(point))
    if sign(square, region) != 1:
        raise _none(f"{other}: {to_text(square)}, which would be k^2, is not seen to be positive")
    if not isinstance(power, Integer):
        raise _none(f"the drift in the unit coordinate z is 2 n k tanh(k z) with n = {to_text(power)}, {_CLOSED}")
    if wells(int(power)) > MOST_WELLS:
        raise _none(f"n = {power} in the drift 2 n k tanh(k z) is beyond {-MOST_WELLS}, ..., {MOST_WELLS + 1}")
    rate = absolute(sqrt(square), lambda e: sign(e, region))
    offset = _inverse_tanh(normal(b.subs(point) / (2 * power * rate))) / rate - y.subs(point)
    params = {"coordinate": normal(y + offset), "rate": rate, "power": power}
    return apply("tanh-drift-kernel", assuming=assuming, process=process, **params)


_CLOSED = "and the kernel is closed for whole n only"


def _inverse_tanh(ratio: Expr) -> Expr:
    return ratio.args[0] if ratio.func is tanh else normal(log(normal((1 + ratio) / (1 - ratio)))) / 2
