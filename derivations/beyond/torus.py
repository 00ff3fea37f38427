r"""Brownian motion on a flat torus.

Setting: $d\Theta_i = \sigma\,dW_i$, $i = 1, 2$, seen modulo $2\pi$: what is seen is a function of the angles.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \alpha|x-x'|^2/(2\sigma^2t)$ on the torus, $x, x'$ any angles of the starts
Bound: **upper**
Citation: bakry2014, section 2.4
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-torus": Claim("alpha*((x1-xp1)**2+(x2-xp2)**2)/(2*sigma**2*t)", where="alpha>1, t>0, sigma>0"),
}


def derive():
    return derive_bound(lookup("torus").build()).found.derivation.divergence


def falsify(rng):
    """The divergence on the torus itself: the two circles add up."""

    def wrapped(mp, mean, variance, angles):
        """The density of a wrapped normal law, as a theta function."""
        terms = [(n, mp.exp(-variance * n**2 / 2)) for n in range(1, 40)]
        return [(1 + 2 * mp.fsum(w * mp.cos(n * (y - mean)) for n, w in terms)) / (2 * mp.pi) for y in angles]

    def divergence(mp, alpha, variance, a, b):
        angles = [2 * mp.pi * k / 120 for k in range(120)]
        pairs = zip(wrapped(mp, a, variance, angles), wrapped(mp, b, variance, angles), strict=True)
        return mp.log(mp.fsum(p**alpha * q ** (1 - alpha) for p, q in pairs) * 2 * mp.pi / 120) / (alpha - 1)

    def truth(mp, alpha, t, sigma, x1, x2, xp1, xp2):
        return mp.fsum(divergence(mp, alpha, sigma**2 * t, a, b) for a, b in ((x1, xp1), (x2, xp2)))

    sides = ", ".join(f"{name}>-3, {name}<3" for name in ("x1", "x2", "xp1", "xp2"))
    where = f"alpha>1, alpha<3, t>1, t<3, sigma>1/2, sigma<2, {sides}"
    return attack("X-torus", CLAIMS["X-torus"], where, truth, rng, tight=False, count=6)


def reference_points():
    return [
        ("X-torus", "alpha=2,t=1/2,sigma=2,x1=1,xp1=-1/2,x2=0,xp2=1", "1.6250000000000000000"),
    ]
