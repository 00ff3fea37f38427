r"""Moments of the likelihood ratio of two Gaussian laws.

Setting: $\mu_0 = N(0,s^2)$, $\mu_1 = N(1,s^2)$; *sampled_moment(k, 1, s)* is $E_{\mu_0}[(\mu_1/\mu_0)^k]$.
Claim: [S-3.3.mom] $E_{\mu_0}[(\mu_1/\mu_0)^k] = \exp((k^2-k)/(2s^2))$ for real $k$
    [S-chi2] $\int\mu_0^2/\mu_1 = \int\mu_1^2/\mu_0 = e^{1/s^2}$
Bound: **tight**
Citation: mironov2019, section 3.3
Assumed: nothing
"""

from sympy import Integer

from symdp.claims import Claim, attack, normal_mean
from symdp.theorem import apply

CLAIMS = {
    "S-3.3.mom": Claim("exp((k**2-k)/(2*s**2))", where="s>0", field="right"),
    "S-chi2:first": Claim("exp(1/s**2)", where="s>0", field="right"),
    "S-chi2:second": Claim("exp(1/s**2)", where="s>0", field="right"),
}


def derive():
    return {
        "S-3.3.mom": apply("gaussian-ratio-moment"),
        "S-chi2:first": apply("gaussian-ratio-moment", power=Integer(-1)),
        "S-chi2:second": apply("gaussian-ratio-moment", power=Integer(2)),
    }


def falsify(rng):
    def moment(mp, k, s):
        ends = -8 - 15 * s, 8 + 15 * s
        return normal_mean(mp, lambda x: mp.npdf(x, 1, s) ** k / mp.npdf(x, 0, s) ** k, 0, s, *ends)

    return {
        "S-3.3.mom": attack("S-3.3.mom", CLAIMS["S-3.3.mom"], "s>1, s<4, k>-5, k<5", moment, rng, tight=True),
        "S-chi2:first": attack(
            "S-chi2:first", CLAIMS["S-chi2:first"], "s>1, s<4", lambda mp, s: moment(mp, -1, s), rng, tight=True
        ),
        "S-chi2:second": attack(
            "S-chi2:second", CLAIMS["S-chi2:second"], "s>1, s<4", lambda mp, s: moment(mp, 2, s), rng, tight=True
        ),
    }


def reference_points():
    return [
        ("S-3.3.mom", "k=3,s=1", "20.0855369231876677409"),
        ("S-chi2:first", "s=1", "2.71828182845904523536"),
        ("S-chi2:second", "s=sqrt(2)", "1.64872127070012814685"),
    ]
