r"""The Ornstein-Uhlenbeck process reflected at its centre.

Setting: $dX = -\theta X\,dt + \sqrt2\,\rho\,dW$ on $[0, \infty)$, where it reflects.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \frac{\alpha\theta(x-x')^2}{2\rho^2(e^{2\theta t}-1)}$, and the same for
    $\Delta$
Bound: **upper**
Citation: borodin2002, appendix 1
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-reflectedOU:divergence": Claim("alpha*theta*(x-xp)**2/(2*rho**2*(exp(2*theta*t)-1))", where="alpha>1, t>0"),
    "X-reflectedOU:privacy": Claim(
        "alpha*theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))", where="alpha>1, t>0, Delta>=0"
    ),
}


def derive():
    found = derive_bound(lookup("reflected-ornstein-uhlenbeck").build())
    return {
        "X-reflectedOU:divergence": found.found.derivation.divergence,
        "X-reflectedOU:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(rho, theta):
        return Chain(lambda x: -theta * x, lambda x: 2**0.5 * rho + 0 * x, 0, 16)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"rho": 1.0, "theta": 1.0}, {"rho": 2.0, "theta": 0.5}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(0.0, 2.0), **fixed)
    return tried


def reference_points():
    return [
        (
            "X-reflectedOU:divergence",
            "alpha=2,t=1/4,x=3/4,xp=1/4,theta=1,rho=1",
            "0.3853735206341995710327758611181286595851",
        ),
        (
            "X-reflectedOU:privacy",
            "alpha=2,t=1/4,Delta=1/2,theta=1,rho=1",
            "0.3853735206341995710327758611181286595851",
        ),
    ]
