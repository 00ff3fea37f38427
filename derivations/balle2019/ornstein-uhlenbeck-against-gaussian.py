r"""The Ornstein-Uhlenbeck mechanism errs less than the Gaussian one of the same privacy.

Setting: $dX = -\theta X\,dt + \sqrt2\,\rho\,dW$ started at $f(D) \in \mathbb R^d$, any $d$, $f$ of sensitivity
    $\Delta$ with $\sup_D\|f(D)\| \le R$. $E_{OU}$ and $E_{GM}$ are the largest mean squared errors over such $f$ of
    this mechanism at time $t$ and of the unbiased Gaussian mechanism of the same privacy. At $t = 0$ both vanish and
    their ratio has no value. The *converse*, which the paper does not state: the ratio is above 1 where
    $\theta R^2e^{-2\theta t} > d\rho^2(1+e^{-\theta t})^2$; if $\theta R^2 > 4d\rho^2$ that is so for all small $t$.
Claim: [B-T8(i)] if $\theta R^2 \le 4d\rho^2$, then $E_{OU}/E_{GM} \le 1$ for all $t$, and
    $E_{OU}/E_{GM} \to 0$ as $t \to \infty$
    [B-T8(ii)] with $\theta = \log(1 + \tfrac{d\Delta^2}{2\epsilon R^2})$, $\rho^2 =
    \tfrac{\theta\Delta^2}{2\epsilon(e^{2\theta}-1)}$, at $t = 1$: $(\alpha, \alpha\epsilon)$-RDP and $E_{OU}/E_{GM} \le
    (1 + \tfrac{d\Delta^2}{2\epsilon R^2})^{-1}$
    [B-T8.post] then $E_{OU} \le \tfrac{d\Delta^2R^2}{2\epsilon R^2 + d\Delta^2}$
Bound: **tight**
Citation: balle2019, Theorem 8
Assumed: nothing
"""

from sympy import Integer, exp, oo, sqrt

from symdp import Diffusion, Region, parse, symbol
from symdp import derive as derive_bound
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, attack, points
from symdp.region import Interval
from symdp.text import parse_relations
from symdp.theorem import apply

RANGE = "theta>0, rho>0, t>0, R>=0, d>=1"
BUDGET = "epsilon>0, Delta>0, R>0, d>=1"
CLAIMS = {
    "B-T8(i):ratio": Claim(
        "((1-exp(-theta*t))**2*R**2 + d*rho**2/theta*(1-exp(-2*theta*t))) / (d*rho**2*(exp(2*theta*t)-1)/theta) <= 1",
        where=f"{RANGE}, theta*R**2 <= 4*d*rho**2",
    ),
    "B-T8(i):converse": Claim(
        "((1-exp(-theta*t))**2*R**2 + d*rho**2/theta*(1-exp(-2*theta*t))) / (d*rho**2*(exp(2*theta*t)-1)/theta) > 1",
        where=f"{RANGE}, theta*R**2*exp(-2*theta*t) > d*rho**2*(1+exp(-theta*t))**2",
    ),
    "B-T8(i):what has the limit": Claim(
        "((1-exp(-theta*t))**2*R**2 + d*rho**2/theta*(1-exp(-2*theta*t))) / (d*rho**2*(exp(2*theta*t)-1)/theta)",
        where=RANGE,
        field="expr",
    ),
    "B-T8(i):limit": Claim("0", where=RANGE, field="value"),
    "B-T8(ii):privacy": Claim("alpha*epsilon", where=f"alpha>1, {BUDGET}"),
    "B-T8(ii):ratio": Claim("1/(1 + d*Delta**2/(2*epsilon*R**2))", where=BUDGET),
    "B-T8.post": Claim("d*Delta**2*R**2/(2*epsilon*R**2 + d*Delta**2)", where=BUDGET),
}


def derive():
    t, radius, norm = symbol("t"), symbol("R"), symbol("norm")
    kernel = derive_bound(Diffusion("-theta*x", "sqrt(2)*rho")).found.derivation.kernel
    mechanism = apply("linear-copies", kernel, dimension=symbol("d"))
    unbiased = apply("matching-gaussian", apply("gaussian-rdp", mechanism), mechanism)

    def largest_error(theorem):
        return apply("largest-error", apply("mean-squared-error", theorem, norm=norm), radius=radius)

    ratio = apply("error-ratio", largest_error(mechanism), largest_error(unbiased))

    def where(text):
        return ratio.conclusion.region.intersect(parse_relations(text))

    at_most = where("theta*R**2 <= 4*d*rho**2")
    above = where("theta*R**2*exp(-2*theta*t) > d*rho**2*(1+exp(-theta*t))**2")
    limit = apply("limit-at-infinity", ratio, factor=Integer(1), value=Integer(0), variable=t)

    theta = parse("log(1 + d*Delta**2/(2*epsilon*R**2))")
    rho = sqrt(theta * symbol("Delta") ** 2 / (2 * symbol("epsilon") * (exp(2 * theta) - 1)))
    values = ((symbol("theta"), theta), (symbol("rho"), rho), (t, Integer(1)))
    positive = {symbol(name): Interval.positive() for name in ("epsilon", "Delta", "R")}
    region = Region.make({**positive, symbol("d"): Interval(Integer(1), oo, True, False)})
    tuned = apply("gaussian-at", mechanism, values=values, region=region)
    tuned_unbiased = apply("gaussian-at", unbiased, values=values, region=region)
    return {
        "B-T8(i):ratio": apply("at-most", ratio, bound=Integer(1), region=at_most),
        "B-T8(i):converse": apply("above", ratio, bound=Integer(1), region=above),
        "B-T8(i):what has the limit": limit,
        "B-T8(i):limit": limit,
        "B-T8(ii):privacy": apply("gaussian-rdp", tuned),
        "B-T8(ii):ratio": apply("error-ratio", largest_error(tuned), largest_error(tuned_unbiased)),
        "B-T8.post": largest_error(tuned),
    }


def moments(mp, theta, rho, t):
    """Scale and variance from ``m' = -theta m, v' = -2 theta v + 2 rho^2``, by the matrix exponential."""
    step = mp.expm(mp.matrix([[-theta, 0, 0], [0, -2 * theta, 2 * rho**2], [0, 0, 0]]) * t)
    return step[0, 0], step[1, 2]


def errors(mp, theta, rho, t, R, d):
    """Both errors from the moments; the unbiased mechanism separates means 1 apart as well as the other its own."""
    scale, variance = moments(mp, theta, rho, t)
    return (1 - scale) ** 2 * R**2 + d * variance, d * variance / scale**2


def tuning(mp, epsilon, Delta, R, d):
    """theta and rho for which the largest error over rho, at a fixed budget and t = 1, is least.

    The budget fixes the variance before the scale b is applied, v = Delta^2/(2 epsilon), and ``(1-b)^2 R^2 + b^2 d v``
    is least where it is stationary in b.
    """
    noise = d * Delta**2 / (2 * epsilon)
    scale = mp.findroot(lambda b: (b - 1) * R**2 + b * noise, mp.mpf(1) / 2)
    theta = -mp.log(scale)
    unit = moments(mp, theta, mp.mpf(1), mp.mpf(1))[1]
    return theta, mp.sqrt(scale**2 * noise / d / unit)


def falsify(rng):
    def ratio(sign, where):
        key, mp, tried = f"B-T8(i):{sign}", mp_context(40), 0
        for point in points(f"{RANGE}, {where}", rng, 20):
            n = {name.name: mp.mpf(value.p) / value.q for name, value in point.items()}
            above, below = errors(mp, **n)
            if (above > below * (1 + mp.mpf(10) ** -25)) == (sign == "ratio"):
                raise Approximate(key, point, f"E_OU = {mp.nstr(above, 15)}, E_GM = {mp.nstr(below, 15)}")
            tried += 1
        return tried

    def quotient(mp, theta, rho, t, R, d):
        above, below = errors(mp, theta, rho, t, R, d)
        return above / below

    def late(mp, theta, rho, R, d):
        return quotient(mp, theta, rho, 50 / theta, R, d)

    def privacy(mp, alpha, epsilon, Delta, R, d):
        scale, variance = moments(mp, *tuning(mp, epsilon, Delta, R, d), mp.mpf(1))
        gap, spread = scale * Delta, mp.sqrt(variance)
        nodes = [(1 - alpha) * gap + k * spread / 3 for k in range(-45, 46)]  # wrong by less than 1e-40
        p, q = (lambda y: mp.npdf(y, 0, spread)), (lambda y: mp.npdf(y, gap, spread))
        return mp.log(spread / 3 * mp.fsum(p(y) ** alpha * q(y) ** (1 - alpha) for y in nodes)) / (alpha - 1)

    def tuned(mp, epsilon, Delta, R, d):
        return errors(mp, *tuning(mp, epsilon, Delta, R, d), mp.mpf(1), R, d)

    def tuned_ratio(mp, epsilon, Delta, R, d):
        above, below = tuned(mp, epsilon, Delta, R, d)
        return above / below

    small, budget = "theta<3, rho<3, t<3", "epsilon>0, epsilon<9, Delta>0, Delta<4, R>0, d>=1"
    tasks = {
        "B-T8(i):what has the limit": (quotient, f"{small}, {RANGE}"),
        "B-T8(i):limit": (late, "theta>0, theta<3, rho>1, rho<3, R>=0, R<9, d>=1"),
        "B-T8(ii):privacy": (privacy, f"alpha>1, alpha<5, {budget}"),
        "B-T8(ii):ratio": (tuned_ratio, budget),
        "B-T8.post": (lambda mp, **n: tuned(mp, **n)[0], budget),
    }
    tried = {key: attack(key, CLAIMS[key], where, truth, rng, tight=True) for key, (truth, where) in tasks.items()}
    tried["B-T8(i):ratio"] = ratio("ratio", "theta<2, rho<3, t<3, R<3, theta*R**2 <= 4*d*rho**2")
    late = "theta*R**2*exp(-2*theta*t) > d*rho**2*(1+exp(-theta*t))**2"
    tried["B-T8(i):converse"] = ratio("converse", f"theta>1, theta<3, rho<1, t<1/2, R>4, d<2, {late}")
    return tried


def reference_points():
    budget = "epsilon=1/2,Delta=1,R=2,d=3"
    return [
        ("B-T8(i):what has the limit", "theta=1,rho=1,t=log(2),R=1,d=1", "0.33333333333333333333"),
        ("B-T8(i):limit", "theta=1", "0"),
        ("B-T8(ii):privacy", f"alpha=3,{budget}", "1.5"),
        ("B-T8(ii):ratio", budget, "0.57142857142857142857"),
        ("B-T8.post", budget, "1.7142857142857142857"),
    ]
