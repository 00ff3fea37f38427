r"""A quadratic potential with a trigonometric perturbation.

Setting: $dX = (-aX + b\sin X)\,dt + \sqrt2\,dW$ in $\mathbb R$, $b < a$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha k(x-x')^2/(2(e^{2kt}-1))$ and
    $(\alpha, \alpha k\Delta^2/(2(e^{2kt}-1)))$-RDP,
    $k = a - b$
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
    "X-trigonometric:divergence": Claim("alpha*(a-b)*(x-xp)**2/(2*(exp(2*(a-b)*t)-1))", where="alpha>1, t>0, b>0, a>b"),
    "X-trigonometric:privacy": Claim(
        "alpha*(a-b)*Delta**2/(2*(exp(2*(a-b)*t)-1))", where="alpha>1, t>0, Delta>=0, b>0, a>b"
    ),
}


def derive():
    found = derive_bound(lookup("trigonometric-langevin").build())
    return {
        "X-trigonometric:divergence": found.found.derivation.divergence,
        "X-trigonometric:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(a, b):
        return Chain(lambda x: -a * x + b * np.sin(x), lambda x: 2**0.5 + 0 * x, -6, 6)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 0.5}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(-1.5, 1.5), **fixed)
    return tried


def reference_points():
    return [
        (
            "X-trigonometric:divergence",
            "alpha=2,t=2/5,x=1/2,xp=-1/2,a=2,b=1",
            "0.8159662209160941785924862767689853308815",
        ),
        ("X-trigonometric:privacy", "alpha=2,t=2/5,Delta=1,a=2,b=1", "0.8159662209160941785924862767689853308815"),
    ]
