r"""Brownian motion on the sphere.

Setting: $L = \Delta$ on the unit sphere of dimension two, in stereographic coordinates; $d$ is the great-circle
    distance.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \frac{\alpha d(x, x')^2}{2(e^{2t}-1)}$, $\cos d = 1 -
    \frac{2|x-x'|^2}{(1+|x|^2)(1+|x'|^2)}$
Bound: **upper**
Citation: bakry2014, section 2.2
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-sphere": Claim(
        "alpha*acos(1-2*((x1-xp1)**2+(x2-xp2)**2)/((1+x1**2+x2**2)*(1+xp1**2+xp2**2)))**2/(2*(exp(2*t)-1))",
        where="alpha>1, t>0",
    ),
}

ROUNDING = 1e-9
"""What the floating point of the truth may be wrong by."""


def derive():
    return derive_bound(lookup("sphere").build()).found.derivation.divergence


def falsify(rng):
    """The heat kernel as a series of Legendre polynomials, integrated in polar coordinates around one start."""
    z, weights = (part[:, None] for part in np.polynomial.legendre.leggauss(64))  # the cosine of the polar angle
    angles = np.pi * (np.arange(64) + 0.5) / 64
    n = np.arange(40)

    def truth(mp, alpha, t, x1, x2, xp1, xp2):
        square = (x1 - xp1) ** 2 + (x2 - xp2) ** 2
        gap = float(mp.acos(1 - 2 * square / ((1 + x1**2 + x2**2) * (1 + xp1**2 + xp2**2))))
        order, series = float(alpha), (2 * n + 1) * np.exp(-n * (n + 1) * float(t)) / (4 * np.pi)
        other = z * np.cos(gap) + np.sqrt(1 - z**2) * np.sin(gap) * np.cos(angles)
        p, q = (np.polynomial.legendre.legval(cosine, series) for cosine in (z, other))
        whole = np.sum(weights * p**order * q ** (1 - order)) * 2 * np.pi / len(angles)
        return mp.mpf(float(np.log(whole)) / (order - 1) - ROUNDING)

    where = "alpha>1, alpha<3, t>1/4, t<2/3, x1>-2, x1<2, x2>-2, x2<2, xp1>-2, xp1<2, xp2>-2, xp2<2"
    return attack("X-sphere", CLAIMS["X-sphere"], where, truth, rng, tight=False, count=40)


def reference_points():
    return [
        ("X-sphere", "alpha=2,t=1/2,x1=1,xp1=0,x2=0,xp2=0", "1.435969966862248911183874486977916041222"),
    ]
