r"""An Ornstein-Uhlenbeck process with two rates.

Setting: $dX_1 = -\theta X_1\,dt + \sqrt2\,\rho\,dW_1$, $dX_2 = -\eta X_2\,dt + \sqrt2\,\tau\,dW_2$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) = \frac{\alpha\theta(x_1-x_1')^2}{2\rho^2(e^{2\theta t}-1)} +
    \frac{\alpha\eta(x_2-x_2')^2}{2\tau^2(e^{2\eta t}-1)}$
Bound: **tight**
Citation: pavliotis2014, chapter 3
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack, linear_divergence
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-anisotropic": Claim(
        "alpha*theta*(x1-xp1)**2/(2*rho**2*(exp(2*theta*t)-1)) + alpha*eta*(x2-xp2)**2/(2*tau**2*(exp(2*eta*t)-1))",
        where="alpha>1, t>0, theta>0, rho>0, eta>0, tau>0",
    ),
}


def derive():
    return derive_bound(lookup("anisotropic-ornstein-uhlenbeck").build()).found.derivation.divergence


def falsify(rng):
    """``z^T C^{-1} z`` of the gap z of the means and the covariance C, both by the matrix exponential."""

    def truth(mp, alpha, t, theta, rho, eta, tau, x1, x2, xp1, xp2):
        drift, noise = mp.matrix([[-theta, 0], [0, -eta]]), mp.matrix([[2 * rho**2, 0], [0, 2 * tau**2]])
        return linear_divergence(mp, alpha, t, drift, noise, mp.matrix([x1 - xp1, x2 - xp2]))

    sides = ", ".join(f"{name}>-2, {name}<2" for name in ("x1", "x2", "xp1", "xp2"))
    where = f"alpha>1, alpha<6, t>1/5, t<2, theta>1/4, theta<2, eta>1/4, eta<2, rho>1/4, rho<2, tau>1/4, tau<2, {sides}"
    return attack("X-anisotropic", CLAIMS["X-anisotropic"], where, truth, rng, tight=True, count=30)


def reference_points():
    return [
        (
            "X-anisotropic",
            "alpha=2,t=1,theta=1,rho=1,eta=1/2,tau=2,x1=1,xp1=0,x2=2,xp2=0",
            "0.4475059961843288640105816260199296957294",
        ),
    ]
