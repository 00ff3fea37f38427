r"""The part of the moment above the split point, under two conditions on the order.

Setting: $\mu_0 = N(0,s^2)$, $\mu = (1-q)N(0,s^2) + qN(1,s^2)$, $A^{(2)} = \int_{z_0}^\infty\mu_0(\mu/\mu_0)^\alpha$,
    $z_0 = \frac12 + s^2L$, $L = \ln(1 + 1/(q(\alpha-1)))$; $q \le 1/5$, $s \ge 4$,
    (4) $\alpha \le s^2L/2 - 2\ln s$, (5) $\alpha \le (s^2L^2/2 - \ln5 - 2\ln s)/(L + \ln(q\alpha) + 1/(2s^2))$.
Claim: $A^{(2)} \le 0.9\,q^2\alpha(\alpha-1)/s^2$
Bound: **upper**
Citation: mironov2019, Lemma 10
Assumed: nothing
"""

from symdp.claims import Claim, attack
from symdp.derivation.sampled_gaussian import tail_moment

L = "log(1 + 1/(q*(alpha-1)))"
WHERE = (
    f"alpha>1, q>0, q<=1/5, s>=4, alpha <= s**2*{L}/2 - 2*log(s), "
    f"alpha <= (s**2*{L}**2/2 - log(5) - 2*log(s)) / ({L} + log(q*alpha) + 1/(2*s**2))"
)
CLAIMS = {
    "S-L10": Claim("0.9*q**2*alpha*(alpha-1)/s**2", where=WHERE),
}


def derive():
    return tail_moment()


def falsify(rng):
    def truth(mp, alpha, q, s):
        ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: E731
        split = mp.mpf(1) / 2 + s * s * mp.log(1 + 1 / (q * (alpha - 1)))
        pieces = mp.linspace(split, split + alpha + 15 * s, 24)
        return mp.quad(lambda x: mp.npdf(x, 0, s) * ratio(x) ** alpha, [*pieces, mp.inf])

    claim = CLAIMS["S-L10"]
    # across the range, close to its end at small rates, and in the corner where the tail is largest
    ranges = (f"{WHERE}, s<12", f"{WHERE}, s<6, q<1/100, alpha>5, alpha<40", f"{WHERE}, s<41/10, q>18/100, alpha>3")
    return sum(attack("S-L10", claim, where, truth, rng, tight=False, count=8) for where in ranges)


def reference_points():
    return [("S-L10", "alpha=3,q=1/10,s=4", "0.003375")]
