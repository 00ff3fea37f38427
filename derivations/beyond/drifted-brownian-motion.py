r"""Brownian motion with drift.

Setting: $dX = \mu\,dt + \sigma\,dW$ in $\mathbb R$, $\mu$ real.
Claim: $R_\alpha(P_t(x)\|P_t(x')) = \alpha(x-x')^2/(2\sigma^2t)$
Bound: **tight**
Citation: borodin2002, appendix 1
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-drift": Claim("alpha*(x-xp)**2/(2*sigma**2*t)", where="alpha>1, t>0, sigma>0"),
}


def derive():
    return derive_bound(lookup("drifted-brownian-motion").build()).found.derivation.divergence


def falsify(rng):
    """The two normal laws, by the trapezoidal rule around the peak of the integrand."""

    def truth(mp, alpha, t, sigma, x, xp, mu):
        spread = sigma * mp.sqrt(t)
        a, b = x + mu * t, xp + mu * t
        nodes = [alpha * a + (1 - alpha) * b + k * spread / 3 for k in range(-45, 46)]
        whole = mp.fsum(mp.npdf(y, a, spread) ** alpha * mp.npdf(y, b, spread) ** (1 - alpha) for y in nodes)
        return mp.log(spread / 3 * whole) / (alpha - 1)

    where = "alpha>1, alpha<6, t>0, t<3, sigma>1/4, sigma<3, x>-2, x<2, xp>-2, xp<2, mu>-3, mu<3"
    return attack("X-drift", CLAIMS["X-drift"], where, truth, rng, tight=True, count=30)


def reference_points():
    return [
        ("X-drift", "alpha=2,t=1/2,sigma=2,x=1,xp=-1/2", "1.125000000000000000000000000000000000000"),
    ]
