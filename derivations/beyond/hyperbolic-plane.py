r"""Brownian motion on the hyperbolic plane.

Setting: $L = y^2(\partial_x^2+\partial_y^2)$ on the upper half plane. The curvature is $-1$: the bound does not
    fall to $0$.
Claim: $R_\alpha(P_t(x)\|P_t(x')) \le \frac{\alpha d(x, x')^2}{2(1-e^{-2t})}$, $\cosh d = 1 +
    \frac{|x-x'|^2}{2x_2x_2'}$
Bound: **upper**
Citation: bakry2014, section 2.3
Assumed: nothing
"""

from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.catalogue import lookup

CLAIMS = {
    "X-hyperbolic": Claim(
        "alpha*acosh(1+((x1-xp1)**2+(x2-xp2)**2)/(2*x2*xp2))**2/(2*(1-exp(-2*t)))", where="alpha>1, t>0"
    ),
}


def derive():
    return derive_bound(lookup("hyperbolic-plane").build()).found.derivation.divergence


def falsify(rng):
    """McKean's integral for the heat kernel, integrated in polar coordinates around one start."""

    def kernel(mp, t, steps):
        """At the radii k h, with s = sqrt(r^2 + u^2) to take the root out of the integral."""

        def at(r):
            def integrand(u):
                s = mp.sqrt(r**2 + u**2)
                below = mp.cosh(s) - mp.cosh(r)
                return mp.exp(-(s**2) / (4 * t)) * u / mp.sqrt(below) if u else mp.exp(-(s**2) / (4 * t))

            nodes = ((k + mp.mpf(1) / 2) * 9 / steps for k in range(steps))
            total = mp.fsum(integrand(u) for u in nodes) * 9 / steps
            return mp.sqrt(2) * mp.exp(-t / 4) / (4 * mp.pi * t) ** mp.mpf("1.5") * total

        return at

    def truth(mp, alpha, t, x1, x2, xp1, xp2):
        with mp.workdps(15):
            gap = mp.acosh(1 + ((x1 - xp1) ** 2 + (x2 - xp2) ** 2) / (2 * x2 * xp2))
            rows, columns, far = 24, 10, 6
            p = kernel(mp, t, 40)
            step = mp.mpf(far + 4) / 100
            table = [p(k * step) for k in range(140)]

            def log_kernel(r):
                k = min(int(r / step), 138)
                share = r / step - k
                return (1 - share) * mp.log(table[k]) + share * mp.log(table[k + 1])

            whole = mass = mp.mpf(0)
            for i in range(rows):
                r = (i + mp.mpf(1) / 2) * far / rows
                for j in range(columns):
                    a = mp.pi * (j + mp.mpf(1) / 2) / columns
                    other = mp.acosh(mp.cosh(r) * mp.cosh(gap) - mp.sinh(r) * mp.sinh(gap) * mp.cos(a))
                    value = mp.exp(alpha * log_kernel(r) + (1 - alpha) * log_kernel(other))
                    area = mp.sinh(r) * 2 * mp.pi / columns * mp.mpf(far) / rows
                    whole, mass = whole + value * area, mass + mp.exp(log_kernel(r)) * area
            return mp.log(whole / mass) / (alpha - 1) * mp.mpf("0.98") - mp.mpf(
                "0.005"
            )  # what the grid may be wrong by

    where = "alpha>3/2, alpha<5/2, t>1/3, t<1, x1>0, x1<1, x2>1, x2<2, xp1>0, xp1<1, xp2>1, xp2<2"
    return attack("X-hyperbolic", CLAIMS["X-hyperbolic"], where, truth, rng, tight=False, count=4)


def reference_points():
    return [
        ("X-hyperbolic", "alpha=2,t=1/2,x1=0,xp1=0,x2=2,xp2=1", "0.76006547676375894391"),
    ]
