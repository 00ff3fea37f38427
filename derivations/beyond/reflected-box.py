r"""Brownian motion reflected in a convex box.

Setting: $dX = \sigma\,dW$ on $[0, 1]\times[0, \infty)$, reflected along the normals.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha|x-x'|^2/(2\sigma^2t)$, and $(\alpha, \alpha\Delta^2/(2\sigma^2t))$-RDP
Bound: **upper**
Citation: wang2014, chapter 3
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-box:divergence": Claim("alpha*((x1-xp1)**2+(x2-xp2)**2)/(2*sigma**2*t)", where="alpha>1, t>0, sigma>0"),
    "X-box:privacy": Claim("alpha*Delta**2/(2*sigma**2*t)", where="alpha>1, t>0, Delta>=0, sigma>0"),
}

ROUNDING = 1e-9
"""What the floating point of the truth may be wrong by."""


def derive():
    found = derive_bound(lookup("reflected-brownian-box").build())
    return {"X-box:divergence": found.found.derivation.divergence, "X-box:privacy": found.found.derivation.privacy}


def falsify(rng):
    """The coordinates are independent: images on the interval, two images on the half line, in floating point."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    nodes, weights = (nodes + 1) / 2, weights / 2

    def log_law(variance, start, y, turns):
        means = [2 * n + side * start for n in range(-turns, turns + 1) for side in (1, -1)]
        return np.logaddexp.reduce([-((y - mean) ** 2) / (2 * variance) for mean in means])

    def divergence(alpha, variance, a, b, end, turns):
        y = end * nodes
        p, q = (log_law(variance, start, y, turns) for start in (a, b))
        whole = np.sum(end * weights * np.exp(alpha * p + (1 - alpha) * q)) / np.sqrt(2 * np.pi * variance)
        return np.log(whole) / (alpha - 1)

    def both(mp, alpha, t, sigma, first, second):
        variance = sigma**2 * t
        far = max(*second, alpha * second[0] + (1 - alpha) * second[1]) + 9 * np.sqrt(variance)
        total = divergence(alpha, variance, *first, 1, 14)
        total += divergence(alpha, variance, *second, far, 0)
        return mp.mpf(float(total) - ROUNDING)

    def truth(mp, **point):
        at = {name: float(value) for name, value in point.items()}
        starts = (at["x1"], at["xp1"]), (at["x2"], at["xp2"])
        return both(mp, at["alpha"], at["t"], at["sigma"], *starts)

    where = "alpha>1, alpha<3, t>1/20, t<2, sigma>1/2, sigma<2, x1>0, x1<1, x2>0, x2<2, xp1>0, xp1<1, xp2>0, xp2<2"
    key = "X-box:divergence"
    found = {key: attack(key, CLAIMS[key], where, truth, rng, tight=False, count=40)}

    def apart(mp, **point):
        """Starts at this distance, along the half line."""
        at = {name: float(value) for name, value in point.items()}
        return both(mp, at["alpha"], at["t"], at["sigma"], (0.5, 0.5), (1.0, 1.0 + at["Delta"]))

    where = "alpha>1, alpha<3, t>1/20, t<2, sigma>1/2, sigma<2, Delta>0, Delta<2"
    key = "X-box:privacy"
    return found | {key: attack(key, CLAIMS[key], where, apart, rng, tight=False, count=40)}


def reference_points():
    return [
        (
            "X-box:divergence",
            "alpha=2,t=1/2,sigma=2,x1=1,xp1=1/2,x2=1,xp2=0",
            "0.6250000000000000000000000000000000000000",
        ),
        ("X-box:privacy", "alpha=2,t=1/2,sigma=2,Delta=1", "0.5000000000000000000000000000000000000000"),
    ]
