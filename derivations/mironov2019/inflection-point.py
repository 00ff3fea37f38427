r"""Where the two terms of the mixture are equal.

Setting: $\mu_0 = N(0,s^2)$, $\mu_1 = N(1,s^2)$; $q\mu_1/\mu_0$ increases, so that there is only one such point.
Claim: $1-q = q\mu_1(z_1)/\mu_0(z_1)$ at $z_1 = \frac12 + s^2\ln(1/q-1)$ for $0 < q < 1$
Bound: **tight**
Citation: mironov2019, section 3.3, case II
Assumed: nothing
"""

from symdp import parse
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, points
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

WHERE = "q>0, q<1, s>0"
Z1 = "(1/2 + s**2*log(1/q - 1))"
TERM = f"q*exp(-({Z1}-1)**2/(2*s**2))/exp(-{Z1}**2/(2*s**2))"
CLAIMS = {
    "S-3.3.z1": Claim(f"1-q == {TERM}", where=WHERE),
}


def region(text):
    relations = parse_relations(text, place="region")
    return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


def derive():
    return apply("identity", left=parse("1-q"), right=parse(TERM), region=region(WHERE))


def falsify(rng):
    """The point by bisection of the densities."""
    mp, tried = mp_context(40), 0
    for point in points(f"{WHERE}, s>1/3, s<9", rng, 25):
        q, s = (mp.mpf(point[name].p) / point[name].q for name in sorted(point, key=str))
        gap = lambda z, q=q, s=s: q * mp.npdf(z, 1, s) / mp.npdf(z, 0, s) - (1 - q)  # noqa: E731
        low, high = mp.mpf(-1), mp.mpf(1)
        while gap(low) > 0:
            low *= 2
        while gap(high) < 0:
            high *= 2
        for _ in range(150):
            middle = (low + high) / 2
            low, high = (middle, high) if gap(middle) < 0 else (low, middle)
        claimed = mp.mpf(1) / 2 + s * s * mp.log(1 / q - 1)
        if abs(low - claimed) > mp.mpf(10) ** -25 * (1 + abs(claimed)):
            raise Approximate("S-3.3.z1", point, f"the terms are equal at {mp.nstr(low, 20)}")
        tried += 1
    return tried


def reference_points():
    return []
