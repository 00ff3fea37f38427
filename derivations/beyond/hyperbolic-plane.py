r"""Brownian motion on the hyperbolic plane.

Setting: $L = y^2(\partial_x^2+\partial_y^2)$ on the upper half plane. The curvature is $-1$: the bound does not
    fall to $0$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \frac{\alpha d(x, x')^2}{2(1-e^{-2t})}$, $\cosh d = 1 +
    \frac{|x-x'|^2}{2x_2x_2'}$
Bound: **upper**
Citation: bakry2014, section 2.3
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-hyperbolic": Claim(
        "alpha*acosh(1+((x1-xp1)**2+(x2-xp2)**2)/(2*x2*xp2))**2/(2*(1-exp(-2*t)))", where="alpha>1, t>0"
    ),
}

ROUNDING = 1e-9
"""What the floating point of the truth may be wrong by."""


def derive():
    return derive_bound(lookup("hyperbolic-plane").build()).found.derivation.divergence


def falsify(rng):
    """McKean's integral for the heat kernel, integrated in polar coordinates around one start, in floating point."""
    u = 15 * (np.arange(100) + 0.5) / 100  # s = sqrt(r^2 + u^2) takes the root out of the integral
    nodes, weights = np.polynomial.legendre.leggauss(80)
    angles = np.pi * (np.arange(40) + 0.5) / 40

    def log_kernel(t, r):
        s = np.sqrt(r[..., None] ** 2 + u**2)
        below = 2 * np.sinh((s + r[..., None]) / 2) * np.sinh(u**2 / (s + r[..., None]) / 2)  # cosh s - cosh r
        total = np.sum(np.exp(-(u**2) / (4 * t)) * u / np.sqrt(below), axis=-1) * (u[1] - u[0])
        return np.log(np.sqrt(2) * total) - t / 4 - 1.5 * np.log(4 * np.pi * t) - r**2 / (4 * t)

    def truth(mp, alpha, t, x1, x2, xp1, xp2):
        gap = float(mp.acosh(1 + ((x1 - xp1) ** 2 + (x2 - xp2) ** 2) / (2 * x2 * xp2)))
        order, time = float(alpha), float(t)
        far = order * gap + 2 * time + 8 * np.sqrt(2 * time)
        r = far * (nodes[:, None] + 1) / 2
        cosine = np.cosh(r) * np.cosh(gap) - np.sinh(r) * np.sinh(gap) * np.cos(angles)
        p, q = log_kernel(time, r), log_kernel(time, np.arccosh(np.maximum(cosine, 1)))
        area = far * weights[:, None] / 2 * np.sinh(r) * 2 * np.pi / len(angles)
        whole = np.sum(area * np.exp(order * p + (1 - order) * q))
        return mp.mpf(float(np.log(whole)) / (order - 1) - ROUNDING)

    where = "alpha>1, alpha<5/2, t>1/20, t<1, x1>-1, x1<1, x2>1/2, x2<2, xp1>-1, xp1<1, xp2>1/2, xp2<2"
    return attack("X-hyperbolic", CLAIMS["X-hyperbolic"], where, truth, rng, tight=False, count=30)


def reference_points():
    return [
        ("X-hyperbolic", "alpha=2,t=1/2,x1=0,xp1=0,x2=2,xp2=1", "0.7600654767637589439138776478992687479433"),
    ]
