"""Boundary classes by exponents, speed and scale, invariant densities, reversibility.

An end of a one-dimensional diffusion is classified from the expansions of ``2u/v^2`` and ``v^2`` in a coordinate ``z
-> 0+``
that runs into it (Feller's test, whose integrals are then elementary). With ``2u/v^2 ~ A z^{-k}`` and ``v^2 ~ B z^p``:

* k > 1 (or an exponential), A > 0: unattainable, the scale function is infinite;
* k > 1 (or an exponential), A < 0: the scale is finite, attainable iff ``int dz/|u|`` converges;
* k = 1: unattainable with infinite scale iff A >= 1; otherwise, as for k < 1, attainable iff ``int z dz/v^2``
  converges.

An end that is attained can reflect only if it can be left again: if the speed measure near it is finite, which is so
for k = 1 iff ``int z^A dz/v^2`` converges, and for k < 1 iff ``int dz/v^2`` does.

References: Karlin and Taylor, A Second Course in Stochastic Processes (1981), chapter 15, section 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import Dummy, Expr, Integer, Matrix, Rational, Symbol, cancel, cos, oo, sin, tan, together

from symdp.decide import is_zero
from symdp.diffusion.asymptotics import Expander, Germ, Scale, Sign, Unclear
from symdp.diffusion.process import Diffusion
from symdp.text import to_text

Holds = Callable[[Expr], bool]

Z = Dummy("z", real=True)
"""The coordinate that runs into an end: no name of a user can be it."""


@dataclass(frozen=True)
class End:
    """What one end of the domain does.

    ``attainable``: whether the process reaches it; ``infinite_scale``: whether the scale function is unbounded there;
    None where that depends on a sign that is not decided. ``infinite_distance``: whether the intrinsic distance to it
    is infinite; ``reflecting``: whether it belongs to the domain; ``enterable``: whether the speed measure near it is
    finite, so that an end that is attained is left again (None: not decided).
    """

    name: str
    attainable: bool | None
    infinite_scale: bool | None
    infinite_distance: bool
    reflecting: bool
    reason: str
    enterable: bool | None = False


def classify_end(process: Diffusion, side: str, sign_of: Sign, holds: Holds | None = None) -> End:
    """Classify the ``"lower"`` or ``"upper"`` end; :class:`Unclear` when an exponent or a sign is not decided."""
    (x,), (u,) = process.state, process.drift
    interval = process.domain.interval(x)
    lower = side == "lower"
    end = interval.lower if lower else interval.upper
    closed = interval.lower_closed if lower else interval.upper_closed
    u, v2 = (e.replace(tan, lambda a: sin(a) / cos(a)) for e in (u, process.noise[0, 0]))  # whose series are known
    if end in (oo, -oo):  # x = +-1/z
        inside = {x: (-1 / Z if lower else 1 / Z)}
        noise = v2.xreplace(inside) * Z**4
        drift = (u.xreplace(inside) if lower else -u.xreplace(inside)) * Z**2 + v2.xreplace(inside) * Z**3
    else:
        inside = {x: (end + Z if lower else end - Z)}
        noise, drift = v2.xreplace(inside), u.xreplace(inside) if lower else -u.xreplace(inside)
    expander = Expander(Z, sign_of)
    try:
        noise_germ, drift_germ = expander.expand(_tidy(noise)), expander.expand(_tidy(drift))
        return _feller(
            expander,
            noise_germ,
            drift_germ,
            name=f"{x.name} -> {end}" if end in (oo, -oo) else f"{x.name} = {to_text(end)}",
            reflecting=bool(closed),
            weakly=holds or (lambda e: sign_of(e) in (0, 1)),
        )
    except Unclear as error:
        raise Unclear(f"the end {x.name} = {end}: {error}", error.undecided) from None


def _tidy(expr: Expr) -> Expr:
    return cancel(together(expr.expand()))


def _feller(expander: Expander, noise: Germ, drift: Germ, name: str, reflecting: bool, weakly: Holds) -> End:
    one = Scale((), Rational(-1), 0)
    v2_scale = expander.leading(noise)[1]
    far = _diverges(v2_scale.raised(Rational(-1, 2)), expander) if not v2_scale.logs else None
    if not drift.terms and drift.remainder is None:
        ratio: tuple[Expr, Scale] | None = None
    else:
        quotient = expander.multiply(drift, expander.power(noise, Integer(-1)))
        if not quotient.terms:
            raise Unclear("the leading terms of the drift cancel")
        # the sign of this coefficient is asked for only where it matters: a coefficient that vanishes makes the drift
        # smaller
        ratio = (2 * quotient.terms[0][0], quotient.terms[0][1])

    def finite_speed(exponent: Expr) -> bool | None:
        """Whether ``int z^exponent dz/v^2`` converges at 0."""
        if v2_scale.growth or v2_scale.logs:
            return None
        rest = exponent - v2_scale.power + 1
        sign = expander.sign_of(rest)
        return sign > 0 if sign is not None else None

    reaches = _converges(Scale((), Rational(1), 0) * v2_scale.raised(Rational(-1)), expander)
    order = -1 if ratio is None else expander.compare(ratio[1], one)
    if far is None:
        raise Unclear("a logarithm in the diffusion coefficient at the end")
    if ratio is not None and order > 0:
        direction = expander.sign_of(ratio[0])
        if direction == 1:
            return End(name, False, True, far, reflecting, "the drift away from the end dominates")
        speed = expander.leading(drift)[1].raised(Rational(-1))
        attained = _converges(speed, expander)
        return End(name, attained, False, far, reflecting, "the drift into the end dominates")
    if ratio is not None and order == 0:
        above = expander.sign_of(ratio[0] - 1)
        if above is None and weakly(ratio[0] - 1):
            above = 0  # c >= 1 is all that is known: the critical case is among what follows
        if above is None and not reaches:
            return End(
                name,
                False,
                None,
                far,
                reflecting,
                f"2u/v^2 ~ c/z with c = {to_text(ratio[0])}; v^2 is too small to be crossed",
            )
        enterable = finite_speed(ratio[0])
        if above is None and reflecting and enterable:
            reason = f"2u/v^2 ~ c/z with c = {to_text(ratio[0])}; where it is attained, it is left again"
            return End(name, None, None, far, reflecting, reason, enterable)
        if above is None:
            raise Unclear(f"whether {to_text(ratio[0])} >= 1 is not decided", ratio[0] - 1)
        assert above is not None
        if above >= 0:
            if above == 0 and any(s.logs for _, s in (*noise.terms, *drift.terms)):
                raise Unclear("the critical exponent 1 with a logarithm")
            return End(name, False, True, far, reflecting, f"2u/v^2 ~ c/z with c = {to_text(ratio[0])} >= 1")
        reason = f"2u/v^2 ~ c/z with c = {to_text(ratio[0])} < 1"
        return End(name, reaches, False, far, reflecting, reason, enterable)
    return End(name, reaches, False, far, reflecting, "the drift is negligible at the end", finite_speed(Integer(0)))


def _converges(scale: Scale, expander: Expander) -> bool:
    """Whether ``int_0 scale dz`` converges."""
    return not _diverges(scale, expander)


def _diverges(scale: Scale, expander: Expander) -> bool:
    """Whether ``int_0 scale dz`` diverges: ``z^{-1} (-log z)^l`` does iff l >= -1, otherwise ``1/z`` is the border."""
    if scale.power == -1 and not scale.growth:
        return scale.logs >= -1
    return expander.compare(scale, Scale((), Rational(-1), 0)) > 0


def log_density_gradient(process: Diffusion) -> Matrix | None:
    """``G^{-1}(u - div G)``: the gradient of the logarithm of a reversible density, where one exists; None for
    degenerate noise.
    """
    g = process.noise / 2
    if is_zero(g.det()):
        return None
    n, x = process.dimension, process.state
    divergence = Matrix([sum((g[i, j].diff(x[j]) for j in range(n)), Integer(0)) for i in range(n)])
    return (g.inv() * (process.u - divergence)).applyfunc(_tidy)


def curl(field: Matrix, state: tuple[Symbol, ...]) -> list[Expr]:
    """The antisymmetric derivatives ``d_i F_j - d_j F_i``: all zero iff the field is closed, that is, the diffusion
    reversible.
    """
    n = len(state)
    return [_tidy(field[j].diff(state[i]) - field[i].diff(state[j])) for i in range(n) for j in range(i + 1, n)]
