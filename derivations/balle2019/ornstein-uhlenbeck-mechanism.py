r"""Privacy of the Ornstein-Uhlenbeck mechanism, and at which rate it comes.

Setting: $dX = -\theta X\,dt + \sqrt2\,\rho\,dW$ in $\mathbb R^d$, any $d$, started at $f(D)$, $f$ of sensitivity
    $\Delta$, seen at time $t$. The rates are stated with their constants: a bound for $t \ge t_0 > 0$, which is
    attained at $t_0$, and limits, which no smaller rate would allow.
Claim: [B-Cor7] $(\alpha, \alpha\Lambda(t))$-RDP with $\Lambda(t) = \theta\Delta^2/(2\rho^2(e^{2\theta t}-1))$
    [B-OU.rates] $\Lambda(t) = O(e^{-2\theta t})$, while for Brownian motion it is $O(1/t)$; the mechanism is a
    Gaussian one whose sensitivity is reduced from $\Delta$ to $e^{-\theta t}\Delta$
Bound: **tight**
Citation: balle2019, Corollary 7
Assumed: nothing
"""

from symdp import Diffusion, parse, symbol
from symdp import derive as derive_bound
from symdp.ball import mp_context
from symdp.claims import Claim, Counterexample, attack, points
from symdp.region import Interval
from symdp.text import Relation
from symdp.theorem import apply

CLAIMS = {
    "B-Cor7:sensitivity": Claim(
        "theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))", where="theta>0, rho>0, t>0, Delta>=0", field="Lambda"
    ),
    "B-Cor7:privacy": Claim(
        "alpha*theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))", where="alpha>1, theta>0, rho>0, t>0, Delta>=0"
    ),
    "B-OU.rates:bound": Claim(
        "theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))"
        " <= theta*Delta**2/(2*rho**2*(1-exp(-2*theta*t0))) * exp(-2*theta*t)",
        where="theta>0, rho>0, Delta>=0, t0>0, t>=t0",
    ),
    "B-OU.rates:limit": Claim("theta*Delta**2/(2*rho**2)", where="theta>0, rho>0, Delta>=0", field="value"),
    "B-OU.rates:brownian limit": Claim("Delta**2/4", where="Delta>=0", field="value"),
    "B-OU.rates:reduced sensitivity": Claim(
        "alpha*(exp(-theta*t)*Delta)**2/(2*rho**2/theta*(1-exp(-2*theta*t)))",
        where="alpha>1, theta>0, rho>0, t>0, Delta>=0",
    ),
}


def derive():
    t, early, dimension = symbol("t"), symbol("t0"), symbol("d")
    found = derive_bound(Diffusion("-theta*x", "sqrt(2)*rho")).found.derivation
    brownian = derive_bound(Diffusion("0", "sqrt(2)")).found.derivation
    sensitivity = apply("intrinsic-sensitivity", found.flow, dimension=dimension)
    privacy = apply("gaussian-rdp", apply("linear-copies", found.kernel, dimension=dimension))
    late = sensitivity.conclusion.region.extend({early: Interval.positive()}).intersect([Relation(t - early, ">=")])
    decay, total = parse("exp(2*theta*t)"), sensitivity.conclusion.Lambda
    at_early = (total * decay).xreplace({t: early}) / decay
    rate = parse("theta*Delta**2/(2*rho**2)")
    return {
        "B-Cor7:sensitivity": sensitivity,
        "B-Cor7:privacy": privacy,
        "B-OU.rates:bound": apply("at-most", sensitivity, bound=at_early, region=late),
        "B-OU.rates:limit": apply("limit-at-infinity", sensitivity, factor=decay, value=rate, variable=t),
        "B-OU.rates:brownian limit": apply(
            "limit-at-infinity",
            apply("intrinsic-sensitivity", brownian.flow, dimension=dimension),
            factor=t,
            value=parse("Delta**2/4"),
            variable=t,
        ),
        "B-OU.rates:reduced sensitivity": privacy,
    }


def moments(mp, theta, rho, t):
    """Scale and variance from ``m' = -theta m, v' = -2 theta v + 2 rho^2``, by the matrix exponential."""
    step = mp.expm(mp.matrix([[-theta, 0, 0], [0, -2 * theta, 2 * rho**2], [0, 0, 0]]) * t)
    return step[0, 0], step[1, 2]


def falsify(rng):
    """Divergences by the trapezoidal rule. ``d/dt KL(P_t(x)||P_t(x')) = -kappa``: what the heat flow takes from the
    Kullback-Leibler divergence until nothing is left is Lambda.
    """

    def laws(mp, theta, rho, t, Delta, centre):
        """Both densities on a grid of their spread around ``centre`` times the gap of the means, and its step."""
        scale, variance = moments(mp, theta, rho, t)
        gap, spread = scale * Delta, mp.sqrt(variance)
        nodes = [centre * gap + k * spread / 3 for k in range(-45, 46)]  # wrong by less than 1e-40
        return [(mp.npdf(y, 0, spread), mp.npdf(y, gap, spread)) for y in nodes], spread / 3

    def divergence(mp, alpha, theta, rho, t, Delta):
        pairs, step = laws(mp, theta, rho, t, Delta, 1 - alpha)
        return mp.log(step * mp.fsum(p**alpha * q ** (1 - alpha) for p, q in pairs)) / (alpha - 1)

    def sensitivity(mp, theta, rho, t, Delta):
        pairs, step = laws(mp, theta, rho, t, Delta, 0)
        return step * mp.fsum(p * mp.log(p / q) for p, q in pairs)

    def bounded():
        mp, tried = mp_context(40), 0
        for point in points("theta>0, theta<3, rho>0, rho<3, Delta>=0, t0>0, t0<3, t>0, t<6, t>=t0", rng, 10):
            n = {name.name: mp.mpf(value.p) / value.q for name, value in point.items()}
            known = {name: n[name] for name in ("theta", "rho", "Delta")}
            late, early = (sensitivity(mp, t=n[name], **known) for name in ("t", "t0"))
            if late > early * mp.exp(-2 * n["theta"] * (n["t"] - n["t0"])) * (1 + mp.mpf(10) ** -20):
                raise Counterexample("B-OU.rates:bound", point, f"Lambda(t) = {late}, Lambda(t0) = {early}")
            tried += 1
        return tried

    def rate(mp, theta, rho, Delta):
        """e^{2 theta t} Lambda(t) at a time so late that the limit is there."""
        late = 35 / theta
        with mp.workdps(100):
            return sensitivity(mp, theta, rho, late, Delta) * mp.exp(2 * theta * late)

    def brownian_rate(mp, Delta):
        """t KL(N(0, 2t)||N(Delta, 2t)) at t = 8."""
        nodes = [mp.mpf(4 * k) / 3 for k in range(-45, 46)]
        laws = ((mp.npdf(y, 0, 4), mp.npdf(y, Delta, 4)) for y in nodes)
        return 8 * mp.mpf(4) / 3 * mp.fsum(p * mp.log(p / q) for p, q in laws)

    where = "theta>0, theta<3, rho>0, rho<3, t>0, t<3, Delta>=0, Delta<3"
    tasks = {
        "B-Cor7:sensitivity": (sensitivity, where),
        "B-Cor7:privacy": (divergence, f"{where}, alpha>1, alpha<9"),
        "B-OU.rates:limit": (rate, "theta>0, theta<3, rho>0, rho<3, Delta>=0, Delta<3"),
        "B-OU.rates:brownian limit": (brownian_rate, "Delta>=0, Delta<3"),
        "B-OU.rates:reduced sensitivity": (divergence, f"{where}, alpha>1, alpha<9"),
    }
    tried = {key: attack(key, CLAIMS[key], where, truth, rng, tight=True) for key, (truth, where) in tasks.items()}
    return tried | {"B-OU.rates:bound": bounded()}


def reference_points():
    return [
        ("B-Cor7:sensitivity", "theta=1,Delta=1,rho=1,t=1", "0.078258821374832825909"),
        ("B-Cor7:privacy", "alpha=2,theta=1,Delta=1,rho=1,t=1", "0.15651764274966565182"),
        ("B-OU.rates:limit", "theta=3,Delta=1,rho=2", "0.375"),
        ("B-OU.rates:brownian limit", "Delta=3", "2.25"),
        ("B-OU.rates:reduced sensitivity", "alpha=2,theta=1,Delta=1,rho=1,t=1", "0.15651764274966565182"),
    ]
