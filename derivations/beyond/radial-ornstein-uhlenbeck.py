r"""The radial Ornstein-Uhlenbeck process, from dimension two on.

Setting: $dX = (\frac{n-1}{2X} - \theta X)\,dt + dW$ on $(0, \infty)$, $n \ge 2$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha\theta(x-x')^2/(e^{2\theta t}-1)$, and the same for $\Delta$
Bound: **upper**
Citation: borodin2002, appendix 1
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-radial:divergence": Claim("alpha*theta*(x-xp)**2/(exp(2*theta*t)-1)", where="alpha>1, t>0"),
    "X-radial:privacy": Claim("alpha*theta*Delta**2/(exp(2*theta*t)-1)", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("radial-ornstein-uhlenbeck").build())
    return {
        "X-radial:divergence": found.found.derivation.divergence,
        "X-radial:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(n, theta):
        return Chain(lambda x: (n - 1) / (2 * x) - theta * x, lambda x: 1 + 0 * x, 0, 8)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"n": 2.0, "theta": 1.0}, {"n": 5.0, "theta": 0.5}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(0.0, 2.5), **fixed)
    return tried


def reference_points():
    return [
        ("X-radial:divergence", "alpha=2,t=1/4,x=3/4,xp=1/4,theta=1", "0.7707470412683991420655517222362573191702"),
        ("X-radial:privacy", "alpha=2,t=1/4,Delta=1/2,theta=1", "0.7707470412683991420655517222362573191702"),
    ]
