r"""The sampled Gaussian mechanism is zero-concentrated, like the Gaussian one.

Setting: the sampled Gaussian mechanism of rate $q$ and noise $s$, a query of sensitivity 1, neighbours that differ by
    one record. The moment is $A = E_{\mu_0}[((1-q) + q\mu_1/\mu_0)^\alpha]$.
Claim: [X-sgm] it is $\frac1{2s^2}$-zCDP at every rate: $A \le 1-q + qe^{(\alpha^2-\alpha)/(2s^2)}$ by convexity
    [X-sgm-below] and no better than that: $A \ge q^\alpha e^{(\alpha^2-\alpha)/(2s^2)}$
Bound: **upper**
Citation: symdp, derivation.sampled_gaussian
Assumed: nothing
"""

from symdp.claims import Claim, attack, normal_mean
from symdp.derivation.sampled_gaussian import concentrated, moment_from_below

GAUSSIAN = "exp((alpha**2-alpha)/(2*s**2))"
CLAIMS = {
    "X-sgm:rho": Claim("1/(2*s**2)", where="q>=0, q<=1, s>0"),
    "X-sgm:moment": Claim(f"1-q + q*{GAUSSIAN}", where="q>=0, q<=1, s>0, alpha>=1"),
    "X-sgm-below": Claim(f"sampled_moment(alpha, q, s) >= q**alpha*{GAUSSIAN}", where="q>0, q<=1, s>0, alpha>=1"),
}


def derive():
    privacy = concentrated()
    moment = next(node for node in privacy.walk() if node.rule.id == "sampled-gaussian-convexity")
    return {"X-sgm:rho": privacy, "X-sgm:moment": moment, "X-sgm-below": moment_from_below()}


def moment(mp, alpha, q, s):
    ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: E731
    return normal_mean(mp, lambda x: ratio(x) ** alpha, 0, s, -14 * s, alpha + 14 * s)


def falsify(rng):
    """Moments by quadrature; what is at least something is compared with its negative."""

    def ratio(mp, alpha, q, s):
        return mp.log(moment(mp, alpha, q, s)) / (alpha - 1) / alpha

    def lower(mp, alpha, q, s):
        return -moment(mp, alpha, q, s)

    where = "q>0, q<1, s>1, s<4, alpha>1, alpha<9"
    negative = Claim(f"-q**alpha*{GAUSSIAN}")
    return {
        "X-sgm:rho": attack("X-sgm:rho", CLAIMS["X-sgm:rho"], where, ratio, rng, tight=False, count=30),
        "X-sgm:moment": attack("X-sgm:moment", CLAIMS["X-sgm:moment"], where, moment, rng, tight=False, count=30),
        "X-sgm-below": attack("X-sgm-below", negative, where, lower, rng, tight=False, count=30),
    }


def reference_points():
    return [
        ("X-sgm:rho", "s=2", "0.125"),
        ("X-sgm:moment", "alpha=2,q=1/2,s=1", "1.859140914229522617680143735676331248879"),
        ("X-sgm-below", "alpha=2,q=1/2,s=1", "0.75"),
    ]
