"""The generator, the carre du champ and the diffusion property, as polynomial identities between jets.

L and Gamma at a point are linear in the drift and in ``v v^T`` there and contain no derivative of either: an identity
proved for symbols ``u1, u2, v11, ...`` in their place holds at every point of every diffusion of that dimension, and,
since each term ``d_i d_j`` speaks of two coordinates only, two dimensions stand for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sympy import Add, Expr, Integer, oo

from symdp.citations import Citation
from symdp.diffusion.calculus import Jets
from symdp.diffusion.operators import Copies
from symdp.evidence import Condition
from symdp.judgments import CarreDuChamp, DiffusionProperty, Generator
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import holds, homogeneous, vanishes
from symdp.text import symbol

Params = Mapping[str, Any]
PHI1, PHI2, IMAGE, GAMMA = (symbol(name) for name in ("phi1", "phi2", "Lf", "Gamma"))
SMOOTHNESS = symbol("smoothness")


def coordinate(process: Any) -> Any:
    """The process itself, or of copies the one-dimensional process in each coordinate."""
    return process.process if isinstance(process, Copies) else process


def apply_generator(process: Any, first: Sequence[Expr], second: Sequence[Sequence[Expr]]) -> Expr:
    """``<u, first> + (1/2) v v^T : second``: L of the function with this gradient and this Hessian."""
    process = coordinate(process)
    n, noise = process.dimension, process.noise
    drift = [u * p for u, p in zip(process.drift, first, strict=True)]
    return Add(*drift, *[noise[i, j] * second[i][j] / 2 for i in range(n) for j in range(n)])


def _of(process: Any, jets: Jets) -> Expr:
    n = coordinate(process).dimension
    return apply_generator(
        process, [jets[(i,)] for i in range(n)], [[jets[(i, j)] for j in range(n)] for i in range(n)]
    )


def _jets(process: Any, function: str) -> Jets:
    one = coordinate(process)
    return Jets(one.state, 2, function, one.params.symbols)


def _region(process: Any, *jets: Jets) -> Region:
    names = [name for family in jets for name in family.names.values()]
    region: Region = coordinate(process).interior.extend(dict.fromkeys(names, Interval.real()))
    return region


def _defined(process: Any, *names: Any) -> Iterator[Condition]:
    """The coefficients are defined inside the domain, and none of their symbols is one of ours."""
    process = coordinate(process)
    yield from homogeneous(*process.drift, *process.noise)
    taken = {str(s) for s in process.interior.symbols}.intersection(map(str, names))
    yield Condition("names", "the coefficients do not use the names of the jets", "fact", (not taken,))
    for relation in process.conditions:
        yield holds(f"defined: {relation}", relation, process.interior)


def _generator_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = params["process"]
    yield from _defined(process, *_jets(process, "f").names.values())


def _generator(_: tuple[Any, ...], params: Params) -> Generator:
    """``L f = <u, grad f> + (1/2) <v v^T, Hess f>``."""
    process = params["process"]
    jets = _jets(process, "f")
    return Generator(process, _of(process, jets), _region(process, jets))


register(
    Rule(
        id="generator",
        title="The generator of a diffusion, by Ito's formula",
        citation=(
            Citation("balle2019", "section 5", "L f = <u, grad f> + (1/2) <v v^T, Hess f>"),
            Citation("karatzas1991", "section 5.4", "generator of an Ito diffusion"),
        ),
        premises=(),
        conditions=_generator_conditions,
        conclude=_generator,
        tightness="exact",
    )
)


def _product(f: Jets, g: Jets, n: int) -> tuple[list[Expr], list[list[Expr]]]:
    """Gradient and Hessian of ``f g``."""
    one, other = f[()], g[()]
    first = [f[(i,)] * other + one * g[(i,)] for i in range(n)]
    second = [
        [f[(i, j)] * other + f[(i,)] * g[(j,)] + f[(j,)] * g[(i,)] + one * g[(i, j)] for j in range(n)]
        for i in range(n)
    ]
    return first, second


def _gamma(process: Any, f: Jets, g: Jets) -> Expr:
    """``(1/2) <v^T grad f, v^T grad g>``."""
    process = coordinate(process)
    n = process.dimension
    return Add(*[process.noise[i, j] * f[(i,)] * g[(j,)] / 2 for i in range(n) for j in range(n)])


def _gamma_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = params["process"]
    f, g = _jets(process, "f"), _jets(process, "g")
    yield from _defined(process, *f.names.values(), *g.names.values())
    whole = apply_generator(process, *_product(f, g, coordinate(process).dimension))
    defect = (whole - f[()] * _of(process, g) - g[()] * _of(process, f)) / 2 - _gamma(process, f, g)
    yield vanishes("product rule", "(L(f g) - f L g - g L f)/2 is the bilinear form", [defect], _region(process, f, g))


def _carre_du_champ(_: tuple[Any, ...], params: Params) -> CarreDuChamp:
    """``Gamma(f, g) = (L(f g) - f L g - g L f)/2 = (1/2) <v^T grad f, v^T grad g>``."""
    process = params["process"]
    f, g = _jets(process, "f"), _jets(process, "g")
    return CarreDuChamp(process, _gamma(process, f, g), _region(process, f, g))


register(
    Rule(
        id="carre-du-champ",
        title="The carre du champ",
        citation=Citation("bakry2014", "section 1.4", "carre du champ operator"),
        premises=(),
        conditions=_gamma_conditions,
        conclude=_carre_du_champ,
        tightness="exact",
    )
)


def _property_conditions(_: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    process = params["process"]
    f = _jets(process, "f")
    yield from _defined(process, *f.names.values(), PHI1, PHI2, IMAGE, GAMMA, SMOOTHNESS)
    n = coordinate(process).dimension
    first = [PHI1 * f[(i,)] for i in range(n)]
    second = [[PHI2 * f[(i,)] * f[(j,)] + PHI1 * f[(i, j)] for j in range(n)] for i in range(n)]
    defect = apply_generator(process, first, second) - PHI1 * _of(process, f) - PHI2 * _gamma(process, f, f)
    region = _region(process, f).extend(dict.fromkeys((PHI1, PHI2), Interval.real()))
    yield vanishes("chain rule", "L phi(f) - phi'(f) L f - phi''(f) Gamma(f, f) is zero", [defect], region)


def _property(_: tuple[Any, ...], params: Params) -> DiffusionProperty:
    """``L phi(f) = phi'(f) L f + phi''(f) Gamma(f, f)`` for phi with two continuous derivatives."""
    # phi'' appears: one derivative is not enough
    names = dict.fromkeys((PHI1, PHI2, IMAGE, GAMMA), Interval.real())
    region = Region.make({SMOOTHNESS: Interval(Integer(2), oo, True, False), **names})
    return DiffusionProperty(params["process"], PHI1 * IMAGE + PHI2 * GAMMA, region)


register(
    Rule(
        id="diffusion-property",
        title="The diffusion property",
        citation=Citation("balle2019", "Assumption 1 (3)", "L phi(f) = phi'(f) L f + phi''(f) Gamma(f)"),
        premises=(),
        conditions=_property_conditions,
        conclude=_property,
        tightness="exact",
    )
)
