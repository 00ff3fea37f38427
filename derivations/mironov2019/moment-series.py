r"""The moment of any order as a series of complementary error functions.

Setting: $\mu_0 = N(0,s^2)$, $\mu = (1-q)N(0,s^2) + qN(1,s^2)$, $A = E_{\mu_0}[(\mu/\mu_0)^\alpha]$,
    $z_1 = \frac12 + s^2\ln(1/q-1)$, $j = \alpha-k$; *term* is what stands beside $\binom\alpha k$.
Claim: $A = \sum_{k\ge0}\binom\alpha k\bigl[(1-q)^{\alpha-k}q^ke^{(k^2-k)/2s^2}\mathrm{erfc}((k-z_1)/(\sqrt2s))/2 +
    (1-q)^kq^{\alpha-k}e^{(j^2-j)/2s^2}\mathrm{erfc}((z_1-j)/(\sqrt2s))/2\bigr]$
Bound: **tight**
Citation: mironov2019, section 3.3, case II
Assumed: nothing
"""

from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, normal_mean
from symdp.theorem import apply

Z1 = "(1/2 + s**2*log(1/q - 1))"
CLAIMS = {
    "S-3.3.frac": Claim(
        f"(1-q)**(alpha-k) * q**k * exp((k**2-k)/(2*s**2)) * erfc((k-{Z1})/(sqrt(2)*s))/2"
        f" + (1-q)**k * q**(alpha-k) * exp(((alpha-k)**2-(alpha-k))/(2*s**2)) * erfc(({Z1}-(alpha-k))/(sqrt(2)*s))/2",
        where="q>0, q<1, s>0, alpha>=1, k>=0",
        field="term",
    ),
}


def derive():
    sides = (apply("gaussian-half-line-moment", side=side) for side in ("left", "right"))
    return apply("sampled-gaussian-series", *sides)


def falsify(rng):
    """Partial sums at large orders, where the terms fall fast, against the integral."""
    from symdp.enclosure import enclose
    from symdp.text import parse

    mp, tried, last = mp_context(40), 0, 30
    term = parse(CLAIMS["S-3.3.frac"].text)
    for _ in range(6):
        q, s = mp.mpf(rng.randint(2, 8)) / 10, mp.mpf(rng.randint(20, 40)) / 20
        alpha = rng.randint(3, 5) + mp.mpf(rng.randint(1, 9)) / 10
        ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: B023, E731
        truth = normal_mean(mp, lambda x: ratio(x) ** alpha, 0, s, -15 * s, alpha + 15 * s)  # noqa: B023
        values = {"q": q, "s": s, "alpha": alpha}
        terms = [mp.mpf(enclose(term, values | {"k": mp.mpf(k)}, 40).mid) for k in range(last + 1)]
        claimed = mp.fsum(mp.binomial(alpha, k) * value for k, value in enumerate(terms))
        # from floor(alpha) + 1 on the signs alternate: the first term left out bounds the rest
        left = abs(mp.binomial(alpha, last) * terms[last])
        if abs(claimed - truth) > left + truth * mp.mpf(10) ** -25:
            raise Approximate("S-3.3.frac", values, f"the partial sum is {claimed}, the integral {truth}")
        tried += 1
    return tried


def reference_points():
    # z1 = 1/2: at alpha = 1, k = 0 the two halves are exchanged by the reflection
    return [("S-3.3.frac", "q=1/2,s=1,alpha=1,k=0", "0.69146246127401310364")]
