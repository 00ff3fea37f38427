r"""The moments of the two directions, and which epsilon they allow.

Setting: $\mu_0 = N(0,s^2)$, $\mu = (1-q)N(0,s^2) + qN(1,s^2)$; *sampled_moment(p, q, s)* is $E_{\mu_0}[(\mu/\mu_0)^p]$.
    A sensitivity of 1, neighbours that differ by one record.
Claim: [S-defAB] $A_\alpha = E_{z\sim\mu_0}[(\mu(z)/\mu_0(z))^\alpha]$ and
    $B_\alpha = E_{z\sim\mu}[(\mu_0(z)/\mu(z))^\alpha]$
    [S-3.rdp-if] SG satisfies $(\alpha,\varepsilon)$-RDP if
    $\varepsilon \le \frac1{\alpha-1}\log\max(A_\alpha, B_\alpha)$
Bound: **upper**
Citation: mironov2019, section 3
Assumed: nothing
"""

from fractions import Fraction

from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, Counterexample, attack, normal_mean, points
from symdp.claims.finite import value
from symdp.derivation.sampled_gaussian import exact_curve

A, B, RANGE = "sampled_moment(alpha, q, s)", "sampled_moment(1-alpha, q, s)", "alpha>1, q>=0, q<=1, s>0"
PRINTED = f"epsilon <= log(max({A}, {B}))/(alpha-1)"
CLAIMS = {
    "S-defAB:first": Claim(A, where=RANGE, kind="definition"),
    "S-defAB:second": Claim(B, where=RANGE, kind="definition"),
    "S-3.rdp-if": Claim(
        "epsilon",
        where=f"{RANGE}, {PRINTED}",
        repair=f"epsilon >= log({A})/(alpha-1), epsilon >= log({B})/(alpha-1)",
        instead_of=PRINTED,
    ),
}


def derive():
    return {"S-3.rdp-if": exact_curve()}


def first(mp, alpha, q, s):
    ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: E731
    return normal_mean(mp, lambda x: ratio(x) ** alpha, 0, s, -15 * s, alpha + 15 * s)


def second(mp, alpha, q, s):
    """The expectation over a draw from the mixture: one of its two parts, then a normal number."""
    ratio = lambda x: 1 / ((1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s)))  # noqa: E731
    parts = [normal_mean(mp, lambda x: ratio(x) ** alpha, m, s, m - alpha - 15 * s, m + 15 * s) for m in (0, 1)]
    return (1 - q) * parts[0] + q * parts[1]


def falsify(rng):
    where = "alpha>1, alpha<4, q>0, q<1, s>1, s<2"
    tried = {
        "S-defAB:first": attack("S-defAB:first", CLAIMS["S-defAB:first"], where, first, rng, tight=True, count=4),
        "S-defAB:second": attack("S-defAB:second", CLAIMS["S-defAB:second"], where, second, rng, tight=True, count=4),
    }
    mp, due = mp_context(40), 0
    for point in points(f"{where}, share>0", rng, 12):
        at = {name.name: mp.mpf(value.p) / value.q for name, value in point.items()}
        share = at.pop("share")
        both = mp.log(first(mp, **at)) / (at["alpha"] - 1), mp.log(second(mp, **at)) / (at["alpha"] - 1)
        known = {"epsilon": Fraction(mp.nstr(max(both) * (1 + share), 30))}
        claimed = value(CLAIMS["S-3.rdp-if"].text, **known)
        epsilon = mp.mpf(claimed.numerator) / claimed.denominator
        if any(divergence > epsilon for divergence in both):
            raise Approximate("S-3.rdp-if:repaired", point, "a neighbour is further away")
        due += 1
    # at q = 1/2, s = 1 and alpha = 2 it is A = 1 + q^2 (e - 1) > 1, and epsilon = 0 is allowed
    point = {"q": "1/2", "s": 1, "alpha": 2, "epsilon": 0}
    excess = mp.log(first(mp, mp.mpf(2), mp.mpf(1) / 2, mp.mpf(1)))
    found = excess > mp.mpf(1) / 4 and abs(excess - mp.log(1 + (mp.e - 1) / 4)) < mp.mpf(10) ** -30
    why = "the divergence is log(1 + (e-1)/4) = 0.357..., and neighbours with epsilon = 0 have the same law"
    return tried | {"S-3.rdp-if": Counterexample("S-3.rdp-if", point, why) if found else 1, "S-3.rdp-if:repaired": due}


def reference_points():
    return [
        ("S-defAB:first", "alpha=2,q=1/2,s=1", "1.4295704571147613088"),
        ("S-3.rdp-if", "epsilon=1/4", "0.25"),
    ]
