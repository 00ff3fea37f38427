"""Lower bounds of the curvature, as proposals: the largest first where that is known.

In one dimension the values at stationary points, at the middle and at the ends of the domain, and with numbers the
certified infimum; in several, with numbers, a little below the least eigenvalue that a search finds.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from sympy import (
    Dummy,
    Expr,
    Integer,
    Poly,
    PolynomialError,
    Rational,
    S,
    Symbol,
    cos,
    fraction,
    lambdify,
    nan,
    oo,
    roots,
    sin,
    zoo,
)

from symdp.decide import normal, sign
from symdp.diffusion import calculus
from symdp.diffusion.asymptotics import UNIT, Expander, Unclear
from symdp.diffusion.kernels import interior_point
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import SymdpError
from symdp.extremum import infimum
from symdp.region import Region

MOST_TRIES = 8
_SAMPLES, _ROUNDS, _BEST = 400, 60, 4
_WAVES = 3
_SLACKS = (0.0, 1e-3, 0.02, 0.2, 1.0)


def proposals(process: Diffusion) -> Iterator[Expr]:
    """Candidates k for ``Gamma_2 >= k Gamma``; none where the noise is degenerate."""
    curvature = calculus.curvature(process)
    if curvature is not None and not curvature.has(*process.state):
        yield curvature
    elif process.dimension == 1 and curvature is not None:
        yield from bounds_of(curvature, process.state[0], process.interior, process.params)
    elif not process.params.symbols:
        yield from _below(sampled(process))


def bounds_of(function: Expr, x: Symbol, inside: Region, params: Region) -> list[Expr]:
    """Candidates for the infimum of a function of x on a region, the largest first where they are numbers."""
    if not function.has(x):
        return [function]
    found = [*_stationary(function, x), *_limits(function, x, inside, params), *_crests(function, x)]
    if function.free_symbols == {x}:
        certified = _certified(function, inside)
        if certified is None:
            return []
        found = [*[value for value in found if _size(value) > -math.inf], *certified]
        found.sort(key=_size, reverse=True)
    return list(dict.fromkeys(found))[:MOST_TRIES]


def _size(value: Expr) -> float:
    try:
        return float(enclose(value, {}, 15).mid)
    except SymdpError:
        return -math.inf


def _finite(value: Expr) -> bool:
    return value.is_extended_real is not False and not value.has(oo, -oo, zoo, nan)


def _stationary(function: Expr, x: Symbol) -> list[Expr]:
    """Values of a function that is rational in x where its slope vanishes; of any other in the middle, at 0."""
    try:
        slope = Poly(fraction(normal(function.diff(x)))[0], x)
    except PolynomialError:
        value = function.subs(x, 0)
        return [value] if _finite(value) and not value.has(x) else []
    if not 0 < slope.degree() <= 4:
        return []
    if critical := _critical(function, x):
        return critical
    return [v for r in roots(slope) if r.is_extended_real is not False and _finite(v := normal(function.subs(x, r)))]


def _crests(function: Expr, x: Symbol) -> list[Expr]:
    """The values with 1 or -1 for each sine and cosine: a sum of waves is nowhere below the least of them."""
    waves = sorted((a for a in function.atoms(sin, cos) if a.has(x)), key=str)
    if not 0 < len(waves) <= _WAVES:
        return []
    values = (
        function.xreplace(dict(zip(waves, signs, strict=True))) for signs in product((S.One, -S.One), repeat=len(waves))
    )
    return [value for value in values if not value.has(x) and _finite(value)]


def _critical(function: Expr, x: Symbol) -> list[Expr]:
    """The critical values k of a quotient N/D of quadratic polynomials: N - k D has a double root."""
    k = Dummy("k", real=True)
    above, below = fraction(normal(function))
    try:
        level = Poly(above - k * below, x)
        values = roots(Poly(level.discriminant(), k)) if level.degree() == 2 else {}
    except PolynomialError:
        return []
    return [normal(v) for v in values if _finite(v)]


def _limits(function: Expr, x: Symbol, inside: Region, params: Region) -> list[Expr]:
    """The finite limits at the ends of the interval."""
    z, found = Dummy("z", real=True), []
    d = inside.interval(x)
    for end, side in ((d.lower, 1), (d.upper, -1)):
        move = end + side * z if end not in (oo, -oo) else -side / z
        expander = Expander(z, lambda e: sign(e, params))
        try:
            terms = expander.expand(normal(function.xreplace({x: move}))).terms
            if not terms or expander.compare(terms[0][1], UNIT) <= 0:
                found.append(Integer(0) if not terms or expander.compare(terms[0][1], UNIT) < 0 else terms[0][0])
        except Unclear:
            continue
    return found


def _certified(function: Expr, inside: Region) -> list[Expr] | None:
    """Rational numbers at or just below the certified infimum; None where there is no finite one."""
    try:
        low = infimum(function, inside, digits=9).lower
    except SymdpError:
        return []
    if math.isinf(low):
        return None
    end = float(low)
    return [Rational(math.floor(end * 10**6), 10**6), Rational(math.floor(end * 10**9) - 10, 10**9)]


# --- several dimensions ---------------------------------------------------------------------------------------------


def _below(least: float | None) -> Iterator[Expr]:
    if least is not None:
        for slack in _SLACKS:
            yield Rational(math.floor(1000 * (least + 1e-9 - slack * max(1.0, abs(least)))), 1000)


class Eigenvalues:
    """The least eigenvalue of ``G^{-1} S`` in floating point, with parameters at one value each: a guess."""

    def __init__(self, process: Diffusion) -> None:
        form = calculus.curvature_form(process)
        self.fixed = {s: _value(s, process.params) for s in process.params.symbols}
        self.function = None
        if form is not None:
            matrix = ((process.noise / 2).inv() * form).xreplace(self.fixed)
            self.function = lambdify(process.state, matrix, "numpy")

    def __call__(self, point: Sequence[float]) -> float:
        """The least eigenvalue at a point; infinity where there is none."""
        import numpy as np

        if self.function is None:
            return math.inf
        try:
            with np.errstate(all="ignore"):
                matrix: Any = np.array(self.function(*point), dtype=float)
                values = np.linalg.eigvals(matrix)
        except (ArithmeticError, TypeError, ValueError, np.linalg.LinAlgError):
            return math.inf
        return float(values.real.min()) if np.all(np.isfinite(values)) else math.inf


def _value(s: Symbol, params: Region) -> Expr:
    one = Integer(1)
    return one if params.interval(s).contains(one) else interior_point(params.interval(s))


def points(process: Diffusion) -> Iterator[list[float]]:
    """Random points inside the domain, near and far."""
    draw = random.Random(0)
    for attempt in range(_SAMPLES):
        scale, point = 10.0 ** (attempt % 4 - 2), []
        for s in process.state:
            d, step = process.domain.interval(s), draw.gauss(0, 1) * scale
            low, high = (float(e) if e not in (oo, -oo) else None for e in (d.lower, d.upper))
            share = 1 / (1 + math.exp(-max(-30.0, min(30.0, step))))
            inside = step if low is None else low + abs(step)
            if high is not None:
                inside = high - abs(step) if low is None else low + (high - low) * share
            point.append(inside)
        yield point


def sampled(process: Diffusion) -> float | None:
    """The least eigenvalue that random points and a search around the best of them find."""
    least = Eigenvalues(process)
    ranked = sorted(((least(p), p) for p in points(process)), key=lambda pair: pair[0])
    best = math.inf
    for value, point in ranked[:_BEST]:
        best = min(best, _descend(least, process, value, point))
    return None if math.isinf(best) else best


def _descend(least: Eigenvalues, process: Diffusion, value: float, point: list[float]) -> float:
    """A pattern search: steps along the axes, halved when none helps."""
    step = max(0.5, *(abs(c) / 2 for c in point))
    for _ in range(_ROUNDS):
        around = [
            [c + side * step * (i == j) for j, c in enumerate(point)] for i in range(len(point)) for side in (1, -1)
        ]
        inside = [p for p in around if all(_within(c, process, s) for c, s in zip(p, process.state, strict=True))]
        found = min(((least(p), p) for p in inside), key=lambda pair: pair[0], default=(math.inf, point))
        if found[0] < value:
            value, point = found
        else:
            step /= 2
    return value


def _within(c: float, process: Diffusion, s: Symbol) -> bool:
    d = process.domain.interval(s)
    return bool((d.lower == -oo or c > float(d.lower)) and (d.upper == oo or c < float(d.upper)))
