"""Noise added to the value of a map, once or step by step: mechanisms, kernels, iterations, noisy gradient descent.

A step maps x to ``psi(x) + Z``, or to the projection of that on a convex set; psi is Lipschitz in the norm that goes
with the law of Z: "gaussian", ``N(0, scale^2 I)``, with the Euclidean norm "l2"; "laplace", independent coordinates
of density ``exp(-|z|/scale)/(2 scale)``, with the sum of absolute values "l1" (there a projection is one on the line).
Numbers of steps are whole; where they are symbols, a statement speaks about the whole numbers of its region.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr, Integer, S

from symdp import codec
from symdp.errors import InputError
from symdp.judgments.base import OrderFree, name_of, where
from symdp.judgments.privacy import NEIGHBOURS
from symdp.region import Region
from symdp.text import to_text

NORMS = {"gaussian": "l2", "laplace": "l1"}
STARTS = "starts at Euclidean distance at most Delta"
STARTS_L1 = "starts at l1 distance at most Delta"


def _check_law(law: str) -> None:
    if law not in NORMS:
        raise InputError(f"the law of the noise is one of {', '.join(NORMS)}, not {law}", place="noise")


@codec.register
@dataclass(frozen=True)
class NoiseMechanism(OrderFree):
    """The mechanism releases ``f(D) + Z``, and ``|f(D) - f(D')| <= sensitivity`` for two neighbours."""

    subject: object
    law: str
    scale: Expr
    sensitivity: Expr
    norm: str
    region: Region
    relation: str = NEIGHBOURS

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_law(self.law)

    def _line(self) -> str:
        noise = f"{self.law} noise of scale {to_text(self.scale)}"
        query = f"a query of {self.norm} sensitivity {to_text(self.sensitivity)}"
        return f"{name_of(self.subject)} adds {noise} to {query}, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class NoiseKernel(OrderFree):
    """The kernel maps x to ``psi(x) + Z``, psi with this Lipschitz constant in this norm."""

    kernel: object
    law: str
    scale: Expr
    lipschitz: Expr
    norm: str
    region: Region

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_law(self.law)

    def _line(self) -> str:
        noise = f"{self.law} noise of scale {to_text(self.scale)}"
        image = f"a map of {self.norm} Lipschitz constant {to_text(self.lipschitz)}"
        return f"{name_of(self.kernel)} adds {noise} to {image}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class NoisyIteration(OrderFree):
    """Step i has the Lipschitz constant ``lipschitz[i]`` and noise of scale ``sigma[i]``, the same for both starts.

    Two neighbours give starts at distance at most ``sensitivity`` in the norm of the law. Raises ``InputError`` if
    there is no step, the two tuples differ in length, or the relation speaks of another norm.
    """

    subject: object
    lipschitz: tuple[Expr, ...]
    sigma: tuple[Expr, ...]
    sensitivity: Expr
    region: Region
    law: str = "gaussian"
    relation: str = STARTS

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_law(self.law)
        if not self.lipschitz or len(self.lipschitz) != len(self.sigma):
            raise InputError("each step needs one Lipschitz constant and one noise", place="iteration")
        if self.relation == (STARTS if self.law == "laplace" else STARTS_L1):
            raise InputError(f"{self.law} noise goes with starts in {NORMS[self.law]}", place="iteration")

    def _line(self) -> str:
        lips, noise = (", ".join(map(to_text, entries)) for entries in (self.lipschitz, self.sigma))
        steps = f"steps of Lipschitz constants {lips} with {self.law} noise of scales {noise}"
        start = f"from starts at distance at most {to_text(self.sensitivity)}"
        return f"{name_of(self.subject)} runs {steps} {start}, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class UniformIteration(OrderFree):
    """``steps`` steps with Gaussian noise, each of the same Lipschitz constant and scale; starts as above."""

    subject: object
    lipschitz: Expr
    sigma: Expr
    steps: Expr
    sensitivity: Expr
    region: Region
    relation: str = STARTS

    def _line(self) -> str:
        noise = f"gaussian noise of scale {to_text(self.sigma)}"
        steps = f"{to_text(self.steps)} steps of Lipschitz constant {to_text(self.lipschitz)} with {noise}"
        start = f"from starts at distance at most {to_text(self.sensitivity)}"
        return f"{name_of(self.subject)} runs {steps} {start}, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class BoundedIteration(OrderFree):
    """Two neighbours run different maps: at every step and point they are at most ``shift`` apart.

    Every map has the Lipschitz constant ``lipschitz``, the noise is Gaussian of scale ``sigma``. The starts are at
    distance at most ``sensitivity`` (0: the same start), and all iterates stay in a set of diameter ``diameter``; oo
    says that no such set is known.
    """

    subject: object
    lipschitz: Expr
    sigma: Expr
    steps: Expr
    sensitivity: Expr
    diameter: Expr
    shift: Expr
    region: Region
    relation: str = NEIGHBOURS

    def _line(self) -> str:
        noise = f"gaussian noise of scale {to_text(self.sigma)}"
        steps = f"{to_text(self.steps)} steps of Lipschitz constant {to_text(self.lipschitz)} with {noise}"
        start = f"from starts at distance at most {to_text(self.sensitivity)}"
        bounded = "" if self.diameter is S.Infinity else f" in a set of diameter {to_text(self.diameter)}"
        apart = f"maps at most {to_text(self.shift)} apart"
        return f"{name_of(self.subject)} runs {steps} {start}{bounded}, {apart}, {self.relation}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class NoisySGD(OrderFree):
    """``x_i = Proj(x_{i-1} - step_size (grad l(x_{i-1}, z_i) + Z_i))``, ``Z_i ~ N(0, sigma^2 I)``, i = 1, ..., n.

    Proj is on a convex set; on it, for every z, the loss ``l(., z)`` is Lipschitz, its gradient has the Lipschitz
    constant ``smoothness``, and the loss less ``strong_convexity |x|^2/2`` is convex. x_n is released; neighbours
    differ in the element z_i at ``index`` i alone.
    """

    subject: object
    lipschitz_constant: Expr
    smoothness: Expr
    strong_convexity: Expr
    step_size: Expr
    sigma: Expr
    n: Expr
    index: Expr
    region: Region

    @property
    def relation(self) -> str:
        """Who the neighbours are."""
        return f"data sets that differ in the element {to_text(self.index)} of {to_text(self.n)}"

    def _line(self) -> str:
        loss = (
            f"{to_text(self.lipschitz_constant)}-Lipschitz, {to_text(self.smoothness)}-smooth, "
            f"{to_text(self.strong_convexity)}-strongly convex losses"
        )
        steps = f"{to_text(self.n)} steps of size {to_text(self.step_size)}, noise {to_text(self.sigma)}"
        line = f"{name_of(self.subject)} is noisy gradient descent on {loss}, {steps}"
        return f"{line}, {self.relation}{where(self.region)}"


def pairs(fact: NoiseMechanism | NoisyIteration | UniformIteration | BoundedIteration) -> dict[str, Any]:
    """The neighbours as fields of a guarantee: at distance ``sensitivity`` where the relation speaks of the starts.

    Elsewhere the sensitivity says how far apart the two runs are for neighbours that are defined without it.
    """
    from_starts = fact.relation in (STARTS, STARTS_L1)
    return {"sensitivity": fact.sensitivity if from_starts else Integer(1), "relation": fact.relation}
