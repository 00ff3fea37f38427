r"""The likelihood ratio between the two split points.

Setting: $\mu_0 = N(0,s^2)$, $\mu_1 = N(1,s^2)$, $\alpha > 1$, $q \in (0,1]$, $r_0 = 1 + 1/(q(\alpha-1))$,
    $z_0 = \frac12 + s^2\ln r_0$. The paper prints one ratio twice; its inverse, which it means, lies there as well.
Claim: for $z \in [1-z_0, z_0]$ the ratios $\mu_1(z)/\mu_0(z)$ and $\mu_1(z)/\mu_0(z)$ are confined to $[1/r_0, r_0]$
Bound: **tight**
Citation: mironov2019, section 3.2
Assumed: nothing
"""

from fractions import Fraction

from sympy import Integer

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, must_hold, points
from symdp.derivation.inequalities import rising_exponential
from symdp.region import Region
from symdp.text import Relation, parse_relations
from symdp.theorem import apply

R0 = "(1 + 1/(q*(alpha-1)))"
Z0 = f"(1/2 + s**2*log{R0})"
RATIO = "(exp(-(z-1)**2/(2*s**2)) / exp(-z**2/(2*s**2)))"
WHERE = f"alpha>1, q>0, q<=1, s>0, z>=1-{Z0}, z<={Z0}"
CLAIMS = {
    "S-3.2.ratios:least": Claim(f"{RATIO} >= 1/{R0}", where=WHERE),
    "S-3.2.ratios:most": Claim(f"{RATIO} <= {R0}", where=WHERE),
    "S-3.2.ratios:inverse least": Claim(f"1/{RATIO} >= 1/{R0}", where=WHERE),
    "S-3.2.ratios:inverse most": Claim(f"1/{RATIO} <= {R0}", where=WHERE),
}


def derive():
    relations = parse_relations(WHERE, place="region")
    region = Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))
    log_ratio, log_r0 = parse("(2*z-1)/(2*s**2)"), parse(f"log{R0}")

    def risen(key, low, high):
        """``exp(high) >= exp(low)``, and the claim is that."""
        step = apply("inequality", relation=Relation(high - low, ">="), region=region)
        mapping = ((symbol("x"), low), (symbol("y"), high))
        fact = apply("substitution", rising_exponential(), step, mapping=mapping, region=region)
        claim = parse_relations(CLAIMS[key].text, place="claim")[-1]
        return apply("combination", fact, weights=(Integer(1),), relation=claim, region=region, exact=True)

    ends = {
        "S-3.2.ratios:least": (-log_r0, log_ratio),
        "S-3.2.ratios:most": (log_ratio, log_r0),
        "S-3.2.ratios:inverse least": (-log_r0, -log_ratio),
        "S-3.2.ratios:inverse most": (-log_ratio, log_r0),
    }
    return {key: risen(key, *pair) for key, pair in ends.items()}


def falsify(rng):
    """Densities at random points of the interval and at its ends, where one of the bounds is attained."""
    mp, tried = mp_context(40), dict.fromkeys(CLAIMS, 0)
    for point in points("alpha>1, alpha<40, q>0, q<=1, s>1/2, s<9, share>0, share<1", rng, 12):
        values = {name.name: value for name, value in point.items()}
        alpha, q, s, share = (mp.mpf(values[name].p) / values[name].q for name in ("alpha", "q", "s", "share"))
        r0 = 1 + 1 / (q * (alpha - 1))
        z0 = mp.mpf(1) / 2 + s * s * mp.log(r0)
        for z in (1 - z0, z0, 1 - z0 + share * (2 * z0 - 1)):
            ratio = mp.npdf(z, 1, s) / mp.npdf(z, 0, s)
            slack = 1 + mp.mpf(10) ** -30
            pairs = (1 / r0, ratio), (ratio, r0), (1 / r0, 1 / ratio), (1 / ratio, r0)
            for key, (low, high) in zip(CLAIMS, pairs, strict=True):
                if low > high * slack:
                    raise Approximate(key, values | {"z": mp.nstr(z, 20)}, f"{mp.nstr(ratio, 20)} is outside")
                tried[key] += 1
        del values["share"]
        for key, claim in CLAIMS.items():
            must_hold(key, claim, **values, z=Fraction(1, 2))
    return tried


def reference_points():
    return [("S-3.2.ratios:least", "alpha=2,q=1,s=1,z=1/2", "0.5")]
