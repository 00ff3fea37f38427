"""Antiderivatives, and integrals from 0 to t of functions of the time: proposals of known shape or by terms.

Nothing here is trusted: a proposal differentiates back, and of an integral the value and the continuity at 0 count too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sympy import (
    Abs,
    Add,
    Expr,
    Function,
    I,
    Integer,
    Integral,
    Mul,
    Piecewise,
    Poly,
    Pow,
    RootSum,
    Symbol,
    apart,
    atan,
    cos,
    erf,
    erfc,
    exp,
    ff,
    fraction,
    log,
    sign,
    sin,
    sqrt,
    together,
)
from sympy.integrals.manualintegrate import manualintegrate
from sympy.simplify.fu import TR8

from symdp.decide import is_zero, normal
from symdp.decide import sign as decided_sign
from symdp.diffusion.stated import TIME
from symdp.errors import InputError
from symdp.region import Region
from symdp.text import definedness, to_text

LARGEST_INTEGRAND = 30
"""Integrands with more operations than this are not proposed to the integrator, which may search for minutes."""

_LARGEST_TERM = 60


def antiderivative(integrand: Expr, x: Symbol, accepts: Callable[[Expr], bool]) -> Expr | None:
    """A function of our grammar with this derivative, as a whole or term by term; None if none is found.

    ``accepts`` says whether a difference is zero.
    """
    terms = (integrand,) if integrand.is_rational_function(x) else Add.make_args(integrand.expand())
    if any(_is_a_long_search(term, x) for term in terms if not term.is_rational_function(x)):
        return None
    total: list[Expr] = []
    for term in terms:
        if term.is_rational_function(x):
            proposal = _of_partial_fractions(term, x)  # integrators search for long, or answer 0
        else:
            proposal = manualintegrate(term, x).replace(erf, lambda z: 1 - erfc(z))
        if proposal is None or not _in_the_grammar(proposal) or not accepts(proposal.diff(x) - term):
            return None
        total.append(proposal)
    return Add(*total)


def _is_a_long_search(term: Expr, x: Symbol) -> bool:
    """Whether an integrator would search for minutes: for what is long, has a root under a root, or a sine, a root or
    the like over a polynomial that is no power of x.
    """
    roots = {p for p in term.atoms(Pow) if not p.exp.is_Integer and p.base.free_symbols}
    if term.count_ops() > _LARGEST_TERM or any(root.base.atoms(Pow) & roots for root in roots):
        return True
    factors = [f.as_base_exp()[0] for f in Mul.make_args(fraction(together(term))[1]) if f.has(x)]
    poles = [f for f in factors if f.is_polynomial(x) and not (f / x).is_number]
    return bool(poles) and any(f.has(x) for f in (*term.atoms(Function), *roots))


def _of_partial_fractions(integrand: Expr, x: Symbol) -> Expr | None:
    """Of a rational function whose denominator has factors of degree 1 and 2; None for others, and for long ones."""
    above, below = fraction(together(integrand))
    if integrand.count_ops() > _LARGEST_TERM or not (above.is_polynomial() and below.is_polynomial()):
        return None
    total: list[Expr] = []
    for term in Add.make_args(apart(above / below, x)):
        above, below = fraction(together(term))
        constant, factors = Poly(below, x).sqf_list()
        if not factors:
            total.append(Poly(above, x).integrate().as_expr() / below)
            continue
        ((base, power),) = factors
        if len(factors) > 1 or base.degree() > 2 or Poly(above, x).degree() >= base.degree():
            return None
        over = above / constant
        total.append(_over_linear(over, base, power) if base.degree() == 1 else _over_quadratic(over, base, power))
    return Add(*total)


def _over_linear(constant: Expr, base: Poly, power: int) -> Expr:
    """``int c/l^n`` for a linear l."""
    line, slope = base.as_expr(), base.LC()
    return constant * log(line) / slope if power == 1 else constant * line ** (1 - power) / (slope * (1 - power))


def _over_quadratic(above: Expr, base: Poly, power: int) -> Expr:
    """``int (A x + B)/q^n`` for ``q = a x^2 + b x + c`` with ``D = 4ac - b^2 > 0``, by its slope and then by parts:
    ``int 1/q^n = q'/((n-1) D q^{n-1}) + 2 (2n-3) a/((n-1) D) int 1/q^{n-1}``.
    """
    x, (a, b, c), q = base.gen, base.all_coeffs(), base.as_expr()
    slope, rest = (Poly(above, x).coeff_monomial(m) for m in (x, 1))
    total = slope / (2 * a) * (log(q) if power == 1 else q ** (1 - power) / (1 - power))
    weight, gap = rest - slope * b / (2 * a), 4 * a * c - b**2
    for n in range(power, 1, -1):
        total += weight * (2 * a * x + b) / ((n - 1) * gap * q ** (n - 1))
        weight *= 2 * (2 * n - 3) * a / ((n - 1) * gap)
    root = sqrt(gap)
    return total + (weight * 2 / root * atan((2 * a * x + b) / root) if weight != 0 else 0)


def _in_the_grammar(proposal: Expr) -> bool:
    if proposal.has(Integral, Piecewise, RootSum, I):
        return False
    try:
        definedness(proposal)
    except InputError:  # a function that is none of ours, such as a Fresnel integral
        return False
    return True


def from_zero(integrand: Expr, region: Region, hint: Expr | None = None) -> Expr | None:
    """``int_0^t integrand`` on a region of times and parameters; None if no closed form is found that is 0 at 0.

    ``hint``: a function of which the integral may be a multiple, up to a constant.
    """
    if integrand == 0:
        return Integer(0)
    if TIME not in integrand.free_symbols:
        return integrand * TIME
    for proposal in _proposals(integrand, region, hint):
        try:
            value = _from_zero(_real(proposal, region), integrand, region)
        except InputError:  # a function that is none of ours
            continue
        if value is not None:
            return value
    return None


def _from_zero(proposal: Expr, integrand: Expr, region: Region) -> Expr | None:
    """The proposal less its value at 0, if that has one and the whole differentiates back."""
    at_zero = proposal.subs({TIME: Integer(0)})
    if at_zero.is_finite is False or at_zero.has(I) or any(r.truth() is False for r in definedness(at_zero)):
        return None
    value = normal(proposal - at_zero, region)
    to_text(value)
    return value if is_zero(value.diff(TIME) - integrand, region) else None


def _proposals(integrand: Expr, region: Region, hint: Expr | None) -> Iterator[Expr]:
    powers = sorted(integrand.atoms(exp), key=lambda e: (-e.count_ops(), str(e)))
    for shape in powers if hint is None else [hint, *powers]:  # f = r g' with a constant r: the integral is r g
        slope = shape.diff(TIME)
        if slope != 0:
            ratio = normal(integrand / slope, region)
            if TIME not in ratio.free_symbols:
                yield ratio * shape
    if integrand.has(Abs, sign):
        return
    terms = [_integrated(term) for term in Add.make_args(TR8(integrand.expand()))]
    if all(term is not None for term in terms):
        yield Add(*terms)
    whole = _integrated(integrand)
    if whole is not None:
        yield whole


def _integrated(integrand: Expr) -> Expr | None:
    """What the integrator says; of several cases the first, which is the one of parameters in general position."""
    known = _exponential_polynomial(integrand)
    if known is not None:
        return known
    if integrand.count_ops() > LARGEST_INTEGRAND:
        return None
    found = manualintegrate(integrand, TIME)
    found = found.replace(lambda e: isinstance(e, Piecewise), lambda e: e.args[0].expr)
    return None if found.has(Integral, I) else found


def _exponential_polynomial(term: Expr) -> Expr | None:
    """Of ``c t^n e^{rt}``, or that times a cosine or sine of ``wt + p``, by parts; None for any other term.

    It is the real or imaginary part of ``c e^{zt + ip} sum_k (-1)^k n!/(n-k)! t^{n-k}/z^{k+1}`` with ``z = r + iw``.
    """
    constant, moving = term.as_independent(TIME, as_Add=False)
    degree, rate, wave = 0, Integer(0), None
    for factor in Mul.make_args(moving):
        base, power = factor.as_base_exp()
        slope = factor.args[0].diff(TIME) if isinstance(factor, exp | cos | sin) else TIME
        if base == TIME and power.is_Integer and power > 0:
            degree = int(power)
        elif TIME in slope.free_symbols or (wave is not None and not isinstance(factor, exp)):
            return None
        elif isinstance(factor, exp):
            constant, rate = constant * exp(factor.args[0].subs(TIME, 0)), rate + slope
        else:
            wave = factor
    speed = Integer(0) if wave is None else wave.args[0].diff(TIME)
    size = rate**2 + speed**2
    if size == 0:
        return None
    re, im, parts = rate / size, -speed / size, []  # 1/z^{k+1}
    p, q = re, im
    for k in range(degree + 1):
        moved = p if wave is None else _turned(wave, p, q)
        parts.append((-1) ** k * ff(degree, k) * TIME ** (degree - k) * moved)
        p, q = p * re - q * im, p * im + q * re
    return constant * exp(rate * TIME) * Add(*parts)


def _turned(wave: Expr, p: Expr, q: Expr) -> Expr:
    """The real part, of a sine the imaginary part, of ``e^{i angle} (p + iq)``."""
    angle = wave.args[0]
    return p * cos(angle) - q * sin(angle) if isinstance(wave, cos) else p * sin(angle) + q * cos(angle)


def _real(value: Expr, region: Region) -> Expr:
    """With logarithms of negative functions turned into those of their opposites."""
    flipped = {g: log(-g.args[0]) for g in value.atoms(log) if decided_sign(g.args[0], region) == -1}
    return value.xreplace(flipped)
