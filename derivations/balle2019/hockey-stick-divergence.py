r"""The hockey-stick divergence, and differential privacy by it.

Setting: two laws $\mu, \nu$ with densities *p* and *r* at one point; $dr$-almost everywhere $d\mu/d\nu = p/r$, where
    $\mu \ll \nu$, and what holds of the integrands at every point holds of the integrals. *e* is how much of the point
    belongs to an event, 0 or 1. The support of a law is where its density is positive. A *level* is an
    $\varepsilon$.
Claim: [B-2.hs] $D_{e^\varepsilon}(\mu\|\nu) = \int[\tfrac{d\mu}{d\nu}-e^\varepsilon]_+d\nu =
    \int[p_\mu-e^\varepsilon p_\nu]_+d\lambda = \sup_E(\mu(E)-e^\varepsilon\nu(E))$
    [B-2.mono] $\varepsilon \mapsto D_{e^\varepsilon}(\mu\|\nu)$ does not increase, and $D_1 = \mathrm{TV}$
    [B-fn3] $D_\infty(\mu\|\nu) = \mu(\mathrm{supp}(\mu)\setminus\mathrm{supp}(\nu))$
    [B-2.DP] a mechanism is $(\varepsilon, \delta)$-DP if and only if
    $\sup_{D \simeq D'} D_{e^\varepsilon}(M(D)\|M(D')) \le \delta$
Bound: **tight**
Citation: balle2019, section 2 and footnote 3
Assumed: nothing
"""

from fractions import Fraction
from itertools import product

from sympy import Rational, log

from symdp.ball import mp_context
from symdp.claims import Claim, Counterexample, must_hold_at, points
from symdp.claims.finite import apart, both, lost, random_law, response, shown, value
from symdp.judgments import FiniteMatrix, Kernel, Mechanism
from symdp.region import Region
from symdp.text import parse_relations, symbol
from symdp.theorem import apply

STICK = "max(p-exp(epsilon)*r, 0)"
CLAIMS = {
    "B-2.hs:derivative": Claim(
        f"r*max(p/r-exp(epsilon), 0) == {STICK}", where="p>=0, r>0, epsilon>=0", needless="epsilon>=0"
    ),
    "B-2.hs:event": Claim(
        f"e*(p-exp(epsilon)*r) <= {STICK}", where="0<=e<=1, p>=0, r>=0, epsilon>=0", needless="epsilon>=0"
    ),
    "B-2.hs:best event": Claim(
        f"max(sign(p-exp(epsilon)*r), 0)*(p-exp(epsilon)*r) >= {STICK}",
        where="p>=0, r>=0, epsilon>=0",
        needless="epsilon>=0",
    ),
    "B-2.mono:falls": Claim(
        f"{STICK} >= max(p-exp(level)*r, 0)", where="p>=0, r>=0, epsilon>=0, level>=epsilon", needless="epsilon>=0"
    ),
    "B-2.mono:total variation": Claim("r*abs(p/r-1)/2 + (p-r)/2 == max(p-exp(0)*r, 0)", where="p>=0, r>0"),
    "B-fn3:inside": Claim(f"{STICK} == 0", where="p>=0, r>0, exp(epsilon)*r>=p"),
    "B-fn3:outside": Claim("max(p-exp(epsilon)*0, 0) == p", where="p>=0, epsilon>=0"),
    "B-2.DP": Claim("D <= delta", where="epsilon>=0, 0<=delta<=1", kind="definition"),
}


def derive():
    def decided(claim):
        relations = parse_relations(", ".join(r for r in claim.where.split(", ") if r not in claim.needless))
        names = {free for relation in parse_relations(f"{claim.where}, {claim.text}") for free in relation.free_symbols}
        region = Region.from_relations(relations, sorted(names, key=str))
        return apply("inequality", relation=parse_relations(claim.text)[-1], region=region)

    return {key: decided(claim) for key, claim in CLAIMS.items() if claim.compared}


def falsify(rng):
    tried = {key: must_hold_at(key, claim, rng) if claim.compared else 0 for key, claim in CLAIMS.items()}

    def demand(key, true, point, why):
        tried[key] += 1
        if not true:
            raise Counterexample(key, point, why)

    for _ in range(60):
        size, b = rng.choice((2, 3, 4)), Fraction(rng.randint(2, 60), 10)
        p, q = random_law(rng, size), random_law(rng, size)
        laws, events = {"mu, nu": shown((p, q)), "exp(epsilon)": b}, apart(p, q, b)
        densities = sum(value("max(p-a*r, 0)", p=x, a=b, r=y) for x, y in zip(p, q, strict=True))
        best = sum((x - b * y for x, y in zip(p, q, strict=True) if x > b * y), Fraction(0))
        for key in ("B-2.hs:event", "B-2.hs:best event"):
            demand(key, events == densities == best, laws, f"over events {events}, over densities {densities}")
        if lost(p, q) == 0:
            ratios = sum(y * max(x / y - b, Fraction(0)) for x, y in zip(p, q, strict=True) if y)
            demand("B-2.hs:derivative", ratios == events, laws, f"by the derivative {ratios}, over events {events}")
            half = sum(y * abs(x / y - 1) for x, y in zip(p, q, strict=True) if y) / 2
            demand("B-2.mono:total variation", half == apart(p, q, Fraction(1)), laws, f"the distance is {half}")
        larger = b + Fraction(rng.randint(1, 30), 10)
        demand("B-2.mono:falls", apart(p, q, larger) <= events, laws, f"it is larger at {larger}")
        largest = max((x / y for x, y in zip(p, q, strict=True) if y), default=Fraction(1))
        for key in ("B-fn3:inside", "B-fn3:outside"):
            for a in (largest, largest + 1, 1000 * largest):
                demand(key, apart(p, q, a) == lost(p, q), laws, f"D at the ratio {a} is {apart(p, q, a)}")
    tried["B-2.hs:derivative"] += _gaussian(rng)
    tried["B-2.DP"] = _private(rng)
    return tried


def _gaussian(rng):
    """Two normal laws: the best event is a half line; the integral of positive parts by quadrature up to there."""
    mp = mp_context(30)
    for point in points("m>0, m<3, epsilon>=0, epsilon<3", rng, 8):
        m, level = (mp.mpf(point[symbol(name)].p) / point[symbol(name)].q for name in ("m", "epsilon"))
        start = m / 2 + level / m  # where the densities are in the ratio e^epsilon
        pieces = [start + k for k in (0, 1, 2, 4, 8, 16)]
        area = mp.quad(
            lambda y, m=m, level=level: mp.npdf(y, 0, 1) * (mp.exp(m * y - m**2 / 2) - mp.exp(level)), pieces
        )
        event = mp.ncdf(m - start) - mp.exp(level) * mp.ncdf(-start)
        if abs(area - event) > mp.mpf(10) ** -20:
            raise Counterexample("B-2.hs:derivative", point, f"the integral is {area}, the event has {event}")
    return 8


def _private(rng):
    """The least delta that the rules draw from the outputs of all inputs, against the definition, event by event."""

    def satisfied(laws, b, delta):
        events = list(product((0, 1), repeat=len(laws[0])))
        sums = [[sum(e * x for e, x in zip(event, law, strict=True)) for event in events] for law in laws]
        return all(x <= b * y + delta for one in sums for other in sums for x, y in zip(one, other, strict=True))

    count = 0
    for _ in range(40):
        b = Fraction(rng.randint(10, 50), 10)
        laws = (
            [random_law(rng, 3) for _ in range(3)]
            if rng.random() < 0.7
            else response(b, Fraction(rng.randint(0, 9), 9))
        )
        rows = tuple(tuple(Rational(x.numerator, x.denominator) for x in law) for law in laws)
        matrix = apply("described", fact=FiniteMatrix(Kernel("K"), rows, Region()))
        profile = apply("profile-of-kernel", apply("matrix-profile", matrix), subject=Mechanism("M"), relation="inputs")
        lines, ratio = profile.conclusion.lines, Rational(b.numerator, b.denominator)
        line = max(range(len(lines)), key=lambda k, lines=lines, ratio=ratio: lines[k][0] - ratio * lines[k][1])
        found = apply("dp-of-profile", profile, epsilon=log(ratio), line=line).conclusion.delta
        delta = Fraction(int(found.p), int(found.q))
        worst = max(both(one, other, b) for one in laws for other in laws)
        enough = satisfied(laws, b, delta) and (delta == 0 or not satisfied(laws, b, delta - Fraction(1, 10**6)))
        if not enough or delta != worst:
            point = {"M": shown(laws), "exp(epsilon)": b}
            raise Counterexample("B-2.DP", point, f"the largest divergence is {worst}, the least delta {delta}")
        count += 1
    return count


def reference_points():
    return [
        ("B-2.hs:event", "p=1/2,r=1/8,epsilon=log(2),e=0", "0.25"),
        ("B-2.mono:falls", "p=1/2,r=1/8,epsilon=log(2),level=log(3)", "0.125"),
    ]
