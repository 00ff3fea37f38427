"""Completeness of the intrinsic metric of an elliptic diffusion on an open box, by certificates that are checked.

Exhaustion: a function psi >= 1 whose sublevel sets are compact in the box and with ``Gamma(psi) <= C psi^2``. Then
``log psi`` is Lipschitz for the intrinsic distance, so bounded sets are relatively compact (Gordon 1973).

Closing up: in ``y = x/|x|^2`` the coefficients on R^d, d >= 2, extend smoothly and elliptically to ``y = 0``. Then R^d
is a compact manifold without one point, and that point is not hit by a smooth elliptic diffusion of dimension 2 or
more: starts in the chart do not see that it is missing.

Nor does a process explode whose coefficients grow slowly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sympy import Add, Expr, Integer, Matrix, Rational, Symbol, cos, fraction, oo, sin, together

from symdp.decide import Proved, decide, normal, sign
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.region import Interval, Region
from symdp.text import Relation, symbol, to_text

_GROWTHS = (1, 4, 16, 64)
_RATES = (16, 4096)


def open_box(process: Diffusion) -> bool:
    """Whether no end belongs to the domain: then nothing reflects."""
    sides = [process.domain.interval(s) for s in process.state]
    return not any(d.lower_closed or d.upper_closed for d in sides)


def exhaustions(process: Diffusion) -> Iterator[Expr]:
    """Functions with compact sublevel sets in the open box, at least 1: a growing term for each end."""
    for power in (1, 2):
        terms: list[Expr] = [Integer(1)]
        for s in process.state:
            d = process.domain.interval(s)
            if oo in (d.upper, -d.lower):
                terms.append(s**2)
            terms += [(s - d.lower) ** -power] if d.lower != -oo else []
            terms += [(d.upper - s) ** -power] if d.upper != oo else []
        yield Add(*terms)


def exhaustion(process: Diffusion, region: Region) -> dict[str, object] | None:
    """A certificate that the metric is complete by an exhaustion; ``region``: the open box and the parameters."""
    scale = process.noise.subs({s: _middle(process, s) for s in process.state}).trace()
    for psi in exhaustions(process):
        gamma = calculus.carre_du_champ(process, psi)
        for growth in _GROWTHS:
            relation = Relation(normal(growth * scale) * psi**2 - gamma, ">=")
            verdict = decide(relation, region)
            if isinstance(verdict, Proved):
                reason = f"log({to_text(psi)}) exhausts the domain with a bounded gradient"
                return {"engine": "exhaustion", "reason": reason, "check": verdict.certificate}
    return None


def slow_growth(process: Diffusion, region: Region) -> dict[str, object] | None:
    """A certificate that a smooth diffusion on the whole space does not explode: ``L V <= C V`` for ``V = 1 + |x|^2``.

    ``E V`` at the time when ``|x|`` first reaches n, or at t, is then at most ``e^{Ct} V(x)`` by Ito's formula, for
    every n (Khasminskii 2012, theorem 3.5). ``region``: the space and the parameters.
    """
    if not process.whole_space or not process.homogeneous:
        return None
    grown = Add(1, *[s**2 for s in process.state])
    rise = calculus.generator(process, grown)
    found = sorted(rise.atoms(sin, cos), key=str)
    waves = dict(zip(found, _fresh("wave", len(found), region.symbols), strict=True))
    box = region.extend(dict.fromkeys(waves.values(), Interval.closed(-1, 1)))  # all that is needed to know of them
    sizes = Add(1, *[p**2 for p in process.params.symbols]) ** 2
    for growth in _RATES:
        verdict = decide(Relation(growth * sizes * grown - normal(rise.xreplace(waves)), ">="), box)
        if isinstance(verdict, Proved):
            reason = f"L V <= {to_text(growth * sizes)} V for V = {to_text(grown)}"
            return {"engine": "growth", "reason": reason, "check": verdict.certificate}
    return None


def _fresh(stem: str, count: int, taken: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """So many symbols that are none of these: the stem, as often as need be, and a number."""
    names = {s.name for s in taken}
    prefix = stem
    while any(name.startswith(prefix) for name in names):
        prefix += stem
    return tuple(symbol(f"{prefix}{n + 1}") for n in range(count))


def _middle(process: Diffusion, s: Symbol) -> Expr:
    d = process.domain.interval(s)
    if d.lower != -oo and d.upper != oo:
        return (d.lower + d.upper) / 2
    return d.lower + 1 if d.lower != -oo else d.upper - 1 if d.upper != oo else Integer(0)


class Inversion:
    """The coordinates ``y = x/|x|^2`` of a process on R^d; ``there`` writes a function of the state in them."""

    def __init__(self, process: Diffusion, taken: Iterable[Symbol] = ()) -> None:
        others = (*process.state, *process.params.symbols, *taken)
        self.process, self.new = process, _fresh("y", process.dimension, others)
        self.norm = Add(*[y**2 for y in self.new])

    def there(self, e: Expr, state: Iterable[Symbol] | None = None) -> Expr:
        """``e`` in the new coordinates, ``state`` being its coordinates."""
        names = self.process.state if state is None else state
        return normal(normal(e).xreplace({s: y / self.norm for s, y in zip(names, self.new, strict=True)}))

    def coefficients(self) -> tuple[list[Expr], Matrix]:
        """Drift and noise ``v v^T`` in the new coordinates, by Ito's formula."""
        process, n = self.process, self.process.dimension
        square = Add(*[s**2 for s in process.state])
        images = [s / square for s in process.state]
        drift = [self.there(calculus.generator(process, f)) for f in images]
        noise = [[2 * calculus.carre_du_champ(process, f, g) for g in images] for f in images]
        return drift, Matrix(n, n, lambda i, j: self.there(noise[i][j]))

    def at_infinity(self, e: Expr, region: Region) -> Expr | None:
        """The value at y = 0 of a function of y that is proved to be smooth there; None for others."""
        origin = dict.fromkeys(self.new, Integer(0))
        above, below = fraction(together(e))
        if not (above.is_polynomial(*self.new) and below.is_polynomial(*self.new)):
            return None
        return normal(e.subs(origin)) if sign(below.subs(origin), region) in (-1, 1) else None


def closing_up(process: Diffusion, region: Region) -> dict[str, object] | None:
    """A certificate that R^d closes up smoothly at infinity; ``region``: the parameters."""
    if process.dimension < 2 or not process.whole_space:
        return None
    inversion, n = Inversion(process), process.dimension
    drift, noise = inversion.coefficients()
    values = [inversion.at_infinity(entry, region) for entry in (*noise, *drift)]
    if any(value is None for value in values):
        return None
    verdict = decide(Relation(Matrix(n, n, values[: n * n]).det(), ">"), region)
    if not isinstance(verdict, Proved):
        return None
    reason = "the space closes up smoothly at infinity, where one point is missing that is never hit"
    return {"engine": "inversion", "reason": reason, "check": verdict.certificate}


def closes_up_too(process: Diffusion, w: Expr, x: tuple[Symbol, ...], region: Region) -> bool:
    """Whether w, a function of a point x, is smooth and positive at infinity; ``region``: that of its other symbols."""
    inversion = Inversion(process, w.free_symbols)
    value = inversion.at_infinity(inversion.there(w, x), region)
    return value is not None and isinstance(decide(Relation(value, ">"), region), Proved)


def conformal_factor(process: Diffusion, region: Region) -> Expr | None:
    """g > 0 with ``v v^T = 2 g^2 I``, where ``v`` is a multiple of the identity; None elsewhere."""
    n, rows = process.dimension, process.diffusion
    if any(len(row) != n for row in rows):
        return None
    if any(rows[i][j] != 0 for i in range(n) for j in range(n) if i != j) or len({rows[i][i] for i in range(n)}) > 1:
        return None
    known = sign(rows[0][0], region)
    return None if known not in (-1, 1) else normal(known * rows[0][0] * Rational(1, 2) * Integer(2) ** Rational(1, 2))
