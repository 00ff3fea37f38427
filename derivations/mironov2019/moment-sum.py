r"""The moment of a whole order as a binomial sum.

Setting: $\mu_0 = N(0,s^2)$, $\mu = (1-q)N(0,s^2) + qN(1,s^2)$, $A = E_{\mu_0}[(\mu/\mu_0)^\alpha]$, $\alpha$ a whole
    number; *term* is what stands beside $\binom\alpha k$.
Claim: $A = \sum_{k=0}^\alpha \binom\alpha k(1-q)^{\alpha-k}q^k\exp((k^2-k)/(2s^2))$
Bound: **tight**
Citation: mironov2019, section 3.3, case I
Assumed: nothing
"""

from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, normal_mean
from symdp.theorem import apply

WHERE = "q>0, q<1, s>0, alpha>=1"
CLAIMS = {
    "S-3.3.int:term": Claim("(1-q)**(alpha-k) * q**k * exp((k**2-k)/(2*s**2))", where=WHERE, field="term"),
    "S-3.3.int:last": Claim("alpha", where=WHERE, field="last"),
}


def derive():
    return apply("sampled-gaussian-sum", apply("gaussian-ratio-moment"))


def falsify(rng):
    """The whole sum, its terms read from the claim, against the integral."""
    from symdp.enclosure import evaluate_mp
    from symdp.text import parse

    mp, tried = mp_context(40), 0
    term = parse(CLAIMS["S-3.3.int:term"].text)
    for _ in range(12):
        q, s, alpha = mp.mpf(rng.randint(1, 99)) / 100, mp.mpf(rng.randint(20, 90)) / 20, rng.randint(1, 8)
        ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: B023, E731
        truth = normal_mean(mp, lambda x: ratio(x) ** alpha, 0, s, -15 * s, alpha + 15 * s)  # noqa: B023
        values = {"q": q, "s": s, "alpha": mp.mpf(alpha)}
        terms = [mp.mpf(evaluate_mp(term, values | {"k": mp.mpf(k)}, 40)) for k in range(alpha + 1)]
        claimed = mp.fsum(mp.binomial(alpha, k) * value for k, value in enumerate(terms))
        if abs(claimed - truth) > truth * mp.mpf(10) ** -25:
            raise Approximate("S-3.3.int:term", values, f"the sum is {claimed}, the integral {truth}")
        tried += 1
    return tried


def reference_points():
    return [
        ("S-3.3.int:term", "q=1/2,s=1,alpha=2,k=2", "0.67957045711476130884"),
        ("S-3.3.int:last", "alpha=7", "7"),
    ]
