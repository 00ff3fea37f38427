r"""Brownian motion reflected in a convex box.

Setting: $dX = \sigma\,dW$ on $[0, 1]\times[0, \infty)$, reflected along the normals.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha|x-x'|^2/(2\sigma^2t)$, and $(\alpha, \alpha\Delta^2/(2\sigma^2t))$-RDP
Bound: **upper**
Citation: wang2014, chapter 3
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-box:divergence": Claim("alpha*((x1-xp1)**2+(x2-xp2)**2)/(2*sigma**2*t)", where="alpha>1, t>0, sigma>0"),
    "X-box:privacy": Claim("alpha*Delta**2/(2*sigma**2*t)", where="alpha>1, t>0, Delta>=0, sigma>0"),
}


def derive():
    found = derive_bound(lookup("reflected-brownian-box").build())
    return {"X-box:divergence": found.found.derivation.divergence, "X-box:privacy": found.found.derivation.privacy}


def falsify(rng):
    """The coordinates are independent: a sum over images on the interval, two images on the half line."""

    def interval(mp, variance, start):
        images = [2 * n + side * start for n in range(-12, 13) for side in (1, -1)]
        return lambda y: mp.fsum(mp.npdf(y, image, mp.sqrt(variance)) for image in images)

    def half_line(mp, variance, start):
        return lambda y: mp.npdf(y, start, mp.sqrt(variance)) + mp.npdf(y, -start, mp.sqrt(variance))

    def divergence(mp, alpha, p, q, ends):
        return mp.log(mp.quad(lambda y: p(y) ** alpha * q(y) ** (1 - alpha), ends)) / (alpha - 1)

    def truth(mp, alpha, t, sigma, x1, x2, xp1, xp2):
        with mp.workdps(15):
            v = sigma**2 * t
            first = divergence(mp, alpha, interval(mp, v, x1), interval(mp, v, xp1), [0, mp.mpf(1) / 2, 1])
            far = [0, 1, 2, 4, 8, 16, 30]
            return first + divergence(mp, alpha, half_line(mp, v, x2), half_line(mp, v, xp2), far)

    where = "alpha>1, alpha<3, t>1/5, t<2, sigma>1/2, sigma<2, x1>0, x1<1, x2>0, x2<2, xp1>0, xp1<1, xp2>0, xp2<2"
    key = "X-box:divergence"
    found = {key: attack(key, CLAIMS[key], where, truth, rng, tight=False, count=5)}

    def apart(mp, alpha, t, sigma, Delta):
        """Starts at this distance, along the half line."""
        return truth(mp, alpha, t, sigma, mp.mpf(1) / 2, mp.mpf(0), mp.mpf(1) / 2, Delta)

    where = "alpha>1, alpha<3, t>1/5, t<2, sigma>1/2, sigma<2, Delta>0, Delta<2"
    key = "X-box:privacy"
    return found | {key: attack(key, CLAIMS[key], where, apart, rng, tight=False, count=5)}


def reference_points():
    return [
        ("X-box:divergence", "alpha=2,t=1/2,sigma=2,x1=1,xp1=1/2,x2=1,xp2=0", "0.62500000000000000000"),
        ("X-box:privacy", "alpha=2,t=1/2,sigma=2,Delta=1", "0.50000000000000000000"),
    ]
