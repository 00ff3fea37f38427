r"""Brownian motion on a flat torus.

Setting: $d\Theta_i = \sigma\,dW_i$, $i = 1, 2$, seen modulo $2\pi$: what is seen is a function of the angles.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha|x-x'|^2/(2\sigma^2t)$ on the torus, $x, x'$ any angles of the starts
Bound: **upper**
Citation: bakry2014, section 2.4
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-torus": Claim("alpha*((x1-xp1)**2+(x2-xp2)**2)/(2*sigma**2*t)", where="alpha>1, t>0, sigma>0"),
}

ROUNDING = 1e-9
"""What the floating point of the truth may be wrong by."""


def derive():
    return derive_bound(lookup("torus").build()).found.derivation.divergence


def falsify(rng):
    """The divergence on the torus itself, of wrapped normal laws, in floating point: the two circles add up."""
    angles, images = 2 * np.pi * np.arange(240) / 240, 2 * np.pi * np.arange(-8, 9)[:, None]

    def log_wrapped(variance, mean):
        return np.logaddexp.reduce(-((angles - mean + images) ** 2) / (2 * variance))

    def circle(alpha, variance, a, b):
        p, q = log_wrapped(variance, a), log_wrapped(variance, b)
        whole = np.mean(np.exp(alpha * p + (1 - alpha) * q)) * np.sqrt(2 * np.pi / variance)
        return np.log(whole) / (alpha - 1)

    def truth(mp, **point):
        at = {name: float(value) for name, value in point.items()}
        alpha, variance = at["alpha"], at["sigma"] ** 2 * at["t"]
        total = sum(circle(alpha, variance, at[f"x{i}"], at[f"xp{i}"]) for i in (1, 2))
        return mp.mpf(float(total) - ROUNDING)

    sides = ", ".join(f"{name}>-3, {name}<3" for name in ("x1", "x2", "xp1", "xp2"))
    where = f"alpha>1, alpha<3, t>1/20, t<2, sigma>1/2, sigma<2, {sides}"
    return attack("X-torus", CLAIMS["X-torus"], where, truth, rng, tight=False, count=40)


def reference_points():
    return [
        ("X-torus", "alpha=2,t=1/2,sigma=2,x1=1,xp1=-1/2,x2=0,xp2=1", "1.625000000000000000000000000000000000000"),
    ]
