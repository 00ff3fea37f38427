r"""Mean squared errors of the Ornstein-Uhlenbeck and of the Gaussian mechanism, plain and post-processed.

Setting: the Ornstein-Uhlenbeck mechanism $dX = -\theta X\,dt + \sqrt2\,\rho\,dW$ started at $f(D) \in \mathbb R^d$, any
    $d$, seen at time $t$; the unbiased Gaussian mechanism of the same privacy; and multiples $\beta$ of the latter.
    *norm* is $\|f(D)\|$; with $\|f(D)\| \le R$ an error is the largest over such $f$.
Claim: [B-(4)] $E_{OU} = (1-e^{-\theta t})^2\|f(D)\|^2 + \tfrac{d\rho^2}\theta(1-e^{-2\theta t})$
    [B-EGM] $E_{GM} = d\tilde\sigma^2$, $\tilde\sigma^2 = \rho^2(e^{2\theta t}-1)/\theta$
    [B-EPGM] $E_{PGM} \le E_{GM}(1 + d\tilde\sigma^2/R^2)^{-1}$ if $\|f(D)\| \le R$ and $\beta$ minimises the error
    [B-OU=PGM] the mechanism is $\beta(f(D) + N(0, \tilde\sigma^2I))$ with $\beta = e^{-\theta t}$
Bound: **tight**
Citation: balle2019, section 5.1, equation (4)
Assumed: nothing
"""

from symdp import Diffusion, parse, symbol
from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.theorem import apply

RANGE = "theta>0, rho>0, t>0, d>=1"
CLAIMS = {
    "B-(4)": Claim(
        "(1-exp(-theta*t))**2*norm**2 + d*rho**2/theta*(1-exp(-2*theta*t))", where=f"{RANGE}, norm>=0", field="value"
    ),
    "B-EGM:variance": Claim("rho**2*(exp(2*theta*t)-1)/theta", where=RANGE, field="variance"),
    "B-EGM:error": Claim("d*(rho**2*(exp(2*theta*t)-1)/theta)", where=RANGE),
    "B-EPGM": Claim(
        "d*rho**2*(exp(2*theta*t)-1)/theta / (1 + d*rho**2*(exp(2*theta*t)-1)/theta/R**2)", where=f"{RANGE}, R>0"
    ),
    "B-OU=PGM:mean": Claim("exp(-theta*t)", where=RANGE, field="scale"),
    "B-OU=PGM:variance": Claim("exp(-theta*t)**2*(rho**2*(exp(2*theta*t)-1)/theta)", where=RANGE, field="variance"),
    "B-OU=PGM:multiple": Claim("rho**2/theta*(1-exp(-2*theta*t))", where=RANGE, field="variance"),
}


def derive():
    kernel = derive_bound(Diffusion("-theta*x", "sqrt(2)*rho")).found.derivation.kernel
    mechanism = apply("linear-copies", kernel, dimension=symbol("d"))
    unbiased = apply("matching-gaussian", apply("gaussian-rdp", mechanism), mechanism)
    return {
        "B-(4)": apply("mean-squared-error", mechanism, norm=symbol("norm")),
        "B-EGM:variance": unbiased,
        "B-EGM:error": apply("mean-squared-error", unbiased, norm=symbol("norm")),
        "B-EPGM": apply("best-multiple", unbiased, radius=symbol("R")),
        "B-OU=PGM:mean": mechanism,
        "B-OU=PGM:variance": mechanism,
        "B-OU=PGM:multiple": apply("scaled-output", unbiased, factor=parse("exp(-theta*t)")),
    }


def moments(mp, theta, rho, t):
    """Scale and variance from ``m' = -theta m, v' = -2 theta v + 2 rho^2``, by the matrix exponential."""
    step = mp.expm(mp.matrix([[-theta, 0, 0], [0, -2 * theta, 2 * rho**2], [0, 0, 0]]) * t)
    return step[0, 0], step[1, 2]


def falsify(rng):
    """Second moments by the trapezoidal rule; equal privacy as equal distance of means, in widths of the laws."""

    def error(mp, scale, variance, norm, d):
        """``E |M - f|^2`` of one coordinate along f(D), which carries the norm, and d - 1 across."""
        spread = mp.sqrt(variance)
        nodes = [k * spread / 3 for k in range(-45, 46)]  # wrong by less than 1e-40
        weights = [mp.npdf(z, 0, spread) * spread / 3 for z in nodes]
        along = mp.fsum(w * (scale * norm + z - norm) ** 2 for w, z in zip(weights, nodes, strict=True))
        return along + (d - 1) * mp.fsum(w * z**2 for w, z in zip(weights, nodes, strict=True))

    def ornstein(mp, theta, rho, t, d, norm):
        return error(mp, *moments(mp, theta, rho, t), norm, d)

    def matched(mp, theta, rho, t, d=None):
        """The variance at which means 1 apart are as many widths apart as the means ``scale`` apart."""
        scale, variance = moments(mp, theta, rho, t)
        return (mp.sqrt(variance) / scale) ** 2

    def gaussian(mp, theta, rho, t, d):
        return error(mp, mp.mpf(1), matched(mp, theta, rho, t), mp.mpf(0), d)

    def best(mp, theta, rho, t, d, R):
        """The error is a parabola in beta: its least value, from three of them."""
        variance = matched(mp, theta, rho, t)
        halves = [mp.mpf(k) / 2 for k in range(3)]
        # beta = 0 has no noise to integrate over
        a, b, c = (R**2 if beta == 0 else error(mp, beta, beta**2 * variance, R, d) for beta in halves)
        bend, slope = 2 * (a - 2 * b + c), -3 * a + 4 * b - c
        return a - slope**2 / (4 * bend)

    where = "theta>0, theta<3, rho>0, rho<3, t>0, t<3, d>=1"
    tasks = {
        "B-(4)": (ornstein, f"{where}, norm>=0"),
        "B-EGM:variance": (matched, where),
        "B-EGM:error": (gaussian, where),
        "B-EPGM": (best, f"{where}, R>0"),
        "B-OU=PGM:mean": (lambda mp, theta, rho, t, d: moments(mp, theta, rho, t)[0], where),
        "B-OU=PGM:variance": (lambda mp, theta, rho, t, d: moments(mp, theta, rho, t)[1], where),
        "B-OU=PGM:multiple": (
            lambda mp, theta, rho, t, d: moments(mp, theta, rho, t)[0] ** 2 * matched(mp, theta, rho, t),
            where,
        ),
    }
    return {key: attack(key, CLAIMS[key], where, truth, rng, tight=True) for key, (truth, where) in tasks.items()}


def reference_points():
    return [
        ("B-(4)", "theta=1,rho=2,t=log(2),d=3,norm=4", "13"),
        ("B-EGM:variance", "theta=1,rho=2,t=log(2)", "12"),
        ("B-EGM:error", "theta=1,rho=2,t=log(2),d=3", "36"),
        ("B-EPGM", "theta=1,rho=2,t=log(2),d=3,R=6", "18"),
        ("B-OU=PGM:mean", "theta=1,t=log(2)", "0.5"),
        ("B-OU=PGM:variance", "theta=1,rho=2,t=log(2)", "3"),
        ("B-OU=PGM:multiple", "theta=1,rho=2,t=log(2)", "3"),
    ]
