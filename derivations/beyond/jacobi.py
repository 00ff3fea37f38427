r"""The Jacobi diffusion.

Setting: $dX = (a(1-X) - bX)\,dt + \sqrt{2X(1-X)}\,dW$ on $[0, 1]$, $a, b > 1/2$,
    reflecting where an end is attained.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \frac{\alpha k}{2(e^{2kt}-1)}(\arcsin(2x-1)-\arcsin(2x'-1))^2$,
    $k = \frac12(\sqrt{a-1/2}+\sqrt{b-1/2})^2$
Bound: **upper**
Citation: bakry2014, section 2.7
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-jacobi": Claim(
        "alpha*(sqrt(a-1/2)+sqrt(b-1/2))**2/2*(asin(2*x-1)-asin(2*xp-1))**2/(2*(exp((sqrt(a-1/2)+sqrt(b-1/2))**2*t)-1))",
        where="alpha>1, t>0",
    ),
}


def derive():
    found = derive_bound(lookup("jacobi").build())
    return found.found.derivation.divergence


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(a, b):
        """In the coordinate arcsin(2x-1), in which the noise is constant."""
        chain = Chain(
            lambda y: (a * (1 - np.sin(y)) - b * (1 + np.sin(y))) / np.cos(y) + np.tan(y),
            lambda y: 2**0.5 + 0 * y,
            -np.pi / 2,
            np.pi / 2,
        )
        chain.nodes = (1 + np.sin(chain.nodes)) / 2
        return chain

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"a": 1.0, "b": 1.5}, {"a": 2.0, "b": 0.75}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(0.02, 0.98), **fixed)
    return tried


def reference_points():
    return [
        ("X-jacobi", "alpha=2,t=1/4,a=1,b=3/2,x=3/4,xp=1/4", "1.490462444836340471178065087467036362963"),
    ]
