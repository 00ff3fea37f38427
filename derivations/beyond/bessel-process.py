r"""The Bessel process, from dimension two on.

Setting: $dX = \frac{n-1}{2X}\,dt + dW$ on $(0, \infty)$, $n \ge 2$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha(x-x')^2/(2t)$, and $(\alpha, \alpha\Delta^2/(2t))$-RDP
Bound: **upper**
Citation: borodin2002, appendix 1
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-bessel:divergence": Claim("alpha*(x-xp)**2/(2*t)", where="alpha>1, t>0"),
    "X-bessel:privacy": Claim("alpha*Delta**2/(2*t)", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("bessel-process").build())
    return {
        "X-bessel:divergence": found.found.derivation.divergence,
        "X-bessel:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(n):
        return Chain(lambda x: (n - 1) / (2 * x), lambda x: 1 + 0 * x, 0, 9)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"n": 2.0}, {"n": 3.0}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(0.0, 2.5), **fixed)
    return tried


def reference_points():
    return [
        ("X-bessel:divergence", "alpha=2,t=1/4,x=3/4,xp=1/4", "1.000000000000000000000000000000000000000"),
        ("X-bessel:privacy", "alpha=2,t=1/4,Delta=1/2", "1.000000000000000000000000000000000000000"),
    ]
