r"""Whether the sampled Gaussian mechanism is zero-concentrated.

Setting: the sampled Gaussian mechanism of rate $q$ and noise $s$, sensitivity 1; its divergence of order $\alpha$ is
    $R_\alpha = \ln A/(\alpha-1)$. That it is not $\rho$-zCDP is read as: $R_\alpha > \rho\alpha$ from some order on, at
    the latest from $1 + \ln(1/q)/|1/(2s^2) - \rho|$ on.
Claim: SGM is an important mechanism that does not satisfy zCDP, whatever $\rho$ is
Bound: **upper**
Citation: mironov2019, section 4
Assumed: nothing
"""

from sympy import Integer

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, Counterexample, normal_mean, points
from symdp.derivation.inequalities import rising_logarithm
from symdp.derivation.sampled_gaussian import concentrated, moment_from_below
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

ID, FAR = "S-4.zCDP", "(alpha-1)*abs(1/(2*s**2)-rho) > log(1/q)"
WHERE, REPAIR = f"q>0, q<1, s>0, rho>=0, alpha>1, {FAR}", "rho < 1/(2*s**2)"
CLAIMS = {ID: Claim("log(sampled_moment(alpha, q, s))/(alpha-1) > rho*alpha", where=WHERE, repair=REPAIR)}


def derive():
    relations = parse_relations(f"{WHERE}, {REPAIR}", place="region")
    region = Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))
    low, moment = parse("q**alpha*exp((alpha**2-alpha)/(2*s**2))"), parse("sampled_moment(alpha, q, s)")
    ends = ((symbol("x"), low), (symbol("y"), moment))
    logs = apply("substitution", rising_logarithm(), moment_from_below(), mapping=ends, region=region)
    claim = parse_relations(CLAIMS[ID].text, place="claim")[-1]
    return apply("combination", logs, weights=(Integer(1) / (symbol("alpha") - 1),), relation=claim, region=region)


def falsify(rng):
    """Divergences by quadrature. As printed it fails for rho >= 1/(2 s^2): without sampling the mechanism is a Gaussian
    one with ``R_alpha = alpha/(2 s^2)``, and sampling does not make the divergence larger.
    """
    mp = mp_context(40)

    def curve(alpha, q, s):
        ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * s * s))  # noqa: E731
        return mp.log(normal_mean(mp, lambda x: ratio(x) ** alpha, 0, s, -14 * s, alpha + 14 * s)) / (alpha - 1)

    tried = 0
    for point in points("q>1/20, q<1, s>1, s<4, share>=0, share<9/10, more>1, more<2", rng, 12):
        more, q, s, share = (mp.mpf(point[name].p) / point[name].q for name in sorted(point, key=str))
        rho = share / (2 * s * s)
        alpha = 1 + more * mp.log(1 / q) / (1 / (2 * s * s) - rho)
        if curve(alpha, q, s) <= rho * alpha:
            raise Approximate(f"{ID}:repaired", point, "the divergence is not above rho alpha")
        tried += 1
    found = 1
    rho, q, s = mp.mpf(1), mp.mpf(1) / 2, mp.mpf(1)
    if all(curve(mp.mpf(alpha), q, s) < rho * alpha for alpha in (3, 4, 10, 30)):
        known = concentrated().conclusion.statement()
        found = Counterexample(ID, {"rho": 1, "q": "1/2", "s": 1, "alpha": 3}, f"R_3 < 3, and at every order: {known}")
    return {ID: found, f"{ID}:repaired": tried}


def reference_points():
    return [(ID, "alpha=3,q=1/2,s=1,rho=0", "0.69688911859804407817")]
