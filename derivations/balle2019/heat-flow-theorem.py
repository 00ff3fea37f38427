r"""Renyi differential privacy of a diffusion mechanism by its intrinsic sensitivity.

Setting: a Markov semigroup $P_t$ on $\mathbb R^d$ that has (1) a unique non-negative invariant measure, (2) a symmetric
    kernel with respect to it, and (3) the diffusion property; $\kappa_{x,x'}(t) = \sup_y \Gamma(\log
    \tfrac{p_t(x,y)}{p_t(x',y)})$. *Lambda* is $\int_t^\infty \kappa_{x,x'}(s)\,ds$, and *limit* what $R_\alpha(P_s(x)\|
    P_s(x'))$ tends to as $s \to \infty$, for any neighbours; *measures* is the number of extreme invariant measures and
    *asymmetry* the largest $|p_t(x,y) - p_t(y,x)|$.
Claim: $P_t(f(D))$ is $(\alpha, \alpha\Lambda(t))$-RDP with $\Lambda(t) = \sup_{D \simeq D'} \int_t^\infty
    \kappa_{f(D),f(D')}(s)\,ds$
Bound: **upper**
Citation: balle2019, Theorem 6
Assumed: nothing
"""

from sympy import Rational

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, Counterexample, normal_mean
from symdp.enclosure import enclose, evaluate_mp
from symdp.judgments import Conservative, HeatFlow, LimitDivergence
from symdp.region import Interval, Region
from symdp.theorem import apply

ID, P = "B-T6", "P"
FLOW = HeatFlow(P, symbol("kappa"), symbol("Lambda"), Region.make({symbol("Lambda"): Interval.nonnegative()}))
LIMIT, MARKOV = LimitDivergence(P, symbol("limit")), Conservative(P)
CLAIMS = {
    ID: Claim(
        "alpha*Lambda",
        where="alpha>1, Lambda>=0, limit>=0, measures==1, asymmetry==0",
        repair="limit<=0",
        needless="measures==1, asymmetry==0",
        given=(MARKOV, FLOW, LIMIT),
    ),
}


def derive():
    return apply("heat-flow", *(apply("given", fact=fact, assuming=("given",)) for fact in (MARKOV, FLOW, LIMIT)))


def falsify(rng):
    return {ID: _turned(), f"{ID}:repaired": _linear(rng)}


def _turned():
    """In the plane, ``dX = X dt + sqrt(2) dW`` turned by the angle ``sqrt(2) B``, an independent Brownian motion:
    ``L = Laplace + <x, grad> + (d/dangle)^2``, from x = (1, 0) and x' = 0.

    Symmetric with respect to exp(|y|^2/2) dy, since both parts are. Another invariant measure would be a multiple h of
    it, h > 0 harmonic. The mean of h over circles solves ``a'' + (1/r + r) a' = 0`` and is regular at 0, so constant;
    that bounds each Fourier coefficient of h over circles, which solves ``a'' + (1/r + r) a' = k^2 (1 + 1/r^2) a``,
    and whose regular solutions grow like ``r^(k^2)``. So h is constant.

    With v = e^(2t) - 1 and m = e^t the law is N(m x, v I) turned by a normal angle of variance 2t, whose density on the
    circle is the product of ``1 + 2 Q cos + Q^2`` over ``Q = e^(-nt)``, n odd: its logarithm has a slope of at most
    ``sum 1/sinh(nt) <= 2 e^-t/(1 - e^(-2t))^2``. The logarithm of p_t(x, .)/p_t(0, .) is that of a mean of
    ``exp(<m x, y>/v)`` over turned x, so its gradient is at most m/v and its slope in the angle at most that of the
    density: ``Lambda <= 1/(2 v) + 2 e^(-2t)/(1 - e^(-2t))^4``. But the radius alone, Rice against Rayleigh, has
    ``R_2 = log I_0(w) >= log(1 + w^2/4)``, ``w = m^2/v > 1``, at all times.
    """
    mp, t = mp_context(30), 3
    flow = "1/(2*(exp(2*t)-1)) + 2*exp(-2*t)/(1-exp(-2*t))**4"
    gap = enclose(parse(f"log(1 + (exp(2*t)/(exp(2*t)-1))**2/4) - 2*({flow})"), {symbol("t"): t}, 20)
    m, v = mp.exp(t), mp.expm1(2 * t)

    def slopes(s, angle):
        """Of the logarithm of the mean over the turned x, in <., x> and in the angle, by the trapezoidal rule."""
        nodes = [mp.mpf(2 * k + 1) * mp.pi / 40 for k in range(-120, 120)]
        weights = [mp.exp(-(b**2) / (4 * t) + s * mp.cos(angle - b)) for b in nodes]
        total = mp.fsum(weights)
        along = mp.fsum(w * mp.cos(angle - b) for w, b in zip(weights, nodes, strict=True)) / total
        across = mp.fsum(w * s * mp.sin(b - angle) for w, b in zip(weights, nodes, strict=True)) / total
        return along, across

    steep = 2 * mp.exp(-t) / (1 - mp.exp(-2 * t)) ** 2
    tried = 0
    for s in (mp.mpf(1) / 10, mp.mpf(1), mp.mpf(5), mp.mpf(20)):
        for k in range(4):
            along, across = slopes(s, k * mp.pi / 4)
            assert abs(along) <= 1 and abs(across) <= steep
            tried += 1
    radius = mp.quad(
        lambda r: r * mp.exp(-(r**2) / 2 - m**2 / v) * mp.besseli(0, m * r / mp.sqrt(v)) ** 2, [0, 2, 4, 8, 16]
    )
    if gap.lower > 0 and mp.log(radius) > 2 * (1 / (2 * v) + steep**2 / 2):
        why = f"R_2 is at least {mp.nstr(mp.log(radius), 8)}, 2 Lambda at most {mp.nstr(1 / v + steep**2, 8)}"
        point = {"L": "Laplace + <x,grad> + (d/dangle)^2", "x": "(1 0)", "xp": "(0 0)", "t": t, "alpha": 2}
        return Counterexample(ID, point, why)
    return tried


def _linear(rng):
    """Processes that merge: drift -theta x and a turn at the rate omega in the plane, which is not symmetric unless
    omega is 0; drifted Brownian motion, with more than one invariant measure, for theta = 0.
    """
    mp = mp_context(30)
    for _ in range(20):
        theta, omega = (mp.mpf(rng.choice((0, 1, 2, 5))) / 3 for _ in range(2))
        rho, t, alpha = (mp.mpf(rng.randint(1, 8)) / 4 for _ in range(3))
        alpha += 1
        gap = [mp.mpf(rng.randint(-6, 6)) / 3 for _ in range(2)]

        def law(s, theta=theta, omega=omega, rho=rho, gap=gap):
            """The variance, and how far apart the means are."""
            variance = 2 * rho**2 * s if theta == 0 else rho**2 * (1 - mp.exp(-2 * theta * s)) / theta
            cos, sin = (mp.exp(-theta * s) * f(omega * s) for f in (mp.cos, mp.sin))
            return variance, [cos * gap[0] - sin * gap[1], sin * gap[0] + cos * gap[1]]

        def kappa(s, rho=rho, law=law):
            """The logarithm of the ratio of the densities is affine, with this slope."""
            variance, apart = law(s)
            return rho**2 * sum((x / variance) ** 2 for x in apart)

        flow = mp.quad(lambda r, t=t, kappa=kappa: kappa(t / r) * t / r**2, [mp.mpf(1) / 200, mp.mpf(1) / 8, 1])
        variance, apart = law(t)
        far = mp.sqrt(sum(x**2 for x in apart))
        spread = mp.sqrt(variance)

        def ratio(z, far=far, variance=variance, alpha=alpha):
            return mp.exp(alpha * (far * z - far**2 / 2) / variance)

        ends = -14 * spread, 14 * spread + alpha * far
        true = mp.log(normal_mean(mp, ratio, mp.mpf(0), spread, *ends)) / (alpha - 1)
        values = {symbol(name): Rational(str(value)) for name, value in (("alpha", alpha), ("Lambda", flow))}
        claimed = mp.mpf(evaluate_mp(parse(CLAIMS[ID].text), values, 25))
        if claimed < true * (1 - mp.mpf(10) ** -2):  # what is left of the integral beyond 200 t
            point = {"theta": theta, "omega": omega, "rho": rho, "t": t, "alpha": alpha}
            return Approximate(f"{ID}:repaired", point, f"R_alpha is {true}, claimed {claimed}")
    return 20


def reference_points():
    return [(ID, "alpha=3,Lambda=1/4", "0.75")]
