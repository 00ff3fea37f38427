r"""Brownian motion reflected on a half line.

Setting: $dX = \sigma\,dW$ on $[0, \infty)$, where it reflects.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha(x-x')^2/(2\sigma^2t)$, and $(\alpha, \alpha\Delta^2/(2\sigma^2t))$-RDP
Bound: **upper**
Citation: bakry2014, section 2.4
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-halfline:divergence": Claim("alpha*(x-xp)**2/(2*sigma**2*t)", where="alpha>1, t>0"),
    "X-halfline:privacy": Claim("alpha*Delta**2/(2*sigma**2*t)", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("reflected-brownian-half-line").build())
    return {
        "X-halfline:divergence": found.found.derivation.divergence,
        "X-halfline:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(sigma):
        return Chain(lambda x: 0 * x, lambda x: sigma + 0 * x, 0, 12)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"sigma": 1.0}, {"sigma": 0.5}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(0.0, 2.0), **fixed)
    return tried


def reference_points():
    return [
        ("X-halfline:divergence", "alpha=2,t=1/4,x=3/4,xp=1/4,sigma=1", "1.000000000000000000000000000000000000000"),
        ("X-halfline:privacy", "alpha=2,t=1/4,Delta=1/2,sigma=1", "1.000000000000000000000000000000000000000"),
    ]
