r"""The Ornstein-Uhlenbeck semigroup and its symmetric kernel.

Setting: $dX = -\theta X\,dt + \sqrt2\,\rho\,dW$ in $\mathbb R^d$, any $d$, started at $x$. The invariant density is
    that of one coordinate; $xx, xy, yy$ are $|x|^2, \langle x, y\rangle, |y|^2$.
Claim: [B-OU.P] $P_t(x) = N(e^{-\theta t}x, \tfrac{\rho^2}\theta(1-e^{-2\theta t})I)$ is a semigroup, $P_sP_t =
    P_{s+t}$, with the unique invariant measure $N(0, \tfrac{\rho^2}\theta I)$
    [B-OU.kernel] with respect to it
    $p_t(x,y) \propto \exp\bigl(-\theta\,\tfrac{|x|^2-2e^{\theta t}\langle x,y\rangle+|y|^2}{2\rho^2(e^{2\theta
    t}-1)}\bigr)$, symmetric
Bound: **tight**
Citation: balle2019, section 5.1
Assumed: nothing
"""

from sympy import Integer, oo

from symdp import Diffusion, Interval, symbol
from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.theorem import apply

CLAIMS = {
    "B-OU.P:mean": Claim("exp(-theta*t)", where="t>0, theta>0, rho>0", field="scale"),
    "B-OU.P:variance": Claim("rho**2/theta*(1-exp(-2*theta*t))", where="t>0, theta>0, rho>0", field="variance"),
    "B-OU.P:semigroup mean": Claim("exp(-theta*(s+t))", where="s>0, t>0, theta>0, rho>0", field="scale"),
    "B-OU.P:semigroup variance": Claim(
        "rho**2/theta*(1-exp(-2*theta*(s+t)))", where="s>0, t>0, theta>0, rho>0", field="variance"
    ),
    "B-OU.P:invariant": Claim(
        "exp(-theta*x**2/(2*rho**2))/sqrt(2*pi*rho**2/theta)", where="theta>0, rho>0", field="density"
    ),
    "B-OU.kernel": Claim(
        "-theta*(xx - 2*exp(theta*t)*xy + yy)/(2*rho**2*(exp(2*theta*t)-1))", where="t>0, theta>0, rho>0"
    ),
}


def derive():
    process, dimension = Diffusion("-theta*x", "sqrt(2)*rho"), symbol("d")
    kernel = derive_bound(process).found.derivation.kernel
    at_t = apply("linear-copies", kernel, dimension=dimension)
    later = process.params.extend({symbol("s"): Interval.positive(), dimension: Interval(Integer(1), oo, True, False)})
    at_s = apply("gaussian-at", at_t, values=((symbol("t"), symbol("s")),), region=later)
    both = apply("gaussian-after-gaussian", at_t, at_s)
    invariant = apply("invariant-gaussian", at_t)
    return {
        "B-OU.P:mean": at_t,
        "B-OU.P:variance": at_t,
        "B-OU.P:semigroup mean": both,
        "B-OU.P:semigroup variance": both,
        "B-OU.P:invariant": invariant,
        "B-OU.kernel": apply("symmetric-kernel", apply("transition-density", at_t), invariant),
    }


def falsify(rng):
    """The moments solve ``m' = -theta m, v' = -2 theta v + 2 rho^2``: by the matrix exponential."""

    def flow(mp, theta, rho, t, start=(1, 0)):
        """Mean and variance at time t of the process whose mean and variance at time 0 are ``start``."""
        step = mp.expm(mp.matrix([[-theta, 0, 0], [0, -2 * theta, 2 * rho**2], [0, 0, 0]]) * t)
        return step[0, 0] * start[0], step[1, 1] * start[1] + step[1, 2]

    def stationary(mp, theta, rho, x):
        """Where the variance does not move."""
        variance = mp.findroot(lambda v: -2 * theta * v + 2 * rho**2, rho**2)
        return mp.npdf(x, 0, mp.sqrt(variance))

    def exponent(mp, theta, rho, t, xx, xy, yy):
        """``log p_t(x, y)/p_oo(y)`` less its value at x = y = 0, y having one part along x and one across."""
        scale, variance = flow(mp, theta, rho, t)
        x, y = mp.sqrt(xx), (xy / mp.sqrt(xx), mp.sqrt(yy - xy**2 / xx))

        def ratio(x, y):
            late = mp.findroot(lambda v: -2 * theta * v + 2 * rho**2, rho**2)
            return mp.log(mp.npdf(y, scale * x, mp.sqrt(variance)) / mp.npdf(y, 0, mp.sqrt(late)))

        return ratio(x, y[0]) + ratio(0, y[1]) - 2 * ratio(0, 0)

    where = "theta>0, theta<3, rho>0, rho<3, t>0, t<3"
    tasks = {
        "B-OU.P:mean": (lambda mp, theta, rho, t: flow(mp, theta, rho, t)[0], where),
        "B-OU.P:variance": (lambda mp, theta, rho, t: flow(mp, theta, rho, t)[1], where),
        "B-OU.P:semigroup mean": (
            lambda mp, theta, rho, t, s: flow(mp, theta, rho, s, flow(mp, theta, rho, t))[0],
            where + ", s>0, s<3",
        ),
        "B-OU.P:semigroup variance": (
            lambda mp, theta, rho, t, s: flow(mp, theta, rho, s, flow(mp, theta, rho, t))[1],
            where + ", s>0, s<3",
        ),
        "B-OU.P:invariant": (stationary, "theta>0, theta<3, rho>0, rho<3, x>-3, x<3"),
        "B-OU.kernel": (exponent, where + ", xx>0, xy>-1, xy<1, yy>2, xx*yy>xy**2"),
    }
    return {key: attack(key, CLAIMS[key], where, truth, rng, tight=True) for key, (truth, where) in tasks.items()}


def reference_points():
    return [
        ("B-OU.P:mean", "theta=1/2,t=3", "0.22313016014842982893"),
        ("B-OU.P:variance", "theta=1/2,rho=2,t=3", "7.6017034530570884562"),
        ("B-OU.P:semigroup mean", "theta=1/2,s=1,t=2", "0.22313016014842982893"),
        ("B-OU.P:semigroup variance", "theta=1/2,rho=2,s=1,t=2", "7.6017034530570884562"),
        ("B-OU.P:invariant", "theta=2,rho=3,x=1", "0.16828634049855267771"),
        ("B-OU.kernel", "theta=1,rho=1,t=log(2),xx=1,xy=2,yy=5", "0.33333333333333333333"),
    ]
