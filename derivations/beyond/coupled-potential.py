r"""Two quartic oscillators with a bilinear coupling.

Setting: $dX = -\nabla V\,dt + \sqrt2\,dW$ in $\mathbb R^2$, $V = (x_1^2+x_2^2)/2 + (x_1^4+x_2^4)/4 + x_1x_2/2$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha k|x-x'|^2/(2(e^{2kt}-1))$ and
    $(\alpha, \alpha k\Delta^2/(2(e^{2kt}-1)))$-RDP, $k = \frac12$
Bound: **upper**
Citation: pavliotis2014, chapter 4
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim
from symdp.claims.chain import PlaneChain, attack_by_chain
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-coupled:divergence": Claim("alpha*(1/2)*((x1-xp1)**2+(x2-xp2)**2)/(2*(exp(2*(1/2)*t)-1))", where="alpha>1, t>0"),
    "X-coupled:privacy": Claim("alpha*(1/2)*Delta**2/(2*(exp(2*(1/2)*t)-1))", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found = derive_bound(lookup("coupled-langevin").build())
    return {
        "X-coupled:divergence": found.found.derivation.divergence,
        "X-coupled:privacy": found.found.derivation.privacy,
    }


def falsify(rng):
    """A chain on a square grid, which knows the potential and nothing else."""
    chain = PlaneChain(lambda x, y: (x**2 + y**2) / 2 + (x**4 + y**4) / 4 + x * y / 2, -3, 3)
    return {
        key: attack_by_chain(key, claim, chain, rng, starts=(-1.5, 1.5), tolerance=0.1) for key, claim in CLAIMS.items()
    }


def reference_points():
    return [
        ("X-coupled:divergence", "alpha=2,t=1,x1=1,xp1=0,x2=1,xp2=-1", "1.454941767173316060962505012772528896367"),
        ("X-coupled:privacy", "alpha=2,t=1,Delta=2", "1.163953413738652848770004010218023117094"),
    ]
