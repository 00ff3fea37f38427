r"""The Langevin diffusion of Student's law.

Setting: $dX = -\frac{(n+1)X}{n+X^2}\,dt + \sqrt2\,dW$ in $\mathbb R$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha k(x-x')^2/(2(e^{2kt}-1))$ and
    $(\alpha, \alpha k\Delta^2/(2(e^{2kt}-1)))$-RDP,
    $k = -(n+1)/(8n)$
Bound: **upper**
Citation: pavliotis2014, chapter 4
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import Chain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-student:divergence": Claim(
        "alpha*(-(n+1)/(8*n))*(x-xp)**2/(2*(exp(2*(-(n+1)/(8*n))*t)-1))", where="alpha>1, t>0"
    ),
    "X-student:privacy": Claim(
        "alpha*(-(n+1)/(8*n))*Delta**2/(2*(exp(2*(-(n+1)/(8*n))*t)-1))", where="alpha>1, t>0, Delta>=0"
    ),
}


def derive():
    found = derive_bound(lookup("student").build())
    return {
        "X-student:divergence": found.found.derivation.divergence,
        "X-student:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """Chains on a grid, which know the drift and the noise and nothing else."""

    def chain(n):
        return Chain(lambda x: -(n + 1) * x / (n + x**2), lambda x: 2**0.5 + 0 * x, -11, 11)

    tried = dict.fromkeys(CLAIMS, 0)
    for fixed in ({"n": 1.0}, {"n": 4.0}):
        made = chain(**fixed)
        for key, claim in CLAIMS.items():
            tried[key] += attack_by_chain(key, claim, made, rng, starts=(-1.5, 1.5), **fixed)
    return tried


def reference_points():
    return [
        ("X-student:divergence", "alpha=2,t=2/5,x=1/2,xp=-1/2,n=3", "1.335184636720489647772494312909142631650"),
        ("X-student:privacy", "alpha=2,t=2/5,Delta=1,n=3", "1.335184636720489647772494312909142631650"),
    ]
