r"""Brownian motion on a circle.

Setting: $d\Theta = \sigma\,dW$, seen modulo $2\pi$: what is seen is a function of the angle, so the bound of the
    angle holds.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha(x-x')^2/(2\sigma^2t)$ on the circle, $x, x'$ any two angles of the starts
Bound: **upper**
Citation: bakry2014, section 2.4
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-circle": Claim("alpha*(x-xp)**2/(2*sigma**2*t)", where="alpha>1, t>0, sigma>0"),
}


def derive():
    return derive_bound(lookup("circle").build()).found.derivation.divergence


def falsify(rng):
    """The divergence on the circle itself, of two wrapped normal laws."""

    def wrapped(mp, mean, variance, angles):
        """The density of a wrapped normal law, as a theta function."""
        terms = [(n, mp.exp(-variance * n**2 / 2)) for n in range(1, 40)]
        return [(1 + 2 * mp.fsum(w * mp.cos(n * (y - mean)) for n, w in terms)) / (2 * mp.pi) for y in angles]

    def divergence(mp, alpha, variance, a, b):
        angles = [2 * mp.pi * k / 120 for k in range(120)]
        pairs = zip(wrapped(mp, a, variance, angles), wrapped(mp, b, variance, angles), strict=True)
        return mp.log(mp.fsum(p**alpha * q ** (1 - alpha) for p, q in pairs) * 2 * mp.pi / 120) / (alpha - 1)

    def truth(mp, alpha, t, sigma, x, xp):
        return divergence(mp, alpha, sigma**2 * t, x, xp)

    where = "alpha>1, alpha<3, t>1, t<3, sigma>1/2, sigma<2, x>-3, x<3, xp>-3, xp<3"
    return attack("X-circle", CLAIMS["X-circle"], where, truth, rng, tight=False, count=10)


def reference_points():
    return [
        ("X-circle", "alpha=2,t=1/2,sigma=2,x=1,xp=-1/2", "1.1250000000000000000"),
    ]
