r"""Integrated Brownian motion.

Setting: $dX_1 = X_2\,dt$, $dX_2 = \sigma\,dW$: noise in one of two directions, which reaches the other.
Claim: $R_\alpha(P_t(x)\|P_t(x')) = \frac\alpha{\sigma^2}\left(\frac{6z_1^2}{t^3} + \frac{6z_1z_2}{t^2} +
    \frac{2z_2^2}t\right)$, $z = x - x'$
Bound: **tight**
Citation: pavliotis2014, chapter 6
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack, linear_divergence
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-integrated": Claim(
        "alpha/sigma**2*(6*(x1-xp1)**2/t**3 + 6*(x1-xp1)*(x2-xp2)/t**2 + 2*(x2-xp2)**2/t)",
        where="alpha>1, t>0, sigma>0",
    ),
}


def derive():
    return derive_bound(lookup("integrated-brownian-motion").build()).found.derivation.divergence


def falsify(rng):
    """``z^T C^{-1} z`` of the gap z of the means and the covariance C, both by the matrix exponential."""

    def truth(mp, alpha, t, sigma, x1, x2, xp1, xp2):
        drift, noise = mp.matrix([[0, 1], [0, 0]]), mp.matrix([[0, 0], [0, sigma**2]])
        return linear_divergence(mp, alpha, t, drift, noise, mp.matrix([x1 - xp1, x2 - xp2]))

    sides = ", ".join(f"{name}>-2, {name}<2" for name in ("x1", "x2", "xp1", "xp2"))
    where = f"alpha>1, alpha<6, t>1/5, t<2, sigma>1/4, sigma<2, {sides}"
    return attack("X-integrated", CLAIMS["X-integrated"], where, truth, rng, tight=True, count=30)


def reference_points():
    return [
        ("X-integrated", "alpha=2,t=1,sigma=1,x1=1,xp1=0,x2=2,xp2=0", "52.00000000000000000000000000000000000000"),
    ]
