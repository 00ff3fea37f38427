r"""Langevin sampling of a logistic posterior.

Setting: $dX = -\nabla V\,dt + \sqrt2\,dW$ in $\mathbb R^2$, $V = |x|^2/8 + \log(1+e^{-(x_1+x_2)}) +
    \log(1+e^{2x_1-x_2})$:
    a Gaussian prior and two observations.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha k|x-x'|^2/(2(e^{2kt}-1))$ and
    $(\alpha, \alpha k\Delta^2/(2(e^{2kt}-1)))$-RDP, $k = \frac14$
Bound: **upper**
Citation: dalalyan2017, section 6
Assumed: nothing
"""

import numpy as np

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import PlaneChain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-posterior:divergence": Claim(
        "alpha*(1/4)*((x1-xp1)**2+(x2-xp2)**2)/(2*(exp(2*(1/4)*t)-1))", where="alpha>1, t>0"
    ),
    "X-posterior:privacy": Claim("alpha*(1/4)*Delta**2/(2*(exp(2*(1/4)*t)-1))", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("logistic-posterior").build())
    return {
        "X-posterior:divergence": found.found.derivation.divergence,
        "X-posterior:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """A chain on a square grid, which knows the potential and nothing else."""
    chain = PlaneChain(lambda x, y: (x**2 + y**2) / 8 + np.log1p(np.exp(-x - y)) + np.log1p(np.exp(2 * x - y)), -6, 7)
    return {
        key: attack_by_chain(key, claim, chain, rng, starts=(-2.0, 2.5), tolerance=0.1) for key, claim in CLAIMS.items()
    }


def reference_points():
    return [
        ("X-posterior:divergence", "alpha=2,t=1,x1=1,xp1=0,x2=1,xp2=-1", "1.926867603170997855163879305590643297926"),
        ("X-posterior:privacy", "alpha=2,t=1,Delta=2", "1.541494082536798284131103444472514638340"),
    ]
