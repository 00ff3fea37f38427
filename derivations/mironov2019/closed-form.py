r"""The closed form of the sampled Gaussian mechanism.

Setting: the sampled Gaussian mechanism of rate $q$ and noise $s$ for a query of sensitivity 1,
    $L = \ln(1 + 1/(q(\alpha-1)))$; $q \le 1/5$, $s \ge 4$, (4) $\alpha \le s^2L/2 - 2\ln s$,
    (5) $\alpha \le (s^2L^2/2 - \ln5 - 2\ln s)/(L + \ln(q\alpha) + 1/(2s^2))$.
Claim: $(\alpha, 2q^2\alpha/s^2)$-RDP
Bound: **upper**
Citation: mironov2019, Theorem 11
Assumed: nothing
"""

from symdp.claims import Claim, attack, normal_mean
from symdp.derivation.sampled_gaussian import theorem_11

L = "log(1 + 1/(q*(alpha-1)))"
WHERE = (
    f"alpha>1, q>0, q<=1/5, s>=4, alpha <= s**2*{L}/2 - 2*log(s), "
    f"alpha <= (s**2*{L}**2/2 - log(5) - 2*log(s)) / ({L} + log(q*alpha) + 1/(2*s**2))"
)
CLAIMS = {"S-T11": Claim("2*q**2*alpha/s**2", where=WHERE)}


def derive():
    return theorem_11()


def falsify(rng):
    def truth(mp, alpha, q, s):
        ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: E731
        moment = normal_mean(mp, lambda x: ratio(x) ** alpha, 0, s, -15 * s, alpha + 15 * s)
        return mp.log(moment) / (alpha - 1)

    return attack("S-T11", CLAIMS["S-T11"], f"{WHERE}, s<40", truth, rng, tight=False)


def reference_points():
    return [("S-T11", "alpha=2,q=1/10,s=4", "0.0025")]
