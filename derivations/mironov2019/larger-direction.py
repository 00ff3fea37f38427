r"""The moment of the mixture against the Gaussian law is the larger of the two.

Setting: $\mu_0 = N(0,s^2)$, $\mu = (1-q)N(0,s^2) + qN(1,s^2)$, $A_\alpha = E_{\mu_0}[(\mu/\mu_0)^\alpha]$,
    $B_\alpha = E_\mu[(\mu_0/\mu)^\alpha] = E_{\mu_0}[(\mu/\mu_0)^{1-\alpha}]$; *sampled_moment(p, q, s)* is
    $E_{\mu_0}[(\mu/\mu_0)^p]$.
Claim: $A_\alpha \ge B_\alpha$ for any $\alpha \ge 1$
Bound: **tight**
Citation: mironov2019, Corollary 7
Assumed: nothing
"""

from symdp import symbol
from symdp.claims import Approximate, Claim, normal_mean, points
from symdp.derivation.sampled_gaussian import larger_direction

CLAIMS = {
    "S-C7": Claim("sampled_moment(alpha, q, s) >= sampled_moment(1-alpha, q, s)", where="alpha>=1, q>=0, q<=1, s>0"),
}


def derive():
    return larger_direction()


def falsify(rng):
    """Both moments by quadrature; at small rates they differ little, so the gap is compared with its own size."""
    from symdp.ball import mp_context

    mp, tried = mp_context(40), 0
    for point in points("alpha>1, alpha<6, q>0, q<1, s>1, s<5", rng, 15):
        alpha, q, s = (mp.mpf(point[symbol(name)].p) / point[symbol(name)].q for name in ("alpha", "q", "s"))

        def moment(p, q=q, s=s):
            ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: E731
            return normal_mean(mp, lambda x: ratio(x) ** p, 0, s, -14 * s, 8 + 14 * s)

        if moment(alpha) < moment(1 - alpha):
            raise Approximate("S-C7", point, "the mixture's moment is the smaller one")
        tried += 1
    return tried


def reference_points():
    return [("S-C7", "alpha=2,q=1/2,s=1", "0.22551619148126099628")]
