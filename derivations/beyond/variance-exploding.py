r"""The variance exploding diffusion of generative modelling as a privacy mechanism.

Setting: $dX = \sqrt{2s(t)s'(t)}\,dW$ in $\mathbb R^d$, any $d$, started at $f(D)$, $f$ of sensitivity $\Delta$, seen at
    time $t$; the scale grows exponentially, $s(t) = \sigma e^{\gamma t}$, or linearly, $s(t) = t$.
Claim: [VE-rdp] $(\alpha, \alpha\Delta^2/(2(s(t)^2-s(0)^2)))$-RDP
    [VE-gdp] $\Delta/\sqrt{s(t)^2-s(0)^2}$-GDP
    [VE-flow] $\kappa(t) = ss'\Delta^2/(s(t)^2-s(0)^2)^2$ and $\Lambda(t) = \Delta^2/(2(s(t)^2-s(0)^2))$
Bound: **tight**
Citation: song2021, appendix B
Assumed: nothing
"""

from symdp import Diffusion, symbol
from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.theorem import apply

CLAIMS = {
    "VE-rdp:exponential scale": Claim(
        "alpha*Delta**2/(2*((sigma*exp(gamma*t))**2-sigma**2))", where="alpha>1, t>0, Delta>=0, sigma>0, gamma>0"
    ),
    "VE-rdp:linear scale": Claim("alpha*Delta**2/(2*t**2)", where="alpha>1, t>0, Delta>=0"),
    "VE-gdp": Claim(
        "Delta/sqrt((sigma*exp(gamma*t))**2-sigma**2)", where="t>0, Delta>=0, sigma>0, gamma>0", field="mu"
    ),
    "VE-flow:kappa": Claim(
        "gamma*(sigma*exp(gamma*t))**2*Delta**2/((sigma*exp(gamma*t))**2-sigma**2)**2",
        where="t>0, Delta>=0, sigma>0, gamma>0",
        field="kappa",
    ),
    "VE-flow:lambda": Claim(
        "Delta**2/(2*((sigma*exp(gamma*t))**2-sigma**2))", where="t>0, Delta>=0, sigma>0, gamma>0", field="Lambda"
    ),
}


def derive():
    exponential = derive_bound(
        Diffusion("0", "sqrt(2*gamma)*s(t)", let={"s(t)": "sigma*exp(gamma*t)"})  # s' = gamma s
    ).found.derivation
    sensitivity = apply("intrinsic-sensitivity", exponential.flow, dimension=symbol("d"))
    return {
        "VE-rdp:exponential scale": exponential.privacy,
        "VE-rdp:linear scale": derive_bound(Diffusion("0", "sqrt(2*t)")).privacy,
        "VE-gdp": exponential.gaussian,
        "VE-flow:kappa": sensitivity,
        "VE-flow:lambda": sensitivity,
    }


def falsify(rng):
    """The variance is the integral of the squared noise; divergences by the trapezoidal rule."""

    def variance(mp, scale, t):
        return mp.quad(lambda s: 2 * scale(s) * mp.diff(scale, s), [0, t])

    def divergence(mp, alpha, Delta, spread):
        nodes = [alpha * Delta + k * spread / 3 for k in range(-45, 46)]
        powers = (mp.npdf(y, Delta, spread) ** alpha * mp.npdf(y, 0, spread) ** (1 - alpha) for y in nodes)
        return mp.log(spread / 3 * mp.fsum(powers)) / (alpha - 1)

    def noise(mp, t, sigma, gamma):
        return mp.quad(lambda s: 2 * gamma * (sigma * mp.exp(gamma * s)) ** 2, [0, t])

    def exponential(mp, alpha, t, Delta, sigma, gamma):
        return divergence(mp, alpha, Delta, mp.sqrt(noise(mp, t, sigma, gamma)))

    def linear(mp, alpha, t, Delta):
        return divergence(mp, alpha, Delta, mp.sqrt(variance(mp, lambda s: s, t)))

    def gaussian(mp, t, Delta, sigma, gamma):
        return Delta / mp.sqrt(noise(mp, t, sigma, gamma))

    def kappa(mp, t, Delta, sigma, gamma):
        """Gamma of the logarithm of the ratio, whose slope is the gap over the variance."""
        return gamma * (sigma * mp.exp(gamma * t)) ** 2 * (Delta / noise(mp, t, sigma, gamma)) ** 2

    def total(mp, t, Delta, sigma, gamma):
        """The Kullback-Leibler divergence, which kappa takes away until nothing is left."""
        return gaussian(mp, t, Delta, sigma, gamma) ** 2 / 2

    small = "t>0, t<2, Delta>=0, Delta<3, sigma>0, sigma<2, gamma>0, gamma<2"
    tasks = {
        "VE-rdp:exponential scale": (exponential, f"{small}, alpha>1, alpha<6"),
        "VE-rdp:linear scale": (linear, "t>0, t<2, Delta>=0, Delta<3, alpha>1, alpha<6"),
        "VE-gdp": (gaussian, small),
        "VE-flow:kappa": (kappa, small),
        "VE-flow:lambda": (total, small),
    }
    return {
        key: attack(key, CLAIMS[key], where, truth, rng, tight=True, count=30) for key, (truth, where) in tasks.items()
    }


def reference_points():
    return [
        (
            "VE-rdp:exponential scale",
            "alpha=2,t=1,Delta=1,sigma=1,gamma=1",
            "0.1565176427496656518180806234654239164560",
        ),
        ("VE-rdp:linear scale", "alpha=3,t=1/2,Delta=1", "6"),
        ("VE-gdp", "t=1,Delta=1,sigma=1,gamma=1", "0.3956231069460751957736037128824337724875"),
        ("VE-flow:kappa", "t=1,Delta=1,sigma=1,gamma=1", "0.1810154152415776166019971972826476443148"),
        ("VE-flow:lambda", "t=1,Delta=1,sigma=1,gamma=1", "0.07825882137483282590904031173271195822800"),
    ]
