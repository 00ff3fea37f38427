r"""A linear drift that turns, and is not reversible.

Setting: $dX_1 = (-\theta X_1 - \omega X_2)\,dt + \sqrt2\,\rho\,dW_1$, $dX_2 = (\omega X_1 - \theta X_2)\,dt +
    \sqrt2\,\rho\,dW_2$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) = \alpha\theta|x-x'|^2/(2\rho^2(e^{2\theta t}-1))$, whatever $\omega$ is
Bound: **tight**
Citation: pavliotis2014, chapter 4
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack, linear_divergence
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-rotational": Claim(
        "alpha*theta*((x1-xp1)**2+(x2-xp2)**2)/(2*rho**2*(exp(2*theta*t)-1))",
        where="alpha>1, t>0, theta>0, rho>0, omega>0",
    ),
}


def derive():
    return derive_bound(lookup("rotational-ornstein-uhlenbeck").build()).found.derivation.divergence


def falsify(rng):
    """``z^T C^{-1} z`` of the gap z of the means and the covariance C, both by the matrix exponential."""

    def truth(mp, alpha, t, theta, rho, omega, x1, x2, xp1, xp2):
        drift, noise = mp.matrix([[-theta, -omega], [omega, -theta]]), mp.matrix([[2 * rho**2, 0], [0, 2 * rho**2]])
        return linear_divergence(mp, alpha, t, drift, noise, mp.matrix([x1 - xp1, x2 - xp2]))

    sides = ", ".join(f"{name}>-2, {name}<2" for name in ("x1", "x2", "xp1", "xp2"))
    where = f"alpha>1, alpha<6, t>1/5, t<2, theta>1/4, theta<2, omega>0, omega<4, rho>1/4, rho<2, {sides}"
    return attack("X-rotational", CLAIMS["X-rotational"], where, truth, rng, tight=True, count=30)


def reference_points():
    return [
        (
            "X-rotational",
            "alpha=2,t=1,theta=1,rho=1,x1=1,xp1=0,x2=2,xp2=0",
            "0.7825882137483282590904031173271195822800",
        ),
    ]
