r"""The variance preserving diffusion of generative modelling as a privacy mechanism.

Setting: $dX = -\tfrac12\beta(t)X\,dt + \sqrt{\beta(t)}\,dW$ in $\mathbb R^d$, any $d$, started at $f(D)$, $f$ of
    sensitivity $\Delta$, seen at time $t$; $B(t) = \int_0^t\beta$. The rate grows linearly,
    $\beta(t) = \beta_0 + \beta_1t$, is constant, or blows up, $\beta(t) = 1/(1-t)$, so that all is forgotten at time 1.
Claim: [VP-rdp] $(\alpha, \alpha\Delta^2/(2(e^{B(t)}-1)))$-RDP
    [VP-gdp] $\Delta/\sqrt{e^{B(t)}-1}$-GDP
    [VP-flow] $\kappa(t) = \tfrac12\beta\Delta^2e^B/(e^B-1)^2$ and $\Lambda(t) = \Delta^2/(2(e^{B(t)}-1))$
Bound: **tight**
Citation: song2021, appendix B
Assumed: nothing
"""

from symdp import Diffusion, symbol
from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.theorem import apply

WHERE = "alpha>1, t>0, Delta>=0, beta0>0, beta1>0"

CLAIMS = {
    "VP-rdp:linear rate": Claim("alpha*Delta**2/(2*(exp(beta0*t+beta1*t**2/2)-1))", where=WHERE),
    "VP-rdp:constant rate": Claim("alpha*Delta**2/(2*(exp(b*t)-1))", where="alpha>1, t>0, Delta>=0, b>0"),
    "VP-rdp:rate that blows up": Claim("alpha*Delta**2*(1-t)/(2*t)", where="alpha>1, t>0, t<1, Delta>=0"),
    "VP-gdp": Claim("Delta/sqrt(exp(beta0*t+beta1*t**2/2)-1)", where="t>0, Delta>=0, beta0>0, beta1>0", field="mu"),
    "VP-flow:kappa": Claim(
        "(beta0+beta1*t)*Delta**2*exp(beta0*t+beta1*t**2/2)/(2*(exp(beta0*t+beta1*t**2/2)-1)**2)",
        where="t>0, Delta>=0, beta0>0, beta1>0",
        field="kappa",
    ),
    "VP-flow:lambda": Claim(
        "Delta**2/(2*(exp(beta0*t+beta1*t**2/2)-1))", where="t>0, Delta>=0, beta0>0, beta1>0", field="Lambda"
    ),
}


def variance_preserving(rate, domain=None):
    return derive_bound(Diffusion("-beta(t)/2*x", "sqrt(beta(t))", domain=domain, let={"beta(t)": rate}))


def derive():
    linear = variance_preserving("beta0+beta1*t").found.derivation
    sensitivity = apply("intrinsic-sensitivity", linear.flow, dimension=symbol("d"))
    return {
        "VP-rdp:linear rate": linear.privacy,
        "VP-rdp:constant rate": variance_preserving("b").privacy,
        "VP-rdp:rate that blows up": variance_preserving("1/(1-t)", "t<1").privacy,
        "VP-gdp": linear.gaussian,
        "VP-flow:kappa": sensitivity,
        "VP-flow:lambda": sensitivity,
    }


def falsify(rng):
    """Means and variances by integration: ``m' = -beta m/2``, ``v' = beta - beta v``, from variation of constants."""

    def moments(mp, rate, t):
        def between(s):
            return mp.exp(-mp.quad(rate, [s, t], method="gauss-legendre") / 2)

        with mp.workdps(32):
            variance = mp.quad(lambda s: rate(s) * between(s) ** 2, [0, t], method="gauss-legendre")
            return between(mp.mpf(0)), variance

    def divergence(mp, alpha, Delta, scale, variance):
        """Of N(scale Delta, v) and N(0, v) by the trapezoidal rule on the integral that defines it."""
        gap, spread = scale * Delta, mp.sqrt(variance)
        nodes = [alpha * gap + k * spread / 3 for k in range(-45, 46)]
        powers = (mp.npdf(y, gap, spread) ** alpha * mp.npdf(y, 0, spread) ** (1 - alpha) for y in nodes)
        return mp.log(spread / 3 * mp.fsum(powers)) / (alpha - 1)

    def linear(mp, alpha, t, Delta, beta0, beta1):
        return divergence(mp, alpha, Delta, *moments(mp, lambda s: beta0 + beta1 * s, t))

    def constant(mp, alpha, t, Delta, b):
        return divergence(mp, alpha, Delta, *moments(mp, lambda s: b + 0 * s, t))

    def blowing(mp, alpha, t, Delta):
        return divergence(mp, alpha, Delta, *moments(mp, lambda s: 1 / (1 - s), t))

    def gaussian(mp, t, Delta, beta0, beta1):
        """The gap of the means in units of the spread."""
        scale, variance = moments(mp, lambda s: beta0 + beta1 * s, t)
        return scale * Delta / mp.sqrt(variance)

    def kappa(mp, t, Delta, beta0, beta1):
        """Gamma of the logarithm of the ratio, whose slope is the gap of the means over the variance."""
        scale, variance = moments(mp, lambda s: beta0 + beta1 * s, t)
        return (beta0 + beta1 * t) / 2 * (scale * Delta / variance) ** 2

    def total(mp, t, Delta, beta0, beta1):
        """The Kullback-Leibler divergence, which kappa takes away until nothing is left."""
        return gaussian(mp, t, Delta, beta0, beta1) ** 2 / 2

    small = "t>0, t<2, Delta>=0, Delta<3, beta0>0, beta0<2, beta1>0, beta1<2"
    tasks = {
        "VP-rdp:linear rate": (linear, f"{small}, alpha>1, alpha<6"),
        "VP-rdp:constant rate": (constant, "t>0, t<2, Delta>=0, Delta<3, b>0, b<2, alpha>1, alpha<6"),
        "VP-rdp:rate that blows up": (blowing, "t>0, t<4/5, Delta>=0, Delta<3, alpha>1, alpha<6"),
        "VP-gdp": (gaussian, small),
        "VP-flow:kappa": (kappa, small),
        "VP-flow:lambda": (total, small),
    }
    return {
        key: attack(key, CLAIMS[key], where, truth, rng, tight=True, count=10) for key, (truth, where) in tasks.items()
    }


def reference_points():
    return [
        ("VP-rdp:linear rate", "alpha=2,t=1,Delta=1,beta0=1/10,beta1=1/2", "2.386250148351596538570694604831522593939"),
        ("VP-rdp:constant rate", "alpha=2,t=1,Delta=1,b=1", "0.5819767068693264243850020051090115585469"),
        ("VP-rdp:rate that blows up", "alpha=2,t=1/4,Delta=1", "3"),
        ("VP-gdp", "t=1,Delta=1,beta0=1/10,beta1=1/2", "1.544749218595561076443931110977415829802"),
        ("VP-flow:kappa", "t=1,Delta=1,beta0=1/10,beta1=1/2", "2.424131975657883908128659044775138342779"),
        ("VP-flow:lambda", "t=1,Delta=1,beta0=1/10,beta1=1/2", "1.193125074175798269285347302415761296969"),
    ]
