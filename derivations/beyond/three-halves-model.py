r"""The three-halves model.

Setting: $dX = X(a - bX)\,dt + \sigma X^{3/2}\,dW$ on $(0, \infty)$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \frac{2\alpha a(x^{-1/2}-x'^{-1/2})^2}{\sigma^2(e^{at}-1)}$
Bound: **upper**
Citation: ahn1999, section 1
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-threehalves": Claim("2*alpha*a*(1/sqrt(x)-1/sqrt(xp))**2/(sigma**2*(exp(a*t)-1))", where="alpha>1, t>0"),
}


def derive():
    found = derive_bound(lookup("three-halves").build())
    return found.found.derivation.divergence


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(a, b, sigma):
        """In the coordinate 1/sqrt(x), in which the noise is constant."""
        chain = Chain(lambda y: (b / 2 + 3 * sigma**2 / 8) / y - a * y / 2, lambda y: sigma / 2 + 0 * y, 0, 8)
        chain.nodes = 1 / chain.nodes**2
        return chain

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"a": 1.0, "b": 1.0, "sigma": 1.0}, {"a": 0.5, "b": 2.0, "sigma": 1.5}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(0.1, 4.0), **fixed)
    return tried


def reference_points():
    return [
        ("X-threehalves", "alpha=2,t=1,a=1,sigma=1,x=1,xp=4", "0.5819767068693264243850020051090115585469"),
    ]
