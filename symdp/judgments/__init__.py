"""The closed vocabulary: everything a theorem of this project can say.

A judgment is a frozen record of values (see ``codec``). To add one, declare it here; nothing outside this package can.
Symbols shared by all: ``alpha`` the Rényi order, ``t`` the time, ``x`` and ``xp`` the two starts (``x1, x2, ...,
xp1, ...`` in R^d), ``Delta`` the sensitivity. ``R_alpha(P||Q) = log E_Q[(dP/dQ)^alpha] / (alpha - 1)``, and ``P_t(x)``
is the law at time t of the process started at x. A region says where, for which values of its symbols, it holds.
"""

from symdp.judgments.base import Judgment, Matrix
from symdp.judgments.diffusion import (
    BrownianDoobKernel,
    Conservative,
    Divergence,
    Elliptic,
    GaussianKernel,
    HeatFlow,
    InvariantDensity,
    LimitDivergence,
    MehlerDoobKernel,
    Merging,
    Reversible,
)
from symdp.judgments.mathematics import Identity, Inequality
from symdp.judgments.privacy import ZCDP, ApproxDP, GaussianDP, PureDP, RenyiDP

__all__ = [
    "ZCDP",
    "ApproxDP",
    "BrownianDoobKernel",
    "Conservative",
    "Divergence",
    "Elliptic",
    "GaussianDP",
    "GaussianKernel",
    "HeatFlow",
    "Identity",
    "Inequality",
    "InvariantDensity",
    "Judgment",
    "LimitDivergence",
    "Matrix",
    "MehlerDoobKernel",
    "Merging",
    "PureDP",
    "RenyiDP",
    "Reversible",
]
