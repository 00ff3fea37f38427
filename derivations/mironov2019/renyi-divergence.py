r"""The Renyi divergence of two laws.

Setting: two laws P and Q with densities p and q; of laws on two points, as here in the formula, $p$ and $q$ are the
    masses of the first point. Our own code is asked for orders above 1, and for 1 and infinity, which are limits.
Claim: $D_\alpha(P\|Q) = \frac1{\alpha-1}\ln\int q(p/q)^\alpha$ for a finite order $\alpha \ne 1$; orders 1 and $\infty$
    are defined by continuity
Bound: **tight**
Citation: mironov2019, Definition 1
Assumed: nothing
"""

from fractions import Fraction

from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, attack, normal_mean
from symdp.mechanisms.finite import renyi
from symdp.mechanisms.sampled_gaussian import renyi as mixture_renyi

CLAIMS = {
    "S-D1": Claim(
        "log(q*(p/q)**alpha + (1-q)*((1-p)/(1-q))**alpha)/(alpha-1)",
        where="alpha!=1, p>0, p<1, q>0, q<1",
        kind="definition",
    ),
}


def derive():
    return {}


def exact(mp, number):
    return Fraction(mp.nstr(number, 38)).limit_denominator(10**9)


def law(rng, size):
    weights = [rng.randint(1, 20) for _ in range(size)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def falsify(rng):
    """Our divergences of finite laws and of Gaussian mixtures against sums and integrals of the definition."""
    mp = mp_context(40)

    def two_points(mp, alpha, p, q):
        first, second = exact(mp, p), exact(mp, q)
        return renyi((first, 1 - first), (second, 1 - second), exact(mp, alpha), 38)

    tried = attack("S-D1", CLAIMS["S-D1"], "alpha>1, p>0, p<1, q>0, q<1", two_points, rng, tight=True)

    def number(value):
        return mp.mpf(value.numerator) / value.denominator

    def moment(q, s, power):
        """``E[(mu/mu0)^power]``, x normal with mean 0 and spread s."""
        ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * mp.mpf(s) ** 2))  # noqa: E731
        return normal_mean(mp, lambda x: ratio(x) ** power, 0, s, -20 * s, 12 + 20 * s)

    def demand(true, ours, slack, **point):
        if not abs(true - mp.mpf(ours.mid)) <= slack:
            raise Approximate("S-D1", point, f"the definition gives {mp.nstr(true, 20)}, our code {ours}")

    for size in (2, 3, 5, 8):
        p, q = law(rng, size), law(rng, size)
        alpha = 1 + Fraction(rng.randint(1, 60), 7)
        total = mp.fsum(number(y) * (number(x) / number(y)) ** number(alpha) for x, y in zip(p, q, strict=True))
        demand(mp.log(total) / number(alpha - 1), renyi(p, q, alpha), mp.mpf(10) ** -25, p=p, q=q, alpha=alpha)
        for order, near in ((1, 1 + Fraction(1, 10**12)), ("inf", Fraction(10) ** 12)):
            close = renyi(p, q, near)
            demand(mp.mpf(close.mid), renyi(p, q, order), mp.mpf(10) ** -9, p=p, q=q, alpha=order)
        tried += 3
    for rate, s, alpha in ((1, 2, "5/2"), ("1/3", 1, "7/4"), ("4/5", 3, 6)):
        rate, alpha = Fraction(rate), Fraction(alpha)
        for direction, power in (("forward", alpha), ("reverse", 1 - alpha)):
            mean = moment(number(rate), s, number(power))
            ours = mixture_renyi(rate, s, alpha, direction=direction)
            demand(mp.log(mean) / number(alpha - 1), ours, mp.mpf(10) ** -20, q=rate, s=s, alpha=alpha)
            tried += 1
    return tried


def reference_points():
    return [("S-D1", "alpha=2,p=1/2,q=1/4", "0.28768207245178092744")]
