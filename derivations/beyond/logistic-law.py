r"""The Langevin diffusion of the logistic law.

Setting: $dX = -\tanh(X/2)\,dt + \sqrt2\,dW$ in $\mathbb R$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha(x-x')^2/(4t)$, and $(\alpha, \alpha\Delta^2/(4t))$-RDP
Bound: **upper**
Citation: bakry2014, section 4.4
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-logistic:divergence": Claim("alpha*(x-xp)**2/(4*t)", where="alpha>1, t>0"),
    "X-logistic:privacy": Claim("alpha*Delta**2/(4*t)", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("logistic-law").build())
    return {
        "X-logistic:divergence": found.found.derivation.divergence,
        "X-logistic:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain():
        return Chain(lambda x: -np.tanh(x / 2), lambda x: 2**0.5 + 0 * x, -12, 12)

    made = chain()
    return {key: attack_by_chain(key, claim, made, rng, starts=(-1.5, 1.5)) for key, claim in CLAIMS.items()}


def reference_points():
    return [
        ("X-logistic:divergence", "alpha=2,t=2/5,x=1/2,xp=-1/2", "1.250000000000000000000000000000000000000"),
        ("X-logistic:privacy", "alpha=2,t=2/5,Delta=1", "1.250000000000000000000000000000000000000"),
    ]
