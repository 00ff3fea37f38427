r"""The square root diffusion, from dimension one on.

Setting: $dX = (a - kX)\,dt + \sigma\sqrt X\,dW$ on $[0, \infty)$, $4a \ge \sigma^2$, reflecting at $0$
    where it is attained.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \frac{2\alpha k(\sqrt x-\sqrt{x'})^2}{\sigma^2(e^{kt}-1)}$ and
    $(\alpha, \frac{2\alpha k\Delta}{\sigma^2(e^{kt}-1)})$-RDP
Bound: **upper**
Citation: cox1985, section 3
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-CIR:divergence": Claim(
        "2*alpha*k*(sqrt(x)-sqrt(xp))**2/(sigma**2*(exp(k*t)-1))", where="alpha>1, t>0, k>0, sigma>0, 4*a>=sigma**2"
    ),
    "X-CIR:privacy": Claim(
        "2*alpha*k*Delta/(sigma**2*(exp(k*t)-1))", where="alpha>1, t>0, Delta>0, k>0, sigma>0, 4*a>=sigma**2"
    ),
}


def derive():
    found = derive_bound(lookup("cox-ingersoll-ross").build())
    return {"X-CIR:divergence": found.found.derivation.divergence, "X-CIR:privacy": found.found.derivation.privacy}


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(a, k, sigma):
        """In the coordinate sqrt(x), in which the noise is constant."""
        chain = Chain(lambda y: (a / 2 - sigma**2 / 8) / y - k * y / 2, lambda y: sigma / 2 + 0 * y, 0, 6)
        chain.nodes = chain.nodes**2
        return chain

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"a": 2.0, "k": 1.0, "sigma": 1.0}, {"a": 0.25, "k": 0.5, "sigma": 1.0}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(0.0, 4.0), **fixed)
    return tried


def reference_points():
    return [
        ("X-CIR:divergence", "alpha=2,t=1,k=1,sigma=1,x=1,xp=1/4", "0.5819767068693264243850020051090115585469"),
        ("X-CIR:privacy", "alpha=2,t=1,k=1,sigma=1,Delta=3/4", "1.745930120607979273155006015327034675641"),
    ]
