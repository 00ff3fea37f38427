r"""The worst neighbours of the sampled Gaussian mechanism.

Setting: $SG_{q,s}(S) = f(\text{a Poisson sample of rate } q) + N(0, s^2I)$, neighbours differ by one record, f sums
    over the sample what has norm at most 1 for each record. $\mu = (1-q)N(0,s^2) + qN(1,s^2)$;
    *sampled_moment* is $A = E_{\mu_0}[(\mu/\mu_0)^\alpha]$, $\mu_0 = N(0,s^2)$.
Claim: SG is $(\alpha,\varepsilon)$-RDP whenever
    $\varepsilon \ge \max\{D_\alpha(N(0,s^2)\|\mu), D_\alpha(\mu\|N(0,s^2))\}$, $\mu = (1-q)N(0,s^2) + qN(1,s^2)$
Bound: **tight**
Citation: mironov2019, Theorem 4
Assumed: nothing
"""

from symdp import symbol
from symdp.claims import Approximate, Claim, normal_mean, points
from symdp.derivation.sampled_gaussian import dominating_pair, exact_curve

WHERE = "q>=0, q<=1, s>0"
CLAIMS = {
    "S-T4:weight": Claim("q", where=WHERE, field="weight"),
    "S-T4:shift": Claim("1", where=WHERE, field="shift"),
    "S-T4:noise": Claim("s", where=WHERE, field="sigma"),
    "S-T4:curve": Claim("log(sampled_moment(alpha, q, s))/(alpha-1)", where=f"{WHERE}, alpha>1"),
}


def derive():
    pair = dominating_pair()
    return {key: exact_curve() if key == "S-T4:curve" else pair for key in CLAIMS}


def falsify(rng):
    """Two queries of a few records on the line, by quadrature: no neighbours may exceed the larger direction."""
    from symdp.ball import mp_context

    mp = mp_context(40)

    def divergence(alpha, s, first, second):
        """Laws given as {mean: weight}, both against N(0, s^2) as the base."""

        def ratio(law, x):
            return mp.fsum(w * mp.exp((2 * x * m - m * m) / (2 * s * s)) for m, w in law.items())

        ends = -8 - 15 * s, 8 + 15 * s
        mean = normal_mean(mp, lambda x: ratio(first, x) ** alpha * ratio(second, x) ** (1 - alpha), 0, s, *ends)
        return mp.log(mean) / (alpha - 1)

    tried = 0
    where = "q>0, q<1, s>1, s<4, alpha>1, alpha<4, u>-1, u<1, v>-1, v<1"
    for point in points(where, rng, 12):
        q, s, alpha, u, v = (
            mp.mpf(point[symbol(name)].p) / point[symbol(name)].q for name in ["q", "s", "alpha", "u", "v"]
        )
        # another record at v, and the one in question at u
        without = {mp.mpf(0): 1 - q, v: q}
        both = {mp.mpf(0): (1 - q) ** 2, v: q * (1 - q), u: q * (1 - q), u + v: q * q}
        worst = {mp.mpf(0): 1 - q, mp.mpf(1): q}
        base = {mp.mpf(0): mp.mpf(1)}
        bound = max(divergence(alpha, s, worst, base), divergence(alpha, s, base, worst))
        for pair in ((both, without), (without, both)):
            if divergence(alpha, s, *pair) > bound:
                raise Approximate("S-T4:curve", point, "two neighbours differ by more")
        tried += 1
    return tried


def reference_points():
    return [
        ("S-T4:weight", "q=1/4", "0.25"),
        ("S-T4:shift", "q=1/4", "1"),
        ("S-T4:noise", "s=3", "3"),
        ("S-T4:curve", "q=1/10,s=1,alpha=11/10", "0.00809856846807384"),
    ]
