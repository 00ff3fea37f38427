"""The trapezoidal rule on a strip: ``E_{mu0}[g^a g(-.)^b]`` for any real exponents, with a proved relative error.

**Lemma.** ``g(x) = (1-q) + q e^{(2x-1)w}``, ``w = 1/(2 s^2)``, ``c`` real, ``t = 2cw = c/s^2``. Then
``|g(x+ic)| <= g(x)``, and for ``|t| < pi`` ``|g(x+ic)| >= g(x) cos(t/2)`` and ``|arg g(x+ic)| <= |t|``. *Proof.* With
``A = 1-q``, ``B = q e^{(2x-1)w}``: ``g(x+ic) = A + B e^{it}``. The triangle inequality gives the first; the second is
``|A + B e^{it}|^2 - (A+B)^2 cos^2(t/2) = (A+B)^2 - 4AB sin^2(t/2) - (A+B)^2 (1 - sin^2(t/2)) = (A-B)^2 sin^2(t/2) >=
0``; the third holds because ``A + B e^{it}`` is in the cone spanned by 1 and ``e^{it}``. The same for ``g(-x)``.

So ``g`` has no zero in the strip ``|Im x| < pi s^2``, ``f = mu0 g^a g(-.)^b`` is analytic there and tends to 0 at its
ends, and ``|f(x+ic)| <= f(x) e^{t^2 s^2/2} sec(t/2)^n``, ``n = max(-a, 0) + max(-b, 0)``, because
``|mu0(x+ic)| = mu0(x) e^{c^2 w}``.

**Error.** Trefethen and Weideman (SIAM Review 56, 2014, Theorem 5.1): if ``f`` is analytic in ``|Im x| < c``, tends
to 0 uniformly as ``|Re x| -> oo`` there, and ``int |f(x+ic')| dx <= M`` for ``|c'| < c``, then
``|T_h - int f| <= 2M/(e^{2 pi c/h} - 1)``. With ``theta = c/s^2`` and ``I = int f``: ``|T_h - I| <= I eps``, ``eps =
2 e^{theta^2 s^2/2} sec(theta/2)^n / (e^{2 pi theta s^2/h} - 1)``, for every ``theta < pi``, so for ``theta = pi`` too
if n = 0 (both sides are continuous in theta), and for every theta at all if a is an integer >= 0 and b = 0 (f is
entire).

**A second bound for** ``n > 0`` **and** ``theta <= pi/2``, sharper at large orders. Write ``g(-.) = (1-q)(1+v)``
where ``b < 0 <= a`` (the case ``a < 0 = b`` is the same with ``g`` and ``a = 0`` below), ``r = cos theta``. Then
``|1 + v e^{it}|^2 = 1 + 2v cos t + v^2 >= (1 + r v)^2``, and ``1 + r v >= (1+v)^r`` (Bernoulli). With ``P = E[g^a]``
and Jensen's inequality (r <= 1) for the probability ``mu0 g^a/P``, ``int |f(x+ic)| <= e^{theta^2 s^2/2} (1-q)^b E[g^a
(1+v)^{br}] <= e^{theta^2 s^2/2} C^{1-r} I^r``, ``C = (1-q)^b P``. So ``|T_h - I| <= K C^{1-r}
I^r`` with K the eps above at n = 0. Put ``eps = K (2C/T_h)^{1-r}``. If eps < 1 then ``I >=
T_h/2``, for otherwise ``T_h/2 < T_h - I <= K C^{1-r} (T_h/2)^r``, that is, eps > 1; and ``I >= T_h/2`` gives ``|T_h -
I| <= eps I``.

**With a logarithm.** For ``f W``, ``W = log g`` or ``log g - log g(-.)``: ``|W(x+ic)| <= |W(x)| + C``,
``C = m (log sec(theta/2) + theta)``, m = 1 or 2, and ``int |f W| <= |int f W| + 2``, so the error is at most
``eps (|int f W| + 2 + C I)``. The 2 is twice a bound of the part of one sign: for ``a >= 1``,
``r^a log(1/r) <= 1/(e a)`` on (0, 1) with r = g, or ``r = g/g(-.)`` and ``int mu0 g(-.) = 1`` where ``b = 1-a``; for
``a <= 0 = b``, ``g^a log g <= g`` where ``g >= 1``, and ``int mu0 g = 1``.

Nothing is estimated: eps is evaluated in ball arithmetic and widens the result, and so do the nodes left out
(``lattice``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from flint import arb

from symdp.ball import arb_of, working_precision
from symdp.errors import Undetermined
from symdp.mechanisms.sampled_gaussian.integrand import Integrand
from symdp.mechanisms.sampled_gaussian.lattice import Plan, plan

_GRADED_BITS = 500  # from here on it pays to sum small terms with fewer bits
_WIDEST = 3.1

#: Work beyond this many modelled microseconds is not done.
MOST_WORK = 30e6


@dataclass(frozen=True, slots=True)
class Moments:
    """``I = E[g^a g(-.)^b]`` and, if asked for, ``J = E[g^a g(-.)^b W]``, as balls."""

    plain: arb
    weighted: arb
    nodes: int


@dataclass(frozen=True, slots=True)
class Step:
    """The spacing ``eta = h/s`` and half the width of the strip, ``theta s^2``; theta None means pi.

    ``second``: the second bound is the one to use.
    """

    eta: float
    theta: float | None
    second: bool = False


@lru_cache(maxsize=1)  # the cost model asks first, the sum again
def step(integrand: Integrand, depth: float, *, weighted: bool = False) -> Step:
    """A spacing whose error is about ``e^-depth``, by a float search; what it is worth is proved afterwards."""
    s = float(integrand.sigma)
    steepness = float(integrand.steepness)
    best = math.sqrt(2 * depth) / s
    if _entire(integrand) and not weighted:
        return Step(_short(math.pi * math.sqrt(2 / depth)), best)
    if steepness == 0 and not weighted:
        if best < math.pi:
            return Step(_short(math.pi * math.sqrt(2 / depth)), best)
        return Step(_short(2 * math.pi**2 * s / (depth + math.pi**2 * s**2 / 2)), None)

    def spacing(theta: float, penalty: float) -> float:
        return 2 * math.pi * theta * s / (depth + theta**2 * s**2 / 2 + penalty)

    def first(theta: float) -> float:
        return spacing(theta, -steepness * math.log(math.cos(theta / 2)))

    theta = _largest(first, min(_WIDEST if weighted else math.pi, best))
    chosen = Step(_short(first(theta)), theta)
    if weighted or steepness < 2:
        return chosen
    dip = 1 + max(0.0, integrand.dip())

    def other(theta: float) -> float:
        return spacing(theta, dip * (1 - math.cos(theta)))

    theta = _largest(other, min(math.pi / 2 - 1e-6, best))
    return max(chosen, Step(_short(other(theta)), theta, second=True), key=lambda found: found.eta)


def _largest(spacing: Callable[[float], float], most: float) -> float:
    """Where a function with one maximum on ``[0, most]`` is about largest."""
    low, high = 0.0, most
    for _ in range(16):
        third = (high - low) / 3
        if spacing(low + third) < spacing(high - third):
            low += third
        else:
            high -= third
    return (low + high) / 2


def _entire(integrand: Integrand) -> bool:
    return not integrand.b and integrand.a >= 0 and integrand.a.denominator == 1


def _short(eta: float) -> float:
    """``eta`` rounded down to 20 bits, so that products with it are cheap."""
    mantissa, exponent = math.frexp(eta)
    return math.ldexp(math.floor(math.ldexp(mantissa, 20)), exponent - 20)


def aliasing(integrand: Integrand, chosen: Step, ceiling: arb) -> arb:
    """The proved relative error eps of the rule with this step, at the working precision.

    ``ceiling`` is the ``C/T_h`` of the second bound, for which alone it is needed.
    """
    s, eta = arb_of(integrand.sigma), arb(chosen.eta)
    theta = arb.pi() if chosen.theta is None else arb(chosen.theta)
    steepness = integrand.steepness
    size = 2 * (theta * theta * s * s / 2).exp()
    if chosen.second:
        size *= (2 * ceiling) ** (1 - theta.cos())
    elif steepness:
        size /= (theta / 2).cos() ** arb_of(steepness)
    return size / (2 * arb.pi() * theta * s / eta).expm1()


def estimated_nodes(integrand: Integrand, depth: float) -> float:
    """About how many nodes ``moments`` would sum, from a float guess of where the summand is large."""
    eta = step(integrand, depth).eta
    half = math.sqrt(2 * depth) / eta
    modes = sorted(integrand.modes)
    halves = [half * integrand.spread(z) for z in modes]
    return min(2 * sum(halves), halves[0] + halves[-1] + (modes[-1] - modes[0]) / eta)


def work(nodes: float, bits: float, *, pair: bool) -> float:
    """Modelled microseconds of a sum of so many nodes."""
    return 120 + nodes * (1 + 0.002 * bits + 3.6e-6 * bits**2) * (2.2 if pair else 1)


def moments(integrand: Integrand, depth: float, *, weighted: bool = False, pair: bool = False) -> Moments:
    """``I`` (and ``J``, if ``weighted``) with a relative error of about ``e^-depth``, as proved balls.

    W is ``log g``, or ``log g - log g(-.)`` if ``pair`` or b is not 0.
    """
    pair = pair or bool(integrand.b)
    chosen = step(integrand, depth, weighted=weighted)
    bits = math.ceil(depth / math.log(2)) + 12
    ranges = plan(integrand, chosen.eta, depth + 4, weighted=weighted, pair=pair, graded=bits > _GRADED_BITS)
    if work(ranges.nodes, bits, pair=pair) > MOST_WORK:
        raise Undetermined(f"{ranges.nodes} nodes of the trapezoidal rule are too many: ask for fewer digits")
    bits += _guard(integrand, ranges, chosen.eta)
    top = arb(1)
    if chosen.second and integrand.a > 0:
        top = moments(Integrand(integrand.q, integrand.sigma, integrand.a), 8.0).plain
    plain, log = _sums(integrand, ranges, chosen.eta, bits, weighted=weighted, pair=pair)
    with working_precision(bits):
        stay, eta = arb_of(1 - integrand.q), arb(chosen.eta)
        scale = eta / (2 * arb.pi()).sqrt()
        unit = stay ** arb_of(integrand.a + integrand.b)
        rest = scale * unit
        plain = scale * plain + _upto(rest * ranges.omitted)
        error = aliasing(integrand, chosen, top * stay ** -arb_of(integrand.steepness) / plain)
        if not error < 0.5:
            return Moments(arb("nan"), arb("nan"), ranges.nodes)
        value = plain / (1 + _either(error))
        if not weighted:
            return Moments(value, arb(0), ranges.nodes)
        log = scale * log + _either(rest * ranges.omitted_weighted)
        theta = arb(chosen.theta)  # type: ignore[arg-type]
        drift = (2 if pair else 1) * (theta - (theta / 2).cos().log())
        extra = error * (drift * value + 2)
        # |J - T| <= error |J| + extra and error < 1/2, so |J| <= 2 (|T| + extra)
        return Moments(value, log + _either(2 * error * (abs(log) + extra) + extra), ranges.nodes)


def _upto(x: arb) -> arb:
    """A ball that contains ``[0, x]``."""
    return arb(0).union(x.upper())


def _either(x: arb) -> arb:
    """A ball that contains ``[-x, x]``."""
    return arb(0, x.upper())


def _guard(integrand: Integrand, ranges: Plan, eta: float) -> int:
    """Bits lost to exponents of e, to the recurrences and to the power."""
    first, last = ranges.chunks[0][0], ranges.chunks[-1][1]
    s = float(integrand.sigma)
    far = max(abs(first), abs(last)) * eta
    exponent = 2 + far * far + far / s + 0.5 / s**2
    power = 1 + abs(float(integrand.a)) + abs(float(integrand.b))
    longest = max(high - low for low, high, _ in ranges.chunks)
    return math.ceil(math.log2(exponent) + math.log2(power) + 2 * math.log2(longest + 1)) + 4


def _sums(integrand: Integrand, ranges: Plan, eta: float, bits: int, *, weighted: bool, pair: bool) -> tuple[arb, arb]:
    """``sum e^{-z^2/2} g^a g(-.)^b`` over the ranges, and the same with the factor W."""
    totals = arb(0), arb(0)
    for first, last, drop in ranges.chunks:
        with working_precision(max(bits - drop, 64)):
            part = _chunk(integrand, first, last, eta, weighted=weighted, pair=pair)
        with working_precision(bits):
            totals = totals[0] + part[0], totals[1] + part[1]
    return totals


def _chunk(integrand: Integrand, first: int, last: int, eta: float, *, weighted: bool, pair: bool) -> tuple[arb, arb]:
    # e^{-z^2/2} and q e^{z/s - w} by recurrence: three multiplications, an addition and a power a node
    step, a, b = arb(eta), arb_of(integrand.a), arb_of(integrand.b)
    start = step * first
    square = step * step
    rate = step / arb_of(integrand.sigma)
    stay, scale = arb_of(1 - integrand.q), arb_of(integrand.q) * (-arb_of(1 / (2 * integrand.sigma**2))).exp()
    gauss, fall, bend = (-start * start / 2).exp(), (-step * start - square / 2).exp(), (-square).exp()
    odds, rise = scale * (rate * first).exp(), rate.exp()
    plain = log = arb(0)
    if not pair:
        for _ in range(last - first):
            density = stay + odds
            if weighted:
                level = density.log()
                term = gauss * (a * level).exp()
                log += term * level
            else:
                term = gauss * density**a
            plain += term
            gauss *= fall
            fall *= bend
            odds *= rise
        return plain, log
    mirrored, sink = scale * (-rate * first).exp(), (-rate).exp()
    for _ in range(last - first):
        up, down = (stay + odds).log(), (stay + mirrored).log()
        term = gauss * (a * up + b * down).exp()
        plain += term
        log += term * (up - down)
        gauss *= fall
        fall *= bend
        odds *= rise
        mirrored *= sink
    return plain, log
