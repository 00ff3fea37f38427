r"""The Langevin diffusion of a hyperbolic cosine.

Setting: $dX = -a\sinh X\,dt + \sqrt2\,dW$ in $\mathbb R$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha k(x-x')^2/(2(e^{2kt}-1))$ and
    $(\alpha, \alpha k\Delta^2/(2(e^{2kt}-1)))$-RDP,
    $k = a$
Bound: **upper**
Citation: pavliotis2014, chapter 4
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-cosh:divergence": Claim("alpha*a*(x-xp)**2/(2*(exp(2*a*t)-1))", where="alpha>1, t>0"),
    "X-cosh:privacy": Claim("alpha*a*Delta**2/(2*(exp(2*a*t)-1))", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("cosh-langevin").build())
    return {"X-cosh:divergence": found.found.derivation.divergence, "X-cosh:privacy": found.found.derivation.privacy}


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(a):
        return Chain(lambda x: -a * np.sinh(x), lambda x: 2**0.5 + 0 * x, -4, 4)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"a": 1.0}, {"a": 0.3}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(-1.5, 1.5), **fixed)
    return tried


def reference_points():
    return [
        ("X-cosh:divergence", "alpha=2,t=2/5,x=1/2,xp=-1/2,a=1", "0.8159662209160941785924862767689853308815"),
        ("X-cosh:privacy", "alpha=2,t=2/5,Delta=1,a=1", "0.8159662209160941785924862767689853308815"),
    ]
