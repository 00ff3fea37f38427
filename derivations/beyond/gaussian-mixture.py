r"""The Langevin diffusion of a mixture of two Gaussian laws.

Setting: $dX = (-X + m\tanh(mX))\,dt + \sqrt2\,dW$ in $\mathbb R$, $m > 1$: the mixture of $N(m, 1)$ and $N(-m, 1)$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha k(x-x')^2/(2(e^{2kt}-1))$ and
    $(\alpha, \alpha k\Delta^2/(2(e^{2kt}-1)))$-RDP,
    $k = 1 - m^2$
Bound: **upper**
Citation: dalalyan2017, section 6
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-mixture:divergence": Claim("alpha*(1-m**2)*(x-xp)**2/(2*(exp(2*(1-m**2)*t)-1))", where="alpha>1, t>0"),
    "X-mixture:privacy": Claim("alpha*(1-m**2)*Delta**2/(2*(exp(2*(1-m**2)*t)-1))", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("gaussian-mixture").build())
    return {
        "X-mixture:divergence": found.found.derivation.divergence,
        "X-mixture:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(m):
        return Chain(lambda x: -x + m * np.tanh(m * x), lambda x: 2**0.5 + 0 * x, -7, 7)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"m": 1.5}, {"m": 2.0}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(-1.5, 1.5), **fixed)
    return tried


def reference_points():
    return [
        ("X-mixture:divergence", "alpha=2,t=2/5,x=1/2,xp=-1/2,m=2", "3.299306316288526150124879897352147248442"),
        ("X-mixture:privacy", "alpha=2,t=2/5,Delta=1,m=2", "3.299306316288526150124879897352147248442"),
    ]
