"""Distances in a chart, as proposals: a gauge where noise is a multiple of the identity, else the energy of a path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Add, Expr, Integer, Matrix, Mul, Poly, Rational, Symbol, exp, log, oo, powsimp, sqrt

from symdp.decide import normal, sign
from symdp.derivation.record import Assuming, region_of
from symdp.diffusion.completeness import conformal_factor
from symdp.diffusion.kernels import absolute
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.rules.conditions import starts
from symdp.text import symbol
from symdp.theorem import Theorem, apply

_LONGEST = 400
"""The most operations of a term of the squared speed whose antiderivative is looked for."""


def divergence_in_a_chart(process: Diffusion, bound: Expr, assuming: Assuming) -> Theorem:
    """The bound of the divergence with the best distance that is found. Raises :class:`Refused` where none is."""
    first: Refused | None = None
    for rule, params in _distances(process, assuming):
        try:
            return apply(rule, assuming=assuming, process=process, bound=bound, **params)
        except Refused as error:
            first = first or error
    raise first or Refused("no closed form of a distance in the chart was found: neither a gauge nor a path")


def _distances(process: Diffusion, assuming: Assuming) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if (found := propose_gauge(process, assuming)) is not None:
        yield "harnack-gauge", found
    if (path := propose_path(process)) is not None:
        yield "harnack-path", path


def propose_gauge(process: Diffusion, assuming: Assuming) -> Mapping[str, Any] | None:
    """Where ``v v^T = 2 g^2 I``: the multiple w of ``|x - x'|^2/(2 g(x) g(x'))`` with ``Gamma(w)`` of a known shape.

    ``Gamma(w) = a w + b w^2`` is read off at two points.
    """
    factor = conformal_factor(process, region_of(process, assuming, interior=True))
    if factor is None:
        return None
    x, xp = starts(process)
    here = dict(zip(process.state, x, strict=True))
    there = dict(zip(process.state, xp, strict=True))
    base = 1 / (2 * factor.xreplace(here) * factor.xreplace(there))
    w = base * Add(*[(a - b) ** 2 for a, b in zip(x, xp, strict=True)])
    slope = Matrix([w.diff(a) for a in x])
    gamma = (slope.T * process.noise.xreplace(here) * slope)[0, 0] / 2
    rows = []
    for n in (1, 2):
        point = dict(zip(xp, _point(process, 0), strict=True)) | dict(zip(x, _point(process, n), strict=True))
        value = normal(w.xreplace(point))
        rows.append((value, normal(gamma.xreplace(point) / value)))
    (w1, r1), (w2, r2) = rows
    b = normal((r1 - r2) / (w1 - w2))
    a = normal(r1 - b * w1)
    params = region_of(process, assuming)
    known = sign(b, params)
    if known is None:
        return None
    if known == 0:
        return {"factor": normal(4 / a * base), "shape": "flat", "rate": Integer(1)}
    shape = "hyperbolic" if known > 0 else "spherical"
    return {
        "factor": normal(2 * known * b / a * base),
        "shape": shape,
        "rate": absolute(normal(sqrt(known * b)), lambda e: sign(e, params)),
    }


def _point(process: Diffusion, n: int) -> list[Expr]:
    """The n-th of a few points inside the domain, no two of which agree in a coordinate."""
    values = []
    for i, s in enumerate(process.state):
        d, share = process.domain.interval(s), Rational(n + 1, n + i + 3)
        if d.lower != -oo and d.upper != oo:
            values.append(d.lower + (d.upper - d.lower) * share)
        else:
            values.append(
                d.lower + 2 * share if d.lower != -oo else d.upper - 2 * share if d.upper != oo else 3 * share
            )
    return values


def propose_path(process: Diffusion) -> Mapping[str, Any] | None:
    """A path that is straight in each coordinate, or in its logarithm where the noise is a multiple of it."""
    x, xp = starts(process)
    used = {s.name for s in (*x, *xp, *process.params.symbols, *process.state)}
    s = symbol(next(name for name in ("s", "r", "path", "along", "path_parameter") if name not in used))
    path = []
    for i, (state, a, b) in enumerate(zip(process.state, x, xp, strict=True)):
        geometric = process.domain.interval(state).lower == 0 and not normal(process.noise[i, i] / state**2).has(state)
        path.append(b * exp(s * log(a / b)) if geometric else b + s * (a - b))
    energy = [_antiderivative(term, s) for term in _terms(process, path, s)]
    return None if None in energy else {"path": tuple(path), "energy": Add(*energy), "parameter": s}


def _terms(process: Diffusion, path: list[Expr], s: Symbol) -> Iterator[Expr]:
    """The squared speed, a term for each entry of the metric, with their factors as they are."""
    metric = (process.noise / 2).inv().applyfunc(normal)
    along = dict(zip(process.state, path, strict=True))
    for i, j in ((i, j) for i in range(len(path)) for j in range(len(path))):
        if (product := path[i].diff(s) * path[j].diff(s) * metric[i, j].xreplace(along)) != 0:
            yield powsimp(product) if product.has(exp) else product


def _antiderivative(term: Expr, s: Symbol) -> Expr | None:
    """Of a polynomial, or of a constant over a square of a linear function: ``int_0^s dr/(p + q r)^2`` has no pole
    where q = 0.
    """
    varying = [f for f in Mul.make_args(term) if f.has(s)]
    if len(varying) == 1 and varying[0].is_Pow and varying[0].exp == -2 and not varying[0].base.diff(s).has(s):
        base = varying[0].base
        return term / varying[0] * s / (base.subs(s, 0) * base)
    if term.count_ops() > _LONGEST or not term.is_polynomial(s):
        return None
    coefficients = Poly(term, s).all_coeffs()
    return Add(*[c * s ** (n + 1) / (n + 1) for n, c in enumerate(reversed(coefficients))])
