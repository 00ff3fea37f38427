r"""Closed forms of the sampled Gaussian mechanism, side by side.

Setting: the sampled Gaussian mechanism of rate $q$ and noise $s$ for a query of sensitivity 1. The row of Abadi et al.
    holds up to terms of third order in $q$: the coefficient of $q^2$ in it must be at least that in the true curve.
Claim: [S-Tab1.Abadi] $(\alpha, q^2\alpha/((1-q)s^2) + O(q^3\alpha^3/s^3))$-RDP for $q < 1/(16s)$,
    $\alpha \le 1 + s^2\ln(1/(qs))$
    [S-Tab1.Bun] $(\alpha, 6q^2\alpha/s^2)$-RDP for $q \le 1/10$, $s \ge \sqrt5$, $\alpha \le \frac12s^2\ln(1/q)$
    [S-Tab1.this] $(\alpha, 2q^2\alpha/s^2)$-RDP for $q < 1/5$ and the $s$ and $\alpha$ of Theorem 11
Bound: **upper**
Citation: mironov2019, Table 1
Assumed: nothing
"""

from symdp.claims import Claim, Counterexample, attack
from symdp.derivation.sampled_gaussian import bun, small_rate, theorem_11

L = "log(1 + 1/(q*(alpha-1)))"
OURS = (
    f"alpha>1, q>0, q<1/5, s>=4, alpha <= s**2*{L}/2 - 2*log(s), "
    f"alpha <= (s**2*{L}**2/2 - log(5) - 2*log(s)) / ({L} + log(q*alpha) + 1/(2*s**2))"
)
BUN = "alpha>1, q>0, q<=1/10, s>=sqrt(5), alpha <= s**2*log(1/q)/2"
CLAIMS = {
    "S-Tab1.Abadi": Claim("alpha/s**2", where="alpha>1, s>0", field="value", repair="s>=1"),
    "S-Tab1.Bun": Claim("6*q**2*alpha/s**2", where=BUN),
    "S-Tab1.this": Claim("2*q**2*alpha/s**2", where=OURS),
}


def derive():
    return {"S-Tab1.Abadi": small_rate(), "S-Tab1.Bun": bun(), "S-Tab1.this": theorem_11()}


def curve(mp, alpha, q, s):
    ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: E731
    step = min(s, s * s) / 2  # so small that the complex zeros of the ratio are far away
    nodes = range(int(-15 * s / step) - 1, int((alpha + 15 * s) / step) + 2)
    moment = mp.fsum(step * mp.npdf(k * step, 0, s) * ratio(k * step) ** alpha for k in nodes)
    return mp.log(moment) / (alpha - 1)


def falsify(rng):
    def second_order(mp, alpha, s):
        q = mp.mpf(10) ** -16
        return curve(mp, alpha, q, s) / q**2

    abadi = CLAIMS["S-Tab1.Abadi"]
    try:
        printed = attack("S-Tab1.Abadi", abadi, "alpha>1, alpha<4, s>1/3, s<3", second_order, rng, tight=False)
    except Counterexample as found:
        printed = found
    return {
        "S-Tab1.Abadi": printed,
        "S-Tab1.Abadi:repaired": attack(
            "S-Tab1.Abadi", abadi.repaired, "alpha>1, alpha<4, s>1, s<3", second_order, rng, tight=False
        ),
        "S-Tab1.Bun": attack(
            "S-Tab1.Bun", CLAIMS["S-Tab1.Bun"], f"{BUN}, s>9/4, s<30", curve, rng, tight=False, count=15
        ),
        "S-Tab1.this": attack("S-Tab1.this", CLAIMS["S-Tab1.this"], f"{OURS}, s<30", curve, rng, tight=False, count=15),
    }


def reference_points():
    return [
        ("S-Tab1.Abadi", "alpha=3,s=2", "0.75"),
        ("S-Tab1.Bun", "alpha=3,q=1/10,s=3", "0.02"),
        ("S-Tab1.this", "alpha=2,q=1/10,s=4", "0.0025"),
    ]
