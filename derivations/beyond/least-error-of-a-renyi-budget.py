r"""The least error of a Gaussian mechanism with a given Rényi guarantee, and the diffusion that attains it.

Setting: mechanisms $b f(D) + N(0, wI)$ in $\mathbb R^d$ with real $b$ and $w > 0$ that are
    $(\alpha, \alpha\epsilon)$-RDP at every order for each $f$ of sensitivity $\Delta$; the error is the largest mean
    squared error over $\|f(D)\| \le R$. The Ornstein-Uhlenbeck mechanism at any time $t$ is one of them.
Claim: [least] the least error is $\tfrac{d\Delta^2R^2}{2\epsilon R^2 + d\Delta^2}$, attained at each $t$ by
    $\theta = \tfrac1t\log(1 + \tfrac{d\Delta^2}{2\epsilon R^2})$, $\rho^2 =
    \tfrac{\theta\Delta^2}{2\epsilon(e^{2\theta t}-1)}$
    [least.budget] which is $(\alpha, \alpha\epsilon)$-RDP
    [least.ratio] and errs $(1 + \tfrac{d\Delta^2}{2\epsilon R^2})^{-1}$ times as much as the unbiased Gaussian
    mechanism of that guarantee
Bound: **tight**
Citation: balle2019, Theorem 8, there for t = 1 and without that no other parameters do better
Assumed: nothing
"""

from symdp import Diffusion, symbol
from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.derivation.utility import tune

BUDGET = "epsilon>0, Delta>0, R>0, d>=1, t>0"
CLAIMS = {
    "least": Claim("d*Delta**2*R**2/(2*epsilon*R**2 + d*Delta**2)", where=BUDGET, field="value"),
    "least.budget": Claim("alpha*epsilon", where=f"alpha>1, {BUDGET}"),
    "least.ratio": Claim("1/(1 + d*Delta**2/(2*epsilon*R**2))", where=BUDGET),
}


def derive():
    kernel = derive_bound(Diffusion("-theta*x", "sqrt(2)*rho")).found.derivation.kernel
    tuning = tune(kernel, [symbol("theta"), symbol("rho")], symbol("R"), symbol("d"))
    return {"least": tuning.least, "least.budget": tuning.privacy, "least.ratio": tuning.ratio}


def falsify(rng):
    """The least of a dense grid of scales, each with as little noise as the budget allows, refined by a parabola."""

    def noise(scale, epsilon, Delta):
        """The variance at which two means ``scale Delta`` apart have the divergence ``alpha epsilon``."""
        return (scale * Delta) ** 2 / (2 * epsilon)

    def error(mp, scale, epsilon, Delta, R, d):
        return (1 - scale) ** 2 * R**2 + d * noise(scale, epsilon, Delta)

    def least(mp, epsilon, Delta, R, d, t=None):
        values = [error(mp, mp.mpf(k) / 64, epsilon, Delta, R, d) for k in range(-32, 129)]
        k = min(range(1, len(values) - 1), key=values.__getitem__)
        left, middle, right = values[k - 1 : k + 2]
        return middle - (right - left) ** 2 / (8 * (left - 2 * middle + right))

    def budget(mp, alpha, epsilon, Delta, R, d, t):
        """The divergence of two neighbours of the law at time t, by the matrix exponential and a trapezoidal rule."""
        theta = -mp.log(mp.findroot(lambda b: mp.diff(lambda c: error(mp, c, epsilon, Delta, R, d), b), 0.5)) / t
        unit = mp.expm(mp.matrix([[-theta, 0, 0], [0, -2 * theta, 2], [0, 0, 0]]) * t)
        rho = mp.sqrt(noise(unit[0, 0], epsilon, Delta) / unit[1, 2])
        spread, gap = rho * mp.sqrt(unit[1, 2]), unit[0, 0] * Delta
        nodes = [(1 - alpha) * gap + k * spread / 3 for k in range(-45, 46)]  # wrong by less than 1e-40
        powers = (mp.npdf(y, 0, spread) ** alpha * mp.npdf(y, gap, spread) ** (1 - alpha) for y in nodes)
        return mp.log(spread / 3 * mp.fsum(powers)) / (alpha - 1)

    def ratio(mp, epsilon, Delta, R, d, t):
        return least(mp, epsilon, Delta, R, d) / (d * noise(mp.mpf(1), epsilon, Delta))

    where = "epsilon>0, epsilon<9, Delta>0, Delta<4, R>0, R<9, d>=1, d<9, t>0, t<3"
    tasks = {
        "least": (least, where),
        "least.budget": (budget, f"alpha>1, alpha<5, {where}"),
        "least.ratio": (ratio, where),
    }
    return {
        key: attack(key, CLAIMS[key], domain, truth, rng, tight=True, count=30)
        for key, (truth, domain) in tasks.items()
    }


def reference_points():
    budget = "epsilon=1/2,Delta=1,R=2,d=3,t=5"
    return [
        ("least", budget, "1.714285714285714285714285714285714285714"),
        ("least.budget", f"alpha=3,{budget}", "1.5"),
        ("least.ratio", budget, "0.5714285714285714285714285714285714285714"),
    ]
