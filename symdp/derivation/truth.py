"""The divergence itself, not a bound: by an exact theorem, or by certified integration of a kernel that is known.

Where neither exists (a double well, a hyperbolic cosine, an Ornstein-Uhlenbeck process whose wall is not at its mean)
it is refused: a spectral expansion with a proved error is not built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flint import arb
from sympy import Expr, Symbol, exp, pi, sin, sqrt

from symdp.ball import Enclosure, bits_for, from_arb, working_precision
from symdp.decide import is_zero
from symdp.derivation import derive
from symdp.derivation.bessel import kernel_with_end
from symdp.derivation.circle import circle_kernel
from symdp.derivation.line import derive_on_the_line
from symdp.derivation.line_kernels import kernel_on_the_line
from symdp.derivation.products import about
from symdp.derivation.record import Assuming
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import Refused, Undetermined
from symdp.judgments import (
    BesselKernel,
    CircleKernel,
    Divergence,
    Judgment,
    ReflectedDriftKernel,
    ReflectedIntervalKernel,
    TanhDriftKernel,
    TwoValuedDriftKernel,
)
from symdp.mechanisms.transition import bessel, circle, drifted, interval, tanh_drift, two_valued
from symdp.rules.circle import half_angle, rate
from symdp.rules.conditions import ALPHA, TIME, pair_region, starts
from symdp.text import symbol
from symdp.theorem import Theorem, apply

Values = Mapping[Symbol, Expr]
_COINCIDE = Enclosure(0, 0)
_DIGITS_PER_BIT = 0.302
_SPARE_DIGITS = 6


@dataclass(frozen=True)
class Truth:
    """How ``R_alpha(P_t(x) || P_t(xp))`` is known: ``theorem`` gives the divergence, exactly, or the kernel."""

    process: Diffusion
    theorem: Theorem
    parts: tuple[Truth, ...] = ()
    """Where the theorem says that the coordinates are independent: theirs."""

    def value(self, values: Values, digits: int = 50) -> Enclosure:
        """The divergence in this order at exact values of alpha, t, the starts and the parameters.

        Raises :class:`Undetermined` where the values are not shown to be allowed or the digits are not proved.
        """
        known = self.theorem.conclusion
        region = known.region if isinstance(known, Divergence) else pair_region(self.process)
        if region.contains(dict(values)) is not True:
            raise Undetermined("the values are not shown to lie in the region where the divergence is known")
        if self._coincide(values):
            return _COINCIDE
        if self.parts:
            return self._sum(values, digits)
        if isinstance(known, BesselKernel):
            index, start, other = known.index, *_at_starts(known, known.coordinate / sqrt(2 * _clock(known)))
            return bessel.renyi(
                lambda bits: bessel.BesselPair(*_balls(bits, values, index, ALPHA, start, other)), digits
            )
        if isinstance(known, ReflectedDriftKernel):
            shift, start, other = known.velocity * sqrt(TIME / 2), *_at_starts(known, known.coordinate / sqrt(2 * TIME))
            return drifted.renyi(
                lambda bits: drifted.DriftedPair(*_balls(bits, values, ALPHA, shift, start, other)), digits
            )
        if isinstance(known, ReflectedIntervalKernel):
            unit = pi / known.length
            time, start, other = unit**2 * TIME, *_at_starts(known, unit * known.coordinate)
            return interval.renyi(
                lambda bits: interval.IntervalPair(*_balls(bits, values, ALPHA, time, start, other)), digits
            )
        if isinstance(known, TwoValuedDriftKernel):
            shift, start, other = known.velocity * sqrt(TIME / 2), *_at_starts(known, known.coordinate / sqrt(2 * TIME))
            return two_valued.renyi(
                lambda bits: two_valued.TwoValuedPair(*_balls(bits, values, ALPHA, shift, start, other)), digits
            )
        if isinstance(known, TanhDriftKernel):
            time, start, other = known.rate**2 * TIME, *_at_starts(known, known.rate * known.coordinate)
            power = int(known.power)
            return tanh_drift.renyi(
                lambda bits: tanh_drift.TanhPair(power, *_balls(bits, values, ALPHA, time, start, other)), digits
            )
        if isinstance(known, CircleKernel):
            time, angle = rate(known) * TIME, 2 * half_angle(known)
            return circle.renyi(lambda bits: circle.CirclePair(*_balls(bits, values, ALPHA, time, angle)), digits)
        assert isinstance(known, Divergence)
        return enclose(known.value, {s: v for s, v in values.items() if s in known.value.free_symbols}, digits)

    def _sum(self, values: Values, digits: int) -> Enclosure:
        """The divergences of the coordinates added up."""
        total, x, xp = Enclosure(0, 0), symbol("x"), symbol("xp")
        for part, first, second in zip(self.parts, *starts(self.process), strict=True):
            own = {s: v for s, v in values.items() if s in (ALPHA, TIME, *part.process.params.symbols)}
            value = part.value({**own, x: values[first], xp: values[second]}, digits + 2)  # type: ignore[index]
            with working_precision(bits_for(digits) + 64):
                total = from_arb(total.to_arb() + value.to_arb())
        return total

    def _coincide(self, values: Values) -> bool:
        """Whether the starts are one point: on a circle they may be whole turns apart."""
        rounds = {s: length.xreplace(dict(values)) for s, length in self.process.periods}
        for s, x, xp in zip(self.process.state, *starts(self.process), strict=True):
            gap = values[x] - values[xp]  # type: ignore[index]
            if not is_zero(sin((pi * gap / rounds[s]).expand()) if s in rounds else gap):
                return False
        return True


def find_truth(process: Diffusion, assuming: Assuming = ()) -> Truth:
    """Where the divergence of a process is known exactly; best with numbers for the parameters.

    Raises :class:`Refused`, with what was looked at, where it is not.
    """
    routes: tuple[Callable[[Diffusion, Assuming], Theorem | Truth], ...]
    if process.dimension > 1:
        routes = (_in_coordinates,) if process.periods else (_exact, _in_coordinates)
    else:
        routes = (_on_a_circle,) if process.periods else (_exact, kernel_with_end, kernel_on_the_line)
    failed: list[Refused] = []
    for route in routes:
        try:
            found = route(process, assuming)
            return found if isinstance(found, Truth) else Truth(process, found)
        except Refused as refusal:
            failed.append(refusal)
    hypotheses = dict.fromkeys(item for refusal in failed for item in refusal.hypotheses)
    reasons = "; ".join(dict.fromkeys(map(str, failed)))
    raise Refused(f"the divergence itself is not known, only bounds can be derived: {reasons}", tuple(hypotheses))


def _exact(process: Diffusion, assuming: Assuming) -> Theorem:
    """An exact theorem about two starts."""
    line = process.dimension == 1 and process.homogeneous
    found = (derive_on_the_line if line else derive)(process, assuming).divergence
    if found.tightness != "exact":
        raise Refused("no theorem gives the divergence exactly", found.hypotheses)
    return found


def _on_a_circle(process: Diffusion, assuming: Assuming) -> Theorem:
    """The kernel of Brownian motion on a circle."""
    return circle_kernel(process, apply("unrolled", assuming=assuming, process=process), assuming)


def _in_coordinates(process: Diffusion, assuming: Assuming) -> Truth:
    """Independent coordinates, each of which has a truth of its own."""
    theorem = apply("independent-coordinates", assuming=assuming, process=process)
    parts = [process.coordinate(i) for i in range(process.dimension)]
    return Truth(process, theorem, tuple(find_truth(part, about(part, assuming)) for part in parts))


def _clock(known: BesselKernel) -> Expr:
    """``s = (e^{2 theta t} - 1)/(2 theta)``, t for theta = 0: the time of the Bessel process."""
    rate = known.rate
    return TIME if rate == 0 else (exp(2 * rate * TIME) - 1) / (2 * rate)


def _at_starts(known: Judgment, f: Expr) -> tuple[Expr, Expr]:
    process = getattr(known, "process", None)
    assert isinstance(process, Diffusion)
    (state,) = process.state
    (x,), (xp,) = starts(process)
    return f.subs(state, x), f.subs(state, xp)


def _balls(bits: int, values: Values, *exprs: Expr) -> list[arb]:
    """The expressions at the values, as balls of about so many bits."""
    digits = int(bits * _DIGITS_PER_BIT) + _SPARE_DIGITS
    return [enclose(e, {s: v for s, v in values.items() if s in e.free_symbols}, digits).to_arb() for e in exprs]
