r"""Brownian motion on a flat torus.

Setting: $d\Theta_i = \sigma\,dW_i$, $i = 1, 2$, modulo $2\pi$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha(d_1^2+d_2^2)/(2\sigma^2t)$ for the shorter arcs
    $d_i = 2\arcsin|\sin\frac{x_i-x_i'}2|$; $(\alpha, \alpha\min(\Delta, \sqrt2\pi)^2/(2\sigma^2t))$-RDP
Bound: **upper**
Citation: bakry2014, section 2.4
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-torus:divergence": Claim(
        "2*alpha*(asin(abs(sin((x1-xp1)/2)))**2+asin(abs(sin((x2-xp2)/2)))**2)/(sigma**2*t)",
        where="alpha>1, t>0, sigma>0",
    ),
    "X-torus:privacy": Claim("alpha*min(Delta,sqrt(2)*pi)**2/(2*sigma**2*t)", where="alpha>1, t>0, Delta>=0, sigma>0"),
}

ROUNDING = 1e-9
"""What the floating point of the truth may be wrong by."""


def derive():
    routes = {route.name: route for route in derive_bound(lookup("torus").build()).found.derivation.routes}
    return {"X-torus:divergence": routes["line"].divergence, "X-torus:privacy": routes["line"].privacy}


def falsify(rng):
    """The divergence on the torus itself, of wrapped normal laws, in floating point: the two circles add up."""
    angles, images = 2 * np.pi * np.arange(240) / 240, 2 * np.pi * np.arange(-8, 9)[:, None]

    def log_wrapped(variance, mean):
        return np.logaddexp.reduce(-((angles - mean + images) ** 2) / (2 * variance))

    def circle(alpha, variance, a, b):
        p, q = log_wrapped(variance, a), log_wrapped(variance, b)
        whole = np.mean(np.exp(alpha * p + (1 - alpha) * q)) * np.sqrt(2 * np.pi / variance)
        return np.log(whole) / (alpha - 1)

    def of_starts(mp, **point):
        at = {name: float(value) for name, value in point.items()}
        alpha, variance = at["alpha"], at["sigma"] ** 2 * at["t"]
        total = sum(circle(alpha, variance, at[f"x{i}"], at[f"xp{i}"]) for i in (1, 2))
        return mp.mpf(float(total) - ROUNDING)

    def of_neighbours(mp, Delta, **point):
        """Starts as far apart along the diagonal, or as far as they can be."""
        gap = min(Delta / mp.sqrt(2), mp.pi)
        return of_starts(mp, x1=gap, x2=gap, xp1=0, xp2=0, **point)

    sides = ", ".join(f"{name}>-5, {name}<5" for name in ("x1", "x2", "xp1", "xp2"))
    where = "alpha>1, alpha<3, t>1/20, t<2, sigma>1/2, sigma<2"
    tried = {}
    for key, ranges, truth in (
        ("X-torus:divergence", f"{where}, {sides}", of_starts),
        ("X-torus:privacy", f"{where}, Delta>0, Delta<6", of_neighbours),
    ):
        tried[key] = attack(key, CLAIMS[key], ranges, truth, rng, tight=False, count=40)
    return tried


def reference_points():
    return [
        (
            "X-torus:divergence",
            "alpha=2,t=1/2,sigma=2,x1=1,xp1=-1/2,x2=0,xp2=1",
            "1.625000000000000000000000000000000000000",
        ),
        ("X-torus:privacy", "alpha=2,t=1/2,sigma=2,Delta=3/2", "1.125000000000000000000000000000000000000"),
    ]
