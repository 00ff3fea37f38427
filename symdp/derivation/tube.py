"""What the divergence of a Langevin diffusion is at least, whatever its kernel: one tube around one path.

``dX = b dt + sigma dW`` in R^d with ``b = -sigma^2 grad s``, ``a = sigma^2``, ``V = |b|^2/(2a) + div(b)/2 >= -m``.
For every law nu,

    (alpha-1) R_alpha(P||Q) >= (alpha-1) KL(nu||Q) - alpha KL(nu||P)                (Jensen)

and nu is taken to be the end of a Brownian motion that goes at constant speed from x to z = alpha x + (1-alpha) x',
kept within r of that path in each coordinate. By Girsanov and Feynman-Kac both sides are known up to V and s:

    R_alpha >= alpha |x-x'|^2/(2at) - m t + (s(x)-s(x')) + (s(x) - s(z) - h r^2/2 + alpha log p - alpha t W)/(alpha-1),

where W is the mean over the times of the largest V in the tube, h the sum of the largest ``|d_i d_j s|`` at its end,
and ``p >= (1 - 2 erfc(r/sqrt(2at)))^d`` the chance to stay in it. All are balls at exact values. As t falls to 0 the
first term takes all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq
from mpmath import isfinite, mpf
from sympy import Abs, Add, Expr, Max, Min, Rational, Symbol, diff, exp, sign

from symdp.ball import from_arb, working_precision
from symdp.decide import is_zero
from symdp.diffusion.process import Diffusion
from symdp.enclosure import compile_ball
from symdp.errors import Refused, SymdpError, Undetermined
from symdp.extremum import supremum
from symdp.region import Region
from symdp.rules.conditions import ALPHA, TIME, starts
from symdp.text import extrema

Box = Sequence[arb]
_BITS, _PIECES, _WIDTH, _BOXES = 96, 48, 2, 500
_KINKED = (Abs, Max, Min, sign, extrema.Max, extrema.Min)


@dataclass(frozen=True)
class Tube:
    """A Langevin diffusion without parameters, made ready: ``noise`` is a, ``ceiling`` is at least m."""

    process: Diffusion
    noise: arb
    ceiling: arb
    drift: tuple[Callable[[Box], arb], ...]
    slopes: tuple[tuple[Callable[[Box], arb], ...], ...]
    potential: Callable[[Box], arb]

    def least(self, values: Mapping[Symbol, Expr]) -> Any:
        """A number (mpf) that the divergence is not below, at exact alpha > 1, t > 0 and starts.

        Raises :class:`Undetermined` where a ball is not finite.
        """
        with working_precision(_BITS):
            alpha, t = _ball(values[ALPHA]), _ball(values[TIME])
            x, xp = ([_ball(values[s]) for s in start] for start in starts(self.process))  # type: ignore[index]
            found = self._least(alpha, t, x, xp)
            if not found.is_finite():
                raise Undetermined("the drift has no finite bound in the tube")
            return from_arb(found).lower

    def _least(self, alpha: arb, t: arb, x: list[arb], xp: list[arb]) -> arb:
        spread = (self.noise * t).sqrt()
        r = (_WIDTH * spread).upper()
        end = [a + (alpha - 1) * (a - b) for a, b in zip(x, xp, strict=True)]
        stays = (1 - 2 * (r / (spread * arb(2).sqrt())).erfc()) ** len(x)
        bend = sum((abs(slope([c + _around(r) for c in end])) for row in self.slopes for slope in row), arb(0))
        cost = alpha * stays.log() - alpha * t * self._highest(x, end, r) - bend / self.noise * r**2 / 2
        far = sum(((a - b) ** 2 for a, b in zip(x, xp, strict=True)), arb(0))
        gain = alpha * far / (2 * self.noise * t) + self._fall(xp, x)
        return (gain + (cost + self._fall(end, x)) / (alpha - 1) - self.ceiling * t).lower()

    def _fall(self, start: list[arb], end: list[arb]) -> arb:
        """``s(end) - s(start)``, the integral of ``-b/a`` along the segment."""
        total = arb(0)
        for place in _pieces(start, end):
            boxed = [f(place) for f in self.drift]
            total += sum(((b - a) * f for a, b, f in zip(start, end, boxed, strict=True)), arb(0))
        return -total / (_PIECES * self.noise)

    def _highest(self, start: list[arb], end: list[arb], r: arb) -> arb:
        """The mean over the times of the largest V in the tube."""
        tops = (self.potential([c + _around(r) for c in place]).upper() for place in _pieces(start, end))
        return sum(tops, arb(0)) / _PIECES


def tube(process: Diffusion) -> Tube:
    """Make a diffusion ready; Refused unless it is of the form above, smooth and without parameters."""
    state = process.state
    if process.params.symbols or not process.homogeneous or not process.whole_space:
        raise Refused("a tube is laid in R^d, for coefficients that are numbers and do not depend on the time")
    noise = process.noise
    a = noise[0, 0]
    region = process.region
    off = [noise[i, j] - (a if i == j else 0) for i in range(len(state)) for j in range(i + 1)]
    slopes = [[diff(b, s) for s in state] for b in process.drift]
    curl = [slopes[i][j] - slopes[j][i] for i in range(len(state)) for j in range(i)]
    if a.free_symbols or any(is_zero(e, region) is not True for e in off + curl):
        raise Refused("the noise is not the same in all directions, or the drift is no gradient")
    if any(b.has(*_KINKED) for b in process.drift):
        raise Refused("the drift has kinks")
    potential = sum(b**2 for b in process.drift) / (2 * a) + sum(slopes[i][i] for i in range(len(state))) / 2
    ceiling = _ceiling((-potential, -sum(slopes[i][i] for i in range(len(state))) / 2), process)  # |b|^2 >= 0
    try:
        with working_precision(_BITS):
            return Tube(
                process,
                compile_ball(a, ())(()),
                arb(ceiling),
                tuple(compile_ball(b, state) for b in process.drift),
                tuple(tuple(compile_ball(e, state) for e in row) for row in slopes),
                compile_ball(potential, state),
            )
    except SymdpError as error:
        raise Refused(f"the drift cannot be enclosed: {error}") from None


def _ceiling(candidates: Sequence[Expr], process: Diffusion) -> mpf:
    """The first of these suprema that is seen to be finite, of the whole or term by term."""
    everywhere = Region.make({s: process.domain.interval(s) for s in process.state})
    for candidate in candidates:
        for parts in ([candidate], [_ridge(term, process.state) for term in Add.make_args(candidate)]):
            with suppress(SymdpError):
                ends = [supremum(part, everywhere, digits=2, max_boxes=_BOXES).upper for part in parts]
                if all(map(isfinite, ends)):
                    return from_arb(sum(map(arb, ends), arb(0))).upper
    raise Refused("no lower bound of the potential is seen")


def _ridge(term: Expr, state: Sequence[Symbol]) -> Expr:
    """A function of one linear form of the coordinates, written in the first of them: it takes the same values."""
    forms = {e.args[0] for e in term.atoms(exp) if e.args[0].free_symbols}
    if len(forms) != 1:
        return term
    (form,) = forms
    linear = not any(diff(form, s, t) for s in state for t in state)
    ridge = term.xreplace({exp(form): exp(state[0])})
    return ridge if linear and ridge.free_symbols <= {state[0]} else term


def _pieces(start: list[arb], end: list[arb]) -> list[list[arb]]:
    """The segment in pieces, each a box."""
    shares = [(arb(2 * k + 1) / (2 * _PIECES)) + _around(arb(fmpq(1, 2 * _PIECES)).upper()) for k in range(_PIECES)]
    return [[a + share * (b - a) for a, b in zip(start, end, strict=True)] for share in shares]


def _around(radius: arb) -> arb:
    """The ball around 0."""
    return arb(0, radius)


def _ball(value: Expr) -> arb:
    exact = Rational(value)
    return arb(fmpq(int(exact.p), int(exact.q)))
