r"""Kinetic Langevin dynamics in a quadratic potential.

Setting: $dX_1 = X_2\,dt$, $dX_2 = (-\gamma X_2 - kX_1)\,dt + \sqrt{2\gamma}\,s\,dW$: the underdamped oscillator.
Claim: $R_\alpha(P_t(x)\|P_t(x')) = \frac\alpha2 z^\top W_t^{-1}z$, $z = x - x'$, $W_t = \int_0^te^{-As}Ne^{-A^\top
    s}\,ds$, the energy that moves the oscillator from $0$ to $z$ in time $t$
Bound: **tight**
Citation: pavliotis2014, chapter 6
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack, linear_divergence
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-kinetic": Claim(
        "alpha/2*control_energy(t, 0, 1, -k, -gamma, 0, 0, 2*gamma*s**2, x1-xp1, x2-xp2)",
        where="alpha>1, t>0, gamma>0, k>0, s>0",
    ),
}


def derive():
    return derive_bound(lookup("kinetic-langevin").build()).found.derivation.divergence


def falsify(rng):
    """``z^T C^{-1} z`` of the gap z of the means and the covariance C, both by the matrix exponential."""

    def truth(mp, alpha, t, gamma, k, s, x1, x2, xp1, xp2):
        drift, noise = mp.matrix([[0, 1], [-k, -gamma]]), mp.matrix([[0, 0], [0, 2 * gamma * s**2]])
        return linear_divergence(mp, alpha, t, drift, noise, mp.matrix([x1 - xp1, x2 - xp2]))

    sides = ", ".join(f"{name}>-2, {name}<2" for name in ("x1", "x2", "xp1", "xp2"))
    where = f"alpha>1, alpha<6, t>1/5, t<2, gamma>1/4, gamma<3, k>1/4, k<3, s>1/4, s<2, {sides}"
    return attack("X-kinetic", CLAIMS["X-kinetic"], where, truth, rng, tight=True, count=30)


def reference_points():
    return [
        ("X-kinetic", "alpha=2,t=1,gamma=1,k=1,s=1,x1=1,xp1=0,x2=2,xp2=0", "20.73918230317195180817967608427225300497"),
    ]
