"""The closed vocabulary: everything a theorem of this project can say.

A judgment is a frozen record of values (see ``codec``). To add one, declare it here; nothing outside this package can.
Symbols shared by all: ``alpha`` the Rényi order, ``t`` the time, ``x`` and ``xp`` the two starts (``x1, x2, ...,
xp1, ...`` in R^d), ``Delta`` the sensitivity. ``R_alpha(P||Q) = log E_Q[(dP/dQ)^alpha] / (alpha - 1)``, and ``P_t(x)``
is the law at time t of the process started at x. A region says where, for which values of its symbols, it holds.
"""

from symdp.judgments.base import Judgment, Matrix
from symdp.judgments.calculus import CarreDuChamp, DiffusionProperty, Generator
from symdp.judgments.circle import CircleKernel, Unrolled
from symdp.judgments.diffusion import (
    BrownianDoobKernel,
    Conservative,
    ControllableKernel,
    Divergence,
    Elliptic,
    GaussianKernel,
    HeatFlow,
    IndependentCoordinates,
    InvariantDensity,
    LimitDivergence,
    MehlerDoobKernel,
    Merging,
    Reversible,
    ScheduledKernel,
)
from symdp.judgments.ends import BesselKernel, ReflectedDriftKernel, ReflectedIntervalKernel
from symdp.judgments.iteration import (
    BoundedIteration,
    NoiseKernel,
    NoiseMechanism,
    NoisyIteration,
    NoisySGD,
    UniformIteration,
)
from symdp.judgments.line import TanhDriftKernel, TwoValuedDriftKernel
from symdp.judgments.mathematics import ExchangedLaws, Identity, Inequality, Limit
from symdp.judgments.mechanism import (
    ErrorRatio,
    GaussianMechanism,
    GaussianOutput,
    IntrinsicSensitivity,
    LeastError,
    MeanSquaredError,
    OutputError,
    SymmetricKernel,
    TransitionDensity,
)
from symdp.judgments.mixing import (
    Dobrushin,
    Doeblin,
    FiniteMatrix,
    KernelProfile,
    LocalDP,
    PrivacyProfile,
    UltraMixing,
)
from symdp.judgments.privacy import TCDP, ZCDP, ApproxDP, GaussianDP, PureDP, RenyiDP, neighbours
from symdp.judgments.sampling import DominatingPair, HalfLineMoment, MomentBound, MomentSeries
from symdp.judgments.subjects import After, Kernel, Mechanism, Sampled, after, links
from symdp.judgments.transport import LawDivergence, Transport

__all__ = [
    "TCDP",
    "ZCDP",
    "After",
    "ApproxDP",
    "BesselKernel",
    "BoundedIteration",
    "BrownianDoobKernel",
    "CarreDuChamp",
    "CircleKernel",
    "Conservative",
    "ControllableKernel",
    "DiffusionProperty",
    "Divergence",
    "Dobrushin",
    "Doeblin",
    "DominatingPair",
    "Elliptic",
    "ErrorRatio",
    "ExchangedLaws",
    "FiniteMatrix",
    "GaussianDP",
    "GaussianKernel",
    "GaussianMechanism",
    "GaussianOutput",
    "Generator",
    "HalfLineMoment",
    "HeatFlow",
    "Identity",
    "IndependentCoordinates",
    "Inequality",
    "IntrinsicSensitivity",
    "InvariantDensity",
    "Judgment",
    "Kernel",
    "KernelProfile",
    "LawDivergence",
    "LeastError",
    "Limit",
    "LimitDivergence",
    "LocalDP",
    "Matrix",
    "MeanSquaredError",
    "Mechanism",
    "MehlerDoobKernel",
    "Merging",
    "MomentBound",
    "MomentSeries",
    "NoiseKernel",
    "NoiseMechanism",
    "NoisyIteration",
    "NoisySGD",
    "OutputError",
    "PrivacyProfile",
    "PureDP",
    "ReflectedDriftKernel",
    "ReflectedIntervalKernel",
    "RenyiDP",
    "Reversible",
    "Sampled",
    "ScheduledKernel",
    "SymmetricKernel",
    "TanhDriftKernel",
    "TransitionDensity",
    "Transport",
    "TwoValuedDriftKernel",
    "UltraMixing",
    "UniformIteration",
    "Unrolled",
    "after",
    "links",
    "neighbours",
]
