r"""Brownian motion reflected on an interval.

Setting: $dX = \sigma\,dW$ on $[0, 1]$, where it reflects.
Claim: $R_\alpha(P_t(x)\|P_t(x'))$ is at most $\alpha(x-x')^2/(2\sigma^2t)$, by the curvature, and at most
    $\frac{512\pi^2\alpha(x-x')^2}{225}\,\frac{q^2}{(1-q)^8}$, $q = e^{-\pi^2\sigma^2t/2}$, by the cosine series; the
    same for $\Delta$
Bound: **upper**
Citation: bakry2014, section 2.4
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-interval:divergence": Claim("alpha*(x-xp)**2/(2*sigma**2*t)", where="alpha>1, t>0"),
    "X-interval:privacy": Claim("alpha*Delta**2/(2*sigma**2*t)", where="alpha>1, t>0, Delta>=0"),
    "X-interval:divergence by the series": Claim(
        "512*pi**2*alpha*(x-xp)**2*exp(-pi**2*sigma**2*t)/(225*(1-exp(-pi**2*sigma**2*t/2))**8)",
        where="alpha>1, t>0",
    ),
    "X-interval:privacy by the series": Claim(
        "512*pi**2*alpha*Delta**2*exp(-pi**2*sigma**2*t)/(225*(1-exp(-pi**2*sigma**2*t/2))**8)",
        where="alpha>1, t>0, Delta>=0",
    ),
}


def derive():
    found = derive_bound(lookup("reflected-brownian-interval").build())
    routes = {route.name: route for route in found.found.derivation.routes}
    return {
        "X-interval:divergence": routes["curvature"].divergence,
        "X-interval:privacy": routes["curvature"].privacy,
        "X-interval:divergence by the series": routes["kernel"].divergence,
        "X-interval:privacy by the series": routes["kernel"].privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(sigma):
        return Chain(lambda x: 0 * x, lambda x: sigma + 0 * x, 0, 1)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"sigma": 1.0}, {"sigma": 0.5}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(0.0, 1.0), **fixed)
    return tried


def reference_points():
    return [
        ("X-interval:divergence", "alpha=2,t=1/4,x=3/4,xp=1/4,sigma=1", "1.000000000000000000000000000000000000000"),
        ("X-interval:privacy", "alpha=2,t=1/4,Delta=1/2,sigma=1", "1.000000000000000000000000000000000000000"),
        (
            "X-interval:divergence by the series",
            "alpha=2,t=1/2,x=3/4,xp=1/4,sigma=1",
            "0.1640932108217675707742814741561494061451",
        ),
        (
            "X-interval:privacy by the series",
            "alpha=2,t=1/2,Delta=1/2,sigma=1",
            "0.1640932108217675707742814741561494061451",
        ),
    ]
