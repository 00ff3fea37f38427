r"""Brownian motion on a circle.

Setting: $d\Theta = \sigma\,dW$ modulo $2\pi$.
Claim: $R_\alpha(P_t(x)\|P_t(x'))$ is at most $\alpha d^2/(2\sigma^2t)$, $d = 2\arcsin|\sin\frac{x-x'}2|$ the shorter
    arc; with $q = e^{-\sigma^2t/2}$, $S = \frac{2q}{(1+q)(1-q)^2}$ and $h = |\sin\frac{x-x'}2|$ it is at most
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

ROUNDING = 1e-12
"""What the floating point of the truth may be wrong by."""


CLAIMS = {
    "X-circle:divergence": Claim("2*alpha*asin(abs(sin(x/2-xp/2)))**2/(sigma**2*t)", where="alpha>1, t>0, sigma>0"),
    "X-circle:privacy": Claim("alpha*min(Delta,pi)**2/(2*sigma**2*t)", where="alpha>1, t>0, Delta>=0, sigma>0"),
    "X-circle:range": Claim(
        "8*alpha*sin((x-xp)/2)**2*exp(-sigma**2*t)/((1+exp(-sigma**2*t/2))**2*(1-exp(-sigma**2*t/2))**4)",
        where="alpha>1, t>0, sigma>0",
    ),
    "X-circle:mean": Claim(
        "4*alpha*sin((x-xp)/2)**2*exp(-sigma**2*t)/(1-exp(-sigma**2*t))**3"
        "*exp(4*(1+2*(alpha-1)*abs(sin((x-xp)/2)))*exp(-sigma**2*t/2)/((1+exp(-sigma**2*t/2))*(1-exp(-sigma**2*t/2))**2))",
        where="alpha>1, t>0, sigma>0",
    ),
    "X-circle:ratio": Claim(
        "4*abs(sin((x-xp)/2))*exp(-sigma**2*t/2)/((1+exp(-sigma**2*t/2))*(1-exp(-sigma**2*t/2))**2)",
        where="alpha>1, t>0, sigma>0",
    ),
}


def derive():
    routes = {route.name: route for route in derive_bound(lookup("circle").build()).found.derivation.routes}
    by_kernel = routes["kernel"].divergence.premises
    return {
        "X-circle:divergence": routes["line"].divergence,
        "X-circle:privacy": routes["line"].privacy,
    } | dict(zip(("X-circle:range", "X-circle:mean", "X-circle:ratio"), by_kernel, strict=True))


def falsify(rng):
    """Two wrapped normal laws, in floating point."""
    angles, images = 2 * np.pi * np.arange(240) / 240, 2 * np.pi * np.arange(-8, 9)[:, None]

    def divergence(mp, alpha, variance, angle):
        alpha, variance = float(alpha), float(variance)
        p, q = (np.logaddexp.reduce(-((angles - mean + images) ** 2) / (2 * variance)) for mean in (0.0, float(angle)))
        powers = alpha * p + (1 - alpha) * q
        mean = np.log(np.mean(np.exp(powers - powers.max()))) + powers.max() + np.log(2 * np.pi / variance) / 2
        return mp.mpf(float(mean / (alpha - 1)) - ROUNDING)

    def of_starts(mp, alpha, t, sigma, x, xp):
        return divergence(mp, alpha, sigma**2 * t, x - xp)

    def of_neighbours(mp, alpha, t, sigma, Delta):
        return divergence(mp, alpha, sigma**2 * t, min(Delta, mp.pi))

    usual, late = (
        f"alpha>5/4, alpha<4, t>{t}, t<6, sigma>{sigma}, sigma<2" for t, sigma in (("1/4", "1/2"), ("3/2", "1"))
    )
    large, pair = "alpha>20, alpha<400, t>1/2, t<4, sigma>1, sigma<2", "x>-9, x<9, xp>-9, xp<9"
    tried = {}
    for key, where, truth in (
        ("X-circle:divergence", f"{usual}, {pair}", of_starts),
        ("X-circle:privacy", f"{usual}, Delta>0, Delta<4", of_neighbours),
        ("X-circle:range", f"{late}, {pair}", of_starts),
        ("X-circle:mean", f"{late}, {pair}", of_starts),
        ("X-circle:ratio", f"{large}, {pair}", of_starts),
    ):
        tried[key] = attack(key, CLAIMS[key], where, truth, rng, tight=False, count=40)
    return tried


def reference_points():
    starts = "alpha=2,t=4,sigma=1,x=1,xp=-1/2"
    return [
        ("X-circle:divergence", "alpha=2,t=1/2,sigma=2,x=1,xp=-1/2", "1.125000000000000000000000000000000000000"),
        ("X-circle:privacy", "alpha=2,t=1/2,sigma=2,Delta=3/2", "1.125000000000000000000000000000000000000"),
        ("X-circle:range", starts, "0.1889780617464075144441541565582343884190"),
        ("X-circle:mean", starts, "0.3248377475038873739070048053525134004939"),
        ("X-circle:ratio", starts, "0.4347160702647275201651430744502361682913"),
    ]
