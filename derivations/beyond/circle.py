r"""Brownian motion on a circle.

Setting: $d\Theta = \sigma\,dW$ modulo $2\pi$.
Claim: $R_\alpha(P_t(x)\|P_t(x'))$ is at most $\alpha d^2/(2\sigma^2t)$, $d = 2\arcsin|\sin\frac{x-x'}2|$ the shorter
    arc, and, with $q = e^{-\sigma^2t/2}$, $S = \frac{2q}{(1+q)(1-q)^2}$ and $h = |\sin\frac{x-x'}2|$, the least of
    $2\alpha h^2S^2$, $\frac{4\alpha h^2q^2}{(1-q^2)^3}e^{(2+4(\alpha-1)h)S}$ and $2hS$;
    $(\alpha, \alpha\min(\Delta, \pi)^2/(2\sigma^2t))$-RDP
Bound: **upper**
Citation: bakry2014, section 2.4
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

ROUNDING = 1e-9
"""What the floating point of the truth may be wrong by."""


def _by_the_kernel(sine):
    q = "exp(-sigma**2*t/2)"
    total = f"2*{q}/((1+{q})*(1-{q})**2)"
    by_range = f"2*alpha*{sine}**2*({total})**2"
    by_mean = f"4*alpha*{sine}**2*{q}**2/(1-{q}**2)**3*exp((2+4*(alpha-1)*{sine})*{total})"
    return f"min({by_range}, {by_mean}, 2*{sine}*{total})"


CLAIMS = {
    "X-circle:divergence": Claim("2*alpha*asin(abs(sin(x/2-xp/2)))**2/(sigma**2*t)", where="alpha>1, t>0, sigma>0"),
    "X-circle:privacy": Claim("alpha*min(Delta,pi)**2/(2*sigma**2*t)", where="alpha>1, t>0, Delta>=0, sigma>0"),
    "X-circle:divergence by the kernel": Claim(_by_the_kernel("abs(sin(x/2-xp/2))"), where="alpha>1, t>0, sigma>0"),
}


def derive():
    routes = {route.name: route for route in derive_bound(lookup("circle").build()).found.derivation.routes}
    return {
        "X-circle:divergence": routes["line"].divergence,
        "X-circle:privacy": routes["line"].privacy,
        "X-circle:divergence by the kernel": routes["kernel"].divergence,
    }


def falsify(rng):
    """Two wrapped normal laws, in floating point."""
    angles, images = 2 * np.pi * np.arange(240) / 240, 2 * np.pi * np.arange(-8, 9)[:, None]

    def divergence(mp, alpha, variance, angle):
        alpha, variance = float(alpha), float(variance)
        p, q = (np.logaddexp.reduce(-((angles - mean + images) ** 2) / (2 * variance)) for mean in (0.0, float(angle)))
        mean = np.mean(np.exp(alpha * p + (1 - alpha) * q)) * np.sqrt(2 * np.pi / variance)
        return mp.mpf(float(np.log(mean)) / (alpha - 1) - ROUNDING)

    def of_starts(mp, alpha, t, sigma, x, xp):
        return divergence(mp, alpha, sigma**2 * t, x - xp)

    def of_neighbours(mp, alpha, t, sigma, Delta):
        return divergence(mp, alpha, sigma**2 * t, min(Delta, mp.pi))

    where = "alpha>1, alpha<4, t>1/4, t<5, sigma>1/2, sigma<2"
    tried = {}
    for key, claim in CLAIMS.items():
        if "privacy" in key:
            ranges, truth = f"{where}, Delta>0, Delta<4", of_neighbours
        else:
            ranges, truth = f"{where}, x>-9, x<9, xp>-9, xp<9", of_starts
        tried[key] = attack(key, claim, ranges, truth, rng, tight=False, count=30)
    return tried


def reference_points():
    starts = "alpha=2,t=4,sigma=1,x=1,xp=-1/2"
    return [
        ("X-circle:divergence", "alpha=2,t=1/2,sigma=2,x=1,xp=-1/2", "1.125000000000000000000000000000000000000"),
        ("X-circle:privacy", "alpha=2,t=1/2,sigma=2,Delta=3/2", "1.125000000000000000000000000000000000000"),
        ("X-circle:divergence by the kernel", starts, "0.188978061746407514444154156558234388419"),
    ]
