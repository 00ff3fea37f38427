r"""The Langevin diffusion of the Laplace law.

Setting: $dX = -b\,\mathrm{sign}(X)\,dt + \sqrt2\,dW$ in $\mathbb R$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha(x-x')^2/(4t)$, and $(\alpha, \alpha\Delta^2/(4t))$-RDP
Bound: **upper**
Citation: karatzas1991, section 6.5
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-laplace:divergence": Claim("alpha*(x-xp)**2/(4*t)", where="alpha>1, t>0"),
    "X-laplace:privacy": Claim("alpha*Delta**2/(4*t)", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("laplace-law").build())
    return {
        "X-laplace:divergence": found.found.derivation.divergence,
        "X-laplace:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(b):
        return Chain(lambda x: -b * np.sign(x), lambda x: 2**0.5 + 0 * x, -10, 10)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"b": 1.0}, {"b": 0.5}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(-1.5, 1.5), **fixed)
    return tried


def reference_points():
    return [
        ("X-laplace:divergence", "alpha=2,t=2/5,x=1/2,xp=-1/2", "1.250000000000000000000000000000000000000"),
        ("X-laplace:privacy", "alpha=2,t=2/5,Delta=1", "1.250000000000000000000000000000000000000"),
    ]
