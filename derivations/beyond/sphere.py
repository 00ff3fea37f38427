r"""Brownian motion on the sphere.

Setting: $L = \Delta$ on the unit sphere of dimension two, in stereographic coordinates; $d$ is the great-circle
    distance.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \frac{\alpha d(x, x')^2}{2(e^{2t}-1)}$, $\cos d = 1 -
    \frac{2|x-x'|^2}{(1+|x|^2)(1+|x'|^2)}$
Bound: **upper**
Citation: bakry2014, section 2.2
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-sphere": Claim(
        "alpha*acos(1-2*((x1-xp1)**2+(x2-xp2)**2)/((1+x1**2+x2**2)*(1+xp1**2+xp2**2)))**2/(2*(exp(2*t)-1))",
        where="alpha>1, t>0",
    ),
}


def derive():
    return derive_bound(lookup("sphere").build()).found.derivation.divergence


def falsify(rng):
    """The heat kernel as a series of Legendre polynomials, integrated in polar coordinates around one start."""

    def kernel(mp, t):
        terms = [((2 * n + 1) * mp.exp(-n * (n + 1) * t) / (4 * mp.pi), n) for n in range(14)]
        return lambda cosine: mp.fsum(w * mp.legendre(n, cosine) for w, n in terms)

    def truth(mp, alpha, t, x1, x2, xp1, xp2):
        with mp.workdps(15):
            square = (x1 - xp1) ** 2 + (x2 - xp2) ** 2
            gap = mp.acos(1 - 2 * square / ((1 + x1**2 + x2**2) * (1 + xp1**2 + xp2**2)))
            p, whole, rows, columns = kernel(mp, t), mp.mpf(0), 16, 16
            for i in range(rows):
                z = (i + mp.mpf(1) / 2) * 2 / rows - 1  # the cosine of the polar angle has a uniform law
                here, radius = p(z) ** alpha, mp.sqrt(1 - z**2) * mp.sin(gap)
                angles = (mp.pi * (j + mp.mpf(1) / 2) / columns for j in range(columns))
                there = mp.fsum(p(z * mp.cos(gap) + radius * mp.cos(a)) ** (1 - alpha) for a in angles)
                whole += here * there * 2 * mp.pi / columns * 2 / rows
            return mp.log(whole) / (alpha - 1) - mp.mpf(10) ** -3  # the error of the midpoint rule

    where = "alpha>3/2, alpha<3, t>1/3, t<1, x1>-2, x1<2, x2>-2, x2<2, xp1>-2, xp1<2, xp2>-2, xp2<2"
    return attack("X-sphere", CLAIMS["X-sphere"], where, truth, rng, tight=False, count=4)


def reference_points():
    return [
        ("X-sphere", "alpha=2,t=1/2,x1=1,xp1=0,x2=0,xp2=0", "1.4359699668622489112"),
    ]
