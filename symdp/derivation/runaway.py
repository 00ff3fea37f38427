"""Where a curvature runs away: points at which it is proved to be very negative, to be named by a refusal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Integer, Matrix, Rational, Symbol, oo

from symdp.ball import working_precision
from symdp.derivation.curvature_bounds import Eigenvalues, points
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.enclosure import ball, enclose
from symdp.errors import SymdpError
from symdp.text import to_text

Point = Mapping[Symbol, Expr]
_RADII = (10, 100, 1000)
_NEAR = (10, 100, 1000)
_BITS = 128
_FALL = -20.0
"""A value above this is not called running away."""


def runaway(process: Diffusion) -> str | None:
    """One line with points where the curvature is very negative, each value proved; None where none is found."""
    least = Eigenvalues(process)
    form = calculus.curvature_form(process)
    if form is None:
        return None
    found: list[tuple[float, Point]] = []
    for ray in _rays(process, least):
        values = [(_proved(process, form, least, point), point) for point in ray]
        known = [(value, point) for value, point in values if value is not None]
        if len(known) > 1 and known[-1][0] < min(_FALL, 2 * known[0][0]) and (not found or known[-1][0] < found[-1][0]):
            found = known
    if not found:
        return None
    fixed = ", ".join(f"{s.name} = {to_text(v)}" for s, v in least.fixed.items())
    first, last = found[0], found[-1]
    shown = (first, last) if first[0] < 0 else (last,)
    where = " and ".join(f"at most {_short(value)} at {_written(point)}" for value, point in shown)
    return f"the curvature has no lower bound that was found, it runs away: it is {where}" + (
        f" (with {fixed})" if fixed else ""
    )


def _short(value: float) -> str:
    """Four digits, rounded up: the curvature is at most this."""
    scale = 10.0 ** (math.floor(math.log10(abs(value))) - 3)
    return f"{math.ceil(value / scale) * scale:.4g}"


def _written(point: Point) -> str:
    return ", ".join(f"{s.name} = {to_text(v)}" for s, v in point.items())


def _rays(process: Diffusion, least: Eigenvalues) -> Iterator[list[Point]]:
    """Points that leave the domain: in one dimension towards both ends, in several along the worst directions."""
    if process.dimension == 1:
        (x,) = process.state
        d = process.domain.interval(x)
        start = Integer(0) if d.contains(Integer(0)) is True else d.lower if d.lower != -oo else d.upper
        for end, side in ((d.lower, -1), (d.upper, 1)):
            steps = [start + side * r if end in (oo, -oo) else end - side * Rational(1, n) for r, n in _steps()]
            yield [{x: step} for step in steps if d.contains(step) is True]
            if end in (oo, -oo):  # the worst of many points, where it swings
                many = [start + side * Rational(n, 4) for n in range(1, 400)]
                yield [{x: many[0]}, {x: min(many, key=lambda c: least([float(c)]))}]
        return
    for point in sorted(points(process), key=least)[:2]:  # one coordinate alone, from where it is worst
        here = {s: Rational(round(c * 64), 64) for s, c in zip(process.state, point, strict=True)}
        for s in (s for s in process.state if here[s] != 0):
            ray = [here | {s: here[s] * r} for r in _RADII]
            yield [p for p in ray if process.domain.contains(p) is True]
    outer = [p for p in points(process) if max(map(abs, p)) > 1]
    for point in sorted(outer, key=lambda p: least([10 * c for c in p]) if process.whole_space else least(p))[:4]:
        norm = max(map(abs, point))
        if process.whole_space:
            direction = [Rational(round(12 * c / norm), 12) for c in point]
            yield [{s: r * c for s, c in zip(process.state, direction, strict=True)} for r in _RADII]
        else:
            here = {s: Rational(round(c * 64), 64) for s, c in zip(process.state, point, strict=True)}
            if process.domain.contains(here) is True:
                yield [here, here]


def _steps() -> Iterator[tuple[int, int]]:
    yield from zip(_RADII, _NEAR, strict=True)


def _floats(matrix: Matrix) -> Any:
    """The numbers of a matrix, one pass in balls: sympy's evaluation of a tower of exponentials does not end."""
    import numpy as np

    with working_precision(_BITS):
        return np.array([[float(ball(entry, {}).mid()) for entry in row] for row in matrix.tolist()])


def _proved(process: Diffusion, form: Matrix, least: Eigenvalues, point: Point) -> float | None:
    """The Rayleigh quotient of ``S`` and ``G`` at an exact vector near the worst one: the curvature is at most that."""
    import numpy as np

    values = {**point, **least.fixed}
    g = (process.noise / 2).xreplace(values)
    s = form.xreplace(values)
    try:
        eigen, vectors = np.linalg.eig(np.linalg.solve(_floats(g), _floats(s)))
        worst = vectors.real[:, int(np.argmin(eigen.real))]
        p = Matrix([Rational(round(float(c) * 1000), 1000) for c in worst / np.abs(worst).max()])
        quotient = (p.T * s * p)[0, 0] / (p.T * g * p)[0, 0]
        return float(enclose(quotient, {}, 12).upper)
    except (SymdpError, ArithmeticError, TypeError, ValueError, np.linalg.LinAlgError):
        return None
