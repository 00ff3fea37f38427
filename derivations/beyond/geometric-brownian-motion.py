r"""Geometric Brownian motion.

Setting: $dX = \mu X\,dt + \sigma X\,dW$ on $(0, \infty)$, $\mu$ real.
Claim: $R_\alpha(P_t(x)\|P_t(x')) = \alpha(\log x/x')^2/(2\sigma^2t)$
Bound: **tight**
Citation: borodin2002, appendix 1
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-geometric": Claim("alpha*log(x/xp)**2/(2*sigma**2*t)", where="alpha>1, t>0, sigma>0, x>0, xp>0"),
}


def derive():
    return derive_bound(lookup("geometric-brownian-motion").build()).found.derivation.divergence


def falsify(rng):
    """The two lognormal laws, in the coordinate u = log y."""

    def truth(mp, alpha, t, sigma, x, xp, mu):
        spread = sigma * mp.sqrt(t)
        a, b = (mp.log(s) + (mu - sigma**2 / 2) * t for s in (x, xp))
        nodes = [alpha * a + (1 - alpha) * b + k * spread / 3 for k in range(-45, 46)]

        def density(u, mean):
            y = mp.exp(u)
            return mp.exp(-((mp.log(y) - mean) ** 2) / (2 * spread**2)) / (y * spread * mp.sqrt(2 * mp.pi))

        whole = mp.fsum(density(u, a) ** alpha * density(u, b) ** (1 - alpha) * mp.exp(u) for u in nodes)
        return mp.log(spread / 3 * whole) / (alpha - 1)

    where = "alpha>1, alpha<4, t>0, t<2, sigma>1/4, sigma<2, x>0, x<4, xp>0, xp<4, mu>-2, mu<2"
    return attack("X-geometric", CLAIMS["X-geometric"], where, truth, rng, tight=True, count=30)


def reference_points():
    return [
        ("X-geometric", "alpha=2,t=1/2,sigma=1,x=2,xp=1", "0.9609060278364028493342050526533299434611"),
    ]
