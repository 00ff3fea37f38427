r"""The Beneš diffusion.

Setting: $dX = k\tanh(kX)\,dt + dW$ in $\mathbb R$, the Doob transform of Brownian motion by $h = \cosh(kx)$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) = \frac{\alpha(x-x')^2}{2t} + \frac1{\alpha-1}\log\frac{h(\alpha
    x+(1-\alpha)x')}{h(x)^\alpha h(x')^{1-\alpha}}$
Bound: **tight**
Citation: bakry2014, section 1.15
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-benes": Claim(
        "alpha*(x-xp)**2/(2*t) + log(cosh(k*(alpha*x+(1-alpha)*xp))*cosh(k*xp)**(alpha-1)/cosh(k*x)**alpha)/(alpha-1)",
        where="alpha>1, t>0, k>0",
    ),
}


def derive():
    return derive_bound(lookup("benes").build()).found.derivation.divergence


def falsify(rng):
    """The kernel of Girsanov's theorem: a mixture of two normal laws with drift k and -k, which start in x."""

    def truth(mp, alpha, t, k, x, xp):
        spread = mp.sqrt(t)

        def density(y, start):
            up = 1 / (1 + mp.exp(-2 * k * start))
            return up * mp.npdf(y, start + k * t, spread) + (1 - up) * mp.npdf(y, start - k * t, spread)

        centre, reach = alpha * x + (1 - alpha) * xp, 14 * spread + k * t
        step = spread / 4
        nodes = [centre + j * step for j in range(-int(reach / step), int(reach / step) + 1)]
        whole = mp.fsum(density(y, x) ** alpha * density(y, xp) ** (1 - alpha) for y in nodes)
        return mp.log(step * whole) / (alpha - 1)

    where = "alpha>1, alpha<3, t>0, t<1, k>0, k<1, x>-1, x<1, xp>-1, xp<1"
    return attack("X-benes", CLAIMS["X-benes"], where, truth, rng, tight=True, count=30)


def reference_points():
    return [
        ("X-benes", "alpha=2,t=1,k=1,x=1,xp=0", "1.457441086391810056884761827029321589969"),
    ]
