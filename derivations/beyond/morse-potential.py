r"""The Langevin diffusion of the Morse potential.

Setting: $dX = (a - be^X)\,dt + \sqrt2\,dW$ in $\mathbb R$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha(x-x')^2/(4t)$, and $(\alpha, \alpha\Delta^2/(4t))$-RDP
Bound: **upper**
Citation: matsumoto2005, section 5
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-morse:divergence": Claim("alpha*(x-xp)**2/(4*t)", where="alpha>1, t>0"),
    "X-morse:privacy": Claim("alpha*Delta**2/(4*t)", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("morse").build())
    return {"X-morse:divergence": found.found.derivation.divergence, "X-morse:privacy": found.found.derivation.privacy}


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(a, b):
        return Chain(lambda x: a - b * np.exp(x), lambda x: 2**0.5 + 0 * x, -9, 4.5)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"a": 1.0, "b": 1.0}, {"a": 2.0, "b": 0.5}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(-1.5, 1.5), **fixed)
    return tried


def reference_points():
    return [
        ("X-morse:divergence", "alpha=2,t=2/5,x=1/2,xp=-1/2", "1.250000000000000000000000000000000000000"),
        ("X-morse:privacy", "alpha=2,t=2/5,Delta=1", "1.250000000000000000000000000000000000000"),
    ]
