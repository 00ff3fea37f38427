r"""The part of the moment below the split point.

Setting: $\mu_0 = N(0,s^2)$, $\mu = (1-q)N(0,s^2) + qN(1,s^2)$,
    $A^{(1)} = \int_{-\infty}^{z_0}\mu_0(\mu/\mu_0)^\alpha$, $z_0 = \frac12 + s^2\ln(1 + 1/(q(\alpha-1)))$.
Claim: $A^{(1)} \le 1 + q^2\alpha(\alpha-1)(e^{1/s^2}-1)$
Bound: **upper**
Citation: mironov2019, Lemma 9
Assumed: nothing
"""

from symdp.claims import Claim, attack, normal_mean
from symdp.derivation.sampled_gaussian import bulk_moment

CLAIMS = {
    "S-L9": Claim("1 + q**2*alpha*(alpha-1)*(exp(1/s**2)-1)", where="alpha>=1, q>=0, q<=1, s>0"),
}


def derive():
    return bulk_moment()


def falsify(rng):
    def truth(mp, alpha, q, s):
        """The whole moment less the part above z0, by Gauss-Legendre on pieces of one spread."""
        ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: E731
        split = mp.mpf(1) / 2 + s * s * mp.log(1 + 1 / (q * (alpha - 1)))
        whole = normal_mean(mp, lambda x: ratio(x) ** alpha, 0, s, -15 * s, alpha + 15 * s)
        pieces = mp.linspace(split, split + alpha + 15 * s, 17 + int(mp.ceil(alpha / s)))
        return whole - mp.quad(lambda x: mp.npdf(x, 0, s) * ratio(x) ** alpha, [*pieces, mp.inf])

    where = "alpha>1, alpha<9, q>0, q<1, s>1, s<6"
    return attack("S-L9", CLAIMS["S-L9"], where, truth, rng, tight=False, count=12)


def reference_points():
    return [("S-L9", "alpha=3,q=1/10,s=1", "1.1030969097075427141")]
