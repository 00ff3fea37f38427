r"""A Lipschitz map with Gaussian noise after a Gaussian mechanism.

Setting: $M(D) = N(f(D), \sigma_1^2I)$ for $f$ of sensitivity $\Delta$, $K(x) = N(\psi(x), \sigma_2^2I)$ with an
    $L$-Lipschitz map $\psi$, $w = \theta u + (1-\theta)v$. *theta* is any weight, *s1* and *s2* are the noises.
Claim: $K\circ M$ satisfies $(\alpha, \alpha\Delta^2/(2\sigma_*^2))$-RDP with
    $\sigma_*^2 = \sigma_1^2 + \sigma_2^2/L^2$, by $\theta = (1 + \sigma_2^2/(L^2\sigma_1^2))^{-1}$;
    $\sigma_*^2 > \sigma_1^2$ for any $L < \infty$, and $\sigma_*^2 > \sigma_1^2 + \sigma_2^2$ for $L < 1$
Bound: **tight**
Citation: balle2019, Example 3
Assumed: nothing
"""

from fractions import Fraction
from itertools import pairwise
from math import erf, exp, log, sqrt

from symdp import parse, symbol
from symdp.claims import Approximate, Claim, Counterexample, points
from symdp.claims.finite import value
from symdp.judgments import NoiseKernel, NoiseMechanism
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

ID, NOISES = "B-Ex3", "s1>0, s2>0, Delta>=0, L>0"
BEST = "alpha*Delta**2/(2*(s1**2 + s2**2/L**2))"
WEIGHT = "(1 + s2**2/(L**2*s1**2))**(-1)"
CLAIMS = {
    f"{ID}:rdp": Claim(BEST, where=NOISES),
    f"{ID}:weight": Claim(
        f"alpha/2*(({WEIGHT})**2*Delta**2/s1**2 + L**2*(1-{WEIGHT})**2*Delta**2/s2**2) == {BEST}",
        where=f"alpha>1, {NOISES}",
    ),
    f"{ID}:other weights": Claim(
        f"alpha/2*(theta**2*Delta**2/s1**2 + L**2*(1-theta)**2*Delta**2/s2**2) >= {BEST}", where=f"alpha>1, {NOISES}"
    ),
    f"{ID}:amplification": Claim("s1**2 + s2**2/L**2 > s1**2", where="s1>0, s2>0, L>0"),
    f"{ID}:contraction": Claim("s1**2 + s2**2/L**2 > s1**2 + s2**2", where="s1>0, s2>0, L>0, L<1"),
}


def derive():
    names = map(symbol, ("alpha", "s1", "s2", "Delta", "L", "theta"))
    where = Region.from_relations(parse_relations(f"alpha>1, {NOISES}", place="where"), names)
    noises = Region.make({s: where.interval(s) for s in where.symbols if s.name not in ("alpha", "theta")})
    s1, s2, delta, constant = map(symbol, ("s1", "s2", "Delta", "L"))
    mechanism = apply("described", fact=NoiseMechanism("M", "gaussian", s1, delta, "l2", noises))
    kernel = apply("described", fact=NoiseKernel("K", "gaussian", s2, constant, "l2", noises))
    together = apply("noise-step", apply("noise-start", mechanism), kernel)
    coupled = apply("coupling-gaussian", mechanism, kernel, theta=parse(WEIGHT)).conclusion.value

    def decided(name, region):
        relation = parse_relations(CLAIMS[f"{ID}:{name}"].text, place="claim")[-1]
        return apply("inequality", relation=relation, region=region)

    contraction = noises.intersect(parse_relations("L<1", place="where"))
    return {
        f"{ID}:rdp": apply("rdp-of-gdp", apply("path-optimum", together)),
        f"{ID}:weight": apply("identity", left=coupled, right=parse(BEST), region=where),
        f"{ID}:other weights": decided("other weights", where),
        f"{ID}:amplification": decided("amplification", noises),
        f"{ID}:contraction": decided("contraction", contraction),
    }


def falsify(rng):
    """Linear maps in exact fractions: two normal laws of one variance. Other maps by sums over the cells of a grid."""
    tried = dict.fromkeys(CLAIMS, 0)
    where = "alpha>1, alpha<9, Delta>=0, Delta<3, L>1/9, s1>1/3, s1<4, s2>1/3, s2<4, theta>-2, theta<2"
    for point in (*points(where, rng, 15), *points(f"{where}, L<1", rng, 15)):
        exact = {name.name: Fraction(str(number)) for name, number in point.items()}
        alpha, delta, slope, first, second = (exact[name] for name in ("alpha", "Delta", "L", "s1", "s2"))
        true = alpha * (slope * delta) ** 2 / (2 * (slope**2 * first**2 + second**2))  # means slope Delta apart
        claimed = value(CLAIMS[f"{ID}:rdp"].text, **exact)
        if claimed != true:
            raise Counterexample(f"{ID}:rdp", point, f"the divergence of linear maps is {true}, claimed {claimed}")
        tried[f"{ID}:rdp"] += 1
        for key, claim in CLAIMS.items():
            if key.endswith("rdp") or (key.endswith("contraction") and slope >= 1):
                continue
            relation = parse_relations(claim.text, place="claim")[-1]
            gap = relation.expr.subs(point)  # a rational number
            if not {"==": gap == 0, ">=": gap >= 0, ">": gap > 0}[relation.op]:
                raise Counterexample(key, point, f"{relation} fails: the left side is {gap}")
            tried[key] += 1
    for point in points(
        "alpha>1, alpha<6, Delta>0, Delta<3, L>1/3, L<4, s1>1/2, s1<2, s2>1/2, s2<2, v>-2, v<2", rng, 8
    ):
        exact = {name.name: Fraction(str(number)) for name, number in point.items()}
        at = {name: float(number) for name, number in exact.items()}
        claimed = float(value(CLAIMS[f"{ID}:rdp"].text, **exact))
        for bent in (abs, lambda x: exp(-abs(x)), lambda x: min(max(x, -1.0), 1.0)):
            if coarse(bent, **at) > claimed + 1e-9:
                raise Approximate(f"{ID}:rdp", point, f"a map that bends has more than the claimed {claimed}")
            tried[f"{ID}:rdp"] += 1
    return tried


def coarse(bent, alpha, Delta, L, s1, s2, v):
    """The divergence that is left of the two laws on the cells of a grid: no more than the true one."""

    def cells(mean):
        nodes = [mean + s1 * k / 6 for k in range(-48, 49)]
        weights = [exp(-(((z - mean) / s1) ** 2) / 2) for z in nodes]
        edges = [k / 2 for k in range(-16, 17)]
        below = [
            sum(w * (1 + erf((e - L * bent(z)) / (s2 * sqrt(2)))) / 2 for w, z in zip(weights, nodes, strict=True))
            for e in edges
        ]
        total = sum(weights)
        ends = [0.0, *(b / total for b in below), 1.0]
        return [right - left for left, right in pairwise(ends)]

    pairs = [(p, q) for p, q in zip(cells(v + Delta), cells(v), strict=True) if min(p, q) > 1e-12]
    return log(sum(p**alpha * q ** (1 - alpha) for p, q in pairs)) / (alpha - 1)


def reference_points():
    return [(f"{ID}:rdp", "alpha=10,Delta=1,s1=1,s2=2,L=1/2", "0.29411764705882352941")]
